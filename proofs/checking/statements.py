"""`Statements.v`, sentence by sentence: nothing but theorems that are restated, in two parts."""

import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .layout import STATEMENTS, CheckError, theories
from .sources import named, split_sentences

_ID = r"[a-z0-9]+(?:[.-][a-z0-9]+)*"
_HEADS = (
    r"From (?:Coq|mathcomp|Checking|Stirred) Require Import(?: [A-Za-z_]\w*)+\.",
    r"(?:Set Implicit Arguments|Unset Strict Implicit|Unset Printing Implicit Defensive)\.",
    r"Import Order\.Theory GRing\.Theory Num\.Theory\.",
    r"Implicit Types(?: \([\w' ]+ : \w+\))+\.",
)
_SCOPES = r"(Open|Close) Scope (?:ring_scope|R_scope|nat_scope)\."
_CLAIMED = r"Theorem\s+\w+\s+\(\*\s+((?:_ID\s+)*_ID)\s+\*\)\s+:".replace("_ID", _ID)
_PART = r"^\(\* Part ([12])\. "
_APPLIED = r"Definition (\w+)_instance\b.*? := @?(\w+)"
CLAIM = r"(?:Theorem|Example(?= \w*_refuted\b))"


@dataclass(frozen=True)
class Restated:
    """A theorem of the page: its part, line, statement and the claims beside it, and its instance if it has one."""

    name: str
    part: int
    line: int
    statement: str
    claims: tuple[str, ...]
    instance: str | None


def restated(page: Path) -> list[Restated]:
    """The theorems of a page, in its order.

    Raises:
        CheckError: a theorem names no claim, is not closed by `restates` of its own name, or stands in no part.
    """
    sentences = iter(split_sentences(page))
    found: dict[str, Restated] = {}
    parts = _parts(page)
    for sentence in sentences:
        where = f"{page.name}:{sentence.line}: {sentence.text[:60]}"
        stated = re.fullmatch(r"Theorem (\w+) : (.*)\.", sentence.text)
        if not stated:
            if not any(re.fullmatch(each, sentence.text) for each in ((_SCOPES,) if found else (*_HEADS, _SCOPES))):
                raise CheckError(f"{where}: is not a sentence that the page may have")
            continue
        name, statement = stated.groups()
        after = " ".join(each.text for each in islice(sentences, 2))
        closing = re.fullmatch(rf"restates (?:{name}|(?:{name} )?(by {name}_instance))\. Qed\.", after)
        if not closing:
            raise CheckError(f"{where}: must be closed by `restates {name}` and Qed")
        claimed = re.match(_CLAIMED, sentence.written)
        if not claimed or "(*" in sentence.written[claimed.end() :] or name in found:
            raise CheckError(f"{where}: must be stated once, with the claims that cite it after its name")
        part = max((part for at, part in parts if at < sentence.start), default=0)
        if not part:
            raise CheckError(f"{where}: stands in no part")
        claims = tuple(claimed[1].split())
        instance = f"{name}_instance" if closing[1] else None
        found[name] = Restated(name, part, sentence.line, statement, claims, instance)
    return [*found.values()]


def _parts(page: Path) -> list[tuple[int, int]]:
    """Where the parts begin: comments between two sentences, none of which may read as a theorem."""
    between = page.read_text(encoding="ascii")
    for each in split_sentences(page):
        between = between[: each.start] + " " * len(each.written) + between[each.end :]
    if found := re.search(r"\bTheorem\s+\w+\s+(?:\(\*|:)|\bQed\.", between):
        raise CheckError(f"{page.name}: a comment reads as a theorem: {found[0]}")
    parts = [(match.start(), int(match[1])) for match in re.finditer(_PART, between, flags=re.M)]
    if [part for _, part in parts] not in ([1], [1, 2]):
        raise CheckError(f"{page.name}: must have a part 1 and at most a part 2, in this order")
    return parts


def scan_statements(root: Path) -> None:
    """Refuse a page that leaves out a theorem of the theories, or restates what is none.

    Raises:
        CheckError: naming it.
    """
    of_theories = [name for path in theories(root) for name in named(path, CLAIM)]
    if twice := {name for name in of_theories if of_theories.count(name) > 1}:
        raise CheckError(f"{min(twice)}: two theories state it")
    sentences = (each.text for path in theories(root) for each in split_sentences(path))
    applied = {found.groups() for each in sentences if (found := re.match(_APPLIED, each))}
    page = set()
    for one in restated(root / STATEMENTS):
        if one.instance and (one.name, one.name) not in applied:
            raise CheckError(f"{one.instance}: must be defined as the theorem {one.name}, applied")
        page.add(one.name)
    for name in sorted({*of_theories} ^ page):
        said = "no theory states it as a theorem" if name in page else f"is a theorem, but not restated in {STATEMENTS}"
        raise CheckError(f"{name}: {said}")

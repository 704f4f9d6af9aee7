"""`Statements.v`, sentence by sentence: nothing but theorems that are restated, in two parts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from checking.layout import STATEMENTS, CheckError, theories
from checking.sources import named, split_sentences

_ID = r"[a-z0-9]+(?:[.-][a-z0-9]+)*"
_HEADS = (
    r"From (?:Coq|mathcomp|Checking|Stirred) Require Import(?: [A-Za-z_]\w*)+\.",
    r"(?:Set Implicit Arguments|Unset Strict Implicit|Unset Printing Implicit Defensive)\.",
    r"Import Order\.Theory GRing\.Theory Num\.Theory\.",
    r"Implicit Types(?: \([\w' ]+ : \w+\))+\.",
)
_SCOPES = r"(Open|Close) Scope (?:ring_scope|R_scope|nat_scope)\."
_CLAIMED = r"^Theorem\s+(\w+)\s+\(\*\s+((?:_ID\s+)*_ID)\s+\*\)\s+:".replace("_ID", _ID)
_PART = r"^\(\* Part ([12])\. "
_CLAIM = r"(?:Theorem|Example(?= \w*_refuted\b))"


@dataclass(frozen=True)
class Restated:
    """A theorem of the page: its name, the part it stands in, the claims beside it, and its instance if it has one."""

    name: str
    part: int
    claims: tuple[str, ...]
    instance: str | None


def restated(folder: Path) -> list[Restated]:
    """The theorems of the page in a folder, in its order.

    Raises:
        CheckError: a theorem names no claim, is not closed by `restates` of its own name, or stands in no part.
    """
    path = folder / STATEMENTS
    text = path.read_text(encoding="utf-8")
    claims = {match[1]: tuple(match[2].split()) for match in re.finditer(_CLAIMED, text, flags=re.M)}
    parts = [(text.count("\n", 0, match.start()) + 1, int(match[1])) for match in re.finditer(_PART, text, flags=re.M)]
    if [part for _, part in parts] not in ([1], [1, 2]):
        raise CheckError(f"{STATEMENTS}: must have a part 1 and at most a part 2, in this order")
    sentences = split_sentences(path)
    found: list[Restated] = []
    for sentence in sentences:
        where = f"{STATEMENTS}:{sentence.line}: {sentence.text[:60]}"
        stated = re.match(r"Theorem (\w+) :", sentence.text)
        if not stated:
            if not any(re.fullmatch(each, sentence.text) for each in ((_SCOPES,) if found else (*_HEADS, _SCOPES))):
                raise CheckError(f"{where}: is not a sentence that the page may have")
            continue
        name = stated[1]
        closing = re.fullmatch(rf"restates (?:{name}|(?:{name} )?(by {name}_instance))\.", next(sentences).text)
        if not closing or next(sentences).text != "Qed.":
            raise CheckError(f"{where}: must be closed by `restates {name}` and Qed")
        if name not in claims or name in {one.name for one in found}:
            raise CheckError(f"{where}: must be stated once, with the claims that cite it after its name")
        part = max((part for line, part in parts if line < sentence.line), default=0)
        if not part:
            raise CheckError(f"{where}: stands in no part")
        found.append(Restated(name, part, claims[name], f"{name}_instance" if closing[1] else None))
    return found


def scan_statements(root: Path) -> None:
    """Refuse a page that leaves out a theorem of the theories, or restates what is none.

    Raises:
        CheckError: naming it.
    """
    if not (root / STATEMENTS).read_bytes().isascii():
        raise CheckError(f"{STATEMENTS}: holds a character that is not ASCII")
    of_theories: Sequence[str] = [name for path in theories(root) for name in named(path, _CLAIM)]
    if twice := {name for name in of_theories if of_theories.count(name) > 1}:
        raise CheckError(f"{min(twice)}: two theories state it")
    applied = {match for path in theories(root) for match in _applied(path)}
    page = set()
    for one in restated(root):
        if one.instance and (one.name, one.name) not in applied:
            raise CheckError(f"{one.instance}: must be defined as the theorem {one.name}, applied")
        page.add(one.name)
    if missing := set(of_theories) - page:
        raise CheckError(f"{min(missing)}: is a theorem of the theories, but not restated in {STATEMENTS}")
    if excess := page - set(of_theories):
        raise CheckError(f"{min(excess)}: is restated in {STATEMENTS}, but no theory states it as a theorem")


def _applied(path: Path) -> Iterator[tuple[str, str]]:
    """The x and y where a theory defines `x_instance` as y, applied."""
    for sentence in split_sentences(path):
        if found := re.match(r"Definition (\w+)_instance\b.*? := @?(\w+)", sentence.text):
            yield found[1], found[2]

"""The sentences of a Coq file, and which commands they may be.

What a theorem means is taken from Coq, never from here. Here a source is refused that admits a statement or holds a
command that is not listed: options, attributes, plugins, modules, files read from elsewhere; and a character that is
not ASCII, which could look like another, or like a blank.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checking.layout import CheckError

_ADMITS = r"\b(Admitted|admit|Admit|give_up)\b"
_OPTIONS = (
    "Set Implicit Arguments",
    "Unset Strict Implicit",
    "Unset Printing Implicit Defensive",
    'Set Bullet Behavior "None"',
)
_COMMANDS = (
    r"From (?:Coq|mathcomp|Stirred) Require Import(?: [A-Za-z_]\w*)+\.",
    r"From Stirred Require Export(?: [a-z]\w*)+\.",
    r"Import(?: [A-Z][\w.]*\w)+\.",
    r"(?:Section|End) \w+\.",
    r"(?:Definition|Fixpoint|Inductive|Variant|Record|Canonical|Let|Lemma|Theorem|Example) ",
    r"(?:Local )?Notation ",
    r"Local (?:Open|Close) Scope \w+\.",
    r"(?:Arguments|Implicit Types?) ",
    r"(?:Proof|Qed|Defined)\.",
    *(re.escape(option) + r"\." for option in _OPTIONS),
)
_SELECTED = r"(?:[-+*{}]|(?:[\d,\s-]+|all|par|!|\[ ?\w+ ?\]) ?: ?\{?)\s*"
"""What may stand before a tactic, or, where nobody looks, before a command: bullets, braces, goal selectors."""

_IN_SECTIONS = r"(?:Hypothesis|Hypotheses|Variables?) "


@dataclass(frozen=True)
class Sentence:
    """One Coq sentence without comments, and where it stands."""

    line: int
    text: str
    sections: int


def without_comments(source: str) -> str:
    """Blank every comment, keeping line breaks; a string counts as Coq counts it, in a comment too."""
    kept: list[str] = []
    depth = 0
    quoted = False
    at = 0
    while at < len(source):
        pair = source[at : at + 2]
        if not quoted and (pair == "(*" or (depth and pair == "*)")):
            depth += 1 if pair == "(*" else -1
            kept.append("  ")
            at += 2
            continue
        char = source[at]
        if char == '"':
            quoted = not quoted
        kept.append(char if char == "\n" or not depth else " ")
        at += 1
    if depth:
        raise CheckError("a comment is not closed")
    return "".join(kept)


def split_sentences(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a Coq file with the number of sections that they stand in."""
    source = without_comments(path.read_text(encoding="utf-8"))
    opened: list[str] = []
    start = 0
    quoted = False
    for at, char in enumerate(source):
        if char == '"':
            quoted = not quoted
        if char != "." or quoted or source[at + 1 : at + 2].strip():
            continue
        raw = source[start : at + 1]
        line = source.count("\n", 0, start + len(raw) - len(raw.lstrip())) + 1
        text = re.sub(rf"^(?:{_SELECTED})+", "", " ".join(raw.split()))
        start = at + 1
        if (closing := re.fullmatch(r"End (\w+)\.", text)) and (not opened or opened.pop() != closing[1]):
            raise CheckError(f"{path.name}:{line}: End {closing[1]} closes no section")
        yield Sentence(line, text, len(opened))
        if opening := re.fullmatch(r"Section (\w+)\.", text):
            opened.append(opening[1])
    if source[start:].strip(" \n\t}"):
        raise CheckError(f"{path.name}: the last sentence has no end")


def scan(path: Path) -> None:
    """Refuse a sentence that admits, or that is neither a tactic nor a listed command.

    Tactics start with small letters; a command starts with a capital letter or with ``#[``.

    Raises:
        CheckError: naming the file, the line and the sentence.
    """
    if not path.read_bytes().isascii():
        raise CheckError(f"{path.name}: holds a character that is not ASCII")
    for sentence in split_sentences(path):
        bare = re.sub(r'"[^"]*"', '""', sentence.text)
        where = f"{path.name}:{sentence.line}: {sentence.text[:60]}"
        if re.search(_ADMITS, bare):
            raise CheckError(f"{where}: admits a statement")
        if re.search(r"\.\.\.$", bare):
            raise CheckError(f"{where}: ends in three points, which hide where a sentence ends")
        if re.match(_IN_SECTIONS, bare):
            if not sentence.sections:
                raise CheckError(f"{where}: is an axiom, for it stands outside a section")
        elif not re.match(r"[a-z]", bare) and not any(re.match(command, sentence.text) for command in _COMMANDS):
            raise CheckError(f"{where}: is not a command that the proofs may use")


def named(path: Path, command: str) -> list[str]:
    """The names that a command of this kind introduces in a file, in its order."""
    found = (re.match(rf"{command} ([\w']+)", sentence.text) for sentence in split_sentences(path))
    return [match[1] for match in found if match]

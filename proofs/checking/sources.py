"""The sentences of a Coq file, and which commands they may be.

What a theorem means is taken from Coq, never from here. Here a source is refused that admits a statement or holds a
command that is not listed: options, attributes, plugins, modules, files read from elsewhere; and a character that is
not ASCII, which could look like another, or like a blank. That Coq runs these sentences and no others is asked of Coq
(`coq`): no token may hold the opening of a comment, so that it reads in each what is read here.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .layout import CheckError

_ADMITS = r"\b(Admitted|admit|Admit|give_up)\b"
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
    r'(?:Set Implicit Arguments|Unset Strict Implicit|Unset Printing Implicit Defensive|Set Bullet Behavior "None")\.',
)
CHECKERS_TOO = {
    "restates.v": r"(?:Ltac|Tactic Notation) ",
    "inhabitants.v": r"Ltac (?:fill|\w+_elsewhere A|says_itself T|reads_inside t) ::=|From Checking Require Import ",
}
"""What the files that close the statements may hold beside: the second fills hooks of the first."""

_IN_SECTIONS = r"(?:Hypothesis|Hypotheses|Variables?) "
_TOKEN = re.compile(r'"[^"]*"|"|\(\*|\*\)')
_SENTENCE = re.compile(
    r"\s*(?P<bullet>-+|\++|\*+|[{}]|(?:\d+|\[\s*\w+\s*\])\s*:\s*\{)"
    r'|\s*(?P<ended>(?:"[^"]*"|[^".\s]|\.(?=\S))(?:"[^"]*"|[^".]+|\.(?=\S))*\.(?!\S))'
)
_SELECTOR = r"^(?:[\d,\s-]+|all|par|!|\[ ?\w+ ?\]) ?: ?"


@dataclass(frozen=True)
class Sentence:
    """One Coq sentence: its characters in the file, as written, and on one line without comments and goal selector."""

    start: int
    end: int
    line: int
    written: str
    text: str
    sections: int


def _without_comments(name: str, source: str) -> str:
    """Blank every comment, keeping line breaks; a string counts as Coq counts it, in a comment too."""
    kept: list[str] = []
    depth = at = 0
    for token in _TOKEN.finditer(source):
        where = f"{name}:{source.count(chr(10), 0, token.start()) + 1}"
        if token[0] == '"' or (token[0] == "*)" and not depth):
            raise CheckError(f"{where}: a string is not closed, or a comment not opened")
        if token[0][0] == '"':
            if "(*" in token[0] or "*)" in token[0]:
                raise CheckError(f"{where}: a string holds the opening or the end of a comment")
        elif token[0] == "(*":
            if not depth:
                kept.append(source[at : (at := token.start())])
                if kept[-1][-1:].strip():
                    raise CheckError(f"{where}: a comment must stand after a blank, or Coq may read a token there")
            depth += 1
        else:
            depth -= 1
            if not depth:
                kept.append(re.sub(r"[^\n]", " ", source[at : (at := token.end())]))
    if depth:
        raise CheckError(f"{name}: a comment is not closed")
    return "".join([*kept, source[at:]])


@cache
def split_sentences(path: Path) -> tuple[Sentence, ...]:
    """The sentences of a Coq file with the number of sections that they stand in; a bullet is one, as for Coq."""
    written = path.read_bytes().decode("latin-1")
    if not written.isascii():
        raise CheckError(f"{path.name}: holds a character that is not ASCII")
    source = _without_comments(path.name, written)
    found: list[Sentence] = []
    at = sections = 0
    while match := _SENTENCE.match(source, at):
        start, at = match.span(match.lastgroup or 0)
        text = re.sub(_SELECTOR, "", " ".join(source[start:at].split()))
        sections -= text.startswith("End ")
        found.append(Sentence(start, at, source.count("\n", 0, start) + 1, written[start:at], text, sections))
        sections += text.startswith("Section ")
    if source[at:].strip():
        raise CheckError(f"{path.name}: the last sentence has no end")
    return tuple(found)


def scan(path: Path, *also: str) -> None:
    """Refuse a sentence that admits, or that is neither a tactic, a bullet nor a listed command.

    Tactics start with small letters; a command starts with a capital letter or with ``#[``.

    Raises:
        CheckError: naming the file, the line and the sentence.
    """
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
        elif not re.match(r"[a-z]|(?:-+|\++|\*+|[{}])$", bare) and not any(
            re.match(command, sentence.text) for command in (*_COMMANDS, *also)
        ):
            raise CheckError(f"{where}: is not a command that the proofs may use")


def named(path: Path, command: str) -> list[str]:
    """The names that a command of this kind introduces in a file, in its order."""
    return [match[1] for each in split_sentences(path) if (match := re.match(rf"{command} ([\w']+)", each.text))]

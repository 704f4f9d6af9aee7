"""The Coq files of the proofs: their headers, definitions, statements and dependencies.

A proof's dependencies are read from the `.glob` of the compiled file, if that is up to date; else only those between
files are known.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import md5
from pathlib import Path

from stirred.verify.evidence.theorems import STATEMENTS, theorems

_FOLDER = STATEMENTS.parent / "theories"
_HEADER = re.compile(r"^\(\*{20,}\)\n((?:\(\* .*\*\)\n)+)\(\*{20,}\)$", re.M)
_REQUIRED = re.compile(r"^From Stirred Require Import\s([\w\s]+)\.", re.M)
_BEGINS = re.compile(
    r"^(?:Local )?(Definition|Fixpoint|Inductive|Variant|Record|Lemma|Theorem|Example|Let|Notation)\s+\"?(\w+)", re.M
)
_REFERENCE = re.compile(r"^R\d+:\d+ Stirred\.([\w.]+) <> (\w+) (?:abbrev|def|ind|proj|rec|thm|constr)$")
_PLACED = re.compile(r"^(?:abbrev|constr|def|ind|prf|proj|rec) (\d+):\d+ <> (\w+)$")
_SENTENCE = re.compile(r"(?:\(\*.*?\*\)|[^.(]|\((?!\*)|\.(?!\s))+\.", re.S)
_DEFINING = frozenset({"Definition", "Fixpoint", "Inductive", "Variant", "Record"})


@dataclass(frozen=True)
class CoqItem:
    """What a file defines or states.

    Attributes:
        name: unique among the files.
        kind: Definition, Lemma, Theorem and so on.
        line: from 1.
        uses: our names in its statement and its proof.
        text: its first sentence: a definition whole, of a lemma what it states.
    """

    name: str
    kind: str
    line: int
    uses: frozenset[str] = frozenset()
    text: str = field(default="", repr=False)

    @property
    def is_definition(self) -> bool:
        """Whether it is a definition."""
        return self.kind in _DEFINING

    @property
    def is_local(self) -> bool:
        """Whether only its file can name it."""
        return self.kind in ("Let", "Notation")

    @property
    def is_readable(self) -> bool:
        """Whether a statement is read through it: a definition, or a name for one."""
        return self.is_definition or self.is_local

    @property
    def is_headline(self) -> bool:
        """Whether `Statements.v` restates it."""
        return self.name in theorems()


@dataclass(frozen=True)
class CoqFile:
    """A file of the proofs.

    Attributes:
        stem: its name, which is unique.
        folder: below the theories; may be empty.
        is_compiled: whether the dependencies of its items are known.
    """

    stem: str
    folder: str
    header: str
    requires: tuple[str, ...]
    items: tuple[CoqItem, ...] = field(repr=False)
    is_compiled: bool

    @property
    def place(self) -> str:
        """The file, from the root of the repository."""
        return "/".join(filter(None, ("proofs/theories", self.folder, f"{self.stem}.v")))

    @property
    def path(self) -> str:
        """Where its page lies."""
        return "/".join(filter(None, ("proofs", self.folder, f"{self.stem}.html")))

    @property
    def about(self) -> str:
        """The first sentence of its header, or else the first paragraph, on one line."""
        first = " ".join(self.header.partition("\n\n")[0].split())
        return re.split(r"(?<=[.:])\s", first, maxsplit=1)[0].rstrip(".:,")

    @property
    def headlines(self) -> tuple[CoqItem, ...]:
        """The theorems that claims rest on."""
        return tuple(item for item in self.items if item.is_headline)

    @property
    def assumptions(self) -> str:
        """The weakest class of its headline theorems: closed or classical reals; empty if it has none."""
        classes = {theorems()[item.name].assumptions for item in self.headlines}
        return max(classes, key=len, default="")


@cache
def coq_files() -> Mapping[str, CoqFile]:
    """The files by name, in the order of their folders; none if only the statements are installed."""
    return {path.stem: _read(path) for path in sorted(_FOLDER.rglob("*.v"))}


@cache
def _items() -> Mapping[str, tuple[CoqFile, CoqItem]]:
    """By name, what is not local to its file."""
    return {item.name: (file, item) for file in coq_files().values() for item in file.items if not item.is_local}


def behind(name: str) -> tuple[tuple[CoqFile, CoqItem], ...]:
    """The definitions that a theorem's statement unfolds to, each after those that it names itself, with their files.

    Empty if the files are not compiled: only then is it known what a name refers to.
    """
    found: dict[str, tuple[CoqFile, CoqItem]] = {}

    def follow(file: CoqFile, item: CoqItem) -> None:
        for used in sorted(item.uses.intersection(re.findall(r"\w+", item.text))):
            near = [one for one in file.items if one.name == used and one.line < item.line]
            place = (file, near[-1]) if near else _items().get(used)
            if place is not None and used not in found and place[1].is_readable:
                follow(*place)
                found[used] = place

    follow(*_items()[name])
    return tuple(found.values())


def theorem_place(name: str) -> str:
    """The page that shows a theorem, under an anchor of its name."""
    place = _items().get(name)
    return place[0].path if place else "proofs/statements.html"


def theorem_anchor(name: str) -> str:
    """The anchor of an item; for a headline its name."""
    return name if name in theorems() else f"d-{name}"


def _read(path: Path) -> CoqFile:
    data = path.read_bytes()
    text = data.decode("ascii")
    header = _HEADER.search(text)
    required = tuple(name for found in _REQUIRED.finditer(text) for name in found[1].split())
    uses = _uses(path.with_suffix(".glob"), data)
    items = tuple(
        CoqItem(
            found[2],
            found[1],
            text.count("\n", 0, found.start()) + 1,
            (uses or {}).get(found[2], frozenset()),
            sentence[0] if (sentence := _SENTENCE.match(text, found.start())) else "",
        )
        for found in _BEGINS.finditer(text)
    )
    folder = path.parent.relative_to(_FOLDER).as_posix().removeprefix(".")
    return CoqFile(path.stem, folder, _plain(header[1]) if header else "", required, items, uses is not None)


def _plain(header: str) -> str:
    return "\n".join(line.removeprefix("(* ").removesuffix("*)").rstrip() for line in header.splitlines())


def _uses(path: Path, source: bytes) -> Mapping[str, frozenset[str]] | None:
    """For each item of a file our names that it refers to; None without an up-to-date `.glob`."""
    if not path.is_file():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0] != f"DIGEST {md5(source, usedforsecurity=False).hexdigest()}":
        return None
    begins = [found.start() for found in _BEGINS.finditer(source.decode("ascii"))]
    names = [found[2] for found in _BEGINS.finditer(source.decode("ascii"))]
    owner = {inner: _at(begins, names, place) for place, inner in _defined(lines)}
    found: dict[str, set[str]] = {}
    for line in lines:
        if (reference := _REFERENCE.match(line)) is not None:
            user = _at(begins, names, int(line[1:].partition(":")[0]))
            used = owner.get(reference[2], reference[2])
            if user and used != user:
                found.setdefault(user, set()).add(used)
    return {name: frozenset(used) for name, used in found.items()}


def _defined(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The positions of the names that a file defines, constructors and fields included."""
    for line in lines:
        if (placed := _PLACED.match(line)) is not None:
            yield int(placed[1]), placed[2]


def _at(begins: list[int], names: list[str], place: int) -> str:
    """The item that a position lies in; empty before the first."""
    index = bisect_right(begins, place)
    return names[index - 1] if index else ""

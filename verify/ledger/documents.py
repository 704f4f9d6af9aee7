"""The source documents, which are not part of the repository: their numbered items, and how each sentence is covered.

`claims/sources/<document>.toml` lists, under [items], every numbered item and section in printed order with a note: ""
where claims state what it says, "words only" where it asserts nothing that could be checked, "definition", "its items"
where it says no more than the items in it, "data not published" where it shows a tendency of data that nobody else
has, or "as <document>, <item>" where it repeats another one.

`claims/sources/<document>.txt` lists runs of sentences in their order, under the sections in which they stand.
A line such as

    101.1 103.2 3f2a6c1d motivation 3; quoted 1; claimed 2 psa.budget.theorem

speaks of the sentences from the first on line 101 of the document to the second on line 103, of which 3f2a6c1d is a
digest: three are motivation, one is quoted, two are claimed. The kinds:

    quoted      claims quote them; found by `verify.ledger.coverage`
    claimed     the claims that are named state them in other words, hold their numbers, or have them as a step of
                their proof that says no more than its definitions and what it cites
    definition  they say what a word or a symbol means, or how a method works
    reference   they say where something stands, name other work, or repeat what stands elsewhere in the document
    motivation  they say why something is done, of the world or of history; nothing that mathematics could check
    opinion     they judge or recommend
    unpublished they state a finding on data that nobody else has
    layout      titles, running heads, lists of names: no sentences, and not counted
    open        not covered yet

What nobody has read is open, and so is what could be checked and no claim states. A line with "-" for the digest and
one kind without a number, behind those that are there, says of what kind the sentences in its range are from now on.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.files.toml_text import load_toml

DOCUMENTS = ("article", "dissertation", "slides", "PHSafe", "swapping study")
"""The short names of the source documents."""

NOTES = ("", "words only", "definition", "its items", "data not published")
"""What a note may be, besides "as <document>, <item>"."""

KINDS = ("quoted", "claimed", "definition", "reference", "motivation", "opinion", "unpublished", "layout", "open")
"""How a sentence is accounted for."""

PLACES = "places.txt"
"""The file that lists where each claim is printed."""

EXAMPLES = "examples.txt"
"""The file that gives an example, in words, of each claim that does not hold as printed."""

_FOLDER = Path(__file__).resolve().parent / "claims" / "sources"
_RUN = re.compile(r"(\d+\.\d+) (\d+\.\d+) ([0-9a-f]{8}|-) (.+)")
_PART = re.compile(r"([a-z]+)(?: (\d+))?((?: [a-z0-9-]+(?:\.[a-z0-9-]+)+)*)")
_SECTION = re.compile(r"(.+) from (\d+\.\d+)")
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class NumberedItem:
    """A numbered item of a document, such as "Theorem 1", "(13)" or "section 3.3"."""

    name: str
    note: str


@cache
def documents() -> Mapping[str, tuple[NumberedItem, ...]]:
    """The items of each document in printed order."""
    found = {}
    for name in DOCUMENTS:
        path = _FOLDER / f"{name.replace(' ', '_')}.toml"
        listed = load_toml(str(path), read_text(path, _MAX_BYTES), parse_float=str)["items"]
        found[name] = tuple(NumberedItem(item, note) for item, note in listed.items())
    return found


def item_of(source: str) -> tuple[str, str] | None:
    """The document and the item that a source such as "article, Appendix E (before (15))" names; None where it is none.

    >>> item_of("article, Theorem 1")
    ('article', 'Theorem 1')
    """
    document, _, place = source.partition(", ")
    if document not in DOCUMENTS:
        return None
    names = [item.name for item in documents()[document]]
    named = [name for name in names if place == name or place.startswith((f"{name} ", f"{name},"))]
    return (document, max(named, key=len)) if named else None


@dataclass(frozen=True)
class SameKind:
    """Consecutive sentences of one kind.

    Attributes:
        count: 0 in a line that has not been applied yet.
        claims: the ids of the claims that state them, where they are "claimed".
    """

    kind: str
    count: int
    claims: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The part of a line that keeps it."""
        return " ".join((self.kind, *([str(self.count)] if self.count else []), *self.claims))


@dataclass(frozen=True)
class SentenceRun:
    """Consecutive sentences by the places of the first and the last, as line.number.

    Attributes:
        digest: of their text, or "-" where they were not read yet.
    """

    first: str
    last: str
    digest: str
    parts: tuple[SameKind, ...]

    def __str__(self) -> str:
        """The line that keeps it."""
        return f"{self.first} {self.last} {self.digest} {'; '.join(map(str, self.parts))}"

    @property
    def count(self) -> int:
        """How many sentences these are."""
        return sum(part.count for part in self.parts)


@dataclass(frozen=True)
class KeptDocument:
    """A document's file, the name and the place of each section in order, and every sentence, in runs."""

    file: str
    sections: tuple[tuple[str, str], ...]
    runs: tuple[SentenceRun, ...] = field(default=())


def kept_path(document: str, folder: Path = _FOLDER) -> Path:
    """The file in which the runs of a document are kept."""
    return folder / f"{document.replace(' ', '_')}.txt"


def kept(document: str, folder: Path = _FOLDER) -> KeptDocument:
    """What is kept of a document."""
    path = kept_path(document, folder)
    file, sections, runs = "", [], []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        if line.startswith("text "):
            file = line.removeprefix("text ")
        elif run := _RUN.fullmatch(line):
            runs.append(SentenceRun(run[1], run[2], run[3], _parts(run[4], f"{path}: line {number}")))
        elif section := _SECTION.fullmatch(line):
            sections.append((section[1], section[2]))
        else:
            raise InputError(f"{path}: line {number} must be a text, a section or a run; got {line!r}")
    return KeptDocument(file, tuple(sections), tuple(runs))


def _parts(text: str, where: str) -> tuple[SameKind, ...]:
    parts = []
    for said in text.split("; "):
        part = _PART.fullmatch(said)
        if part is None or part[1] not in KINDS:
            raise InputError(f"{where}: kind must be one of {', '.join(KINDS)}; got {said!r}")
        parts.append(SameKind(part[1], int(part[2] or 0), tuple(part[3].split())))
    return tuple(parts)


def place_key(place: str) -> tuple[int, int]:
    """A place as line and number, which are in the order of print."""
    line, number = place.split(".")
    return int(line), int(number)


def formatted(document: str, one: KeptDocument) -> str:
    """The text of the file that keeps what is kept of a document."""
    lines = [
        f"# The sentences of the {document}; verify/ledger/documents.py says how this is read.",
        f"text {one.file}",
    ]
    heads = sorted(
        ((place_key(place), f"{name} from {place}") for name, place in one.sections), key=lambda head: head[0]
    )
    for run in one.runs:
        while heads and heads[0][0] <= place_key(run.first):
            lines.append(heads.pop(0)[1])
        lines.append(str(run))
    return "\n".join([*lines, *(line for _, line in heads)]) + "\n"


def is_section(item: str) -> bool:
    """Whether an item of a document is a chapter, a section or an appendix."""
    return item.startswith(("section ", "chapter ", "Appendix "))


def section_of(source: str) -> tuple[str, str] | None:
    """The document and the section in which a source stands; None where it names no document.

    >>> section_of("article, Theorem 1")
    ('article', 'section 3.3')
    """
    named = item_of(source)
    if named is None:
        return None
    section = ""
    for item in documents()[named[0]]:
        section = item.name if is_section(item.name) else section
        if item.name == named[1]:
            break
    return named[0], section


def shares(one: KeptDocument) -> Mapping[str, Mapping[str, int]]:
    """How many sentences of each kind stand in each section; what stands before the first is under "front"."""
    found: dict[str, dict[str, int]] = {}
    for name, runs in _by_section(one):
        counts = found.setdefault(name, dict.fromkeys(KINDS, 0))
        for run in runs:
            for part in run.parts:
                counts[part.kind] += part.count
    return found


@cache
def places_of(folder: Path = _FOLDER) -> Mapping[str, str]:
    """By the id of a printed claim, the lines of the documents on which it stands, as "article 171; slides 12"."""
    lines = read_text(folder / PLACES).splitlines()
    return dict(line.split(": ", 1) for line in lines if not line.startswith("#"))


@cache
def examples(folder: Path = _FOLDER) -> Mapping[str, tuple[str, str]]:
    """By the id of a claim that does not hold as printed an example, and what it touches where the file says so."""
    lines = (line.split(": ", 1) for line in read_text(folder / EXAMPLES).splitlines() if not line.startswith("#"))
    return {name: (example, touched) for name, said in lines for example, _, touched in [said.partition(" | ")]}


def _by_section(one: KeptDocument) -> Iterable[tuple[str, Sequence[SentenceRun]]]:
    heads = [("front", (0, 0)), *((name, place_key(place)) for name, place in one.sections)]
    ends = [place for _, place in heads[1:]] + [(10**9, 0)]
    for (name, start), end in zip(heads, ends, strict=True):
        yield name, [run for run in one.runs if start <= place_key(run.first) < end]

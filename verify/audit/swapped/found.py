"""What the records before and after a swap are: the columns, counts, lines and digests of two tables in files."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stirred.mechanisms.tables.cells import StratumSizes
from stirred.mechanisms.tables.dependence import Dependence, dependences, first_records
from stirred.mechanisms.tables.line_pairs import LinePairs, compare_lines
from stirred.mechanisms.tables.margins import MarginScan
from stirred.mechanisms.tables.reading import TableFile
from stirred.mechanisms.tables.roles import COUNT
from stirred.spec.arguments import InputError
from stirred.verify.audit.swapped.carried import FoundPersons, find_persons
from stirred.verify.audit.swapped.stated import StatedRun, SwapColumns
from stirred.verify.evidence.reports.provenance import without_folders
from stirred.verify.laws.claim.claim import PrivacyClaim

_CHUNK = 2**24


@dataclass(frozen=True)
class Digest:
    """One file of a data set: its name, bytes, and two digests."""

    path: str
    size: int
    sha256: str
    crc32: str


@dataclass(frozen=True)
class FoundSwap:
    """What is found in the records.

    Attributes:
        original: the records before the swap, where they are given.
        swapped: the released file, where it is given.
        columns: their roles.
        lines: whether the released file has the records themselves, not their counts; None where there is none.
        missing: columns that the released file must have and has not.
        more: columns that it has and must not have.
        digests: of the released file, and of the original.
        scan: the counts of the original and then of the released file, each where it is given and can be counted.
        pairs: both line by line, where they have the records themselves in the same columns.
        dependences: the columns that determine what is swapped, in the original, else in the released file.
        persons: of the households, where their files are given.
    """

    original: TableFile | None
    swapped: TableFile | None
    columns: SwapColumns
    lines: bool | None
    missing: tuple[str, ...]
    more: tuple[str, ...]
    digests: tuple[Digest, ...]
    scan: MarginScan | None
    pairs: LinePairs | None
    dependences: tuple[Dependence, ...] = ()
    persons: FoundPersons | None = None

    @property
    def name(self) -> str:
        """The file that the answers are about."""
        return self.names[-1] if self.names else ""

    @property
    def names(self) -> tuple[str, ...]:
        """The files, that of the records before the swap first."""
        files = (file.path for file in (self.original, self.swapped) if file is not None)
        return tuple(without_folders(file, [file]) for file in files)

    @property
    def fits(self) -> bool:
        """Whether the released file has the columns that it must have."""
        return not self.missing and not self.more

    @property
    def are_compared(self) -> bool:
        """Whether the counts of both are known."""
        return self.original is not None and self.swapped is not None and self.fits

    @property
    def moved(self) -> int | None:
        """How many records have another swapping value, where equal lines are one record and values written alike."""
        pairs, scan = self.pairs, self.scan
        if pairs is None or scan is None or not pairs.are_linked or self.columns.count is not None:
            return None
        return None if len(scan.given.differing()) else pairs.moved

    @property
    def least_moved(self) -> int | None:
        """How many at least by the counts, where those that a swap keeps are the same in both files, as texts."""
        scan = self.scan
        if not self.are_compared or scan is None or any(map(len, (scan.given.differing(), scan.held.differing()))):
            return None
        before, after = scan.cells.counts[:2]
        return int((before - after).clip(min=0).sum())

    @property
    def place(self) -> int:
        """Which of the counts are those of the released file, or of the original where that one is not counted."""
        return 1 if self.are_compared else 0

    def sizes(self, *, lines: bool) -> StratumSizes:
        """What the margins say of the strata; with `lines`, each record is a holding category of its own."""
        if self.scan is None:
            raise InputError(f"{self.name}: has no counts")
        found = self.scan.sizes(self.place)
        return found.of_lines() if lines or self.lines else found

    @property
    def records(self) -> int:
        """How many records there are."""
        return 0 if self.scan is None else self.scan.records[self.place]


def find_swap(
    original: TableFile | None,
    swapped: TableFile | None,
    columns: SwapColumns,
    run: StatedRun | None,
    persons: tuple[TableFile, TableFile] | None = None,
) -> FoundSwap:
    """Count and compare the records, and the persons before and after, where the records are households."""
    for file in (original, swapped):
        if file is not None and len(set(file.schema.names)) < len(file.schema.names):
            raise InputError(f"{file.path}: must name each column once; got {', '.join(file.schema.names)}")
    if original is not None:
        original.require([*columns.all, *filter(None, [columns.count])])
    lines: bool | None = None
    missing: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    if swapped is not None:
        names = set(swapped.schema.names)
        lines = names != {*columns.all, COUNT}
        needed = _needed(original, columns, run, lines=lines)
        if needed is None:
            swapped.require(columns.all)
        else:
            missing = tuple(name for name in needed if name not in names)
            more = tuple(name for name in swapped.schema.names if name not in needed)
    fits = swapped is not None and not missing and not more
    given: list[tuple[TableFile, str | None]] = []
    if original is not None:
        given.append((original, columns.count))
    if swapped is not None and fits:
        given.append((swapped, columns.count if lines else COUNT))
    pairs = None
    if original is not None and swapped is not None and fits and lines:
        kept = [name for name in original.schema.names if name not in columns.swapping]
        pairs = compare_lines(original, swapped, kept, columns.swapping)
    people = None
    if persons is not None and pairs is not None and original is not None and swapped is not None:
        people = find_persons(persons, (original, swapped), columns.all, columns.swapping)
    holding = columns.holding if not lines or (pairs is not None and not pairs.are_linked) else ()
    scan = MarginScan(columns.matching, holding, columns.swapping, given) if given else None
    found = tuple(digest for file in (swapped, original) if file is not None for digest in digests(file))
    kinds = (False, True) if lines is None else (lines,)
    dependent = [one for kind in kinds for one in _dependences(given[0], columns, people, lines=kind)] if given else []
    unlike = tuple(dict.fromkeys(dependent))
    return FoundSwap(original, swapped, columns, lines, missing, more, found, scan, pairs, unlike, people)


def _dependences(
    given: tuple[TableFile, str | None], columns: SwapColumns, persons: FoundPersons | None, *, lines: bool
) -> tuple[Dependence, ...]:
    """Of the first records of a file; where lines are released, their other columns stay too, and those of persons."""
    file, count = given
    names = [name for name in file.schema.names if name != count] if lines else columns.all
    kept = [name for name in names if name not in (*columns.matching, *columns.swapping)]
    table = first_records(file, [*columns.matching, *kept, *columns.swapping, *filter(None, [count])])
    if persons is not None:
        own = len(table.column_names)
        table = persons.carried.beside(table, columns.swapping)
        kept += table.column_names[own:]
    return dependences(table, columns.matching, kept, columns.swapping, count, lines=lines)


def _needed(
    original: TableFile | None, columns: SwapColumns, run: StatedRun | None, *, lines: bool
) -> Sequence[str] | None:
    """The columns that the released file must have and no others; None where only the claim's are known."""
    if not lines:
        return (*columns.all, COUNT)
    if original is not None:
        names: Sequence[str] = original.schema.names
        return names
    return None if run is None else run.names


def digests(file: TableFile) -> tuple[Digest, ...]:
    """The digests of each file of a table; of a pipe those of what it held."""
    if file.content is not None:
        sha256 = hashlib.sha256(file.content).hexdigest()
        name = without_folders(file.path, [file.path])
        return (Digest(name, len(file.content), sha256, f"{zlib.crc32(file.content):08x}"),)
    return tuple(map(_digest, file.files))


def _digest(path: str) -> Digest:
    sha256, crc32, size = hashlib.sha256(), 0, 0
    try:
        with Path(path).open("rb") as file:
            while chunk := file.read(_CHUNK):
                sha256.update(chunk)
                crc32 = zlib.crc32(chunk, crc32)
                size += len(chunk)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return Digest(without_folders(path, [path]), size, sha256.hexdigest(), f"{crc32:08x}")


@dataclass(frozen=True)
class TiedSwap:
    """What is said of a swap, beside its records.

    Attributes:
        digest: the SHA-256 of the claim file.
        words: the multiverse of these records as `stirred swap` would state it; where it is not known what is
            released, of records and of a table.
    """

    built: PrivacyClaim | None
    run: StatedRun | None
    found: FoundSwap
    digest: str | None = None
    words: tuple[str, ...] = ()

    @property
    def scope(self) -> str:
        """The records that were looked at."""
        return f"every record of {' and '.join(self.found.names)}"

    @property
    def key(self) -> str:
        """The matching variables in words."""
        return " x ".join(self.found.columns.matching) or "(one stratum)"

    @property
    def swapping(self) -> str:
        """The swapping variables in words."""
        return " x ".join(self.found.columns.swapping)

    def largest(self, *, lines: bool) -> int:
        """The size of the largest stratum with two distinct records, b."""
        return self.found.sizes(lines=lines).largest

"""Two tables of the same records, compared line by line in batches, in whatever format each is written."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.fast.swap_buckets import bucket_hashes
from stirred.mechanisms.tables.margins import batches_of, coded_texts, common_text
from stirred.mechanisms.tables.reading import TableFile

_MOST_LINKED = 2**26
"""Records that are asked whether no two are alike."""

_MOST_RENAMED = 2**12
"""Values of a column that are asked whether each stands as the same other one."""

_GAMMA, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@dataclass
class ColumnDifference:
    """How the values of one column differ between two tables.

    Attributes:
        lines: on how many lines the texts differ.
        first: the first of them, from 1 for the first record; 0 where there is none.
        first_other: the first of these lines whose texts are not those of one number, date, truth value or null
            either; 0 where there is none.
        is_renamed: whether these lines have another text for each value, always the same and one that no value had.
    """

    lines: int = 0
    first: int = 0
    first_other: int = 0
    is_renamed: bool = False

    def add(self, before: int, first: Any, second: Any) -> NDArray[np.bool_]:
        """Compare the values of records after so many others; returns on which lines the texts differ."""
        unequal: NDArray[np.bool_] = _unequal(first, second)
        places = np.flatnonzero(unequal)
        if not len(places):
            return unequal
        self.first = self.first or before + int(places[0]) + 1
        self.lines += len(places)
        if not self.first_other:
            for place in places.tolist():
                if common_text(first[place].as_py()) != common_text(second[place].as_py()):
                    self.first_other = before + place + 1
                    break
        return unequal


@dataclass
class LinePairs:
    """What line-by-line comparison of two tables finds.

    Attributes:
        lines: how many records each has.
        kept: the differences in each column that must be the same.
        swapped: those in each of the other columns.
        moved: on how many lines some of the others differ.
        left: of these lines, how many had each value of the others before.
        same_records: whether the kept columns of both tables may hold the same records in another order; None where
            no line differs.
        are_linked: whether equal lines are those of one record: no two records have the same kept values, as texts.
    """

    lines: tuple[int, int]
    kept: dict[str, ColumnDifference]
    swapped: dict[str, ColumnDifference]
    moved: int = 0
    left: Counter[str] = field(default_factory=Counter)
    same_records: bool | None = None
    are_linked: bool = False

    @property
    def first(self) -> tuple[int, str] | None:
        """The first line on which a kept column differs, with the column."""
        found = [(one.first, name) for name, one in self.kept.items() if one.first]
        return min(found, default=None)

    @property
    def are_lines_equal(self) -> bool:
        """Whether all kept columns are the same, line by line."""
        return self.lines[0] == self.lines[1] and self.first is None

    @property
    def are_written_otherwise(self) -> bool:
        """Whether the kept columns differ, but only in how values are written."""
        has_other = any(one.first_other and not one.is_renamed for one in self.kept.values())
        return self.lines[0] == self.lines[1] and self.first is not None and not has_other


def compare_lines(original: TableFile, swapped: TableFile, kept: Sequence[str], swapping: Sequence[str]) -> LinePairs:
    """Two tables of the same columns, line by line.

    Where lines differ, whether both can hold the same records in another order is told by a sum of hashes: tables of
    the same records have the same sum, however values are written, so that different sums show that they do not.
    """
    found = LinePairs(
        (0, 0), {name: ColumnDifference() for name in kept}, {name: ColumnDifference() for name in swapping}
    )
    columns = [*kept, *swapping]
    lines = [0, 0]
    for first, second in aligned(original, swapped, columns, lines):
        before = lines[0] - first[0]
        for name in kept:
            found.kept[name].add(before, first[1][name], second[1][name])
        moves = np.zeros(first[0], dtype=bool)
        for name in swapping:
            moves |= found.swapped[name].add(before, first[1][name], second[1][name])
        places = np.flatnonzero(moves)
        if len(places):
            found.moved += len(places)
            found.left.update(_joined([first[1][name].take(pa.array(places)) for name in swapping]))
    found.lines = (lines[0], lines[1])
    if not found.are_lines_equal:
        found.same_records = _checksum(original, kept) == _checksum(swapped, kept)
        for name, one in found.kept.items():
            one.is_renamed = one.first_other > 0 and not found.same_records and _is_renamed(original, swapped, name)
    elif 0 < lines[0] <= _MOST_LINKED:
        hashes = np.concatenate([*_hashes(original, kept)])
        found.are_linked = len(np.unique(hashes)) == len(hashes)  # two records of one hash are taken for alike
    return found


def _is_renamed(original: TableFile, swapped: TableFile, name: str) -> bool:
    """Whether no value of a column stands as two or two as one, and each new text on two lines, on the average."""
    pairs: Counter[tuple[str, str]] = Counter()
    for first, second in aligned(original, swapped, [name], [0, 0]):
        pairs.update(zip(*(map(common_text, one[1][name].to_pylist()) for one in (first, second)), strict=True))
        if len(pairs) > _MOST_RENAMED:
            return False
    before, after = ({pair[side] for pair in pairs} for side in (0, 1))
    new = [count for pair, count in pairs.items() if pair[1] not in before]
    changed = sum(one != other for one, other in pairs)
    return len(before) == len(after) == len(pairs) and changed == len(new) and sum(new) >= 2 * len(new)


Texts = tuple[int, dict[str, Any]]
"""Some records: how many, and their columns as texts."""


def aligned(
    original: TableFile, swapped: TableFile, columns: Sequence[str], lines: list[int]
) -> Iterator[tuple[Texts, Texts]]:
    """The records of two tables in pieces of the same length; `lines` has how many each has had so far."""
    readers = [_texts(file, columns) for file in (original, swapped)]
    waiting: list[Texts | None] = [next(reader, None) for reader in readers]
    while waiting[0] is not None and waiting[1] is not None:
        size = min(waiting[0][0], waiting[1][0])
        pieces = [_slice(one, 0, size) for one in waiting if one is not None]
        lines[0] += size
        lines[1] += size
        yield pieces[0], pieces[1]
        for place, one in enumerate(waiting):
            if one is not None:
                waiting[place] = _slice(one, size, one[0] - size) if one[0] > size else next(readers[place], None)
    for place, one in enumerate(waiting):
        lines[place] += (0 if one is None else one[0]) + sum(rows for rows, _ in readers[place])


def _texts(file: TableFile, columns: Sequence[str]) -> Iterator[Texts]:
    for batch in batches_of(file, columns, ()):
        if batch.num_rows:
            yield (batch.num_rows, {name: as_text(name, batch.column(place)) for place, name in enumerate(columns)})


def as_text(name: str, column: Any) -> Any:
    """The values of a column as texts."""
    return column if pa.types.is_string(column.type) else coded_texts(name, column).dictionary_decode()


def _slice(texts: Texts, start: int, size: int) -> Texts:
    return size, {name: column.slice(start, size) for name, column in texts[1].items()}


def _unequal(first: Any, second: Any) -> NDArray[np.bool_]:
    """Where two columns of texts differ; nothing is equal to nothing alone."""
    same = pc.fill_null(pc.equal(first, second), False)
    nothing = pc.and_(pc.is_null(first), pc.is_null(second))
    found: NDArray[np.bool_] = pc.invert(pc.or_(same, nothing)).to_numpy(zero_copy_only=False)
    return found


def _joined(columns: Sequence[Any]) -> Counter[str]:
    if len(columns) == 1:
        counts = pc.value_counts(columns[0])
        return Counter({str(one["values"]): one["counts"] for one in counts.to_pylist()})
    return Counter(", ".join(map(str, row)) for row in zip(*(column.to_pylist() for column in columns), strict=True))


def _checksum(file: TableFile, columns: Sequence[str]) -> int:
    """The sum of hashes of the records, modulo 2^64; their order does not matter."""
    return int(sum((one.sum(dtype=np.uint64) for one in _hashes(file, columns)), start=np.uint64(0)))


def _hashes(file: TableFile, columns: Sequence[str]) -> Iterator[NDArray[np.uint64]]:
    """A hash of each record, however its values are written."""
    for rows, texts in _texts(file, columns):
        hashes = np.zeros(rows, dtype=np.uint64)
        for place, name in enumerate(columns):
            encoded = texts[name].dictionary_encode()
            known = bucket_hashes([*map(common_text, [*encoded.dictionary.to_pylist(), None])], place)
            places = pc.fill_null(encoded.indices, len(known) - 1).to_numpy(zero_copy_only=False)
            hashes = hashes + known.take(places)
        yield _mixed(hashes)


def _mixed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Another number for each hash of a record, so that a sum over records tells which values stand together."""
    found = hashes + _GAMMA
    found = (found ^ (found >> np.uint64(30))) * _FIRST
    found = (found ^ (found >> np.uint64(27))) * _SECOND
    mixed: NDArray[np.uint64] = found ^ (found >> np.uint64(31))
    return mixed

"""What a swap did to its records: who moved, who is alone, how wrong tables are, and what still goes together.

Both files are read in batches, the released one as records or as counts. Memory grows with the cells that are counted.
An area is a value of the swapped columns together; a cell is a value of other columns in an area.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.tables.coded_column import GrowingColumn
from stirred.mechanisms.tables.line_pairs import aligned, as_text
from stirred.mechanisms.tables.margins import batches_of
from stirred.mechanisms.tables.reading import TableFile
from stirred.mechanisms.tables.roles import COUNT, Roles
from stirred.mechanisms.tables.swapping import count_weights
from stirred.spec.arguments import InputError, suggestion

Numbers = NDArray[np.int64]
Reals = NDArray[np.float64]
Names = tuple[str, ...]

_BUFFERED = 2**20
_MOST_VALUES = 1_000
"""Of a column outside the swap with more values, the mean by area is compared, where it is numbers."""


@dataclass
class CellCounts:
    """The numbers of records, before and after, by the cells of a table.

    Attributes:
        rest: the columns that are not swapped.
        area: those that are.
    """

    rest: Names
    area: Names
    _waiting: list[tuple[Numbers, Numbers, int]] = field(default_factory=list)
    _known: tuple[Numbers, Numbers] = field(default_factory=lambda: (np.zeros(0, np.int64), np.zeros((2, 0), np.int64)))

    def add(self, side: int, cells: Numbers, weights: Numbers | None) -> None:
        """Count records of one file, each with its cell."""
        keys, places = np.unique(cells, return_inverse=True)
        self._waiting.append((keys, np.bincount(places.reshape(-1), weights, len(keys)).astype(np.int64), side))
        if sum(len(one) for one, _, _ in self._waiting) > max(_BUFFERED, len(self._known[0])):
            self._merge()

    def _merge(self) -> None:
        keys, counts = self._known
        whole, places = np.unique(np.concatenate([keys, *(one for one, _, _ in self._waiting)]), return_inverse=True)
        found = np.zeros((2, len(whole)), np.int64)
        found[:, places[: len(keys)]] = counts
        start = len(keys)
        for one, numbers, side in self._waiting:
            found[side, places[start : start + len(one)]] += numbers
            start += len(one)
        self._known, self._waiting = (whole, found), []

    @property
    def cells(self) -> Numbers:
        """Each cell as the code of its rest times 2³² plus that of its area."""
        self._merge()
        return self._known[0]

    @property
    def before(self) -> Numbers:
        """The number of records in each cell before the swap."""
        return self._side(0)

    @property
    def after(self) -> Numbers:
        """The number after it."""
        return self._side(1)

    def _side(self, side: int) -> Numbers:
        self._merge()
        counts: Numbers = self._known[1][side]
        return counts

    @property
    def rests(self) -> Numbers:
        """The code of the rest of each cell."""
        return self.cells >> 32

    @property
    def areas(self) -> Numbers:
        """The code of the area of each cell."""
        return self.cells & 0xFFFFFFFF


@dataclass(frozen=True)
class Uniques:
    """The cells of one record.

    Attributes:
        before: how many there were.
        after: how many the release shows.
        gone: how many of those before have no record in the release.
        same: how many of those that it shows were cells of one record.
        others: how many had several.
        moved: how many of the records that were alone have another area; None where records are not released.
        stayed: how many of the records that are shown alone are where they were; None likewise.
    """

    before: int
    after: int
    gone: int
    same: int
    others: int
    moved: int | None = None
    stayed: int | None = None

    @classmethod
    def of(cls, counts: CellCounts, moved: int | None = None, stayed: int | None = None) -> Uniques:
        """Those of a table."""
        alone, shown = counts.before == 1, counts.after == 1
        return cls(
            before=int(alone.sum()),
            after=int(shown.sum()),
            gone=int((alone & (counts.after == 0)).sum()),
            same=int((alone & shown).sum()),
            others=int((shown & (counts.before > 1)).sum()),
            moved=moved,
            stayed=stayed,
        )


@dataclass(frozen=True)
class Association:
    """How much a column and the area go together, from 0 to 1, before and after.

    Cramér's V, or for numbers of many values the correlation ratio η: the root of the share of their variance that is
    between areas.
    """

    column: str
    measure: str
    before: float
    after: float
    is_outside: bool


@dataclass(frozen=True)
class SwapEffects:
    """What was counted.

    Attributes:
        records: how many there are.
        codes: what the codes of columns stand for.
        moved: by some columns, how many of the records of each code have another area; with counts alone, at least.
        is_exact: whether these are the numbers themselves.
        tables: the counts by the columns of each table.
        uniques: the cells of one record of each table of areas and other columns.
        associations: of held columns and of those outside the swap with the area.
        not_compared: columns outside the swap whose values are too many and no numbers.
    """

    roles: Roles
    records: int
    codes: Codes
    moved: Mapping[Names, Numbers]
    is_exact: bool
    tables: Mapping[Names, CellCounts]
    uniques: Mapping[Names, Uniques]
    associations: tuple[Association, ...]
    not_compared: Names

    @property
    def all_moved(self) -> int:
        """How many records have another area, at least."""
        return int(self.moved[self.roles.matching].sum())

    def expected(self, rate: Fraction, columns: Names) -> Reals:
        """The mean number of moved records with each value of some columns by the PSA, to the accuracy of doubles.

        A record of a stratum of n records, c of its own value, moves with probability q·(n − c)/(n − 1), where q =
        (p − p(1 − p)^(n−1))/(1 − np(1 − p)^(n−1)) is that of being selected: its new value is that of any other
        selected record, all alike.

        Args:
            columns: the matching variables, or one of them or of those that are held.

        Source: article, Algorithm 1.
        """
        match = self.roles.matching
        strata = self.tables[(*match, *self.roles.swapping)]
        sizes = np.bincount(strata.rests, strata.before).astype(float)
        chances = _chance(sizes[strata.rests], strata.before, float(rate))
        by = match if set(columns) <= set(match) else (*match, *columns)
        cells = self.tables[(*by, *self.roles.swapping)]
        stratum = self.codes.within(by, match)[cells.rests]
        value = self.codes.within(by, columns)[cells.rests]
        chance = chances[np.searchsorted(strata.cells, stratum << 32 | cells.areas)]
        found: Reals = np.bincount(value, chance * cells.before, self.codes.size(columns)).astype(float)
        return found


def _chance(sizes: Reals, own: Numbers, rate: float) -> Reals:
    """The probability that a record moves, by the size of its stratum and the records of its value in it."""
    with np.errstate(all="ignore"):
        rest = (1 - rate) ** (sizes - 1)
        selected = (rate - rate * rest) / (1 - sizes * rate * rest)
        chance = selected * (sizes - own) / (sizes - 1)
    return np.where(sizes > 1, chance, 0.0)


def swap_effects(
    original: TableFile,
    released: TableFile,
    roles: Roles,
    tables: Sequence[Names] = (),
    outside: Sequence[str] | None = None,
) -> SwapEffects:
    """What a released file, of records or of counts, changes of the records before.

    Args:
        tables: the columns of each table that is published besides.
        outside: the columns that have no role but are compared with the area; by default all others.
    """
    names = original.schema.names if outside is None else outside
    return _Reader(original, released, roles, tables, names).effects()


class _Reader:
    def __init__(
        self, original: TableFile, released: TableFile, roles: Roles, tables: Sequence[Names], outside: Sequence[str]
    ) -> None:
        self._files, self._roles = (original, released), roles
        self.are_lines = set(released.schema.names) != {*roles.columns, COUNT}
        for name in dict.fromkeys([*roles.columns, *(name for query in tables for name in query)]):
            for file in self._files:
                if name not in file.schema.names:
                    known = suggestion(name, file.schema.names)
                    raise InputError(f"{file.path}: must have the column {name!r} of a table; {known}")
        self.groups = (*roles.matching, *roles.holding)
        used = (*roles.columns, roles.identifier, roles.count)
        outside = [name for name in outside if name not in used and name in released.schema.names]
        self.outside = tuple(outside if self.are_lines else ())
        self.codes = Codes()
        queries = [
            *((*roles.matching, *roles.swapping),),
            *((name, *roles.swapping) for name in (*self.groups, *self.outside)),
            *((*roles.matching, name, *roles.swapping) for name in self.groups if name not in roles.matching),
            *((*self.groups, *roles.swapping),),
            *tables,
        ]
        self.tables = {query: self._counts(query) for query in dict.fromkeys(queries)}
        self._columns = list(dict.fromkeys(name for query in self.tables for name in query))
        self._outside = {(name,) for name in self.outside}
        asked = ((*self.groups, *roles.swapping), *tables)
        self._asked = [one for one in dict.fromkeys(asked) if self.tables[one].rest and self.tables[one].area]
        self._alone = {one: [0, 0] for one in self._asked}
        self._sums: dict[str, list[Any]] = {name: [np.zeros((3, 0))] * 2 for name in self.outside}
        self.records = 0

    def _counts(self, query: Names) -> CellCounts:
        swapped = self._roles.swapping
        return CellCounts(
            tuple(name for name in query if name not in swapped), tuple(name for name in query if name in swapped)
        )

    def effects(self) -> SwapEffects:
        for side in (0, 1):
            for texts, weights in self._batches(side):
                self._count(side, texts, weights)
                if side == 0:
                    self.records += int(weights.sum()) if weights is not None else texts.rows
        moved = self._moved_lines() if self.are_lines and self._roles.count is None else self._moved_cells()
        is_exact = self.are_lines and self._roles.count is None
        found = tuple(self._associations())
        known = {one.column for one in found}
        unknown = tuple(name for name in self.outside if name not in known)
        uniques = {one: Uniques.of(self.tables[one], *(self._alone[one] if is_exact else ())) for one in self._asked}
        return SwapEffects(self._roles, self.records, self.codes, moved, is_exact, self.tables, uniques, found, unknown)

    def _batches(self, side: int) -> Iterator[tuple[_Texts, Numbers | None]]:
        file, count = self._files[side], self._roles.count if side == 0 or self.are_lines else COUNT
        columns = self._columns
        for batch in batches_of(file, [*columns, *filter(None, [count])], columns):
            if batch.num_rows:
                rows = {name: batch.column(place) for place, name in enumerate(columns)}
                weights = None if count is None else count_weights(file.path, count, batch.column(len(columns)))
                yield _Texts(batch.num_rows, rows), weights

    def _count(self, side: int, texts: _Texts, weights: Numbers | None) -> None:
        for query, counts in list(self.tables.items()):
            cells = self.codes.of(counts.rest, texts) << 32 | self.codes.of(counts.area, texts)
            counts.add(side, cells, weights)
            if counts.rest in self._outside and self.codes.size(counts.rest) > _MOST_VALUES:
                del self.tables[query]
        for name in self.outside:
            self._add_sums(name, side, texts, weights)

    def _add_sums(self, name: str, side: int, texts: _Texts, weights: Numbers | None) -> None:
        values = _numbers(texts.columns[name])
        if values is None:
            self._sums[name] = []
        if not self._sums[name] or values is None:
            return
        areas, weight = self.codes.of(self._roles.swapping, texts), np.ones(texts.rows) if weights is None else weights
        weight = np.where(np.isnan(values), 0, weight)
        values = np.nan_to_num(values)
        size = int(areas.max()) + 1
        sums = np.array([np.bincount(areas, weight * one, size) for one in (np.ones(texts.rows), values, values**2)])
        known = self._sums[name][side]
        wide = max(size, known.shape[1])
        self._sums[name][side] = sum(np.pad(one, ((0, 0), (0, wide - one.shape[1]))) for one in (known, sums))

    def _moved_lines(self) -> Mapping[Names, Numbers]:
        """The lines with another area, by stratum and by each held column."""
        columns = [self._roles.matching, *((name,) for name in self.groups)]
        found = {one: np.zeros(self.codes.size(one), np.int64) for one in columns}
        read = list(
            dict.fromkeys((*self.groups, *self._roles.swapping, *(name for one in self._asked for name in one)))
        )
        for first, second in aligned(*self._files, read, [0, 0]):
            sides = [_Texts(rows, texts) for rows, texts in (first, second)]
            before, after = (self.codes.of(self._roles.swapping, one) for one in sides)
            places = np.flatnonzero(before != after)
            for one, known in found.items():
                np.add(known, np.bincount(self.codes.of(one, sides[0])[places], minlength=len(known)), out=known)
            for query in self._asked:
                self._look(query, sides)
        return found

    def _look(self, query: Names, sides: Sequence[_Texts]) -> None:
        """Count of some records those that were alone and moved, and those that are shown alone and did not."""
        counts = self.tables[query]
        areas = [self.codes.of(counts.area, one) for one in sides]
        cells = (self.codes.of(counts.rest, one) << 32 | area for one, area in zip(sides, areas, strict=True))
        first, second = (np.searchsorted(counts.cells, one) for one in cells)
        self._alone[query][0] += int(((counts.before[first] == 1) & (areas[0] != areas[1])).sum())
        self._alone[query][1] += int(((counts.after[second] == 1) & (areas[0] == areas[1])).sum())

    def _moved_cells(self) -> Mapping[Names, Numbers]:
        """What the counts of all columns alone show."""
        whole = self.tables[(*self.groups, *self._roles.swapping)]
        left = (whole.before - whole.after).clip(min=0)
        found: dict[Names, Numbers] = {}
        for columns in [self._roles.matching, *((name,) for name in self.groups)]:
            own = self.codes.within(self.groups, columns)[whole.rests]
            found[columns] = np.bincount(own, left, self.codes.size(columns)).astype(np.int64)
        return found

    def _associations(self) -> Iterator[Association]:
        for name in (*self._roles.holding, *self.outside):
            is_outside = name in self.outside
            if (name, *self._roles.swapping) in self.tables:
                counts = self.tables[(name, *self._roles.swapping)]
                before, after = (_cramer(counts.rests, counts.areas, one) for one in (counts.before, counts.after))
                yield Association(name, "V", before, after, is_outside)
            elif self._sums.get(name):
                before, after = map(_eta, self._sums[name])
                yield Association(name, "eta", before, after, is_outside)


@dataclass(frozen=True)
class _Texts:
    """Some records as texts, with the codes that were made of them."""

    rows: int
    columns: Mapping[str, Any]
    known: dict[Names, Numbers] = field(default_factory=dict)


class Codes:
    """The values of columns, and of several together, as whole numbers in the order in which they were first read."""

    def __init__(self) -> None:
        self._coders: dict[Names, GrowingColumn] = {}

    def of(self, columns: Names, texts: _Texts) -> Numbers:
        """The codes of these columns in some records; null and the empty text are one."""
        if columns not in texts.known:
            texts.known[columns] = self._new(columns, texts)
        return texts.known[columns]

    def _new(self, columns: Names, texts: _Texts) -> Numbers:
        if not columns:
            return np.zeros(texts.rows, np.int64)
        if len(columns) == 1:
            kind, values = pa.string(), pc.fill_null(as_text(columns[0], texts.columns[columns[0]]), "")
        else:
            *first, last = (self.of(part, texts) for part in (columns[:-1], columns[-1:]))
            kind, values = pa.int64(), pa.array(first[0] << 32 | last)
        coder = self._coders.setdefault(columns, GrowingColumn(kind))
        found: Numbers = coder.codes(values).astype(np.int64)
        return found

    def size(self, columns: Names) -> int:
        """How many values were read of these columns together."""
        return len(self._coders[columns].values) if columns else 1

    def parts(self, columns: Names) -> Numbers:
        """For each code of columns the code of each column."""
        if len(columns) < 2:
            return np.arange(self.size(columns))[:, None][:, : len(columns)]
        both = self._coders[columns].values.to_numpy()
        return np.column_stack([self.parts(columns[:-1])[both >> 32], both & 0xFFFFFFFF])

    def within(self, columns: Names, some: Names) -> Numbers:
        """For each code of columns the code of some of them together."""
        if some == columns:
            return np.arange(self.size(columns))
        parts = self.parts(columns)
        if len(some) < 2:
            return parts[:, columns.index(some[0])] if some else np.zeros(len(parts), np.int64)
        known = {tuple(one): code for code, one in enumerate(self.parts(some).tolist())}
        places = [columns.index(name) for name in some]
        return np.array([known[tuple(one)] for one in parts[:, places].tolist()], np.int64)

    def names(self, column: str) -> list[str]:
        """For each code of a column its value in words."""
        return [one or "(no value)" for one in self._coders[(column,)].values.to_pylist()]


def _numbers(column: Any) -> Reals | None:
    """The values as numbers, NaN for null; None where they are none."""
    values = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    try:
        return pc.cast(values, pa.float64()).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]
    except (pa.ArrowException, pa.ArrowNotImplementedError):
        return None


def _cramer(rests: Numbers, areas: Numbers, counts: Numbers) -> float:
    """Cramér's V of a table of counts: √(χ²/(n·(min(rows, columns) − 1))); 0 where there is one row or column."""
    total = float(counts.sum())
    rows, columns = np.bincount(rests, counts).astype(float), np.bincount(areas, counts).astype(float)
    least = min(int((rows > 0).sum()), int((columns > 0).sum())) - 1
    if least < 1 or not total:
        return 0.0
    some = counts > 0
    squares = (counts[some] ** 2 / (rows[rests[some]] * columns[areas[some]])).sum()
    return float(np.sqrt(max(squares - 1, 0) / least))


def _eta(sums: Reals) -> float:
    """The correlation ratio of the numbers, their sums and sums of squares by area."""
    n, total, squares = (one[sums[0] > 0] for one in sums)
    if not n.sum():
        return 0.0
    mean = total.sum() / n.sum()
    whole = float(squares.sum() - n.sum() * mean**2)
    between = float((total**2 / n).sum() - n.sum() * mean**2)
    return float(np.sqrt(min(max(between / whole, 0.0), 1.0))) if whole > 0 else 0.0

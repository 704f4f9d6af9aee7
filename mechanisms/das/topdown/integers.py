"""One integer for each cell of which most are 0 or follow a pattern: counts of a node, and rows of linear forms.

Each is a sequence of integers, and equal to any other sequence of the same ones; what is long is kept as what is not 0.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]
"""Numbers of cells, or one integer for each of some cells."""


class Integers(Sequence[int]):
    """A sequence of integers that is given by what is not 0."""

    size: int

    @abstractmethod
    def nonzero(self) -> tuple[Cells, Cells]:
        """The cells that have not 0, in order, and what they have."""

    @abstractmethod
    def at(self, cells: Cells) -> Cells:
        """What these cells have."""

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return iter(self._dense().tolist())

    @overload
    def __getitem__(self, place: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[int, ...]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> int | tuple[int, ...]:
        if isinstance(place, slice):
            return tuple(self._dense()[place].tolist())
        number = place.__index__()
        if not -self.size <= number < self.size:
            raise IndexError(f"a cell must be below {self.size}; got {number}")
        return int(self.at(np.array([number % self.size]))[0])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Integers):
            return self.size == other.size and all(map(np.array_equal, self.nonzero(), other.nonzero()))
        return isinstance(other, Sequence) and len(other) == self.size and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        cells, values = self.nonzero()
        return f"{type(self).__name__} of {self.size}: {dict(zip(cells.tolist(), values.tolist(), strict=True))}"

    def _dense(self) -> Cells:
        found = np.zeros(self.size, dtype=np.int64)
        cells, values = self.nonzero()
        found[cells] = values
        return found


class SparseCounts(Integers):
    """Counts, of which most are 0.

    Args:
        cells: those that have not 0, in order.

    >>> counts = SparseCounts(4, np.array([1, 3]), np.array([5, 2]))
    >>> tuple(counts), counts == (0, 5, 0, 2), counts[3]
    ((0, 5, 0, 2), True, 2)
    """

    def __init__(self, size: int, cells: Cells, values: Cells) -> None:
        self.size, self._cells, self._values = size, cells, values

    @classmethod
    def from_pairs(cls, size: int, counts: Mapping[int, int]) -> SparseCounts:
        """Counts by cell; 0 for the others."""
        cells = sorted(cell for cell, count in counts.items() if count)
        return cls(size, np.array(cells, dtype=np.int64), np.array([counts[cell] for cell in cells], dtype=np.int64))

    @classmethod
    def sum_of(cls, size: int, counts: Sequence[Sequence[int]]) -> SparseCounts:
        """The sums of several, cell by cell."""
        cells, values = (np.concatenate(parts) for parts in zip(*map(nonzero, counts), strict=True))
        found, places = np.unique(cells, return_inverse=True)
        sums = np.zeros(len(found), dtype=np.int64)
        np.add.at(sums, places, values)
        return cls(size, found[sums != 0], sums[sums != 0])

    def nonzero(self) -> tuple[Cells, Cells]:
        """The cells that have not 0, in order, and their counts."""
        return self._cells, self._values

    def at(self, cells: Cells) -> Cells:
        """The counts of these cells."""
        if not len(self._cells):
            return np.zeros(len(cells), dtype=np.int64)
        places = np.minimum(np.searchsorted(self._cells, cells), len(self._cells) - 1)
        return np.where(self._cells[places] == cells, self._values[places], 0)


class Box(Integers):
    """The same coefficient for all records with certain values, and others for some cells behind those of records.

    Args:
        shape: the number of values of each attribute; the first cells are their combinations, in order.
        values: by attribute, the numbers of the values that the records have; None for all.
        others: by cell behind those of records, its coefficient.

    >>> tuple(Box((2, 3), (None, (0, 2)), 7, -1, ((6, 4),)))
    (-1, 0, -1, -1, 0, -1, 4)
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        values: tuple[tuple[int, ...] | None, ...],
        size: int,
        entry: int = 1,
        others: tuple[tuple[int, int], ...] = (),
    ) -> None:
        self.shape, self.values, self.size, self.entry, self.others = shape, values, size, entry, others

    def __repr__(self) -> str:
        return f"Box({self.shape}, {self.values}, {self.size}, {self.entry}, {self.others})"

    def block(self) -> tuple[Cells, ...]:
        """By attribute, the numbers of the values that the records have."""
        chosen = zip(self.shape, self.values, strict=True)
        return tuple(np.arange(n) if values is None else np.array(values, dtype=np.int64) for n, values in chosen)

    def nonzero(self) -> tuple[Cells, Cells]:
        """The cells that have a coefficient, in order, and their coefficients."""
        cells = np.zeros(1, dtype=np.int64)
        for size, values in zip(self.shape, self.block(), strict=True):
            cells = (cells[:, None] * size + np.sort(values)).ravel()
        if not self.entry:
            cells = cells[:0]
        others = [(cell, entry) for cell, entry in sorted(self.others) if entry]
        entries = [self.entry] * len(cells) + [entry for _, entry in others]
        behind = np.array([cell for cell, _ in others], dtype=np.int64)
        return np.append(cells, behind), np.array(entries, dtype=np.int64)

    def at(self, cells: Cells) -> Cells:
        """The coefficients of these cells."""
        records = prod(self.shape)
        are_in = cells < records
        inner = np.where(are_in, cells, 0)
        for size, values in zip(self.shape[::-1], self.values[::-1], strict=True):
            if values is not None:
                chosen = np.zeros(size, dtype=np.bool_)
                chosen[list(values)] = True
                are_in = are_in & chosen[inner % size]
            inner = inner // size
        found = np.where(are_in, self.entry, 0)
        for cell, entry in self.others:
            found = np.where(cells == cell, entry, found)
        return found


class Partition(Sequence[Box]):
    """The rows of a query that has every cell in one row at most, with the coefficient 1.

    Attributes:
        shape: the number of values of each attribute of a record.
        size: the number of cells, those behind the records included.
        first: a cell of the kind that is counted.
    """

    shape: tuple[int, ...]
    size: int
    first: int

    @property
    @abstractmethod
    def _parts(self) -> tuple[object, ...]:
        """What makes it."""

    @abstractmethod
    def of(self, cells: Cells) -> Cells:
        """The row that counts each of these cells; −1 for none."""

    @abstractmethod
    def combination(self, row: int) -> tuple[int, ...]:
        """The number of the coarser value of each factor."""

    @abstractmethod
    def _row(self, number: int) -> Box:
        """A row."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition) and type(self) is type(other) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._parts}"

    @overload
    def __getitem__(self, row: SupportsIndex) -> Box: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Box, ...]: ...
    def __getitem__(self, row: SupportsIndex | slice) -> Box | tuple[Box, ...]:
        if isinstance(row, slice):
            return tuple(self[place] for place in range(*row.indices(len(self))))
        number = row.__index__()
        if not 0 <= number < len(self):
            raise IndexError(f"a row must be below {len(self)}; got {number}")
        return self._row(number)


class Marginal(Partition):
    """The rows of a query that counts records by the values of some attributes or coarser versions of them.

    Args:
        factors: attributes in order, each with the number of the coarser value that each of its values has; −1 for
            none.

    >>> rows = Marginal((2, 3), ((1, (0, 0, 1)),), 7)
    >>> list(map(tuple, rows)), rows.of(np.array([0, 4, 5, 6])).tolist()
    ([(1, 1, 0, 1, 1, 0, 0), (0, 0, 1, 0, 0, 1, 0)], [0, 0, 1, -1])
    """

    def __init__(self, shape: tuple[int, ...], factors: tuple[tuple[int, tuple[int, ...]], ...], size: int) -> None:
        self.shape, self.factors, self.size, self.first = shape, factors, size, 0
        self.sizes = tuple(max(codes, default=-1) + 1 for _, codes in factors)

    def of(self, cells: Cells) -> Cells:
        """The row that counts each of these cells; −1 for none."""
        records = prod(self.shape)
        found = np.where(cells < records, 0, -1)
        inner = np.where(cells < records, cells, 0)
        strides = np.cumprod((1, *self.shape[:0:-1]))[::-1]
        for (axis, codes), size in zip(self.factors, self.sizes, strict=True):
            code = np.array(codes)[inner // strides[axis] % self.shape[axis]]
            found = np.where((found < 0) | (code < 0), -1, found * size + code)
        return found

    @property
    def _parts(self) -> tuple[object, ...]:
        return self.shape, self.factors, self.size

    def combination(self, row: int) -> tuple[int, ...]:
        """The number of the coarser value of each factor."""
        return tuple(map(int, np.unravel_index(row, self.sizes))) if self.factors else ()

    def __len__(self) -> int:
        return prod(self.sizes)

    def _row(self, number: int) -> Box:
        values: list[tuple[int, ...] | None] = [None] * len(self.shape)
        for (axis, codes), chosen in zip(self.factors, self.combination(number), strict=True):
            values[axis] = tuple(value for value, code in enumerate(codes) if code == chosen)
        return Box(self.shape, tuple(values), self.size)


class Behind(Partition):
    """The rows of a query that counts what stands behind the records.

    Args:
        codes: by cell behind the records, its row; −1 for none.

    >>> rows = Behind((2,), (0, 1, 0, -1))
    >>> list(map(tuple, rows)), rows.of(np.array([0, 2, 3, 5])).tolist()
    ([(0, 0, 1, 0, 1, 0), (0, 0, 0, 1, 0, 0)], [-1, 0, 1, -1])
    """

    def __init__(self, shape: tuple[int, ...], codes: tuple[int, ...]) -> None:
        self.shape, self.codes, self.first = shape, codes, prod(shape)
        self.size = self.first + len(codes)

    def of(self, cells: Cells) -> Cells:
        """The row that counts each of these cells; −1 for none."""
        behind = np.array(self.codes, dtype=np.int64)[np.maximum(cells - self.first, 0)]
        return np.where(cells < self.first, -1, behind)

    @property
    def _parts(self) -> tuple[object, ...]:
        return self.shape, self.codes

    def combination(self, row: int) -> tuple[int, ...]:
        """The number of the row: there is one factor."""
        return (row,)

    def __len__(self) -> int:
        return max(self.codes, default=-1) + 1

    def _row(self, number: int) -> Box:
        others = tuple((self.first + place, 1) for place, code in enumerate(self.codes) if code == number)
        return Box(self.shape, (None,) * len(self.shape), self.size, 0, others)


def nonzero(integers: Sequence[int]) -> tuple[Cells, Cells]:
    """The cells that have not 0, in order, and what they have."""
    if isinstance(integers, Integers):
        return integers.nonzero()
    dense = np.array(integers, dtype=np.int64)
    cells = np.flatnonzero(dense)
    return cells, dense[cells]


def at(integers: Sequence[int], cells: Cells) -> Cells:
    """What these cells have."""
    return integers.at(cells) if isinstance(integers, Integers) else np.array(integers, dtype=np.int64)[cells]

"""Fibre noise on the counts of many strata at once, and on their records.

Its law is that of `mechanisms.noise.fibre_noise`, with α = e^(−ε/κ) itself: the noise of all free cells is drawn first,
exact and independent of the counts, and what remains is arithmetic on integers, cell by cell for all strata together
(`clamped`). Strata with many free cells, of which there are few, are run through one by one.

The records of a row receive its new values in a uniformly random order, whatever they were before: a function of the
noisy table and of further randomness, so that records have the budget of the table. That only so many records move as
the counts ask for would have no finite budget where lines are released: a table that stays as it is would leave each
record as it is, from one data set and not from another one with the same table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.inversion import inverted
from stirred.mechanisms.fast.permutation_swapping import dense_limit
from stirred.mechanisms.fast.random_words import Words
from stirred.mechanisms.fast.selected_records import shuffled_inside
from stirred.mechanisms.fast.swap_counts import CountedCells
from stirred.mechanisms.noise.fibre_noise import sensitivity
from stirred.spec.arguments import InputError
from stirred.spec.laws.discrete_laplace import laplace_floors

Numbers = NDArray[np.int64]

MOST_CELLS = 2**25
"""Rows times columns of one stratum: its noise takes half a gigabyte and about half a minute."""

_GROUP = 2**22
_ONE_BY_ONE = 2_000
"""A stratum with so many cells is run through alone."""


@dataclass(frozen=True)
class FreeCells:
    """The margins of several strata, rows and columns in the order of `mechanisms.noise.fibre_noise.margin_order`.

    Attributes:
        rows: for each stratum how many rows it has, at least 2.
        columns: and how many columns, at least 2.
        row_margins: the margins n_h· of all strata, stratum by stratum.
        column_margins: the margins n_·s.
    """

    rows: Numbers
    columns: Numbers
    row_margins: Numbers
    column_margins: Numbers

    @property
    def starts(self) -> tuple[Numbers, Numbers, Numbers]:
        """Where the rows, the columns and the cells of each stratum begin."""
        sizes = (self.rows, self.columns, self.rows * self.columns)
        first, second, third = (np.cumsum(size) - size for size in sizes)
        return first, second, third


def noisy_counts(cells: CountedCells, epsilon: Fraction, words: Words) -> CountedCells:
    """One draw of fibre noise with budget ε on a table of counts, cells of positive counts in and out.

    Args:
        cells: in lexicographic order.
        epsilon: ε > 0, exact.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> cells = tuple(map(np.array, ([0, 0, 0], [0, 0, 1], [0, 1, 0], [3, 2, 4])))
    >>> [side.tolist() for side in noisy_counts(cells, Fraction(1, 2), random_words(5))][3]
    [4, 1, 3, 1]
    """
    parts = [_noisy_group([side[own] for side in cells], epsilon, words) for own in _groups(cells)]
    joined = [np.concatenate(sides) for sides in zip(*parts, strict=True)] if parts else list(cells)
    order = np.lexsort(joined[2::-1])
    strata, holding, swapping, counts = (side[order] for side in joined)
    return strata, holding, swapping, counts


def _groups(cells: CountedCells) -> Iterator[slice]:
    """Strata in groups of a bounded number of cells, as slices."""
    firsts = np.flatnonzero(np.diff(cells[0], prepend=-1))
    if not len(firsts):
        return
    ends = np.append(firsts[1:], len(cells[0]))
    rows = np.diff(cells[1], prepend=-1) != 0
    rows[firsts] = True
    bound = np.cumsum(np.add.reduceat(rows, firsts, dtype=np.int64) * (ends - firsts))  # a column has an occupied cell
    start = 0
    while start < len(firsts):
        before = int(bound[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(bound, before + _GROUP, side="right")))
        yield slice(int(firsts[start]), int(ends[end - 1]))
        start = end


def _places(strata: Numbers, side: Numbers, counts: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Categories by stratum and margin: their number in each stratum, margins and codes, and the place of each cell."""
    span = int(side.max(initial=0)) + 1
    code, most = strata * span + side, (int(strata[-1]) + 1) * span
    if most <= dense_limit(len(code)):
        table = np.zeros(most, dtype=np.int64)
        np.add.at(table, code, counts)
        pairs = np.flatnonzero(table)
        margins = table[pairs]
        table[pairs] = np.arange(len(pairs))
        inverse = table[code]
    else:
        pairs, inverse = np.unique(code, return_inverse=True)
        inverse = inverse.reshape(-1)
        margins = np.zeros(len(pairs), dtype=np.int64)
        np.add.at(margins, inverse, counts)
    own = pairs // span
    order = (
        np.lexsort((margins, own)) if int(margins.max()) >= 2**31 else np.argsort(own << 31 | margins, kind="stable")
    )
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return np.bincount(own), margins[order], pairs[order] - own * span, rank[inverse]


def _noisy_group(cells: Sequence[Numbers], epsilon: Fraction, words: Words) -> list[Numbers]:
    begins = np.diff(cells[0], prepend=-1) != 0
    names, strata = cells[0][begins], np.cumsum(begins) - 1
    heights, row_margins, row_codes, row_at = _places(strata, cells[1], cells[3])
    widths, column_margins, column_codes, column_at = _places(strata, cells[2], cells[3])
    open_ = (heights > 1) & (widths > 1)
    inside = open_[strata]
    fixed, chosen = [side[~inside] for side in cells], np.flatnonzero(open_)
    if not len(chosen):
        return fixed
    free = FreeCells(
        heights[chosen],
        widths[chosen],
        row_margins[np.repeat(open_, heights)],
        column_margins[np.repeat(open_, widths)],
    )
    if int((free.rows * free.columns).max()) > MOST_CELLS:
        most = int((free.rows * free.columns).max())
        raise InputError(
            f"a stratum must have at most {MOST_CELLS} pairs of a holding and a swapping category for fibre noise; got "
            f"{most}: match more columns, or hold fewer"
        )
    row_start, column_start, cell_start = free.starts
    rank = np.cumsum(open_) - 1
    own = rank[strata[inside]]
    i = row_at[inside] - (np.cumsum(heights) - heights)[strata[inside]]
    j = column_at[inside] - (np.cumsum(widths) - widths)[strata[inside]]
    table = np.zeros(int((free.rows * free.columns).sum()), dtype=np.int64)
    table[cell_start[own] + i * free.columns[own] + j] = cells[3][inside]
    drawn = clamped(free, table + _noise(free, epsilon, words))
    at = np.flatnonzero(drawn)
    own = np.repeat(np.arange(len(chosen)), free.rows * free.columns)[at]
    i, j = np.divmod(at - cell_start[own], free.columns[own])
    found = (
        names[chosen[own]],
        row_codes[np.repeat(open_, heights)][row_start[own] + i],
        column_codes[np.repeat(open_, widths)][column_start[own] + j],
        drawn[at],
    )
    return [np.concatenate(sides) for sides in zip(fixed, found, strict=True)]


def _noise(free: FreeCells, epsilon: Fraction, words: Words) -> Numbers:
    """Noise for each free cell, with the scale κ/ε that its stratum's shape asks for; 0 for the other cells."""
    narrow, wide = np.minimum(free.rows, free.columns), np.maximum(free.rows, free.columns)
    shape = np.where(wide == 2, 0, np.where(narrow == 2, 1, 2)).astype(np.int8)
    ends = np.cumsum(np.repeat(free.columns, free.rows)) - 1
    kind = np.repeat(shape, free.rows * free.columns)
    kind[ends] = -1
    lasts = np.cumsum(free.rows * free.columns)
    before = np.cumsum(free.columns) - free.columns
    kind[np.arange(int(free.columns.sum())) + np.repeat(lasts - free.columns - before, free.columns)] = -1
    noise = np.zeros(len(kind), dtype=np.int64)
    for number, kappa in enumerate((sensitivity(2, 2), sensitivity(2, 3), sensitivity(3, 3))):
        places = np.flatnonzero(kind == number)
        if len(places):
            noise[places] = inverted(partial(laplace_floors, kappa / epsilon), words(len(places)), words)
    return noise


def clamped(free: FreeCells, proposed: Numbers) -> Numbers:
    """The tables of which each free cell is the proposed count, clamped to what margins and cells before it allow.

    Args:
        proposed: for each cell of each stratum, row by row; what stands in last rows and last columns is not read.

    >>> two = np.array([2])
    >>> clamped(FreeCells(two, two, np.array([2, 3]), np.array([1, 4])), np.array([5, 0, 0, 0])).tolist()
    [1, 1, 0, 3]
    """
    drawn = np.zeros_like(proposed)
    large = free.rows * free.columns >= _ONE_BY_ONE
    row_start, column_start, cell_start = free.starts
    for stratum in np.flatnonzero(large).tolist():
        height, width = int(free.rows[stratum]), int(free.columns[stratum])
        own = slice(int(cell_start[stratum]), int(cell_start[stratum]) + height * width)
        rows = free.row_margins[int(row_start[stratum]) :][:height].tolist()
        columns = free.column_margins[int(column_start[stratum]) :][:width].tolist()
        drawn[own] = _one_by_one(rows, columns, proposed[own])
    small = np.flatnonzero(~large)
    if len(small):
        _together(free, small, proposed, drawn)
    return drawn


def _one_by_one(rows: list[int], columns: list[int], proposed: Numbers) -> Numbers:
    width, left = len(columns), list(columns)
    drawn = np.zeros((len(rows), width), dtype=np.int64)
    all_left = sum(left)
    for h, margin in enumerate(rows[:-1]):
        rest, beyond, line = margin, all_left, proposed[h * width : (h + 1) * width - 1].tolist()
        for s, wanted in enumerate(line):
            room = left[s]
            beyond -= room
            count = max(min(wanted, room, rest), rest - beyond, 0)
            if count:
                drawn[h, s] = count
                rest -= count
                left[s] = room - count
        drawn[h, -1] = rest
        left[-1] -= rest
        all_left -= margin
    drawn[-1] = left
    return drawn.reshape(-1)


def _together(free: FreeCells, chosen: Numbers, proposed: Numbers, drawn: Numbers) -> None:
    """The tables of several strata, into `drawn`: the same cell of all of them at once."""
    chosen = chosen[np.argsort(-free.columns[chosen], kind="stable")]
    rows, columns = free.rows[chosen], free.columns[chosen]
    row_start, column_start, cell_start = (start[chosen] for start in free.starts)
    left = free.column_margins.copy()
    all_left = np.add.reduceat(free.column_margins, free.starts[1])[chosen]
    for h in range(int(rows.max()) - 1):
        own = np.flatnonzero(rows > h + 1)
        width, begin, across = columns[own], cell_start[own] + h * columns[own], column_start[own]
        margin = free.row_margins[row_start[own] + h]
        rest, beyond = margin.copy(), all_left[own]
        for s in range(int(width[0]) - 1):
            some = int(np.searchsorted(-width, -(s + 1), side="left"))  # those with more than s + 1 columns
            at, to = across[:some] + s, begin[:some] + s
            room, remains = left[at], rest[:some]
            beyond[:some] -= room
            count = np.maximum(np.minimum(np.minimum(proposed[to], room), remains), 0)
            np.maximum(count, remains - beyond[:some], out=count)
            drawn[to] = count
            remains -= count
            left[at] = room - count
        last = across + width - 1
        drawn[begin + width - 1] = rest
        left[last] -= rest
        all_left[own] -= margin
    ends = np.cumsum(columns)
    inside = np.arange(int(ends[-1])) - np.repeat(ends - columns, columns)
    final = np.repeat(cell_start + (rows - 1) * columns, columns) + inside
    drawn[final] = left[np.repeat(column_start, columns) + inside]


def dealt(
    cells: CountedCells, strata: NDArray[np.integer[Any]], holding: NDArray[np.integer[Any]], words: Words
) -> Numbers:
    """The swapping codes of records with these counts, dealt in a uniform order inside each row of each stratum.

    Args:
        cells: the counts, in lexicographic order.
        strata: of the records, of which as many are in each row as the cells say.
    """
    span = int(holding.max(initial=0)) + 1
    rows, groups = np.unique(strata.astype(np.int64) * span + holding, return_inverse=True)
    groups = groups.reshape(-1)
    order = shuffled_inside(np.arange(len(groups)), groups, np.bincount(groups, minlength=len(rows)), words)
    codes = np.empty(len(groups), dtype=np.int64)
    codes[order] = np.repeat(cells[2], cells[3])
    return codes

"""The saturated table of coded columns, and what its margins say of the strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.permutation_swapping import Codes, dense_limit
from stirred.spec.flavors.permutation_swapping import Margins

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Cells:
    """The positive counts n_mhs of a saturated table, stratum by stratum.

    Attributes:
        strata: the stratum of each cell, in increasing order.
        holding: the code of its holding categories, of all holding variables together.
        swapping: the code of its swapping categories.
    """

    strata: Numbers
    holding: Numbers
    swapping: Numbers
    counts: Numbers

    def sizes(self) -> StratumSizes:
        """What the margins say of each stratum; the swapping invariants, so the same before and after a swap."""
        new = np.append(True, self.strata[1:] != self.strata[:-1])[: len(self.strata)]
        firsts = np.flatnonzero(new)
        records = np.add.reduceat(self.counts, firsts) if len(firsts) else self.counts
        rows = np.cumsum(new) - 1
        new[1:] |= self.holding[1:] != self.holding[:-1]
        holding = np.bincount(rows[new], minlength=len(firsts))
        span = int(self.swapping.max(initial=0)) + 1
        pairs = occurring(pair_codes([rows, self.swapping], [len(firsts), span]), len(firsts) * span)
        return StratumSizes(records, holding, np.bincount(pairs // span, minlength=len(firsts)))

    def margins(self) -> list[Margins]:
        """The margins (n_mh·, n_m·s) of each stratum."""
        firsts = np.flatnonzero(np.diff(self.strata, prepend=-1)).tolist()
        found = []
        for start, end in zip(firsts, [*firsts[1:], len(self.strata)], strict=True):
            sides = []
            for side in (self.holding[start:end], self.swapping[start:end]):
                places = np.unique(side, return_inverse=True)[1].reshape(-1)
                margin = np.zeros(int(places.max()) + 1, dtype=np.int64)
                np.add.at(margin, places, self.counts[start:end])
                sides.append(tuple(margin.tolist()))
            found.append((sides[0], sides[1]))
        return found


@dataclass(frozen=True)
class StratumSizes:
    """What the margins say of each stratum, as arrays with a number for each.

    Attributes:
        holding: how many holding categories occur in it.
        swapping: how many swapping categories occur in it.
    """

    records: Numbers
    holding: Numbers
    swapping: Numbers

    def of_lines(self) -> StratumSizes:
        """The same where each record is a holding category of its own: where the lines themselves are released."""
        return StratumSizes(self.records, self.records, self.swapping)

    @property
    def determined(self) -> NDArray[np.bool_]:
        """Which strata have one table only, their own: they have one holding or one swapping category."""
        return (self.holding < 2) | (self.swapping < 2)

    @property
    def largest(self) -> int:
        """b: the size of the largest stratum that holds two distinct records, 0 if none does."""
        return int(self.records[(self.holding > 1) | (self.swapping > 1)].max(initial=0))

    def joined(self, others: Sequence[StratumSizes]) -> StratumSizes:
        """These strata and those of other buckets."""
        parts = [self, *others]
        return StratumSizes(
            *(np.concatenate([getattr(part, side) for part in parts]) for side in ("records", "holding", "swapping"))
        )


def pair_codes(columns: Sequence[Codes], spans: Sequence[int]) -> Numbers:
    """One whole number for each row, in lexicographic order; the product of the spans is below 2^63."""
    code = columns[0].astype(np.int64)
    for column, span in zip(columns[1:], spans[1:], strict=True):
        code *= span
        code += column
    return code


def occurring(code: Numbers, span: int) -> Numbers:
    """The numbers below `span` that occur."""
    if span > dense_limit(len(code)):
        return np.unique(code)
    occurs = np.zeros(span, dtype=bool)
    occurs[code] = True
    return np.flatnonzero(occurs)


def distinct(code: Numbers, span: int) -> tuple[Numbers, Codes]:
    """The numbers below `span` that occur, and for each element the place of its own among them."""
    if span <= dense_limit(len(code)):
        occurs = np.zeros(span, dtype=bool)
        occurs[code] = True
        return np.flatnonzero(occurs), (np.cumsum(occurs) - 1).take(code)
    occupied, places = np.unique(code, return_inverse=True)
    return occupied, places.reshape(-1)


def paired(first: Codes, second: Codes) -> Numbers:
    """Pairs of codes as one code from 0, in their order."""
    spans = [int(one.max(initial=0)) + 1 for one in (first, second)]
    return distinct(pair_codes([first, second], spans), prod(spans))[1].astype(np.int64)


@dataclass(frozen=True)
class Combination:
    """Several coded columns as one.

    Attributes:
        codes: of the rows, in 0, …, number − 1, in the lexicographic order of the columns.
        parts: for each column its code by the combined one.
    """

    codes: Codes
    number: int
    parts: tuple[Numbers, ...]

    @classmethod
    def of(cls, columns: Sequence[Codes], spans: Sequence[int]) -> Combination:
        """Of columns with codes below these spans."""
        codes, number = columns[0], spans[0]
        if len(columns) == 1:
            return cls(codes, number, (np.arange(number),))
        for column, span in zip(columns[1:], spans[1:], strict=True):
            occupied, codes = distinct(pair_codes([codes, column], [number, span]), number * span)
            number = len(occupied)
        first = np.zeros(number, dtype=np.int64)
        first[codes] = np.arange(len(codes))  # some row of each code
        return cls(codes, number, tuple(column.take(first).astype(np.int64) for column in columns))

    def columns(self, codes: Codes) -> list[Numbers]:
        """The columns of these codes."""
        return [part.take(codes) for part in self.parts]


def count_cells(strata: Codes, number: int, holding: Combination, swapping: Combination, weights: Any = None) -> Cells:
    """The saturated table of records with these strata 0, …, number − 1, holding and swapping categories.

    Args:
        weights: how many records each row stands for; one where none are given.
    """
    spans = [max(number, 1), max(holding.number, 1), max(swapping.number, 1)]
    if prod(spans) >= 2**63:
        pair, places = distinct(pair_codes([strata, holding.codes], spans[:2]), spans[0] * spans[1])
        none = Combination(np.zeros_like(places), 1, ())
        cells = count_cells(places, len(pair), none, swapping, weights)
        return Cells(pair[cells.strata] // spans[1], pair[cells.strata] % spans[1], cells.swapping, cells.counts)
    code = pair_codes([strata, holding.codes, swapping.codes], spans)
    if weights is None and prod(spans) <= dense_limit(len(code)):
        table = np.bincount(code)
        occupied = np.flatnonzero(table)
        counts = table[occupied]
    elif weights is None:
        occupied, counts = np.unique(code, return_counts=True)
    else:
        occupied, places = distinct(code, prod(spans))
        counts = np.zeros(len(occupied), dtype=np.int64)
        np.add.at(counts, places, weights)
        occupied, counts = occupied[counts > 0], counts[counts > 0]
    rest, swap_codes = np.divmod(occupied, spans[2])
    stratum_codes, hold_codes = np.divmod(rest, spans[1])
    return Cells(stratum_codes, hold_codes, swap_codes, counts.astype(np.int64))

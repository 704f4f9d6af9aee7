"""The Permutation Swapping Algorithm on the counts of a table: the cells of a stratum, not its records.

A stratum of N records has n_hs of them in the cell (h, s). The law is that of the program on the records:

1. The number K of selected records is binomial, drawn again while it is 1; given K, the selected records are a uniform
   set of K, so the numbers k_hs selected of each cell are multivariate hypergeometric.
2. A uniform permutation π of the selected records gives record i the value of π(i). Let f(i) be that value. Every f
   that gives each value s to c_s = Σ_h k_hs records comes from ∏ c_s! permutations, so f is uniform among them: for
   one value after the other, the receivers of s are a uniform set of c_s of the records that have received none. How
   many of each cell they are is multivariate hypergeometric.
3. Given f, π is for each s a uniform bijection from the receivers of s to the records of value s, independently. It
   moves every record iff each bijection has no fixed point. A bijection of c elements of which o lie on both sides has
   none with probability a(o, c) = Σ_j (−1)^j C(o, j)(c−j)!/c!. So f kept with probability ∏_s a(o_s, c_s), o_s the
   records of value s that receive s, and otherwise drawn anew, is f of a uniform derangement; that is kept with
   probability d(K)/K!, at least 1/3 for K ≠ 1.
4. The new count of a cell is n_hs − k_hs plus the records of row h that receive s: a function of these counts alone.

A stratum whose records are cheaper to move than to count is expanded and swapped record by record, which has the same
law; which of the two is decided by the counts, so the result is determined by the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.count_draws import binomial, happens, multivariate_hypergeometric
from stirred.mechanisms.fast.permutation_swapping import draw_from_words
from stirred.mechanisms.fast.random_words import Words

__all__ = ["CountedCells", "counts_are_cheaper", "swap_counts", "swap_stratum_counts"]

Numbers = NDArray[np.int64]

CountedCells = tuple[Numbers, Numbers, Numbers, Numbers]
"""For each cell its stratum, holding code, swapping code and count; in lexicographic order."""

_GROUP = 2**22
"""Records that are expanded at once, or those of one stratum."""

_MOST_EXPANDED = 2**27
"""Strata of more records are counted, whatever it costs."""

_RECORD, _DRAW, _STEP = 1, 200, 8
"""Costs in units of 0.1 µs: of a record that is moved, of a draw of a count, and of each step of its size's root."""


def swap_counts(cells: CountedCells, swap_rate: Fraction, words: Words) -> CountedCells:
    """One draw of the PSA on a table of counts, cells of positive counts in and out.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> half = 5 * 10**8
    >>> cells = tuple(map(np.array, ([0, 0], [0, 1], [0, 1], [half, half])))
    >>> strata, holding, swapping, counts = swap_counts(cells, Fraction(1, 2), random_words(1))
    >>> holding.tolist(), swapping.tolist(), int(counts.sum())
    ([0, 0, 1, 1], [0, 1, 0, 1], 1000000000)
    """
    strata, holding, swapping, counts = cells
    starts = np.flatnonzero(np.diff(strata, prepend=-1))
    ends = np.append(starts[1:], len(strata))
    small, parts = [], []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        own = slice(start, end)
        if counts_are_cheaper(counts[own], len(np.unique(swapping[own]))):
            stratum = int(strata[start])
            table = dict(
                zip(zip(holding[own].tolist(), swapping[own].tolist(), strict=True), counts[own].tolist(), strict=True)
            )
            swapped = swap_stratum_counts(table, swap_rate, words)
            rows = [(stratum, h, s, n) for (h, s), n in sorted(swapped.items()) if n]
            parts.append(np.array(rows, dtype=np.int64).T)
        else:
            small.append(own)
    for group in _groups(small, counts):
        places = np.concatenate([np.arange(own.start, own.stop) for own in group])
        parts.append(_expanded(tuple(column[places] for column in cells), swap_rate, words))
    joined = np.concatenate(parts, axis=1)
    joined = joined[:, np.lexsort(joined[2::-1])]
    return joined[0], joined[1], joined[2], joined[3]


def counts_are_cheaper(counts: Numbers, values: int) -> bool:
    """Whether drawing the counts of a stratum with so many swapping values costs less than moving its records."""
    records = int(counts.sum())
    draw = _DRAW + _STEP * isqrt(records // len(counts))
    return records > _MOST_EXPANDED or 3 * len(counts) * values * draw < _RECORD * records


def _groups(strata: list[slice], counts: Numbers) -> Iterator[list[slice]]:
    """Strata in groups of a bounded number of records."""
    group: list[slice] = []
    size = 0
    for own in strata:
        records = int(counts[own].sum())
        if group and size + records > _GROUP:
            yield group
            group, size = [], 0
        group.append(own)
        size += records
    if group:
        yield group


def _expanded(cells: tuple[Numbers, ...], swap_rate: Fraction, words: Words) -> Numbers:
    """The cells after a swap of their records, as rows of an array of four."""
    strata, holding, swapping = (np.repeat(column, cells[3]) for column in cells[:3])
    distinct, codes = np.unique(strata, return_inverse=True)
    moved = draw_from_words(codes.reshape(-1), len(distinct), swap_rate, words).apply(swapping)
    order = np.lexsort((moved, holding, strata))
    rows = np.stack((strata[order], holding[order], moved[order]))
    firsts = np.flatnonzero(np.append(True, (rows[:, 1:] != rows[:, :-1]).any(axis=0)))
    return np.concatenate((rows[:, firsts], np.diff(firsts, append=len(order))[None]))


def swap_stratum_counts(
    table: dict[tuple[int, int], int], swap_rate: Fraction, words: Words
) -> dict[tuple[int, int], int]:
    """One draw of the PSA on the counts n_hs of one stratum."""
    cells = list(table)
    counts = list(table.values())
    size = sum(counts)
    selected = 0 if size < 2 else 1
    while selected == 1:
        selected = binomial(size, swap_rate, words)
    if not selected:
        return dict(table)
    chosen = multivariate_hypergeometric(counts, selected, words)
    found = {cell: n - k for cell, n, k in zip(cells, counts, chosen, strict=True)}
    while (received := _receivers(cells, chosen, words)) is None:
        pass
    for cell, count in received.items():
        found[cell] = found.get(cell, 0) + count
    return found


def _receivers(cells: list[tuple[int, int]], chosen: list[int], words: Words) -> dict[tuple[int, int], int] | None:
    """How many selected records of each row receive each value, by a uniform permutation; None if it fixes one."""
    givers: dict[int, int] = {}
    for (_, s), k in zip(cells, chosen, strict=True):
        givers[s] = givers.get(s, 0) + k
    left = list(chosen)
    received: dict[tuple[int, int], int] = {}
    for s, count in sorted(givers.items()):
        taken = multivariate_hypergeometric(left, count, words)
        both = sum(number for (_, own), number in zip(cells, taken, strict=True) if own == s)
        if both and not happens(partial(no_fixed_point, both, count), words):
            return None
        for place, number in enumerate(taken):
            left[place] -= number
            if number:
                cell = cells[place][0], s
                received[cell] = received.get(cell, 0) + number
    return received


def no_fixed_point(both: int, count: int, digits: int) -> tuple[int, int]:
    """a(o, c) = Σ_j (−1)^j C(o, j)(c−j)!/c! as an enclosure (low, width) in units of 2^−digits.

    Each term is at most the one before over j, so that rounding down leaves it less than 2 units too small; what
    follows the first term below one unit is at most as large as that one.

    >>> no_fixed_point(2, 2, 8)[0] <= 128 <= sum(no_fixed_point(2, 2, 8))
    True
    """
    term = total = 1 << digits
    j = 0
    while term and j < both:
        j += 1
        term = term * (both - j + 1) // (j * (count - j + 1))
        total += term if j % 2 == 0 else -term
    unsure = 2 * (j + 1)
    return total - unsure, 2 * unsure

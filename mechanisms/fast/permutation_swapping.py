"""The Permutation Swapping Algorithm on integer code arrays, for millions of records.

Its law is that of `mechanisms.permutation_swapping`: all randomness is exact. A record is selected iff an integer
drawn uniformly below the denominator of p is below its numerator; a permutation sorts independent 64-bit words, and
is drawn again where two words of a stratum are equal, or where a record stays in place. No float takes part.

Drawing (`draw_moves`) is separate from applying (`swapped_values`), and `choice_record` turns what was drawn into the
record of choices that the program replays.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.fast.random_words import Words as _Words
from mechanisms.fast.random_words import fisher_yates_choices
from mechanisms.fast.random_words import random_words as _words
from spec.arguments import Exact, InputError, probability

__all__ = ["SaturatedCounts", "choice_record", "draw_moves", "permutation_swapping", "swapped_values"]

Codes = NDArray[np.int64]

_LARGEST_DENOMINATOR = 2**63


@dataclass(frozen=True)
class SaturatedCounts:
    """The fully saturated contingency table: the positive counts n_mhs.

    Attributes:
        cells: one row (m, h, s) for each cell, in lexicographic order.
        counts: the number of records in each cell.
    """

    cells: Codes
    counts: Codes

    def as_dict(self) -> dict[tuple[int, int, int], int]:
        """The counts by cell."""
        return {(m, h, s): n for (m, h, s), n in zip(self.cells.tolist(), self.counts.tolist(), strict=True)}


def permutation_swapping(
    matching: ArrayLike, holding: ArrayLike, swapping: ArrayLike, *, swap_rate: Exact, seed: int | None = None
) -> SaturatedCounts:
    """The saturated table of the swapped data set: one draw of the PSA.

    Args:
        matching: the codes m of the records' matching categories, one-dimensional ints.
        holding: the codes h of the non-matching holding categories.
        swapping: the codes s of the swapping categories.
        swap_rate: p in [0, 1], exact, with a denominator of at most 2^63.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    Raises:
        InputError: an array is not one-dimensional ints, lengths differ, p is inexact, outside [0, 1] or has too
            large a denominator, or the seed is no int ≥ 0.

    Source: article, Algorithm 1.

    >>> permutation_swapping([7, 7], [0, 1], [3, 4], swap_rate=1).as_dict()
    {(7, 0, 4): 1, (7, 1, 3): 1}
    """
    columns = [_codes(name, c) for name, c in (("matching", matching), ("holding", holding), ("swapping", swapping))]
    lengths = [len(column) for column in columns]
    if len(set(lengths)) != 1:
        raise InputError(f"matching, holding and swapping must have one length; got {lengths}")
    moves = draw_moves(columns[0], swap_rate=swap_rate, seed=seed)
    return _saturated_counts(columns[0], columns[1], swapped_values(columns[2], moves))


def swapped_values(swapping: Codes, moves: Codes) -> Codes:
    """The swapping values after the swap: record i takes the value of record moves[i]. No randomness."""
    return swapping[moves]


def draw_moves(matching: ArrayLike, *, swap_rate: Exact, seed: int | None = None) -> Codes:
    """The permutation σ of the records that the PSA draws: σ(i) = i iff record i was not selected.

    Args:
        matching: the codes of the records' matching categories.
        swap_rate: p in [0, 1], exact, with a denominator of at most 2^63.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    Raises:
        InputError: as for `permutation_swapping`.
    """
    rate = probability("swap_rate", swap_rate)
    if rate.denominator > _LARGEST_DENOMINATOR:
        raise InputError(f"swap_rate must have a denominator of at most 2^63; got {rate}")
    words = _words(seed)
    strata, size = _strata(_codes("matching", matching))
    eligible = np.flatnonzero(size[strata] > 1)
    selected = _select(strata, eligible, rate.numerator, rate.denominator, words)
    moves = np.arange(len(strata), dtype=np.int64)
    moves[selected] = _derange(selected, strata[selected], words)
    return moves


def _codes(name: str, values: ArrayLike) -> Codes:
    array = np.asarray(values)
    if array.size == 0 and array.ndim == 1:
        return np.zeros(0, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.dtype.kind == "u" and array.max() >= 2**63):
        raise InputError(f"{name} must be a one-dimensional array of ints below 2^63; got {array.ndim}-d {array.dtype}")
    return array.astype(np.int64)


def _uniform_below(bound: int, n: int, words: _Words) -> NDArray[np.uint64]:
    """Uniform integers 0, …, bound−1, exact: words beyond the last multiple of the bound are drawn again."""
    largest = np.uint64(2**64 - 2**64 % bound - 1)
    drawn = words(n).copy()
    while len(again := np.flatnonzero(drawn > largest)):
        drawn[again] = words(len(again))
    return drawn % np.uint64(bound)


def _strata(matching: Codes) -> tuple[Codes, Codes]:
    """The stratum of each record as 0, 1, …, and the number of records of each stratum."""
    if not len(matching):
        return matching, matching
    lowest = int(matching.min())
    if int(matching.max()) - lowest < _dense_limit(len(matching)):
        strata = matching - lowest
    else:
        strata = np.unique(matching, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return strata, np.bincount(strata).astype(np.int64)


def _select(strata: Codes, eligible: Codes, numerator: int, denominator: int, words: _Words) -> Codes:
    """Lines 6 to 14: the selected records, drawn again in every stratum where exactly one is selected."""
    chosen = np.zeros(len(strata), dtype=bool)
    pending = eligible
    while len(pending):
        chosen[pending] = _uniform_below(denominator, len(pending), words) < np.uint64(numerator)
        per_stratum = np.bincount(strata[pending[chosen[pending]]], minlength=int(strata.max()) + 1)
        pending = pending[per_stratum[strata[pending]] == 1]
    return np.flatnonzero(chosen)


def _derange(selected: Codes, strata: Codes, words: _Words) -> Codes:
    """Line 15: for each selected record its image, a uniform derangement inside every stratum."""
    by_stratum = np.argsort(strata, kind="stable")
    places, groups = selected[by_stratum], strata[by_stratum]
    images = places.copy()
    pending = np.arange(len(places))
    while len(pending):
        group = groups[pending]
        order, tied = _shuffle(group, words)
        images[pending] = places[pending[order]]
        rejected = np.zeros(int(groups[-1]) + 1, dtype=bool)
        rejected[group[tied]] = True
        rejected[group[images[pending] == places[pending]]] = True
        pending = pending[rejected[group]]
    result = np.empty_like(images)
    result[by_stratum] = images
    return result


def _shuffle(group: Codes, words: _Words) -> tuple[Codes, Codes]:
    """An order that keeps the sorted groups together, uniform inside each group without ties, and where ties are.

    The random keys are the words' low bits below the group's number where these cannot tie too often, else the words.
    """
    rank = np.cumsum(np.diff(group, prepend=group[0]) != 0)
    free_bits = 64 - int(rank[-1]).bit_length()
    keys = words(len(group))
    if int(np.bincount(rank).max()) ** 2 >= 2**free_bits:
        order = np.lexsort((keys, rank))
    else:
        if free_bits < 64:
            keys = (rank.astype(np.uint64) << np.uint64(free_bits)) | (keys >> np.uint64(64 - free_bits))
        order = np.argsort(keys)
    ordered = keys[order]
    return order, np.flatnonzero((ordered[1:] == ordered[:-1]) & (rank[1:] == rank[:-1]))


def _saturated_counts(*columns: Codes) -> SaturatedCounts:
    """The distinct rows and how often each occurs."""
    if not len(columns[0]):
        return SaturatedCounts(np.zeros((0, len(columns)), dtype=np.int64), np.zeros(0, dtype=np.int64))
    lowest = [int(column.min()) for column in columns]
    spans = [int(column.max()) - low + 1 for column, low in zip(columns, lowest, strict=True)]
    if prod(spans) >= 2**63:
        cells, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
        return SaturatedCounts(cells, counts.astype(np.int64))
    code = np.ravel_multi_index(tuple(column - low for column, low in zip(columns, lowest, strict=True)), spans)
    if prod(spans) <= _dense_limit(len(code)):
        table = np.bincount(code)
        occupied = np.flatnonzero(table)
        counts = table[occupied]
    else:
        occupied, counts = np.unique(code, return_counts=True)
    cells = np.stack(np.unravel_index(occupied, spans), axis=1) + np.array(lowest)
    return SaturatedCounts(cells.astype(np.int64), counts.astype(np.int64))


def _dense_limit(records: int) -> int:
    """Up to so many possible values, counting them all is faster than sorting the records."""
    return 4 * records + 1024


def choice_record(matching: ArrayLike, moves: Codes) -> list[int]:
    """The choices by which the program `mechanisms.permutation_swapping` makes the same moves, for `replay`.

    For each stratum of at least two records, in order of first appearance: whether each record is selected, then the
    choices of Fisher and Yates that give the derangement.
    """
    record: list[int] = []
    members: dict[Any, list[int]] = {}
    for index, code in enumerate(_codes("matching", matching).tolist()):
        members.setdefault(code, []).append(index)
    for stratum in members.values():
        if len(stratum) < 2:
            continue
        selected = [index for index in stratum if moves[index] != index]
        record += [int(moves[index] != index) for index in stratum]
        place = {index: position for position, index in enumerate(selected)}
        record += fisher_yates_choices([place[int(moves[index])] for index in selected])
    return record

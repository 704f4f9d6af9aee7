"""The Permutation Swapping Algorithm on integer code arrays, for millions of records.

Its law is that of `mechanisms.swapping.permutation_swapping`, and all of its randomness is exact: no float takes part,
and no derangement is rejected. Its steps, each in its own module:

    selected_records  each record independently with probability p; or, where exactly one of a stratum is selected, how
                      many, given that it is not one, and so many of its records in a uniform order
    shuffle           the selected records of each stratum in a uniform order
    cycle_lengths     the order cut into cycles, of the lengths of a uniform derangement

Lines 6 to 14 of Algorithm 1 draw a stratum again until it does not have exactly one selected record: so the number K of
selected records has its binomial law conditioned on K ≠ 1, and given K they are a uniform set of K records of the
stratum, since independent selection with one p is exchangeable. `_select_again` draws K, and then a uniform
ordered set of K records of the stratum. A stratum of one record is left as it is (line 3).

Drawing (`draw_moves`) is separate from applying (`Moves.apply`), and `choice_record` turns what was drawn into the
record of choices that the program replays.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.mechanisms.fast.cycle_lengths import MOST_ELEMENTS, cycles
from stirred.mechanisms.fast.random_words import Words, fisher_yates_choices, random_words
from stirred.mechanisms.fast.selected_records import ordered_subsets, select, selected_counts, shuffled_inside
from stirred.spec.arguments import Exact, InputError, probability

Codes = NDArray[np.integer[Any]]
"""Whole numbers that stand for values."""

Places = NDArray[np.int64]
Counts = NDArray[np.int64]
Values = TypeVar("Values", bound=NDArray[Any])


@dataclass(frozen=True)
class Moves:
    """The permutation σ of the records that the PSA draws, by its cycles of two and more records.

    Attributes:
        moved: those that were selected, cycle by cycle: σ takes each to the one behind it in its cycle.
        starts: where in `moved` each cycle starts.
        lengths: how long it is.
    """

    records: int
    moved: Places
    starts: Places
    lengths: Counts

    def apply(self, swapping: Values) -> Values:
        """The swapping values after the swap: record i takes the value of record σ(i). No randomness."""
        values = swapping.take(self.moved)
        taken = np.empty_like(values)
        taken[:-1] = values[1:]
        taken[self.starts + self.lengths - 1] = values.take(self.starts)
        swapped = swapping.copy()
        swapped[self.moved] = taken
        return swapped

    def permutation(self) -> Places:
        """σ(0), …, σ(n−1)."""
        return self.apply(np.arange(self.records))


def draw_moves(matching: ArrayLike, *, swap_rate: Exact, seed: int | None = None) -> Moves:
    """The permutation of the records that the PSA draws.

    Args:
        matching: the codes of the records' matching categories, at most 2^31 − 1 records.
        swap_rate: p in [0, 1], exact.
    """
    rate = probability("swap_rate", swap_rate)
    words = random_words(seed)
    codes = _codes("matching", matching)
    return draw_from_words(*_strata(codes), rate, words)


def draw_from_words(strata: Codes, number: int, rate: Fraction, words: Words) -> Moves:
    """The permutation that the PSA draws from these words, for records of the strata 0, …, number − 1."""
    if len(strata) > MOST_ELEMENTS:
        raise InputError(f"matching must have at most {MOST_ELEMENTS} records; got {len(strata)}")
    moved, counts = _select(strata, number, rate, words)
    return Moves(len(strata), moved, *cycles(counts, words))


def _codes(name: str, values: ArrayLike) -> Codes:
    array = np.asarray(values)
    if array.size == 0 and array.ndim == 1:
        return np.zeros(0, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.dtype.kind == "u" and array.max() >= 2**63):
        raise InputError(f"{name} must be a one-dimensional array of ints below 2^63; got {array.ndim}-d {array.dtype}")
    return array if array.dtype.kind == "i" else array.astype(np.int64)


def _strata(matching: Codes) -> tuple[Codes, int]:
    """The stratum of each record as an int in 0, …, k−1, and k; some of these may have no record."""
    if not len(matching):
        return matching, 0
    lowest, highest = int(matching.min()), int(matching.max())
    if highest - lowest >= dense_limit(len(matching)):
        distinct, strata = np.unique(matching, return_inverse=True)
        return strata.reshape(-1), len(distinct)
    return (matching if lowest == 0 else matching.astype(np.int64) - lowest), highest - lowest + 1


def dense_limit(records: int) -> int:
    """Up to so many possible values, counting them all is faster than sorting the records."""
    return 4 * records + 1024


def _select(strata: Codes, number: int, rate: Fraction, words: Words) -> tuple[Places, Counts]:
    """Lines 3 to 14: the selected records, set by set in a uniform order inside each set, and the sizes of the sets.

    A set is what is selected of a stratum, never one record: first the strata that are selected from once, by number,
    then those from which exactly one was selected and that are drawn again.
    """
    selected = select(len(strata), rate, words)
    groups = strata.take(selected)
    counts = np.bincount(groups, minlength=number)
    is_alone = counts == 1
    alone, sets = np.flatnonzero(is_alone), np.flatnonzero(~is_alone)
    if not len(alone):
        return shuffled_inside(selected, groups, counts, words), counts
    again, counts_again = _select_again(strata, number, alone, rate, words)
    by_rank = np.concatenate((sets, alone))  # what was selected alone goes to the end, and is left off there
    ranks = np.empty(number, dtype=np.int32)
    ranks[by_rank] = np.arange(number, dtype=np.int32)
    once = shuffled_inside(selected, ranks.take(groups), counts.take(by_rank), words)[: len(selected) - len(alone)]
    return np.concatenate((once, again)), np.concatenate((counts.take(sets), counts_again))


def _select_again(strata: Codes, number: int, alone: Places, rate: Fraction, words: Words) -> tuple[Places, Counts]:
    """What is selected of some of the strata, as `_select` gives it."""
    sizes = np.zeros(number, dtype=np.int64)
    np.add.at(sizes, strata, np.int64(1))  # as `bincount`, which would copy all strata as 64-bit integers
    sizes = sizes.take(alone)
    counts = selected_counts(sizes, rate, words)
    some = np.flatnonzero(counts)
    sizes, counts = sizes.take(some), counts.take(some)
    return ordered_subsets(strata, alone.take(some), sizes, counts, words), counts


def choice_record(matching: ArrayLike, moves: Moves) -> list[int]:
    """The choices by which the program `mechanisms.swapping.permutation_swapping` makes the same moves, for `replay`.

    For each stratum of at least two records, in order of first appearance: whether each record is selected, then the
    choices of Fisher and Yates that give the derangement.
    """
    permutation = moves.permutation().tolist()
    record: list[int] = []
    members: dict[Any, list[int]] = {}
    for index, code in enumerate(_codes("matching", matching).tolist()):
        members.setdefault(code, []).append(index)
    for stratum in members.values():
        if len(stratum) < 2:
            continue
        selected = [index for index in stratum if permutation[index] != index]
        record += [int(permutation[index] != index) for index in stratum]
        place = {index: position for position, index in enumerate(selected)}
        record += fisher_yates_choices([place[permutation[index]] for index in selected])
    return record

"""Targeted record swapping on integer code arrays, for millions of households.

Its law is that of `mechanisms.swapping.targeted_swapping`: orders by risk are exact (`weighted_order`). `record` keeps
the choices by which that program draws the same pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import (
    UniformDraws,
    Words,
    fisher_yates_choices,
    random_permutation,
    random_words,
)
from stirred.mechanisms.fast.weighted_order import weighted_order
from stirred.spec.arguments import InputError

Codes = NDArray[np.int64]

_MOST = 2**62


@dataclass(frozen=True)
class RiskCodes:
    """The risk of each household at one level as a fraction above/below."""

    above: Codes
    below: Codes

    def exceeds(self, threshold: Fraction) -> NDArray[np.bool_]:
        """Whose risk is above it, exactly."""
        p, q = threshold.as_integer_ratio()
        above, below = self.above, self.below
        if max(int(above.max(initial=0)) * q, int(below.max(initial=0)) * p) >= _MOST:
            above, below = above.astype(object), below.astype(object)
        return np.asarray(above * q > below * p, dtype=np.bool_)


@dataclass(frozen=True)
class PlacedHouseholds:
    """The households, as arrays of ints.

    Attributes:
        places: for each level, the highest first, the place of each household, 0, 1, … in the order of their names.
        similar: for each profile, what each household is compared in, as one code from 0.
        risks: for each level.
    """

    places: Sequence[Codes]
    similar: Sequence[Codes]
    risks: Sequence[RiskCodes]

    def __post_init__(self) -> None:
        lengths = {len(one) for one in (*self.places, *self.similar, *(risk.above for risk in self.risks))}
        if len(lengths) != 1 or len(self.places) != len(self.risks) or not self.similar:
            raise InputError("households must have a place and a risk for each level and a code for each profile")

    def __len__(self) -> int:
        return len(self.places[0])


@dataclass(frozen=True)
class DrawnTargets:
    """What was drawn.

    Attributes:
        pairs: one row (household, donor) for each pair, in the order in which they were drawn.
        without_donor: the households that were to be swapped and for which no donor was left.
    """

    pairs: Codes
    without_donor: Codes

    def partners(self, households: int) -> Codes:
        """For each household the one whose places it has afterwards."""
        found = np.arange(households)
        found[self.pairs] = self.pairs[:, ::-1]
        return found


def draw_swaps(
    households: PlacedHouseholds,
    *,
    swap_rate: Fraction | Sequence[Fraction],
    threshold: Fraction | None = None,
    seed: int | None = None,
    record: list[int] | None = None,
) -> DrawnTargets:
    """The pairs that are swapped.

    Args:
        swap_rate: in [0, 1], or for each lowest place.
        threshold: the risk above which a household is swapped for certain; None where none is.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.
        record: receives the choices of the program, for `replay`.

    Source: sdcMicro, recordSwap.cpp.

    >>> codes = np.array([0, 0, 1, 1])
    >>> ones = RiskCodes(np.ones(4, dtype=np.int64), np.ones(4, dtype=np.int64))
    >>> drawn = draw_swaps(PlacedHouseholds([codes], [codes * 0], [ones]), swap_rate=Fraction(1, 2), seed=1)
    >>> drawn.pairs.shape, drawn.without_donor.tolist()
    ((1, 2), [])
    """
    words = random_words(seed)
    kept: list[int] = [] if record is None else record
    wanted = _swaps_by_place(households.places[-1], swap_rate, words, kept)
    level_of = np.full(len(households), len(households.places))
    for level in range(len(households.places) - 1, -1, -1):
        if threshold is not None:
            level_of[households.risks[level].exceeds(threshold)] = level
    run = _Run(households, level_of, words, None if record is None else kept)
    for level in range(len(households.places)):
        run.level(level, wanted)
    pairs = np.array(run.pairs, dtype=np.int64).reshape(-1, 2)
    return DrawnTargets(pairs, np.array(run.failed, dtype=np.int64))


def _swaps_by_place(
    lowest: Codes, swap_rate: Fraction | Sequence[Fraction], words: Words, record: list[int]
) -> list[int]:
    """How many households of each lowest place are to begin a swap."""
    sizes = np.bincount(lowest).tolist()
    rates = [swap_rate] * len(sizes) if isinstance(swap_rate, Fraction) else list(swap_rate)
    if len(rates) != len(sizes):
        raise InputError(f"swap_rate must be one rate, or one for each of {len(sizes)} places; got {len(rates)}")
    common = lcm(*{rate.denominator for rate in rates}) if rates else 1
    weights = [size * rate.numerator * (common // rate.denominator) for size, rate in zip(sizes, rates, strict=True)]
    all_weights = sum(weights)
    half = Fraction(all_weights, 2 * common)
    total = floor(half)
    if total != half:
        record.append(UniformDraws(words).below(2))
        total = ceil(half) if record[-1] else total
    swaps = [weight * total // all_weights if all_weights else 0 for weight in weights]
    left = total - sum(swaps)
    if left:
        order = random_permutation(len(swaps), words).tolist()
        record += fisher_yates_choices(order)
        for place in order[:left]:
            swaps[place] += 1
    return swaps


class _Profile:
    """The donors of one level in their order, those that are alike in a profile together."""

    def __init__(self, codes: Codes, order: Codes, used: Sequence[int]) -> None:
        grouped = order[np.argsort(codes[order], kind="stable")]
        self.code: list[int] = codes.tolist()
        self.donors: list[int] = grouped.tolist()
        at = np.empty(len(order), dtype=np.int64)
        at[grouped] = np.arange(len(order))
        self.at: list[int] = at.tolist()
        ends = np.cumsum(np.bincount(codes))
        self.ends: list[int] = ends.tolist()
        self.starts: list[int] = [0, *self.ends[:-1]]
        self.next = list(range(len(order) + 1))
        self.reached: dict[int, int] = {}
        for one in used:
            self.use(one)

    def use(self, household: int) -> None:
        """Pass it by from now on."""
        self.next[self.at[household]] = self.at[household] + 1

    def free(self, start: int) -> int:
        """The first place from a start on that is not used: a path of which is shortened each time."""
        end = start
        while self.next[end] != end:
            end = self.next[end]
        while self.next[start] != end:
            self.next[start], start = end, self.next[start]
        return end

    def first(self, target: int, place: list[int]) -> int | None:
        """The first donor that is like the target and not of its place, all of which come one after another."""
        code, own, donors = self.code[target], place[target], self.donors
        end = self.ends[code]
        at = self.free(self.reached.get(code, self.starts[code]))
        while at < end and place[donors[at]] == own:
            at = self.free(at + 1)
        self.reached[code] = min(at, end)
        return donors[at] if at < end else None


class _Run:
    """Goes from level to level and pairs households."""

    def __init__(self, households: PlacedHouseholds, level_of: Codes, words: Words, record: list[int] | None) -> None:
        self.pairs: list[tuple[int, int]] = []
        self.failed: list[int] = []
        self._households, self._level_of, self._words, self._record = households, level_of, words, record
        self._used: list[bool] = [False] * len(households)
        self._lowest: list[int] = households.places[-1].tolist()
        self._begun = [0] * (max(self._lowest, default=-1) + 1)

    def level(self, level: int, wanted: list[int]) -> None:
        """Swap those that are at risk at this level; at the lowest one others too."""
        codes, risk = self._households.places[level], self._households.risks[level]
        is_lowest = level == len(self._households.places) - 1
        waiting = ~np.array(self._used, dtype=np.bool_)
        waiting[self.failed] = False
        at_risk = np.flatnonzero(waiting & (self._level_of == level))
        certain = _by_place(codes, at_risk[random_permutation(len(at_risk), self._words)])
        others: dict[int, list[int]] = {}
        if is_lowest:
            rest = np.flatnonzero(waiting & (self._level_of != level))
            others = _by_place(codes, rest[weighted_order(risk.above[rest], risk.below[rest], self._words)])
        place, profiles = codes.tolist(), list[_Profile]()
        for own in sorted({*certain, *others}):
            targets = [i for i in certain.get(own, ()) if not self._used[i]]
            self._permuted(targets)
            more = max(0, wanted[own] - self._begun[own] - len(targets)) if is_lowest else 0
            if more:
                left = [i for i in others.get(own, ()) if not self._used[i]]
                self._picked(left, more)
                targets += left[:more]
            if targets and not profiles:
                order = weighted_order(risk.above, risk.below, self._words)
                self._picked(order.tolist(), len(order))
                used = [i for pair in self.pairs for i in pair]
                profiles = [_Profile(one, order, used) for one in self._households.similar]
            for profile in profiles:
                profile.reached.clear()
            for target in targets:
                self._pair(target, place, profiles)

    def _pair(self, target: int, place: list[int], profiles: list[_Profile]) -> None:
        found = (profile.first(target, place) for profile in profiles)
        donor = next((one for one in found if one is not None), None)
        if donor is None:
            self.failed.append(target)
            return
        self.pairs.append((target, donor))
        self._begun[self._lowest[target]] += 1
        for one in (target, donor):
            self._used[one] = True
            for profile in profiles:
                profile.use(one)

    def _permuted(self, order: list[int]) -> None:
        """Keep the choices of a permutation of these numbers in increasing order."""
        if self._record is not None:
            ranks = {number: rank for rank, number in enumerate(sorted(order))}
            self._record += fisher_yates_choices([ranks[number] for number in order])

    def _picked(self, order: list[int], most: int) -> None:
        """Keep the choices of so many numbers one after another out of these, of the last one none."""
        if self._record is not None:
            left = sorted(order)
            for number in order[:most]:
                at = left.index(number)
                if len(left) > 1:
                    self._record.append(at)
                del left[at]


def _by_place(codes: Codes, households: Codes) -> dict[int, list[int]]:
    """The households of each place, in their order."""
    own = codes[households]
    order = np.argsort(own, kind="stable")
    found, starts = np.unique(own[order], return_index=True)
    parts = np.split(households[order], starts[1:])
    return {place: part.tolist() for place, part in zip(found.tolist(), parts, strict=False)}

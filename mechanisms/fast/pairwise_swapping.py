"""2010-style swapping on integer code arrays, for millions of households.

Its law is that of `mechanisms.swapping.pairwise`: all randomness is exact, distances are exact integers and ties are
ties. Households of one key and one block are a group; candidates are found group by group, nearest first. `draw_pairs`
also keeps what was drawn, and `choice_record` turns it into the record of choices that the program replays.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from stirred.mechanisms.fast.random_words import (
    UniformDraws,
    Words,
    fisher_yates_choices,
    random_permutation,
    random_words,
)
from stirred.mechanisms.swapping.pairwise.policy import (
    STANDARD,
    Counted,
    DistanceTies,
    Excluded,
    NoPartner,
    Participation,
    RiskTies,
    SwapPolicy,
    UniquenessRegion,
)
from stirred.mechanisms.swapping.pairwise.risk import tier_sizes
from stirred.spec.arguments import Exact, InputError

Codes = NDArray[np.int64]

Near = tuple[Codes, Codes, bool]
"""Places by increasing squared distance, these distances, and whether they are all places of the kind."""

_SPAN = 2**25
_MANY = 128


class SpatialIndex:
    """The nearest places of one kind, with exact integer distances: a tree over the distinct places of each kind.

    Coordinates span less than 2^25 units, so every squared distance, and every bound that the tree compares it with (of
    points and of midpoints between two of them), is a multiple of 1/4 below 2^51: a double holds it exactly.

    Args:
        kind: the kind of each place, in increasing order.
        x: integer coordinates.
    """

    def __init__(self, kind: Codes, x: Codes, y: Codes) -> None:
        for name, values in (("x", x), ("y", y)):
            span = int(values.max()) - int(values.min()) if len(values) else 0
            if span >= _SPAN:
                raise InputError(f"{name} must span less than 2^25 units; got {span}: take a coarser unit")
        self._x, self._y = x - (x.min() if len(x) else 0), y - (y.min() if len(y) else 0)
        self._starts = np.flatnonzero(np.diff(kind, prepend=kind[:1] - 1)) if len(kind) else kind
        self._ends = np.append(self._starts[1:], len(kind))
        self._kind = kind[self._starts]
        self._trees: dict[int, Any] = {}

    def nearest(self, kind: int, places: Codes, count: int) -> list[Near]:
        """For each of these places, at least `count` places of the kind nearest to it, or all."""
        at = int(np.searchsorted(self._kind, kind))
        start, end = int(self._starts[at]), int(self._ends[at])
        count = min(count, end - start)
        if at not in self._trees:
            points = np.stack((self._x[start:end], self._y[start:end]), axis=1).astype(np.float64)
            self._trees[at] = cKDTree(points)
        asked = np.stack((self._x[places], self._y[places]), axis=1).astype(np.float64)
        threads = 2 if len(places) > _MANY else 1
        found = self._trees[at].query(asked, k=count, workers=threads)[1].reshape(len(places), count) + start
        across, along = self._x[found] - self._x[places, None], self._y[found] - self._y[places, None]
        distances = across * across + along * along
        return [(found[row], distances[row], count == end - start) for row in range(len(places))]


_AT_ONCE = 4_096
"""Targets whose neighbours are looked up together."""

_WIDEST = 512
"""Groups that are looked up for every target of a key at most; a target that needs more asks again."""


@dataclass(frozen=True)
class StateCodes:
    """The households of one state and its blocks, as arrays of ints.

    Attributes:
        flags: its flagging variables, as one code.
        block: its block, 0, 1, …, an index of the following three.
        tract: the tract of each block.
        x: its integer coordinates, which span less than 2^25 units.
    """

    key: Codes
    flags: Codes
    block: Codes
    tract: Codes
    x: Codes
    y: Codes

    def __post_init__(self) -> None:
        for name in ("key", "flags", "block", "tract", "x", "y"):
            object.__setattr__(self, name, _ints(name, getattr(self, name)))
        for names in (("key", "flags", "block"), ("tract", "x", "y")):
            lengths = [len(getattr(self, name)) for name in names]
            if len(set(lengths)) != 1:
                raise InputError(f"{', '.join(names)} must have one length; got {lengths}")
        if len(self.block) and not 0 <= int(self.block.min()) <= int(self.block.max()) < len(self.tract):
            raise InputError(f"block must be an index of the {len(self.tract)} blocks with a place, from 0")


def _ints(name: str, values: ArrayLike) -> Codes:
    given = np.asarray(values)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise InputError(f"{name} must be a one-dimensional array of ints; got {given.ndim}-d {given.dtype}")
    return given.astype(np.int64)


@dataclass(frozen=True)
class DrawnPairs:
    """The pairs, and the draws that led to them.

    Attributes:
        pairs: one row (target, partner) for each pair, in the order in which they were drawn.
        ties: the permutation by which households at equal risk were ordered; None where none was drawn.
        shuffles: the order within tiers 4, 3, 2 and 1.
        steps: coins and choices of partners, in their order.
    """

    pairs: Codes
    ties: Codes | None
    shuffles: tuple[Codes, ...]
    steps: Sequence[int]


def draw_pairs(
    state: StateCodes, *, swap_rate: Exact, policy: SwapPolicy = STANDARD, seed: int | None = None
) -> DrawnPairs:
    """The pairs of households that are swapped.

    Args:
        swap_rate: r in [0, 1], exact.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    Source: swapping study, section 3 and Appendix A.

    >>> line = StateCodes([7] * 20, range(20), range(20), tract=range(20), x=range(20), y=[0] * 20)
    >>> draw_pairs(line, swap_rate=Fraction(1, 10), seed=1).pairs.shape
    (1, 2)
    """
    words = random_words(seed)
    sizes = tier_sizes(len(state.key), swap_rate, policy)
    ties = random_permutation(len(state.key), words) if policy.risk_ties is RiskTies.RANDOM else None
    tiers = _tiers(state, sizes, ties, policy)
    members = [np.flatnonzero(tiers == tier) for tier in (4, 3, 2, 1)]
    shuffles = tuple(random_permutation(len(of_tier), words) for of_tier in members)
    order = np.concatenate([of_tier[shuffle] for of_tier, shuffle in zip(members, shuffles, strict=True)])
    pairing = _Pairing(state, policy, words, ceil(Fraction(swap_rate) * len(state.key)))
    pairing.visit(order, tiers)
    pairs = np.array(pairing.pairs, dtype=np.int64).reshape(-1, 2)
    return DrawnPairs(pairs, ties, shuffles, pairing.steps)


def swapped_blocks(block: Codes, pairs: Codes) -> Codes:
    """The block of each household after every pair, in turn, has exchanged its blocks."""
    swapped = block.copy()
    if len(np.unique(pairs)) == pairs.size:
        swapped[pairs] = block[pairs[:, ::-1]]
        return swapped
    for target, partner in pairs.tolist():
        swapped[target], swapped[partner] = swapped[partner], swapped[target]
    return swapped


def choice_record(drawn: DrawnPairs) -> list[int]:
    """The choices by which the program `mechanisms.swapping.pairwise` draws the same pairs, for `replay`."""
    record = [] if drawn.ties is None else fisher_yates_choices(drawn.ties.tolist())
    for shuffle in drawn.shuffles:
        record += fisher_yates_choices(shuffle.tolist())
    return [*record, *drawn.steps]


def _tiers(state: StateCodes, sizes: tuple[int, int, int, int], ties: Codes | None, policy: SwapPolicy) -> Codes:
    """The tier of each household: the riskiest fill tier 4, then 3, then 2, and the rest is tier 1."""
    place = state.block if policy.region is UniquenessRegion.BLOCK else state.tract[state.block]
    by_class = np.lexsort((state.flags, place))
    begins = (np.diff(place[by_class], prepend=-1) != 0) | (np.diff(state.flags[by_class], prepend=0) != 0)
    begins[:1] = True
    number = np.cumsum(begins) - 1
    alike = np.empty_like(place)
    alike[by_class] = np.bincount(number)[number] if len(number) else number
    if policy.risk_ties is RiskTies.SMALLER_BLOCK:
        by_risk = np.lexsort((np.bincount(state.block)[state.block], alike)) if len(alike) else alike
    else:
        order = np.arange(len(alike)) if ties is None else ties
        by_risk = order[np.argsort(alike[order], kind="stable")]
    tiers = np.empty_like(place)
    tiers[by_risk] = np.repeat((4, 3, 2, 1), sizes[::-1])
    return tiers


class _Pairing:
    """Visits households in order and pairs them, until as many are swapped as wanted."""

    def __init__(self, state: StateCodes, policy: SwapPolicy, words: Words, wanted: int) -> None:
        self.pairs: list[tuple[int, int]] = []
        self.steps = array("q")
        self._policy = policy
        self._draws = UniformDraws(words)
        self._wanted = wanted
        self._once = policy.participation is Participation.ONCE
        self._swapped = np.zeros(len(state.key), dtype=bool)
        self._count = 0
        self._key = state.key
        self._members = np.lexsort((state.block, state.key))
        key, block = state.key[self._members], state.block[self._members]
        begins = (np.diff(key, prepend=0) != 0) | (np.diff(block, prepend=-1) != 0)
        begins[:1] = True
        starts = np.flatnonzero(begins)
        self._bounds = np.append(starts, len(key)).tolist()
        self._group = np.empty_like(key)
        self._group[self._members] = np.cumsum(begins) - 1
        self._available = np.diff(np.append(starts, len(key)))
        places = block[starts]
        self._index = SpatialIndex(key[starts], state.x[places], state.y[places])
        by_excluded = {Excluded.SAME_TRACT: state.tract[places], Excluded.SAME_BLOCK: places, Excluded.NONE: None}
        self._area = by_excluded[policy.excluded]
        self._width: dict[int, int] = {}

    def visit(self, order: Codes, tiers: Codes) -> None:
        coins = [Fraction(number) for number in self._policy.swap_probabilities]
        done = 0
        while done < len(order) and self._count < self._wanted:
            some = order[done : done + min(_AT_ONCE, max(64, self._wanted - self._count))].tolist()
            done += len(some)
            tossed = [(self._draws.below(p.denominator) < p.numerator) for p in (coins[tiers[i] - 1] for i in some)]
            near = self._neighbours([i for i, coin in zip(some, tossed, strict=True) if coin and not self._is_out(i)])
            for household, coin in zip(some, tossed, strict=True):
                if self._count >= self._wanted:
                    return
                if self._is_out(household):
                    continue
                self.steps.append(int(coin))
                if coin:
                    self._pair(household, near[household])

    def _is_out(self, household: int) -> bool:
        return self._once and bool(self._swapped[household])

    def _neighbours(self, targets: list[int]) -> dict[int, Near]:
        """The nearest groups of each target, those of one key looked up together."""
        chosen = np.array(targets, dtype=np.int64)
        chosen = chosen[np.argsort(self._key[chosen], kind="stable")]
        near: dict[int, Near] = {}
        for some in np.split(chosen, np.flatnonzero(np.diff(self._key[chosen])) + 1) if len(chosen) else []:
            found = self._index.nearest(
                int(self._key[some[0]]), self._group[some], self._width_of(int(self._key[some[0]]))
            )
            near.update(zip(some.tolist(), found, strict=True))
        return near

    def _width_of(self, key: int) -> int:
        k = self._policy.closest
        return len(self._bounds) if k is None else self._width.get(key, 4 * k + 32)

    def _pair(self, target: int, near: Near) -> None:
        key = int(self._key[target])
        width = len(near[0])
        while not self._is_enough(target, near):
            width *= 2
            self._width[key] = min(width, _WIDEST)
            near = self._index.nearest(key, self._group[[target]], width)[0]
        partner = self._choose(target, near)
        if partner is None:
            if self._policy.no_partner is NoPartner.REFUSE:
                raise InputError(f"every household must have a possible partner; household {target} has none")
            return
        self.pairs.append((target, partner))
        for household in (target, partner):
            if not self._swapped[household]:
                self._swapped[household] = True
                self._count += self._policy.counted is Counted.HOUSEHOLDS
                self._available[self._group[household]] -= self._once
        self._count += self._policy.counted is Counted.TARGETS

    def _open(self, target: int, groups: Codes) -> Codes:
        """How many households of each group may be the target's partner."""
        own = int(self._group[target])
        available: Codes = self._available[groups]
        if self._area is None:
            available[groups == own] -= 1
        else:
            available[self._area[groups] == self._area[own]] = 0
        return available

    def _is_enough(self, target: int, near: Near) -> bool:
        """Whether the k closest are among these groups, and all that are as near as the last of them."""
        groups, distances, complete = near
        if complete or self._policy.closest is None:
            return complete
        inside = groups[: int(np.searchsorted(distances, distances[-1]))]
        return int(self._open(target, inside).sum()) >= self._policy.closest

    def _choose(self, target: int, near: Near) -> int | None:
        groups, distances, _ = near
        up_to = np.cumsum(self._open(target, groups))
        k = min(int(up_to[-1]), self._policy.closest or int(up_to[-1]))
        if not k:
            return None
        last = distances[np.searchsorted(up_to, k)]
        first, end = np.searchsorted(distances, last), np.searchsorted(distances, last, side="right")
        nearer, among = int(up_to[first - 1]) if first else 0, int(up_to[end - 1])
        drawn = self._below(among if self._policy.distance_ties is DistanceTies.ALL else k)
        if drawn < nearer:
            level = distances[np.searchsorted(up_to, drawn, side="right")]
            first, end = np.searchsorted(distances, level), np.searchsorted(distances, level, side="right")
            nearer = int(up_to[first - 1]) if first else 0
            return self._listed(target, groups[first:end])[drawn - nearer]
        tied = self._listed(target, groups[first:end])
        return tied[
            self._below(among - nearer) if self._policy.distance_ties is DistanceTies.RANDOM else drawn - nearer
        ]

    def _below(self, bound: int) -> int:
        self.steps.append(self._draws.below(bound))
        return self.steps[-1]

    def _listed(self, target: int, groups: Codes) -> list[int]:
        """The households of these groups that may be the target's partner, in the order of the data."""
        found: list[int] = []
        for group, number in zip(groups.tolist(), self._open(target, groups).tolist(), strict=True):
            if number:
                found += self._members[self._bounds[group] : self._bounds[group + 1]].tolist()
        return sorted(i for i in found if i != target and not self._is_out(i))

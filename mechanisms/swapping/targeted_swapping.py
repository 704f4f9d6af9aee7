"""Targeted record swapping of households, as R's sdcMicro (`recordSwap`) and the UK's 2021 census describe it.

A household at risk is swapped for certain, at the highest level of a hierarchy of places at which it is at risk; others
are swapped at random until each place has its share of the swap rate. A donor is from another place of that level, and
like the household in the first of several similarity profiles for which one is left. Both exchange all their places.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import NamedTuple

from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, InputError, integer, nonnegative, probability

Place = tuple[Hashable, ...]
"""A place of some level with those that it lies in, the largest first."""


class Household(NamedTuple):
    """A household.

    Attributes:
        place: its place of the lowest level.
        similar: what it is compared in, for each profile.
        risk: at each level, the highest first; at least 0.
    """

    place: Place
    similar: tuple[Hashable, ...]
    risk: tuple[Fraction, ...]


@dataclass(frozen=True)
class TargetedPolicy:
    """What decides beside the households.

    Attributes:
        swap_rate: the share of households to be swapped, donors counted, in [0, 1]; or that of each lowest place.
        threshold: a household is at risk where its risk is above; None where none is.
    """

    swap_rate: Exact | Mapping[Place, Exact]
    threshold: Fraction | None = None

    def __post_init__(self) -> None:
        for place, rate in self._rates.items():
            probability(f"swap_rate{f' of {place!r}' if place else ''}", rate)
        if self.threshold is not None:
            nonnegative("threshold", self.threshold)

    @cached_property
    def _rates(self) -> Mapping[Place, Exact]:
        return self.swap_rate if isinstance(self.swap_rate, Mapping) else {(): self.swap_rate}

    def rate(self, place: Place) -> Fraction:
        """The rate of a place."""
        found = self._rates.get(place if isinstance(self.swap_rate, Mapping) else ())
        if found is None:
            raise InputError(f"swap_rate must have a rate for every place; {place!r} has none")
        return Fraction(found)

    def level(self, risk: Sequence[Fraction]) -> int | None:
        """The highest level of places at which a household is at risk; None where it is at none."""
        above = (level for level, one in enumerate(risk) if self.threshold is not None and one > self.threshold)
        return next(above, None)


class DrawnSwaps(NamedTuple):
    """What was drawn.

    Attributes:
        pairs: (household, donor), by their numbers, in the order in which they were found.
        without_donor: the households that were to be swapped and for which no donor was left, in their order.
    """

    pairs: tuple[tuple[int, int], ...]
    without_donor: tuple[int, ...]


def anonymity_threshold(k: int) -> Fraction | None:
    """The risk above which a household has fewer than k alike in its place: 1/k; for k = 0 none is at risk."""
    return Fraction(1, k) if integer("k_anonymity", k, minimum=0) else None


def anonymity_risks(places: Sequence[Place], keys: Sequence[Sequence[Hashable]]) -> list[tuple[Fraction, ...]]:
    """For each household its risk at each level: 1/(the persons of the place with its rarest key).

    Args:
        places: of the households, of the lowest level.
        keys: the key of each person of a household; of a household without persons its own.

    >>> [[str(one) for one in risk] for risk in anonymity_risks([(0, 0), (0, 1), (0, 1)], [["a"], ["a"], ["b", "a"]])]
    [['1/3', '1'], ['1/3', '1/2'], ['1', '1']]
    """
    counts = Counter(
        (place[: level + 1], key)
        for place, own in zip(places, keys, strict=True)
        for key in own
        for level in range(len(place))
    )
    return [
        tuple(max(Fraction(1, counts[place[: level + 1], key]) for key in own) for level in range(len(place)))
        for place, own in zip(places, keys, strict=True)
    ]


def swaps_by_place(sizes: Mapping[Place, int], source: Source, policy: TargetedPolicy) -> dict[Place, int]:
    """How many households of each lowest place are to begin a swap.

    Half of the households to be swapped begin one; half a household is rounded up or down by a coin. Each place has its
    share rounded down, and what is left goes to as many places, one each, in a uniform order.
    """
    weights = {place: size * policy.rate(place) for place, size in sizes.items()}
    half = sum(weights.values(), Fraction(0)) / 2
    total = floor(half) if floor(half) == half else (ceil(half) if source.bernoulli(Fraction(1, 2)) else floor(half))
    shares = {place: weight * total / (2 * half) if half else Fraction(0) for place, weight in weights.items()}
    swaps = {place: floor(share) for place, share in shares.items()}
    left = total - sum(swaps.values())
    if left:
        places = list(swaps)
        for number in source.permutation(len(places))[:left]:
            swaps[places[number]] += 1
    return swaps


def weighted_order(weights: Sequence[Fraction], source: Source, most: int | None = None) -> tuple[int, ...]:
    """Numbers 0, 1, …, each drawn among those that are left with a probability in proportion to its weight.

    Those of weight 0 come last, in a uniform order. `most` draws no more than so many.
    """
    left, order = list(range(len(weights))), []
    for _ in range(len(weights) if most is None else min(most, len(weights))):
        total = sum(weights[one] for one in left)
        shares = [weights[one] / total if total else Fraction(1, len(left)) for one in left]
        order.append(left.pop(source.choose(shares) if len(left) > 1 else 0))
    return tuple(order)


def draw_swaps(households: Sequence[Household], source: Source, policy: TargetedPolicy) -> DrawnSwaps:
    """The pairs that are swapped, from the highest level of places to the lowest, each household once at most.

    At each level the donors stand in one order, drawn by risk; places are gone through in the order of their names, the
    households at risk of each in a uniform order. At the lowest level others of a place follow, drawn by risk, until as
    many of it have begun a swap, those at risk included, as `swaps_by_place` says.

    Source: sdcMicro, recordSwap.cpp; it takes households at risk in the order of a hash table, and one for which no
    donor was found is there a donor in its own place too.
    """
    levels = len(households[0].place) if households else 0
    level_of = [policy.level(one.risk) for one in households]
    wanted = swaps_by_place(Counter(sorted((one.place for one in households), key=repr)), source, policy)
    used: set[int] = set()
    begun: Counter[Place] = Counter()
    failed: list[int] = []
    pairs: list[tuple[int, int]] = []
    for level in range(levels):
        donors: tuple[int, ...] | None = None
        is_lowest = level == levels - 1
        for place in sorted({one.place[: level + 1] for one in households}, key=repr):
            inside = [i for i, one in enumerate(households) if one.place[: level + 1] == place]
            waiting = [i for i in inside if i not in used and i not in failed]
            at_risk = [i for i in waiting if level_of[i] == level]
            targets = [at_risk[i] for i in source.permutation(len(at_risk))]
            if is_lowest:
                rest = [i for i in waiting if level_of[i] != level]
                more = max(0, wanted[place] - begun[place] - len(targets))
                targets += [rest[i] for i in weighted_order([households[i].risk[-1] for i in rest], source, more)]
            if targets and donors is None:
                donors = weighted_order([one.risk[level] for one in households], source)
            for target in targets:
                donor = _donor(households, target, [i for i in donors or () if i not in used and i not in inside])
                if donor is None:
                    failed.append(target)
                    continue
                pairs.append((target, donor))
                used |= {target, donor}
                begun[households[target].place] += 1
    return DrawnSwaps(tuple(pairs), tuple(failed))


def _donor(households: Sequence[Household], target: int, donors: Sequence[int]) -> int | None:
    """The first donor that is like the household in the first profile that any is like it in."""
    for profile, own in enumerate(households[target].similar):
        for donor in donors:
            if households[donor].similar[profile] == own:
                return donor
    return None


def targeted_swapping(
    records: Sequence[tuple[Hashable, ...]],
    source: Source,
    *,
    hierarchy: Sequence[int],
    similar: Sequence[Sequence[int]],
    risk: Sequence[int],
    k_anonymity: int,
    swap_rate: Exact,
) -> tuple[tuple[tuple[Hashable, ...], int], ...]:
    """The saturated table of households after targeted swapping with risk by k-anonymity.

    Args:
        records: one for each household.
        hierarchy: which of its values are its places, the largest first.
        similar: the values of each profile; a profile of none takes any donor.
        risk: the values by which households are alike.

    Source: sdcMicro, recordSwap.cpp.
    """
    places = [_taken(record, hierarchy) for record in records]
    risks = anonymity_risks(places, [[_taken(record, risk)] for record in records])
    households = [
        Household(place, tuple(_taken(record, profile) for profile in similar), own)
        for record, place, own in zip(records, places, risks, strict=True)
    ]
    policy = TargetedPolicy(swap_rate, anonymity_threshold(k_anonymity))
    swapped = [list(record) for record in records]
    for target, donor in draw_swaps(households, source, policy).pairs:
        for value in hierarchy:
            swapped[target][value], swapped[donor][value] = records[donor][value], records[target][value]
    return tuple(sorted(Counter(map(tuple, swapped)).items(), key=repr))


def _taken(record: tuple[Hashable, ...], places: Sequence[int]) -> tuple[Hashable, ...]:
    return tuple([record[place] for place in places])

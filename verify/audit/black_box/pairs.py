"""Pairs of data sets between which a leak is looked for: all where they are few, else the known patterns.

Patterns are, for a few data sets of each universe: the nearest others, and one or two at every distance they have, so
that one record differs, half of them, or all.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.engines.universe_pairs import BlockPairs, UniversePairs

_ANCHORS = 8
"""Data sets of a universe whose pairs are looked at, where all pairs are too many."""


@dataclass(frozen=True)
class Pair:
    """Two data sets.

    Attributes:
        x: one.
        x_prime: the other one.
        distance: the smaller of d(x, x') and d(x', x).
    """

    x: Any
    x_prime: Any
    distance: Fraction


def chosen_pairs(blocks: InputBlocks, most: int) -> tuple[Pair, ...]:
    """At most so many pairs that share a universe at a finite distance, the nearest first.

    Args:
        blocks: domain, multiverse and input premetric.
        most: pairs.
    """
    listed = BlockPairs(blocks)
    found: dict[frozenset[Any], Pair] = {}
    universes = [listed.pairs_in(universe) for universe in blocks.multiverse if len(universe) > 1]
    for several in zip_longest(*(_of_universe(one, most) for one in universes)):
        for pair in filter(None, several):
            found.setdefault(frozenset((pair.x, pair.x_prime)), pair)
        if len(found) >= most:
            break
    return tuple(sorted(found.values(), key=lambda pair: pair.distance))[:most]


def _of_universe(pairs: UniversePairs, most: int) -> Iterator[Pair]:
    """Pairs of one universe, in the order in which they are wanted."""
    points = pairs.points
    size = len(points)
    places: Sequence[int] = range(size)
    if size * (size - 1) // 2 > most:
        spread = random.Random(size).sample(range(size), min(_ANCHORS, size))  # noqa: S311 the same for every run
        places = list(dict.fromkeys((0, size - 1, size // 2, *spread)))
    by_anchor = [_of_anchor(pairs, place) for place in places]
    for several in zip_longest(*by_anchor):
        yield from filter(None, several)


def _of_anchor(pairs: UniversePairs, place: int) -> Iterator[Pair]:
    """The pairs of a data set: at every distance the first and the last other one, then the rest, the nearest first."""
    others: dict[Fraction, list[int]] = defaultdict(list)
    for other, distance in pairs.row(place):
        if distance is not None:
            others[Fraction(distance)].append(other)
    wanted = [(d, other) for d in sorted(others) for other in dict.fromkeys((others[d][0], others[d][-1]))]
    rest = [(d, other) for d in sorted(others) for other in others[d][1:-1]]
    for distance, other in (*wanted, *rest):
        x, x_prime = pairs.points[place], pairs.points[other]
        back = pairs.premetric(x_prime, x)
        yield Pair(x, x_prime, distance if back is None else min(distance, Fraction(back)))

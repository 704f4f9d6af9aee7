"""Block 2, the multiverse 𝒟 ⊂ 2^𝒳: where does the protection extend to?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain

Invariant = Callable[[Any], Hashable]
"""A function c of the data set that is the same all over a universe."""

Universe = frozenset[Any]


@dataclass(frozen=True, slots=True)
class Multiverse:
    """A set of universes; two data sets are compared only inside a common universe.

    Universes may overlap, may be singletons, and need not cover the domain; the multiverse may be empty, and then
    every mechanism satisfies every specification on it.

    Attributes:
        universes: distinct sets of data sets, in a fixed order (budgets are listed in the same order).

    Source: dissertation, Definition 2.4.1, item 2.

    >>> m = Multiverse(({1, 2}, {2, 3}))
    >>> m.compares(1, 2), m.compares(1, 3)
    (True, False)
    """

    universes: tuple[Universe, ...]

    def __init__(self, universes: Iterable[Iterable[Any]]) -> None:
        frozen = tuple(frozenset(universe) for universe in universes)
        if len(set(frozen)) != len(frozen):
            raise InputError("the universes of a multiverse must be distinct sets; one is listed twice")
        object.__setattr__(self, "universes", frozen)

    def __iter__(self) -> Iterator[Universe]:
        return iter(self.universes)

    def __len__(self) -> int:
        return len(self.universes)

    def check_inside(self, domain: FiniteDomain) -> None:
        """Refuse a universe that leaves the domain."""
        for universe in self.universes:
            for point in universe:
                if point not in domain:
                    raise InputError(f"a universe must lie inside the domain; {point!r} does not")

    def containing(self, *points: Any) -> tuple[Universe, ...]:
        """The universes that hold all of these data sets."""
        return tuple(universe for universe in self.universes if all(point in universe for point in points))

    def compares(self, first: Any, second: Any) -> bool:
        """Whether some universe holds both data sets."""
        return any(first in universe and second in universe for universe in self.universes)

    def covered(self) -> frozenset[Any]:
        """The data sets that lie in some universe: those about which anything is claimed at all."""
        return frozenset[Any]().union(*self.universes)

    def refines(self, coarser: Multiverse) -> bool:
        """Whether every universe lies inside some universe of the other multiverse.

        Source: article, Proposition 3; dissertation, Proposition 2.4.13.
        """
        return all(any(universe <= other for other in coarser.universes) for universe in self.universes)

    def is_partition(self) -> bool:
        """Whether no two universes overlap (invariants always give such multiverses)."""
        return sum(map(len, self.universes)) == len(self.covered())

    def singletons(self) -> int:
        """How many universes hold a single data set: there the specification claims nothing."""
        return sum(len(universe) == 1 for universe in self.universes)

    def compared_pairs(self) -> int:
        """How many unordered pairs of distinct data sets share a universe."""
        if self.is_partition():
            return sum(len(universe) * (len(universe) - 1) // 2 for universe in self.universes)
        return len({frozenset(pair) for universe in self.universes for pair in combinations(universe, 2)})

    def restricted_to(self, points: Iterable[Any]) -> Multiverse:
        """The traces {𝒟 ∩ A} that are not empty."""
        kept = frozenset(points)
        return Multiverse(dict.fromkeys(universe & kept for universe in self.universes if universe & kept))


def vacuous(domain: FiniteDomain) -> Multiverse:
    """The multiverse {𝒳}: every pair is compared, nothing is invariant."""
    return Multiverse((domain.points,))


def induced(domain: FiniteDomain, *invariants: Invariant) -> Multiverse:
    """The multiverse {𝒟_c(x) : x ∈ 𝒳} with 𝒟_c(x) = {x' : c(x') = c(x)}, a partition of the domain.

    Source: article, (2).

    >>> induced(FiniteDomain((0, 1, 2, 3)), lambda x: x % 2).universes
    (frozenset({0, 2}), frozenset({1, 3}))
    """
    classes: dict[tuple[Hashable, ...], list[Any]] = {}
    for point in domain:
        values = tuple(c(point) for c in invariants)
        try:
            classes.setdefault(values, []).append(point)
        except TypeError:
            raise InputError(f"an invariant must be hashable; got {values!r} at {point!r}") from None
    return Multiverse(classes.values())


def at_most(function: Callable[[Any], int]) -> Invariant:
    """The inequality invariant f(x) ≤ 0 as the indicator c(x) = 1 if f(x) ≤ 0 else 0.

    Source: article, (4).
    """
    return lambda point: int(function(point) <= 0)


def components(points: Sequence[Any], linked: Callable[[Any, Any], bool]) -> tuple[frozenset[Any], ...]:
    """The connected components of a graph on the points; a link in either direction joins.

    With `linked(x, y)` = "x ≠ y, d(x, y) < ∞, and a universe holds both" these are the classes [x] of implicitly
    comparable data sets.

    Source: dissertation, Definition A.1.1.
    """
    left = dict.fromkeys(points)
    found: list[frozenset[Any]] = []
    while left:
        start = next(iter(left))
        del left[start]
        reached, frontier = {start}, [start]
        while frontier:
            point = frontier.pop()
            for other in [o for o in left if linked(point, o) or linked(o, point)]:
                del left[other]
                reached.add(other)
                frontier.append(other)
        found.append(frozenset(reached))
    return tuple(found)

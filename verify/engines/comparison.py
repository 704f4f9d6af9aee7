"""A mechanism's laws compared under a flavor: every pair of laws once, and no more pairs than bound the others.

Data sets that share a law are one, pairs of laws with the same likelihood ratios are one, and in a large universe, for
an output premetric with the triangle inequality, pairs that are *between* (`verify.engines.universe_pairs`) are left
out. What is found is what comparing every pair finds: the same budgets, and the same first pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from spec.arguments import InputError
from spec.domain import FiniteDomain
from spec.input_premetric import Distance
from spec.law import Law
from spec.multiverse import Universe
from spec.specification import Flavor, Specification
from verify.engines.law_pairs import LawPairs, MergedPair
from verify.engines.universe_pairs import CLOSURE, BlockPairs, Row, UniversePairs
from verify.engines.workload import UNLIMITED, Workload

__all__ = ["ComparedLaws", "CrossingCurvesError", "Laws", "check_total", "simplicity"]

Laws = Mapping[Any, Law[Any]]

_FEW = 32
"""Data sets of a universe whose pairs are all compared."""


class CrossingCurvesError(InputError):
    """The trade-off curves of two pairs cross and none is above both, so that no pair needs most."""


def check_total(laws: Laws, domain: FiniteDomain) -> None:
    """Refuse laws that are not those of the domain's data sets.

    Raises:
        InputError: a data set has no law, or a law is for no data set of the domain.
    """
    for point in domain:
        if point not in laws:
            raise InputError(f"a mechanism must have a law for every data set of the domain; {point!r} has none")
    for point in laws:
        if point not in domain:
            raise InputError(f"a mechanism must have laws for the data sets of the domain alone; {point!r} is not one")


def simplicity(flavor: Flavor, x: Any, y: Any, d: Distance) -> tuple[int, bool, int | Fraction, int, int]:
    """The order in which violations are shown: fewest records first, then distance, then domain order."""
    return flavor.domain.count_records(x), d is None, d or 0, flavor.domain.index(x), flavor.domain.index(y)


class ComparedLaws:
    """The laws of a mechanism on a flavor's data sets.

    Args:
        laws: by data set.
        flavor: what they are compared under.
        few: universes of at most so many data sets are compared pair by pair.
        pairs: of the flavor's data sets, where they are known.
        workload: is told how far the work is, and limits it.

    Raises:
        InputError: a data set has no law, or a law is for no data set of the domain.
    """

    def __init__(
        self,
        laws: Laws,
        flavor: Flavor,
        *,
        few: int = _FEW,
        pairs: BlockPairs | None = None,
        workload: Workload = UNLIMITED,
    ) -> None:
        check_total(laws, flavor.domain)
        self.laws = laws
        self.flavor = flavor
        self.workload = workload
        self._few = few
        self._law_pairs = LawPairs(laws, flavor.output_premetric)
        self._pairs = pairs or BlockPairs(flavor, workload)

    def pairs(self, universe: Universe) -> UniversePairs:
        """The pairs of a universe."""
        return self._pairs.of(universe)

    def leaves_out(self, universe: Universe) -> bool:
        """Whether pairs of this universe are left out because others bound them."""
        if not self.flavor.output_premetric.has_triangle_inequality or len(universe) <= self._few:
            return False
        return self.pairs(universe).is_bounded_by_fewer

    def left_out(self) -> str:
        """What was left out and why, in words for the scope; empty where every pair is compared."""
        reduced = [self.pairs(universe) for universe in self.flavor.multiverse if self.leaves_out(universe)]
        if not reduced:
            return ""
        compared, count = sum(pairs.bounding_count for pairs in reduced), sum(pairs.count for pairs in reduced)
        return f"{compared} pairs compared, which bound {count - compared} others by {CLOSURE}"

    def rows(self, universe: Universe) -> Iterator[tuple[int, Row]]:
        """Each data set's place with those that it is compared with."""
        pairs = self.pairs(universe)
        row = pairs.bounding_row if self.leaves_out(universe) else pairs.row
        with self.workload.part("pairs", len(pairs.points)) as part:
            for place in range(len(pairs.points)):
                yield place, row(place)
                part.advance()

    def law_pair(self, x: Any, y: Any) -> MergedPair:
        """The laws of two data sets, merged."""
        return self._law_pairs.pair(self._law_pairs.number(x), self._law_pairs.number(y))

    def distinct(self, universe: Universe, rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[Any, Any, Distance]]:
        """The first pair of data sets, in some rows, with each two laws and each distance."""
        number = self._law_pairs.number
        seen = set()
        for x, y, d in self.listed(universe, rows):
            key = number(x), number(y), d
            if key not in seen:
                seen.add(key)
                yield x, y, d

    def has_one_law(self, x: Any, y: Any) -> bool:
        """Whether two data sets have the same law."""
        return self._law_pairs.number(x) == self._law_pairs.number(y)

    def listed(self, universe: Universe, rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[Any, Any, Distance]]:
        """The pairs of data sets of some rows, with their distances."""
        points = self.pairs(universe).points
        return ((points[place], points[other], d) for place, row in rows for other, d in row)

    def needed(self, x: Any, y: Any, d: Distance) -> Any:
        """The smallest budget of one pair."""
        return self.flavor.output_premetric.smallest_budget(self.law_pair(x, y).distance, d)

    def largest_need(self, universes: Iterable[Universe]) -> tuple[Any, tuple[Any, Any] | None]:
        """The largest of the smallest budgets of all pairs, with the first pair that needs it.

        Curves are ordered in part only. The largest one, where it is among them, is kept from where it is met; so it is
        enough that those which were given up are at most the last one.

        Raises:
            CrossingCurvesError: there is no largest one.
        """
        measure = self.flavor.output_premetric
        budget: Any = measure.zero
        worst: tuple[Any, Any] | None = None
        given_up = []
        for universe in universes:
            before = worst
            for x, y, d in self.distinct(universe, self.rows(universe)):
                needed = self.needed(x, y, d)
                if not measure.at_most(needed, budget):
                    given_up.append((budget, worst))
                    budget, worst = needed, (x, y)
            if worst is not None and worst is not before and self.leaves_out(universe):
                worst = self._first(universe, budget, worst)
        for other, pair in given_up:
            if not measure.at_most(other, budget):
                raise CrossingCurvesError(f"one budget must be the largest; those of {pair} and {worst} cross")
        return budget, worst

    def _first(self, universe: Universe, budget: Any, found: tuple[Any, Any]) -> tuple[Any, Any]:
        """The first pair that needs a budget, where `found` is the first of those that are not between.

        D(x, x') = ε·d(x, x') for the largest ε makes every inequality along the path an equality, so that its first
        step needs ε too: a pair that is between begins with the same data set as one that is not. Where ε = ∞ any
        step may be the infinite one, and all rows are searched.
        """
        measure, pairs = self.flavor.output_premetric, self.pairs(universe)
        last, end = (pairs.points.index(point) for point in found)
        is_infinite = measure.at_most(measure.no_bound, budget)
        for place in range(0 if is_infinite else last, last + 1):
            row = (entry for entry in pairs.row(place) if place < last or entry[0] < end)
            for x, y, d in self.distinct(universe, [(place, list(row))]):
                if measure.at_most(budget, self.needed(x, y, d)):
                    return x, y
        return found

    def first_violation(self, specification: Specification) -> tuple[Any, Any, Distance, Universe] | None:
        """The simplest pair of data sets that violates Equation (1), with its distance and universe.

        Raises:
            InputError: a budget cannot be multiplied by a distance.
        """
        found: tuple[Any, Any, Distance, Universe] | None = None
        for universe in self.flavor.multiverse:
            budget = specification.budgets[universe]
            for x, y, d in self._violating(universe, budget, self.rows(universe)):
                found = self._simpler(found, (x, y, d, universe))
        if found is None:
            return None
        for universe in self.flavor.multiverse:
            budget = specification.budgets[universe]
            for x, y, d in self._violating(universe, budget, self.simpler_rows(universe, found)):
                found = self._simpler(found, (x, y, d, universe))
        return found

    def _simpler(self, found: tuple[Any, ...] | None, other: tuple[Any, ...]) -> Any:
        if found is None or simplicity(self.flavor, *other[:3]) < simplicity(self.flavor, *found[:3]):
            return other
        return found

    def all_rows(self, universe: Universe) -> Iterator[tuple[int, Row]]:
        """Each data set's place with all those at a finite distance."""
        pairs = self.pairs(universe)
        return ((place, pairs.row(place)) for place in range(len(pairs.points)))

    def simpler_rows(self, universe: Universe, found: tuple[Any, ...]) -> Iterator[tuple[int, Row]]:
        """The rows where a pair that was left out can be simpler than one that was found."""
        if not self.leaves_out(universe):
            return
        pairs, count = self.pairs(universe), self.flavor.domain.count_records
        records, least, d = count(found[0]), pairs.least_between, found[2]
        for place, point in enumerate(pairs.points):
            own = count(point)
            if own < records or (own == records and least is not None and least <= d):
                yield place, pairs.row(place)

    def _violating(self, universe: Universe, budget: Any, rows: Iterable[tuple[int, Row]]) -> Iterator[Any]:
        """The pairs of some rows that violate Equation (1)."""
        measure = self.flavor.output_premetric
        number = self._law_pairs.number
        holds: dict[Any, bool] = {}
        for x, y, d in self.listed(universe, rows):
            key = number(x), number(y), d
            if key not in holds:
                holds[key] = measure.at_most(self.law_pair(x, y).distance, measure.bound(budget, d))
            if not holds[key]:
                yield x, y, d

"""A mechanism's laws compared under a flavor: every pair of laws once, and no more pairs than bound the others.

Data sets that share a law are one, pairs of laws with the same likelihood ratios are one, and in a large universe, for
an output premetric with the triangle inequality, pairs that are *between* (`verify.engines.universe_pairs`) are left
out; so are those that a declared symmetry takes to others (`verify.engines.symmetry`). What is found is what comparing
every pair finds: the same budgets, and the same pair.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, FiniteDistance
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.real import UndecidedOrderError
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative
from stirred.verify.engines.law_pairs import LawPairs, MergedPair, NumberedLaws
from stirred.verify.engines.law_screen import LawScreen, Near, ScreenedBound
from stirred.verify.engines.symmetry import Symmetry, orbit_representatives
from stirred.verify.engines.universe_pairs import CLOSURE, BlockPairs, Row, UniversePairs
from stirred.verify.evidence.process_control.workload import part

Laws = Mapping[Any, Law[Any]]

_FEW = 32
"""Data sets of a universe whose pairs are all compared."""

_BLOCK = 32
"""Pairs that are compared between two looks at which others can be left out."""

_UNWRITTEN = 65_536
"""A power e^(ε·d) that is not written out is above 2^65536."""


class CrossingCurvesError(InputError):
    """The trade-off curves of two pairs cross and none is above both, so that no pair needs most."""


def check_total(laws: Laws, domain: FiniteDomain) -> None:
    """Refuse laws that are not those of the domain's data sets."""
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

    Universes of at most `few` data sets are compared pair by pair; `numbered` are the laws, where they are known.

    Attributes:
        undecided: the first pair that `first_violation` could not decide, with the reason; None where there is none.
    """

    def __init__(
        self,
        laws: Laws,
        flavor: Flavor,
        *,
        few: int = _FEW,
        pairs: BlockPairs | None = None,
        symmetry: Symmetry | None = None,
        numbered: NumberedLaws | None = None,
    ) -> None:
        check_total(laws, flavor.domain)
        self.laws = laws
        self.flavor = flavor
        self.undecided: tuple[Any, Any, str] | None = None
        self._few = few
        self._pairs = pairs or BlockPairs(flavor)
        numbered = numbered or NumberedLaws(laws)
        self._numbers = numbered.numbers
        self._law_pairs = LawPairs(numbered, flavor.output_premetric)
        self._numbered = numbered
        self._power: tuple[Any, Fraction] | None = None
        self._symmetry = symmetry
        self._firsts: Container[Any] = flavor.domain
        if symmetry is not None:
            self._firsts = orbit_representatives(symmetry, numbered, flavor, self._pairs)

    def pairs(self, universe: Universe) -> UniversePairs:
        return self._pairs.pairs_in(universe)

    def leaves_out(self, universe: Universe) -> bool:
        """Whether pairs of this universe are left out because others bound them."""
        if not self.flavor.output_premetric.has_triangle_inequality or len(universe) <= self._few:
            return False
        return self.pairs(universe).is_bounded_by_fewer

    def left_out(self) -> str:
        """What was left out and why, in words for the scope; empty where every pair is compared."""
        said = []
        reduced = [self.pairs(universe) for universe in self.flavor.multiverse if self.leaves_out(universe)]
        if reduced:
            compared, count = sum(pairs.bounding_count for pairs in reduced), sum(pairs.count for pairs in reduced)
            said.append(f"{compared} pairs compared, which bound {count - compared} others by {CLOSURE}")
        if self._symmetry is not None:
            points = self.flavor.domain.points
            said.append(self._symmetry.described(sum(point in self._firsts for point in points), len(points)))
        return "; ".join(said)

    def checked_pairs(self) -> str:
        """How many pairs are compared, in words for the scope."""
        return self.left_out() or f"{self.flavor.multiverse.compared_pairs()} pairs checked"

    def rows(self, universe: Universe) -> Iterator[tuple[int, Row]]:
        """Each data set's place with those that it is compared with."""
        pairs = self.pairs(universe)
        row = pairs.bounding_row if self.leaves_out(universe) else pairs.row
        places = self._first_places(universe)
        with part("pairs", len(places)) as done:
            for place in places:
                yield place, row(place)
                done.advance()

    def _first_places(self, universe: Universe) -> list[int]:
        """The places of the data sets that stand first in a pair: all, or with a symmetry one of each orbit."""
        return [place for place, point in enumerate(self.pairs(universe).points) if point in self._firsts]

    def law_pair(self, x: Any, y: Any) -> MergedPair:
        return self._law_pairs.pair(self._numbers[x], self._numbers[y])

    def has_one_law(self, x: Any, y: Any) -> bool:
        return self._numbers[x] == self._numbers[y]

    def has_one_law_in(self, universe: Universe) -> bool:
        return len({self._numbers[point] for point in universe}) == 1

    def listed(self, universe: Universe, rows: Iterable[tuple[int, Row]]) -> Iterator[tuple[Any, Any, FiniteDistance]]:
        """The pairs of data sets of some rows, with their distances."""
        points = self.pairs(universe).points
        return ((points[place], points[other], d) for place, row in rows for other, d in row)

    def largest_need(self, universes: Iterable[Universe]) -> tuple[Any, tuple[Any, Any] | None]:
        """The largest of the smallest budgets of all pairs, with the nearest pair that needs it, the first of those.

        A pair that is between needs it only if a step of its path does, which is nearer; so it is never shown.
        Curves are ordered in part only. The largest one, where it is among them, is kept from where it is met; so it is
        enough that those which were given up are at most the last one.
        """
        measure = self.flavor.output_premetric
        budget: Any = measure.zero
        worst: tuple[Any, Any] | None = None
        nearest: FiniteDistance = 0
        given_up = []
        seen: set[tuple[MergedPair, FiniteDistance]] = set()

        def less(d: FiniteDistance) -> ScreenedBound | None:
            return self._less(budget, d)

        for x, near in self.rows_not_yet_met(universes, self.rows):
            for y, d in self.compared_first(x, near, less):
                laws = self.law_pair(x, y)
                if (laws, d) in seen:
                    continue
                seen.add((laws, d))
                needed = measure.smallest_budget(laws.distance, d)
                if not measure.at_most(needed, budget):
                    given_up.append((budget, worst))
                    budget, worst, nearest = needed, (x, y), d
                elif worst is not None and d < nearest and measure.at_most(budget, needed):
                    worst, nearest = (x, y), d
        for other, pair in given_up:
            if not measure.at_most(other, budget):
                raise CrossingCurvesError(f"one budget must be the largest; those of {pair} and {worst} cross")
        return budget, worst

    def rows_not_yet_met(
        self, universes: Iterable[Universe], rows: Callable[[Universe], Iterable[tuple[int, Row]]]
    ) -> Iterator[tuple[Any, Near]]:
        """The rows of some universes, without pairs whose two laws were met at that distance before."""
        is_symmetric = self.flavor.output_premetric.is_symmetric
        seen: dict[Any, set[int]] = {}
        all_of = [*universes]
        for universe in all_of:
            points = self.pairs(universe).points
            numbers = [self._numbers[point] for point in points]
            is_met_once = len(all_of) == 1 and len({*numbers}) == len(numbers)
            if is_met_once and is_symmetric:  # and twice where one may stand before and behind the other
                is_met_once = self.flavor.input_premetric.relation is not None and self._symmetry is None
            for place, row in rows(universe):
                first, near = numbers[place], []
                if is_met_once:
                    behind = place if is_symmetric else -1
                    near = [(numbers[other], points[other], d) for other, d in row if other > behind]
                for other, d in () if is_met_once else row:
                    second = numbers[other]
                    low, high = (second, first) if is_symmetric and second < first else (first, second)
                    met = seen.setdefault((low, d.as_integer_ratio()), set())
                    if high not in met:
                        met.add(high)
                        near.append((second, points[other], d))
                if near:
                    yield points[place], near

    def compared_first(
        self, x: Any, near: Near, bound_at: Callable[[FiniteDistance], ScreenedBound | None]
    ) -> Iterator[tuple[Any, FiniteDistance]]:
        """The data sets of a row whose laws are not certainly within a bound, which may grow meanwhile."""
        screen = self._screen
        while near:
            if screen is not None:
                near = screen.left(self._numbers[x], near, bound_at)
            block, near = near[:_BLOCK], near[_BLOCK:]
            yield from ((y, d) for _, y, d in block)

    @cached_property
    def _screen(self) -> LawScreen | None:
        numbered = self._numbered
        return LawScreen(numbered) if len(numbered) > _FEW and LawScreen.fits(numbered) else None

    def _less(self, budget: Any, distance: FiniteDistance) -> ScreenedBound | None:
        """Two laws that are strictly within need less than a loss at a distance."""
        measure = self.flavor.output_premetric
        if not isinstance(measure, ApproximateMultiplicative | Multiplicative) or not distance or budget.is_zero:
            return None
        delta = measure.parameters.get("delta") or None
        if budget.is_infinite:
            return ScreenedBound(None, delta)
        key = budget.gamma, budget.distance, distance
        if self._power is None or self._power[0] != key:
            ends = budget.times(distance).ratio()
            self._power = key, Fraction(2**_UNWRITTEN) if ends is None else max(Fraction(1), ends.lower)
        return ScreenedBound(self._power[1], delta)

    def first_violation(self, specification: Specification) -> tuple[Any, Any, FiniteDistance, Universe] | None:
        """The simplest pair of data sets that violates Equation (1), with its distance and universe.

        A pair that is not decided is no violation; the first one is kept as `undecided`.
        """
        found: tuple[Any, Any, FiniteDistance, Universe] | None = None
        self.undecided = None
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
        """Each place of a data set that stands first in a pair, with all those at a finite distance."""
        pairs = self.pairs(universe)
        return ((place, pairs.row(place)) for place in self._first_places(universe))

    def simpler_rows(self, universe: Universe, found: tuple[Any, ...]) -> Iterator[tuple[int, Row]]:
        """The rows where a pair that was left out can be simpler than one that was found."""
        if not self.leaves_out(universe):
            return
        pairs, count = self.pairs(universe), self.flavor.domain.count_records
        records, least, d = count(found[0]), pairs.least_between, found[2]
        for place in self._first_places(universe):
            if (count(pairs.points[place]), least) <= (records, d):
                yield place, pairs.row(place)

    def _violating(self, universe: Universe, budget: Any, rows: Iterable[tuple[int, Row]]) -> Iterator[Any]:
        """The pairs of some rows that violate Equation (1)."""
        measure = self.flavor.output_premetric
        numbers = self._numbers
        holds: dict[Any, bool] = {}
        merged: dict[tuple[MergedPair, FiniteDistance], bool] = {}
        for x, y, d in self.listed(universe, rows):
            key = numbers[x], numbers[y], d
            if key not in holds:
                laws = self.law_pair(x, y)
                if (laws, d) not in merged:
                    try:
                        merged[laws, d] = measure.at_most(laws.distance, measure.bound(budget, d))
                    except UndecidedOrderError as error:
                        merged[laws, d] = True
                        self.undecided = self.undecided or (x, y, str(error))
                holds[key] = merged[laws, d]
            if not holds[key]:
                yield x, y, d

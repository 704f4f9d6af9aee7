"""Regions: independent draws of continuous laws under linear conditions, and the exact shares of their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import flint

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.component import Component, RegionError, components, probability
from stirred.mechanisms.reading.densities import density_of
from stirred.mechanisms.reading.elimination import TiedError
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.integer_check import check_integers
from stirred.mechanisms.reading.integer_component import IntegerComponent, integer_component
from stirred.mechanisms.reading.known_components import LOOKED_AT
from stirred.mechanisms.reading.linear_ranges import Condition as Bounded
from stirred.mechanisms.reading.linear_ranges import (
    EmptyRangeError,
    TooManyConditionsError,
    inner_point,
    linear_range,
)
from stirred.mechanisms.reading.rows import LinearRow, Row, WholeRow, row_of
from stirred.mechanisms.reading.second_integral import check
from stirred.mechanisms.reading.symbols import DrawRounding, Linear
from stirred.spec.laws.piecewise_density import PiecewiseDensity
from stirred.spec.numbers.reals.real import Number, UndecidedOrderError

_Found = TypeVar("_Found")

_FAR = flint.fmpq(1)
"""How far a point lies at most from a finite end, or from 0, where an interval has no end."""

_DIGITS = 40

_NARROW = flint.fmpq(1, 1 << 16)
"""An interval within which doubles may not tell a share from an end."""


@dataclass(frozen=True)
class Halfspace:
    """The condition Σ terms[i]·Z_i ≤ bound. Null sets don't matter.

    Attributes:
        terms: the coefficient of each base draw, none 0.
        bound: any real.
    """

    terms: Mapping[int, Exact]
    bound: Exact


Condition = Halfspace | WholeRow


def at_most(number: Linear, bound: Exact) -> Halfspace:
    """The number is at most the bound."""
    return Halfspace(number.terms, bound - number.shift)


def at_least(number: Linear, bound: Exact) -> Halfspace:
    """The number is at least the bound."""
    return Halfspace({draw: -coefficient for draw, coefficient in number.terms.items()}, number.shift - bound)


@dataclass(frozen=True)
class Region:
    """Base draws, independent of each other, and the conditions that they meet.

    >>> region, first = Region().drawn(BaseLaw.LAPLACE)
    >>> region, second = region.drawn(BaseLaw.LAPLACE)
    >>> one = Exact(1)
    >>> is_less, is_more = {first: one, second: -one}, {first: -one, second: one}
    >>> region.shares([[Halfspace(is_less, one)], [Halfspace(is_more, -one)]])
    [-3/4*e^(-1) + 1 ≈ 0.724090, 3/4*e^(-1) ≈ 0.275910]
    """

    laws: tuple[BaseLaw, ...] = ()
    rows: tuple[Row, ...] = ()
    _model: tuple[Region, Sequence[int]] | None = field(default=None, compare=False, repr=False)

    def relabelled(self, labels: Sequence[int]) -> Region:
        """The region where each draw has another number, which is given; its conditions are linear and rational.

        What is known of this region need not be computed for it.
        """
        laws = dict(zip(labels, self.laws, strict=True))
        rows = tuple(row.relabelled(labels) for row in self._linear_rows)
        return Region(tuple(laws[draw] for draw in range(len(laws))), rows, (self, labels))

    def drawn(self, law: BaseLaw) -> tuple[Region, int]:
        """The region with a new independent draw, and the number of the draw: the same object each time."""
        if law not in self._after:
            self._after[law] = Region((*self.laws, law), self.rows)
        return self._after[law], len(self.laws)

    @cached_property
    def _after(self) -> dict[BaseLaw, Region]:
        return {}

    def within(self, conditions: Sequence[Condition]) -> Region:
        """The region where these conditions hold as well."""
        rows = list(self.rows)
        for one in conditions:
            row = one if isinstance(one, WholeRow) else row_of(one.terms, one.bound)
            if not any(known.implies(row) for known in rows):
                rows = [known for known in rows if not row.implies(known)] + [row]
        return Region(self.laws, tuple(rows))

    @property
    def probability(self) -> Exact:
        """The probability that the draws meet the conditions.

        Raises:
            RegionError: the structure is too hard.
        """
        return _product(self._components.values())

    def shares(self, alternatives: Sequence[Sequence[Condition]]) -> list[Exact]:
        """The probability of each alternative, given that the draws are in the region.

        Args:
            alternatives: conditions of parts that tile the region, up to null sets.

        Returns:
            Numbers that sum to 1: exact where they can be, else enclosures. One of an empty alternative is 0.

        Raises:
            RegionError: the structure is too hard, or the parts do not tile the region.
        """
        return [share for share, _ in self.divided(alternatives)]

    def divided(self, alternatives: Sequence[Sequence[Condition]]) -> list[tuple[Exact, Region]]:
        """The shares, and the regions of the alternatives."""
        regions = [self.within(one) for one in alternatives]
        for region in (self, *regions):
            region._check()
        parts = [region._components for region in regions]
        own = self._components
        touched = {draw for part in parts for group, one in part.items() if one != own.get(group) for draw in group}
        whole = _product(_met(own, touched))
        masses = [_product(_met(part, touched)) for part in parts]
        total = sum(masses, Exact(0))
        try:
            if whole == 0 or total != whole:
                raise RegionError(f"the parts have the probability {total}, and the whole {whole}")
        except UndecidedOrderError:
            pass
        return [(mass / whole, region) for mass, region in zip(masses, regions, strict=True)]

    def range_of(self, terms: Mapping[int, Exact], shift: Exact) -> tuple[Exact | None, Exact | None]:
        """Infimum and supremum of Σ terms·Z + shift on the region; None where there is none.

        Raises:
            RegionError: the region is empty, or the structure is too hard.
        """
        if not terms:
            return shift, shift
        given = self._conditions()
        is_rational = all(isinstance(one, Fraction) for row, bound in given for one in (bound, *row.values()))
        if is_rational and all(isinstance(c.number, Fraction) for c in terms.values()):
            ends = _range({draw: c.number for draw, c in terms.items()}, given)
        else:
            ends = _range(terms, [({one: _exact(c) for one, c in row.items()}, _exact(bound)) for row, bound in given])
        low, high = (None if end is None else _exact(end) + shift for end in ends)
        return low, high

    def density(self, terms: Mapping[int, Exact], shift: Exact) -> PiecewiseDensity:
        """The density of Σ terms·Z + shift, given that the draws are in the region.

        Raises:
            RegionError: the structure is too hard, or the density is not piecewise of this kind.
        """
        tied = components(self.laws, [*self.rows, row_of(terms, shift)])
        group = {*next(one for one in tied if terms.keys() <= {*one})}
        rows = self._linear_rows
        if any(isinstance(row, WholeRow) and not group.isdisjoint(row.draws) for row in self.rows):
            raise RegionError("its draws were rounded, and compared with others")
        conditions = [row.rounded()[0] for row in rows if group.issuperset(row.draws)]
        numbers = {draw: c.number for draw, c in terms.items()}
        rational = {draw: c for draw, c in numbers.items() if isinstance(c, Fraction)}
        is_exact = all(not row.rounded()[1] for row in rows) and len(rational) == len(numbers)
        if not (is_exact and isinstance(shift.number, Fraction)):
            raise RegionError("a density is computed where scales and shifts are rational")
        return density_of({draw: self.laws[draw] for draw in sorted(group)}, conditions, rational, shift.number)

    def point(self, share: Fraction) -> dict[int, Fraction]:
        """A point inside the region: each coordinate lies at a share of its interval, given others.

        Args:
            share: between 0 and 1; an interval without an end is cut at a distance. Of a narrow one it is the middle.

        Raises:
            RegionError: the region is empty, or the structure is too hard.
        """
        if share in self._points:
            return dict(self._points[share])
        if self._model is not None:
            model, labels = self._model
            return {labels[draw]: value for draw, value in model.point(share).items()}
        rows = [*self._linear_rows, *self._cells(share)]
        given: list[Bounded] = [({draw: _near(c) for draw, c in row.form}, _near(row.bound)) for row in rows]
        draws = range(len(self.laws))
        given += (({draw: _near(c) for draw, c in row.items()}, _near(end)) for row, end in _supports(draws, self.laws))
        at = _near(share)
        found = _told(lambda: inner_point(draws, given, lambda low, high: _between(low, high, at)), given)
        self._points[share] = {draw: Fraction(int(found[draw].p), int(found[draw].q)) for draw in draws}
        return dict(self._points[share])

    @cached_property
    def _points(self) -> dict[Fraction, dict[int, Fraction]]:
        return {}

    def _conditions(self) -> list[Bounded]:
        """What bounds the draws: the rows, and the ends of the laws."""
        rows = ((dict(row.form), row.bound) for row in self._linear_rows)
        return [*rows, *_supports(range(len(self.laws)), self.laws)]

    @property
    def _linear_rows(self) -> list[LinearRow]:
        return [row for row in self.rows if isinstance(row, LinearRow)]

    def _cells(self, share: Fraction) -> Iterator[LinearRow]:
        """Where draws lie that are rounded to integers which meet the conditions on these."""
        roundings = {draw: one for row in self.rows if isinstance(row, WholeRow) for draw, one in row.rounded_draws}
        for component in self._components.values():
            for draw, k in component.point(share).items() if isinstance(component, IntegerComponent) else ():
                one = roundings[draw]
                yield row_of({draw: Exact(one.scale)}, one.top(k) - Exact(one.shift))
                yield row_of({draw: -Exact(one.scale)}, Exact(one.shift) - one.top(k - 1))

    def integers(self, terms: Mapping[int, int], roundings: Mapping[int, DrawRounding]) -> IntegerComponent:
        """The component of integers to which draws are rounded, with all that conditions tie to them.

        Raises:
            RegionError: the structure is too hard.
        """
        draws = set(terms)
        while met := [row for row in self.rows if draws & {*row.draws} and not draws >= {*row.draws}]:
            draws.update(*(row.draws for row in met))
        try:
            return integer_component(self.laws, [row for row in self.rows if draws & {*row.draws}], roundings)
        except TiedError as error:
            raise RegionError(str(error)) from None

    def _check(self) -> None:
        """Look at each kind of component by quadrature, once.

        Raises:
            DisagreementError: its probability is another one.
        """
        for group, component in self._components.items():
            if component not in LOOKED_AT:
                found, rows = probability(component), [row for row in self.rows if {*group}.issuperset(row.draws)]
                if isinstance(component, IntegerComponent):
                    check_integers(self.laws, rows, found)
                else:
                    laws = {draw: self.laws[draw] for draw in group}
                    check(laws, [row for row in rows if isinstance(row, LinearRow)], found)
                LOOKED_AT[component] = None

    @cached_property
    def _components(self) -> dict[tuple[int, ...], Component | IntegerComponent]:
        if self._model is not None:
            model, labels = self._model
            return {tuple(sorted(labels[draw] for draw in group)): one for group, one in model._components.items()}
        return components(self.laws, self.rows)


_Component = Component | IntegerComponent


def _met(parts: Mapping[tuple[int, ...], _Component], draws: set[int]) -> list[_Component]:
    return [one for group, one in parts.items() if not draws.isdisjoint(group)]


def _product(parts: Iterable[_Component]) -> Exact:
    found = Exact(1)
    for one in parts:
        found = found * Exact(probability(one))
    return found


def _supports(draws: Iterable[int], laws: Sequence[BaseLaw]) -> Iterator[Bounded]:
    yield from (({draw: sign}, end) for draw in draws for sign, end in laws[draw].ends)


def _exact(number: Any) -> Exact:
    return number if isinstance(number, Exact) else Exact(number)


def _near(number: Number) -> flint.fmpq:
    """A rational number near to this one, as points are computed with: at a tenth of the cost of fractions."""
    return flint.fmpq(*(number if isinstance(number, Fraction) else number.enclosure(_DIGITS).lower).as_integer_ratio())


def _range(terms: Mapping[int, Any], conditions: Sequence[Bounded]) -> tuple[Any, Any]:
    return _told(lambda: linear_range(terms, conditions), conditions)


def _told(find: Callable[[], _Found], conditions: Sequence[Bounded]) -> _Found:
    """What is found, or why it is not."""
    try:
        return find()
    except EmptyRangeError:
        raise RegionError("no draws meet these conditions") from None
    except TooManyConditionsError as error:
        raise RegionError(f"{len(conditions)} conditions tie too many draws: {error}") from None
    except UndecidedOrderError as error:
        raise RegionError(f"a condition whose numbers are only enclosed: {error}") from None


def _between(low: flint.fmpq | None, high: flint.fmpq | None, share: flint.fmpq) -> flint.fmpq:
    if low is None:
        low = (0 if high is None else high) - _FAR
    if high is None:
        high = max(low, flint.fmpq(0)) + _FAR
    return low + (share if high - low > _NARROW else flint.fmpq(1, 2)) * (high - low)

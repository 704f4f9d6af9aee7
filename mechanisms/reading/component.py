"""Draws that conditions tie, and the probability that they meet them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import Any, TypeVar

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import Elimination, Form, Inequality, TiedError, form_of, leading
from stirred.mechanisms.reading.enclosed_integral import NoStarError, enclosed_mass
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.gumbel_orders import NoTreeError, differences, order_probability
from stirred.mechanisms.reading.integer_component import (
    IntegerComponent,
    integer_component,
    integer_probability,
    interval,
)
from stirred.mechanisms.reading.linear_ranges import EmptyRangeError, TooManyConditionsError, linear_range
from stirred.mechanisms.reading.pieces import FinerUnitError, PieceAlgebra
from stirred.mechanisms.reading.rows import LinearRow, Row
from stirred.spec.numbers.reals.real import Number

_Found = TypeVar("_Found")

_ROUNDS = 3
_LAWS = tuple(BaseLaw)


class RegionError(ArithmeticError):
    """A probability that is not computed: the structure of the conditions, in words."""


@dataclass(frozen=True)
class Component:
    """Draws that are tied, numbered from 0 on, and the conditions that tie them.

    Attributes:
        laws: one for each draw.
        conditions: where there are several draws.
        error: how much the probability may differ from that of other numbers, which were rounded to these.
        bounds: of the conditions, before they were rounded; none where nothing was, or coefficients were too.
        ends: of the interval of one draw, None where it has none.
    """

    laws: tuple[BaseLaw, ...]
    conditions: tuple[Inequality, ...] = ()
    error: Fraction = Fraction(0)
    ends: tuple[Number | None, Number | None] = (None, None)
    bounds: tuple[Number, ...] = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.laws, self.conditions, self.ends))


def components(laws: Sequence[BaseLaw], rows: Iterable[Row]) -> dict[tuple[int, ...], Component | IntegerComponent]:
    """The components that conditions make of draws, by these in order; those of equal structure are equal.

    Raises:
        RegionError: draws are tied both as real numbers and as integers.
    """
    groups: dict[tuple[int, ...], list[Row]] = {}
    for row in rows:
        met = [group for group in groups if not {*group}.isdisjoint(row.draws)]
        joined = [one for group in met for one in groups.pop(group)]
        draws = dict.fromkeys([*row.draws, *(draw for group in met for draw in group)])
        groups[tuple(sorted(draws))] = [*joined, row]
    return {group: _component(laws, group, found) for group, found in groups.items()}


def _component(laws: Sequence[BaseLaw], group: tuple[int, ...], given: Sequence[Row]) -> Component | IntegerComponent:
    rows = [row for row in given if isinstance(row, LinearRow)]
    if len(group) == 1 and len(rows) == len(given):
        return Component((laws[group[0]],), ends=interval(group[0], given))
    if len(rows) < len(given):
        try:
            return integer_component(laws, given)
        except TiedError as tied_error:
            raise RegionError(str(tied_error)) from None
    rounded = [row.rounded() for row in rows]
    conditions = [condition for condition, _ in rounded]
    order = _order(laws, group, conditions)
    numbers = {draw: number for number, draw in enumerate(order)}
    found: dict[Form, tuple[Fraction, Number]] = {}
    for (form, bound), row in zip(conditions, rows, strict=True):
        scale, one = leading(form_of({numbers[draw]: c for draw, c in form}))
        if scale < 0:
            scale, one = -scale, tuple((draw, -c) for draw, c in one)
        if one not in found or bound / scale < found[one][0]:
            found[one] = bound / scale, bound / scale if bound == row.bound else (Exact(row.bound) / scale).number
    error = sum((difference for _, difference in rounded), Fraction(0))
    tied = sorted((form, bound) for form, (bound, _) in found.items())
    has_bounds = error and all(isinstance(c, Fraction) for row in rows for _, c in row.form)
    bounds = tuple(found[form][1] for form, _ in tied) if has_bounds else ()
    return Component(tuple(laws[draw] for draw in order), tuple(tied), error, bounds=bounds)


def _order(laws: Sequence[BaseLaw], group: tuple[int, ...], conditions: Sequence[Inequality]) -> list[int]:
    """The draws in an order that their laws and conditions decide, as far as they do."""
    colours = {draw: _LAWS.index(laws[draw]) for draw in group}
    seen = [  # conditions as seen from each draw, since which one is the first is a matter of numbers
        (draw, (c > 0, *_over(bound, c)), [(one, _over(d, c)) for one, d in form if one != draw])
        for form, bound in conditions
        for draw, c in form
    ]
    for _ in range(_ROUNDS):
        met: dict[int, list[int]] = {draw: [] for draw in group}
        for draw, end, others in seen:
            met[draw].append(hash((end, *sorted([hash((ratio, colours[one])) for one, ratio in others]))))
        colours = {draw: hash((colours[draw], *sorted(met[draw]))) for draw in group}
    return sorted(group, key=lambda draw: (colours[draw], draw))


def _over(number: Fraction, c: Fraction) -> tuple[int, int]:
    """The quotient by |c|, as two integers: they are hashed at less cost."""
    return (number if abs(c) == 1 else number / abs(c)).as_integer_ratio()


@lru_cache(maxsize=8_192)
def probability(component: Component | IntegerComponent) -> Number:
    """The probability that the draws meet the conditions: exact where it can be, else enclosed.

    Raises:
        RegionError: the structure is too hard.
    """
    if isinstance(component, IntegerComponent):
        try:
            return integer_probability(component)
        except TiedError as error:
            raise RegionError(str(error)) from None
    if len(component.laws) == 1:
        low, high = (None if end is None else Exact(end) for end in component.ends)
        return component.laws[0].between(low, high).number
    laws, conditions = component.laws, component.conditions
    if set(laws) == {BaseLaw.GUMBEL} and (component.bounds or not component.error):
        bounds = component.bounds or [bound for _, bound in conditions]
        tied = differences([(form, bound) for (form, _), bound in zip(conditions, bounds, strict=True)])
        with suppress(NoTreeError):
            if tied is not None:
                return order_probability(tied).number
    if not all(law.is_piecewise for law in laws):
        supports = [({draw: sign}, end) for draw, law in enumerate(laws) for sign, end in law.ends]
        try:
            linear_range(dict(conditions[0][0]), [*((dict(form), bound) for form, bound in conditions), *supports])
            return enclosed_mass(laws, conditions, component.error)
        except EmptyRangeError:
            return Fraction(0)
        except NoStarError as error:
            raise RegionError(str(error)) from None
    densities = [((draw, Fraction(1)),) for draw in range(len(laws))]

    def integral(algebra: PieceAlgebra) -> dict[int, Any]:
        functions = [(form, algebra.density(law)) for form, law in zip(densities, laws, strict=True)]
        elimination = Elimination(algebra)
        return elimination.integral(elimination.integrand(functions, conditions))

    found, algebra = solved(conditions, integral)
    if not component.error:
        return algebra.number(found).number
    return algebra.enclosed(found, component.error)


def solved(conditions: Sequence[Inequality], solve: Callable[[PieceAlgebra], _Found]) -> tuple[_Found, PieceAlgebra]:
    """What is computed in units that are fine enough, and the algebra that has them.

    Raises:
        RegionError: the structure is too hard.
    """
    rates = lcm(*(part for form, _ in conditions for _, c in form for part in c.as_integer_ratio()))
    exponents = rates * lcm(*(bound.denominator for _, bound in conditions))
    while True:
        algebra = _algebra(rates, exponents)
        try:
            return solve(algebra), algebra
        except FinerUnitError as error:
            rates, exponents = rates * error.rates, exponents * error.exponents
        except TiedError as error:
            raise RegionError(str(error)) from None
        except TooManyConditionsError as error:
            raise RegionError(f"{len(conditions)} conditions tie too many draws: {error}") from None


@lru_cache(maxsize=64)
def _algebra(rates: int, exponents: int) -> PieceAlgebra:
    return PieceAlgebra(rates, exponents)

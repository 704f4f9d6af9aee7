"""Integers to which draws are rounded that conditions tie: the probability that they meet them, and laws of sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import Elimination, Inequality, TiedError, form_of, solved_for
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.integer_algebra import IntegerAlgebra
from stirred.mechanisms.reading.integer_laws import IntegerLaw, integer_law
from stirred.mechanisms.reading.linear_ranges import Condition, inner_point, linear_range
from stirred.mechanisms.reading.rows import LinearRow, Row, WholeRow
from stirred.mechanisms.reading.symbols import DrawRounding
from stirred.spec.laws.exponential_polynomial import PiecewiseExponential
from stirred.spec.numbers.reals.real import Number

_FAR = 4
"""How far a point lies at most from a finite end, or from 0, where there is none."""

_SUM = -1
"""The variable that stands for a sum."""


@dataclass(frozen=True)
class IntegerComponent:
    """Integers that are tied, numbered from 0 on, and the conditions that tie them.

    Attributes:
        draws: the number of the draw of each.
        laws: one for each integer: its probability together with what is known of its draw alone.
    """

    draws: tuple[int, ...] = field(compare=False)
    laws: tuple[IntegerLaw, ...]
    conditions: tuple[Inequality, ...] = ()

    @property
    def bounds(self) -> list[Condition]:
        """All conditions on the integers, those of their laws as well."""
        ends = [
            (place, sign, end)
            for place, law in enumerate(self.laws)
            for sign, end in zip((-1, 1), law.ends, strict=True)
        ]
        own = [({place: Fraction(sign)}, Fraction(sign * end)) for place, sign, end in ends if end is not None]
        return [*((dict(form), bound) for form, bound in self.conditions), *own]

    def range_of(self, terms: Mapping[int, int]) -> tuple[int | None, int | None]:
        """Between which integers Σ terms·k lies, by draws; None where there is no end."""
        given = {self.draws.index(draw): Fraction(c) for draw, c in terms.items()}
        low, high = linear_range(given, self.bounds)
        return (None if low is None else ceil(low)), (None if high is None else floor(high))

    def point(self, share: Fraction) -> dict[int, int]:
        """Integers that meet all conditions, by draws: each at a share of its interval, given others.

        Raises:
            TiedError: none are found.
        """

        def chosen(low: Fraction | None, high: Fraction | None) -> int:
            least = ceil((0 if high is None else high) - _FAR if low is None else low)
            most = floor(max(least, 0) + _FAR if high is None else high)
            if least > most:
                raise TiedError("no integers are found that meet the conditions")
            return least + round(share * (most - least))

        found = inner_point(range(len(self.laws)), self.bounds, chosen)
        return {draw: found[place] for place, draw in enumerate(self.draws)}


def interval(draw: int, rows: Sequence[Row]) -> tuple[Number | None, Number | None]:
    """Between which ends a draw lies, by conditions on it alone."""
    alone = [row for row in rows if isinstance(row, LinearRow) and row.draws == (draw,)]
    lows = [-Exact(row.bound) for row in alone if row.form[0][1] == -1]
    highs = [Exact(row.bound) for row in alone if row.form[0][1] == 1]
    return (max(lows).number if lows else None), (min(highs).number if highs else None)


def integer_component(
    laws: Sequence[BaseLaw], rows: Sequence[Row], roundings: Mapping[int, DrawRounding] | None = None
) -> IntegerComponent:
    """The component of draws that conditions tie, in their order.

    Args:
        laws: of all draws.
        rows: that tie them.
        roundings: of draws that belong to it beside those of the conditions.

    Raises:
        TiedError: a draw is rounded in two ways, or is compared with another as a real number too.
    """
    found = dict(roundings or {})
    for row in rows:
        if isinstance(row, LinearRow):
            if len(row.draws) > 1:
                raise TiedError("a draw is compared with others both as a real number and rounded: round it first")
            continue
        for draw, rounding in row.rounded_draws:
            if found.setdefault(draw, rounding) != rounding:
                raise TiedError("a draw is rounded in two ways, both of which are compared with other draws")
    numbers = {draw: number for number, draw in enumerate(sorted(found))}
    tied = {
        (form_of({numbers[draw]: Fraction(c) for draw, c in row.form}), Fraction(row.bound))
        for row in rows
        if isinstance(row, WholeRow)
    }
    known = (integer_law(laws[draw], found[draw], *interval(draw, rows)) for draw in numbers)
    return IntegerComponent(tuple(numbers), tuple(known), tuple(sorted(tied)))


def integer_probability(component: IntegerComponent) -> Number:
    """The probability that the integers meet the conditions.

    Raises:
        TiedError: the structure is too hard.
    """
    algebra = IntegerAlgebra(component.laws)
    elimination = Elimination(algebra)
    densities = [(((place, Fraction(1)),), algebra.density(law)) for place, law in enumerate(component.laws)]
    found = elimination.integral(elimination.integrand(densities, component.conditions))  # type: ignore[arg-type]
    return algebra.number(found.get(0, Fraction(0))).number


def sum_law(component: IntegerComponent, terms: Mapping[int, int]) -> tuple[PiecewiseExponential, IntegerAlgebra]:
    """The probabilities of the values of Σ terms·k where the conditions hold.

    Args:
        terms: 1 or −1 by the number of the integer in the component.

    Raises:
        TiedError: the structure is too hard.
    """
    pivot = min(terms)
    if abs(terms[pivot]) != 1:
        raise TiedError("a multiple of an integer with infinitely many values is released, and compared with another")
    in_value = solved_for(pivot, {one: Fraction(c) for one, c in terms.items()}, _SUM)
    algebra = IntegerAlgebra(component.laws)
    elimination = Elimination(algebra)
    densities = [(in_value(((place, Fraction(1)),)), algebra.density(law)) for place, law in enumerate(component.laws)]
    conditions = [(in_value(form), bound) for form, bound in component.conditions]
    given = elimination.integrand(densities, conditions)  # type: ignore[arg-type]
    function: Any
    function, scalar = elimination.function_of(_SUM, given)
    found = function * PiecewiseExponential.power(Fraction(1), 0, scalar.get(0, Fraction(0)))
    return algebra.composed(found, Fraction(terms[pivot])), algebra

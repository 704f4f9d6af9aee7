"""Integers to which draws are rounded that conditions tie: the probability that they meet them, and laws of sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import (
    Elimination,
    Form,
    Inequality,
    Integrand,
    TiedError,
    form_of,
    solved_for,
)
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


def grouped(count: int, forms: Sequence[Form]) -> list[dict[int, int]]:
    """Numbers from 0 on that all forms hold alike, up to one sign each, with these signs: they count as one sum."""
    found: dict[tuple[Fraction, ...], dict[int, int]] = {}
    known = [dict(form) for form in forms]
    for place in range(count):
        column = [one.get(place, Fraction(0)) for one in known]
        sign = 1 if next(filter(None, column), 1) > 0 else -1
        found.setdefault(tuple(sign * c for c in column), {})[place] = sign
    return [*found.values()]


class _Sums:
    """What a component is in sums of integers that its conditions hold alike.

    Args:
        component: with the conditions.
        others: forms that hold them alike too.
    """

    def __init__(self, component: IntegerComponent, others: Sequence[Form] = ()) -> None:
        self.algebra = IntegerAlgebra(component.laws)
        self._groups = grouped(len(component.laws), [*(form for form, _ in component.conditions), *others])
        self.conditions = [(self.form(form), bound) for form, bound in component.conditions]
        densities = [self.algebra.density(law) for law in component.laws]
        self.functions = [self._function(group, densities) for group in self._groups]

    def form(self, given: Form) -> Form:
        """A form in the sums."""
        known = dict(given)
        firsts = (next(iter(group.items())) for group in self._groups)
        return form_of({place: known.get(one, Fraction(0)) * sign for place, (one, sign) in enumerate(firsts)})

    def _function(self, group: Mapping[int, int], densities: Sequence[PiecewiseExponential]) -> PiecewiseExponential:
        """The probabilities of a sum: P(a + b = t) = Σ P(−b = x)·P(a = x + t)."""
        found: PiecewiseExponential | None = None
        for place, sign in group.items():
            own = densities[place] if sign > 0 else densities[place].reflected()
            found = own if found is None else own.reflected().correlated(found)
        return self.algebra.product([] if found is None else [found])

    def eliminated(self, in_value: Callable[[Form], Form]) -> tuple[Elimination, Integrand]:
        """What is to be summed, by forms in other variables."""
        elimination = Elimination(self.algebra)
        functions = [(in_value(((place, Fraction(1)),)), one) for place, one in enumerate(self.functions)]
        conditions = [(in_value(form), bound) for form, bound in self.conditions]
        return elimination, elimination.integrand(functions, conditions)  # type: ignore[arg-type]


def integer_probability(component: IntegerComponent) -> Number:
    """The probability that the integers meet the conditions.

    Raises:
        TiedError: the structure is too hard.
    """
    sums = _Sums(component)
    elimination, given = sums.eliminated(lambda form: form)
    return sums.algebra.number(elimination.integral(given).get(0, Fraction(0))).number


def sum_law(component: IntegerComponent, terms: Mapping[int, int]) -> tuple[PiecewiseExponential, IntegerAlgebra]:
    """The probabilities of the values of Σ terms·k where the conditions hold.

    Args:
        terms: by the number of the integer in the component.

    Raises:
        TiedError: the structure is too hard.
    """
    total = form_of({one: Fraction(c) for one, c in terms.items()})
    sums = _Sums(component, [total])
    of_sums = dict(sums.form(total))
    pivot = min(of_sums)
    if abs(of_sums[pivot]) != 1:
        raise TiedError("a multiple of an integer with infinitely many values is released, and compared with another")
    elimination, given = sums.eliminated(solved_for(pivot, of_sums, _SUM))
    function: Any
    function, scalar = elimination.function_of(_SUM, given)
    found = function * PiecewiseExponential.power(Fraction(1), 0, scalar.get(0, Fraction(0)))
    return sums.algebra.composed(found, of_sums[pivot]), sums.algebra

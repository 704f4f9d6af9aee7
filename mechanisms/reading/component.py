"""Draws that conditions tie, and the probability that they meet them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TypeVar

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import Elimination, Factor, Form, TiedError, form_of, leading
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.pieces import FinerUnitError, PieceAlgebra
from stirred.mechanisms.reading.rows import Inequality, LinearRow
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
        ends: of the interval of one draw, None where it has none.
    """

    laws: tuple[BaseLaw, ...]
    conditions: tuple[Inequality, ...] = ()
    error: Fraction = Fraction(0)
    ends: tuple[Number | None, Number | None] = (None, None)


def components(laws: Sequence[BaseLaw], rows: Iterable[LinearRow]) -> dict[frozenset[int], Component]:
    """The components that conditions make of draws; those of equal structure are equal."""
    groups: dict[frozenset[int], list[LinearRow]] = {}
    for row in rows:
        draws = frozenset(row.draws)
        met = [group for group in groups if group & draws]
        joined = [one for group in met for one in groups.pop(group)]
        groups[draws.union(*met)] = [*joined, row]
    return {group: _component(laws, group, found) for group, found in groups.items()}


def _component(laws: Sequence[BaseLaw], group: frozenset[int], rows: Sequence[LinearRow]) -> Component:
    if len(group) == 1:
        return _of_one_draw(laws[min(group)], rows)
    rounded = [row.rounded() for row in rows]
    conditions = [condition for condition, _ in rounded]
    order = _order(laws, group, conditions)
    numbers = {draw: number for number, draw in enumerate(order)}
    found: dict[Form, Fraction] = {}
    for form, bound in conditions:
        scale, one = leading(form_of({numbers[draw]: c for draw, c in form}))
        if scale < 0:
            scale, one = -scale, tuple((draw, -c) for draw, c in one)
        found[one] = min(bound / scale, found.get(one, bound / scale))
    error = sum((difference for _, difference in rounded), Fraction(0))
    return Component(tuple(laws[draw] for draw in order), tuple(sorted(found.items())), error)


def _of_one_draw(law: BaseLaw, rows: Sequence[LinearRow]) -> Component:
    lows = [-Exact(row.bound) for row in rows if row.form[0][1] == -1]
    highs = [Exact(row.bound) for row in rows if row.form[0][1] == 1]
    low, high = (max(lows).number if lows else None), (min(highs).number if highs else None)
    return Component((law,), ends=(low, high))


def _order(laws: Sequence[BaseLaw], group: frozenset[int], conditions: Sequence[Inequality]) -> list[int]:
    """The draws in an order that their laws and conditions decide, as far as they do."""
    colours = {draw: _LAWS.index(laws[draw]) for draw in group}
    for _ in range(_ROUNDS):
        met: dict[int, list[int]] = {draw: [] for draw in group}
        for form, bound in conditions:
            for draw, c in form:
                # as seen from this draw, since which one is the first is a matter of numbers
                others = sorted(hash((d / abs(c), colours[one])) for one, d in form if one != draw)
                met[draw].append(hash((c > 0, bound / abs(c), *others)))
        colours = {draw: hash((colours[draw], *sorted(met[draw]))) for draw in group}
    return sorted(group, key=lambda draw: (colours[draw], draw))


@lru_cache(maxsize=8_192)
def probability(component: Component) -> Number:
    """The probability that the draws meet the conditions: exact where it can be, else enclosed.

    Raises:
        RegionError: the structure is too hard.
    """
    if len(component.laws) == 1:
        low, high = (None if end is None else Exact(end) for end in component.ends)
        return component.laws[0].between(low, high).number
    if component.error or not all(law.is_piecewise for law in component.laws):
        raise RegionError(f"{len(component.laws)} draws are tied by conditions that are not rational")
    conditions = component.conditions
    densities = [((draw, Fraction(1)),) for draw in range(len(component.laws))]

    def integral(algebra: PieceAlgebra) -> dict[int, object]:
        factors = [Factor(form, algebra.density(law)) for form, law in zip(densities, component.laws, strict=True)]
        return Elimination(algebra, factors + indicators(conditions, algebra)).integral()

    found, algebra = solved(conditions, integral)
    return algebra.number(found).number


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


@lru_cache(maxsize=64)
def _algebra(rates: int, exponents: int) -> PieceAlgebra:
    return PieceAlgebra(rates, exponents)


def indicators(conditions: Iterable[Inequality], algebra: PieceAlgebra) -> list[Factor]:
    """What is 1 where conditions hold, else 0; two opposite ones are one interval."""
    lows: dict[Form, Fraction] = {}
    highs: dict[Form, Fraction] = {}
    for given, bound in conditions:
        scale, form = leading(given)
        end = bound / scale
        if scale > 0:
            highs[form] = min(end, highs.get(form, end))
        else:
            lows[form] = max(end, lows.get(form, end))
    return [Factor(form, algebra.indicator(lows.get(form), highs.get(form))) for form in {**lows, **highs}]

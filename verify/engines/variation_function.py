"""Total variation, and the smallest δ at one ε, as functions of a mechanism's open parameter: exact, piece by piece.

Between the roots of all P_x(t) − γ·P_x'(t) a pair's E_γ is the sum of the positive ones, a rational function of p; γ is
1 for total variation and e^(ε·d) for δ. Everywhere else that sum is P_x(E) − γ·P_x'(E) of an event, and so no more than
E_γ: a budget is met for all p iff no piece's formula exceeds it anywhere in the interval.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint

from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import Law
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between, real_roots
from stirred.spec.numbers.factored_quotient import FactoredQuotient
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.verify.engines.loss_cases import BudgetPiece, OnInterval
from stirred.verify.engines.loss_function import Part, Ratio, compared_pairs, merged, upper_envelope
from stirred.verify.engines.sign_certificate import evaluate_polynomial

_ZERO = RationalFunction.constant(Fraction(0))


@dataclass(frozen=True)
class VariationPiece(BudgetPiece):
    """Where one sum is the largest: ε = above/below, the distance of the data sets divided out.

    >>> ends = AlgebraicNumber.of(0), AlgebraicNumber.of(Fraction(1, 2))
    >>> VariationPiece(*ends, (1, -2), (1,), Fraction(1), None, None).text("p")
    '1 - 2*p'
    """

    @property
    def is_zero(self) -> bool:
        return bool(self.below) and not self.above

    def at(self, point: Fraction) -> Fraction | None:
        if not self.below:
            return None
        return evaluate_polynomial(self.above, point) / evaluate_polynomial(self.below, point)

    def to_sympy(self, symbol: Any) -> Any:
        return 0 * symbol if self.is_zero else super().to_sympy(symbol)

    def _reduced(self, quotient: FactoredQuotient) -> tuple[FactoredQuotient, Fraction]:
        return quotient, Fraction(1)

    def _scaled(self, quotient: Any, over: Any) -> Any:
        return quotient / over

    def _text(self, symbol: str) -> str:
        return self.written[0].text(symbol)

    def _latex(self, symbol: str) -> str:
        return self.written[0].text(symbol, latex=True)


@dataclass(frozen=True, repr=False)
class VariationFunction(OnInterval):
    """The smallest budget of total variation for every p in an interval, or the smallest δ."""

    quantity: str = field(default="varepsilon", kw_only=True)

    def exceeding(self, budget: Fraction | None) -> Fraction | None:
        """A value of the parameter where the distance is above the budget; None: there is none in the interval."""
        if budget is None:
            return None
        if self.low == self.high:
            needed = self.at(self.low)
            return self.low if needed is None or needed > budget else None
        if self.is_infinite:
            return between(AlgebraicNumber.of(self.low), AlgebraicNumber.of(self.high))
        for above, below in {(piece.above, piece.below) for piece in self.pieces}:
            found = self.above(flint.fmpz_poly(list(above)), flint.fmpz_poly(list(below)), budget)
            if found is not None:
                return found
        return None


def variation_function(
    laws: Mapping[Any, Law[Any]], flavor: Flavor, *, symbol: str, opened: OpenParameter
) -> VariationFunction:
    """The smallest budget of total variation as a function of a mechanism's open parameter."""
    compared: _Compared = {}
    for x, y, distance in compared_pairs(flavor):
        if not (differences := _differences(laws[x], laws[y], Fraction(1))):
            continue
        if not distance:
            ends = AlgebraicNumber.of(opened.low), AlgebraicNumber.of(opened.high)
            infinite = VariationPiece(*ends, (), (), Fraction(0), (x, y), None)
            return VariationFunction(symbol, opened.low, opened.high, opened.is_closed, (infinite,))
        compared.setdefault((differences, distance), (x, y))
    return _largest(compared, symbol, opened)


def delta_function(
    laws: Mapping[Any, Law[Any]],
    flavor: Flavor,
    gamma: Callable[[Fraction], Fraction],
    *,
    symbol: str,
    opened: OpenParameter,
) -> VariationFunction:
    """The smallest δ as a function of a mechanism's open parameter, where `gamma` is e^(ε·d) at distance d."""
    compared: _Compared = {}
    for x, y, distance in compared_pairs(flavor):
        compared.setdefault((_differences(laws[x], laws[y], gamma(distance)), Fraction(1)), (x, y))
    return replace(_largest(compared, symbol, opened), quantity="delta")


_Compared = dict[tuple[tuple[RationalFunction, ...], Fraction], tuple[Any, Any]]
"""By what is summed and what it is divided by, a pair of data sets."""


def _largest(compared: _Compared, symbol: str, opened: OpenParameter) -> VariationFunction:
    """The largest sum of positive parts."""
    ends = AlgebraicNumber.of(opened.low), AlgebraicNumber.of(opened.high)
    roots: list[AlgebraicNumber] = []
    for one in {one for differences, _ in compared for one in differences}:
        roots += [root for root in real_roots(one.integer_parts()[0], *ends) if root not in roots]
    parts: list[Part] = []
    for low, high in pairwise((ends[0], *sorted(roots), ends[1])):
        middle = between(low, high)
        sums = {Ratio((), (1,), Fraction(1)).key: Ratio((), (1,), Fraction(1))}
        for (differences, distance), pair in compared.items():
            total = sum((one for one in differences if one(middle) > 0), _ZERO)
            ratio = _ratio(total, distance, middle, pair)
            sums.setdefault(ratio.key, ratio)
        parts += upper_envelope(low, high, sorted(sums.values(), key=lambda one: _value(one, middle), reverse=True))
    pieces = [VariationPiece(low, high, r.above, r.below, r.distance, r.pair, None) for low, high, r in merged(parts)]
    return VariationFunction(symbol, opened.low, opened.high, opened.is_closed, tuple(pieces))


def variation_at_value(symbol: str, value: Fraction, budget: Fraction | None) -> VariationFunction:
    """The smallest budget at one value of the parameter alone.

    >>> print(variation_at_value("flip", Fraction(1, 4), Fraction(1, 2)))
    1/2 at flip = 1/4
    """
    place = AlgebraicNumber.of(value)
    above, below = ((), ()) if budget is None else ((budget.numerator,) if budget else (), (budget.denominator,))
    piece = VariationPiece(place, place, above, below, Fraction(1), None, None)
    return VariationFunction(symbol, value, value, is_closed=True, pieces=(piece,))


def _differences(p: Law[Any], q: Law[Any], gamma: Fraction) -> tuple[RationalFunction, ...]:
    """P(t) − γ·Q(t) for the outcomes where it is not 0."""
    factor = RationalFunction.constant(gamma)
    found = (
        RationalFunction.of(p[t]) - factor * RationalFunction.of(q[t]) for t in {**dict(p.items()), **dict(q.items())}
    )
    return tuple(one for one in found if one)


def _ratio(total: RationalFunction, distance: Fraction, middle: Fraction, pair: tuple[Any, Any]) -> Ratio:
    above, below = (total / RationalFunction.constant(distance)).integer_parts() if total else ((), (1,))
    sign = -1 if evaluate_polynomial(below, middle) < 0 else 1
    return Ratio(tuple(sign * c for c in above), tuple(sign * c for c in below), Fraction(1), pair)


def _value(ratio: Ratio, point: Fraction) -> Fraction:
    return evaluate_polynomial(ratio.above, point) / evaluate_polynomial(ratio.below, point)

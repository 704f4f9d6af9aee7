"""The pure loss where one likelihood ratio is the largest, as a person writes it: factored, without powers to spare."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between
from stirred.spec.numbers.factored_quotient import FactoredQuotient

Polynomial = tuple[int, ...]
"""Coefficients, lowest degree first."""


@dataclass(frozen=True)
class LossPiece:
    """Where one ratio is the largest.

    Attributes:
        low: where the piece begins.
        high: where it ends.
        above: e^(ε·distance) is above/below, polynomials that are positive inside the piece, lowest degree first; where
            the loss is infinite both are empty.
        below: see above.
        distance: d(x, x').
        pair: (x, x'); None where the loss is 0.
        outcome: t, with P_x(t)/P_x'(t) = above/below.
    """

    low: AlgebraicNumber
    high: AlgebraicNumber
    above: Polynomial
    below: Polynomial
    distance: Fraction
    pair: tuple[Any, Any] | None
    outcome: Hashable

    @cached_property
    def written(self) -> tuple[FactoredQuotient, Fraction]:
        """Q and d with ε = ln(Q)/d, factored, with the smallest d that an exact root gives."""
        inside = self.low.rational if self.low == self.high else between(self.low, self.high)
        quotient = FactoredQuotient.of(self.above, self.below, inside or Fraction(0))
        return quotient.reduced(self.distance)

    def text(self, symbol: str) -> str:
        """ε as a person reads it.

        >>> ends = AlgebraicNumber.of(0), AlgebraicNumber.of(Fraction(1, 2))
        >>> LossPiece(*ends, (1, -1), (0, 1), Fraction(2), None, 0).text("p")
        'ln((1 - p)/p)/2'
        >>> LossPiece(*ends, (1, -2, 1), (0, 0, 1), Fraction(2), None, 0).text("p")
        'ln((1 - p)/p)'
        """
        if not self.below:
            return "infinite"
        if self.above == self.below:
            return "0"
        quotient, over = self.written
        times, divisor = over.denominator, over.numerator
        scale = "" if over == 1 else f"/{divisor if times == 1 else f'({over})'}"
        return f"ln({quotient.text(symbol)}){scale}"

    def latex(self, symbol: str) -> str:
        """ε as LaTeX."""
        if not self.below:
            return r"\infty"
        if self.above == self.below:
            return "0"
        quotient, over = self.written
        scale = AlgebraicNumber.of(1 / over).latex()
        body = quotient.text(symbol, latex=True)
        return rf"{'' if scale == '1' else scale}\ln {body if body.startswith(chr(92)) else f'({body})'}"

    def at(self, point: Fraction) -> Loss:
        """The loss at one value of the parameter in the piece."""
        if not self.below:
            return INFINITE
        above, below = (
            sum((c * point**place for place, c in enumerate(part)), Fraction(0)) for part in (self.above, self.below)
        )
        return Loss(above / below).over(self.distance) if above > below else ZERO

    def to_sympy(self, symbol: Any) -> Any:
        """ε as an expression of sympy in a symbol."""
        import sympy as sp  # noqa: PLC0415 slow to import

        if not self.below:
            return sp.oo
        quotient, over = self.written
        product = sp.Rational(*quotient.constant.as_integer_ratio())
        for factor, exponent in quotient.factors:
            product *= sum(c * symbol**place for place, c in enumerate(factor)) ** exponent
        return sp.log(product) / sp.Rational(*over.as_integer_ratio())

"""Functions on the integers, as `elimination` computes with them: sums take the place of integrals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.reading.elimination import TiedError
from stirred.mechanisms.reading.exact import Exact
from stirred.spec.laws.exponential_polynomial import PiecewiseExponential
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient, common_step
from stirred.spec.numbers.reals.real import Number

if TYPE_CHECKING:
    from stirred.mechanisms.reading.integer_laws import IntegerLaw

_FACTORS = "integers that are multiplied by other numbers than 1 and -1 are compared with each other: clamp them first"


class IntegerAlgebra:
    """Computes with piecewise exponential functions on the integers.

    Args:
        laws: of which there are densities; their numbers are rational functions of e^−step.
    """

    has_cases = False
    one = Fraction(1)

    def __init__(self, laws: Iterable[IntegerLaw]) -> None:
        numbers = [number for law in laws for number in law.numbers]
        exact = [number for number in numbers if isinstance(number, ExponentialQuotient)]
        self.step = common_step(r for number in exact for r in (*number.above, *number.below))

    def coefficient(self, value: Number) -> Any:
        """A number as functions have it."""
        return value.in_symbol(self.step) if isinstance(value, ExponentialQuotient) else value

    def number(self, value: Any) -> Exact:
        """The number that this stands for."""
        return Exact(ExponentialQuotient.of(value, self.step).value if isinstance(value, RationalFunction) else value)

    def density(self, law: IntegerLaw) -> PiecewiseExponential:
        """The probabilities of a law."""
        values = [self.coefficient(one) for one in law.values]
        terms: list[Any] = [{Fraction(1): (one,)} if one else {} for one in values]
        last = law.first + len(values) - 1
        tails: list[Any] = []
        for value, end, ratio, sign in ((values[0], law.first, law.below, -1), (values[-1], last, law.above, 1)):
            base = self.coefficient(ratio) ** sign if ratio else None
            tails.append({base: (value * base**-end,)} if base is not None else {})
        cuts = range(law.first, last + 2)
        return PiecewiseExponential.joined(cuts, [tails[0], *terms, tails[1]])

    def indicator(self, low: Fraction | None, high: Fraction | None) -> PiecewiseExponential:
        """1 between two ends, else 0."""
        ends = None if low is None else ceil(low), None if high is None else floor(high)
        return PiecewiseExponential.power(Fraction(1)).restricted(*ends)

    def product(self, factors: Sequence[PiecewiseExponential]) -> PiecewiseExponential:
        """The product of some functions."""
        found = None
        for factor in factors:
            found = factor if found is None else found * factor
        return self.indicator(None, None) if found is None else found

    def composed(self, function: PiecewiseExponential, slope: Fraction, shift: Fraction = Fraction(0)) -> Any:
        """The function x -> f(slope·x + shift)."""
        if abs(slope) != 1 or shift.denominator != 1:
            raise TiedError(_FACTORS)
        moved = function.shifted(int(shift)) if shift else function
        return moved if slope > 0 else moved.reflected()

    def integrated(
        self, function: PiecewiseExponential, others: Sequence[tuple[Fraction, Fraction, PiecewiseExponential]]
    ) -> PiecewiseExponential:
        """The function y -> Σ f(x)·Π g(p·x + q·y) over all x, of triples (p, q, g)."""
        signs = {p * q for p, q, _ in others}
        if len(signs) > 1 or {abs(one) for p, q, _ in others for one in (p, q)} != {1}:
            raise TiedError(_FACTORS if len(signs) < 2 else "the sum and the difference of integers are compared")
        found = function.correlated(self.product([self.composed(one, p) for p, _, one in others]))
        return found if signs == {1} else found.reflected()

    def total(self, function: PiecewiseExponential) -> dict[int, Any]:
        """The sum over all integers, as the algebra of the reals has it: c by r = 0."""
        found = function.total()
        return {0: found} if found else {}

"""The χ² divergence."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.real import Number
from stirred.spec.output_premetrics.base import Composition
from stirred.spec.output_premetrics.real_valued import RealValued


@dataclass(frozen=True)
class ChiSquared(RealValued):
    """χ²(P‖Q) = Σ_t (P(t) − Q(t))²/Q(t), ∞ where P has an outcome that Q has not; budgets are rationals.

    Two independent releases have (1 + χ²₁)(1 + χ²₂) − 1.

    Source: Gibbs and Su (2002), "On choosing and bounding probability metrics", χ² distance.
    """

    name = "chi_squared"
    caveat = "the bound is on a mean of squares: rare outcomes may reveal much"
    budgets = ("epsilon",)
    is_rational = True
    composition = Composition.PRODUCT_OF_ONE_PLUS

    def distance(self, p: Law[Any], q: Law[Any]) -> Fraction | None:
        """χ²(P‖Q), exact."""
        if any(not q.numeric(t) for t in p):
            return None
        return sum((p.numeric(t) ** 2 / q.numeric(t) for t in p), Fraction(-1))

    def formula(self, pairs: int) -> str:
        return " + ".join([f"p{t}**2/q{t}" for t in range(pairs)]) + " - 1"

    def composed_bound(self, first: Number | None, second: Number | None) -> Number | None:
        """(1 + χ²₁)(1 + χ²₂) − 1, of rational bounds.

        Raises:
            InputError: one of them is irrational.
        """
        if first is None or second is None:
            return None
        one, other = self._rational(first, second)
        return one + other + one * other

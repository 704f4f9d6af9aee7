"""Gaussian differential privacy: trade-off functions bounded by that of two normal laws."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.normal_quantiles import NormalShift
from stirred.spec.numbers.reals.radical_sum import RadicalSum
from stirred.spec.numbers.reals.real import Number, larger
from stirred.spec.output_premetrics.base import Composition
from stirred.spec.output_premetrics.real_valued import RealValued
from stirred.spec.output_premetrics.tradeoff import tradeoff_curve


@dataclass(frozen=True)
class GaussianTradeoff(RealValued):
    """The least μ such that no test of P against Q has more power than one of N(0, 1) against N(μ, 1): μ-GDP.

    The power of the best tests is a piecewise linear function of the level, and that of the normal laws is concave: one
    is below the other iff it is at the corners. So D(P, Q) = max Φ⁻¹(power) − Φ⁻¹(level) over the corners inside, and ∞
    where the supports differ. It is symmetric, since the corners of (Q, P) are (1 − power, 1 − level). It has the
    triangle inequality: a test of level a has at most the power Φ(Φ⁻¹(a) + μ₁) under Q, so Φ(Φ⁻¹(a) + μ₁ + μ₂) under R.

    Source: Dong, Roth and Su (2022), Definition 2.6; composition by Corollary 3.3, groups by Theorem 2.14.
    """

    name = "gaussian"
    aliases = ("gdp",)
    caveat = "the bound is on tests: at small levels it may allow what D_Mult rules out"
    is_symmetric = True
    has_triangle_inequality = True
    budgets = ("mu",)
    composition = Composition.ROOT_SUM_OF_SQUARES

    def distance(self, p: Law[Any], q: Law[Any]) -> Number | None:
        """The least μ, exact; ∞ where the supports differ."""
        largest: Number = Fraction(0)
        for level, power in tradeoff_curve(p, q):
            if level == power:
                continue
            if not level or power == 1:
                return None
            largest = larger(largest, NormalShift(level, power))
        return largest

    def composed_bound(self, first: Number | None, second: Number | None) -> Number | None:
        """√(μ₁² + μ₂²), of rational bounds.

        Raises:
            InputError: one of them is irrational.
        """
        if first is None or second is None:
            return None
        one, other = self._rational(first, second)
        squares = one**2 + other**2
        return RadicalSum({squares: Fraction(1)}, 2).value if squares else Fraction(0)

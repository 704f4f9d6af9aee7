"""Rényi differential privacy of one order."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, exact
from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.radical_sum import LogOfRadicals, RadicalSum
from stirred.spec.numbers.reals.real import Number
from stirred.spec.output_premetrics.real_valued import RealValued

_MOST_ROOT = 1000


@dataclass(frozen=True)
class Renyi(RealValued):
    """D_α(P‖Q) = ln(Σ_t P(t)^α·Q(t)^(1−α))/(α − 1) for one rational order α > 1: (α, ε)-Rényi privacy.

    For a whole α the sum is rational; else it is a sum of roots. Comparisons with rationals and logarithms are decided.

    Source: Mironov (2017), Definitions 3 and 4.
    """

    order: Fraction

    name = "renyi"
    caveat = "the bound is on a Renyi divergence, which may be small where single outcomes reveal much"

    def __post_init__(self) -> None:
        alpha = exact("order", self.order)
        if not 1 < alpha <= _MOST_ROOT or alpha.denominator > _MOST_ROOT:
            raise InputError(
                f"order must be above 1 and at most {_MOST_ROOT}, with a denominator of at most {_MOST_ROOT}; got "
                f"{self.order!r}"
            )
        object.__setattr__(self, "order", alpha)

    def distance(self, p: Law[Any], q: Law[Any]) -> Number | None:
        """D_α(P‖Q), exact; ∞ where P has an outcome that Q has not."""
        if any(not q.numeric(t) for t in p):
            return None
        alpha, terms = self.order, dict[Fraction, Fraction]()
        for t in p:  # p^α·q^(1−α) = p·((p/q)^(a − b))^(1/b) for α = a/b
            first, second = p.numeric(t), q.numeric(t)
            inside = (first / second) ** (alpha.numerator - alpha.denominator)
            terms[inside] = terms.get(inside, Fraction(0)) + first
        total, factor = RadicalSum(terms, alpha.denominator), 1 / (alpha - 1)
        value = total.value
        return LogarithmSum({value: factor}).value if isinstance(value, Fraction) else LogOfRadicals(total, factor)

    def formula(self, pairs: int) -> str:
        excess = self.order - 1
        powers = (f"p{t}*exp({excess}*ln(p{t}/q{t}))" for t in range(pairs))
        if excess.denominator == 1:
            powers = (f"p{t}*(p{t}/q{t})**{excess}" for t in range(pairs))
        return f"ln({' + '.join(powers)})/({excess})"

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        return {"order": self.order}

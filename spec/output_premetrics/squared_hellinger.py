"""The squared Hellinger distance."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.radical_sum import RadicalSum
from stirred.spec.numbers.reals.real import Number
from stirred.spec.output_premetrics.real_valued import RealValued


@dataclass(frozen=True)
class SquaredHellinger(RealValued):
    """H²(P, Q) = 1 − Σ_t √(P(t)·Q(t)), in [0, 1]; budgets are rationals, and a sum of two bounds bounds two releases.

    H, not its square, satisfies the triangle inequality.

    Source: Gibbs and Su (2002), "On choosing and bounding probability metrics", there as d_H² = 2·H².
    """

    name = "squared_hellinger"
    aliases = ("hellinger",)
    caveat = "the bound is on differences of probabilities: what happens on one data set may be impossible on the other"
    is_symmetric = True
    is_infinite_at_total_variation_one = False
    budgets = ("epsilon",)

    def distance(self, p: Law[Any], q: Law[Any]) -> Number:
        """H²(P, Q), exact."""
        terms = {Fraction(1): Fraction(1)}
        for t in p:
            product = p.numeric(t) * q.numeric(t)
            if product:
                terms[product] = terms.get(product, Fraction(0)) - 1
        return RadicalSum(terms, 2).value

    def formula(self, pairs: int) -> str:
        return " - ".join(["1", *(f"sqrt(p{t}*q{t})" for t in range(pairs))])

    @property
    def largest(self) -> Fraction:
        return Fraction(1)

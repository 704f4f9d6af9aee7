"""The Kullback-Leibler divergence."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import Number
from stirred.spec.output_premetrics.real_valued import RealValued


@dataclass(frozen=True)
class KullbackLeibler(RealValued):
    """KL(P‖Q) = Σ_t P(t)·ln(P(t)/Q(t)), ∞ where P has an outcome that Q has not; budgets are nats.

    A sum of rational multiples of logarithms: every comparison with a rational or with a logarithm is decided.

    Source: Kullback and Leibler (1951), (2.4); as privacy, Cuff and Yu (2016), Definition 4.
    """

    name = "kullback_leibler"
    aliases = ("kl",)
    caveat = "the bound is on a mean of log-likelihood ratios: rare outcomes may reveal much"

    def distance(self, p: Law[Any], q: Law[Any]) -> Number | None:
        """KL(P‖Q), exact."""
        if any(not q.numeric(t) for t in p):
            return None
        terms: dict[Fraction, Fraction] = {}
        for t in p:
            first, second = p.numeric(t), q.numeric(t)
            terms[first / second] = terms.get(first / second, Fraction(0)) + first
        return LogarithmSum(terms).value

    def formula(self, pairs: int) -> str:
        return " + ".join(f"p{t}*ln(p{t}/q{t})" for t in range(pairs))

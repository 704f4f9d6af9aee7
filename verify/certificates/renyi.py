"""Rényi divergences in a witness: D_α(P_x‖P_x')/α at one order α, or its limit at 1, beside a bound on D_NoR²."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from stirred.verify.certificates.claim_bound import read_bound, states_bound
from stirred.verify.certificates.decimal_interval import Number
from stirred.verify.certificates.exact_number import WitnessError, exact_number, shown_number
from stirred.verify.certificates.formula import PaidOutward, at_growing_precision
from stirred.verify.certificates.law_pair import read_laws
from stirred.verify.certificates.work import Work

__all__ = ["renyi_sentence"]


def renyi_sentence(witness: Mapping[str, Any], work: Work) -> str:
    """One sentence: by how much the divergence exceeds the bound, the claim's own where there is a claim.

    Raises:
        WitnessError: the witness is malformed, or the divergence does not exceed the bound.

    Source: article, Appendix G: D_NoR² = sup over α > 1 of D_α/α, in both directions.
    """
    law, law_prime = read_laws(witness, work)
    for outcome in law:
        if not law_prime.get(outcome):
            raise WitnessError("law_prime must have every outcome of law, with a positive probability")
    order = None if witness["order"] is None else exact_number("order", witness["order"], work)
    if order is not None and order <= 1:
        raise WitnessError("order must be above 1, or null for the limit at 1")
    if states_bound(witness):
        claim = read_bound(witness, work)
        if claim.measure != "normalized_renyi":
            raise WitnessError("a renyi witness must be of a claim with normalized_renyi")
        work.combine(claim.scalar(), claim.d * claim.d)
        bound, named, at = claim.scalar() * claim.d * claim.d, "rho_squared*d^2", f", at {claim.at}"
    else:
        bound, named, at = exact_number("bound", witness["bound"], work), "bound", ""
    pairs = [(law[outcome], law_prime[outcome]) for outcome in law if law[outcome]]

    def decide(arithmetic: PaidOutward) -> tuple[int, Number]:
        value = _divergence(pairs, order, arithmetic)
        return arithmetic.order(value, bound), value

    sign, value = at_growing_precision(decide, work)
    if sign <= 0:
        raise WitnessError("the claimed inequality holds: the witness refutes nothing")
    false, what = ("false", "KL") if order is None else (f"false at a = {shown_number(order)}", "1/a * D_a")
    sides = f"left {shown_number(value)}, right {shown_number(bound, 30)}"
    return f"{false}: {what}(P_x, P_x') <= {named} ({sides}){at}"


def _divergence(pairs: list[tuple[Fraction, Fraction]], order: Fraction | None, arithmetic: PaidOutward) -> Number:
    """D_α(P‖Q)/α = ln(Σ p^α·q^(1−α))/((α−1)·α), or KL(P‖Q) = Σ p·ln(p/q) in the limit."""
    total: Number = Fraction(0)
    for p, q in pairs:
        if order is None:
            term = arithmetic.multiply(p, arithmetic.ln(arithmetic.divide(p, q)))
        else:
            first = arithmetic.multiply(order, arithmetic.ln(p))
            term = arithmetic.exp(arithmetic.add(first, arithmetic.multiply(1 - order, arithmetic.ln(q))))
        total = arithmetic.add(total, term)
    return total if order is None else arithmetic.divide(arithmetic.ln(total), (order - 1) * order)

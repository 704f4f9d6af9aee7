"""Conversions of ρ² to (ε, δ) that a record states: by which rule its ε follows, and when no rule gives it.

Below the exact ε of Gaussian noise with this ρ² no conversion of ρ² can lie, since that noise has it; what is known
besides, such as ε-DP, may be smaller. Above it every larger ε holds too, so that no number is wrong there.
"""

from __future__ import annotations

from fractions import Fraction

import flint

from stirred.spec.ball import ball_of
from stirred.spec.enclosure import Enclosure, enclose
from stirred.spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.verify.audit.claim_budget import CONVERSION
from stirred.verify.engines.printed_number import Printed, compare
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness

__all__ = ["conversion_evidence", "gaussian_delta", "implication_evidence"]

_RULES = (
    ("the printed formula", zcdp_to_approximate),
    ("the smallest over all Renyi orders", smallest_zcdp_to_approximate),
)


def gaussian_delta(rho_squared: Fraction, epsilon: Fraction) -> Enclosure:
    """The smallest δ for which Gaussian noise with the zCDP budget ρ² > 0 is (ε, δ)-DP, as an enclosure.

    With μ = √(2ρ²) it is Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ).

    Source: Balle and Wang (2018), Theorem 8.

    >>> gaussian_delta(Fraction("0.0728"), Fraction("1.453")).text(3)
    '0.0000128'
    """

    def value() -> flint.arb:
        mu, at = (2 * ball_of(rho_squared)).sqrt(), ball_of(epsilon)
        root = flint.arb(2).sqrt()
        upper, lower = (at / mu - mu / 2) / root, (at / mu + mu / 2) / root
        return (upper.erfc() - at.exp() * lower.erfc()) / 2

    return enclose(value, digits=40)


def _is_pure(epsilon: Printed, least: Fraction, most: Fraction) -> bool:
    """Whether a ρ² from `least` to `most` may be that of ε-DP: ε·tanh(ε/2), as randomized response has, to ε²/2.

    Source: Bun and Steinke (2016), Proposition 1.4.
    """
    low, high = max(epsilon.value - epsilon.half_unit, Fraction(0)), epsilon.value + epsilon.half_unit
    smallest = enclose(lambda: ball_of(low) * (ball_of(low) / 2).tanh())
    return smallest.lower <= most and least <= high**2 / 2


def conversion_evidence(
    where: str, rho: Printed, epsilon: Printed, delta: Printed, *, is_stated: bool = True
) -> Evidence:
    """Whether ε belongs to ρ² at δ.

    ENCLOSED by the printed formula or the smallest conversion; REFUTED where words state that it is converted and it is
    too small for any conversion of any ρ² that rounds to the printed one; OPEN elsewhere.

    Args:
        where: the place, in messages.
        rho: ρ² as printed.
        epsilon: ε as printed.
        delta: δ as printed, in (0, 1).
        is_stated: whether words say that this ε is converted from this ρ², or the two only stand side by side.
    """
    what = f"{where}: epsilon at delta = {delta.text} from rho^2 = {rho.text}"
    by_formula = zcdp_to_approximate(rho.value, delta.value)
    if epsilon.agrees_with(by_formula):
        return compare(epsilon, by_formula, CONVERSION, what, rho2=rho, delta=delta)
    shown = "; ".join(f"{epsilon.like(rule(rho.value, delta.value))} by {name}" for name, rule in _RULES)
    detail = f"{what}: printed {epsilon.text}, recomputed {shown}"
    scope = f"both conversions at rho^2 = {rho.text} and for every rho^2 that rounds to it"
    if epsilon.agrees_with(smallest_zcdp_to_approximate(rho.value, delta.value)):
        return Evidence(Verdict.ENCLOSED, scope, detail)
    low, high = max(rho.value - rho.half_unit, Fraction(0)), rho.value + rho.half_unit
    explained = [
        name
        for name, rule in _RULES
        if rule(low, delta.value).lower <= epsilon.value + epsilon.half_unit
        and rule(high, delta.value).upper >= epsilon.value - epsilon.half_unit
    ]
    if explained:
        reason = f"a rho^2 that rounds to {rho.text} gives it by {' or '.join(explained)}"
        return Evidence(
            Verdict.OPEN,
            scope,
            f"{detail}; {reason}, which the record does not print",
            agrees="by a conversion that the record does not print, of a rho^2 that rounds to the printed one",
        )
    if not is_stated:
        return Evidence(Verdict.OPEN, scope, f"{detail}; nothing says that this epsilon is converted from this rho")
    most = epsilon.value + epsilon.half_unit
    if low == 0 or gaussian_delta(low, max(most, Fraction(0))).lower <= delta.value:
        reason = "another rule, or what is known of the mechanism's noise, may give it; a larger epsilon holds too"
        return Evidence(Verdict.OPEN, scope, f"{detail}; {reason}")
    if _is_pure(epsilon, low, high):
        reason = f"{epsilon.text}-DP has such a rho^2, at most epsilon^2/2, and needs no delta"
        return Evidence(Verdict.OPEN, scope, f"{detail}; {reason}")
    values = {"rho2": rho.value, "delta": delta.value, "printed": epsilon.value, "half_unit": epsilon.half_unit}
    witness = formula_witness(f"{CONVERSION} <= printed + half_unit", note=what, **values)
    return Evidence(Verdict.REFUTED, scope, f"{detail}; not even Gaussian noise has it", witness)


def implication_evidence(key: str, rho: Printed, epsilon: Printed, delta: Printed) -> Evidence:
    """Whether ρ²-zCDP implies (ε, δ)-DP, which a text calls weaker."""
    what = f"{key}: rho^2 = {rho.text} implies ({epsilon.text}, {delta.text})-DP"
    scope = "the two conversions at the printed numbers"
    value = zcdp_to_approximate(rho.value, delta.value)
    smallest = smallest_zcdp_to_approximate(rho.value, delta.value)
    detail = f"{what}: it gives epsilon = {value.text()} by the printed formula, {smallest.text()} by the smallest"
    if min(value.upper, smallest.upper) <= epsilon.value:
        return Evidence(Verdict.ENCLOSED, scope, detail)
    return Evidence(Verdict.OPEN, scope, f"{detail}, neither at most {epsilon.text}")

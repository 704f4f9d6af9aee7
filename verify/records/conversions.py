"""Conversions of ρ² to (ε, δ) that a record states: by which rule its ε follows, and when no rule gives it.

Between the exact ε of Gaussian noise with this ρ² and the ε of the whole Rényi orders a number may be right by a rule
that the record does not name, so it is left open there. Below the first not even Gaussian noise has it; above the
second no conversion in use prints it.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import flint

from spec.ball import ball_of
from spec.enclosure import Enclosure, enclose
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from verify.engines.printed_number import Printed, compare
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness

__all__ = ["conversion_evidence", "gaussian_delta", "implication_evidence", "whole_order_epsilon"]

_FORMULA = "rho2 + 2*sqrt(rho2*ln(1/delta))"
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


def whole_order_epsilon(rho_squared: Fraction, delta: Fraction) -> Enclosure:
    """ε = min of αρ² + ln(1/δ)/(α − 1) over the whole orders α ≥ 2, for ρ² > 0, as an enclosure.

    Source: Mironov (2017), Proposition 3.

    >>> whole_order_epsilon(Fraction(1), Fraction(1, 10**10)).text(6)
    '10.6052'
    """
    log = enclose(lambda: -ball_of(delta).log())
    # the bracket is convex in alpha, with its least value at 1 + sqrt(ln(1/delta)/rho^2)
    middle = 1 + isqrt(int(log.lower / rho_squared))
    values = [
        Enclosure(order * rho_squared + log.lower / (order - 1), order * rho_squared + log.upper / (order - 1))
        for order in range(max(2, middle - 1), middle + 4)
    ]
    return Enclosure(min(value.lower for value in values), min(value.upper for value in values))


def conversion_evidence(
    where: str, rho: Printed, epsilon: Printed, delta: Printed, *, is_stated: bool = True
) -> Evidence:
    """Whether ε belongs to ρ² at δ.

    ENCLOSED by the printed formula or the smallest conversion; REFUTED where words state that it is converted and no
    conversion can give it, for any ρ² that rounds to the printed one; OPEN between.

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
        return compare(epsilon, by_formula, _FORMULA, what, rho2=rho, delta=delta)
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
        return Evidence(Verdict.OPEN, scope, f"{detail}; {reason}, which the record does not print")
    if not is_stated:
        return Evidence(Verdict.OPEN, scope, f"{detail}; nothing says that this epsilon is converted from this rho")
    least, most = epsilon.value - epsilon.half_unit, epsilon.value + epsilon.half_unit
    is_too_small = low > 0 and gaussian_delta(low, max(most, Fraction(0))).lower > delta.value
    if not is_too_small and not (high > 0 and whole_order_epsilon(high, delta.value).upper < least):
        reason = "another rule, or what is known of the mechanism's noise, may give it"
        return Evidence(Verdict.OPEN, scope, f"{detail}; {reason}")
    reason = "not even Gaussian noise has it" if is_too_small else "no whole Renyi order needs so much"
    claimed = f"{_FORMULA} <= printed + half_unit" if is_too_small else f"{_FORMULA} >= printed - half_unit"
    values = {"rho2": rho.value, "delta": delta.value, "printed": epsilon.value, "half_unit": epsilon.half_unit}
    witness = formula_witness(claimed, note=what, **values)
    return Evidence(Verdict.REFUTED, scope, f"{detail}; {reason}", witness)


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

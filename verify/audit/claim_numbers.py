"""The printed numbers of a claim that others determine, each recomputed and compared at its printed precision."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from mechanisms.catalogue import COMPOSITION, SWAPPING
from spec.permutation_swapping import odds, psa_budget
from spec.zcdp import zcdp_to_approximate
from verify.audit.account_file import account_evidence
from verify.audit.budget_cover import cover_evidence
from verify.audit.claim_blocks import BuiltClaim
from verify.audit.claim_budget import ClaimedConversion
from verify.engines.printed_number import Printed, compare, formula_value
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness

__all__ = ["conversion_budgets", "number_evidence"]


def number_evidence(built: BuiltClaim) -> Iterator[Evidence]:
    """What recomputation says of every printed number that others determine.

    These are the budget of permutation swapping by (7), ρ² as a sum and as converted to ε, the numbers that the file
    lists with their formulas, and the total of its account.
    """
    yield from _swapping_numbers(built)
    yield from _zcdp_numbers(built)
    yield from _stated_numbers(built)
    if built.account is not None:
        yield from account_evidence(built.account)


def _stated_numbers(built: BuiltClaim) -> Iterator[Evidence]:
    for check in built.claim.numbers:
        values = {name: number.value for name, number in check.values.items()}
        value = formula_value("formula", check.formula, values)
        yield compare(check.printed, value, check.formula, check.what, **check.values)


def _swapping_numbers(built: BuiltClaim) -> Iterator[Evidence]:
    """The printed budgets of permutation swapping beside (7), and b beside the margins that determine it."""
    mechanism, b = built.mechanism, built.largest_stratum
    if mechanism is None or mechanism.name != SWAPPING or b is None:
        return
    if mechanism.largest_stratum not in (None, b):
        stated = Printed(str(mechanism.largest_stratum), Fraction(mechanism.largest_stratum or 0))
        yield compare(stated, formula_value("b", str(b), {}), str(b), "largest stratum with two distinct records")
    for case in built.cases:
        if case.budget is not None and case.budget.printed is not None:
            yield _formula_evidence(b, case.setting["swap_rate"], case.budget.printed)


def _formula_evidence(b: int, rate: Fraction, printed: Printed) -> Evidence:
    """A printed ε beside (7) of the article, at its printed precision."""
    formula = psa_budget(b, rate)
    what = f"epsilon at b = {b}, p = {rate}"
    if formula.is_infinite:
        witness = formula_witness("p*(1-p) > 0", note="(7) is infinite at p = 0 and p = 1", p=rate)
        detail = f"{what}: printed {printed.text}, (7) gives infinite"
        return Evidence(Verdict.REFUTED, "article, (7)", detail, witness)
    branch = "0"
    values: dict[str, Printed] = {}
    if b > 0:
        values = {"b": Printed(str(b), Fraction(b)), "p": Printed(str(rate), rate)}
        branch = "ln((b+1)*(1-p)/p)" if odds(rate) ** 2 <= b + 1 else "ln(p/(1-p))"
    return compare(printed, formula.epsilon(), branch, what, **values)


def _zcdp_numbers(built: BuiltClaim) -> Iterator[Evidence]:
    mechanism = built.mechanism
    for case in built.cases:
        if case.budget is None or case.budget.rho_squared is None:
            continue
        total = case.budget.rho_squared
        if mechanism is not None and mechanism.name == COMPOSITION:
            formula = " + ".join(str(part.value) for _, part in mechanism.parts)
            shown = " + ".join(part.text for _, part in mechanism.parts)
            yield compare(total, formula_value("parts", formula, {}), formula, f"rho^2 as the sum {shown}")
        if case.budget.converted is not None:
            yield _conversion(total, case.budget.converted)


def _conversion(total: Printed, converted: ClaimedConversion) -> Evidence:
    """A printed ε beside ρ² + 2ρ√(−ln δ)."""
    delta = converted.delta
    what = f"epsilon at delta = {delta.text} converted from rho^2 = {total.text}"
    value = zcdp_to_approximate(total.value, delta.value)
    return compare(converted.printed, value, "rho2 + 2*sqrt(rho2*ln(1/delta))", what, rho2=total, delta=delta)


def conversion_budgets(built: BuiltClaim) -> Iterator[Evidence]:
    """Whether each claimed ε covers what its ρ² converts to."""
    for case in built.cases:
        budget = case.budget
        if budget is None or budget.rho_squared is None or budget.converted is None or budget.converted.epsilon is None:
            continue
        delta = budget.converted.delta
        value = zcdp_to_approximate(budget.rho_squared.value, delta.value)
        what = f"rho^2 + 2 rho sqrt(-ln delta) at rho^2 = {budget.rho_squared.text}, delta = {delta.text}"
        scope = "epsilon, as a number, given that rho^2 is a budget"
        yield cover_evidence(budget.converted.epsilon, value, what, scope)

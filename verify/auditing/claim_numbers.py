"""The printed numbers of a claim that others determine, each recomputed and compared at its printed precision."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from spec.loss import INFINITE, Loss
from spec.permutation_swapping import largest_stratum, odds, psa_budget
from spec.zcdp import zcdp_to_approximate
from verify.auditing.account_file import account_evidence
from verify.auditing.claim_blocks import BuiltClaim
from verify.auditing.claim_budget import THEOREM, ClaimedBudget
from verify.auditing.claim_mechanism import COMPOSITION, SWAPPING, ClaimedMechanism
from verify.evidence import Evidence, formula_witness
from verify.printed_number import Printed, compare, formula_value
from verify.verdict import Verdict

__all__ = ["number_evidence", "swapping_evidence"]


def number_evidence(built: BuiltClaim) -> Iterator[Evidence]:
    """What recomputation says of every printed number that others determine.

    These are the budget of permutation swapping by (7), ρ² as a sum and as converted to ε, the numbers that the file
    lists with their formulas, and the total of its account.
    """
    yield from swapping_evidence(built)
    yield from _zcdp_numbers(built)
    yield from _stated_numbers(built)
    if built.account is not None:
        yield from account_evidence(built.account)


def _stated_numbers(built: BuiltClaim) -> Iterator[Evidence]:
    for check in built.claim.numbers:
        values = {name: number.value for name, number in check.values.items()}
        value = formula_value("formula", check.formula, values)
        yield compare(check.printed, value, check.formula, check.what, **check.values)


def _stratum(built: BuiltClaim, mechanism: ClaimedMechanism) -> int | None:
    """b: from the margins where they are given, else as stated."""
    if built.kind is not None and built.kind.margins is not None:
        return largest_stratum(built.kind.margins)
    return mechanism.largest_stratum


def swapping_evidence(built: BuiltClaim) -> Iterator[Evidence]:
    """The claimed budgets of permutation swapping beside (7), and b beside the margins that determine it."""
    mechanism, budget = built.mechanism, built.budget
    if mechanism is None or mechanism.name != SWAPPING:
        return
    b = _stratum(built, mechanism)
    if mechanism.largest_stratum not in (None, b):
        stated = Printed(str(mechanism.largest_stratum), Fraction(mechanism.largest_stratum or 0))
        yield compare(stated, formula_value("b", str(b), {}), str(b), "largest stratum with two distinct records")
    if b is None or budget is None or not (budget.is_formula or built.kind is None):
        return
    claimed: tuple[Printed | None, ...] = budget.epsilons or (None,) * len(mechanism.swap_rates)
    for rate, epsilon in zip(mechanism.swap_rates, claimed, strict=True):
        yield _formula_evidence(b, rate, epsilon, budget)


def _formula_evidence(b: int, rate: Fraction, epsilon: Printed | None, budget: ClaimedBudget) -> Evidence:
    """A printed ε (or an exact claimed budget) beside (7) of the article."""
    formula = psa_budget(b, rate)
    what = f"epsilon at b = {b}, p = {rate}"
    scope = "article, (7)"
    if epsilon is None:
        claimed = INFINITE if budget.gamma is None else Loss(budget.gamma)
        verdict = Verdict.EXHAUSTED if formula <= claimed else Verdict.OPEN
        return Evidence(verdict, scope, f"{what}: claimed {claimed}, (7) gives {formula}")
    if formula.is_infinite:
        witness = formula_witness("p*(1-p) > 0", note="(7) is infinite at p = 0 and p = 1", p=rate)
        return Evidence(Verdict.REFUTED, scope, f"{what}: printed {epsilon.text}, (7) gives infinite", witness)
    branch = "0"
    values: dict[str, Printed] = {}
    if b > 0:
        values = {"b": Printed(str(b), Fraction(b)), "p": Printed(str(rate), rate)}
        branch = "ln((b+1)*(1-p)/p)" if odds(rate) ** 2 <= b + 1 else "ln(p/(1-p))"
    evidence = compare(epsilon, formula.epsilon(), branch, what, **values)
    if evidence.verdict is not Verdict.REFUTED or budget.is_formula:
        return evidence
    if formula.epsilon().upper <= epsilon.value:
        detail = f"{what}: claimed {epsilon.text}, which covers (7), {formula.epsilon().text()}"
        return Evidence(Verdict.ENCLOSED, evidence.scope, detail)
    detail = f"{what}: claimed {epsilon.text}, below (7), {formula.epsilon().text()}: {THEOREM} does not give it"
    return Evidence(Verdict.OPEN, evidence.scope, detail)


def _zcdp_numbers(built: BuiltClaim) -> Iterator[Evidence]:
    budget, mechanism = built.budget, built.mechanism
    if budget is None or budget.rho_squared is None:
        return
    total = budget.rho_squared
    if mechanism is not None and mechanism.name == COMPOSITION:
        formula = " + ".join(str(part.value) for _, part in mechanism.parts)
        shown = " + ".join(part.text for _, part in mechanism.parts)
        yield compare(total, formula_value("parts", formula, {}), formula, f"rho^2 as the sum {shown}")
    if budget.converted is not None:
        printed, delta = budget.converted
        yield _conversion(total, printed, delta)


def _conversion(total: Printed, printed: Printed, delta: Printed) -> Evidence:
    """A printed ε beside ρ² + 2ρ√(−ln δ)."""
    what = f"epsilon at delta = {delta.text} converted from rho^2 = {total.text}"
    value = zcdp_to_approximate(total.value, delta.value)
    return compare(printed, value, "rho2 + 2*sqrt(rho2*ln(1/delta))", what, rho2=total, delta=delta)

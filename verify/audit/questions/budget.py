"""Is the claimed budget met, exceeded, or not decidable here? Every answer decides."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.permutation_swapping import psa_budget
from stirred.verify.audit.account_answers import account_budgets
from stirred.verify.audit.claim_exhaustion import Exhaustion
from stirred.verify.audit.claim_numbers import conversion_budgets
from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.claim_witness import with_claim
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.swapping_theorem import swapping_theorem
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.claim.budget_cover import covers, shortfall
from stirred.verify.claim.claim import Case, PrivacyClaim
from stirred.verify.claim.mechanism import ClaimedMechanism
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    for case, found in claim.tried:
        yield Answer("budget", with_claim(_budget(built, case, found), built, case.budget))
    yield from (Answer("budget", evidence) for evidence in conversion_budgets(built))
    if built.account is not None:
        yield from (Answer("budget", evidence) for evidence in account_budgets(built.account))


def _budget(built: PrivacyClaim, case: Case, found: Exhaustion | None) -> Evidence:
    budget, mechanism = case.budget, built.mechanism
    if budget is None:
        return Evidence(Verdict.OPEN, "the claim file", "no budget is stated in numbers")
    if found is not None:
        return found.test(budget)
    if mechanism is None or mechanism.name != SWAPPING or built.kind is not None:
        return Evidence(Verdict.OPEN, "the claim file", "not decidable here: see the mechanism")
    return _by_theorem(built, mechanism, case.setting["swap_rate"], budget)


def _by_theorem(built: PrivacyClaim, mechanism: ClaimedMechanism, rate: Fraction, budget: ClaimedBudget) -> Evidence:
    """Whether the claimed budget, as the number that it is, covers the theorem's."""
    theorem, b = swapping_theorem(built, mechanism), built.largest_stratum
    if theorem.verdict is not Verdict.PROVED or b is None:
        return Evidence(Verdict.OPEN, theorem.scope, f"not decidable here: {theorem.detail}")
    formula, at = psa_budget(b, rate), f"at b = {b}, p = {rate}"
    if budget.is_formula and budget.epsilon is None:
        return Evidence(Verdict.PROVED, theorem.scope, f"met: the claimed budget is (7) itself, {formula}, {at}")
    covered = covers(budget, formula)
    if covered:
        verdict = Verdict.ENCLOSED if budget.loss is None else Verdict.PROVED
        return Evidence(verdict, theorem.scope, f"met: the claimed {budget.text} covers (7), {formula}, {at}")
    if covered is None:
        return Evidence(Verdict.OPEN, theorem.scope, f"{budget.text} and (7), {formula}, {at}, agree to 48 digits")
    below = f"is below (7), {formula}, {at}, by {shortfall(budget, formula)}"
    return Evidence(Verdict.OPEN, theorem.scope, f"not shown: the claimed {budget.text} {below}")


QUESTION = AuditQuestion("budget", _answers)

"""Questions that decide: what is shown of the printed numbers, the account, the mechanism and its budget?"""

from collections.abc import Iterator
from fractions import Fraction

from stirred.mechanisms.catalogue import COMPOSITION, SWAPPING
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.claim_numbers import account_budgets, account_steps, conversion_budgets, number_evidence
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, Exhaustion
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.refutation import with_claim
from stirred.verify.claim.budget import THEOREM, ClaimedBudget
from stirred.verify.claim.budget_cover import covers, shortfall
from stirred.verify.claim.claim import Case, PrivacyClaim
from stirred.verify.claim.mechanism import ClaimedMechanism
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import proofs_of


def swapping_theorem(built: PrivacyClaim, mechanism: ClaimedMechanism) -> Evidence:
    """PROVED: (7) is a budget of the mechanism; OPEN with what differs, or where nothing is proved."""
    name, resolution = built.input_premetric
    differs = []
    if built.output_premetric != Multiplicative():
        differs.append("the output premetric is multiplicative")
    if name != "hamming_unordered":
        differs.append("the input premetric is hamming_unordered")
    if "swapping" not in built.invariants:
        differs.append("'swapping' is among the invariants")
    if mechanism.resolution is not None and mechanism.resolution != resolution:
        differs.append(f"the resolution is that of the swapped records, {mechanism.resolution}")
    if differs:
        return Evidence(Verdict.OPEN, f"{THEOREM}", f"{THEOREM} holds only where {'; '.join(differs)}")
    proofs = proofs_of(THEOREM)
    if not proofs:
        return Evidence(
            Verdict.OPEN,
            THEOREM,
            f"{THEOREM}, which gives (7), has no proof in this installation",
        )
    return Evidence(Verdict.PROVED, proofs[0].scope, f"{THEOREM}: (7) is a budget of permutation swapping")


def _account(claim: ClaimUnderAudit) -> Iterator[Answer]:
    if claim.built.account is not None:
        yield Answer("account", account_steps(claim.built.account, claim.parts))


ACCOUNT = AuditQuestion("account", _account)


def _numbers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    found = False
    for evidence in number_evidence(claim.built):
        found = True
        yield Answer("numbers", evidence)
    if not found and claim.built.account is None:
        detail = "nothing to recompute: no stated number is determined by the others"
        yield Answer("numbers", Evidence(Verdict.OPEN, "the numbers of the claim", detail), decides=False)


NUMBERS = AuditQuestion("numbers", _numbers)


def _mechanism(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built, mechanism = claim.built, claim.built.mechanism
    if built.is_about_numbers_only:
        return
    if mechanism is None:
        detail = "no mechanism is named, so nothing is shown about one"
        yield Answer("mechanism", Evidence(Verdict.OPEN, "the claim file", detail))
        return
    theorem = swapping_theorem(built, mechanism) if mechanism.name == SWAPPING else None
    exhausted = [found for _, found in claim.tried if found is not None]
    if exhausted:
        # what draws show of a mechanism is never enough: whether they refute the budget decides
        yield from (Answer("mechanism", one.finding, decides=one.settles is not Verdict.OPEN) for one in exhausted)
        if theorem is not None and theorem.verdict is Verdict.PROVED:
            yield Answer("mechanism", theorem, decides=False)
    elif theorem is not None and built.kind is None:
        yield Answer("mechanism", theorem)
    else:
        yield Answer("mechanism", Evidence(Verdict.OPEN, "the claim file", _why_open(built, mechanism)))


def _why_open(built: PrivacyClaim, mechanism: ClaimedMechanism) -> str:
    if mechanism.name == COMPOSITION:
        return "the parts are budgets whose mechanisms are not in the claim, so nothing is shown of them"
    if mechanism.command:
        return f"{mechanism.name}: a command is a black box; stirred audit --sampled draws from it"
    if built.data is None:
        return f"{mechanism.name}: a finite domain, multiverse and input premetric are needed to exhaust it"
    return f"{mechanism.name}: an output premetric is needed to measure it"


MECHANISM = AuditQuestion("mechanism", _mechanism)


def _budget(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    for case, found in claim.tried:
        yield Answer("budget", with_claim(_met(built, case, found), built, case.budget))
    yield from (Answer("budget", evidence) for evidence in conversion_budgets(built))
    if built.account is not None:
        yield from (Answer("budget", evidence) for evidence in account_budgets(built.account))


def _met(built: PrivacyClaim, case: Case, found: Exhaustion | None) -> Evidence:
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


BUDGET = AuditQuestion("budget", _budget)

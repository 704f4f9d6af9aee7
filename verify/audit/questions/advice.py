"""Questions that decide nothing: the smallest delta, and what makes a number small without more noise."""

from collections.abc import Iterable, Iterator

from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.weakening.detector import MAX_EXAMINED, Detection, Detector, ExaminedClaim
from stirred.verify.audit.weakening.detectors import in_account, in_claim
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.smallest_delta import delta_text, needed_delta
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.lines import counted


def _delta(claim: ClaimUnderAudit) -> Iterator[Answer]:
    flavor = claim.built.flavor
    if flavor is None or not isinstance(flavor.output_premetric, ApproximateMultiplicative):
        return
    if len(flavor.domain) > MAX_EXAMINED:
        return
    for case, found in claim.tried:
        if found is None or found.laws is None or case.budget is None:
            continue
        compared = ComparedLaws(found.laws, flavor, pairs=claim.pairs)
        yield Answer("delta", _smallest(compared, case.budget, found.scope), decides=False)


def _smallest(compared: ComparedLaws, budget: ClaimedBudget, scope: str) -> Evidence:
    claimed = budget.loss if budget.loss is not None or budget.epsilon is None else budget.epsilon.value
    if claimed is None:
        return Evidence(Verdict.OPEN, scope, "no epsilon is stated")
    needed = needed_delta(compared, claimed)
    smallest, pair = needed.delta, needed.pair
    place = "" if pair is None else f", needed by x = {pair[0]}, x' = {pair[1]}"
    sentence = f"the smallest delta at {budget.text} is {delta_text(smallest)}{place}"
    if needed.farthest > 1:
        sentence += (
            f"; distances up to {needed.farthest} multiply epsilon and leave delta: (epsilon, delta) for neighbours "
            "alone gives delta*(e^(k*epsilon) - 1)/(e^epsilon - 1) at distance k"
        )
    return Evidence(Verdict.ENCLOSED if isinstance(smallest, Enclosure) else Verdict.EXHAUSTED, scope, sentence)


DELTA = AuditQuestion("delta", _delta, is_advice=True)


def _weakening(claim: ClaimUnderAudit) -> Iterator[Answer]:
    flavor, account = claim.built.flavor, claim.built.account
    exhausted = [(case, found.laws) for case, found in claim.tried if found is not None and found.laws is not None]
    if flavor is not None and exhausted:
        size = counted(len(flavor.domain), "data set" if claim.built.pufferfish is None else "belief")
        if claim.built.pufferfish is not None:
            detail = "not looked for: it is on data sets; these are beliefs about them"
            yield Answer("weakening", Evidence(Verdict.OPEN, size, detail), decides=False)
        elif len(flavor.domain) > MAX_EXAMINED:
            detail = f"not looked for: it is on at most {MAX_EXAMINED} data sets; these are {len(flavor.domain)}"
            yield Answer("weakening", Evidence(Verdict.OPEN, size, detail), decides=False)
        else:
            shown = [one for case, laws in exhausted for one in in_claim(ExaminedClaim(flavor, laws, case.budget))]
            yield from _lines(shown, f"every pair of {size}, exact laws, as under mechanism")
    if account is not None:
        yield from _lines(in_account(account), "the releases of the account")


def _lines(found: Iterable[tuple[Detector, Detection]], scope: str) -> Iterator[Answer]:
    """Two answers for each finding, which several settings of a mechanism may share."""
    for detector, detection in dict.fromkeys(found):
        for name, evidence in detection.lines(detector.name, scope):
            yield Answer(name, evidence, decides=False, is_remark=True)


WEAKENING = AuditQuestion("weakening", _weakening, beside="meaning", is_advice=True)

"""What is the smallest delta at the claimed epsilon? It informs about approximate privacy, and decides nothing."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.spec.enclosure import Enclosure
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.weakening.detector import MAX_EXAMINED
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.smallest_delta import delta_text, needed_delta
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
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


QUESTION = AuditQuestion("delta", _answers, is_advice=True)

"""What is proved or exhausted about the mechanism, at each of its settings?"""

from __future__ import annotations

from collections.abc import Iterator

from stirred.mechanisms.catalogue import COMPOSITION, SWAPPING
from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.swapping_theorem import swapping_theorem
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.claim.mechanism import ClaimedMechanism
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
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


QUESTION = AuditQuestion("mechanism", _answers)

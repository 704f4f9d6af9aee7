"""Do the printed numbers agree with each other?"""

from __future__ import annotations

from collections.abc import Iterator

from stirred.verify.audit.claim_numbers import number_evidence
from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    found = False
    for evidence in number_evidence(claim.built):
        found = True
        yield Answer("numbers", evidence)
    if not found and claim.built.account is None:
        detail = "nothing to recompute: no stated number is determined by the others"
        yield Answer("numbers", Evidence(Verdict.OPEN, "the numbers of the claim", detail), decides=False)


QUESTION = AuditQuestion("numbers", _answers)

"""Are any data sets compared at all? Where none are, every mechanism satisfies the claim."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.vacuity import claim_vacuity
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.reports.lines import counted

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    if built.is_about_numbers_only:
        return
    found = claim_vacuity(built, claim.pairs)
    yield Answer("vacuity", found.evidence(_scope(built)), decides=found.is_vacuous is True)


def _scope(built: PrivacyClaim) -> str:
    if built.data is None and built.swapping_margins is None:
        return "a domain or multiverse in words cannot be listed"
    if built.pufferfish is not None:
        return f"every pair of the {counted(len(built.pufferfish.domain), 'belief')}"
    return f"every pair of the {'0' if built.kind is None else built.kind.size_text} data sets"


QUESTION = AuditQuestion("vacuity", _answers)

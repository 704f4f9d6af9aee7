"""Were the records looked at that the claim is about?"""

from __future__ import annotations

from collections.abc import Iterator

from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.swapped.stated import claimed_columns
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    columns = claimed_columns(claim.built)
    if columns is None:
        return
    roles = {"matched": columns.matching, "held": columns.holding, "swapped": columns.swapping}
    said = "; ".join(f"{', '.join(names)} {role}" for role, names in roles.items() if names)
    detail = (
        f"no records were read: that b = {claim.built.largest_stratum}, with {said}, is the claim's word; "
        "stirred audit CLAIM --data ORIGINAL SWAPPED compares it with them"
    )
    yield Answer("data", Evidence(Verdict.OPEN, "the claim file", detail), decides=False)


QUESTION = AuditQuestion("data", _answers)

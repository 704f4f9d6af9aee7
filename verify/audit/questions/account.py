"""How does the account come to its total, where the claim has one?"""

from __future__ import annotations

from collections.abc import Iterator

from stirred.verify.audit.account_answers import account_steps
from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    if claim.built.account is not None:
        yield Answer("account", account_steps(claim.built.account, claim.parts))


QUESTION = AuditQuestion("account", _answers)

"""Are all five blocks stated, and which of them in words only?"""

from __future__ import annotations

from collections.abc import Iterator

from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.claim.five_blocks import Stated
from stirred.verify.claim.in_words import five_blocks
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    if claim.built.is_about_numbers_only:
        return
    blocks = five_blocks(claim.built)
    missing, words = blocks.named(Stated.NOT), blocks.named(Stated.IN_WORDS)
    if blocks.input_premetric.stated is not Stated.NOT and claim.built.input_premetric[1] is None:
        missing.append("the resolution of the input_premetric")
    scope = "the five blocks of the claim"
    in_words = f"; in words only: {', '.join(words)}" if words else ""
    if missing:
        yield Answer("complete", Evidence(Verdict.OPEN, scope, f"not stated: {', '.join(missing)}{in_words}"))
    elif set(words) - {"domain"}:
        yield Answer("complete", Evidence(Verdict.OPEN, scope, f"all five blocks are named{in_words}"))
    else:
        detail = f"all five blocks are stated{in_words}"
        yield Answer("complete", Evidence(Verdict.EXHAUSTED, scope, detail), decides=False)


QUESTION = AuditQuestion("complete", _answers)

"""What makes the stated budget smaller without more noise? It says what the number means, not its verdict."""

from __future__ import annotations

from collections.abc import Iterator

from verify.audit.claim_under_audit import ClaimUnderAudit
from verify.audit.question import Answer, AuditQuestion
from verify.audit.weakening.detector import MAX_EXAMINED, ExaminedClaim
from verify.audit.weakening.detectors import in_claim
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.reports.lines import counted

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    flavor = claim.built.flavor
    if flavor is None:
        return
    size = counted(len(flavor.domain), "data set")
    seen = set()
    for case, found in claim.tried:
        if found is None or found.laws is None:
            continue
        if len(flavor.domain) > MAX_EXAMINED:
            detail = f"not looked for: it is on at most {MAX_EXAMINED} data sets; these are {len(flavor.domain)}"
            yield Answer("weakening", Evidence(Verdict.OPEN, size, detail), decides=False)
            return
        for detector, detection in in_claim(ExaminedClaim(flavor, found.laws, case.budget)):
            if detection not in seen:
                seen.add(detection)
                for name, evidence in detection.lines(
                    detector.name, f"every pair of {size}, exact laws, as under mechanism"
                ):
                    yield Answer(name, evidence, decides=False)


QUESTION = AuditQuestion("weakening", _answers, beside="meaning")

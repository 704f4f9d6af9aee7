"""What makes the stated budget smaller without more noise? It says what the number means, not its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.weakening.detector import MAX_EXAMINED, Detection, Detector, ExaminedClaim
from stirred.verify.audit.weakening.detectors import in_account, in_claim
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.lines import counted

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
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


QUESTION = AuditQuestion("weakening", _answers, beside="meaning", is_advice=True)

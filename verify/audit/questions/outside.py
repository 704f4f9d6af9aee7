"""What does the claim not cover?"""

from __future__ import annotations

from collections.abc import Iterator

from stirred.spec.pufferfish import Pufferfish
from stirred.verify.audit.claim_under_audit import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.lines import counted

__all__ = ["QUESTION"]


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    if built.is_about_numbers_only:
        return
    parts = []
    if built.invariants:
        names = ", ".join(" x ".join(entry) if isinstance(entry, tuple) else str(entry) for entry in built.invariants)
        described = built.words["multiverse"]
        more = f", in the claim's words {described!r}" if described else ""
        parts.append(f"nothing is claimed about the invariants, which may be released exactly: {names}{more}")
    elif built.lists_universes:
        parts.append("data sets that share no universe are not compared")
    if built.pufferfish is not None:
        parts.append(_beliefs(built.pufferfish))
    if built.kind is not None:
        parts.append("data sets outside the finite domain were not tried")
    resolution = built.input_premetric[1]
    if resolution is not None and built.pufferfish is None:
        parts.append(f"the unit is one {resolution}: whoever contributes more than one is not covered at this budget")
    if built.mechanism is not None:
        parts.append("of a run only its output is compared, and not how long it takes")
    parts.append("other releases from the same data add to the loss")
    yield Answer("outside", Evidence(Verdict.OPEN, "not part of the claim", "; ".join(parts)), decides=False)


def _beliefs(pufferfish: Pufferfish) -> str:
    """Of whom and of what nothing is claimed."""
    said = "an attacker with another prior than those listed, and conjectures that no pair names, are not covered"
    for attacker, conjecture in pufferfish.undefined[:1]:
        more = len(pufferfish.undefined) - 1
        others = f" and {counted(more, 'other')}" if more else ""
        said += f"; pairs with undefined conditionals are left out: {attacker} given {conjecture}{others}"
    return said


QUESTION = AuditQuestion("outside", _answers)

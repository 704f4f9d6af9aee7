"""Questions about the blocks: are they stated, do they compare anything, what is outside, were records read?"""

from collections.abc import Iterator

from stirred.spec.flavors.pufferfish import Pufferfish
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.swapped.stated import claimed_columns
from stirred.verify.audit.vacuity import claim_vacuity
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.claim.five_blocks import Stated, five_blocks
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.lines import counted


def _complete(claim: ClaimUnderAudit) -> Iterator[Answer]:
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


COMPLETE = AuditQuestion("complete", _complete)


def _vacuity(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    if built.is_about_numbers_only:
        return
    found = claim_vacuity(built, claim.pairs)
    yield Answer("vacuity", found.evidence(_every_pair(built)), decides=found.is_vacuous is True)


def _every_pair(built: PrivacyClaim) -> str:
    if built.data is None and built.swapping_margins is None:
        return "a domain or multiverse in words cannot be listed"
    if built.pufferfish is not None:
        return f"every pair of the {counted(len(built.pufferfish.domain), 'belief')}"
    return f"every pair of the {'0' if built.kind is None else built.kind.size_text} data sets"


VACUITY = AuditQuestion("vacuity", _vacuity)


def _outside(claim: ClaimUnderAudit) -> Iterator[Answer]:
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


OUTSIDE = AuditQuestion("outside", _outside)


def _data(claim: ClaimUnderAudit) -> Iterator[Answer]:
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


DATA = AuditQuestion("data", _data)

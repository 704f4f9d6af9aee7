"""Do the claim's own words say what its blocks say? Nothing holds above words that differ, or that nothing compares.

Words never refute: that they were read as their authors mean them is not shown. Where they differ from the blocks, or
state a number that may be the budget and that nothing compares, it is open which of the two is claimed.
"""

from collections.abc import Iterator

from stirred.verify.audit.compared_words import (
    ComparedWords,
    compared_numbers,
    compared_promises,
    contradicting_numbers,
    promises,
)
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.stated_facts import StatedFacts, facts_of
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

_LONGEST = 10_000
_SCOPE = "numbers and promises in the words of the statement; the rest of the words is quoted, not checked"


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    compared = compared_words(claim.built)
    if compared is None:
        return
    needed = "; ".join(dict.fromkeys(found.needed for _, found in claim.tried if found is not None))
    evidence = words_evidence(compared, needed)
    decides = bool(compared.differing)
    yield Answer("words", evidence, decides=decides, is_remark=bool(compared.left) and not decides)


def compared_words(built: PrivacyClaim) -> ComparedWords | None:
    """The words of a claim beside its blocks; None where it has none of its own, being made in Python."""
    if built.file is None:
        return None
    facts = facts_of(built)
    compared = words_of(built.statement, facts)
    beside = {"the id": built.id.replace("_", " ").replace("-", " "), "the source": built.source}
    beside |= {f"the {name}": text for name, text in built.words.items()}
    for where, text in beside.items():
        if len(text) > _LONGEST:
            compared += ComparedWords(left=(f"{where}, of more than {_LONGEST} characters",))
            continue
        compared += contradicting_numbers(text, facts, where)
        compared += ComparedWords(differing=tuple(f"{where}: {one}" for one in promises(text, facts)))
    return compared


def words_of(statement: str, facts: StatedFacts) -> ComparedWords:
    """A statement beside what the blocks state."""
    if len(statement) > _LONGEST:
        return ComparedWords(differing=(f"the words have more than {_LONGEST} characters, and are not read",))
    return compared_numbers(statement, facts) + compared_promises(statement, facts)


def words_evidence(compared: ComparedWords, needed: str = "") -> Evidence:
    """What was compared, what differs, and what nothing compares.

    Args:
        compared: the words and the blocks.
        needed: the smallest budget of the mechanism, where it was computed.
    """
    agreeing = f"compared: {', '.join(compared.agreeing)}" if compared.agreeing else ""
    left = f"not compared: {', '.join(compared.left)}" if compared.left else ""
    if compared.differing:
        of_mechanism = f"the smallest budget of this mechanism: {needed}" if needed else ""
        parts = ("; ".join(compared.differing), of_mechanism, agreeing, left)
        return Evidence(Verdict.OPEN, _SCOPE, "; ".join(part for part in parts if part))
    if not compared.agreeing:
        nothing = "the words state no number and promise nothing that the blocks state"
        return Evidence(Verdict.OPEN, _SCOPE, "; ".join(part for part in (nothing, left) if part))
    return Evidence(Verdict.EXHAUSTED, _SCOPE, "; ".join(part for part in (agreeing, left) if part))


WORDS = AuditQuestion("words", _answers)

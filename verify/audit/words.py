"""Do the claimant's words differ from the blocks? Nothing holds above words that differ, and nothing because of them.

Words never refute: that they were read as their authors mean them is not shown. Where they differ from the blocks, or
assign a number to a budget that is not read, it is open which of the two is claimed. All else that they say is not
checked, and shown as such under the program's own sentence.
"""

import re
from collections.abc import Iterator
from unicodedata import category, numeric

from stirred.verify.audit.compared_words import (
    ComparedWords,
    absolute_promises,
    compared_numbers,
    contradicting_numbers,
    description_promises,
    differing_promises,
)
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.stated_facts import StatedFacts, facts_of
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.prose.phrases import SIGNS
from stirred.verify.prose.stated_numbers import BUDGETS, plain_tokens
from stirred.verify.prose.tokens import Kind

_LONGEST = 10_000
_NONE = re.compile(
    r"\b(?:(?:nothing|none)\b(?!\s+(?:else|more|besides|further|other))|no\s+(?:invariant|count|margin|total|statistic)s?\b)",
    re.IGNORECASE,
)
_SCOPE = "numbers in digits that the words name, and promises that the blocks contradict"


def _answers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    compared = compared_words(claim.built)
    if compared is None:
        return
    needed = "; ".join(dict.fromkeys(found.needed for _, found in claim.tried if found is not None))
    differs = bool(compared.differing)
    yield Answer("words", words_evidence(compared, needed), decides=differs, is_fact=not differs)


def compared_words(built: PrivacyClaim) -> ComparedWords | None:
    """The words of a claim beside its blocks; None where it has none of its own, being made in Python."""
    if built.file is None:
        return None
    facts = facts_of(built)
    compared = words_of(built.statement, facts)
    beside = {"id": built.id.replace("_", " ").replace("-", " "), "source": built.source, **built.words}
    for where, text in beside.items():
        if len(text) <= _LONGEST:
            promised = absolute_promises if where in ("id", "source") else description_promises
            differing = (*contradicting_numbers(text, facts), *_unread(text), *promised(text, facts))
            compared += ComparedWords(differing=tuple(f"the {where}: {one}" for one in differing))
    denied = _NONE.search(built.words.get("multiverse", "")[:_LONGEST])
    if denied is not None and built.invariants:
        kept = ", ".join(map(str, built.invariants))
        compared += ComparedWords(
            differing=(f"the multiverse: the words say {denied[0]!r}, its invariants are {kept}",)
        )
    return compared


def words_of(statement: str, facts: StatedFacts) -> ComparedWords:
    """A statement beside what the blocks state."""
    if len(statement) > _LONGEST:
        return ComparedWords(differing=(f"the words have more than {_LONGEST} characters, and are not read",))
    numbers = compared_numbers(statement, facts)
    differing = tuple(dict.fromkeys((*numbers.differing, *_unread(statement), *differing_promises(statement, facts))))
    return ComparedWords(() if differing else numbers.compared, differing)


def words_evidence(compared: ComparedWords, needed: str = "") -> Evidence:
    """OPEN: what differs, and which digits were compared; no words support a claim.

    Args:
        compared: the words and the blocks.
        needed: the smallest budget of the mechanism, where it was computed.
    """
    said = list(compared.differing)
    if said and needed:
        said.append(f"the smallest budget of this mechanism: {needed}")
    elif not said and compared.compared:
        said.append(f"of the words the digits alone were compared: {', '.join(compared.compared)}")
    said.append(f"the {'rest of the words is' if said else 'words are'} not checked")
    return Evidence(Verdict.OPEN, _SCOPE, "; ".join(said))


def _unread(text: str) -> Iterator[str]:
    """What the words assign to a budget in signs that are not read, as in ε = 1_0 or ε ≪ 1."""
    written, found = plain_tokens(text)
    for index, token in enumerate(found):
        place = index + (3 if [one.text for one in found[index + 1 : index + 3]] == ["^", "2"] else 1)
        if token.kind is not Kind.LETTER or token.text not in BUDGETS or place + 1 >= len(found):
            continue
        sign, number, *after = found[place : place + 3]
        if category(sign.text[0]) != "Sm" or sign.text in "+|":
            continue
        rest = after[0] if after and after[0].follows(number) and after[0].kind is not Kind.LETTER else None
        is_longer = rest is not None and (rest.text == "_" or rest.text[0].isalnum())
        is_odd = sign.text not in SIGNS or is_longer
        if is_odd if number.kind is Kind.NUMBER else numeric(number.text[0], None) is not None:
            said = written[token.start : number.start] + written[number.start :].split()[0].rstrip(".,;:")
            yield f"the words say {said!r}, which is not read"


WORDS = AuditQuestion("words", _answers)

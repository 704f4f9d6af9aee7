"""Do the claimant's words differ from the blocks? Nothing holds above words that differ, and nothing because of them.

Words never refute: that they were read as their authors mean them is not shown. Where a budget that they name in digits
differs from the blocks, or is not read, it is open which of the two is claimed. Descriptions differ too where all that
they say is another unit than the resolution, or that nothing is invariant. All else is not checked, and stands under
the program's own sentence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.stated_facts import Fact, facts_of
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.statement_text.stated_numbers import StatedNumber, stated_numbers

_LONGEST = 10_000
_NONE = re.compile(r"\W*((?:there are )?no invariants?|nothing is (?:held )?invariant)\W*", re.IGNORECASE)
_UNITS = {
    "person": "persons?|people|individuals?|voters?|patients?|users?|respondents?|students?|employees?|customers?",
    "household": "households?|famil(?:y|ies)",
    "device": "devices?",
    "establishment": "establishments?|business(?:es)?|compan(?:y|ies)|schools?|hospitals?|firms?",
}
_EACH = rf"(?:each|every|per|any|a single) (?:{'|'.join(_UNITS.values())})"
_ONLY_EACH = re.compile(rf"\W*(?:(?:one record )?for )?({_EACH})(?: is one record)?\W*", re.IGNORECASE)
_LETTERS = {"ρ": ("ρ",), "ε": ("ε",), "budget": ("ε", "ρ", "γ", "μ")}
_SCOPE = "numbers in digits that the words name as a budget"


@dataclass(frozen=True)
class ComparedWords:
    """What a comparison of words with blocks found, each as a phrase; the rest of the words is not checked.

    Attributes:
        compared: budgets in digits that the words name, each with the block that has it too.
        differing: what they say otherwise, or what is not read: nothing holds above these.
    """

    compared: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()


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
    named = built.id.replace("_", " ").replace("-", " ")
    resolution = built.input_premetric[1]
    texts = {"": built.statement, "id": named, "source": built.source, "resolution": resolution or "", **built.words}
    compared = words_of(texts, facts_of(built))
    if resolution is None and built.account is not None and built.account.whole is not None:
        resolution = built.account.whole.flavor.unit
    differing = [*compared.differing]
    each = _ONLY_EACH.fullmatch(" ".join(built.words.get("input_premetric", "").split()))
    if each is not None and (units := _units(resolution or "")) and units.isdisjoint(_units(each[1])):
        differing.append(
            f"the input_premetric: the words speak of {each[1].lower()!r}, the resolution is one {resolution}"
        )
    denied = _NONE.fullmatch(" ".join(built.words.get("multiverse", "").split()))
    if denied is not None and built.invariants:
        kept = ", ".join(map(str, built.invariants))
        differing.append(f"the multiverse: the words say {denied[1]!r}, its invariants are {kept}")
    return ComparedWords(() if differing else compared.compared, tuple(dict.fromkeys(differing)))


def words_of(texts: Mapping[str, str], facts: Sequence[Fact]) -> ComparedWords:
    """Texts beside the budgets that the blocks state.

    Args:
        texts: by the place that a difference is said to be at; the statement by "".
        facts: from `stated_facts`.
    """
    read = [(where, one) for where, text in texts.items() for one in stated_numbers(text[:_LONGEST])]
    agreeing = {one: [fact for fact in facts if _is_of(fact, one) and _agrees(one, fact)] for _, one in read}
    is_stated = any(fact.is_main and fact.name != "δ" for found in agreeing.values() for fact in found)
    differing = [
        f"{f'the {where}: ' if where else ''}the words have more than {_LONGEST} characters, and are not read"
        for where, text in texts.items()
        if len(text) > _LONGEST
    ]
    compared = []
    for where, one in read:
        difference = _difference(one, agreeing[one], facts, is_stated=is_stated)
        if difference:
            differing.append(f"{f'the {where}: ' if where else ''}{difference}")
        elif not where and agreeing[one]:
            same = (fact for fact in agreeing[one] if _agrees(replace(one, bound=""), fact))
            compared.append(f"{one.words!r} with {next(same, agreeing[one][0]).text}")
    return ComparedWords(() if differing else tuple(dict.fromkeys(compared)), tuple(dict.fromkeys(differing)))


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


def _difference(one: StatedNumber, agreeing: Sequence[Fact], facts: Sequence[Fact], *, is_stated: bool) -> str:
    """What a number says otherwise than the blocks; empty where it doesn't, or where it need not be theirs.

    Beside the claim's own budget another letter may be what it converts to, and one with a subscript a part of it.
    """
    if one.value is None:
        return f"the words say {one.words!r}, which is not read"
    own = list(dict.fromkeys(fact.text for fact in facts if fact.is_main and _is_of(fact, one)))
    if any(fact.is_main for fact in agreeing) or (agreeing and (not own or is_stated)):
        return ""
    is_mean = one.name in ("μ", "γ") and not one.words[0].isdigit()  # or a scale; "0.1-GDP" is a budget
    if (one.is_part or not own) and (is_stated or is_mean):
        return ""
    blocks = f"the blocks {' or '.join(own[:4])}" if own else "and no block states such a number"
    return f"the words say {one.words!r}, {blocks}"


def _is_of(fact: Fact, stated: StatedNumber) -> bool:
    return not fact.name or fact.name in _LETTERS.get(stated.name, (stated.name,))


def _agrees(stated: StatedNumber, fact: Fact) -> bool:
    """Whether a number of the words is a fact's: the same, one that it rounds to, or a bound that it keeps.

    ρ of zero-concentrated privacy is written ρ² here, and ρ elsewhere: a letter that is not squared may be either.
    """
    value, printed, own = stated.value, stated.printed, fact.value
    if value is None or own is None:
        return False
    if stated.name == "ρ" and not stated.is_squared and value.lower >= 0:
        half = printed.half_unit if printed is not None and printed.may_be_rounded else Fraction(0)
        if max(value.lower - half, Fraction(0)) ** 2 <= own.lower and own.upper <= (value.upper + half) ** 2:
            return True
    if stated.bound and fact.name and _keeps(own, stated.bound, value):
        return True
    if stated.bound == "<":
        return False
    if value.lower <= own.upper and own.lower <= value.upper:
        return True
    if printed is None:  # a formula, and a number that was printed for it
        return fact.printed is not None and fact.printed.may_be_rounded and fact.printed.agrees_with(value) is True
    is_rounded = printed.may_be_rounded or (stated.is_about and printed.half_unit > 0)
    if not is_rounded or printed.agrees_with(own) is not True:
        return False
    return own.lower < own.upper or stated.is_about or stated.bound == "≥" or value.lower >= own.upper


def _keeps(own: Enclosure, bound: str, value: Enclosure) -> bool:
    if bound == "≥":
        return value.upper <= own.lower
    return own.upper <= value.lower if bound == "≤" else own.upper < value.lower


def _units(text: str) -> set[str]:
    """The kinds of units that a text names, whatever each is called."""
    return {kind for kind, names in _UNITS.items() if re.search(rf"\b(?:{names})\b", text, re.IGNORECASE)}


WORDS = AuditQuestion("words", _answers)

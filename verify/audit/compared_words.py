"""A claim's words beside its blocks: numbers and promises that differ; what does not is still not checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    GaussianTradeoff,
    Multiplicative,
    NormalizedRenyi,
    OutputPremetric,
    Tradeoff,
)
from stirred.verify.audit.stated_facts import Fact, StatedFacts
from stirred.verify.claim.budget import read_logarithm
from stirred.verify.prose.phrases import starts
from stirred.verify.prose.stated_numbers import (
    BUDGETS,
    COUNT,
    FORMULA,
    LABEL,
    StatedNumber,
    plain_tokens,
    speaks_of_privacy,
    stated_numbers,
)
from stirred.verify.prose.tokens import Token

_UNITS = frozenset(
    (
        *("record", "row", "answer", "person", "people", "individual", "household", "family", "respondent"),
        *("user", "voter", "patient", "unit", "resident", "citizen", "customer", "employee", "student"),
        *("child", "adult", "woman", "man", "member", "response", "participant", "inhabitant"),
    )
)
"""What a number may count that a data set consists of, in the singular."""

_MAIN = {"ε": ("ε",), "ρ": ("ρ",), "γ": ("γ",), "δ": ("δ",), "budget": ("ε", "ρ", "γ")}
"""The letters under which the budget of a claim may stand, by the name that the words give it."""


@dataclass(frozen=True)
class ComparedWords:
    """What a comparison of words with blocks found, each as a phrase; the rest of the words is not checked.

    Attributes:
        compared: numbers in digits that the words assign to a name, each with the block of this name, which has it too.
        differing: what they say otherwise, or what can't be compared and may be the budget: nothing holds above these.
    """

    compared: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()

    def __add__(self, other: ComparedWords) -> ComparedWords:
        return ComparedWords(self.compared + other.compared, self.differing + other.differing)


@dataclass(frozen=True)
class _Matched:
    """A number of the words with the facts that it agrees with."""

    stated: StatedNumber
    facts: tuple[Fact, ...]

    @property
    def is_main(self) -> bool:
        return any(fact.is_main for fact in self.facts)

    @property
    def settings(self) -> frozenset[int]:
        return frozenset(fact.setting for fact in self.facts if fact.setting is not None)


def compared_numbers(text: str, facts: StatedFacts) -> ComparedWords:
    """Every number of a claim's words beside the numbers of its blocks."""
    written, found = plain_tokens(text)
    is_private = speaks_of_privacy(found)
    matched = _between([_Matched(one, _agreeing(one, facts)) for one in stated_numbers(text, facts.parameters)], facts)
    differing = [_difference(one, matched, facts, is_private=is_private) for one in matched]
    differing += _settings(matched, facts)
    plain = " ".join(written.split())
    compared = [] if any(differing) else [_compared(one, plain) for one in matched]
    return ComparedWords(*(tuple(dict.fromkeys(filter(None, said))) for said in (compared, differing)))


def _compared(one: _Matched, text: str) -> str:
    """A number in digits that the words assign to a name ("ε = 1"), with the block that has it; empty for any other."""
    words = one.stated.words
    is_assigned = one.stated.name not in ("", COUNT, LABEL, FORMULA) and any(sign in words for sign in "=≈≤")
    if not one.facts or not is_assigned or one.stated.number.is_word or f" of {words}" in text:
        return ""  # "half of ε = 1" is not ε
    return f"{words!r} with {one.facts[0].text}"


def contradicting_numbers(text: str, facts: StatedFacts) -> Iterator[str]:
    """The budgets in other words than the statement, such as a description, that are not the budget of the blocks."""
    read = (one for one in stated_numbers(text, facts.parameters) if one.name in ("ε", "δ", "ρ", "γ"))
    matched = [_Matched(one, _agreeing(one, facts)) for one in read]
    yield from filter(None, (_budget_difference(one, matched, facts) for one in matched))


def _between(matched: Sequence[_Matched], facts: StatedFacts) -> tuple[_Matched, ...]:
    """The same, with both ends of a range agreeing with the budgets that lie in it, where all of its letter do."""
    found = list(matched)
    for place, (one, other) in enumerate(pairwise(matched)):
        low, high = one.stated.number.value, other.stated.number.value
        own = [fact for fact in facts.facts if fact.is_main and fact.name in _MAIN.get(one.stated.name, ())]
        if not other.stated.is_range or low is None or high is None or other.stated.name != one.stated.name:
            continue
        values = [fact.value for fact in own]
        if own and all(value is not None and low.upper <= value.lower <= value.upper <= high.lower for value in values):
            found[place], found[place + 1] = (replace(end, facts=end.facts or tuple(own)) for end in (one, other))
    return tuple(found)


def _difference(one: _Matched, matched: Sequence[_Matched], facts: StatedFacts, *, is_private: bool) -> str:
    """What a number says otherwise than the blocks; empty where it doesn't, or where nothing tells."""
    stated, shown = one.stated, repr(one.stated.words)
    if stated.name in BUDGETS:
        return _budget_difference(one, matched, facts)
    if stated.name == COUNT:
        return _count_difference(one, facts) if is_private else ""
    if stated.name in (LABEL, FORMULA) or one.facts:
        return ""
    own = _named(stated.name, facts)
    if own:
        return f"the words say {shown}, the blocks {_texts(own)}"
    if not stated.name and is_private:
        return f"nothing tells what the number {shown} of the words is, and no block states it"
    return ""


def _budget_difference(one: _Matched, matched: Sequence[_Matched], facts: StatedFacts) -> str:
    stated, shown = one.stated, repr(one.stated.words)
    own = [fact for fact in facts.facts if fact.name in _MAIN.get(stated.name, ()) and fact.is_main]
    if stated.is_denied and one.is_main and facts.has_budget:
        return f"the words deny {shown}, which is {one.facts[0].text}"
    if not stated.number.is_read:
        others = any(other.is_main for other in matched if other.stated.name == stated.name)
        others = others or any(other.facts for other in matched if other.stated.name == stated.name and not own)
        return "" if others else f"the words say {shown}, which is not read: nothing compares it with {_texts(own)}"
    if one.is_main or (one.facts and (not own or _is_stated(matched, own))):
        return ""
    return f"the words say {shown}, {f'the blocks {_texts(own)}' if own else 'and no block states such a number'}"


def _count_difference(one: _Matched, facts: StatedFacts) -> str:
    stated, value = one.stated, one.stated.number.value
    if value is None or not facts.counts or stated.counted not in _UNITS or value.lower in facts.counts:
        return ""
    if any(fact.printed is not None and fact.printed.value == value.lower for fact in facts.facts):
        return ""
    sizes = ", ".join(map(str, sorted(facts.counts)[:6]))
    return f"the words say {stated.words!r}, the data sets of the domain have {sizes}"


def _named(name: str, facts: StatedFacts) -> list[Fact]:
    """The claim's own numbers of a name; "p" is that of a swap rate, and of every parameter that is a probability."""
    endings = (("probability", "rate", "flip") if name == "p" else ()) or ("\0",)
    return [one for one in facts.facts if name and one.is_main and (one.name == name or one.name.endswith(endings))]


def _is_stated(matched: Sequence[_Matched], own: Sequence[Fact]) -> bool:
    """Whether the words state the claim's own number somewhere."""
    return any(fact in own for one in matched if one.stated.name in BUDGETS for fact in one.facts)


def _texts(facts: Sequence[Fact]) -> str:
    texts = list(dict.fromkeys(fact.text for fact in facts))
    return " or ".join(texts[:4]) if texts else "no such number"


def _agreeing(stated: StatedNumber, facts: StatedFacts) -> tuple[Fact, ...]:
    """The facts that a number agrees with: those of its name, or of any number where it has none."""
    if not stated.number.is_read:
        return ()
    if stated.name in BUDGETS:
        candidates = [fact for fact in facts.facts if fact.name in (_MAIN.get(stated.name, (stated.name,)))]
    elif stated.name in ("", COUNT, LABEL, FORMULA):
        candidates = [fact for fact in facts.facts if fact.name not in BUDGETS or not fact.is_main or not stated.name]
    else:
        named = _named(stated.name, facts)
        candidates = named or [fact for fact in facts.facts if fact.name not in BUDGETS or not fact.is_main]
    return tuple(fact for fact in candidates if _agrees(stated, fact))


def _agrees(stated: StatedNumber, fact: Fact) -> bool:
    """Whether a number of the words is a fact's: the same, one that it rounds to, or a bound that it keeps."""
    value, printed = stated.number.value, stated.number.printed
    if value is None or fact.value is None:
        return False
    loss = _logarithm(stated)
    if loss is not None and fact.loss is not None:
        return (
            loss == fact.loss
            or (stated.bound == "≤" and fact.loss <= loss)
            or (stated.bound == "<" and fact.loss < loss)
        )
    if _is_within(stated.bound, value, fact.value):
        return True
    if stated.bound == "<":
        return False
    if printed is None:
        # an expression and a number that was printed for it
        return fact.printed is not None and fact.printed.may_be_rounded and fact.printed.agrees_with(value) is True
    if value == fact.value:
        return True
    is_rounded = printed.may_be_rounded or (stated.is_about and printed.half_unit > 0)
    if not is_rounded or printed.agrees_with(fact.value) is not True:
        return False
    is_exact = fact.value.lower == fact.value.upper
    return not is_exact or stated.is_about or stated.bound == "≥" or value.lower >= fact.value.upper


def _is_within(bound: str, value: Enclosure, fact: Enclosure) -> bool:
    """Whether words such as "at most" name a number on the right side of the fact's."""
    if bound == "≤":
        return fact.upper <= value.lower
    return bound == "<" and fact.upper < value.lower


def _logarithm(stated: StatedNumber) -> Loss | None:
    try:
        found = read_logarithm("the statement", stated.number.formula)
    except InputError:
        return None
    return None if found is None else found[0]


def _settings(matched: Sequence[_Matched], facts: StatedFacts) -> Iterator[str]:
    """Budgets of several settings: each beside its own swap rate, and the largest of them among those that are said."""
    budgets = [one for one in matched if one.stated.name in BUDGETS and one.settings]
    rates = [one for one in matched if one.stated.name not in BUDGETS and one.settings]
    if not budgets or len(facts.settings) < 2:
        return
    is_range = any(one.stated.is_range for one in (*budgets, *rates))
    if not is_range and len(budgets) == len(rates):
        for budget, rate in zip(budgets, rates, strict=True):
            if not budget.settings & rate.settings:
                yield f"the words pair {rate.stated.words!r} with {budget.stated.words!r}, the blocks do not"
    largest = max(
        (
            fact
            for fact in facts.facts
            if fact.setting is not None and fact.name in ("ε", "ρ") and fact.value is not None
        ),
        key=lambda fact: fact.value.upper if fact.value is not None else 0,
        default=None,
    )
    if largest is not None and not any(largest.setting in one.settings for one in budgets):
        yield f"the words leave out the largest budget, {largest.text}"


_WHOLLY = frozenset(
    (
        *("perfect", "perfectly", "complete", "completely", "full", "fully", "total", "totally", "absolute"),
        *("absolutely", "entire", "entirely", "hundred", "100%", "unconditional", "unconditionally"),
        *("information-theoretic", "information-theoretically"),
    )
)
_SAFE = ("priva", "anonym", "secre", "safe", "secur", "confidential", "protect", "undetect", "indistinguish", "hidden")
_NO = frozenset(("no", "zero", "without", "nil", "any"))
_COST = ("loss", "leak", "risk", "disclos", "information", "harm", "cost", "exposure")
_NOTHING = (
    *("nothing is revealed", "nothing can be learned", "nothing can be learnt", "nothing is learned", "nothing leaks"),
    *("nothing is leaked", "nothing is disclosed", "nothing can be inferred", "reveals nothing", "leaks nothing"),
    *("discloses nothing", "learns nothing", "learn nothing", "reveal nothing", "lossless", "loses nothing"),
    *("cannot be identified", "can not be identified", "can't be identified", "cannot be reidentified"),
    *("independent of the data", "does not depend on the data", "loss-free", "risk-free", "leak-free"),
)
_FLAVORS: tuple[tuple[tuple[str, ...], tuple[type[OutputPremetric], ...]], ...] = (
    (("pure differential privacy", "pure dp", "pure epsilon", "pure ε", "purely", "pure"), (Multiplicative,)),
    (("zcdp", "zero-concentrated", "zero concentrated", "concentrated differential privacy"), (NormalizedRenyi,)),
    (("approximate differential privacy", "approximate dp"), (ApproximateMultiplicative,)),
    (("gdp", "gaussian differential privacy", "f-dp", "trade-off function"), (Tradeoff, GaussianTradeoff)),
)
_NEIGHBORS = ("neighbor", "neighbors", "neighbour", "neighbours", "neighboring", "neighbouring", "differential", "dp")
_BOUNDED = (*(f"bounded{sign}{word}" for sign in (" ", "-") for word in _NEIGHBORS), "change-one", "replace-one")
_UNBOUNDED = (
    *(f"unbounded{sign}{word}" for sign in (" ", "-") for word in _NEIGHBORS),
    *("adding or removing", "addition or removal", "added or removed", "add or remove", "add/remove", "add-or-remove"),
)
_EXCHANGES = ("hamming_unordered", "hamming_ordered")
_ADDS = ("symmetric_difference", "deletion_distance")
_EACH = frozenset(("each", "every", "per", "any", "single"))
_PROTECTED = {
    "person": "person",
    "people": "person",
    "individual": "person",
    "individuals": "person",
    **{
        word: word
        for word in (
            *("household", "family", "voter", "patient", "user", "respondent", "student", "employee", "customer"),
            *("device", "establishment", "business", "company", "school", "hospital", "firm"),
        )
    },
}
"""Whom a budget protects, by the word for it; a record, an answer or a unit may be any of them."""


def absolute_promises(text: str, facts: StatedFacts) -> Iterator[str]:
    """The promises that nothing is lost at all, beside a budget above 0."""
    written, found = plain_tokens(text)
    for first, last in _absolute(found):
        if not _is_zero(facts) and not _is_denied(found, first):
            words = written[found[first].start : found[last].end]
            yield f"the words promise {words!r}, which a budget of 0 alone would give"


def description_promises(text: str, facts: StatedFacts) -> Iterator[str]:
    """What a description promises otherwise than the blocks; one that names the unit may name others too."""
    is_named = bool(_protected(text) & _protected(facts.resolution))
    yield from differing_promises(text, replace(facts, resolution=None) if is_named else facts)


def differing_promises(text: str, facts: StatedFacts) -> Iterator[str]:
    """What the words promise otherwise than the blocks."""
    yield from absolute_promises(text, facts)
    written, found = plain_tokens(text)
    if facts.measure is not None:
        yield from _flavors(written, found, facts.measure)
    yield from _units(found, facts.resolution)
    yield from _neighbors(written, found, facts.premetric)


def _absolute(found: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where the words promise that nothing is lost at all."""
    for index, token in enumerate(found):
        after = [one.text for one in found[index + 1 : index + 4]]
        if token.text in _WHOLLY and after and any(after[0].startswith(word) for word in _SAFE):
            yield index, index + 1
        elif token.text in _NO:
            place = next((k for k, word in enumerate(after) if word.startswith(_COST)), None)
            if place is not None and all(word in ("privacy", "any", "of", "information") for word in after[:place]):
                yield index, index + 1 + place
        elif (end := starts(found, index, _NOTHING)) > index:
            yield index, end - 1


def _is_zero(facts: StatedFacts) -> bool:
    own = [fact for fact in facts.facts if fact.is_main and fact.name in ("ε", "ρ", "δ")]
    return bool(own) and all(fact.value is not None and fact.value.upper == 0 for fact in own)


def _is_denied(found: Sequence[Token], index: int) -> bool:
    return any(
        token.text in ("not", "never") or token.text.endswith("n't") for token in found[max(0, index - 3) : index]
    )


def _flavors(written: str, found: Sequence[Token], measure: OutputPremetric) -> Iterator[str]:
    """Every flavor that the words name and that is not that of the output premetric."""
    for index in range(len(found)):
        for phrases, measures in _FLAVORS:
            if (end := starts(found, index, phrases)) > index and not isinstance(measure, measures):
                words = written[found[index].start : found[end - 1].end]
                yield f"the words say {words!r}, the output premetric is {measure.name}"


def _units(found: Sequence[Token], resolution: str | None) -> Iterator[str]:
    """Every unit that the words say is protected each, where the resolution is another one."""
    said = _protected(resolution)
    for index, token in enumerate(found[:-1]):
        unit = _PROTECTED.get(found[index + 1].text)
        is_possessive = index + 2 < len(found) and found[index + 2].text == "'"
        if token.text in _EACH and said and not is_possessive and unit is not None and unit not in said:
            yield f"the words speak of '{token.text} {found[index + 1].text}', the resolution is one {resolution}"


def _protected(words: str | None) -> set[str]:
    """The units that words name."""
    found = re.split(r"[\W_]+", (words or "").lower())
    return {_PROTECTED[one] for word in found for one in (word, word.removesuffix("s")) if one in _PROTECTED}


def _neighbors(written: str, found: Sequence[Token], premetric: str | None) -> Iterator[str]:
    """Neighbours of one kind in the words, of the other in the input premetric."""
    if premetric is None:
        return
    is_bounded = premetric in _EXCHANGES or premetric.startswith("neighbors_replace")
    is_unbounded = premetric in _ADDS or premetric.startswith("neighbors_add")
    for index in range(len(found)):
        for phrases, is_other in ((_BOUNDED, is_unbounded), (_UNBOUNDED, is_bounded)):
            if is_other and (end := starts(found, index, phrases)) > index:
                words = written[found[index].start : found[end - 1].end]
                yield f"the words speak of {words!r}, the input premetric is {premetric}"

"""What a claim's words promise without a number: perfect privacy, a flavor, whom it protects, which neighbours."""

from collections.abc import Iterator, Sequence

from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    GaussianTradeoff,
    Multiplicative,
    NormalizedRenyi,
    OutputPremetric,
    Tradeoff,
)
from stirred.verify.audit.words.comparison import ComparedWords
from stirred.verify.audit.words.facts import StatedFacts
from stirred.verify.prose.phrases import starts
from stirred.verify.prose.stated_numbers import plain_tokens
from stirred.verify.prose.tokens import Kind, Token

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
_UNITS = {
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


def compared_promises(text: str, facts: StatedFacts) -> ComparedWords:
    """What the words promise beside the blocks."""
    written, found = plain_tokens(text)
    differing = list(promises(text, facts))
    agreeing: list[str] = []
    if _is_zero(facts):
        agreeing += [f"{written[found[a].start : found[b].end]!r} with a budget of 0" for a, b in _absolute(found)]
    if facts.measure is not None:
        for words, is_same in _flavors(written, found, facts.measure):
            said = f"{words!r} with the output premetric {facts.measure.name}"
            if is_same:
                agreeing.append(said)
            else:
                differing.append(f"the words say {words!r}, the output premetric is {facts.measure.name}")
    for words, is_same in _units(found, facts.resolution):
        if is_same:
            agreeing.append(f"{words!r} with the resolution {facts.resolution}")
        else:
            differing.append(f"the words speak of {words!r}, the resolution is one {facts.resolution}")
    differing += _neighbors(written, found, facts.premetric)
    return ComparedWords(tuple(dict.fromkeys(agreeing)), tuple(dict.fromkeys(differing)))


def promises(text: str, facts: StatedFacts) -> Iterator[str]:
    """The promises that nothing is lost at all, beside a budget above 0."""
    written, found = plain_tokens(text)
    for first, last in _absolute(found):
        if not _is_zero(facts) and not _is_denied(found, first):
            words = written[found[first].start : found[last].end]
            yield f"the words promise {words!r}, which a budget of 0 alone would give"


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


def _flavors(written: str, found: Sequence[Token], measure: OutputPremetric) -> Iterator[tuple[str, bool]]:
    """Every flavor that the words name, and whether it is that of the output premetric."""
    for index in range(len(found)):
        for phrases, measures in _FLAVORS:
            if (end := starts(found, index, phrases)) > index:
                yield written[found[index].start : found[end - 1].end], isinstance(measure, measures)


def _units(found: Sequence[Token], resolution: str | None) -> Iterator[tuple[str, bool]]:
    """Every unit that the words say is protected each, and whether the resolution is one of them."""
    said = {_UNITS[word] for word in (resolution or "").replace("-", " ").lower().split() if word in _UNITS}
    for index, token in enumerate(found[:-1]):
        unit = _UNITS.get(found[index + 1].text)
        if token.text in _EACH and unit is not None and resolution is not None and token.kind is Kind.WORD:
            is_possessive = index + 2 < len(found) and found[index + 2].text == "'"
            if said and not is_possessive:
                yield f"{token.text} {found[index + 1].text}", unit in said


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

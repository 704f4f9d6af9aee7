"""The privacy parameters of a registry record beside every number that its prose gives their letters.

A number of the prose may be of a part, of another unit or of another time, whatever words call it, so that a difference
is left open; it is shown with both places. Only where none of the numbers is the parameter, and no sum or multiple of
them that the prose suggests, the parameter is said to stand nowhere.

What a record says in several places is an agreement, a remark that decides nothing, or a difference.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.audit.question import Answer
from stirred.verify.audit.records.published import total_for_title
from stirred.verify.audit.records.registry import DETAILS, LETTERS, PUBLISHED, RegistryRecord
from stirred.verify.audit.records.registry_numbers import added, may_meet, side_by_side
from stirred.verify.audit.records.registry_words import UNIT, listed
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.statement_text.items import Item
from stirred.verify.laws.statement_text.phrases import mentions, sentence_bounds, starts
from stirred.verify.laws.statement_text.quantities import BUDGET, NUMBER_WORDS, PERIODS, WHOLE, WHOLE_NOUNS, Quantity
from stirred.verify.laws.statement_text.tokens import Kind, Token, plain

_QUESTION = "prose"


def agreement(scope: str, detail: str) -> Answer:
    """Two places that say the same."""
    return Answer(_QUESTION, Evidence(Verdict.EXHAUSTED, scope, detail), decides=False)


def remark(scope: str, detail: str) -> Answer:
    """Places that need not say the same: parts, roundings, sums."""
    return Answer(_QUESTION, Evidence(Verdict.OPEN, scope, detail), decides=False, is_remark=True)


def difference(scope: str, detail: str) -> Answer:
    """Places that say something else of what may be one thing."""
    return Answer(_QUESTION, Evidence(Verdict.OPEN, scope, detail))


_SCOPE = "the parameter beside every number that the prose gives its letter"
_BUDGET_LETTERS = frozenset("ερ")
_MAX_QUOTED = 200


class Value(NamedTuple):
    """A number that the prose gives a letter, with its place."""

    key: str
    item: Item
    quantity: Quantity
    number: Printed

    @property
    def quote(self) -> str:
        """The number with the words around it and its key."""
        return f"{self.number.text} in {self.key} ({self.item.quote(self.quantity.first, self.quantity.last)!r})"


def values_in_prose(record: RegistryRecord, letter: str) -> list[Value]:
    """Every number that the prose gives a letter; a budget without its letter is one of the stated budget's."""
    is_main = record.main is not None and record.main[0] == letter
    letters = {letter, BUDGET} if is_main else {letter}
    return [
        Value(key, item, one, one.number)
        for key, item in record.items()
        for one in item.quantities
        if one.letter in letters and one.number is not None
    ]


def published_total(record: RegistryRecord) -> Iterator[Evidence]:
    """The stated budget beside the total that the sources print for the product."""
    published, rho = total_for_title(record.title), record.parameters.get("rho")
    if published is not None and rho is not None:
        what = f"rho^2 of {published.product}"
        yield side_by_side(what, (published.source, published.rho_squared), ("the record", rho))


def registry_fields(record: RegistryRecord) -> Iterator[Answer]:
    """What the prose says of every privacy parameter that is a number."""
    for name, letter in LETTERS.items():
        stated = record.parameters.get(name)
        if stated is None:
            continue
        values = values_in_prose(record, letter)
        yield from _stated(name, letter, stated, values)
        yield from _others(name, stated, values)
        yield from _wholes(name, stated, values)
        yield from _periods(record, name, stated, values)


def _quoted(values: Sequence[Value]) -> str:
    """Every number with its place, each once."""
    return listed(list(dict.fromkeys(value.quote for value in values)), _MAX_QUOTED)


def _stated(name: str, letter: str, stated: Printed, values: Sequence[Value]) -> Iterator[Answer]:
    """Whether one of the numbers is the parameter."""
    if not values:
        return
    field = f"{name} = {stated.text} in privacy_parameters"
    equal = [value for value in values if value.number.value == stated.value]
    if equal and (other := _only_of_details(letter, stated, values)) is not None:
        detail = f"{field}; {equal[0].quote}; but {other.quote}, the only one in the text that explains the parameters"
        yield difference(_SCOPE, detail)
        return
    if equal:
        yield agreement(_SCOPE, f"{field}; {equal[0].quote}")
        return
    near = next((value for value in values if may_meet(stated, (value.number,))), None)
    if near is not None:
        yield remark(_SCOPE, f"{field}; {near.quote}, which agree within their rounding")
        return
    quotes = _quoted(values)
    explained = _explained(letter, stated, values)
    said = explained or "none of them is the parameter, so one of the two may be a misprint or of something else"
    answer = remark if explained else difference
    yield answer(_SCOPE, f"{field}; the prose gives {quotes}: {said}")


def _others(name: str, stated: Printed, values: Sequence[Value]) -> Iterator[Answer]:
    """The other numbers of the letter, where one of them is the parameter, or is within its rounding."""
    others = [value for value in values if not may_meet(stated, (value.number,))]
    if len(others) == len(values):
        return
    is_equal = any(value.number.value == stated.value for value in values)
    near = [value for value in values if value not in others and value.number.value != stated.value]
    said = {
        "parts of it or of something else, unless they are misprints": others,
        "equal to it within their rounding, or misprints": near if is_equal else near[1:],
    }
    for words, found in said.items():
        if found:
            quotes = _quoted(found)
            detail = f"{name} = {stated.text} in privacy_parameters; the prose also gives {quotes}: {words}"
            yield remark(_SCOPE, detail)


def _only_of_details(letter: str, stated: Printed, values: Sequence[Value]) -> Value | None:
    """The one number that the details give the letter, where it is not the parameter and does not give it."""
    details = [value for value in values if value.key == DETAILS]
    is_one = len({value.number.value for value in details}) == 1
    if not is_one or may_meet(stated, (details[0].number,)) or _explained(letter, stated, details):
        return None
    return details[0]


def _explained(letter: str, stated: Printed, values: Sequence[Value]) -> str:
    """How the numbers of one text give the parameter: their sum, or a multiple that a count beside them suggests."""
    if letter not in _BUDGET_LETTERS:
        return ""
    for group in _groups(values):
        numbers = [value.number for value in group]
        if len(numbers) > 1 and added(numbers) == stated.value:
            return f"it is the sum {' + '.join(number.text for number in numbers)} of those in {group[0].key}"
    counts = {item: dict(_counts(item)) for item in {value.item for value in values}}
    for value in values:
        factor = stated.value / value.number.value if value.number.value else Fraction(0)
        if word := counts[value.item].get(factor):
            return f"it is {factor} times {value.number.text}, and {value.key} counts {word!r}"
    return ""


def _groups(values: Sequence[Value]) -> Iterator[list[Value]]:
    """The numbers of every item, and those of every text."""
    by_item: dict[tuple[str, Item], list[Value]] = {}
    by_text: dict[str, list[Value]] = {}
    for value in values:
        by_item.setdefault((value.key, value.item), []).append(value)
        by_text.setdefault(value.key, []).append(value)
    yield from (*by_item.values(), *by_text.values())


def _counts(item: Item) -> Iterator[tuple[Fraction, str]]:
    """The counts above one of an item: "two donations", "4 tables"."""
    read = item.read_numbers()
    for index, token in enumerate(item.tokens[:-1]):
        after = item.tokens[index + 1]
        if after.kind is not Kind.WORD or index in read:
            continue
        count = NUMBER_WORDS.get(token.text)
        if count is None and token.kind is Kind.NUMBER and token.text.isdigit() and len(token.text) < 3:
            count = int(token.text)
        if count is not None and count > 1:
            yield Fraction(count), f"{token.text} {after.text}"


def _wholes(name: str, stated: Printed, values: Sequence[Value]) -> Iterator[Answer]:
    """A number that words call the whole budget, where another number is the parameter."""
    if all(value.number.value != stated.value for value in values):
        return
    for value in values:
        if _is_whole(value) and not may_meet(stated, (value.number,)) and not value.quantity.period:
            detail = f"{name} = {stated.text} in privacy_parameters; {value.quote}, which these words call the whole"
            yield difference(_SCOPE, detail)


def _is_whole(value: Value) -> bool:
    """Whether "total privacy loss" or the like names the quantity, with nothing else between."""
    found, place = value.item.tokens, value.quantity.first
    has_noun = value.quantity.letter == BUDGET
    while place > 0 and (found[place - 1].text in WHOLE_NOUNS or found[place - 1].text in ("is", "was", "of", "(")):
        place -= 1
        has_noun = has_noun or found[place].text in ("budget", "loss", "cost", "guarantee")
    return has_noun and place > 0 and starts(found, place - 1, WHOLE) > place - 1


def _periods(record: RegistryRecord, name: str, stated: Printed, values: Sequence[Value]) -> Iterator[Answer]:
    """The parameter's number for one period in the prose, where the unit names another."""
    unit = record.text(UNIT) or ""
    periods = {PERIODS[part] for part in unit.lower().replace("-", " ").split() if part in PERIODS}
    for value in values:
        period = value.quantity.period
        if period and periods and period not in periods and value.number.value == stated.value:
            detail = f"{name} = {stated.text} for the unit {unit.strip()!r}; {value.quote}: two periods for one budget"
            yield difference(_SCOPE, detail)


_WORDS = "the words of the record"
_DIVIDED = (
    *("divided as follows", "split as follows", "allocated as follows", "composed as follows", "is divided"),
    *("is split", "was divided", "was split", "are divided", "are split"),
)
_OF_THE_WHOLE = tuple(
    f"of the {whole}{noun}"
    for whole in ("", "total ", "overall ", "whole ", "global ")
    for noun in ("budget", "privacy budget", "privacy-loss budget", "privacy loss")
)
_YEAR = 4
_MAX_SCALES = 20


def registry_relations(record: RegistryRecord) -> Iterator[Answer]:
    """Every relation that can be recomputed."""
    for key, item in record.items():
        yield from _noise(key, item)
        yield from _hundred(key, item)
        yield from _shares(record, key, item)
    yield from _letters(record)
    yield from _dates(record)


def _noise(key: str, item: Item) -> Iterator[Answer]:
    """Laplace noise has ε = sensitivity/scale, Gaussian noise ρ² = sensitivity²/(2·scale²): one of each a sentence."""
    found = item.tokens
    scales = [one for one in item.quantities if one.letter == "scale"]
    for scale in scales if len(scales) <= _MAX_SCALES else ():
        if scale.number is None or scale.number.value <= 0:
            continue
        begin, end = sentence_bounds(found, scale.first, ".!?")
        sentence = [one for one in item.quantities if begin <= one.first < end and one.number is not None]
        is_laplace = _is_laplace(found[begin:end], found[:begin])
        if is_laplace is None:
            continue
        letter = "ε" if is_laplace else "ρ"
        sensitivity, budget = _one(sentence, "sensitivity"), _one(sentence, letter)
        if sensitivity is None or budget is None or _one(sentence, "scale") is None:
            continue
        ratio = sensitivity.value / scale.number.value
        value = ratio if letter == "ε" else ratio**2 / 2
        rule = "sensitivity/scale" if letter == "ε" else "sensitivity^2/(2 scale^2)"
        scope = f"{key}: {letter} = {rule} for {'Laplace' if is_laplace else 'Gaussian'} noise"
        quote = item.text[found[begin].start : found[min(end, len(found)) - 1].end][-200:]
        detail = (
            f"{letter} = {budget.text} beside sensitivity {sensitivity.text} and scale {scale.number.text}, which give "
            f"{value} ({plain(quote)!r})"
        )
        is_equal = abs(value - budget.value) <= (budget.half_unit if budget.may_be_rounded else 0)
        yield agreement(scope, detail) if is_equal else difference(scope, detail)


def _is_laplace(*texts: Sequence[Token]) -> bool | None:
    """Whether the first text that names noise names Laplace alone (True) or Gaussian alone (False)."""
    for text in texts:
        named = (mentions(text, ("laplace",)), mentions(text, ("gaussian",)))
        if any(named):
            return named[0] if named[0] != named[1] else None
    return None


def _one(sentence: Sequence[Quantity], letter: str) -> Printed | None:
    numbers = [one.number for one in sentence if one.letter == letter]
    return numbers[0] if len(numbers) == 1 else None


def compared_percentages(item: Item) -> list[int]:
    """The percentages of an item that is divided into them, by the index of their numbers."""
    if not mentions(item.tokens, _DIVIDED):
        return []
    found = [
        index
        for index, token in enumerate(item.tokens[:-1])
        if token.kind is Kind.NUMBER and item.tokens[index + 1].text == "%" and token.number is not None
    ]
    return found if len(found) > 1 else []


def _hundred(key: str, item: Item) -> Iterator[Answer]:
    """Shares of something that is divided into them: 100% together."""
    numbers = [number for index in compared_percentages(item) if (number := item.tokens[index].number) is not None]
    if not numbers:
        return
    total = added(numbers)
    shares = " + ".join(f"{number.text}%" for number in numbers)
    detail = f"{key}: {shares} = {total}% ({plain(item.text[:80])!r})"
    if total == 100:
        yield agreement("the shares of what is divided into them", detail)
    else:
        said = f"{detail}; the shares of one whole are 100%, unless some are not listed"
        yield difference("the shares of what is divided into them", said)


def _shares(record: RegistryRecord, key: str, item: Item) -> Iterator[Answer]:
    """A share such as "97.5% of the total budget" beside the one number that the item gives the budget's letter."""
    main = record.main
    if main is None:
        return
    letter, stated = main
    part = item.single(letter)
    for index, token in enumerate(item.tokens[:-2]):
        is_share = token.number is not None and item.tokens[index + 1].text == "%"
        if not is_share or token.number is None or starts(item.tokens, index + 2, _OF_THE_WHOLE) == index + 2:
            continue
        if part is None or part.number is None:
            continue
        share = token.number
        low = (share.value - share.half_unit) * (stated.value - stated.half_unit) / 100 - part.number.half_unit
        high = (share.value + share.half_unit) * (stated.value + stated.half_unit) / 100 + part.number.half_unit
        exact = share.value * stated.value / 100
        detail = (
            f"{letter} = {part.number.text} and {share.text}% of the budget in {key} "
            f"({item.quote(index, index + 1)!r}); {share.text}% of the stated {stated.text} is {decimal_text(exact, 6)}"
        )
        scope = "a share of the stated budget"
        if exact == part.number.value:
            yield agreement(scope, detail)
        elif low <= part.number.value <= high:
            yield remark(scope, f"{detail}; they agree within their rounding")
        else:
            yield difference(scope, detail)


def _letters(record: RegistryRecord) -> Iterator[Answer]:
    """A letter that no parameter has, with numbers in two texts of which neither has all."""
    places: dict[str, dict[str, dict[Fraction, str]]] = {}
    for key, item in record.items():
        for one in item.quantities:
            if one.letter not in ("ε", "δ", "ρ", BUDGET) and one.number is not None:
                texts = places.setdefault(f"{one.letter}{one.subscript}", {}).setdefault(key, {})
                texts.setdefault(one.number.value, f"{one.number.text} ({item.quote(one.first, one.last)!r})")
    for letter, by_key in places.items():
        keys = list(by_key)
        pair = next(
            ((a, b) for a in keys for b in keys if set(by_key[a]) - set(by_key[b]) and set(by_key[b]) - set(by_key[a])),
            None,
        )
        if pair is not None:
            said = "; ".join(f"{', '.join(by_key[key].values())} in {key}" for key in pair)
            yield difference(_WORDS, f"{letter} has different numbers in two places: {said}")


def dated_by_name(record: RegistryRecord) -> bool:
    """Whether the record's name ends with a year, which its date of publication has too."""
    name = record.slug.rsplit("-", 1)[-1]
    return len(name) == _YEAR and name.isdigit() and (record.text(PUBLISHED) or "")[:_YEAR].isdigit()


def _dates(record: RegistryRecord) -> Iterator[Answer]:
    """The year of the name beside that of the publication, and dates behind the same words in two texts."""
    if dated_by_name(record):
        published, name = record.texts[PUBLISHED], record.slug[-_YEAR:]
        detail = f"the year {name} in url_slug; {published} in {PUBLISHED}"
        yield (agreement if published.startswith(name) else difference)("two dates side by side", detail)
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for key, item in record.items():
        for index, token in enumerate(item.tokens):
            if token.kind is not Kind.DATE or index < 2:
                continue
            words = (item.tokens[index - 2].text, item.tokens[index - 1].text)
            date, where = seen.setdefault(words, (token.text, key))
            if date != token.text:
                detail = f"{' '.join(words)} {date} in {where}; {' '.join(words)} {token.text} in {key}"
                yield difference("two dates side by side", detail)

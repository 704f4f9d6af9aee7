"""What a registry record states in two places or in two ways: noise and its budget, shares, other letters, dates.

No words say that these belong together, so that a difference is left open, with both places.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.audit.question import Answer
from stirred.verify.engines.printed_number import Printed
from stirred.verify.prose.items import Item
from stirred.verify.prose.phrases import mentions, sentence_bounds, starts
from stirred.verify.prose.quantities import BUDGET, Quantity
from stirred.verify.prose.tokens import Kind, Token, plain
from stirred.verify.records.prose_answers import agreement, difference, remark
from stirred.verify.records.registry import PUBLISHED, RegistryRecord
from stirred.verify.records.side_by_side import added

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
    """The one number of a letter in a sentence."""
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

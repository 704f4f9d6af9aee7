"""The whole budget of a registry record: what its details call so, and the published total, beside the stated one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from verify.engines.printed_number import Printed
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.records.phrases import is_denied, mentions, sentence_bounds, starts
from verify.records.prose import Item
from verify.records.prose_tokens import Kind, Token, tokens
from verify.records.published import total_for_title
from verify.records.quantities import Quantity
from verify.records.quantity_phrases import EACH, LOOSELY, PERIODS, WHOLE, WHOLE_NOUNS
from verify.records.registry import DETAILS, RegistryRecord
from verify.records.registry_parts import registry_parts
from verify.records.registry_units import named_units
from verify.records.side_by_side import side_by_side

__all__ = ["registry_totals"]

_WORDS = "the words of the record"
_MAX_WHOLES = 50
_AFTERWARDS = ("in total", "overall", "altogether", "in all")
_PLAIN = (")", "(", ":", ",", "is", "was", "were", "are", "be", "of", "equals", "at", "set to")
"""What may stand between the words for the whole and its letter without making it the total of something else."""

_GOES_ON = ("for", "in", "on", "over", "during", "within", "across", "of", "plus", "from", "to", "and")
"""What makes the number before it one of several."""


def registry_totals(record: RegistryRecord) -> Iterator[Evidence]:
    """The stated budget beside the whole, the sums of parts, and the published total."""
    main = record.main
    if main is not None:
        letter, stated = main
        found = record.prose.get(DETAILS, ())
        wholes = chain.from_iterable(_whole(record, item, letter, stated) for item in found)
        yield from islice(wholes, _MAX_WHOLES)
        if next(wholes, None) is not None:
            detail = f"{DETAILS}: more numbers are called the whole budget; the first {_MAX_WHOLES} are compared"
            yield Evidence(Verdict.OPEN, _WORDS, detail)
    yield from registry_parts(record)
    published, rho = total_for_title(record.title), record.parameters.get("rho")
    if published is not None and rho is not None:
        what = f"rho^2 of {published.product}"
        yield side_by_side(what, (published.source, published.rho_squared), ("the record", rho))


def _whole(record: RegistryRecord, item: Item, letter: str, stated: Printed) -> Iterator[Evidence]:
    """A global, overall or total budget of the details beside the stated one."""
    what = f"the whole budget {letter}"
    given = item.single(letter)
    if given is not None and given.number is not None:
        between = _words_for_whole(item, given)
        if between is not None:
            doubt = _doubt(record, item, given, between)
            yield side_by_side(what, (DETAILS, given.number), ("privacy_parameters", stated), doubt)
        return
    first = next((one for one in item.assignments() if one.letter == letter), None)
    if first is not None and first.number is not None and _words_for_whole(item, first) is not None:
        detail = (
            f"{DETAILS}: an item names {what} and gives {letter} several times, so {first.number.text} is not compared"
        )
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _words_for_whole(item: Item, given: Quantity) -> Sequence[Token] | None:
    """What stands between the words for a whole budget and its letter; None where no such words belong to it."""
    found = item.tokens
    begin, _ = sentence_bounds(found, given.first)
    for index in range(begin, given.first):
        if starts(found, index, WHOLE) == index or is_denied(found, index):
            continue
        place = index + 1
        while place < given.first and found[place].text in WHOLE_NOUNS:
            place += 1
        between = found[place : given.first]
        if place > index + 1 or _is_plain(between):
            return between
    end = given.last + 1 + (given.last + 1 < len(found) and found[given.last + 1].text == ")")
    return found[begin : given.first] if starts(found, end, _AFTERWARDS) > end else None


def _is_plain(between: Sequence[Token]) -> bool:
    place = 0
    while place < len(between):
        end = starts(between, place, _PLAIN)
        if end == place:
            return False
        place = end
    return True


def _doubt(record: RegistryRecord, item: Item, given: Quantity, between: Sequence[Token]) -> str:
    """Why a number that an item calls the whole may be another one than the stated budget; "" where nothing says so."""
    found = item.tokens
    if (
        mentions(found, EACH)
        or given.period
        or any(part in PERIODS for unit in named_units(record) for part in unit.split("-"))
    ):
        return "the text speaks of a period or share, so they need not be one budget"
    _, end = sentence_bounds(found, given.last)
    if mentions((*found[: given.first], *found[given.last + 1 : end]), LOOSELY):
        return "the text gives it only loosely"
    delta = record.parameters.get("delta")
    deltas = {one.number.value for one in item.quantities if one.letter == "δ" and one.number is not None}
    if given.letter == "ε" and not deltas <= {delta.value if delta is not None else None}:
        return "the text gives it at a delta that the parameters do not state"
    if not (_is_plain(between) or _names_product(record, between)):
        return "what the text calls whole may be something else"
    numbers = {index for index in range(given.last + 1, end) if found[index].kind is Kind.NUMBER}
    numbers -= {one.last for one in item.quantities}
    place = given.last + 1 + (given.last + 1 < end and found[given.last + 1].text == ")")
    is_next_letter = place + 1 < end and found[place].text == "and" and found[place + 1].kind is Kind.LETTER
    if numbers or (place < end and starts(found, place, _GOES_ON) > place and not is_next_letter):
        return "the text goes on after the number, which may be one of several"
    return ""


def _names_product(record: RegistryRecord, between: Sequence[Token]) -> bool:
    """Whether "for the 2020 Redistricting Data was" names the product of the record."""
    words = [token.text for token in between]
    if len(words) < 3 or words[0] not in ("for", "of") or words[-1] not in ("is", "was"):
        return False
    name = words[1:-1]
    while name and (name[0] == "the" or (name[0].isdigit() and len(name[0]) == 4)):
        name = name[1:]
    title = [token.text for token in tokens(record.title)]
    rest, tail = title[: len(title) - len(name)], title[len(title) - len(name) :]
    return bool(name) and tail == name and (not rest or rest[-1] in ("for", "of"))

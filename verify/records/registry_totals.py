"""The totals of a registry record: a whole beside the stated budget, its parts, and the published total.

A printed number is a range where it is rounded. Ranges that do not meet contradict each other; a sum or a second
number that differs only within them is left open. Whole numbers among whole numbers are exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice

from spec.enclosure import Enclosure
from verify.engines.printed_number import Printed, compare
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.records.prose import Assignment, Item, is_denied, other_reading
from verify.records.published import TOTALS, total_for_title
from verify.records.registry import RegistryRecord
from verify.records.registry_words import listed, named_units

__all__ = ["registry_totals"]

_LETTERS = {"rho": "ρ", "epsilon": "ε"}
_DETAILS = "privacy_loss.privacy_parameters_details"
_WORDS = "the words of the record"
_MAX_PARTS = 50
_MAX_WHOLES = 50
_NOUN = r"(?:privacy|loss|privacy-loss|budget|cost|guarantee|parameter|value)"
_WHOLE = re.compile(rf"(?i)\b(?:global|overall|total)\b(?P<nouns>(?:\)?[\s-]{_NOUN}\b)*)")
_WHOLE_LABEL = re.compile(r"(?i)\b(?:global|overall|total)\b")
_AFTERWARDS = re.compile(r"\s?\)?\s(?:in total|overall|altogether|in all)\b")
# between the words for the whole and its letter: nothing that could make it the total of something else
_PLAIN = re.compile(r"(?i)\)?\s?(?:(?:is|was|were|are|be|of|equals|at|set to)\s|[:,(]\s?)*\Z")
_OF_PRODUCT = re.compile(r"(?i)\s(?:for|of)\s(?:the\s)?(?:\d{4}\s)?(?P<name>.+?)\s(?:is|was)\s?\Z")
# after the number: what could make it one of several
_GOES_ON = re.compile(r"(?i)\s?\)?\s(?:for|in|on|over|during|within|across|of|plus|from|to|and(?!\s[εδρ]))\b")
_BARE_NUMBER = re.compile(r"(?<![\w.,^-])\d")
_SENTENCE_END = re.compile(r"[.;!?](?=\s|\Z)")
_EACH = re.compile(
    r"(?i)\b(?:each|per|every|hourly|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|half|twice|remaining|rest)\b"
)
_PERIOD = re.compile(r"hour|day|week|month|quarter|year")
_LOOSE = re.compile(
    r"(?i)\b(?:about|approximately|roughly|around|nearly|almost|up to|at (?:most|least)|(?:less|more) than|below|above"
    r"|maximum|minimum|if|would|could|may|might|previous(?:ly)?|initial(?:ly)?|original(?:ly)?|earlier|former(?:ly)?"
    r"|planned|proposed|until)\b|[~≈≤≥<>]"
)
_SPLIT = re.compile(r"(?i)\bsplit\b|\bdivided (?:between|among|into)\b|\bsum of\b")
# between a number and the word that says that it is split, in either order: what makes the number its subject or object
_IS_SPLIT = re.compile(
    r"(?i)\s?\)?(?:\s?(?:,|\([^()]*\)|(?:with|and|at)\s[εδρ]\s?=\s?[^\s,)]+))*"
    r"(?:\s(?:which|that|and|it))*(?:\s(?:is|was|were|has been|being|then|the))*(?:\s\w+ly)?\s\Z"
)
_SPLITS = re.compile(
    rf"(?i)(?:\s(?:the|our|its|this|whole|entire|global|overall|total))*(?:[\s-]{_NOUN})*(?:\s(?:of|is))?\s?[:,(]?\s?\Z"
)
_SOME = re.compile(
    r"(?i)\b(?:including|includes?|among others|such as|for (?:example|instance)|some of)\b|\be\.g\.|\betc\b"
)


def registry_totals(record: RegistryRecord) -> Iterator[Evidence]:
    """The stated budget beside the whole, the sum of the parts and the published total."""
    main = _main(record)
    if main is not None:
        letter, stated = main
        found = record.prose.get(_DETAILS, ())
        wholes = chain.from_iterable(_whole(record, item, letter, stated) for item in found)
        yield from islice(wholes, _MAX_WHOLES)
        if next(wholes, None) is not None:
            detail = f"{_DETAILS}: more numbers are called the whole budget; the first {_MAX_WHOLES} are compared"
            yield Evidence(Verdict.OPEN, _WORDS, detail)
        yield from _parts(record, found, letter, stated)
    published, rho = total_for_title(record.title), record.parameters.get("rho")
    if published is not None and rho is not None:
        what = f"rho^2 of {published.product}"
        yield _side_by_side(what, (published.source, published.rho_squared), ("the record", rho))


def _main(record: RegistryRecord) -> tuple[str, Printed] | None:
    """The letter and the number of the stated budget."""
    for name, letter in _LETTERS.items():
        if name in record.parameters:
            return letter, record.parameters[name]
    return None


def _may_meet(whole: Printed, parts: Sequence[Printed]) -> bool:
    """Whether numbers that round to the printed parts can add up to one that rounds to the printed whole."""
    numbers = (whole, *parts)
    # a whole number is rounded only where its neighbours have decimals
    is_rounded = any(number.may_be_rounded for number in numbers)
    slack = sum((number.half_unit for number in numbers), Fraction(0)) if is_rounded else Fraction(0)
    return abs(_added(parts) - whole.value) <= slack


def _added(parts: Sequence[Printed]) -> Fraction:
    return sum((part.value for part in parts), Fraction(0))


def _is_ambiguous(whole: Printed, parts: Sequence[Printed]) -> bool:
    """Whether the whole is the sum once "." may be the sign of thousands and "," that of decimals."""
    wholes = [number for number in (whole, other_reading(whole.text)) if number is not None]
    others = [number for number in (other_reading(part.text) for part in parts) if number is not None]
    sums = [parts, others] if len(others) == len(parts) else [parts]
    return any(_may_meet(number, added) for number in wholes for added in sums)


def _side_by_side(what: str, one: tuple[str, Printed], other: tuple[str, Printed], doubt: str = "") -> Evidence:
    """Two printed numbers of one quantity: equal, equal within their rounding, or contradictory.

    Args:
        what: the quantity.
        one: who prints the first number, and the number.
        other: the same of the second.
        doubt: why they may not be numbers of one quantity; a difference is then left open.
    """
    (who, first), (whose, second) = one, other
    scope = "two printed numbers side by side"
    detail = f"{what}: {first.text} in {who}; {second.text} in {whose}"
    if first.value == second.value:
        return Evidence(Verdict.EXHAUSTED, scope, detail)
    if _may_meet(first, (second,)):
        return Evidence(Verdict.OPEN, scope, f"{detail}, which agree within their rounding")
    if doubt:
        return Evidence(Verdict.OPEN, scope, f"{detail}; {doubt}")
    if _is_ambiguous(first, (second,)):
        return Evidence(Verdict.OPEN, scope, f"{detail}; they agree if ',' and '.' are not used as in English")
    low, high = sorted((first, second), key=lambda number: number.value)
    is_rounded = first.may_be_rounded or second.may_be_rounded
    witness = formula_witness(
        "larger - smaller <= half_units",
        note=what,
        larger=high.value,
        smaller=low.value,
        half_units=low.half_unit + high.half_unit if is_rounded else 0,
    )
    return Evidence(Verdict.REFUTED, scope, f"{detail}, which contradict each other", witness)


def _whole(record: RegistryRecord, item: Item, letter: str, stated: Printed) -> Iterator[Evidence]:
    """A global, overall or total budget of the details beside the stated one."""
    what = f"the whole budget {letter}"
    assignment = item.single(letter)
    if assignment is not None:
        words = _words_for_whole(item, assignment)
        if words is not None:
            doubt = _doubt(record, item, assignment, words)
            yield _side_by_side(what, (_DETAILS, assignment.number), ("privacy_parameters", stated), doubt)
        return
    first = next((assignment for assignment in item.assignments() if assignment.letter == letter), None)
    if first is not None and _words_for_whole(item, first) is not None:
        detail = (
            f"{_DETAILS}: an item names {what} and gives {letter} several times, so {first.number.text} is not compared"
        )
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _words_for_whole(item: Item, assignment: Assignment) -> str | None:
    """What stands between the words for a whole budget and its letter; None where no such words belong to it."""
    before = item.text[: assignment.start]
    starts = [found.end() for found in _SENTENCE_END.finditer(before)]
    begin = starts[-1] if starts else 0
    for found in _WHOLE.finditer(before, begin):
        between = before[found.end() :]
        if (found["nouns"] or _PLAIN.match(between)) and not is_denied(before, found.start()):
            return between
    return before[begin:] if _AFTERWARDS.match(item.text, assignment.end) else None


def _doubt(record: RegistryRecord, item: Item, assignment: Assignment, words: str) -> str:
    """Why a number that an item calls the whole may be another one than the stated budget; "" where nothing says so."""
    if _EACH.search(item.text) or any(_PERIOD.search(unit) for unit in named_units(record)):
        return "the text speaks of a period or share, so they need not be one budget"
    after = _SENTENCE_END.split(item.text[assignment.end :])[0]
    around = f"{item.text[: assignment.start]}{after}"
    if _LOOSE.search(around):
        return "the text gives it only loosely"
    delta = record.parameters.get("delta")
    deltas = {other.number.value for other in item.assignments() if other.letter == "δ"}
    if assignment.letter == "ε" and not deltas <= {delta.value if delta is not None else None}:
        return "the text gives it at a delta that the parameters do not state"
    product = _OF_PRODUCT.match(words)
    is_named = product is not None and re.search(
        rf"(?i)(?:^|\b(?:for|of)\s){re.escape(product['name'])}\Z", record.title
    )
    if not (is_named or _PLAIN.match(words)):
        return "what the text calls whole may be something else"
    pieces, place, end = [], assignment.end, assignment.end + len(after)
    for other in item.assignments():
        if place <= other.start < end:
            pieces.append(item.text[place : other.start])
            place = other.end
    pieces.append(item.text[place:end])
    if _GOES_ON.match(after) or _BARE_NUMBER.search(" ".join(pieces)):
        return "the text goes on after the number, which may be one of several"
    return ""


def _parts(record: RegistryRecord, found: Sequence[Item], letter: str, stated: Printed) -> Iterator[Evidence]:
    """The labelled parts of the budget, added up beside the whole.

    Where an item says that a budget is split, its parts are the items directly under it, and they must add up to it.
    Elsewhere all labelled items are added beside the stated budget, and a difference contradicts nothing.
    """
    split = next((index for index, item in enumerate(found) if _is_split(item, letter)), None)
    whole, doubt = stated, "the record does not say of one budget that they add up to it"
    if split is not None:
        head = found[split]
        whole = next(assignment.number for assignment in head.assignments() if assignment.letter == letter)
        found = _directly_under(found, split)
        doubt = _doubt_of_parts(head, found, letter)
    parts = [
        (item.label, part.number)
        for item in found
        if item.label and not _WHOLE_LABEL.search(item.label) and (part := item.single(letter)) is not None
    ]
    if len(parts) > _MAX_PARTS:
        detail = f"{len(parts)} labelled numbers of {letter} are not added up; at most {_MAX_PARTS} are"
        yield Evidence(Verdict.OPEN, _WORDS, detail)
    elif len(parts) >= 2:
        yield _sum(letter, whole, parts, doubt, named_units(record))


def _is_split(item: Item, letter: str) -> bool:
    """Whether an item says of the one number that it gives a letter that it is split."""
    words, given = _SPLIT.search(item.text), item.single(letter)
    if words is None or given is None or is_denied(item.text, words.start()):
        return False
    if given.end <= words.start():
        return _IS_SPLIT.match(item.text[given.end : words.start()]) is not None
    return _SPLITS.match(item.text[words.end() : given.start]) is not None


def _directly_under(found: Sequence[Item], index: int) -> list[Item]:
    """The items nested under one, without those nested deeper."""
    nested: list[Item] = []
    for item in found[index + 1 :]:
        if item.depth <= found[index].depth:
            break
        nested.append(item)
    return [item for item in nested if item.depth == nested[0].depth]


def _doubt_of_parts(head: Item, nested: Sequence[Item], letter: str) -> str:
    """Why the items under a split budget need not add up to it; "" where nothing says so."""
    texts = [head.text, *(item.text for item in nested)]
    if any(_SOME.search(text) for text in texts):
        return "the record lists only some of the parts"
    if any(_EACH.search(text) for text in texts):
        return "the text speaks of a period or share, so they need not be parts of one budget"
    if any(_LOOSE.search(text) for text in texts):
        return "the text gives a number only loosely"
    if any(not item.label or item.single(letter) is None for item in nested):
        return "not every part has one label and one number"
    return ""


def _sum(
    letter: str, whole: Printed, parts: Sequence[tuple[str, Printed]], doubt: str, units: Sequence[str]
) -> Evidence:
    """The parts added up beside the whole."""
    numbers = [number for _, number in parts]
    total = _added(numbers)
    formula = " + ".join(number.text.replace(",", "") for number in numbers)
    names = ", ".join(f"{label} {number.text}" for label, number in parts)
    evidence = compare(whole, Enclosure(total, total), formula, f"{letter} as the sum of its parts ({names})")
    is_equal = total == whole.value or (whole.may_be_rounded and evidence.verdict.is_settled_for)
    if is_equal and len(units) <= 1:
        return evidence
    note = _difference(whole.value - total)
    if all(number.value == whole.value for number in numbers):
        doubt = doubt or "every part has the whole budget, as parts with data of their own may have"
    if is_equal:
        named = listed(units)
        reason = (
            f"right as arithmetic, but several units are named ({named}) and no conversion of one budget to another"
        )
    elif _may_meet(whole, numbers):
        reason = "they agree within the rounding of the parts"
    elif _is_ambiguous(whole, numbers):
        reason = "they agree if ',' and '.' are not used as in English"
    elif doubt or evidence.witness is None:
        reason = f"{doubt}{note}"
    else:
        detail = f"{evidence.detail}, though the record says that it is split between them{note}"
        return Evidence(Verdict.REFUTED, evidence.scope, detail, evidence.witness)
    return Evidence(Verdict.OPEN, evidence.scope, f"{evidence.detail}; {reason}")


def _difference(difference: Fraction) -> str:
    """A published total that equals what is missing from a sum."""
    for total in TOTALS:
        if total.rho_squared.value == difference:
            return (
                f"; the difference is the published rho^2 of {total.product}, {total.rho_squared.text} ({total.source})"
            )
    return ""

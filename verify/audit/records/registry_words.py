"""The words of a registry record: statements that do not go together, and sentences of the registry's template.

Units that it names as "person-level" stand beside the text that explains them.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from stirred.verify.audit.question import Answer
from stirred.verify.audit.records.registry import DETAILS, EXPECTED, RegistryRecord
from stirred.verify.audit.records.registry_numbers import stated_deltas
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.statement_text.items import Item
from stirred.verify.laws.statement_text.phrases import find, is_denied, sentence_bounds
from stirred.verify.laws.statement_text.quantities import PERIODS
from stirred.verify.laws.statement_text.tokens import Kind, Token, tokens

UNIT, UNIT_DETAILS = "privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details"
_LEVEL = "-level"
_NO_UNITS = ("high", "low", "top", "multi", "single")
_UNEXPLAINED = ("level", "levels", "and", "or", "per", "a", "the", "for")
_MAX_LISTED = 10


def listed(names: Sequence[str], most: int = _MAX_LISTED) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def named_units(record: RegistryRecord) -> tuple[str, ...]:
    """The units that the record names, sorted."""
    return tuple(sorted(units_at(record, UNIT) | units_at(record, UNIT_DETAILS)))


def units_at(record: RegistryRecord, key: str) -> frozenset[str]:
    """The units that the text at a key names."""
    found = tokens(record.text(key) or "")
    return frozenset(
        unit
        for index, token in enumerate(found)
        if token.text.endswith(_LEVEL)
        and (unit := token.text.removesuffix(_LEVEL)).split("-")[0] not in _NO_UNITS
        and not is_denied(found, index)
    )


def unexplained_words(record: RegistryRecord) -> list[str]:
    """The words of the unit, such as "user" and "day", that stand nowhere in the text that explains it."""
    explained = _words(record, UNIT_DETAILS)
    unit = _words(record, UNIT).items()
    return [written for word, written in unit if word not in explained and written not in _UNEXPLAINED]


def other_periods(record: RegistryRecord) -> tuple[list[str], list[str]] | None:
    """The periods of the unit and those of the text that explains it, where they have none in common."""
    unit, explained = (sorted(set(_words(record, key)) & set(PERIODS.values())) for key in (UNIT, UNIT_DETAILS))
    return (unit, explained) if unit and explained and not set(unit) & set(explained) else None


def _words(record: RegistryRecord, key: str) -> dict[str, str]:
    """The words of a text as written, by their singular, or by the period that they name."""
    found = [part for token in tokens(record.text(key) or "") for part in token.text.split("-") if part[:1].isalpha()]
    return {PERIODS.get(word, _singular(word)): word for word in found}


def _singular(word: str) -> str:
    """The word without the ending of the plural or of the genitive.

    >>> [_singular(word) for word in ("users", "user's", "business", "businesses")]
    ['user', 'user', 'business', 'business']
    """
    word = word.removesuffix("'s").removesuffix("'")
    return word.removesuffix("es") if word.endswith("sses") else word if word.endswith("ss") else word.removesuffix("s")


# Large numbers of one thing that differ in one digit: one of them may be a misprint of the other.

_MIN_DIGITS = 5
_MIN_SIGNIFICANT = 4


class Misprint(NamedTuple):
    """A large number, what it counts, and its place."""

    digits: str
    noun: str
    text: str
    key: str
    quote: str


def nearly_equal_numbers(prose: Sequence[tuple[str, Item]]) -> Iterator[tuple[Misprint, Misprint]]:
    """Pairs of different integers of at least five digits that differ in one digit behind the first.

    Rounded numbers ("17,000") are no exact ones, and two numbers that count different things ("17,234 victims" and
    "17,334 perpetrators") are two numbers: neither makes a pair.
    """
    found = {one.digits + one.noun: one for key, item in prose for one in _large(key, item)}
    # numbers that differ in one digit share the text that has a gap there
    alike: dict[str, list[Misprint]] = {}
    for one in found.values():
        for gapped in _gapped(one.digits):
            alike.setdefault(gapped, []).append(one)
    seen: set[tuple[str, str]] = set()
    for group in alike.values():
        for first in group:
            for second in group:
                pair = (first.digits, second.digits)
                if first.digits < second.digits and _may_be_one_thing(first, second) and pair not in seen:
                    seen.add(pair)
                    yield first, second


def _may_be_one_thing(first: Misprint, second: Misprint) -> bool:
    return not first.noun or not second.noun or first.noun == second.noun


def _large(key: str, item: Item) -> Iterator[Misprint]:
    for index, token in enumerate(item.tokens):
        digits = token.text.replace(",", "")
        is_large = token.kind is Kind.NUMBER and digits.isdigit() and len(digits) >= _MIN_DIGITS
        if is_large and len(digits.rstrip("0")) >= _MIN_SIGNIFICANT and _stands_alone(item.tokens, index):
            yield Misprint(digits, _noun(item.tokens, index), token.text, key, item.quote(index, index))


def _stands_alone(found: Sequence[Token], index: int) -> bool:
    """Whether a number is no part of a name, a ratio or a range."""
    neighbours = (*found[max(0, index - 1) : index], *found[index + 1 : index + 2])
    return all(token.text not in ("/", "-", "–", "_") for token in neighbours)


def _noun(found: Sequence[Token], index: int) -> str:
    """The word that a number counts: the one behind it, unless a letter is before it."""
    is_assigned = index > 0 and found[index - 1].text == "="
    after = found[index + 1 : index + 2]
    return "" if is_assigned or not after or after[0].kind is not Kind.WORD else after[0].text.rstrip("s")


def _gapped(digits: str) -> Iterator[str]:
    return (f"{digits[:place]}_{digits[place + 1 :]}" for place in range(1, len(digits)))


_MODEL_DETAILS = "deployment_model.model_name_details"
_NEIGHBOURS = (
    *("neighbor", "neighbors", "neighbour", "neighbours", "neighboring", "neighbouring", "adjacency", "adjacent"),
    *("differential", "dp"),
)
_BOUNDED = (
    *(f"bounded{joint}{word}" for joint in (" ", "-") for word in _NEIGHBOURS),
    *("change-one", "replace-one"),
)
_UNBOUNDED = (
    *(f"unbounded{joint}{word}" for joint in (" ", "-") for word in _NEIGHBOURS),
    *("symmetric distance", "symmetric difference", "adding or removing", "addition or deletion"),
    *("addition or removal", "add/remove", "add-or-remove", "add or remove"),
)
_COUNTS_RECORDS = (
    *("change-one distance", "replace-one distance", "symmetric distance", "symmetric difference"),
    *("change-one difference", "replace-one difference"),
)
_MAXIMUM = tuple(f"maximum distance between any two {sets} in the data domain is" for sets in ("datasets", "data sets"))
_MAX_PAIRS = 20
_WORDS = "the words of the record"


def consistency(record: RegistryRecord) -> Iterator[Answer]:
    """Statements of the record that do not go together; what rests on a template or on likeness decides nothing."""
    for evidence in (*_variant(record), *_deltas(record), *_neighbours(record), *_units(record)):
        yield Answer("consistent", evidence)
    for evidence in _maximum(record):
        yield Answer("consistent", evidence, decides=False, is_remark=True)
    pairs = list(islice(nearly_equal_numbers(list(record.items())), _MAX_PAIRS + 1))
    for first, second in pairs[:_MAX_PAIRS]:
        detail = (
            f"{first.text} ({first.key}: {first.quote!r}) and {second.text} ({second.key}: {second.quote!r}) differ in "
            "one digit: one may be a misprint of the other"
        )
        yield Answer("consistent", Evidence(Verdict.OPEN, _WORDS, detail), decides=False, is_remark=True)
    if len(pairs) > _MAX_PAIRS:
        detail = f"more numbers differ in one digit; the first {_MAX_PAIRS} pairs are listed"
        yield Answer("consistent", Evidence(Verdict.OPEN, _WORDS, detail), decides=False)


def _units(record: RegistryRecord) -> Iterator[Evidence]:
    """Several units for one budget, or a unit of one period that is explained by another."""
    if (periods := other_periods(record)) is not None:
        unit, (of_unit, explained) = record.texts[UNIT].strip(), periods
        detail = f"{unit!r} ({UNIT}) names the period {listed(of_unit)}, and {UNIT_DETAILS} only {listed(explained)}"
        yield Evidence(Verdict.OPEN, _WORDS, detail)
    units = named_units(record)
    if len(units) > 1:
        named = [key for key in (UNIT, UNIT_DETAILS) if units_at(record, key)]
        names = f"several names of units ({listed(units)})"
        detail = f"{' and '.join(named)}: {names}: one budget can't be read for two units"
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _neighbours(record: RegistryRecord) -> Iterator[Evidence]:
    bounded, unbounded = _first(record, _BOUNDED), _first(record, _UNBOUNDED)
    if bounded is not None and unbounded is not None:
        detail = (
            f"both kinds of neighbours are named: {bounded[1]!r} ({bounded[0]}) and {unbounded[1]!r} ({unbounded[0]}); "
            "a budget for one is not a budget for the other"
        )
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _first(record: RegistryRecord, phrases: tuple[str, ...]) -> tuple[str, str] | None:
    """Where the record first uses words of a kind without denying them, and the words as written."""
    for key in (UNIT, UNIT_DETAILS, _MODEL_DETAILS, "implementation.mechanisms"):
        text = record.text(key) or ""
        read = tokens(text)
        for start, end in find(read, phrases):
            return key, " ".join(text[read[start].start : read[end - 1].end].split())
    return None


def _maximum(record: RegistryRecord) -> Iterator[Evidence]:
    """A maximum distance of one between any two data sets, which no distance that counts records has."""
    text = " ".join((record.text(UNIT_DETAILS) or "").split())
    read = tokens(text)
    for start, end in find(read, _MAXIMUM):
        if end >= len(read) or not (read[end].text == "one" or read[end].text == "1"):
            continue
        said = f"{UNIT_DETAILS}: {text[read[start].start : read[end].end].lower()!r}"
        begin, _ = sentence_bounds(read, start)
        distance = next(find(read[begin:start], _COUNTS_RECORDS), None)
        if distance is None:
            reason = "it depends on the distance, which this sentence does not name"
        else:
            reason = (
                "that can hold of adjacent data sets only, since this distance counts records; the sentence is the "
                "registry's template"
            )
        yield Evidence(Verdict.OPEN, _WORDS, f"{said}: {reason}")
        return


def _deltas(record: RegistryRecord) -> Iterator[Evidence]:
    """Several values of δ in the parameters and their details, or a positive one beside pure DP."""
    stated = [(key, number) for key, number in stated_deltas(record) if key in ("privacy_parameters", DETAILS)]
    by_value = {number.value: (key, number) for key, number in reversed(stated)}
    if len(by_value) > 1:
        values = listed([f"{number.text} ({key})" for key, number in reversed(by_value.values())])
        detail = f"several values of delta are stated: {values}; they need not be one budget's"
        yield Evidence(Verdict.OPEN, _WORDS, detail)
    positive = next((number for key, number in stated if key == DETAILS and number.value > 0), None)
    if record.text("dp_variant.variant_name") == "Pure DP" and positive is not None:
        detail = f"Pure DP, and delta = {positive.text} in {DETAILS}: pure DP is (epsilon, 0)-DP"
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _variant(record: RegistryRecord) -> Iterator[Evidence]:
    """The variant's parameters beside those stated."""
    variant = record.text("dp_variant.variant_name")
    if variant is None or variant not in EXPECTED or not (record.parameters or record.formulas):
        return
    scope = "dp_variant.variant_name beside privacy_loss.privacy_parameters"
    delta = record.parameters.get("delta")
    if variant == "Pure DP" and delta is not None and delta.value > 0:
        detail = f"{variant} with delta = {delta.text}: pure DP is (epsilon, 0)-DP, so one of the two is not meant"
        yield Evidence(Verdict.OPEN, scope, detail)
    expected: Sequence[str] = EXPECTED[variant]
    missing = [name for name in expected if name not in record.parameters]
    if missing:
        stated = {name: number.text for name, number in record.parameters.items()} | dict(record.formulas)
        said = ", ".join(f"{name} = {text!r}" for name, text in stated.items())
        yield Evidence(
            Verdict.OPEN,
            scope,
            f"{variant} has {', '.join(expected)}; as a number {', '.join(missing)} is missing (stated: {said})",
        )

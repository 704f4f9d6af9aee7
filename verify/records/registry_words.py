"""The words of a registry record: statements that contradict each other, or that are false as printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from verify.audit.question import Answer
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.records.prose import is_denied, nearly_equal_numbers
from verify.records.registry import EXPECTED, RegistryRecord
from verify.records.registry_numbers import stated_deltas

__all__ = ["consistency", "listed", "named_units"]

_UNIT, _UNIT_DETAILS = "privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details"
_MODEL_DETAILS = "deployment_model.model_name_details"
_DETAILS = "privacy_loss.privacy_parameters_details"
_LEVEL = re.compile(r"(?i)\b(?!(?:high|low|top|multi|single)-)([a-z]+(?:-[a-z]+)?)-level\b")
_MAXIMUM = re.compile(
    r"(?i)\b(?:the )?maximum distance between any two data ?sets in the data domain is (?:one|1)\b(?!\.\d)"
)
_COUNTS_RECORDS = re.compile(r"(?i)\b(?:change-one|replace-one|symmetric) (?:distance|difference)\b")
_SENTENCE_END = re.compile(r"[.;!?](?:\s|\Z)")
_BOUNDED = re.compile(r"(?i)(?<!un)bounded[ -](?:neighbo\w*|adjacen\w*|differential|DP)|\bchange-one\b|\breplace-one\b")
_UNBOUNDED = re.compile(
    r"(?i)\bunbounded[ -](?:neighbo\w*|adjacen\w*|differential|DP)|\bsymmetric (?:distance|difference)\b"
    r"|\b(?:adding or removing|addition or (?:deletion|removal))\b|\badd(?:/|-or-| or )remove\b"
)
_MAX_PAIRS = 20
_MAX_LISTED = 10
_WORDS = "the words of the record"


def consistency(record: RegistryRecord) -> Iterator[Answer]:
    """Statements of the record that contradict each other, or that are false as printed."""
    for evidence in (*_variant(record), *_deltas(record), *_maximum(record), *_neighbours(record), *_units(record)):
        yield Answer("consistent", evidence)
    prose = [text for key, text in record.texts.items() if not key.startswith("administrative.")]
    pairs = list(islice(nearly_equal_numbers(prose), _MAX_PAIRS + 1))
    for first, second in pairs[:_MAX_PAIRS]:
        detail = f"{first} and {second} differ in one digit: one may be a misprint of the other"
        yield Answer("consistent", Evidence(Verdict.OPEN, _WORDS, detail), decides=False)
    if len(pairs) > _MAX_PAIRS:
        detail = f"more numbers differ in one digit; the first {_MAX_PAIRS} pairs are listed"
        yield Answer("consistent", Evidence(Verdict.OPEN, _WORDS, detail), decides=False)


def listed(names: Sequence[str]) -> str:
    """The first ten names, and how many more there are."""
    more = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
    return f"{', '.join(names[:_MAX_LISTED])}{more}"


def named_units(record: RegistryRecord) -> tuple[str, ...]:
    """The units that the record names as "person-level", sorted."""
    return tuple(sorted(_levels(record.text(_UNIT) or "") | _levels(record.text(_UNIT_DETAILS) or "")))


def _levels(text: str) -> set[str]:
    return {found[1].lower() for found in _LEVEL.finditer(text) if not is_denied(text, found.start())}


def _units(record: RegistryRecord) -> Iterator[Evidence]:
    """Several units for one budget."""
    units = named_units(record)
    if len(units) > 1:
        named = [key for key in (_UNIT, _UNIT_DETAILS) if _levels(record.text(key) or "")]
        names = f"several names of units ({listed(units)})"
        detail = f"{' and '.join(named)}: {names}: one budget can't be read for two units"
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _neighbours(record: RegistryRecord) -> Iterator[Evidence]:
    """Bounded and unbounded neighbours in one record."""
    bounded, unbounded = _first(record, _BOUNDED), _first(record, _UNBOUNDED)
    if bounded is not None and unbounded is not None:
        detail = (
            f"both kinds of neighbours are named: {bounded[1]!r} ({bounded[0]}) and {unbounded[1]!r} ({unbounded[0]}); "
            "a budget for one is not a budget for the other"
        )
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _first(record: RegistryRecord, pattern: re.Pattern[str]) -> tuple[str, str] | None:
    """Where the record first uses words of a kind without denying them, and the words."""
    for key in (_UNIT, _UNIT_DETAILS, _MODEL_DETAILS, "implementation.mechanisms"):
        text = record.text(key) or ""
        for found in pattern.finditer(text):
            if not is_denied(text, found.start()):
                return key, found[0]
    return None


def _maximum(record: RegistryRecord) -> Iterator[Evidence]:
    """A maximum distance of one between any two data sets, which no distance that counts records has."""
    text = " ".join((record.text(_UNIT_DETAILS) or "").split())
    found = _MAXIMUM.search(text)
    if found is None or is_denied(text, found.start()):
        return
    said = f"{_UNIT_DETAILS}: {found[0].lower()!r}"
    before = _SENTENCE_END.split(text[: found.start()])[-1]
    distance = next((d for d in _COUNTS_RECORDS.finditer(before) if not is_denied(before, d.start())), None)
    if distance is None:
        detail = f"{said}: it depends on the distance, which this sentence does not name"
        yield Evidence(Verdict.OPEN, _WORDS, detail)
        return
    detail = (
        f"{said}: false as printed of any domain with data sets of two records; it can hold of adjacent data sets only"
    )
    note = "two data sets of two records each that share none"
    yield Evidence(Verdict.REFUTED, _WORDS, detail, formula_witness("distance <= 1", note=note, distance=2))


def _deltas(record: RegistryRecord) -> Iterator[Evidence]:
    """Several values of δ in the parameters and their details, or a positive one beside pure DP."""
    stated = [(key, number) for key, number in stated_deltas(record) if key in ("privacy_parameters", _DETAILS)]
    by_value = {number.value: (key, number) for key, number in reversed(stated)}
    if len(by_value) > 1:
        values = listed([f"{number.text} ({key})" for key, number in reversed(by_value.values())])
        detail = f"several values of delta are stated: {values}; they need not be one budget's"
        yield Evidence(Verdict.OPEN, _WORDS, detail)
    positive = next((number for key, number in stated if key == _DETAILS and number.value > 0), None)
    if record.text("dp_variant.variant_name") == "Pure DP" and positive is not None:
        detail = f"Pure DP, and delta = {positive.text} in {_DETAILS}: pure DP is (epsilon, 0)-DP"
        yield Evidence(Verdict.OPEN, _WORDS, detail)


def _variant(record: RegistryRecord) -> Iterator[Evidence]:
    """The variant's parameters beside those stated."""
    variant = record.text("dp_variant.variant_name")
    if variant is None or variant not in EXPECTED or not (record.parameters or record.formulas):
        return
    scope = "dp_variant.variant_name beside privacy_loss.privacy_parameters"
    delta = record.parameters.get("delta")
    if variant == "Pure DP" and delta is not None and delta.value > 0:
        witness = formula_witness("delta == 0", note="pure DP is (epsilon, 0)-DP", delta=delta.value)
        yield Evidence(Verdict.REFUTED, scope, f"{variant} with delta = {delta.text}", witness)
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

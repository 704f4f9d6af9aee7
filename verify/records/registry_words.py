"""The words of a registry record: statements that contradict each other, or that are false as printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from verify.auditing.audit import Answer
from verify.evidence import Evidence, formula_witness
from verify.records.prose import nearly_equal_numbers
from verify.records.registry import RegistryRecord
from verify.verdict import Verdict

__all__ = ["EXPECTED", "consistency"]

EXPECTED: Mapping[str, Sequence[str]] = {
    "Pure DP": ("epsilon",),
    "Approximate DP": ("epsilon", "delta"),
    "Zero-concentrated DP": ("rho",),
}
"""The parameters of a variant."""

_UNIT, _UNIT_DETAILS = "privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details"
_MODEL_DETAILS = "deployment_model.model_name_details"
_LEVEL = re.compile(r"(?i)\b([a-z]+(?:-[a-z]+)?)-level\b")
_MAXIMUM = re.compile(r"(?i)\bmaximum distance between any two data ?sets in the data domain is (?:one|1)\b(?!\.\d)")
_BOUNDED = re.compile(r"(?i)(?<!un)bounded[ -](?:neighbo|differential|DP)|\bchange-one\b|\breplace-one\b")
_UNBOUNDED = re.compile(
    r"(?i)\bunbounded\b|\bsymmetric (?:distance|difference)\b"
    r"|(?<!not )\b(?:adding or removing|addition or (?:deletion|removal))\b"
    r"|\badd(?:/|-or-| or )remove\b"
)


def consistency(record: RegistryRecord) -> Iterator[Answer]:
    """Statements of the record that contradict each other, or that are false as printed."""
    scope = "the words of the record"
    yield from (Answer("consistent", evidence) for evidence in _variant(record))
    details = record.text(_UNIT_DETAILS) or ""
    if _MAXIMUM.search(details):
        note = "two data sets of two records each that share none"
        detail = (
            f"{_UNIT_DETAILS}: 'the maximum distance between any two datasets in the data domain is one': false as "
            "printed of any domain with data sets of two records; it can hold of adjacent data sets only"
        )
        witness = formula_witness("distance <= 1", note=note, distance=2)
        yield Answer("consistent", Evidence(Verdict.REFUTED, scope, detail, witness))
    texts = {key: record.text(key) or "" for key in (_UNIT, _UNIT_DETAILS, _MODEL_DETAILS, "implementation.mechanisms")}
    bounded = [(key, found[0]) for key, text in texts.items() if (found := _BOUNDED.search(text))]
    unbounded = [(key, found[0]) for key, text in texts.items() if (found := _UNBOUNDED.search(text))]
    if bounded and unbounded:
        detail = (
            f"both kinds of neighbours are named: {bounded[0][1]!r} ({bounded[0][0]}) and {unbounded[0][1]!r} "
            f"({unbounded[0][0]}); a budget for one is not a budget for the other"
        )
        yield Answer("consistent", Evidence(Verdict.OPEN, scope, detail))
    unit, named = _levels(record.text(_UNIT) or ""), _levels(details)
    if unit and named - unit:
        detail = (
            f"{_UNIT} names {', '.join(sorted(unit))}, {_UNIT_DETAILS} also {', '.join(sorted(named - unit))}: "
            "one budget can't be read for two units"
        )
        yield Answer("consistent", Evidence(Verdict.OPEN, scope, detail))
    prose = [text for key, text in record.texts.items() if not key.startswith("administrative.")]
    for first, second in nearly_equal_numbers(prose):
        detail = f"{first} and {second} differ in one digit: one may be a misprint of the other"
        yield Answer("consistent", Evidence(Verdict.OPEN, scope, detail), decides=False)


def _levels(text: str) -> set[str]:
    return {found[1].lower() for found in _LEVEL.finditer(text)}


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
        said = ", ".join((*record.parameters, *record.formulas))
        yield Evidence(
            Verdict.OPEN,
            scope,
            f"{variant} has {', '.join(expected)}; as a number {', '.join(missing)} is missing (stated: {said})",
        )

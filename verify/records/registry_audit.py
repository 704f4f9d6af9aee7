"""The audit of a registry record: which blocks it leaves open or in prose, and whether its numbers and words agree."""

from __future__ import annotations

from verify.audit.audit import Answer, AuditRecord
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.records.registry import RegistryRecord
from verify.records.registry_numbers import registry_numbers, stated_delta, unread_numbers
from verify.records.registry_totals import registry_totals
from verify.records.registry_words import EXPECTED, consistency
from verify.records.setting_audit import DELTA, both_conversions

__all__ = ["registry_audit"]

_UNIT, _UNIT_DETAILS = "privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details"
_COMPOSITION = "accounting.composition"


def registry_audit(record: RegistryRecord) -> AuditRecord:
    """The answers about one record, in the order: read, complete, numbers, consistent, conversion, outside."""
    answers = [_read(record), _complete(record)]
    answers += [Answer("numbers", evidence) for evidence in registry_numbers(record)]
    answers += [Answer("numbers", evidence) for evidence in registry_totals(record)]
    answers += list(consistency(record))
    rho = record.parameters.get("rho")
    if rho is not None:
        stated = stated_delta(record)
        evidence = both_conversions(rho.value, "", stated or DELTA, is_chosen=stated is None)
        answers.append(Answer("conversion", evidence, decides=False))
    answers.append(_outside(record))
    statement = ", ".join(f"{name} = {number.text}" for name, number in record.parameters.items())
    return AuditRecord(
        record.slug, record.path.name, f"{record.title}: {statement or 'no number stated'}", tuple(answers)
    )


def _read(record: RegistryRecord) -> Answer:
    parts = [f"read as a registry record: {len(record.texts)} texts, {len(record.parameters)} privacy parameters"]
    parts += [f"not read: {name} = {text!r} is no number" for name, text in record.formulas.items()]
    parts += [f"not read: {key}, which the registry's schema does not have" for key in record.unknown]
    parts += [f"not read: {words}" for words in unread_numbers(record)]
    scope = f"the record {record.path.name}"
    return Answer("read", Evidence(Verdict.OPEN, scope, "; ".join(parts)), decides=False)


def _complete(record: RegistryRecord) -> Answer:
    """Which blocks are stated exactly, in prose only, or not at all."""
    exact: list[str] = []
    prose: list[str] = []
    missing: list[str] = []
    for block, keys in (
        ("domain", ("dp_variant.data_domain",)),
        ("multiverse", ("dp_variant.unprotected_quantities",)),
        ("input_premetric", (_UNIT, _UNIT_DETAILS)),
    ):
        said = [key for key in keys if record.says_something(key)]
        (prose if said else missing).append(block)
        if said and len(said) < len(keys):
            absent = next(key for key in keys if key not in said)
            prose[-1] += f" (no {absent.rsplit('.', 1)[-1]})"
    variant = record.text("dp_variant.variant_name")
    if variant is None:
        missing.append("output_premetric")
    elif variant in EXPECTED and not ("delta" in EXPECTED[variant] and "delta" not in record.parameters):
        exact.append(f"output_premetric ({variant})")
    else:
        prose.append(f"output_premetric ({variant})")
    stated = ", ".join(f"{name} = {number.text}" for name, number in record.parameters.items() if name != "delta")
    if stated:
        exact.append(f"budget ({stated})")
    elif record.formulas:
        prose.append("budget")
    else:
        missing.append("budget")
    parts = [
        f"{words}: {', '.join(names)}"
        for words, names in (("not stated", missing), ("in prose only", prose), ("stated exactly", exact))
        if names
    ]
    return Answer("complete", Evidence(Verdict.OPEN, "the five blocks of the record", "; ".join(parts)))


def _outside(record: RegistryRecord) -> Answer:
    parts = ["that a mechanism satisfies the budget is not shown, and no prose was interpreted beyond its equations"]
    if record.says_something("dp_variant.unprotected_quantities"):
        parts.append("nothing is claimed about the unprotected quantities, which may be released exactly")
    if record.text("deployment_model.release_type") == "Many releases" and not record.says_something(_COMPOSITION):
        parts.append("there are many releases, and how their budgets add up is not stated")
    if record.formulas:
        parts.append("a parameter that is no number was not evaluated")
    parts.append("other releases from the same data add to the loss")
    return Answer("outside", Evidence(Verdict.OPEN, "not part of the record", "; ".join(parts)), decides=False)

"""The audit of a registry record: which blocks it leaves open or in prose, and whether its numbers and words agree."""

from __future__ import annotations

from collections.abc import Iterator

from stirred.spec.arguments import nearest
from stirred.verify.audit.five_blocks import Stated
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.records.number_inventory import unread_numbers, without_counterpart
from stirred.verify.records.registry import FIELDS, LETTERS, RegistryRecord
from stirred.verify.records.registry_fields import published_total, registry_fields, values_in_prose
from stirred.verify.records.registry_numbers import fields_converted, registry_numbers, stated_delta
from stirred.verify.records.registry_parts import registry_parts
from stirred.verify.records.registry_relations import registry_relations
from stirred.verify.records.registry_units import UNIT, UNIT_DETAILS, listed, unexplained_words
from stirred.verify.records.registry_words import consistency
from stirred.verify.records.setting_audit import DELTA, both_conversions

__all__ = ["QUESTIONS"]

_KEYS = (*FIELDS, *(f"{section}.{key}" for section, keys in FIELDS.items() for key in keys))
_COMPOSITION = "accounting.composition"


def _read(record: RegistryRecord) -> Iterator[Answer]:
    parts = [f"read as a registry record: {len(record.texts)} texts, {len(record.parameters)} privacy parameters"]
    parts += [f"not read: {name} = {text!r} is no number" for name, text in record.formulas.items()]
    for key in record.unknown:
        how = "read for its numbers only" if key in record.texts else "not read"
        near = nearest(key, _KEYS)
        meant = f" (did you mean {near}?)" if near is not None else ""
        parts.append(f"{how}: {key}, which the registry's schema does not have{meant}")
    parts += [f"not read: {words}" for words in unread_numbers(record)]
    alone = list(without_counterpart(record))
    if alone:
        parts.append(f"read, with nothing to compare it with: {', '.join(alone)}")
    if words := unexplained_words(record):
        parts.append(f"the unit {record.texts[UNIT].strip()!r}: {UNIT_DETAILS} has no {listed(words)}")
    parts += [f"{name} = {number.text} stands nowhere in the prose" for name, number in _nowhere(record)]
    scope = f"the record {record.path.name}"
    yield Answer("read", Evidence(Verdict.OPEN, scope, "; ".join(parts)), decides=False)


def _nowhere(record: RegistryRecord) -> Iterator[tuple[str, Printed]]:
    """The parameters whose letters the prose gives no number."""
    for name, number in record.parameters.items():
        if not values_in_prose(record, LETTERS[name]):
            yield name, number


def _complete(record: RegistryRecord) -> Iterator[Answer]:
    """Which blocks are stated exactly, in prose only, or not at all."""
    blocks = record.blocks
    named = {"not stated": Stated.NOT, "in prose only": Stated.IN_WORDS, "stated exactly": Stated.EXACTLY}
    parts = [f"{words}: {', '.join(found)}" for words, stated in named.items() if (found := blocks.named(stated))]
    yield Answer("complete", Evidence(Verdict.OPEN, "the five blocks of the record", "; ".join(parts)))


def _prose(record: RegistryRecord) -> Iterator[Answer]:
    """The numbers of the prose beside the parameters and each other."""
    yield from registry_fields(record)
    yield from registry_relations(record)


def _numbers(record: RegistryRecord) -> Iterator[Answer]:
    for evidence in registry_numbers(record):
        yield Answer("numbers", evidence)
    for evidence in fields_converted(record):
        yield Answer("numbers", evidence, decides=evidence.verdict.is_settled_for)
    for evidence in (*registry_parts(record), *published_total(record)):
        yield Answer("numbers", evidence)


def _conversion(record: RegistryRecord) -> Iterator[Answer]:
    rho = record.parameters.get("rho")
    if rho is not None:
        stated = stated_delta(record)
        evidence = both_conversions(rho.value, "", stated or DELTA, is_chosen=stated is None)
        yield Answer("conversion", evidence, decides=False)


def _outside(record: RegistryRecord) -> Iterator[Answer]:
    parts = ["that a mechanism satisfies the budget is not shown, and no prose was interpreted beyond its equations"]
    if record.says_something("dp_variant.unprotected_quantities"):
        parts.append("nothing is claimed about the unprotected quantities, which may be released exactly")
    if record.text("deployment_model.release_type") == "Many releases" and not record.says_something(_COMPOSITION):
        parts.append("there are many releases, and how their budgets add up is not stated")
    if record.formulas:
        parts.append("a parameter that is no number was not evaluated")
    parts.append("other releases from the same data add to the loss")
    yield Answer("outside", Evidence(Verdict.OPEN, "not part of the record", "; ".join(parts)), decides=False)


QUESTIONS = (
    AuditQuestion("read", _read),
    AuditQuestion("complete", _complete),
    AuditQuestion("prose", _prose),
    AuditQuestion("numbers", _numbers),
    AuditQuestion("consistent", consistency),
    AuditQuestion("conversion", _conversion),
    AuditQuestion("outside", _outside),
)
"""What is asked of a registry record, in this order."""

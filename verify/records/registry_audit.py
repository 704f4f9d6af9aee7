"""The audit of a registry record: which blocks it leaves open or in prose, and whether its numbers and words agree."""

from __future__ import annotations

from collections.abc import Iterator

from verify.audit.five_blocks import Stated
from verify.audit.question import Answer, AuditQuestion
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.records.registry import RegistryRecord
from verify.records.registry_numbers import registry_numbers, stated_delta, unread_numbers
from verify.records.registry_totals import registry_totals
from verify.records.registry_words import consistency
from verify.records.setting_audit import DELTA, both_conversions

__all__ = ["QUESTIONS"]

_COMPOSITION = "accounting.composition"


def _read(record: RegistryRecord) -> Iterator[Answer]:
    parts = [f"read as a registry record: {len(record.texts)} texts, {len(record.parameters)} privacy parameters"]
    parts += [f"not read: {name} = {text!r} is no number" for name, text in record.formulas.items()]
    parts += [f"not read: {key}, which the registry's schema does not have" for key in record.unknown]
    parts += [f"not read: {words}" for words in unread_numbers(record)]
    scope = f"the record {record.path.name}"
    yield Answer("read", Evidence(Verdict.OPEN, scope, "; ".join(parts)), decides=False)


def _complete(record: RegistryRecord) -> Iterator[Answer]:
    """Which blocks are stated exactly, in prose only, or not at all."""
    blocks = record.blocks
    named = {"not stated": Stated.NOT, "in prose only": Stated.IN_WORDS, "stated exactly": Stated.EXACTLY}
    parts = [f"{words}: {', '.join(found)}" for words, stated in named.items() if (found := blocks.named(stated))]
    yield Answer("complete", Evidence(Verdict.OPEN, "the five blocks of the record", "; ".join(parts)))


def _numbers(record: RegistryRecord) -> Iterator[Answer]:
    for evidence in (*registry_numbers(record), *registry_totals(record)):
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
    AuditQuestion("numbers", _numbers),
    AuditQuestion("consistent", consistency),
    AuditQuestion("conversion", _conversion),
    AuditQuestion("outside", _outside),
)
"""What is asked of a registry record, in this order."""

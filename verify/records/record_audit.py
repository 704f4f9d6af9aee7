"""Published records as the auditor's input: which reader a file needs, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spec.arguments import InputError
from verify.audit.audit import AuditRecord, replayed
from verify.audit.claim_witness import with_stated_claim
from verify.outside.bounded_file import read_text
from verify.records.exact_json import load_json
from verify.records.phsafe import is_phsafe, phsafe
from verify.records.record_kind import record_kind
from verify.records.registry import RegistryRecord, read_registry
from verify.records.registry_audit import registry_audit
from verify.records.safetab import is_safetab, safetab
from verify.records.setting import BudgetSetting
from verify.records.setting_audit import setting_audit
from verify.records.topdown import read_topdown

__all__ = ["PublishedRecord", "audit_record", "read_record", "read_records"]

PublishedRecord = RegistryRecord | BudgetSetting
"""A record or setting after validation."""


def read_records(paths: Sequence[Path]) -> tuple[PublishedRecord, ...]:
    """The records in several files, in order.

    Raises:
        InputError: one of them is no record, or two would be reported under one name.
    """
    records = tuple(map(read_record, paths))
    seen: dict[str, Path] = {}
    for record in records:
        if record.id in seen:
            raise InputError(f"{record.path}: the name {record.id!r} is used twice; it is also in {seen[record.id]}")
        seen[record.id] = record.path
    return records


def read_record(path: Path) -> PublishedRecord:
    """The record in a file, by its extension and content.

    Raises:
        InputError: the file cannot be read, is malformed, or is of a kind that no reader knows; the message says what
            was found instead.
    """
    match record_kind(path):
        case "yaml":
            return read_registry(path)
        case "ini":
            return read_topdown(path)
    content = load_json(str(path), read_text(path))
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be a setting, a JSON object; got {type(content).__name__}")
    if is_phsafe(content) and is_safetab(content):
        raise InputError(f"{path}: privacy_budget: must not stand beside privacy_budget_p_* or privacy_budget_h_*")
    if is_phsafe(content):
        return phsafe(path, content)
    if is_safetab(content):
        return safetab(path, content)
    keys = ", ".join(map(repr, list(content)[:6])) or "none"
    raise InputError(
        f"{path}: privacy_budget: missing key; a PHSafe setting has it, a SafeTab setting has privacy_budget_p_* or "
        f"privacy_budget_h_*; the keys found are {keys}"
    )


def audit_record(record: PublishedRecord, others: Sequence[PublishedRecord]) -> AuditRecord:
    """The answers about a record, with every witness replayed.

    Args:
        record: the record.
        others: all records of the run.

    Raises:
        EngineError: a witness does not replay.
    """
    if isinstance(record, RegistryRecord):
        audited = registry_audit(record)
    else:
        audited = setting_audit(record, [other for other in others if isinstance(other, BudgetSetting)])
    stated = (with_stated_claim(answer.evidence, audited.id, audited.statement) for answer in audited.answers)
    bound = tuple(replace(answer, evidence=one) for answer, one in zip(audited.answers, stated, strict=True))
    audited = replace(audited, answers=bound)
    for answer in audited.answers:
        if answer.evidence.witness is not None:
            replayed(audited, answer.evidence.witness)
    return audited

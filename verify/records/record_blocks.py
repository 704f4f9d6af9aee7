"""A published record as its five blocks in words: what it states, says in prose only, and leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from verify.audit.five_blocks import NOT_STATED, FiveBlocks
from verify.records.record_audit import PublishedRecord
from verify.records.registry import RegistryRecord
from verify.records.setting import BudgetSetting
from verify.reports.lines import shortened

__all__ = ["record_blocks", "record_statement"]

_WIDTH = 160


def record_statement(record: PublishedRecord) -> str:
    """What a record is of."""
    return record.title if isinstance(record, RegistryRecord) else f"budgets of {record.system} as run"


def record_blocks(record: PublishedRecord) -> FiveBlocks:
    """The five blocks of a record; nothing is checked."""
    return _registry_blocks(record) if isinstance(record, RegistryRecord) else _setting_blocks(record)


def _registry_blocks(record: RegistryRecord) -> FiveBlocks:
    budget = ", ".join(f"{name} = {number.text}" for name, number in record.parameters.items())
    formulas = ", ".join(f"{name} = {text!r}" for name, text in record.formulas.items())
    parts = [budget, f"not read as a number: {formulas}" if formulas else ""]
    return FiveBlocks(
        domain=_prose(record, ("dp_variant.data_domain",)),
        multiverse=_prose(record, ("dp_variant.unprotected_quantities",)),
        input_premetric=_prose(record, ("privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details")),
        output_premetric=record.text("dp_variant.variant_name") or NOT_STATED,
        budget="; ".join(part for part in parts if part) or NOT_STATED,
    )


def _prose(record: RegistryRecord, keys: Sequence[str]) -> str:
    """What the texts at some keys say, cut short."""
    said = [" ".join((record.text(key) or "").split()) for key in keys if record.says_something(key)]
    if said:
        return f"in prose: {shortened(' / '.join(said), _WIDTH)}"
    words = " ".join((record.text(keys[0]) or "").split())
    return f"{NOT_STATED} ({words})" if words else NOT_STATED


def _setting_blocks(setting: BudgetSetting) -> FiveBlocks:
    return FiveBlocks(
        domain=setting.stated.get("domain", NOT_STATED),
        multiverse=setting.stated.get("multiverse", NOT_STATED),
        input_premetric=setting.stated.get("input_premetric", NOT_STATED),
        output_premetric=setting.stated.get("output_premetric", NOT_STATED),
        budget=_budget(setting),
    )


def _budget(setting: BudgetSetting) -> str:
    budgets = [f"{run.name}: {setting.letter} = {run.total_text}, the sum of {run.counted}" for run in setting.runs]
    if budgets:
        return "; ".join(budgets) + (f" ({setting.condition})" if setting.condition else "")
    shares = ", ".join(f"{level} {share}" for level, share in setting.shares.items())
    return f"{NOT_STATED}; its shares: {shares}" if shares else NOT_STATED

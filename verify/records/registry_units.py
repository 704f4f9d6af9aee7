"""The units that a registry record names as "person-level"."""

from __future__ import annotations

from collections.abc import Sequence

from verify.records.phrases import is_denied
from verify.records.prose_tokens import tokens
from verify.records.registry import RegistryRecord

__all__ = ["UNIT", "UNIT_DETAILS", "listed", "named_units", "units_at"]

UNIT, UNIT_DETAILS = "privacy_loss.privacy_unit", "privacy_loss.privacy_unit_details"
_LEVEL = "-level"
_NO_UNITS = ("high", "low", "top", "multi", "single")
_MAX_LISTED = 10


def listed(names: Sequence[str]) -> str:
    """The first ten names, and how many more there are."""
    more = f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
    return f"{', '.join(names[:_MAX_LISTED])}{more}"


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

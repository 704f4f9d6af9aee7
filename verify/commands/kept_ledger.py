"""A ledger that was kept with `stirred verify --json`, compared field by field with the one of today."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spec.arguments import InputError, shown
from verify.certificates.printable import one_line
from verify.outside.bounded_file import read_text

__all__ = ["FIELDS", "changes", "kept_records"]

FIELDS = frozenset(
    {
        "id",
        "source",
        "sources",
        "statement",
        "printed",
        "reading",
        "repairs",
        "verdict",
        "grade",
        "because",
        "scope",
        "detail",
        "witness",
        "evidence",
        "refuted_in_coq",
        "mutants",
        "seconds",
    }
)
"""What every kept record has; fields that later versions add are compared as soon as one of the two has them."""

_MAX_BYTES = 20_000_000
"""The largest kept ledger that is read."""

_UNSTABLE = frozenset({"id", "seconds"})
_SHOWN = 60
_ABSENT = "absent"


def kept_records(path: str) -> dict[str, Mapping[str, Any]]:
    """The records of a kept ledger by id.

    Raises:
        InputError: the file cannot be read, is empty, has an id twice, or is not the output of stirred verify --json.
    """
    expected = f"{path}: must be the output of stirred verify --json"
    try:
        records = json.loads(read_text(path, _MAX_BYTES))
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError(expected) from None
    if not isinstance(records, list):
        raise InputError(f"{expected}, a list; got {_kind(records)}")
    if not records:
        raise InputError(f"{expected}; the list is empty")
    kept: dict[str, Mapping[str, Any]] = {}
    for position, record in enumerate(records):
        if not isinstance(record, dict):
            raise InputError(f"{expected}; record {position} is {_kind(record)}")
        if missing := sorted(FIELDS - set(record)):
            raise InputError(f"{expected}; record {position} has no {', '.join(missing)}")
        name = record["id"]
        if not isinstance(name, str) or not isinstance(record["verdict"], str):
            raise InputError(f"{expected}; the id and the verdict of record {position} must be texts")
        if name in kept:
            raise InputError(f"{expected}; the id {shown(name)} stands twice")
        kept[name] = record
    return kept


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return kinds.get(type(value), "a number")


def changes(
    records: Sequence[Mapping[str, Any]], kept: Mapping[str, Mapping[str, Any]], prefixes: Sequence[str]
) -> Iterator[str]:
    """One line for each field that changed, and for each record that only one of the two ledgers has.

    Args:
        records: those of today.
        kept: by id.
        prefixes: how the ids begin that were asked for; none for all. Other kept records are not looked at.
    """
    for record in records:
        before = kept.get(record["id"])
        if before is None:
            yield f"{record['id']}: was {_ABSENT}, is {record['verdict']}"
            continue
        for field in sorted({*record, *before} - _UNSTABLE, key=lambda field: (field != "verdict", field)):
            was, now = (_text(one, field) for one in (before, record))
            if was != now:
                yield one_line(f"{record['id']}: {field}: was {_excerpt(was, now)}, is {_excerpt(now, was)}")
    today = {record["id"] for record in records}
    for name in sorted(set(kept) - today):
        if not prefixes or name.startswith(tuple(prefixes)):
            yield one_line(f"{name}: was {kept[name]['verdict']}, is {_ABSENT}")


def _text(record: Mapping[str, Any], field: str) -> str:
    """A field as it is compared: a text as it stands, anything else as JSON, whatever the order of its keys."""
    if field not in record:
        return _ABSENT
    value = record[field]
    return value if field == "verdict" else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _excerpt(text: str, other: str) -> str:
    """The text from shortly before the first character in which it differs from another one."""
    place = next((i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    start = max(0, place - _SHOWN // 3) if len(text) > _SHOWN else 0
    end = start + _SHOWN
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"

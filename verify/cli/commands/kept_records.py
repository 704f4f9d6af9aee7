"""Records that were kept with --json, of the ledger or of an audit, compared field by field with those of today."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.reports.lines import HOLDS


@dataclass(frozen=True)
class Kept:
    """Kept records: whose output they are, and their fields; later ones are compared once a record has them."""

    command: str
    fields: frozenset[str]


_COMMON = frozenset(("id", "source", "statement", "verdict", "scope", "detail", "witness"))
_TOLD = frozenset(("sources", "printed", "reading", "repairs", "grade", "because", "evidence"))
_COUNTED = frozenset(("refuted_in_coq", "mutants", "seconds"))

AUDIT = Kept("stirred audit", _COMMON | {"findings"})
"""The records of an audit."""

LEDGER = Kept("stirred verify", _COMMON | _TOLD | _COUNTED)
"""The records of the ledger."""

CHANGED = 1
"""Exit status where a record is not the one that was kept."""

_MAX_BYTES = 60_000_000
"""The largest file of kept records that is read."""

_UNSTABLE = frozenset({"id", "seconds"})
_SHOWN = 60
_ABSENT = "absent"


def kept_records(path: str, kind: Kept) -> dict[str, Mapping[str, Any]]:
    """The kept records by id."""
    expected = f"{path}: must be the output of {kind.command} --json"
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
        if missing := sorted(kind.fields - set(record)):
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


def compared_status(
    records: Sequence[Mapping[str, Any]], kept: Mapping[str, Mapping[str, Any]], prefixes: Sequence[str] = ()
) -> int:
    """Write what changed to stderr; the exit status is 0 iff nothing did.

    With `prefixes`, kept records whose ids begin otherwise are not looked at.
    """
    # as the file has it: tuples are lists there
    today = json.loads(json.dumps(list(records)))
    lines = list(_changes(today, kept, prefixes))
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return CHANGED if lines else HOLDS


def _changes(
    records: Sequence[Mapping[str, Any]], kept: Mapping[str, Mapping[str, Any]], prefixes: Sequence[str]
) -> Iterator[str]:
    """One line for each field that changed, and for each record that only one of the two has."""
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

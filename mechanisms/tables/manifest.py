"""The manifest beside a released file: what it is, how it came about, and a checksum; never the key or the seed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile
    from stirred.mechanisms.tables.writing import WrittenFile


def manifest_text(written: WrittenFile, source: TableFile, mechanism: str, facts: Mapping[str, object]) -> str:
    """The manifest of one file, as JSON.

    Args:
        facts: the roles of columns, the budget, the swap rate and what else decided the run.
    """
    found = {
        "file": {
            "name": written.name,
            "bytes": written.bytes,
            "crc32": written.crc32,
            "sha256": written.sha256,
            "rows": written.rows,
        },
        "program": f"stirred {version('stirred')}",
        "mechanism": mechanism,
        "schema": {field.name: str(field.type) for field in source.schema},
        **facts,
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def swapped_facts(swapped: Any) -> dict[str, object]:
    """What the manifest says of records that were swapped in strata: their roles, records, strata and buckets."""
    roles = swapped.roles
    return {
        "roles": {
            "matching": roles.matching,
            "holding": roles.holding,
            "swapping": roles.swapping,
            "id": roles.identifier,
            "count": roles.count,
        },
        "records": swapped.records,
        "strata": len(swapped.sizes.records),
        "buckets": swapped.buckets,
    }


def randomness(seed: int | None) -> str:
    """Where the randomness came from; never the seed.

    >>> randomness(7), randomness(None)
    ('seed, not for a release', 'operating system')
    """
    return "operating system" if seed is None else "seed, not for a release"

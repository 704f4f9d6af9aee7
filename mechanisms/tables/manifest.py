"""The manifest beside a released file: what it is, how it came about, and a checksum; never the key or the seed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from mechanisms.tables.reading import TableFile
from mechanisms.tables.writing import WrittenFile

__all__ = ["manifest_text"]


def manifest_text(
    written: WrittenFile, source: TableFile, swapped: Any, budget: Mapping[str, object], how: Mapping[str, object]
) -> str:
    """The manifest of one file, as JSON.

    Args:
        written: the file.
        source: what was swapped.
        swapped: with its records, strata, roles and buckets.
        budget: the budget of the specification.
        how: the swap rate and what else decided the run.
    """
    roles = swapped.roles
    return (
        json.dumps(
            {
                "file": {"name": written.name, "bytes": written.bytes, "crc32": written.crc32, "rows": written.rows},
                "program": f"stirred {version('stirred')}",
                "mechanism": "permutation swapping",
                "schema": {field.name: str(field.type) for field in source.schema},
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
                "budget": budget,
                **how,
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )

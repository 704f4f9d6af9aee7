"""A record of the ledger with the long witnesses of its mutants by their digest: what a reader asks for stays short."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_LONGEST = 2_000
"""Characters of the witness of a mutant that is written out."""


def bounded_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record as it is, but for mutants whose witness is long: there stand its length and its digest.

    >>> short = {"change": "b", "verdict": "REFUTED", "witness": {"kind": "formula"}}
    >>> long = {**short, "witness": {"kind": "formula", "claimed": "1 < 0" + " or 1 < 0" * 400}}
    >>> first, second = bounded_record({"id": "a", "mutants": [short, long]})["mutants"]
    >>> first == short, sorted(second["witness"]), second["witness"]["characters"]
    (True, ['characters', 'sha256'], 3639)
    """
    mutants = record["mutants"]
    if not isinstance(mutants, list) or not all(isinstance(one, dict) and "witness" in one for one in mutants):
        return dict(record)  # a file may hold anything there; it is compared as it is
    return {**record, "mutants": [{**one, "witness": _bounded(one["witness"])} for one in mutants]}


def _bounded(witness: Any) -> Any:
    text = json.dumps(witness, sort_keys=True)
    if len(text) <= _LONGEST:
        return witness
    return {"characters": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}

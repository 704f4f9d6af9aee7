"""The published claims that come with the program: the one home of the numbers that the sources print.

`stirred audit` reads the files whole; the ledger and the readers of records take single claims and their numbers.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.audit.claim_numbers import recomputed_numbers
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.table import Block
from stirred.verify.claim.text import ClaimText, claim_of, read_toml
from stirred.verify.engines.number_table import PrintedRow

PUBLISHED = Path(__file__).resolve().parents[1] / "claims" / "published"
"""Where the published claims are."""


@cache
def _tables() -> Mapping[str, tuple[Path, Mapping[str, Any]]]:
    """The file and the table of each claim, by its id."""
    files = {path: read_toml(path)["claim"] for path in sorted(PUBLISHED.glob("*.toml"))}
    return {table["id"]: (path, table) for path, tables in files.items() for table in tables}


def is_published(claim_id: str) -> bool:
    """Whether a published claim has this id."""
    return claim_id in _tables()


def published_claim(claim_id: str, changed: Mapping[str, str] | None = None) -> ClaimText:
    """The published claim with this id.

    Args:
        claim_id: as in the file.
        changed: texts of its table that are replaced wherever they stand, with what stands there instead: a mutant.

    Raises:
        InputError: there is no such claim, or it has no such text.
    """
    if claim_id not in _tables():
        raise InputError(f"claim_id must be the id of a published claim; got {claim_id!r}")
    path, table = _tables()[claim_id]
    for old, new in (changed or {}).items():
        other = _replaced(table, old, new)
        if other == table:
            raise InputError(f"changed must name texts of {claim_id}; got {old!r}")
        table = other
    return claim_of(path, Block(f"{path}:", table))


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, Mapping):
        return {key: _replaced(part, old, new) for key, part in value.items()}
    if isinstance(value, list):
        return [_replaced(part, old, new) for part in value]
    return new if str(value) == old else value


def rows(claim_id: str, changed: Mapping[str, str] | None = None) -> tuple[PrintedRow, ...]:
    """The printed numbers of a published claim that others determine, as the auditor recomputes them.

    Args:
        claim_id: as in the file.
        changed: as for `published_claim`.

    >>> [row.printed.text for row in rows("topdown.pl-person")]
    ['17.90']
    """
    built = build_claim(published_claim(claim_id, changed))
    return tuple(row for row, _ in recomputed_numbers(built))


def parts(claim_id: str) -> Mapping[str, str]:
    """The printed ρ² of the parts of a published composition, by name.

    >>> parts("topdown.pl")
    {'household': '0.07', 'person': '2.56'}
    """
    mechanism = build_claim(published_claim(claim_id)).mechanism
    return {} if mechanism is None else {name: number.text for name, number in mechanism.parts}

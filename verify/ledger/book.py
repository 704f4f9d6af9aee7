"""The claims by id: which module states which is read from the modules' text, so that one id loads one module."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.finding import Evidence
from stirred.verify.ledger.claim import Check, Claim
from stirred.verify.ledger.statement import STATED

__all__ = ["claim", "claim_ids", "claims", "concept_of", "place", "proofs_of"]

_CLAIMS = Path(__file__).resolve().parents[1] / "claims"
_STATES = re.compile(r'^\s*state\(\s*"([^"]+)"', re.MULTILINE)


@cache
def _modules() -> Mapping[str, str]:
    """The module that states each claim, concept by concept."""
    found = {}
    for path in sorted(_CLAIMS.rglob("*.py")):
        module = ".".join(("stirred", "verify", "claims", *path.relative_to(_CLAIMS).with_suffix("").parts))
        for claim_id in _STATES.findall(path.read_text(encoding="utf-8")):
            found[claim_id] = module
    return found


def claim_ids() -> tuple[str, ...]:
    """The ids of all claims, concept by concept."""
    return tuple(_modules())


def claim(claim_id: str) -> Claim:
    """The claim with this id.

    Raises:
        InputError: there is none.
    """
    if claim_id not in _modules():
        raise InputError(f"no claim has the id {claim_id!r}")
    import_module(_modules()[claim_id])
    return STATED[claim_id]


def claims(chosen: Sequence[str] | None = None) -> tuple[Claim, ...]:
    """The claims with these ids, or all."""
    return tuple(map(claim, claim_ids() if chosen is None else chosen))


def concept_of(claim_id: str) -> str:
    """The folder of `verify.claims` whose modules state the claim.

    Raises:
        InputError: there is no such claim.
    """
    if claim_id not in _modules():
        raise InputError(f"no claim has the id {claim_id!r}")
    return _modules()[claim_id].split(".")[3]


def place(claim_id: str, check: Check) -> str:
    """Where a check of a claim is written, as file::name: its own place, or the claim's entry.

    Raises:
        InputError: it is the claim's entry, and there is no such claim.
    """
    if check.place:
        return check.place
    if claim_id not in _modules():
        raise InputError(f"no claim has the id {claim_id!r}")
    return f"{_modules()[claim_id].replace('.', '/')}.py::{claim_id}"


def proofs_of(claim_id: str) -> tuple[Evidence, ...]:
    """The evidence of a claim that rests on Coq theorems."""
    return tuple(check.run() for check in claim(claim_id).checks if check.theorems)

"""Claims that are still stated in `spec.claims`, with evidence in `verify.checks` and theorems in `theorem_table`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from spec.claims import CLAIMS
from verify.evidence.finding import EngineError, Evidence
from verify.ledger.claim import Check, Claim
from verify.ledger.quantifiers import place_of
from verify.ledger.theorems import theorem
from verify.theorem_table import LIMITS, REFUTED, STATED

__all__ = ["checks", "legacy_claims", "legacy_ids", "refutes"]

_CHECKS: dict[str, list[Callable[[], Evidence]]] = {}
_MUTANTS: dict[str, dict[str, Check]] = {}
_OWN = "stirred, "


def checks(*claim_ids: str) -> Callable[[Callable[[], Evidence]], Callable[[], Evidence]]:
    """Attach a check to claims."""

    def attach(check: Callable[[], Evidence]) -> Callable[[], Evidence]:
        for claim_id in claim_ids:
            _CHECKS.setdefault(claim_id, []).append(check)
        return check

    return attach


def refutes(claim_id: str, change: str) -> Callable[[Callable[[], Evidence]], Callable[[], Evidence]]:
    """Attach a mutant to a claim: the check must come out REFUTED."""

    def attach(check: Callable[[], Evidence]) -> Callable[[], Evidence]:
        _MUTANTS.setdefault(claim_id, {})[change] = Check(check, place_of(check))
        return check

    return attach


def legacy_ids() -> tuple[str, ...]:
    """The ids, without loading the evidence."""
    return tuple(one.id for one in CLAIMS)


@cache
def legacy_claims() -> dict[str, Claim]:
    """The claims by id."""
    import_module("verify.checks")
    known = set(legacy_ids())
    for claim_id in (*_CHECKS, *_MUTANTS, *STATED, *REFUTED):
        if claim_id not in known:
            raise EngineError(f"evidence is attached to {claim_id!r}, which is no claim")
    found = {}
    for one in CLAIMS:
        own = one.source.startswith("stirred")
        source = one.source.removeprefix("stirred").removeprefix(", ").removeprefix("repairing ").removeprefix("from ")
        attached = [Check(check, place_of(check)) for check in _CHECKS.get(one.id, [])]
        if one.id in STATED:
            attached.append(theorem(*STATED[one.id], within=LIMITS.get(one.id, "all sizes")))
        found[one.id] = Claim(
            one.id,
            (source,) if source else (),
            one.statement,
            is_printed=not own,
            repairs=one.repairs,
            checks=tuple(attached),
            mutants=_MUTANTS.get(one.id, {}),
            refuted_by=REFUTED.get(one.id, ()),
        )
    return found

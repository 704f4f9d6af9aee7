"""The ledger: evidence and mutants attached to claims, and the records that come out.

A check is a function without arguments that returns `Evidence`; it is attached to a claim by `@checks("claim.id")`.
A mutant is a check of a weakened or changed statement (a constant off by one, a hypothesis dropped) that the same
engine must refute; it is attached by `@refutes("claim.id", "what was changed")`. A claim takes its verdict from its
checks and from the Coq theorems that `verify.proofs` lists for it; a mutant that survives is an engine failure.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spec.claims import CLAIMS, Claim
from verify.evidence import EngineError, Evidence, Witness
from verify.replay import WitnessError, replay
from verify.verdict import Verdict
from verify.worker_pool import in_processes

__all__ = ["Mutant", "Record", "checks", "refutes", "registered", "run", "run_claim"]

Check = Callable[[], Evidence]

_CHECKS: dict[str, list[Check]] = {}
_MUTANTS: dict[str, list[tuple[str, Check]]] = {}


@dataclass(frozen=True)
class Mutant:
    """A changed statement and what the engine said of it."""

    change: str
    evidence: Evidence


@dataclass(frozen=True)
class Record:
    """One line of the ledger: a claim with its strongest evidence and its mutants.

    Attributes:
        claim: the statement.
        verdict: the strongest verdict of its evidence; REFUTED where any evidence refutes.
        scope: the scope of the strongest evidence.
        detail: its figures.
        witness: the counterexample of a refutation.
        supporting: every piece of evidence, strongest first.
        refuted_in_coq: Coq theorems that refute the claim too.
        mutants: the refuted mutants.
        seconds: how long it took.
    """

    claim: Claim
    verdict: Verdict
    scope: str
    detail: str
    witness: Witness | None
    supporting: tuple[Evidence, ...]
    refuted_in_coq: tuple[str, ...]
    mutants: tuple[Mutant, ...]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The record as `--json` prints it."""
        return {
            "id": self.claim.id,
            "source": self.claim.source,
            "statement": self.claim.statement,
            "repairs": self.claim.repairs,
            "verdict": self.verdict.name,
            "scope": self.scope,
            "detail": self.detail,
            "witness": self.witness,
            "evidence": [{"verdict": e.verdict.name, "scope": e.scope, "detail": e.detail} for e in self.supporting],
            "refuted_in_coq": list(self.refuted_in_coq),
            "mutants": [
                {"change": m.change, "verdict": m.evidence.verdict.name, "witness": m.evidence.witness}
                for m in self.mutants
            ],
            "seconds": round(self.seconds, 3),
        }


def checks(*claim_ids: str) -> Callable[[Check], Check]:
    """Attach a check to claims."""

    def attach(check: Check) -> Check:
        for claim_id in claim_ids:
            _CHECKS.setdefault(claim_id, []).append(check)
        return check

    return attach


def refutes(claim_id: str, change: str) -> Callable[[Check], Check]:
    """Attach a mutant to a claim: the check must come out REFUTED."""

    def attach(check: Check) -> Check:
        _MUTANTS.setdefault(claim_id, []).append((change, check))
        return check

    return attach


def registered() -> tuple[Mapping[str, list[Check]], Mapping[str, list[tuple[str, Check]]]]:
    """The checks and mutants by claim id, after the modules of `verify.checks` are loaded."""
    import verify.checks  # noqa: PLC0415, F401 registers on import

    known = {claim.id for claim in CLAIMS}
    for claim_id in (*_CHECKS, *_MUTANTS):
        if claim_id not in known:
            raise EngineError(f"evidence is attached to {claim_id!r}, which is no claim")
    return _CHECKS, _MUTANTS


def run_claim(claim: Claim) -> Record:
    """Re-check one claim.

    Raises:
        EngineError: evidence conflicts, a mutant survives, or a witness does not replay.
    """
    from verify.proofs import evidence_for, refutations_of  # noqa: PLC0415 reads the committed statements

    attached, mutants = registered()
    start = time.perf_counter()
    evidence = [check() for check in attached.get(claim.id, [])]
    evidence += evidence_for(claim.id)
    refuted = tuple(Mutant(change, check()) for change, check in mutants.get(claim.id, []))
    for mutant in refuted:
        if mutant.evidence.verdict is not Verdict.REFUTED:
            raise EngineError(f"{claim.id}: the mutant '{mutant.change}' survives")
    for piece in (*evidence, *(mutant.evidence for mutant in refuted)):
        if piece.witness is not None:
            _replayed(claim.id, piece.witness)
    evidence.sort(key=lambda piece: piece.verdict, reverse=True)
    refutation = next((piece for piece in evidence if piece.verdict is Verdict.REFUTED), None)
    if refutation is not None and any(piece.verdict.is_settled_for for piece in evidence):
        raise EngineError(f"{claim.id}: one engine refutes what another one supports")
    strongest = refutation or next(iter(evidence), None) or Evidence(Verdict.OPEN, "no engine reaches it yet")
    in_coq = refutations_of(claim.id)
    if in_coq and refutation is None:
        raise EngineError(f"{claim.id}: Coq refutes it ({', '.join(in_coq)}), and no witness does")
    return Record(
        claim,
        strongest.verdict,
        strongest.scope,
        strongest.detail,
        strongest.witness,
        tuple(evidence),
        in_coq,
        refuted,
        time.perf_counter() - start,
    )


def _replayed(claim_id: str, witness: Witness) -> None:
    """Re-check a witness as a reader would, from its JSON text."""
    try:
        replay(json.loads(json.dumps(witness)))
    except WitnessError as error:
        raise EngineError(f"{claim_id}: a witness does not replay: {error}") from None


def run(claims: Sequence[Claim] = CLAIMS, *, jobs: int = 1) -> Iterator[Record]:
    """Re-check claims, in their order, in so many processes at once."""
    if jobs == 1 or len(claims) < 2 * jobs:
        yield from map(run_claim, claims)
        return
    yield from in_processes(run_claim, claims, jobs=jobs)

"""Running the ledger: every check and every mutant of a claim, and the record that comes out.

A claim takes its verdict from its checks; a mutant that survives is an engine failure, and so is a witness that does
not replay, or an engine that refutes what another one supports.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.evidence.certificates.replay import WitnessError
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.process_control.processor_time import processor_time
from stirred.verify.evidence.process_control.worker_pool import in_processes
from stirred.verify.evidence.reports.report import verdict_row
from stirred.verify.evidence.theorems import cited
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.book import claim, claim_ids, entry, mistake, place
from stirred.verify.ledger.claim import Check, Claim, Statement
from stirred.verify.ledger.documents import places_of
from stirred.verify.ledger.failures import replayed


@dataclass(frozen=True)
class Mutant:
    """A changed statement and what the engine said of it."""

    change: str
    evidence: Evidence


@dataclass(frozen=True)
class Found:
    """What a check found, where it is written, and the expression that it compares, if it does."""

    evidence: Evidence
    place: str
    expression: str


@dataclass(frozen=True)
class LedgerRecord(ShownTable):
    """One line of the ledger: a claim with its strongest evidence and its mutants.

    Attributes:
        verdict: the strongest verdict of its evidence; REFUTED where any evidence refutes.
        scope: that of the strongest evidence, and so are detail and witness.
        found: every piece of evidence, strongest first.
        refuted_in_coq: Coq theorems that refute the claim too.
    """

    claim: Statement
    verdict: Verdict
    scope: str
    detail: str
    witness: Witness | None
    found: tuple[Found, ...]
    refuted_in_coq: tuple[str, ...]
    mutants: tuple[Mutant, ...]
    seconds: float

    @property
    def supporting(self) -> tuple[Evidence, ...]:
        """The evidence, strongest first."""
        return tuple(one.evidence for one in self.found)

    @property
    def lines(self) -> str:
        """The lines of the documents on which it is printed, as "article 171; slides 12"; empty where none is."""
        return places_of().get(self.claim.id, "")

    @property
    def _title(self) -> str:
        return self.claim.id

    def _rows(self) -> list[TableRow]:
        grade = self.claim.grade
        rows = [
            verdict_row(self.verdict, "does the statement hold?"),
            TableRow("printed" if self.claim.is_printed else "statement", self.claim.statement),
            TableRow("source", "; ".join(self.claim.sources)),
            TableRow("lines", self.lines),
            TableRow("because", f"{grade.word}: {grade.reason}" if grade else self.detail),
            TableRow("scope", self.scope),
            TableRow("reading", self.claim.reading),
        ]
        return [row for row in rows if row.value]

    def as_json(self) -> dict[str, Any]:
        """The record as `--json` prints it."""
        return {
            "id": self.claim.id,
            "source": self.claim.source,
            "sources": list(self.claim.sources),
            "lines": self.lines or None,
            "statement": self.claim.statement,
            "printed": self.claim.statement if self.claim.is_printed else None,
            "reading": self.claim.reading or None,
            "repairs": self.claim.repairs,
            "verdict": self.verdict.name,
            "grade": self.claim.grade.word if self.claim.grade else None,
            "because": self.claim.grade.reason if self.claim.grade else None,
            "scope": self.scope,
            "detail": self.detail,
            "witness": self.witness,
            "evidence": [
                {
                    "verdict": one.evidence.verdict.name,
                    "scope": one.evidence.scope,
                    "detail": one.evidence.detail,
                    "place": one.place,
                    "expression": one.expression or None,
                }
                for one in self.found
            ],
            "refuted_in_coq": list(self.refuted_in_coq),
            "mutants": [
                {"change": m.change, "verdict": m.evidence.verdict.name, "witness": m.evidence.witness}
                for m in self.mutants
            ],
            "seconds": round(self.seconds, 3),
        }


def run_claim(one: Claim | str) -> LedgerRecord:
    """Re-check one claim, given itself or by its id."""
    asked = claim(one) if isinstance(one, str) else one
    try:
        return _run(asked)
    except (InputError, OSError):
        raise
    except Exception as error:
        raise EngineError(mistake(error, asked.id)) from error


def _run(asked: Claim) -> LedgerRecord:
    start = processor_time()
    named = {"id": asked.id, "statement": asked.statement}
    for check in asked.checks:
        cited(asked.id, check.theorems)
    found = [Found(_bound(check.run(), named), place(asked.id, check), check.expression) for check in asked.checks]
    mutants = tuple(_refuted_mutant(asked.id, change, check) for change, check in asked.mutants.items())
    for piece in (*(one.evidence for one in found), *(mutant.evidence for mutant in mutants)):
        if piece.witness is not None:
            _check(piece.witness)
    found.sort(key=lambda one: one.evidence.verdict, reverse=True)
    evidence = [one.evidence for one in found]
    refutation = next((piece for piece in evidence if piece.verdict is Verdict.REFUTED), None)
    if refutation is not None and any(piece.verdict.is_settled_for for piece in evidence):
        raise EngineError("one engine refutes what another supports")
    strongest = refutation or next(iter(evidence), None) or Evidence(Verdict.OPEN, "no engine reaches it yet")
    if strongest.verdict.is_settled_for and not mutants:
        raise EngineError(
            f"{strongest.verdict.name} requires a mutant: a changed statement that the same check refutes"
        )
    in_coq = cited(asked.id, asked.refuted_by)
    if in_coq and refutation is None:
        raise EngineError(f"Coq refutes it ({', '.join(in_coq)}), but no witness does")
    if asked.grade is not None and refutation is None:
        raise EngineError(f"grade {asked.grade.word} requires a refutation; nothing refutes it")
    return LedgerRecord(
        asked.stated(),
        strongest.verdict,
        strongest.scope,
        strongest.detail,
        strongest.witness,
        tuple(found),
        in_coq,
        mutants,
        processor_time() - start,
    )


def _refuted_mutant(claim_id: str, change: str, check: Check) -> Mutant:
    try:
        evidence = check.run()
    except Exception as error:
        error.add_note(f"the mutant {change!r}")
        raise
    if evidence.verdict is not Verdict.REFUTED:
        raise EngineError(f"the mutant {change!r} survives")
    return Mutant(change, _bound(evidence, {"mutant": f"{claim_id}: {change}"}))


def _bound(evidence: Evidence, claim: dict[str, str]) -> Evidence:
    """The evidence whose witness says what it refutes."""
    if evidence.witness is None:
        return evidence
    return replace(evidence, witness={**evidence.witness, "claim": claim})


def _check(witness: Witness) -> None:
    """Re-check a witness as a reader would."""
    try:
        replayed(witness)
    except WitnessError as error:
        raise EngineError(f"a witness does not replay: {error}") from None


def run(ids: Sequence[str] | None = None, *, jobs: int = 1) -> Iterator[LedgerRecord]:
    """Re-check claims by their ids, or all, in their order and in so many processes at once.

    Claims that one module states after one another share a process, since they often compare the same laws.
    """
    asked = claim_ids() if ids is None else ids
    together = [tuple(of_module) for _, of_module in groupby(asked, lambda one: entry(one).module)]
    if jobs == 1 or len(together) < 2:
        with _rare_collections():
            yield from map(run_claim, asked)
        return
    for records in in_processes(_run_claims, together, jobs=min(jobs, len(together))):
        yield from records


def _run_claims(ids: Sequence[str]) -> tuple[LedgerRecord, ...]:
    with _rare_collections():
        return tuple(map(run_claim, ids))


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Cycles are looked for rarely: cases have none, and many of their values are alive at once."""
    before = gc.get_threshold()
    gc.set_threshold(_COLLECTED)
    try:
        yield
    finally:
        gc.set_threshold(*before)


_COLLECTED = 50_000
"""So many new containers are looked through at a time."""

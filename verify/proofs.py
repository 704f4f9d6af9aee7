"""Coq theorems as evidence, read from the committed file of statements."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from verify.evidence import EngineError, Evidence
from verify.theorem_table import LIMITS, REFUTED, STATED
from verify.verdict import Verdict

__all__ = ["STATEMENTS", "Theorem", "evidence_for", "refutations_of", "theorems"]

STATEMENTS = Path(__file__).resolve().parent.parent / "proofs" / "statements.txt"
"""What `make -C proofs check` compares the build with."""


_CLASSICAL_REALS = {"ClassicalDedekindReals", "FunctionalExtensionality", "Classical_Prop"}


@dataclass(frozen=True)
class Theorem:
    """A theorem as the committed file lists it."""

    name: str
    assumptions: str
    statement: str


@lru_cache(maxsize=1)
def theorems() -> Mapping[str, Theorem]:
    """The committed theorems by name.

    Raises:
        EngineError: the file is missing: without it a claim would have a weaker verdict than it has.
    """
    if not STATEMENTS.is_file():
        raise EngineError(f"{STATEMENTS} is missing: the installation is incomplete")
    found: dict[str, Theorem] = {}
    for block in STATEMENTS.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip().splitlines()
        if not lines:
            continue
        name = lines[0].removeprefix("Theorem ").removeprefix("Example ").strip()
        assumptions = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("assumptions:")), "")
        statement = block.split("statement:", 1)[-1].strip()
        found[name] = Theorem(name, assumptions, statement)
    return found


def _known(claim_id: str, names: Sequence[str]) -> list[Theorem]:
    committed = theorems()
    for name in names:
        if name not in committed:
            raise EngineError(f"{claim_id}: the theorem {name} is not in {STATEMENTS.name}")
    return [committed[name] for name in names]


def _assumption_class(theorem: Theorem) -> str:
    """`closed`, or that the theorem rests on the axioms of Coq's classical reals, or the axioms themselves."""
    named = {axiom.split(".")[0] for axiom in theorem.assumptions.replace(",", " ").split()}
    return "classical reals" if named <= _CLASSICAL_REALS else theorem.assumptions


def evidence_for(claim_id: str) -> list[Evidence]:
    """PROVED where the table names committed theorems that state the claim, for all sizes or within named limits.

    Raises:
        EngineError: a theorem that the table names is not in the committed file.
    """
    found = _known(claim_id, STATED.get(claim_id, ()))
    if not found:
        return []
    classes = sorted({_assumption_class(theorem) for theorem in found})
    again = "" if shutil.which("coqc") else "; coqc is not present to re-check it"
    names = ", ".join(theorem.name for theorem in found)
    covered = LIMITS.get(claim_id, "all sizes")
    return [Evidence(Verdict.PROVED, f"{covered}: {names} (assumptions: {', '.join(classes)}{again})")]


def refutations_of(claim_id: str) -> tuple[str, ...]:
    """The committed theorems that refute a printed claim.

    Raises:
        EngineError: a theorem that the table names is not in the committed file.
    """
    return tuple(theorem.name for theorem in _known(claim_id, REFUTED.get(claim_id, ())))

"""Coq theorems as evidence, read from the committed file of statements."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claim import Check

__all__ = ["STATEMENTS", "Theorem", "committed", "theorem", "theorems"]

_INSTALLED, _IN_TREE = (Path(__file__).resolve().parents[up] / "proofs" / "statements.txt" for up in (1, 2))

STATEMENTS = _INSTALLED if _INSTALLED.is_file() else _IN_TREE
"""What `make -C proofs check` compares the build with; an installation has it inside `verify`."""


_CLASSICAL_REALS = {"ClassicalDedekindReals", "FunctionalExtensionality", "Classical_Prop"}


@dataclass(frozen=True)
class Theorem:
    """A theorem as the committed file lists it, at its line, from 1."""

    name: str
    assumptions: str
    statement: str
    line: int


@lru_cache(maxsize=1)
def theorems() -> Mapping[str, Theorem]:
    """The committed theorems by name.

    Raises:
        EngineError: the file is missing: without it a claim would have a weaker verdict than it has.
    """
    if not STATEMENTS.is_file():
        raise EngineError(f"{STATEMENTS} is missing: the installation is incomplete")
    found: dict[str, Theorem] = {}
    line = 1
    for block in STATEMENTS.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip().splitlines()
        start, line = line + block[: len(block) - len(block.lstrip())].count("\n"), line + block.count("\n") + 2
        if not lines:
            continue
        name = lines[0].removeprefix("Theorem ").removeprefix("Example ").strip()
        assumptions = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("assumptions:")), "")
        statement = block.split("statement:", 1)[-1].strip()
        found[name] = Theorem(name, assumptions, statement, start)
    return found


def _known(names: Sequence[str]) -> list[Theorem]:
    committed = theorems()
    for name in names:
        if name not in committed:
            raise EngineError(f"the theorem {name} is not in {STATEMENTS.name}")
    return [committed[name] for name in names]


def _assumption_class(found: Theorem) -> str:
    """`closed`, or that the theorem rests on the axioms of Coq's classical reals, or the axioms themselves."""
    named = {axiom.split(".")[0] for axiom in found.assumptions.replace(",", " ").split()}
    return "classical reals" if named <= _CLASSICAL_REALS else found.assumptions


def theorem(*names: str, within: str = "all sizes") -> Check:
    """PROVED: committed theorems state the claim, for all sizes or within a limit.

    Args:
        *names: file.theorem, as in proofs/statements.txt.
        within: what a theorem asks beyond the words of its claim, or what it speaks of where that is not every case.
    """

    def run() -> Evidence:
        found = _known(names)
        classes = sorted({_assumption_class(one) for one in found})
        again = "" if shutil.which("coqc") else "; coqc is not present to re-check it"
        return Evidence(Verdict.PROVED, f"{within}: {', '.join(names)} (assumptions: {', '.join(classes)}{again})")

    return Check(run, "proofs/statements.txt::" + ", ".join(names), names)


def committed(names: Sequence[str]) -> tuple[str, ...]:
    """The names, after looking each of them up among the committed theorems.

    Raises:
        EngineError: one is not there.
    """
    return tuple(one.name for one in _known(names))

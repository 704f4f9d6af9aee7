"""Coq theorems as evidence, read from `Statements.v`, the page that `make -C proofs check` holds the proofs to."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.proofs.checking.layout import CheckError
from stirred.verify.proofs.checking.statements import restated

STATEMENTS = (Path(__file__).resolve().parents[1] / "proofs" / "Statements.v").resolve()
"""The page."""

_CLASSES = {1: "closed", 2: "classical reals"}
"""What the theorems of each part rest on."""


@dataclass(frozen=True)
class Theorem:
    """A theorem as the page restates it, at its line, from 1, with the claims that cite it."""

    name: str
    assumptions: str
    statement: str
    line: int
    claims: tuple[str, ...]


@lru_cache(maxsize=1)
def theorems() -> Mapping[str, Theorem]:
    """The theorems of the page by name, as the check of the proofs reads it."""
    if not STATEMENTS.is_file():
        raise EngineError(f"{STATEMENTS} is missing: the installation is incomplete")
    try:
        found = restated(STATEMENTS)
    except CheckError as error:
        raise EngineError(str(error)) from None
    return {one.name: Theorem(one.name, _CLASSES[one.part], one.statement, one.line, one.claims) for one in found}


def _known(names: Sequence[str]) -> list[Theorem]:
    page = theorems()
    for name in names:
        if name.rpartition(".")[2] not in page:
            raise EngineError(f"the theorem {name} is not in {STATEMENTS.name}")
    return [page[name.rpartition(".")[2]] for name in names]


def proved(names: Sequence[str], within: str) -> Evidence:
    """PROVED: what these theorems state, within a limit.

    Args:
        names: file.theorem, for theorems that the page restates.
        within: what they ask beyond the words of a claim, or what they speak of where that is not every case.
    """
    classes = sorted({one.assumptions for one in _known(names)})
    again = "" if shutil.which("coqc") else "; coqc is not present to re-check it"
    return Evidence(Verdict.PROVED, f"{within}: {', '.join(names)} (assumptions: {', '.join(classes)}{again})")


def cited(claim_id: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names, after looking each of them up on the page, where it must stand beside the claim."""
    for name, one in zip(names, _known(names), strict=True):
        if claim_id not in one.claims:
            raise EngineError(f"the theorem {name} stands in {STATEMENTS.name} for other claims")
    return tuple(names)

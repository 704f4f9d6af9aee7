"""Coq theorems as evidence, read from `Statements.v`, the page that `make -C proofs check` holds the proofs to."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict

STATEMENTS = (Path(__file__).resolve().parents[1] / "proofs" / "Statements.v").resolve()
"""The page."""

_PART = re.compile(r"^\(\* Part ([12])\. ", re.M)
_STATED = re.compile(
    r"^Theorem\s+(\w+)\s+\(\*\s+([a-z0-9.\s-]+?)\s+\*\)\s+:\s+((?:(?!^Theorem\s).)*?)\."
    r"\s+restates\s+(?:\1|(?:\1\s+)?by\s+\1_instance)\.\s+Qed\.",
    re.M | re.S,
)
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
    """The theorems of the page by name."""
    if not STATEMENTS.is_file():
        raise EngineError(f"{STATEMENTS} is missing: the installation is incomplete")
    return {one.name: one for one in _restated(STATEMENTS.read_text(encoding="utf-8"))}


def _restated(page: str) -> Iterator[Theorem]:
    parts = [(match.start(), int(match[1])) for match in _PART.finditer(page)]
    for match in _STATED.finditer(page):
        part = max(((at, number) for at, number in parts if at < match.start()), default=(0, 0))[1]
        if part not in _CLASSES:
            raise EngineError(f"{STATEMENTS.name}: {match[1]} stands in no part")
        line = page.count("\n", 0, match.start()) + 1
        yield Theorem(match[1], _CLASSES[part], " ".join(match[3].split()), line, tuple(match[2].split()))


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

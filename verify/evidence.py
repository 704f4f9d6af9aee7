"""Evidence: a verdict with its scope, and for a refutation the witness that replays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verify.verdict import Verdict

__all__ = ["EngineError", "Evidence", "Witness", "formula_witness"]

Witness = Mapping[str, Any]
"""A JSON object that `verify.replay` re-checks on its own."""


class EngineError(RuntimeError):
    """Two computations that must agree do not: a fault of the tool, never a verdict."""


@dataclass(frozen=True)
class Evidence:
    """What an engine found about a claim.

    Attributes:
        verdict: the finding.
        scope: the cases that it covers, in words with their bounds; required.
        detail: one sentence with the figures.
        witness: the counterexample; required for REFUTED, and for nothing else.

    Raises:
        EngineError: the scope is empty, or a refutation has no witness.
    """

    verdict: Verdict
    scope: str
    detail: str = ""
    witness: Witness | None = None

    def __post_init__(self) -> None:
        if not self.scope:
            raise EngineError("evidence must state its scope")
        if (self.verdict is Verdict.REFUTED) != (self.witness is not None):
            raise EngineError("a witness goes with REFUTED, and only with it")


def formula_witness(claimed: str, *, note: str = "", **values: object) -> Witness:
    """A witness that a printed (in)equality is false at given values.

    Args:
        claimed: the inequality as printed, in the language of `verify.replay`, such as
            "p*comb(n-1,1)*p == p**2/(1-2*p*(1-p))"; replaying it must find it false.
        note: what the numbers are.
        **values: exact numbers (int, Fraction) for the names that occur.
    """
    return {
        "kind": "formula",
        "claimed": claimed,
        "values": {name: str(value) for name, value in values.items()},
        "note": note,
    }

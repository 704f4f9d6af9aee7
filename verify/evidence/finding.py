"""Evidence: a verdict with its scope, and for a refutation the witness that replays."""

from dataclasses import dataclass

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness


class EngineError(RuntimeError):
    """Two computations that must agree do not: a fault of the tool, never a verdict."""


@dataclass(frozen=True)
class Evidence:
    """What an engine found about a claim.

    Attributes:
        scope: the cases that it covers, in words with their bounds; required.
        witness: the counterexample; required for REFUTED, and for nothing else.
        agrees: of a printed number that is OPEN and yet agrees in some way: which, as a count of numbers says it.
        numbers: in which numbers it holds, "real numbers"; empty where the code computes with exact ones.
    """

    verdict: Verdict
    scope: str
    detail: str = ""
    witness: Witness | None = None
    agrees: str = ""
    numbers: str = ""

    def __post_init__(self) -> None:
        if not self.scope:
            raise EngineError("evidence must state its scope")
        if (self.verdict is Verdict.REFUTED) != (self.witness is not None):
            raise EngineError("a witness goes with REFUTED, and only with it")

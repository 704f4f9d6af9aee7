"""The answer to a claim for every number of records: decided, refuted with a witness, or open with what is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.prove.proving import Proof, proof_of
from stirred.verify.prove.refuting import Ask, Refutation, refutation
from stirred.verify.prove.stated import EverySize

_WORDS = {
    "each by 1": "each answer changing by at most 1",
    "one by 1": "one answer changing by at most 1",
    "sum of changes 1": "all changes together being at most 1",
    "all up or all down": "each answer changing by at most 1, all in one direction",
}


@dataclass(frozen=True)
class ProveResult:
    """What is known of a claim for every number of records. It has no truth value: ask for its verdict.

    Attributes:
        verdict: PROVED where `coqc` has accepted the theorem as well, DECIDED for a certificate that the independent
            checker accepts, REFUTED by exact laws of the program as it is written, else OPEN.
        stated: the claim.
        proof: what alignment shows.
        refutation: the counterexample; None where the claim is not refuted.
        tried: what was tried to refute it; empty where it is decided.
    """

    verdict: Verdict
    stated: EverySize
    proof: Proof
    refutation: Refutation | None
    tried: str

    @property
    def budget(self) -> str | None:
        """The least budget that alignment of noise shows for every size, as a formula; None where it shows none."""
        return None if self.proof.budget is None else str(self.proof.budget)

    @property
    def certificate(self) -> Mapping[str, Any] | None:
        """What `stirred check` confirms without a solver: of the claim where it is decided, else of `budget`."""
        return self.proof.certificate

    @property
    def witness(self) -> Mapping[str, Any] | None:
        """The counterexample, in the form that `stirred replay` checks."""
        return None if self.refutation is None else self.refutation.exact.witness

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value; ask for its verdict")

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<ProveResult {self.verdict.name}: {self.stated.name}, by alignment {self.budget or 'nothing'}>"

    def lines(self) -> Iterator[str]:
        """The answer as `stirred prove` prints it."""
        proof, claim = self.proof, self.stated.epsilon
        is_shown = self.verdict in (Verdict.DECIDED, Verdict.PROVED)
        scope = f" (every size, {proof.numbers})" if is_shown else ""
        yield f"{self.verdict.name}{scope}  {self.stated.name}"
        said = "none" if claim is None else f"epsilon = {claim}"
        yield f"  claimed    {said}, for lists of any length, {_WORDS[self.stated.neighbors]}"
        yield from (f"  because    {line}" for line in proof.because if self.verdict is not Verdict.REFUTED)
        given = f"; {', '.join(proof.needs)}" if proof.needs else ""
        if is_shown:
            yield f"  needs      {proof.budget}{given}"
        elif proof.budget is not None:
            yield f"  provable   {proof.budget}: the least budget by alignment of noise{given}"
        else:
            why = f": {proof.obstacle}" if proof.obstacle else ""
            yield f"  provable   no budget by alignment of noise{why}"
        if self.refutation is not None:
            yield from self._refuted(self.refutation)
        elif self.tried:
            yield f"  tried      {self.tried}"
        if is_shown:
            checker = "the translation from Python, Coq" if self.verdict is Verdict.PROVED else "the checker"
            yield f"  trusted    the reading of the source, {checker}, that draws have the laws of their names,"
            yield "             that numbers neither round nor overflow"

    @staticmethod
    def _refuted(found: Refutation) -> Iterator[str]:
        at = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
        yield f"  witness    {found.exact.sentence}{f'; at {at}' if at else ''}"
        sizes = ", ".join(f"{_short(needed)} at {size}" for size, needed in found.family)
        yield f"  needed     by number of records: {sizes}"


def _short(needed: str) -> str:
    """A logarithm by its digits."""
    _, sign, rest = needed.partition(" ≈ ")
    return f"≈ {rest.split()[0]}" if sign else needed


def answer(stated: EverySize, ask: Ask | None, seconds: int) -> ProveResult:
    """Prove a claim, else refute it.

    Args:
        stated: the claim.
        ask: the exact engine on pairs; None to leave out the search for a refutation.
        seconds: for that search.

    Raises:
        InputError: the function is not read.
        EngineError: the solver gives no answer, or a certificate is not confirmed.
    """
    proof = proof_of(stated)
    if proof.is_met:
        return ProveResult(Verdict.DECIDED, stated, proof, None, "")
    found, tried = (None, "") if ask is None else refutation(stated, proof.budget, ask, seconds)
    return ProveResult(Verdict.OPEN if found is None else Verdict.REFUTED, stated, proof, found, tried)

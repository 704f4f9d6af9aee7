"""The claim's own part of a witness: what replaying needs to recompute the refuted bound from the data sets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from stirred.verify.claim.beliefs import PUFFERFISH
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.claim.domain import freeze
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.witness import Witness, jsonable

__all__ = ["with_claim", "with_stated_claim"]

_DIGITS = 50
_UNIT = 10**40

_RECOMPUTED = ("distance", "gamma", "gamma_root", "delta", "bound")
"""What an engine's witness states and a claim's recomputes."""


def with_stated_claim(evidence: Evidence, name: str, statement: str) -> Evidence:
    """The evidence whose witness names the claim that it refutes; one that carries more of the claim stays."""
    if evidence.witness is None or "claim" in evidence.witness:
        return evidence
    return replace(evidence, witness={**evidence.witness, "claim": {"id": name, "statement": statement}})


def with_claim(evidence: Evidence, built: PrivacyClaim, budget: ClaimedBudget | None) -> Evidence:
    """The evidence whose witness carries the claim that it refutes; one of laws its premetrics and budget too.

    The distance and the bound that the engine wrote down are left out: they are recomputed from x, x' and the claim.

    Raises:
        EngineError: the witness is of laws, and the claim states no premetrics or no budget.
    """
    stated = with_stated_claim(evidence, built.id, built.statement)
    if stated.witness is None or stated.witness["kind"] == "formula":
        return stated
    if built.output_premetric is None or budget is None:
        raise EngineError(f"{built.id}: laws refute a claim without an output premetric or a budget")
    output: dict[str, Any] = {"name": built.output_premetric.name}
    output |= {key: str(value) for key, value in built.output_premetric.parameters.items()}
    kept = {key: value for key, value in stated.witness.items() if key not in _RECOMPUTED}
    if built.swapping_margins is not None:
        kept |= {"x": [kept["x"]], "x_prime": [kept["x_prime"]]}  # one stratum, as a data set of its own
    claim = {
        **kept["claim"],
        "input_premetric": _input_premetric(built, kept),
        "output_premetric": output,
        "budget": _budget(budget),
    }
    return replace(stated, witness={**kept, "claim": claim})


def _input_premetric(built: PrivacyClaim, witness: Witness) -> dict[str, Any]:
    """The premetric by name with its kind of data; of an explicit one, or one of beliefs, the distances of the pair."""
    name, resolution = built.input_premetric
    is_tables = built.kind is not None and built.kind.margins is not None
    kind = "strata" if is_tables else "integers" if isinstance(witness["x"], int) else "records"
    found: dict[str, Any] = {"name": name, "resolution": resolution, "data": kind}
    if (name in ("explicit", PUFFERFISH) or ":" in str(name)) and built.data is not None:
        found["name"] = "explicit"
        x, y = witness["x"], witness["x_prime"]
        both = ((a, b, built.data.input_premetric(freeze(a), freeze(b))) for a, b in ((x, y), (y, x)))
        found["distances"] = [[jsonable(a), jsonable(b), str(d)] for a, b, d in both if d is not None]
    return found


def _budget(budget: ClaimedBudget) -> dict[str, Any]:
    """The budget as one exact number, or as a curve.

    Raises:
        EngineError: the budget is infinite, which nothing refutes.
    """
    if budget.curve is not None:
        return {"curve": [[str(level), str(power)] for level, power in budget.curve]}
    if budget.rho_squared is not None:
        return {"rho_squared": str(budget.rho_squared.value)}
    if budget.epsilon is not None:
        return {"epsilon": str(budget.epsilon.value)}
    if budget.loss is None or budget.loss.gamma is None:
        raise EngineError(f"a budget that is refuted must be a finite number; it is {budget.text}")
    if budget.loss.distance != 1:  # no rational; whoever exceeds more than it exceeds it
        return {"epsilon": str(Fraction(ceil(budget.loss.epsilon(_DIGITS).upper * _UNIT), _UNIT))}
    return {"gamma": str(budget.loss.gamma)}

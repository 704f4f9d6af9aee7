"""Whether a stated budget covers an exact loss: under the blocks of its own file, and under those of the other one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stirred.spec.loss import Loss
from stirred.spec.specification import InputBlocks
from stirred.verify.audit.compared_claims import ComparedClaims
from stirred.verify.audit.refutation import worst_pair
from stirred.verify.audit.vacuity import listed_vacuity
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.claim.budget_cover import loss_bounds
from stirred.verify.engines.algebra.corners import CLAIMED, HONEST, Corner
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict

__all__ = ["budget_met", "transferred"]


def transferred(claims: ComparedClaims, corner: Corner, scope: str) -> Evidence:
    """Whether the budget of the claimed file covers the loss under the honest blocks: a drop refutes it."""
    budget, measures = claims.budgets[CLAIMED], claims.measures
    if budget is None:
        return Evidence(Verdict.OPEN, scope, "the claimed file states no budget")
    if measures[HONEST].budgets != measures[CLAIMED].budgets:
        return Evidence(Verdict.OPEN, scope, "the budgets of the two output premetrics have different units")
    found = budget_met(claims, budget, corner, HONEST, scope)
    return Evidence(found.verdict, found.scope, f"under the honest blocks, {found.detail}", found.witness)


def budget_met(claims: ComparedClaims, budget: ClaimedBudget, corner: Corner, letter: str, scope: str) -> Evidence:
    """EXHAUSTED where the budget covers the corner's loss, REFUTED with the pair that needs more, else OPEN.

    It is OPEN too where that file's blocks compare nothing.

    Args:
        claims: the two claims.
        budget: the stated budget.
        corner: a corner in which all blocks are those of one file.
        letter: that file, "H" or "C".
        scope: what was compared.
    """
    measure, side = claims.measures[letter], claims.sides[letter]
    vacuity = listed_vacuity(InputBlocks(side.domain, side.multiverses[letter], side.input_premetrics[letter]))
    if vacuity.is_vacuous:
        return vacuity.evidence(scope)
    for low, high in loss_bounds(budget) if measure.has_losses else _rational(budget):
        if measure.at_most(corner.budget, low):
            return Evidence(Verdict.EXHAUSTED, scope, f"the stated budget covers {_shown(corner.budget)}")
        if not measure.at_most(corner.budget, high):
            return _exceeded(claims, budget, corner, letter, bound=high, scope=scope)
    return Evidence(Verdict.OPEN, scope, "the stated budget and the exact loss agree to 48 digits")


def _rational(budget: ClaimedBudget) -> Iterator[tuple[Any, Any]]:
    number = None if budget.epsilon is None else budget.epsilon.value
    yield number, number


def _shown(value: Any) -> str:
    return "an infinite loss" if value is None else f"the exact loss {value}"


def _exceeded(
    claims: ComparedClaims, budget: ClaimedBudget, corner: Corner, letter: str, *, bound: Any, scope: str
) -> Evidence:
    side = claims.sides[letter]
    if corner.pair is None:
        raise EngineError("a loss above a budget must have a pair that needs it")
    worst = worst_pair(side.laws, claims.measures[letter], corner.pair, side.input_premetrics[letter])
    stated = f"{bound}" if isinstance(bound, Loss) else f"epsilon = {bound}"
    sentence = f"the stated budget, at most {stated}, is below {_shown(corner.budget)}"
    return Evidence(Verdict.REFUTED, scope, f"{sentence}; {worst.sentence(bound, budget)}", worst.witness(bound))

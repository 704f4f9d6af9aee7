"""One universe's budget quoted for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from stirred.spec.loss import Loss
from stirred.spec.multiverse import Multiverse
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, shown
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.claim.budget_cover import covers
from stirred.verify.engines.algebra.corners import Corner
from stirred.verify.reports.lines import counted

__all__ = ["ONE_UNIVERSE"]

_MEANING = "the number is the budget of some universes: for the data sets of the others it says nothing that holds"


def _quoted(claim: ExaminedClaim) -> Iterator[Detection]:
    """Where the stated budget is enough in some universe that compares anything, and not in another one."""
    budget = claim.budget
    losses = _losses(claim) if len(claim.flavor.multiverse) > 1 else []
    if budget is None or not losses:
        return
    enough = [_is_enough(budget, corner.budget) for corner in losses]
    if None in enough or all(enough) or not any(enough):
        return
    at_most = claim.flavor.output_premetric.at_most
    worst = next(one for one in losses if all(at_most(other.budget, one.budget) for other in losses))
    yield Detection(
        f"the stated {budget.text} is enough in {sum(map(bool, enough))} of {counted(len(losses), 'universe')} where "
        f"data sets are compared; another one needs {shown(worst)}",
        _MEANING,
    )


def _left_out(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed universes are some of the honest ones."""
    claimed = pair.claimed_on_honest
    if claimed is None or not pair.differs_in("multiverse"):
        return
    ours, theirs = pair.honest.flavor.multiverse, claimed.flavor.multiverse
    if not set(theirs) < set(ours) or not len(theirs):
        return
    others = Multiverse(universe for universe in ours if universe not in set(theirs))
    kept, left = pair.honest.loss(multiverse=theirs), pair.honest.loss(multiverse=others)
    if kept is None or left is None:
        return
    yield Detection(
        f"the claimed universes are {len(theirs)} of the {len(ours)} honest ones: they need "
        f"{shown(kept)}, the {len(others)} left out {shown(left)}",
        _MEANING,
    )


def _losses(claim: ExaminedClaim) -> list[Corner]:
    """The loss of every universe that compares two data sets at a finite distance."""
    found = []
    for universe in claim.flavor.multiverse:
        if any(claim.distance(x, y) is not None for x, y in combinations(universe, 2)):
            corner = claim.loss(multiverse=Multiverse((universe,)))
            if corner is not None:
                found.append(corner)
    return found


def _is_enough(budget: ClaimedBudget, needed: Any) -> bool | None:
    if isinstance(needed, Loss):
        return None if budget.loss is None and budget.epsilon is None else covers(budget, needed)
    if budget.epsilon is None:
        return None
    return needed is not None and needed <= budget.epsilon.value


ONE_UNIVERSE = Detector("one universe's budget", _quoted, _left_out)

"""The corners of a comparison as a picture's bars; for one claim, the corners of what its invariants do."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.multiverse import induced
from stirred.spec.budgets.loss import Loss
from stirred.verify.audit.compared_claims import ComparedClaims
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.engines.algebra.corners import BLOCKS, CLAIMED, Corner, corner_losses
from stirred.verify.reports.report import Bar


def shown(value: Any) -> str:
    """A budget as a person reads it."""
    return "infinite" if value is None else str(value)


def reading(corner: Corner) -> str:
    """The budget of a corner as a person reads it."""
    return shown(corner.budget) if corner.is_defined else "undefined"


def middle(budget: Loss) -> Fraction:
    """A finite budget in nats, to thirty digits."""
    enclosure = budget.epsilon(digits=30)
    return (enclosure.lower + enclosure.upper) / 2


def bars(claims: ComparedClaims, corners: Mapping[str, Corner]) -> tuple[Bar, ...]:
    """The corners as bars, in order."""
    return tuple(Bar(name, _label(claims, name), reading(one), _height(one)) for name, one in corners.items())


def _label(claims: ComparedClaims, name: str) -> str:
    """The blocks that are the claimed ones."""
    pairs = zip(BLOCKS, name, strict=True)
    exchanged = [block for block, letter in pairs if letter == CLAIMED and block in claims.differing]
    if not exchanged:
        return "all blocks honest"
    if len(exchanged) == len(claims.differing):
        return "all blocks as claimed"
    return f"{' and '.join(block.replace('_', ' ') for block in exchanged)} as claimed"


def _height(corner: Corner) -> Fraction | None:
    """The budget as a number to draw; losses in nats."""
    budget = corner.budget
    if not corner.is_defined or budget is None or (isinstance(budget, Loss) and budget.is_infinite):
        return None
    return middle(budget) if isinstance(budget, Loss) else Fraction(budget)


def with_and_without_invariants(built: PrivacyClaim) -> tuple[Bar, ...]:
    """What the mechanism needs under the claim's invariants, and without any: nothing where that is not to be had.

    Raises:
        EngineError: an exact computation disagrees with its independent value.
    """
    if not built.invariants or built.data is None or built.kind is None:
        return ()
    everything = induced(built.data.domain)
    try:
        premetric = built.premetric_on(built.kind, everything)
        if premetric is None:
            return ()
        data = replace(built.data, multiverse=everything, input_premetric=premetric)
        claims = ComparedClaims.of(replace(built, invariants=(), data=data), built)
    except InputError:  # no finite flavor, no mechanism that runs, several settings, or no exact output premetric
        return ()
    if not claims.differing:
        return ()
    labels = ("without invariants", "with the invariants of the claim")
    found = bars(claims, corner_losses(claims.sides, claims.measures, claims.differing))
    return tuple(replace(bar, label=label) for bar, label in zip(found, labels, strict=True))

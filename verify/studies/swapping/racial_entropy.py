"""Racial entropy of regions, and what each of the four steps of a swap does to it."""

from collections.abc import Sequence
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.verify.studies.swapping.race_counts import race_counts

Reals = NDArray[np.float64]


class SwapStep(Enum):
    """The four steps of a swap: who moves, and whether it leaves or arrives (swapping study, section 4.4)."""

    TARGETS_LEAVE = "targets leave their tracts"
    TARGETS_ARRIVE = "targets arrive in their partners' tracts"
    PARTNERS_LEAVE = "partners leave their tracts"
    PARTNERS_ARRIVE = "partners arrive in their targets' tracts"


REMOVALS_FIRST = (
    SwapStep.TARGETS_LEAVE,
    SwapStep.PARTNERS_LEAVE,
    SwapStep.TARGETS_ARRIVE,
    SwapStep.PARTNERS_ARRIVE,
)
"""The order in which the study describes their effects: households are removed before any is added."""


def racial_entropy(counts: ArrayLike) -> Reals:
    """−Σ_r q_r·ln q_r for each region, q_r its share of persons of race r, 0·ln 0 = 0; 0 where there is no one.

    Args:
        counts: persons by region and race.

    Source: swapping study, section 4.4.

    >>> racial_entropy([[3, 3], [5, 0], [0, 0]]).round(6).tolist()
    [0.693147, 0.0, 0.0]
    """
    table = np.asarray(counts)
    total = np.maximum(table.sum(axis=1, keepdims=True), 1)
    share = table / total
    entropy: Reals = np.sum(-share * np.log(np.where(table > 0, share, 1)), axis=1) + 0
    return entropy


def entropy_after_steps(
    tract: ArrayLike, persons: ArrayLike, pairs: ArrayLike, tracts: int, order: Sequence[SwapStep] = REMOVALS_FIRST
) -> tuple[float, ...]:
    """The mean racial entropy of tracts before swapping, and after each step done for all pairs.

    The last value is that of the swapped data; the effect of a step is the difference of two values in turn, so the
    effects sum to that of swapping. They depend on the order: entropy is not linear in the counts.

    Args:
        tract: the tract of each household.
        persons: its persons by race.
        pairs: (target, partner), each household in one pair at most.
        tracts: how many tracts there are.
        order: all four steps; a household leaves before it arrives, or at least no count becomes negative.

    Source: swapping study, section 4.4, Figure 5.
    """
    places, people = np.asarray(tract), np.asarray(persons)
    targets, partners = np.asarray(pairs).reshape(-1, 2).T
    counts = race_counts(places, people, tracts)
    means = [racial_entropy(counts).mean().item()]
    for step in order:
        moving = targets if step in (SwapStep.TARGETS_LEAVE, SwapStep.TARGETS_ARRIVE) else partners
        leaves = step in (SwapStep.TARGETS_LEAVE, SwapStep.PARTNERS_LEAVE)
        others = partners if moving is targets else targets
        change = race_counts(places[moving if leaves else others], people[moving], tracts)
        counts = counts - change if leaves else counts + change
        means.append(racial_entropy(counts).mean().item())
    return tuple(means)

"""Counts of persons by region and race, and what the swapping study measures on two or more versions of them.

Everything takes arrays, or columns of an Arrow table; a table of counts has a line for each region and a column for
each race. Persons are counted with the array of households: their region, and their persons of each race.

Measured are racial entropy of regions, what each of the four steps of a swap does to it, and which households are
swapped, by size and by race, and which races for which.
"""

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.spec.arguments import InputError

Counts = NDArray[np.int64]
Reals = NDArray[np.float64]


def race_counts(region: ArrayLike, persons: ArrayLike, regions: int) -> Counts:
    """c_γ^r(X): the persons of race r in region γ.

    Source: swapping study, section 4.1.

    >>> race_counts([0, 1, 0], [[2, 0], [0, 1], [1, 1]], 2).tolist()
    [[3, 1], [0, 1]]
    """
    places, people = np.asarray(region), np.asarray(persons)
    if len(places) != len(people):
        raise InputError(f"persons must be as many as regions of households; got {len(people)} for {len(places)}")
    if len(places) and not 0 <= places.min() <= places.max() < regions:
        raise InputError(f"region must be in 0 to {regions - 1}; got {places.min()} to {places.max()}")
    counts = np.zeros((regions, people.shape[1]), dtype=np.int64)
    np.add.at(counts, places, people)
    return counts


def _alike(before: ArrayLike, after: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    first, second = np.asarray(before), np.asarray(after)
    if first.shape != second.shape:
        raise InputError(f"both tables of counts must have one shape; got {first.shape} and {second.shape}")
    return first, second


def errors(before: ArrayLike, after: ArrayLike) -> NDArray[Any]:
    """Error(X₁, X₂) = c(X₁) − c(X₂): positive where the count falls.

    Source: swapping study, section 4.2.
    """
    first, second = _alike(before, after)
    difference: NDArray[Any] = first - second
    return difference


def mean_absolute_error(before: ArrayLike, after: ArrayLike) -> float:
    """The mean of |c(X₁) − c(X₂)| over all regions and races.

    Source: swapping study, Table 4.
    """
    mean: float = np.abs(errors(before, after)).mean().item()
    return mean


def relative_errors(before: ArrayLike, after: ArrayLike) -> Reals:
    """RelativeError(X₁, X₂) = 2/(1 + c(X₁)/c(X₂)), in [0, 2]: 1 where nothing changed, 2 where all are new.

    It is 2·c(X₂)/(c(X₁) + c(X₂)), which is 0 where c(X₂) = 0 < c(X₁); where both counts are 0 it is 1.

    Source: swapping study, section 4.2.

    >>> relative_errors([1, 0, 3, 0], [1, 5, 0, 0]).tolist()
    [1.0, 2.0, 0.0, 1.0]
    """
    first, second = _alike(before, after)
    total = first + second
    none = total == 0
    ratios: Reals = np.where(none, 1, 2 * second) / np.where(none, 1, total)
    return ratios


def variance_estimate(runs: Sequence[ArrayLike]) -> Fraction:
    """V̂: the mean over all regions and races of the sample variance, Σ(c − c̄)²/(n − 1) over n independent runs.

    With two runs it is Σ(c − c')²/2, divided by the number of regions and races. It is unbiased: n²·Σc² and (Σc)² have
    the expectations n·E[c²] and n·E[c²] + n(n − 1)·E[c]².

    Args:
        runs: the counts of n ≥ 2 independent runs on one data set, as integers.

    Source: swapping study, section 4.3.

    >>> variance_estimate([[[3, 1]], [[1, 1]]])
    Fraction(1, 1)
    """
    if len(runs) < 2:
        raise InputError(f"runs must be at least two; got {len(runs)}")
    tables = [np.asarray(run) for run in runs]
    for table in tables:
        _alike(tables[0], table)
        if table.dtype.kind not in "iu":
            raise InputError(f"runs must be counts as integers; got {table.dtype}")
    n = len(tables)
    squares = sum(int(np.square(table.astype(np.int64)).sum()) for table in tables)
    total = np.sum([table.astype(np.int64) for table in tables], axis=0)
    return Fraction(n * squares - int(np.square(total).sum()), n * (n - 1) * tables[0].size)


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

    Each household is in one pair (target, partner) at most. The order has all four steps; a household leaves before it
    arrives, or at least no count becomes negative.

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


RACES = ("W", "B", "AI/AN", "AS", "H/PI", "OTH", "2+")
"""The races of persons in the study's tables; "2+" is a person of two or more races."""


def household_race(persons: ArrayLike) -> NDArray[np.int64]:
    """The race of each household: that of its persons, or the number of races, for "Multiple Races".

    Source: swapping study, Tables 2 and 8 (houses with multiple races present are all in that column).

    >>> household_race([[2, 0], [0, 1], [1, 1]]).tolist()
    [0, 1, 2]
    """
    table = np.asarray(persons)
    race: NDArray[np.int64] = np.where((table > 0).sum(axis=1) > 1, table.shape[1], table.argmax(axis=1))
    return race


def percentages(kinds: ArrayLike, among: ArrayLike, names: Sequence[int]) -> NDArray[np.float64]:
    """The percentage of households of each kind among some of them.

    Returns:
        Percentages that sum to 100 if `names` are all kinds.

    Source: swapping study, Tables 2 and 5.
    """
    chosen = np.asarray(kinds)[np.asarray(among, dtype=np.int64)]
    if not len(chosen):
        raise InputError("among must have at least one household")
    shares: NDArray[np.float64] = np.array([100 * (chosen == name).sum() for name in names]) / len(chosen)
    return shares


def partner_shares(race: ArrayLike, pairs: ArrayLike, races: int) -> NDArray[np.float64]:
    """For each race of the target (lines) the percentages of the races of partners (columns); 0 without a target.

    Source: swapping study, Tables 3 and 7.
    """
    kinds, both = np.asarray(race), np.asarray(pairs).reshape(-1, 2)
    counts = np.zeros((races, races), dtype=np.int64)
    np.add.at(counts, (kinds[both[:, 0]], kinds[both[:, 1]]), 1)
    shares: NDArray[np.float64] = 100 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return shares

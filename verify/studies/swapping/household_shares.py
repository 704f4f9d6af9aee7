"""Which households are swapped, by size and by race, and which races are swapped for which."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.spec.arguments import InputError

RACES = ("W", "B", "AI/AN", "AS", "H/PI", "OTH", "2+")
"""The races of persons in the study's tables; "2+" is a person of two or more races."""


def household_race(persons: ArrayLike) -> NDArray[np.int64]:
    """The race of each household: that of its persons, or the number of races, for "Multiple Races".

    Args:
        persons: for each household its persons of each race.

    Source: swapping study, Tables 2 and 8 (houses with multiple races present are all in that column).

    >>> household_race([[2, 0], [0, 1], [1, 1]]).tolist()
    [0, 1, 2]
    """
    table = np.asarray(persons)
    race: NDArray[np.int64] = np.where((table > 0).sum(axis=1) > 1, table.shape[1], table.argmax(axis=1))
    return race


def percentages(kinds: ArrayLike, among: ArrayLike, names: Sequence[int]) -> NDArray[np.float64]:
    """The percentage of households of each kind among some of them.

    Args:
        kinds: the kind of each household, such as its size or its race.
        among: the places of those that count, such as all, the targets, or the swapped ones.
        names: the kinds, in the order of the answer.

    Returns:
        Percentages that sum to 100 if `names` are all kinds.

    Raises:
        InputError: there is none to count.

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

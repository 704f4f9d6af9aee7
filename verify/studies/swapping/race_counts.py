"""Counts of persons by region and race, and what the swapping study measures on two or more versions of them.

Everything takes arrays, or columns of an Arrow table; a table of counts has a line for each region and a column for
each race. Persons are counted with the array of households: their region, and their persons of each race.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.spec.arguments import InputError

Counts = NDArray[np.int64]
Reals = NDArray[np.float64]


def race_counts(region: ArrayLike, persons: ArrayLike, regions: int) -> Counts:
    """c_γ^r(X): the persons of race r in region γ.

    Args:
        region: the region of each household, in 0, …, regions − 1.
        persons: for each household its persons of each race.
        regions: how many regions there are.

    Raises:
        InputError: there are not as many households in both, or a region is none of 0, …, regions − 1.

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

    Raises:
        InputError: there are fewer than two runs, they differ in shape, or counts are no integers.

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

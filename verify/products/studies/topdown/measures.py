"""What is measured of two releases of one population with one budget, as lines of the study's table."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.verify.products.studies.study import Row, rounded_text
from stirred.verify.products.studies.swapping.race_counts import mean_absolute_error, variance_estimate
from stirred.verify.products.studies.topdown.release import LEVELS, Population, TopDownRun


def budget_text(rho_squared: Fraction) -> str:
    """ρ² as the table has it: exact where it has at most four decimals."""
    return rounded_text(rho_squared, 4).rstrip("0").rstrip(".")


def populations_of(rows: Sequence[Row]) -> list[str]:
    """The populations, in the order of the table."""
    return list(dict.fromkeys(row["population"] for row in rows))


def budgets_of(rows: Sequence[Row]) -> list[Fraction]:
    """The values of ρ², in increasing order."""
    return sorted({Fraction(row["rho^2"]) for row in rows})


def noise_variance(rows: Sequence[Row], rho_squared: Fraction) -> Fraction:
    """σ² of every measurement with this budget."""
    return next(Fraction(row["sigma^2"]) for row in rows if Fraction(row["rho^2"]) == rho_squared)


def _of(rows: Sequence[Row], population: str, statistic: str, level: str, of: str) -> list[Row]:
    wanted = (population, statistic, level, of)
    return [row for row in rows if (row["population"], row["statistic"], row["level"], row["of"]) == wanted]


def runs_of(rows: Sequence[Row]) -> int:
    """How many pairs of runs there are at each ρ²."""
    return len({row["run"] for row in rows})


def each_run(
    rows: Sequence[Row], population: str, statistic: str, level: str, of: str
) -> dict[Fraction, list[Fraction]]:
    """A statistic of every pair of runs, by ρ²; empty where the population has no such count."""
    found: dict[Fraction, list[Fraction]] = {}
    for row in _of(rows, population, statistic, level, of):
        found.setdefault(Fraction(row["rho^2"]), []).append(Fraction(row["measured"]))
    return dict(sorted(found.items()))


def mean_over_runs(
    rows: Sequence[Row], population: str, statistic: str, level: str, of: str
) -> dict[Fraction, Fraction]:
    """The mean of a statistic over the runs, by ρ²; empty where the population has no such count."""
    found = each_run(rows, population, statistic, level, of)
    return {rho_squared: sum(runs, Fraction()) / len(runs) for rho_squared, runs in found.items()}


def cells_of(rows: Sequence[Row], population: str, statistic: str, level: str, of: str) -> int:
    """How many counts a statistic is of."""
    return next((int(row["counts"]) for row in _of(rows, population, statistic, level, of)), 0)


Measure = tuple[str, str, str, int, str]
"""A statistic, its level, what it is of, of how many counts, and its value."""

KINDS, TOTAL = "kinds", "population"

_BOUNDS = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200)

COUNT_CLASSES = (
    *(str(low) if high == low + 1 else f"{low} to {high - 1}" for low, high in pairwise(_BOUNDS)),
    f"{_BOUNDS[-1]} or more",
)
"""Classes of true counts."""


def measures(population: Population, runs: Sequence[TopDownRun]) -> Iterator[Measure]:
    """Noise and error at every level, error by true count in blocks, and the variance over the runs.

    Errors are released minus true: positive where counts grow.

    Args:
        population: what is released.
        runs: at least two independent releases of it.
    """
    estimates = [population.of_levels(run.counts) for run in runs]
    for place, (level, true) in enumerate(zip(LEVELS, population.levels, strict=True)):
        noisy = [run.measured[place] for run in runs]
        yield from _errors(level, KINDS, true, noisy, [one[place] for one in estimates])
        totals = [run.totals[place] for run in runs]
        yield from _errors(level, TOTAL, true.sum(axis=1), totals, [one[place].sum(axis=1) for one in estimates])
        variance = variance_estimate([one[place] for one in estimates])
        yield "variance", level, KINDS, true.size, _text(variance.numerator / variance.denominator)
    yield from _by_count(population.counts, [run.counts for run in runs], "error")
    yield from _by_count(population.counts, [run.measured[-1] for run in runs], "noise")


def _errors(
    level: str, of: str, true: NDArray[Any], noisy: Sequence[NDArray[Any]], estimates: Sequence[NDArray[Any]]
) -> Iterator[Measure]:
    for statistic, found in (("mean absolute noise", noisy), ("mean absolute error", estimates)):
        yield statistic, level, of, true.size, _text(np.mean([mean_absolute_error(true, one) for one in found]))


def _by_count(true: NDArray[np.int64], released: Sequence[NDArray[np.int64]], what: str) -> Iterator[Measure]:
    """The mean of released minus true counts of blocks, by the class of the true count; classes that occur."""
    classes = np.digitize(true, _BOUNDS) - 1
    for place, name in enumerate(COUNT_CLASSES):
        here = classes == place
        if here.any():
            mean = np.mean([(one - true)[here].mean() for one in released])
            yield f"mean {what} by true count", LEVELS[-1], name, int(here.sum()), _text(mean)


def _text(value: Any) -> str:
    return f"{value:.6f}"

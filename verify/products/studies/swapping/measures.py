"""What is measured of one release of a state, as lines of the study's table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.spec.arguments import InputError
from stirred.verify.products.studies.swapping.race_counts import (
    RACES,
    REMOVALS_FIRST,
    entropy_after_steps,
    errors,
    household_race,
    mean_absolute_error,
    partner_shares,
    percentages,
    race_counts,
    racial_entropy,
    relative_errors,
    variance_estimate,
)
from stirred.verify.products.studies.swapping.releases import ReleasedCounts
from stirred.verify.products.studies.swapping.synthetic_state import SyntheticState

# Ecological regression: the support of a group for a candidate, read off a line fitted to voting districts.


@dataclass(frozen=True)
class RegressionLine:
    """y = intercept + slope·x, with x the share of a group in a district and y the share of votes for a candidate.

    Attributes:
        intercept: at x = 0.
        slope: how fast the votes rise with the share.
    """

    intercept: Any
    slope: Any

    @property
    def support(self) -> Any:
        """The line at x = 1: the estimated support of the group in a district of it alone."""
        return self.intercept + self.slope


def ecological_regression(share: ArrayLike, votes: ArrayLike, weights: ArrayLike | None = None) -> RegressionLine:
    """The line that minimises Σ w·(y − intercept − slope·x)².

    slope = Σw·(x − x̄)(y − ȳ)/Σw·(x − x̄)² and intercept = ȳ − slope·x̄ with weighted means x̄ and ȳ.

    Args:
        share: x, the share of the group in each district; floats, or Fractions for an exact line.
        votes: y, the share of votes for the candidate there.
        weights: w ≥ 0, such as the population of each district; without them every district counts alike.

    Raises:
        InputError: lengths differ, weights are negative or all 0, or all districts have one share.

    Source: swapping study, section 5.1.

    >>> ecological_regression([0, 1, 2], [1, 3, 5], [1, 1, 2]).support.item()
    3.0
    """
    x, y = np.asarray(share), np.asarray(votes)
    w = np.ones(len(x), dtype=np.int64) if weights is None else np.asarray(weights)
    if not len(x) == len(y) == len(w):
        raise InputError(f"share, votes and weights must have one length; got {len(x)}, {len(y)}, {len(w)}")
    if not len(w) or (w < 0).any() or not w.sum():
        raise InputError("weights must be at least 0 and not all 0")
    total = w.sum()
    mean_x, mean_y = (w * x).sum() / total, (w * y).sum() / total
    spread = (w * (x - mean_x) ** 2).sum()
    if not spread:
        raise InputError("share must differ between districts for a line to be fitted")
    slope = (w * (x - mean_x) * (y - mean_y)).sum() / spread
    return RegressionLine(mean_y - slope * mean_x, slope)


Measure = tuple[str, str, str]
"""A statistic, what it is of, and its value."""

Counts = NDArray[Any]

_HOUSEHOLD_RACES = (*RACES, "Multiple Races")
_BLACK = RACES.index("B")


def _text(value: Any) -> str:
    return f"{value:.6f}"


def _summed(counts: Counts, region: NDArray[np.int64], regions: int) -> Counts:
    summed = np.zeros((regions, counts.shape[1]), dtype=counts.dtype)
    np.add.at(summed, region, counts)
    return summed


def measures_of_state(state: SyntheticState) -> Iterator[Measure]:
    """The state as it is: its entropy, its regression lines, its households by size and by race."""
    blocks = race_counts(state.block, state.persons, len(state.tract))
    yield from _of_tracts(state, _summed(blocks, state.tract, len(state.county)))
    everyone = np.arange(len(state.block))
    yield from _shares(state, "of all households", everyone)


def measures_of_release(state: SyntheticState, released: ReleasedCounts) -> Iterator[Measure]:
    """Errors by geographic level and by county and race, entropy of tracts, regression lines."""
    blocks: tuple[Counts, Counts] = race_counts(state.block, state.persons, len(state.tract)), released.counts
    tracts = tuple(_summed(one, state.tract, len(state.county)) for one in blocks)
    counties = tuple(_summed(one, state.county, len(state.rural_urban)) for one in tracts)
    for level, (before, after) in (("block", blocks), ("tract", tracts), ("county", counties)):
        yield "mean absolute error", level, _text(mean_absolute_error(before, after))
        totals = before.sum(axis=1), after.sum(axis=1)
        yield "mean absolute error of total population", level, _text(mean_absolute_error(*totals))
    yield from _of_tracts(state, tracts[1])
    yield from _of_counties(state, *counties)


def _of_tracts(state: SyntheticState, counts: Counts) -> Iterator[Measure]:
    yield "mean racial entropy of tracts", "", _text(racial_entropy(counts).mean())
    population = counts.sum(axis=1)
    share = counts[:, _BLACK] / np.maximum(population, 1)
    adults = np.bincount(state.tract[state.block], weights=state.adults, minlength=len(state.county))
    votes = state.votes / adults
    for weighting, weights in (("unweighted", None), ("weighted", population)):
        line = ecological_regression(share, votes, weights)
        yield "slope of ecological regression", f"B, {weighting}", _text(line.slope)
        yield "support by ecological regression", f"B, {weighting}", _text(line.support)


def _of_counties(state: SyntheticState, before: Counts, after: Counts) -> Iterator[Measure]:
    moved, relative = errors(before, after), relative_errors(before, after)
    for county, rural_urban in enumerate(state.rural_urban.tolist()):
        for place, race in enumerate(RACES):
            name = f"county {county}, class {rural_urban}, {race}"
            yield "error", name, _text(moved[county, place])
            yield "relative error", name, _text(relative[county, place])
            if before[county, place]:
                yield "count ratio", name, _text(after[county, place] / before[county, place])


def measures_of_pairs(state: SyntheticState, pairs: NDArray[np.int64]) -> Iterator[Measure]:
    """Entropy after each step, and who was swapped: by size, by race, and which races for which."""
    means = entropy_after_steps(state.tract[state.block], state.persons, pairs, len(state.county))
    for step, mean in zip(REMOVALS_FIRST, means[1:], strict=True):
        yield "mean racial entropy of tracts, in turn", step.value, _text(mean)
    yield from _shares(state, "of swapped households", pairs.ravel())
    yield from _shares(state, "of targets", pairs[:, 0])
    race = household_race(state.persons)
    lines = partner_shares(race, pairs, len(_HOUSEHOLD_RACES))
    for target, line in zip(_HOUSEHOLD_RACES, lines, strict=True):
        for partner, percent in zip(_HOUSEHOLD_RACES, line, strict=True):
            yield "percentage of partners", f"{partner}, of targets of {target}", _text(percent)


def _shares(state: SyntheticState, whose: str, among: NDArray[np.int64]) -> Iterator[Measure]:
    sizes = sorted(set(state.size.tolist()))
    for size, percent in zip(sizes, percentages(state.size, among, sizes), strict=True):
        yield f"percentage {whose}", f"size {size}", _text(percent)
    races = range(len(_HOUSEHOLD_RACES))
    for name, percent in zip(_HOUSEHOLD_RACES, percentages(household_race(state.persons), among, races), strict=True):
        yield f"percentage {whose}", name, _text(percent)


def variance_measure(first: ReleasedCounts, second: ReleasedCounts) -> Measure:
    """V̂ of two runs; the counts of ToyDown are no integers, so theirs is not exact."""
    if first.counts.dtype.kind == "i":
        value = variance_estimate([first.counts, second.counts])
        return "variance estimate", "block", _text(value.numerator / value.denominator)
    return "variance estimate", "block", _text(np.square(first.counts - second.counts).mean() / 2)

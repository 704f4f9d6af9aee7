"""Faulty variants of the TopDown Algorithm, each of which breaks a promise that the algorithm makes.

The promises: the estimate keeps the invariants; the measurements cost ρ²; given the invariants, the estimate costs
nothing beyond the measurements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from mechanisms.source import Source
from mechanisms.topdown.algorithm import (
    Estimate,
    Measurements,
    Noise,
    Published,
    answers,
    estimate,
    invariants,
    measure,
)
from mechanisms.topdown.design import Design, KeptTotal, QueryGroup, Tie

__all__ = [
    "EveryLevelSpendsAll",
    "noise_after_estimation",
    "noisy_invariant",
    "noisy_parent",
    "ties_in_favour_of_the_data",
]

Records = Iterable[tuple[str, str]]
Output = tuple[Measurements, Estimate]


def noise_after_estimation(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Estimates from the exact answers and adds the noise of the first query group to every count of the estimate."""
    histograms = design.histograms(data)
    found = estimate(design, answers(design, histograms), invariants(design, histograms))
    last = len(design.geography.levels) - 1
    add_noise = noise(design.variance(last, design.groups[0]))
    noisy = tuple((leaf, tuple(add_noise(count, source) for count in counts)) for leaf, counts in found)
    return measure(design, histograms, source, noise=noise), noisy


def noisy_invariant(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Adds noise to the values of the last invariant, and keeps those instead of the true ones."""
    histograms = design.histograms(data)
    measurements = measure(design, histograms, source, noise=noise)
    *others, last = invariants(design, histograms)
    add_noise = noise(design.variance(design.invariants[-1].level, design.groups[0]))
    totals = (*others, tuple(max(0, add_noise(value, source)) for value in last))
    return measurements, estimate(design, measurements, totals)


def noisy_parent(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Holds the children of every state to its noisy first answer, in place of the estimate made above them."""
    histograms = design.histograms(data)
    measurements = measure(design, histograms, source, noise=noise)
    level = design.geography.levels[1]
    measured = dict(zip(design.geography.nodes, measurements, strict=True))
    values = tuple(max(0, measured[node][0][0]) for node in level)
    noisy = Published(KeptTotal("the parent's noisy total", 1, design.groups[0].rows[0]), values)
    below = replace(design, invariants=tuple(one for one in design.invariants if one.level > 1))
    totals = invariants(below, histograms)
    return measurements, estimate(below, measurements, totals, [noisy])


def ties_in_favour_of_the_data(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Of the first and the last nearest data set it takes the one that is nearer to the data: estimation peeks."""
    histograms = design.histograms(data)
    measurements = measure(design, histograms, source, noise=noise)
    totals = invariants(design, histograms)
    found = [estimate(replace(design, tie=tie), measurements, totals) for tie in Tie]
    return measurements, min(
        found,
        key=lambda one: sum(
            (a - b) ** 2 for leaf, counts in one for a, b in zip(counts, histograms[leaf], strict=True)
        ),
    )


class EveryLevelSpendsAll(Design):
    """A design whose levels each spend the budget that they should share."""

    def variance(self, level: int, group: QueryGroup) -> Fraction:
        """σ² without the share of the level."""
        return super().variance(level, group) * self.level_shares[level]

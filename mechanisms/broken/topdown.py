"""Faulty variants of the TopDown Algorithm and of two runs of it, each of which breaks a promise that is made.

The promises: the estimate keeps the invariants; the measurements cost ρ²; given the invariants, the estimate costs
nothing beyond the measurements. Of two runs: the second one reproduces what the first published, P; given P, the
measurements and the invariants, its estimate costs nothing more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from stirred.mechanisms.das.topdown.algorithm import (
    Estimate,
    Measurements,
    Noise,
    Published,
    answers,
    estimate,
    invariants,
    measure,
    topdown,
)
from stirred.mechanisms.das.topdown.design import Design, KeptTotal, QueryGroup
from stirred.mechanisms.das.topdown.two_runs import Run, tabulate
from stirred.mechanisms.source import Source

Records = Iterable[tuple[str, str]]
Output = tuple[Measurements, Estimate]


def noise_after_estimation(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Estimates from the exact answers, and adds noise to the first count of the first leaf afterwards."""
    histograms = design.histograms(data)
    found = estimate(design, answers(design, histograms), invariants(design, histograms))
    add_noise = noise(design.variance(len(design.geography.levels) - 1, design.groups[0]))
    (leaf, (first, *others)), *rest = found
    return measure(design, histograms, source, noise=noise), ((leaf, (add_noise(first, source), *others)), *rest)


def noisy_invariant(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Adds what noise makes of 0 to the first value of the first invariant, and keeps the sum instead of the value."""
    histograms = design.histograms(data)
    measurements = measure(design, histograms, source, noise=noise)
    (value, *values), *others = invariants(design, histograms)
    add_noise = noise(design.variance(design.invariants[0].level, design.groups[0]))
    totals = ((value + max(0, add_noise(0, source)), *values), *others)
    return measurements, estimate(design, measurements, totals)


def noisy_parent(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Holds the nodes under the root to its noisy first answer, in place of the first invariant."""
    histograms = design.histograms(data)
    measurements = measure(design, histograms, source, noise=noise)
    answer = max(0, measurements[0][0][0])
    noisy = Published(KeptTotal("the parent's noisy total", 0, design.groups[0].rows[0]), (answer,))
    below = replace(design, invariants=design.invariants[1:])
    return measurements, estimate(below, measurements, invariants(below, histograms), [noisy])


def estimation_from_the_data(data: Records, source: Source, *, design: Design, noise: Noise) -> Output:
    """Measures with noise, and estimates from the exact answers: estimation peeks at the data."""
    histograms = design.histograms(data)
    found = estimate(design, answers(design, histograms), invariants(design, histograms))
    return measure(design, histograms, source, noise=noise), found


class EveryLevelSpendsAll(Design):
    """A design whose levels each spend the budget that they should share."""

    def variance(self, level: int, group: QueryGroup) -> Fraction:
        """σ² without the share of the level."""
        return super().variance(level, group) * self.level_shares[level]


TwoRuns = tuple[Run, tuple[tuple[int, ...], ...], Run]
"""The first run, what it published of the aggregates, and the second."""


def independent_runs(
    data: Records, source: Source, *, first: Design, second: Design, aggregates: Sequence[KeptTotal], noise: Noise
) -> TwoRuns:
    """The second run does not look at what the first published."""
    records = tuple(data)
    earlier = topdown(records, source, design=first, noise=noise)
    values = tuple(tabulate(first, earlier[1], one) for one in aggregates)
    return earlier, values, topdown(records, source, design=second, noise=noise)


def published_from_the_data(
    data: Records, source: Source, *, first: Design, second: Design, aggregates: Sequence[KeptTotal], noise: Noise
) -> TwoRuns:
    """The second run is held to the totals of the confidential data, in place of those that were published."""
    records = tuple(data)
    earlier = topdown(records, source, design=first, noise=noise)
    values = tuple(tabulate(first, earlier[1], one) for one in aggregates)
    exact = tuple(second.histograms(records).items())
    leaves = tuple((node, counts) for node, counts in exact if node in second.geography.leaves)
    held = [Published(one, tabulate(second, leaves, one)) for one in aggregates]
    return earlier, values, topdown(records, source, design=second, published=held, noise=noise)

"""The TopDown Algorithm of the 2020 Census: noise infusion, then estimation from the top level down.

The program reads as article, Algorithm 2; what that leaves open is a named choice of `mechanisms.das.topdown.design`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts, Design, form_values
from stirred.mechanisms.das.topdown.nearest import exhaustive
from stirred.mechanisms.das.topdown.siblings import Known, Measurements, Published, Siblings, Solver, Totals
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.laws.discrete_gaussian import diagonal_zcdp_budget

__all__ = [
    "Estimate",
    "Measurements",
    "Noise",
    "Published",
    "Solver",
    "Totals",
    "answers",
    "check_edits",
    "estimate",
    "invariants",
    "measure",
    "replacement_cost",
    "topdown",
]

Estimate = tuple[tuple[str, Counts], ...]
"""The counts Z of every leaf: the microdata, as a histogram."""

Noise = Callable[[Fraction], Callable[[int, Source], int]]
"""The program that adds noise to an integer query, by its σ²."""

_nearest = lru_cache(maxsize=65536)(exhaustive)


def topdown(
    data: Iterable[tuple[str, str]],
    source: Source,
    *,
    design: Design,
    published: Sequence[Published] = (),
    noise: Noise = discrete_gaussian,
    solver: Solver = _nearest,
) -> tuple[Measurements, Estimate]:
    """The noisy measurements and the privacy-protected data of one run.

    Args:
        data: the records (leaf, cell) of every part; their order does not matter.
        published: statistics released before, which the estimate reproduces.
        noise: the program that adds noise by σ²; anything but discrete Gaussian noise has another budget.
        solver: finds the nearest point; the default is the exhaustive reference, for tiny domains.

    Source: article, Algorithm 2.
    """
    histograms = design.histograms(data)
    check_edits(design, histograms)
    # Step 1: noise infusion (lines 1 to 7)
    measurements = measure(design, histograms, source, noise=noise)
    # Step 2: post-processing of the measurements and the invariants (lines 8 to 11)
    totals = invariants(design, histograms)
    return measurements, estimate(design, measurements, totals, published, solver=solver)


def answers(design: Design, histograms: Mapping[str, Counts]) -> Measurements:
    """Q(x), by node, query group and query."""
    return tuple(
        tuple(tuple(group.answers(level, histograms[node]).tolist()) for group in design.groups)
        for level, nodes in enumerate(design.geography.levels)
        for node in nodes
    )


def measure(design: Design, histograms: Mapping[str, Counts], source: Source, *, noise: Noise) -> Measurements:
    """T(x) ← Q(x) + W with independent W of the scale that the design gives to each level and query group.

    Source: article, Algorithm 2, lines 2 to 7.
    """
    found = []
    for node, exact_answers in zip(design.geography.nodes, answers(design, histograms), strict=True):
        measured: list[tuple[int, ...]] = []
        for group, of_group in zip(design.groups, exact_answers, strict=True):
            if not of_group:  # not asked at this level
                measured.append(())
                continue
            add_noise = noise(design.variance(design.geography.level(node), group))
            measured.append(tuple(add_noise(answer, source) for answer in of_group))
        found.append(tuple(measured))
    return tuple(found)


def replacement_cost(design: Design, first: Mapping[str, Counts], second: Mapping[str, Counts]) -> Fraction:
    """D_NoR² of the measurements of two data sets with discrete Gaussian noise: Σ (Q(x) − Q(x'))²/(2σ²), exact."""
    scales, shifts = [], []
    pairs = zip(design.geography.nodes, answers(design, first), answers(design, second), strict=True)
    for node, ours, theirs in pairs:
        for group, a, b in zip(design.groups, ours, theirs, strict=True):
            if a:
                scales += [design.variance(design.geography.level(node), group)] * len(a)
            shifts += [p - q for p, q in zip(a, b, strict=True)]
    return diagonal_zcdp_budget(scales, shifts)


def invariants(design: Design, histograms: Mapping[str, Counts]) -> Totals:
    """c_TDA(x), by invariant and node of its level."""
    found: dict[int, Sequence[int]] = {}
    for level, nodes in enumerate(design.geography.levels):
        places = [place for place, one in enumerate(design.invariants) if one.level == level]
        values = form_values([design.invariants[place].row for place in places], [histograms[node] for node in nodes])
        found |= zip(places, values.T.tolist(), strict=True)
    return tuple(tuple(found[place]) for place, _ in enumerate(design.invariants))


def estimate(
    design: Design,
    measurements: Measurements,
    totals: Totals,
    published: Sequence[Published] = (),
    *,
    solver: Solver = _nearest,
) -> Estimate:
    """The data set nearest to the measurements, level by level from the top: no other argument, so no other input.

    At the root, and then for the children of every node, the counts are those with the smallest loss among the
    non-negative integers that sum to the parent's and can be completed down to the leaves under all constraints.

    Args:
        measurements: T(x).
        totals: c_TDA(x).

    Source: article, Algorithm 2, lines 8 to 11.
    """
    geography, known = design.geography, Known(design, totals, published)
    measured = dict(zip(geography.nodes, measurements, strict=True))

    def nearest(nodes: Sequence[str], parent: Counts | None) -> dict[str, Counts]:
        siblings = Siblings(design, nodes, parent, [measured[node] for node in nodes], known)
        return siblings.solved(siblings.problem(), solver, [np.arange(len(design.cells))] * len(nodes))

    counts = nearest((geography.root,), None)
    for node in geography.nodes:
        if geography.children(node):
            counts |= nearest(geography.children(node), counts[node])
    return tuple((leaf, tuple(counts[leaf])) for leaf in geography.leaves)


def check_edits(design: Design, histograms: Mapping[str, Counts]) -> None:
    """Refuse data that break an edit constraint at a leaf."""
    leaves = design.geography.leaves
    values = form_values([edit.row for edit in design.edits], [histograms[leaf] for leaf in leaves])
    for place, number in np.argwhere(values > np.array([edit.bound for edit in design.edits])).tolist():
        edit, value = design.edits[number], values[place, number]
        raise InputError(f"{edit.name} of {leaves[place]}: the data must be at most {edit.bound}; got {value}")

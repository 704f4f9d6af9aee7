"""The TopDown Algorithm of the 2020 Census: noise infusion, then estimation from the top level down.

The program reads as article, Algorithm 2; what that leaves open is a named choice of `mechanisms.topdown.design`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from mechanisms.discrete_gaussian import discrete_gaussian
from mechanisms.source import Source
from mechanisms.topdown.design import Counts, Design, KeptTotal, Tie, Weights
from mechanisms.topdown.nearest import Constraint, InfeasibleError, NearestPoint, Square, exhaustive, violated
from spec.arguments import InputError, integer
from spec.discrete_gaussian import diagonal_zcdp_budget

__all__ = [
    "Estimate",
    "Measurements",
    "Noise",
    "Published",
    "Solver",
    "Totals",
    "answers",
    "estimate",
    "invariants",
    "measure",
    "replacement_cost",
    "topdown",
]

Measurements = tuple[tuple[tuple[int, ...], ...], ...]
"""The noisy queries T(x), by node (level by level from the root), query group and query."""

Totals = tuple[tuple[int, ...], ...]
"""The values of c_TDA, by invariant and node of its level."""

Estimate = tuple[tuple[str, Counts], ...]
"""The counts Z of every leaf: the microdata, as a histogram."""

Noise = Callable[[Fraction], Callable[[int, Source], int]]
"""The program that adds noise to an integer query, by its σ²."""

Solver = Callable[[NearestPoint], Sequence[int]]
"""What finds the nearest point."""


@dataclass(frozen=True)
class Published:
    """One total of what was released before, at every node of a level: H(Z) = P.

    Attributes:
        aggregate: H, the total and its level.
        values: P, for each node of the level in order.
    """

    aggregate: KeptTotal
    values: tuple[int, ...]


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
        source: the source of randomness.
        design: queries, budgets, constraints, and every choice that the article leaves open.
        published: statistics released before, which the estimate reproduces.
        noise: the program that adds noise by σ²; anything but discrete Gaussian noise has another budget.
        solver: finds the nearest point; the default is the exhaustive reference, for tiny domains.

    Raises:
        InputError: a record is outside the design, the data break an edit constraint, or no data set meets the
            constraints together with what was published.

    Source: article, Algorithm 2.
    """
    histograms = design.histograms(data)
    _check_edits(design, histograms)
    # Step 1: noise infusion (lines 1 to 7)
    measurements = measure(design, histograms, source, noise=noise)
    # Step 2: post-processing of the measurements and the invariants (lines 8 to 11)
    totals = invariants(design, histograms)
    return measurements, estimate(design, measurements, totals, published, solver=solver)


def answers(design: Design, histograms: Mapping[str, Counts]) -> Measurements:
    """Q(x), by node, query group and query."""
    return tuple(
        tuple(tuple(_total(row, histograms[node]) for row in group.rows) for group in design.groups)
        for node in design.geography.nodes
    )


def measure(design: Design, histograms: Mapping[str, Counts], source: Source, *, noise: Noise) -> Measurements:
    """T(x) ← Q(x) + W with independent W of the scale that the design gives to each level and query group.

    Source: article, Algorithm 2, lines 2 to 7.
    """
    found = []
    for node, exact_answers in zip(design.geography.nodes, answers(design, histograms), strict=True):
        measured = []
        for group, of_group in zip(design.groups, exact_answers, strict=True):
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
            scales += [design.variance(design.geography.level(node), group)] * len(group.rows)
            shifts += [p - q for p, q in zip(a, b, strict=True)]
    return diagonal_zcdp_budget(scales, shifts)


def invariants(design: Design, histograms: Mapping[str, Counts]) -> Totals:
    """c_TDA(x), by invariant and node of its level."""
    levels = design.geography.levels
    return tuple(tuple(_total(one.row, histograms[node]) for node in levels[one.level]) for one in design.invariants)


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
        design: what was measured, and what is kept.
        measurements: T(x).
        totals: c_TDA(x).
        published: statistics released before.
        solver: finds the nearest point.

    Raises:
        InputError: the arguments do not fit the design, no data set meets the constraints, or the solver's answer
            violates one; the message names the nodes and their level.

    Source: article, Algorithm 2, lines 8 to 11.
    """
    run = _Estimation(design, measurements, totals, published)
    geography = design.geography
    counts = run.nearest((geography.root,), None, solver)
    for node in geography.nodes:
        if geography.children(node):
            counts |= run.nearest(geography.children(node), counts[node], solver)
    return tuple((leaf, counts[leaf]) for leaf in geography.leaves)


class _Estimation:
    """What estimation may look at: the design, the measurements, and the totals that are kept, by node."""

    def __init__(
        self, design: Design, measurements: Measurements, totals: Totals, published: Sequence[Published]
    ) -> None:
        geography = design.geography
        self.design = design
        self.measured = dict(zip(geography.nodes, measurements, strict=True))
        self.known: dict[str, list[tuple[KeptTotal, int]]] = {node: [] for node in geography.nodes}
        kept = [*zip(design.invariants, totals, strict=True), *((one.aggregate, one.values) for one in published)]
        for total, values in kept:
            for node, value in zip(geography.levels[total.level], values, strict=True):
                self.known[node].append((total, integer(f"{total.name} of {node}", value)))

    def nearest(self, nodes: Sequence[str], parent: Counts | None, solver: Solver) -> dict[str, Counts]:
        """The counts of siblings, checked in exact integers."""
        problem = self.problem(nodes, parent)
        where = f"level {self.design.geography.level(nodes[0])}, {', '.join(nodes)}"
        try:
            found = tuple(solver(problem))
        except InfeasibleError as error:
            raise InputError(f"{where}: {error}") from None
        if len(found) != problem.decided:
            raise InputError(f"{where}: the solver must return {problem.decided} integers; got {len(found)}")
        wrong = violated(problem.about_decided(), found)
        if wrong is not None:
            raise InputError(f"{where}: the solver's answer must meet {wrong.name}")
        size = len(self.design.cells)
        return {node: found[place * size : (place + 1) * size] for place, node in enumerate(nodes)}

    def problem(self, nodes: Sequence[str], parent: Counts | None) -> NearestPoint:
        """Lines 10 and 11 for siblings: their counts are decided, and all counts below them must exist."""
        geography, size = self.design.geography, len(self.design.cells)
        below = geography.below(nodes)
        start = {node: place * size for place, node in enumerate(below)}
        constraints = []
        for node in below:
            for total, value in self.known[node]:
                constraints.append(_equal(f"{total.name} of {node}", _terms(start[node], total.row), value))
            children = geography.children(node)
            for edit in () if children else self.design.edits:
                constraints.append(
                    Constraint(f"{edit.name} of {node}", _terms(start[node], edit.row), None, edit.bound)
                )
            for cell, name in enumerate(self.design.cells) if children else ():
                sums = tuple((start[child] + cell, 1) for child in children)
                constraints.append(_equal(f"{name} of {node}", (*sums, (start[node] + cell, -1)), 0))
        above = parent or ()
        for cell, name in enumerate(() if parent is None else self.design.cells):
            sums = tuple((start[node] + cell, 1) for node in nodes)
            constraints.append(_equal(f"{name} of {geography.parents[nodes[0]]}", sums, above[cell]))
        squares = [
            Square(_terms(start[node], row), answer, weight)
            for node in nodes
            for group, answers, weight in zip(
                self.design.groups, self.measured[node], _weights(self.design, geography.level(node)), strict=True
            )
            for row, answer in zip(group.rows, answers, strict=True)
        ]
        return NearestPoint(
            len(below) * size, len(nodes) * size, tuple(constraints), tuple(squares), self.design.tie is Tie.LARGEST
        )


def _weights(design: Design, level: int) -> tuple[int, ...]:
    """The weight of each query group at a level: proportional to 1/σ² or equal, as the smallest integers."""
    if design.weights is Weights.EQUAL:
        return (1,) * len(design.groups)
    precisions = [1 / design.variance(level, group) for group in design.groups]
    scale = lcm(*(one.denominator for one in precisions))
    numbers = [int(one * scale) for one in precisions]
    return tuple(number // gcd(*numbers) for number in numbers)


def _total(row: Counts, counts: Counts) -> int:
    return sum(entry * count for entry, count in zip(row, counts, strict=True))


def _terms(start: int, row: Counts) -> tuple[tuple[int, int], ...]:
    return tuple((start + cell, entry) for cell, entry in enumerate(row) if entry)


def _equal(name: str, terms: tuple[tuple[int, int], ...], value: int) -> Constraint:
    return Constraint(name, terms, value, value)


def _check_edits(design: Design, histograms: Mapping[str, Counts]) -> None:
    for leaf in design.geography.leaves:
        for edit in design.edits:
            if (value := _total(edit.row, histograms[leaf])) > edit.bound:
                raise InputError(f"{edit.name} of {leaf}: the data must be at most {edit.bound}; got {value}")

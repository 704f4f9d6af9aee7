"""TopDown's estimation on data of real size: the problem of siblings alone, level by level, on several processes.

The answer is that of `mechanisms.das.topdown.algorithm.estimate`, from the same measurements: the problems are the same
but for what is summarized below the siblings (`mechanisms.das.topdown.completion`) and cells that their parent has
nothing in, the solver is `fast_nearest` with the tie rule, and siblings depend on their parent alone, so that the
number of processes changes nothing.

What it costs, by tests/benchmarks/bench_topdown.py and, with the cells of the DHC, bench_dhc.py.

A root with many more cells than records is estimated on chosen cells (`rounded_root`). Among real numbers a least sum
of squares has 0 in most of a million noisy cells. So it is sought on some cells, and the slope of the sum in every
other cell tells whether that cell would get something: those that would are added, until there is none. Every query is
in the slope, also one of which no cell is chosen. The constraints have one price for all cells of a class
(`mechanisms.das.topdown.completion`), that of its chosen cells. The integers near to that solution are then sought on
the same cells. Where constraints nest, no other cell could help: in a network, a circle of steps that goes through
another cell could go through one of its class that has 0, and each class keeps one that has.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from multiprocessing import get_context

import numpy as np

from stirred.mechanisms.das.topdown.completion import Completion
from stirred.mechanisms.das.topdown.design import Counts, Design
from stirred.mechanisms.das.topdown.integers import Cells, at
from stirred.mechanisms.das.topdown.leaf_classes import leaf_problem
from stirred.mechanisms.das.topdown.nearest import InfeasibleError, NearestPoint
from stirred.mechanisms.das.topdown.siblings import (
    Known,
    Measurements,
    Published,
    Siblings,
    Solver,
    Totals,
    group_weights,
)
from stirred.mechanisms.fast.conflict import conflict
from stirred.mechanisms.fast.least_squares import Reals, real_point
from stirred.mechanisms.fast.nearest_point import PARTS, fast_nearest, integers_near, rounded_point
from stirred.mechanisms.fast.unit_pieces import Squares
from stirred.spec.arguments import InputError

_FIRST = 20_000
"""Cells that are chosen at first, and the most that are added at a time."""

_MAX_ROUNDS = 60

_SPARE = 2
"""Of each class: one that could stay 0, and another one, so that a limit of the class is no bound of one cell."""


ROOT = None
"""Stands for the parent of the root."""

Group = tuple[str | None, dict[str, Counts]]
"""A parent, and the counts of its children."""


@dataclass(frozen=True)
class Estimation:
    """What estimation may look at, and nothing else.

    Attributes:
        measurements: T(x), in the order of nodes or by node.
        totals: c_TDA(x).
        most_cells: with more open cells at the root, rounded estimates are made on cells that are chosen.
    """

    design: Design
    measurements: Measurements | Mapping[str, tuple[Sequence[int], ...]]
    totals: Totals
    published: tuple[Published, ...] = ()
    solver: Solver = fast_nearest
    most_cells: int = 50_000

    @cached_property
    def known(self) -> Known:
        """The totals that are kept, by node."""
        return Known(self.design, self.totals, self.published)

    @cached_property
    def _completion(self) -> Completion:
        return Completion(self.design, self.known)

    @cached_property
    def _measured(self) -> Mapping[str, tuple[Sequence[int], ...]]:
        if isinstance(self.measurements, Mapping):
            return self.measurements
        return dict(zip(self.design.geography.nodes, self.measurements, strict=True))

    def children(self, parent: str | None, counts: Counts | None) -> dict[str, Counts]:
        """The counts of the children of a node, given its own; of the root for `ROOT`."""
        geography = self.design.geography
        nodes = (geography.root,) if parent is ROOT else geography.children(parent)
        siblings = Siblings(self.design, nodes, counts, [self._measured[node] for node in nodes], self.known)

        def solve(problem: NearestPoint) -> Sequence[int]:
            try:
                return self.solver(problem)
            except InfeasibleError:
                raise InfeasibleError(conflict(leaf_problem(siblings)).text()) from None

        if parent is not ROOT or len(siblings.open_cells) <= self.most_cells:
            cells = self._completion.open_cells(siblings)
            return siblings.solved(self._completion.problem(siblings, cells), solve, cells)
        if self.solver is not rounded_point:
            raise InputError(
                f"the nearest integers are sought among at most {self.most_cells} cells at the root; it has "
                f"{len(siblings.open_cells)}: --estimate rounded"
            )
        try:
            return rounded_root(siblings, self._completion)
        except InfeasibleError:
            why = conflict(leaf_problem(siblings)).text()
            raise InfeasibleError(f"level 0, {nodes[0]}: {why}") from None


Task = tuple[str | None, Counts | None]
"""A parent, and its own counts."""

Solve = Callable[[Sequence[Task]], Iterable[Group]]
"""What finds the counts of the children of several parents of one level, in any order."""

Done = Mapping[str | None, Mapping[str, Counts]]
"""The counts of children that were found before, by parent."""

Keep = Callable[[int, str | None, dict[str, Counts]], None]
"""Is told the level, the parent and the counts of its children as they are found."""


def estimate(
    estimation: Estimation, *, workers: int = 1, done: Done | None = None, keep: Keep | None = None
) -> dict[str, Counts]:
    """The counts of every node.

    Args:
        workers: processes that share the parents of a level.
    """
    with _workers(estimation, workers) as solve:
        return from_the_top(estimation, solve, done=done, keep=keep)


def from_the_top(
    estimation: Estimation, solve: Solve, *, done: Done | None = None, keep: Keep | None = None
) -> dict[str, Counts]:
    """The counts of every node, level by level, each level being solved at once; as `estimate`."""
    geography = estimation.design.geography
    counts: dict[str, Counts] = {}
    before = done or {}
    parents: Sequence[str | None] = (ROOT,)
    for level, nodes in enumerate(geography.levels):
        for parent in parents:
            counts |= before.get(parent, {})
        missing = [(one, None if one is ROOT else counts[one]) for one in parents if one not in before]
        for parent, found in solve(missing):
            if keep is not None:
                keep(level, parent, found)
            counts |= found
        parents = nodes
    return counts


@contextmanager
def _workers(estimation: Estimation, workers: int) -> Iterator[Solve]:
    if workers == 1:
        yield lambda tasks: ((parent, estimation.children(parent, counts)) for parent, counts in tasks)
        return
    with get_context("spawn").Pool(workers, _begin, (estimation,)) as pool:
        yield lambda tasks: pool.imap(_work, tasks)


_estimation: list[Estimation] = []


def _begin(estimation: Estimation) -> None:
    _estimation.append(estimation)


def _work(task: Task) -> Group:
    parent, counts = task
    return parent, _estimation[0].children(parent, counts)


def rounded_root(siblings: Siblings, completion: Completion) -> dict[str, Counts]:
    """The counts of the root alone, as `mechanisms.fast.nearest_point` finds them, on cells that are chosen."""
    one = _Root(siblings, completion)
    chosen = one.first()
    for _ in range(_MAX_ROUNDS):
        problem = completion.problem(siblings, [chosen])
        squares = Squares(problem)
        point = real_point(squares)
        values = np.clip(point.values[: len(chosen)], 0, None)
        paying = one.paying(chosen, values, _class_prices(squares, point.prices, problem.decided))
        if not len(paying):
            break
        chosen = np.union1d(chosen, paying)
    else:
        raise InputError(f"the cells with positive counts were not found in {_MAX_ROUNDS} rounds")
    spare = _SPARE
    while True:
        counts = siblings.solved(problem, partial(integers_near, values=values.tolist()), [chosen])
        wanting = one.without_zero(chosen, values, at(counts[siblings.nodes[0]], chosen))
        if not len(wanting):
            return counts
        spare *= 2
        more = np.setdiff1d(one.of_classes(wanting, spare), chosen)
        order = np.argsort(np.append(chosen, more))
        chosen, values = np.append(chosen, more)[order], np.append(values, np.zeros(len(more)))[order]
        problem = completion.problem(siblings, [chosen])


def _class_prices(squares: Squares, prices: Reals, decided: int) -> Reals:
    """What the constraints charge for each variable; the rows of forms come last."""
    forms = len(squares.weight) - squares.size
    own = np.where(np.arange(len(prices)) < len(prices) - forms, prices, 0)
    charged = squares.entries * own[squares.rows]
    columns = np.repeat(np.arange(len(squares.weight)), np.diff(squares.starts))
    return np.asarray(np.bincount(columns, charged, len(squares.weight))[:decided], dtype=np.float64)


@dataclass
class _Query:
    """A query group of the root: the weight of its squares, what was measured, and the query of each open cell."""

    weight: float
    measured: Reals
    places: Cells
    queries: Cells
    entries: Cells


class _Root:
    """All open cells of the root."""

    def __init__(self, siblings: Siblings, completion: Completion) -> None:
        self.cells = siblings.open_cells
        _, self.classes = np.unique(completion.classes[self.cells], return_inverse=True)
        self.groups = []
        weights = group_weights(siblings.design, 0)
        for group, measured, weight in zip(siblings.design.groups, siblings.measured[0], weights, strict=True):
            if len(measured):
                self.groups.append(_Query(float(weight), np.array(measured, dtype=float), *group.columns(self.cells)))
        self.curvature = sum(
            (2 * one.weight * np.bincount(one.places, one.entries**2, len(self.cells)) for one in self.groups),
            start=np.zeros(len(self.cells)),
        )

    def first(self) -> Cells:
        """The cells that are measured as the largest, each measurement being spread over its cells."""
        share = np.zeros(len(self.cells))
        for one in self.groups:
            sizes = np.bincount(one.queries, one.entries, len(one.measured))
            each = one.weight * one.measured / np.maximum(sizes, 1)
            share += np.bincount(one.places, one.entries * each[one.queries], len(self.cells))
        order = np.argsort(-share, kind="stable")[:_FIRST]
        return np.union1d(self.cells[order], self.of_classes(np.unique(self.classes), _SPARE))

    def of_classes(self, classes: Cells, most: int) -> Cells:
        """The last cells of some classes."""
        places = np.flatnonzero(np.isin(self.classes, classes))[::-1]
        order = np.argsort(self.classes[places], kind="stable")
        sorted_classes = self.classes[places][order]
        starts = np.searchsorted(sorted_classes, sorted_classes)
        return self.cells[places[order][np.arange(len(order)) - starts < most]]

    def paying(self, chosen: Cells, values: Reals, charged: Reals) -> Cells:
        """The other cells that would get something: each alone more than half of a part of a record."""
        places = np.searchsorted(self.cells, chosen)
        counts = np.zeros(len(self.cells))
        counts[places] = values
        slope = np.zeros(len(self.cells))
        for one in self.groups:
            sums = np.bincount(one.queries, one.entries * counts[one.places], len(one.measured))
            pull = 2 * one.weight * (sums - one.measured)
            slope += np.bincount(one.places, one.entries * pull[one.queries], len(self.cells))
        prices = np.zeros(self.classes.max(initial=0) + 1)
        prices[self.classes[places]] = charged
        slope += prices[self.classes]
        slope[places] = 0
        found = np.flatnonzero(slope < -self.curvature / (2 * PARTS))
        return self.cells[np.sort(found[np.argsort(slope[found], kind="stable")[:_FIRST]])]

    def without_zero(self, chosen: Cells, values: Reals, counts: Cells) -> Cells:
        """The classes with other cells of which every chosen cell got something, or would among real numbers."""
        places = np.searchsorted(self.cells, chosen)
        size = self.classes.max(initial=0) + 1
        others = np.bincount(self.classes, minlength=size) - np.bincount(self.classes[places], minlength=size)
        zeros = np.bincount(self.classes[places], (values * PARTS < 1 / 2) & (counts == 0), size)
        return np.flatnonzero((others > 0) & (zeros == 0))

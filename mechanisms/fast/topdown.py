"""TopDown's estimation on data of real size: the problem of siblings alone, level by level, on several processes.

The answer is that of `mechanisms.das.topdown.algorithm.estimate`, from the same measurements: the problems are the same
but for what is summarized below the siblings (`mechanisms.das.topdown.completion`) and cells that their parent has
nothing in, the solver is `fast_nearest` with the tie rule, and siblings depend on their parent alone, so that the
number of processes changes nothing.

What it costs, by tests/benchmarks/bench_topdown.py and, with the cells of the DHC, bench_dhc.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context

from stirred.mechanisms.das.topdown.completion import Completion
from stirred.mechanisms.das.topdown.design import Counts, Design
from stirred.mechanisms.das.topdown.leaf_classes import leaf_problem
from stirred.mechanisms.das.topdown.nearest import InfeasibleError, NearestPoint
from stirred.mechanisms.das.topdown.siblings import (
    Known,
    Measurements,
    Published,
    Siblings,
    Solver,
    Totals,
)
from stirred.mechanisms.fast.chosen_cells import rounded_root
from stirred.mechanisms.fast.conflict import conflict
from stirred.mechanisms.fast.nearest_point import fast_nearest
from stirred.mechanisms.fast.rounded_point import rounded_point
from stirred.spec.arguments import InputError

ROOT = None
"""Stands for the parent of the root."""

Group = tuple[str | None, dict[str, Counts]]
"""A parent, and the counts of its children."""


@dataclass(frozen=True)
class Estimation:
    """What estimation may look at, and nothing else.

    Attributes:
        design: what was measured, and what is kept.
        measurements: T(x), in the order of nodes or by node.
        totals: c_TDA(x).
        published: statistics released before.
        solver: finds the nearest point.
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
        """The counts of the children of a node, given its own; of the root for `ROOT`.

        Raises:
            InputError: no data set meets the constraints, or the solver stops early; with level and nodes.
        """
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
        estimation: what is estimated from.
        workers: processes that share the parents of a level.
        done: what was found before.
        keep: is told what is found.

    Raises:
        InputError: no data set meets the constraints, or the solver stops early; with level and nodes.
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
    """What finds the counts of children, for several parents."""
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

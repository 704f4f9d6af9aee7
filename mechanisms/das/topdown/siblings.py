"""The counts of siblings as a problem: article, Algorithm 2, lines 10 and 11, and the check of an answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import gcd, lcm

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts, Design, KeptTotal, Weights
from stirred.mechanisms.das.topdown.integers import Cells, SparseCounts, at, nonzero
from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint, Square, Terms, violated
from stirred.spec.arguments import InputError, integer

Measurements = tuple[tuple[Sequence[int], ...], ...]
"""The noisy queries T(x), by node (level by level from the root), query group and query."""

Totals = tuple[tuple[int, ...], ...]
"""The values of c_TDA, by invariant and node of its level."""

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


class Known(Mapping[str, Sequence[tuple[KeptTotal, int]]]):
    """By node the totals that are kept there, invariants and what was published, with their values.

    Args:
        totals: c_TDA(x).
        published: P.
    """

    def __init__(self, design: Design, totals: Totals, published: Sequence[Published]) -> None:
        self._geography = design.geography
        self._totals: list[list[KeptTotal]] = [[] for _ in design.geography.levels]
        by_level: list[list[Sequence[int]]] = [[] for _ in design.geography.levels]
        kept = [*zip(design.invariants, totals, strict=True), *((one.aggregate, one.values) for one in published)]
        for total, values in kept:
            nodes = design.geography.levels[total.level]
            for node, value in zip(nodes, values, strict=True):
                if type(value) is not int:
                    integer(f"{total.name} of {node}", value)
            self._totals[total.level].append(total)
            by_level[total.level].append(values)
        self._values = [
            np.array(values, dtype=np.int64).reshape(len(values), len(nodes)).T.copy()
            for values, nodes in zip(by_level, design.geography.levels, strict=True)
        ]

    @property
    def below_root(self) -> Iterator[KeptTotal]:
        """The totals that are kept below the root."""
        return chain.from_iterable(self._totals[1:])

    def at_level(self, level: int) -> Sequence[KeptTotal]:
        """The totals that are kept at the nodes of a level."""
        return self._totals[level]

    def values_at(self, node: str) -> Cells:
        """The values of the totals that are kept at a node."""
        found: Cells = self._values[self._geography.level(node)][self._geography.place(node)]
        return found

    def __getitem__(self, node: str) -> Sequence[tuple[KeptTotal, int]]:
        return tuple(zip(self._totals[self._geography.level(node)], self.values_at(node).tolist(), strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self._geography.nodes)

    def __len__(self) -> int:
        return len(self._geography.nodes)


class CellForms:
    """Linear forms of some cells, each found once.

    Args:
        cells: those that are variables, one after the other; the others are 0.
    """

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self._found: dict[int, tuple[Counts, Cells, list[int]]] = {}

    def of(self, row: Counts, start: int) -> Terms:
        """A row as a form of variables, that of the first cell being `start`."""
        if id(row) not in self._found:  # the row is kept, so no other one has its id
            places, entries = self.entries(row)
            self._found[id(row)] = row, places, entries.tolist()
        _, chosen, coefficients = self._found[id(row)]
        return tuple(zip((chosen + start).tolist(), coefficients, strict=True))

    def touches(self, row: Counts) -> bool:
        """False only where a row has no coefficient of these cells."""
        return len(row) > 0 and len(self.cells) > 0

    def entries(self, row: Counts) -> tuple[Cells, Cells]:
        """The variables that a row has a coefficient of, in order, the first one being 0; and their coefficients."""
        entries = at(row, self.cells)
        places = np.flatnonzero(entries)
        return places, entries[places]


@dataclass(frozen=True)
class Siblings:
    """Siblings whose counts are sought.

    Attributes:
        nodes: the siblings; the root alone.
        parent: the counts of their parent, None above the root.
        known: the totals of these nodes and of all below them.
    """

    design: Design
    nodes: Sequence[str]
    parent: Counts | None
    measured: Sequence[tuple[Sequence[int], ...]]
    known: Known

    @property
    def level(self) -> int:
        """Of the siblings."""
        return self.design.geography.level(self.nodes[0])

    @cached_property
    def open_cells(self) -> Cells:
        """The cells that siblings can count something in: those that their parent does; in the others all have 0."""
        return self.design.open_cells if self.parent is None else nonzero(self.parent)[0]

    def problem(self) -> NearestPoint:
        """The counts of the siblings are decided, and all counts below them must exist."""
        below = self.design.geography.below(self.nodes)
        start = {node: place * len(self.design.cells) for place, node in enumerate(below)}
        cells = np.arange(len(self.design.cells))
        forms = CellForms(cells)
        constraints = []
        for node in below:
            constraints += self.own_constraints(node, start[node], forms)
            children = self.design.geography.children(node)
            for cell, name in enumerate(self.design.cells) if children else ():
                sums = tuple((start[child] + cell, 1) for child in children)
                constraints.append(
                    equal(f"{name} summed over the children of {node}", (*sums, (start[node] + cell, -1)), 0)
                )
        return self.nearest_point(len(below) * len(cells), constraints, [cells] * len(self.nodes))

    def own_constraints(self, node: str, start: int, forms: CellForms) -> list[Constraint]:
        """The totals that are kept at a node, and at a leaf the edit constraints, on cells from `start` on.

        Args:
            node: a sibling or what is below.
            start: the variable of the first cell.
        """
        found = []
        for total, value in self.known[node]:
            form = forms.of(total.row, start) if forms.touches(total.row) else ()
            if form or value:
                found.append(equal(f"{total.name} of {node}", form, value))
        if not self.design.geography.children(node):
            for edit in self.design.edits:
                if (form := forms.of(edit.row, start)) or edit.bound < 0:
                    found.append(Constraint(f"{edit.name} of {node}", form, None, edit.bound))
        return found

    def nearest_point(self, size: int, constraints: Sequence[Constraint], cells: Sequence[Cells]) -> NearestPoint:
        """The problem with these constraints; the siblings sum to their parent and are near to what was measured."""
        design = self.design
        starts = np.cumsum([0, *map(len, cells)]).tolist()
        squares = []
        known: dict[int, Sequence[Mapping[int, Terms]]] = {}
        for start, own, measured in zip(starts, cells, self.measured, strict=False):
            if id(own) not in known:  # siblings may share theirs
                known[id(own)] = [group.terms_within(self.level, own) for group in design.groups]
            forms = zip(known[id(own)], measured, group_weights(design, self.level), strict=True)
            squares += [
                Square(tuple((start + place, entry) for place, entry in terms), int(answers[query]), weight)
                for of_group, answers, weight in forms
                for query, terms in of_group.items()
            ]
        sums = self._sums(np.concatenate(cells))
        is_largest = design.tie is design.tie.LARGEST
        return NearestPoint(size, starts[-1], (*constraints, *sums), tuple(squares), is_largest)

    def _sums(self, cells: Cells) -> Iterator[Constraint]:
        if self.parent is None:
            return
        name = self.design.geography.parents[self.nodes[0]]
        order = np.argsort(cells, kind="stable")
        above = np.union1d(cells, nonzero(self.parent)[0])
        ends = np.searchsorted(cells[order], above, side="right").tolist()
        start = 0
        for cell, count, end in zip(above.tolist(), at(self.parent, above).tolist(), ends, strict=True):
            terms = tuple((variable, 1) for variable in order[start:end].tolist())
            yield equal(f"{self.design.cell_name(cell)} of {name}", terms, count)
            start = end

    def solved(self, problem: NearestPoint, solver: Solver, cells: Sequence[Cells]) -> dict[str, Counts]:
        """The counts that a solver finds, checked in exact integers."""
        where = f"level {self.level}, {_few(self.nodes)}"
        try:
            found = tuple(solver(problem))
        except InputError as error:
            raise type(error)(f"{where}: {error}") from None
        if len(found) != problem.decided:
            raise InputError(f"{where}: the solver must return {problem.decided} integers; got {len(found)}")
        wrong = violated(problem.about_decided(), found)
        if wrong is not None:
            raise InputError(f"{where}: the solver's answer must meet {wrong.name}")
        counts: dict[str, Counts] = {}
        start = 0
        for node, own in zip(self.nodes, cells, strict=True):
            numbers = np.array(found[start : start + len(own)], dtype=np.int64)
            counts[node] = SparseCounts(len(self.design.cells), own[numbers != 0], numbers[numbers != 0])
            start += len(own)
        return counts


def _few(nodes: Sequence[str]) -> str:
    return ", ".join(nodes) if len(nodes) <= 3 else f"{', '.join(nodes[:3])} and {len(nodes) - 3} more"


def group_weights(design: Design, level: int) -> tuple[int, ...]:
    """The weight of each query group at a level: proportional to 1/σ² or equal, as the smallest integers."""
    asked = [group for group in design.groups if group.share_at(level)]
    if design.weights is Weights.EQUAL or not asked:
        return (1,) * len(design.groups)
    precisions = {group.name: 1 / design.variance(level, group) for group in asked}
    scale = lcm(*(one.denominator for one in precisions.values()))
    numbers = {name: int(one * scale) for name, one in precisions.items()}
    unit = gcd(*numbers.values())
    return tuple(numbers.get(group.name, unit) // unit for group in design.groups)


def equal(name: str, form: Terms, value: int) -> Constraint:
    """The constraint that a form has this value."""
    return Constraint(name, form, value, value)

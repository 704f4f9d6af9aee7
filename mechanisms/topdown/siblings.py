"""The counts of siblings as a problem: article, Algorithm 2, lines 10 and 11, and the check of an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm

from stirred.mechanisms.topdown.design import Counts, Design, KeptTotal, Weights
from stirred.mechanisms.topdown.nearest import Constraint, NearestPoint, Square, Terms, violated
from stirred.spec.arguments import InputError, integer

__all__ = ["Known", "Measurements", "Published", "Siblings", "Solver", "Totals", "equal", "known_totals"]

Measurements = tuple[tuple[Sequence[int], ...], ...]
"""The noisy queries T(x), by node (level by level from the root), query group and query."""

Totals = tuple[tuple[int, ...], ...]
"""The values of c_TDA, by invariant and node of its level."""

Known = Mapping[str, Sequence[tuple[KeptTotal, int]]]
"""By node the totals that are kept there, with their values."""

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


def known_totals(design: Design, totals: Totals, published: Sequence[Published]) -> Known:
    """The invariants and what was published, by node."""
    known: dict[str, list[tuple[KeptTotal, int]]] = {node: [] for node in design.geography.nodes}
    kept = [*zip(design.invariants, totals, strict=True), *((one.aggregate, one.values) for one in published)]
    for total, values in kept:
        for node, value in zip(design.geography.levels[total.level], values, strict=True):
            known[node].append((total, integer(f"{total.name} of {node}", value)))
    return known


@dataclass(frozen=True)
class Siblings:
    """Siblings whose counts are sought.

    Attributes:
        design: what was measured, and what is kept.
        nodes: the siblings; the root alone.
        parent: the counts of their parent, None above the root.
        measured: the noisy queries of each sibling.
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
    def open_cells(self) -> tuple[int, ...]:
        """The cells that siblings can count something in: those that their parent does; in the others all have 0."""
        if self.parent is None:
            return tuple(range(len(self.design.cells)))
        return tuple(cell for cell, count in enumerate(self.parent) if count)

    def problem(self) -> NearestPoint:
        """The counts of the siblings are decided, and all counts below them must exist."""
        below = self.design.geography.below(self.nodes)
        start = {node: place * len(self.design.cells) for place, node in enumerate(below)}
        constraints = []
        for node in below:
            constraints += self.own_constraints(node, start[node])
            children = self.design.geography.children(node)
            for cell, name in enumerate(self.design.cells) if children else ():
                sums = tuple((start[child] + cell, 1) for child in children)
                constraints.append(
                    equal(f"{name} of the children of {node} less its own", (*sums, (start[node] + cell, -1)), 0)
                )
        return self.nearest_point(len(below) * len(self.design.cells), constraints)

    def own_constraints(self, node: str, start: int, cells: Sequence[int] | None = None) -> list[Constraint]:
        """The totals that are kept at a node, and at a leaf the edit constraints, on cells from `start` on.

        Args:
            node: a sibling or what is below.
            start: the variable of the first cell.
            cells: those that are variables, one after the other; the others are 0.
        """
        places = _places(self.design, start, cells)
        found = [
            equal(f"{total.name} of {node}", _placed(total.terms, places), value) for total, value in self.known[node]
        ]
        if not self.design.geography.children(node):
            for edit in self.design.edits:
                found.append(Constraint(f"{edit.name} of {node}", _placed(edit.terms, places), None, edit.bound))
        return found if cells is None else [one for one in found if _can_fail(one)]

    def nearest_point(
        self, size: int, constraints: Sequence[Constraint], cells: Sequence[int] | None = None
    ) -> NearestPoint:
        """The problem with these constraints; the siblings sum to their parent and are near to what was measured.

        Args:
            size: the number of variables.
            constraints: of each sibling, and of what is below.
            cells: those that are variables at each sibling, one after the other; the others are 0.
        """
        design = self.design
        cells = range(len(design.cells)) if cells is None else cells
        names, sums = list(design.cells), []
        for place, cell in enumerate(cells if self.parent is not None else ()):
            above = tuple((sibling * len(cells) + place, 1) for sibling, _ in enumerate(self.nodes))
            parent = design.geography.parents[self.nodes[0]]
            sums.append(equal(f"{names[cell]} of {parent}", above, 0 if self.parent is None else self.parent[cell]))
        forms = [group.terms_within(self.level, cells) for group in design.groups]
        squares = [
            Square(tuple((sibling * len(cells) + place, entry) for place, entry in terms), answers[query], weight)
            for sibling, measured in enumerate(self.measured)
            for of_group, answers, weight in zip(forms, measured, _weights(design, self.level), strict=True)
            for query, terms in of_group.items()
        ]
        is_largest = design.tie is design.tie.LARGEST
        return NearestPoint(size, len(cells) * len(self.nodes), (*constraints, *sums), tuple(squares), is_largest)

    def solved(self, problem: NearestPoint, solver: Solver, cells: Sequence[int] | None = None) -> dict[str, Counts]:
        """The counts that a solver finds, checked in exact integers.

        Args:
            problem: of these siblings.
            solver: finds the nearest point.
            cells: those that are variables in the problem; the others are 0.

        Raises:
            InputError: no data set meets the constraints, or the solver's answer violates one; with level and nodes.
        """
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
        size = len(self.design.cells)
        if cells is None:
            return {node: found[place * size : (place + 1) * size] for place, node in enumerate(self.nodes)}
        counts = {}
        for place, node in enumerate(self.nodes):
            own = [0] * size
            for cell, count in zip(cells, found[place * len(cells) :], strict=False):
                own[cell] = count
            counts[node] = tuple(own)
        return counts


def _few(nodes: Sequence[str]) -> str:
    return ", ".join(nodes) if len(nodes) <= 3 else f"{', '.join(nodes[:3])} and {len(nodes) - 3} more"


def _weights(design: Design, level: int) -> tuple[int, ...]:
    """The weight of each query group at a level: proportional to 1/σ² or equal, as the smallest integers."""
    asked = [group for group in design.groups if group.share_at(level)]
    if design.weights is Weights.EQUAL or not asked:
        return (1,) * len(design.groups)
    precisions = {group.name: 1 / design.variance(level, group) for group in asked}
    scale = lcm(*(one.denominator for one in precisions.values()))
    numbers = {name: int(one * scale) for name, one in precisions.items()}
    unit = gcd(*numbers.values())
    return tuple(numbers.get(group.name, unit) // unit for group in design.groups)


def _places(design: Design, start: int, cells: Sequence[int] | None) -> Mapping[int, int]:
    """The variable of each cell that is one."""
    return {cell: start + place for place, cell in enumerate(range(len(design.cells)) if cells is None else cells)}


def _placed(terms: Terms, places: Mapping[int, int]) -> Terms:
    """A form of cells as one of variables; cells that are none are 0."""
    return tuple((places[cell], entry) for cell, entry in terms if cell in places)


def _can_fail(constraint: Constraint) -> bool:
    """Whether a constraint says something: it has variables, or even without them it does not hold."""
    return bool(constraint.terms) or (constraint.lower or 0) > 0 or (constraint.upper or 0) < 0


def equal(name: str, form: Terms, value: int) -> Constraint:
    """The constraint that a form has this value."""
    return Constraint(name, form, value, value)

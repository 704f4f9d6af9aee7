"""What the nodes below siblings ask of their counts, summarized: estimation without every cell of every descendant.

Two steps, both exact for integers:

1. Cells with the same coefficient in every constraint below are one class. Only the sums of classes can be told apart
   there, and any non-negative integers with the right sums complete them: within a class, the counts of children and
   cells are a table with given row and column sums, which always exists.
2. Where the constraints of a leaf amount to bounds of its classes, one by one, the leaf is a box. The sums of integer
   points of boxes are the integer points of the box of the sums, so what is made of boxes alone is one box.

Nodes of another kind (a total over several classes, an edit constraint between two) stay in the problem, as classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts, Design, closes
from stirred.mechanisms.das.topdown.integers import Cells
from stirred.mechanisms.das.topdown.leaf_classes import ClassNames, cell_classes, renumbered
from stirred.mechanisms.das.topdown.nearest import Bounds, Constraint, NearestPoint, Terms, range_of, tightened
from stirred.mechanisms.das.topdown.siblings import CellForms, Known, Siblings

_OPEN = 2**62
"""Stands for no upper bound."""


@dataclass(frozen=True)
class _Box:
    """Bounds of classes, of those that can have more than 0."""

    classes: Cells
    low: Cells
    high: Cells

    @classmethod
    def of(cls, low: Cells, high: Cells) -> _Box:
        """The box with these bounds of all classes."""
        classes = np.flatnonzero(high)
        return cls(classes, low[classes], high[classes])


@dataclass(frozen=True)
class _Plain:
    """What is kept at the nodes of a level, where each total is that of one class.

    Attributes:
        classes: that of each total.
        most, limits: the classes with a bound by an edit constraint of their own, and the bounds.
        edits, parts, entries: the terms of the other edit constraints: its number, a class, and its coefficient.
        bounds: of these edit constraints.
    """

    classes: Cells
    most: Cells
    limits: Cells
    edits: Cells
    parts: Cells
    entries: Cells
    bounds: Cells

    def box(self, values: Cells, low: Cells, high: Cells) -> tuple[bool, _Box | None]:
        """Whether the constraints leave a box, without a search; and which, None where they leave nothing.

        Args:
            values: of the totals.
            low: the lower bound of each class without these constraints; it is narrowed.
            high: the upper one.
        """
        np.maximum.at(low, self.classes, values)
        np.minimum.at(high, self.classes, values)
        np.minimum.at(high, self.most, self.limits)
        if np.any(low > high):
            return True, None
        if np.any(low[self.parts] != high[self.parts]):
            return False, None
        sums = np.zeros(len(self.bounds), dtype=np.int64)
        np.add.at(sums, self.edits, self.entries * low[self.parts])
        return True, None if np.any(sums > self.bounds) else _Box.of(low, high)


class _ClassForms(CellForms):
    """Linear forms of some cells, found by class where all cells of a class have the same coefficient.

    Args:
        cells: those that are variables, one after the other.
        completion: has the classes.
    """

    def __init__(self, cells: Cells, completion: Completion) -> None:
        super().__init__(cells)
        self._completion = completion
        classes = completion.classes[cells]
        self._order = np.argsort(classes, kind="stable")
        self._starts = np.searchsorted(classes[self._order], np.arange(completion.size + 1))

    def entries(self, row: Counts) -> tuple[Cells, Cells]:
        """The variables that a row has a coefficient of, in order, and their coefficients."""
        classes = self._completion.by_class(row)
        if classes is None:
            return super().entries(row)
        parts = [self._order[self._starts[number] : self._starts[number + 1]] for number, _ in classes]
        places = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
        entries = np.repeat(np.array([entry for _, entry in classes], dtype=np.int64), list(map(len, parts)))
        order = np.argsort(places)
        return places[order], entries[order]


@dataclass(frozen=True)
class Completion:
    """What is asked below every node.

    Attributes:
        design: what is kept.
        known: the totals that are kept, by node.
    """

    design: Design
    known: Known

    @cached_property
    def classes(self) -> Cells:
        """The class of every cell; what structural zeros close is one, whatever else is said of it."""
        found = cell_classes(self._rows.values(), len(self.design.cells))
        is_closed = np.ones(len(found), dtype=np.bool_)
        is_closed[self.design.open_cells] = False
        return renumbered(np.where(is_closed, -1, found))

    @cached_property
    def _rows(self) -> Mapping[int, Counts]:
        """By identity, the rows of what is asked below the root, but for structural zeros."""
        rows = [edit.row for edit in self.design.edits if not closes(edit)]
        return {id(row): row for row in (*rows, *(total.row for total in self.known.below_root))}

    @cached_property
    def _members(self) -> CellForms:
        """Forms of a cell of each class."""
        return CellForms(np.unique(self.classes, return_index=True)[1])

    @property
    def size(self) -> int:
        """The number of classes."""
        return len(self._members.cells)

    def by_class(self, row: Counts) -> Terms | None:
        """A row as a form of the classes of cells that are not closed; None where a class can have two coefficients."""
        return self._members.of(row, 0) if id(row) in self._rows else None

    @cached_property
    def _boxes(self) -> dict[str, _Box | None]:
        """The bounds of the classes of each node below the root; None where that is not all."""
        geography = self.design.geography
        found: dict[str, _Box | None] = {}
        for level in reversed(geography.levels[1:]):
            for node in level:
                children = [found[child] for child in geography.children(node)]
                boxes = [box for box in children if box is not None]
                found[node] = self._box(node, *self._sum(boxes)) if len(boxes) == len(children) else None
        return found

    def box(self, node: str) -> Bounds | None:
        """The bounds of the classes of a node below the root; None where its constraints leave no box."""
        found = self._boxes[node]
        return None if found is None else _bounds(*self._sum([found]))

    def _sum(self, boxes: Sequence[_Box]) -> tuple[Cells, Cells]:
        """The smallest and largest sums of points of boxes; of none, any numbers."""
        low, high = np.zeros(self.size, dtype=np.int64), np.full(self.size, 0 if boxes else _OPEN)
        for box in boxes:
            low[box.classes] += box.low
            sums = high[box.classes] + box.high
            high[box.classes] = np.where((high[box.classes] == _OPEN) | (box.high == _OPEN), _OPEN, sums)
        return low, high

    def _box(self, node: str, low: Cells, high: Cells) -> _Box | None:
        """The bounds that the constraints at a node leave; None where they do not follow from these.

        Where the node can have no counts at all its constraints stay, so that they are named.
        """
        plain = self._plain[self.design.geography.level(node)]
        if plain is not None:
            is_found, box = plain.box(self.known.values(node), low.copy(), high.copy())
            if is_found:
                return box
        constraints = self._constraints(node, 0)
        narrowed = _bounded(constraints, _bounds(low, high))
        if narrowed is None or not all(_follows(one, narrowed) for one in constraints):
            return None
        sides = [(least, _OPEN if most is None else most) for least, most in narrowed]
        return _Box.of(*np.array(sides, dtype=np.int64).reshape(-1, 2).T)

    @cached_property
    def _plain(self) -> Sequence[_Plain | None]:
        """By level, what is kept there; None where a total is of no class or of several."""
        return [self._plain_at(level) for level, _ in enumerate(self.design.geography.levels)]

    def _plain_at(self, level: int) -> _Plain | None:
        of_totals = [self._members.of(total.row, 0) for total in self.known.at_level(level)]
        if any(len(terms) != 1 or terms[0][1] != 1 for terms in of_totals):
            return None
        is_leaf = level == len(self.design.geography.levels) - 1
        edits = [(self._members.of(edit.row, 0), edit.bound) for edit in self.design.edits if is_leaf]
        alone = [(terms[0], bound) for terms, bound in edits if len(terms) == 1 and terms[0][1] > 0]
        others = [(terms, bound) for terms, bound in edits if len(terms) != 1 or terms[0][1] < 0]
        flat = [(place, *term) for place, (terms, _) in enumerate(others) for term in terms]
        return _Plain(
            np.array([terms[0][0] for terms in of_totals], dtype=np.int64),
            np.array([number for (number, _), _ in alone], dtype=np.int64),
            np.array([bound // entry for (_, entry), bound in alone], dtype=np.int64),
            *np.array(flat, dtype=np.int64).reshape(-1, 3).T,
            np.array([bound for _, bound in others], dtype=np.int64),
        )

    def _constraints(self, node: str, start: int) -> list[Constraint]:
        """What is kept at a node itself, of its classes from `start` on."""
        siblings = Siblings(self.design, (node,), None, (), self.known)
        return siblings.own_constraints(node, start, self._members)

    def problem(self, siblings: Siblings, cells: Cells | None = None) -> NearestPoint:
        """The problem of siblings with the answer of `siblings.problem()`, on their open cells or some of these."""
        cells = siblings.open_cells if cells is None else cells
        forms = _ClassForms(cells, self)
        constraints: list[Constraint] = []
        size = len(cells) * len(siblings.nodes)
        waiting: list[tuple[str, list[list[int]]]] = []
        for place, node in enumerate(siblings.nodes):
            constraints += siblings.own_constraints(node, place * len(cells), forms)
            sums: list[list[int]] = [[] for _ in range(self.size)]
            for variable, number in enumerate(self.classes[cells].tolist(), start=place * len(cells)):
                sums[number].append(variable)
            waiting.append((node, sums))
        for node, sums in waiting:  # grows while it is read
            children = self.design.geography.children(node)
            if not children:
                continue
            boxes = [box for child in children if (box := self._boxes[child]) is not None]
            bounds = _bounds(*self._sum(boxes)) if boxes else [(0, 0)] * len(sums)
            below: list[list[tuple[int, int]]] = [[] for _ in sums]
            for child in children:
                if self._boxes[child] is None:
                    constraints += self._constraints(child, size)
                    waiting.append((child, [[size + number] for number in range(len(sums))]))
                    for number, form in enumerate(below):
                        form.append((size + number, -1))
                    size += len(sums)
            for number, (low, high) in enumerate(bounds):
                if low or below[number] or (high is not None and sums[number]):
                    whole = (*((variable, 1) for variable in sums[number]), *below[number])
                    constraints.append(Constraint(f"{self._names[number]} below {node}", whole, low, high))
        return siblings.nearest_point(size, constraints, cells)

    @cached_property
    def _names(self) -> ClassNames:
        return ClassNames(self.design, self.classes)


def _bounds(low: Cells, high: Cells) -> Bounds:
    sides = zip(low.tolist(), high.tolist(), strict=True)
    return [(least, None if most == _OPEN else most) for least, most in sides]


def _bounded(constraints: Sequence[Constraint], bounds: Bounds) -> Bounds | None:
    """The box after every constraint has been used, also to raise what has no upper bound; None where one fails."""
    while (narrowed := tightened(constraints, list(bounds))) is not None:
        for constraint in constraints:
            free = [(variable, entry) for variable, entry in constraint.terms if len(set(narrowed[variable])) > 1]
            if len(free) != 1 or narrowed[free[0][0]][1] is not None:
                continue
            ((variable, entry),) = free
            limit = constraint.lower if entry > 0 else constraint.upper
            if limit is not None:
                rest = sum(a * narrowed[other][0] for other, a in constraint.terms if other != variable)
                least = -((rest - limit) // entry)
                narrowed[variable] = (max(narrowed[variable][0], least), None)
        if narrowed == bounds:
            break
        bounds = narrowed
    return narrowed


def _follows(constraint: Constraint, bounds: Bounds) -> bool:
    """Whether every point of the box meets the constraint."""
    low, high = range_of(constraint.terms, bounds)
    is_above = constraint.lower is None or (low is not None and low >= constraint.lower)
    return is_above and (constraint.upper is None or (high is not None and high <= constraint.upper))

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

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts, Design, closes
from stirred.mechanisms.das.topdown.integers import Cells
from stirred.mechanisms.das.topdown.leaf_classes import ClassNames, cell_classes, renumbered
from stirred.mechanisms.das.topdown.nearest import Bounds, Constraint, NearestPoint, Terms, range_of, tightened
from stirred.mechanisms.das.topdown.siblings import CellForms, Known, Siblings, equal

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


class _Kept:
    """What is kept at the nodes of a level, as sums of classes.

    Args:
        totals: by total, its form of classes.
        edits: the same of edit constraints, with their bounds.
    """

    def __init__(self, totals: Sequence[Terms], edits: Sequence[tuple[Terms, int]]) -> None:
        self.totals, self.edits = totals, edits
        own = [(place, *terms[0]) for place, terms in enumerate(totals) if len(terms) == 1 and terms[0][1] == 1]
        self._alone, self._of_alone, _ = _columns(own, 3)
        is_sum = [bool(terms) and all(entry > 0 for _, entry in terms) for terms in totals]
        sums = [(place, number) for place, terms in enumerate(totals) if is_sum[place] for number, _ in terms]
        self._sums, self._of_sums = _columns(sums, 2)
        self._is_sum = np.array(is_sum, dtype=np.bool_)
        alone = [(terms[0][0], bound // terms[0][1]) for terms, bound in edits if len(terms) == 1 and terms[0][1] > 0]
        self._most, self._limits = _columns(alone, 2)
        self._others = [place for place, (terms, _) in enumerate(edits) if len(terms) != 1 or terms[0][1] < 0]
        flat = [(at, *term) for at, place in enumerate(self._others) for term in edits[place][0]]
        self._edits, self._parts, self._entries = _columns(flat, 3)
        self._bounds = np.array([edits[place][1] for place in self._others], dtype=np.int64)

    def narrow(self, values: Cells, low: Cells, high: Cells) -> Sequence[Constraint] | None:
        """Narrow bounds of classes; returns what does not follow from them, or None where nothing is left.

        Args:
            values: of the totals.
        """
        np.maximum.at(low, self._of_alone, values[self._alone])
        np.minimum.at(high, self._of_alone, values[self._alone])
        np.minimum.at(high, self._most, self._limits)
        high[self._of_sums[values[self._sums] == 0]] = 0
        if np.any(low > high):
            return None
        is_settled = self._is_sum & (values == 0)
        is_settled[self._alone] = True
        left = [equal("", self.totals[place], int(values[place])) for place in np.flatnonzero(~is_settled).tolist()]
        sums = np.zeros(len(self._others), dtype=np.int64)
        np.add.at(sums, self._edits, self._entries * low[self._parts])
        is_open = np.zeros(len(self._others), dtype=np.bool_)
        is_open[self._edits[low[self._parts] != high[self._parts]]] = True
        if np.any(~is_open & (sums > self._bounds)):
            return None
        for place in np.flatnonzero(is_open).tolist():
            terms, bound = self.edits[self._others[place]]
            left.append(Constraint("", terms, None, bound))
        return left


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> Sequence[Cells]:
    return tuple(np.array(rows, dtype=np.int64).reshape(-1, width).T)


class _ClassForms(CellForms):
    """Linear forms of some cells, found by class where all cells of a class have the same coefficient.

    Args:
        cells: those that are variables, one after the other.
    """

    def __init__(self, cells: Cells, completion: Completion) -> None:
        super().__init__(cells)
        self._completion = completion
        classes = completion.classes[cells]
        self._order = np.argsort(classes, kind="stable")
        self._starts = np.searchsorted(classes[self._order], np.arange(completion.size + 1))
        self._touched = set(chain.from_iterable(completion.rows_of[number] for number in np.unique(classes).tolist()))

    def touches(self, row: Counts) -> bool:
        """False only where a row has no coefficient of these cells."""
        return id(row) in self._touched or self._completion.by_class(row) is None

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
    """What is asked below every node."""

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
    def rows_of(self) -> Sequence[Sequence[int]]:
        """By class, the identities of the rows that `by_class` gives a coefficient of it."""
        found: list[list[int]] = [[] for _ in range(self.size)]
        for number, row in self._rows.items():
            for part, _ in self._members.of(row, 0):
                found[part].append(number)
        return found

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
        low, high = low.copy(), high.copy()
        left = self._kept[self.design.geography.level(node)].narrow(self.known.values_at(node), low, high)
        if left is None:
            return None
        if left:
            narrowed = _bounded(left, _bounds(low, high))
            if narrowed is None or not all(_follows(one, narrowed) for one in left):
                return None
            sides = [(least, _OPEN if most is None else most) for least, most in narrowed]
            low, high = _columns(sides, 2)
        return _Box.of(low, high)

    @cached_property
    def _kept(self) -> Sequence[_Kept]:
        """By level, what is kept there."""
        levels = len(self.design.geography.levels)
        totals = [[self._members.of(one.row, 0) for one in self.known.at_level(level)] for level in range(levels)]
        edits = [(self._members.of(edit.row, 0), edit.bound) for edit in self.design.edits]
        return [_Kept(of_level, edits if level == levels - 1 else ()) for level, of_level in enumerate(totals)]

    def _constraints(self, node: str, start: int) -> list[Constraint]:
        """What is kept at a node itself, of its classes from `start` on."""
        siblings = Siblings(self.design, (node,), None, (), self.known)
        return siblings.own_constraints(node, start, self._members)

    def open_cells(self, siblings: Siblings) -> Sequence[Cells]:
        """The cells of each sibling that can count something: its parent does, and what is kept allows it."""
        found = []
        for node in siblings.nodes:
            box, cells = self._boxes.get(node), siblings.open_cells
            if box is not None:
                is_open = np.zeros(self.size, dtype=np.bool_)
                is_open[box.classes] = True
                cells = cells[is_open[self.classes[cells]]]
            found.append(cells)
        return found

    def problem(self, siblings: Siblings, cells: Sequence[Cells] | None = None) -> NearestPoint:
        """The problem of siblings with the answer of `siblings.problem()`, on the open cells of each, or on some."""
        cells = self.open_cells(siblings) if cells is None else cells
        constraints: list[Constraint] = []
        size = 0
        waiting: list[tuple[str, Mapping[int, Sequence[int]]]] = []
        for node, own in zip(siblings.nodes, cells, strict=True):
            constraints += siblings.own_constraints(node, size, _ClassForms(own, self))
            of_classes = defaultdict[int, list[int]](list)
            for variable, number in enumerate(self.classes[own].tolist(), start=size):
                of_classes[number].append(variable)
            waiting.append((node, of_classes))
            size += len(own)
        for node, sums in waiting:  # grows while it is read
            children = self.design.geography.children(node)
            if not children:
                continue
            boxes = [box for child in children if (box := self._boxes[child]) is not None]
            low, high = self._sum(boxes)
            if not boxes:
                high[:] = 0
            below = defaultdict[int, list[tuple[int, int]]](list)
            for child in children:
                if self._boxes[child] is None:
                    constraints += self._constraints(child, size)
                    waiting.append((child, {number: [size + number] for number in range(self.size)}))
                    for number in range(self.size):
                        below[number].append((size + number, -1))
                    size += self.size
            for number in sorted({*sums, *below, *np.flatnonzero(low).tolist()}):
                least, most = int(low[number]), None if high[number] == _OPEN else int(high[number])
                if least or number in below or (most is not None and number in sums):
                    whole = (*((variable, 1) for variable in sums.get(number, ())), *below.get(number, ()))
                    constraints.append(Constraint(f"{self._names[number]} below {node}", whole, least, most))
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

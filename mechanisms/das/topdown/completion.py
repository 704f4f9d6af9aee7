"""What the nodes below siblings ask of their counts, summarized: estimation without every cell of every descendant.

Two steps, both exact for integers:

1. Cells with the same coefficient in every constraint below are one class. Only the sums of classes can be told apart
   there, and any non-negative integers with the right sums complete them: within a class, the counts of children and
   cells are a table with given row and column sums, which always exists.
2. Where the constraints of a leaf amount to bounds of its classes, one by one, the leaf is a box. The sums of integer
   points of boxes are the integer points of the box of the sums, so what is made of boxes alone is one box.

Nodes of another kind (a total over several classes, an edit constraint between two) stay in the problem, as classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stirred.mechanisms.das.topdown.design import Design, closes
from stirred.mechanisms.das.topdown.integers import Cells
from stirred.mechanisms.das.topdown.leaf_classes import ClassNames, cell_classes, renumbered
from stirred.mechanisms.das.topdown.nearest import Bounds, Constraint, NearestPoint, range_of, tightened
from stirred.mechanisms.das.topdown.siblings import CellForms, Known, Siblings


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
        rows = [edit.row for edit in self.design.edits if not closes(edit)]
        rows += [total.row for node, totals in self.known.items() for total, _ in totals if self._is_below(node)]
        found = cell_classes(rows, len(self.design.cells))
        is_closed = np.ones(len(found), dtype=np.bool_)
        is_closed[self.design.open_cells] = False
        return renumbered(np.where(is_closed, -1, found))

    def _is_below(self, node: str) -> bool:
        return self.design.geography.parents[node] is not None

    @cached_property
    def _members(self) -> CellForms:
        """Forms of a cell of each class."""
        return CellForms(np.unique(self.classes, return_index=True)[1])

    @property
    def _size(self) -> int:
        """The number of classes."""
        return len(self._members.cells)

    @cached_property
    def _boxes(self) -> dict[str, Bounds | None]:
        """The bounds of the classes of each node below the root; None where that is not all."""
        geography = self.design.geography
        found: dict[str, Bounds | None] = {}
        for level in reversed(geography.levels[1:]):
            for node in level:
                children = [found[child] for child in geography.children(node)]
                boxes = [box for box in children if box is not None]
                whole = len(boxes) == len(children)
                found[node] = self._box(node, _sum(boxes) if boxes else [(0, None)] * self._size) if whole else None
        return found

    def _box(self, node: str, bounds: Bounds) -> Bounds | None:
        """The bounds that the constraints at a node leave; None where they do not follow from these.

        Where the node can have no counts at all its constraints stay, so that they are named.
        """
        constraints = self._constraints(node, 0)
        narrowed = _bounded(constraints, bounds)
        if narrowed is None or not all(_follows(one, narrowed) for one in constraints):
            return None
        return narrowed

    def _constraints(self, node: str, start: int) -> list[Constraint]:
        """What is kept at a node itself, of its classes from `start` on."""
        siblings = Siblings(self.design, (node,), None, (), self.known)
        return siblings.own_constraints(node, start, self._members)

    def problem(self, siblings: Siblings, cells: Cells | None = None) -> NearestPoint:
        """The problem of siblings with the answer of `siblings.problem()`, on their open cells or some of these."""
        forms = CellForms(siblings.open_cells if cells is None else cells)
        cells = forms.cells
        constraints: list[Constraint] = []
        size = len(cells) * len(siblings.nodes)
        waiting: list[tuple[str, list[list[int]]]] = []
        for place, node in enumerate(siblings.nodes):
            constraints += siblings.own_constraints(node, place * len(cells), forms)
            sums: list[list[int]] = [[] for _ in range(self._size)]
            for variable, number in enumerate(self.classes[cells].tolist(), start=place * len(cells)):
                sums[number].append(variable)
            waiting.append((node, sums))
        for node, sums in waiting:  # grows while it is read
            children = self.design.geography.children(node)
            if not children:
                continue
            boxes = [box for child in children if (box := self._boxes[child]) is not None]
            bounds = _sum(boxes) if boxes else [(0, 0)] * len(sums)
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


def _sum(boxes: Sequence[Bounds]) -> Bounds:
    """The box of the sums of their points."""
    found: Bounds = []
    for sides in zip(*boxes, strict=True):
        highs = [high for _, high in sides if high is not None]
        found.append((sum(low for low, _ in sides), sum(highs) if len(highs) == len(sides) else None))
    return found


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

"""What siblings and everything below them must meet, as constraints on sums of cells in leaves.

Every count above is a sum over leaves, so that the tree needs no constraints of its own. Cells with the same
coefficient in every constraint are one class, of which only the sum matters: within a class, the counts of leaves and
cells are a table with given row and column sums, and non-negative integers always make one.
"""

from collections.abc import Iterable

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts, Design
from stirred.mechanisms.das.topdown.integers import Cells, nonzero
from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint
from stirred.mechanisms.das.topdown.siblings import CellForms, Siblings, equal


def cell_classes(rows: Iterable[Counts], cells: int) -> Cells:
    """The class of every cell, under constraints with these rows; classes are numbered by their first cells."""
    classes = np.zeros(cells, dtype=np.int64)
    number = 1
    for row in {id(row): row for row in rows}.values():
        chosen, entries = nonzero(row)
        for entry in np.unique(entries):
            own = chosen[entries == entry]
            # cells of one class that have this coefficient part from those that have not
            _, parts = np.unique(classes[own], return_inverse=True)
            classes[own] = number + parts
            number += len(own)
    return renumbered(classes)


def renumbered(classes: Cells) -> Cells:
    """The same classes, numbered by their first cells."""
    _, firsts, parts = np.unique(classes, return_index=True, return_inverse=True)
    order = np.empty(len(firsts), dtype=np.int64)
    order[np.argsort(firsts)] = np.arange(len(firsts))
    return order[parts]


class ClassNames:
    """The cells of each class, for messages."""

    def __init__(self, design: Design, classes: Cells) -> None:
        self._design = design
        self._cells = np.argsort(classes, kind="stable")
        self._starts = np.searchsorted(classes[self._cells], np.arange(classes.max(initial=0) + 2))
        self._names: dict[int, str] = {}

    def __getitem__(self, number: int) -> str:
        if number not in self._names:
            self._names[number] = self._name(number)
        return self._names[number]

    def _name(self, number: int) -> str:
        cells = self._cells[self._starts[number] : self._starts[number + 1]].tolist()
        names = [self._design.cell_name(cell) for cell in (cells if len(cells) <= 3 else (cells[0], cells[-1]))]
        return " + ".join(names) if len(cells) <= 3 else f"{names[0]} + … + {names[-1]}"


def leaf_problem(siblings: Siblings) -> NearestPoint:
    """A problem that can be met where that of the siblings can, without squares: its variables are the classes.

    Its constraints are the totals that are kept and the edit constraints, each under its own name, and the counts of
    the parent, by class.
    """
    design, geography = siblings.design, siblings.design.geography
    below = geography.below(siblings.nodes)
    totals = [total for node in below for total, _ in siblings.known[node]]
    classes = cell_classes([*(one.row for one in totals), *(one.row for one in design.edits)], len(design.cells))
    members = CellForms(np.unique(classes, return_index=True)[1])
    size = len(members.cells)
    leaves = [node for node in below if not geography.children(node)]
    start = {leaf: place * size for place, leaf in enumerate(leaves)}
    constraints = []
    for node in below:
        own = [start[leaf] for leaf in geography.below([node]) if leaf in start]
        for one in siblings.own_constraints(node, 0, members):
            terms = tuple((first + number, entry) for first in own for number, entry in one.terms)
            constraints.append(Constraint(one.name, terms, one.lower, one.upper))
    if siblings.parent is not None:
        parent = geography.parents[siblings.nodes[0]]
        sums, names = np.zeros(size, dtype=np.int64), ClassNames(design, classes)
        cells, counts = nonzero(siblings.parent)
        np.add.at(sums, classes[cells], counts)
        for number, value in enumerate(sums.tolist()):
            terms = tuple((first + number, 1) for first in start.values())
            constraints.append(equal(f"{names[number]} of {parent}", terms, value))
    return NearestPoint(len(leaves) * size, 0, tuple(constraints), ())

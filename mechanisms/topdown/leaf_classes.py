"""What siblings and everything below them must meet, as constraints on sums of cells in leaves.

Every count above is a sum over leaves, so that the tree needs no constraints of its own. Cells with the same
coefficient in every constraint are one class, of which only the sum matters: within a class, the counts of leaves and
cells are a table with given row and column sums, and non-negative integers always make one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stirred.mechanisms.topdown.design import Counts
from stirred.mechanisms.topdown.nearest import Constraint, NearestPoint
from stirred.mechanisms.topdown.siblings import Siblings, equal

__all__ = ["cell_classes", "class_name", "leaf_problem"]


def cell_classes(rows: Iterable[Counts], cells: int) -> tuple[int, ...]:
    """The class of every cell, under constraints with these rows."""
    different = list(dict.fromkeys(rows))
    columns = list(zip(*different, strict=True)) if different else [()] * cells
    numbers = {column: number for number, column in enumerate(dict.fromkeys(columns))}
    return tuple(numbers[column] for column in columns)


def class_name(cells: Sequence[str], classes: Sequence[int], number: int) -> str:
    """The cells of a class, for messages."""
    names = [name for name, own in zip(cells, classes, strict=True) if own == number]
    return " + ".join(names) if len(names) <= 3 else f"{names[0]} + … + {names[-1]}"


def leaf_problem(siblings: Siblings) -> NearestPoint:
    """A problem that can be met where that of the siblings can, without squares: its variables are the classes.

    Its constraints are the totals that are kept and the edit constraints, each under its own name, and the counts of
    the parent, by class.
    """
    design, geography = siblings.design, siblings.design.geography
    below = geography.below(siblings.nodes)
    totals = [total for node in below for total, _ in siblings.known[node]]
    classes = cell_classes([*(one.row for one in totals), *(one.row for one in design.edits)], len(design.cells))
    number_of = {classes.index(number): number for number in range(max(classes) + 1)}
    leaves = [node for node in below if not geography.children(node)]
    start = {leaf: place * len(number_of) for place, leaf in enumerate(leaves)}
    constraints = []
    for node in below:
        own = [start[leaf] for leaf in geography.below([node]) if leaf in start]
        for one in siblings.own_constraints(node, 0):
            form = [(number_of[cell], entry) for cell, entry in one.terms if cell in number_of]
            terms = tuple((first + number, entry) for first in own for number, entry in form)
            constraints.append(Constraint(one.name, terms, one.lower, one.upper))
    if siblings.parent is not None:
        parent = geography.parents[siblings.nodes[0]]
        for number in number_of.values():
            terms = tuple((first + number, 1) for first in start.values())
            value = sum(count for count, own in zip(siblings.parent, classes, strict=True) if own == number)
            constraints.append(equal(f"{class_name(list(design.cells), classes, number)} of {parent}", terms, value))
    return NearestPoint(len(leaves) * len(number_of), 0, tuple(constraints), ())

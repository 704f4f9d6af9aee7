"""Which counts the children of a node could have been given, and how far each of these is from what was measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, isqrt, lcm

from stirred.verify.products.release_checks.folder import ReleasedAnswers, ReleasedFolder
from stirred.verify.products.release_checks.lower_bounds import Below, added, limits
from stirred.verify.products.release_checks.records import UNCOUNTED

_Row = tuple[str, tuple[tuple[int, int], ...], int | None, int | None]
"""A name, columns with their coefficients, the smallest and the largest value."""


@dataclass(frozen=True)
class MeasuredSum:
    """weight·(sum of the columns − target)²."""

    columns: tuple[int, ...]
    target: int
    weight: int


@dataclass(frozen=True)
class NearestQuestion:
    """Non-negative integers that meet rows, with a loss.

    Attributes:
        columns: how many there are: the counts of siblings, then sums of what is below them.
        rows: name, columns with their coefficients, smallest and largest value.
        most: the largest value of each count of a sibling where one is known.
    """

    columns: int
    rows: tuple[_Row, ...]
    forms: tuple[MeasuredSum, ...]
    released: tuple[int, ...]
    most: tuple[int | None, ...]

    def loss(self, point: Sequence[int]) -> int:
        """The weighted squares at a point."""
        return sum(
            form.weight * (sum(point[column] for column in form.columns) - form.target) ** 2 for form in self.forms
        )

    @cached_property
    def released_loss(self) -> int:
        """The weighted squares at what was released."""
        return self.loss(self.released)

    def broken(self, point: Sequence[int]) -> str | None:
        """The first row that integers do not meet."""
        if any(value < 0 for value in point):
            return "counts that are not negative"
        for name, terms, lower, upper in self.rows:
            value = sum(entry * point[column] for column, entry in terms)
            if (lower is not None and value < lower) or (upper is not None and value > upper):
                return name
        return None

    @cached_property
    def highs(self) -> tuple[int | None, ...]:
        """A bound of each column, that every point which is as near as what was released keeps to.

        A count is at most its parent's; or at most a sum that it is in may be, that of a form by its square.
        """
        found: list[int | None] = [*self.most, *[None] * (self.columns - len(self.most))]

        def lower_to(column: int, bound: int) -> None:
            own = found[column]
            found[column] = bound if own is None else min(own, bound)

        for form in self.forms:
            reach = form.target + isqrt(self.released_loss // form.weight)
            for column in form.columns:
                lower_to(column, reach)
        for _, terms, _, upper in self.rows:
            if upper is not None and all(entry > 0 for _, entry in terms):
                for column, _ in terms:
                    lower_to(column, upper)
        for _, terms, lower, _ in self.rows:  # from the top down: a sum below is at most what it is a part of
            parts = [found[column] for column, entry in terms if entry > 0]
            if lower is not None and lower >= 0 and None not in parts:
                for column in (column for column, entry in terms if entry < 0):
                    lower_to(column, sum(part for part in parts if part is not None))
        return tuple(found)


def squared_weights(asked: Sequence[ReleasedAnswers], *, equal: bool) -> list[int]:
    """What the squares of each query are multiplied by: 1/σ² or 1, as the smallest integers.

    >>> from fractions import Fraction
    >>> import numpy as np
    >>> query = lambda variance: ReleasedAnswers(0, "q", "", np.zeros(1), {}, Fraction(variance))
    >>> squared_weights([query("1/2"), query(3)], equal=False)
    [6, 1]
    """
    precisions = [1 if equal else 1 / one.variance for one in asked]
    scale = lcm(*(Fraction(one).denominator for one in precisions))
    weights = [int(one * scale) for one in precisions]
    unit = gcd(*weights)
    return [weight // unit for weight in weights]


def question_of(
    release: ReleasedFolder, below: Below, level: int, parent: str | None, *, equal: bool
) -> NearestQuestion:
    """What was decided for the children of a node, or for the root."""
    nodes = release.tree.levels[0] if parent is None else release.tree.children[parent]
    above = None if parent is None else release.counts[level - 1][parent]
    cells = list(range(release.kinds.size)) if above is None else sorted(above)
    start = {node: place * len(cells) for place, node in enumerate(nodes)}
    rows: list[_Row] = []
    if above is not None:
        for place, cell in enumerate(cells):
            terms = tuple((first + place, 1) for first in start.values())
            rows.append((f"cell {cell} of {parent}", terms, above[cell], above[cell]))
    for one in (one for one in release.kept if one.level == level):
        for number, own in _by_answer(one, cells):
            for node, first in start.items():
                if (value := one.values[node][number]) is not None:
                    terms = tuple((first + place, 1) for place in own)
                    rows.append((f"{one.name} of {node}", terms, *limits(one.sign, value)))
    asked = [one for one in release.measured if one.level == level]
    forms = [
        MeasuredSum(tuple(first + place for place in own), int(one.values[node][number] or 0), weight)
        for one, weight in zip(asked, squared_weights(asked, equal=equal), strict=True)
        for number, own in _by_answer(one, cells)
        for node, first in start.items()
    ]
    counts = release.counts[level]
    released = [counts[node].get(cell, 0) for node in nodes for cell in cells]
    most = [None if above is None else above[cell] for _ in nodes for cell in cells]
    size = len(released)
    sums = {node: _class_sums(below, cells, first) for node, first in start.items()}
    below_them, size = _rows_below(below, level, sums, size)
    rows += below_them
    return NearestQuestion(size, tuple(rows), tuple(forms), tuple(released), tuple(most))


def _by_answer(one: ReleasedAnswers, cells: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The answers that some of these cells are in, with the places of those."""
    found: dict[int, list[int]] = {}
    for place, answer in enumerate(one.answers[cells].tolist()):
        if answer != UNCOUNTED:
            found.setdefault(answer, []).append(place)
    yield from found.items()


def _class_sums(below: Below, cells: Sequence[int], first: int) -> list[list[int]]:
    """By class, the columns of a sibling that are in it."""
    found: list[list[int]] = [[] for _ in range(below.size)]
    for place, number in enumerate(below.classes[cells].tolist()):
        found[number].append(first + place)
    return found


def _rows_below(below: Below, level: int, sums: Mapping[str, list[list[int]]], size: int) -> tuple[list[_Row], int]:
    """What is kept below siblings, and the number of columns with the sums that are needed for it."""
    rows: list[_Row] = []
    waiting = [(level, node, columns) for node, columns in sums.items()]
    for at, node, columns in waiting:  # grows while it is read
        children = below.release.tree.children[node]
        if not children:
            continue
        bounds = added([box for child in children if (box := below.boxes[child]) is not None], below.size)
        parts: list[list[int]] = [[] for _ in columns]
        for child in (child for child in children if below.boxes[child] is None):
            own = list(range(size, size + below.size))
            size += below.size
            for name, classes, lower, upper in below.at(at + 1, child):
                rows.append((name, tuple((own[one], 1) for one in classes), lower, upper))
            for place, column in enumerate(own):
                parts[place].append(column)
            waiting.append((at + 1, child, [[column] for column in own]))
        for place, (low, high) in enumerate(bounds or ()):
            if low or high is not None or parts[place]:
                terms = (*((column, 1) for column in columns[place]), *((column, -1) for column in parts[place]))
                if terms:
                    rows.append((f"sums below {node}", terms, low, high))
    return rows, size

"""What is kept below a node, as bounds of sums of its cells.

Cells that every constraint below counts alike are a class: of these only the sum matters there, since non-negative
integers in a table with given sums of rows and columns always exist. Where the constraints of a node are bounds of
single classes, its possible sums are a box; the sums of the integers of boxes are those of the box of the sums. What is
no box keeps a sum for each class of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stirred.verify.products.release_checks.folder import ReleasedAnswers, ReleasedFolder

Box = list[tuple[int, int | None]]
"""The smallest and largest sum of each class; None where there is no largest."""

Bounded = tuple[str, tuple[int, ...], int | None, int | None]
"""A constraint: its name, the classes or cells that it sums, and its smallest and largest value."""

_MOST_ROUNDS = 50


@dataclass(frozen=True)
class Below:
    """What is asked below the nodes of a release."""

    release: ReleasedFolder

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """The class of every cell, under the constraints below the root."""
        rows = [one.answers for one in self.release.kept if one.level]
        if not rows:
            return np.zeros(self.release.kinds.size, dtype=np.int64)
        found: NDArray[np.int64] = np.unique(np.stack(rows), axis=1, return_inverse=True)[1].reshape(-1)
        return found.astype(np.int64)

    @cached_property
    def size(self) -> int:
        """How many classes there are."""
        return int(self.classes.max()) + 1

    @cached_property
    def _members(self) -> list[int]:
        return [int(cell) for cell in np.unique(self.classes, return_index=True)[1]]

    @cached_property
    def _by_level(self) -> list[list[ReleasedAnswers]]:
        found: list[list[ReleasedAnswers]] = [[] for _ in self.release.names]
        for one in self.release.kept:
            found[one.level].append(one)
        return found

    def at(self, level: int, node: str) -> list[Bounded]:
        """What is kept at a node below the root, of its classes."""
        found: list[Bounded] = []
        for one in self._by_level[level]:
            answers = one.answers[self._members].tolist()
            for number, value in enumerate(one.values[node]):
                classes = tuple(place for place, answer in enumerate(answers) if answer == number)
                if value is not None:
                    found.append((f"{one.name} of {node}", classes, *limits(one.sign, value)))
        return found

    @cached_property
    def boxes(self) -> Mapping[str, Box | None]:
        """The possible sums of each node below the root; None where they are no box."""
        found: dict[str, Box | None] = {}
        tree = self.release.tree
        for level in range(len(tree.levels) - 1, 0, -1):
            for node in tree.levels[level]:
                boxes = [found[child] for child in tree.children[node]]
                box: Box | None = added(boxes, self.size) if boxes else [(0, None)] * self.size
                found[node] = None if box is None else _narrowed(self.at(level, node), box)
        return found


def limits(sign: str, value: int) -> tuple[int | None, int | None]:
    """The smallest and largest value that a constraint leaves."""
    return (None if sign == "<=" else value), (None if sign == ">=" else value)


def added(boxes: Sequence[Box | None], size: int) -> Box | None:
    """The box of the sums; None where one is no box."""
    whole = [box for box in boxes if box is not None]
    if len(whole) < len(boxes):
        return None
    found: Box = []
    for place in range(size):
        highs = [box[place][1] for box in whole]
        most = None if None in highs else sum(high for high in highs if high is not None)
        found.append((sum(box[place][0] for box in whole), most))
    return found


def _narrowed(constraints: Sequence[Bounded], box: Box) -> Box | None:
    """The points of a box that meet the constraints, where they are a box."""
    box = list(box)
    for _ in range(_MOST_ROUNDS):
        before = list(box)
        for _, classes, lower, upper in constraints:
            for place in classes:
                _narrow(box, place, [one for one in classes if one != place], lower, upper)
        if box == before:
            break
    if any(high is not None and low > high for low, high in box):
        return None
    return box if all(_follows(one, box) for one in constraints) else None


def _narrow(box: Box, place: int, others: Sequence[int], lower: int | None, upper: int | None) -> None:
    """Use what a sum and its other parts leave to one of them."""
    low, high = box[place]
    if upper is not None:
        room = upper - sum(box[one][0] for one in others)
        high = room if high is None else min(high, room)
    most = _most(box, others)
    if lower is not None and most is not None:
        low = max(low, lower - most)
    box[place] = low, high


def _most(box: Box, classes: Sequence[int]) -> int | None:
    highs = [box[one][1] for one in classes]
    return None if None in highs else sum(high for high in highs if high is not None)


def _follows(constraint: Bounded, box: Box) -> bool:
    """Whether every point of a box meets a constraint."""
    _, classes, lower, upper = constraint
    most = _most(box, classes)
    is_above = lower is None or sum(box[one][0] for one in classes) >= lower
    return is_above and (upper is None or (most is not None and most <= upper))

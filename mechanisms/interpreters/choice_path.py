"""The nodes of a choice tree, the choices on one path through it, the next path, and paths that are guessed.

Paths as they were taken on one data set are guessed on the next. Each node of a tree (`interpreters.choice_tree`) is
one integer KINDS·value + kind.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.mechanisms.interpreters.choice_weights import CHANGING

CHOICE, RESULT, RESTART, ATTEMPT = range(4)
KINDS = 4

NO_TREE = "the nodes of a choice tree must name weights and outputs that it has"
NEVER_FINISHES = "the mechanism restarts with probability 1, so it never finishes"


_MOST_PLACES = 1_000_000
"""Places of all paths that are kept."""


@dataclass(frozen=True, slots=True)
class KnownPath:
    """A path as it was taken, what was done on it at one place each of the tuples.

    Attributes:
        asked: what the program asked by, with one more at the end, which is nothing that it asks by.
        outcomes: what it was told.
        nodes: those of the tree that its choices are listed in.
        shared: how many places, the first ones, the path before it has too.
        new_nodes: those of the others.
    """

    asked: tuple[object, ...]
    outcomes: tuple[int, ...]
    nodes: tuple[int, ...]
    shared: int
    new_nodes: array[int]


class KnownPaths:
    """The paths through a program, in order.

    Attributes:
        paths: none where they are not to be kept, or too many.
    """

    def __init__(self, *, are_kept: bool = True) -> None:
        self.paths: list[KnownPath] = []
        self._left = _MOST_PLACES if are_kept else -1

    @property
    def are_kept(self) -> bool:
        """Whether the next one is to be kept."""
        return self._left >= 0

    def keep(self, path: KnownPath) -> None:
        """Add a path."""
        self._left -= len(path.nodes)
        if self.are_kept:
            self.paths.append(path)
        else:
            self.drop()

    def drop(self) -> None:
        """Keep none of them: they cannot be guessed."""
        self.paths.clear()
        self._left = -1


class ChoicePath:
    """The choices on the present path, each at one place of all lists.

    Attributes:
        asked: what the program asked by, with one more at the end: what is met there is new.
    """

    def __init__(self) -> None:
        self.asked: list[object] = [CHANGING]
        self.outcomes: list[Any] = []
        self.nodes: list[int] = []
        self.shared = 0
        self._left: list[Iterator[Any]] = []  # the outcomes still to be taken
        self._forks = [0]  # how many of the choices up to there can fall otherwise
        self._states: list[Hashable] = []  # of the program; None where it is not known

    @classmethod
    def along(cls, known: KnownPath, length: int, possible: Callable[[int], Sequence[int]]) -> ChoicePath:
        """The first choices of a known path.

        Args:
            possible: the possible outcomes of a choice by weights of this number.
        """
        path = cls()
        for asked, outcome, node in zip(known.asked[:length], known.outcomes, known.nodes, strict=False):
            outcomes = possible(node // KINDS)
            path.open(node, outcomes[outcomes.index(outcome) :], asked, is_fork=len(outcomes) > 1)
        path.shared = known.shared
        return path

    @property
    def forks(self) -> int:
        """How many of the choices can fall otherwise."""
        return self._forks[-1]

    def open(self, node: int, outcomes: Sequence[Any], asked: object, *, is_fork: bool, state: Hashable = None) -> None:
        """Add a choice, which falls on the first of some outcomes."""
        left = iter(outcomes)
        self.outcomes.append(next(left))
        self.nodes.append(node)
        self.asked[-1] = asked
        self.asked.append(CHANGING)
        self._left.append(left)
        self._forks.append(self._forks[-1] + is_fork)
        self._states.append(state)

    def met(self, node: int, state: Hashable) -> int:
        """The choice with this node, counted from 1, at which the program was in a state before; 0 for none."""
        if state is not None:
            for place, before in enumerate(zip(self.nodes, self._states, strict=True), start=1):
                if before == (node, state):
                    return place
        return 0

    def known(self) -> KnownPath:
        """The path as it is now."""
        new = array("q", self.nodes[self.shared :])
        return KnownPath(tuple(self.asked), tuple(self.outcomes), tuple(self.nodes), self.shared, new)

    def advance(self) -> bool:
        """On to the next path; False where there is none."""
        while self._left:
            for outcome in self._left[-1]:
                self.outcomes[-1] = outcome
                self.shared = len(self.outcomes)
                return True
            for part in (self.outcomes, self.nodes, self._left, self._forks, self._states, self.asked):
                part.pop()
            self.asked[-1] = CHANGING
        return False

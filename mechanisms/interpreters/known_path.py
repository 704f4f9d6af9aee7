"""Paths through a program as they were taken on one data set, to be guessed on the next."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

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

"""What a program does that is not read: no exception of the program's, so that no program can catch it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Refusal(BaseException):  # a program's `except Exception` must not catch it
    """A construct that has no meaning here: the file and line, what it is, and the remedy."""


class Forking(Protocol):
    """Decides what the draws of a path are."""

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """The number of the outcome, given their probabilities."""


class Reader(Protocol):
    """Who reads a program, as draws and meanings know it."""

    path: Forking

    @property
    def line(self) -> str:
        """Where the program is: "f.py, line 3"."""

    def refuse(self, what: str) -> Refusal:
        """A refusal of what the present line does."""

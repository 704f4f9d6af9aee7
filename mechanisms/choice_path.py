"""The choices on one path through a program, and the next path."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from mechanisms.choice_weights import CHANGING

__all__ = ["ChoicePath", "PathChoice"]


@dataclass(slots=True)
class PathChoice:
    """One choice on the present path: its outcomes, those that are possible, and which of them is taken."""

    number: int | None  # of its weights; None for an attempt
    outcomes: tuple[Any, ...]
    state: Hashable = None  # of the program; None where it is not known
    taken: int = 0


class ChoicePath:
    """The choices on the present path; what a program asks by and gets again on it stands in lists of their own."""

    def __init__(self) -> None:
        self.branches: list[PathChoice] = []
        self.asked: list[object] = [CHANGING]  # one more than branches: what is met there is new
        self.outcomes: list[Any] = []
        self.forks = 0  # the choices that can fall otherwise

    def open(self, branch: PathChoice, asked: object) -> None:
        """Add a choice, which falls on its first outcome."""
        self.branches.append(branch)
        self.forks += len(branch.outcomes) > 1
        self.asked[-1] = asked
        self.asked.append(CHANGING)
        self.outcomes.append(branch.outcomes[0])

    def met(self, number: int, state: Hashable) -> int:
        """The choice, counted from 1, at which the program was in a state before it chose by weights; 0 for none."""
        if state is not None:
            for place, branch in enumerate(self.branches, start=1):
                if branch.number == number and branch.state == state:
                    return place
        return 0

    def advance(self) -> bool:
        """On to the next path; False where there is none."""
        while self.branches:
            branch = self.branches[-1]
            branch.taken += 1
            if branch.taken < len(branch.outcomes):
                self.outcomes[-1] = branch.outcomes[branch.taken]
                return True
            self.forks -= len(self.branches.pop().outcomes) > 1
            self.outcomes.pop()
            self.asked.pop()
            self.asked[-1] = CHANGING
        return False

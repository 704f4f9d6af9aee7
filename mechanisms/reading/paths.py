"""The paths of a program whose draws fork: each is run from the start, by the decisions that lead to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from stirred.mechanisms.reading.refusal import Refusal

T = TypeVar("T")

MOST_FORKS = 10_000
"""Decisions on one path, after which its loop is taken for one without an end."""


@dataclass(frozen=True)
class Fork:
    """A decision on a path.

    Attributes:
        weights: the probabilities of its outcomes, given the path before it; exact, and none of them 0.
        chosen: the outcome on this path, by number.
        what: the draw, or the comparison, that is decided.
        line: where it stands in the source, as "f.py, line 3".
    """

    weights: Sequence[Any]
    chosen: int
    what: str
    line: str


class Forking(Protocol):
    """Who decides what the draws of a path are."""

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """The number of the outcome, given their probabilities."""


@dataclass
class Path(Generic[T]):
    """One way through a program, while it is run and afterwards.

    Attributes:
        forks: its decisions so far.
        outcome: what the program returned, or raised, in the end.
    """

    script: Sequence[int] = ()
    forks: list[Fork] = field(default_factory=list)
    outcome: T | None = None

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """Decide: as the script says, and behind its end for the first outcome.

        Raises:
            Refusal: the path has too many forks.
        """
        if len(self.forks) >= MOST_FORKS:
            raise Refusal(f"{line}: more than {MOST_FORKS} draws on one path: a loop that a draw ends is not read here")
        place = len(self.forks)
        chosen = self.script[place] if place < len(self.script) else 0
        self.forks.append(Fork(weights, chosen, what, line))
        return chosen

    @property
    def weight(self) -> Any:
        """The probability of the path: the product of its decisions' probabilities."""
        product: Any = 1
        for one in self.forks:
            product = product * one.weights[one.chosen]
        return product


def paths(run: Callable[[Path[T]], T], *, most: int) -> Iterator[Path[T]]:
    """Every path of a program, in the order of its decisions.

    Args:
        run: runs the program from the start, on data of its own, along a path.
        most: decisions that may be made in all.

    Raises:
        Refusal: there are more.
    """
    script: list[int] | None = []
    decided = 0
    while script is not None:
        path: Path[T] = Path(script)
        path.outcome = run(path)
        decided += len(path.forks)
        if decided > most:
            busiest = max(path.forks, key=lambda one: len(one.weights))
            raise Refusal(
                f"{busiest.line}: more than {most} draws on all paths together; {busiest.what} has "
                f"{len(busiest.weights)} outcomes: use a smaller domain, or raise --choices"
            )
        yield path
        script = _next([(one.chosen, len(one.weights)) for one in path.forks])


def _next(decisions: Sequence[tuple[int, int]]) -> list[int] | None:
    """The script of the path that comes next; None behind the last one."""
    for place in range(len(decisions) - 1, -1, -1):
        chosen, outcomes = decisions[place]
        if chosen + 1 < outcomes:
            return [one for one, _ in decisions[:place]] + [chosen + 1]
    return None

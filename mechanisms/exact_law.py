"""The law interpreter: follows every choice of a mechanism and returns its exact law."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from mechanisms.source import RestartError, Source, check_weights
from spec.arguments import InputError, positive_integer
from spec.law import Law, Probability

__all__ = ["DEFAULT_CHOICE_BUDGET", "exact_law"]

DEFAULT_CHOICE_BUDGET = 5_000_000
"""Choices followed before the interpreter gives up: a mechanism cannot hang its auditor by choosing for ever."""

T = TypeVar("T", bound=Hashable)


@dataclass(slots=True)
class _Budget:
    limit: int
    used: int = 0

    def spend(self) -> None:
        self.used += 1
        if self.used > self.limit:
            raise InputError(
                f"the mechanism made more than {self.limit} choices: write rejection loops as source.attempt(body), "
                "use a smaller domain, or raise the choice budget"
            )


@dataclass(slots=True)
class _Branch:
    """One choice on the present path: its outcomes, their weights, and the one taken."""

    outcomes: tuple[Any, ...]
    weights: tuple[Probability, ...]
    taken: int = 0

    def advance(self) -> bool:
        """Take the next outcome of positive weight; False where there is none."""
        for index in range(self.taken + 1, len(self.weights)):
            if self.weights[index]:
                self.taken = index
                return True
        return False


class _PathSource(Source):
    """Follows one path of choices; `branches` grows as the path runs into choices it has not seen."""

    def __init__(self, branches: list[_Branch], budget: _Budget) -> None:
        self._branches = branches
        self._budget = budget
        self._position = 0
        self.is_current = True

    @property
    def position(self) -> int:
        return self._position

    def choose(self, weights: Sequence[Probability | int]) -> int:
        self._check_current()
        branch = self._next()
        if branch is None:
            checked = check_weights(weights)
            branch = self._open(tuple(range(len(checked))), checked)
        elif branch.weights != tuple(weights):
            raise InputError(
                "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"
            )
        result: int = branch.outcomes[branch.taken]
        return result

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        self._check_current()
        branch = self._next()
        if branch is None:
            self.is_current = False
            law = _follow(body, self._budget)
            self.is_current = True
            branch = self._open(law.support, tuple(law.values()))
        return branch.outcomes[branch.taken]

    def _check_current(self) -> None:
        if not self.is_current:
            raise InputError("the body of an attempt must draw from the source that it is given, and nothing else may")

    def _next(self) -> _Branch | None:
        if self._position == len(self._branches):
            return None
        self._position += 1
        return self._branches[self._position - 1]

    def _open(self, outcomes: tuple[Any, ...], weights: tuple[Probability, ...]) -> _Branch:
        self._budget.spend()
        branch = _Branch(outcomes, weights, taken=-1)
        branch.advance()
        self._branches.append(branch)
        self._position += 1
        return branch


def _follow(body: Callable[[Source], T], budget: _Budget) -> Law[T]:
    """The law of a body, conditioned on not restarting."""
    branches: list[_Branch] = []
    mass: dict[T, Probability] = {}
    rejected: Probability = Fraction(0)
    while True:
        source = _PathSource(branches, budget)
        try:
            outcome: T | None = body(source)
            accepted = True
        except RestartError:
            outcome, accepted = None, False
        source.is_current = False
        if source.position != len(branches):
            raise InputError(
                "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"
            )
        weight: Probability = Fraction(1)
        for branch in branches:
            weight = weight * branch.weights[branch.taken]
        if accepted:
            try:
                mass[outcome] = mass.get(outcome, Fraction(0)) + weight  # type: ignore[index,arg-type]
            except TypeError:
                raise InputError(f"the output of a mechanism must be hashable; got {outcome!r}") from None
        else:
            rejected = rejected + weight
        while branches and not branches[-1].advance():
            branches.pop()
        if not branches:
            break
    if rejected == 0:
        return Law(mass)
    if not mass:
        raise InputError("the mechanism restarts with probability 1, so it never finishes")
    kept = 1 - rejected
    return Law({outcome: weight / kept for outcome, weight in mass.items()})


def exact_law(
    mechanism: Callable[..., T], data: Any, *, choice_budget: int = DEFAULT_CHOICE_BUDGET, **parameters: Any
) -> Law[T]:
    """The exact law of a mechanism's output on one data set.

    Every choice is followed; a rejection loop (`Source.attempt`, `Source.restart`) is summed in closed form: the law
    of its accepted outcomes divided by the probability of acceptance.

    Args:
        mechanism: a function `mechanism(data, source, **parameters)`.
        data: its input.
        choice_budget: the number of distinct choices followed before giving up.
        **parameters: exact numbers, or `spec.SYMBOL` to leave one parameter in (0, 1) open.

    Raises:
        InputError: a weight is inexact or does not sum to 1, the output is not hashable, the budget is exceeded, the
            mechanism restarts with probability 1, or it draws randomness from elsewhere.

    >>> exact_law(lambda data, source: data + source.uniform(2), 5)
    Law({5: Fraction(1, 2), 6: Fraction(1, 2)})
    """
    budget = _Budget(positive_integer("choice_budget", choice_budget))
    return _follow(lambda source: mechanism(data, source, **parameters), budget)

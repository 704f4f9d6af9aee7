"""The probabilities of the outputs of a choice tree whose paths go back to earlier choices: loops in closed form.

A subtree gives the mass of every result, and that with which it goes back to each earlier place of its path. A place
that is gone back to with probability r is met once, twice, …: what follows has the weight 1 + r + r² + … = 1/(1 − r).
That eliminates the places of a finite Markov chain one by one, from the last to the first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.choice_path import ATTEMPT, CHOICE, KINDS, NEVER_FINISHES, NO_TREE, RESTART, RESULT
from stirred.mechanisms.source import Weight
from stirred.spec.arguments import InputError


def has_loops(tree: Sequence[int]) -> bool:
    """Whether some path of a tree goes back to an earlier choice.

    >>> has_loops([0, RESTART, RESULT]), has_loops([0, RESULT, KINDS * 1 + RESTART])
    (False, True)
    """
    return any(node % KINDS == RESTART and node != RESTART for node in tree)


@dataclass(slots=True)
class _Place:
    """A choice, an attempt (from when its body is summed) or a body whose subtrees are being summed."""

    number: int  # on the path of its body; 0 for the body itself
    weights: Sequence[Any] | None  # of its subtrees; None for an attempt whose body comes first
    taken: int = 0
    masses: dict[int, Any] = field(default_factory=dict)
    back: dict[int, Any] = field(default_factory=dict)

    def add(self, masses: dict[int, Any], back: dict[int, Any]) -> bool:
        """Add what the next subtree gives; returns whether it was the last."""
        if self.weights is None or self.taken == len(self.weights):
            raise InputError(NO_TREE)
        weight = self.weights[self.taken]
        self.taken += 1
        for total, more in ((self.masses, masses), (self.back, back)):
            for key, mass in more.items():
                total[key] = total[key] + weight * mass if key in total else weight * mass
        return self.taken == len(self.weights)

    def sums(self, one: Any) -> tuple[dict[int, Any], dict[int, Any]]:
        """The masses of the results and of earlier places, with all of its repetitions."""
        if self.number not in self.back:
            return self.masses, self.back
        left = one - self.back.pop(self.number)
        if left == 0:
            raise InputError(NEVER_FINISHES)
        return tuple({key: mass / left for key, mass in part.items()} for part in (self.masses, self.back))  # type: ignore[return-value]


def loop_masses(weights: Sequence[tuple[Weight, ...]], tree: Sequence[int], number: Callable[[Any], Any]) -> list[Any]:
    """The probabilities of a tree's outputs; see `interpreters.choice_tree.tree_masses`.

    >>> coin = (Fraction(1, 2), Fraction(1, 2))  # tails: go back to this choice
    >>> loop_masses([coin], [0, RESULT, KINDS * 1 + RESTART], Fraction)
    [Fraction(1, 1)]
    """
    one = number(Fraction(1))
    rows = [[number(weight) for weight in row if weight] for row in weights]
    stack = [_Place(0, [one])]
    for index, node in enumerate(tree):
        value, kind = divmod(node, KINDS)
        if kind == CHOICE:
            if value >= len(rows):
                raise InputError(NO_TREE)
            stack.append(_Place(stack[-1].number + 1, rows[value]))
            continue
        if kind == ATTEMPT:
            stack += [_Place(stack[-1].number + 1, None), _Place(0, [one])]
            continue
        found: tuple[dict[int, Any], dict[int, Any]] = ({value: one}, {}) if kind == RESULT else ({}, {value: one})
        while True:
            top = stack[-1]
            if top.weights is None:
                top.weights = _results(*found)
                break
            if not top.add(*found):
                break
            found = stack.pop().sums(one)
            if not stack:
                if index != len(tree) - 1:
                    raise InputError("the nodes of a choice tree must be exactly one tree")
                return _results(*found)
    raise InputError("the nodes of a choice tree must be exactly one tree")


def _results(masses: dict[int, Any], back: dict[int, Any]) -> list[Any]:
    """The masses of a body's results, in the order of their numbers."""
    if back:
        raise InputError("a path of a choice tree must go back to a choice of its own")
    if sorted(masses) != list(range(len(masses))) or not masses:
        raise InputError("the results of an attempt must be numbered from 0 on")
    return [masses[number] for number in range(len(masses))]

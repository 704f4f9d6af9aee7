"""The choice tree of a mechanism on one data set: every random choice that it can make, followed to its outputs.

A tree is plain data, so that whoever follows a program and whoever sums its law need not be the same process. Its nodes
stand in preorder, each as one integer 4·value + kind:

- CHOICE: value is the index of its weights; the subtrees of its outcomes of positive weight follow in order;
- RESULT: value is the index of the output, or inside an attempt the number of its result; a leaf;
- RESTART: the present attempt, or the whole program, begins again; a leaf;
- ATTEMPT: the tree of its body follows, then one subtree for each distinct result of the body, in order of number.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from mechanisms.source import PublicSource, RestartError, Source, check_weights
from spec.arguments import InputError
from spec.law import Law, Probability

__all__ = ["ATTEMPT", "CHOICE", "RESTART", "RESULT", "ChoiceBudget", "ChoiceTree", "follow", "tree_law"]

CHOICE, RESULT, RESTART, ATTEMPT = range(4)
_KINDS = 4

_DIFFERED = "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"


@dataclass(frozen=True)
class ChoiceTree:
    """Every choice that a program can make, and where each leads.

    Attributes:
        weights: the distinct weights of choices; each sums to 1.
        outputs: the distinct outputs, in the order in which they are met.
        nodes: the nodes in preorder, each 4·value + kind.
    """

    weights: Sequence[tuple[Probability, ...]]
    outputs: Sequence[Any]
    nodes: Sequence[int]


@dataclass(slots=True)
class ChoiceBudget:
    """Distinct choices that may be followed before giving up: a mechanism cannot hang its auditor by choosing for ever.

    Raises:
        InputError: on `spend`, where more choices are made than the limit.
    """

    limit: int
    used: int = 0

    def spend(self) -> None:
        """Count one choice."""
        self.used += 1
        if self.used > self.limit:
            raise InputError(
                f"the mechanism made more than {self.limit} choices: write rejection loops as source.attempt(body), "
                "use a smaller domain, or raise the choice budget"
            )


@dataclass(slots=True)
class _Branch:
    """One choice on the present path: its outcomes, those that are possible, and which of them is taken."""

    weights: tuple[Probability, ...] | None  # None for an attempt
    outcomes: tuple[Any, ...]
    taken: int = 0

    @property
    def outcome(self) -> Any:
        return self.outcomes[self.taken]

    def advance(self) -> bool:
        self.taken += 1
        return self.taken < len(self.outcomes)


@dataclass(slots=True)
class _Following:
    """What all paths of one program have in common."""

    key: Callable[[Any], Hashable]
    budget: ChoiceBudget
    weights: dict[tuple[Probability, ...], int] = field(default_factory=dict)


class _PathSource(Source):
    """Follows one path of choices; `branches` and `nodes` grow as it runs into choices that were not seen before."""

    def __init__(self, following: _Following, branches: list[_Branch], nodes: array[int]) -> None:
        self._following = following
        self._branches = branches
        self._nodes = nodes
        self.position = 0
        self.is_current = True

    def choose(self, weights: Sequence[Probability | int]) -> int:
        branch = self._next()
        if branch is None:
            checked = check_weights(weights)
            known = self._following.weights
            self._nodes.append(_KINDS * known.setdefault(checked, len(known)) + CHOICE)
            branch = self._open(_Branch(checked, tuple(i for i, weight in enumerate(checked) if weight)))
        elif branch.weights is None or branch.weights != tuple(weights):
            raise InputError(_DIFFERED)
        result: int = branch.outcome
        return result

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        branch = self._next()
        if branch is None:
            self.is_current = False
            self._nodes.append(ATTEMPT)
            results = _walk(body, self._following, self._nodes)
            if not results:
                raise InputError("the mechanism restarts with probability 1, so it never finishes")
            self.is_current = True
            branch = self._open(_Branch(None, tuple(results)))
        elif branch.weights is not None:
            raise InputError(_DIFFERED)
        return branch.outcome

    def _next(self) -> _Branch | None:
        if not self.is_current:
            raise InputError("the body of an attempt must draw from the source that it is given, and nothing else may")
        self.position += 1
        return self._branches[self.position - 1] if self.position <= len(self._branches) else None

    def _open(self, branch: _Branch) -> _Branch:
        self._following.budget.spend()
        self._branches.append(branch)
        return branch


def _walk(body: Callable[[Source], Any], following: _Following, nodes: array[int]) -> list[Any]:
    """Append the tree of a body to the nodes; returns its distinct results, in the order of their numbers."""
    branches: list[_Branch] = []
    numbers: dict[Hashable, int] = {}
    results: list[Any] = []
    while True:
        source = _PathSource(following, branches, nodes)
        leaf = RESTART
        try:
            result = body(PublicSource(source))
        except RestartError:
            pass
        else:
            try:
                number = numbers.setdefault(following.key(result), len(results))
            except TypeError:
                raise InputError(f"the output of a mechanism must be hashable; got {result!r}") from None
            if number == len(results):
                results.append(result)
            leaf = _KINDS * number + RESULT
        source.is_current = False
        if source.position != len(branches):
            raise InputError(_DIFFERED)
        nodes.append(leaf)
        while branches and not branches[-1].advance():
            branches.pop()
        if not branches:
            return results


def follow(
    program: Callable[[Source], Any], budget: ChoiceBudget, key: Callable[[Any], Hashable] = lambda result: result
) -> ChoiceTree:
    """The choice tree of a program.

    Args:
        program: draws every choice from the source that it is given.
        budget: how many choices may be followed.
        key: results with equal keys are one result; it may refuse a result with `InputError`.

    Raises:
        InputError: a weight is inexact or does not sum to 1, a result is not hashable, the budget is exceeded, an
            attempt restarts with probability 1, or the program draws randomness from elsewhere.
    """
    following = _Following(key, budget)
    nodes = array("q")
    outputs = _walk(program, following, nodes)
    return ChoiceTree(tuple(following.weights), tuple(outputs), nodes)


@dataclass(slots=True)
class _Inner:
    """A node whose subtrees are being summed: the probabilities with which the ones still to come are reached."""

    reached: list[Probability]  # last first


@dataclass(slots=True)
class _Body:
    """An attempt whose body is being summed: the masses of its results, and that of its restarts."""

    reached: Probability
    masses: dict[int, Probability] = field(default_factory=dict)
    rejected: Probability = field(default_factory=Fraction)

    def results(self) -> list[Probability]:
        """The probabilities of the results, conditioned on not restarting."""
        if not self.masses:
            raise InputError("the mechanism restarts with probability 1, so it never finishes")
        if sorted(self.masses) != list(range(len(self.masses))):
            raise InputError("the results of an attempt must be numbered from 0 on")
        kept = 1 - self.rejected
        return [self.masses[number] / kept for number in range(len(self.masses))]


def tree_law(tree: ChoiceTree) -> Law[Any]:
    """The law of a tree's output: every path's weight, and a rejection loop in closed form.

    The results of an attempt have the law of its body conditioned on not restarting: masses divided by 1 − P(restart).

    Raises:
        InputError: the nodes are no tree, or the program restarts with probability 1.

    >>> coin = (Fraction(1, 3), Fraction(2, 3))
    >>> tree_law(ChoiceTree([coin], ["heads"], [0, RESTART, RESULT]))
    Law({'heads': Fraction(1, 1)})
    """
    whole = _Body(Fraction(1))
    bodies, stack = [whole], list[_Inner | _Body]()
    reached: Probability = Fraction(1)
    nodes = iter(tree.nodes)
    try:
        for node in nodes:
            value, kind = divmod(node, _KINDS)
            if kind == CHOICE:
                stack.append(_Inner([reached * weight for weight in reversed(tree.weights[value]) if weight]))
            elif kind == ATTEMPT:
                body = _Body(reached)
                bodies.append(body)
                stack.append(body)
                reached = Fraction(1)
                continue
            elif kind == RESULT:
                masses = bodies[-1].masses
                masses[value] = masses.get(value, Fraction(0)) + reached
            else:
                bodies[-1].rejected = bodies[-1].rejected + reached
            # on to the next subtree that is still to come
            while stack:
                top = stack[-1]
                if isinstance(top, _Body):
                    bodies.pop()
                    stack[-1] = top = _Inner([top.reached * mass for mass in reversed(top.results())])
                if top.reached:
                    reached = top.reached.pop()
                    break
                stack.pop()
            else:
                break
        if stack or next(nodes, None) is not None:
            raise InputError("the nodes of a choice tree must be exactly one tree")
        return Law({tree.outputs[number]: mass for number, mass in enumerate(whole.results())})
    except IndexError:
        raise InputError("the nodes of a choice tree must name weights and outputs that it has") from None

"""The choice tree of a mechanism on one data set: every random choice that it can make, followed to its outputs.

A tree is plain data, so that whoever follows a program and whoever sums its law need not be the same process. Its nodes
stand in preorder, each as one integer 4·value + kind:

- CHOICE: value is the index of its weights; the subtrees of its outcomes of positive weight follow in order;
- RESULT: value is the index of the output, or inside an attempt the number of its result; a leaf;
- RESTART: the present attempt, or the whole program, goes on as from its choice number `value` on the present path, an
  attempt counted as one choice, or begins again where value is 0; a leaf;
- ATTEMPT: the tree of its body follows, then one subtree for each distinct result of the body, in order of number.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import CodeType
from typing import Any

from mechanisms.choice_nodes import ATTEMPT, CHOICE, KINDS, NEVER_FINISHES, NO_TREE, RESTART, RESULT
from mechanisms.choice_path import ChoicePath, PathChoice
from mechanisms.choice_weights import CHANGING, WeightRows
from mechanisms.loop_masses import loop_masses
from mechanisms.program_state import ProgramStates, code_of
from mechanisms.source import (
    PublicSource,
    RestartError,
    Source,
    UnboundedError,
    Weight,
    bernoulli_weights,
    check_run_length,
)
from spec.arguments import InputError
from spec.gaussian_share import GaussianShare
from spec.law import Law, Probability

__all__ = [
    "ATTEMPT",
    "CHOICE",
    "RESTART",
    "RESULT",
    "ChoiceBudget",
    "ChoiceTree",
    "exact_weight",
    "follow",
    "tree_law",
    "tree_masses",
]

_DIFFERED = "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"


@dataclass(frozen=True)
class ChoiceTree:
    """Every choice that a program can make, and where each leads.

    Attributes:
        weights: the distinct weights of choices; each sums to 1.
        outputs: the distinct outputs, in the order in which they are met.
        nodes: the nodes in preorder, each 4·value + kind.
    """

    weights: Sequence[tuple[Weight, ...]]
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
            raise UnboundedError(
                f"the mechanism made more than {self.limit} choices: write rejection loops as source.attempt(body), "
                "use a smaller domain, or raise the choice budget"
            )


@dataclass
class _Following:
    """What all paths of one program have in common."""

    key: Callable[[Any], Hashable]
    budget: ChoiceBudget
    states: ProgramStates | None
    rows: WeightRows = field(default_factory=WeightRows)


class _Never(Sequence[object]):
    """At every place something that no program asks by."""

    def __len__(self) -> int:
        return 0

    def __getitem__(self, place: Any) -> Any:
        return CHANGING


_NEVER = _Never()


class _PathSource(Source):
    """Follows one path of choices; the path and the nodes grow as it runs into choices that were not seen before."""

    def __init__(self, following: _Following, path: ChoicePath, nodes: array[int], entry: CodeType | None) -> None:
        self._entry = entry
        self.back = 0  # the choice that the path goes back to
        self._shared = following, path, nodes
        self._asked: Sequence[object] = path.asked
        self._outcomes = path.outcomes
        self.position = 0

    def suspend(self) -> None:
        """Refuse every choice from now on."""
        self._asked = _NEVER

    def choose(self, weights: Sequence[Weight | int]) -> int:
        position = self.position
        if self._asked[position] is weights:
            self.position = position + 1
            return self._outcomes[position]  # type: ignore[no-any-return]
        return self._chosen(weights, lambda: weights)

    def bernoulli(self, p: Probability | int) -> bool:
        position = self.position
        if self._asked[position] is p:
            self.position = position + 1
            return self._outcomes[position] == 1  # type: ignore[no-any-return]
        return self._chosen(p, lambda: bernoulli_weights(p)) == 1

    def _chosen(self, asked: object, given: Callable[[], Sequence[Weight | int]]) -> int:
        branch = self._next()
        following, path, nodes = self._shared
        row = following.rows.row(asked, given)
        if branch is None:
            state = None if following.states is None else following.states.state(self._entry, _walk.__code__)
            self.back = path.met(row.number, state)
            if self.back:
                self.position -= 1
                self.suspend()
                raise RestartError
            nodes.append(KINDS * row.number + CHOICE)
            self._open(PathChoice(row.number, row.possible, state), row.asked)
        elif branch.number != row.number:
            raise InputError(_DIFFERED)
        return self._outcomes[self.position - 1]  # type: ignore[no-any-return]

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        branch = self._next()
        if branch is None:
            following, path, nodes = self._shared
            self.suspend()
            nodes.append(ATTEMPT)
            results = _walk(body, following, nodes)
            if not results:
                raise InputError(NEVER_FINISHES)
            self._asked = path.asked
            self._open(PathChoice(None, tuple(results)), CHANGING)
        elif branch.number is not None:
            raise InputError(_DIFFERED)
        return self._outcomes[self.position - 1]

    def _next(self) -> PathChoice | None:
        if self._asked is _NEVER:
            raise InputError("the body of an attempt must draw from the source that it is given, and nothing else may")
        branches = self._shared[1].branches
        self.position += 1
        return branches[self.position - 1] if self.position <= len(branches) else None

    def _open(self, branch: PathChoice, asked: object) -> None:
        following, path, _ = self._shared
        following.budget.spend()
        path.open(branch, asked)
        check_run_length(path.forks)


def _walk(body: Callable[[Source], Any], following: _Following, nodes: array[int]) -> list[Any]:
    """Append the tree of a body to the nodes; returns its distinct results, in the order of their numbers."""
    path = ChoicePath()
    numbers: dict[Hashable, int] = {}
    results: list[Any] = []
    while True:
        source = _PathSource(following, path, nodes, code_of(body))
        leaf = RESTART
        try:
            result = body(PublicSource(source))
        except RestartError:
            leaf = KINDS * source.back + RESTART
        else:
            if source.back:
                raise InputError("a mechanism must not catch what leaves an attempt")
            try:
                number = numbers.setdefault(following.key(result), len(results))
            except TypeError:
                raise InputError(f"the output of a mechanism must be hashable; got {result!r}") from None
            if number == len(results):
                results.append(result)
            leaf = KINDS * number + RESULT
        source.suspend()
        if source.position != len(path.branches):
            raise InputError(_DIFFERED)
        nodes.append(leaf)
        if not path.advance():
            return results


def follow(
    program: Callable[[Source], Any],
    budget: ChoiceBudget,
    key: Callable[[Any], Hashable] = lambda result: result,
    states: ProgramStates | None = None,
) -> ChoiceTree:
    """The choice tree of a program.

    Args:
        program: draws every choice from the source that it is given.
        budget: how many choices may be followed.
        key: results with equal keys are one result; it may refuse a result with `InputError`.
        states: where given, a path that comes to a state again, at a choice, goes back to where it was in it before.

    Raises:
        InputError: a weight is inexact or does not sum to 1, a result is not hashable, the budget is exceeded, an
            attempt restarts with probability 1, or the program draws randomness from elsewhere.
    """
    following = _Following(key, budget, states)
    nodes = array("q")
    outputs = _walk(program, following, nodes)
    return ChoiceTree(tuple(following.rows.numbers), tuple(outputs), nodes)


@dataclass(slots=True)
class _Inner:
    """A node whose subtrees are being summed: the probabilities with which the ones still to come are reached."""

    reached: list[Any]  # last first


@dataclass(slots=True)
class _Body:
    """An attempt whose body is being summed: the masses of its results, and that of its restarts."""

    reached: Any
    number: Callable[[Fraction], Any]
    masses: dict[int, Any] = field(default_factory=dict)
    rejected: Any = None

    def results(self) -> list[Any]:
        """The probabilities of the results, conditioned on not restarting."""
        if not self.masses:
            raise InputError(NEVER_FINISHES)
        if sorted(self.masses) != list(range(len(self.masses))):
            raise InputError("the results of an attempt must be numbered from 0 on")
        kept = self.number(Fraction(1)) - (self.number(Fraction(0)) if self.rejected is None else self.rejected)
        return [self.masses[number] / kept for number in range(len(self.masses))]


def tree_law(tree: ChoiceTree, masses: Sequence[Probability] | None = None) -> Law[Any]:
    """The law of a tree's output.

    Args:
        tree: every choice of a program.
        masses: what `tree_masses` gives, where it is known.

    Raises:
        InputError: the nodes are no tree, or the program restarts with probability 1.

    >>> coin = (Fraction(1, 3), Fraction(2, 3))
    >>> tree_law(ChoiceTree([coin], ["heads"], [0, RESTART, RESULT]))
    Law({'heads': Fraction(1, 1)})
    """
    masses = tree_masses(tree.weights, tree.nodes) if masses is None else masses
    if len(tree.outputs) < len(masses):
        raise InputError(NO_TREE)
    return Law(dict(zip(tree.outputs, masses, strict=False)))


def exact_weight(weight: Weight) -> Probability:
    """A weight that is an exact probability.

    Raises:
        InputError: it is the share of a discrete Gaussian.
    """
    if isinstance(weight, GaussianShare):
        raise InputError(
            "the probabilities of a discrete Gaussian are not rational: an audit encloses them, an exact law has none"
        )
    return weight


def tree_masses(
    weights: Sequence[tuple[Weight, ...]], tree: Sequence[int], number: Callable[[Any], Any] = exact_weight
) -> list[Any]:
    """The probabilities of a tree's outputs: every path's weight, and loops in closed form.

    The results of an attempt have the law of its body conditioned on not restarting: masses divided by 1 − P(restart).

    Args:
        weights: of the choices.
        tree: its nodes.
        number: turns weights and fractions into the numbers that are computed with; by default they stay exact.

    Raises:
        InputError: the nodes are no tree, or the program restarts with probability 1.
    """
    rows = [[number(weight) for weight in reversed(row) if weight] for row in weights]
    whole = _Body(number(Fraction(1)), number)
    bodies, stack = [whole], list[_Inner | _Body]()
    reached = whole.reached
    nodes = iter(tree)
    try:
        for node in nodes:
            value, kind = divmod(node, KINDS)
            if kind == CHOICE:
                stack.append(_Inner([reached * weight for weight in rows[value]]))
            elif kind == ATTEMPT:
                body = _Body(reached, number)
                bodies.append(body)
                stack.append(body)
                reached = whole.reached
                continue
            elif kind == RESULT:
                masses = bodies[-1].masses
                masses[value] = masses[value] + reached if value in masses else reached
            elif value:
                return loop_masses(weights, tree, number)
            else:
                body = bodies[-1]
                body.rejected = reached if body.rejected is None else body.rejected + reached
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
        return whole.results()
    except IndexError:
        raise InputError(NO_TREE) from None

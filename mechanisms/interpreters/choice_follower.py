"""Follows a program through all of its choices: its choice tree (`interpreters.choice_tree`), on many data sets.

Paths are run from the beginning, one after another, until no choice is left that could fall otherwise. On many data
sets a mechanism makes the same choices and only its results differ. So the paths of the tree before are guessed, which
saves the bookkeeping and nothing else: each choice is compared with the guess, and from the first that differs on the
paths are found as they come. The program is run on the same outcomes in the same order, whatever was guessed.

`interpreters.run_lister` computes the same laws independently: what the two repeat, neither may import from the other.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.choice_path import (
    ATTEMPT,
    CHOICE,
    KINDS,
    NEVER_FINISHES,
    RESTART,
    RESULT,
    ChoicePath,
    KnownPath,
    KnownPaths,
)
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.mechanisms.interpreters.choice_weights import CHANGING, WeightRows
from stirred.mechanisms.interpreters.program_state import ProgramStates, code_of
from stirred.mechanisms.source import (
    PublicSource,
    Raised,
    RestartError,
    Source,
    UnboundedError,
    Weight,
    bernoulli_weights,
    check_run_length,
    result_key,
)
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Probability

_DIFFERED = "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"


@dataclass(slots=True)
class ChoiceBudget:
    """Limit on the distinct choices followed: a mechanism that never stops choosing cannot hang its auditor."""

    limit: int
    used: int = 0

    def spend(self, choices: int = 1) -> None:
        """Count choices."""
        self.used += choices
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
    rows: WeightRows
    states: ProgramStates | None = None
    is_raising: bool = False
    nodes: array[int] = field(default_factory=lambda: array("q"))


class _Never:
    """At every place something that no program asks by."""

    def __getitem__(self, place: int) -> object:
        return CHANGING


_NEVER = _Never()


class _PathSource(Source):
    """Follows one path of choices, and adds to it where it runs into choices that it does not have."""

    def __init__(self, walk: _Walk) -> None:
        path = walk.path
        self._asked: Sequence[object] | _Never = path.asked
        self._outcomes: Sequence[Any] = path.outcomes
        self._walk = walk
        self.position = 0
        self.back = 0  # the choice that the path goes back to

    def suspend(self) -> None:
        """Refuse every choice from now on."""
        self._asked = _NEVER

    def choose(self, weights: Sequence[Weight | int]) -> int:
        position = self.position
        if self._asked[position] is weights:
            self.position = position + 1
            return self._outcomes[position]  # type: ignore[no-any-return]
        return self._chosen(weights, _themselves)

    def bernoulli(self, p: Probability | int) -> bool:
        position = self.position
        asked = self._asked[position]
        if asked is p or (type(p) is Fraction is type(asked) and p.as_integer_ratio() == asked.as_integer_ratio()):
            self.position = position + 1
            return self._outcomes[position] == 1  # type: ignore[no-any-return]
        return self._chosen(p, bernoulli_weights) == 1

    def _chosen(self, asked: Any, given: Callable[[Any], Sequence[Weight | int]]) -> int:
        self._check_open()
        following = self._walk.following
        row = following.rows.row(asked, given)
        if not self._is_known(KINDS * row.number + CHOICE):
            path = self._walk.own_path(self.position)
            row = following.rows.same(row)
            node = KINDS * row.number + CHOICE
            state = None if following.states is None else following.states.state(self._walk.entry, _Walk._leaf.__code__)
            self.back = path.met(node, state)
            if self.back:
                self.suspend()
                raise RestartError
            following.nodes.append(node)
            self._open(path, node, row.possible, row.asked, state)
        self.position += 1
        return self._outcomes[self.position - 1]  # type: ignore[no-any-return]

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        self._check_open()
        if not self._is_known(ATTEMPT):
            path, following = self._walk.own_path(self.position), self._walk.following
            self.suspend()
            following.nodes.append(ATTEMPT)
            self._walk.taken.drop()
            inner = _Walk(body, following)
            inner.follow()
            if not inner.results:
                raise InputError(NEVER_FINISHES)
            self._open(path, ATTEMPT, inner.results, CHANGING)
        self.position += 1
        result = self._outcomes[self.position - 1]
        if type(result) is Raised:
            raise result.error.with_traceback(None)
        return result

    def _check_open(self) -> None:
        if self._asked is _NEVER:
            raise InputError("the body of an attempt must draw from the source that it is given, and nothing else may")

    def _open(
        self, path: ChoicePath, node: int, outcomes: Sequence[Any], asked: object, state: Hashable = None
    ) -> None:
        self._walk.following.budget.spend()
        path.open(node, outcomes, asked, is_fork=len(outcomes) > 1, state=state)
        check_run_length(path.forks)
        self._asked, self._outcomes = path.asked, path.outcomes

    def _is_known(self, node: int) -> bool:
        """Whether the path goes on with a choice that has this node."""
        return self.position < len(self._outcomes) and self._walk.path.nodes[self.position] == node


def _themselves(weights: Sequence[Weight | int]) -> Sequence[Weight | int]:
    return weights


class _Walk:
    """The paths of one body, whose tree is appended to the nodes.

    Args:
        guess: the paths that are expected; None where those that are taken are not to be kept either.

    Attributes:
        entry: the code that is run first.
        results: the distinct results, in the order of their numbers.
        numbers: those of the results, by their keys.
        taken: the paths, which may be the next guess.
    """

    def __init__(
        self, body: Callable[[Source], Any], following: _Following, guess: Sequence[KnownPath] | None = None
    ) -> None:
        self.following = following
        self.path: ChoicePath | KnownPath = ChoicePath()
        self.entry = code_of(body)
        self.results: list[Any] = []
        self.numbers: dict[Hashable, int] = {}
        self.taken = KnownPaths(are_kept=guess is not None)
        self._body = body
        self._guess = guess or ()
        self._leaves: list[int] = []  # of the paths that were as they had been guessed

    def follow(self) -> None:
        """Run all paths."""
        for known in self._guess:
            self.path = known
            leaf = self._leaf()
            if self.path is not known:
                break
            self._leaves.append(leaf)
        else:
            if self._guess:
                self._list()
                return
            leaf = self._leaf()
        while isinstance(self.path, ChoicePath):
            self.following.nodes.append(leaf)
            if self.taken.are_kept:
                self.taken.keep(self.path.known())
            if not self.path.advance():
                return
            leaf = self._leaf()

    def _leaf(self) -> int:
        """Run the present path; returns the node that it ends with."""
        source = _PathSource(self)
        leaf = RESTART
        try:
            try:
                result = self._body(PublicSource(source))
            except Exception as error:
                if not self.following.is_raising:
                    raise
                result = Raised(error)
        except RestartError:
            leaf = KINDS * source.back + RESTART
        else:
            if source.back:
                raise InputError("a mechanism must not catch what leaves an attempt")
            key = self.following.key
            try:
                found = result_key(result, key) if self.following.is_raising else key(result)
                number = self.numbers.setdefault(found, len(self.results))
            except TypeError:
                raise InputError(f"the output of a mechanism must be hashable; got {result!r}") from None
            if number == len(self.results):
                self.results.append(result)
            leaf = KINDS * number + RESULT
        source.suspend()
        if source.position != len(self.path.outcomes):
            self.own_path(source.position)
        return leaf

    def own_path(self, length: int) -> ChoicePath:
        """The path, of which nothing is guessed from now on.

        Args:
            length: how many of its choices have been made.
        """
        path = self.path
        if length < path.shared:
            raise InputError(_DIFFERED)
        if isinstance(path, KnownPath):
            self._list()
            self._spend_and_list(path.new_nodes[: length - path.shared])
            listed = (node // KINDS for node in self.following.nodes if node % KINDS == CHOICE)
            self.following.rows.keep_first(1 + max(listed, default=-1))
            path = self.path = ChoicePath.along(path, length, self.following.rows.possible)
        return path

    def _list(self) -> None:
        """Append the nodes of the paths that were as they had been guessed."""
        for known, leaf in zip(self._guess, self._leaves, strict=False):
            self._spend_and_list(known.new_nodes)
            self.following.nodes.append(leaf)
            self.taken.keep(known)

    def _spend_and_list(self, nodes: array[int]) -> None:
        self.following.budget.spend(len(nodes))
        self.following.nodes.extend(nodes)


class ChoiceFollower:
    """Follows one program on one data set after another.

    Args:
        key: results with equal keys are one; it may refuse a result with `InputError`.
        is_raising: whether what the program raises is a result, see `mechanisms.source.Raised`.
    """

    def __init__(self, key: Callable[[Any], Hashable] = lambda result: result, *, is_raising: bool = False) -> None:
        self._key = key
        self._is_raising = is_raising
        self._guess: tuple[WeightRows, Sequence[KnownPath]] = WeightRows(), ()

    def follow(
        self, program: Callable[[Source], Any], budget: ChoiceBudget, states: ProgramStates | None = None
    ) -> ChoiceTree:
        """The choice tree of the program on a data set; its outputs are the keys of the results.

        Args:
            states: where given, a path that comes to a state again, at a choice, goes back to where it was in it.
        """
        if states is not None:  # which are taken at each choice that was not met before
            return _followed(_Following(self._key, budget, WeightRows(), states, self._is_raising), program)[0]
        rows, paths = self._guess
        self._guess = WeightRows(), ()
        tree, taken = _followed(_Following(self._key, budget, rows, None, self._is_raising), program, paths)
        if taken:
            self._guess = rows, taken
        return tree


def _followed(
    following: _Following, program: Callable[[Source], Any], guess: Sequence[KnownPath] | None = None
) -> tuple[ChoiceTree, Sequence[KnownPath]]:
    walk = _Walk(program, following, guess)
    walk.follow()
    return ChoiceTree(tuple(following.rows.numbers), tuple(walk.numbers), following.nodes), walk.taken.paths


def follow(
    program: Callable[[Source], Any],
    budget: ChoiceBudget,
    key: Callable[[Any], Hashable] = lambda result: result,
    states: ProgramStates | None = None,
) -> ChoiceTree:
    """The choice tree of a program on one data set alone; see `ChoiceFollower`."""
    return ChoiceFollower(key).follow(program, budget, states)

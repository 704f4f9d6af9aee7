"""Lists the runs of a program (`interpreters.choice_runs`): last outcomes first, its attempts inlined.

It shares no code with `interpreters.choice_follower` and meets the choices in another order, so that a fault of either,
an attempt with effects besides its result, or a program that remembers its runs shows as a difference of the two laws.
On one data set after another the runs of the one before are guessed: each run is compared with the guess, and from the
first that differs on they are listed as they come. The program is run on the same outcomes in the same order, whatever
was guessed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.choice_path import KnownPath, KnownPaths
from stirred.mechanisms.interpreters.choice_runs import CHOICE, CLOSE, KINDS, OPEN, OUTPUT, REJECT, Runs
from stirred.mechanisms.interpreters.choice_weights import CHANGING, Row, WeightRows
from stirred.mechanisms.source import (
    PublicSource,
    RestartError,
    Source,
    UnboundedError,
    Weight,
    bernoulli_weights,
    check_run_length,
)
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Probability

_DIFFERED = "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"


@dataclass(slots=True)
class _Step:
    """What was done at one place of the present run.

    Attributes:
        left: the outcomes of a choice that are still to be taken, the next one last.
        forks: the choices up to this one that could have fallen otherwise.
        weights: of a choice.
        reached: the probability of getting there, where improbable runs are cut.
    """

    left: list[int]
    forks: int
    weights: Sequence[Weight] = ()
    reached: Fraction = Fraction(1)


class _Run:
    """The present run, what was done on it at one place each of all lists.

    Attributes:
        asked: what the program asked by, with one more at the end: what is met there is new.
        outcomes: what it was told; 0 where an attempt begins or ends.
        nodes: of choices, and of where attempts begin or end.
        shared: how many places, the first ones, the run before it has too.
    """

    def __init__(self) -> None:
        self.asked: list[object] = [CHANGING]
        self.outcomes: list[int] = []
        self.nodes: list[int] = []
        self.shared = 0
        self._steps: list[_Step] = []

    @property
    def forks(self) -> int:
        """How many of its choices could have fallen otherwise."""
        return self._steps[-1].forks if self._steps else 0

    def reached(self) -> Fraction:
        """The probability of what was done.

        Raises:
            UnboundedError: it is no number.
        """
        if not self._steps:
            return Fraction(1)
        last = self._steps[-1]
        return last.reached * _number(last.weights[self.outcomes[-1]]) if last.weights else last.reached

    def go_on(
        self,
        node: int,
        possible: Sequence[int] = (0,),
        asked: object = CHANGING,
        weights: Sequence[Weight] = (),
        reached: Fraction = Fraction(1),
    ) -> None:
        """Add a place, where the last of the possible outcomes is taken."""
        *left, outcome = possible
        self.again(node, outcome, asked, _Step(left, self.forks + bool(left), weights, reached))

    def again(self, node: int, outcome: int, asked: object, step: _Step) -> None:
        """Add a place, where some outcome is taken."""
        self.nodes.append(node)
        self.outcomes.append(outcome)
        self.asked[-1] = asked
        self.asked.append(CHANGING)
        self._steps.append(step)

    def known(self) -> KnownPath:
        """The run as it is now."""
        new = array("q", self.nodes[self.shared :])
        return KnownPath(tuple(self.asked), tuple(self.outcomes), tuple(self.nodes), self.shared, new)

    def go_back(self) -> bool:
        """Take the next outcome of the last choice that has one left; False where none has."""
        while self._steps and not self._steps[-1].left:
            self._steps.pop()
            self.nodes.pop()
            self.outcomes.pop()
            self.asked.pop()
            self.asked[-1] = CHANGING
        if self._steps:
            self.outcomes[-1] = self._steps[-1].left.pop()
        self.shared = len(self._steps)
        return bool(self._steps)


def _number(weight: Weight) -> Fraction:
    """A weight as a number.

    Raises:
        UnboundedError: it is none: which runs are improbable is not known.
    """
    if not isinstance(weight, Fraction):
        raise UnboundedError("a loop without end must choose by exact numbers, with no parameter left open")
    return weight


class _Player(Source):
    """Plays a run from the beginning, and goes on with the last possible outcome of every choice that is new."""

    def __init__(self, listing: _Listing) -> None:
        self._listing = listing
        self._take(listing.run)
        self.place = 0
        self.is_cut = False

    def _take(self, run: _Run | KnownPath) -> None:
        self._asked: Sequence[object] = run.asked
        self._outcomes: Sequence[int] = run.outcomes

    def choose(self, weights: Sequence[Weight | int]) -> int:
        place = self.place
        if self._asked[place] is weights:
            self.place = place + 1
            return self._outcomes[place]
        return self._chosen(weights, lambda given: given)

    def bernoulli(self, p: Probability | int) -> bool:
        place = self.place
        if self._asked[place] is p:
            self.place = place + 1
            return self._outcomes[place] == 1
        return self._chosen(p, bernoulli_weights) == 1

    def _chosen(self, asked: Any, given: Callable[[Any], Sequence[Weight | int]]) -> int:
        listing = self._listing
        row = listing.rows.row(asked, given)
        if not self._is_next(KINDS * row.number + CHOICE):
            self.is_cut = self.is_cut or not listing.choose(self.place, row)
            if self.is_cut:
                raise RestartError
            self._take(listing.run)
        self.place += 1
        return self._outcomes[self.place - 1]

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        self._mark(OPEN)
        result = body(PublicSource(self))  # a restart ends the run: its mass is a term of a geometric series
        self._mark(CLOSE)
        return result

    def _mark(self, node: int) -> None:
        """The beginning or the end of an attempt."""
        if not self._is_next(node):
            self._listing.mark(self.place, node)
            self._take(self._listing.run)
        self.place += 1

    def _is_next(self, node: int) -> bool:
        return self.place < len(self._outcomes) and self._listing.run.nodes[self.place] == node


class _Listing:
    """The runs of one program.

    Args:
        program: see `RunLister.list`.
        key: of its outputs.
        limit: how many nodes may be listed.
        least: the probability below which a run is cut.
        guess: weights, and the runs by them that are expected; None where those that are taken are not kept either.

    Attributes:
        rows: the weights of its choices.
        numbers: of the outputs' keys.
        nodes: those of all runs.
        taken: the runs, which may be the next guess.
    """

    def __init__(
        self,
        program: Callable[[Source], Any],
        key: Callable[[Any], Hashable],
        limit: int,
        least: Fraction | None,
        guess: tuple[WeightRows, Sequence[KnownPath]] | None,
    ) -> None:
        self.rows, self._guess = guess or (WeightRows(), ())
        self.run: _Run | KnownPath = _Run()
        self.numbers: dict[Hashable, int] = {}
        self.nodes = array("q")
        self.taken = KnownPaths(are_kept=guess is not None)
        self._program = program
        self._key = key
        self._limit = limit
        self._least = least
        self._leaves: list[int] = []  # of the runs that were as they had been guessed

    def list_all(self) -> None:
        """Play all runs.

        Raises:
            InputError: see `RunLister.list`.
        """
        for known in self._guess:
            self.run = known
            leaf = self._leaf()
            if self.run is not known:
                break
            self._leaves.append(leaf)
        else:
            if self._guess:
                self._list_guessed()
                return
            leaf = self._leaf()
        while isinstance(self.run, _Run):
            if self.taken.are_kept:
                self.taken.keep(self.run.known())
            self._append(self.run.nodes[self.run.shared :], leaf)
            if not self.run.go_back():
                return
            leaf = self._leaf()

    def choose(self, place: int, row: Row) -> bool:
        """Go on with a choice that is new; whether the run is not improbable."""
        run = self._own_run(place)
        row = self.rows.same(row)
        reached = Fraction(1) if self._least is None else run.reached()
        if self._least is not None and reached < self._least:
            return False
        self._check_length(place)
        run.go_on(KINDS * row.number + CHOICE, row.possible, row.asked, row.weights, reached)
        check_run_length(run.forks)
        return True

    def mark(self, place: int, node: int) -> None:
        """Go on with the beginning or the end of an attempt, which is new."""
        run = self._own_run(place)
        self._check_length(place)
        run.go_on(node, reached=Fraction(1) if self._least is None else run.reached())

    def _check_length(self, length: int) -> None:
        if length >= self._limit:
            raise UnboundedError(f"one run of the mechanism made more than {self._limit} choices and attempts")

    def _leaf(self) -> int:
        """Play the present run; returns the node that it ends with."""
        player = _Player(self)
        try:
            output = self._program(PublicSource(player))
        except RestartError:
            leaf = KINDS * player.is_cut + REJECT
        else:
            if player.is_cut:
                raise InputError("a mechanism must not catch what leaves an attempt")
            leaf = KINDS * self.numbers.setdefault(self._key(output), len(self.numbers)) + OUTPUT
        if player.place != len(self.run.outcomes):
            self._own_run(player.place)
        return leaf

    def _own_run(self, length: int) -> _Run:
        """The run, of which nothing is guessed from now on.

        Args:
            length: how many of its places have been met.

        Raises:
            InputError: so many have been met before on the same outcomes, and more.
        """
        run = self.run
        if length < run.shared:
            raise InputError(_DIFFERED)
        if isinstance(run, _Run):
            return run
        self._list_guessed()
        nodes = run.nodes[:length]
        met = (node // KINDS for node in (*self.nodes, *nodes) if node % KINDS == CHOICE)
        self.rows.keep_first(1 + max(met, default=-1))
        own = self.run = _Run()
        for node, outcome, asked in zip(nodes, run.outcomes, run.asked, strict=False):
            possible = self.rows.possible(node // KINDS) if node % KINDS == CHOICE else (0,)
            left = list(possible[: possible.index(outcome)])
            own.again(node, outcome, asked, _Step(left, own.forks + (len(possible) > 1)))
        own.shared = run.shared
        return own

    def _list_guessed(self) -> None:
        """Append the nodes of the runs that were as they had been guessed."""
        for known, leaf in zip(self._guess, self._leaves, strict=False):
            self.taken.keep(known)
            self._append(known.new_nodes, leaf)

    def _append(self, nodes: Iterable[int], leaf: int) -> None:
        self.nodes.extend(nodes)
        self.nodes.append(leaf)
        if len(self.nodes) > self._limit:
            raise UnboundedError(
                f"the runs of the mechanism have more than {self._limit} choices and attempts: use a smaller domain, "
                "or raise the choice budget"
            )


class RunLister:
    """Lists the runs of one program on one data set after another.

    Args:
        key: outputs with equal keys are one; it may refuse an output with `InputError`.
    """

    def __init__(self, key: Callable[[Any], Hashable] = lambda output: output) -> None:
        self._key = key
        self._guess: tuple[WeightRows, Sequence[KnownPath]] = WeightRows(), ()

    def list(self, program: Callable[[Source], Any], limit: int, least: Fraction | None = None) -> Runs:
        """Every run of the program on a data set; its outputs are their keys.

        Args:
            program: draws every choice from the source that it is given.
            limit: how many nodes may be listed.
            least: where given, runs are cut at their first choice before which they are less probable than this.

        Raises:
            InputError: weights are no exact probabilities that sum to 1, or there are more nodes than the limit.
        """
        if least is not None:
            return _listed(_Listing(program, self._key, limit, least, None))
        guess, self._guess = self._guess, (WeightRows(), ())
        listing = _Listing(program, self._key, limit, None, guess)
        runs = _listed(listing)
        if listing.taken.paths:
            self._guess = listing.rows, listing.taken.paths
        return runs


def _listed(listing: _Listing) -> Runs:
    listing.list_all()
    return Runs(tuple(listing.rows.numbers), tuple(listing.numbers), listing.nodes)


def list_runs(
    program: Callable[[Source], Any],
    limit: int,
    key: Callable[[Any], Hashable] = lambda output: output,
    least: Fraction | None = None,
) -> Runs:
    """Every run of a program on one data set alone; see `RunLister.list`."""
    return _listed(_Listing(program, key, limit, least, None))

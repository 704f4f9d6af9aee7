"""Lists the runs of a program (`interpreters.choice_runs`): last outcomes first, its attempts inlined.

It shares no code with `interpreters.choice_follower` and meets the choices in another order, so that a fault of either,
an attempt with effects besides its result, or a program that remembers its runs shows as a difference of the two laws.
On one data set after another the runs of the one before are played again, each choice compared with what was met there.
At the first that differs the listing begins anew, and has to begin with the runs that were alike.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.choice_runs import CHOICE, CLOSE, KINDS, OPEN, OUTPUT, REJECT, Runs
from stirred.mechanisms.source import (
    PublicSource,
    Raised,
    RestartError,
    Source,
    UnboundedError,
    Weight,
    bernoulli_weights,
    check_run_length,
    check_weights,
    result_key,
)
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Probability

_DIFFERED = "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"

_MOST_PLACES = 1_000_000
"""Of all runs that are kept to be played on the next data set."""

_MOST_MISSES = 3
"""After so many data sets in a row whose runs were others than those before, runs are played again no more."""

ANY = object()
"""In the place of an object that a program chose by where it may stand for other weights when it is met again."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """Checked weights: their number among the distinct ones, their outcomes that are possible, what stands for them."""

    weights: tuple[Weight, ...]
    number: int
    possible: tuple[int, ...]
    asked: object


class RunRows:
    """The distinct weights of a program's choices, numbered as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[Weight, ...], int] = {}
        self._last: RunRow | None = None
        self._by_numbers: dict[Hashable, RunRow] = {}

    def row(self, asked: Any, given: Callable[[Any], Sequence[Weight | int]]) -> RunRow:
        """The weights that an object stands for."""
        if self._last is not None and self._last.asked is asked:
            return self._last
        numbers = _numbers(asked)
        known = self._by_numbers.get(numbers)  # none is known by None
        if known is None:
            known = self._checked(given(asked), asked if numbers is not None and type(asked) is not list else ANY)
            if numbers is not None:
                self._by_numbers[numbers] = known
        self._last = known
        return known

    def _checked(self, given: Sequence[Weight | int], asked: object) -> RunRow:
        weights = check_weights(given)
        number = self.numbers.setdefault(weights, len(self.numbers))
        return RunRow(weights, number, tuple(place for place, weight in enumerate(weights) if weight), asked)


def _numbers(asked: object) -> Hashable:
    """What is left of a number, a list or a tuple of numbers without their identity; None where it is something else.

    Whole numbers are hashed faster than fractions. A list is no tuple: it can be another one later.
    """
    if type(asked) is int or type(asked) is Fraction:
        return asked.as_integer_ratio()
    if type(asked) is not list and type(asked) is not tuple:
        return None
    flat: list[object] = [type(asked)]
    for one in asked:
        if type(one) is not Fraction and type(one) is not int:
            return None
        flat += one.as_integer_ratio()
    return tuple(flat)


@dataclass(frozen=True, slots=True)
class _Played:
    """A run that was played, to be played again.

    Attributes:
        asked: what the program chose by, place by place, and once `ANY` at the end.
        outcomes: what it was told; 0 where an attempt begins or ends.
        nodes: of choices, and of where attempts begin or end.
        new: of these, those behind the places that the run before it has too.
    """

    asked: tuple[object, ...]
    outcomes: tuple[int, ...]
    nodes: tuple[int, ...]
    new: array[int]


@dataclass(slots=True)
class _Step:
    """What was done at one place of the present run.

    Attributes:
        left: the outcomes of a choice that are still to be taken, the next one last.
        forks: the choices up to this one that could have fallen otherwise.
        weights: of a choice.
        reached: the probability of getting there, where improbable runs are cut; else 1.
    """

    left: list[int]
    forks: int
    weights: Sequence[Weight]
    reached: Fraction


class _Run:
    """The present run, what was done on it at one place each of all lists; see `_Played`."""

    def __init__(self) -> None:
        self.asked: list[object] = [ANY]
        self.outcomes: list[int] = []
        self.nodes: list[int] = []
        self.shared = 0
        self._steps: list[_Step] = []

    @property
    def forks(self) -> int:
        """How many of its choices could have fallen otherwise."""
        return self._steps[-1].forks if self._steps else 0

    def reached(self) -> Fraction:
        """The probability of what was done."""
        if not self._steps:
            return Fraction(1)
        last = self._steps[-1]
        return last.reached * _number(last.weights[self.outcomes[-1]]) if last.weights else last.reached

    def go_on(
        self,
        node: int,
        reached: Fraction,
        possible: Sequence[int] = (0,),
        asked: object = ANY,
        weights: Sequence[Weight] = (),
    ) -> None:
        """Add a place, where the last of the possible outcomes is taken."""
        *left, outcome = possible
        self._steps.append(_Step(left, self.forks + bool(left), weights, reached))
        self.nodes.append(node)
        self.outcomes.append(outcome)
        self.asked[-1] = asked
        self.asked.append(ANY)

    def played(self) -> _Played:
        """The run as it is now."""
        return _Played(
            tuple(self.asked), tuple(self.outcomes), tuple(self.nodes), array("q", self.nodes[self.shared :])
        )

    def go_back(self) -> bool:
        """Take the next outcome of the last choice that has one left; False where none has."""
        while self._steps and not self._steps[-1].left:
            for part in (self._steps, self.nodes, self.outcomes, self.asked):
                part.pop()
            self.asked[-1] = ANY
        if self._steps:
            self.outcomes[-1] = self._steps[-1].left.pop()
        self.shared = len(self._steps)
        return bool(self._steps)


def _number(weight: Weight) -> Fraction:
    if not isinstance(weight, Fraction):
        raise UnboundedError("a loop without end must choose by exact numbers, with no parameter left open")
    return weight


class _Player(Source):
    """Plays a run from the beginning, and goes on with the last possible outcome of every choice that is new."""

    def __init__(self, listing: _Listing) -> None:
        self._listing = listing
        self._asked: Sequence[object] = listing.run.asked
        self._outcomes: Sequence[int] = listing.run.outcomes
        self.place = 0
        self.is_cut = False

    def choose(self, weights: Sequence[Weight | int]) -> int:
        place = self.place
        if self._asked[place] is weights:
            self.place = place + 1
            return self._outcomes[place]
        return self._chosen(weights, lambda given: given)

    def bernoulli(self, p: Probability | int) -> bool:
        place = self.place
        asked = self._asked[place]
        if asked is p or (type(p) is Fraction is type(asked) and p.as_integer_ratio() == asked.as_integer_ratio()):
            self.place = place + 1
            return self._outcomes[place] == 1
        return self._chosen(p, bernoulli_weights) == 1

    def _chosen(self, asked: Any, given: Callable[[Any], Sequence[Weight | int]]) -> int:
        row = self._listing.rows.row(asked, given)
        if not self._is_next(KINDS * row.number + CHOICE):
            self.is_cut = self.is_cut or not self._listing.choose(self.place, row)
            if self.is_cut:
                raise RestartError
        self.place += 1
        return self._outcomes[self.place - 1]

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        self._mark(OPEN)
        try:
            result = body(PublicSource(self))  # a restart ends the run: its mass is a term of a geometric series
        except Exception as error:
            if self._listing.is_raising:
                Raised(error)
                self._mark(CLOSE)
            raise
        self._mark(CLOSE)
        return result

    def _mark(self, node: int) -> None:
        if not self._is_next(node):
            self._listing.mark(self.place, node)
        self.place += 1

    def _is_next(self, node: int) -> bool:
        return self.place < len(self._outcomes) and self._listing.run.nodes[self.place] == node


@dataclass
class _Listing:
    """The runs of one program on one data set.

    Attributes:
        program, key, limit, least, is_raising: see `RunLister`.
        run: the present one; on a data set behind another, one of that, to which nothing can be added.
        played: the runs, to be played on the next data set; None where they are too many, or not asked for.
        is_other: whether a run was another one than on the data set before.
    """

    program: Callable[[Source], Any]
    key: Callable[[Any], Hashable]
    limit: int
    least: Fraction | None
    rows: RunRows = field(default_factory=RunRows)
    run: _Run | _Played = field(default_factory=_Run)
    numbers: dict[Hashable, int] = field(default_factory=dict)
    nodes: array[int] = field(default_factory=lambda: array("q"))
    played: list[_Played] | None = None
    is_other: bool = False
    is_raising: bool = False

    def runs(self) -> Runs:
        """What was listed."""
        return Runs(tuple(self.rows.numbers), tuple(self.numbers), self.nodes)

    def play(self, before: Sequence[_Played]) -> bool:
        """Play runs again; False at the first that is another one."""
        for self.run in before:
            with suppress(RestartError):
                leaf = self._leaf()
            if self.is_other:
                return False
            self._append(self.run.new, leaf)
        return True

    def list_all(self, alike: array[int] | None = None) -> None:
        """Play all runs.

        Args:
            alike: nodes that the listing has to begin with, if any.
        """
        run, places = _Run(), 0
        self.run = run
        while True:
            leaf = self._leaf()
            if self.played is not None:
                places += len(run.nodes)
                self.played.append(run.played())
                if places > _MOST_PLACES:
                    self.played = None
            self._append(array("q", run.nodes[run.shared :]), leaf)
            if not run.go_back():
                break
        if alike is not None and self.nodes[: len(alike)] != alike:
            raise InputError(_DIFFERED)

    def choose(self, place: int, row: RunRow) -> bool:
        """Go on with a choice that is new; whether the run is not improbable."""
        run = self._own_run(place)
        reached = self._reached(run)
        if self.least is not None and reached < self.least:
            return False
        self._check_length(place)
        run.go_on(KINDS * row.number + CHOICE, reached, row.possible, row.asked, row.weights)
        check_run_length(run.forks)
        return True

    def mark(self, place: int, node: int) -> None:
        """Go on with the beginning or the end of an attempt, which is new."""
        run = self._own_run(place)
        self._check_length(place)
        run.go_on(node, self._reached(run))

    def _reached(self, run: _Run) -> Fraction:
        return Fraction(1) if self.least is None else run.reached()

    def _own_run(self, place: int) -> _Run:
        if isinstance(self.run, _Played):
            self.is_other = True
            raise RestartError
        if place < self.run.shared:
            raise InputError(_DIFFERED)
        return self.run

    def _check_length(self, place: int) -> None:
        if place >= self.limit:
            raise UnboundedError(f"one run of the mechanism made more than {self.limit} choices and attempts")

    def _leaf(self) -> int:
        """Play the present run; returns the node that it ends with."""
        player = _Player(self)
        try:
            try:
                output = self.program(PublicSource(player))
            except Exception as error:
                if not self.is_raising:
                    raise
                output = Raised(error)
        except RestartError:
            leaf = KINDS * player.is_cut + REJECT
        else:
            if player.is_cut:
                raise InputError("a mechanism must not catch what leaves an attempt")
            key = result_key(output, self.key) if self.is_raising else self.key(output)
            leaf = KINDS * self.numbers.setdefault(key, len(self.numbers)) + OUTPUT
        if player.place != len(self.run.outcomes):
            self._own_run(player.place)
        return leaf

    def _append(self, nodes: array[int], leaf: int) -> None:
        self.nodes.extend(nodes)
        self.nodes.append(leaf)
        if len(self.nodes) > self.limit:
            raise UnboundedError(
                f"the runs of the mechanism have more than {self.limit} choices and attempts: use a smaller domain, "
                "or raise the choice budget"
            )


class RunLister:
    """Lists the runs of one program on one data set after another.

    Args:
        key: outputs with equal keys are one; it may refuse an output with `InputError`.
        is_raising: whether what the program raises is an output, see `mechanisms.source.Raised`.
    """

    def __init__(self, key: Callable[[Any], Hashable] = lambda output: output, *, is_raising: bool = False) -> None:
        self._key = key
        self._is_raising = is_raising
        self._before: tuple[RunRows, Sequence[_Played]] = RunRows(), ()
        self._misses = 0

    def list(self, program: Callable[[Source], Any], limit: int, least: Fraction | None = None) -> Runs:
        """Every run of the program on a data set; its outputs are their keys.

        Args:
            limit: how many nodes may be listed.
            least: where given, runs are cut at their first choice before which they are less probable than this.
        """
        if least is not None:
            return list_runs(program, limit, self._key, least, is_raising=self._is_raising)
        rows, before = self._before
        alike = None
        if before:
            again = _Listing(program, self._key, limit, None, rows, is_raising=self._is_raising)
            if again.play(before):
                self._misses = 0
                return again.runs()
            self._misses += 1
            alike = again.nodes
        self._before = RunRows(), ()
        played: list[_Played] | None = [] if self._misses < _MOST_MISSES else None
        listing = _Listing(program, self._key, limit, None, played=played, is_raising=self._is_raising)
        listing.list_all(alike)
        self._before = listing.rows, listing.played or ()
        return listing.runs()


def list_runs(
    program: Callable[[Source], Any],
    limit: int,
    key: Callable[[Any], Hashable] = lambda output: output,
    least: Fraction | None = None,
    *,
    is_raising: bool = False,
) -> Runs:
    """Every run of a program on one data set alone; see `RunLister.list`."""
    listing = _Listing(program, key, limit, least, is_raising=is_raising)
    listing.list_all()
    return listing.runs()

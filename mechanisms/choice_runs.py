"""The runs of a mechanism, listed a second way: from its beginning, last outcomes first, its attempts inlined.

It shares no code with `mechanisms.choice_tree` and meets the choices in another order, so that a fault of either, an
attempt with effects besides its result, or a program that remembers its runs shows as a difference of the two laws.

Runs are plain data: a tree in preorder, each node one integer 5·value + kind:

- CHOICE: value is the index of its weights; the subtrees of its outcomes of positive weight follow, last outcome first;
- OUTPUT: value is the index of the output; a leaf;
- REJECT: the innermost open attempt, or else the whole program, begins again; or, where value is 1, the run was cut
  there since it is improbable, and nothing is known of what follows; a leaf;
- OPEN and CLOSE: an attempt begins, or ends with a result; the rest of the run follows.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from mechanisms.choice_weights import Row, WeightRows
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
from spec.law import Probability
from spec.rational_function import RationalFunction

__all__ = [
    "CHOICE",
    "CLOSE",
    "OPEN",
    "OUTPUT",
    "REJECT",
    "Runs",
    "by_output",
    "has_cuts",
    "list_runs",
    "output_masses",
    "run_masses",
]

CHOICE, OUTPUT, REJECT, OPEN, CLOSE = range(5)
_KINDS = 5

_NO_TREE = "the nodes of the runs must be exactly one tree, with weights and outputs it has"


@dataclass(frozen=True)
class Runs:
    """Every run of a program.

    Attributes:
        weights: the distinct weights of choices; each sums to 1.
        outputs: the distinct outputs.
        nodes: the nodes in preorder, each 5·value + kind.
    """

    weights: Sequence[tuple[Weight, ...]]
    outputs: Sequence[Any]
    nodes: Sequence[int]


@dataclass
class _Script(Source):
    """Plays a script of outcomes from the beginning, and goes on with the last possible outcome of every new choice."""

    script: list[int]
    left: list[list[int]]  # for each choice of the script, the outcomes still to be taken
    rows: WeightRows
    limit: int
    least: Fraction | None  # the probability below which a run is cut
    masses: list[Fraction]  # the probabilities of the script's beginnings, where runs are cut
    is_cut: bool = False
    nodes: list[int] = field(default_factory=list)
    place: int = 0
    fresh: int = 0  # the nodes of this run that were listed by an earlier one
    forks: int = 0  # the choices of this run that could have fallen otherwise

    def choose(self, weights: Sequence[Weight | int]) -> int:
        return self._played(self.rows.row(weights, lambda: weights))

    def bernoulli(self, p: Probability | int) -> bool:
        return self._played(self.rows.row(p, lambda: bernoulli_weights(p))) == 1

    def _played(self, row: Row) -> int:
        if self.is_cut or (self.least is not None and self.masses[self.place] < self.least):
            self.is_cut = True
            raise RestartError
        self.nodes.append(_KINDS * row.number + CHOICE)
        self.place += 1
        self.forks += len(row.possible) > 1
        check_run_length(self.forks)
        if self.place > len(self.script):
            if self.limit <= len(self.script):
                raise UnboundedError(f"one run of the mechanism made more than {self.limit} choices")
            possible = list(row.possible)
            self.script.append(possible.pop())
            self.left.append(possible)
        elif self.place == len(self.script):
            self.fresh = len(self.nodes)
        outcome = self.script[self.place - 1]
        if self.least is not None and self.place >= len(self.script):
            self.masses[self.place :] = [self.masses[self.place - 1] * _number(row.weights[outcome])]
        return outcome

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        self.nodes.append(OPEN)
        result = body(PublicSource(self))  # a restart ends the run: its mass is a term of a geometric series
        self.nodes.append(CLOSE)
        return result


def _number(weight: Weight) -> Fraction:
    """A weight as a number.

    Raises:
        UnboundedError: it is none: which runs are improbable is not known.
    """
    if not isinstance(weight, Fraction):
        raise UnboundedError("a loop without end must choose by exact numbers, with no parameter left open")
    return weight


def list_runs(
    program: Callable[[Source], Any],
    limit: int,
    key: Callable[[Any], Hashable] = lambda output: output,
    least: Fraction | None = None,
) -> Runs:
    """Every run of a program.

    Args:
        program: draws every choice from the source that it is given.
        limit: how many nodes may be listed.
        key: outputs with equal keys are one output; it may refuse an output with `InputError`.
        least: where given, runs are cut at their first choice after which they are less probable than this.

    Raises:
        InputError: weights are no exact probabilities that sum to 1, or there are more nodes than the limit.
    """
    rows = WeightRows()
    numbers: dict[Hashable, int] = {}
    outputs: list[Any] = []
    nodes = array("q")
    script: list[int] = []
    left: list[list[int]] = []
    before: list[int] = []
    masses = [Fraction(1)]
    while True:
        played = len(script)
        run = _Script(script, left, rows, limit, least, masses)
        try:
            output = program(PublicSource(run))
        except RestartError:
            leaf = _KINDS * run.is_cut + REJECT
        else:
            if run.is_cut:
                raise InputError("a mechanism must not catch what leaves an attempt")
            number = numbers.setdefault(key(output), len(outputs))
            if number == len(outputs):
                outputs.append(output)
            leaf = _KINDS * number + OUTPUT
        if run.place < played or run.nodes[: run.fresh] != before[: run.fresh]:
            raise InputError(
                "the mechanism must draw all of its randomness from its source; two runs on the same choices differed"
            )
        before = run.nodes
        nodes.extend(run.nodes[run.fresh :])
        nodes.append(leaf)
        if len(nodes) > limit:
            raise UnboundedError(
                f"the runs of the mechanism have more than {limit} choices and attempts: use a smaller domain, or "
                "raise the choice budget"
            )
        while left and not left[-1]:
            left.pop()
            script.pop()
        if not left:
            return Runs(tuple(rows.numbers), tuple(outputs), nodes)
        script[-1] = left[-1].pop()


def has_cuts(nodes: Sequence[int]) -> bool:
    """Whether some run was cut.

    >>> has_cuts([0, OUTPUT, REJECT]), has_cuts([0, OUTPUT, _KINDS + REJECT])
    (False, True)
    """
    return _KINDS + REJECT in nodes


def run_masses(runs: Runs, number: Callable[[Fraction], Any]) -> dict[Any, Any]:
    """The probability of every output, in the arithmetic that `number` turns exact weights into.

    Raises:
        InputError: the nodes are no tree, or the program restarts with probability 1.
    """
    return by_output(runs, output_masses(runs.weights, runs.nodes, number))


def by_output(runs: Runs, masses: Sequence[Any]) -> dict[Any, Any]:
    """The probabilities that `output_masses` gives, by output.

    Raises:
        InputError: there are fewer outputs.
    """
    if len(runs.outputs) < len(masses):
        raise InputError(_NO_TREE)
    return dict(zip(runs.outputs, masses, strict=False))


def output_masses(rows: Sequence[tuple[Weight, ...]], nodes: Sequence[int], number: Callable[[Any], Any]) -> list[Any]:
    """The probabilities of the outputs, by number.

    An attempt that is rejected with probability r is begun once, twice, …: its runs have the weight 1 + r + r² + … =
    1/(1 − r), and so has the whole program. Where runs were cut these are lower bounds: what follows a cut could
    only add to the outputs' masses and to r.

    Raises:
        InputError: the nodes are no tree, or the program restarts with probability 1.
    """
    weights = [[number(weight) for weight in reversed(row) if weight] for row in rows]
    masses: list[Any] = []
    try:
        rejected, series = _series(nodes, weights, number)
        for value, reached in _leaves(nodes, weights, series, number):
            while value >= len(masses):
                masses.append(number(Fraction(0)))
            masses[value] += reached
    except IndexError:
        raise InputError(_NO_TREE) from None
    repeated = _repeated(rejected, number)
    return [mass * repeated for mass in masses]


def _repeated(rejected: Any, number: Callable[[Fraction], Any]) -> Any:
    kept = number(Fraction(1)) - rejected
    if not kept or (not isinstance(kept, RationalFunction) and kept < 0):
        raise InputError("the mechanism restarts with probability 1, so it never finishes")
    return 1 / kept


def _series(
    nodes: Sequence[int], weights: Sequence[Sequence[Any]], number: Callable[[Fraction], Any]
) -> tuple[Any, dict[int, Any]]:
    """The probability that the whole program restarts, and 1/(1 − r) for each attempt, by the place of its OPEN."""
    zero, one = number(Fraction(0)), number(Fraction(1))
    series: dict[int, Any] = {}
    depth = 0
    # each entry: kind, place, the subtrees that have been summed, and by depth the mass that restarts there
    stack: list[tuple[int, int, list[int], dict[int, Any]]] = []
    for place, node in enumerate(nodes):
        value, kind = divmod(node, _KINDS)
        if kind in (CHOICE, OPEN, CLOSE):
            depth += (kind == OPEN) - (kind == CLOSE)
            stack.append((kind, value if kind == CHOICE else place, [0], {}))
            continue
        found = {depth: one} if node == REJECT else {}
        while stack:
            kind, value, summed, sums = stack[-1]
            if kind == CHOICE:
                weight = weights[value][summed[0]]
                summed[0] += 1
                for level, mass in found.items():
                    sums[level] = sums.get(level, zero) + weight * mass
                if summed[0] < len(weights[value]):
                    break
                found = sums
            elif kind == OPEN:
                series[value] = _repeated(found.pop(depth, zero), number)
                found = {level: mass * series[value] for level, mass in found.items()}
                depth -= 1
            else:
                depth += 1
            stack.pop()
        else:
            if place != len(nodes) - 1:
                raise IndexError
            return found.get(0, zero), series
    raise IndexError


def _leaves(
    nodes: Sequence[int],
    weights: Sequence[Sequence[Any]],
    series: dict[int, Any],
    number: Callable[[Fraction], Any],
) -> Any:
    """Each output's number with the probability of reaching that leaf, rejections summed."""
    reached = number(Fraction(1))
    stack: list[list[Any]] = []
    for place, node in enumerate(nodes):
        value, kind = divmod(node, _KINDS)
        if kind == CHOICE:
            stack.append([reached * weight for weight in reversed(weights[value])])
            reached = stack[-1].pop()
            continue
        if kind == OPEN:
            reached = reached * series[place]
            continue
        if kind == CLOSE:
            continue
        if kind == OUTPUT:
            yield value, reached
        while stack and not stack[-1]:
            stack.pop()
        if stack:
            reached = stack[-1].pop()

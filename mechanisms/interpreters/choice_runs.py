"""The runs of a mechanism: all of its choices, listed a second way (`interpreters.run_lister`), with probabilities.

It shares no code with `interpreters.choice_tree`, so that a fault of either shows as a difference of the two laws.

Runs are plain data: a tree in preorder, each node one integer 5·value + kind:

- CHOICE: value is the index of its weights; the subtrees of its outcomes of positive weight follow, last outcome first;
- OUTPUT: value is the index of the output; a leaf;
- REJECT: the innermost open attempt, or else the whole program, begins again; or, where value is 1, the run was cut
  there since it is improbable, and nothing is known of what follows; a leaf;
- OPEN and CLOSE: an attempt begins, or ends with a result; the rest of the run follows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.source import Weight
from stirred.spec.arguments import InputError
from stirred.spec.numbers.rational_function import RationalFunction

CHOICE, OUTPUT, REJECT, OPEN, CLOSE = range(5)
KINDS = 5

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


def has_cuts(nodes: Sequence[int]) -> bool:
    """Whether some run was cut.

    >>> has_cuts([0, OUTPUT, REJECT]), has_cuts([0, OUTPUT, KINDS + REJECT])
    (False, True)
    """
    return KINDS + REJECT in nodes


def run_masses(runs: Runs, number: Callable[[Fraction], Any]) -> dict[Any, Any]:
    """The probability of every output, in the arithmetic that `number` turns exact weights into."""
    return by_output(runs, output_masses(runs.weights, runs.nodes, number))


def by_output(runs: Runs, masses: Sequence[Any]) -> dict[Any, Any]:
    """The probabilities that `output_masses` gives, by output."""
    if len(runs.outputs) < len(masses):
        raise InputError(_NO_TREE)
    return dict(zip(runs.outputs, masses, strict=False))


def output_masses(rows: Sequence[tuple[Weight, ...]], nodes: Sequence[int], number: Callable[[Any], Any]) -> list[Any]:
    """The probabilities of the outputs, by number.

    An attempt that is rejected with probability r is begun once, twice, …: its runs have the weight 1 + r + r² + … =
    1/(1 − r), and so has the whole program. Where runs were cut these are lower bounds: what follows a cut could
    only add to the outputs' masses and to r.
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
        value, kind = divmod(node, KINDS)
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
    nodes: Sequence[int], weights: Sequence[Sequence[Any]], series: dict[int, Any], number: Callable[[Fraction], Any]
) -> Any:
    """Each output's number with the probability of reaching that leaf, rejections summed."""
    reached = number(Fraction(1))
    stack: list[list[Any]] = []
    for place, node in enumerate(nodes):
        value, kind = divmod(node, KINDS)
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

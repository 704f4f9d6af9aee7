"""Choice trees and runs of a mechanism over common tables of weights, outputs and shapes."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, ChoiceFollower
from stirred.mechanisms.interpreters.choice_runs import Runs
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.mechanisms.interpreters.program_state import ProgramStates
from stirred.mechanisms.interpreters.run_lister import RunLister
from stirred.mechanisms.source import Source, UnboundedError
from stirred.verify.laws.messages import NODES_PER_CHOICE, TREE, weight_text
from stirred.verify.laws.plain import PlainTexts

_CUT_BITS = (12, 16, 24, 32, 64, 128)
"""Runs that are less probable than 2 to the minus these are cut where there are loops: the most for which the runs are
not too many."""

_MOST_CUT = 10_000
"""Nodes of the other runs."""


def merged(replies: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The replies of several listings as one, over common tables."""
    weights: dict[tuple[str, ...], int] = {}
    outputs: dict[str, int] = {}
    shapes: dict[bytes, int] = {}
    trees: list[list[Any]] = []
    unusual = {text for reply in replies for text in reply["kinds"]}
    kinds: dict[str, list[str]] = {text: [] for text in sorted(unusual)}
    for reply in replies:
        for text in unusual.intersection(reply["outputs"]):
            kinds[text].append(reply["kinds"].get(text, ""))
        row_of = [weights.setdefault(tuple(row), len(weights)) for row in reply["weights"]]
        name_of = [outputs.setdefault(name, len(outputs)) for name in reply["outputs"]]
        shape_of = [shapes.setdefault(nodes, len(shapes)) for nodes in reply["shapes"]]
        trees += (
            [[row_of[row] for row in rows], [name_of[name] for name in names], shape_of[shape]]
            for rows, names, shape in reply["trees"]
        )
    return {
        "weights": list(map(list, weights)),
        "outputs": list(outputs),
        "shapes": [array("q", nodes).tolist() for nodes in shapes],
        "trees": trees,
        "kinds": kinds,
        "publishes_sets": any(reply["publishes_sets"] for reply in replies),
    }


class Listing:
    """Choice trees, or runs, over common tables of weights, outputs and shapes, which are the nodes of trees.

    Where a run has no end in sight, trees go back to states that were met before, and improbable runs are cut. What a
    program raises is an output, where that is asked for.
    """

    def __init__(self, kind: str, most: int, states: ProgramStates, *, is_raising: bool) -> None:
        self._kind = kind
        self._most = most
        self._states = states
        self._has_loops = False
        self._weights: dict[tuple[Any, ...], int] = {}
        self._outputs: dict[str, int] = {}
        self._shapes: dict[bytes, int] = {}
        self._trees: list[list[Any]] = []
        self._texts = PlainTexts(is_foreign=True)
        self._follower = ChoiceFollower(self._texts, is_raising=is_raising)
        self._lister = RunLister(self._texts, is_raising=is_raising)
        self.choices = 0

    def add(self, program: Callable[[Source], Any]) -> None:
        found, unbounded = None, None
        try:
            found = self._found(program)
        except UnboundedError as error:
            if self._has_loops:
                raise
            unbounded = error
        if found is None:  # not while that is handled: what the program raises would be raised on its account
            self._has_loops = True
            try:
                found = self._found(program)
            except UnboundedError:
                raise unbounded or UnboundedError from None
        rows = [self._weights.setdefault(row, len(self._weights)) for row in found.weights]
        names = [self._outputs.setdefault(output, len(self._outputs)) for output in found.outputs]
        shape = self._shapes.setdefault(array("q", found.nodes).tobytes(), len(self._shapes))
        self._trees.append([rows, names, shape])

    def _found(self, program: Callable[[Source], Any]) -> ChoiceTree | Runs:
        if self._kind == TREE:
            budget = ChoiceBudget(self._most)
            tree = self._follower.follow(program, budget, self._states if self._has_loops else None)
            self.choices += budget.used
            return tree
        if not self._has_loops:
            return self._lister.list(program, NODES_PER_CHOICE * self._most)
        most = min(_MOST_CUT, NODES_PER_CHOICE * self._most)
        runs = self._lister.list(program, most, Fraction(1, 2 ** _CUT_BITS[0]))
        with suppress(UnboundedError):
            for bits in _CUT_BITS[1:]:
                runs = self._lister.list(program, most, Fraction(1, 2**bits))
        return runs

    def reply(self) -> dict[str, Any]:
        return {
            "weights": [[weight_text(weight) for weight in row] for row in self._weights],
            "outputs": list(self._outputs),
            "shapes": list(self._shapes),
            "trees": self._trees,
            "kinds": self._texts.kinds,
            "publishes_sets": self._texts.has_sets,
        }

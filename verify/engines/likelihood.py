"""Independent likelihoods in `mpmath` at 50 digits and more: a second computation beside every exact one.

It shares no code with the law interpreter: the runs of a program are listed by `interpreters.choice_runs`, rejection is
a geometric series summed to its closed form, arithmetic is binary floating point with 60 decimal digits. A disagreement
is a fault of the tool, or of a program whose attempts have effects besides their results (`EngineError`); it is never a
matter of rounding.
"""

import contextlib
import sys
from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath

from stirred.mechanisms.interpreters.choice_runs import Runs, by_output, output_masses, run_masses
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree, tree_law, tree_masses
from stirred.mechanisms.interpreters.run_lister import list_runs
from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.verify.evidence.finding import EngineError

_CONTEXT = mpmath.MPContext()
_CONTEXT.dps = 60
_TOLERANCE = _CONTEXT.mpf(10) ** -50

MOST_NODES = 50_000_000
"""Nodes of the runs that are listed."""

_MOST_SHAPES = 2_000
"""Trees and runs whose probabilities are kept."""


def _float(value: object) -> Any:
    number = Fraction(value)  # type: ignore[call-overload]  # an int or a Fraction
    return _CONTEXT.mpf(number.numerator) / number.denominator


def approximate_law(mechanism: Callable[..., Any], data: Any, **parameters: Any) -> dict[Hashable, Any]:
    """The law of a mechanism's output on one data set as 60-digit numbers."""
    return run_masses(listed_runs(mechanism, data, **parameters), _float)


def listed_runs(mechanism: Callable[..., Any], data: Any, **parameters: Any) -> Runs:
    """Every run of a mechanism on one data set."""
    return list_runs(lambda source: mechanism(data, source, **parameters), MOST_NODES)


def check_against(law: Law[Any], approximate: dict[Hashable, Any], what: str) -> None:
    """Compare an exact law with its independent value."""
    for outcome in {*law, *approximate}:
        _check_outcome(law, outcome, approximate.get(outcome, 0), what)


def _check_outcome(law: Law[Any], outcome: Hashable, value: Any, what: str) -> None:
    exact = _float(law.numeric(outcome))
    if (exact == 0) != (value == 0) or abs(exact - value) > _TOLERANCE:
        raise EngineError(f"{what}: the exact probability of {outcome!r} and its independent value disagree")


class CheckedLaws:
    """Laws from choice trees, compared with their 60-digit values from runs; what several have in common is done once.

    On many data sets a mechanism makes the same choices and only its outputs differ: trees with the same nodes and
    weights have the same probabilities by number, and equal numbers are one object here.
    """

    def __init__(self) -> None:
        self._kept = _Kept()

    def law(self, tree: ChoiceTree) -> Law[Any]:
        """The law of a tree's output; see `interpreters.choice_tree.tree_law`."""
        if self._kept.is_full:
            self._kept = _Kept()
        kept, key = self._kept, self._key(tree)
        if key not in kept.exact:
            kept.exact[key] = kept.shared(tree_masses(tree.weights, tree.nodes))
        return tree_law(tree, kept.exact[key])

    def exact(self, runs: Runs) -> dict[Any, Any]:
        kept, key = self._kept, self._key(runs)
        if key not in kept.listed:
            kept.listed[key] = kept.shared(output_masses(runs.weights, runs.nodes, lambda weight: weight))
        return by_output(runs, kept.listed[key])

    def check(self, law: Law[Any], runs: Runs) -> None:
        """Compare a law that was just given with the independent value that runs have."""
        kept, key = self._kept, self._key(runs)
        if key not in kept.inexact:
            kept.inexact[key] = kept.shared(output_masses(runs.weights, runs.nodes, kept.float))
        approximate = by_output(runs, kept.inexact[key])
        if law.keys() != approximate.keys():
            check_against(law, approximate, "law")
            return
        values = map(id, map(approximate.__getitem__, law.keys()))
        pairs = dict(zip(zip(map(id, law.values()), values, strict=True), law.keys(), strict=True))
        for pair, outcome in pairs.items():
            if pair not in kept.agreeing:
                _check_outcome(law, outcome, approximate[outcome], "law")
                kept.agreeing[pair] = law[outcome], approximate[outcome]

    def _key(self, listed: ChoiceTree | Runs) -> tuple[tuple[int, ...], bytes]:
        return tuple(map(self._kept.row_number, listed.weights)), array("q", listed.nodes).tobytes()


@dataclass(eq=False)
class _Kept:
    """What several laws have in common; it is given up when full, as each data set may have a shape of its own.

    Exact numbers are of trees, listed and inexact ones of runs, these at 60 digits. Agreeing pairs are known by their
    identities, which no others get while they are held here.
    """

    exact: dict[Any, list[Any]] = field(default_factory=dict)
    listed: dict[Any, list[Any]] = field(default_factory=dict)
    inexact: dict[Any, list[Any]] = field(default_factory=dict)
    agreeing: dict[tuple[int, int], tuple[Any, Any]] = field(default_factory=dict)
    _numbers: dict[Any, Any] = field(default_factory=dict)
    _floats: dict[tuple[int, int], Any] = field(default_factory=dict)
    _rows: dict[int, tuple[tuple[Any, ...], int]] = field(default_factory=dict)
    _row_numbers: dict[tuple[Any, ...], int] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        return max(len(self._rows), len(self.exact), len(self.listed), len(self.inexact)) >= _MOST_SHAPES

    def shared(self, masses: Sequence[Any]) -> list[Any]:
        """Numbers, each as the one object that stands for all equal ones."""
        return [self._numbers.setdefault(_parts(mass), mass) for mass in masses]

    def float(self, value: Fraction) -> Any:
        """A number at 60 digits, computed once."""
        parts = value.as_integer_ratio()
        if parts not in self._floats:
            self._floats[parts] = _float(value)
        return self._floats[parts]

    def row_number(self, row: tuple[Any, ...]) -> int:
        """The number of some weights; hashing many fractions is slow, so that an object is hashed once."""
        known = self._rows.get(id(row))
        if known is None:  # the object is held here, so that no other one gets its id
            known = self._rows[id(row)] = row, self._row_numbers.setdefault(row, len(self._row_numbers))
        return known[1]


def _parts(mass: Any) -> Any:
    """What is hashed faster than the number itself, and is equal for equal ones of its kind."""
    return mass.as_integer_ratio() if type(mass) is Fraction else getattr(mass, "_mpf_", mass)


def check_ratio(p: Fraction, q: Fraction, loss: Loss, what: str) -> None:
    """Compare an exact loss at distance 1 with |ln p − ln q| at 60 digits."""
    if loss.gamma is None or p == 0 or q == 0:
        if not (loss.gamma is None and (p == 0) != (q == 0)):
            raise EngineError(f"{what}: the exact loss and its independent value disagree about being infinite")
        return
    value = abs(_CONTEXT.log(_float(p)) - _CONTEXT.log(_float(q)))
    if abs(value - _CONTEXT.log(_float(loss.gamma)) / loss.distance) > _TOLERANCE:
        raise EngineError(f"{what}: the exact loss and its independent value disagree")


@contextlib.contextmanager
def contained(where: str) -> Iterator[None]:
    """Run a mechanism: its output goes to stderr, and whatever it raises becomes one line."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except (InputError, EngineError) as error:
        raise type(error)(f"{where}: {error}") from None
    except RecursionError:
        raise InputError(f"{where}: it recurses without end") from None
    except (Exception, SystemExit) as error:
        lines = str(error).splitlines() or [""]
        raise InputError(f"{where}: it raised {type(error).__name__}{': ' if lines[0] else ''}{lines[0]}") from None

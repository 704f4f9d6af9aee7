"""Independent likelihoods in `mpmath` at 50 digits and more: a second computation beside every exact one.

It shares no code with the law interpreter: choices are listed as explicit sequences of indices and the program is
re-run from its beginning on each, its attempts included; rejection is a geometric series summed to its closed form;
arithmetic is binary floating point with 60 decimal digits. A disagreement is a fault of the tool, or of a program
whose attempts have effects besides their results (`EngineError`); it is never a matter of rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

import mpmath

from mechanisms.source import RestartError, Source
from spec.law import Law, Probability
from spec.loss import Loss
from verify.evidence import EngineError

__all__ = ["approximate_law", "check_against", "check_ratio"]

_CONTEXT = mpmath.MPContext()
_CONTEXT.dps = 60
_TOLERANCE = _CONTEXT.mpf(10) ** -50


def _float(value: object) -> Any:
    number = Fraction(value)  # type: ignore[call-overload]  # an int or a Fraction
    return _CONTEXT.mpf(number.numerator) / number.denominator


class _OutOfChoices(Exception):  # noqa: N818 a signal, not an error
    def __init__(self, weights: Sequence[Any]) -> None:
        super().__init__()
        self.weights = weights


class _Rejected(Exception):  # noqa: N818 a signal, not an error
    pass


_Attempt = tuple[tuple[int, ...], int]
"""An attempt on a path: the choices made before it begins, and how many attempts had begun by then."""


class _Scripted(Source):
    """Plays a script of choices from the beginning of the program; asks for more by raising.

    Attributes:
        closed: the attempts that have ended without a restart.
        rejected: the attempt that restarted, with its probability and the attempts closed inside it.
    """

    def __init__(self, script: tuple[int, ...]) -> None:
        self.script = script
        self.position = 0
        self.begun = 0
        self.probability = _CONTEXT.mpf(1)
        self.closed: list[_Attempt] = []
        self.rejected: tuple[_Attempt, Any, tuple[_Attempt, ...]] | None = None

    def choose(self, weights: Sequence[Probability | int]) -> int:
        if self.position == len(self.script):
            raise _OutOfChoices([_float(weight) for weight in weights])
        index = self.script[self.position]
        self.position += 1
        self.probability *= _float(tuple(weights)[index])
        return index

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        name = self.script[: self.position], self.begun
        self.begun += 1
        before, closed = self.probability, len(self.closed)
        try:
            result = body(self)
        except RestartError:
            self.rejected = name, self.probability / before, tuple(self.closed[closed:])
            raise _Rejected from None
        self.closed.append(name)
        return result


def _masses(body: Callable[[Source], Any]) -> dict[Hashable, Any]:
    paths: list[tuple[Hashable, Any, list[_Attempt]]] = []
    rejections: dict[_Attempt, list[tuple[Any, tuple[_Attempt, ...]]]] = {}
    scripts: list[tuple[int, ...]] = [()]
    while scripts:
        script = scripts.pop()
        source = _Scripted(script)
        try:
            outcome = source.attempt(body)
        except _OutOfChoices as more:
            scripts.extend((*script, index) for index, weight in enumerate(more.weights) if weight != 0)
        except _Rejected:
            if source.rejected is not None:
                name, probability, inside = source.rejected
                rejections.setdefault(name, []).append((probability, inside))
        else:
            paths.append((outcome, source.probability, source.closed))
    series: dict[_Attempt, Any] = {}

    def repeated(attempts: Sequence[_Attempt]) -> Any:
        """The product of the series 1 + r + r² + … = 1/(1−r): accepted at once, after one rejection, after two, ...."""
        product = _CONTEXT.mpf(1)
        for name in attempts:
            if name not in series:
                rejected = sum((q * repeated(inside) for q, inside in rejections.get(name, ())), _CONTEXT.mpf(0))
                series[name] = 1 / (1 - rejected)
            product *= series[name]
        return product

    masses: dict[Hashable, Any] = {}
    for outcome, probability, closed in paths:
        masses[outcome] = masses.get(outcome, _CONTEXT.mpf(0)) + probability * repeated(closed)
    return masses


def approximate_law(mechanism: Callable[..., Any], data: Any, **parameters: Any) -> dict[Hashable, Any]:
    """The law of a mechanism's output on one data set as 60-digit numbers."""
    return _masses(lambda source: mechanism(data, source, **parameters))


def check_against(law: Law[Any], approximate: dict[Hashable, Any], what: str) -> None:
    """Compare an exact law with its independent value.

    Raises:
        EngineError: they differ by more than 10^-50.
    """
    for outcome in {*law, *approximate}:
        exact = _float(law.numeric(outcome))
        if abs(exact - approximate.get(outcome, 0)) > _TOLERANCE:
            raise EngineError(f"{what}: the exact probability of {outcome!r} and its independent value disagree")


def check_ratio(p: Fraction, q: Fraction, loss: Loss, what: str) -> None:
    """Compare an exact loss at distance 1 with |ln p − ln q| at 60 digits.

    Raises:
        EngineError: they differ by more than 10^-50, or disagree about being infinite.
    """
    if loss.gamma is None or p == 0 or q == 0:
        if not (loss.gamma is None and (p == 0) != (q == 0)):
            raise EngineError(f"{what}: the exact loss and its independent value disagree about being infinite")
        return
    value = abs(_CONTEXT.log(_float(p)) - _CONTEXT.log(_float(q)))
    if abs(value - _CONTEXT.log(_float(loss.gamma)) / loss.distance) > _TOLERANCE:
        raise EngineError(f"{what}: the exact loss and its independent value disagree")

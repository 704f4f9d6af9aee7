"""Independent likelihoods in `mpmath` at 50 digits and more: a second computation beside every exact one.

It shares no code with the law interpreter: the runs of a program are listed by `mechanisms.choice_runs`, rejection is a
geometric series summed to its closed form, arithmetic is binary floating point with 60 decimal digits. A disagreement
is a fault of the tool, or of a program whose attempts have effects besides their results (`EngineError`); it is never a
matter of rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

import mpmath

from mechanisms.choice_runs import Runs, list_runs, run_masses
from spec.law import Law
from spec.loss import Loss
from verify.evidence.finding import EngineError

__all__ = ["approximate_law", "approximate_masses", "check_against", "check_ratio"]

_CONTEXT = mpmath.MPContext()
_CONTEXT.dps = 60
_TOLERANCE = _CONTEXT.mpf(10) ** -50

_MOST_NODES = 50_000_000


def _float(value: object) -> Any:
    number = Fraction(value)  # type: ignore[call-overload]  # an int or a Fraction
    return _CONTEXT.mpf(number.numerator) / number.denominator


def approximate_law(mechanism: Callable[..., Any], data: Any, **parameters: Any) -> dict[Hashable, Any]:
    """The law of a mechanism's output on one data set as 60-digit numbers."""
    return approximate_masses(list_runs(lambda source: mechanism(data, source, **parameters), _MOST_NODES))


def approximate_masses(runs: Runs) -> dict[Hashable, Any]:
    """The law of the output of a program with these runs as 60-digit numbers."""
    return run_masses(runs, _float)


def check_against(law: Law[Any], approximate: dict[Hashable, Any], what: str) -> None:
    """Compare an exact law with its independent value.

    Raises:
        EngineError: they differ by more than 10^-50, or an outcome is possible in one of them only, however improbable.
    """
    for outcome in {*law, *approximate}:
        exact, value = _float(law.numeric(outcome)), approximate.get(outcome, 0)
        if (exact == 0) != (value == 0) or abs(exact - value) > _TOLERANCE:
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

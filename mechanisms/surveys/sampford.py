"""Sampling without replacement with probability proportional to size, by rejection, so that every set is possible."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mechanisms.source import Source
from mechanisms.surveys.designs import pps_rates
from spec.arguments import Exact, InputError
from spec.surveys.unit_data import UnitData

__all__ = ["sampford_rates", "sampford_sample"]


def sampford_sample(frame: UnitData, source: Source, *, measure: Callable[[Any], Exact], size: int) -> tuple[Any, ...]:
    """Sampling without replacement with probability proportional to size, by Sampford's method. π_i = n·x_i/Σx.

    One draw with probabilities proportional to π_i and n − 1 to π_i/(1 − π_i), all with replacement, begun afresh until
    the n units differ. Every set of n units is possible, unlike in systematic sampling.

    Args:
        frame: the frame.
        source: the source of randomness.
        measure: the measure of size x > 0 of a record.
        size: n ≥ 1.

    Raises:
        InputError: a measure is inexact or not positive, or n·x_i is not below Σx.

    Source: Sampford (1967).
    """
    rates = sampford_rates(frame, measure=measure, size=size)
    odds = [rate / (1 - rate) for rate in rates.values()]
    first = tuple(rate / size for rate in rates.values())
    later = tuple(one / sum(odds) for one in odds)

    def draws(inner: Source) -> tuple[int, ...]:
        places = [inner.choose(first), *[inner.choose(later) for _ in range(size - 1)]]
        if len(set(places)) < size:
            inner.restart()
        return tuple(sorted(places))

    return tuple(frame[place][0] for place in source.attempt(draws))


def sampford_rates(frame: UnitData, *, measure: Callable[[Any], Exact], size: int) -> dict[Any, Fraction]:
    """π_i = n·x_i/Σx by unit, all below 1.

    Raises:
        InputError: as `pps_rates` does, or a probability is 1.
    """
    rates = pps_rates(frame, measure=measure, size=size)
    for unit, rate in rates.items():
        if rate == 1:
            raise InputError(f"n·x/Σx of unit {unit!r} must be below 1 for Sampford's method; got 1")
    return rates

"""Sampling without replacement with probability proportional to size, so that every set is possible."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.designs import pps_rates
from stirred.spec.arguments import Exact, InputError
from stirred.spec.surveys.unit_data import UnitData

__all__ = ["sampford_rates", "sampford_sample"]


def sampford_sample(frame: UnitData, source: Source, *, measure: Callable[[Any], Exact], size: int) -> tuple[Any, ...]:
    """Sampling without replacement with probability proportional to size, by Sampford's method. π_i = n·x_i/Σx.

    The set S has a probability proportional to Π_S π_i/(1 − π_i) · Σ_S (1 − π_i). Sampford draws sets with replacement
    until the n units differ; here each unit in turn is taken with its probability given those before it, which is the
    same law, with a choice for each unit. Every set of n units is possible, unlike in systematic sampling.

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
    odds, left = [rate / (1 - rate) for rate in rates.values()], [1 - rate for rate in rates.values()]
    tails = _tails(odds, left, size)
    chosen: list[Any] = []
    spare = Fraction(0)  # the sum of 1 − π over the units that are taken
    for place, (unit, _) in enumerate(frame):
        needed = size - len(chosen)
        if not needed:
            break
        taken = odds[place] * _weight(tails[place + 1][needed - 1], spare + left[place])
        share = taken / _weight(tails[place][needed], spare)
        if share == 1 or source.bernoulli(share):
            chosen.append(unit)
            spare += left[place]
    return tuple(chosen)


def _weight(tail: tuple[Fraction, Fraction], spare: Fraction) -> Fraction:
    """The weight of all sets that go on in one way: Σ_T Π_T odds · (spare + Σ_T (1 − π))."""
    return spare * tail[0] + tail[1]


def _tails(odds: list[Fraction], left: list[Fraction], size: int) -> list[list[tuple[Fraction, Fraction]]]:
    """Σ_T Π_T odds and Σ_T Π_T odds · Σ_T (1 − π) over the m units T from each place on, by place and m ≤ n."""
    none = (Fraction(0), Fraction(0))
    found = [[(Fraction(1), Fraction(0)), *[none] * size]]
    for odd, spare in zip(reversed(odds), reversed(left), strict=True):
        after = found[-1]
        found.append(
            [
                after[0],
                *((out[0] + odd * one[0], out[1] + odd * _weight(one, spare)) for one, out in pairwise(after)),
            ]
        )
    return found[::-1]


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

"""Balls: the adapter to `python-flint`'s real ball arithmetic, which every enclosure of the project goes through.

A comparison of balls that answers False says nothing: what is certain is asked for by both directions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import flint

__all__ = ["Ball", "ball_of", "box_of", "dyadic", "precision"]

Ball = Any
"""A `flint.arb`: a real number known to lie within a radius of a midpoint."""


def ball_of(value: Fraction) -> Ball:
    """A ball that contains a rational, in the present precision."""
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def box_of(lower: Fraction, upper: Fraction) -> Ball:
    """A ball that contains [lower, upper]."""
    return flint.arb(ball_of((lower + upper) / 2), ball_of((upper - lower) / 2).upper())


def dyadic(ball: Ball) -> Fraction:
    """The value of a ball of radius 0, such as a midpoint or an end, exactly."""
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Run the body in a working precision of so many bits."""
    saved = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = saved

"""Balls: the adapter to `python-flint`'s real ball arithmetic, which every enclosure of the project goes through.

A comparison of balls that answers False says nothing: what is certain is asked for by both directions.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import flint

_MOST_EXPONENT, _TINY_EXPONENT = 1 << 20, 1 << 19

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


def ends_of(ball: Ball) -> tuple[Fraction, Fraction] | None:
    """Rationals below and above a ball; None where it is not within 2^1048576 of 0.

    What is nearer to 0 than 2^-524288 is rounded outward to it: its exponent may have hundreds of digits.
    """
    if not (ball.is_finite() and abs(ball) < flint.arb(2) ** _MOST_EXPONENT):
        return None
    least = flint.arb(2) ** -_TINY_EXPONENT
    ends = []
    for end, unit in ((ball.lower(), -1), (ball.upper(), 1)):
        is_tiny = abs(end) < least
        ends.append(Fraction(unit if end * unit > 0 else 0, 1 << _TINY_EXPONENT) if is_tiny else dyadic(end))
    return ends[0], ends[1]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Run the body in a working precision of so many bits."""
    saved = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = saved

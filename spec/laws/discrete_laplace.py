"""The discrete Laplace distribution: P(X = x) = (1 − α)/(1 + α)·α^|x| with α = e^(−1/t), t its scale."""

from fractions import Fraction
from functools import partial
from math import ceil

from stirred.spec.arguments import Exact, InputError, exact, positive_integer
from stirred.spec.laws.symmetric_floors import symmetric_floors
from stirred.spec.numbers.ball import Ball, ball_of

_MAX_SCALE = 10**5


def laplace_scale(scale: Exact) -> Fraction:
    """The scale t as a `Fraction` in (0, 10⁵]."""
    t = exact("scale", scale)
    if not 0 < t <= _MAX_SCALE:
        raise InputError(f"scale must be positive and at most {_MAX_SCALE}; got {scale!r}")
    return t


def laplace_floors(scale: Exact, bits: int) -> tuple[int, list[int]]:
    """(least, floors) with floors[i] = ⌊2^bits·P(X ≤ least + i)⌋, exact; 0 below the list, 2^bits − 1 beyond it.

    P(X ≤ x) is 1 − α^(x+1)/(1 + α) for x ≥ 0 and α^(−x)/(1 + α) for x < 0.

    Args:
        scale: t in (0, 10⁵], exact.
        bits: at least 1.

    >>> laplace_floors(1, 8)[1][:7]
    [0, 0, 0, 1, 3, 9, 25]
    """
    t, size = laplace_scale(scale), positive_integer("bits", bits)
    reach = ceil(t * size * Fraction(7, 10)) + 2  # e^(−reach/t) < 2^−bits, since ln 2 < 7/10
    return symmetric_floors(size, reach, partial(_tails, t, reach))


def _tails(t: Fraction, reach: int) -> list[Ball]:
    """P(X ≥ x) for x = 0, …, reach + 1."""
    ratio = (-ball_of(1 / t)).exp()
    tails: list[Ball] = [1 / (1 + ratio)]
    for _ in range(reach + 1):
        tails.append(tails[-1] * ratio)
    return tails

"""The discrete Laplace distribution: P(X = x) = (1 − α)/(1 + α)·α^|x| with α = e^(−1/t), t its scale."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import flint

from spec.arguments import Exact, InputError, exact, positive_integer
from spec.ball import Ball, ball_of, precision

__all__ = ["laplace_floors", "laplace_scale"]

_MAX_SCALE = 10**5


def laplace_scale(scale: Exact) -> Fraction:
    """The scale t as a `Fraction` in (0, 10⁵].

    Raises:
        InputError: t is inexact, not positive, or above 10⁵: a list of its support would be too long.
    """
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

    Raises:
        InputError: t is refused, or a probability agrees with a multiple of 2^−bits to more than 1000 further bits.

    >>> laplace_floors(1, 8)[1][:7]
    [0, 0, 0, 1, 3, 9, 25]
    """
    t, size = laplace_scale(scale), positive_integer("bits", bits)
    reach = ceil(t * size * Fraction(7, 10)) + 2  # e^(−reach/t) < 2^−bits, since ln 2 < 7/10
    working = size + 128
    while working <= size + 1024:
        with precision(working):
            floors = _floors(t, reach, size)
        if floors is not None:
            return -reach, floors
        working *= 2
    raise InputError(f"bits must separate every P(X <= x) from a multiple of 2^-bits; {bits} do not")


def _floors(t: Fraction, reach: int, bits: int) -> list[int] | None:
    """None where a ball holds an integer."""
    ratio = (-ball_of(1 / t)).exp()
    tails: list[Ball] = [1 / (1 + ratio)]
    for _ in range(reach + 1):
        tails.append(tails[-1] * ratio)
    unit = flint.arb(2) ** bits
    found = [_floor(tails[x] * unit) for x in range(reach, 0, -1)]
    found += [_floor((1 - tails[x + 1]) * unit) for x in range(reach + 1)]
    floors = [value for value in found if value is not None]
    return floors if len(floors) == len(found) else None


def _floor(ball: Ball) -> int | None:
    least, largest = (end.floor().unique_fmpz() for end in (ball.lower(), ball.upper()))
    return int(least) if least is not None and least == largest else None

"""Two mixtures of densities of one number: the supremum of their ratio, and where one exceeds a multiple of the other.

The supremum of f/g lies at a cut, at infinity, or at a zero of f′g − fg′; the zeros are isolated. They are not looked
for on a piece where f exceeds g by no more than it does at some cut: f − c·g has no change of sign there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from stirred.spec.laws.piecewise_density import Coefficient, DensityTerms, PiecewiseDensity
from stirred.spec.numbers.ball import Ball, ball_of, ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure, decimal_text
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import EnclosedReal, Number, larger
from stirred.verify.engines.real_noise.quasi_polynomial import (
    End,
    Interval,
    TouchingError,
    ball_on,
    derivative,
    integral,
    leading,
    multiplied,
    plain,
    sign_beside,
    sign_of,
    summed,
    value_at,
    zeros,
)

_BITS = 256


@dataclass(frozen=True)
class Piece:
    """Two functions between two ends."""

    low: End
    high: End
    first: DensityTerms
    second: DensityTerms


def mixture(parts: Sequence[tuple[Coefficient, PiecewiseDensity]]) -> PiecewiseDensity:
    """Σ weight·density, of weights above 0."""
    cuts = tuple(sorted({cut for _, density in parts for cut in density.cuts}))
    pieces = [
        summed(*((density.terms[bisect_right(density.cuts, cut)], weight) for weight, density in parts)) for cut in cuts
    ]
    before = summed(*((density.terms[0], weight) for weight, density in parts))
    return PiecewiseDensity(cuts, (before, *pieces))


def pieces(first: PiecewiseDensity, second: PiecewiseDensity) -> Iterator[Piece]:
    """Both functions, between all cuts."""
    cuts: list[End] = [None, *sorted({*first.cuts, *second.cuts}), None]
    for low, high in pairwise(cuts):
        one, other = (
            density.terms[0 if low is None else bisect_right(density.cuts, low)] for density in (first, second)
        )
        yield Piece(low, high, one, other)


def largest_ratio(first: PiecewiseDensity, second: PiecewiseDensity) -> Number | None:
    """The supremum of first/second, exact where it lies at a cut or at infinity; None for ∞.

    Raises:
        TouchingError: enclosures do not settle it.

    >>> wide, narrow = (PiecewiseDensity((Fraction(0),), ({}, {(0, -a): a})) for a in (Fraction(1), Fraction(2)))
    >>> largest_ratio(narrow, wide), largest_ratio(wide, narrow)
    (Fraction(2, 1), None)
    """
    largest: Number = Fraction(0)
    inside = [piece for piece in pieces(first, second) if piece.first]
    if not all(piece.second for piece in inside):
        return None
    for piece in inside:
        for end, side in ((piece.low, 1), (piece.high, -1)):
            found = _limit(piece.first, piece.second, end, side)
            if found is None:
                return None
            largest = larger(largest, found)
    at_ends = largest
    for piece in inside:
        if _is_at_most(piece, at_ends):
            continue
        rising = multiplied(derivative(piece.first), piece.second)
        falling = multiplied(piece.first, derivative(piece.second))
        slope = summed((rising, Fraction(1)), (falling, Fraction(-1)))
        for box in zeros(slope, piece.low, piece.high):
            largest = larger(largest, _ratio_on(piece, box))
    return largest


def _is_at_most(piece: Piece, bound: Number) -> bool:
    """Whether first ≤ bound·second is seen on a piece, without the zeros of the slope: those have many more terms."""
    if not isinstance(bound, (Fraction, ExponentialQuotient)):
        return False
    above, below = (bound, Fraction(1)) if isinstance(bound, Fraction) else bound.parts
    difference = summed((piece.first, below), (piece.second, -above))
    sign = sign_of(below)
    with suppress(TouchingError):
        return not zeros(difference, piece.low, piece.high) and sign_beside(difference, piece.low, 1) * sign <= 0
    return False


def _limit(first: DensityTerms, second: DensityTerms, end: End, side: int) -> Coefficient | None:
    """The limit of first/second at an end, from the side of the piece; None for ∞."""
    if end is None:
        ((k, a), c), ((m, b), d) = (leading(terms, -side) for terms in (first, second))
        if (k, a) == (m, b):
            return plain(c / d)
        return None if (-side * a, k) > (-side * b, m) else Fraction(0)
    while True:
        above, below = value_at(first, end), value_at(second, end)
        if below:
            return plain(above / below)
        if above:
            return None
        first, second = derivative(first), derivative(second)
        if not first or not second:
            return None if first else Fraction(0)


def _ratio_on(piece: Piece, box: Interval) -> Number:
    if box[0] == box[1] and box[0].denominator <= _BITS:
        below = value_at(piece.second, box[0])
        if below:
            return plain(value_at(piece.first, box[0]) / below)
    with precision(_BITS):
        ends = ends_of(ball_on(piece.first, box) / ball_on(piece.second, box))
    if ends is None:
        raise TouchingError(f"the ratio of two densities near {decimal_text(box[0], 6)} is not enclosed")
    return EnclosedReal(Enclosure(*ends))


def stretches(
    first: PiecewiseDensity, second: PiecewiseDensity, gamma: Coefficient
) -> Iterator[tuple[Interval | None, Interval | None, DensityTerms]]:
    """Where first − γ·second is above 0, within each piece, with the difference; ends are known between two numbers."""
    for piece in pieces(first, second):
        difference = summed((piece.first, Fraction(1)), (piece.second, -gamma))
        sign = sign_beside(difference, piece.low, 1)
        marks = [_box(piece.low), *zeros(difference, piece.low, piece.high), _box(piece.high)]
        for low, high in pairwise(marks):
            if sign > 0:
                yield low, high, difference
            sign = -sign


def _box(end: End) -> Interval | None:
    return None if end is None else (end, end)


def excess(first: PiecewiseDensity, second: PiecewiseDensity, gamma: Coefficient) -> Number:
    """∫ (first − γ·second)⁺, exact where it is over pieces with rational ends.

    >>> ends, flat = (Fraction(0), Fraction(1, 3)), {(0, Fraction(0)): Fraction(1)}
    >>> excess(*(PiecewiseDensity((low, low + 1), ({}, flat, {})) for low in ends), Fraction(1))
    Fraction(1, 3)
    """
    with precision(_BITS):
        return _total(integral(terms, low, high) for low, high, terms in stretches(first, second, gamma))


def _total(parts: Iterable[Coefficient | Ball]) -> Number:
    """The sum of numbers and of balls."""
    exact: Coefficient = Fraction(0)
    balls: list[Ball] = []
    for part in parts:
        if isinstance(part, (Fraction, ExponentialQuotient)):
            exact = exact + part
        else:
            balls.append(part)
    exact = plain(exact)
    if not balls:
        return exact
    ends = ends_of(sum(balls, ball_of(exact) if isinstance(exact, Fraction) else exact.ball()))
    if ends is None:
        raise TouchingError("an integral is not enclosed")
    return EnclosedReal(Enclosure(*ends))


def mass_between(density: PiecewiseDensity, low: End, high: End) -> Number:
    """∫ density over an interval, exact where its ends are short."""
    inside = PiecewiseDensity((), ({(0, Fraction(0)): Fraction(1)},))

    def parts() -> Iterator[Coefficient | Ball]:
        for piece in pieces(density, inside):
            start = max((end for end in (piece.low, low) if end is not None), default=None)
            stop = min((end for end in (piece.high, high) if end is not None), default=None)
            if piece.first and (start is None or stop is None or start < stop):
                yield integral(piece.first, _box(start), _box(stop))

    with precision(_BITS):
        return _total(parts())

"""The loss at p = e^−q for a rational q > 0: noise and weights a·e^(−kε) with ε itself rational, not its exponential.

By Lindemann's theorem e^−q is transcendental. So it is no breakpoint of a loss function, and an equation between
rational functions with rational coefficients holds there only if it holds identically. Equality is therefore decided
by polynomials, and everything else by enclosures, which end.
"""

from fractions import Fraction
from itertools import count

import flint

from stirred.spec.arguments import Exact, InputError, exact, nonnegative
from stirred.spec.numbers.algebraic_number import AlgebraicNumber
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose, exponential
from stirred.verify.engines.loss_cases import LossPiece
from stirred.verify.engines.loss_function import LossFunction

_DIGITS = 20


def loss_at_exponential(function: LossFunction, exponent: Exact, *, digits: int = _DIGITS) -> Enclosure | None:
    """An enclosure of the loss in nats at p = e^−exponent; None where it is infinite.

    e^−exponent must be inside the function's interval, and the exponent positive.
    """
    q = _positive(exponent)
    piece = piece_at_exponential(function, q)
    if not piece.below:
        return None

    def loss() -> Ball:
        x = (-ball_of(q)).exp()
        above, below = (flint.arb_poly(flint.fmpz_poly(list(part)))(x) for part in (piece.above, piece.below))
        return (above / below).log() / ball_of(piece.distance)

    return enclose(loss, digits=digits)


def covers_at_exponential(function: LossFunction, exponent: Exact, epsilon: Exact) -> bool:
    """Whether the loss at p = e^−exponent is at most a rational ε; always decided."""
    q, claimed = _positive(exponent), nonnegative("epsilon", epsilon)
    piece = piece_at_exponential(function, q)
    if not piece.below:
        return False
    # with x = e^−q and m/n = ε·d/q in lowest terms, ln(R(x))/d = ε iff R^n = x^−m; so n = 1, and R is a power of x
    power = claimed * piece.distance / q
    if power.denominator == 1 and (*[0] * min(power.numerator, len(piece.below)), *piece.above) == piece.below:
        return True
    for digits in (_DIGITS * 2**step for step in count()):
        found = loss_at_exponential(function, q, digits=digits)
        if found is None or found.lower > claimed:
            return False
        if found.upper < claimed:
            return True
    return False


def _positive(exponent: Exact) -> Fraction:
    number = exact("exponent", exponent)
    if number <= 0:
        raise InputError(f"exponent must be positive; got {number}")
    return number


def piece_at_exponential(function: LossFunction, q: Fraction) -> LossPiece:
    """The piece whose inside e^−q lies in."""
    if not _is_above(q, function.pieces[0].low) or _is_above(q, function.pieces[-1].high):
        raise InputError(
            f"e^-exponent must be between {function.low} and {function.high}, exclusive; got exponent = {q}"
        )
    return next(piece for piece in function.pieces if not _is_above(q, piece.high))


def _is_above(q: Fraction, number: AlgebraicNumber) -> bool:
    """Whether e^−q is above an algebraic number, which it is not equal to."""
    digits = _DIGITS
    while True:
        point, end = exponential(-q, digits=digits), number.enclosure(digits)
        if point.lower > end.upper or point.upper < end.lower:
            return point.lower > end.upper
        digits *= 2

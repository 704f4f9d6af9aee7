"""Exact sign decisions: a polynomial is non-negative on an interval, with a certificate, or negative at a given point.

Squares are split off; what remains changes its sign at each of its roots, so bisection ends: either every cell is
certified by coefficients without a sign change, or a cell around a sign change has an end where the value is negative.
"""

from fractions import Fraction
from typing import Any

import flint

from stirred.spec.arguments import InputError
from stirred.verify.engines.sign_certificate import Polynomial, SignCertificate, evaluate_polynomial
from stirred.verify.evidence.finding import EngineError

_MAX_CELLS = 100_000


def decide_nonnegative(
    polynomial: Polynomial, low: Fraction = Fraction(0), high: Fraction | None = None
) -> SignCertificate | Fraction:
    """A certificate that Q ≥ 0 on [low, high], or a point of it where Q < 0.

    Coefficients are integers, lowest degree first; 0 ≤ low < high, and a high of None is ∞.

    >>> decide_nonnegative((-1, 1), Fraction(2)).cells, decide_nonnegative((-1, 1))
    ((Fraction(2, 1), None), Fraction(0, 1))
    """
    if low < 0 or (high is not None and high <= low):
        raise InputError(f"low and high must satisfy 0 <= low < high; got {low} and {high}")
    if all(c >= 0 for c in polynomial):
        return SignCertificate(polynomial, Fraction(1), (1,), polynomial, (low, high))
    content, factors = flint.fmpz_poly(list(polynomial)).factor()
    square, rest = flint.fmpz_poly([1]), flint.fmpz_poly([1 if content > 0 else -1])
    for factor, multiplicity in factors:
        square *= factor ** (int(multiplicity) // 2)
        rest *= factor ** (int(multiplicity) % 2)
    found = _cells(rest, low, high)
    if isinstance(found, Fraction):
        return _negative_point(polynomial, found, low, high)
    return SignCertificate(polynomial, Fraction(abs(int(content))), _integers(square), _integers(rest), found)


def _integers(polynomial: Any) -> Polynomial:
    return tuple(int(c) for c in polynomial.coeffs())


def _cells(rest: Any, low: Fraction, high: Fraction | None) -> tuple[Fraction | None, ...] | Fraction:
    """The ends of certified cells, or a point where the squarefree part is negative."""
    ends: list[Fraction | None] = [low]
    waiting: list[tuple[Fraction, Fraction | None]] = [(low, high)]
    for _ in range(_MAX_CELLS):
        left, right = waiting.pop()
        for end in (left, right):
            if end is not None and _value(rest, end) < 0:
                return end
        if _without_sign_change(rest, left, right):
            ends.append(right)
            if not waiting:
                return tuple(ends)
            continue
        middle = 2 * left + 1 if right is None else (left + right) / 2
        waiting += [(middle, right), (left, middle)]
    raise EngineError(f"no sign decision within {_MAX_CELLS} cells")


def _value(polynomial: Any, point: Fraction) -> Fraction:
    value = polynomial(flint.fmpq(point.numerator, point.denominator))
    return Fraction(int(value.p), int(value.q))


def _without_sign_change(rest: Any, left: Fraction, right: Fraction | None) -> bool:
    """Whether the transformed polynomial of the cell has no negative coefficient."""
    start = flint.fmpq(left.numerator, left.denominator)
    if right is None:
        moved = flint.fmpq_poly(rest)(flint.fmpq_poly([start, 1]))
        return all(c >= 0 for c in moved.coeffs())
    width = flint.fmpq((right - left).numerator, (right - left).denominator)
    unit = flint.fmpq_poly(rest)(flint.fmpq_poly([start, width])).coeffs()
    padding = [0] * (rest.degree() + 1 - len(unit))
    turned = flint.fmpq_poly([*padding, *reversed(unit)])
    return all(c >= 0 for c in turned(flint.fmpq_poly([1, 1])).coeffs())


def _negative_point(polynomial: Polynomial, point: Fraction, low: Fraction, high: Fraction | None) -> Fraction:
    """A point near the given one where Q itself is negative: only finitely many are roots of the square part."""
    step = Fraction(1) if high is None else (high - low) / 4
    while evaluate_polynomial(polynomial, point) >= 0:
        step /= 2
        for near in (point + step, point - step):
            if low <= near and (high is None or near <= high) and evaluate_polynomial(polynomial, near) < 0:
                return near
    return point

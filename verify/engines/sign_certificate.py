"""Proof objects for "Q(o) ≥ 0 on an interval", and the small checker that re-verifies them with fractions alone.

A certificate writes Q = c·S²·T with c > 0 and cuts the interval into cells. On a cell [a, b] the polynomial
(1+t)^deg(T)·T((a + b·t)/(1+t)), and on [a, ∞) the polynomial T(a + t), has no negative coefficient; so T ≥ 0 there,
since every point of the cell is reached by some t in [0, ∞].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from stirred.verify.evidence.finding import EngineError

Polynomial = tuple[int, ...]
"""Integer coefficients, lowest degree first."""


@dataclass(frozen=True)
class SignCertificate:
    """A proof that a polynomial is non-negative on [cells[0], cells[-1]].

    Q is the polynomial, c > 0 the scale, S the square and T the rest. The ends of the cells, two at least, increase; a
    last end of None is ∞.
    """

    polynomial: Polynomial
    scale: Fraction
    square: Polynomial
    rest: Polynomial
    cells: tuple[Fraction | None, ...]

    @property
    def covers(self) -> tuple[Fraction, Fraction | None]:
        first = self.cells[0]
        if first is None:
            raise EngineError("a sign certificate must begin at a finite point")
        return first, self.cells[-1]

    def check(self) -> None:
        """Re-verify the proof; it passes in silence.

        >>> SignCertificate((1, -2, 1), Fraction(1), (-1, 1), (1,), (Fraction(0), None)).check()
        """
        if self.scale <= 0:
            raise EngineError(f"the scale of a sign certificate must be positive; got {self.scale}")
        product = _multiply(_multiply(self.square, self.square), self.rest)
        if _trimmed([self.scale * c for c in product]) != _trimmed([Fraction(c) for c in self.polynomial]):
            raise EngineError("the factors of a sign certificate must multiply to its polynomial")
        if len(self.cells) < 2:
            raise EngineError("a sign certificate must have at least one cell")
        for left, right in zip(self.cells, self.cells[1:], strict=False):
            if left is None or (right is not None and right <= left):
                raise EngineError(f"the cells of a sign certificate must be in order; got {left} and {right}")
            moved = _shifted(self.rest, left) if right is None else _bounded(self.rest, left, right)
            if any(c < 0 for c in moved):
                raise EngineError(f"the cell from {left} to {right} of a sign certificate proves nothing")


def evaluate_polynomial(polynomial: Sequence[int], point: Fraction) -> Fraction:
    """Q(point), by Horner's rule.

    >>> evaluate_polynomial((1, -2, 1), Fraction(1, 2))
    Fraction(1, 4)
    """
    top, bottom = point.as_integer_ratio()
    value, power = 0, 1
    for coefficient in reversed(polynomial):
        value = value * top + coefficient * power
        power *= bottom
    return Fraction(value * bottom, power)


def _trimmed(coefficients: Sequence[Fraction]) -> tuple[Fraction, ...]:
    last = max((i for i, c in enumerate(coefficients) if c), default=-1)
    return tuple(coefficients[: last + 1])


def _multiply(first: Sequence[int], second: Sequence[int]) -> list[int]:
    product = [0] * (len(first) + len(second) - 1) if first and second else [0]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] += a * b
    return product


def _shifted(polynomial: Polynomial, start: Fraction) -> list[int]:
    """The coefficients of T(start + t), times a positive number."""
    top, bottom = start.as_integer_ratio()
    return _homogeneous(polynomial, (top, bottom), (bottom,))


def _bounded(polynomial: Polynomial, left: Fraction, right: Fraction) -> list[int]:
    """The coefficients of (1+t)^d·T((left + right·t)/(1+t)), times a positive number."""
    bottom = lcm(left.denominator, right.denominator)
    return _homogeneous(polynomial, (int(left * bottom), int(right * bottom)), (bottom, bottom))


def _homogeneous(polynomial: Polynomial, above: Sequence[int], below: Sequence[int]) -> list[int]:
    """B^d·T(A/B) for polynomials A and B in t, by Horner's rule."""
    found, power = list[int](), [1]
    for coefficient in reversed(polynomial):
        found = _multiply(found, above)
        for place, value in enumerate(power):
            found[place] += coefficient * value
        power = _multiply(power, below)
    return found

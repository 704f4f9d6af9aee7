"""What a real number answers: a ball around it in any precision, and whether it equals another one.

Two reals are ordered by balls that are disjoint. Where balls of a high precision still meet, equality is decided
exactly if the kinds of the two numbers allow that; else the order is refused as undecided, never guessed.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any, TypeAlias

from stirred.spec.arguments import positive
from stirred.spec.numbers.ball import Ball, ball_of, precision
from stirred.spec.numbers.enclosure import Enclosure, enclose
from stirred.spec.numbers.enclosure import UndecidedOrderError as UndecidedOrderError  # noqa: PLC0414 raised here
from stirred.spec.numbers.exact_order import ExactOrder, outward, rational_of

_FIRST_BITS = 64
_EXACT_BITS = 256
"""From here on equality is asked for: until then it would cost more than it saves."""

_UNKNOWN_BITS = 1 << 11
_UNKNOWN_DIGITS = 600
_MOST_BITS = 1 << 16


class Real(ExactOrder):
    """A real number, irrational in general; it is ordered with exact numbers, added, and multiplied by rationals."""

    @abstractmethod
    def ball(self) -> Ball:
        """A ball that contains it, in the present precision."""

    @abstractmethod
    def times(self, factor: Fraction) -> Real:
        """Its product with a rational above 0."""

    @abstractmethod
    def equals(self, other: Number) -> bool | None:
        """Whether it is the same number, by exact algebra; None where no algebra here decides."""

    def plus(self, other: Number) -> Real | None:
        """Their sum; None where it is no number of its kind."""
        del other
        return None

    def enclosure(self, digits: int = 20) -> Enclosure:
        """Rationals below and above it, at most 10^-digits apart, or so relative to it."""
        return enclose(self.ball, digits=digits)

    def _against(self, other: Any) -> Any:
        that = other if isinstance(other, Real) else rational_of(other)
        return that if that is NotImplemented else order(self, that)

    def __add__(self, other: Any) -> Any:
        that = other if isinstance(other, Real) else rational_of(other)
        total = None if that is NotImplemented else self.plus(that)
        return NotImplemented if total is None else total

    __radd__ = __add__

    def __mul__(self, factor: Any) -> Any:
        number = rational_of(factor)
        return number if number is NotImplemented else self.times(positive("factor", number))

    __rmul__ = __mul__

    def __format__(self, form: str) -> str:
        ends = self.enclosure()
        return outward(ends.lower, ends.upper, form) if form else str(self)

    def exact_form(self) -> str:
        """A short exact text; empty where there is none."""
        return ""

    def __str__(self) -> str:
        form = self.exact_form()
        return f"{form and form + ' '}≈ {self.enclosure().text()}"


Number: TypeAlias = Real | Fraction
"""An exact number: a rational, or a real known by enclosures."""


class EnclosedReal(Real):
    """A number of which nothing is known but that it lies between two rationals.

    >>> print(EnclosedReal(Enclosure(Fraction(1, 4), Fraction(1, 2))))
    in [0.25, 0.5]
    """

    def __init__(self, ends: Enclosure) -> None:
        self.ends = ends

    def ball(self) -> Ball:
        return ball_of(self.ends.lower).union(ball_of(self.ends.upper))

    def times(self, factor: Fraction) -> EnclosedReal:
        return EnclosedReal(Enclosure(self.ends.lower * factor, self.ends.upper * factor))

    def equals(self, _: Number) -> None:
        """Unknown."""

    def enclosure(self, _: int = 20) -> Enclosure:
        return self.ends

    def __str__(self) -> str:
        text = self.ends.text()
        return f"{'in' if text.startswith('[') else '≈'} {text}"


def larger(first: Number, second: Number) -> Number:
    """The larger of two numbers; enclosed where nothing tells which it is.

    >>> larger(Fraction(1, 2), Fraction(1, 3))
    Fraction(1, 2)
    """
    try:
        return first if order(first, second) >= 0 else second
    except UndecidedOrderError:
        ends = [one.enclosure(_UNKNOWN_DIGITS) if isinstance(one, Real) else None for one in (first, second)]
        numbers = [Enclosure(one, one) for one in (first, second) if isinstance(one, Fraction)]
        known = [*numbers, *(one for one in ends if one is not None)]
        return EnclosedReal(Enclosure(max(one.lower for one in known), max(one.upper for one in known)))


def order(first: Number, second: Number) -> int:
    """The sign of first − second: −1, 0 or 1.

    >>> order(Fraction(1, 2), Fraction(1, 3))
    1
    """
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return (first > second) - (first < second)
    bits, most, is_asked = _FIRST_BITS, _MOST_BITS, False
    while bits <= most:
        with precision(bits):
            difference = _ball(first) - _ball(second)
            if difference > 0:
                return 1
            if difference < 0:
                return -1
        if bits >= _EXACT_BITS and not is_asked:
            is_asked, is_equal = True, _are_equal(first, second)
            if is_equal:
                return 0
            most = _UNKNOWN_BITS if is_equal is None else most
        bits *= 2
    raise UndecidedOrderError(f"{first} and {second} cannot be ordered")


def _ball(number: Number) -> Ball:
    return ball_of(number) if isinstance(number, Fraction) else number.ball()


def _are_equal(first: Number, second: Number) -> bool | None:
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Real) and (found := one.equals(other)) is not None:
            return found
    return None

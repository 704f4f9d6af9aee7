"""Intervals of decimals that certainly contain a real number: every end is rounded outward.

It needs nothing but the standard library, so that `verify.evidence.certificates.replay` may use it.
"""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from fractions import Fraction
from typing import NamedTuple


class UndecidedError(ArithmeticError):
    """The intervals are too wide for what is asked of them: nothing is shown either way."""


class Interval(NamedTuple):
    """A real number that lies between two decimals, both included."""

    low: Decimal
    high: Decimal

    def __str__(self) -> str:
        """The ends to 20 digits, or the one number that both round to."""
        shown = Context(prec=20)
        low, high = shown.plus(self.low), shown.plus(self.high)
        return str(low) if low == high else f"[{low}, {high}]"


Number = Fraction | Interval
"""An exact number, or one that is known to lie in an interval."""


class Outward:
    """Arithmetic on exact numbers and intervals; the result of an operation on an interval contains every value.

    Decimals round sums, products and quotients as their context says, and ln, exp and sqrt to the nearest: there each
    end moves by one more unit of its last place.

    >>> third = Outward(3).lift(Fraction(1, 3))
    >>> third.low, third.high
    (Decimal('0.333'), Decimal('0.334'))
    """

    def __init__(self, digits: int) -> None:
        """Arithmetic with so many digits."""
        self.digits = digits
        self._down, self._up = (
            Context(
                prec=digits,
                rounding=rounding,
                Emin=-999_999,
                Emax=999_999,
                clamp=0,
                traps=[DivisionByZero, InvalidOperation, Overflow],
            )
            for rounding in (ROUND_FLOOR, ROUND_CEILING)
        )

    def lift(self, number: Number) -> Interval:
        """The number as an interval."""
        if isinstance(number, Interval):
            return number
        top, bottom = Decimal(number.numerator), Decimal(number.denominator)
        return Interval(self._down.divide(top, bottom), self._up.divide(top, bottom))

    def negative(self, number: Number) -> Number:
        """The negative −number."""
        if isinstance(number, Fraction):
            return -number
        return Interval(number.high.copy_negate(), number.low.copy_negate())

    def add(self, left: Number, right: Number) -> Number:
        """The sum left + right."""
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return left + right
        a, b = self.lift(left), self.lift(right)
        return Interval(self._down.add(a.low, b.low), self._up.add(a.high, b.high))

    def subtract(self, left: Number, right: Number) -> Number:
        """The difference left − right."""
        return self.add(left, self.negative(right))

    def multiply(self, left: Number, right: Number) -> Number:
        """The product left·right."""
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return left * right
        return self._of_ends(self._down.multiply, self._up.multiply, self.lift(left), self.lift(right))

    def divide(self, left: Number, right: Number) -> Number:
        """The quotient left/right."""
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return left / right
        divisor = self.lift(right)
        if divisor.low <= 0 <= divisor.high:
            raise UndecidedError(f"a divisor is too close to 0 to be told apart: {divisor}")
        return self._of_ends(self._down.divide, self._up.divide, self.lift(left), divisor)

    @staticmethod
    def _of_ends(
        down: Callable[[Decimal, Decimal], Decimal], up: Callable[[Decimal, Decimal], Decimal], a: Interval, b: Interval
    ) -> Interval:
        pairs = [(x, y) for x in a for y in b]
        return Interval(min(down(x, y) for x, y in pairs), max(up(x, y) for x, y in pairs))

    def power(self, base: Number, exponent: int) -> Number:
        """The power base^exponent, by repeated squaring."""
        if isinstance(base, Fraction):
            return base**exponent
        result: Number = Fraction(1)
        square, left = base, abs(exponent)
        while left:
            if left % 2:
                result = self.multiply(result, square)
            left //= 2
            if left:
                square = self.lift(self.multiply(square, square))
        return self.divide(Fraction(1), result) if exponent < 0 else result

    def order(self, left: Number, right: Number) -> int:
        """The sign of left − right, where it is certain."""
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return (left > right) - (left < right)
        a, b = self.lift(left), self.lift(right)
        if a.high < b.low:
            return -1
        if b.high < a.low:
            return 1
        raise UndecidedError(f"the sides are too close to be told apart: {a} and {b}")

    def floor(self, number: Number) -> Fraction:
        """The largest integer that is at most the number."""
        if isinstance(number, Fraction):
            return Fraction(math.floor(number))
        # beyond its digits the ends of an interval cannot share a floor, which would be long to write out
        if max(end.adjusted() for end in number) <= self.digits and math.floor(number.low) == math.floor(number.high):
            return Fraction(math.floor(number.low))
        raise UndecidedError(f"floor of a number that is too close to an integer to be told apart: {number}")

    def ln(self, number: Number) -> Number:
        """The natural logarithm; exact at 1."""
        if number == 1:
            return Fraction(0)
        inner = self.lift(number)
        if inner.low <= 0:
            raise UndecidedError(f"ln of a number that is not certainly positive: {inner}")
        return self._around(Context.ln, inner)

    def exp(self, number: Number) -> Number:
        """The exponential, non-negative; exact at 0."""
        if number == 0:
            return Fraction(1)
        found = self._around(Context.exp, self.lift(number))
        return Interval(max(Decimal(0), found.low), found.high)

    def sqrt(self, number: Number) -> Number:
        """The square root, non-negative; exact at the squares of rationals."""
        inner = self.lift(number)
        if inner.low < 0:
            raise UndecidedError(f"sqrt of a number that is not certainly non-negative: {inner}")
        if isinstance(number, Fraction):
            root = Fraction(math.isqrt(number.numerator), math.isqrt(number.denominator))
            if root * root == number:
                return root
        found = self._around(Context.sqrt, inner)
        return Interval(max(Decimal(0), found.low), found.high)

    def _around(self, function: Callable[[Context, Decimal], Decimal], number: Interval) -> Interval:
        """The values of an increasing function that decimals round to the nearest."""
        low, high = function(self._down, number.low), function(self._up, number.high)
        return Interval(self._down.next_minus(low), self._up.next_plus(high))

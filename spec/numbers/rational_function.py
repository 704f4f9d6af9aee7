"""Rational functions of one symbol with exact rational coefficients: what a law is when its parameter is left open."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from stirred.spec.arguments import Exact, InputError, exact, integer
from stirred.spec.numbers.ball import Ball

_PLACE = 3
"""Where polynomials are evaluated that are told apart by their hashes."""


class RationalFunction:
    """A quotient of two polynomials in one symbol, in lowest terms with a monic denominator.

    Arithmetic with `int` and `Fraction` is exact; floats are refused. Two equal functions are equal and hash alike.

    >>> p = SYMBOL
    >>> (1 - p**2) / (1 - p) == 1 + p
    True
    >>> (p / (1 - p))(Fraction(3, 4))
    Fraction(3, 1)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Any, denominator: Any = 1) -> None:
        top, bottom = flint.fmpq_poly(numerator), flint.fmpq_poly(denominator)
        if bottom == 0:
            raise ZeroDivisionError("a rational function needs a denominator other than 0")
        common = top.gcd(bottom)
        top, bottom = top // common, bottom // common
        lead = bottom.coeffs()[-1]
        self.numerator = top / lead
        self.denominator = bottom / lead

    def __getattr__(self, part: str) -> Any:
        """A part of `SYMBOL`, which is made before flint is loaded."""
        if part not in RationalFunction.__slots__:
            raise AttributeError(part)
        RationalFunction.__init__(self, [0, 1])
        return getattr(self, part)

    def __reduce__(self) -> tuple[Any, ...]:
        top, bottom = self.integer_parts()
        return RationalFunction, (list(top), list(bottom))

    @staticmethod
    def constant(value: Fraction) -> RationalFunction:
        """The function with one value."""
        return RationalFunction([flint.fmpq(value.numerator, value.denominator)])

    @staticmethod
    def of(value: RationalFunction | Fraction) -> RationalFunction:
        """The function itself, or a number as the function with one value."""
        return value if isinstance(value, RationalFunction) else RationalFunction.constant(Fraction(value))

    @property
    def value(self) -> Fraction | None:
        """The one value of a constant function; None where it has more."""
        return self(0) if self.denominator == 1 and self.numerator.degree() < 1 else None

    @staticmethod
    def _lift(other: object) -> RationalFunction | None:
        if isinstance(other, RationalFunction):
            return other
        if isinstance(other, (int, Fraction)) and not isinstance(other, bool):
            return RationalFunction.constant(Fraction(other))
        if isinstance(other, float):
            raise InputError(f"a rational function combines with exact numbers only; got the float {other!r}")
        return None

    def __add__(self, other: object) -> RationalFunction:
        that = self._lift(other)
        if that is None:
            return NotImplemented
        return RationalFunction(
            self.numerator * that.denominator + that.numerator * self.denominator, self.denominator * that.denominator
        )

    __radd__ = __add__

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.numerator, self.denominator)

    def __sub__(self, other: object) -> RationalFunction:
        that = self._lift(other)
        return NotImplemented if that is None else self + -that

    def __rsub__(self, other: object) -> RationalFunction:
        return -self + other

    def __mul__(self, other: object) -> RationalFunction:
        that = self._lift(other)
        if that is None:
            return NotImplemented
        return RationalFunction(self.numerator * that.numerator, self.denominator * that.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> RationalFunction:
        that = self._lift(other)
        if that is None:
            return NotImplemented
        return RationalFunction(self.numerator * that.denominator, self.denominator * that.numerator)

    def __rtruediv__(self, other: object) -> RationalFunction:
        that = self._lift(other)
        return NotImplemented if that is None else that / self

    def __pow__(self, exponent: int) -> RationalFunction:
        """The power with an integer exponent."""
        power = integer("exponent", exponent)
        if power < 0:
            return RationalFunction(self.denominator, self.numerator) ** -power
        return RationalFunction(self.numerator**power, self.denominator**power)

    def __call__(self, value: Exact) -> Fraction:
        """The value at a point."""
        number = exact("value", value)
        point = flint.fmpq(number.numerator, number.denominator)
        result = self.numerator(point) / self.denominator(point)
        return Fraction(int(result.p), int(result.q))

    def at_ball(self, value: Ball) -> Ball:
        """The value at the number in a ball."""
        return flint.arb_poly(self.numerator)(value) / flint.arb_poly(self.denominator)(value)

    def integer_parts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Integer polynomials n and d without a common factor, lowest degree first, with n/d the function.

        >>> ((1 - SYMBOL) / Fraction(2, 3)).integer_parts()
        ((3, -3), (2,))
        """
        top = self.numerator.numer() * self.denominator.denom()
        bottom = self.denominator.numer() * self.numerator.denom()
        common = int(flint.fmpz(top.content()).gcd(bottom.content()))
        first, second = (tuple(int(c) // common for c in part.coeffs()) for part in (top, bottom))
        return first, second

    def __eq__(self, other: object) -> bool:
        that = self._lift(other)
        if that is None:
            return NotImplemented
        return bool(self.numerator == that.numerator and self.denominator == that.denominator)

    def __hash__(self) -> int:
        if self.value is not None:
            return hash(self.value)
        return hash(tuple(int(part.numer()(_PLACE)) for part in (self.numerator, self.denominator)))

    def __bool__(self) -> bool:
        return bool(self.numerator != 0)

    def __repr__(self) -> str:
        top = str(self.numerator).replace("x", "p")
        bottom = str(self.denominator).replace("x", "p")
        return top if bottom == "1" else f"({top})/({bottom})"


SYMBOL = RationalFunction.__new__(RationalFunction)
"""The open parameter p itself."""

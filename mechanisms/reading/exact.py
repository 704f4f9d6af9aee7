"""An exact number as NumPy's arrays of objects hold it, and which one a double stands for."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from stirred.spec.numbers.ball import ball_of, ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import EnclosedReal, Number, order

_BITS = 256
_NEAR = Fraction(1, 1 << 40)
"""How far, relatively, a double that a library made may lie from the number that it stands for."""

_WRITTEN = 12
"""Digits of a decimal that a person may have written; a double with more digits was computed."""

_HIGHEST_POWER = 4_096


_remembered = lru_cache(maxsize=4_096)
"""Paths compute the same again."""

_compared = _remembered(order)


def _order(one: Number, other: Number) -> int:
    return order(one, other) if type(one) is Fraction and type(other) is Fraction else _compared(one, other)


class Exact:
    """An exact number as NumPy's arrays of objects hold it: combined and compared like a number, by no rounding."""

    __slots__ = ("number",)

    def __init__(self, number: Number | int) -> None:
        self.number: Number = Fraction(number) if isinstance(number, int) else number

    def __add__(self, other: Any) -> Any:
        return _combined(self, other, _plus)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        return _combined(self, other, _times)

    __rmul__ = __mul__

    def __neg__(self) -> Exact:
        number = self.number
        return Exact(-number if type(number) is Fraction else _times(number, Fraction(-1)))

    def __sub__(self, other: Any) -> Any:
        return _combined(self, other, _minus)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        return _combined(self, other, _over)

    def __rtruediv__(self, other: Any) -> Any:
        return _combined(self, other, lambda one, two: _over(two, one))

    def __pow__(self, other: Any) -> Any:
        power = getattr(lifted(other), "number", None)
        if isinstance(power, Fraction) and power.denominator == 1 and abs(power) < _HIGHEST_POWER:
            return Exact(_power(self.number, int(power)))
        return (other * self.log()).exp()

    def __rpow__(self, other: Any) -> Any:
        return Exact(lifted(other).number) ** self

    def __abs__(self) -> Exact:
        return -self if self < 0 else self

    def _against(self, other: object) -> Any:
        """The sign of the difference."""
        number, that = self.number, other.number if type(other) is Exact else other
        if type(number) is Fraction and (type(that) is int or type(that) is Fraction):
            (above, one), (below, two) = number.as_integer_ratio(), that.as_integer_ratio()
            return (above * two > below * one) - (above * two < below * one)
        that = lifted(other)
        return NotImplemented if that is None else _order(number, that.number)

    def __eq__(self, other: object) -> Any:
        found = self._against(other)
        return found if found is NotImplemented else found == 0

    def __lt__(self, other: Any) -> Any:
        found = self._against(other)
        return found if found is NotImplemented else found < 0

    def __le__(self, other: Any) -> Any:
        found = self._against(other)
        return found if found is NotImplemented else found <= 0

    def __gt__(self, other: Any) -> Any:
        found = self._against(other)
        return found if found is NotImplemented else found > 0

    def __ge__(self, other: Any) -> Any:
        found = self._against(other)
        return found if found is NotImplemented else found >= 0

    __hash__ = None  # type: ignore[assignment]

    def __floordiv__(self, other: Any) -> Any:
        return (self / other).floor()

    def __rfloordiv__(self, other: Any) -> Any:
        return (other / self).floor()

    def __mod__(self, other: Any) -> Any:
        return self - (self / other).floor() * lifted(other)

    def __rmod__(self, other: Any) -> Any:
        return lifted(other) % self

    def exp(self) -> Exact:
        """The number e to this power."""
        number = self.number
        if isinstance(number, Fraction):
            return Exact(_exponential(number))
        if isinstance(number, LogarithmSum) and all(c.denominator == 1 for c in number.terms.values()):
            return Exact(math.prod((r ** int(c) for r, c in number.terms.items()), start=Fraction(1)))
        return _enclosed(lambda ball: ball.exp(), number)

    def log(self) -> Exact:
        """The natural logarithm.

        Raises:
            ValueError: the number is not positive.
        """
        if not self > 0:
            raise ValueError("math domain error")
        number = self.number
        if isinstance(number, Fraction):
            return Exact(LogarithmSum({number: Fraction(1)}).value)
        if isinstance(number, ExponentialQuotient) and number.below == {0: 1} and [*number.above.values()] == [1]:
            return Exact(*number.above)
        return _enclosed(lambda ball: ball.log(), number)

    def sqrt(self) -> Exact:
        """The square root."""
        if isinstance(self.number, Fraction) and self.number >= 0:
            roots = [math.isqrt(part) for part in self.number.as_integer_ratio()]
            if [root * root for root in roots] == [*self.number.as_integer_ratio()]:
                return Exact(Fraction(*roots))
        return _enclosed(lambda ball: ball.sqrt(), self.number)

    def floor(self) -> int:
        """The largest integer that is at most this number."""
        if isinstance(self.number, Fraction):
            return math.floor(self.number)
        ends = self.number.enclosure(30)
        low, high = math.floor(ends.lower), math.floor(ends.upper)
        return low if low == high or self < high else high

    __floor__ = floor

    def __ceil__(self) -> int:
        return -(-self).floor()

    def __trunc__(self) -> int:
        return self.floor() if self >= 0 else -(-self).floor()

    def rint(self) -> Exact:
        """The nearest integer, of two the even one: a number, so that NumPy rounds to decimals by it."""
        below = self.floor()
        half = self - below - Fraction(1, 2)
        return Exact(below if half < 0 or (half == 0 and below % 2 == 0) else below + 1)

    def __repr__(self) -> str:
        return str(self.number)


@_remembered
def _exponential(power: Fraction) -> Number:
    return ExponentialQuotient.exponential(power).value


def lifted(value: object) -> Any:
    """The exact number that a value stands for by itself; None where it is no finite number."""
    if isinstance(value, Exact):
        return value
    if isinstance(value, int):
        return Exact(value)
    if isinstance(value, float):
        return _of_double(float(value))
    if isinstance(value, Fraction):  # behind what is no abstract class
        return Exact(value)
    if isinstance(value, numbers.Integral):
        return Exact(int(value))
    return _of_double(float(value)) if isinstance(value, numbers.Real) else None


@_remembered
def _of_double(value: float) -> Exact | None:
    if not math.isfinite(value):
        return None
    text = repr(value)
    is_written = sum(map(str.isdigit, text.partition("e")[0].strip("-0."))) <= _WRITTEN
    return Exact(Fraction(text)) if is_written else near(value)


def _combined(one: Exact, other: Any, combine: Callable[[Number, Number], Number]) -> Any:
    that = other if type(other) is Exact else lifted(other)
    return NotImplemented if that is None else Exact(combine(one.number, that.number))


def _plus(one: Number, other: Number) -> Number:
    return one + other if type(one) is Fraction and type(other) is Fraction else _sum(one, other)


@_remembered
def _sum(one: Number, other: Number) -> Number:
    for first, second in ((one, other), (other, one)):
        if isinstance(first, ExponentialQuotient) and isinstance(second, (Fraction, ExponentialQuotient)):
            return (first + second).value
        if isinstance(first, LogarithmSum) and (found := first.plus(second)) is not None:
            return found.value
    return _enclosed(lambda a, b: a + b, one, other).number


def _times(one: Number, other: Number) -> Number:
    return one * other if type(one) is Fraction and type(other) is Fraction else _product(one, other)


@_remembered
def _product(one: Number, other: Number) -> Number:
    for first, second in ((one, other), (other, one)):
        if isinstance(second, Fraction) and not second:
            return second
        if isinstance(first, ExponentialQuotient) and isinstance(second, (Fraction, ExponentialQuotient)):
            return (first * second).value
        if isinstance(first, LogarithmSum) and isinstance(second, Fraction):
            return first.times(second).value
    return _enclosed(lambda a, b: a * b, one, other).number


def _minus(one: Number, other: Number) -> Number:
    if type(one) is Fraction and type(other) is Fraction:
        return one - other
    return _plus(one, _times(other, Fraction(-1)))


def _over(one: Number, other: Number) -> Number:
    if type(one) is Fraction and type(other) is Fraction:
        return one / other
    if isinstance(one, LogarithmSum) and isinstance(other, LogarithmSum):
        ratio = _ratio_of_logarithms(one.terms, other.terms)
        if ratio is not None:
            return ratio
    return _times(one, _inverse(other))


def _ratio_of_logarithms(one: Mapping[Fraction, Fraction], other: Mapping[Fraction, Fraction]) -> Fraction | None:
    """The quotient of two sums Σ c·ln a, where it is seen to be rational."""
    if one.keys() == other.keys():
        ratios = {c / other[number] for number, c in one.items()}
        return ratios.pop() if len(ratios) == 1 else None
    if len(one) != 1 or len(other) != 1:
        return None
    ((a, c), (b, d)) = (next(iter(part.items())) for part in (one, other))
    power = round(math.log(a) / math.log(b))
    return power * c / d if abs(power) < _HIGHEST_POWER and b**power == a else None


@_remembered
def _inverse(one: Number) -> Number:
    if isinstance(one, Fraction):
        return 1 / one
    if isinstance(one, ExponentialQuotient):
        return (1 / one).value
    return _enclosed(lambda a: 1 / a, one).number


def _power(one: Number, power: int) -> Number:
    if isinstance(one, Fraction):
        return one**power
    base, found = (_inverse(one) if power < 0 else one), Fraction(1)
    for _ in range(abs(power)):
        found = _times(found, base)  # type: ignore[assignment]
    return found


def _enclosed(function: Callable[..., Any], *numbers: Number) -> Exact:
    """A function of numbers, by balls.

    Raises:
        ArithmeticError: the balls do not settle it.
    """
    with precision(_BITS):
        found = function(*(ball_of(one) if isinstance(one, Fraction) else one.ball() for one in numbers))
        ends = ends_of(found)
    if ends is None:
        raise ArithmeticError(f"{numbers} enclose no number here")
    return Exact(EnclosedReal(Enclosure(*ends)))


def near(value: float) -> Exact | None:
    """What a double stands for that a library made; None for 0, which may have been anything before it was rounded."""
    middle = Fraction(value)
    radius = abs(middle) * _NEAR
    return Exact(EnclosedReal(Enclosure(middle - radius, middle + radius))) if radius else None

"""The exact number behind a double: what a program's floats stand for, kept beside them and never handed to it.

A literal stands for the decimal that is written; e^x, ln x and the operations of arithmetic stand for what they mean.
A double that a library made is only known to lie near its value. NumPy carries out its functions a second time on
arrays of the exact numbers, so that these say the same of a sum, a norm or a softmax.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import total_ordering
from typing import Any

import numpy as np

from stirred.spec.numbers.ball import ball_of, ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import EnclosedReal, Number, UndecidedOrderError, order

_BITS = 256
_NEAR = Fraction(1, 1 << 40)
"""How far, relatively, a double that a library made may lie from the number that it stands for."""

_MOST_CELLS = 4_096


@total_ordering
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
        return Exact(_times(self.number, Fraction(-1)))

    def __sub__(self, other: Any) -> Any:
        return _combined(self, other, lambda one, two: _plus(one, _times(two, Fraction(-1))))

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        return _combined(self, other, lambda one, two: _times(one, _inverse(two)))

    def __rtruediv__(self, other: Any) -> Any:
        return _combined(self, other, lambda one, two: _times(two, _inverse(one)))

    def __pow__(self, other: Any) -> Any:
        power = getattr(_lifted(other), "number", None)
        if isinstance(power, Fraction) and power.denominator == 1 and abs(power) < _MOST_CELLS:
            return Exact(_power(self.number, int(power)))
        return (other * self.log()).exp()

    def __rpow__(self, other: Any) -> Any:
        return Exact(_lifted(other).number) ** self

    def __abs__(self) -> Exact:
        return -self if self < 0 else self

    def __eq__(self, other: object) -> Any:
        that = _lifted(other)
        return NotImplemented if that is None else order(self.number, that.number) == 0

    def __lt__(self, other: Any) -> Any:
        that = _lifted(other)
        return NotImplemented if that is None else order(self.number, that.number) < 0

    __hash__ = None  # type: ignore[assignment]

    def exp(self) -> Exact:
        """e to this number."""
        number = self.number
        if isinstance(number, Fraction):
            return Exact(ExponentialQuotient.exponential(number).value)
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

    def __repr__(self) -> str:
        return str(self.number)


def _lifted(value: object) -> Any:
    if isinstance(value, Exact):
        return value
    if isinstance(value, (int, Fraction, np.integer)):
        return Exact(Fraction(int(value)) if not isinstance(value, Fraction) else value)
    if isinstance(value, (float, np.floating)) and math.isfinite(value):
        return Exact(Fraction(repr(float(value))))
    return None


def _combined(one: Exact, other: Any, combine: Callable[[Number, Number], Number]) -> Any:
    that = _lifted(other)
    return NotImplemented if that is None else Exact(combine(one.number, that.number))


def _plus(one: Number, other: Number) -> Number:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one + other
    for first, second in ((one, other), (other, one)):
        if isinstance(first, ExponentialQuotient) and isinstance(second, (Fraction, ExponentialQuotient)):
            return (first + second).value
        if isinstance(first, LogarithmSum) and (found := first.plus(second)) is not None:
            return found.value
    return _enclosed(lambda a, b: a + b, one, other).number


def _times(one: Number, other: Number) -> Number:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one * other
    for first, second in ((one, other), (other, one)):
        if isinstance(second, Fraction) and not second:
            return second
        if isinstance(first, ExponentialQuotient) and isinstance(second, (Fraction, ExponentialQuotient)):
            return (first * second).value
        if isinstance(first, LogarithmSum) and isinstance(second, Fraction):
            return first.times(second).value
    return _enclosed(lambda a, b: a * b, one, other).number


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


def near(value: float) -> Exact:
    """What a double stands for that a library made."""
    middle = Fraction(value)
    radius = abs(middle) * _NEAR
    return Exact(EnclosedReal(Enclosure(middle - radius, middle + radius))) if radius else Exact(middle)


class Shadows:
    """The exact numbers behind the floats of one run, by the objects that hold them."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {}

    def of(self, value: Any) -> Exact | None:
        """The number that a concrete value stands for; None where it is no finite number."""
        if isinstance(value, (float, np.floating)) and id(value) in self._known:
            return self._known[id(value)][1]  # type: ignore[no-any-return]
        found: Exact | None = _lifted(value)
        return found

    def of_array(self, array: Any) -> Any:
        """The numbers that an array of floats or integers stands for, as an array of objects; None where there are none."""
        if id(array) in self._known:
            return self._known[id(array)][1]
        if array.dtype.kind not in "fiub" or array.size > _MOST_CELLS:
            return None
        cells = [_lifted(one) for one in array.ravel().tolist()]
        if any(one is None for one in cells):
            return None
        return array_of(cells, array.shape)

    def note(self, value: Any, exact: Any) -> Any:
        """The value, of which it is now known what it stands for."""
        if isinstance(value, np.ndarray):
            if value.dtype.kind == "f" and isinstance(exact, np.ndarray) and exact.shape == value.shape:
                self._known[id(value)] = (value, exact)
        elif isinstance(value, (float, np.floating)) and isinstance(exact, Exact):
            self._known[id(value)] = (value, exact)
        return value

    def is_noted(self, value: Any) -> bool:
        """Whether it is known of this very object what it stands for."""
        return id(value) in self._known

    def carried(self, value: Any) -> Any:
        """A value with every float in it as the exact number: what NumPy carries out a second time."""
        if isinstance(value, (float, np.floating)):
            return self.of(value)
        if isinstance(value, np.ndarray):
            return self.of_array(value) if value.dtype.kind == "f" else value
        if type(value) in (list, tuple):
            return type(value)(map(self.carried, value))
        return value

    def noted(self, value: Any, exact: Any, line: str) -> Any:
        """A result with what it stands for; near its value where that is not known.

        Args:
            value: of a function of NumPy, or of a library.
            exact: of the same function, carried out on exact numbers; None where it failed.
            line: for the refusal.
        """
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            if isinstance(exact, np.ndarray) and exact.shape == value.shape and exact.dtype == object:
                return self.note(value, array_of(map(_lifted, exact.ravel()), exact.shape))
            if value.size <= _MOST_CELLS and np.isfinite(value).all() and not self.is_noted(value):
                return self.note(value, array_of(map(near, value.ravel().tolist()), value.shape))
            return value
        if isinstance(value, (float, np.floating)) and math.isfinite(value) and not self.is_noted(value):
            lifted = _lifted(exact) if exact is not None else None
            return self.note(value, near(float(value)) if lifted is None else lifted)
        if type(value) in (list, tuple):
            parts = exact if type(exact) is type(value) and len(exact) == len(value) else [None] * len(value)
            return type(value)([self.noted(one, part, line) for one, part in zip(value, parts, strict=True)])
        return value


def array_of(cells: Iterable[Any], shape: Sequence[int]) -> Any:
    """An array of objects: put in one by one, since NumPy would ask each whether it is a sequence."""
    made = np.empty(math.prod(shape), dtype=object)
    for place, one in enumerate(cells):
        made[place] = one
    return made.reshape(shape)


def differ(value: Any, exact: Any) -> bool:
    """Whether a truth or an integer that doubles gave is another one than exact numbers give."""
    try:
        return bool(np.any(np.asarray(value) != np.asarray(exact)))
    except (UndecidedOrderError, TypeError, ValueError):
        return True


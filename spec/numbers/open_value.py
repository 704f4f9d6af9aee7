"""An open parameter as code that is audited meets it: a fraction of which nothing is known but where it lies.

It is combined like a `Fraction`. A comparison is asked of whoever handed it out, who answers for all its values at once
or notes where the answer changes; whatever would tell its values apart in another way (their texts, hashes, numerators,
floats) is refused.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from numbers import Number, Rational
from typing import Any, NoReturn

from stirred.spec.numbers.rational_function import RationalFunction


class Comparisons(ABC):
    """Who answers what code asks about an open parameter."""

    @abstractmethod
    def has_sign(self, function: RationalFunction, signs: frozenset[int]) -> bool:
        """Whether a function of the parameter, which is not constant, has one of these signs of −1, 0 and 1."""

    @abstractmethod
    def hashed(self, function: RationalFunction) -> int:
        """The hash of a function of the parameter that is not constant, where equal values are equal functions."""

    @abstractmethod
    def refuse(self) -> NoReturn:
        """Refuse what would tell values of the parameter apart."""


_BELOW, _ZERO, _ABOVE = (frozenset({sign}) for sign in (-1, 0, 1))


class OpenValue(Fraction):
    """A rational function of an open parameter that is not constant: a `Fraction` at each value of the parameter.

    Every method of `Fraction` that is not given here reads the numerator and the denominator, and so is refused.
    """

    __slots__ = ("_comparisons", "_function")

    _function: RationalFunction
    _comparisons: Comparisons

    def __new__(cls, function: RationalFunction, comparisons: Comparisons) -> OpenValue:
        self = object.__new__(cls)
        self._function = function
        self._comparisons = comparisons
        return self

    @property
    def function(self) -> RationalFunction:
        """The function itself, for interpreters of choices."""
        return self._function

    @property
    def _numerator(self) -> NoReturn:
        self._comparisons.refuse()

    @property
    def _denominator(self) -> NoReturn:
        self._comparisons.refuse()

    def _lift(self, other: object) -> RationalFunction | None:
        """Another operand as a function; None where it is no number."""
        if isinstance(other, OpenValue) and other._comparisons is self._comparisons:
            return other._function
        if isinstance(other, Rational) and not isinstance(other, OpenValue):
            return RationalFunction.constant(Fraction(int(other.numerator), int(other.denominator)))
        if isinstance(other, (Number, RationalFunction)):
            self._comparisons.refuse()
        return None

    def _made(self, function: RationalFunction) -> Fraction:
        return OpenValue(function, self._comparisons) if function.value is None else function.value

    def _has_sign(self, signs: frozenset[int]) -> bool:
        return self._comparisons.has_sign(self._function, signs)

    def _combined(
        self, other: object, combine: Callable[[RationalFunction, RationalFunction], RationalFunction]
    ) -> Any:
        that = self._lift(other)
        return NotImplemented if that is None else self._made(combine(self._function, that))

    def _compared(self, other: object, signs: frozenset[int]) -> Any:
        """Whether the difference has one of these signs."""
        that = self._lift(other)
        if that is None:
            return NotImplemented
        difference = self._function - that
        if difference.value is None:
            return self._comparisons.has_sign(difference, signs)
        return (difference.value > 0) - (difference.value < 0) in signs

    def _divisor(self, that: RationalFunction) -> RationalFunction:
        """What is divided by, which is 0 at no value."""
        is_zero = self._comparisons.has_sign(that, _ZERO) if that.value is None else not that.value
        if is_zero:
            raise ZeroDivisionError("division by zero")
        return that

    def __add__(self, other: object) -> Any:
        return self._combined(other, lambda mine, its: mine + its)

    __radd__ = __add__

    def __sub__(self, other: object) -> Any:
        return self._combined(other, lambda mine, its: mine - its)

    def __rsub__(self, other: object) -> Any:
        return self._combined(other, lambda mine, its: its - mine)

    def __mul__(self, other: object) -> Any:
        return self._combined(other, lambda mine, its: mine * its)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        return self._combined(other, lambda mine, its: mine / self._divisor(its))

    def __rtruediv__(self, other: object) -> Any:
        return self._combined(other, lambda mine, its: its / self._divisor(mine))

    def __pow__(self, exponent: object) -> Any:
        if isinstance(exponent, OpenValue) or not isinstance(exponent, Rational) or exponent.denominator != 1:
            self._comparisons.refuse()
        power = int(exponent.numerator)
        base = self._divisor(self._function) if power < 0 else self._function
        return self._made(base**power)

    def __neg__(self) -> Any:
        return self._made(-self._function)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self._has_sign(_BELOW) else self

    def __eq__(self, other: object) -> Any:
        return self._compared(other, _ZERO)

    def __lt__(self, other: object) -> Any:
        return self._compared(other, _BELOW)

    def __le__(self, other: object) -> Any:
        return self._compared(other, _BELOW | _ZERO)

    def __gt__(self, other: object) -> Any:
        return self._compared(other, _ABOVE)

    def __ge__(self, other: object) -> Any:
        return self._compared(other, _ABOVE | _ZERO)

    def __bool__(self) -> bool:
        return self._has_sign(_BELOW | _ABOVE)

    def __hash__(self) -> int:  # type: ignore[override]
        return self._comparisons.hashed(self._function)

    def __copy__(self) -> OpenValue:
        return self

    def __deepcopy__(self, memo: Any) -> OpenValue:
        return self

    def __reduce__(self) -> NoReturn:
        self._comparisons.refuse()

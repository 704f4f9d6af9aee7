"""A mechanism's parameter that is left open: all values of an interval at once, or e^−q for a rational q > 0.

Code that is audited meets it as a fraction of which nothing is known but where it lies. It is combined like a
`Fraction`. A comparison is asked of whoever handed it out, who answers for all its values at once or notes where the
answer changes; whatever would tell its values apart in another way (their texts, hashes, numerators, floats) is
refused.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from numbers import Number, Rational
from typing import Any, NoReturn

from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.numbers.rational_function import RationalFunction

_EXPONENTIAL = re.compile(r"exp\(\s*-(?P<exponent>[^()\s-]+)\s*\)")
_DIGITS = 30
LARGEST_EXPONENT = 50
"""The largest q of e^−q."""

_TEXT = re.compile(r"symbol(?: in (?:\[(?P<low>[^,\[\]]+),(?P<high>[^,\[\]]+)\]|\(\s*0\s*,\s*1\s*\)))?")


@dataclass(frozen=True, slots=True)
class OpenParameter:
    """All values from low to high, without the ends or with both; or the one value e^−exponent, which lies between.

    Attributes:
        low: at least 0.
        high: above low, at most 1.
        is_closed: whether the ends belong to it.
        exponent: q, where the value is e^−q; None where it is any value of the interval.
    """

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    is_closed: bool = False
    exponent: Fraction | None = None

    def __post_init__(self) -> None:
        if not probability("the left end", self.low) < probability("the right end", self.high):
            raise InputError(f"an interval must have its left end below its right end; got {self.low} and {self.high}")

    @property
    def ends(self) -> tuple[Fraction, ...]:
        """The ends that belong to it."""
        return (self.low, self.high) if self.is_closed else ()

    def pieces(self, points: Sequence[Fraction]) -> tuple[Fraction | OpenParameter, ...]:
        """The ends that belong to it, the points and the open intervals between them, in increasing order.

        >>> print(*OpenParameter(is_closed=True).pieces([Fraction(1, 3)]))
        0 (0, 1/3) 1/3 (1/3, 1) 1
        """
        alone = {*points, *self.ends}
        bounds = sorted({self.low, *alone, self.high})
        between = [OpenParameter(low, high) for low, high in pairwise(bounds)]
        return tuple(sorted([*alone, *between], key=_middle))

    @staticmethod
    def exponential(exponent: Fraction) -> OpenParameter:
        """The value e^−exponent, in an interval of width at most 10^−30 with ends of finitely many digits."""
        if not 0 < exponent <= LARGEST_EXPONENT:
            raise InputError(
                f"the exponent of exp(-exponent) must be above 0 and at most {LARGEST_EXPONENT}; got {exponent}"
            )
        found, unit = exponential(-exponent, digits=_DIGITS + 2), 10**_DIGITS
        low, high = Fraction(floor(found.lower * unit), unit), Fraction(ceil(found.upper * unit), unit)
        return OpenParameter(low, high, exponent=exponent)

    @staticmethod
    def read(place: str, text: str) -> OpenParameter | None:
        """What "symbol" (all of (0, 1)), "symbol in [1/4, 1/2]" and "exp(-1/2)" stand for; None for another text.

        >>> print(OpenParameter.read("flip", "symbol"), OpenParameter.read("flip", "symbol in [0.25, 1/2]"))
        (0, 1) [1/4, 1/2]
        """
        found = _TEXT.fullmatch(text.strip())
        if found is None:
            if (power := _EXPONENTIAL.fullmatch(text.strip())) is not None:
                return OpenParameter.exponential(parse_exact(place, power["exponent"]))
            if text.strip().startswith("exp("):
                raise InputError(f"{place} must be 'exp(-q)' with an exact number q > 0; got {text!r}")
            if text.strip().startswith("symbol in"):
                raise InputError(f"{place} must be 'symbol' or 'symbol in [low, high]' with exact ends; got {text!r}")
            return None
        if found["low"] is None:
            return OpenParameter()
        low, high = (probability(place, parse_exact(place, found[end].strip())) for end in ("low", "high"))
        try:
            return OpenParameter(low, high, is_closed=True)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None

    def __str__(self) -> str:
        if self.exponent is not None:
            return f"exp(-{self.exponent})"
        return f"[{self.low}, {self.high}]" if self.is_closed else f"({self.low}, {self.high})"


def _middle(piece: Fraction | OpenParameter) -> Fraction:
    return (piece.low + piece.high) / 2 if isinstance(piece, OpenParameter) else piece


def open_parameter(setting: Mapping[str, Any]) -> OpenParameter | None:
    """The values of the parameter that a setting leaves open; None where it leaves none."""
    names = [name for name, value in setting.items() if isinstance(value, OpenParameter)]
    if len(names) > 1:
        raise InputError(f"one parameter at most may be left open; got {' and '.join(names)}: give the others numbers")
    return setting[names[0]] if names else None


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

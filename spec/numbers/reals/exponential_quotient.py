"""Quotients of exponential sums Σ c·e^r with rational c and r: what softmax and randomized response compute with.

By Lindemann and Weierstrass such a sum is 0 only if all its coefficients are, so the quotients are an ordered field in
which equality is decided exactly, and order by enclosures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Self, TypeVar

import flint

from stirred.spec.numbers.ball import Ball, precision
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
from stirred.spec.numbers.reals.real import Number, Real

Terms = Mapping[Fraction, Fraction]
_ONE: Terms = {Fraction(0): Fraction(1)}

_Exponent = TypeVar("_Exponent", int, Fraction)
_Sum = dict[int, Any]
"""c by r: exponents count units, so that terms meet by comparing integers; c is a `flint.fmpq`, and not 0."""


class ExponentialQuotient(Real):
    """A quotient of two sums Σ c·e^r, in lowest terms: equal numbers have equal terms.

    Args:
        above: c by r.
        below: the same of the denominator, which is not 0.

    >>> half = ExponentialQuotient.exponential(Fraction(1, 2))
    >>> (half * half).equals(ExponentialQuotient.exponential(Fraction(1)))
    True
    >>> print(half / (half + 1))
    e^(1/2)/(1 + e^(1/2)) ≈ 0.622459
    """

    __slots__ = ("_bottom", "_hash", "_top", "_unit")

    def __init__(self, above: Terms, below: Terms = _ONE) -> None:
        unit = lcm(*(Fraction(r).denominator for r in (*above, *below)))
        self._reduce(unit, _in_units(above, unit), _in_units(below, unit))

    @classmethod
    def in_units(cls, unit: int, top: Mapping[int, Any], bottom: Mapping[int, Any] | None = None) -> Self:
        """Σ c·e^(r/unit) over another such sum, or 1, of c (`flint.fmpq`) by r."""
        found = cls.__new__(cls)
        found._reduce(unit, top, {0: flint.fmpq(1)} if bottom is None else bottom)
        return found

    def _reduce(self, unit: int, given: Mapping[int, Any], below: Mapping[int, Any]) -> None:
        top, bottom = ({r: c for r, c in terms.items() if c} for terms in (given, below))
        if not bottom:
            raise ZeroDivisionError("a quotient of exponential sums needs a denominator other than 0")
        if len(bottom) > 1:
            top, bottom = _without_common_factor(top, bottom)
        least = min(bottom)
        scale = bottom[least]
        if least or scale != 1:
            top, bottom = ({r - least: c / scale for r, c in terms.items()} for terms in (top, bottom))
        common = gcd(unit, *top, *bottom)
        if common > 1:
            top, bottom = ({r // common: c for r, c in terms.items()} for terms in (top, bottom))
        self._unit, self._top, self._bottom = unit // common, top, bottom
        self._hash: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return ExponentialQuotient, (self.above, self.below)

    @property
    def above(self) -> dict[Fraction, Fraction]:
        """The numerator, as c by r, from the lowest r on."""
        return _in_fractions(self._top, self._unit)

    @property
    def below(self) -> dict[Fraction, Fraction]:
        """The denominator, whose lowest r is 0, and its c 1."""
        return _in_fractions(self._bottom, self._unit)

    @classmethod
    def exponential(cls, exponent: Fraction) -> ExponentialQuotient:
        """The number e^exponent."""
        return cls({exponent: Fraction(1)})

    @classmethod
    def of(cls, function: RationalFunction, step: Fraction) -> ExponentialQuotient:
        """The value of a rational function at e^−step."""
        sums = ({-step * k: Fraction(c) for k, c in enumerate(part) if c} for part in function.integer_parts())
        return cls(*sums)

    @property
    def parts(self) -> tuple[ExponentialQuotient, ExponentialQuotient]:
        """The numerator and the denominator."""
        return self.in_units(self._unit, self._top), self.in_units(self._unit, self._bottom)

    @property
    def value(self) -> Number:
        """The number as a `Fraction` where it is one."""
        if self._top.keys() <= {0} and self._bottom.keys() <= {0}:
            return _fraction(self._top[0]) if self._top else Fraction(0)
        return self

    def __eq__(self, other: object) -> bool:
        that = _lifted(other)
        return that is not None and (self._unit, self._top, self._bottom) == (that._unit, that._top, that._bottom)

    def __hash__(self) -> int:
        if self._hash is None:
            value = self.value
            parts = (self._unit, *(tuple(sorted(part.items())) for part in (self._top, self._bottom)))
            self._hash = hash(parts) if value is self else hash(value)
        return self._hash

    def __bool__(self) -> bool:
        return bool(self._top)

    @property
    def step(self) -> Fraction:
        """The largest q > 0 of which every exponent is a multiple."""
        return common_step((*self.above, *self.below))

    def in_symbol(self, step: Fraction) -> RationalFunction:
        """The number as a rational function of e^−step, of which `step` divides every exponent."""
        above, below = self.above, self.below
        most = max((*above, *below, Fraction(0)))
        parts = (_polynomial(terms, most, step) for terms in (above, below))
        top, bottom = parts
        return top / bottom

    def ball(self) -> Ball:
        top = _ball(self._top, self._unit)
        return top if len(self._bottom) == 1 else top / _ball(self._bottom, self._unit)

    def times(self, factor: Fraction) -> ExponentialQuotient:
        c = _rational(factor)
        return self.in_units(self._unit, {r: one * c for r, one in self._top.items()}, self._bottom)

    def equals(self, other: Number) -> bool | None:
        that = _lifted(other)
        return None if that is None else self == that

    def _aligned(self, other: ExponentialQuotient) -> tuple[int, _Sum, _Sum, _Sum, _Sum]:
        """A common unit, and both numerators and denominators in it."""
        unit = lcm(self._unit, other._unit)
        parts = (
            terms if one._unit == unit else {r * (unit // one._unit): c for r, c in terms.items()}
            for one in (self, other)
            for terms in (one._top, one._bottom)
        )
        return unit, *parts  # type: ignore[return-value]

    def __add__(self, other: Number | int) -> ExponentialQuotient:
        that = _lifted(other)
        if that is None:
            return NotImplemented
        unit, a, b, c, d = self._aligned(that)
        if b == d:
            return self.in_units(unit, _plus(a, c), b)
        return self.in_units(unit, _plus(times(a, d), times(c, b)), times(b, d))

    __radd__ = __add__

    def __mul__(self, other: Number | int) -> ExponentialQuotient:
        that = _lifted(other)
        if that is None:
            return NotImplemented
        unit, a, b, c, d = self._aligned(that)
        return self.in_units(unit, times(a, c), times(b, d))

    __rmul__ = __mul__

    def __neg__(self) -> ExponentialQuotient:
        return self.times(Fraction(-1))

    def __sub__(self, other: Number | int) -> ExponentialQuotient:
        that = _lifted(other)
        return NotImplemented if that is None else self + -that

    def __rsub__(self, other: Number | int) -> ExponentialQuotient:
        return -self + other

    def __truediv__(self, other: Number | int) -> ExponentialQuotient:
        that = _lifted(other)
        return NotImplemented if that is None else self * that._inverse()

    def __rtruediv__(self, other: Number | int) -> ExponentialQuotient:
        return self._inverse() * other

    def _inverse(self) -> ExponentialQuotient:
        return self.in_units(self._unit, self._bottom, self._top)

    def exact_form(self) -> str:
        above, below = _shown(self.above), _shown(self.below)
        if below == "1":
            return above
        return f"{above if len(self.above) == 1 else f'({above})'}/({below})"


def common_step(exponents: Iterable[Fraction]) -> Fraction:
    """The largest rational of which all of these are multiples; 1 where all are 0."""
    given = [r for r in exponents if r]
    below = lcm(*(r.denominator for r in given))
    return Fraction(gcd(*(int(r * below) for r in given)) or 1, below)


def sign_of_sum(terms: Terms) -> int:
    """The sign of Σ c·e^r: 0 only if all c are.

    >>> sign_of_sum({Fraction(0): Fraction(-271, 100), Fraction(1): Fraction(1)})
    1
    """
    unit = lcm(*(r.denominator for r in terms))
    left = _in_units({r: c for r, c in terms.items() if c}, unit)
    if len(left) < 2:
        return sum((c > 0) - (c < 0) for c in left.values())
    bits = 64
    while True:
        with precision(bits):
            found = _ball(left, unit)
            if found > 0:
                return 1
            if found < 0:
                return -1
        bits *= 2


def _without_common_factor(top: _Sum, bottom: _Sum) -> tuple[_Sum, _Sum]:
    """Both as polynomials in e^step, divided by their greatest common divisor."""
    low = min((*top, *bottom))
    step = gcd(*(r - low for r in (*top, *bottom)))
    first, second = (flint.fmpq_poly(_coefficients(terms, low, step)) for terms in (top, bottom))
    common = first.gcd(second)
    if common.degree() < 1:
        return top, bottom
    return tuple(_terms(part // common, step) for part in (first, second))  # type: ignore[return-value]


def _coefficients(terms: _Sum, low: int, step: int) -> list[Any]:
    found: list[Any] = [0] * ((max(terms, default=low) - low) // step + 1)
    for r, c in terms.items():
        found[(r - low) // step] = c
    return found


def _terms(polynomial: Any, step: int) -> _Sum:
    return {place * step: c for place, c in enumerate(polynomial.coeffs()) if c}


def _rational(value: Fraction | int) -> Any:
    return flint.fmpq(value.numerator, value.denominator)


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _in_units(terms: Terms, unit: int) -> _Sum:
    return {int(r * unit): _rational(c) for r, c in terms.items()}


def _in_fractions(terms: _Sum, unit: int) -> dict[Fraction, Fraction]:
    return {Fraction(r, unit): _fraction(c) for r, c in sorted(terms.items())}


def _lifted(number: object) -> ExponentialQuotient | None:
    if isinstance(number, ExponentialQuotient):
        return number
    if isinstance(number, (int, Fraction)):
        return ExponentialQuotient.in_units(1, {0: _rational(number)})
    return None


def _plus(one: _Sum, other: _Sum) -> _Sum:
    found = dict(one)
    for r, c in other.items():
        found[r] = found.get(r, 0) + c
    return found


def times(one: Mapping[_Exponent, Any], other: Mapping[_Exponent, Any]) -> dict[_Exponent, Any]:
    """The product of two sums."""
    found: dict[_Exponent, Any] = {}
    for r, c in one.items():
        for s, d in other.items():
            found[r + s] = found.get(r + s, 0) + c * d
    return {r: c for r, c in found.items() if c}


def _ball(terms: _Sum, unit: int) -> Ball:
    return sum((flint.arb(c) * flint.arb(flint.fmpq(r, unit)).exp() for r, c in terms.items()), flint.arb(0))


def _polynomial(terms: Terms, most: Fraction, step: Fraction) -> RationalFunction:
    found = RationalFunction.constant(Fraction(0))
    for r, c in terms.items():
        found = found + c * SYMBOL ** int((most - r) / step)
    return found


def _shown(terms: Terms) -> str:
    def one(r: Fraction, c: Fraction) -> str:
        power = "" if not r else "e" if r == 1 else f"e^{r}" if r.denominator == 1 and r > 0 else f"e^({r})"
        factor = "" if power and c == 1 else "-" if power and c == -1 else f"{c}{'*' if power else ''}"
        return factor + power

    return " + ".join(one(r, c) for r, c in terms.items()).replace("+ -", "- ") or "0"

"""Quotients of exponential sums Σ c·e^r with rational c and r: what softmax and randomized response compute with.

By Lindemann and Weierstrass such a sum is 0 only if all its coefficients are, so the quotients are an ordered field in
which equality is decided exactly, and order by enclosures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import flint

from stirred.spec.numbers.ball import Ball, ball_of, precision
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
from stirred.spec.numbers.reals.real import Number, Real

Terms = Mapping[Fraction, Fraction]
_ONE: Terms = {Fraction(0): Fraction(1)}


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

    def __init__(self, above: Terms, below: Terms = _ONE) -> None:
        top: Terms = _plain(above)
        bottom: Terms = _plain(below)
        if not bottom:
            raise ZeroDivisionError("a quotient of exponential sums needs a denominator other than 0")
        if len(bottom) > 1:
            top, bottom = _without_common_factor(top, bottom)
        least = min(bottom)
        scale = bottom[least]
        self.above = {r - least: c / scale for r, c in top.items()}
        self.below = {r - least: c / scale for r, c in bottom.items()}

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
    def value(self) -> Number:
        """The number as a `Fraction` where it is one."""
        is_rational = self.above.keys() <= {0} and self.below.keys() <= {0}
        return self.above.get(Fraction(0), Fraction(0)) if is_rational else self

    def __eq__(self, other: object) -> bool:
        that = _lifted(other)
        return that is not None and (self.above, self.below) == (that.above, that.below)

    def __hash__(self) -> int:
        value = self.value
        return hash((*self.above.items(), *self.below.items())) if value is self else hash(value)

    def __bool__(self) -> bool:
        return bool(self.above)

    @property
    def step(self) -> Fraction:
        """The largest q > 0 of which every exponent is a multiple."""
        return common_step((*self.above, *self.below))

    def in_symbol(self, step: Fraction) -> RationalFunction:
        """The number as a rational function of e^−step, of which `step` divides every exponent."""
        most = max((*self.above, *self.below, Fraction(0)))
        parts = (_polynomial(terms, most, step) for terms in (self.above, self.below))
        top, bottom = parts
        return top / bottom

    def ball(self) -> Ball:
        return _ball(self.above) / _ball(self.below)

    def times(self, factor: Fraction) -> ExponentialQuotient:
        return ExponentialQuotient({r: c * factor for r, c in self.above.items()}, self.below)

    def equals(self, other: Number) -> bool | None:
        that = _lifted(other)
        return None if that is None else self == that

    def __add__(self, other: Number | int) -> ExponentialQuotient:
        that = _lifted(other)
        if that is None:
            return NotImplemented
        if self.below == that.below:
            return ExponentialQuotient(_plus(self.above, that.above), self.below)
        above = _plus(times(self.above, that.below), times(that.above, self.below))
        return ExponentialQuotient(above, times(self.below, that.below))

    __radd__ = __add__

    def __mul__(self, other: Number | int) -> ExponentialQuotient:
        that = _lifted(other)
        if that is None:
            return NotImplemented
        return ExponentialQuotient(times(self.above, that.above), times(self.below, that.below))

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
        return NotImplemented if that is None else self * ExponentialQuotient(that.below, that.above)

    def __rtruediv__(self, other: Number | int) -> ExponentialQuotient:
        return ExponentialQuotient(self.below, self.above) * other

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
    left = _plain(terms)
    if len(left) < 2:
        return sum((c > 0) - (c < 0) for c in left.values())
    bits = 64
    while True:
        with precision(bits):
            found = _ball(left)
            if found > 0:
                return 1
            if found < 0:
                return -1
        bits *= 2


def _without_common_factor(top: Terms, bottom: Terms) -> tuple[Terms, Terms]:
    """Both as polynomials in e^step, divided by their greatest common divisor."""
    step = common_step((*top, *bottom))
    low = min((*top, *bottom))
    quotient = RationalFunction(*(_coefficients(terms, low, step) for terms in (top, bottom)))
    return tuple(_terms(part, step) for part in (quotient.numerator, quotient.denominator))  # type: ignore[return-value]


def _coefficients(terms: Terms, low: Fraction, step: Fraction) -> list[Any]:
    found = [flint.fmpq(0)] * (int((max(terms, default=low) - low) / step) + 1)
    for r, c in terms.items():
        found[int((r - low) / step)] = flint.fmpq(c.numerator, c.denominator)
    return found


def _terms(polynomial: Any, step: Fraction) -> dict[Fraction, Fraction]:
    given = enumerate(polynomial.coeffs())
    return {place * step: Fraction(int(c.p), int(c.q)) for place, c in given if c}


def _lifted(number: object) -> ExponentialQuotient | None:
    if isinstance(number, ExponentialQuotient):
        return number
    return ExponentialQuotient({Fraction(0): Fraction(number)}) if isinstance(number, (int, Fraction)) else None


def _plain(terms: Terms) -> dict[Fraction, Fraction]:
    return {Fraction(r): Fraction(c) for r, c in sorted(terms.items()) if c}


def _plus(one: Terms, other: Terms) -> Terms:
    none = Fraction(0)
    return _plain({r: one.get(r, none) + other.get(r, none) for r in {*one, *other}})


def times(one: Terms, other: Terms) -> Terms:
    """The product of two sums."""
    found: dict[Fraction, Fraction] = {}
    for r, c in one.items():
        for s, d in other.items():
            found[r + s] = found.get(r + s, Fraction(0)) + c * d
    return _plain(found)


def _ball(terms: Terms) -> Ball:
    return sum((ball_of(c) * ball_of(r).exp() for r, c in terms.items()), ball_of(Fraction(0)))


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

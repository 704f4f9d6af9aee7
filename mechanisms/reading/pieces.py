"""Piecewise sums Σ c·t^k·e^(a·t + r), closed under products, affine substitution and integration.

An algebra fixes the units of a and r, so that both are integers and terms meet by comparing integers. It remembers what
it computed, by the identity of its functions: equal steps give the same function, and cost once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial
from typing import Any, TypeVar

import flint

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.spec.numbers.ball import ball_of, box_of, ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import EnclosedReal, Number

Terms = dict[tuple[int, int, int], Any]
"""c by (k, a, r), of which a and r count units; c is rational (`flint.fmpq`), or a ball, and r is 0 then."""

_Plane = dict[tuple[int, int, int, int, int], Any]
"""c by (i, j, a, b, r): c·x^i·y^j·e^(a·x + b·y + r)."""

_Line = tuple[Fraction, Fraction]
"""(σ, τ): x = σ·y + τ."""

_Found = TypeVar("_Found")
_Key = TypeVar("_Key")

_MOST_REMEMBERED = 20_000
_BITS = 512


class FinerUnitError(ArithmeticError):
    """A rate or an exponent is no multiple of the unit.

    Args:
        rates: by what the unit of rates is to be divided.
        exponents: the same of exponents.
    """

    def __init__(self, *, rates: int = 1, exponents: int = 1) -> None:
        super().__init__(f"the units are too coarse: rates by {rates}, exponents by {exponents}")
        self.rates, self.exponents = rates, exponents


class Pieces:
    """A function of one real number: `terms[i]` between `cuts[i − 1]` and `cuts[i]`. Two are equal if they are one."""

    __slots__ = ("cuts", "terms")

    def __init__(self, cuts: Sequence[Fraction], terms: Sequence[Terms]) -> None:
        kept = [place for place in range(len(cuts)) if terms[place] != terms[place + 1]]
        self.cuts = tuple(cuts[place] for place in kept)
        self.terms = (*(terms[place] for place in kept), terms[-1])

    def ends(self, place: int) -> tuple[Fraction | None, Fraction | None]:
        """Where a piece begins and ends; None at infinity."""
        low = self.cuts[place - 1] if place else None
        return low, (self.cuts[place] if place < len(self.cuts) else None)

    def refined(self, cuts: Sequence[Fraction]) -> list[Terms]:
        """The terms between cuts that hold all of its own."""
        return [self.terms[0], *(self.terms[bisect_right(self.cuts, cut)] for cut in cuts)]


class PieceAlgebra:
    """Computes with `Pieces`.

    Args:
        rates: units of a in 1.
        exponents: units of r in 1, a multiple of `rates`.
    """

    has_cases = True

    def __init__(self, rates: int, exponents: int) -> None:
        self.rates, self.exponents = rates, exponents
        self.one = self.coefficient(Fraction(1))
        self._known: dict[Hashable, Any] = {}

    def density(self, law: BaseLaw) -> Pieces:
        """The density of a law that is piecewise of this kind."""
        one, falling = self._constant(Fraction(1)), (0, -self.rates, 0)
        if law is BaseLaw.UNIFORM:
            return self._once((law,), lambda: Pieces([Fraction(0), Fraction(1)], [{}, one, {}]))
        if law is BaseLaw.EXPONENTIAL:
            return self._once((law,), lambda: Pieces([Fraction(0)], [{}, {falling: self.coefficient(Fraction(1))}]))
        half = self.coefficient(Fraction(1, 2))
        return self._once((law,), lambda: Pieces([Fraction(0)], [{(0, self.rates, 0): half}, {falling: half}]))

    def indicator(self, low: Fraction | None, high: Fraction | None) -> Pieces:
        """1 between two ends, else 0."""
        return self._once(("indicator", low, high), lambda: self._indicator(low, high))

    def product(self, factors: Sequence[Pieces]) -> Pieces:
        """The product of one or more functions."""
        found: Pieces | None = None
        for factor in sorted(factors, key=lambda one: (len(one.cuts), id(one))):
            found = factor if found is None else self._once(("product", found, factor), self._times(found, factor))
        if found is None:
            return self.indicator(None, None)
        return found

    def composed(self, function: Pieces, slope: Fraction, shift: Fraction = Fraction(0)) -> Pieces:
        """The function t -> f(slope·t + shift); the slope is not 0."""
        if slope == 1 and not shift:
            return function
        return self._once(("composed", function, slope, shift), lambda: self._composed(function, slope, shift))

    def scaled(self, function: Pieces, factor: Fraction) -> Pieces:
        """The function times a number that is not 0."""
        if factor == 1:
            return function
        by = {(0, 0, 0): self.coefficient(factor)}
        return self._once(
            ("scaled", function, factor), lambda: Pieces(function.cuts, [multiplied(one, by) for one in function.terms])
        )

    def integrated(self, function: Pieces, others: Sequence[tuple[Fraction, Fraction, Pieces]]) -> Pieces:
        """The function y -> ∫ f(x)·Π g(p·x + q·y) dx of triples (p, q, g), none of p and q 0."""
        ordered = tuple(sorted(others, key=lambda one: (one[0], one[1], id(one[2]))))
        return self._once(("integrated", function, ordered), lambda: _Sweep(self, function, ordered).pieces())

    def total(self, function: Pieces) -> dict[int, Any]:
        """The integral over all reals, as c by r: Σ c·e^r."""
        return self._once(("total", function), lambda: self._total(function))

    def cumulated(self, function: Pieces) -> Pieces:
        """A continuous antiderivative."""
        return self._once(("cumulated", function), lambda: self._cumulated(function))

    def limit(self, function: Pieces, sign: int) -> dict[int, Any]:
        """The limit at ∞ or −∞, as the sign tells, as c by r.

        Raises:
            ArithmeticError: there is none.
        """
        terms = function.terms[-1 if sign > 0 else 0]
        if any(a * sign > 0 or (k and not a) for k, a, _ in terms):
            raise ArithmeticError("a function that grows has no limit")
        return {r: c for (_, a, r), c in terms.items() if not a}

    def number(self, found: Mapping[int, Any]) -> Exact:
        """The number Σ c·e^r, of c by r."""
        return Exact(ExponentialQuotient.in_units(self.exponents, found).value)

    def enclosed(self, found: Mapping[int, Any], error: Fraction) -> Number:
        """The same, where it may be off by an error: a number in [0, 1]."""
        if not found:
            return Fraction(0)
        with precision(_BITS):
            parts = (
                ball_of(Fraction(int(c.p), int(c.q))) * ball_of(Fraction(r, self.exponents)).exp()
                for r, c in found.items()
            )
            low, high = ends_of(sum(parts, box_of(-error, error))) or (Fraction(0), Fraction(1))
        low = max(low, Fraction(0))
        return EnclosedReal(Enclosure(low, max(low, min(high, Fraction(1)))))

    def _once(self, key: Hashable, compute: Callable[[], _Found]) -> _Found:
        if key not in self._known:
            if len(self._known) > _MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = compute()
        found: _Found = self._known[key]
        return found

    def coefficient(self, value: Fraction) -> Any:
        return flint.fmpq(value.numerator, value.denominator)

    def _constant(self, value: Fraction) -> Terms:
        return {(0, 0, 0): self.coefficient(value)}

    def _indicator(self, low: Fraction | None, high: Fraction | None) -> Pieces:
        if low is not None and high is not None and low >= high:
            return Pieces([], [{}])
        cuts = [end for end in (low, high) if end is not None]
        return Pieces(cuts, [{}] * (low is not None) + [self._constant(Fraction(1))] + [{}] * (high is not None))

    def _times(self, one: Pieces, other: Pieces) -> Callable[[], Pieces]:
        def compute() -> Pieces:
            cuts = sorted({*one.cuts, *other.cuts})
            return Pieces(cuts, [*map(multiplied, one.refined(cuts), other.refined(cuts))])

        return compute

    def _composed(self, function: Pieces, slope: Fraction, shift: Fraction) -> Pieces:
        cuts = [(cut - shift) / slope for cut in function.cuts]
        terms = [
            self.substituted({(k, 0, a, 0, r): c for (k, a, r), c in piece.items()}, (slope, shift))
            for piece in function.terms
        ]
        return Pieces(cuts, terms) if slope > 0 else Pieces(cuts[::-1], terms[::-1])

    def _total(self, function: Pieces) -> dict[int, Any]:
        anti = self.cumulated(function)
        return plus(self.limit(anti, 1), {r: -c for r, c in self.limit(anti, -1).items()})

    def _cumulated(self, function: Pieces) -> Pieces:
        cuts, level, found = function.cuts or (Fraction(0),), dict[int, Any](), list[Terms]()
        for place, piece in enumerate(function.terms):
            plane = antiderivative({(k, 0, a, 0, r): c for (k, a, r), c in piece.items()}, self.rates)
            # from its value at the cut below, or from 0 at the first cut
            start = plus(level, {r: -c for r, c in self._value(plane, cuts[max(place - 1, 0)]).items()})
            terms = {(k, a, r): c for (k, _, a, _, r), c in plane.items()}
            found.append(plus(terms, {(0, 0, r): c for r, c in start.items()}))
            if 0 < place < len(cuts):
                level = plus(start, self._value(plane, cuts[place]))
        return Pieces(function.cuts, found)

    def _value(self, plane: _Plane, point: Fraction) -> dict[int, Any]:
        return {r: c for (_, _, r), c in self.substituted(plane, (Fraction(0), point)).items()}

    def rate(self, value: Fraction) -> int:
        """A rate in units, which must be an integer of them."""
        if value.denominator != 1:
            raise FinerUnitError(rates=value.denominator, exponents=value.denominator)
        return value.numerator

    def _power(self, exponent: Fraction, key: tuple[int, int], c: Any) -> tuple[tuple[int, int, int], Any]:
        """The term c·t^k·e^(a·t + exponent), of which the exponent counts units."""
        if exponent.denominator != 1:
            raise FinerUnitError(exponents=exponent.denominator)
        return (*key, exponent.numerator), c

    def substituted(self, plane: _Plane, line: _Line) -> Terms:
        """The terms at x = σ·y + τ, as a function of y."""
        slope, shift = line
        unit = shift * self.exponents / self.rates
        found: Terms = {}
        for (i, j, a, b, r), c in plane.items():
            rate = self.rate(a * slope + b) if slope else b
            for k in range(i + 1) if slope else (0,):
                if i > k and not shift:
                    continue
                factor = comb(i, k) * slope**k * shift ** (i - k)
                key, part = self._power(a * unit + r, (j + k, rate), c if factor == 1 else c * self.coefficient(factor))
                found[key] = found.get(key, 0) + part
        return {key: c for key, c in found.items() if c}


def multiplied(one: Terms, other: Terms) -> Terms:
    """The product of two sums."""
    found: Terms = {}
    for (k, a, r), c in one.items():
        for (m, b, s), d in other.items():
            key = (k + m, a + b, r + s)
            found[key] = found.get(key, 0) + c * d
    return {key: c for key, c in found.items() if c}


def plus(one: Mapping[_Key, Any], other: Mapping[_Key, Any]) -> dict[_Key, Any]:
    """The sum of two sums."""
    found = dict(one)
    for key, c in other.items():
        found[key] = found.get(key, 0) + c
    return {key: c for key, c in found.items() if c}


def antiderivative(plane: _Plane, unit: int) -> _Plane:
    """A sum of which this is the derivative in x."""
    found: _Plane = {}
    for (i, j, a, b, r), c in plane.items():
        if not a:
            parts = [(i + 1, c / (i + 1))]
        else:
            over = flint.fmpq(unit, a)
            falling = ((m, (-1) ** m * (factorial(i) // factorial(i - m))) for m in range(i + 1))
            parts = [(i - m, c * factor * over ** (m + 1)) for m, factor in falling]
        for power, part in parts:
            key = (power, j, a, b, r)
            found[key] = found.get(key, 0) + part
    return found


def require_decay(plane: _Plane, sign: int) -> None:
    """An antiderivative must be 0 at the end of x that the sign tells.

    Raises:
        ArithmeticError: it is not, and the integral is none.
    """
    if any(a * sign >= 0 for _, _, a, _, _ in plane):
        raise ArithmeticError("a function that does not decay has no integral")


class _Sweep:
    """Integrates over x for all y at once: between crossings of the lines where factors change, their order is one."""

    def __init__(
        self, algebra: PieceAlgebra, function: Pieces, others: Sequence[tuple[Fraction, Fraction, Pieces]]
    ) -> None:
        self._algebra = algebra
        self._factors = ((Fraction(1), Fraction(0), function), *others)
        self._lines = sorted({(-q / p, cut / p) for p, q, one in self._factors for cut in one.cuts})
        self._integrals: dict[tuple[int, ...], _Plane] = {}
        self._ends: dict[tuple[tuple[int, ...], _Line], Terms] = {}

    def pieces(self) -> Pieces:
        """The integral as a function of y."""
        lines = self._lines
        cuts = sorted(
            {
                (other - start) / (slope - steeper)
                for slope, start in lines
                for steeper, other in lines
                if slope < steeper
            }
        )
        return Pieces(cuts, [self._between(point) for point in between(cuts)])

    def _between(self, y: Fraction) -> Terms:
        lines = sorted(self._lines, key=lambda line: line[0] * y + line[1])
        places = [slope * y + start for slope, start in lines]
        found: Terms = {}
        for number, x in enumerate(between(places)):
            cell = tuple(bisect_right(one.cuts, p * x + q * y) for p, q, one in self._factors)
            if all(one.terms[place] for place, (_, _, one) in zip(cell, self._factors, strict=True)):
                for end, sign in ((number - 1, -1), (number, 1)):
                    if not 0 <= end < len(lines):
                        require_decay(self._integral(cell), sign)
                        continue
                    for key, c in self._at_end(cell, lines[end]).items():
                        found[key] = found.get(key, 0) + sign * c
        return {key: c for key, c in found.items() if c}

    def _at_end(self, cell: tuple[int, ...], line: _Line) -> Terms:
        if (cell, line) not in self._ends:
            self._ends[cell, line] = self._algebra.substituted(self._integral(cell), line)
        return self._ends[cell, line]

    def _integral(self, cell: tuple[int, ...]) -> _Plane:
        if cell not in self._integrals:
            plane: _Plane = {(0, 0, 0, 0, 0): self._algebra.coefficient(Fraction(1))}
            for place, (p, q, one) in zip(cell, self._factors, strict=True):
                plane = _plane_product(plane, self._spread(one.terms[place], p, q))
            self._integrals[cell] = antiderivative(plane, self._algebra.rates)
        return self._integrals[cell]

    def _spread(self, terms: Terms, p: Fraction, q: Fraction) -> _Plane:
        """The terms at p·x + q·y."""
        found: _Plane = {}
        for (k, a, r), c in terms.items():
            rates = (self._algebra.rate(a * p), self._algebra.rate(a * q))
            for i in range(k + 1):
                factor = comb(k, i) * p**i * q ** (k - i)
                if factor:
                    found[i, k - i, *rates, r] = c * self._algebra.coefficient(factor)
        return found


def _plane_product(one: _Plane, other: _Plane) -> _Plane:
    found: _Plane = {}
    for (i, j, a, b, r), c in one.items():
        for (m, n, d, e, s), f in other.items():
            key = (i + m, j + n, a + d, b + e, r + s)
            found[key] = found.get(key, 0) + c * f
    return {key: c for key, c in found.items() if c}


def between(cuts: Sequence[Fraction]) -> Iterator[Fraction]:
    """A point of each interval that cuts leave, from the lowest on."""
    if not cuts:
        yield Fraction(0)
        return
    yield cuts[0] - 1
    for low, high in pairwise(cuts):
        yield (low + high) / 2
    yield cuts[-1] + 1

"""Functions on the integers that are exponential polynomials piece by piece: what sums of geometric tails are made of.

On each piece f(x) = Σ_j q_j(x)·β_j^x with polynomials q_j and bases β_j > 0. Products, shifts, reflections and tail
sums of such functions are of the same form, so that probabilities of comparisons of geometric draws are exact.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Probability

Terms = Mapping[Probability, tuple[Probability, ...]]
"""Σ q(x)·β^x: for each base β the coefficients of q, lowest degree first; the empty mapping is 0."""

_ZERO = Fraction(0)
_ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class PiecewiseExponential:
    """A function on the integers, one exponential polynomial on each piece.

    Attributes:
        cuts: where a piece begins, increasing; the first piece has no beginning, and the last one no end.
        terms: on each piece, one more than there are cuts.

    >>> half = PiecewiseExponential((0,), ({}, {Fraction(1, 2): (Fraction(1, 2),)}))
    >>> half(3), half.total(), half.upper_sums()(3)
    (Fraction(1, 16), Fraction(1, 1), Fraction(1, 8))
    """

    cuts: tuple[int, ...]
    terms: tuple[Terms, ...]

    @staticmethod
    def joined(cuts: Sequence[int], terms: Sequence[Terms]) -> PiecewiseExponential:
        """The function with these pieces, without cuts at which nothing changes."""
        kept = [place for place in range(len(cuts)) if terms[place] != terms[place + 1]]
        return PiecewiseExponential(tuple(cuts[k] for k in kept), (*(terms[k] for k in kept), terms[-1]))

    @staticmethod
    def power(base: Probability, degree: int = 0, factor: Probability = _ONE) -> PiecewiseExponential:
        """X ↦ factor·x^degree·base^x."""
        return PiecewiseExponential((), ({base: (*[_ZERO] * degree, factor)} if factor else {},))

    def __call__(self, x: int) -> Probability:
        """The value at an integer."""
        return _value(self._at(x), x)

    def _at(self, x: int) -> Terms:
        return self.terms[bisect_right(self.cuts, x)]

    def __add__(self, other: PiecewiseExponential) -> PiecewiseExponential:
        return self._combined(other, _sum)

    def __mul__(self, other: PiecewiseExponential) -> PiecewiseExponential:
        return self._combined(other, _product)

    def __sub__(self, other: PiecewiseExponential) -> PiecewiseExponential:
        return self._combined(other, lambda first, second: _sum(first, _scaled(second, -_ONE)))

    def _combined(
        self, other: PiecewiseExponential, operation: Callable[[Terms, Terms], Terms]
    ) -> PiecewiseExponential:
        cuts = tuple(sorted({*self.cuts, *other.cuts}))
        starts = [cuts[0] - 1 if cuts else 0, *cuts]
        return PiecewiseExponential.joined(cuts, [operation(self._at(x), other._at(x)) for x in starts])

    def restricted(self, low: int | None, high: int | None) -> PiecewiseExponential:
        """The function on low, …, high and 0 elsewhere; None is no bound."""
        one: Terms = {_ONE: (_ONE,)}
        cuts: list[int] = []
        parts: list[Terms] = [one]
        if low is not None:
            cuts, parts = [low], [{}, one]
        if high is not None:
            if low is not None and high < low:
                return PiecewiseExponential((), ({},))
            cuts, parts = [*cuts, high + 1], [*parts, {}]
        return self * PiecewiseExponential(tuple(cuts), tuple(parts))

    def shifted(self, by: int) -> PiecewiseExponential:
        """X ↦ f(x + by)."""
        return PiecewiseExponential(
            tuple(cut - by for cut in self.cuts), tuple(_shifted_terms(part, by) for part in self.terms)
        )

    def reflected(self) -> PiecewiseExponential:
        """X ↦ f(−x)."""
        parts = tuple(
            {1 / base: tuple(c * (-1) ** k for k, c in enumerate(q)) for base, q in part.items()}
            for part in reversed(self.terms)
        )
        return PiecewiseExponential(tuple(1 - cut for cut in reversed(self.cuts)), parts)

    def upper_sums(self) -> PiecewiseExponential:
        """T ↦ Σ f(x) over x ≥ t, for a function that vanishes at ∞."""
        sums = self.antidifference()
        return PiecewiseExponential.power(_ONE, 0, sums.limit(-1)) - sums

    def total(self) -> Probability:
        """Σ f(x) over all integers, for a function that vanishes at both ends."""
        sums = self.antidifference()
        return sums.limit(-1) - sums.limit(0)

    def antidifference(self) -> PiecewiseExponential:
        """A function F with F(x + 1) − F(x) = f(x) for every x."""
        found = [_antidifference(self.terms[0])]
        for cut, part in zip(self.cuts, self.terms[1:], strict=True):
            after = _antidifference(part)
            found.append(_sum(after, {_ONE: (_value(found[-1], cut) - _value(after, cut),)}))
        return PiecewiseExponential(self.cuts, tuple(found))

    def limit(self, place: int) -> Probability:
        """The limit at −∞, of place 0, or at ∞, of place −1, of a function that has one there."""
        constant = self.terms[place].get(_ONE, (_ZERO,))
        if len(constant) > 1:
            raise InputError("a function that is summed to infinity must vanish there; it has a polynomial term")
        return constant[0]

    def correlated(self, other: PiecewiseExponential) -> PiecewiseExponential:
        """T ↦ Σ f(x)·g(x + t) over all integers x, where these sums converge.

        With (x + t)^k·β^(x+t) = Σ_j (k over j)·t^(k−j)·β^t · x^j·β^x each piece of g is a difference of two values of
        an antidifference of f(x)·x^j·β^x.

        >>> half = PiecewiseExponential((0,), ({}, {Fraction(1, 2): (Fraction(1, 2),)}))
        >>> half.correlated(half)(-1), half.correlated(half)(1)
        (Fraction(1, 6), Fraction(1, 6))
        """
        if len(self._kinds()) < len(other._kinds()):
            return other.correlated(self).reflected()
        found = PiecewiseExponential((), ({},))
        wholes: dict[tuple[Probability, int], PiecewiseExponential] = {}
        ends = [None, *other.cuts, None]
        for place, terms in enumerate(other.terms):
            for base, coefficients in terms.items():
                for power, c in enumerate(coefficients):
                    for j in range(power + 1) if c else ():
                        if (base, j) not in wholes:
                            wholes[base, j] = (self * PiecewiseExponential.power(base, j)).antidifference().reflected()
                        high, low = (wholes[base, j]._moved(ends[place + k], k) for k in (1, 0))
                        found = found + (high - low) * PiecewiseExponential.power(base, power - j, c * comb(power, j))
        return found

    def _moved(self, cut: int | None, is_high: int) -> PiecewiseExponential:
        """T ↦ f(t − cut), or the limit that this has where the cut is none: at −∞ for a high one, else at ∞."""
        if cut is not None:
            return self.shifted(-cut)
        return PiecewiseExponential.power(_ONE, 0, self.limit(0 if is_high else -1))

    def _kinds(self) -> set[tuple[Probability, int]]:
        return {(base, len(q)) for part in self.terms for base, q in part.items()}


def _value(terms: Terms, x: int) -> Probability:
    total: Probability = _ZERO
    for base, coefficients in terms.items():
        polynomial: Probability = _ZERO
        for coefficient in reversed(coefficients):
            polynomial = polynomial * x + coefficient
        total = total + polynomial * base**x
    return total


def _cleaned(found: Mapping[Probability, Sequence[Probability]]) -> Terms:
    kept: dict[Probability, tuple[Probability, ...]] = {}
    for base, coefficients in found.items():
        degree = max((k for k, c in enumerate(coefficients) if c), default=-1)
        if degree >= 0:
            kept[base] = tuple(coefficients[: degree + 1])
    return kept


def _scaled(terms: Terms, factor: Probability) -> Terms:
    return {base: tuple(factor * c for c in coefficients) for base, coefficients in terms.items()}


def _added(first: Sequence[Probability], second: Sequence[Probability]) -> list[Probability]:
    size = max(len(first), len(second))
    padded = [(*row, *[_ZERO] * (size - len(row))) for row in (first, second)]
    return [a + b for a, b in zip(*padded, strict=True)]


def _sum(first: Terms, second: Terms) -> Terms:
    found: dict[Probability, Sequence[Probability]] = dict(first)
    for base, coefficients in second.items():
        found[base] = _added(found.get(base, ()), coefficients)
    return _cleaned(found)


def _product(first: Terms, second: Terms) -> Terms:
    found: dict[Probability, Sequence[Probability]] = {}
    for base, q in first.items():
        for other, r in second.items():
            row: list[Probability] = [_ZERO] * (len(q) + len(r) - 1)
            for i, a in enumerate(q):
                for j, b in enumerate(r):
                    row[i + j] = row[i + j] + a * b
            found[base * other] = _added(found.get(base * other, ()), row)
    return _cleaned(found)


def _shifted_terms(terms: Terms, by: int) -> Terms:
    found: dict[Probability, Sequence[Probability]] = {}
    for base, coefficients in terms.items():
        row: list[Probability] = [_ZERO] * len(coefficients)
        for power, c in enumerate(coefficients):
            for k in range(power + 1):
                row[k] = row[k] + c * comb(power, k) * by ** (power - k)
        found[base] = [c * base**by for c in row]
    return _cleaned(found)


def _antidifference(terms: Terms) -> Terms:
    """A with A(x+1) − A(x) = f(x); where f decays, A decays too.

    For q(x)·β^x it is r(x)·β^x with β·r(x+1) − r(x) = q(x), solved from the highest degree down.
    """
    found: dict[Probability, Sequence[Probability]] = {}
    for base, q in terms.items():
        raised = int(base == 1)
        r: list[Probability] = [_ZERO] * (len(q) + raised)
        for k in reversed(range(len(q))):
            rest = q[k]
            for j in range(k + 1 + raised, len(r)):
                rest = rest - base * comb(j, k) * r[j]
            r[k + raised] = rest / ((k + 1) if raised else (base - 1))
        found[base] = r
    return _cleaned(found)

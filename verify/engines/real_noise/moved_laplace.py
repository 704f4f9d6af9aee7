"""E_γ of several independent Laplace numbers, each moved by a rational number s of its scales, by c = ln γ.

Of one number the privacy loss l is s with probability 1/2, −s with e^−s/2, and has the density e^−((s − l)/2)/4 between
them. Conditioned on the first loss, E of the others is asked for at c − l:

    E(c) = E'(c − s)/2 + e^−s·E'(c + s)/2 + e^((c − s)/2)/4 · (F(c + s) − F(c − s)),  F' = e^(−u/2)·E'(u),

from (1 − e^c)⁺ of none on. All of them are Σ c·t^k·e^(a·t) piece by piece, and 0 beyond the sum of all s.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from stirred.spec.laws.piecewise_density import Coefficient, DensityTerms, PiecewiseDensity
from stirred.spec.numbers.ball import ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import EnclosedReal, Number
from stirred.verify.engines.real_noise.leaves import RealLeaf
from stirred.verify.engines.real_noise.mixture import mixture
from stirred.verify.engines.real_noise.quasi_polynomial import antiderivative, ball_on, summed, value_at

_BITS = 256
_HALF = Fraction(1, 2)
_NONE = PiecewiseDensity((Fraction(0),), ({(0, Fraction(0)): Fraction(1), (0, Fraction(1)): Fraction(-1)}, {}))


def moves(pairs: Sequence[tuple[RealLeaf, RealLeaf]]) -> list[Fraction] | None:
    """By how many of its scales each number is moved; None where they are no Laplace numbers, or these not rational."""
    found = []
    for one, other in pairs:
        numbers = (one.centre, other.centre, one.parameter, other.parameter)
        if {one.kind, other.kind} != {"laplace"} or not all(isinstance(number, Fraction) for number in numbers):
            return None
        first, second, scale, same = (Fraction(str(number)) for number in numbers)
        if scale != same:
            return None
        found.append(abs(first - second) / scale)
    return sorted(found)


def excess_of_moved(shifts: Sequence[Fraction], log_gamma: Enclosure) -> Number:
    """E_γ, between two ends.

    >>> found = excess_of_moved([Fraction(1)], Enclosure(Fraction(1, 2), Fraction(1, 2)))  # 1 − e^((1/2 − 1)/2)
    >>> found.enclosure().text(12)
    '0.221199216929'
    """
    curve = _curve(tuple(shifts))
    places = {bisect_right(curve.cuts, end) for end in (log_gamma.lower, log_gamma.upper)}
    with precision(_BITS):  # it is continuous: where a cut lies between the ends, each piece is near the number
        balls = [ball_on(curve.terms[place], (log_gamma.lower, log_gamma.upper)) for place in places]
        found = balls[0]
        for ball in balls[1:]:
            found = found.union(ball)
        ends = ends_of(found)
    if ends is None:
        raise ArithmeticError("a curve is not enclosed")
    return EnclosedReal(Enclosure(max(ends[0], Fraction(0)), max(ends[1], Fraction(0))))


@lru_cache(maxsize=256)
def _curve(shifts: tuple[Fraction, ...]) -> PiecewiseDensity:
    if not shifts:
        return _NONE
    *others, s = shifts
    before = _curve(tuple(others))
    whole = _whole(PiecewiseDensity(before.cuts, tuple(_tilted(one, -_HALF, Fraction(1)) for one in before.terms)))
    inside = mixture([(Fraction(1), _moved(whole, s)), (Fraction(-1), _moved(whole, -s))])
    factor = ExponentialQuotient.exponential(-s / 2) * Fraction(1, 4)
    last = PiecewiseDensity(inside.cuts, tuple(_tilted(one, _HALF, factor) for one in inside.terms))
    small = ExponentialQuotient.exponential(-s) * _HALF
    return mixture([(_HALF, _moved(before, -s)), (small, _moved(before, s)), (Fraction(1), last)])


def _whole(function: PiecewiseDensity) -> PiecewiseDensity:
    """The antiderivative that is 0 on the last piece, where the function is."""
    pieces: list[DensityTerms] = [{}]
    for cut, terms in zip(reversed(function.cuts), reversed(function.terms[:-1]), strict=True):
        own = antiderivative(terms)
        constant = value_at(pieces[-1], cut) + value_at(own, cut) * Fraction(-1)
        pieces.append(summed((own, Fraction(1)), ({(0, Fraction(0)): Fraction(1)}, constant)))
    return PiecewiseDensity(function.cuts, tuple(reversed(pieces)))


def _tilted(terms: DensityTerms, rate: Fraction, factor: Coefficient) -> DensityTerms:
    """factor·e^(rate·t)·f(t)."""
    return summed(({(k, a + rate): c for (k, a), c in terms.items()}, factor))


def _moved(function: PiecewiseDensity, by: Fraction) -> PiecewiseDensity:
    """The function t -> f(t + by)."""

    def moved(terms: DensityTerms) -> DensityTerms:
        parts = []
        for (k, a), c in terms.items():
            powers = {(j, a): Fraction(comb(k, j)) * by ** (k - j) for j in range(k + 1)}
            parts.append((powers, c * ExponentialQuotient.exponential(a * by)))
        return summed(*parts)

    return PiecewiseDensity(tuple(cut - by for cut in function.cuts), tuple(map(moved, function.terms)))

"""The discrete Gaussian N_ℤ(0, σ²): P(X = x) = e^(−x²/(2σ²)) / Σ_{y∈ℤ} e^(−y²/(2σ²)), as certified enclosures.

Sums over ℤ are taken over |x| ≤ N; what is left out is at most its first term divided by 1 − e^(−(2N+1)/(2σ²)), since
consecutive terms fall at least by that factor. Divergences between integer shifts are exact where α is an integer.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import ceil, floor, isqrt

import flint

from stirred.spec.arguments import (
    Exact,
    InputError,
    exact,
    integer,
    open_probability,
    positive,
    positive_integer,
    renyi_order,
    shown,
)
from stirred.spec.laws.symmetric_floors import symmetric_floors
from stirred.spec.numbers.ball import Ball, ball_of, precision
from stirred.spec.numbers.enclosure import Enclosure, enclose

_MAX_VARIANCE = 10**8
_MAX_DIGITS = 2000


def gaussian_scale(sigma_squared: Exact) -> Fraction:
    """σ² as a `Fraction` in (0, 10⁸]."""
    scale = positive("sigma_squared", sigma_squared)
    if scale > _MAX_VARIANCE:
        raise InputError(f"sigma_squared must be at most {_MAX_VARIANCE}; got {shown(sigma_squared)}")
    return scale


def _shift(shift: object) -> int:
    if isinstance(shift, bool) or not isinstance(shift, int):
        raise InputError(
            f"shift must be an int: anything else gives disjoint supports and infinite loss; got {shift!r}"
        )
    return shift


def _reach(scale: Fraction, bits: int) -> int:
    """An N with e^(−(N−1)²/(2σ²)) < 2^−bits, since 1.4·bits > 2·ln 2·bits."""
    return isqrt(ceil(scale * bits * Fraction(7, 5))) + 2


def _terms(scale: Fraction, offset: Fraction, count: int) -> list[Ball]:
    """e^(−(offset + k)²/(2σ²)) for k = 0, …, count − 1 and offset ≥ 0, by two multiplications for each."""
    term = (-ball_of(offset**2 / (2 * scale))).exp()
    factor = (-ball_of((2 * offset + 1) / (2 * scale))).exp()
    shrink = (-ball_of(1 / scale)).exp()
    terms = []
    for _ in range(count):
        terms.append(term)
        term *= factor
        factor *= shrink
    return terms


def _one_sided(scale: Fraction, offset: Fraction) -> Ball:
    """Σ_{k≥0} e^(−(offset + k)²/(2σ²)) for offset ≥ 0, in the present precision."""
    count = _reach(scale, flint.ctx.prec)
    *terms, first_left_out = _terms(scale, offset, count + 1)
    ratio = (-ball_of((2 * (offset + count) + 1) / (2 * scale))).exp()
    half_tail = (first_left_out / (1 - ratio)).upper() / 2
    return sum(terms, flint.arb(0)) + flint.arb(half_tail, half_tail)


def _sum(scale: Fraction, center: Fraction) -> Ball:
    """f(c) = Σ_{x∈ℤ} e^(−(x−c)²/(2σ²)), in the present precision; it has period 1."""
    offset = center - floor(center)
    return _one_sided(scale, 1 - offset) + _one_sided(scale, offset)


def interval_weight(scale: Fraction, low: int | None, high: int | None) -> Ball:
    """Σ e^(−x²/(2σ²)) over low ≤ x ≤ high, None being no end, in the present precision; few bits of it are lost.

    Args:
        scale: σ² in (0, 10⁸].
        low: at most high.
    """
    if (low is None and high is not None) or (high is not None and high < 0):
        low, high = -high, None if low is None else -low
    if low is not None and low > 0:
        beyond = flint.arb(0) if high is None else _one_sided(scale, Fraction(high + 1))
        return _one_sided(scale, Fraction(low)) - beyond
    below = flint.arb(0) if low is None else _one_sided(scale, Fraction(1 - low))
    above = flint.arb(0) if high is None else _one_sided(scale, Fraction(high + 1))
    return _sum(scale, Fraction(0)) - below - above


def gaussian_sum(sigma_squared: Exact, center: Exact = 0, *, digits: int = 20) -> Enclosure:
    """f(c) = Σ_{x∈ℤ} e^(−(x−c)²/(2σ²)), the normalising constant at c = 0, as an enclosure.

    f has period 1 and is largest at integers (claim `gaussian.sum-maximal`).

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.

    >>> gaussian_sum(1).text(10)
    '2.506628288'
    """
    scale, middle = gaussian_scale(sigma_squared), exact("center", center)
    return enclose(lambda: _sum(scale, middle), digits=digits)


def point_probability(sigma_squared: Exact, x: int, *, digits: int = 20) -> Enclosure:
    """P(X = x) for X ~ N_ℤ(0, σ²), as an enclosure.

    >>> point_probability(1, 0).text(6)
    '0.398942'
    """
    scale, place = gaussian_scale(sigma_squared), integer("x", x)
    return enclose(lambda: (-ball_of(place**2 / (2 * scale))).exp() / _sum(scale, Fraction(0)), digits=digits)


def upper_tail(sigma_squared: Exact, x: int, *, digits: int = 20) -> Enclosure:
    """P(X ≥ x) for X ~ N_ℤ(0, σ²), as an enclosure.

    >>> upper_tail(1, 1).text(6)
    '0.300529'
    """
    scale, place = gaussian_scale(sigma_squared), integer("x", x)
    return enclose(lambda: _tail(scale, place), digits=digits)


def _tail(scale: Fraction, place: int) -> Ball:
    total = _total(scale, flint.ctx.prec)
    if place > 0:
        return _one_sided(scale, Fraction(place)) / total
    return 1 - _one_sided(scale, Fraction(1 - place)) / total


@lru_cache(maxsize=256)
def _total(scale: Fraction, bits: int) -> Ball:
    """f(0) in the present precision, of so many bits; all tails of one noise are divided by it."""
    with precision(bits):
        return _sum(scale, Fraction(0))


def cumulative(sigma_squared: Exact, x: int, *, digits: int = 20) -> Enclosure:
    """P(X ≤ x) for X ~ N_ℤ(0, σ²), as an enclosure; it is P(X ≥ −x)."""
    return upper_tail(sigma_squared, -integer("x", x), digits=digits)


def quantile(sigma_squared: Exact, level: Exact) -> int:
    """The smallest x with P(X ≤ x) ≥ level, for X ~ N_ℤ(0, σ²); certain, however close the two are.

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.
        level: in (0, 1), exact.

    >>> quantile(100, Fraction(975, 1000))
    20
    """
    scale, wanted = gaussian_scale(sigma_squared), open_probability("level", level)
    high = isqrt(ceil(scale))  # few steps from most quantiles
    while not _reaches(scale, high, wanted):
        high *= 2
    low = -1
    while _reaches(scale, low, wanted):
        low *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _reaches(scale, middle, wanted) else (middle, high)
    return high


def _reaches(scale: Fraction, x: int, level: Fraction) -> bool:
    digits = 20
    while digits <= _MAX_DIGITS:
        found = cumulative(scale, x, digits=digits)
        if found.lower >= level:
            return True
        if found.upper < level:
            return False
        digits *= 3
    raise InputError(f"level must differ from P(X <= {x}) within {_MAX_DIGITS} digits; got {level}")


def cumulative_floors(sigma_squared: Exact, bits: int) -> tuple[int, list[int]]:
    """(least, floors) with floors[i] = ⌊2^bits·P(X ≤ least + i)⌋, exact.

    Below the list the floor is 0, and beyond it 2^bits − 1; no P(X ≤ x) is a multiple of 2^−bits that the working
    precision cannot tell from one.

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.
        bits: at least 1.
    """
    scale, size = gaussian_scale(sigma_squared), positive_integer("bits", bits)
    reach = _reach(scale, size + 8)
    return symmetric_floors(size, reach, partial(_tails, scale, reach))


def _tails(scale: Fraction, reach: int) -> list[Ball]:
    """P(X ≥ x) for x = 0, …, reach + 1."""
    total = _sum(scale, Fraction(0))
    sums = [_one_sided(scale, Fraction(reach + 1))]
    for term in reversed(_terms(scale, Fraction(0), reach + 1)):
        sums.append(sums[-1] + term)
    return [tail / total for tail in reversed(sums)]


def renyi_upper_bound(sigma_squared: Exact, shift: int, order: Exact) -> Fraction:
    """α·m²/(2σ²): at least D_α(N_ℤ(m, σ²)‖N_ℤ(0, σ²)) for every α > 1, and equal to it where α·m is an integer.

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.
        order: α > 1, exact.

    Source: Canonne, Kamath and Steinke (2020), Proposition 5; claims `gaussian.renyi-integer`, `gaussian.zcdp`.

    >>> renyi_upper_bound(2, 1, 4)
    Fraction(1, 1)
    """
    return renyi_order(order) * gaussian_zcdp_budget(sigma_squared, shift)


def gaussian_renyi_divergence(sigma_squared: Exact, shift: int, order: Exact, *, digits: int = 20) -> Enclosure:
    """D_α(N_ℤ(m, σ²)‖N_ℤ(0, σ²)) = α·m²/(2σ²) + ln(f(αm)/f(0))/(α−1), as an enclosure."""
    scale, alpha = gaussian_scale(sigma_squared), renyi_order(order)
    top = renyi_upper_bound(scale, shift, alpha)
    center = alpha * _shift(shift)
    if center.denominator == 1:
        return Enclosure(top, top)
    return enclose(
        lambda: ball_of(top) + (_sum(scale, center) / _sum(scale, Fraction(0))).log() / ball_of(alpha - 1),
        digits=digits,
    )


def gaussian_zcdp_budget(sigma_squared: Exact, shift: int) -> Fraction:
    """D_NoR(N_ℤ(m, σ²), N_ℤ(0, σ²))² = m²/(2σ²), exact: the ρ² of discrete Gaussian noise at sensitivity |m|.

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.

    >>> gaussian_zcdp_budget(Fraction(1, 2), 3)
    Fraction(9, 1)
    """
    return _shift(shift) ** 2 / (2 * gaussian_scale(sigma_squared))


def diagonal_zcdp_budget(scales: Sequence[Exact], shifts: Sequence[int]) -> Fraction:
    """Σ_i m_i²/(2σ_i²): D_NoR² of independent discrete Gaussians, as in the TopDown Algorithm's first step.

    >>> diagonal_zcdp_budget((1, 2), (1, 2))
    Fraction(3, 2)
    """
    if len(scales) != len(shifts):
        raise InputError(f"scales and shifts must have one length; got {len(scales)} and {len(shifts)}")
    pairs = zip(scales, shifts, strict=True)
    return sum((gaussian_zcdp_budget(scale, shift) for scale, shift in pairs), Fraction(0))

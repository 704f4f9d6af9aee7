"""Sums f(t) = Σ c·t^k·e^(a·t) on an interval: values, signs and integrals, and enclosures of all zeros.

Zeros are isolated by Rolle's theorem: between two zeros of f lies one of (f·e^(−a·t))', which has a term or a degree
less. Without powers of t there are no more zeros than changes of sign of c in the order of a, as Descartes' rule says,
and a next to a change takes that away. Signs at the ends are decided exactly, elsewhere by balls.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import count, pairwise

import flint

from stirred.spec.laws.piecewise_density import Coefficient, DensityTerms
from stirred.spec.numbers.ball import Ball, ball_of, box_of, dyadic, precision
from stirred.spec.numbers.enclosure import decimal_text
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import UndecidedOrderError, order

Interval = tuple[Fraction, Fraction]
End = Fraction | None
"""An end of an interval; None at infinity."""

_BITS, _MOST_BITS = 256, 2048
_NARROW = Fraction(1, 2**64)
_BEFORE_NEWTON, _STEPS, _LARGE = 8, 5, 1 << 160
_SHORT = 1 << 10
"""Denominators of points at which values are computed exactly: beyond, sums of powers of e are too long."""


class TouchingError(UndecidedOrderError):
    """Whether a function has a zero somewhere is not decided by enclosures."""


def plain(value: Coefficient) -> Coefficient:
    """The number as a `Fraction` where it is one."""
    found = value.value if isinstance(value, ExponentialQuotient) else value
    if isinstance(found, (Fraction, ExponentialQuotient)):
        return found
    raise TypeError(f"an exact number became {found!r}")


def sign_of(value: Coefficient) -> int:
    """The sign, exactly."""
    return order(value, Fraction(0))


def summed(*parts: tuple[DensityTerms, Coefficient]) -> dict[tuple[int, Fraction], Coefficient]:
    """Σ factor·f of pairs (f, factor)."""
    found: dict[tuple[int, Fraction], Coefficient] = {}
    for terms, factor in parts:
        for key, c in terms.items():
            found[key] = found.get(key, Fraction(0)) + c * factor
    return _kept(found)


def multiplied(one: DensityTerms, other: DensityTerms) -> dict[tuple[int, Fraction], Coefficient]:
    """The product."""
    found: dict[tuple[int, Fraction], Coefficient] = {}
    for (k, a), c in one.items():
        for (m, b), d in other.items():
            found[k + m, a + b] = found.get((k + m, a + b), Fraction(0)) + c * d
    return _kept(found)


def derivative(terms: DensityTerms) -> dict[tuple[int, Fraction], Coefficient]:
    """The derivative."""
    found: dict[tuple[int, Fraction], Coefficient] = {}
    for (k, a), c in terms.items():
        for key, factor in (((k, a), a), ((k - 1, a), Fraction(k))):
            if factor:
                found[key] = found.get(key, Fraction(0)) + c * factor
    return _kept(found)


def _kept(terms: Mapping[tuple[int, Fraction], Coefficient]) -> dict[tuple[int, Fraction], Coefficient]:
    return {key: value for key, c in terms.items() if (value := plain(c))}


def value_at(terms: DensityTerms, point: Fraction) -> Coefficient:
    """The value, exactly."""
    total: Coefficient = Fraction(0)
    for (k, a), c in terms.items():
        total = total + c * point**k * ExponentialQuotient.exponential(a * point)
    return plain(total)


def ball_on(terms: DensityTerms, box: Interval) -> Ball:
    """A ball around all values between two ends."""
    t = ball_of(box[0]) if box[0] == box[1] else box_of(*box)
    parts = (_ball(c) * t**k * (ball_of(a) * t).exp() for (k, a), c in terms.items())
    return sum(parts, ball_of(Fraction(0)))


def _ball(c: Coefficient) -> Ball:
    return ball_of(c) if isinstance(c, Fraction) else _quotient_ball(c, flint.ctx.prec)


@lru_cache(maxsize=4096)
def _quotient_ball(c: ExponentialQuotient, _: int) -> Ball:
    """In the present precision, which is given to be remembered."""
    return c.ball()


def sign_beside(terms: DensityTerms, end: End, side: int) -> int:
    """The sign just right (1) or left (−1) of an end; of −∞ right, of ∞ left."""
    if not terms:
        return 0
    if end is None:
        (k, _), c = leading(terms, -side)
        return sign_of(c) * ((-1) ** k if side > 0 else 1)
    flips = 1
    while not (found := _sign_on(terms, (end, end)) or sign_of(value_at(terms, end))):
        terms, flips = derivative(terms), flips * side
    return found * flips


def leading(terms: DensityTerms, direction: int) -> tuple[tuple[int, Fraction], Coefficient]:
    """The term that is largest at ∞ or −∞, as the direction tells."""
    return max(terms.items(), key=lambda one: (one[0][1] * direction, one[0][0]))


def zeros(terms: DensityTerms, low: End, high: End) -> list[Interval]:
    """Intervals inside (low, high), each around one zero at which the sign changes, in order.

    Raises:
        TouchingError: a zero, or nearly so, at which it does not.
    """
    if any(k for k, _ in terms):
        turning = zeros(_turned(terms, min(a for _, a in terms)), low, high)
    else:
        rates = sorted(a for _, a in terms)
        changes = [a for a, b in pairwise(rates) if sign_of(terms[0, a]) != sign_of(terms[0, b])]
        if not changes:
            return []
        turning = zeros(_turned(terms, changes[0]), low, high) if len(changes) > 1 else []
    found: list[Interval] = []
    begin, sign = low, sign_beside(terms, low, 1)
    for box in turning:
        is_point = box[0] == box[1]
        first, second = (
            sign_beside(terms, point, side) if is_point else _sign_at(terms, point)
            for point, side in zip(box, (-1, 1), strict=True)
        )
        if not first or not second or (not is_point and first == second and _sign_on(terms, box) != first):
            raise TouchingError("two functions touch, or nearly so")
        if first != sign:
            found.append(_bisected(terms, begin, box[0], sign))
        if first != second:
            found.append(box)
        begin, sign = box[1], second
    if sign_beside(terms, high, -1) != sign:
        found.append(_bisected(terms, begin, high, sign))
    return found


def _turned(terms: DensityTerms, rate: Fraction) -> DensityTerms:
    """The derivative of f·e^(−rate·t)."""
    return derivative({(k, a - rate): c for (k, a), c in terms.items()})


def _bisected(terms: DensityTerms, low: End, high: End, sign: int) -> Interval:
    """A narrow interval around the one zero between two ends, where the sign is this one right of the first."""
    slope = derivative(terms)
    for step in count():
        middle = _between(low, high)
        guess = _newton(terms, slope, middle) if step % _BEFORE_NEWTON == _BEFORE_NEWTON - 1 else None
        width = _NARROW * abs(guess or Fraction(0)) / 4
        for point in (middle,) if guess is None else (guess - width, guess + width):
            if (low is not None and point <= low) or (high is not None and point >= high):
                continue
            found = _sign_at(terms, point)
            if not found:
                return point, point
            low, high = (point, high) if found == sign else (low, point)
        if low is not None and high is not None and high - low <= _NARROW * max(abs(low), abs(high), _NARROW):
            break
    return low or Fraction(0), high or Fraction(0)


def _newton(terms: DensityTerms, slope: DensityTerms, start: Fraction) -> Fraction | None:
    """A number near a zero, if Newton's steps lead to one; it proves nothing."""
    point = start
    with precision(_BITS):
        for _ in range(_STEPS):
            ratio = ball_on(terms, (point, point)) / ball_on(slope, (point, point))
            if not ratio.is_finite():
                return None
            point = (point - dyadic(ratio.mid())).limit_denominator(_LARGE)
    return point


def _between(low: End, high: End) -> Fraction:
    if low is not None and high is not None:
        return (low + high) / 2
    if low is None and high is None:
        return Fraction(0)
    end, sign = (low, 1) if low is not None else (high, -1)
    return Fraction(0) + (end or 0) + sign * max(Fraction(1), abs(end or Fraction(0)))


def _sign_at(terms: DensityTerms, point: Fraction) -> int:
    """The sign at a point, 0 where it is a zero."""
    found = _sign_on(terms, (point, point))
    if not found and (point.denominator > _SHORT or value_at(terms, point)):
        raise TouchingError(f"two functions meet, or nearly so, at {decimal_text(point, 6)}")
    return found


def _sign_on(terms: DensityTerms, box: Interval) -> int:
    """The sign on an interval; 0 where balls do not tell."""
    bits = _BITS
    while bits <= _MOST_BITS:
        with precision(bits):
            found = ball_on(terms, box)
            if found > 0 or found < 0:
                return 1 if found > 0 else -1
        bits *= 4
    return 0


def integral(terms: DensityTerms, low: Interval | None, high: Interval | None) -> Coefficient | Ball:
    """The integral between two ends, exact where these are: each an interval around it, or None at infinity.

    A sum that is integrated to infinity must decay there.
    """
    whole = antiderivative(terms)
    ends = [(sign, end) for sign, end in ((1, high), (-1, low)) if end is not None]
    if all(end[0] == end[1] and end[0].denominator <= _SHORT for _, end in ends):
        total: Coefficient = Fraction(0)
        for sign, end in ends:
            total = total + value_at(whole, end[0]) * sign
        return plain(total)
    return sum((ball_on(whole, end) * sign for sign, end in ends), ball_of(Fraction(0)))


def antiderivative(terms: DensityTerms) -> dict[tuple[int, Fraction], Coefficient]:
    """The one that vanishes where the sum decays."""
    found: dict[tuple[int, Fraction], Coefficient] = {}
    for (k, a), c in terms.items():
        if not a:
            found[k + 1, a] = found.get((k + 1, a), Fraction(0)) + c / (k + 1)
            continue
        factor = 1 / a
        for power in count(k, -1):
            found[power, a] = found.get((power, a), Fraction(0)) + c * factor
            if not power:
                break
            factor *= -power / a
    return _kept(found)

"""Gaussian differential privacy: the budget μ of the trade-off function of N(0, 1) and N(μ, 1), and what it gives."""

from fractions import Fraction
from math import floor

import flint

from stirred.spec.arguments import Exact, InputError, nonnegative, open_probability
from stirred.spec.numbers.ball import Ball, ball_of, box_of
from stirred.spec.numbers.enclosure import Enclosure, enclose, least_enough

_MODERATE = 1 << 10
_MANY_HALVINGS, _MOST_HALVINGS = 1 << 12, 1 << 15


def _normal(x: Ball) -> Ball:
    """Φ(x), the standard normal distribution function."""
    return (-x / ball_of(Fraction(2)).sqrt()).erfc() / 2


def gaussian_to_zcdp(mu: Exact) -> Fraction:
    """ρ² = μ²/2, exact: D_α(N(μ, 1)‖N(0, 1)) = αμ²/2, and every μ-GDP pair of laws is a post-processing of these.

    Source: Dong, Roth and Su (2022), Corollary B.6; Bun and Steinke (2016), Proposition 1.6.

    >>> gaussian_to_zcdp(Fraction(1, 2))
    Fraction(1, 8)
    """
    return nonnegative("mu", mu) ** 2 / 2


def gaussian_delta(mu: Exact, epsilon: Exact, *, digits: int = 20) -> Enclosure:
    """δ(ε) = Φ(−ε/μ + μ/2) − e^ε·Φ(−ε/μ − μ/2): a mechanism is μ-GDP iff it is (ε, δ(ε))-DP for all ε ≥ 0.

    Args:
        mu: μ ≥ 0, exact.
        epsilon: ε ≥ 0, exact.

    Source: Dong, Roth and Su (2022), Corollary 2.13.

    >>> gaussian_delta(1, 1).text(6)
    '0.126937'
    """
    width, budget = nonnegative("mu", mu), nonnegative("epsilon", epsilon)
    if width == 0:
        return Enclosure(Fraction(0), Fraction(0))
    place, half = budget / width, width / 2
    # with y = place - half, e^ε·Φ(−place − half) is e^(−y²/2) times a Mills ratio in (0, 1/2]; so delta is between
    # Φ(−y) − e^(−y²/2)/2 and Φ(−y), and Φ(−|y|) <= e^(−y²/2)/2: within 2^(−y²/2) of 0 or of 1
    halvings = min(floor((place - half) ** 2 / 2), _MOST_HALVINGS)
    if 2**halvings >= 10**digits and halvings >= _MANY_HALVINGS:
        rest = Fraction(1, 2**halvings)
        return Enclosure(Fraction(0), rest) if place > half else Enclosure(1 - rest, Fraction(1))
    far = place + half

    def second() -> Ball:
        """e^ε·Φ(−ε/μ − μ/2)."""
        if budget <= _MODERATE:
            return ball_of(budget).exp() * _normal(ball_of(-far))
        # e^ε may be beyond what a ball holds: Φ(−t) = e^(−t²/2)·U(1/2, 1/2, t²/2)/(2√π), by DLMF 7.11.4
        half_one = ball_of(Fraction(1, 2))
        scaled = ball_of(far**2 / 2).hypgeom_u(half_one, half_one) / (2 * flint.arb.pi().sqrt())
        return (-ball_of((place - half) ** 2) / 2).exp() * scaled

    found = enclose(lambda: _normal(ball_of(half - place)) - second(), digits=digits)
    return Enclosure(max(found.lower, Fraction(0)), found.upper)


def gaussian_to_approximate(mu: Exact, delta: Exact, *, digits: int = 12) -> Enclosure:
    """The least ε ≥ 0 with δ(ε) ≤ δ, as an enclosure: δ(ε) decreases, so ε is bisected.

    Args:
        mu: μ ≥ 0, exact.
        delta: δ in (0, 1), exact.

    >>> gaussian_to_approximate(1, Fraction(1, 10**5)).text(6)
    '4.37718'
    """
    width, probability = nonnegative("mu", mu), open_probability("delta", delta)
    most = 2 * digits + len(str(probability.denominator // probability.numerator))

    def is_enough(epsilon: Fraction) -> bool:
        for tried in (most, 4 * most, 16 * most):
            found = gaussian_delta(width, epsilon, digits=tried)
            if found.upper <= probability or found.lower > probability:
                return found.upper <= probability
        raise InputError(f"delta must differ from a value of the curve of mu = {width}; got {probability}")

    return least_enough(is_enough, Fraction(1, 10**digits))


def gaussian_power(mu: Exact, level: Exact, *, digits: int = 20) -> Enclosure:
    """The power Φ(Φ^(−1)(α) + μ) of the best level-α test of N(0, 1) against N(μ, 1), as an enclosure.

    It is 1 less the type II error G_μ(α) of Dong, Roth and Su.

    Args:
        mu: μ ≥ 0, exact.
        level: α in (0, 1), exact.

    Source: Dong, Roth and Su (2022), equation (6).

    >>> gaussian_power(1, Fraction(1, 2)).text(6)
    '0.841345'
    """
    width, alpha = nonnegative("mu", mu), open_probability("level", level)
    if alpha == Fraction(1, 2):
        return enclose(lambda: _normal(ball_of(width)), digits=digits)
    low, high = Fraction(-1), Fraction(1)
    while not _is_below(low, alpha, digits):
        low *= 2
    while _is_below(high, alpha, digits):
        high *= 2
    while high - low > Fraction(1, 10 ** (digits + 2)):
        middle = (low + high) / 2
        low, high = (middle, high) if _is_below(middle, alpha, digits) else (low, middle)
    return enclose(lambda: _normal(box_of(low, high) + ball_of(width)), digits=digits)


def _is_below(x: Fraction, level: Fraction, digits: int) -> bool:
    """Whether Φ(x) is below a rational level."""
    least = digits + len(str(level.denominator))
    for tried in (least, 4 * least, 16 * least):
        found = enclose(lambda: _normal(ball_of(x)), digits=tried)
        if found.upper < level or found.lower > level:
            return found.upper < level
    raise InputError(f"level must differ from the normal distribution function at {x} within many digits; got {level}")

"""Tests between two data sets under a budget of pure differential privacy: how much power a level can have.

With γ = e^ε, a rejection region R and a = P_x(R), one step of distance 1 gives P_x'(R) ≤ f(a) and P_x'(R) ≥ g(a), where

    f(a) = min(γ a, 1 − (1 − a)/γ),   g(a) = 1 − f(1 − a).

The printed bounds at distance d are those of one step with γ^d in place of γ. Where d is a path metric every data set
on the way is bound as well, so the power is at most f applied d times; f is increasing, and the law

    P_z(R) = f applied min(d(x, z), d) times to a

satisfies the budget for every data set z, since d(x, ·) changes by at most 1 over a step: the bound is attained, on
every domain. It is strictly smaller than the printed one for d ≥ 2, γ > 1 and γ^(1−d)/(1 + γ) < a < 1/(1 + γ).

Source: dissertation, Theorem 5.5.1 and Corollary 5.5.2; the composed curve is group privacy as of Dong, Roth and Su
(2022), Theorem 2.14.

The other way round, a test with false positive rate a and true positive rate b needs γ^d ≥ max(b/a, (1−a)/(1−b), a/b,
(1−b)/(1−a)); where d is a path metric it needs more for d ≥ 2: f applied d times to a must reach b. Rates that are
counted are bounded by the tails of their binomial laws (Clopper and Pearson), which are enclosed.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, repeat

import flint

from stirred.spec.arguments import Exact, InputError, exact, integer, positive_integer, probability, shown
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import Ball, ball_of, dyadic, precision
from stirred.spec.output_premetrics import Curve, approximate_curve

LONGEST = 10_000
"""The largest distance for which bounds are computed."""


def exponential_budget(gamma: Exact) -> Fraction:
    """γ = e^ε ≥ 1."""
    factor = exact("gamma", gamma)
    if factor < 1:
        raise InputError(f"gamma must be at least 1; got {shown(gamma)}")
    return factor


def power_bounds(alpha: Exact, gamma: Exact, distance: int | None) -> tuple[Fraction, Fraction]:
    """The printed interval of the power of a size-α test: max(α γ^-d, 1 − γ^d (1 − α)) to min(α γ^d, 1 − γ^-d (1 − α)).

    α = P(R | H0) exactly; for the upper end a level is enough. A distance of None is ∞.

    Source: dissertation, Corollary 5.5.2, (5.10).

    >>> power_bounds(Fraction(1, 20), 2, 2)
    (Fraction(1, 80), Fraction(1, 5))
    """
    level, factor = _checked(alpha, gamma, distance)
    if distance is None:
        return Fraction(0), Fraction(1)
    whole = factor**distance
    return max(level / whole, 1 - whole * (1 - level)), min(level * whole, 1 - (1 - level) / whole)


def sharpest_power(alpha: Exact, gamma: Exact, distance: int | None) -> Fraction:
    """The largest power of a level-α test that any mechanism attains: min over k of 1 − γ^(k−d) + γ^(2k−d) α.

    It is f applied d times to α (see the module), for a path metric: one under which two data sets at distance d are
    joined by d steps of distance 1, as the Hamming and the symmetric difference distances are.

    Source: the module; `attaining_laws` has the mechanism.

    >>> sharpest_power(Fraction(1, 5), 2, 2), power_bounds(Fraction(1, 5), 2, 2)[1]
    (Fraction(7, 10), Fraction(4, 5))
    """
    level, factor = _checked(alpha, gamma, distance)
    if distance is None:
        return Fraction(1)
    return _steps(level, factor, distance)[-1]


def smallest_power(alpha: Exact, gamma: Exact, distance: int | None) -> Fraction:
    """The smallest power of a size-α test that any mechanism attains, for a path metric: 1 − `sharpest_power`(1 − α).

    >>> smallest_power(Fraction(4, 5), 2, 2), power_bounds(Fraction(4, 5), 2, 2)[0]
    (Fraction(3, 10), Fraction(1, 5))
    """
    return 1 - sharpest_power(1 - probability("alpha", alpha), gamma, distance)


def attaining_laws(alpha: Exact, gamma: Exact, distance: int) -> tuple[Law[int], ...]:
    """The mechanism that attains `sharpest_power`: for each distance from x the law of its output, where 1 rejects x.

    Beyond `distance` the last law is kept. Neighbours, whose distances from x differ by at most 1, get neighbouring
    laws of this sequence, and these differ by a factor of at most γ on both outputs.

    >>> [law[1] for law in attaining_laws(Fraction(1, 5), 2, 2)]
    [Fraction(1, 5), Fraction(2, 5), Fraction(7, 10)]
    """
    level, factor = _checked(alpha, gamma, distance)
    return tuple(Law({1: power, 0: 1 - power}) for power in _steps(level, factor, distance))


def printed_power_curve(gamma: Exact, distance: int) -> Curve:
    """The upper end of `power_bounds` as a function of α, by its vertices.

    >>> printed_power_curve(2, 2)[1]
    (Fraction(1, 5), Fraction(4, 5))
    """
    _, factor = _checked(0, gamma, distance)
    return approximate_curve(factor**distance, 0)


def power_curve(gamma: Exact, distance: int) -> Curve:
    """`sharpest_power` as a function of α, by its vertices: for k < d, α = γ^-k/(1 + γ), power = 1 − γ^(k+1−d)/(1 + γ).

    >>> print(*(f"({a}, {b})" for a, b in power_curve(2, 2)))
    (0, 0) (1/6, 2/3) (1/3, 5/6) (1, 1)
    """
    _, factor = _checked(0, gamma, distance)
    ends = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))
    if factor == 1 or distance == 0:
        return ends
    corner = 1 / (1 + factor)
    inner = ((corner / factor**k, 1 - corner / factor ** (distance - 1 - k)) for k in reversed(range(distance)))
    return (ends[0], *inner, ends[1])


def roc_region(upper: Curve) -> Curve:
    """The region of false and true positive rates below a curve of power and above its mirror image, by its vertices.

    They go along the curve from (0, 0) to (1, 1), and back along the points (1 − α, 1 − β) of its mirror image: of a
    test that rejects where the other does not.

    >>> print(*(f"({a}, {b})" for a, b in roc_region(printed_power_curve(2, 1))))
    (0, 0) (1/3, 2/3) (1, 1) (2/3, 1/3)
    """
    return (*upper, *((1 - level, 1 - power) for level, power in upper[1:-1]))


def _steps(level: Fraction, factor: Fraction, distance: int) -> tuple[Fraction, ...]:
    """The numbers α, f(α), f(f(α)) and so on."""
    steps = repeat(factor, distance)
    return tuple(accumulate(steps, lambda a, gamma: min(gamma * a, 1 - (1 - a) / gamma), initial=level))


def _checked(alpha: Exact, gamma: Exact, distance: int | None) -> tuple[Fraction, Fraction]:
    level, factor = probability("alpha", alpha), exponential_budget(gamma)
    if distance is not None and integer("distance", distance, minimum=0) > LONGEST:
        raise InputError(f"distance must be at most {LONGEST}; got {shown(distance)}")
    return level, factor


_BITS = 48
"""Ends of confidence intervals are multiples of 2^-48."""

_PRECISION = 160

_LARGEST = 10**6


def smallest_consistent_loss(false_positive: Exact, true_positive: Exact, distance: int = 1) -> Loss:
    """The smallest ε with which a test's two rates agree, by the printed bounds: ln(largest ratio)/d, exact.

    Source: dissertation, (5.10), solved for ε.

    >>> smallest_consistent_loss(Fraction(1, 20), Fraction(3, 5), 2) == Loss(12, 2)
    True
    """
    a, b = probability("false_positive", false_positive), probability("true_positive", true_positive)
    positive_integer("distance", distance)
    pairs = [(b, a), (a, b), (1 - a, 1 - b), (1 - b, 1 - a)]
    if any(top and not bottom for top, bottom in pairs):
        return INFINITE
    return Loss(max(top / bottom for top, bottom in pairs if bottom), distance)


def binomial_bounds(successes: int, trials: int, error: Exact) -> tuple[Fraction, Fraction]:
    """Bounds of a probability from a count, each of which fails with probability at most `error` (Clopper, Pearson).

    The lower bound is the largest multiple p of 2^-48, or the one below it, with P(Bin(n, p) ≥ k) ≤ error; the tails
    are enclosed, and what is not certain is left to the cautious side.

    The error of each bound is in (0, 1/2].

    >>> low, high = binomial_bounds(0, 10, Fraction(1, 20))
    >>> low == 0, (1 - high)**10 <= Fraction(1, 20) < (1 - high + Fraction(1, 2**46))**10
    (True, True)
    """
    k, n, allowed = integer("successes", successes, minimum=0), positive_integer("trials", trials), error
    if k > n or n > _LARGEST:
        raise InputError(f"successes must be at most trials, and trials at most {_LARGEST}; got {k} and {n}")
    if not 0 < probability("error", allowed) <= Fraction(1, 2):
        raise InputError(f"error must be above 0 and at most 1/2; got {allowed}")
    return _lower(k, n, Fraction(allowed)), 1 - _lower(n - k, n, Fraction(allowed))


def _lower(k: int, n: int, error: Fraction) -> Fraction:
    if k == 0:
        return Fraction(0)
    low, high = 0, 2**_BITS
    while high - low > 1:
        middle = (low + high) // 2
        if _tail_is_at_most(k, n, Fraction(middle, 2**_BITS), error):
            low = middle
        else:
            high = middle
    return Fraction(low, 2**_BITS)


def _tail_is_at_most(k: int, n: int, p: Fraction, error: Fraction) -> bool:
    """Whether P(Bin(n, p) ≥ k) is certainly at most the error.

    Below k/n the terms fall by growing factors, so what is left out is at most a geometric series.
    """
    if p * n >= k:
        return False
    with precision(_PRECISION):
        share, odds = ball_of(p), ball_of(p / (1 - p))
        ways = _log_factorial(n) - _log_factorial(k) - _log_factorial(n - k)
        term = (ways + k * share.log() + (n - k) * (1 - share).log()).exp()
        total = term
        for j in range(k, n):
            factor = odds * (n - j) / (j + 1)
            rest = term * factor / (1 - factor)
            if dyadic((rest * 2**_BITS).upper()) < dyadic(total.lower()):
                return dyadic((total + rest).upper()) <= error
            term *= factor
            total += term
        return dyadic(total.upper()) <= error


def _log_factorial(n: int) -> Ball:
    return flint.arb(n + 1).lgamma()


@dataclass(frozen=True)
class CountedTest:
    """A test that was tried: how often it rejected under each of two data sets."""

    false_positives: int
    negatives: int
    true_positives: int
    positives: int
    distance: int = 1

    def rates(self, error: Exact) -> tuple[Fraction, Fraction]:
        """Bounds of the false rate from above and of the true one from below, jointly with confidence 1 − `error`."""
        half = probability("error", error) / 2
        highest = binomial_bounds(self.false_positives, self.negatives, half)[1]
        return highest, binomial_bounds(self.true_positives, self.positives, half)[0]

    def smallest_loss(self, error: Exact) -> Loss:
        """A lower confidence bound of the mechanism's loss: it is too large with probability at most `error`.

        >>> found = CountedTest(3, 1000, 620, 1000).smallest_loss(Fraction(1, 20))
        >>> Loss(54) < found < Loss(200)
        True
        """
        a, b = self.rates(error)
        return smallest_consistent_loss(a, b, self.distance) if b > a else ZERO

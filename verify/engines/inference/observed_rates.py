"""What an observed test says of a budget: the smallest ε with which its rates agree, exact or with exact confidence.

A test with false positive rate a and true positive rate b needs γ^d ≥ max(b/a, (1−a)/(1−b), a/b, (1−b)/(1−a)); where d
is a path metric it needs more for d ≥ 2: f applied d times to a must reach b (see `verify.engines.inference.power`).
Rates that are counted are bounded by the tails of their binomial laws (Clopper and Pearson), which are enclosed.
"""

from dataclasses import dataclass
from fractions import Fraction

import flint

from stirred.spec.arguments import Exact, InputError, integer, positive_integer, probability
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.numbers.ball import Ball, ball_of, dyadic, precision

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
        """An upper bound of the false and a lower bound of the true positive rate: both hold but for `error`."""
        half = probability("error", error) / 2
        highest = binomial_bounds(self.false_positives, self.negatives, half)[1]
        return highest, binomial_bounds(self.true_positives, self.positives, half)[0]

    def smallest_loss(self, error: Exact) -> Loss:
        """A loss that the mechanism has at least, but for a probability of at most `error` that this says too much.

        >>> found = CountedTest(3, 1000, 620, 1000).smallest_loss(Fraction(1, 20))
        >>> Loss(54) < found < Loss(200)
        True
        """
        a, b = self.rates(error)
        return smallest_consistent_loss(a, b, self.distance) if b > a else ZERO

"""From counts of an event under two data sets to two laws that every budget of the mechanism must cover.

Let E be an event that was chosen before these draws, k of n draws from P_x and k' of n' draws from P_x' lie in E, and
all of them be independent. The ends of Clopper and Pearson are p ≤ P_x(E) and q ≥ P_x'(E), each but for a probability
of error/2, so that both hold but for `error`. Where p > q, the laws Bern(p) and Bern(q) are then images of P_x and P_x'
under one kernel: E goes to 1 with probability a = s·(1 − P_x(E)) + p, its complement with probability
b = q − s·P_x'(E), where s = (p − q)/(P_x(E) − P_x'(E)) ≤ 1. So for every output premetric that is immune to
post-processing, D(Bern(p), Bern(q)) ≤ D(P_x, P_x') ≤ ε·d(x, x'), and that in both directions.

A claim is therefore refuted on the two laws, exactly; a false refutation has a probability of at most `error`. Over
several looks and settings the errors add up (Bonferroni), whatever was learned between them and whenever one stops.

Source: Clopper and Pearson (1934); dissertation, Definition 2.4.16 (output premetrics).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import flint

from stirred.spec.arguments import Exact, InputError, integer, positive_integer, probability
from stirred.spec.ball import ball_of, dyadic, precision

__all__ = ["MOST_DRAWS", "event_ends", "looks_shares", "lower_end"]

MOST_DRAWS = 10**8
"""Under one data set, in one look."""

_PRECISION = 96

_STEPS = 14
"""Halvings of the distance to the observed rate: what is lost is 2^-14 of it."""

_MOST_STEPS = 200


def lower_end(successes: int, trials: int, error: Exact) -> Fraction:
    """A number that is at most the probability, but for `error`, from k successes in n independent trials.

    It is a p with P(Bin(n, p) ≥ k) ≤ error, which is I_p(k, n − k + 1), enclosed; the largest one to within 2^-14 of
    its distance to k/n. The upper end is 1 less the lower end of the failures.

    Args:
        successes: k.
        trials: n, at most 10^8.
        error: above 0 and below 1.

    Raises:
        InputError: the counts are no integers with 0 ≤ k ≤ n, there are too many, or error is not in (0, 1).

    >>> low = lower_end(1, 1, Fraction(1, 20))
    >>> Fraction(499, 10_000) < low <= Fraction(1, 20)
    True
    """
    k, n = integer("successes", successes, minimum=0), positive_integer("trials", trials)
    allowed = probability("error", error)
    if k > n or n > MOST_DRAWS:
        raise InputError(f"successes must be at most trials, and trials at most {MOST_DRAWS}; got {k} and {n}")
    if allowed in (0, 1):
        raise InputError(f"error must be above 0 and below 1; got {allowed}")
    if not k:
        return Fraction(0)
    rate = Fraction(k, n)
    low, high = Fraction(0), rate
    for _ in range(_MOST_STEPS):
        middle = _short((low + high) / 2)
        if not low < middle < high:
            break
        if _tail_is_at_most(k, n, middle, allowed):
            low = middle
        else:
            high = middle
        if low and (high - low) * 2**_STEPS <= rate - low:
            break
    return low


def _short(value: Fraction) -> Fraction:
    """The value rounded down to 60 bits, so that numbers stay short."""
    unit = 2 ** (60 + max(0, value.denominator.bit_length() - value.numerator.bit_length()))
    return Fraction(floor(value * unit), unit)


def _tail_is_at_most(k: int, n: int, p: Fraction, error: Fraction) -> bool:
    """Whether P(Bin(n, p) ≥ k) is certainly at most the error."""
    with precision(_PRECISION):
        tail = ball_of(p).beta_lower(flint.arb(k), flint.arb(n - k + 1), True)
        return bool(tail.is_finite()) and dyadic(tail.upper()) <= error


def event_ends(inside: int, draws: int, inside_prime: int, draws_prime: int, error: Exact) -> tuple[Fraction, Fraction]:
    """(p, q) with P_x(E) ≥ p and P_x'(E) ≤ q, but for `error`.

    Raises:
        InputError: as `lower_end`.

    >>> event_ends(0, 10, 0, 10, Fraction(1, 20))[0]
    Fraction(0, 1)
    """
    half = probability("error", error) / 2
    return lower_end(inside, draws, half), 1 - lower_end(draws_prime - inside_prime, draws_prime, half)


def looks_shares(error: Fraction, looks: int) -> tuple[Fraction, ...]:
    """How an error is shared among looks: half of it is the last one's, which has most draws.

    >>> sum(looks_shares(Fraction(1, 100), 4)), looks_shares(Fraction(1, 4), 1)
    (Fraction(1, 100), (Fraction(1, 4),))
    """
    if positive_integer("looks", looks) == 1:
        return (error,)
    return (*(error / (2 * (looks - 1)),) * (looks - 1), error / 2)

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

import math
from fractions import Fraction
from math import floor
from typing import Any

import flint

from stirred.spec.arguments import Exact, InputError, integer, positive_integer, probability
from stirred.spec.numbers.ball import ball_of, dyadic, precision

MOST_DRAWS = 10**8
"""Under one data set, in one look."""

_PRECISION = 96

_CLOSE = 14
"""What is lost is 2^-14 of the distance to the observed rate."""

_TINY = Fraction(1, 10**300)

_MOST_STEPS = 200


def lower_end(successes: int, trials: int, error: Exact) -> Fraction:
    """A number that is at most the probability, but for `error`, from k successes in n independent trials.

    It is a p with P(Bin(n, p) ≥ k) ≤ error, which is I_p(k, n − k + 1), enclosed; the largest one to within 2^-14 of
    its distance to k/n. The upper end is 1 less the lower end of the failures.

    Args:
        successes: k.
        trials: n, at most 10^8.
        error: above 0 and at most 1/2.

    >>> low = lower_end(1, 1, Fraction(1, 20))
    >>> Fraction(499, 10_000) < low <= Fraction(1, 20)
    True
    """
    k, n = integer("successes", successes, minimum=0), positive_integer("trials", trials)
    allowed = probability("error", error)
    if k > n or n > MOST_DRAWS:
        raise InputError(f"successes must be at most trials, and trials at most {MOST_DRAWS}; got {k} and {n}")
    if not 0 < allowed <= Fraction(1, 2):
        raise InputError(f"error must be above 0 and at most 1/2; got {allowed}")
    if not k:
        return Fraction(0)
    rate = Fraction(k, n)
    low, high = Fraction(0), rate
    depth = {low: math.inf, high: math.sqrt(math.log(2))}
    goal = math.sqrt(-math.log(allowed))
    for step in range(_MOST_STEPS):
        middle = _short(_guess(step, (low, high, rate), (depth[low], depth[high], goal), n))
        if not low < middle < high:
            break
        tail = _tail(k, n, middle)
        depth[middle] = math.sqrt(-math.log(tail)) if tail > _TINY else math.inf
        if tail <= allowed:
            low = middle
        else:
            high = middle
        if low and (high - low) * 2**_CLOSE <= max(rate - low, rate / 2**_CLOSE):
            break
    return low


def _tail(k: int, n: int, p: Fraction) -> Fraction:
    """At least P(Bin(n, p) ≥ k); 1 where its ball says nothing."""
    with precision(_PRECISION):
        ball = ball_of(p).beta_lower(flint.arb(k), flint.arb(n - k + 1), True)
        return dyadic(ball.upper()) if ball.is_finite() else Fraction(1)


def _guess(step: int, ends: tuple[Fraction, Fraction, Fraction], depths: tuple[Any, Any, Any], n: int) -> Fraction:
    """Where the end is about: √(−ln tail) is nearly linear in p. It only makes the search short.

    Guesses are a little too deep and too shallow by turns, so that the search closes in from both sides.
    """
    low, high, rate = ends
    low_depth, high_depth, goal = depths
    aim = goal * (1 + (1 - 2 * (step % 2)) / 2 ** (_CLOSE + 2))
    if math.isfinite(low_depth) and low_depth > aim > high_depth:
        share = Fraction((low_depth - aim) / (low_depth - high_depth))
        return low + (high - low) * min(max(share, Fraction(1, 2**_CLOSE)), 1 - Fraction(1, 2**_CLOSE))
    spread = math.sqrt(2 * rate * max(1 - rate, Fraction(1, n)) / n)
    first = rate - Fraction(goal * spread * (1 + step))
    return first if low < first < high else (low + high) / 2


def _short(value: Fraction) -> Fraction:
    """The value rounded down to 60 bits, so that numbers stay short."""
    unit = 2 ** (60 + max(0, value.denominator.bit_length() - value.numerator.bit_length()))
    return Fraction(floor(value * unit), unit)


def event_ends(inside: int, draws: int, inside_prime: int, draws_prime: int, error: Exact) -> tuple[Fraction, Fraction]:
    """(p, q) with P_x(E) ≥ p and P_x'(E) ≤ q, but for `error`.

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

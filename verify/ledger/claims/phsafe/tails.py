"""The noise of PHSafe: tails of the discrete Gaussian against the continuous one."""

from fractions import Fraction
from itertools import product
from math import ceil, isqrt
from typing import Any

import flint

from stirred.spec.laws.discrete_gaussian import upper_tail
from stirred.spec.numbers.ball import ball_of
from stirred.spec.numbers.enclosure import enclose
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, failure, mutant, settled, state
from stirred.verify.ledger.language_names import exp, sqrt

weights_up_to = lambda s, k: 1 + 2 * sum(exp(-(x**2) / (2 * s)) for x in range(1, k + 1))

# at least P(|X| <= k), as the weights beyond reach are left out of the whole
covered = lambda s, k, reach: weights_up_to(s, k) / weights_up_to(s, reach)

# a bound of the weights beyond reach
weights_beyond = lambda s, reach: 2 * exp(-(reach**2) / (2 * s)) / (1 - exp(-reach / s))
covered_below = lambda s, k, reach: weights_up_to(s, k) / (weights_up_to(s, reach) + weights_beyond(s, reach))
is_least = lambda s, k, reach: covered_below(s, k, reach) >= 9 / 10 and (k == 0 or covered(s, k - 1, reach) < 9 / 10)

# at most P(X > k) and at least P(N > a), N continuous: an upper sum over steps h, and the rest from a + n*h on
tail_below = lambda s, k, reach: (
    sum(exp(-(x**2) / (2 * s)) for x in range(k + 1, reach + 1)) / (weights_up_to(s, reach) + weights_beyond(s, reach))
)

# at least P(X > k) and at most P(N > a), from which the steps on are left out
tail_above = lambda s, k, reach: (
    (sum(exp(-(x**2) / (2 * s)) for x in range(k + 1, reach + 1)) + weights_beyond(s, reach) / 2)
    / weights_up_to(s, reach)
)
normal_tail_below = lambda s, a, h, n: (
    h * sum(exp(-((a + k * h) ** 2) / (2 * s)) for k in range(1, n + 1)) / sqrt(s * 6283186 / 1000000)
)
normal_tail_above = lambda s, a, h, n: (
    (
        h * sum(exp(-((a + k * h) ** 2) / (2 * s)) for k in range(n))
        + s / (a + n * h) * exp(-((a + n * h) ** 2) / (2 * s))
    )
    / sqrt(s * 6283185 / 1000000)
)

SCALES = tuple(map(Fraction, ("1/100", "1/4", "1", "2", "10", "100", "1709", "14783")))
SHOWN = ", ".join(map(str, SCALES))

# P(N >= a) for N ~ N(0, σ²)
_normal_tail = lambda s, a: enclose(lambda: (ball_of(a) / ball_of(2 * s).sqrt()).erfc() / flint.arb(2), digits=60)


def lighter(s: Fraction, m: int, *, less: int = 1) -> Witness | None:
    """P(X >= m) <= P(N >= m - less), X discrete and N continuous."""
    return _no_heavier(s, m - 1, Fraction(m - less))


def lighter_at_reals(s: Fraction, x: Fraction, *, floors: bool = True) -> Witness | None:
    """P(X > x) <= P(N > floor(x)), or x itself."""
    below = x.numerator // x.denominator
    return _no_heavier(s, below, Fraction(below) if floors else x)


def _no_heavier(s: Fraction, k: int, a: Fraction) -> Witness | None:
    """P(X > k) <= P(N > a)."""
    discrete, continuous = upper_tail(s, k + 1, digits=60), _normal_tail(s, a)
    if discrete.upper <= continuous.lower:
        reach, steps = ceil(a) + 12 * (isqrt(ceil(s)) + 1), 8 if s < 1 else 2
        found = {"s": s, "k": k, "reach": reach, "a": a, "h": Fraction(1, steps), "n": steps * (reach - k)}
        return settled(
            True, lambda s, k, reach, a, h, n: tail_above(s, k, reach) <= normal_tail_below(s, a, h, n), lambda: found
        )
    if discrete.lower <= continuous.upper:
        raise EngineError(f"60 digits do not decide the tails at sigma^2 = {s}, k = {k}")
    case: dict[str, Any] = {"s": s, "k": k, "reach": 20 * (k + 1), "a": a, "h": a / 20 or Fraction(1, 20), "n": 200}
    return failure(lambda s, k, reach, a, h, n: tail_below(s, k, reach) <= normal_tail_above(s, a, h, n), **case)


_tails = lambda: (
    (s, 1 + (i - 1) * root // 2) for s, i in product(SCALES, range(1, 13)) for root in [max(1, isqrt(ceil(s)))]
)

tails = cases(f"sigma^2 = {SHOWN}; 12 integers m from 1 to about 6 sigma: tails enclosed to 60 digits", "s m", _tails)
real_tails = cases(
    f"sigma^2 = {SHOWN}; m as for Proposition 1 and x = m, m + 1/2, m + 9/10",
    "s x",
    lambda: ((s, m + Fraction(part, 10)) for s, m in _tails() for part in (0, 5, 9)),
)

_PROOF = """e^(-t^2/(2 sigma^2)) falls for t >= 0, so its sum over the integers x >= m is at most its integral from
m - 1 on. Its sum over all integers is at least its integral over the line: by Poisson's formula it is that integral
times a sum of positive terms whose first is 1. Divide."""

state("phsafe.tails", "PHSafe, Proposition 1")(
    """For all m in Z with m >= 1, and for all sigma in R with sigma > 0, Pr[X >= m]_{X <- N_Z(sigma^2)} <= Pr[X >=
    m-1]_{X <- N(sigma^2)}. That is, discrete Gaussian distributions have tighter tails than their corresponding
    continuous Gaussian distributions.""",
    every(tails, lighter, verdict=Verdict.ENCLOSED),
    mutant("m for m - 1", {"less": 0}),
    argued("all m >= 1 and sigma > 0", proof=_PROOF),
    reading="""the last sentence is the inequality in words: one step further out, the discrete tail is at most the
    continuous one (at the same m it is heavier for small m: Pr[X >= 1] = 0.3005 > 0.1587 at sigma = 1)""",
)

state("phsafe.tails.reals", "PHSafe, Corollary 1")(
    """For all m, sigma in R with x >= 1 and sigma > 0, Pr[X > x]_{X <- N_Z(sigma^2)} <= Pr[X > floor(x)]_{X <-
    N(sigma^2)}.""",
    every(real_tails, lighter_at_reals, verdict=Verdict.ENCLOSED),
    mutant("x for floor(x)", {"floors": False}),
    argued(
        "all x >= 1 and sigma > 0",
        proof="An integer is above x iff it is at least floor(x) + 1: Proposition "
        "1 with m = floor(x) + 1, and N has no mass at floor(x).",
    ),
    reading="for all x, sigma in R",
)

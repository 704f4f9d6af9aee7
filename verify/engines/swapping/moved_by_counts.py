"""Bounds on the number of records that the PSA moves in a stratum with few swapping values, by their counts.

Let N be that number, θ = ln t, and k_s of the k selected records have value s, V = k² − Σ_s k_s² and h = V/k. There are
two bounds given the k_s, by exchangeable pairs as in `moved_number`: F changes its sign with the pair and has the
conditional mean f, and where v = E|F·(N − N')|/2 is at most w, E[e^(θf)] ≤ e^(wθ²/2) (Chatterjee, 2007).

- Were σ uniform on S_k, N would have the mean h. Exchange the images of two records, drawn uniformly: F =
  (k − 1)/2·(N − N') has f = N − h. N changes by at most 2, and only where both the values of the two and of their
  images differ: v ≤ (k − 1)/4·4·V/(k(k − 1)) = h, and E[t^N] ≤ e^(gh) with g = θ + θ²/2. That σ has no fixed point
  has probability D_k/k! ≥ 1/3: at most 3 times that.
- Given its cycles, values lie on their k places in a uniform order. Exchange two of them: F = k/4·(N − N') has f = N −
  V/(k − 1). At most four steps of the cycles change, and only where the values differ: v ≤ k/8·16·V/(k(k − 1)), and
  E[t^N] ≤ e^(gV/(k − 1)) with g = θ + θ². As h ≤ V/(k − 1) ≤ h + 1, that is at most e^(max(g, 0) + gh).

Then the mean over the k_s, with r_s = c_s/n, c_s records of value s, n in all, m values:

- g ≥ 0: h is concave in the k_s and homogeneous, so that h ≤ Σ_s h_s·k_s with h_s = 1 − 2r_s + Σr². The k_s are
  independent and binomial, given k ≠ 1: E[e^(gh)] ≤ Π_s (1 − p + p·e^(g·h_s))^c_s/(1 − np(1−p)^(n−1)).
- g = −γ < 0, γ < 1: −h = Σ_s k_s²/k − k is convex, so that given k a draw with replacement has no smaller mean
  (Hoeffding, 1963, Theorem 4). As e^(γ|z|²/k) = E[e^(√(2γ/k)·G·z)], G standard normal, its mean is the integral of
  (γk/π)^(m/2)·e^(k·φ(x)) with φ(x) = ln Σ_s r_s·e^(2γ·x_s) − γ|x|² − γ. The covariance of one draw is at most 1/2, so
  that φ curves down by at least 2γ(1 − γ). With s(x) = ∇ ln Σ_s r_s·e^(2γ·x_s)/(2γ), at any x: at most
  (1 − γ)^(−m/2)·y^k, ln y = φ(x) + γ|s(x) − x|²/(1 − γ); and k is binomial, given k ≠ 1.

A t below e^(−1), or e^(−1/2), is taken as that: E[t^N] grows with t.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

import flint

from stirred.spec.numbers.ball import Ball, ball_of

_STEPS = 3
"""Of x ← s(x): any x gives a bound, a fixed point the least."""


def mean_by_counts(counts: Sequence[int], rate: Fraction, t: Ball) -> Ball:
    """A ball, in the present precision, whose upper end is at least E[t^N]; t > 0, 0 < rate, two values or more."""
    n, p, others = sum(counts), ball_of(rate), ball_of(1 - rate)
    values = [(ball_of(Fraction(c, n)), c, number) for c, number in Counter(counts).items()]
    accepted = 1 - n * p * others ** (n - 1)
    found = []
    for factor, square, least in ((3, Fraction(1, 2), Fraction(-1)), (1, Fraction(1), Fraction(-1, 2))):
        theta = t.log().max(ball_of(least))
        g = theta + ball_of(square) * theta * theta
        if t >= 1:
            total = _sum(number * r * r for r, _, number in values)
            logs = (c * number * (others + p * (g * (1 - 2 * r + total)).exp()).log() for r, c, number in values)
            mean = ((g if factor == 1 else 0) + _sum(logs)).exp()
        else:
            y = _with_replacement([(r, number) for r, _, number in values], -g).exp()
            mean = (others + p * y) ** n / (1 + g).sqrt() ** len(counts)
        found.append(factor * mean / accepted)
    return found[0].min(found[1])


def _with_replacement(shares: Sequence[tuple[Ball, int]], gamma: Ball) -> Ball:
    """The logarithm of y."""
    place = [r for r, _ in shares]
    for _ in range(_STEPS):
        weights = [r * (2 * gamma * x).exp() for (r, _), x in zip(shares, place, strict=True)]
        total = _sum(number * weight for (_, number), weight in zip(shares, weights, strict=True))
        last, place = place, [weight / total for weight in weights]
    length = _sum(number * x * x for (_, number), x in zip(shares, last, strict=True))
    off = _sum(number * (s - x) * (s - x) for (_, number), x, s in zip(shares, last, place, strict=True))
    return total.log() - gamma * length - gamma + gamma * off / (1 - gamma)


def _sum(terms: Iterable[Ball]) -> Ball:
    return sum(terms, flint.arb(0))

"""The cumulant generating function K(t) = ln E_P[e^{tL}] of a privacy loss L = ln(P/Q), in ball arithmetic.

What is not finite or not decided in balls becomes a bound that is known to hold.
"""

from fractions import Fraction
from math import factorial
from typing import Any

import flint

from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import Ball, ball_of, dyadic


def upper_end(ball: Ball, fallback: Fraction) -> Fraction:
    """The upper end of a ball, or a bound that is known to hold where the ball says nothing."""
    return min(dyadic(ball.upper()), fallback) if ball.is_finite() else fallback


def lower_end(ball: Ball) -> Fraction:
    """The lower end of a ball of a non-negative quantity; 0 where the ball says nothing."""
    return max(dyadic(ball.lower()), Fraction(0)) if ball.is_finite() else Fraction(0)


def _logarithm(series: list[Ball]) -> list[Ball]:
    """The coefficients of ln(a₀ + a₁s + …), to as many: k·c_k·a₀ = k·a_k − Σ_{0<j<k} j·c_j·a_{k−j}.

    `flint.arb_series` is not used: it drops every coefficient beyond `flint.ctx.cap` without a word.
    """
    found = [series[0].log()]
    for k in range(1, len(series)):
        known = sum((j * found[j] * series[k - j] for j in range(1, k)), flint.arb(0))
        found.append((series[k] - known / k) / series[0])
    return found


class Cumulants:
    """K(t) = ln E_P[e^{tL}] and its Taylor coefficients, as balls in the present precision."""

    def __init__(self, p: Law[Any], q: Law[Any]) -> None:
        self.atoms = [(ball_of(p.numeric(t)), ball_of(p.numeric(t) / q.numeric(t)).log()) for t in p]
        self.largest = max(dyadic(loss.upper()) for _, loss in self.atoms)

    def kl(self) -> Ball:
        """K'(0), the Kullback-Leibler divergence."""
        return sum((mass * loss for mass, loss in self.atoms), flint.arb(0))

    def value(self, t: Ball) -> Ball:
        """g(t) = K(t)/(t(1+t)) for t > 0."""
        return self.cumulant(t) / (t * (1 + t))

    def cumulant(self, t: Ball) -> Ball:
        """K(t)."""
        return sum((mass * (t * loss).exp() for mass, loss in self.atoms), flint.arb(0)).log()

    def taylor(self, t: Ball, order: int) -> list[Ball]:
        """The coefficients of K(t + s) in s up to s^order; over a ball t they enclose those at each of its points.

        The losses are centred at the tilted mean c, so that balls of t widen the weights least:
        K(t + s) = (t + s)·c + ln E_P[e^{(t+s)(L−c)}].
        """
        middle = t.mid()
        weights = [mass * (middle * loss).exp() for mass, loss in self.atoms]
        mean = sum((w * loss for w, (_, loss) in zip(weights, self.atoms, strict=True)), flint.arb(0))
        centre = (mean / sum(weights, flint.arb(0))).mid()
        sums = [flint.arb(0)] * (order + 1)
        for mass, loss in self.atoms:
            deviation = loss - centre
            power = mass * (t * deviation).exp()
            for k in range(order + 1):
                sums[k] += power
                power *= deviation
        series = _logarithm([total / factorial(k) for k, total in enumerate(sums)])
        return [series[0] + t * centre, series[1] + centre, *series[2:]]

"""Conversions between budgets of zero-concentrated, pure and approximate differential privacy."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint

from stirred.spec.arguments import Exact, InputError, nonnegative, open_probability
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose


def pure_to_zcdp(loss: Loss | Exact, *, digits: int = 20) -> Enclosure:
    """ρ² = ε²/2: what ε-DP gives, as an enclosure; `smallest_pure_to_zcdp` is below it.

    Source: Bun and Steinke (2016), Proposition 1.4.

    >>> pure_to_zcdp(Loss(3)).text(6)
    '0.603474'
    """
    epsilon = pure_epsilon(loss)
    return enclose(lambda: epsilon() ** 2 / 2, digits=digits)


def smallest_pure_to_zcdp(loss: Loss | Exact, *, digits: int = 20) -> Enclosure:
    """ρ² = ε·tanh(ε/2): the smallest ρ² that every ε-DP pair of laws satisfies, as an enclosure.

    Binary randomized response attains it, and every ε-DP pair of laws is post-processed randomized response.

    Source: Kairouz, Oh and Viswanath (2015), Theorem 2.1, for the post-processing; claim `zcdp.randomized-response`.

    >>> smallest_pure_to_zcdp(Loss(3)).text(6)
    '0.549306'
    """
    epsilon = pure_epsilon(loss)
    return enclose(lambda: epsilon() * (epsilon() / 2).tanh(), digits=digits)


def pure_epsilon(budget: Loss | Exact) -> Callable[[], Ball]:
    """A pure budget ε as a ball in the present precision: a finite `Loss`, or the number itself."""
    if not isinstance(budget, Loss):
        epsilon = nonnegative("epsilon", budget)
        return lambda: ball_of(epsilon)
    gamma, distance = budget.gamma, Fraction(budget.distance)
    if gamma is None:
        raise InputError(f"loss must be a finite Loss; got {budget!r}")
    return lambda: ball_of(gamma).log() / ball_of(distance)


def zcdp_to_approximate(rho_squared: Exact, delta: Exact, *, digits: int = 20) -> Enclosure:
    """ε = ρ² + 2ρ√(−ln δ): the conversion that the Census Bureau uses, as an enclosure.

    A mechanism with zCDP budget ρ² (the "ρ" of Bun and Steinke) satisfies (ε, δ)-DP with this ε; it is not the
    smallest such ε.

    Args:
        rho_squared: ρ² ≥ 0, exact.
        delta: δ in (0, 1), exact.

    Source: article, Table 3 (note) and Remark 4; Bun and Steinke (2016), Proposition 1.3.

    >>> zcdp_to_approximate(Fraction("55.371"), Fraction(1, 10**10)).rounded(2)
    Decimal('126.78')
    """
    rho2 = nonnegative("rho_squared", rho_squared)
    probability = open_probability("delta", delta)
    return enclose(lambda: ball_of(rho2) + 2 * (ball_of(rho2) * -ball_of(probability).log()).sqrt(), digits=digits)


def smallest_zcdp_to_approximate(rho_squared: Exact, delta: Exact, *, digits: int = 20) -> Enclosure:
    """ε = max{0, inf over α > 1 of αρ² + ln(1/(αδ))/(α−1) + ln(1 − 1/α)}, as an enclosure over *all* orders α.

    A mechanism with zCDP budget ρ² satisfies (ε, δ)-DP with this ε: it is the smallest that one Rényi order gives by
    the conversion of Canonne, Kamath and Steinke, and is below the printed formula of `zcdp_to_approximate`. No smaller
    ε is claimed to be impossible.

    With t = α − 1 and L = −ln δ the bracket is ρ²(1+t) + (L − ln(1+t))/t + ln(t/(1+t)); its derivative has the sign of
    ρ²t² + ln(1+t) − L, which increases in t, so the one root is bisected and the bracket is evaluated on it.

    Args:
        rho_squared: ρ² ≥ 0, exact.
        delta: δ in (0, 1), exact.

    Source: Canonne, Kamath and Steinke (2020), Corollary 13; Bun and Steinke (2016), Proposition 1.3.

    >>> smallest_zcdp_to_approximate(Fraction("55.371"), Fraction(1, 10**10)).rounded(2)
    Decimal('125.07')
    """
    rho2 = nonnegative("rho_squared", rho_squared)
    probability = open_probability("delta", delta)
    if rho2 == 0:
        return Enclosure(Fraction(0), Fraction(0))
    found = enclose(lambda: _least_bracket(rho2, probability), digits=digits)
    return Enclosure(max(found.lower, Fraction(0)), max(found.upper, Fraction(0)))


def _least_bracket(rho2: Fraction, delta: Fraction) -> Any:
    """The bracket on a ball that contains its minimizer, in the working precision."""
    total, loss = ball_of(rho2), -ball_of(delta).log()
    low, high = Fraction(0), Fraction(1)
    while not total * ball_of(high) ** 2 + (1 + ball_of(high)).log() > loss:
        high *= 2
    for _ in range(flint.ctx.prec):
        middle = (low + high) / 2
        slope = total * ball_of(middle) ** 2 + (1 + ball_of(middle)).log() - loss
        if slope > 0:
            high = middle
        elif slope < 0:
            low = middle
        else:
            break
    if low == 0:
        return flint.arb("nan")
    ball = flint.arb(ball_of((low + high) / 2), ball_of((high - low) / 2).upper())
    return total * (1 + ball) + (loss - (1 + ball).log()) / ball + (ball / (1 + ball)).log()

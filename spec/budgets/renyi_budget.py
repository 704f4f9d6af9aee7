"""Rényi differential privacy at one order: what it follows from, and what it gives.

(α, ε)-RDP bounds D_α alone. It bounds no larger order, so that it gives no zCDP budget; zCDP with ρ² is (α, αρ²)-RDP at
every order α > 1.
"""

from fractions import Fraction

from stirred.spec.arguments import Exact, nonnegative, open_probability, renyi_order
from stirred.spec.budgets.loss import Loss
from stirred.spec.budgets.zcdp import pure_epsilon
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose


def zcdp_to_renyi(rho_squared: Exact, order: Exact) -> Fraction:
    """ε = α·ρ², exact: what zCDP with ρ² gives at the order α.

    Source: Bun and Steinke (2016), Definition 1.1.

    >>> zcdp_to_renyi(Fraction(1, 8), 4)
    Fraction(1, 2)
    """
    return renyi_order(order) * nonnegative("rho_squared", rho_squared)


def pure_to_renyi(loss: Loss | Exact, order: Exact, *, digits: int = 20) -> Enclosure:
    """ε' = ln((γ^α + γ^(1−α))/(1 + γ))/(α − 1) with γ = e^ε: the least that every ε-DP pair of laws satisfies.

    It is D_α of binary randomized response, of which every ε-DP pair of laws is a post-processing.

    Source: Kairouz, Oh and Viswanath (2015), Theorem 2.1; Mironov (2017), Proposition 5.

    >>> pure_to_renyi(Loss(3), 2).text(6)
    '0.847298'
    """
    exponent, alpha = pure_epsilon(loss), renyi_order(order)

    def value() -> Ball:
        epsilon = exponent()
        above = (ball_of(alpha) * epsilon).exp() + (ball_of(1 - alpha) * epsilon).exp()
        return (above / (1 + epsilon.exp())).log() / ball_of(alpha - 1)

    return enclose(value, digits=digits)


def renyi_to_approximate(order: Exact, epsilon: Exact, delta: Exact, *, digits: int = 20) -> Enclosure:
    """max{0, ε + ln(1 − 1/α) − ln(αδ)/(α − 1)}: the ε of (ε, δ)-DP that (α, ε)-RDP gives.

    It is below ε + ln(1/δ)/(α − 1) of Mironov (2017), Proposition 3.

    Args:
        order: α > 1, exact.
        epsilon: ε ≥ 0, exact.
        delta: δ in (0, 1), exact.

    Source: Canonne, Kamath and Steinke (2020), Proposition 12.

    >>> renyi_to_approximate(10, 1, Fraction(1, 10**6)).text(6)
    '2.17385'
    """
    alpha, bound, probability = renyi_order(order), nonnegative("epsilon", epsilon), open_probability("delta", delta)

    def value() -> Ball:
        return ball_of(bound) + ball_of(1 - 1 / alpha).log() - ball_of(alpha * probability).log() / ball_of(alpha - 1)

    found = enclose(value, digits=digits)
    return Enclosure(max(found.lower, Fraction(0)), max(found.upper, Fraction(0)))

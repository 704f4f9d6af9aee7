"""The engine for D_NoR: a certified enclosure of the squared normalized Rényi metric of two finite laws.

With L = ln(P/Q), t = α − 1 and K(t) = ln E_P[e^{tL}], D_α(P‖Q)/α = g(t) = K(t)/(t·(1+t)). The supremum over t > 0 is
enclosed by branch and bound in ball arithmetic, for *all* t: a Taylor polynomial with its remainder bounds g on
[a, b], that of K(t)/t at 0 bounds it on [0, b], and beyond T it is below max L/(1+T), since K(t)/t ≤ max L. A Taylor
form is needed where g is nearly constant, as for Gaussian laws: there a mean value form would need millions of boxes.
"""

import heapq
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from stirred.spec.arguments import InputError, exact, positive_integer, shown
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import Ball, ball_of, box_of, precision
from stirred.verify.engines.zcdp.cumulants import Cumulants, lower_end, upper_end
from stirred.verify.evidence.finding import EngineError

_MAX_BOXES = 20_000
_MAX_DIGITS = 1_000
_EXTRA_ORDER = 8


@dataclass(frozen=True)
class RenyiSupremum:
    """An enclosure of D_NoR(P, Q)², and the order that shows its lower end.

    Attributes:
        order: an α > 1 with D_α/α ≥ lower; None where the limit α → 1, the Kullback-Leibler divergence, shows it.
        swapped: whether that divergence is D_α(Q‖P).
    """

    lower: Fraction
    upper: Fraction
    order: Fraction | None
    swapped: bool


def _positive_part(ball: Ball) -> Ball:
    """The upper end of max{x, 0} for the numbers x of a ball; not finite where the ball is not."""
    return ball.upper() if not ball.upper() <= 0 else flint.arb(0)


class _Search:
    """Branch and bound for the supremum of g over t > 0, or over t ≥ start where that is positive."""

    def __init__(self, cumulants: Cumulants, tolerance: Fraction, order: int, start: Fraction) -> None:
        self.cumulants = cumulants
        self.tolerance = tolerance
        self.order = order
        self.start = start
        self.best = lower_end(cumulants.value(ball_of(start)) if start else cumulants.kl())
        self.best_at = start or None

    def bound(self, a: Fraction, b: Fraction) -> Fraction:
        """An upper bound of g on [a, b]."""
        highest = self.cumulants.largest / (1 + a)
        if a == 0:
            return upper_end(self._bound_at_zero(b), highest)
        # D_α is nondecreasing in α
        at_end = upper_end(self.cumulants.cumulant(ball_of(b)) / (ball_of(b) * (1 + ball_of(a))), highest)
        if at_end <= self.best + self.tolerance:
            return at_end
        return upper_end(self._bound_inside(a, b), at_end)

    def _bound_at_zero(self, b: Fraction) -> Ball:
        """With K(t)/t = c₁ + c₂t + …: g(t) = c₁ + ((c₂−c₁)t + c₃t² + …)/(1+t), and t^k/(1+t) increases for k ≥ 1."""
        near = self.cumulants.taylor(flint.arb(0), self.order)
        remainder = self.cumulants.taylor(box_of(Fraction(0), b), self.order)[self.order]
        end = ball_of(b)
        excess = _positive_part(near[2] - near[1]) * end
        for k in range(3, self.order):
            excess += _positive_part(near[k]) * end ** (k - 1)
        excess += _positive_part(remainder) * end ** (self.order - 1)
        return near[1] + excess / (1 + end)

    def _bound_inside(self, a: Fraction, b: Fraction) -> Ball:
        """The Taylor polynomial of g at the middle, coefficient by coefficient, with its remainder over the box."""
        radius = ball_of((b - a) / 2)
        near = self._taylor(ball_of((a + b) / 2))
        total = near[0]
        for k in range(1, self.order):
            total += (_positive_part(near[k]) if k % 2 == 0 else abs(near[k])) * radius**k
        return total + abs(self._taylor(box_of(a, b))[self.order]) * radius**self.order

    def _taylor(self, t: Ball) -> list[Ball]:
        """The coefficients of g(t + s) = K(t + s)/(t(1+t) + (1+2t)s + s²)."""
        quotient: list[Ball] = []
        for k, coefficient in enumerate(self.cumulants.taylor(t, self.order)):
            before = (1 + 2 * t) * quotient[k - 1] if k else 0
            twice_before = quotient[k - 2] if k > 1 else 0
            quotient.append((coefficient - before - twice_before) / (t * (1 + t)))
        return quotient

    def run(self) -> Fraction:
        """An upper end of the supremum, at most `tolerance` above `best`."""
        horizon = self.start + self.cumulants.largest / max(self.best, self.tolerance) + 1
        beyond = self.cumulants.largest / (1 + horizon)
        boxes = [(-self.bound(self.start, horizon), self.start, horizon)]
        for _ in range(_MAX_BOXES):
            ceiling = max(-boxes[0][0], beyond)
            if ceiling - self.best <= self.tolerance:
                return max(ceiling, self.best)
            _, a, b = heapq.heappop(boxes)
            middle = (a + b) / 2
            found = lower_end(self.cumulants.value(ball_of(middle)))
            if found > self.best:
                self.best, self.best_at = found, middle
            for low, high in ((a, middle), (middle, b)):
                heapq.heappush(boxes, (-self.bound(low, high), low, high))
        raise EngineError(f"no enclosure of D_NoR² to {self.tolerance} within {_MAX_BOXES} boxes")


def one_sided_supremum(
    p: Law[Any], q: Law[Any], *, digits: int = 12, least_order: Fraction = Fraction(1)
) -> RenyiSupremum | None:
    """An enclosure of sup_{α>1} D_α(P‖Q)/α, one half of D_NoR²; None where P is not absolutely continuous w.r.t. Q.

    The ends are at most 10^-digits apart; with `least_order` above 1 the supremum is over α ≥ least_order only.
    """
    if positive_integer("digits", digits) > _MAX_DIGITS:
        raise InputError(f"digits must be at most {_MAX_DIGITS}; got {shown(digits)}")
    start = exact("least_order", least_order) - 1
    if start < 0:
        raise InputError(f"least_order must be at least 1; got {least_order}")
    for name, law in (("p", p), ("q", q)):
        if not isinstance(law, Law):
            raise InputError(f"{name} must be a Law; got {law!r}")
    if not set(p) <= set(q):
        return None
    if p == q:
        return RenyiSupremum(Fraction(0), Fraction(0), None, False)
    with precision(64 + 8 * digits):
        search = _Search(Cumulants(p, q), Fraction(1, 10**digits), _EXTRA_ORDER + digits // 2, start)
        upper = search.run()
    return RenyiSupremum(search.best, upper, None if search.best_at is None else 1 + search.best_at, False)


def renyi_supremum(p: Law[Any], q: Law[Any], *, digits: int = 12) -> RenyiSupremum | None:
    """An enclosure of D_NoR(P, Q)² with the order that shows its lower end; None where D_NoR is infinite.

    D_NoR is infinite where one law is not absolutely continuous with respect to the other, as for laws on different
    spaces.

    The ends are at most 10^-digits apart.

    Source: article, Appendix G.
    """
    forward = one_sided_supremum(p, q, digits=digits)
    backward = one_sided_supremum(q, p, digits=digits)
    if forward is None or backward is None:
        return None
    upper = max(forward.upper, backward.upper)
    if backward.lower > forward.lower:
        return RenyiSupremum(backward.lower, upper, backward.order, True)
    return RenyiSupremum(forward.lower, upper, forward.order, False)


def normalized_renyi_squared(
    p: Law[Any], q: Law[Any], *, digits: int = 12
) -> tuple[Fraction, Fraction] | tuple[Loss, Loss]:
    """An enclosure of D_NoR(P, Q)² = sup_{α>1} max{D_α(P‖Q), D_α(Q‖P)}/α, valid for all α in (1, ∞).

    The ends are at most 10^-digits apart.

    (lower, upper), two `Fraction`s; (0, 0) for equal laws; (`INFINITE`, `INFINITE`) where one law is not absolutely
    continuous with respect to the other, as for laws on different spaces.

    Source: article, Appendix G.

    >>> fair, biased = Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> low, high = normalized_renyi_squared(fair, biased)
    >>> high - low <= Fraction(1, 10**12)
    True
    """
    found = renyi_supremum(p, q, digits=digits)
    return (INFINITE, INFINITE) if found is None else (found.lower, found.upper)


def renyi_divergence(p: Law[Any], q: Law[Any], order: Fraction) -> Ball:
    """D_α(P‖Q) for one rational α > 1 as a ball in the present precision of `flint.ctx`."""
    alpha = exact("order", order)
    if alpha <= 1:
        raise InputError(f"order must be above 1; got {order}")
    if not set(p) <= set(q):
        raise InputError("p must be absolutely continuous with respect to q; it is not")
    return Cumulants(p, q).cumulant(ball_of(alpha - 1)) / ball_of(alpha - 1)

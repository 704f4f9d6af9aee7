"""The engine for D_NoR: a certified enclosure of the squared normalized Rényi metric of two finite laws.

With L = ln(P/Q), t = α − 1 and K(t) = ln E_P[e^{tL}], D_α(P‖Q)/α = g(t) = K(t)/(t·(1+t)). The supremum over t > 0 is
enclosed by branch and bound in ball arithmetic, for *all* t: a Taylor polynomial with its remainder bounds g on
[a, b], that of K(t)/t at 0 bounds it on [0, b], and beyond T it is below max L/(1+T), since K(t)/t ≤ max L. A Taylor
form is needed where g is nearly constant, as for Gaussian laws: there a mean value form would need millions of boxes.
What is not finite or not decided in balls becomes a bound that is known to hold.

A certificate of zCDP lists finitely many orders that show D_α(P‖Q) ≤ c²·α for every α > 1 (`order_cover`). D_α does not
decrease in α: with a_0 = 1 < a_1 < … < a_n it is enough that D_b ≤ c²·a for every two neighbours a < b, and that
D_∞ ≤ c²·a_n.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, factorial
from typing import Any

import flint

from stirred.spec.arguments import InputError, exact, positive_integer, shown
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import Ball, ball_of, box_of, dyadic, precision
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.evidence.finding import EngineError


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


_BITS = 200
_NARROWEST = Fraction(1, 2**16)
_MOST = 400

Bounded = tuple[Law[Any], Law[Any], Fraction]
"""P, Q and c²."""


def order_cover(pairs: Sequence[Bounded]) -> tuple[Fraction, ...] | None:
    """Orders that show the bounds of all pairs at once; None where none are found, as where a bound is attained.

    >>> fair, biased = Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)})
    >>> order_cover([(fair, biased, Fraction(1, 2))])
    (Fraction(2, 1),)
    """
    bounded = [(p, q, c2) for p, q, c2 in pairs if p != q]
    if any(not c2 or not set(p) <= set(q) for p, q, c2 in bounded):
        return None
    last = max((Multiplicative().distance(p, q).epsilon(20).upper / c2 for p, q, c2 in bounded), default=Fraction(0))
    orders = [Fraction(1)]
    while orders[-1] < last or len(orders) == 1:
        following = _next(orders[-1], bounded, last)
        if following is None or len(orders) > _MOST:
            return None
        orders.append(following)
    return tuple(orders[1:])


def _next(order: Fraction, bounded: Sequence[Bounded], last: Fraction) -> Fraction | None:
    """The order that is reached from one: its double, or where that is too far one that is nearer."""
    step = Fraction(max(order, min(ceil(last) - order, 16 * order)))
    while step > _NARROWEST:
        if all(_is_shown(p, q, order + step, c2 * order) for p, q, c2 in bounded):
            return order + step
        step /= 2
    return None


def _is_shown(p: Law[Any], q: Law[Any], order: Fraction, bound: Fraction) -> bool:
    with precision(_BITS):
        return bool(renyi_divergence(p, q, order) <= ball_of(bound))

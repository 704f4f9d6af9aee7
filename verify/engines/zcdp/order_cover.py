"""Finitely many Rényi orders that show D_α(P‖Q) ≤ c²·α for every α > 1: what a certificate of zCDP lists.

D_α does not decrease in α. With a_0 = 1 < a_1 < … < a_n it is enough that D_b ≤ c²·a for every two neighbours a < b,
and that D_∞ ≤ c²·a_n.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import ball_of, precision
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.engines.zcdp.normalized_renyi import renyi_divergence

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

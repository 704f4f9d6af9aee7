"""Bounds of D_NoR² that cost one pass over the outcomes, by which most pairs are settled before any search.

With L = ln(P/Q) and K(t) = ln E_P[e^{tL}], K(t) ≤ t·K'(0) + t²·R²/8: the second derivative of K is the variance of L
under a tilted law, at most a quarter of the square of the range R = max L − min L. So g(t) = K(t)/(t(1+t)) is at most
(K'(0) + t·R²/8)/(1 + t), a mean of K'(0) = KL(P‖Q) and R²/8, and its supremum lies between KL and the larger of both.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from stirred.spec.ball import ball_of, dyadic, precision
from stirred.spec.enclosure import Enclosure
from stirred.spec.law import Law
from stirred.verify.evidence.finding import EngineError

__all__ = ["renyi_bounds"]

_BITS = 64


def renyi_bounds(p: Law[Any], q: Law[Any]) -> Enclosure | None:
    """An enclosure of D_NoR(P, Q)², wide but for nearly equal laws; None where it is infinite.

    >>> coin, other = Law({0: Fraction(1, 4), 1: Fraction(3, 4)}), Law({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> found = renyi_bounds(coin, other)
    >>> found.lower < Fraction("0.549307") < found.upper < Fraction("0.603475")
    True
    """
    if set(p) != set(q):
        return None
    with precision(_BITS):
        losses = [(p.numeric(t), q.numeric(t), ball_of(p.numeric(t) / q.numeric(t)).log()) for t in p]
        forward = sum((ball_of(mass) * loss for mass, _, loss in losses), flint.arb(0))
        backward = sum((-ball_of(mass) * loss for _, mass, loss in losses), flint.arb(0))
        least, most = min(dyadic(loss.lower()) for *_, loss in losses), max(dyadic(loss.upper()) for *_, loss in losses)
        if not (forward.is_finite() and backward.is_finite()):
            raise EngineError("a divergence of laws with one support must be finite")
        lower = max(dyadic(forward.lower()), dyadic(backward.lower()), Fraction(0))
        upper = max(dyadic(forward.upper()), dyadic(backward.upper()), (most - least) ** 2 / 8)
    return Enclosure(lower, upper)

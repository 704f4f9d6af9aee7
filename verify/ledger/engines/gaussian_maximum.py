"""Where the sum of a discrete Gaussian's terms is largest: f(c) = Σ_{x∈ℤ} e^(−(x−c)²/(2σ²)) against f(0), for all c.

f has period 1 and f(c) = f(−c), so c in [0, 1/2] is every case. On [0, h] f″ < 0, and f′(0) = 0; on boxes of [h, 1/2]
f is below f(0) by its Taylor polynomial of degree 1 and the range of f″. All in ball arithmetic. Sums are taken over
|x| ≤ 16: for σ² ≤ 1 the terms of f, f′ and f″ beyond fall by more than e^(−15) from one to the next, so what is left
out is below the last term on either side.
"""

from fractions import Fraction

import flint

from stirred.spec.laws.discrete_gaussian import gaussian_scale
from stirred.spec.numbers.ball import Ball, ball_of, box_of, precision

_BITS = 128
_REACH = 16
_SMALLEST_BOX = Fraction(1, 2**12)


def _derivative(scale: Fraction, center: Ball, order: int) -> Ball:
    """f, f′ or f″ over a ball of c in [0, 1/2]: with y = x − c, the weights are 1, y/σ² and y²/σ⁴ − 1/σ²."""
    variance = ball_of(scale)
    total, left_out = flint.arb(0), flint.arb(0)
    for x in range(-_REACH, _REACH + 1):
        y = x - center
        weight = (flint.arb(1), y / variance, (y**2 / variance - 1) / variance)[order]
        term = (-(y**2) / (2 * variance)).exp() * weight
        total += term
        if abs(x) == _REACH:
            left_out += abs(term).upper()
    return total + flint.arb(0, left_out.upper())


def is_largest_at_integers(sigma_squared: Fraction) -> bool | None:
    """Whether f(c) ≤ f(0) for all real c; None where the balls do not decide it, as above σ² = 1/2, where f is flat.

    >>> is_largest_at_integers(Fraction(1, 4))
    True
    """
    scale = gaussian_scale(sigma_squared)
    if scale > 1:
        return None
    with precision(_BITS):
        near = Fraction(1, 2)
        while not _derivative(scale, box_of(Fraction(0), near), 2) < 0:
            near /= 2
            if near < _SMALLEST_BOX:
                return None
        return _is_below_top(scale, near)


def _is_below_top(scale: Fraction, near: Fraction) -> bool | None:
    """Whether f(c) < f(0) on [near, 1/2], box by box."""
    top = _derivative(scale, flint.arb(0), 0)
    boxes = [(near, Fraction(1, 2))]
    while boxes:
        low, high = boxes.pop()
        middle, radius = ball_of((low + high) / 2), ball_of((high - low) / 2)
        value = _derivative(scale, middle, 0)
        if value > top:
            return False
        slope, curvature = _derivative(scale, middle, 1), _derivative(scale, box_of(low, high), 2)
        if value + abs(slope) * radius + abs(curvature) * radius**2 / 2 < top:
            continue
        if high - low < _SMALLEST_BOX:
            return None
        boxes += [(low, (low + high) / 2), ((low + high) / 2, high)]
    return True

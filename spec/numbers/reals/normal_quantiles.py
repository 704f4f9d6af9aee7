"""Sums of two quantiles of the standard normal distribution: the shift at which a test of level a has the power b.

A test of N(0, 1) against N(μ, 1) of level a has the power Φ(Φ⁻¹(a) + μ), so that μ = Φ⁻¹(b) − Φ⁻¹(a).
"""

from __future__ import annotations

from fractions import Fraction

from stirred.spec.arguments import open_probability
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.reals.real import Number, Real


class NormalShift(Real):
    """c·(Φ⁻¹(b) − Φ⁻¹(a)) for rationals a and b between 0 and 1.

    Args:
        factor: c, above 0.

    >>> print(NormalShift(Fraction(1, 4), Fraction(3, 4)))
    Phi^-1(3/4) - Phi^-1(1/4) ≈ 1.34898
    """

    def __init__(self, level: Fraction, power: Fraction, factor: Fraction = Fraction(1)) -> None:
        self.level, self.power = open_probability("level", level), open_probability("power", power)
        self.factor = factor

    def ball(self) -> Ball:
        return ball_of(self.factor) * (_quantile(self.power) - _quantile(self.level))

    def times(self, factor: Fraction) -> NormalShift:
        return NormalShift(self.level, self.power, self.factor * factor)

    def equals(self, other: Number) -> bool | None:
        """By the symmetry Φ⁻¹(1 − a) = −Φ⁻¹(a) alone; whether different quantiles add up to one number is not known."""
        if isinstance(other, Fraction):
            return True if not other and self.level == self.power else None
        if not isinstance(other, NormalShift) or self.factor != other.factor:
            return None
        return True if sorted((1 - self.level, self.power)) == sorted((1 - other.level, other.power)) else None

    def exact_form(self) -> str:
        form = f"Phi^-1({self.power}) - Phi^-1({self.level})"
        form = form if self.factor == 1 else f"{self.factor}*({form})"
        return form if len(form) <= 60 else ""


def _quantile(level: Fraction) -> Ball:
    """Φ⁻¹(a) = −√2·erfc⁻¹(2a), from the nearer end."""
    if level > Fraction(1, 2):
        return -_quantile(1 - level)
    return -ball_of(Fraction(2)).sqrt() * ball_of(2 * level).erfcinv()


def normal_power(level: Fraction, mu: Number) -> Ball:
    """A ball around Φ(Φ⁻¹(a) + μ), in the present precision."""
    shift = ball_of(mu) if isinstance(mu, Fraction) else mu.ball()
    return (-(_quantile(level) + shift) / ball_of(Fraction(2)).sqrt()).erfc() / 2

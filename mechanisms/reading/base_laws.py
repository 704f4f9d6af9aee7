"""The continuous laws that a program's draws are affine functions of."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from stirred.mechanisms.reading.exact import Exact
from stirred.spec.numbers.ball import Ball, ball_of, ends_of, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.real import EnclosedReal

_BITS = 256
_HALF = Fraction(1, 2)


class BaseLaw(Enum):
    """A law of one real number, in its standard form. Each density is at most 1."""

    UNIFORM = "uniform on (0, 1)"
    EXPONENTIAL = "exponential, rate 1"
    LAPLACE = "Laplace, scale 1"
    NORMAL = "standard normal"
    GUMBEL = "standard Gumbel"
    LOGISTIC = "standard logistic"

    __hash__ = object.__hash__  # that of an enumeration's member is computed of its name, in Python

    @property
    def support(self) -> tuple[Fraction | None, Fraction | None]:
        """The ends of the interval on which the density is above 0; None where there is none."""
        if self is BaseLaw.UNIFORM:
            return Fraction(0), Fraction(1)
        return (Fraction(0) if self is BaseLaw.EXPONENTIAL else None), None

    @property
    def ends(self) -> list[tuple[Fraction, Fraction]]:
        """The conditions sign·Z ≤ end that the support is."""
        low, high = self.support
        ends = [] if low is None else [(Fraction(-1), -low)]
        return ends if high is None else [*ends, (Fraction(1), high)]

    @property
    def is_piecewise(self) -> bool:
        """Whether the density is piecewise Σ c·t^k·e^(a·t)."""
        return self in {BaseLaw.UNIFORM, BaseLaw.EXPONENTIAL, BaseLaw.LAPLACE}

    def between(self, low: Exact | None, high: Exact | None) -> Exact:
        """The probability of an interval, of which an end may be none; enclosed where it is no exact number."""
        if low is not None and high is not None and not low < high:
            return Exact(0)
        if self in _SYMMETRIC and low is not None and low > 0:
            # in the upper tail both values are near 1, and their difference would lose its digits
            mirrored = None if high is None else -high
            return self.between(mirrored, -low)
        above = Exact(1) if high is None else self._below(high)
        return above if low is None else above - self._below(low)

    def _below(self, end: Exact) -> Exact:
        """The distribution function."""
        found: Exact
        match self:
            case BaseLaw.UNIFORM:
                found = min(max(end, Exact(0)), Exact(1))
            case BaseLaw.EXPONENTIAL:
                found = Exact(1) - (-end).exp() if end > 0 else Exact(0)
            case BaseLaw.LAPLACE:
                found = Exact(1) - (-end).exp() * _HALF if end > 0 else end.exp() * _HALF
            case BaseLaw.LOGISTIC:
                found = Exact(1) / ((-end).exp() + Exact(1))
            case BaseLaw.GUMBEL:
                found = (-(-end).exp()).exp()
            case BaseLaw.NORMAL:
                found = _normal_below(end)
        return found


_SYMMETRIC = {BaseLaw.NORMAL, BaseLaw.LAPLACE, BaseLaw.LOGISTIC}


def ball_of_exact(value: Exact) -> Ball:
    """A ball that contains it, in the present precision."""
    return ball_of(value.number) if isinstance(value.number, Fraction) else value.number.ball()


def enclosed(ball: Ball) -> Exact:
    """The number that a ball contains.

    Raises:
        ArithmeticError: the ball is not finite.
    """
    ends = ends_of(ball)
    if ends is None:
        raise ArithmeticError("no finite enclosure was reached")
    return Exact(EnclosedReal(Enclosure(*ends)))


def _normal_below(end: Exact) -> Exact:
    if end == 0:
        return Exact(_HALF)
    with precision(_BITS):
        return enclosed((-ball_of_exact(end) / ball_of(Fraction(2)).sqrt()).erfc() / 2)

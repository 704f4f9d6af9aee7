"""Sums of rational multiples of roots of rationals, and logarithms of them: Hellinger distances, Rényi divergences.

Whether such a sum is 0 is decided exactly: real roots of positive rationals no two of which have a rational quotient
are linearly independent over the rationals (Besicovitch 1940, Mordell 1953), so that terms are grouped by rational
quotients and each group is added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.factored_quotient import rational_root
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import Number, Real

_LONGEST = 60
_MOST_POWER = 4
_MOST_SHOWN = 12


class RadicalSum(Real):
    """Σ c·r^(1/n), exact.

    Args:
        terms: c, rational, by r, a positive rational.
        root: n, at least 1.

    >>> print(RadicalSum({Fraction(1): Fraction(1), Fraction(3, 4): Fraction(-1)}, 2))
    1 - (3/4)^(1/2) ≈ 0.133975
    """

    def __init__(self, terms: Mapping[Fraction, Fraction], root: int) -> None:
        found: dict[Fraction, Fraction] = {}
        for radicand, coefficient in terms.items():
            whole = rational_root(radicand, root)
            inside, factor = (radicand, Fraction(1)) if whole is None else (Fraction(1), whole)
            found[inside] = found.get(inside, Fraction(0)) + coefficient * factor
        self.terms = {radicand: c for radicand, c in found.items() if c}
        self.root = root

    @property
    def value(self) -> Number:
        """The sum as a `Fraction` where no root is left."""
        if set(self.terms) <= {Fraction(1)}:
            return self.terms.get(Fraction(1), Fraction(0))
        return self

    @property
    def is_zero(self) -> bool:
        """Whether the sum is 0, decided exactly."""
        return not any(self._groups().values())

    def _groups(self) -> dict[Fraction, Fraction]:
        """The coefficients of roots no two of which have a rational quotient."""
        groups: dict[Fraction, Fraction] = {}
        for radicand, c in self.terms.items():
            for first in groups:
                quotient = rational_root(radicand / first, self.root)
                if quotient is not None:
                    groups[first] += c * quotient
                    break
            else:
                groups[radicand] = c
        return groups

    def ball(self) -> Ball:
        roots = (ball_of(c) * ball_of(radicand).root(self.root) for radicand, c in self.terms.items())
        return sum(roots, ball_of(Fraction(0)))

    def times(self, factor: Fraction) -> RadicalSum:
        return RadicalSum({radicand: factor * c for radicand, c in self.terms.items()}, self.root)

    def multiplied(self, other: RadicalSum) -> RadicalSum:
        """The product of two sums."""
        root = lcm(self.root, other.root)
        found: dict[Fraction, Fraction] = {}
        for one, c in self._over(root).items():
            for two, e in other._over(root).items():
                found[one * two] = found.get(one * two, Fraction(0)) + c * e
        return RadicalSum(found, root)

    def plus(self, other: Number) -> RadicalSum | None:
        if isinstance(other, Fraction):
            other = RadicalSum({Fraction(1): other}, self.root)
        if not isinstance(other, RadicalSum):
            return None
        root = lcm(self.root, other.root)
        found = self._over(root)
        for radicand, c in other._over(root).items():
            found[radicand] = found.get(radicand, Fraction(0)) + c
        return RadicalSum(found, root)

    def _over(self, root: int) -> dict[Fraction, Fraction]:
        """The terms as roots of a multiple of n."""
        return {radicand ** (root // self.root): c for radicand, c in self.terms.items()}

    def equals(self, other: Number) -> bool | None:
        negative = -other if isinstance(other, Fraction) else other
        if isinstance(negative, RadicalSum):
            negative = RadicalSum({one: -c for one, c in negative.terms.items()}, negative.root)
        difference = self.plus(negative)
        return None if difference is None else difference.is_zero

    def exact_form(self) -> str:
        if len(self.terms) > _MOST_SHOWN:
            return ""
        form = " + ".join(_term(self.root, radicand, c) for radicand, c in self._groups().items() if c) or "0"
        form = form.replace("+ -", "- ")
        return form if len(form) <= _LONGEST else ""


def _term(root: int, radicand: Fraction, c: Fraction) -> str:
    if radicand == 1:
        return str(c)
    factors = {Fraction(1): "", Fraction(-1): "-"}
    return f"{factors.get(c, f'{c}*')}({radicand})^(1/{root})"


class LogOfRadicals(Real):
    """c·ln s for a sum s of roots that is above 0, exact.

    >>> print(LogOfRadicals(RadicalSum({Fraction(2): Fraction(1), Fraction(3): Fraction(1)}, 2), Fraction(2)))
    2*ln((2)^(1/2) + (3)^(1/2)) ≈ 2.29243
    """

    def __init__(self, inside: RadicalSum, factor: Fraction) -> None:
        self.inside = inside
        self.factor = factor

    def ball(self) -> Ball:
        return ball_of(self.factor) * self.inside.ball().log()

    def times(self, factor: Fraction) -> LogOfRadicals:
        return LogOfRadicals(self.inside, self.factor * factor)

    def plus(self, other: Number) -> LogOfRadicals | None:
        if isinstance(other, Fraction):
            return None if other else self
        if isinstance(other, LogarithmSum) and len(other.terms) == 1:
            ((argument, c),) = other.terms.items()
            power = c / self.factor
            factor = argument**power.numerator
            other = LogOfRadicals(RadicalSum({factor: Fraction(1)}, power.denominator), self.factor)
        if not isinstance(other, LogOfRadicals) or other.factor != self.factor:
            return None
        return LogOfRadicals(self.inside.multiplied(other.inside), self.factor)

    def equals(self, other: Number) -> bool | None:
        if isinstance(other, Fraction):  # e to a rational other than 0 is no algebraic number
            return not other and self.inside.equals(Fraction(1))
        if isinstance(other, LogarithmSum) and len(other.terms) == 1:
            ((argument, c),) = other.terms.items()
            power = c / self.factor
            if abs(power) > _MOST_POWER * power.denominator:
                return None
            return self.inside.equals(RadicalSum({argument**power.numerator: Fraction(1)}, power.denominator))
        if isinstance(other, LogOfRadicals) and other.factor == self.factor:
            return self.inside.equals(other.inside)
        return None

    def exact_form(self) -> str:
        inside = self.inside.exact_form()
        form = f"{'' if self.factor == 1 else f'{self.factor}*'}ln({inside})"
        return form if inside and len(form) <= _LONGEST else ""

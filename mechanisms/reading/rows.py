"""Linear conditions on base draws, exact, and rational ones near to them; and on the integers they are rounded to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

from stirred.mechanisms.reading.elimination import Inequality
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.symbols import DrawRounding
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import Number, UndecidedOrderError, order

_DIGITS = 70
_GRID = 1 << 200
_FAR = 200
_BEYOND = Fraction(1, 1 << 280)
"""At least P(|Z| > 200) for each law, which is at most 2·e^−200."""


@dataclass(frozen=True)
class LinearRow:
    """A condition Σ c·Z ≤ bound whose first coefficient is 1 or −1.

    Attributes:
        form: draws, in order, and their coefficients, none 0.
    """

    form: tuple[tuple[int, Number], ...]
    bound: Number

    @property
    def draws(self) -> tuple[int, ...]:
        """The draws that it ties."""
        return tuple(draw for draw, _ in self.form)

    def implies(self, other: LinearRow | WholeRow) -> bool:
        """Whether it is known to be the same condition with the same bound or a lower one."""
        if isinstance(other, WholeRow) or self.form != other.form:
            return False
        try:
            return order(self.bound, other.bound) <= 0
        except UndecidedOrderError:
            return False

    def relabelled(self, labels: Sequence[int]) -> LinearRow:
        """The condition on draws of other numbers, which are given; its own are rational."""
        form = sorted((labels[draw], c) for draw, c in self.form)
        scale: Any = abs(form[0][1])  # type: ignore[arg-type]
        if scale == 1:
            return LinearRow(tuple(form), self.bound)
        return LinearRow(tuple((draw, c / scale) for draw, c in form), self.bound / scale)

    def rounded(self) -> tuple[Inequality, Fraction]:
        """A rational condition near to this one, and how much a probability differs by the exchange.

        Where no draw is beyond ±L, and a coefficient is off by s and the bound by t, the two conditions differ only
        where the form is within n·L·s + t of the bound; its density is at most that of the first draw, at most 1.
        """
        differences: list[Fraction] = []

        def near(number: Number) -> Fraction:
            if isinstance(number, Fraction):
                return number
            ends = number.enclosure(_DIGITS)
            middle = Fraction(round((ends.lower + ends.upper) / 2 * _GRID), _GRID)
            differences.append(max(ends.upper - middle, middle - ends.lower))
            return middle

        found = tuple((draw, near(c)) for draw, c in self.form), near(self.bound)
        if not differences:
            return found, Fraction(0)
        most = Fraction(1, _GRID)
        while most < max(differences):
            most *= 2
        return found, 2 * most * (len(self.form) * _FAR + 1) + len(self.form) * _BEYOND


@dataclass(frozen=True)
class WholeRow:
    """A condition Σ c·k ≤ bound on the integers to which several draws are rounded.

    Attributes:
        form: draws, in order, and their coefficients, which have no divisor in common.
        roundings: of these draws.
    """

    form: tuple[tuple[int, int], ...]
    roundings: tuple[DrawRounding, ...]
    bound: int

    @staticmethod
    def of(terms: Mapping[int, int], roundings: Mapping[int, DrawRounding], bound: int) -> WholeRow:
        """The condition Σ terms·k ≤ bound."""
        divisor = gcd(*terms.values())
        form = tuple((draw, c // divisor) for draw, c in sorted(terms.items()))
        return WholeRow(form, tuple(roundings[draw] for draw, _ in form), bound // divisor)

    @property
    def terms(self) -> Mapping[int, int]:
        """The coefficients by the numbers of draws."""
        return dict(self.form)

    @property
    def draws(self) -> tuple[int, ...]:
        """The draws that it ties."""
        return tuple(draw for draw, _ in self.form)

    @property
    def rounded_draws(self) -> list[tuple[int, DrawRounding]]:
        """The draws that it ties, and how each is rounded."""
        return [*zip(self.draws, self.roundings, strict=True)]

    def implies(self, other: LinearRow | WholeRow) -> bool:
        """Whether it is the same condition with the same bound or a lower one."""
        return isinstance(other, WholeRow) and self.form == other.form and self.bound <= other.bound


Row = LinearRow | WholeRow


def row_of(terms: Mapping[int, Exact], bound: Exact) -> LinearRow:
    """The condition Σ terms·Z ≤ bound."""
    ordered = sorted(terms.items())
    first = ordered[0][1]
    sign = 1 if first > 0 else -1

    def scaled(number: Exact) -> Number:
        found: Number = (Exact(_ratio(number, first)) * sign).number
        return found

    return LinearRow(tuple((draw, scaled(c)) for draw, c in ordered), scaled(bound))


def _ratio(one: Exact, other: Exact) -> Number:
    """The quotient, which of one number and itself is 1 although it is only enclosed."""
    above, below = one.number, other.number
    if above is below:
        return Fraction(1)
    if isinstance(above, LogarithmSum) and isinstance(below, LogarithmSum) and above.terms.keys() == below.terms.keys():
        ratios = {c / below.terms[argument] for argument, c in above.terms.items()}
        if len(ratios) == 1:
            return ratios.pop()
    found: Number = (one / other).number
    return found

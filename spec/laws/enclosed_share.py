"""A probability of which nothing is known but that it lies between two rationals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from stirred.spec.arguments import InputError
from stirred.spec.numbers.ball import Ball, box_of
from stirred.spec.numbers.reals.real import Real

_END = r"([0-9]{1,1000}(?:/[0-9]{1,1000})?)"
_TEXT = re.compile(rf"enclosed {_END}\.\.{_END}")


@dataclass(frozen=True, slots=True)
class EnclosedShare:
    """A number in [lower, upper] that is above 0 and at most 1; two of them need not be equal though their ends are.

    >>> EnclosedShare(Fraction(1, 4), Fraction(1, 3)).text()
    'enclosed 1/4..1/3'
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.lower <= self.upper or self.lower > 1:
            raise InputError(f"an enclosed probability must be above 0 and at most 1; got {self.lower}..{self.upper}")

    def ball(self) -> Ball:
        """A ball that contains it, in the present precision."""
        return box_of(self.lower, self.upper)

    @property
    def is_wide(self) -> bool:
        """Whether it is known to fewer digits than exact numbers are computed to."""
        return self.upper - self.lower > _WIDE * self.lower

    def text(self) -> str:
        """A text that `read` reads."""
        return f"enclosed {self.lower}..{self.upper}"

    @staticmethod
    def read(text: str) -> EnclosedShare | None:
        """The number that a text stands for; None where it stands for none."""
        found = _TEXT.fullmatch(text)
        if found is None:
            return None
        try:
            return EnclosedShare(*map(Fraction, found.groups()))
        except ZeroDivisionError:
            raise InputError(f"an enclosed probability must be a number; got {text!r}") from None


_DIGITS = 90
_WIDE = Fraction(1, 10**20)
_WIDEST = Fraction(1, 2**30)


def enclosed_share(number: Real) -> EnclosedShare | None:
    """The probability that a real number is; None where its enclosure is too wide, relatively, or is not above 0.

    >>> from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
    >>> 0.69 < enclosed_share(LogarithmSum({Fraction(2): Fraction(1)})).lower < 0.7
    True
    """
    ends = number.enclosure(_DIGITS)
    if not 0 < ends.lower <= 1 or ends.upper - ends.lower > _WIDEST * ends.lower:
        return None
    return EnclosedShare(ends.lower, ends.upper)

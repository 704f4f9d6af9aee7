"""A mechanism's parameter that is left open: all values of an interval at once, or e^−q for a rational q > 0."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.spec.numbers.enclosure import exponential

_EXPONENTIAL = re.compile(r"exp\(\s*-(?P<exponent>[^()\s-]+)\s*\)")
_DIGITS = 30
_LARGEST = 50

_TEXT = re.compile(r"symbol(?: in (?:\[(?P<low>[^,\[\]]+),(?P<high>[^,\[\]]+)\]|\(\s*0\s*,\s*1\s*\)))?")


@dataclass(frozen=True, slots=True)
class OpenParameter:
    """All values from low to high, without the ends or with both; or the one value e^−exponent, which lies between.

    Attributes:
        low: at least 0.
        high: above low, at most 1.
        is_closed: whether the ends belong to it.
        exponent: q, where the value is e^−q; None where it is any value of the interval.

    Raises:
        InputError: the ends are not in this order, or outside [0, 1].
    """

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    is_closed: bool = False
    exponent: Fraction | None = None

    def __post_init__(self) -> None:
        if not probability("the left end", self.low) < probability("the right end", self.high):
            raise InputError(f"an interval must have its left end below its right end; got {self.low} and {self.high}")

    @property
    def ends(self) -> tuple[Fraction, ...]:
        """The ends that belong to it."""
        return (self.low, self.high) if self.is_closed else ()

    def pieces(self, points: Sequence[Fraction]) -> tuple[Fraction | OpenParameter, ...]:
        """The ends that belong to it, the points and the open intervals between them, in increasing order.

        Args:
            points: values of the interval.

        >>> print(*OpenParameter(is_closed=True).pieces([Fraction(1, 3)]))
        0 (0, 1/3) 1/3 (1/3, 1) 1
        """
        alone = {*points, *self.ends}
        bounds = sorted({self.low, *alone, self.high})
        between = [OpenParameter(low, high) for low, high in pairwise(bounds)]
        return tuple(sorted([*alone, *between], key=_middle))

    @staticmethod
    def exponential(exponent: Fraction) -> OpenParameter:
        """The value e^−exponent, in an interval of width at most 10^−30 with ends of finitely many digits.

        Raises:
            InputError: the exponent is not positive, or above 50.
        """
        if not 0 < exponent <= _LARGEST:
            raise InputError(f"the exponent of exp(-exponent) must be above 0 and at most {_LARGEST}; got {exponent}")
        found, unit = exponential(-exponent, digits=_DIGITS + 2), 10**_DIGITS
        low, high = Fraction(floor(found.lower * unit), unit), Fraction(ceil(found.upper * unit), unit)
        return OpenParameter(low, high, exponent=exponent)

    @staticmethod
    def read(place: str, text: str) -> OpenParameter | None:
        """What "symbol" (all of (0, 1)), "symbol in [1/4, 1/2]" and "exp(-1/2)" stand for; None for another text.

        Raises:
            InputError: the text begins with "symbol in" or "exp(", and no interval or negative number follows.

        >>> print(OpenParameter.read("flip", "symbol"), OpenParameter.read("flip", "symbol in [0.25, 1/2]"))
        (0, 1) [1/4, 1/2]
        """
        found = _TEXT.fullmatch(text.strip())
        if found is None:
            if (power := _EXPONENTIAL.fullmatch(text.strip())) is not None:
                return OpenParameter.exponential(parse_exact(place, power["exponent"]))
            if text.strip().startswith("exp("):
                raise InputError(f"{place} must be 'exp(-q)' with an exact number q > 0; got {text!r}")
            if text.strip().startswith("symbol in"):
                raise InputError(f"{place} must be 'symbol' or 'symbol in [low, high]' with exact ends; got {text!r}")
            return None
        if found["low"] is None:
            return OpenParameter()
        low, high = (probability(place, parse_exact(place, found[end].strip())) for end in ("low", "high"))
        try:
            return OpenParameter(low, high, is_closed=True)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None

    def __str__(self) -> str:
        if self.exponent is not None:
            return f"exp(-{self.exponent})"
        return f"[{self.low}, {self.high}]" if self.is_closed else f"({self.low}, {self.high})"


def _middle(piece: Fraction | OpenParameter) -> Fraction:
    return (piece.low + piece.high) / 2 if isinstance(piece, OpenParameter) else piece


def open_parameter(setting: Mapping[str, Any]) -> OpenParameter | None:
    """The values of the parameter that a setting leaves open; None where it leaves none.

    Raises:
        InputError: it leaves two open.
    """
    names = [name for name, value in setting.items() if isinstance(value, OpenParameter)]
    if len(names) > 1:
        raise InputError(f"one parameter at most may be left open; got {' and '.join(names)}: give the others numbers")
    return setting[names[0]] if names else None

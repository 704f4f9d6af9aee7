"""Conditional probabilities of a discrete Gaussian between integers: numbers that are named exactly, and enclosed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import flint

from stirred.spec.arguments import InputError
from stirred.spec.laws.discrete_gaussian import gaussian_scale, interval_weight
from stirred.spec.numbers.ball import Ball

_END = r"(-?[0-9]{1,1000})?"
_TEXT = re.compile(rf"gaussian ([0-9]{{1,1000}}(?:/[0-9]{{1,1000}})?): {_END}\.\.{_END} of {_END}\.\.{_END}")


@dataclass(frozen=True, slots=True)
class GaussianShare:
    """P(low ≤ X ≤ high | X in the whole) for X ~ N_ℤ(0, σ²): in (0, 1], and irrational in general.

    Attributes:
        low: the least integer of the part, None where it has none.
        high: the greatest one, None where it has none.
        least: the least integer of the whole, None where it has none.
        greatest: the greatest one, None where it has none.
    """

    sigma_squared: Fraction
    low: int | None
    high: int | None
    least: int | None = None
    greatest: int | None = None

    def __post_init__(self) -> None:
        gaussian_scale(self.sigma_squared)
        is_below = self.least is not None and (self.low is None or self.low < self.least)
        is_above = self.greatest is not None and (self.high is None or self.high > self.greatest)
        if is_below or is_above or (self.low is not None and self.high is not None and self.low > self.high):
            raise InputError(f"a share must be of integers within the whole, at least one; got {self.text()}")

    @property
    def whole(self) -> tuple[Fraction, int | None, int | None]:
        """What is shared: σ² and the ends of the whole."""
        return self.sigma_squared, self.least, self.greatest

    def ball(self) -> Ball:
        """The share, as a ball in the present precision."""
        return _ball(self, flint.ctx.prec)

    def text(self) -> str:
        """The share as a text that `read` reads.

        >>> GaussianShare(Fraction(4), 3, None).text()
        'gaussian 4: 3.. of ..'
        """
        ends = ["" if end is None else str(end) for end in (self.low, self.high, self.least, self.greatest)]
        return "gaussian {}: {}..{} of {}..{}".format(self.sigma_squared, *ends)

    @staticmethod
    def read(text: str) -> GaussianShare | None:
        """The share that a text stands for; None where it stands for none.

        >>> GaussianShare.read("gaussian 4: 3.. of ..").low
        3
        """
        found = _TEXT.fullmatch(text)
        if found is None:
            return None
        scale, *ends = found.groups()
        if not int(scale.partition("/")[2] or 1):
            raise InputError(f"sigma_squared must be a number; got {scale!r}")
        return GaussianShare(Fraction(scale), *(None if end is None else int(end) for end in ends))


@lru_cache(maxsize=4096)
def _ball(share: GaussianShare, _bits: int) -> Ball:
    part = interval_weight(share.sigma_squared, share.low, share.high)
    return part / interval_weight(*share.whole)


def check_partition(shares: Sequence[GaussianShare]) -> None:
    """Refuse shares that are not all of one whole, one after another: only then do they sum to exactly 1."""
    first, last = shares[0], shares[-1]
    is_one = all(share.whole == first.whole for share in shares)
    follows = all(a.high is not None and b.low == a.high + 1 for a, b in pairwise(shares))
    if not is_one or not follows or first.low != first.least or last.high != last.greatest:
        raise InputError("weights of a choice must sum to exactly 1; these shares do not partition a Gaussian")

"""The laws of integers to which draws are rounded: some values one by one, and geometric tails."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import TiedError
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.symbols import DrawRounding, Step
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import Number

_MOST_VALUES = 2_000


@dataclass(frozen=True)
class IntegerLaw:
    """The probabilities of integers: values[i] of first + i, and beyond the last ones geometric tails.

    Attributes:
        below: the ratio of each probability before the first one to the next; 0 where there is none.
        above: the same beyond the last.
    """

    first: int
    values: tuple[Number, ...]
    below: Number = Fraction(0)
    above: Number = Fraction(0)

    @property
    def numbers(self) -> tuple[Number, ...]:
        """What it is made of."""
        return (*self.values, self.below, self.above)

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The least and the greatest possible integer; None where there is none."""
        possible = [place for place, value in enumerate(self.values) if value != 0]
        low, high = (self.first + possible[place] if possible else self.first for place in (0, -1))
        return (None if self.below else low), (None if self.above else high)


@lru_cache(maxsize=4_096)
def integer_law(law: BaseLaw, rounding: DrawRounding, low: Number | None, high: Number | None) -> IntegerLaw:
    """The probability that a draw is rounded to each integer, and lies between two ends.

    Raises:
        TiedError: its tails are no geometric ones with exact numbers, or it has too many values.
    """
    if not law.is_piecewise:
        raise TiedError(f"{law.value} noise is rounded, and then compared with a rounded number: compare it before")
    scale, shift, width = Exact(rounding.scale), Exact(rounding.shift), Exact(rounding.width)
    ends = [None if end is None else Exact(end) for end in (low, high)]
    bends = [Exact(end) for _, end in law.ends] or [Exact(0)]
    places = [(bend * scale + shift) / width for bend in (*bends, *ends) if bend is not None]
    steps = [rounding.step.of(place) for place in places]
    steps += [0] if rounding.step is Step.TOWARDS_ZERO else []  # twice as wide as others
    first, last = min(steps) - 1, max(steps) + 1
    if last - first > _MOST_VALUES:
        raise TiedError(f"an integer with {last - first} values meets another one: clamp it first")
    has_tail = [end is None and start is None for end, start in zip(ends, law.support, strict=True)]
    tops = [(rounding.top(k) - shift) / scale for k in range(first - 1, last + 1)]
    values = []
    for one, other in pairwise(tops):
        inside = (one, other) if scale > 0 else (other, one)
        start = inside[0] if ends[0] is None else max(inside[0], ends[0])
        stop = inside[1] if ends[1] is None else min(inside[1], ends[1])
        values.append(law.between(start, stop).number)
    ratio = (-width / abs(scale)).exp().number
    below, above = (ratio if has else Fraction(0) for has in (has_tail if scale > 0 else has_tail[::-1]))
    found = IntegerLaw(first, tuple(values), below, above)
    if not all(isinstance(one, (Fraction, ExponentialQuotient)) for one in found.numbers):
        raise TiedError("its probabilities are no fractions or powers of e: clamp it first")
    return found

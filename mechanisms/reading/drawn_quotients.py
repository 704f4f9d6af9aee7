"""Quotients of numbers that are drawn, as a noisy sum by a noisy count: conditions on them are linear.

The sign of the denominator is one choice; from there on it is above 0, and n/d ≤ c says that n − c·d ≤ 0. A quotient is
rounded where it lies between two ends on the path. Its law is none that is known, so that it is not released itself.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.mechanisms.reading.drawn_roundings import DrawnRoundings, multiplied
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.known_functions import ORDERS
from stirred.mechanisms.reading.region import at_least, at_most
from stirred.mechanisms.reading.symbols import Drawn, Linear, Step, plus

_ZERO = Exact(0)
_FARTHEST = 1 << 12
"""How far the ends of a quotient are looked for."""


@dataclass(frozen=True, eq=False, repr=False)
class Quotient(Drawn):
    """A quotient.

    Attributes:
        above: the numerator.
        below: the denominator, above 0 on the path.
    """

    above: Linear
    below: Linear
    kind: type = float


class DrawnQuotients(DrawnRoundings):
    """The quotients along one path."""

    def rounded(self, drawn: Any, step: Step, kind: type, digits: int | None = None) -> Any:
        """The number rounded to an integer, or to decimals; its values at once where they are few."""
        if isinstance(drawn, Quotient):
            return self._rounded_quotient(drawn, step, kind, digits)
        return super().rounded(drawn, step, kind, digits)

    def _over(self, above: Linear, below: Linear, kind: type) -> Any:
        if _is_one_number(above, below) or (not above.terms and above.shift == 0):
            ratio = 1 if above.terms else 0  # 0.0 where the numerator is: it is counted, clipped or a product
            return self._shadows.note(kind(ratio), Exact(ratio))
        low, high = self.range_of(below)
        is_positive = low is not None and low >= 0
        if not is_positive and ((high is not None and high <= 0) or self._is_at_most(below, _ZERO, "a division")):
            above, below = (multiplied(one, Exact(-1), one.kind) for one in (above, below))
        return Quotient(above, below, kind)

    def _of_quotients(self, op: Callable[..., Any], one: Any, other: Any, kind: type) -> Any:
        """What an operator makes of two numbers, one of which is a quotient."""
        if isinstance(one, Quotient) and isinstance(other, Quotient) and _is_one_number(one.below, other.below):
            if op is operator.truediv:
                return self._over(one.above, other.above, kind)
            if op in (operator.add, operator.sub):
                return Quotient(plus(one.above, other.above, 1 if op is operator.add else -1), one.below, kind)
        quotient, value = (one, other) if isinstance(one, Quotient) else (other, one)
        if isinstance(value, Drawn):
            raise self._reader.refuse(f"{op.__name__} of a quotient and another number that is drawn is not read")
        exact = self._known(value, "combined")
        self._held(exact)
        if op is operator.floordiv and quotient is one and exact != 0:
            scaled = Quotient(multiplied(quotient.above, 1 / exact, float), quotient.below, kind)
            return self._rounded_quotient(scaled, Step.FLOOR, kind, None)
        if op in (operator.add, operator.sub):
            sign = Exact(-1 if op is operator.sub and quotient is other else 1)
            moved = multiplied(quotient.below, -exact if op is operator.sub and quotient is one else exact, float)
            return Quotient(plus(multiplied(quotient.above, sign, float), moved, 1), quotient.below, kind)
        if exact != 0 and (op is operator.mul or (op is operator.truediv and quotient is one)):
            factor = exact if op is operator.mul else 1 / exact
            return Quotient(multiplied(quotient.above, factor, float), quotient.below, kind)
        raise self._reader.refuse(f"{op.__name__} of a quotient of numbers that are drawn is not read")

    def _order_of_quotients(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        if op not in ORDERS:
            raise self._reader.refuse("a quotient of numbers that are drawn is asked whether it equals another number")
        if isinstance(one, Quotient) and isinstance(other, Quotient):
            if not _is_one_number(one.below, other.below):
                raise self._reader.refuse("two quotients of numbers that are drawn are compared: multiply them out")
            gap = plus(one.above, other.above, -1)
        elif isinstance(one, Quotient):
            gap = self._beyond(one, self._known(other))
        else:
            gap = multiplied(self._beyond(other, self._known(one)), Exact(-1), float)
        is_below, _ = ORDERS[op]
        if not gap.terms:
            return bool(op(gap.shift, 0))
        return self._is_at_most(gap, _ZERO, "a comparison") == is_below

    @staticmethod
    def _beyond(quotient: Quotient, end: Exact | Fraction) -> Linear:
        """What is above 0 where the quotient is above a number."""
        return (
            plus(quotient.above, multiplied(quotient.below, Exact(0) + end, float), -1) if end != 0 else quotient.above
        )

    def _rounded_quotient(self, quotient: Quotient, step: Step, kind: type, digits: int | None) -> Any:
        unit = Fraction(10) ** -(digits or 0)
        scaled = replace(quotient, above=multiplied(quotient.above, Exact(1 / unit), float))
        first, last = (self._end(scaled, sign) for sign in (-1, 1))
        tops = [step.highest(k) for k in range(first - 1, last + 1)]
        gaps = [self._beyond(scaled, top) for top in tops]
        parts = [[at_least(low, _ZERO), at_most(high, _ZERO)] for low, high in pairwise(gaps)]
        k = first + self.decide(parts, "a rounding")
        exact = unit * k
        if issubclass(kind, float) and not k and step is not Step.FLOOR:
            above = quotient.above
            is_negative = self._is_at_most(above, _ZERO, "a rounding") if above.terms else bool(above.shift < 0)
            return self._shadows.note(kind(-0.0 if is_negative else 0.0), Exact(0))
        found = kind(int(exact) if exact.denominator == 1 else float(exact))
        return self._shadows.note(found, Exact(exact)) if issubclass(kind, float) else found

    def _end(self, quotient: Quotient, sign: int) -> int:
        """The integer that is at least, or at most, the quotient, and next to its end."""

        def is_beyond(k: int) -> bool:
            gap = self._beyond(quotient, Fraction(k))
            end = (self.range_of(gap) if gap.terms else (gap.shift, gap.shift))[sign > 0]
            return end is not None and bool(end * sign <= 0)

        far = 1
        while not is_beyond(sign * far):
            far *= 2
            if far > _FARTHEST:
                raise self._reader.refuse("a quotient of numbers that are drawn is rounded: clip it first")
        near = -far
        while far - near > 1:
            middle = (far + near) // 2
            far, near = (middle, near) if is_beyond(sign * middle) else (far, middle)
        return sign * far


def _is_one_number(one: Linear, other: Linear) -> bool:
    return one is other or (one.terms == other.terms and bool(one.shift == other.shift))

"""What arithmetic and comparison make of numbers that are drawn, along one path.

A number that is drawn is linear in independent base draws, or is such a number rounded to an integer, or a sum of such
integers. A comparison is a halfspace of the base draws: it forks the path by its exact probability, given the
conditions of the path so far.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.decisions import Split, size_beside_one
from stirred.mechanisms.reading.drawn_quotients import DrawnQuotients, Quotient
from stirred.mechanisms.reading.drawn_roundings import multiplied
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.known_functions import MOST_STEPS, ORDERS
from stirred.mechanisms.reading.symbols import Drawn, Linear, Step, Stepped, Summed, Whole, of_kind, plus


class DrawnNumbers(DrawnQuotients):
    """The numbers that are drawn along one path."""

    def ordered(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """What a comparison says of two numbers, one of which is drawn."""
        one, other = self._renewed(one), self._renewed(other)
        kinds = [part.kind if isinstance(part, Drawn) else type(part) for part in (one, other)]
        found = self._ordered(op, one, other)
        return np.bool_(found) if any(issubclass(kind, np.generic) for kind in kinds) else found

    def _ordered(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        if one is other:
            return bool(op(0, 0))
        if isinstance(one, Quotient) or isinstance(other, Quotient):
            return self._order_of_quotients(op, one, other)
        for left, right in ((one, other), (other, one)):
            if isinstance(left, (float, np.floating)) and math.isinf(left):
                return bool(op(left, 0.0) if left is one else op(0.0, left))
            if isinstance(left, Whole) and (isinstance(right, Whole) or op in (operator.eq, operator.ne)):
                return self._of_steps(op, one, other)
        if op not in ORDERS and self.are_ordered(one, other, strictly=True):
            return op is operator.ne
        if op not in ORDERS:
            raise self._reader.refuse(
                "a number that is drawn is asked whether it equals another: real numbers never do, doubles can"
            )
        is_below, is_weak = ORDERS[op]
        if isinstance(one, Whole) or isinstance(other, Whole):
            stepped, bound = (one, other) if isinstance(one, Whole) else (other, one)
            if isinstance(bound, Linear):
                raise self._reader.refuse(
                    "a number that is rounded is compared with one that is drawn: round that one too"
                )
            is_below = is_below == (stepped is one)
            return self._is_step_below(stepped, self._known(bound), is_weak=is_weak == is_below) == is_below
        left, right = self._linear(one), self._linear(other)
        gap = plus(left, right, -1)
        if not gap.terms:
            if gap.shift == 0:
                raise self._reader.refuse(
                    "two numbers are compared that are equal in the reals, and may differ as doubles"
                )
            return bool(op(gap.shift, 0))
        return self._is_at_most(gap, Exact(0), "a comparison") == is_below

    def are_ordered(self, one: Any, other: Any, *, strictly: bool = False) -> bool:
        """Whether the path says which of two numbers is the larger, but for the ends of ranges where not strictly."""
        gap = plus(self._linear(one), self._linear(other), -1)
        low, high = self.range_of(gap) if gap.terms else (gap.shift, gap.shift)
        if strictly:
            return bool((low is not None and low > 0) or (high is not None and high < 0))
        return bool((low is not None and low >= 0) or (high is not None and high <= 0))

    def _is_step_below(self, whole: Any, bound: Exact, *, is_weak: bool) -> bool:
        """Whether a rounded number, or a sum of such, is below a bound, or at it where that is weak."""
        is_rising = isinstance(whole, Summed) or whole.scale > 0
        place = bound if isinstance(whole, Summed) else (bound / whole.unit - whole.shift) / whole.scale
        highest = place.floor() if is_rising is is_weak else -(-place).floor() - 1
        parts = self.up_to(whole, highest), self.beyond(whole, highest + 1)
        return (self.decide(parts, "a comparison") == 0) is is_rising

    def _of_steps(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        """A comparison that asks for values: whether two are equal, or which of two roundings is larger."""
        if isinstance(one, Whole) and isinstance(other, Whole):
            return self._of_two(op, one, other)
        whole, value = (one, other) if isinstance(one, Whole) else (other, one)
        if isinstance(value, Drawn):
            raise self._reader.refuse("a number that is rounded is asked whether it equals one that is drawn")
        exact = None if isinstance(value, str) else self._shadows.of(value)
        if isinstance(whole, Stepped) and exact is not None:
            exact = (exact / whole.unit - whole.shift) / whole.scale
        if exact is None or exact != (k := exact.floor()):
            return bool(op is operator.ne)
        parts = self.up_to(whole, k - 1), self.part(whole, k), self.beyond(whole, k + 1)
        return bool((self.decide(parts, "a comparison") == 1) == (op is operator.eq))

    def _of_two(self, op: Callable[[Any, Any], Any], one: Whole, other: Whole) -> bool:
        """A comparison of two integers: of their difference with 0, where both have infinitely many values."""
        what = "a comparison of two roundings"
        both = [
            (part.number, part.step, part.width, part.unit, part.scale)
            for part in (one, other)
            if isinstance(part, Stepped)
        ]
        if len(both) == 2 and all(map(operator.is_, *both)):
            return bool(op(one.shift, other.shift))  # type: ignore[attr-defined]
        if any(map(self.is_finite, (one, other))):
            left, right = (self.settled(part, what) if self.is_finite(part) else part for part in (one, other))
            are_known = not isinstance(left, Drawn) and not isinstance(right, Drawn)
            return bool(op(left, right)) if are_known else self._ordered(op, left, right)
        first, second = (self.sum_of(part) for part in (one, other))
        units = {getattr(part, "unit", 1) for part in (one, other)}
        if first is None or second is None or len(units) > 1:
            return bool(op(self.settled(one, what), self.settled(other, what)))
        gap = self._plain(self._added(first, second, -1, int))
        return bool(op(gap, 0)) if isinstance(gap, int) else self._ordered(op, gap, 0)

    def largest(self, numbers: Sequence[Any]) -> int:
        """The place of the largest number, the first of those that are equal: one choice among all."""
        if any(isinstance(one, (Whole, Quotient)) for one in numbers):
            best = 0
            for place in range(1, len(numbers)):
                best = place if self.ordered(operator.gt, numbers[place], numbers[best]) else best
            return best
        cells = [self._linear(one) for one in numbers]
        left: Sequence[int] = range(len(cells))
        if len({frozenset(one.terms) for one in cells}) < len(cells):
            left = [k for k in left if not any(_beats(cells, j, k) for j in range(len(cells)))]
        if len(left) == 1:
            return left[0]
        return left[self.decide_largest([cells[one] for one in left])]

    def combined(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        """What an operator makes of two numbers, one of which is drawn."""
        if isinstance(one, Whole) or isinstance(other, Whole):
            return self._of_rounded(op, one, other)
        kinds = [part.kind if isinstance(part, Drawn) else type(part) for part in (one, other)]
        kind = np.float64 if any(issubclass(part, np.generic) for part in kinds) else float
        if isinstance(one, Quotient) or isinstance(other, Quotient):
            return self._of_quotients(op, one, other, kind)
        if op is operator.truediv and isinstance(other, Linear):
            return self._over(self._linear(one, "combined"), other, kind)
        if op in (operator.add, operator.sub):
            left, right = (self._linear(part, "combined") for part in (one, other))
            total = plus(left, right, 1 if op is operator.add else -1)
            self._held(size_beside_one(total.shift))
            return replace(total, kind=kind)
        if isinstance(one, Drawn) and isinstance(other, Drawn):
            raise self._reader.refuse(f"{op.__name__} of two numbers that are drawn is not read")
        is_left = isinstance(one, Drawn)
        drawn: Linear = one if is_left else other
        exact = self._known(other if is_left else one, "combined")
        self._held(exact)
        if op is operator.mul:
            return self._scaled(drawn, exact, kind) if exact != 0 else self._shadows.note(kind(0.0), exact)
        if op in (operator.truediv, operator.floordiv) and is_left:
            if exact == 0:
                raise self._reader.refuse("a number that is drawn is divided by 0")
            ratio = self._scaled(drawn, 1 / exact, kind)
            return ratio if op is operator.truediv else self.rounded(ratio, Step.FLOOR, kind)
        raise self._reader.refuse(f"{op.__name__} of a number that is drawn is not read")

    def _scaled(self, drawn: Linear, factor: Exact, kind: type) -> Linear:
        found = multiplied(drawn, factor, kind)
        self._held(*found.terms.values(), size_beside_one(found.shift))
        return found

    def _of_rounded(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        """The same where one is rounded: an integer stays one under + - * by integers, and + - with another."""
        one, other = self._renewed(one), self._renewed(other)
        whole, value = (one, other) if isinstance(one, Whole) else (other, one)
        is_divided = op in (operator.floordiv, operator.mod) and whole is one and type(value) is int and value > 0
        if is_divided and (found := self._divided(op, one, value)) is not None:
            return found
        is_whole = isinstance(value, (int, np.integer)) or (isinstance(value, float) and value.is_integer())
        is_integral = getattr(whole, "unit", 1) == 1
        if is_integral and is_whole and op in (operator.add, operator.sub, operator.mul):
            number, kind = int(value), type(op(whole.kind(1), value))
            if op is operator.mul:
                if number < 0 and issubclass(kind, float) and not issubclass(whole.kind, float):
                    raise self._reader.refuse("an integer times a negative float, where 0 becomes -0.0: use an integer")
                return self._moved(whole, number, 0, kind) if number else kind(0)
            sign = -1 if op is operator.sub and whole is other else 1
            found = self._moved(whole, sign, number if op is operator.add or whole is other else -number, kind)
            is_same = op is operator.sub and whole is one and not number
            return found if is_same or not isinstance(found, Stepped) else replace(found, is_signed=False)
        what = f"{op.__name__} of an integer or a rounded number"
        if isinstance(one, Linear) or isinstance(other, Linear):
            settled = self.settled(whole, what)
            return self.combined(op, *((settled, other) if whole is one else (one, settled)))
        if isinstance(one, Whole) and isinstance(other, Whole) and op in (operator.add, operator.sub):
            if any(map(self.is_finite, (one, other))):
                return self.combined(
                    op, *(self.settled(part, what) if self.is_finite(part) else part for part in (one, other))
                )
            if (found := self._sum_of_two(one, other, 1 if op is operator.add else -1)) is not None:
                return found
        left, right = (self.settled(part, what) if isinstance(part, Whole) else part for part in (one, other))
        return op(left, right)

    def _renewed(self, value: Any) -> Any:
        """A number by what has taken the place of its draws: an integer that was divided is quotient and rest."""
        if isinstance(value, Linear):
            return self._now(value)
        split = self._split.get(min(value.number.terms)) if isinstance(value, Stepped) else None
        if split is None or split.whole.number is not value.number or split.whole.width != value.width:
            return value
        by, quotient, rest = split.by, split.quotient, split.rest
        rest += value.step is Step.CEILING
        found = replace(quotient, scale=value.scale * by, shift=value.scale * rest + value.shift, kind=value.kind)
        return self._renewed(found)

    def _divided(self, op: Callable[..., Any], whole: Any, divisor: int) -> Any:
        """Quotient or rest of unit 1·(scale·k + shift), where k is geometric: k = by·m + r, where m is so too."""
        if not isinstance(whole, Stepped) or self.is_finite(whole) or whole.unit != 1 or whole.kind is not int:
            return None
        by = divisor // math.gcd(whole.scale, divisor)
        if by > 1:
            (draw, scale), *others = whole.number.terms.items()
            is_free = not others and not any(draw in row.draws for row in self.region.rows)
            is_geometric = self.region.laws[draw] is BaseLaw.EXPONENTIAL and scale > 0 and whole.number.shift == 0
            if not is_free or not is_geometric or whole.step is Step.NEAREST or by > MOST_STEPS:
                return None
            if whole.step is Step.CEILING:
                whole = replace(whole, step=Step.FLOOR, shift=whole.shift + whole.scale)
            width = whole.width / scale
            again = (-width).exp()
            weights = [again**r * (1 - again) / (1 - again**by) for r in range(by)]
            self.check_present([draw], "a quotient")
            rest = self._reader.path.fork(weights, "the rest of a division", self._reader.line)
            quotient = Stepped(self.new(BaseLaw.EXPONENTIAL), Step.FLOOR, by * width)
            (new,) = quotient.number.terms
            half = Fraction(2 * rest + 1, 2)
            self._replaced[draw] = lambda point: width * (by * Step.FLOOR.of(Exact(point[new]) / (by * width)) + half)
            self._split[draw] = Split(whole, by, quotient, rest)
            whole = self._renewed(whole)
        if op is operator.mod:
            return whole.shift % divisor
        return replace(whole, scale=whole.scale // divisor, shift=whole.shift // divisor)

    def _sum_of_two(self, one: Whole, other: Whole, sign: int) -> Any:
        """The sum of two integers, or their difference; None where they are floats, or no roundings of one draw."""
        first, second = (self.sum_of(part) for part in (one, other))
        are_integral = all(
            getattr(part, "unit", 1) == 1 and issubclass(part.kind, (int, np.integer)) for part in (one, other)
        )
        if first is None or second is None or not are_integral:
            return None
        return self._plain(self._added(first, second, sign, type(one.kind(1) + other.kind(1))))

    def _moved(self, whole: Any, scale: int, shift: int, kind: type) -> Any:
        """The integer scale·k + shift."""
        whole = of_kind(whole, kind)
        if isinstance(whole, Summed):
            return self.fitting(replace(self._multiple(whole, scale), shift=scale * whole.shift + shift))
        return self.fitting(replace(whole, scale=scale * whole.scale, shift=scale * whole.shift + shift))

    def negative(self, drawn: Drawn) -> Any:
        """The number with the other sign."""
        if isinstance(drawn, Whole):
            return self._moved(drawn, -1, 0, drawn.kind)
        if isinstance(drawn, Quotient):
            return replace(drawn, above=multiplied(drawn.above, Exact(-1), float))
        return multiplied(self._linear(drawn), Exact(-1), drawn.kind)

    def absolute(self, drawn: Drawn) -> Any:
        """The absolute value: its sign is one choice."""
        found = self.negative(drawn) if self.ordered(operator.lt, drawn, 0) else drawn
        return replace(found, is_signed=False) if isinstance(found, Stepped) else found

    def logarithm(self, drawn: Linear) -> Linear:
        """The logarithm of a number that is uniform on (0, m): ln m − E, where E is exponential, or of one that is: −G.

        Raises:
            Refusal: it is another number.
        """
        if not isinstance(drawn, Linear):
            raise self._reader.refuse("the logarithm of a quotient of numbers that are drawn is not read")
        low, high = self.range_of(drawn)
        (draw, scale), *others = drawn.terms.items()
        is_free = not others and not any(draw in row.draws for row in self.region.rows)
        if is_free and self.region.laws[draw] is BaseLaw.EXPONENTIAL and scale > 0 and drawn.shift == 0:
            found = self.new(BaseLaw.GUMBEL, Exact(-1), scale.log(), drawn.kind)
            (gumbel,) = found.terms
            self._replaced[draw] = lambda point: (-Exact(point[gumbel])).exp()
            return found
        if others or self.region.laws[draw] is not BaseLaw.UNIFORM or high is None or low is None or low != 0:
            raise self._reader.refuse("the logarithm of a number that is drawn is read where it is uniform on (0, m)")
        if any(draw in row.draws and len(row.draws) > 1 for row in self.region.rows):
            raise self._reader.refuse("the logarithm of a number that was compared with another draw is not read")
        found = self.new(BaseLaw.EXPONENTIAL, Exact(-1), high.log(), drawn.kind)
        (exponential,) = found.terms
        self._replaced[draw] = lambda point: (high * (-Exact(point[exponential])).exp() - drawn.shift) / scale
        return found


def _beats(cells: Sequence[Linear], one: int, other: int) -> bool:
    """Whether a number is always taken before another one."""
    if one == other or cells[one].terms.keys() != cells[other].terms.keys():
        return False
    gap = plus(cells[one], cells[other], -1)
    return not gap.terms and bool(gap.shift > 0 or (gap.shift == 0 and one < other))

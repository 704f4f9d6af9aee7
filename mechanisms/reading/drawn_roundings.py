"""Numbers that are rounded to integers along one path, and sums of such integers.

A rounding forks nothing yet: what is compared with it is a halfspace too, and its values are listed where something
needs them and they are finitely many. What is compared with several integers is a condition on these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.decisions import Decisions
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.known_functions import MOST_STEPS
from stirred.mechanisms.reading.region import Condition, at_least, at_most
from stirred.mechanisms.reading.rows import WholeRow
from stirred.mechanisms.reading.symbols import DrawRounding, Linear, Step, Stepped, Summed, Whole, of_kind

_ONE = Exact(1)

_FARTHEST = 64
"""No generator of NumPy's gives a base draw that is farther from 0."""


class DrawnRoundings(Decisions):
    """The numbers that are rounded along one path."""

    def fitting(self, whole: Any) -> Any:
        """The number itself, where its type holds all values that NumPy can draw."""
        if not isinstance(whole, Whole):
            return whole
        if issubclass(whole.kind, float) and isinstance(whole, Stepped):
            self._held(Exact(whole.scale), Exact(abs(whole.shift) + 1))
        elif issubclass(whole.kind, (np.integer, float)):
            held = np.iinfo(np.int64 if issubclass(whole.kind, float) else whole.kind)
            if not all(held.min <= end <= held.max for end in self._farthest(whole)):
                raise self._reader.refuse(f"an integer that is drawn may be too large for {whole.kind.__name__}")
        return whole

    def _farthest(self, whole: Any) -> list[Any]:
        """Values that none is beyond which NumPy can draw."""
        if isinstance(whole, Summed):
            reach = sum((abs(c) * _reach(whole.roundings[draw]) for draw, c in whole.terms.items()), Exact(0))
            return [whole.shift - reach, whole.shift + reach]
        low, high = self.steps(whole)
        number = whole.number
        reach = sum((_FARTHEST * abs(c) for c in number.terms.values()), abs(number.shift)) / whole.width
        ends = (-reach - 1 if low is None else low), (reach + 1 if high is None else high)
        return [whole.scale * end + whole.shift for end in ends]

    def rounded(self, drawn: Any, step: Step, kind: type, digits: int | None = None) -> Any:
        """The number rounded to an integer, or to decimals; its values at once where they are few."""
        if isinstance(drawn, (Stepped, Summed)):
            if getattr(drawn, "unit", 1) == 1 and not (digits or 0) < 0:
                return of_kind(drawn, kind)
            return self._again(self.settled(drawn, "a rounding of a rounding"), step, kind, digits)
        drawn = self._as_laplace(self._now(drawn))
        unit = Fraction(10) ** -(digits or 0)
        found = Stepped(multiplied(drawn, Exact(1 / unit), drawn.kind), step, _ONE, kind, unit=unit)
        ends = self.steps(found)
        return self.settled(found, "a rounding") if None not in ends else found

    def _as_laplace(self, drawn: Linear) -> Linear:
        """The difference of two exponential draws that nothing is known of, as the Laplace draw that it is."""
        one, other = [*drawn.terms, -1, -1][:2]
        is_pair = len(drawn.terms) == 2 and not any({one, other} & {*row.draws} for row in self.region.rows)
        if not is_pair or any(self.region.laws[draw] is not BaseLaw.EXPONENTIAL for draw in drawn.terms):
            return drawn
        scale = drawn.terms[one]
        if drawn.terms[other] != -scale:
            return drawn
        self.check_present(drawn.terms, "a rounding")
        self._paired[one, other] = difference = self.new(BaseLaw.LAPLACE)
        (laplace,) = difference.terms
        self._replaced[one] = lambda point: Exact(max(point[laplace], Fraction(0)) + 1)
        self._replaced[other] = lambda point: Exact(max(-point[laplace], Fraction(0)) + 1)
        return self._now(drawn)

    def _again(self, value: Any, step: Step, kind: type, digits: int | None) -> Any:
        if step is Step.NEAREST:
            return kind(round(value, digits)) if digits is not None else kind(round(value))
        by_step: Mapping[Step, Callable[[Any], int]] = {Step.FLOOR: math.floor, Step.CEILING: math.ceil}
        return kind(by_step.get(step, math.trunc)(value))

    def settled(self, value: Any, what: str) -> Any:
        """The value itself where a number that is rounded has finitely many: one choice among them.

        Raises:
            Refusal: it has infinitely many.
        """
        if not isinstance(value, Whole):
            return value
        low, high = self.steps(value)
        if low is None or high is None:
            raise self._reader.refuse(f"{what} that has infinitely many values is not read: clamp it first")
        if high - low > MOST_STEPS:
            raise self._reader.refuse(f"{what} that has {high - low + 1} values is not read: clamp it first")
        chosen = low + self.decide([self.part(value, k) for k in range(low, high + 1)], what)
        return self.signed(value, chosen, what)

    def signed(self, value: Any, chosen: int, what: str) -> Any:
        """What a rounding is at k: a zero that was less than 0 has its sign."""
        found = self.value(value, chosen)
        is_float = not issubclass(value.kind, (int, np.integer))
        if isinstance(value, Stepped) and is_float and value.is_signed and value.step is not Step.FLOOR and not chosen:
            is_negative = self._is_at_most(value.number, Exact(0), what) == (value.scale > 0)
            return self._shadows.note(-found, Exact(0)) if is_negative else found
        return found

    def is_finite(self, whole: Whole) -> bool:
        """Whether an integer has finitely many values."""
        return None not in self.steps(whole)

    def value(self, whole: Any, k: int) -> Any:
        """What a rounding, or a sum, is at k."""
        exact = Fraction(k) if isinstance(whole, Summed) else whole.unit * (whole.scale * k + whole.shift)
        found = whole.kind(int(exact) if exact.denominator == 1 else float(exact))
        return found if isinstance(found, (int, np.integer)) else self._shadows.note(found, Exact(exact))

    def part(self, whole: Any, k: int) -> list[Condition]:
        """Where a rounding, or a sum, has a value."""
        return [*self.beyond(whole, k), *self.up_to(whole, k)]

    def up_to(self, whole: Any, k: int) -> list[Condition]:
        """Where it is at most k."""
        if isinstance(whole, Summed):
            return [WholeRow.of(whole.terms, whole.roundings, k - whole.shift)]
        return [at_most(whole.number, self.top(whole, k))]

    def beyond(self, whole: Any, k: int) -> list[Condition]:
        """Where it is at least k."""
        if isinstance(whole, Summed):
            return self.up_to(self._multiple(whole, -1), -k)
        return [at_least(whole.number, self.top(whole, k - 1))]

    def top(self, stepped: Stepped, k: int) -> Exact:
        """The supremum of the numbers that are rounded to at most k."""
        top: Exact = stepped.width * stepped.step.highest(k)
        return top

    def steps(self, stepped: Any) -> tuple[int | None, int | None]:
        """The least and the greatest value of k; None where there is none."""
        if isinstance(stepped, Summed):
            try:
                ends = self.region.integers(stepped.terms, stepped.roundings).range_of(stepped.terms)
            except ArithmeticError as error:
                raise self._reader.refuse(f"the range of a sum of integers is not known: {error}") from None
            return tuple(None if end is None else end + stepped.shift for end in ends)  # type: ignore[return-value]
        low, high = self.range_of(stepped.number)
        return (None if low is None else self._near(stepped, low, -1)), (
            None if high is None else self._near(stepped, high, 1)
        )

    def _near(self, stepped: Stepped, end: Exact, direction: int) -> int:
        """The value at an end of the range, or one beyond that has probability 0."""
        k: int = (end / stepped.width).floor() + direction
        while self._is_beyond(stepped, k, end, direction):
            k -= direction
        return k

    def _is_beyond(self, stepped: Stepped, k: int, end: Exact, direction: int) -> bool:
        return bool(self.top(stepped, k) <= end) if direction < 0 else bool(self.top(stepped, k - 1) >= end)

    # ---- sums --------------------------------------------------------------------------------------------------------

    def sum_of(self, whole: Whole) -> Summed | None:
        """A rounding of one draw as a sum, but for its unit; None where it is of several."""
        if isinstance(whole, Summed):
            return whole
        if not isinstance(whole, Stepped) or len(whole.number.terms) > 1:
            return None
        ((draw, scale),) = whole.number.terms.items()
        steps = 0 if whole.step is Step.TOWARDS_ZERO else (whole.number.shift / whole.width).floor()
        shift = whole.number.shift - steps * whole.width  # c + Z and Z are rounded in one way
        rounding = DrawRounding(scale.number, shift.number, whole.step, whole.width.number)
        return Summed({draw: whole.scale}, {draw: rounding}, whole.shift + whole.scale * steps, whole.kind)

    def _multiple(self, whole: Summed, factor: int) -> Summed:
        terms = {draw: factor * c for draw, c in whole.terms.items()}
        return replace(whole, terms=terms, shift=factor * whole.shift)

    def _added(self, one: Summed, other: Summed, factor: int, kind: type) -> Summed:
        """The sum one + factor·other.

        Raises:
            Refusal: one draw is rounded in two ways.
        """
        terms, roundings = dict(one.terms), {**one.roundings, **other.roundings}
        for draw, c in other.terms.items():
            if one.roundings.get(draw, other.roundings[draw]) != other.roundings[draw]:
                raise self._reader.refuse("a draw is rounded in two ways, and both are combined")
            if total := terms.pop(draw, 0) + factor * c:
                terms[draw] = total
        return Summed(terms, {draw: roundings[draw] for draw in terms}, one.shift + factor * other.shift, kind)

    def _plain(self, found: Summed) -> Any:
        """A sum as what it is: an integer, a rounding, or a sum of several."""
        if len(found.terms) > 1:
            return self.fitting(found)
        if not found.terms:
            return found.kind(found.shift)
        ((draw, c),) = found.terms.items()
        one = found.roundings[draw]
        number = Linear({draw: Exact(one.scale)}, Exact(one.shift))
        return self.fitting(Stepped(number, one.step, Exact(one.width), found.kind, c, found.shift))

    def apart(self, sums: Sequence[Summed]) -> tuple[list[Any], list[list[int]]]:
        """Numbers that tell what sums are, and are told by them: of prefix sums the terms.

        From each sum those before it are taken as often as it holds their first draws.

        Returns:
            The numbers, and the coefficients of each sum in them: on the diagonal 1, beyond it 0.
        """
        left: list[Summed] = []
        rows = []
        for one in sums:
            rest, row = one, [0] * len(sums)
            for place, other in enumerate(left):
                first = min(other.terms, default=None)
                row[place] = 0 if first is None else rest.terms.get(first, 0) // other.terms[first]
                rest = self._added(rest, other, -row[place], one.kind)
            row[len(left)] = 1
            rows.append(row)
            left.append(rest)
        return [*map(self._plain, left)], rows


def _reach(rounding: DrawRounding) -> Any:
    return (_FARTHEST * abs(Exact(rounding.scale)) + abs(Exact(rounding.shift))) / Exact(rounding.width) + 1


def multiplied(one: Linear, factor: Exact, kind: type) -> Linear:
    """The number times a factor that is not 0."""
    return Linear({draw: factor * coefficient for draw, coefficient in one.terms.items()}, factor * one.shift, kind)

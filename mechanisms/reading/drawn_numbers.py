"""What arithmetic, comparison and rounding make of numbers that are drawn, along one path.

A number that is drawn is linear in independent base draws, or is such a number rounded to an integer. A comparison is a
halfspace of the base draws: it forks the path by its exact probability, given the halfspaces of the path so far. A
rounding forks nothing yet: what is compared with it is a halfspace too, and its values are listed where something needs
them and they are finitely many.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.known_functions import MOST_STEPS, ORDERS
from stirred.mechanisms.reading.refusal import Reader
from stirred.mechanisms.reading.region import Halfspace, Region
from stirred.mechanisms.reading.shadows import Shadows
from stirred.mechanisms.reading.symbols import Drawn, Linear, Step, Stepped
from stirred.spec.numbers.reals.real import UndecidedOrderError

_ONE = Exact(1)

_FARTHEST = 64
"""No generator of NumPy's gives a base draw that is farther from 0."""

HUGE = 10**100
"""Products with larger numbers, and quotients, may be no doubles."""

_TINY = Exact(Fraction(1, HUGE))


@dataclass(frozen=True)
class _Decision:
    """What is decided.

    Attributes:
        before: where the draws lie when it is made.
        told: what tells the alternatives.
        parts: the probabilities of those that are possible, and the regions to which they lead.
    """

    before: Region
    told: Any
    parts: Mapping[int, tuple[Exact, Region]]


class DrawnNumbers:
    """The numbers that are drawn along one path.

    Attributes:
        region: the base draws, and where they lie.
    """

    def __init__(self, reader: Reader, shadows: Shadows) -> None:
        self._reader = reader
        self._shadows = shadows
        self._replaced: dict[int, Callable[[Mapping[int, Fraction]], Exact]] = {}
        self._decided = 0
        self.region = Region()
        self.is_used = False

    def new(self, law: BaseLaw, scale: Exact = _ONE, shift: Exact | int = 0, kind: type = float) -> Linear:
        """A new independent draw scale·Z + shift, where Z has this law."""
        self._held(scale)
        self.is_used = True
        self.region, number = self.region.drawn(law)
        return Linear({number: scale}, Exact(0) + shift, kind)

    def point(self, share: Fraction) -> dict[int, Fraction]:
        """Base draws that lie on the path: each at this share of its interval, given those before it."""
        try:
            found = self.region.point(share)
        except ArithmeticError as error:
            raise self._reader.refuse(f"no numbers are found that follow this path: {error}") from None
        for draw, of_others in self._replaced.items():
            found[draw] = _middle(of_others(found))
        return found

    # ---- decisions ---------------------------------------------------------------------------------------------------

    def decide(
        self,
        alternatives: Sequence[Sequence[Halfspace]] | Callable[[], Sequence[Sequence[Halfspace]]],
        what: str,
        numbers: Sequence[Linear] = (),
    ) -> int:
        """Which of the alternatives, which tile the region, is the path's; forks it where several can be.

        Args:
            alternatives: conditions of each, or what makes them of the numbers.
            what: is decided.
            numbers: what tells the alternatives, where they are yet to be made.
        """
        decision = self._decision(alternatives, what, numbers)
        if len(decision.parts) == 1:
            return next(iter(decision.parts))
        shares = [share for share, _ in decision.parts.values()]
        chosen = [*decision.parts][self._reader.path.fork(shares, what, self._reader.line)]
        self.region = decision.parts[chosen][1]
        return chosen

    def _decision(
        self,
        alternatives: Sequence[Sequence[Halfspace]] | Callable[[], Sequence[Sequence[Halfspace]]],
        what: str,
        numbers: Sequence[Linear],
    ) -> _Decision:
        """What is known of a decision, perhaps from another path that begins as this one."""
        self._decided += 1
        path, place = self._reader.path, (*self._reader.path.taken, -self._decided)
        known = path.decisions.get(place)
        told = [(one.terms, one.shift) for one in numbers] if callable(alternatives) else alternatives
        with suppress(UndecidedOrderError):
            if known is not None and known.before == self.region and known.told == told:
                return known  # type: ignore[no-any-return]
        made = alternatives() if callable(alternatives) else alternatives
        if self._replaced and any(draw in self._replaced for one in made for half in one for draw in half.terms):
            raise self._reader.refuse(f"{what}: a draw is used again after a logarithm or a difference took its place")
        try:
            parts = self.region.divided(made)
        except UndecidedOrderError:
            raise self._reader.refuse(f"{what}: a bound cannot be told from an end of the draw") from None
        except ArithmeticError as error:
            raise self._reader.refuse(f"{what}: {error}") from None
        possible = {place: part for place, part in enumerate(parts) if part[0].number != 0}
        found = path.decisions[place] = _Decision(self.region, told, possible)
        return found

    def _is_at_most(self, number: Linear, bound: Exact, what: str) -> bool:
        return self.decide(([_most(number, bound)], [_least(number, bound)]), what) == 0

    def ordered(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        """What a comparison says of two numbers, one of which is drawn."""
        kinds = [part.kind if isinstance(part, Drawn) else type(part) for part in (one, other)]
        found = self._ordered(op, one, other)
        return np.bool_(found) if any(issubclass(kind, np.generic) for kind in kinds) else found

    def _ordered(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        if one is other:
            return bool(op(0, 0))
        for left, right in ((one, other), (other, one)):
            if isinstance(left, (float, np.floating)) and math.isinf(left):
                return bool(op(left, 0.0) if left is one else op(0.0, left))
            if isinstance(left, Stepped) and (isinstance(right, Stepped) or op in (operator.eq, operator.ne)):
                return self._of_steps(op, one, other)
        if op not in ORDERS and self.are_ordered(one, other, strictly=True):
            return op is operator.ne
        if op not in ORDERS:
            raise self._reader.refuse(
                "a number that is drawn is asked whether it equals another: real numbers never do, doubles can"
            )
        is_below, is_weak = ORDERS[op]
        if isinstance(one, Stepped) or isinstance(other, Stepped):
            stepped, bound = (one, other) if isinstance(one, Stepped) else (other, one)
            if isinstance(bound, Linear):
                raise self._reader.refuse("a number that is rounded is compared with one that is drawn")
            is_below = is_below == (stepped is one)
            return self._is_step_below(stepped, self._known(bound), is_weak=is_weak == is_below) == is_below
        left, right = self._linear(one), self._linear(other)
        gap = _plus(left, right, -1)
        if not gap.terms:
            if gap.shift == 0:
                raise self._reader.refuse(
                    "two numbers are compared that are equal in the reals, and may differ as doubles"
                )
            return bool(op(gap.shift, 0))
        return self._is_at_most(gap, Exact(0), "a comparison") == is_below

    def are_ordered(self, one: Any, other: Any, *, strictly: bool = False) -> bool:
        """Whether the path says which of two numbers is the larger, but for the ends of ranges where not strictly."""
        gap = _plus(self._linear(one), self._linear(other), -1)
        low, high = self.range_of(gap) if gap.terms else (gap.shift, gap.shift)
        if strictly:
            return bool((low is not None and low > 0) or (high is not None and high < 0))
        return bool((low is not None and low >= 0) or (high is not None and high <= 0))

    def _is_step_below(self, stepped: Stepped, bound: Exact, *, is_weak: bool) -> bool:
        """Whether a rounded number is below a bound, or at it where that is weak."""
        place = (bound / stepped.unit - stepped.shift) / stepped.scale
        if stepped.scale > 0:
            highest = place.floor() if is_weak else -(-place).floor() - 1
            return self._is_at_most(stepped.number, self.top(stepped, highest), "a comparison")
        highest = -(-place).floor() - 1 if is_weak else place.floor()
        return not self._is_at_most(stepped.number, self.top(stepped, highest), "a comparison")

    def _of_steps(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        """A comparison that asks for values: whether two are equal, or which of two roundings is larger."""
        if isinstance(one, Stepped) and isinstance(other, Stepped):
            both = [(part.number, part.step, part.width, part.unit, part.scale) for part in (one, other)]
            if all(map(operator.is_, *both)):
                return bool(op(one.shift, other.shift))
            return bool(op(*(self.settled(part, "a comparison of two roundings") for part in (one, other))))
        stepped, value = (one, other) if isinstance(one, Stepped) else (other, one)
        if isinstance(value, Drawn):
            raise self._reader.refuse("a number that is rounded is asked whether it equals one that is drawn")
        exact = None if isinstance(value, str) else self._shadows.of(value)
        place = None if exact is None else (exact / stepped.unit - stepped.shift) / stepped.scale
        if place is None or place != (whole := place.floor()):
            return bool(op is operator.ne)
        ends = self.top(stepped, whole - 1), self.top(stepped, whole)
        low, high = (_most(stepped.number, ends[0]), _least(stepped.number, ends[1]))
        inside = [_least(stepped.number, ends[0]), _most(stepped.number, ends[1])]
        is_equal = self.decide(([low], inside, [high]), "a comparison") == 1
        return bool(is_equal == (op is operator.eq))

    def largest(self, numbers: Sequence[Any]) -> int:
        """The place of the largest number, the first of those that are equal: one choice among all."""
        if any(isinstance(one, Stepped) for one in numbers):
            best = 0
            for place in range(1, len(numbers)):
                best = place if self.ordered(operator.gt, numbers[place], numbers[best]) else best
            return best
        cells = [self._linear(one) for one in numbers]
        left = [k for k in range(len(cells)) if not any(_beats(cells, j, k) for j in range(len(cells)))]
        if len(left) == 1:
            return left[0]
        return left[self.decide(lambda: _winners([cells[one] for one in left]), "a maximum", cells)]

    # ---- arithmetic --------------------------------------------------------------------------------------------------

    def combined(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        """What an operator makes of two numbers, one of which is drawn."""
        if isinstance(one, Stepped) or isinstance(other, Stepped):
            return self._of_rounded(op, one, other)
        kinds = [part.kind if isinstance(part, Drawn) else type(part) for part in (one, other)]
        kind = np.float64 if any(issubclass(part, np.generic) for part in kinds) else float
        if op in (operator.add, operator.sub):
            left, right = (self._linear(part, "combined") for part in (one, other))
            total = _plus(left, right, 1 if op is operator.add else -1)
            self._held(abs(total.shift) + 1)
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
        found = _times(drawn, factor, kind)
        self._held(*found.terms.values(), abs(found.shift) + 1)
        return found

    def _held(self, *numbers: Any) -> None:
        """Refuse numbers with which a double may be too large, or too small."""
        if any(one != 0 and not _TINY <= abs(one) <= HUGE for one in numbers):
            raise self._reader.refuse("a number that is drawn may be too large, or too small, for a double")

    def _of_rounded(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        """The same where one is rounded: an integer stays one under + - * by integers."""
        if op in (operator.add, operator.sub) and isinstance(one, Stepped) and isinstance(other, Stepped):
            negative = self.negative(other) if op is operator.sub else other
            if self._are_geometric(one, negative):
                return self._difference(one, negative)
        stepped, value = (one, other) if isinstance(one, Stepped) else (other, one)
        is_whole = isinstance(value, (int, np.integer)) or (isinstance(value, float) and value.is_integer())
        if stepped.unit == 1 and is_whole and op in (operator.add, operator.sub, operator.mul):
            whole, kind = int(value), type(op(stepped.kind(1), value))
            if op is operator.mul:
                made = replace(stepped, scale=stepped.scale * whole, shift=stepped.shift * whole, kind=kind)
                return self.fitting(made) if whole else kind(0)
            sign = -1 if op is operator.sub and stepped is other else 1
            shift = whole if op is operator.add or stepped is other else -whole
            made = replace(stepped, scale=sign * stepped.scale, shift=sign * stepped.shift + shift, kind=kind)
            return self.fitting(made)
        what = f"{op.__name__} of an integer or a rounded number"
        if isinstance(one, Linear) or isinstance(other, Linear):
            stepped = one if isinstance(one, Stepped) else other
            settled = self.settled(stepped, what)
            return self.combined(op, *((settled, other) if stepped is one else (one, settled)))
        left, right = (self.settled(part, what) if isinstance(part, Stepped) else part for part in (one, other))
        return op(left, right)

    def fitting(self, stepped: Stepped) -> Stepped:
        """The number itself, where its type holds all values that NumPy can draw."""
        if issubclass(stepped.kind, float):
            self._held(stepped.scale, abs(stepped.shift) + 1)
        if issubclass(stepped.kind, np.integer):
            number, (low, high), held = stepped.number, self.steps(stepped), np.iinfo(stepped.kind)
            reach = sum((_FARTHEST * abs(one) for one in number.terms.values()), abs(number.shift)) / stepped.width
            ends = (-reach - 1 if low is None else low), (reach + 1 if high is None else high)
            if not all(held.min <= stepped.scale * k + stepped.shift <= held.max for k in ends):
                raise self._reader.refuse(f"an integer that is drawn may be too large for {stepped.kind.__name__}")
        return stepped

    def negative(self, drawn: Drawn) -> Any:
        """The number with the other sign."""
        if isinstance(drawn, Stepped):
            return self.fitting(replace(drawn, scale=-drawn.scale, shift=-drawn.shift))
        return _times(self._linear(drawn), Exact(-1), drawn.kind)

    def absolute(self, drawn: Drawn) -> Any:
        """The absolute value: its sign is one choice."""
        return self.negative(drawn) if self.ordered(operator.lt, drawn, 0) else drawn

    def logarithm(self, drawn: Linear) -> Linear:
        """The logarithm of a number that is uniform on (0, m): ln m − E, where E is exponential.

        Raises:
            Refusal: it is another number.
        """
        low, high = self.range_of(drawn)
        (draw, scale), *others = drawn.terms.items()
        if others or self.region.laws[draw] is not BaseLaw.UNIFORM or high is None or low is None or low != 0:
            raise self._reader.refuse("the logarithm of a number that is drawn is read where it is uniform on (0, m)")
        if any(draw in row.draws and len(row.draws) > 1 for row in self.region.rows):
            raise self._reader.refuse("the logarithm of a number that was compared with another draw is not read")
        found = self.new(BaseLaw.EXPONENTIAL, Exact(-1), high.log(), drawn.kind)
        (exponential,) = found.terms
        self._replaced[draw] = lambda point: (high * (-Exact(point[exponential])).exp() - drawn.shift) / scale
        return found

    def _difference(self, one: Stepped, other: Stepped) -> Any:
        """X − Y of two geometric draws with one parameter: 0, or one of them again, of either sign.

        With α = P(X > 1) the probabilities of Y < X, X = Y and X < Y are α, 1 − α and α over 1 + α; given Y < X the
        difference is as X, since a geometric draw has no memory.
        """
        kind, shift = type(one.kind(1) + other.kind(1)), one.shift + other.shift
        ratio = (-one.width).exp()
        weights = [part / (1 + ratio) for part in (ratio, 1 - ratio, ratio)]
        chosen = self._reader.path.fork(weights, "a difference of two draws", self._reader.line)
        (first,), (second,) = one.number.terms, other.number.terms
        half = one.width / 2
        if chosen == 1:
            self._replaced |= {first: lambda _: half, second: lambda _: half}
            return kind(shift)
        larger, smaller = (first, second) if chosen == 0 else (second, first)
        (new,) = (number := self.new(BaseLaw.EXPONENTIAL)).terms
        self._replaced |= {smaller: lambda _: half, larger: lambda point: one.width + Exact(point[new])}
        return Stepped(number, Step.CEILING, one.width, kind, (1 - chosen) * one.scale, shift)

    def _are_geometric(self, one: Stepped, other: Stepped) -> bool:
        """Whether both are geometric draws with one parameter and opposite signs, of which nothing is known yet."""
        both = (one, other)
        draws = {draw for part in both for draw in part.number.terms}
        is_free = not any(draws.intersection(row.draws) for row in self.region.rows)
        if one.scale != -other.scale or len(draws) != 2 or not is_free or not one.unit == other.unit == 1:
            return False
        are_plain = all(
            part.step is Step.CEILING and [*part.number.terms.values()] == [1] and part.number.shift == 0
            for part in both
        )
        are_exponential = all(self.region.laws[draw] is BaseLaw.EXPONENTIAL for draw in draws)
        return are_plain and are_exponential and bool(one.width == other.width)

    # ---- roundings ---------------------------------------------------------------------------------------------------

    def rounded(self, drawn: Any, step: Step, kind: type, digits: int | None = None) -> Any:
        """The number rounded to an integer, or to decimals; its values at once where they are few."""
        if isinstance(drawn, Stepped):
            if drawn.unit == 1 and not (digits or 0) < 0:
                return replace(drawn, kind=kind)
            return self._again(self.settled(drawn, "a rounding of a rounding"), step, kind, digits)
        unit = Fraction(10) ** -(digits or 0)
        found = Stepped(_times(drawn, Exact(1 / unit), drawn.kind), step, _ONE, kind, unit=unit)
        ends = self.steps(found)
        return self.settled(found, "a rounding") if None not in ends else found

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
        if not isinstance(value, Stepped):
            return value
        low, high = self.steps(value)
        if low is None or high is None:
            raise self._reader.refuse(f"{what} that has infinitely many values is not read: clamp it first")
        if high - low > MOST_STEPS:
            raise self._reader.refuse(f"{what} that has {high - low + 1} values is not read: clamp it first")
        chosen = low + self.decide([self.part(value, k) for k in range(low, high + 1)], what)
        found = self.value(value, chosen)
        is_signed = not issubclass(value.kind, (int, np.integer)) and value.step is not Step.FLOOR
        if is_signed and chosen == 0 == value.shift and self.ordered(operator.lt, value.number, 0) == (value.scale > 0):
            return self._shadows.note(-found, Exact(0))  # a zero that was less than 0
        return found

    def is_finite(self, stepped: Stepped) -> bool:
        """Whether a rounding has finitely many values."""
        return None not in self.steps(stepped)

    def value(self, stepped: Stepped, k: int) -> Any:
        """What a rounding is at k."""
        exact = stepped.unit * (stepped.scale * k + stepped.shift)
        found = stepped.kind(int(exact) if exact.denominator == 1 else float(exact))
        return found if isinstance(found, (int, np.integer)) else self._shadows.note(found, Exact(exact))

    def part(self, stepped: Stepped, k: int) -> list[Halfspace]:
        """Where a rounding has a value."""
        return [_least(stepped.number, self.top(stepped, k - 1)), _most(stepped.number, self.top(stepped, k))]

    def up_to(self, stepped: Stepped, k: int) -> list[Halfspace]:
        """Where a rounding is at most k."""
        return [_most(stepped.number, self.top(stepped, k))]

    def beyond(self, stepped: Stepped, k: int) -> list[Halfspace]:
        """Where a rounding is at least k."""
        return [_least(stepped.number, self.top(stepped, k - 1))]

    def top(self, stepped: Stepped, k: int) -> Exact:
        """The supremum of the numbers that are rounded to at most k."""
        top: Exact = stepped.width * stepped.step.highest(k)
        return top

    def steps(self, stepped: Stepped) -> tuple[int | None, int | None]:
        """The least and the greatest value of k; None where there is none."""
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

    # ---- parts -------------------------------------------------------------------------------------------------------

    def range_of(self, number: Linear) -> tuple[Exact | None, Exact | None]:
        """The infimum and the supremum on the path; None where infinite."""
        try:
            return self.region.range_of(number.terms, number.shift)
        except ArithmeticError as error:
            raise self._reader.refuse(f"the range of a number that is drawn is not known: {error}") from None

    def _known(self, value: Any, what: str = "compared") -> Exact:
        """The exact number that a value stands for."""
        found = self._shadows.of(value)
        if found is None:
            raise self._reader.refuse(f"a number that is drawn is {what} with {value!r}, which is no exact number")
        return found

    def _linear(self, value: Any, what: str = "compared") -> Linear:
        return value if isinstance(value, Linear) else Linear({}, self._known(value, what))


def _beats(cells: Sequence[Linear], one: int, other: int) -> bool:
    """Whether a number is always taken before another one."""
    if one == other or cells[one].terms.keys() != cells[other].terms.keys():
        return False
    gap = _plus(cells[one], cells[other], -1)
    return not gap.terms and bool(gap.shift > 0 or (gap.shift == 0 and one < other))


def _winners(cells: Sequence[Linear]) -> list[list[Halfspace]]:
    """For each number the conditions that it is the largest."""
    gaps = {(j, k): _plus(cells[j], cells[k], -1) for j, k in combinations(range(len(cells)), 2)}
    zero = Exact(0)
    return [
        [_most(gaps[j, k], zero) if j < k else _least(gaps[k, j], zero) for j in range(len(cells)) if j != k]
        for k in range(len(cells))
    ]


def _plus(one: Linear, other: Linear, sign: int) -> Linear:
    """The sum, or the difference, as the sign tells."""
    terms = dict(one.terms)
    for draw, coefficient in other.terms.items():
        signed = coefficient if sign > 0 else -coefficient
        total = terms.pop(draw) + signed if draw in terms else signed
        if total != 0:
            terms[draw] = total
    return Linear(terms, one.shift + other.shift if sign > 0 else one.shift - other.shift, one.kind)


def _times(one: Linear, factor: Exact, kind: type) -> Linear:
    return Linear({draw: factor * coefficient for draw, coefficient in one.terms.items()}, factor * one.shift, kind)


def _most(number: Linear, bound: Exact) -> Halfspace:
    """The number is at most the bound."""
    return Halfspace(number.terms, bound - number.shift)


def _least(number: Linear, bound: Exact) -> Halfspace:
    """The number is at least the bound."""
    return Halfspace({draw: -coefficient for draw, coefficient in number.terms.items()}, number.shift - bound)


def _middle(value: Exact) -> Fraction:
    if isinstance(value.number, Fraction):
        return value.number
    ends = value.number.enclosure(40)
    return (ends.lower + ends.upper) / 2

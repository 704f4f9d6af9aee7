"""Decisions along one path: which part of the region of its draws it goes on in, by exact probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.maxima import Parts, divided_by_largest
from stirred.mechanisms.reading.refusal import Reader
from stirred.mechanisms.reading.region import Condition, Region, at_least, at_most
from stirred.mechanisms.reading.shadows import Shadows
from stirred.mechanisms.reading.symbols import Linear, Stepped
from stirred.spec.numbers.reals.real import UndecidedOrderError

_ONE = Exact(1)

HUGE = 10**100
"""Products with larger numbers, and quotients, may be no doubles."""

_BITS = HUGE.bit_length() - 1
_TINY = Exact(Fraction(1, HUGE))

_ANYWHERE = Region()

Alternatives = Sequence[Sequence[Condition]]


@dataclass(frozen=True)
class Split:
    """An integer k, as a rounding says it, that was divided: k = by·quotient + rest."""

    whole: Stepped
    by: int
    quotient: Stepped
    rest: int


@dataclass(frozen=True)
class DrawnState:
    """What is known of the draws of a path."""

    region: Region
    replaced: Mapping[int, Callable[[Mapping[int, Fraction]], Exact]]
    split: Mapping[int, Split]
    paired: Mapping[tuple[int, int], Linear]
    is_used: bool


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

    @cached_property
    def shares(self) -> tuple[Exact, ...]:
        """The probabilities: the same object each time."""
        return tuple(share for share, _ in self.parts.values())


class Decisions:
    """The base draws of one path, and what is decided of them.

    Attributes:
        region: the base draws, and where they lie.
    """

    def __init__(self, reader: Reader, shadows: Shadows) -> None:
        self._reader = reader
        self._shadows = shadows
        self._replaced: dict[int, Callable[[Mapping[int, Fraction]], Exact]] = {}
        self._split: dict[int, Split] = {}
        self._paired: dict[tuple[int, int], Linear] = {}
        self._decided = 0
        self.region = _ANYWHERE
        self.is_used = False

    @property
    def state(self) -> DrawnState:
        """What is known so far, to which the path can be set back."""
        return DrawnState(self.region, {**self._replaced}, {**self._split}, {**self._paired}, self.is_used)

    @state.setter
    def state(self, state: DrawnState) -> None:
        self.region, self._replaced, self._split = state.region, dict(state.replaced), dict(state.split)
        self._paired, self.is_used = dict(state.paired), state.is_used

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
        for draw, of_others in reversed(self._replaced.items()):  # those that were replaced again last
            found[draw] = _middle(of_others(found))
        return found

    def decide(self, alternatives: Alternatives, what: str) -> int:
        """Which of the alternatives, which tile the region, is the path's; forks it where several can be."""
        draws = {draw for one in alternatives for condition in one for draw in condition.terms}
        return self._decided_by(lambda: self.region.divided(alternatives), alternatives, draws, what)

    def decide_largest(self, cells: Sequence[Linear]) -> int:
        """Which of several numbers is the largest: one choice."""
        told = [(one.terms, one.shift) for one in cells]
        draws = {draw for one in cells for draw in one.terms}
        return self._decided_by(lambda: divided_by_largest(self.region, cells), told, draws, "a maximum")

    def _decided_by(self, divide: Callable[[], Parts], told: Any, draws: set[int], what: str) -> int:
        decision = self._decision(divide, told, draws, what)
        if len(decision.parts) == 1:
            return next(iter(decision.parts))
        chosen = [*decision.parts][self._reader.path.fork(decision.shares, what, self._reader.line)]
        self.region = decision.parts[chosen][1]
        return chosen

    def _decision(self, divide: Callable[[], Parts], told: Any, draws: set[int], what: str) -> _Decision:
        """What is known of a decision, perhaps from another path that begins as this one.

        Args:
            divide: the region into its parts.
            told: what tells these.
            draws: that they tie.
            what: is decided.
        """
        self._decided += 1
        path, place = self._reader.path, (*self._reader.path.taken, -self._decided)
        known = path.decisions.get(place)
        with suppress(UndecidedOrderError):
            if known is not None and _is_same(known.before, self.region) and known.told == told:
                return known  # type: ignore[no-any-return]
        self.check_present(draws, what)
        try:
            parts = divide()
        except UndecidedOrderError:
            raise self._reader.refuse(f"{what}: a bound cannot be told from an end of the draw") from None
        except ArithmeticError as error:
            raise self._reader.refuse(f"{what}: {error}") from None
        possible = {place: part for place, part in enumerate(parts) if part[0].number != 0}
        found = path.decisions[place] = _Decision(self.region, told, possible)
        return found

    def check_present(self, draws: Iterable[int], what: str) -> None:
        """Refuse what is done with draws that others have replaced, on which they depend."""
        if not self._replaced.keys().isdisjoint(draws):
            raise self._reader.refuse(f"{what}: a draw is used again after another number took its place")

    def spend(self, number: Linear, what: str) -> None:
        """Use draws for something of which nothing is known: they may be used for nothing else."""
        tied = {draw for row in self.region.rows for draw in row.draws}
        self.check_present(number.terms, what)
        if tied & number.terms.keys():
            raise self._reader.refuse(f"{what} that is drawn was compared before")
        self._replaced |= dict.fromkeys(number.terms, lambda _: Exact(Fraction(1, 2)))

    def _is_at_most(self, number: Linear, bound: Exact, what: str) -> bool:
        if not self._replaced.keys().isdisjoint(number.terms):  # what was known of them before still is
            low, high = self.range_of(number)
            if (low is not None and low >= bound) or (high is not None and high <= bound):
                return high is not None and bool(high <= bound)
        return self.decide(([at_most(number, bound)], [at_least(number, bound)]), what) == 0

    def _held(self, *numbers: Exact) -> None:
        """Refuse numbers with which a double may be too large, or too small."""
        if not all(map(is_moderate, numbers)):
            raise self._reader.refuse("a number that is drawn may be too large, or too small, for a double")

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
        return self._now(value) if isinstance(value, Linear) else Linear({}, self._known(value, what))

    def _now(self, number: Linear) -> Linear:
        """The number by what has taken the place of differences of its draws."""
        for (one, other), difference in self._paired.items():
            scale = number.terms.get(one)
            if scale is not None and other in number.terms and number.terms[other] == -scale:
                left = {draw: c for draw, c in number.terms.items() if draw not in (one, other)}
                terms = {draw: c * scale for draw, c in difference.terms.items()}
                number = Linear({**left, **terms}, number.shift, number.kind)
        return number


def _is_same(one: Region, other: Region) -> bool:
    """Whether two regions are equal; mostly they are one object."""
    return one is other or one == other


def is_moderate(number: Exact) -> bool:
    """Whether a number is 0, or products with it, and quotients, are doubles."""
    if isinstance(value := number.number, Fraction) and max(map(int.bit_length, value.as_integer_ratio())) < _BITS:
        return True
    return bool(number == 0 or _TINY <= abs(number) <= HUGE)


def size_beside_one(number: Exact) -> Exact:
    """A number that is no less than 1 + |number|, and no more than it by much."""
    if isinstance(number.number, Fraction):
        return Exact(abs(number.number) + 1)
    ends = number.number.enclosure(20)
    return Exact(max(abs(ends.lower), abs(ends.upper)) + 1)


def _middle(value: Exact) -> Fraction:
    if isinstance(value.number, Fraction):
        return value.number
    ends = value.number.enclosure(40)
    return (ends.lower + ends.upper) / 2

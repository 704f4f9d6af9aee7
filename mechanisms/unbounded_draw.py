"""Unbounded integer noise that is never drawn whole: each comparison is one choice, with its exact probability.

A draw with infinitely many values has no finite choice tree, but a mechanism that only compares it (above threshold,
report noisy max) has one: whether X ≥ t is a choice between two outcomes, and what was learned is kept as a constraint
on the next comparison. The value itself is drawn only where the constraints bound it, or where it is clamped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import NoReturn

from mechanisms.zone_mass import ORIGIN, Geometric, implied, zone_mass
from spec.arguments import Exact, InputError, exact, integer
from spec.law import Probability
from spec.rational_function import RationalFunction

__all__ = ["UNBOUNDED", "Draw", "Draws", "noise_ratio"]

UNBOUNDED = "unbounded: clamp it with source.clamp(value, low, high), or only compare it"
"""Why the value of an unbounded draw is refused."""

_WIDEST = 100_000


def noise_ratio(ratio: object) -> Probability:
    """The ratio α of geometric noise: exact, between 0 and 1, exclusive; or a function of the open parameter."""
    if isinstance(ratio, RationalFunction):
        return ratio
    alpha = exact("ratio", ratio)
    if not 0 < alpha < 1:
        raise InputError(f"ratio must be between 0 and 1, exclusive; got {ratio!r}")
    return alpha


class Draws:
    """The unbounded draws of one run, and what its comparisons have shown about them."""

    def __init__(self, choose: Callable[[Sequence[Probability]], int]) -> None:
        self._choose = choose
        self._laws: dict[int, Geometric] = {}
        self._zone: dict[tuple[int, int], int] = {}
        self._signs: dict[int, int] = {}

    def new(self, law: Geometric) -> Draw:
        """A new independent draw."""
        index = len(self._laws)
        self._laws[index] = law
        self._signs[index] = 1
        return Draw(self, {index: Fraction(1)}, Fraction(0))

    def decide(self, terms: Mapping[int, Fraction], constant: Fraction) -> bool:
        """Whether Σ terms + constant ≥ 0, decided by one choice where it is not yet known."""
        if not terms:
            return constant >= 0
        i, j, bound = self._constraint(terms, constant)
        known, opposite = self._implied(i, j), self._implied(j, i)
        if known is not None and known <= bound:
            return True
        if opposite is not None and opposite < -bound:
            return False
        yes, no = self._mass(i, j, bound), self._mass(j, i, -bound - 1)
        answer = self._choose((no / (yes + no), yes / (yes + no))) == 1
        if answer:
            self._add(i, j, bound)
        else:
            self._add(j, i, -bound - 1)
        return answer

    def clamped(self, terms: Mapping[int, Fraction], constant: Fraction, low: int, high: int) -> int:
        """The value of Σ terms + constant, moved into low, …, high: one choice."""
        _check_integral(terms, constant)
        i, j, start = self._constraint(terms, constant - low)
        # the value is at least low + k iff x_i − x_j ≤ start − k
        tails = [self._mass(i, j, start - k) for k in range(1, high - low + 1)]
        if not tails:
            return low
        whole = self._mass(j, i, -start) + tails[0]
        steps = [whole, *tails, Fraction(0)]
        weights = [(steps[k] - steps[k + 1]) / whole for k in range(high - low + 1)]
        chosen = weights.index(Fraction(1)) if 1 in weights else self._choose(weights)
        if chosen > 0:
            self._add(i, j, start - chosen)
        if chosen < high - low:
            self._add(j, i, chosen - start)
        return low + chosen

    def range_of(self, terms: Mapping[int, Fraction], constant: Fraction) -> tuple[int, int] | None:
        """The least and the greatest value that are still possible, None where one of them is missing."""
        _check_integral(terms, constant)
        i, j, bound = self._constraint(terms, constant)
        least, greatest = self._implied(i, j), self._implied(j, i)
        return None if least is None or greatest is None else (bound - least, bound + greatest)

    def _constraint(self, terms: Mapping[int, Fraction], constant: Fraction) -> tuple[int, int, int]:
        """(i, j, c) such that Σ terms + constant ≥ 0 iff x_i − x_j ≤ c."""
        if len(terms) > 2 or len({abs(c) for c in terms.values()}) != 1:
            raise InputError(
                "unbounded: a comparison may be of one draw, or of two draws with the same factor, with a number; "
                "clamp the others first"
            )
        self._align(terms)
        scale = abs(next(iter(terms.values())))
        bound = floor(constant / scale)
        rising = [i for i, c in terms.items() if c * self._signs[i] > 0]
        falling = [i for i, c in terms.items() if c * self._signs[i] < 0]
        return (falling or [ORIGIN])[0], (rising or [ORIGIN])[0], bound

    def _align(self, terms: Mapping[int, Fraction]) -> None:
        """Reflect the draws linked to the second one where the terms are a sum, so that they are a difference."""
        if len(terms) < 2:
            return
        (i, a), (j, b) = terms.items()
        if a * self._signs[i] * b * self._signs[j] < 0:
            return
        turned = self._linked(j)
        if i in turned:
            raise InputError("unbounded: two draws are compared by their sum and by their difference; clamp one first")
        for node in turned:
            law = self._laws[node]
            self._laws[node] = Geometric(law.ratio, law.is_two_sided, not (law.is_two_sided or law.is_reflected))
            self._signs[node] = -self._signs[node]
        self._zone = {
            (second, first) if {first, second} & turned else (first, second): c
            for (first, second), c in self._zone.items()
        }

    def _linked(self, node: int) -> set[int]:
        """The draws that constraints link to one of them."""
        found, waiting = {node}, [node]
        while waiting:
            here = waiting.pop()
            for pair in self._zone:
                if here in pair and ORIGIN not in pair and (other := sum(pair) - here) not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def _part(self, i: int, j: int) -> tuple[dict[int, Geometric], dict[tuple[int, int], int]]:
        nodes = set().union(*(self._linked(node) for node in (i, j) if node != ORIGIN))
        zone = {pair: c for pair, c in self._zone.items() if nodes.intersection(pair)}
        return {node: self._laws[node] for node in nodes}, zone

    def _implied(self, i: int, j: int) -> int | None:
        return implied(*self._part(i, j), i, j)

    def _mass(self, i: int, j: int, bound: int) -> Probability:
        laws, zone = self._part(i, j)
        zone[i, j] = min(bound, zone.get((i, j), bound))
        return zone_mass(laws, zone)

    def _add(self, i: int, j: int, bound: int) -> None:
        self._zone[i, j] = min(bound, self._zone.get((i, j), bound))


def _check_integral(terms: Mapping[int, Fraction], constant: Fraction) -> None:
    if any(abs(factor) != 1 for factor in terms.values()) or constant.denominator != 1:
        raise InputError("a value that is read must be an integer: draws, their differences, and whole numbers")


def _refuse() -> NoReturn:
    raise InputError(UNBOUNDED)


class Draw:
    """An unbounded integer draw, or a sum of some and of numbers: compared, never read.

    It is added to exact numbers and multiplied by them; comparisons are choices of the mechanism. `int(draw)` is its
    value where the comparisons made so far bound it on both sides; anything else that would read it is refused.
    """

    __slots__ = ("_constant", "_draws", "_terms")

    def __init__(self, draws: Draws, terms: Mapping[int, Fraction], constant: Fraction) -> None:
        self._draws = draws
        self._terms = {index: factor for index, factor in terms.items() if factor}
        self._constant = constant

    def clamped(self, low: int, high: int) -> int:
        """The value moved into low, …, high.

        Raises:
            InputError: the ends are no ints in order, or the value need not be an integer.
        """
        integer("high", high, minimum=integer("low", low))
        if high - low > _WIDEST:
            raise InputError(f"high must be at most low + {_WIDEST}; got {low} and {high}")
        if not self._terms:
            return min(max(int(self), low), high)
        return self._draws.clamped(self._terms, self._constant, low, high)

    def _plus(self, other: Draw | Exact, factor: int) -> Draw:
        if isinstance(other, Draw):
            if other._draws is not self._draws:
                raise InputError("draws must be of one attempt to be combined; draw both inside it, or both outside")
            terms = dict(self._terms)
            for index, coefficient in other._terms.items():
                terms[index] = terms.get(index, Fraction(0)) + factor * coefficient
            return Draw(self._draws, terms, self._constant + factor * other._constant)
        return Draw(self._draws, self._terms, self._constant + factor * exact("what is added to a draw", other))

    def __add__(self, other: Draw | Exact) -> Draw:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Draw | Exact) -> Draw:
        return self._plus(other, -1)

    def __neg__(self) -> Draw:
        return self * -1

    def __rsub__(self, other: Exact) -> Draw:
        return -self + other

    def __mul__(self, factor: Exact) -> Draw:
        by = exact("the factor of a draw", factor)
        return Draw(self._draws, {index: by * c for index, c in self._terms.items()}, by * self._constant)

    __rmul__ = __mul__

    def __abs__(self) -> Draw:
        return self if self >= 0 else -self

    def __ge__(self, other: Draw | Exact) -> bool:
        difference = self - other
        return self._draws.decide(difference._terms, difference._constant)

    def __lt__(self, other: Draw | Exact) -> bool:
        return not self >= other

    def __le__(self, other: Draw | Exact) -> bool:
        return -self >= -other

    def __gt__(self, other: Draw | Exact) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Draw, int, Fraction)):
            return NotImplemented
        return self >= other and self <= other

    def __bool__(self) -> bool:
        return self != 0

    def __int__(self) -> int:
        """The value, where what was compared bounds it on both sides.

        Raises:
            InputError: it is still unbounded.
        """
        if not self._terms:
            return integer("a draw that cancels", int(self._constant))
        bounds = self._draws.range_of(self._terms, self._constant)
        if bounds is None:
            _refuse()
        return self.clamped(*bounds)

    __index__ = __int__

    def __hash__(self) -> int:  # noqa: PLE0309 it is refused
        _refuse()

    def __repr__(self) -> str:
        _refuse()

    def __format__(self, specification: str) -> str:
        _refuse()

    def __reduce__(self) -> str:
        _refuse()

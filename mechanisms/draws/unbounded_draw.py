"""Unbounded integer noise that is never drawn whole: each comparison is one choice, with its exact probability.

A draw with infinitely many values has no finite choice tree, but a mechanism that only compares it (above threshold,
report noisy max) has one: whether X ≥ t is a choice between two outcomes, and what was learned is kept as a constraint
on the next comparison. The value itself is drawn only where the constraints bound it, or where it is clamped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, NoReturn

from stirred.mechanisms.draws.zone_mass import ORIGIN, Geometric, closure, extreme_steps, tighten, zone_steps
from stirred.spec.arguments import Exact, InputError, exact, integer
from stirred.spec.laws.gaussian_share import GaussianShare
from stirred.spec.laws.law import Probability
from stirred.spec.numbers.open_parameter import OpenValue
from stirred.spec.numbers.rational_function import RationalFunction

UNBOUNDED = "unbounded: clamp it with source.clamp(value, low, high), or max(low, min(value, high)), or only compare it"
"""Why the value of an unbounded draw is refused."""

REFUSED: list[InputError] = []
"""What was asked of draws in this process and is not answered."""


def _refusal(sentence: object) -> InputError:
    REFUSED.append(InputError(sentence))
    return REFUSED[-1]


def refuse_value() -> NoReturn:
    """Refuse what needs the value of an unbounded draw, for good."""
    raise _refusal(UNBOUNDED)


def _exact_term(name: str, value: Exact) -> Any:
    """A number that meets a draw, exactly."""
    try:
        return exact(name, value)
    except (InputError, TypeError) as error:
        raise _refusal(error) from None


_ONE_GAUSSIAN = (
    "unbounded: a discrete Gaussian is compared with numbers only, since no closed form is known for two draws; clamp "
    "it first"
)

_USED_ALONE = (
    "unbounded: the difference of two draws was compared as one, so that neither is used alone: clamp one of them first"
)

_WIDEST = 100_000


@dataclass(frozen=True)
class Gaussian:
    """The law N_ℤ(0, σ²) of one draw."""

    sigma_squared: Fraction
    least = greatest = None


Noise = Geometric | Gaussian


def noise_ratio(ratio: object) -> Probability:
    """The ratio α of geometric noise: exact, between 0 and 1, exclusive; or a function of the open parameter."""
    if isinstance(ratio, RationalFunction):
        return ratio
    alpha = exact("ratio", ratio)
    if not 0 < alpha < 1:
        raise InputError(f"ratio must be between 0 and 1, exclusive; got {ratio!r}")
    return alpha.function if isinstance(alpha, OpenValue) else alpha


class Draws:
    """The unbounded draws of one run, and what its comparisons have shown about them."""

    def __init__(self, choose: Callable[[Sequence[Probability | GaussianShare]], int]) -> None:
        self._choose = choose
        self._laws: dict[int, Noise] = {}
        self._zone: dict[tuple[int, int], int] = {}
        self._implied: dict[tuple[int, int], int] = {}
        self._signs: dict[int, int] = {}
        self._joined: dict[int, tuple[int, int]] = {}

    def new(self, law: Noise) -> Draw:
        """A new independent draw."""
        index = len(self._laws)
        self._laws[index] = law
        self._signs[index] = 1
        if law.least is not None:
            tighten(self._implied, ORIGIN, index, -law.least)
        return Draw(self, {index: Fraction(1)}, Fraction(0))

    def decide(self, terms: Mapping[int, Fraction], constant: Fraction) -> bool:
        """Whether Σ terms + constant ≥ 0, decided by one choice where it is not yet known."""
        if not terms:
            return constant >= 0
        i, j, bound = self._constraint(terms, constant)
        known, opposite = self._implied.get((i, j)), self._implied.get((j, i))
        if known is not None and known <= bound:
            return True
        if opposite is not None and opposite < -bound:
            return False
        return self._place(i, j, range(-bound, 1 - bound)) == 1

    def extreme(self, terms: Sequence[Mapping[int, Fraction]], constants: Sequence[Fraction], sign: int) -> int | None:
        """Which of some sums is the first largest, or smallest where the sign is −1: one choice.

        None where they are anything else than single draws that nothing is known of, plus numbers.
        """
        nodes = [node for one in terms for node in one]
        laws = self._geometric(nodes)
        is_single = all([*one.values()] == [1] for one in terms) and len(laws) == len(terms)
        is_turned = any(self._signs[node] < 0 for node in nodes)
        if not is_single or is_turned or self._is_constrained(nodes) or not self._joined.keys().isdisjoint(nodes):
            return None
        (possible, weights), zones = extreme_steps(
            tuple(laws[node] for node in nodes), tuple(c - min(constants) for c in constants), sign
        )
        chosen = possible[self._choose(weights) if len(possible) > 1 else 0]
        for (i, j), bound in zones[chosen].items():
            self._add(nodes[i], nodes[j], bound)
        return chosen

    def clamped(self, terms: Mapping[int, Fraction], constant: Fraction, low: int, high: int) -> int:
        """The value of Σ terms + constant, moved into low, …, high: one choice."""
        _check_integral(terms, constant)
        i, j, start = self._constraint(terms, constant - low)
        return low + self._place(i, j, range(1 - start, high - low + 1 - start))

    def _place(self, i: int, j: int, cuts: range) -> int:
        """How many of the cuts x_j − x_i reaches: one choice."""
        if not cuts:
            return 0
        law = self._laws[max(i, j)]
        if isinstance(law, Gaussian):
            shares: Sequence[Probability | GaussianShare] = self._shares(law, i, j, cuts)
            possible: Sequence[int] = [place for place, share in enumerate(shares) if share]
            weights: Sequence[Probability | GaussianShare] = [shares[place] for place in possible]
        else:
            nodes, zone = self._part(i, j)
            possible, weights = zone_steps(self._geometric(nodes), zone, i, j, cuts)
        chosen = possible[self._choose(weights) if len(possible) > 1 else 0]
        if chosen > 0:
            self._add(i, j, -cuts[chosen - 1])
        if chosen < len(cuts):
            self._add(j, i, cuts[chosen] - 1)
        return chosen

    def _shares(self, law: Gaussian, i: int, j: int, cuts: Sequence[int]) -> list[GaussianShare | Fraction]:
        """The same for one Gaussian x and x_j − x_i = ±x, which has the same law."""
        above, below = self._implied.get((j, i)), self._implied.get((i, j))
        least = None if below is None else -below
        lows = [least, *(cut if least is None else max(cut, least) for cut in cuts)]
        highs = [*(cut - 1 if above is None else min(cut - 1, above) for cut in cuts), above]
        return [
            Fraction(0)
            if low is not None and high is not None and low > high
            else GaussianShare(law.sigma_squared, low, high, least, above)
            for low, high in zip(lows, highs, strict=True)
        ]

    def range_of(self, terms: Mapping[int, Fraction], constant: Fraction) -> tuple[int, int] | None:
        """The least and the greatest value that are still possible, None where one of them is missing."""
        _check_integral(terms, constant)
        i, j, bound = self._constraint(terms, constant)
        least, greatest = self._implied.get((i, j)), self._implied.get((j, i))
        return None if least is None or greatest is None else (bound - least, bound + greatest)

    def unconstrained(self, terms: Mapping[int, Fraction]) -> Noise | None:
        """The law of a draw that was never compared, with the factor 1 or −1, or of the difference of two alike.

        The difference of two geometric draws is two-sided geometric. None where it is anything else.
        """
        terms = self._with_joined(terms)
        if self._is_constrained(terms):
            return None
        laws = [self._laws[node] for node in terms]
        match tuple(terms.values()), laws:
            case ((1 | -1) as factor,), [Geometric(is_two_sided=False) as law]:
                return Geometric(law.ratio, is_two_sided=False, is_reflected=factor < 0)
            case (1 | -1,), [law]:
                return law
            case (1, -1) | (-1, 1), [Geometric(is_two_sided=False) as law, Geometric(is_two_sided=False) as other]:
                return Geometric(law.ratio, is_two_sided=True) if law.ratio == other.ratio else None
        return None

    def _constraint(self, terms: Mapping[int, Fraction], constant: Fraction) -> tuple[int, int, int]:
        """(i, j, c) such that Σ terms + constant ≥ 0 iff x_i − x_j ≤ c."""
        terms = self._with_joined(terms)
        if len(terms) > 2:
            self._join(terms)
            terms = self._with_joined(terms)
        if len(terms) > 2 or len({abs(c) for c in terms.values()}) != 1:
            raise _refusal(
                "unbounded: a comparison may be of one draw, or of two draws with the same factor, with a number; "
                "clamp the others first"
            )
        if len(terms) > 1 and any(isinstance(self._laws[index], Gaussian) for index in terms):
            raise _refusal(_ONE_GAUSSIAN)
        self._align(terms)
        scale = abs(next(iter(terms.values())))
        bound = floor(constant / scale)
        rising = [i for i, c in terms.items() if c * self._signs[i] > 0]
        falling = [i for i, c in terms.items() if c * self._signs[i] < 0]
        return (falling or [ORIGIN])[0], (rising or [ORIGIN])[0], bound

    def _with_joined(self, terms: Mapping[int, Fraction]) -> Mapping[int, Fraction]:
        """The terms with the difference of two draws, where it is known as one, in the place of both."""
        found: dict[int, Fraction] = {}
        for node, factor in terms.items():
            first, joined = self._joined.get(node, (node, node))
            found[joined] = found.get(joined, factor if node == first else -factor)
            if found[joined] != (factor if node == first else -factor):
                raise _refusal(_USED_ALONE)
        for joined in found.keys() - terms.keys():
            if sum(self._joined.get(node, (node, node))[1] == joined for node in terms) < 2:
                raise _refusal(_USED_ALONE)
        return found

    def _join(self, terms: Mapping[int, Fraction]) -> None:
        """Take differences of two geometric draws alike, of which nothing is known, as one two-sided draw each."""
        laws = self._geometric(node for node in terms if not self._is_constrained((node,)))
        left = [node for node, law in laws.items() if law == Geometric(law.ratio, is_two_sided=False)]
        while left:
            first = left.pop(0)
            law = laws[first]
            for second in left:
                if terms[second] == -terms[first] and law == laws[second]:
                    left.remove(second)
                    joined = len(self._laws)
                    self._laws[joined], self._signs[joined] = Geometric(law.ratio, is_two_sided=True), 1
                    self._joined[first] = self._joined[second] = first, joined
                    break

    def _is_constrained(self, nodes: Iterable[int]) -> bool:
        return any(node in pair for node in nodes for pair in self._zone)

    def _align(self, terms: Mapping[int, Fraction]) -> None:
        """Reflect the draws linked to the second one where the terms are a sum, so that they are a difference."""
        if len(terms) < 2:
            return
        (i, a), (j, b) = terms.items()
        if a * self._signs[i] * b * self._signs[j] < 0:
            return
        turned = self._linked(j)
        if i in turned:
            raise _refusal("unbounded: two draws are compared by their sum and by their difference; clamp one first")
        for node, law in self._geometric(turned).items():
            self._laws[node] = Geometric(law.ratio, law.is_two_sided, not (law.is_two_sided or law.is_reflected))
            self._signs[node] = -self._signs[node]
        self._zone = {
            (second, first) if {first, second} & turned else (first, second): c
            for (first, second), c in self._zone.items()
        }
        self._implied = closure(self._laws, self._zone) or {}

    def _linked(self, node: int) -> set[int]:
        found, waiting = {node}, [node]
        while waiting:
            here = waiting.pop()
            for pair in self._zone:
                if here in pair and ORIGIN not in pair and (other := sum(pair) - here) not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def _geometric(self, nodes: Iterable[int]) -> dict[int, Geometric]:
        return {node: law for node in nodes if isinstance(law := self._laws[node], Geometric)}

    def _part(self, i: int, j: int) -> tuple[set[int], dict[tuple[int, int], int]]:
        nodes = set[int]().union(*(self._linked(node) for node in (i, j) if node != ORIGIN))
        return nodes, {pair: c for pair, c in self._zone.items() if nodes.intersection(pair)}

    def _add(self, i: int, j: int, bound: int) -> None:
        self._zone[i, j] = min(bound, self._zone.get((i, j), bound))
        tighten(self._implied, i, j, bound)


def _check_integral(terms: Mapping[int, Fraction], constant: Fraction) -> None:
    if any(abs(factor) != 1 for factor in terms.values()) or constant.denominator != 1:
        raise _refusal("a value that is read must be an integer: draws, their differences, and whole numbers")


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
        """The value moved into low, …, high."""
        integer("high", high, minimum=integer("low", low))
        if high - low > _WIDEST:
            raise _refusal(f"high must be at most low + {_WIDEST}; got {low} and {high}")
        if not self._terms:
            return min(max(int(self), low), high)
        return self._draws.clamped(self._terms, self._constant, low, high)

    def _plus(self, other: Draw | Exact, factor: int) -> Draw:
        if isinstance(other, Draw):
            if other._draws is not self._draws:
                raise _refusal("draws must be of one attempt to be combined; draw both inside it, or both outside")
            terms = dict(self._terms)
            for index, coefficient in other._terms.items():
                terms[index] = terms.get(index, Fraction(0)) + factor * coefficient
            return Draw(self._draws, terms, self._constant + factor * other._constant)
        return Draw(self._draws, self._terms, self._constant + factor * _exact_term("what is added to a draw", other))

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
        by = _exact_term("the factor of a draw", factor)
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

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # libraries ask what it is
            raise AttributeError(name)
        raise _refusal(UNBOUNDED)

    def _unanswered(self, *_: object) -> NoReturn:
        raise _refusal(UNBOUNDED)

    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _unanswered
    __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _unanswered
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _unanswered
    __round__ = __floor__ = __ceil__ = __trunc__ = __float__ = __complex__ = _unanswered

    def released(self) -> tuple[int, Noise]:
        """The draw as a whole number plus noise, where it is one that nothing is known of: so it may be an output."""
        law = self._draws.unconstrained(self._terms)
        if law is None or self._constant.denominator != 1:
            refuse_value()
        return int(self._constant), law

    @property
    def noises(self) -> list[tuple[int, int]]:
        """Which draws it is of; two with one name are the same."""
        return [(id(self._draws), node) for node in self._terms]

    @property
    def is_bounded(self) -> bool:
        """Whether it is an integer that what was compared bounds on both sides, so that `int` gives its value."""
        is_integral = all(abs(factor) == 1 for factor in self._terms.values()) and self._constant.denominator == 1
        return is_integral and bool(self._terms) and self._draws.range_of(self._terms, self._constant) is not None

    def __int__(self) -> int:
        """The value, where what was compared bounds it on both sides."""
        if not self._terms:
            return integer("a draw that cancels", int(self._constant))
        bounds = self._draws.range_of(self._terms, self._constant)
        if bounds is None:
            refuse_value()
        return self.clamped(*bounds)

    __index__ = __int__

    def __hash__(self) -> int:  # noqa: PLE0309 it is refused
        refuse_value()

    def __repr__(self) -> str:
        refuse_value()

    def __format__(self, specification: str) -> str:
        refuse_value()

    def __reduce__(self) -> str:
        refuse_value()


def extreme(numbers: Sequence[Any], sign: int) -> int | None:
    """Which of three draws or more is the first largest, or smallest where the sign is −1: one choice instead of many.

    None where they are compared one by one.
    """
    if len(numbers) < 3 or not all(isinstance(one, Draw) for one in numbers):
        return None
    draws = numbers[0]._draws
    if any(one._draws is not draws for one in numbers):
        return None
    found: int | None = draws.extreme([one._terms for one in numbers], [one._constant for one in numbers], sign)
    return found

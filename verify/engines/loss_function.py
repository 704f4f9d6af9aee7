"""The pure loss of a mechanism as a function of one open parameter: exact, piece by piece, on an interval.

The loss at p is the largest ln(R(p))/d of finitely many rational functions R, the ratios of the likelihoods of one
outcome on two data sets at distance d. So it is one of them between breakpoints that are roots of polynomials, and a
budget is met for all p of the interval iff finitely many polynomials have no negative value there.

At p = e^−q with q > 0 rational (noise and weights a·e^(−kε) with ε itself rational) p is transcendental, by Lindemann's
theorem. So it is no breakpoint, and an equation between rational functions with rational coefficients holds there only
if it holds identically. Equality is decided by polynomials, and everything else by enclosures, which end.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, pairwise, permutations
from typing import Any

import flint

from stirred.spec.arguments import Exact, InputError, exact, nonnegative, parse_exact, probability, shown
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import ZERO, Loss, bit_count
from stirred.spec.laws.law import Law, Probability
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between, real_roots
from stirred.spec.numbers.ball import Ball, ball_of, precision
from stirred.spec.numbers.enclosure import Enclosure, enclose, exponential
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.engines.loss_cases import BudgetPiece, LossByCases, LossPiece, OnInterval
from stirred.verify.engines.sign_certificate import Polynomial, evaluate_polynomial

_FEW_WRITTEN, _MOST_TERMS = 1 << 12, 2_000
"""Bits of a number and terms of a polynomial that are written out for a budget; terms of one, to compare two losses."""

_HUGE = Fraction(1 << 65536)


@dataclass(frozen=True)
class Ratio:
    """A ratio P_x(t)/P_x'(t) = above/below, both positive on the open interval, over a distance."""

    above: Polynomial
    below: Polynomial
    distance: Fraction
    pair: tuple[Any, Any] | None = None
    outcome: Hashable = None

    @property
    def key(self) -> object:
        return self.above, self.below, self.distance

    def at(self, p: Fraction) -> Loss:
        """ln(R(p))/d, or 0 where that is negative."""
        above, below = evaluate_polynomial(self.above, p), evaluate_polynomial(self.below, p)
        return Loss(above / below).over(self.distance) if above > below else ZERO


@dataclass(frozen=True, repr=False)
class LossFunction(OnInterval):
    """The smallest pure budget for every p in an interval."""

    def exceeding(self, budget: Loss) -> Fraction | None:
        """A value of the parameter where the loss is above the budget; None: there is none in the interval."""
        if budget.gamma is None:
            return None
        if self.low == self.high:
            return None if self.at(self.low) <= budget else self.low
        for piece in self.pieces:
            if not piece.below:
                return between(piece.low, piece.high)
        met: set[object] = set()
        for piece in self.pieces:
            above, below, distance = piece.above, piece.below, piece.distance
            # R <= gamma^(d/k) iff R^j <= gamma^i, i/j in lowest terms, where R is positive
            power = distance / budget.distance
            around = self._positive_around(piece) if power.denominator % 2 == 0 else (self.low, self.high)
            if (key := (above, below, distance, around)) in met:
                continue
            met.add(key)
            if bit_count(budget.gamma) * power.numerator + len(above) * power.denominator <= _FEW_WRITTEN:
                bound = budget.gamma**power.numerator
                found = self.above(_power(above, power.denominator), _power(below, power.denominator), bound, around)
            else:
                found = self._above_enclosed(above, below, budget.times(distance))
            if found is not None:
                return found
        return None

    def _positive_around(self, piece: BudgetPiece) -> tuple[Fraction, Fraction]:
        """Rationals around a piece between which its ratio is positive, as it is on the piece with its ends."""
        first, last = AlgebraicNumber.of(self.low), AlgebraicNumber.of(self.high)
        roots = real_roots(piece.above, first, last)
        below, above = [one for one in roots if one <= piece.low], [one for one in roots if one >= piece.high]
        return (
            between(below[-1], piece.low) if below else self.low,
            between(piece.high, above[0]) if above else self.high,
        )

    def _above_enclosed(self, above: Polynomial, below: Polynomial, bound: Loss) -> Fraction | None:
        """A value where a quotient is above e^bound, by rational ends that close in on it."""
        top, bottom = _power(above, 1), _power(below, 1)
        for digits in (20, 40, 80, 160):
            ends = bound.ratio(digits)
            if self.above(top, bottom, _HUGE if ends is None else ends.lower) is None:
                return None
            if ends is not None and (found := self.above(top, bottom, ends.upper)) is not None:
                return found
        raise InputError(
            f"the budget and the loss over {self.symbol} are too close to distinguish at such a distance: give "
            f"{self.symbol} a number"
        )


def loss_function(
    laws: Mapping[Any, Law[Any]],
    flavor: Flavor,
    *,
    symbol: str = "p",
    low: Exact = 0,
    high: Exact = 1,
    is_closed: bool = False,
) -> LossFunction:
    """The smallest pure budget of a mechanism as a function of its open parameter.

    The interval from low to high lies in [0, 1]; its ends belong to it where it is closed.
    """
    left, right = probability("low", low), probability("high", high)
    if not left < right:
        raise InputError(f"low must be below high; got {left} and {right}")
    if flavor.output_premetric != Multiplicative():
        raise InputError(f"the output premetric must be 'multiplicative'; got {flavor.output_premetric.described()!r}")
    ends = AlgebraicNumber.of(left), AlgebraicNumber.of(right)
    candidates: dict[object, Ratio] = {}
    parts = PositiveParts(symbol, *ends, is_closed=is_closed)
    shared, spans = parts.shared(laws), dict[Fraction, Fraction]()
    for x, y, distance in compared_pairs(flavor):
        span = spans.setdefault(distance, distance)
        for ratio in _ratios(shared[x], shared[y], span, (x, y), parts):
            if ratio is None or not distance:
                infinite = LossPiece(*ends, (), (), distance, (x, y), None)
                return LossFunction(symbol, left, right, is_closed, (infinite,))
            known = candidates.setdefault((ratio.above, ratio.below), ratio)
            if ratio.distance < known.distance:  # the larger one has the larger loss only where both are below 0
                candidates[ratio.above, ratio.below] = ratio
    middle = between(*ends)
    largest_first = sorted(candidates.values(), key=lambda one: one.at(middle), reverse=True)
    pieces = [
        LossPiece(start, end, best.above, best.below, best.distance, best.pair, best.outcome)
        for start, end, best in upper_envelope(*ends, [Ratio((1,), (1,), Fraction(1)), *largest_first])
    ]
    return LossFunction(symbol, left, right, is_closed, tuple(pieces))


def compared_pairs(flavor: Flavor) -> Iterator[tuple[Any, Any, Fraction]]:
    """The pairs of data sets of one universe at a finite distance, in both directions."""
    for universe in flavor.multiverse:
        for x, y in permutations(sorted(universe, key=flavor.domain.index), 2):
            if (distance := flavor.input_premetric(x, y)) is not None:
                yield x, y, Fraction(distance)


Part = tuple[AlgebraicNumber, AlgebraicNumber, Ratio]


def upper_envelope(low: AlgebraicNumber, high: AlgebraicNumber, candidates: Sequence[Ratio]) -> list[Part]:
    """Which ln(R)/d is the largest, from left to right; quickly where large ones stand first."""
    envelope: list[Part] = [(low, high, candidates[0])]
    for candidate in candidates[1:]:
        envelope = [part for piece in envelope for part in _larger(*piece, candidate)]
    return merged(envelope)


def merged(parts: Sequence[Part]) -> list[Part]:
    """Parts that follow each other, those with one formula as one."""
    found: list[Part] = []
    for start, end, best in parts:
        is_continued = bool(found) and found[-1][2].key == best.key
        found.append((found.pop()[0], end, best) if is_continued else (start, end, best))
    return found


class PositiveParts:
    """Probabilities as quotients of polynomials that are positive on the open interval.

    Attributes:
        met: shared probabilities that were compared at some distance, by the identities of the three.
    """

    def __init__(self, symbol: str, low: AlgebraicNumber, high: AlgebraicNumber, *, is_closed: bool) -> None:
        self._symbol = symbol
        self._ends = low, high
        self._closed = [end for end in self._ends if is_closed]
        self._sample = between(low, high)
        self._known: dict[RationalFunction, tuple[Polynomial, Polynomial]] = {}
        self._ratios: dict[tuple[int, int], tuple[Polynomial, Polynomial]] = {}
        self._shared: dict[Probability, Probability] = {}
        self.met: set[tuple[int, int, int]] = set()

    def shared(self, laws: Mapping[Any, Law[Any]]) -> dict[Any, dict[Any, Probability]]:
        """The laws with one object for all probabilities that are equal: they are hashed slowly, and compared often."""
        return {x: {t: self._shared.setdefault(p, p) for t, p in law.items()} for x, law in laws.items()}

    def of_ratio(self, first: Probability, second: Probability) -> tuple[Polynomial, Polynomial]:
        """A quotient of two that are positive, and shared."""
        key = (id(first), id(second))
        if key not in self._ratios:
            (a, b), (c, d) = self.of(first), self.of(second)
            above, below = (RationalFunction(list(p)) * RationalFunction(list(q)) for p, q in ((a, d), (b, c)))
            self._ratios[key] = self.of(above / below)
        return self._ratios[key]

    def of(self, value: Probability) -> tuple[Polynomial, Polynomial]:
        if not isinstance(value, RationalFunction):
            return (value.numerator,), (value.denominator,)
        if value not in self._known:
            parts = value.integer_parts()
            for part in parts:
                ends = [
                    end
                    for end in self._closed
                    if end.rational is not None and not evaluate_polynomial(part, end.rational)
                ]
                if roots := (*real_roots(part, *self._ends), *ends):
                    raise InputError(
                        f"a probability must be positive, or 0, for all {self._symbol} in the interval; one vanishes "
                        f"or has a pole at {self._symbol} = {roots[0]}"
                    )
            signs = [1 if evaluate_polynomial(part, self._sample) > 0 else -1 for part in parts]
            if signs[0] != signs[1]:
                raise InputError(f"a probability must be positive; one is negative at {self._symbol} = {self._sample}")
            above, below = (tuple(signs[0] * c for c in part) for part in parts)
            self._known[value] = above, below
        return self._known[value]


def _ratios(
    p: Mapping[Any, Probability],
    q: Mapping[Any, Probability],
    distance: Fraction,
    pair: tuple[Any, Any],
    parts: PositiveParts,
) -> list[Ratio | None]:
    """The ratios P(t)/Q(t) of shared probabilities that are not identically 1; None for one that is infinite.

    One that was found at this very distance is left out.
    """
    found: list[Ratio | None] = []
    for outcome, first in p.items():
        second = q.get(outcome)
        if first is second:
            continue
        if second is None:
            return [None]
        if (met := (id(first), id(second), id(distance))) in parts.met:
            continue
        parts.met.add(met)
        above, below = parts.of_ratio(first, second)
        found.append(Ratio(above, below, distance, pair, outcome))
    return found


def _larger(low: AlgebraicNumber, high: AlgebraicNumber, best: Ratio, other: Ratio) -> list[Part]:
    """The larger one of two losses on an interval, piece by piece."""
    # ln(R)/d <= ln(S)/e iff R^(e k) <= S^(d k), with the least whole exponents
    mine, its = (other.distance / best.distance).as_integer_ratio()
    if best.above == best.below:  # every power of 1 is 1
        mine = its = 1
    if mine * len(best.above) + its * len(other.above) > _MOST_TERMS:
        raise InputError(
            "with an open parameter, ratios of distances must be short fractions, so that losses can be compared; got "
            f"{shown(best.distance)} and {shown(other.distance)}: give the parameter a number"
        )
    above, below = (_power(part, mine) for part in (best.above, best.below))
    top, bottom = (_power(part, its) for part in (other.above, other.below))
    difference = tuple(int(c) for c in (above * bottom - top * below).coeffs())
    if not difference or all(c >= 0 for c in difference):  # the parameter is positive
        return [(low, high, best)]
    if (sign := _only_sign(difference, low, high)) is not None:
        return [(low, high, best if sign > 0 else other)]
    ends = (low, *real_roots(difference, low, high), high)
    return [
        (start, end, best if evaluate_polynomial(difference, between(start, end)) > 0 else other)
        for start, end in pairwise(ends)
    ]


def _only_sign(polynomial: Polynomial, low: AlgebraicNumber, high: AlgebraicNumber) -> int | None:
    """The sign of a polynomial on an interval, where a ball tells it: on narrow ones, of high degrees too."""
    if low.rational is None or high.rational is None:
        return None
    with precision(_BITS):
        value = flint.arb_poly(flint.fmpz_poly(list(polynomial)))(ball_of(low.rational).union(ball_of(high.rational)))
    return 1 if value > 0 else -1 if value < 0 else None


def _power(polynomial: Polynomial, exponent: int) -> Any:
    return flint.fmpz_poly(list(polynomial)) ** exponent


_DIGITS = 20
_BITS = 256


def loss_at_exponential(function: LossFunction, exponent: Exact, *, digits: int = _DIGITS) -> Enclosure | None:
    """An enclosure of the loss in nats at p = e^−exponent; None where it is infinite.

    e^−exponent must be inside the function's interval, and the exponent positive.
    """
    q = _positive(exponent)
    piece = piece_at_exponential(function, q)
    if not piece.below:
        return None

    def loss() -> Ball:
        x = (-ball_of(q)).exp()
        above, below = (flint.arb_poly(flint.fmpz_poly(list(part)))(x) for part in (piece.above, piece.below))
        return (above / below).log() / ball_of(piece.distance)

    return enclose(loss, digits=digits)


def covers_at_exponential(function: LossFunction, exponent: Exact, epsilon: Exact) -> bool:
    """Whether the loss at p = e^−exponent is at most a rational ε; always decided."""
    q, claimed = _positive(exponent), nonnegative("epsilon", epsilon)
    piece = piece_at_exponential(function, q)
    if not piece.below:
        return False
    # with x = e^−q and m/n = ε·d/q in lowest terms, ln(R(x))/d = ε iff R^n = x^−m; so n = 1, and R is a power of x
    power = claimed * piece.distance / q
    if power.denominator == 1 and (*[0] * min(power.numerator, len(piece.below)), *piece.above) == piece.below:
        return True
    for digits in (_DIGITS * 2**step for step in count()):
        found = loss_at_exponential(function, q, digits=digits)
        if found is None or found.lower > claimed:
            return False
        if found.upper < claimed:
            return True
    return False


def _positive(exponent: Exact) -> Fraction:
    number = exact("exponent", exponent)
    if number <= 0:
        raise InputError(f"exponent must be positive; got {number}")
    return number


def piece_at_exponential(function: LossFunction, q: Fraction) -> BudgetPiece:
    """The piece whose inside e^−q lies in."""
    if not _is_above(q, function.pieces[0].low) or _is_above(q, function.pieces[-1].high):
        raise InputError(
            f"e^-exponent must be between {function.low} and {function.high}, exclusive; got exponent = {q}"
        )
    return next(piece for piece in function.pieces if not _is_above(q, piece.high))


def _is_above(q: Fraction, number: AlgebraicNumber) -> bool:
    """Whether e^−q is above an algebraic number, which it is not equal to."""
    digits = _DIGITS
    while True:
        point, end = exponential(-q, digits=digits), number.enclosure(digits)
        if point.lower > end.upper or point.upper < end.lower:
            return point.lower > end.upper
        digits *= 2


def loss_at_value(symbol: str, value: Fraction, loss: Loss) -> LossFunction:
    """The loss at one value of the parameter alone.

    >>> print(loss_at_value("flip", Fraction(1, 4), Loss(3)))
    ln(3) at flip = 1/4
    """
    place, distance = AlgebraicNumber.of(value), Fraction(loss.distance)
    above, below = ((), ()) if loss.gamma is None else ((loss.gamma.numerator,), (loss.gamma.denominator,))
    return LossFunction(symbol, value, value, True, (LossPiece(place, place, above, below, distance, None, None),))


@dataclass(frozen=True, repr=False)
class SplitLossFunction(LossByCases):
    """The smallest budget for every p in an interval, where the mechanism's code tells values of p apart.

    Attributes:
        parts: in order, intervals without their ends and single values in turn; together they are the interval.
    """

    parts: tuple[OnInterval, ...]
    symbol: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbol", self.parts[0].symbol)

    def intervals(self) -> tuple[OnInterval, ...]:
        return self.parts

    @property
    def is_infinite(self) -> bool:
        """Whether no finite budget holds anywhere."""
        return all(part.is_infinite for part in self.parts)

    def at(self, p: Exact | str) -> Any:
        """The budget at one value of the parameter in the interval."""
        point = probability(self.symbol, parse_exact(self.symbol, p))
        for part in self.parts:
            if part.low < point < part.high or (part.is_closed and part.low == point):
                return part.at(point)
        ends = f"{self.parts[0].low} and {self.parts[-1].high}"
        among = "inclusive" if self.parts[0].is_closed else "exclusive"
        raise InputError(f"{self.symbol} must be between {ends}, {among}; got {point}")

    def exceeding(self, budget: Any) -> Fraction | None:
        """A value of the parameter where more than a budget is needed; None: there is none in the interval."""
        found = (part.exceeding(budget) for part in self.parts)
        return next((point for point in found if point is not None), None)

    def __str__(self) -> str:
        """Each piece with its interval or value."""
        return "; ".join(map(str, self.parts))

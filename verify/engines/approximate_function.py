"""The smallest ε at a fixed δ as a function of one open parameter: exact, piece by piece.

A pair at distance d needs ln of the largest (P(E) − δ)/Q(E), over d. Between the values of the parameter where two
ratios P(t)/Q(t) meet, their order is one, and the events that decide hold its first outcomes. Each of these events is a
lower bound everywhere: so the budget is, over the whole interval, the largest of finitely many quotients of
polynomials. Where P(E) > δ and Q(E) = 0, or E_1 > δ at distance 0, it is infinite.

Source: dissertation, section 2.4.5, for the distance; claim `approximate.definition`.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import Law
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between, real_roots
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.verify.engines.loss_cases import LossPiece
from stirred.verify.engines.loss_function import (
    LossFunction,
    Part,
    PositiveParts,
    Ratio,
    compared_pairs,
    merged,
    upper_envelope,
)
from stirred.verify.engines.sign_certificate import Polynomial, evaluate_polynomial

_ZERO, _ONE = (RationalFunction.constant(Fraction(n)) for n in (0, 1))

_Atoms = Mapping[RationalFunction | None, tuple[RationalFunction, RationalFunction]]
"""P and Q of the outcomes with one ratio P/Q; None is ∞."""


@dataclass(frozen=True)
class _Bound:
    """A bound that an event gives: ln(above/below)/distance where that is positive; below is empty where it is ∞."""

    ratio: Ratio
    roots: tuple[AlgebraicNumber, ...]


def approximate_loss_function(
    laws: Mapping[Any, Law[Any]], flavor: Flavor, delta: Fraction, *, symbol: str, opened: OpenParameter
) -> LossFunction:
    """The smallest ε at δ as a function of a mechanism's open parameter.

    Raises:
        InputError: a probability vanishes inside the interval; or the budget is infinite beside a value and not at it.
    """
    ends = AlgebraicNumber.of(opened.low), AlgebraicNumber.of(opened.high)
    parts = PositiveParts(symbol, *ends, is_closed=opened.is_closed)
    compared = _compared(laws, flavor, parts)
    cuts: dict[frozenset[RationalFunction | None], tuple[AlgebraicNumber, ...]] = {}
    bounds: dict[object, _Bound] = {}
    for (atoms, distance), (pair, by_ratio) in compared.items():
        meet: list[AlgebraicNumber] = []
        for two in combinations([ratio for ratio, *_ in atoms if ratio is not None], 2):
            if (key := frozenset(two)) not in cuts:
                cuts[key] = real_roots((two[0] - two[1]).integer_parts()[0], *ends)
            meet += cuts[key]
        for low, high in pairwise((ends[0], *sorted(set(meet)), ends[1])):
            for above, below in _events(by_ratio, delta, distance, between(low, high)):
                ratio = _ratio(above, below, distance, pair, between(*ends))
                if ratio.above and ratio.key not in bounds:
                    bounds[ratio.key] = _Bound(ratio, real_roots(ratio.above, *ends))
    return LossFunction(symbol, opened.low, opened.high, opened.is_closed, _pieces(symbol, *ends, [*bounds.values()]))


def _compared(
    laws: Mapping[Any, Law[Any]], flavor: Flavor, parts: PositiveParts
) -> dict[tuple[frozenset[tuple[Any, ...]], Fraction], tuple[tuple[Any, Any], _Atoms]]:
    """Each comparison once: by its probabilities and its distance, with a pair of data sets."""
    found: dict[tuple[frozenset[tuple[Any, ...]], Fraction], tuple[tuple[Any, Any], _Atoms]] = {}
    for x, y, distance in compared_pairs(flavor):
        atoms = _atoms(laws[x], laws[y], parts)
        found.setdefault((frozenset((ratio, *both) for ratio, both in atoms.items()), distance), ((x, y), atoms))
    return found


def _atoms(p: Law[Any], q: Law[Any], parts: PositiveParts) -> _Atoms:
    found: dict[RationalFunction | None, tuple[RationalFunction, RationalFunction]] = {}
    outcomes: dict[Hashable, None] = dict.fromkeys((*(t for t, _ in p.items()), *(t for t, _ in q.items())))
    for outcome in outcomes:
        first, second = RationalFunction.of(p[outcome]), RationalFunction.of(q[outcome])
        for mass in (first, second):
            if mass:
                parts.of(mass)
        ratio = first / second if second else None
        known = found.get(ratio, (_ZERO, _ZERO))
        found[ratio] = known[0] + first, known[1] + second
    return found


def _events(
    atoms: _Atoms, delta: Fraction, distance: Fraction, middle: Fraction
) -> Iterator[tuple[RationalFunction, RationalFunction]]:
    """P(E) − δ and Q(E) of the events that hold the largest ratios at a point; at distance 0 their difference and 0."""

    def largest(one: RationalFunction | None) -> tuple[bool, Fraction]:
        return one is not None, -one(middle) if one is not None else Fraction(0)

    above, below = -RationalFunction.constant(delta), _ZERO
    for ratio in sorted(atoms, key=largest):
        above, below = above + atoms[ratio][0], below + atoms[ratio][1]
        yield (above, below) if distance else (above - below, _ZERO)


def _ratio(
    above: RationalFunction, below: RationalFunction, distance: Fraction, pair: tuple[Any, Any], inside: Fraction
) -> Ratio:
    top, bottom = (above / below if below else above).integer_parts() if above else ((), (1,))
    sign = -1 if evaluate_polynomial(bottom, inside) < 0 else 1  # neither has a pole inside
    parts: tuple[Polynomial, ...] = tuple(tuple(sign * c for c in part) for part in (top, bottom))
    return Ratio(parts[0], parts[1] if below else (), distance, pair)


def _pieces(symbol: str, first: AlgebraicNumber, last: AlgebraicNumber, bounds: list[_Bound]) -> tuple[LossPiece, ...]:
    """The largest bound, from left to right."""
    found: list[Part] = []
    cells = [*pairwise((first, *sorted({root for bound in bounds for root in bound.roots}), last))]
    for low, high in cells:
        middle = between(low, high)
        positive = [bound for bound in bounds if evaluate_polynomial(bound.ratio.above, middle) > 0]
        infinite = [bound for bound in positive if not bound.ratio.below]
        if infinite:
            if found and not found[-1][2].below and all(low in bound.roots for bound in infinite):
                raise InputError(
                    f"the smallest budget is infinite on both sides of {symbol} = {low}, and not there: give {symbol} "
                    "a narrower interval"
                )
            found.append((low, high, Ratio((), (), infinite[0].ratio.distance, infinite[0].ratio.pair)))
            continue
        largest = sorted((bound.ratio for bound in positive), key=lambda one: one.at(middle), reverse=True)
        found += upper_envelope(low, high, [Ratio((1,), (1,), Fraction(1)), *largest])
    return tuple(
        LossPiece(low, high, best.above, best.below, best.distance, best.pair, None)
        for low, high, best in merged(found)
    )

"""The density of one affine form of draws that meet conditions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.component import RegionError, indicators, solved
from stirred.mechanisms.reading.elimination import Elimination, Factor, Form, form_of, times
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.pieces import PieceAlgebra, Pieces
from stirred.mechanisms.reading.rows import Inequality

_VALUE = -1
"""The variable that stands for the form."""

DensityTerms = Mapping[tuple[int, Fraction], Exact]
"""c by (k, a): Σ c·t^k·e^(a·t)."""


@dataclass(frozen=True)
class Density:
    """A density t -> Σ c·t^k·e^(a·t), piecewise.

    Attributes:
        cuts: where one piece ends and the next begins, in order.
        terms: of each piece, from −∞ on: one more than cuts.
    """

    cuts: tuple[Fraction, ...]
    terms: tuple[DensityTerms, ...]

    def at(self, point: Fraction) -> Exact:
        """The density at a point; from the right, at a cut."""
        piece = self.terms[bisect_right(self.cuts, point)]
        return sum((c * Exact(point**k) * Exact(a * point).exp() for (k, a), c in piece.items()), Exact(0))


def density_of(
    laws: Mapping[int, BaseLaw], conditions: Sequence[Inequality], terms: Mapping[int, Fraction], shift: Fraction
) -> Density:
    """The density of Σ terms·Z + shift given the conditions, of draws that they tie.

    Raises:
        RegionError: the structure is too hard, or the density is not piecewise of this kind.
    """
    if not all(law.is_piecewise for law in laws.values()):
        others = sorted({law.value for law in laws.values() if not law.is_piecewise})
        raise RegionError(f"the density of a number that depends on draws of {', '.join(others)} is only enclosed")
    pivot, coefficient = min(terms.items())
    # Z_pivot = (value − shift)/coefficient − Σ others; the value stands for (value − shift)/coefficient at first
    replaced = {_VALUE: Fraction(1)} | {draw: -c / coefficient for draw, c in terms.items() if draw != pivot}

    def in_value(form: Form) -> Form:
        given = dict(form)
        c = given.pop(pivot, Fraction(0))
        for draw, ratio in replaced.items():
            given[draw] = given.get(draw, Fraction(0)) + c * ratio
        return form_of(given)

    def solve(algebra: PieceAlgebra) -> tuple[Pieces, dict[int, Any], dict[int, Any]]:
        found = [Factor(in_value(((draw, Fraction(1)),)), algebra.density(law)) for draw, law in laws.items()]
        found += [Factor(in_value(one.form), one.function) for one in indicators(conditions, algebra)]
        function, scalar = Elimination(algebra, found).function_of(_VALUE)
        mass = times(scalar, algebra.total(function))
        return algebra.composed(function, 1 / coefficient, -shift / coefficient), scalar, mass

    (function, scalar, mass), algebra = solved(conditions, solve)
    if not mass:
        raise RegionError("no draws meet these conditions")
    factor = Exact(1 / abs(coefficient)) * algebra.number(scalar) / algebra.number(mass)
    pieces = []
    for piece in function.terms:
        sums: dict[tuple[int, Fraction], dict[int, Any]] = {}
        for (k, a, r), c in piece.items():
            sums.setdefault((k, Fraction(a, algebra.rates)), {})[r] = c
        pieces.append({key: algebra.number(one) * factor for key, one in sorted(sums.items())})
    return Density(function.cuts, tuple(pieces))

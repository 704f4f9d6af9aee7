"""The density of one affine form of draws that meet conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.component import RegionError, solved
from stirred.mechanisms.reading.elimination import Elimination, Inequality, solved_for, times
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.pieces import PieceAlgebra, Pieces
from stirred.spec.laws.piecewise_density import PiecewiseDensity
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient

_VALUE = -1
"""The variable that stands for the form."""


def density_of(
    laws: Mapping[int, BaseLaw], conditions: Sequence[Inequality], terms: Mapping[int, Fraction], shift: Fraction
) -> PiecewiseDensity:
    """The density of Σ terms·Z + shift given the conditions, of draws that they tie.

    Raises:
        RegionError: the structure is too hard, or the density is not piecewise of this kind.
    """
    if not all(law.is_piecewise for law in laws.values()):
        others = sorted({law.value for law in laws.values() if not law.is_piecewise})
        raise RegionError(f"the density of a number that depends on draws of {', '.join(others)} is only enclosed")
    pivot, coefficient = min(terms.items())  # the value stands for (value − shift)/coefficient at first
    in_value = solved_for(pivot, terms, _VALUE)

    def solve(algebra: PieceAlgebra) -> tuple[Pieces, dict[int, Any], dict[int, Any]]:
        functions = [(in_value(((draw, Fraction(1)),)), algebra.density(law)) for draw, law in laws.items()]
        elimination = Elimination(algebra)
        given = elimination.integrand(functions, [(in_value(form), bound) for form, bound in conditions])
        function, scalar = elimination.function_of(_VALUE, given)
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
        pieces.append({key: _coefficient(algebra.number(one) * factor) for key, one in sorted(sums.items())})
    return PiecewiseDensity(function.cuts, tuple(pieces))


def _coefficient(exact: Exact) -> Fraction | ExponentialQuotient:
    number = exact.number
    if not isinstance(number, (Fraction, ExponentialQuotient)):
        raise RegionError("the density of a number that is drawn has coefficients that are only enclosed")
    return number

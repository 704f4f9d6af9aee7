"""What audited code is told where it compares an open parameter: one answer for all values, and where it changes.

The code goes on with the answer at one sample value, and the values at which answers change are noted: the audit is
then made for the pieces between them, each as an open parameter of its own, and for those values as numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn

import flint

from stirred.spec.arguments import InputError
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between, real_roots
from stirred.spec.numbers.ball import ball_of, precision
from stirred.spec.numbers.open_parameter import Comparisons, OpenParameter, OpenValue
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
from stirred.verify.laws.sandbox.refused import REFUSED

_SAMPLE = Fraction(1009, 2477)
"""Where in the interval the sample value lies: at none that code compares with."""

_MOST_CUTS = 100
"""Values at which answers change until the code is stopped."""

_FIRST_BITS = 128


def opened_values(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], OpenComparisons]:
    """The parameters as code gets them, and who answers what it asks about the one that is left open."""
    names = [name for name, value in parameters.items() if isinstance(value, OpenParameter)]
    comparisons = OpenComparisons(" and ".join(names), *(parameters[name] for name in names[:1]))
    return {
        name: OpenValue(SYMBOL, comparisons) if name in names else value for name, value in parameters.items()
    }, comparisons


class OpenComparisons(Comparisons):
    """The answers about one parameter.

    Attributes:
        cuts: the values at which an answer is another one than beside them.
    """

    def __init__(self, name: str, opened: OpenParameter | None = None) -> None:
        self._name = name
        self._opened = opened or OpenParameter()
        self._sample = self._opened.low + (self._opened.high - self._opened.low) * _SAMPLE
        self._known: dict[tuple[RationalFunction, frozenset[int]], bool] = {}
        self._irrational: list[AlgebraicNumber] = []
        self.cuts: set[Fraction] = set()

    def has_sign(self, function: RationalFunction, signs: frozenset[int]) -> bool:
        key = (function, signs)
        if key not in self._known:
            self._known[key] = self._found(function, signs)
        return self._known[key]

    def hashed(self, function: RationalFunction) -> int:
        if self._opened.exponent is None:
            self._refuse("it cannot be looked up in a dictionary, a set or a cache: compare it by == or <")
        return hash(function)  # e^−q is transcendental: of two functions that differ so do the values

    def refuse(self) -> NoReturn:
        self._refuse("combine it by + - * / ** with exact numbers only, and compare it by == or <")

    def check_rational(self) -> None:
        """Refuse what was asked where an answer changes at irrational values."""
        if self._irrational:
            self._refuse(f"it is compared with what it equals at {self._irrational[0]}: narrow it to one side of that")

    def _refuse(self, remedy: str) -> NoReturn:
        REFUSED.append(InputError(f"{self._name} stands for {self._all}; {remedy}, or give it a number"))
        raise REFUSED[-1]

    @property
    def _all(self) -> str:
        return f"{'all values in ' if self._opened.exponent is None else ''}{self._opened}"

    def _found(self, function: RationalFunction, signs: frozenset[int]) -> bool:
        if self._opened.exponent is not None:
            return _sign_at_exponential(function, self._opened.exponent) in signs
        above, below = function.integer_parts()
        both = tuple(int(c) for c in (flint.fmpz_poly(list(above)) * flint.fmpz_poly(list(below))).coeffs())
        low, high = AlgebraicNumber.of(self._opened.low), AlgebraicNumber.of(self._opened.high)
        roots = real_roots(both, low, high)
        cells = [_sign(both, between(left, right)) in signs for left, right in pairwise((low, *roots, high))]
        places = list(zip(roots, cells, cells[1:], strict=False))
        if self._opened.is_closed:
            places += [(low, cells[0], cells[0]), (high, cells[-1], cells[-1])]
        for root, before, after in places:
            is_pole = root in real_roots(below)
            if before is not after or is_pole or (_sign_at(both, root) in signs) is not before:
                self._note(root)
        return _sign(both, self._sample) in signs

    def _note(self, place: AlgebraicNumber) -> None:
        if place.rational is None:
            self._irrational.append(place)
            return
        self.cuts.add(place.rational)
        if len(self.cuts) > _MOST_CUTS:
            self._refuse("its values are told apart at too many places")


def _sign_at(polynomial: tuple[int, ...], place: AlgebraicNumber) -> int:
    """The sign at a root, or at an end of an interval, which is rational."""
    return 0 if place.rational is None else _sign(polynomial, place.rational)


def _sign(polynomial: tuple[int, ...], point: Fraction) -> int:
    value = flint.fmpz_poly(list(polynomial))(flint.fmpq(point.numerator, point.denominator))
    return int(value > 0) - int(value < 0)


def _sign_at_exponential(function: RationalFunction, exponent: Fraction) -> int:
    """The sign at e^−exponent, a transcendental number: of no polynomial a root."""
    bits = _FIRST_BITS
    while True:
        with precision(bits):
            x = (-ball_of(exponent)).exp()
            above, below = (flint.arb_poly(flint.fmpz_poly(list(part)))(x) for part in function.integer_parts())
            if above * below > 0 or above * below < 0:
                return 1 if above * below > 0 else -1
        bits *= 2

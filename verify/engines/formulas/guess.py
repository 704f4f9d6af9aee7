"""A closed form for exact numbers at small sizes, guessed by exact linear algebra; it is tested elsewhere.

The numbers are rationals, or rational functions of one open parameter: the algebra is the same over either field.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.spec.numbers.rational_function import RationalFunction

Number = Fraction | RationalFunction
Point = tuple[int, ...]
"""A size for each name."""

_HIGHEST = 6
"""The largest degree of a polynomial that is tried."""

_SUBFACTORIALS = ((0, None), (0, -1), (0, -2), (1, 0), (2, 0), (-1, -2))
"""Pairs (i, j) of the quotients d(n + i)/d(n + j) of numbers of derangements that are tried; d(n + i) alone if None."""


@dataclass(frozen=True)
class Guess:
    """A form with the value of every number that it was guessed from.

    Attributes:
        family: "rational", "hypergeometric" or "derangements".
        above: the polynomial on top, as a coefficient for each monomial.
        below: the one below it.
        start: of a hypergeometric form, the first size and its number; the quotient is then that of successive numbers.
        shifts: (i, j) of a factor d(n + i)/d(n + j), or (i, None) of d(n + i).
    """

    family: str
    above: tuple[tuple[Point, Number], ...]
    below: tuple[tuple[Point, Number], ...]
    start: tuple[int, Number] | None = None
    shifts: tuple[int, int | None] | None = None

    def at(self, point: Point) -> Number | None:
        """The value at a size; None where a denominator vanishes or the form begins later."""
        if self.start is not None:
            first, value = self.start
            if point[0] < first:
                return None
            for size in range(first, point[0]):
                step = self._quotient((size,))
                if step is None:
                    return None
                value = value * step
            return value
        quotient = self._quotient(point)
        if self.shifts is None or quotient is None:
            return quotient
        factor = _subfactorial(point[0], self.shifts)
        return None if factor is None else quotient * factor

    def _quotient(self, point: Point) -> Number | None:
        below = _polynomial(self.below, point)
        return _polynomial(self.above, point) / below if below else None

    def to_sympy(self, names: Sequence[str], symbol: str) -> Any:
        """The form as an expression of sympy in positive integers of these names and the open parameter."""
        import sympy as sp  # noqa: PLC0415 slow to import

        sizes = [sp.Symbol(name, integer=True, positive=True) for name in names]
        p = sp.Symbol(symbol, positive=True)
        parts = [
            sum(_coefficient(c, p) * sp.prod(s**k for s, k in zip(sizes, powers, strict=True)) for powers, c in side)
            for side in (self.above, self.below)
        ]
        quotient = _without_sign(sp.factor(sp.cancel(parts[0] / parts[1])))
        if self.start is not None:
            first, value = self.start
            k = sp.Dummy("k", integer=True)
            steps = sp.product(quotient.subs(sizes[0], k), (k, first, sizes[0] - 1))
            return sp.simplify(sp.combsimp(sp.gammasimp(_coefficient(value, p) * steps)))
        if self.shifts is not None:
            i, j = self.shifts
            return quotient * sp.subfactorial(sizes[0] + i) / (1 if j is None else sp.subfactorial(sizes[0] + j))
        return quotient


def guesses(points: Sequence[Point], values: Sequence[Number]) -> Iterator[Guess]:
    """Forms that have these values at these points, the simplest first; every one has a number to spare.

    >>> found = next(guesses([(n,) for n in range(2, 7)], [Fraction(n, n + 1) for n in range(2, 7)]))
    >>> found.family, found.at((9,))
    ('rational', Fraction(9, 10))
    """
    found = _rational(points, values)
    if found is not None:
        yield Guess("rational", *found)
    if len(points[0]) != 1:
        return
    for shifts in _SUBFACTORIALS:
        factors = [_subfactorial(n, shifts) for (n,) in points]
        if all(factors):
            rests = [value / factor for value, factor in zip(values, factors, strict=True) if factor]
            found = _rational(points, rests)
            if found is not None:
                yield Guess("derangements", *found, shifts=shifts)
    if all(values) and [n for (n,) in points] == list(range(points[0][0], points[0][0] + len(points))):
        steps = [second / first for first, second in pairwise(values)]
        found = _rational(points[:-1], steps)
        if found is not None:
            yield Guess("hypergeometric", *found, start=(points[0][0], values[0]))


Sides = tuple[tuple[tuple[Point, Number], ...], tuple[tuple[Point, Number], ...]]


def _rational(points: Sequence[Point], values: Sequence[Number]) -> Sides | None:
    """The quotient of polynomials of the fewest coefficients with these values, which has a value to spare."""
    width = len(points[0])
    monomials = {degree: _monomials(width, degree) for degree in range(_HIGHEST + 1)}
    degrees = sorted(product(monomials, repeat=2), key=lambda ab: (sum(len(monomials[d]) for d in ab), ab[1]))
    for a, b in degrees:
        top, bottom = monomials[a], monomials[b]
        if len(top) + len(bottom) > len(points):
            return None
        rows: list[list[Number]] = [
            [*(Fraction(_power(point, m)) for m in top), *(-value * _power(point, m) for m in bottom)]
            for point, value in zip(points, values, strict=True)
        ]
        solution = _null_vector(rows)
        if solution is None:
            continue
        above = tuple((m, c) for m, c in zip(top, solution, strict=False) if c)
        below = tuple((m, c) for m, c in zip(bottom, solution[len(top) :], strict=True) if c)
        if below and all(_polynomial(below, point) for point in points):
            return above, below
    return None


def _null_vector(rows: Sequence[Sequence[Any]]) -> list[Any] | None:
    """A vector other than 0 that every row is orthogonal to; None where there is none."""
    rest, pivots = [list(row) for row in rows], list[int]()
    width = len(rest[0])
    for column in range(width):
        place = next((i for i in range(len(pivots), len(rest)) if rest[i][column]), None)
        if place is None:
            continue
        done = len(pivots)
        rest[done], rest[place] = rest[place], rest[done]
        lead = rest[done][column]
        rest[done] = [one / lead for one in rest[done]]
        for i, row in enumerate(rest):
            if i != done and row[column]:
                rest[i] = [one - row[column] * other for one, other in zip(row, rest[done], strict=True)]
        pivots.append(column)
    free = next((column for column in range(width) if column not in pivots), None)
    if free is None:
        return None
    vector: list[Any] = [Fraction(int(column == free)) for column in range(width)]
    for row, column in zip(rest, pivots, strict=False):
        vector[column] = -row[free]
    return vector


def _monomials(width: int, degree: int) -> list[Point]:
    found = [powers for powers in product(range(degree + 1), repeat=width) if sum(powers) <= degree]
    return sorted(found, key=lambda powers: (sum(powers), powers))


def _power(point: Point, powers: Point) -> int:
    value = 1
    for size, power in zip(point, powers, strict=True):
        value *= size**power
    return value


def _polynomial(side: Sequence[tuple[Point, Number]], point: Point) -> Any:
    return sum((c * Fraction(_power(point, powers)) for powers, c in side), Fraction(0))


def _without_sign(quotient: Any) -> Any:
    """The product with a sign in front drawn into its first sum: (1 − p)/p for −(p − 1)/p."""
    import sympy as sp  # noqa: PLC0415 slow to import

    number, factors = quotient.as_coeff_mul()
    if number.is_negative and (total := next((one for one in factors if one.is_Add), None)) is not None:
        others = [one for one in factors if one is not total]
        return sp.Mul(-number, sp.expand(-total), *others)
    return quotient


def _subfactorial(n: int, shifts: tuple[int, int | None]) -> Fraction | None:
    """d(n + i)/d(n + j); None where it has no value, or is 0."""
    places = [n + shift for shift in shifts if shift is not None]
    numbers = [derangements(place) if place >= 0 else 0 for place in places]
    return Fraction(numbers[0], *numbers[1:]) if all(numbers) else None


def _coefficient(number: Number, p: Any) -> Any:
    import sympy as sp  # noqa: PLC0415 slow to import

    if not isinstance(number, RationalFunction):
        return sp.Rational(*Fraction(number).as_integer_ratio())
    top, bottom = (sum(c * p**place for place, c in enumerate(part)) for part in number.integer_parts())
    return top / bottom

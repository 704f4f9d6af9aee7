"""Real algebraic numbers: the roots of integer polynomials, compared exactly and enclosed to any number of digits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, total_ordering

import flint

from stirred.spec.arguments import Exact, exact
from stirred.spec.numbers.ball import dyadic, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.polynomial_text import latex_fraction, polynomial_text
from stirred.spec.shown_table import ShownFormula

_FIRST_BITS = 64


@total_ordering
@dataclass(frozen=True, slots=True)
class AlgebraicNumber(ShownFormula):
    """A real root of an irreducible polynomial; two that are equal are equal objects.

    Attributes:
        polynomial: its primitive irreducible polynomial with a positive leading coefficient, lowest degree first.
        index: which one of the polynomial's real roots, in increasing order, from 0.

    >>> golden = real_roots((-1, -1, 1))[1]
    >>> golden.text(6), golden > AlgebraicNumber.of(Fraction(8, 5)), str(golden)
    ('1.61803', True, '(1 + sqrt(5))/2')
    """

    polynomial: tuple[int, ...]
    index: int

    @staticmethod
    def of(value: Exact) -> AlgebraicNumber:
        """A rational number."""
        number = exact("value", value)
        return AlgebraicNumber((-number.numerator, number.denominator), 0)

    @property
    def rational(self) -> Fraction | None:
        """The number where it is rational."""
        return Fraction(-self.polynomial[0], self.polynomial[1]) if len(self.polynomial) == 2 else None

    def enclosure(self, digits: int = 20) -> Enclosure:
        """An enclosure of width at most 10^-digits."""
        bits = _FIRST_BITS
        while (found := self._within(bits)).upper - found.lower > Fraction(1, 10**digits):
            bits *= 2
        return found

    def _within(self, bits: int) -> Enclosure:
        return _isolated(self.polynomial, bits)[self.index]

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, AlgebraicNumber):
            return NotImplemented
        if self == other:
            return False
        mine, its = _separated(self, other)
        return mine.upper < its.lower

    def text(self, digits: int = 6) -> str:
        """The number to so many significant digits."""
        return self.enclosure(digits + 10).text(digits)

    def __str__(self) -> str:
        """The number itself where its degree is at most 2, else which root of which polynomial it is."""
        if self.rational is not None:
            return str(self.rational)
        surd = self._surd()
        if surd is None:
            return f"root {self.index + 1} of {polynomial_text(self.polynomial)} ≈ {self.text()}"
        middle, factor, radicand, below = surd
        head = f"{middle} " if middle else ""
        root = f"{'' if abs(factor) == 1 else f'{abs(factor)}*'}sqrt({radicand})"
        sign = ("+ " if factor > 0 else "- ") if middle else ("" if factor > 0 else "-")
        body = f"{head}{sign}{root}"
        return body if below == 1 else f"({body})/{below}" if middle else f"{body}/{below}"

    def to_latex(self) -> str:
        """The number as LaTeX."""
        if self.rational is not None:
            return latex_fraction(self.rational)
        surd = self._surd()
        if surd is None:
            return self.text()
        middle, factor, radicand, below = surd
        root = rf"{'' if abs(factor) == 1 else abs(factor)}\sqrt{{{radicand}}}"
        sign = ("+" if factor > 0 else "-") if middle or factor < 0 else ""
        return latex_fraction(f"{middle or ''}{sign}{root}", below)

    def _surd(self) -> tuple[int, int, int, int] | None:
        """(m, f, r, b) with the number (m + f·√r)/b, r squarefree, b > 0 and no common factor; for degree 2."""
        if len(self.polynomial) != 3:
            return None
        c, b, a = self.polynomial
        radicand, factor = b * b - 4 * a * c, 1
        for prime, power in flint.fmpz(radicand).factor():
            factor *= int(prime) ** (power // 2)
        radicand //= factor * factor
        common = int(flint.fmpz(b).gcd(factor).gcd(2 * a))
        return -b // common, (factor if self.index else -factor) // common, radicand, 2 * a // common


@lru_cache(maxsize=4096)
def _isolated(polynomial: tuple[int, ...], bits: int) -> tuple[Enclosure, ...]:
    """Disjoint enclosures of the real roots, in increasing order; a ball with imaginary part 0 is certainly real."""
    if len(polynomial) == 2:
        point = Fraction(-polynomial[0], polynomial[1])
        return (Enclosure(point, point),)
    with precision(bits):
        roots = [root.real for root, _ in flint.fmpz_poly(list(polynomial)).complex_roots() if root.imag == 0]
    ends = [(dyadic(root.mid()), dyadic(root.rad())) for root in roots]
    return tuple(Enclosure(middle - radius, middle + radius) for middle, radius in sorted(ends))


def real_roots(
    polynomial: tuple[int, ...], low: AlgebraicNumber | None = None, high: AlgebraicNumber | None = None
) -> tuple[AlgebraicNumber, ...]:
    """The distinct real roots of a non-zero integer polynomial strictly between two numbers, in increasing order.

    >>> [str(root) for root in real_roots((0, 2, 0, -1), low=AlgebraicNumber.of(-1))]
    ['0', 'sqrt(2)']
    """
    found = []
    _, factors = flint.fmpz_poly(list(polynomial)).factor()
    for factor, _ in factors:
        coefficients = tuple(int(c) for c in factor.coeffs())
        if coefficients[-1] < 0:
            coefficients = tuple(-c for c in coefficients)
        roots = (AlgebraicNumber(coefficients, i) for i in range(len(_isolated(coefficients, _FIRST_BITS))))
        found += [root for root in roots if (low is None or root > low) and (high is None or root < high)]
    return tuple(sorted(found))


def between(low: AlgebraicNumber, high: AlgebraicNumber) -> Fraction:
    """A rational of few digits strictly between two numbers.

    >>> between(AlgebraicNumber.of(Fraction(1, 3)), real_roots((-1, 0, 2))[1])
    Fraction(1, 2)
    """
    left, right = _separated(low, high)
    middle, size = (left.upper + right.lower) / 2, 1
    while not left.upper < (simple := middle.limit_denominator(size)) < right.lower:
        size *= 2
    return simple


def _separated(first: AlgebraicNumber, second: AlgebraicNumber) -> tuple[Enclosure, Enclosure]:
    """Disjoint enclosures of two different numbers: their polynomials are irreducible, so they have no common root."""
    bits = _FIRST_BITS
    while True:
        one, other = first._within(bits), second._within(bits)
        if one.upper < other.lower or other.upper < one.lower:
            return one, other
        bits *= 2

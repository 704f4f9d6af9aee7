"""A quotient of polynomials, or a number, as a product of powers: how it is written, and its exact roots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import flint

from stirred.spec.numbers.polynomial_text import polynomial_text

_LONGEST_ROOT = 4096
"""Roots are looked for in numbers of at most so many bits."""

Polynomial = tuple[int, ...]


@dataclass(frozen=True)
class FactoredQuotient:
    """constant · ∏ f_i^(e_i) with irreducible polynomials f_i and exponents other than 0.

    Attributes:
        constant: above 0.
        factors: each polynomial, lowest degree first, with its exponent; by degree.
    """

    constant: Fraction
    factors: tuple[tuple[Polynomial, int], ...] = ()

    @staticmethod
    def of(above: Sequence[int], below: Sequence[int], sample: Fraction) -> FactoredQuotient:
        """The quotient of two polynomials that are positive at a point; there every factor is positive, too.

        >>> print(FactoredQuotient.of((1, -2, 1), (0, 3, -2), Fraction(1, 2)).text("p"))
        (1 - p)^2/(p*(3 - 2*p))
        """
        constant, exponents = Fraction(1), dict[Polynomial, int]()
        for part, sign in ((above, 1), (below, -1)):
            content, factors = flint.fmpz_poly(list(part)).factor()
            constant *= Fraction(abs(int(content))) ** sign
            for factor, power in factors:
                polynomial = tuple(int(c) for c in factor.coeffs())
                if sum(c * sample**place for place, c in enumerate(polynomial)) < 0:
                    polynomial = tuple(-c for c in polynomial)
                exponents[polynomial] = exponents.get(polynomial, 0) + sign * int(power)
        kept = sorted((len(f), [abs(c) for c in f], f, e) for f, e in exponents.items() if e)
        return FactoredQuotient(constant, tuple((f, e) for *_, f, e in kept))

    def reduced(self, distance: Fraction) -> tuple[FactoredQuotient, Fraction]:
        """The quotient Q and the distance d with the same ln(Q)/d, where an exact root makes d smaller.

        >>> found, d = FactoredQuotient.of((1, -2, 1), (0, 0, 1), Fraction(1, 2)).reduced(Fraction(2))
        >>> found.text("p"), d
        ('(1 - p)/p', Fraction(1, 1))
        """
        found, over = self, distance
        for root in _roots_of(distance.numerator, max([_bits(self.constant), *(abs(e) for _, e in self.factors)])):
            while over.numerator % root == 0 and (taken := found._root(root)) is not None:
                found, over = taken, over / root
        return found, over

    def _root(self, root: int) -> FactoredQuotient | None:
        is_long = _bits(self.constant) > _LONGEST_ROOT
        constant = None if is_long else rational_root(self.constant, root)
        if constant is None or any(exponent % root for _, exponent in self.factors):
            return None
        return FactoredQuotient(constant, tuple((factor, exponent // root) for factor, exponent in self.factors))

    def text(self, symbol: str, *, latex: bool = False) -> str:
        r"""The product as a person writes it.

        >>> FactoredQuotient.of((0, 3), (2, 2), Fraction(1)).text("n", latex=True)
        '\\frac{3 n}{2 (n + 1)}'
        """
        top, bottom = (self._product(sign, symbol, latex=latex) for sign in (1, -1))
        if bottom == "1":
            return top
        if latex:
            return rf"\frac{{{top}}}{{{bottom}}}"
        return f"{_grouped(top, ' ')}/{_grouped(bottom, ' *')}"

    def _product(self, sign: int, symbol: str, *, latex: bool) -> str:
        """The factors whose exponents have one sign."""
        number = self.constant.numerator if sign > 0 else self.constant.denominator
        powers = [(factor, sign * exponent) for factor, exponent in self.factors if sign * exponent > 0]
        is_alone = number == 1 and len(powers) == 1 and powers[0][1] == 1
        parts = [str(number)] if number != 1 or not powers else []
        for factor, exponent in powers:
            body = polynomial_text(factor, symbol, latex=latex)
            if not is_alone and body != symbol:
                body = f"({body})"
            raised = "" if exponent == 1 else f"^{{{exponent}}}" if latex else f"^{exponent}"
            parts.append(f"{body}{raised}")
        return (" " if latex else "*").join(parts)


def _grouped(text: str, marks: str) -> str:
    """A text in parentheses where one of these marks stands outside of its own."""
    depth, is_open = 0, False
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        is_open |= depth == 0 and letter in marks
    return f"({text})" if is_open else text


def reduced_power(gamma: Fraction, distance: int | Fraction) -> tuple[Fraction, int | Fraction]:
    """γ and d with the same ln(γ)/d, where an exact root of γ makes d smaller.

    >>> reduced_power(Fraction(9), 2), reduced_power(Fraction(8), 2), reduced_power(Fraction(64), 6)
    ((Fraction(3, 1), 1), (Fraction(8, 1), 2), (Fraction(2, 1), 1))
    """
    found, over = FactoredQuotient(gamma).reduced(Fraction(distance))
    return found.constant, over.numerator if over.denominator == 1 else over


def _bits(number: Fraction) -> int:
    return max(part.bit_length() for part in number.as_integer_ratio())


def _roots_of(number: int, largest: int) -> Iterator[int]:
    """The primes that divide a number, up to a limit."""
    for prime in range(2, min(largest, _LONGEST_ROOT) + 1):
        if number % prime == 0 and all(prime % smaller for smaller in range(2, isqrt(prime) + 1)):
            yield prime


def rational_root(number: Fraction, root: int) -> Fraction | None:
    """The positive n-th root of a positive rational where it is rational, else None.

    >>> rational_root(Fraction(4, 9), 2), rational_root(Fraction(2), 2)
    (Fraction(2, 3), None)
    """
    found = Fraction(*(int(flint.fmpz(part).root(root)) for part in number.as_integer_ratio()))
    return found if found**root == number else None

"""The order of two powers whose exponents may be astronomically large: decided exactly, and not by writing them out."""

from fractions import Fraction
from math import gcd

import flint

from stirred.spec.numbers.ball import ball_of, precision

_FEW_BITS = 4096
"""Powers of at most so many bits together are written out and compared as integers, which is faster."""


def power_order(base: Fraction, exponent: int, other: Fraction, other_exponent: int) -> int:
    """The sign of base^exponent − other^other_exponent, for rationals of at least 1 and positive exponents.

    Large powers are compared by their logarithms, in balls of growing precision. That ends, since equality is decided
    first: for coprime m and n, a^m = b^n iff a = g^n and b = g^m for a rational g (both sides have one factorization),
    so that a rational other than 1 has no exponent beyond its number of bits.

    >>> power_order(Fraction(4), 10**30, Fraction(2), 2 * 10**30)
    0
    >>> power_order(Fraction(4), 10**30, Fraction(2), 2 * 10**30 + 1)
    -1
    """
    common = gcd(exponent, other_exponent)
    m, n = exponent // common, other_exponent // common
    if bit_count(base) * m + bit_count(other) * n <= _FEW_BITS:
        first: int = base.numerator**m * other.denominator**n
        second: int = other.numerator**n * base.denominator**m
        return (first > second) - (first < second)
    if base == 1 or other == 1:
        return (base > 1) - (other > 1)
    if _are_equal(base, m, other, n):
        return 0
    bits = 64 + 2 * max(m.bit_length(), n.bit_length())
    while True:
        with precision(bits):
            gap = ball_of(base - 1).log1p() * m - ball_of(other - 1).log1p() * n
            if gap > 0:
                return 1
            if gap < 0:
                return -1
        bits *= 2


def bit_count(value: Fraction) -> int:
    """The number of bits of numerator and denominator together."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def _are_equal(base: Fraction, m: int, other: Fraction, n: int) -> bool:
    """Whether base^m = other^n, for coprime m and n and rationals above 1."""
    if n >= base.numerator.bit_length() and n > 1:
        return False
    root = _exact_root(base, n)
    return root is not None and m <= other.numerator.bit_length() and root**m == other


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational root of a positive rational, or None where it is irrational."""
    found = Fraction(*(int(flint.fmpz(part).root(degree)) for part in value.as_integer_ratio()))
    return found if found**degree == value else None

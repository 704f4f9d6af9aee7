"""Rationals for mpmath, which computes apart what our enclosures are held against."""

from fractions import Fraction

import mpmath


def as_mpf(value: Fraction) -> mpmath.mpf:
    """The number in the present working precision."""
    return mpmath.mpf(value.numerator) / value.denominator

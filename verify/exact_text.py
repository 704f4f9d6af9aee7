"""How an exact number is shown: as its fraction, or as a decimal where that would be too long to read."""

from __future__ import annotations

from fractions import Fraction

from spec.enclosure import decimal_text
from verify.printed_number import Printed

__all__ = ["exact_text", "printed_exactly"]

_MAX_LENGTH = 60


def exact_text(value: Fraction) -> str:
    """The fraction, or its first digits where it has more than 60 characters.

    >>> exact_text(Fraction(1, 3)), exact_text(Fraction(1, 3) + Fraction(1, 10**80))
    ('1/3', '0.3333333333 (rounded: the exact fraction has 163 characters)')
    """
    text = str(value)
    if len(text) <= _MAX_LENGTH:
        return text
    return f"{decimal_text(value, 10)} (rounded: the exact fraction has {len(text)} characters)"


def printed_exactly(value: Fraction) -> Printed:
    """An exact number as an input of a comparison, shown by `exact_text`."""
    return Printed(exact_text(value), value)

"""How an exact number is shown: as its fraction, or as a decimal where that would be too long to read."""

from fractions import Fraction

from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.engines.printed_number import Printed

_MAX_LENGTH = 60
_MAX_BITS = 10_000
"""Beyond it the text is not even written: Python writes out no integer of more than 4300 digits."""


def exact_text(value: Fraction) -> str:
    """The fraction, or its first digits where it has more than 60 characters.

    >>> exact_text(Fraction(1, 3)), exact_text(Fraction(1, 3) + Fraction(1, 10**80))
    ('1/3', '0.3333333333 (rounded: the exact fraction has 163 characters)')
    >>> exact_text(Fraction(1, 3) + Fraction(1, 10**8000))
    '0.3333333333 (rounded: the exact fraction has thousands of characters)'
    """
    shown = decimal_text(value, 10)
    if value.numerator.bit_length() + value.denominator.bit_length() > _MAX_BITS:
        return f"{shown} (rounded: the exact fraction has thousands of characters)"
    text = str(value)
    return text if len(text) <= _MAX_LENGTH else f"{shown} (rounded: the exact fraction has {len(text)} characters)"


def printed_exactly(value: Fraction) -> Printed:
    """An exact number as an input of a comparison, shown by `exact_text`."""
    return Printed(exact_text(value), value)

"""Exact numbers in a witness: how they are read and shown."""

import re
from decimal import Context, Decimal
from fractions import Fraction

from stirred.verify.evidence.certificates.decimal_interval import Number
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.certificates.work import Work, bits

MAX_EXPONENT = 10_000
"""The largest exponent of ten, and the largest integer exponent."""

_SHORT_BITS = 10_000
_LONGEST = 120
_TEXT = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]{1,5}))?)")


class WitnessError(ValueError):
    """A witness that cannot be read, or that does not refute what it claims to refute."""


def quoted(value: object) -> str:
    """A value as a message shows it, shortened."""
    if isinstance(value, int) and not isinstance(value, bool):
        return shown_number(value, _LONGEST)
    text = repr(value[:_LONGEST] if isinstance(value, (str, list)) else value)
    return printable(shortened_text(text, _LONGEST))


def exact_number(name: str, text: object, work: Work) -> Fraction:
    """The number that an integer, or a text such as "1/20", "0.05" or "5e-2", stands for."""
    if isinstance(text, int) and not isinstance(text, bool):
        work.read(text.bit_length() * 3 // 10)
        return Fraction(text)
    found = _TEXT.fullmatch(text) if isinstance(text, str) else None
    if found is None or not isinstance(text, str) or abs(int(found["exponent"] or 0)) > MAX_EXPONENT:
        raise WitnessError(
            f"{printable(name)} must be an exact number, its exponent at most {MAX_EXPONENT}; got {quoted(text)}"
        )
    work.read(len(text) + abs(int(found["exponent"] or 0)))
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise WitnessError(f"{printable(name)} must be an exact number; got {quoted(text)}") from None


def shown_number(number: Number | int, longest: int = _SHORT_BITS) -> str:
    """A number as text: exact where that takes at most so many characters, else to 20 digits."""
    if not isinstance(number, (Fraction, int)):
        return str(number)
    exact = number if type(number) is int else Fraction(number)
    if bits(exact) <= _SHORT_BITS and len(text := str(exact)) <= longest:
        return text
    context, wide = Context(prec=20), Context(prec=50, Emin=-999_999, Emax=999_999)
    # the leading bits of a long number are enough, and take no time to write out
    (top, up), (bottom, down) = map(_leading, (exact.numerator, exact.denominator))
    ratio = wide.divide(Decimal(top), Decimal(bottom))
    return str(context.plus(wide.multiply(ratio, wide.power(Decimal(2), up - down))).normalize(context))


def _leading(number: int) -> tuple[int, int]:
    """The first 300 bits of an integer, and how many follow."""
    more = max(0, number.bit_length() - 300)
    return (abs(number) >> more) * (-1 if number < 0 else 1), more


def shortened_text(text: str, longest: int = 1_000) -> str:
    """The text, cut with an ellipsis where it is longer."""
    return text if len(text) <= longest else f"{text[:longest]}…"

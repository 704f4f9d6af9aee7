"""Checks of arguments: every public function of the project refuses bad input through these, with one clear line."""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import NoReturn

_SHOWN_BITS = 500
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[./][0-9]+)?")

Exact = int | Fraction
"""A number that a verdict may depend on."""

Distance = Exact | None
"""A distance in [0, ∞]; None stands for ∞."""


class InputError(ValueError):
    """Input that cannot be used: the message says what, where, and what was expected."""


def shown(value: object) -> str:
    """A value as a message shows it: a `Fraction` as one writes it, a number of many digits by its size.

    >>> shown(Fraction(-1, 2)), shown("1/2"), shown(10**400)
    ('-1/2', "'1/2'", 'a number of about 10^400')
    """
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        number = Fraction(value)
        if max(number.numerator.bit_length(), number.denominator.bit_length()) <= _SHOWN_BITS:
            return str(value)
        power = (number.numerator.bit_length() - number.denominator.bit_length() + 1) * 30103 // 100_000
        return f"a number of about 10^{power}"
    return repr(value)


def nearest(name: str, known: Sequence[str], *, likeness: Fraction = Fraction(3, 5)) -> str | None:
    """The known name that is most like another one, whatever its case and the marks between its words; None if none is.

    Args:
        likeness: the least ratio of letters in common, between 0 and 1.

    >>> nearest("Geo-Level", ("geolevel", "budget")), nearest("x", ("geolevel", "budget"))
    ('geolevel', None)
    """
    by_letters = {_letters(one): one for one in reversed(known)}
    near = get_close_matches(_letters(name), by_letters, n=1, cutoff=likeness)  # type: ignore[call-overload]
    return by_letters[near[0]] if near else None


def _letters(name: str) -> str:
    """The letters and digits of a name, or all of it where it has none."""
    return "".join(filter(str.isalnum, name.casefold())) or name


def suggestion(name: str, known: Sequence[str]) -> str:
    """The nearest known name as a question, or all known names.

    >>> suggestion("gama", ("gamma", "epsilon")), suggestion("x", ("gamma", "epsilon"))
    ("did you mean 'gamma'?", 'known: gamma, epsilon')
    """
    near = nearest(name, known)
    return f"did you mean {near!r}?" if near is not None else f"known: {', '.join(known)}"


def check_known(problem: str, name: str, known: Collection[str]) -> None:
    """Refuse a name that is none of those known, by the problem and the nearest of them."""
    if name not in known:
        raise InputError(f"{problem}; {suggestion(name, tuple(known))}")


def _refuse_inexact(name: str, value: object) -> NoReturn:
    if isinstance(value, float):
        raise InputError(f"{name} must be an exact number; got the float {value!r}: write Fraction({str(value)!r})")
    hint = f": write Fraction({value!r})" if isinstance(value, str) and _NUMBER.fullmatch(value) else ""
    raise InputError(f"{name} must be an integer or a fraction; got {value!r}{hint}")


def exact(name: str, value: object) -> Fraction:
    """The value as a `Fraction`; a float is refused, since 0.1 is not one tenth.

    >>> exact("swap_rate", 1)
    Fraction(1, 1)
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    _refuse_inexact(name, value)


def nonnegative(name: str, value: object) -> Fraction:
    """The value as a `Fraction` ≥ 0."""
    number = exact(name, value)
    if number < 0:
        raise InputError(f"{name} must be non-negative; got {shown(value)}")
    return number


def probability(name: str, value: object) -> Fraction:
    """The value as a `Fraction` in [0, 1]."""
    number = exact(name, value)
    is_fraction = type(number) is Fraction  # the frequent case, in half the time
    if not (0 <= number.numerator <= number.denominator if is_fraction else 0 <= number <= 1):
        raise InputError(f"{name} must be between 0 and 1; got {shown(value)}")
    return number


def open_probability(name: str, value: object) -> Fraction:
    """The value as a `Fraction` in (0, 1)."""
    number = exact(name, value)
    if not 0 < number.numerator < number.denominator:
        raise InputError(f"{name} must be between 0 and 1, exclusive; got {shown(value)}")
    return number


def sampling_rate(name: str, value: object) -> Fraction:
    """A probability of being drawn as a `Fraction` in (0, 1]."""
    rate = exact(name, value)
    if not 0 < rate <= 1:
        raise InputError(f"{name} must be above 0 and at most 1; got {shown(value)}")
    return rate


def positive(name: str, value: object) -> Fraction:
    """The value as a `Fraction` > 0."""
    number = exact(name, value)
    if number <= 0:
        raise InputError(f"{name} must be positive; got {shown(value)}")
    return number


def likelihood_ratio(name: str, value: object) -> Fraction:
    """γ = e^ε as a `Fraction` ≥ 1."""
    gamma = exact(name, value)
    if gamma < 1:
        raise InputError(f"{name} must be at least 1; got {shown(value)}")
    return gamma


def renyi_order(order: object) -> Fraction:
    """α as a `Fraction` > 1."""
    alpha = exact("order", order)
    if alpha <= 1:
        raise InputError(f"order must be above 1; got {shown(order)}")
    return alpha


def integer(name: str, value: object, *, minimum: int | None = None) -> int:
    """The value as an `int`, at least `minimum` where one is given."""
    if isinstance(value, bool) or not isinstance(value, int):
        least = "" if minimum is None else f" of at least {minimum}"
        hint = f": write {value}" if isinstance(value, str) and re.fullmatch("[0-9]+", value) else ""
        raise InputError(f"{name} must be an integer{least}; got {value!r}{hint}")
    if minimum is not None and value < minimum:
        raise InputError(f"{name} must be at least {minimum}; got {shown(value)}")
    return value


def positive_integer(name: str, value: object) -> int:
    """The value as an `int` ≥ 1."""
    return integer(name, value, minimum=1)


_EXACT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]{1,3})?|[eE][+-]?[0-9]{1,3}|/[1-9][0-9]*)?")
_HUGE_EXPONENT = re.compile(r"-?[0-9.]+[eE][+-]?[0-9_]{4,}")
_MAX_DIGITS = 1_000
_MAX_QUOTED = 60


def parse_exact(name: str, text: object) -> Fraction:
    """The exact number that a text or an integer stands for: "1/20", "0.05", "5e-2" and 3 are exact; a float is not.

    A text is digits with at most one of a decimal point and a "/", and "-" in front of a negative number. Nothing else
    is read: "1,099" is 1099 in one country and 1.099 in another, and so it is refused.

    >>> parse_exact("swap_rate", "0.05")
    Fraction(1, 20)
    """
    if not isinstance(text, str):
        return exact(name, text)
    if len(text) > _MAX_DIGITS and re.fullmatch(r"[0-9./-]+", text):
        raise InputError(f"{name} must have at most {_MAX_DIGITS} digits; got {len(text)}")
    if _EXACT.fullmatch(text):
        return Fraction(text)
    quoted = repr(text) if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]!r}…"
    if not text.isascii():
        raise InputError(f"{name} must be an exact number in ASCII such as '1/20' or '0.05'; got {quoted}")
    if _HUGE_EXPONENT.fullmatch(text):
        raise InputError(f"{name} must have an exponent of at most three digits; got {quoted}")
    raise InputError(f"{name} must be an exact number such as '1/20' or '0.05'; got {quoted}{_hint(text)}")


def _hint(text: str) -> str:
    """What to write instead, where the text is a number but for signs that separate its digits."""
    if not re.fullmatch(r"\+?[0-9.,_\s]*[0-9][0-9.,_\s]*", text) or len(text) > _MAX_QUOTED:
        return ""
    readings = dict.fromkeys((re.sub(r"[,_\s+]", "", text), re.sub(r"[_\s+]", "", text).replace(",", ".")))
    written = [reading for reading in readings if _EXACT.fullmatch(reading)] if not {",", "."} <= set(text) else []
    return f": write {' or '.join(map(repr, written)) or 'digits without leading zeros, and one point between them'}"

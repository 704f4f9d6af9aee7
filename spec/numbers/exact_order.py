"""Numbers known exactly or between rationals: their order with other numbers, and decimals rounded outward."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from numbers import Real
from typing import Any

from stirred.spec.arguments import InputError, exact, parse_exact

_FIXED = re.compile(r"(?P<layout>[^.]*)\.(?P<places>[0-9]{1,3})f")


def rational_of(value: Any) -> Any:
    """A number as a `Fraction`: an int, a `Fraction`, an exact text or a rational of sympy; else NotImplemented.

    Raises:
        InputError: a float, which is no exact number, or a text that is none.

    >>> rational_of("0.1"), rational_of(None)
    (Fraction(1, 10), NotImplemented)
    """
    if not hasattr(value, "free_symbols") and isinstance(value, Real):
        return exact("a number", value)
    if isinstance(value, str):
        return parse_exact("a number", value)
    return Fraction(int(value.p), int(value.q)) if getattr(value, "is_Rational", False) is True else NotImplemented


def outward(low: Fraction, high: Fraction, form: str, *, is_upper: bool = False) -> str:
    """The nearest decimals around an interval, or the upper one alone: ".3f", or ">12.3f" with a layout.

    >>> outward(Fraction(1, 3), Fraction(1, 3), ".2f"), outward(Fraction(1, 4), Fraction(1, 4), ".2f")
    ('[0.33, 0.34]', '0.25')
    """
    found = _FIXED.fullmatch(form)
    if found is None:
        raise InputError(f"a format must be a layout and decimal places, such as '.3f'; got {form!r}")
    places = int(found["places"])
    ends = [Decimal(end).scaleb(-places) for end in (floor(low * 10**places), ceil(high * 10**places))][is_upper:]
    texts = list(dict.fromkeys(f"{end:f}" for end in ends))
    return format(texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]", found["layout"])


class ExactOrder(ABC):
    """The operators <, <=, > and >= by the sign of a difference; what is not decided raises, and is never False."""

    __slots__ = ()

    @abstractmethod
    def _against(self, other: Any) -> Any:
        """The sign of self − other; NotImplemented where the other one is no number."""

    def _is(self, other: object, wanted: Callable[[int], bool]) -> Any:
        sign = self._against(other)
        return sign if sign is NotImplemented else wanted(sign)

    def __lt__(self, other: object) -> bool:
        return self._is(other, lambda sign: sign < 0)  # type: ignore[no-any-return]

    def __le__(self, other: object) -> bool:
        return self._is(other, lambda sign: sign <= 0)  # type: ignore[no-any-return]

    def __gt__(self, other: object) -> bool:
        return self._is(other, lambda sign: sign > 0)  # type: ignore[no-any-return]

    def __ge__(self, other: object) -> bool:
        return self._is(other, lambda sign: sign >= 0)  # type: ignore[no-any-return]

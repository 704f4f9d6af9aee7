"""The operators of sentences, each after paying what it costs."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from .enclosures import Real, is_number, quotient
from .price import Account, require

__all__ = ["OPERATORS", "whole"]

_SMALL = 2**62
_MOST_EXPONENT = 10_000


def whole(number: Any) -> int:
    """An integer.

    Raises:
        SentenceError: the number is none.
    """
    require(is_number(number) and int(number) == number, "must be an integer")
    return int(number)


def _of(combine: Callable[[Any, Any], Any]) -> Callable[[Account, Any, Any], Any]:
    """An operator that is Python's, on numbers, sets, texts and tuples."""

    def combined(account: Account, left: Any, right: Any) -> Any:
        if type(left) is int is type(right) and -_SMALL < left < _SMALL and -_SMALL < right < _SMALL:
            account.pay(1)
        elif type(left) is Fraction is type(right) or (is_number(left) and is_number(right)):
            account.long(account.bits(left) + account.bits(right))
        else:  # sets compare their members; a tuple or a text is copied, for a number of times
            for one, other in ((left, right), (right, left)):
                times = max(1, other) if type(other) is int and combine is operator.mul else 1
                account.hold(times * (1 + len(one) if isinstance(one, (tuple, str, frozenset)) else 1))
                account.weighed(one) if isinstance(one, frozenset) else None
        return combine(left, right)

    return combined


def _quotient(account: Account, left: Any, right: Any) -> Any:
    account.long(account.bits(left) + account.bits(right))
    return quotient(left, right)


def _remainder(account: Account, left: Any, right: Any) -> Any:
    account.long(2 * (account.bits(left) + account.bits(right)))
    return left - right * math.floor(quotient(left, right))


def _raised(account: Account, base: Any, exponent: Any) -> Any:
    """A power by an integer, of a number of limited length."""
    times = whole(exponent)
    require(abs(times) <= _MOST_EXPONENT, f"an exponent must be at most {_MOST_EXPONENT}")
    account.long(account.bits(base) * (times.bit_length() if isinstance(base, Real) else abs(times)))
    return base**times if times >= 0 else quotient(1, base**-times)


OPERATORS: Mapping[str, Callable[[Account, Any, Any], Any]] = {
    "+": _of(operator.add),
    "-": _of(operator.sub),
    "*": _of(operator.mul),
    "//": _of(operator.floordiv),
    "&": _of(operator.and_),
    "|": _of(operator.or_),
    "/": _quotient,
    "%": _remainder,
    "**": _raised,
}

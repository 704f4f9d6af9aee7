"""The numbers of sentences: exact ones, oo, and reals that decimals enclose, rounded outward."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partialmethod, reduce, total_ordering
from itertools import product
from typing import Any

from .price import Account, SentenceError, TooDearError, require

__all__ = ["OO", "Real", "UndecidedError", "enclosed", "is_number", "quotient"]

_MOST_PLACES = 100_000


class UndecidedError(Exception):
    """Two numbers are too close to be told apart at this precision."""


def _alike(answers: Sequence[Any]) -> Any:
    """The one answer for all ends of intervals."""
    if any(answer != answers[0] for answer in answers):
        raise UndecidedError
    return answers[0]


class Real:
    """A real number between two decimals, both included: each operation pays, and rounds outward."""

    def __init__(self, low: Decimal, high: Decimal, account: Account) -> None:
        self.ends, self.account = (low, high), account

    def of(self, number: int | Fraction | Real) -> Real:
        """The number as an interval."""
        if isinstance(number, Real):
            return number
        self.account.long(self.account.bits(number))
        over, under = map(Decimal, number.as_integer_ratio())
        return Real(self.account.down.divide(over, under), self.account.up.divide(over, under), self.account)

    def function(self, name: str) -> Real:
        """Exp, ln or sqrt, which rise: decimals round them to the nearest, so that the neighbours enclose."""
        self.account.pay(30 + self.account.digits**2 // 4)
        low, high = (getattr(self.account.down, name)(end) for end in self.ends)
        return Real(self.account.down.next_minus(low), self.account.up.next_plus(high), self.account)

    def _with(self, name: str, other: Any, *, swapped: bool = False) -> Any:
        if not isinstance(other, (int, Fraction, Real)):
            return NotImplemented
        self.account.pay(50 + self.account.digits // 4)
        first, second = (self.of(other), self) if swapped else (self, self.of(other))
        if name == "divide" and second.ends[0] <= 0 <= second.ends[1]:
            raise UndecidedError
        low, high = (
            [getattr(c, name)(x, y) for x in first.ends for y in second.ends]
            for c in (self.account.down, self.account.up)
        )
        return Real(min(low), max(high), self.account)

    __add__ = __radd__ = partialmethod(_with, "add")
    __mul__ = __rmul__ = partialmethod(_with, "multiply")
    __sub__, __rsub__ = partialmethod(_with, "subtract"), partialmethod(_with, "subtract", swapped=True)
    __truediv__, __rtruediv__ = partialmethod(_with, "divide"), partialmethod(_with, "divide", swapped=True)
    __neg__ = partialmethod(_with, "subtract", 0, swapped=True)

    def __pow__(self, exponent: int) -> Any:
        return reduce(lambda found, bit: found * found * (self if bit == "1" else 1), f"{exponent:b}", 1)

    def _compared(self, relation: Callable[[Any, Any], bool], other: Any) -> Any:
        if not isinstance(other, (int, Fraction, Real)):
            return NotImplemented
        self.account.pay(200)
        return _alike([relation(x, y) for x, y in product(self.ends, self.of(other).ends)])

    __lt__, __le__ = partialmethod(_compared, operator.lt), partialmethod(_compared, operator.le)
    __gt__, __ge__ = partialmethod(_compared, operator.gt), partialmethod(_compared, operator.ge)
    __hash__ = None  # type: ignore[assignment]  # equality may be undecided, so that it is no member of a set

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, Fraction, Real)) and not (self < other or self > other)

    def __bool__(self) -> bool:
        raise SentenceError("a number is no truth value")

    def __floor__(self) -> int:
        if max(end.adjusted() for end in self.ends) > _MOST_PLACES:
            raise TooDearError(f"too dear: a number would have more than {_MOST_PLACES:,} places")
        return int(_alike([math.floor(end) for end in self.ends]))


@total_ordering
class _Infinity:
    """The value oo."""

    def _absorb(self, other: Any) -> Any:
        return self if isinstance(other, (int, Fraction, Real, _Infinity)) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if other is self else self._absorb(other)

    def __gt__(self, other: Any) -> Any:
        return other is not self if self._absorb(other) is self else NotImplemented

    __add__ = __radd__ = __mul__ = __rmul__ = _absorb


OO = _Infinity()


def is_number(value: Any) -> bool:
    """Whether a value is a number, enclosed or oo ones included."""
    return isinstance(value, (int, Fraction, Real, _Infinity))


def quotient(left: Any, right: Any) -> Any:
    """A number over another, exactly; oo over a positive one is oo, a number over oo is 0."""
    if left is OO or right is OO:
        require(left is not right and (right is OO or right > 0), "oo is over oo, or over no positive number")
        return 0 if right is OO else OO
    found = Fraction(left) / right if isinstance(left, int) else left / right
    return found.numerator if isinstance(found, Fraction) and found.denominator == 1 else found


def enclosed(name: str, account: Account, number: Any) -> Any:
    """Exp, ln or sqrt; exact where that is plain."""
    if isinstance(number, (int, Fraction)):
        if number == (name == "ln") and name != "sqrt":
            return int(name == "exp")
        root = Fraction(*(math.isqrt(max(0, part)) for part in number.as_integer_ratio()))
        if name == "sqrt" and root * root == number:
            return root
    inner = Real(Decimal(0), Decimal(0), account).of(number)
    if name != "exp" and inner.ends[0] <= 0:
        raise UndecidedError
    return inner.function(name)

"""How much a replay may compute: every operation is paid for before it is done, so that no witness takes long.

And the outward-rounded arithmetic that pays, at a precision that grows until something is decided.
"""

from collections.abc import Callable
from decimal import DecimalException
from fractions import Fraction
from typing import Any, TypeVar

from stirred.verify.evidence.certificates.decimal_interval import Interval, Number, Outward, UndecidedError

T = TypeVar("T")

_DIGITS = (80, 800)
_MOST = 4 * 10**9
_MAX_BITS = 250_000


def bits(number: Fraction | int) -> int:
    """The bits of a number's numerator and denominator together."""
    if type(number) is int:
        return number.bit_length() + 1
    return number.numerator.bit_length() + number.denominator.bit_length()


class Work:
    """What is left of about four seconds of arithmetic, in nanoseconds of an ordinary processor.

    The prices are measured ones of CPython, so a verdict depends on the witness and never on the machine's speed.
    """

    def __init__(self, most: int = _MOST) -> None:
        self.left = most

    def spend(self, price: int) -> None:
        """Pay for an operation."""
        self.left -= price
        if self.left < 0:
            raise UndecidedError("it takes too long to compute")

    def combine(self, left: Fraction | int, right: Fraction | int) -> None:
        """Pay for a sum, product, quotient or comparison of two exact numbers, whose cost is that of their gcd."""
        a, b = bits(left), bits(right)
        if a + b > _MAX_BITS:
            raise UndecidedError(f"an exact number must have at most {_MAX_BITS} bits")
        self.spend(2_000 + a * b // 500)

    def long_number(self, length: int) -> None:
        """Pay for an exact number of so many bits: a power, a factorial."""
        if length > _MAX_BITS:
            raise UndecidedError(f"an exact number must have at most {_MAX_BITS} bits")
        self.spend(1_000 + 80 * length)

    def read(self, digits: int) -> None:
        """Pay for a number of so many decimal digits that is read, or turned into an interval of decimals."""
        if digits > _MAX_BITS // 3:
            raise UndecidedError(f"an exact number must have at most {_MAX_BITS} bits")
        self.spend(8_000 + digits * digits // 50)


class PaidOutward(Outward):
    """Outward-rounded arithmetic that pays for every operation before it is done."""

    def __init__(self, digits: int, work: Work) -> None:
        """Arithmetic with so many digits."""
        super().__init__(digits)
        self.work = work

    def _pay(self, left: Number, right: Number) -> None:
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            self.work.combine(left, right)
        else:
            self.work.spend(12_000 + self.digits**2 // 4)

    def lift(self, number: Number) -> Interval:
        if isinstance(number, Fraction):
            self.work.read(bits(number) * 3 // 10)
        return super().lift(number)

    def add(self, left: Number, right: Number) -> Number:
        self._pay(left, right)
        return super().add(left, right)

    def multiply(self, left: Number, right: Number) -> Number:
        self._pay(left, right)
        return super().multiply(left, right)

    def divide(self, left: Number, right: Number) -> Number:
        self._pay(left, right)
        return super().divide(left, right)

    def power(self, base: Number, exponent: int) -> Number:
        if isinstance(base, Fraction):
            self.work.long_number(bits(base) * abs(exponent))
        return super().power(base, exponent)

    def order(self, left: Number, right: Number) -> int:
        self._pay(left, right)
        return super().order(left, right)

    def sqrt(self, number: Number) -> Number:
        if isinstance(number, Fraction):
            self.work.long_number(bits(number))
        return super().sqrt(number)

    def _around(self, function: Any, number: Interval) -> Interval:
        # logarithms near 1 and of very large or small numbers take several times as long
        strange = any(abs(end.adjusted()) > 20 or abs(end - 1) * 1000 < 1 for end in number)
        self.work.spend((4 if strange else 1) * 40 * self.digits**2 + 50_000)
        return super()._around(function, number)


def at_growing_precision(decide: Callable[[PaidOutward], T], work: Work) -> T:
    """What a decision in decimals says at 80 digits, or else at 800."""
    reason = ""
    for digits in _DIGITS:
        try:
            return decide(PaidOutward(digits, work))
        except UndecidedError as error:
            reason = str(error)
        except DecimalException:
            reason = "a number is too large or too small to be told apart from others"
        except RecursionError:
            reason = "a formula is nested too deeply"
    raise UndecidedError(reason)

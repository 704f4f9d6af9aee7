"""How much a replay may compute: every operation is paid for before it is done, so that no witness takes long."""

from fractions import Fraction

from stirred.verify.evidence.certificates.decimal_interval import UndecidedError

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

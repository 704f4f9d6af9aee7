"""Enclosures: pairs of rationals that certainly contain a real number, from ball arithmetic rounded outward."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, exact, integer, positive, positive_integer
from stirred.spec.numbers.ball import ball_of, ends_of, precision
from stirred.spec.numbers.exact_order import ExactOrder, outward, rational_of
from stirred.spec.shown_table import ShownFormula

_GUARD_BITS = 64
_MAX_BITS = 1 << 16
_MAX_PLACES = 60
_EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""A context that rounds no decimal; for shifting the point only."""


class UndecidedOrderError(ArithmeticError):
    """Two numbers are not known well enough to be ordered."""


@dataclass(frozen=True, slots=True)
class Enclosure(ExactOrder, ShownFormula):
    """A real number known to lie in [lower, upper]; both ends are exact.

    Equal enclosures have equal ends. In an order with an exact number or another enclosure, what is neither certainly
    greater nor certainly less raises `UndecidedOrderError`.

    >>> log(2) < 1, log(2) + 1 > "1.69", f"{log(2):.3f}"
    (True, True, '[0.693, 0.694]')
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            object.__setattr__(self, name, exact(name, getattr(self, name)))
        if self.lower > self.upper:
            raise InputError(f"lower must be at most upper; got {self.lower} and {self.upper}")

    @staticmethod
    def _of(value: Any) -> Any:
        """A number as an enclosure, or NotImplemented."""
        if isinstance(value, Enclosure):
            return value
        number = rational_of(value)
        return number if number is NotImplemented else Enclosure(number, number)

    def _against(self, other: Any) -> Any:
        that = self._of(other)
        if that is NotImplemented:
            return that
        if self.lower == self.upper == that.lower == that.upper:
            return 0
        if self.upper >= that.lower and that.upper >= self.lower:
            raise UndecidedOrderError(f"{self} and {that} cannot be ordered: their enclosures meet")
        return 1 if self.upper > that.upper else -1

    def __add__(self, other: object) -> Any:
        that = self._of(other)
        return that if that is NotImplemented else Enclosure(self.lower + that.lower, self.upper + that.upper)

    __radd__ = __add__

    def __mul__(self, factor: object) -> Any:
        number = rational_of(factor)
        if number is NotImplemented:
            return number
        return Enclosure(*sorted((self.lower * number, self.upper * number)))

    __rmul__ = __mul__

    def __format__(self, form: str) -> str:
        return outward(self.lower, self.upper, form) if form else str(self)

    def contains(self, value: Exact) -> bool:
        """Whether the value lies between the ends."""
        return self.lower <= exact("value", value) <= self.upper

    def rounded(self, places: int) -> Decimal | None:
        """The number rounded half up to so many decimal places; None where the ends do not agree on it."""
        low, high = _round(self.lower, places), _round(self.upper, places)
        return low if low == high else None

    def relation(self, digits: int = 6) -> str:
        """The number after the sign that is true of it: "=" where it is exact and not rounded, else "≈".

        >>> log(2).relation(4), Enclosure(Fraction(1, 8), Fraction(1, 8)).relation()
        ('≈ 0.6931', '= 0.125')
        """
        text = self.text(digits)
        is_exact = self.lower == self.upper and "[" not in text and Fraction(text) == self.lower
        return f"{'=' if is_exact else '≈'} {text}"

    def text(self, digits: int = 6) -> str:
        """The number to so many significant digits where the ends agree on them, else both ends.

        >>> log(2).text(4)
        '0.6931'
        >>> print(log(2))
        0.6931471806
        """
        low, high = decimal_text(self.lower, digits), decimal_text(self.upper, digits)
        return low if low == high else f"[{low}, {high}]"

    def __str__(self) -> str:
        return self.text(10)

    def to_latex(self) -> str:
        """The number with the sign that is true of it; "enclosed" where both ends stand for it."""
        if self.lower == self.upper:
            return self.relation(10).removeprefix("= ").replace("≈", r"\approx")
        return rf"\approx {self.text(10)}\ \text{{(enclosed)}}"

    def _repr_html_(self) -> str:
        """The number in short; the exact ends of an enclosure are there to be opened."""
        sign = self.relation(10).removeprefix("= ")
        if self.lower == self.upper:
            return sign
        return f"<details><summary>{sign} (enclosed)</summary>at least {self.lower}<br>at most {self.upper}</details>"


def _round(value: Fraction, places: int) -> Decimal:
    integer("places", places, minimum=0)
    scaled = value * 10**places
    doubled = 2 * scaled.numerator + scaled.denominator
    # not from its text: Python writes out no integer of more than 4300 digits
    return Decimal(doubled // (2 * scaled.denominator)).scaleb(-places, _EXACT)


def decimal_text(value: Fraction, digits: int) -> str:
    """The nearest decimal with so many significant digits, for display; beyond 60 places, with an exponent.

    >>> decimal_text(Fraction(7) ** 9000, 5)
    '7.6271E+7605'
    """
    positive_integer("digits", digits)
    with localcontext() as context:
        context.prec = digits
        context.rounding = ROUND_HALF_UP
        shown = Decimal(value.numerator) / Decimal(value.denominator)
        if abs(shown.adjusted()) > _MAX_PLACES:
            return str(shown.normalize())
        return format(shown.normalize() if shown == shown.to_integral_value() else shown, "f")


def enclose(compute: Callable[[], Any], *, digits: int = 20) -> Enclosure:
    """An enclosure of relative or absolute width at most 10^-digits of the number that `compute` gives as a ball.

    `compute` is called under rising working precision until its ball is narrow enough.

    Args:
        compute: a function without arguments that returns a `flint.arb` in the precision of `flint.ctx`.
        digits: the width asked for, as a power of ten.
    """
    positive_integer("digits", digits)
    tolerance = Fraction(1, 10**digits)
    bits = _GUARD_BITS + 4 * digits
    while bits <= _MAX_BITS:
        with precision(bits):
            ball = compute()
            ends = ends_of(ball)
        if ends is not None:
            low, high = ends
            if high - low <= tolerance * max(Fraction(1), abs(low + high) / 2):
                return Enclosure(low, high)
        bits *= 2
    raise InputError(f"no enclosure of width 1e-{digits} was reached at {_MAX_BITS} bits")


def least_enough(is_enough: Callable[[Fraction], bool], width: Fraction) -> Enclosure:
    """The least x ≥ 0 that is enough, enclosed to a width by bisection; 0 itself where it is enough.

    Args:
        is_enough: a predicate that is true from some x on.
        width: above 0.
    """
    low, high = Fraction(0), Fraction(1)
    if is_enough(low):
        return Enclosure(low, low)
    while not is_enough(high):
        low, high = high, 2 * high
    while high - low > width:
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return Enclosure(low, high)


def log(value: Exact, *, digits: int = 20) -> Enclosure:
    """An enclosure of the natural logarithm of an exact positive number."""
    number = positive("value", value)
    return enclose(lambda: ball_of(number).log(), digits=digits)


def exponential(value: Exact, *, digits: int = 20) -> Enclosure:
    """An enclosure of e^value for an exact number.

    >>> exponential(1).text(5)
    '2.7183'
    """
    number = exact("value", value)
    return enclose(lambda: ball_of(number).exp(), digits=digits)

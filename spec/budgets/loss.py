"""Exact protection losses of pure differential privacy: ε = ln(γ)/d with γ and d rational.

Powers whose exponents may be astronomically large are put in order exactly, and not by writing them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, gcd, lcm, prod
from typing import Any

from stirred.spec.arguments import Exact, InputError, likelihood_ratio, nonnegative, parse_exact, positive, shown
from stirred.spec.numbers.ball import Ball, ball_of, precision
from stirred.spec.numbers.enclosure import Enclosure, decimal_text, enclose
from stirred.spec.numbers.exact_order import ExactOrder, outward, rational_of
from stirred.spec.numbers.factored_quotient import rational_root, reduced_power
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum, parse_logarithm
from stirred.spec.numbers.reals.real import Real, order
from stirred.spec.shown_table import ShownFormula

_FEW_BITS = 4096
"""Powers of at most so many bits together are written out and compared as integers, which is faster."""


def power_order(base: Fraction, exponent: int, other: Fraction, other_exponent: int) -> int:
    """The sign of base^exponent − other^other_exponent, for rationals of at least 1 and positive exponents.

    Large powers are compared by their logarithms, in balls of growing precision. That ends, since equality is decided
    first: for coprime m and n, a^m = b^n iff a = g^n and b = g^m for a rational g (both sides have one factorization),
    so that a rational other than 1 has no exponent beyond its number of bits.

    >>> power_order(Fraction(4), 10**30, Fraction(2), 2 * 10**30)
    0
    >>> power_order(Fraction(4), 10**30, Fraction(2), 2 * 10**30 + 1)
    -1
    """
    common = gcd(exponent, other_exponent)
    m, n = exponent // common, other_exponent // common
    if bit_count(base) * m + bit_count(other) * n <= _FEW_BITS:
        first: int = base.numerator**m * other.denominator**n
        second: int = other.numerator**n * base.denominator**m
        return (first > second) - (first < second)
    if base == 1 or other == 1:
        return (base > 1) - (other > 1)
    if _are_equal(base, m, other, n):
        return 0
    bits = 64 + 2 * max(m.bit_length(), n.bit_length())
    while True:
        with precision(bits):
            gap = ball_of(base - 1).log1p() * m - ball_of(other - 1).log1p() * n
            if gap > 0:
                return 1
            if gap < 0:
                return -1
        bits *= 2


def bit_count(value: Fraction) -> int:
    """The number of bits of numerator and denominator together."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def _are_equal(base: Fraction, m: int, other: Fraction, n: int) -> bool:
    """Whether base^m = other^n, for coprime m and n and rationals above 1."""
    if n >= base.numerator.bit_length() and n > 1:
        return False
    root = rational_root(base, n)
    return root is not None and m <= other.numerator.bit_length() and root**m == other


_WRITTEN_BITS = 1 << 16
"""A power of gamma of more bits is not written out."""

_SUM_BITS = 1 << 20

_SHORT_BITS, _LONG_BITS = 200, 4096
_FEW_ZEROS = 7
_LONG_FORM = 30


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Loss(ExactOrder, ShownFormula):
    """The loss ε = ln(gamma)/distance, exact; `INFINITE` is the loss that no finite budget covers.

    Two losses are compared exactly: ln(γ₁)/d₁ ≤ ln(γ₂)/d₂ iff γ₁^d₂ ≤ γ₂^d₁. Equal losses are equal and hash alike
    however they are written: `Loss(4, 2) == Loss(2, 1)`. With ints, fractions, texts and numbers of sympy ε is compared
    exactly, too (a text is never equal; a sympy number that is equal has another hash); losses are added, and
    multiplied by exact numbers.

    Attributes:
        gamma: e^(ε·distance), at least 1; None only for `INFINITE`.
        distance: the input distance over which the ratio gamma is spread, above 0. A fraction a/b becomes the int a,
            with gamma^b for gamma, unless that power has more than 2^16 bits: a large multiple of ln(gamma) stays one.

    Raises:
        InputError: gamma is not exact or below 1, or distance is not exact or not above 0.

    Source: dissertation, Definition 2.4.5 (the loss as a smallest budget), for D_Mult of article, (6).

    >>> Loss(Fraction(9, 8)), Loss(9, 2) < Loss(4)
    (<Loss ln(9/8) ≈ 0.117783>, True)
    >>> Loss(3) <= "1.0987", 2 * Loss(3) + "ln 2" == Loss(18), f"{Loss(3):.3f}"
    (True, True, '1.099')
    """

    gamma: Fraction | None
    distance: int | Fraction = 1

    def __post_init__(self) -> None:
        distance = positive("distance", self.distance)
        gamma = self.gamma
        if gamma is not None:
            gamma = likelihood_ratio("gamma", gamma)
            power = distance.denominator
            if gamma == 1 or (power > 1 and bit_count(gamma) * power <= _WRITTEN_BITS):
                gamma, distance = gamma if gamma == 1 else gamma**power, Fraction(distance.numerator)
            object.__setattr__(self, "gamma", gamma)
        object.__setattr__(self, "distance", distance.numerator if distance.denominator == 1 else distance)

    @property
    def is_infinite(self) -> bool:
        """Whether no finite budget covers the loss."""
        return self.gamma is None

    @property
    def is_zero(self) -> bool:
        """Whether the loss is 0, that is gamma = 1."""
        return self.gamma == 1

    def times(self, distance: Exact | None) -> Loss:
        """The bound ε·d of Equation (1)'s right-hand side; None stands for the distance ∞.

        0·∞ = ∞ holds for both factors: a loss of 0 at distance ∞ bounds nothing, and neither does an infinite loss at
        distance 0; the product is `INFINITE` in both cases.

        Source: dissertation, Remark 2.4.6.

        >>> Loss(4, 2).times(4) == Loss(16)
        True
        >>> INFINITE.times(0) == INFINITE, ZERO.times(None) == INFINITE
        (True, True)
        """
        if self.gamma is None or distance is None:
            return INFINITE
        scale = nonnegative("distance", distance)
        return Loss(*_spread(self.gamma, self.distance, scale)) if scale else ZERO

    def over(self, distance: Exact | None) -> Loss:
        """The smallest budget ε with self ≤ ε·d: `ZERO` at distance ∞, and at distance 0 `ZERO` or `INFINITE`.

        At distance 0 the right-hand side is 0 for every finite budget and ∞ for an infinite one, so a positive loss
        between data sets at distance 0 is covered by no finite budget.

        >>> Loss(9).over(2) == Loss(3), Loss(2).over(0) == INFINITE, INFINITE.over(None) == ZERO
        (True, True, True)
        """
        if distance is None:
            return ZERO
        scale = nonnegative("distance", distance)
        if self.gamma is None or scale == 0:
            return ZERO if self.gamma == 1 else INFINITE
        return Loss(*_spread(self.gamma, self.distance, 1 / scale))

    def plus(self, other: Loss) -> Loss:
        """The sum of two losses; an infinite one absorbs.

        >>> Loss(2).plus(Loss(9, 2)) == Loss(6), Loss(2).times(10**300).plus(Loss(2)) == Loss(2).times(10**300 + 1)
        (True, True)
        """
        if self.gamma is None or other.gamma is None:
            return INFINITE
        if self.gamma == 1 or other.gamma == 1:
            return self if other.gamma == 1 else other
        first, second = 1 / Fraction(self.distance), 1 / Fraction(other.distance)
        unit = Fraction(gcd(first.numerator, second.numerator), lcm(first.denominator, second.denominator))
        m, n = int(first / unit), int(second / unit)
        bits = bit_count(self.gamma) * m + bit_count(other.gamma) * n
        if bits > _WRITTEN_BITS and self.gamma == other.gamma:
            return Loss(self.gamma, 1 / (first + second))
        if bits > _SUM_BITS:
            raise InputError(f"losses must have a sum that can be written out; got {self} and {other}")
        return Loss(self.gamma**m * other.gamma**n, 1 / unit)

    def epsilon(self, digits: int = 20) -> Enclosure:
        """An enclosure of ε in nats."""
        if self.gamma is None:
            raise InputError("an infinite loss has no enclosure; test is_infinite first")
        gamma, distance = self.gamma, Fraction(self.distance)
        return enclose(lambda: ball_of(gamma - 1).log1p() / ball_of(distance), digits=digits)

    def ratio(self, digits: int = 20) -> Enclosure | None:
        """An enclosure of e^ε, whose ends are gamma where distance is 1; None where it is above 2^65536.

        >>> Loss(3).ratio() == Enclosure(3, 3), Loss(2).times(10**9).ratio()
        (True, None)
        """
        if self.gamma is None:
            return None
        gamma, distance = self.gamma, Fraction(self.distance)
        if power_order(gamma, distance.denominator, Fraction(2), _WRITTEN_BITS * distance.numerator) > 0:
            return None
        if distance == 1:
            return Enclosure(gamma, gamma)

        def power() -> Ball:
            return (ball_of(gamma - 1).log1p() / ball_of(distance)).exp()

        return enclose(power, digits=digits)

    def real(self) -> LogarithmSum:
        """The loss as a real number; an infinite one is none."""
        if self.gamma is None:
            raise TypeError("an infinite loss is no real number")
        return LogarithmSum({self.gamma: 1 / Fraction(self.distance)})

    def __float__(self) -> float:
        """The double nearest to ε, for display only."""
        if self.gamma is None:
            return float("inf")
        enclosure = self.epsilon(digits=30)
        return float((enclosure.lower + enclosure.upper) / 2)

    def __str__(self) -> str:
        """ε as a person reads it: the exact form, then its value; the value first where the exact form is long."""
        if self.gamma is None:
            return "infinite"
        if self.gamma == 1:
            return "0"
        exact_form = self._exact_form()
        value = f"≈ {self.epsilon().text()}"
        if exact_form is not None and len(exact_form) > _LONG_FORM:
            return f"{value} (exactly {exact_form})"
        return value if exact_form is None else f"{exact_form} {value}"

    def _exact_form(self) -> str | None:
        """The text ln(γ)/d, or b*ln(γ)/a for d = a/b, where it takes at most 60 characters; else None."""
        parts = self._short_parts()
        if parts is None:
            return None
        gamma, over, times = parts
        form = f"{'' if times == '1' else f'{times}*'}ln({gamma})"
        form += "" if over == "1" else f"/({over})" if "*" in over else f"/{over}"
        return form if len(form) <= 60 else None

    def _short_parts(self) -> tuple[Fraction, str, str] | None:
        """γ, and a and b of the distance a/b as texts, where all are short; else None. ln(9)/2 is ln(3)."""
        gamma, distance = self.gamma, self.distance
        if gamma is not None:
            gamma, distance = reduced_power(gamma, distance)
        # measured in bits first, since Python writes out no integer of more than 4300 digits
        over, times = (_integer_text(part) for part in distance.as_integer_ratio())
        if gamma is None or bit_count(gamma) > _SHORT_BITS or over is None or times is None:
            return None
        return gamma, over, times

    @property
    def is_rounded(self) -> bool:
        """Whether its text has a rounded value only, because the exact form is long."""
        return self.gamma not in (None, 1) and self._exact_form() is None

    def to_latex(self) -> str:
        """The exact form as LaTeX where it is short, then the value."""
        if self.gamma is None:
            return r"\infty"
        if self.gamma == 1:
            return "0"
        value = rf"\approx {decimal_text(self.epsilon().lower, 6)}"
        parts = self._short_parts()
        if parts is None or self._exact_form() is None:
            return value
        gamma, over, times = parts[0], *(_latex_power(text) for text in parts[1:])
        body = str(gamma) if gamma.denominator == 1 else rf"\tfrac{{{gamma.numerator}}}{{{gamma.denominator}}}"
        scale = ("" if times == "1" else times) if over == "1" else rf"\tfrac{{{times}}}{{{over}}}"
        return rf"{scale}\ln {body} {value}"

    def to_sympy(self) -> Any:
        """The loss as an expression of sympy.

        >>> Loss(9, 2).to_sympy(), INFINITE.to_sympy()
        (log(3), oo)
        """
        import sympy as sp  # noqa: PLC0415 slow to import

        if self.gamma is None:
            return sp.oo
        gamma, distance = reduced_power(self.gamma, self.distance)
        return sp.log(sp.Rational(*gamma.as_integer_ratio())) / sp.Rational(*Fraction(distance).as_integer_ratio())

    def __repr__(self) -> str:
        return f"<Loss {self}>"

    @classmethod
    def from_text(cls, text: str) -> Loss:
        """The loss that a text stands for: "ln 3", "ln(9/4)/2", "3/2*ln 2", "0" or "infinite".

        >>> Loss.from_text("ln(9)/2") == Loss(3)
        True
        """
        if isinstance(text, str) and text.strip() in ("0", "infinite"):
            return ZERO if text.strip() == "0" else INFINITE
        found = parse_logarithm("a loss", text)
        if found is None:
            raise InputError(f"a loss must be a text such as 'ln 3', 'ln(9/4)/2', '0' or 'infinite'; got {shown(text)}")
        gamma, times, root = found
        return cls(gamma, root / times)

    @classmethod
    def from_sympy(cls, number: Any) -> Loss:
        """The loss that a sum of rational multiples of logarithms of rationals is, such as sympy's log(9)/2.

        >>> import sympy as sp
        >>> Loss.from_sympy(sp.log(3) / 2 + sp.log(2)) == Loss(12, 2)
        True
        """
        found = _from_sympy(number)
        if isinstance(found, Loss) or found == 0:
            return found if isinstance(found, Loss) else ZERO
        if not isinstance(found, LogarithmSum):
            raise InputError(f"a loss must be a sum of logarithms; got {number}")
        over = lcm(*(c.denominator for c in found.terms.values()))
        return cls(prod((q ** int(c * over) for q, c in found.terms.items()), start=Fraction(1)), over)

    def _against(self, other: Any) -> Any:
        if isinstance(other, Loss):
            return _order(self, other)
        that = _number(other)
        if self.gamma is None or isinstance(that, Loss) or that is NotImplemented:
            return that if that is NotImplemented else _order(self, that) if isinstance(that, Loss) else 1
        return order(self.real().value, that)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Loss):
            return _order(self, other) == 0
        sign = NotImplemented if isinstance(other, (str, bool)) or other is None else self._against(other)
        return sign if sign is NotImplemented else sign == 0

    _sympy_ = to_sympy

    def __add__(self, other: object) -> Any:
        that = other if isinstance(other, Loss) else _loss(other)
        return that if that is NotImplemented else self.plus(that)

    __radd__ = __add__

    def __mul__(self, factor: object) -> Any:
        number = rational_of(factor)
        return number if number is NotImplemented else self.times(number)

    __rmul__ = __mul__

    def __truediv__(self, divisor: object) -> Any:
        number = rational_of(divisor)
        return number if number is NotImplemented else self.over(positive("divisor", number))

    def __format__(self, form: str) -> str:
        """As `str`; with decimal places, such as ".3f", rounded up: the least decimal that is enough as a budget."""
        if not form or self.gamma is None:
            return format(str(self), form.partition(".")[0])
        upper = self.epsilon(digits=60).upper
        return outward(upper, upper, form, is_upper=True)

    def __hash__(self) -> int:
        if self.gamma is None or self.gamma == 1:
            return hash("infinite" if self.gamma is None else 0)  # as that of the number 0
        digits = 40
        while True:  # ends: the logarithm of a rational other than 1 is irrational, so no whole number is ε·2^64
            ends = self.epsilon(digits)
            low, high = floor(ends.lower * 2**64), floor(ends.upper * 2**64)
            if low == high:
                return hash(("Loss", low))
            digits *= 2


def _spread(gamma: Fraction, distance: int | Fraction, times: Fraction) -> tuple[Fraction, int | Fraction]:
    """Gamma and distance of a multiple: the power of gamma where it is short, else a smaller distance."""
    power, over = times.as_integer_ratio()
    if bit_count(gamma) * power <= _WRITTEN_BITS:
        return gamma**power, distance * over
    return gamma, distance / times


def _number(value: Any) -> Any:
    """Another number as a rational, a real or a loss, from a text or from sympy too; else NotImplemented."""
    if isinstance(value, str) and (parse_logarithm("a number", value) or value.strip() == "infinite"):
        return Loss.from_text(value)
    if isinstance(value, Real):
        return value
    if getattr(value, "is_number", False) is True and not value.is_Rational:
        return _from_sympy(value)
    return rational_of(value)


def _from_sympy(number: Any) -> LogarithmSum | Fraction | Loss:
    """A sum of rational multiples of logarithms of rationals, of sympy, as a real; its infinity as a loss."""
    if number.is_Rational:
        return Fraction(int(number.p), int(number.q))
    if number.is_infinite and number.is_extended_positive:
        return INFINITE
    terms: dict[Fraction, Fraction] = {}
    for term in number.expand().as_ordered_terms():
        factor, rest = term.as_coeff_Mul()
        if rest.func.__name__ != "log" or not rest.args[0].is_Rational or not factor.is_Rational:
            raise InputError(f"a number of sympy must be rational or a sum of logarithms of such; got {number}")
        argument = Fraction(int(rest.args[0].p), int(rest.args[0].q))
        terms[argument] = terms.get(argument, Fraction(0)) + Fraction(int(factor.p), int(factor.q))
    total = LogarithmSum(terms)
    return Fraction(0) if total.is_zero else total


def read_loss(name: str, value: Any) -> Loss | Fraction:
    """A budget ε ≥ 0 as a `Loss`, or as the number itself: from either, from "ln 3", "infinite" or an exact text.

    >>> read_loss("epsilon", "ln 3"), read_loss("epsilon", "0.5")
    (<Loss ln(3) ≈ 1.09861>, Fraction(1, 2))
    """
    if isinstance(value, Loss):
        return value
    if isinstance(value, str) and (parse_logarithm(name, value) or value.strip() == "infinite"):
        return Loss.from_text(value)
    return nonnegative(name, parse_exact(name, value))


def _loss(value: Any) -> Any:
    """Another loss: its text, or 0; NotImplemented for what is none."""
    if isinstance(value, str):
        return Loss.from_text(value)
    return ZERO if rational_of(value) == 0 else NotImplemented


def _order(first: Loss, second: Loss) -> int:
    if first.gamma is None or second.gamma is None:
        return (first.gamma is None) - (second.gamma is None)
    if first.distance == second.distance:
        return (first.gamma > second.gamma) - (first.gamma < second.gamma)
    power, other = Fraction(second.distance, first.distance).as_integer_ratio()
    return power_order(first.gamma, power, second.gamma, other)


def _integer_text(number: int) -> str | None:
    """A positive integer, by a power of ten where it ends in seven zeros or more; None where it is long.

    >>> _integer_text(1000000), _integer_text(3 * 10**300), _integer_text(3**300)
    ('1000000', '3*10^300', None)
    """
    if number.bit_length() > _LONG_BITS:
        return None
    zeros, rest = 0, number
    while rest % 10 == 0:
        zeros, rest = zeros + 1, rest // 10
    if rest.bit_length() > _SHORT_BITS:
        return None
    if zeros < _FEW_ZEROS:
        return str(number)
    return f"10^{zeros}" if rest == 1 else f"{rest}*10^{zeros}"


def _latex_power(text: str) -> str:
    head, _, exponent = text.replace("*", r"\cdot ").partition("^")
    return f"{head}^{{{exponent}}}" if exponent else head


ZERO = Loss(Fraction(1))
"""No loss: the two laws are equal."""

INFINITE = Loss(None)
"""The loss that no finite budget covers."""

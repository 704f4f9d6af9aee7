"""Exact protection losses of pure differential privacy: ε = ln(γ)/d with γ rational and d a positive integer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import flint

from spec.arguments import Exact, InputError, exact, integer, nonnegative
from spec.ball import ball_of
from spec.enclosure import Enclosure, decimal_text, enclose

__all__ = ["INFINITE", "ZERO", "Loss"]


@dataclass(frozen=True, eq=False, slots=True)
class Loss:
    """The loss ε = ln(gamma)/distance, exact; `INFINITE` is the loss that no finite budget covers.

    Two losses are compared exactly: ln(γ₁)/d₁ ≤ ln(γ₂)/d₂ iff γ₁^d₂ ≤ γ₂^d₁. Equal losses are equal and hash alike
    however they are written: `Loss(4, 2) == Loss(2, 1)`.

    Attributes:
        gamma: e^(ε·distance), at least 1; None only for `INFINITE`.
        distance: the input distance over which the ratio gamma is spread, at least 1.

    Raises:
        InputError: gamma is not exact or below 1, or distance is not a positive int.

    Source: dissertation, Definition 2.4.5 (the loss as a smallest budget), for D_Mult of article, (6).

    >>> Loss(Fraction(9, 8))
    Loss(gamma=Fraction(9, 8), distance=1)
    >>> Loss(9, 2) < Loss(4)
    True
    """

    gamma: Fraction | None
    distance: int = 1

    def __post_init__(self) -> None:
        integer("distance", self.distance, minimum=1)
        if self.gamma is None:
            return
        gamma = exact("gamma", self.gamma)
        if gamma < 1:
            raise InputError(f"gamma must be at least 1; got {self.gamma!r}")
        object.__setattr__(self, "gamma", gamma)

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
        return Loss(self.gamma**scale.numerator, self.distance * scale.denominator)

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
        return Loss(self.gamma**scale.denominator, self.distance * scale.numerator)

    def epsilon(self, digits: int = 20) -> Enclosure:
        """An enclosure of ε in nats.

        Raises:
            InputError: the loss is infinite.
        """
        if self.gamma is None:
            raise InputError("an infinite loss has no enclosure; test is_infinite first")
        gamma, distance = self.gamma, self.distance
        return enclose(lambda: ball_of(gamma - 1).log1p() / distance, digits=digits)

    def __float__(self) -> float:
        """The double nearest to ε, for display only."""
        if self.gamma is None:
            return float("inf")
        enclosure = self.epsilon(digits=30)
        return float((enclosure.lower + enclosure.upper) / 2)

    def __str__(self) -> str:
        """ε as a person reads it: the exact form, then its value."""
        if self.gamma is None:
            return "infinite"
        if self.gamma == 1:
            return "0"
        exact_form = self._exact_form()
        value = f"≈ {self.epsilon().text()}"
        return value if exact_form is None else f"{exact_form} {value}"

    def _exact_form(self) -> str | None:
        """The text ln(γ)/d where it takes at most 60 characters, so at most 200 bits; else None."""
        # measured in bits first, since Python writes out no integer of more than 4300 digits
        if self.gamma is None or sum(n.bit_length() for n in (*self.gamma.as_integer_ratio(), self.distance)) > 200:
            return None
        form = f"ln({self.gamma})" if self.distance == 1 else f"ln({self.gamma})/{self.distance}"
        return form if len(form) <= 60 else None

    def _repr_latex_(self) -> str:
        if self.gamma is None:
            return r"$\infty$"
        gamma = self.gamma
        if gamma == 1:
            return "$0$"
        value = rf"\approx {decimal_text(self.epsilon().lower, 6)}"
        if self._exact_form() is None:
            return f"${value}$"
        body = str(gamma) if gamma.denominator == 1 else rf"\tfrac{{{gamma.numerator}}}{{{gamma.denominator}}}"
        scale = "" if self.distance == 1 else rf"\tfrac{{1}}{{{self.distance}}}"
        return rf"${scale}\ln {body} {value}$"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Loss):
            return NotImplemented
        if self.gamma is None or other.gamma is None:
            return self.gamma is other.gamma
        first, second = _powers(self.gamma, self.distance, other.gamma, other.distance)
        return first == second

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Loss):
            return NotImplemented
        return _exceeds(other, self)

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Loss):
            return NotImplemented
        return not _exceeds(self, other)

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, Loss):
            return NotImplemented
        return _exceeds(self, other)

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, Loss):
            return NotImplemented
        return not _exceeds(other, self)

    def __hash__(self) -> int:
        if self.gamma is None:
            return hash(("Loss", None))
        gamma, distance = self.gamma, self.distance
        for prime in _prime_factors(distance):
            while distance % prime == 0 and (reduced := _exact_root(gamma, prime)) is not None:
                gamma, distance = reduced, distance // prime
        return hash(("Loss", gamma, distance))


def _exceeds(first: Loss, second: Loss) -> bool:
    if first.gamma is None or second.gamma is None:
        return second.gamma is not None
    high, low = _powers(first.gamma, first.distance, second.gamma, second.distance)
    return high > low


def _powers(gamma: Fraction, distance: int, other: Fraction, other_distance: int) -> tuple[int, int]:
    """Integers in the order of gamma^other_distance and other^distance, without the fractions between."""
    common = gcd(distance, other_distance)
    first, second = other_distance // common, distance // common
    return (
        gamma.numerator**first * other.denominator**second,
        other.numerator**second * gamma.denominator**first,
    )


def _prime_factors(number: int) -> tuple[int, ...]:
    return tuple(int(prime) for prime, _ in flint.fmpz(number).factor())


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational root of a positive rational, or None where it is irrational."""
    top, bottom = (int(flint.fmpz(part).root(degree)) for part in (value.numerator, value.denominator))
    return Fraction(top, bottom) if Fraction(top, bottom) ** degree == value else None


ZERO = Loss(Fraction(1))
"""No loss: the two laws are equal."""

INFINITE = Loss(None)
"""The loss that no finite budget covers."""

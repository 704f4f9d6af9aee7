"""Sums of rational multiples of logarithms of rationals: Kullback-Leibler divergences, and losses.

Whether such a sum is 0 is decided without factoring: the numbers are written as products of powers of pairwise coprime
integers, whose logarithms are linearly independent over the rationals. A sum that is not 0 is no rational number, since
e to a rational other than 0 is transcendental (Lindemann).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd

from stirred.spec.arguments import InputError, parse_exact
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.reals.real import Number, Real

_LONGEST = 60
_MOST_SHOWN = 12


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers above 1 such that each of the positive numbers is a product of their powers.

    Source: Bernstein (2005), "Factoring into coprimes in essentially linear time"; here by the plain algorithm.

    >>> sorted(coprime_base([12, 18]))
    [2, 3]
    """
    base: list[int] = []
    waiting = [number for number in numbers if number > 1]
    while waiting:
        number = waiting.pop()
        for place, other in enumerate(base):
            common = gcd(number, other)
            if common > 1:
                del base[place]
                waiting += [one for one in (common, other // common, number // common) if one > 1]
                break
        else:
            base.append(number)
    return base


_LOGARITHM = re.compile(
    r"(?:(?P<times>[1-9][0-9]{0,3}(?:/[1-9][0-9]{0,3})?)\s*[*·]?\s*)?"
    r"(?:ln|log)(?:\s*\(\s*(?P<inside>[^()]+?)\s*\)(?:\s*/\s*(?P<root>[1-9][0-9]{0,3}))?|\s+(?P<after>[^()]+?))"
)


def parse_logarithm(name: str, text: object) -> tuple[Fraction, Fraction, int] | None:
    """γ, a and k of a text for a·ln(γ)/k, with γ at least 1, such as "ln 3", "ln(9/4)/2" or "3/2*ln 2"; else None.

    >>> parse_logarithm("epsilon", "3/2*ln 4")
    (Fraction(4, 1), Fraction(3, 2), 1)
    """
    found = _LOGARITHM.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        return None
    gamma = parse_exact(name, found["inside"] or found["after"])
    if gamma < 1:
        raise InputError(f"{name} must be the logarithm of a number of at least 1; got {text!r}")
    return gamma, Fraction(found["times"] or 1), int(found["root"] or 1)


class LogarithmSum(Real):
    """Σ c·ln r, exact.

    Args:
        terms: c, rational, by r, a positive rational.

    >>> print(LogarithmSum({Fraction(3): Fraction(3, 4), Fraction(1, 3): Fraction(1, 4)}))
    1/2*ln(3) ≈ 0.549306
    """

    def __init__(self, terms: Mapping[Fraction, Fraction]) -> None:
        found: dict[Fraction, Fraction] = {}
        for argument, coefficient in terms.items():
            sign, above = (1, argument) if argument > 1 else (-1, 1 / argument)
            found[above] = found.get(above, Fraction(0)) + sign * coefficient
        self.terms = {argument: c for argument, c in sorted(found.items()) if c and argument != 1}

    @property
    def value(self) -> Number:
        """The sum as a `Fraction` where no logarithm is left."""
        return self if self.terms else Fraction(0)

    @property
    def is_zero(self) -> bool:
        """Whether the sum is 0, decided exactly."""
        return not any(self._in_base().values())

    def _in_base(self) -> dict[int, Fraction]:
        """The coefficients of the logarithms of pairwise coprime integers."""
        base = coprime_base(part for argument in self.terms for part in argument.as_integer_ratio())
        return {
            one: sum((c * _exponent(argument, one) for argument, c in self.terms.items()), Fraction(0)) for one in base
        }

    def ball(self) -> Ball:
        parts = (ball_of(c) * ball_of(argument - 1).log1p() for argument, c in self.terms.items())
        return sum(parts, ball_of(Fraction(0)))

    def times(self, factor: Fraction) -> LogarithmSum:
        return LogarithmSum({argument: factor * c for argument, c in self.terms.items()})

    def plus(self, other: Number) -> LogarithmSum | None:
        if isinstance(other, Fraction):
            return None if other else self
        if not isinstance(other, LogarithmSum):
            return None
        arguments = dict.fromkeys((*self.terms, *other.terms))
        none = Fraction(0)
        return LogarithmSum({one: self.terms.get(one, none) + other.terms.get(one, none) for one in arguments})

    def equals(self, other: Number) -> bool | None:
        if isinstance(other, Fraction):
            return not other and self.is_zero
        if not isinstance(other, LogarithmSum):
            return None
        difference = self.plus(LogarithmSum({one: -c for one, c in other.terms.items()}))
        return difference is not None and difference.is_zero

    def exact_form(self) -> str:
        if len(self.terms) > _MOST_SHOWN:
            return ""
        form = _shown(self.terms)
        if len(self.terms) > 1:
            form = min(form, _shown(dict(sorted(self._in_base().items()))), key=len)
        return form if len(form) <= _LONGEST else ""


def _shown(terms: Mapping[int, Fraction] | Mapping[Fraction, Fraction]) -> str:
    factors = {Fraction(1): "", Fraction(-1): "-"}
    form = " + ".join(f"{factors.get(c, f'{c}*')}ln({argument})" for argument, c in terms.items() if c)
    return form.replace("+ -", "- ")


def _exponent(argument: Fraction, base: int) -> int:
    """How often a member of a coprime base divides a number: negative where it divides the denominator."""
    found = 0
    for part, sign in zip(argument.as_integer_ratio(), (1, -1), strict=True):
        left = part
        while left % base == 0:
            left, found = left // base, found + sign
    return found

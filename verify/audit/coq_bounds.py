"""Rational bounds on e^(ε·d) that a Coq file names and the checker of `proofs/theories/audit` shows again.

The arithmetic of `exponential_bound.v` stands here a second time, in integers, so that a file only names bounds that
Coq will accept: below the power for a budget that is met, above it for one that is exceeded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["BudgetPower", "squarings"]

_BITS = (2, 4, 8, 16, 32, 64, 128, 256)
_MOST_NATS, _MOST_BITS = 2_000, 1 << 18
_SQUARINGS = (16, 32, 64, 128, 256, 512)


@dataclass(frozen=True)
class BudgetPower:
    """e^(ε·d) for a budget ε that is a rational number, or ln(γ)/k.

    Attributes:
        epsilon: ε, where it is rational; else None.
        gamma: γ >= 1, where ε = ln(γ)/k; else not used.
        root: k.
    """

    epsilon: Fraction | None
    gamma: Fraction = Fraction(1)
    root: int = 1

    def is_large(self, d: Fraction) -> bool:
        """Whether e^(ε·d) takes too long to write out, for Coq too.

        >>> BudgetPower(None, Fraction(2)).is_large(Fraction(10**6)), BudgetPower(Fraction(1, 2)).is_large(Fraction(9))
        (True, False)
        """
        if self.epsilon is not None:
            return self.epsilon * d > _MOST_NATS
        roots = self.root * d.denominator * _BITS[-1]
        return self.gamma.numerator.bit_length() * d.numerator + roots > _MOST_BITS

    def below(self, d: Fraction) -> Iterator[Fraction]:
        """Rationals at most e^(ε·d): itself where it is rational, else nearer and nearer ones of few digits.

        >>> list(BudgetPower(None, Fraction(9), 2).below(Fraction(3)))
        [Fraction(27, 1)]
        >>> next(BudgetPower(Fraction(4, 5)).below(Fraction(1)))
        Fraction(2, 1)
        """
        exact = self._exact(d)
        if exact is not None:
            yield exact
            return
        for bits in _BITS:
            yield Fraction(self._floor(d, bits), 1 << bits)

    def above(self, d: Fraction) -> Iterator[Fraction]:
        """Rationals at least e^(ε·d): itself where it is rational, else nearer and nearer ones of few digits."""
        exact = self._exact(d)
        if exact is not None:
            yield exact
            return
        for bits in _BITS:
            yield Fraction(self._floor(d, bits) + 2, 1 << bits)

    def is_shown(self, k: int, d: Fraction, g: Fraction, *, is_below: bool) -> bool:
        """What `at_least` of the Coq checker says of g with k squarings, or `at_most`."""
        if self.epsilon is None:
            m = self.root * d.denominator
            return g**m <= self.gamma**d.numerator if is_below else g**m >= self.gamma**d.numerator
        u, v = self._exponent(d)
        if is_below:
            return g <= Fraction(_exp_lower(k, u, v), 1 << 2 * k)
        return u < v << k and g >= Fraction(_exp_upper(k, u, v), 1 << 2 * k)

    def _exponent(self, d: Fraction) -> tuple[int, int]:
        epsilon = self.epsilon or Fraction(0)
        return epsilon.numerator * d.numerator, epsilon.denominator * d.denominator

    def _exact(self, d: Fraction) -> Fraction | None:
        """The power itself where it is rational: of γ by an exact root."""
        if self.epsilon is not None:
            return None if self.epsilon * d else Fraction(1)
        m, power = self.root * d.denominator, self.gamma**d.numerator
        found = Fraction(_root(power.numerator, m), _root(power.denominator, m))
        return found if found**m == power else None

    def _floor(self, d: Fraction, bits: int) -> int:
        """A whole number at most e^(ε·d)·2^bits, and above it less 2."""
        if self.epsilon is None:
            m, power = self.root * d.denominator, self.gamma**d.numerator
            return _root((power.numerator << bits * m) // power.denominator, m)
        u, v = self._exponent(d)
        k = bits + 32 + 4 * (u // v + 1).bit_length() + 2 * (u // v)
        return _exp_lower(k, u, v) >> 2 * k - bits


def squarings(power: BudgetPower, bounds: Sequence[tuple[Fraction, Fraction]], *, is_below: bool) -> int | None:
    """The fewest squarings, of a short list, with which Coq shows every bound (d, g); None where none of them does."""
    return next(
        (k for k in _SQUARINGS if all(power.is_shown(k, d, g, is_below=is_below) for d, g in bounds)),
        None,
    )


def _exp_lower(k: int, u: int, v: int) -> int:
    """At most e^(u/v)·2^(2k): 1 + y at y = u/(v·2^k), rounded down and squared k times."""
    y = (1 << 2 * k) + (u << 2 * k) // (v << k)
    for _ in range(k):
        y = y * y >> 2 * k
    return y


def _exp_upper(k: int, u: int, v: int) -> int:
    """At least e^(u/v)·2^(2k): 1/(1 - y) at y = u/(v·2^k) < 1, rounded up and squared k times."""
    y = ((v << k) << 2 * k) // ((v << k) - u) + 1
    for _ in range(k):
        y = (y * y >> 2 * k) + 1
    return y


def _root(whole: int, degree: int) -> int:
    """The largest integer whose power of a degree is at most a whole number >= 0."""
    low, high = 0, 1 << (whole.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= whole else (low, middle)
    return low

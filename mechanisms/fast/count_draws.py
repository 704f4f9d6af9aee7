"""Exact draws of binomial and hypergeometric counts of any size, without drawing the elements that are counted.

A draw inverts the distribution function at a uniform real u, going out from the mode m: m, m+1, m−1, m+2, … The
probability of the mode is enclosed by integers over 2^k (exactly for small numbers, by ball arithmetic beyond), and
those beside it follow by exact quotients of neighbours, which are at most 1 on the way out, so that each step of
rounding down adds at most one unit of 2^−k to what is unknown. A sum that does not decide is computed anew with more
digits of u: the law is exact, from integers and random bits only. The work grows with the standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, floor

import flint

from stirred.mechanisms.fast.random_words import Words
from stirred.spec.ball import Ball, dyadic, precision

__all__ = ["binomial", "happens", "hypergeometric", "multivariate_hypergeometric"]

_DIGITS = 128
_WORD = 64
_SMALL = 400
"""Up to so many elements, the binomial coefficients themselves are computed."""

Quotient = Callable[[int], tuple[int, int]]
Enclosure = Callable[[int], tuple[int, int]]


def _uniform_digits(digits: int, words: Words) -> int:
    """So many random binary digits, a multiple of 64, as an integer."""
    value = 0
    for word in words(digits // _WORD).tolist():
        value = value << _WORD | word
    return value


def binomial(n: int, p: Fraction, words: Words) -> int:
    """How many of n elements are selected, each independently with probability p.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> binomial(10**12, Fraction(1, 2), random_words(1)) // 10**9
    500
    """
    if p in (0, 1) or n == 0:
        return n if p == 1 else 0
    chosen, others = p.numerator, p.denominator - p.numerator
    mode = (n + 1) * chosen // p.denominator

    def at_mode(digits: int) -> tuple[int, int]:
        if n <= _SMALL:
            share = comb(n, mode) * chosen**mode * others ** (n - mode) << digits
            return share // p.denominator**n, 1
        return _enclosed(
            digits,
            lambda: (
                _log_comb(n, mode)
                + mode * flint.arb(chosen).log()
                + (n - mode) * flint.arb(others).log()
                - n * flint.arb(p.denominator).log()
            ),
        )

    return _inverted(mode, (0, n), at_mode, lambda x: ((n - x) * chosen, (x + 1) * others), words)


def hypergeometric(marked: int, others: int, drawn: int, words: Words) -> int:
    """How many of so many elements drawn from `marked` and `others` are marked; each set of them is equally likely.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> hypergeometric(10**12, 10**12, 10**12, random_words(1)) // 10**9
    499
    """
    least, most = max(0, drawn - others), min(marked, drawn)
    if least == most:
        return least
    mode = (drawn + 1) * (marked + 1) // (marked + others + 2)

    def at_mode(digits: int) -> tuple[int, int]:
        if marked + others <= _SMALL:
            ways = comb(marked, mode) * comb(others, drawn - mode) << digits
            return ways // comb(marked + others, drawn), 1
        return _enclosed(
            digits,
            lambda: _log_comb(marked, mode) + _log_comb(others, drawn - mode) - _log_comb(marked + others, drawn),
        )

    def quotient(x: int) -> tuple[int, int]:
        return (marked - x) * (drawn - x), (x + 1) * (others - drawn + x + 1)

    return _inverted(mode, (least, most), at_mode, quotient, words)


def multivariate_hypergeometric(counts: Sequence[int], drawn: int, words: Words) -> list[int]:
    """How many of each kind are among so many elements drawn; each set of them is equally likely.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> multivariate_hypergeometric([2, 0, 3], 5, random_words(1))
    [2, 0, 3]
    """
    left, found = sum(counts), []
    for count in counts:
        left -= count
        taken = hypergeometric(count, left, drawn, words) if drawn else 0
        drawn -= taken
        found.append(taken)
    return found


def happens(share: Enclosure, words: Words) -> bool:
    """True with a probability of which `share(k)` gives an enclosure (low, width) in units of 2^−k."""
    digits, u = _DIGITS, _uniform_digits(_DIGITS, words)
    while True:
        low, width = share(digits)
        if u + 1 <= low:
            return True
        if u >= low + width:
            return False
        u = u << _DIGITS | _uniform_digits(_DIGITS, words)
        digits += _DIGITS


def _inverted(mode: int, ends: tuple[int, int], at_mode: Enclosure, quotient: Quotient, words: Words) -> int:
    """The value at which the distribution function, summed out from the mode, passes a uniform real.

    Args:
        mode: the likeliest value.
        ends: the least and the greatest value.
        at_mode: an enclosure (low, width) of its probability in units of 2^−k, by k.
        quotient: P(x + 1)/P(x) as numerator and denominator.
        words: the source of randomness.
    """
    digits, u = _DIGITS, _uniform_digits(_DIGITS, words)
    while (found := _passed(mode, ends, at_mode(digits), quotient, u)) is None:
        u = u << _DIGITS | _uniform_digits(_DIGITS, words)
        digits += _DIGITS
    return found


def _passed(mode: int, ends: tuple[int, int], first: tuple[int, int], quotient: Quotient, u: int) -> int | None:
    """The same for the reals that begin with the digits u; None where they do not decide.

    `above` and `below` are no more than the probabilities of the values `high` and `low`, by at most `width` units
    after so many steps on their side; `total` is no more than the sum, by at most `slack`.
    """
    least, most = ends
    low = high = last = mode
    above = below = total = first[0]
    width_above = width_below = slack = first[1]
    while u + 1 > total:
        going_up = high < most and (high - mode <= mode - low or low == least)
        if u < total + slack or (low == least and not going_up):
            return None
        if going_up:
            numerator, denominator = quotient(high)
            last = high = high + 1
            above = above * numerator // denominator
            width_above += 1
            total, slack = total + above, slack + width_above
        else:
            last = low = low - 1
            denominator, numerator = quotient(low)
            below = below * numerator // denominator
            width_below += 1
            total, slack = total + below, slack + width_below
    return last


def _enclosed(digits: int, logarithm: Callable[[], Ball]) -> tuple[int, int]:
    """The exponential of a logarithm, as an enclosure (low, width) in units of 2^−digits."""
    with precision(digits + 2 * _WORD):
        scaled = logarithm().exp() * flint.arb(2) ** digits
        low, high = (floor(dyadic(end)) for end in (scaled.lower(), scaled.upper()))
    return low, high - low + 1


def _log_comb(n: int, k: int) -> Ball:
    """Ln of the binomial coefficient."""
    return flint.arb(n + 1).lgamma() - flint.arb(k + 1).lgamma() - flint.arb(n - k + 1).lgamma()

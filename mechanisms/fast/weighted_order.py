"""Numbers drawn one after another in proportion to their weights, of all at once: an exact race of exponential clocks.

Number i has the time E_i/w_i, E_i = −ln U_i. The first of independent exponential times with rates w_i is i with
probability w_i/Σw, and by lack of memory so on among the others: the order of the times is that of
`mechanisms.swapping.targeted_swapping.weighted_order`. U_i is known by its first 64 binary digits, so a time lies in an
interval; where two overlap their U have further digits drawn until they do not, so that no rounding changes the law.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_permutation

Numbers = NDArray[np.int64]

_RELATIVE = 2.0**-45
"""More than the rounding of a time: a logarithm of at most 4 units in the last place, and five operations."""


def weighted_order(above: Numbers, below: Numbers, words: Words) -> Numbers:
    """The numbers 0, …, n − 1 in the order in which they are drawn by their weights above/below.

    Args:
        above: at least 0; numbers of weight 0 come last, in a uniform order.
        below: at least 1.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> weighted_order(np.array([1, 0, 10**9]), np.array([1, 1, 1]), random_words(1)).tolist()
    [2, 0, 1]
    """
    some, none = np.flatnonzero(above), np.flatnonzero(above == 0)
    digits = words(len(some))
    low, high = _times(digits, above[some], below[some])
    order = np.argsort(low)
    reached = np.maximum.accumulate(high[order])
    apart = 1 + np.flatnonzero(reached[:-1] < low[order][1:])
    for start, end in pairwise([0, *apart.tolist(), len(order)]):
        if end - start > 1:
            tied = order[start:end]
            rates = [Fraction(int(above[some[i]]), int(below[some[i]])) for i in tied]
            order[start:end] = tied[_refined([int(digits[i]) for i in tied], rates, words)]
    return np.concatenate((some[order], none[random_permutation(len(none), words)]))


def _times(digits: NDArray[np.uint64], above: Numbers, below: Numbers) -> tuple[NDArray[np.float64], ...]:
    """Intervals in which the times lie: U is in (u, u + 1]/2^64, or its distance from 1 in [2^64 − u − 1, 2^64 − u)."""
    late = digits < np.uint64(2**63)
    near = np.where(late, digits, ~digits).astype(np.float64)  # rounded by at most 2^-53 of it
    inner, outer = np.maximum(near * (1 - _RELATIVE), 0), (near + 1) * (1 + _RELATIVE)
    with np.errstate(divide="ignore"):
        first = np.where(late, -np.log(np.minimum(outer * 2.0**-64, 1)), -np.log1p(-inner * 2.0**-64))
        last = np.where(late, -np.log(inner * 2.0**-64), -np.log1p(-outer * 2.0**-64))
    scale = below / above
    return first * scale * (1 - _RELATIVE), last * scale * (1 + _RELATIVE)


def _refined(digits: Sequence[int], rates: Sequence[Fraction], words: Words) -> list[int]:
    """The order of times that 64 digits do not tell apart."""
    known, bits = list(digits), 64
    while True:
        bits += 64
        known = [u << 64 | int(more) for u, more in zip(known, words(len(known)), strict=True)]
        with mpmath.workprec(bits + 64):
            ends = [_interval(u, bits, rate) for u, rate in zip(known, rates, strict=True)]
            order = sorted(range(len(known)), key=lambda i: ends[i][0])
            if all(ends[i][1] < ends[j][0] for i, j in pairwise(order)):
                return order


def _interval(u: int, bits: int, rate: Fraction) -> tuple[mpmath.mpf, mpmath.mpf]:
    share = mpmath.mpf(rate.denominator) / rate.numerator
    slack = mpmath.ldexp(1, -bits - 32)
    whole = bits * mpmath.log(2)
    last = (whole - mpmath.log(u)) * share if u else mpmath.inf
    return (whole - mpmath.log(u + 1)) * share - slack * share, last + slack * share

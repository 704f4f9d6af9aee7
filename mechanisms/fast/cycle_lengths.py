"""The cycle lengths of uniform derangements, drawn exactly and without rejection, for many sets at once.

With D(j) = d(j)/j!, d the derangement numbers, the cycle through one given element of a uniform derangement of m
elements leaves r elements outside with probability D(r)/(m·D(m)): (m−1)!/r! ways to go round times d(r) for the rest,
of d(m). These sum over r = 0, …, R to θ(R+2)/θ(m), where θ(j) = j·D(j), since
(j−1)!·θ(j) = d(j) = (j−1)·(d(j−1) + d(j−2)). So for a uniform real u

    r = #{j in 2, …, m−1 : θ(j) ≤ u·θ(m)}.

The rest is again a uniform derangement, of r elements. Let a_1, …, a_k be a uniform order, cut into cycles of the
lengths drawn. It ends at each derangement τ with probability 1/d(k): an order that can give τ does so by one sequence
of lengths, of probability ∏ D(r)/(m·D(m)) = (1/D(k))·∏ 1/m over the cycles, as the factors D cancel; such an order is a
choice of the first element of each cycle among the m that are left, so ∏ 1/m sums to 1 over these orders; and every
order has probability 1/k!.

In sets of fewer than 40 elements r is drawn from these weights, of which a byte decides nearly always. In larger ones,
as θ(j)·e = j within 3/j!, the first 32 digits of u decide in machine integers but for about m + 500 in 2^32 draws;
where the two ends of what is known of u disagree, further digits are drawn and compared in exact rationals.
"""

from bisect import bisect_right
from fractions import Fraction
from functools import cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_halves
from stirred.mechanisms.fast.small_laws import SmallLaw, SmallLaws
from stirred.spec.arguments import InputError

MOST_ELEMENTS = 2**31 - 1
"""So many elements at most, for products with 32 digits to stay below 2^63."""

Counts = NDArray[np.int64]

_DIGITS = 32
_TABLE = 40


def cycles(sizes: Counts, words: Words) -> tuple[Counts, Counts]:
    """The cycles of an independent uniform derangement of each of these numbers of elements, laid end to end.

    Args:
        sizes: numbers of elements, none of them 1.

    Returns:
        The place of the first element and the length of each cycle; together they cover 0, …, sum(sizes) − 1, and each
        set lies after the one before.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> cycles(np.array([2, 0, 3]), random_words(1))
    (array([0, 2]), array([2, 3]))
    """
    if (sizes == 1).any():
        raise InputError("sizes must be 0 or at least 2; got 1, which has no derangement")
    starts, lengths = [], []
    more = np.flatnonzero(sizes)
    left = sizes.take(more)
    place = np.cumsum(left) - left
    while len(more):
        rest = remainders(left, words)
        left -= rest
        starts.append(place)
        lengths.append(left)
        more = np.flatnonzero(rest)
        place = (place + left).take(more)
        left = rest.take(more)
    if not starts:
        return left, left
    return np.concatenate(starts), np.concatenate(lengths)


def remainders(sizes: Counts, words: Words) -> Counts:
    """For each number m ≥ 2 of elements, how many lie outside one element's cycle in a uniform derangement."""
    is_large = sizes >= _TABLE
    if is_large.all():
        return _of_large_sets(sizes, words)
    if not is_large.any():
        return _small_sets().draw(sizes, words)
    rest = np.empty_like(sizes)
    large, small = np.flatnonzero(is_large), np.flatnonzero(~is_large)
    rest[large] = _of_large_sets(sizes.take(large), words)
    rest[small] = _small_sets().draw(sizes.take(small), words)
    return rest


@cache
def _small_sets() -> SmallLaws:
    """The law of r for each number m < 40 of elements, by the weights (m−1)!/r!·d(r)."""
    fewer = [SmallLaw.of([1])] * 2
    return SmallLaws([*fewer, *(SmallLaw.of(_weights(m)) for m in range(2, _TABLE))])


def _weights(m: int) -> list[int]:
    """(m−1)!/r!·d(r) for r = 0, …, m − 2."""
    shares = _partial_sums(_TABLE)
    return [int(factorial(m - 1) * shares[r]) for r in range(m - 1)]


def _of_large_sets(sizes: Counts, words: Words) -> Counts:
    digits = random_halves(len(sizes), words).astype(np.int64)
    rest, unsure = _rest(sizes, digits)
    for place in np.flatnonzero(unsure):
        rest[place] = _settled(int(sizes[place]), int(digits[place]), words)
    return rest


def _rest(sizes: Counts, digits: Counts) -> tuple[Counts, NDArray[np.bool_]]:
    """The r of the least u whose first 32 binary digits are these, and whether a greater one may have another r.

    u·θ(m)·e is enclosed in units of 2^−32, m in place of θ(m)·e: from below with two units less, from above with one
    more step of u, at most m + 1 units. The least threshold θ(j)·e above the lower end is in the table, or j within
    10^−40.
    """
    table = _thresholds()
    scaled = sizes * digits
    rest = ((scaled - 2) >> _DIGITS) - 1
    following = ((rest + 2) << _DIGITS) - 1
    near = np.flatnonzero(rest < len(table) - 1)
    rest[near] = np.searchsorted(table, scaled[near] - 2, side="right")
    following[near] = table[rest[near]]
    unsure = following <= scaled + sizes + 2
    last = sizes - 2
    unsure &= rest < last
    return np.minimum(rest, last), unsure


@cache
def _thresholds() -> Counts:
    """⌊2^32·e·θ(j)⌋ for j = 2, …, 39."""
    e = 1 / _derangement_share(2 * _TABLE, 2 * _TABLE)[0]
    return np.array([int(e * j * _derangement_share(j, 2 * _TABLE)[0] * 2**_DIGITS) for j in range(2, _TABLE)])


@cache
def _partial_sums(terms: int) -> tuple[Fraction, ...]:
    """Σ_{i ≤ j} (−1)^i/i! for j = 0, …, terms: D(j), and around every further D an enclosure."""
    sums, term = [Fraction(1)], Fraction(1)
    for i in range(1, terms + 1):
        term /= -i
        sums.append(sums[-1] + term)
    return tuple(sums)


def _derangement_share(j: int, terms: int) -> tuple[Fraction, Fraction]:
    """The ends of an enclosure of D(j), `terms` even; equal where j is at most `terms`."""
    sums = _partial_sums(terms)
    return (sums[j], sums[j]) if j <= terms else (sums[terms - 1], sums[terms])


def _settled(m: int, digits: int, words: Words) -> int:
    """The r of the uniform real that begins with these 32 binary digits, by as many further words as it takes."""
    known, terms = _DIGITS, _TABLE
    while True:
        shares = _derangement_share(m, terms)
        ends = [m * share * Fraction(end, 2**known) for share, end in zip(shares, (digits, digits + 1), strict=True)]
        least, most = (_below(m, end, terms, side) for end, side in zip(ends, (1, 0), strict=True))
        if least == most:
            return least
        digits = digits << 64 | int(words(1)[0])
        known, terms = known + 64, terms + 20


def _below(m: int, value: Fraction, terms: int, side: int) -> int:
    """#{j in 2, …, m−1 : θ(j) ≤ value}, with the lower (0) or upper (1) end of each θ(j)."""
    return bisect_right(range(2, m), value, key=lambda j: j * _derangement_share(j, terms)[side])

"""Which records of a stratum are selected, in arrays, exactly: each on its own, how many, and so many in an order.

`select`: a record is selected iff u < p for a uniform real u in [0, 1), whose digits to base 256 are independent
uniform bytes. The first digit decides unless it equals that of p (1 record of 256), and then the next one is drawn. So
the probability is p itself, for every rational p, from one byte for a record; integers only.

`selected_counts`, given that not exactly one is selected: of N records k are selected with weight
C(N, k)·a^k·(b − a)^(N−k), where p = a/b; in small strata k is drawn from these weights without that of one. In larger
ones the records are counted, again where it is one.

`ordered_subsets`: the first k of a stratum in a uniform order are what is asked for. Where these are few, only records
whose random byte is below a limit are ordered; a stratum in which fewer than k are below it is ordered as a whole. Both
are uniform: whether a stratum has enough depends on how many of its records are below the limit, not on which, and
given their number they are a uniform set.

`shuffled_inside`, uniform orders inside groups: each element gets a random key of some binary digits, 16 where groups
are small and otherwise 32, or as many as fit beside its group and its place into 64 bits, and the whole is sorted as
one array of integers. Elements of a group with equal keys are a smaller group, and are ordered anew by the next digits
of their keys: the order is that of independent uniform reals, of which no two are equal, and so uniform in every group,
independently; nothing is rejected.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_bytes, random_halves, random_quarters
from stirred.mechanisms.fast.small_laws import SmallLaw, SmallLaws

_WORD, _HALF, _QUARTER = 64, 32, 16

_FEW = 256
"""Where an element shares its group with so many or fewer on average, at most 1 of 256 ties by 16 digits."""

Places = NDArray[np.int64]


def shuffled_inside(
    places: Places, groups: NDArray[np.integer[Any]], sizes: NDArray[np.integer[Any]], words: Words
) -> Places:
    """These places, group by group in increasing order, each group in an independent uniform order.

    Args:
        places: distinct whole numbers from 0 to 2^31 − 1.
        sizes: how many each group 0, …, k − 1 has, k at most 2^31.
    """
    n = len(places)
    place_bits, group_bits = int(places.max(initial=0)).bit_length(), max(len(sizes) - 1, 0).bit_length()
    few = int(np.dot(sizes, sizes)) <= _FEW * n
    wanted, digits = (_QUARTER, random_quarters(n, words)) if few else (_HALF, random_halves(n, words))
    key_bits = min(wanted, _WORD - place_bits - group_bits)
    keys = groups.astype(np.uint64)
    keys <<= np.uint64(key_bits)
    keys |= digits if key_bits == wanted else digits >> digits.dtype.type(wanted - key_bits)
    keys <<= np.uint64(place_bits)
    keys |= places.view(np.uint64)
    keys.sort()
    order = (keys & np.uint64((1 << place_bits) - 1)).view(np.int64)
    keys >>= np.uint64(place_bits)
    equal = keys[1:] == keys[:-1]
    if equal.any():
        tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
        rank = np.cumsum(~equal[tied - 1] | (tied == 0)) - 1
        order[tied] = shuffled_inside(order[tied], rank, np.bincount(rank), words)
    return order


_BASE = 256


def select(n: int, p: Fraction, words: Words) -> NDArray[np.int64]:
    """The places, in increasing order, of those of n records that are selected, each independently with probability p.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> select(10, Fraction(1, 3), random_words(1)).tolist()
    [2, 6]
    """
    if p == 1:
        return np.arange(n)
    scaled = p * _BASE
    digit = scaled.numerator // scaled.denominator
    drawn = random_bytes(n, words)
    chosen = drawn < np.uint8(digit)
    if scaled != digit:
        undecided = np.flatnonzero(drawn == np.uint8(digit))
        if len(undecided):
            chosen[undecided[select(len(undecided), scaled - digit, words)]] = True
    return np.flatnonzero(chosen)


Counts = NDArray[np.int64]

_SMALL = 128
"""Up to so many records, the weights are computed."""


def selected_counts(sizes: Counts, rate: Fraction, words: Words) -> Counts:
    """How many are selected in strata of so many records, at least one: 0 or at least 2 of each.

    Args:
        rate: p in [0, 1].

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> selected_counts(np.array([1, 2, 3]), Fraction(1), random_words(1)).tolist()
    [0, 2, 3]
    """
    counts = np.zeros_like(sizes)
    small = np.flatnonzero(sizes <= _SMALL)
    if len(small):
        own = sizes.take(small)
        occurs = np.bincount(own) > 0
        laws = SmallLaws([_law(size, rate) for size in np.flatnonzero(occurs).tolist()])
        counts[small] = laws.draw((np.cumsum(occurs) - 1).take(own), words)
    if len(small) < len(sizes):
        large = np.flatnonzero(sizes > _SMALL)
        counts[large] = _counted(sizes.take(large), rate, words)
    return counts


@lru_cache(maxsize=4 * _SMALL)
def _law(size: int, rate: Fraction) -> SmallLaw:
    if size == 1:
        return SmallLaw.of([1])
    chosen, others = rate.numerator, rate.denominator - rate.numerator
    weights = [comb(size, k) * chosen**k * others ** (size - k) for k in range(size + 1)]
    weights[1] = 0
    return SmallLaw.of(weights)


def _counted(sizes: Counts, rate: Fraction, words: Words) -> Counts:
    counts = np.ones_like(sizes)
    while len(pending := np.flatnonzero(counts == 1)):
        ends = np.cumsum(sizes.take(pending))
        drawn = select(int(ends[-1]), rate, words)
        counts[pending] = np.diff(np.searchsorted(drawn, ends), prepend=0)
    return counts


_BLOCK = 2**16
"""So many records at a time, for intermediate arrays to stay in the processor's cache."""

_BYTES = 256
_MORE = 8
"""Of k records asked for, 2k + 8 are below the limit on average: in 1 of 10000 strata not enough."""

Codes = NDArray[np.integer[Any]]


def ordered_subsets(strata: Codes, chosen: Places, sizes: Counts, counts: Counts, words: Words) -> Places:
    """Of each of some strata so many records in order, each possibility equally likely; stratum by stratum.

    Args:
        strata: the stratum of each of at most 2^31 records, at least 0.
        chosen: the strata in question, in increasing order.
        counts: how many of them are asked for, at least one.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> three = np.array([0, 1, 1])
    >>> ordered_subsets(three, np.array([1]), np.array([2]), np.array([2]), random_words(1))
    array([2, 1])
    """
    if not len(chosen):
        return np.zeros(0, dtype=np.int64)
    limits = np.minimum(_BYTES, _BYTES * (2 * counts + _MORE) // sizes + 1)
    if 2 * np.dot(limits, sizes) >= _BYTES * sizes.sum():
        places, groups = _members(strata, chosen, None, words)
    else:
        places, groups = _members(strata, chosen, limits.astype(np.uint16), words)
        below = np.bincount(groups, minlength=len(chosen))
        enough = below >= counts
        short = np.flatnonzero(~enough)
        if len(short):
            more, of_these = _members(strata, chosen.take(short), None, words)
            kept = np.flatnonzero(enough.take(groups))
            places = np.concatenate((places.take(kept), more))
            groups = np.concatenate((groups.take(kept), short.take(of_these)))
        sizes = np.where(enough, below, sizes)
    order = shuffled_inside(places, groups, sizes, words)
    skipped = np.cumsum(sizes - counts) - (sizes - counts)
    first: Places = order.take(np.arange(counts.sum()) + np.repeat(skipped, counts))
    return first


def _members(strata: Codes, chosen: Places, limits: NDArray[np.uint16] | None, words: Words) -> tuple[Places, Codes]:
    """The places of the records of the chosen strata, and which of these; if limits are given, those below them."""
    is_chosen = np.zeros(int(chosen[-1]) + 2, dtype=bool)  # the last for all strata behind the last one chosen
    is_chosen[chosen] = True
    numbers = np.cumsum(is_chosen, dtype=np.int32) - np.int32(1)
    places, groups = [], []
    for start in range(0, len(strata), _BLOCK):
        block = strata[start : start + _BLOCK]
        inside = np.flatnonzero(is_chosen.take(block, mode="clip"))
        own = numbers.take(block.take(inside))
        if limits is not None:
            below = np.flatnonzero(random_bytes(len(own), words) < limits.take(own))
            inside, own = inside.take(below), own.take(below)
        inside += start
        places.append(inside)
        groups.append(own)
    return np.concatenate(places), np.concatenate(groups)

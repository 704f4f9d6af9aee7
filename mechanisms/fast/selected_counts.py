"""How many records of a stratum are selected, each with probability p, given that it is not exactly one.

Of N records k are selected with weight C(N, k)·a^k·(b − a)^(N−k), where p = a/b; in small strata k is drawn from these
weights without that of one. In larger ones the records are counted, again where it is one.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words
from stirred.mechanisms.fast.selection import select
from stirred.mechanisms.fast.small_laws import SmallLaw, SmallLaws

Counts = NDArray[np.int64]

_SMALL = 128
"""Up to so many records, the weights are computed."""


def selected_counts(sizes: Counts, rate: Fraction, words: Words) -> Counts:
    """How many are selected in strata of so many records, at least one: 0 or at least 2 of each.

    Args:
        sizes: the numbers of records.
        rate: p in [0, 1].
        words: the source of randomness.

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

"""Uniform orders inside groups, by sorting random digits; ties are settled by further digits, so nothing is rejected.

Each element gets a random key of as many binary digits as fit beside its group and its place into 64 bits, and the
whole is sorted as one array of integers. Elements of a group with equal keys are a smaller group, and are ordered anew
by the next digits of their keys: the order is that of independent uniform reals, of which no two are equal, and so
uniform in every group, independently.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mechanisms.fast.random_words import Words, random_halves

__all__ = ["shuffled_inside"]

_WORD = 64
_HALF = 32


def shuffled_inside(groups: NDArray[np.integer], number: int, words: Words) -> NDArray[np.int64]:
    """The places 0, …, n−1, group by group in increasing order, each group in an independent uniform order.

    Args:
        groups: the group of each element, in 0, …, number − 1, at most 2^31 of each.
        number: how many groups there are.
        words: the source of randomness.
    """
    n = len(groups)
    place_bits, group_bits = max(n - 1, 0).bit_length(), max(number - 1, 0).bit_length()
    key_bits = min(_HALF, _WORD - place_bits - group_bits)
    keys = groups.astype(np.uint64)
    keys <<= np.uint64(key_bits)
    keys |= random_halves(n, words) >> np.uint32(_HALF - key_bits)
    keys <<= np.uint64(place_bits)
    keys |= np.arange(n, dtype=np.uint64)
    keys.sort()
    order = (keys & np.uint64((1 << place_bits) - 1)).view(np.int64)
    keys >>= np.uint64(place_bits)
    equal = keys[1:] == keys[:-1]
    if equal.any():
        tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
        rank = np.cumsum(~equal[tied - 1] | (tied == 0)) - 1
        order[tied] = order[tied][shuffled_inside(rank, int(rank[-1]) + 1, words)]
    return order

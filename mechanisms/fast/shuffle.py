"""Uniform orders inside groups, by sorting random digits; ties are settled by further digits, so nothing is rejected.

Each element gets a random key of some binary digits, 16 where groups are small and otherwise 32, or as many as fit
beside its group and its place into 64 bits, and the whole is sorted as one array of integers. Elements of a group with
equal keys are a smaller group, and are ordered anew by the next digits of their keys: the order is that of independent
uniform reals, of which no two are equal, and so uniform in every group, independently.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_halves, random_quarters

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
        groups: the group of each.
        sizes: how many each group 0, …, k − 1 has, k at most 2^31.
        words: the source of randomness.
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

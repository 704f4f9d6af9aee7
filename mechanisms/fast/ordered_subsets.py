"""Uniform ordered sets of some records of a stratum, without ordering all of them.

The first k of a stratum in a uniform order are what is asked for. Where these are few, only records whose random byte
is below a limit are ordered; a stratum in which fewer than k are below it is ordered as a whole. Both are uniform:
whether a stratum has enough depends on how many of its records are below the limit, not on which, and given their
number they are a uniform set.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_bytes
from stirred.mechanisms.fast.shuffle import shuffled_inside

_BLOCK = 2**16
"""So many records at a time, for intermediate arrays to stay in the processor's cache."""

_BYTES = 256
_MORE = 8
"""Of k records asked for, 2k + 8 are below the limit on average: in 1 of 10000 strata not enough."""

Codes = NDArray[np.integer[Any]]
Places = NDArray[np.int64]
Counts = NDArray[np.int64]


def ordered_subsets(strata: Codes, chosen: Places, sizes: Counts, counts: Counts, words: Words) -> Places:
    """Of each of some strata so many records in order, each possibility equally likely; stratum by stratum.

    Args:
        strata: the stratum of each of at most 2^31 records, at least 0.
        chosen: the strata in question, in increasing order.
        sizes: how many records each of these has.
        counts: how many of them are asked for, at least one.
        words: the source of randomness.

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

"""The cell key method on arrays: the changes of many counts at once, by their rows and keys, and drawn keys."""

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words
from stirred.spec.laws.p_table import PTable

MOST_KEYS = 2**32
"""So many keys at most: the sum of a batch's keys is exact in doubles."""

Integers = NDArray[np.int64]


def changes(table: PTable, counts: Integers, keys: Integers) -> Integers:
    """What the table adds to each count at the key of its cell: `table.row(count).change(key)`."""
    again = table.first + (counts - table.phase) % table.reused
    rows = np.where(counts < table.first, counts, again)
    ends = np.array([place * table.keys + end for place, row in enumerate(table.rows) for end in row.ends])
    added = np.array(list(chain.from_iterable(row.changes for row in table.rows)))
    found: Integers = added[np.searchsorted(ends, rows * table.keys + keys, side="right")]
    return found


def uniform_below(bound: int, n: int, words: Words) -> Integers:
    """Independent uniform integers from 0, …, bound − 1: words beyond its last multiple are drawn again."""
    drawn, limit = words(n).copy(), 2**64 - 2**64 % bound
    while limit < 2**64 and (beyond := np.flatnonzero(drawn >= np.uint64(limit))).size:
        drawn[beyond] = words(beyond.size)
    return (drawn % np.uint64(bound)).astype(np.int64)

"""The donors of a sequential hot deck, for all records at once."""

import numpy as np
from numpy.typing import NDArray

NOBODY = -1
"""In the place of a donor where none is left."""


def sequential_donors(is_missing: NDArray[np.bool_], classes: NDArray[np.int32], donations: int) -> NDArray[np.int32]:
    """The place of the record whose value each one has, as `sequential_hot_deck` gives it.

    A record that has answered keeps its own; the k-th after it in its class that has not, one after another, has its
    value where k ≤ donations.

    Args:
        classes: the donor class of each record, as numbers from 0.
        donations: how often a donor gives its value, at least 1.

    >>> sequential_donors(np.array([False, True, True]), np.array([0, 0, 0]), 1).tolist()
    [0, 0, -1]
    """
    order = np.argsort(classes, kind="stable").astype(np.int32)
    places = np.arange(len(order), dtype=np.int32)
    begun = np.where(np.diff(classes[order], prepend=NOBODY) != 0, places, 0)
    np.maximum.accumulate(begun, out=begun)  # where its class begins
    last = np.where(is_missing[order], NOBODY, places)
    np.maximum.accumulate(last, out=last)  # the last that has answered, of whatever class
    has_donor = (last >= begun) & (places - last <= min(donations, len(order)))
    donors = np.empty_like(places)
    donors[order] = np.where(has_donor, order[last], NOBODY)
    return donors

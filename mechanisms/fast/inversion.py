"""Integer draws by inversion of an exact distribution function, bit by bit as needed.

A draw is min{x : u < P(X ≤ x)} for a uniform real u in [0, 1). Its first 64 bits w decide x against the integers
⌊2^64·P(X ≤ x)⌋, unless w equals one of them; then further bits are drawn and compared with the floors of as many bits,
until they decide. So the law is exact: integers and random bits only.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words

Floors = Callable[[int], tuple[int, list[int]]]
"""A function of b that gives (least, floors) with floors[i] = ⌊2^b·P(X ≤ least + i)⌋."""

_WORD = 64


def inverted(cumulative: Floors, drawn: NDArray[np.uint64], words: Words) -> NDArray[np.int64]:
    """The draws that begin with these 64-bit words; `words` gives further ones where 64 bits do not decide."""
    least, floors = cumulative(_WORD)
    table = np.array(floors, dtype=np.uint64)
    places = np.searchsorted(table, drawn, side="left")  # the last floor is 2^64 − 1, so no place is beyond the table
    result: NDArray[np.int64] = places + np.int64(least)
    for index in np.flatnonzero(table[places] == drawn):
        result[index] = _refined(cumulative, int(drawn[index]), words)
    return result


def _refined(cumulative: Floors, bits: int, words: Words) -> int:
    """The draw whose uniform real begins with these 64 bits, by as many further words as it takes."""
    length = _WORD
    while True:
        bits = bits << _WORD | int(words(1)[0])
        length += _WORD
        least, floors = cumulative(length)
        if bits not in floors:
            return least + sum(floor < bits for floor in floors)

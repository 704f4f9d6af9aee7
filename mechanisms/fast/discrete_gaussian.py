"""Discrete Gaussian noise in arrays: inversion of the exact distribution function, bit by bit as needed.

A draw is min{x : u < P(X ≤ x)} for a uniform real u in [0, 1). Its first 64 bits w decide x against the integers
⌊2^64·P(X ≤ x)⌋, unless w equals one of them; then further bits are drawn and compared with enclosures of P(X ≤ x) that
are exact to as many bits, until they decide. So the law is N_ℤ(0, σ²) itself: integers and random bits only.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.fast.random_words import Words, random_words
from spec.arguments import Exact, InputError, integer, shown
from spec.discrete_gaussian import cumulative_floors, gaussian_scale

__all__ = ["discrete_gaussian", "from_words"]

_WORD = 64
_MAX_SIZE = 10**9


def discrete_gaussian(sigma_squared: Exact, size: int, seed: int | None = None) -> NDArray[np.int64]:
    """Independent draws of N_ℤ(0, σ²).

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.
        size: how many draws, an int ≥ 0.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    Raises:
        InputError: σ² is inexact, not positive or above 10⁸, size is no int from 0 to 10⁹, or seed is no int
            ≥ 0.

    Source: Canonne, Kamath and Steinke (2020), Definition 1, for the law.

    >>> [int(x) for x in discrete_gaussian(4, 5, seed=1)]
    [0, 3, -2, 3, -1]
    """
    variance = gaussian_scale(sigma_squared)
    words = random_words(seed)
    if integer("size", size, minimum=0) > _MAX_SIZE:
        raise InputError(f"size must be at most {_MAX_SIZE} draws at a time; got {shown(size)}")
    return from_words(variance, words(size), words)


def from_words(variance: Fraction, drawn: NDArray[np.uint64], words: Words) -> NDArray[np.int64]:
    """The draws that begin with these 64-bit words; `words` gives further ones where 64 bits do not decide."""
    least, floors = cumulative_floors(variance, _WORD)
    table = np.array(floors, dtype=np.uint64)
    places = np.searchsorted(table, drawn, side="left")  # the last floor is 2^64 − 1, so no place is beyond the table
    result: NDArray[np.int64] = places + np.int64(least)
    for index in np.flatnonzero(table[places] == drawn):
        result[index] = _refined(variance, int(drawn[index]), words)
    return result


def _refined(variance: Fraction, bits: int, words: Words) -> int:
    """The draw whose uniform real begins with these 64 bits, by as many further words as it takes."""
    length = _WORD
    while True:
        bits = bits << _WORD | int(words(1)[0])
        length += _WORD
        least, floors = cumulative_floors(variance, length)
        if bits not in floors:
            return least + sum(floor < bits for floor in floors)

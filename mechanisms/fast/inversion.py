"""Integer draws by inversion of an exact distribution function, bit by bit as needed: Gaussian and Laplace noise.

A draw is min{x : u < P(X ≤ x)} for a uniform real u in [0, 1). Its first 64 bits w decide x against the integers
⌊2^64·P(X ≤ x)⌋, unless w equals one of them; then further bits are drawn and compared with the floors of as many bits,
until they decide. So the law is exact: integers and random bits only.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_words
from stirred.spec.arguments import Exact, InputError, integer, shown
from stirred.spec.laws.discrete_gaussian import cumulative_floors, gaussian_scale
from stirred.spec.laws.discrete_laplace import laplace_floors, laplace_scale

Floors = Callable[[int], tuple[int, list[int]]]
"""A function of b that gives (least, floors) with floors[i] = ⌊2^b·P(X ≤ least + i)⌋."""

_WORD = 64

_GUIDE_BITS = 16
"""The first bits of a word, which nearly always decide."""

_MANY = 2**_GUIDE_BITS
"""Of so many draws a guide is made: it costs as much as a quarter of them."""


def inverted(cumulative: Floors, drawn: NDArray[np.uint64], words: Words) -> NDArray[np.int64]:
    """The draws that begin with these 64-bit words; `words` gives further ones where 64 bits do not decide."""
    least, floors = cumulative(_WORD)
    table = np.array(floors, dtype=np.uint64)
    places, open_ones = _guided(table, drawn) if len(drawn) >= _MANY else (_places(table, drawn), np.arange(len(drawn)))
    result = places + np.int64(least)
    for index in open_ones[table[places[open_ones]] == drawn[open_ones]]:
        result[index] = _refined(cumulative, int(drawn[index]), words)
    return result


def _places(table: NDArray[np.uint64], drawn: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The first floor that is not below each word; the last one is 2^64 − 1, so none is beyond the table."""
    return np.searchsorted(table, drawn, side="left").astype(np.int64, copy=False)


def _guided(table: NDArray[np.uint64], drawn: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same places by the first bits of each word, and the words that more bits decide.

    Words with the same first bits have one place where no floor has these bits; so a word that equals a floor is among
    those that more bits decide.
    """
    rest = _WORD - _GUIDE_BITS
    begins = np.arange(2**_GUIDE_BITS, dtype=np.uint64) << np.uint64(rest)
    first, end = _places(table, begins), np.searchsorted(table, begins | np.uint64(2**rest - 1), side="right")
    bits = (drawn >> np.uint64(rest)).astype(np.int64)
    places = first[bits]
    open_ones = np.flatnonzero((first != end)[bits])
    places[open_ones] = _places(table, drawn[open_ones])
    return places, open_ones


def _refined(cumulative: Floors, bits: int, words: Words) -> int:
    """The draw whose uniform real begins with these 64 bits, by as many further words as it takes."""
    length = _WORD
    while True:
        bits = bits << _WORD | int(words(1)[0])
        length += _WORD
        least, floors = cumulative(length)
        if bits not in floors:
            return least + sum(floor < bits for floor in floors)


_MAX_SIZE = 10**9


def discrete_gaussian(sigma_squared: Exact, size: int, seed: int | None = None) -> NDArray[np.int64]:
    """Independent draws of N_ℤ(0, σ²).

    Args:
        sigma_squared: σ² in (0, 10⁸], exact.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    Source: Canonne, Kamath and Steinke (2020), Definition 1, for the law.

    >>> [int(x) for x in discrete_gaussian(4, 5, seed=1)]
    [0, 3, -2, 3, -1]
    """
    variance = gaussian_scale(sigma_squared)
    words = random_words(seed)
    if integer("size", size, minimum=0) > _MAX_SIZE:
        raise InputError(f"size must be at most {_MAX_SIZE} draws at a time; got {shown(size)}")
    return gaussian_from_words(variance, words(size), words)


def gaussian_from_words(variance: Fraction, drawn: NDArray[np.uint64], words: Words) -> NDArray[np.int64]:
    """The draws that begin with these 64-bit words; `words` gives further ones where 64 bits do not decide."""
    return inverted(partial(cumulative_floors, variance), drawn, words)


def discrete_laplace(scale: Exact, size: int, seed: int | None = None) -> NDArray[np.int64]:
    """Independent draws with probabilities in proportion to e^(−|x|/t).

    Args:
        scale: t in (0, 10⁵], exact.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    >>> [int(x) for x in discrete_laplace(2, 5, seed=1)]
    [0, 5, -2, 4, -1]
    """
    t, words = laplace_scale(scale), random_words(seed)
    return inverted(partial(laplace_floors, t), words(integer("size", size, minimum=0)), words)

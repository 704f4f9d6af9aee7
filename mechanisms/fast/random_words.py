"""Random 64-bit words in arrays: what every array implementation draws its choices from."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from spec.arguments import integer

__all__ = ["Words", "random_bytes", "random_halves", "random_words"]

Words = Callable[[int], NDArray[np.uint64]]
"""A function of n that gives n independent uniform words."""


def random_words(seed: int | None) -> Words:
    """Independent uniform 64-bit words: from the system's cryptographic generator, or repeatable.

    Raises:
        InputError: the seed is neither None nor an int ≥ 0.
    """
    if seed is None:
        return lambda n: np.frombuffer(os.urandom(8 * n), dtype=np.uint64)
    stream = np.random.PCG64(integer("seed", seed, minimum=0))
    return lambda n: np.asarray(stream.random_raw(n), dtype=np.uint64)


def random_bytes(n: int, words: Words) -> NDArray[np.uint8]:
    """Independent uniform integers 0, …, 255: eight from each word."""
    return words(-(-n // 8)).view(np.uint8)[:n]


def random_halves(n: int, words: Words) -> NDArray[np.uint32]:
    """Independent uniform integers 0, …, 2^32 − 1: two from each word."""
    return words(-(-n // 2)).view(np.uint32)[:n]

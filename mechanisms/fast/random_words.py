"""Random 64-bit words in arrays: what every array implementation draws its choices from."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from spec.arguments import integer

__all__ = ["Words", "random_words"]

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

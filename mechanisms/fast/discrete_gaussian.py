"""Discrete Gaussian noise in arrays, exact: by inversion of its distribution function."""

from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.inversion import inverted
from stirred.mechanisms.fast.random_words import Words, random_words
from stirred.spec.arguments import Exact, InputError, integer, shown
from stirred.spec.laws.discrete_gaussian import cumulative_floors, gaussian_scale

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
    return inverted(partial(cumulative_floors, variance), drawn, words)

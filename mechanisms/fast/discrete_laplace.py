"""Discrete Laplace noise in arrays, exact: by inversion of its distribution function."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.inversion import inverted
from stirred.mechanisms.fast.random_words import random_words
from stirred.spec.arguments import Exact, integer
from stirred.spec.laws.discrete_laplace import laplace_floors, laplace_scale


def discrete_laplace(scale: Exact, size: int, seed: int | None = None) -> NDArray[np.int64]:
    """Independent draws with probabilities in proportion to e^(−|x|/t).

    Args:
        scale: t in (0, 10⁵], exact.
        size: how many draws.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    Raises:
        InputError: t is refused, or size or seed is no int ≥ 0.

    >>> [int(x) for x in discrete_laplace(2, 5, seed=1)]
    [0, 5, -2, 4, -1]
    """
    t, words = laplace_scale(scale), random_words(seed)
    return inverted(partial(laplace_floors, t), words(integer("size", size, minimum=0)), words)

"""Independent exact Bernoulli choices in arrays: a uniform real against p, digit by digit as needed.

A record is selected iff u < p for a uniform real u in [0, 1), whose digits to base 256 are independent uniform bytes.
The first digit decides unless it equals that of p (1 record of 256), and then the next one is drawn. So the
probability is p itself, for every rational p, from one byte for a record; integers only.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_bytes

_BASE = 256


def select(n: int, p: Fraction, words: Words) -> NDArray[np.int64]:
    """The places, in increasing order, of those of n records that are selected, each independently with probability p.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> select(10, Fraction(1, 3), random_words(1)).tolist()
    [2, 6]
    """
    if p == 1:
        return np.arange(n)
    scaled = p * _BASE
    digit = scaled.numerator // scaled.denominator
    drawn = random_bytes(n, words)
    chosen = drawn < np.uint8(digit)
    if scaled != digit:
        undecided = np.flatnonzero(drawn == np.uint8(digit))
        if len(undecided):
            chosen[undecided[select(len(undecided), scaled - digit, words)]] = True
    return np.flatnonzero(chosen)

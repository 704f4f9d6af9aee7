"""Exact draws from many small laws at once: a byte of a uniform real decides nearly always, further digits the rest.

A draw from the law with weights w_0, w_1, …, w_n is v = #{x < n : F(x) ≤ u} for a uniform real u in [0, 1), where F(x)
is the share of w_0 + … + w_x. The first eight binary digits of u decide v unless some F(x) lies inside the interval
that they leave; then 32 more are drawn and compared with the floors ⌊2^40·F(x)⌋; where u begins with the digits of one
of these, further words are drawn and compared exactly. Integers only, so the law is exact.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_bytes, random_halves

_BYTE, _DIGITS, _WORD = 8, 40, 64
_UNSURE = -1


@dataclass(frozen=True)
class SmallLaw:
    """A law on 0, …, n.

    Attributes:
        sums: the sums of its weights, w_0, w_0 + w_1, …, as whole numbers; the last one is positive.
        first: for each first byte of u the value, or −1 where it does not decide.
        floors: ⌊2^40·F(x)⌋ for x = 0, …, n − 1.
    """

    sums: tuple[int, ...]
    first: NDArray[np.int16]
    floors: NDArray[np.int64]

    @classmethod
    def of(cls, weights: Sequence[int]) -> SmallLaw:
        """The law with these weights, fewer than 2^15 whole numbers.

        >>> SmallLaw.of([1, 0, 1]).first[[0, 127, 128]].tolist()
        [0, 0, 2]
        """
        sums = tuple(accumulate(weights))
        floors = np.array([(one << _DIGITS) // sums[-1] for one in sums[:-1]], dtype=np.int64)
        bytes_ = np.arange(2**_BYTE, dtype=np.int64)
        least = np.array([bisect_right(sums[:-1], byte * sums[-1] >> _BYTE) for byte in bytes_.tolist()])
        ends = [-(-byte * sums[-1] >> _BYTE) for byte in (bytes_ + 1).tolist()]
        most = np.array([bisect_left(sums[:-1], end) for end in ends])
        return cls(sums, np.where(least == most, least, _UNSURE).astype(np.int16), floors)

    def settled(self, digits: int, words: Words) -> int:
        """The value for the real that begins with these 40 binary digits, by as many further words as it takes."""
        known, inner, total = _DIGITS, self.sums[:-1], self.sums[-1]
        while True:
            least = bisect_right(inner, digits * total >> known)
            most = bisect_left(inner, -(-(digits + 1) * total >> known))
            if least == most:
                return least
            digits = digits << _WORD | int(words(1)[0])
            known += _WORD


class SmallLaws:
    """Several laws, of which arrays of draws are made.

    Args:
        laws: at most 2^23 of them.
    """

    def __init__(self, laws: Sequence[SmallLaw]) -> None:
        self._laws = laws
        self._first = np.concatenate([law.first for law in laws])
        ends = np.cumsum([len(law.floors) for law in laws])
        self._before = ends - [len(law.floors) for law in laws]
        end = np.array([len(laws) << _DIGITS])
        self._floors = np.concatenate([*((place << _DIGITS) + law.floors for place, law in enumerate(laws)), end])

    def draw(self, which: NDArray[np.integer[Any]], words: Words) -> NDArray[np.int64]:
        """Independent draws, each from the law of this place.

        >>> from stirred.mechanisms.fast.random_words import random_words
        >>> SmallLaws([SmallLaw.of([0, 1]), SmallLaw.of([1])]).draw(np.array([0, 1, 0]), random_words(1)).tolist()
        [1, 0, 1]
        """
        begun = which.astype(np.int64)
        begun <<= _BYTE
        begun |= random_bytes(len(begun), words)
        found = self._first.take(begun).astype(np.int64)
        unsure = np.flatnonzero(found < 0)
        if len(unsure):
            found[unsure] = self._further(begun.take(unsure), words)
        return found

    def _further(self, begun: NDArray[np.int64], words: Words) -> NDArray[np.int64]:
        """The draws whose law and first byte are these, from 32 digits more."""
        digits = (begun << (_DIGITS - _BYTE)) | random_halves(len(begun), words)
        which = begun >> _BYTE
        places = np.searchsorted(self._floors, digits)
        found: NDArray[np.int64] = places - self._before.take(which)
        for place in np.flatnonzero(self._floors.take(places) == digits).tolist():
            own = int(digits[place]) & (1 << _DIGITS) - 1
            found[place] = self._laws[which[place]].settled(own, words)
        return found

"""Random 64-bit words in arrays, what every array implementation draws from, and the choices that they stand for.

Words from a secret key are a cryptographic stream for each part of a run. Request r of the part named c is
SHAKE-256(key ‖ r ‖ c), the key of 32 and r of 8 bytes: these inputs are distinct for distinct pairs (r, c), so the
answers are independent uniform words to everyone who does not hold the key. A part that is drawn again, by another
worker or after an interruption, gets the same words if it asks for as many each time.
"""

import hashlib
import os
import ssl
from collections.abc import Callable, Iterator, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from stirred.spec.arguments import InputError, integer

Words = Callable[[int], NDArray[np.uint64]]
"""A function of n that gives n independent uniform words."""


def random_words(seed: int | None) -> Words:
    """Independent uniform 64-bit words: from a cryptographic generator, or repeatable.

    The cryptographic one is OpenSSL's (AES-256 in counter mode, NIST SP 800-90A), which the system's own generator
    seeds: 5 GB a second here, where the system's gives 0.4.
    """
    if seed is None:
        return lambda n: np.frombuffer(ssl.RAND_bytes(8 * n), dtype=np.uint64)
    stream = np.random.PCG64(integer("seed", seed, minimum=0))
    return lambda n: np.asarray(stream.random_raw(n), dtype=np.uint64)


def random_bytes(n: int, words: Words) -> NDArray[np.uint8]:
    """Independent uniform integers 0, …, 255: eight from each word."""
    return words(-(-n // 8)).view(np.uint8)[:n]


def random_halves(n: int, words: Words) -> NDArray[np.uint32]:
    """Independent uniform integers 0, …, 2^32 − 1: two from each word."""
    return words(-(-n // 2)).view(np.uint32)[:n]


def random_quarters(n: int, words: Words) -> NDArray[np.uint16]:
    """Independent uniform integers 0, …, 2^16 − 1: four from each word."""
    return words(-(-n // 4)).view(np.uint16)[:n]


def random_permutation(n: int, words: Words) -> NDArray[np.int64]:
    """A uniform permutation of 0, …, n−1: the order of n distinct words, drawn again where two are equal."""
    while True:
        drawn = words(n)
        order = np.argsort(drawn)
        ordered = drawn[order]
        if not (ordered[1:] == ordered[:-1]).any():
            return order.astype(np.int64)


class UniformDraws:
    """One exact uniform integer after another, from words drawn in batches, each twice as large as the one before."""

    _FIRST, _LARGEST = 64, 65_536

    def __init__(self, words: Words) -> None:
        self._next = self._stream(words)

    def _stream(self, words: Words) -> Iterator[int]:
        size = self._FIRST
        while True:
            yield from words(size).tolist()
            size = min(2 * size, self._LARGEST)

    def below(self, bound: int) -> int:
        """An integer from 0, …, bound−1: words beyond the last multiple of the bound are drawn again."""
        limit = 2**64 - 2**64 % bound
        while (word := next(self._next)) >= limit:
            pass
        return word % bound


def fisher_yates_choices(target: Sequence[int]) -> list[int]:
    """The choices with which `Source.permutation` ends at the target."""
    items = list(range(len(target)))
    where = list(range(len(target)))
    choices = []
    for last in range(len(target) - 1, 0, -1):
        other = where[target[last]]
        choices.append(other)
        items[last], items[other] = items[other], items[last]
        where[items[last]], where[items[other]] = last, other
    return choices


KEY_BYTES = 32
"""The length of a key."""

_LONGEST = 2**24
"""Bytes of one request; longer ones are several."""


def run_key(seed: int | None) -> bytes:
    """The key of one run: from the system's cryptographic generator, or derived from a seed and so repeatable.

    >>> run_key(1) == run_key(1), run_key(None) == run_key(None)
    (True, False)
    """
    if seed is None:
        return os.urandom(KEY_BYTES)
    named = f"stirred seed {integer('seed', seed, minimum=0):x}"
    return hashlib.blake2b(named.encode(), digest_size=KEY_BYTES).digest()


def keyed_words(key: bytes, part: bytes) -> Words:
    """Independent uniform 64-bit words of one part of a run.

    Args:
        key: 32 secret bytes.
        part: the name of the part; no two parts of a run share one.

    >>> first, again = (keyed_words(bytes(32), b"stratum 1") for _ in range(2))
    >>> first(2).tolist() == again(2).tolist() != first(2).tolist()
    True
    """
    if len(key) != KEY_BYTES:
        raise InputError(f"key must have {KEY_BYTES} bytes; got {len(key)}")
    requests = count()

    def answer(size: int) -> bytes:
        return hashlib.shake_256(key + next(requests).to_bytes(8, "big") + part).digest(size)

    def words(n: int) -> NDArray[np.uint64]:
        sizes = [min(_LONGEST, 8 * n - start) for start in range(0, 8 * n, _LONGEST)]
        drawn = b"".join(map(answer, sizes)) if len(sizes) != 1 else answer(sizes[0])
        return np.frombuffer(drawn, dtype="<u8").astype(np.uint64, copy=False)

    return words

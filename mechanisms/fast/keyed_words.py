"""Random words from a secret key: a cryptographic stream for each part of a run, the same whenever it is drawn again.

Request r of the part named c is SHAKE-256(key ‖ r ‖ c), the key of 32 and r of 8 bytes: these inputs are distinct for
distinct pairs (r, c), so the answers are independent uniform words to everyone who does not hold the key. A part that
is drawn again, by another worker or after an interruption, gets the same words if it asks for as many each time.
"""

import hashlib
import os
from itertools import count

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words
from stirred.spec.arguments import InputError, integer

KEY_BYTES = 32
"""The length of a key."""

_LONGEST = 2**24
"""Bytes of one request; longer ones are several."""


def run_key(seed: int | None) -> bytes:
    """The key of one run: from the system's cryptographic generator, or derived from a seed and so repeatable.

    Raises:
        InputError: the seed is neither None nor an int ≥ 0.

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

    Raises:
        InputError: the key has another length.

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

"""Swapping in buckets of strata: what comes out depends on the key, the number of buckets and the data alone.

Strata are independent, so they may be swapped apart, in any order, by any worker, and again after a failure, as long as
each draws words of its own that are the same each time. A bucket of strata is what is swapped at once:

    canonical bytes   of a matching value, with its type; prefix-free, so those of a stratum are theirs laid end to end
    hash              of a stratum: the sum, modulo 2^64, of BLAKE2b of the place and the bytes of each matching value
    bucket            its first log2(B) binary digits, so that doubling B splits each bucket in two
    words             `keyed_words(key, "bucket i of B")`
    order             strata by their canonical bytes, records by their ids (by position where they have none)

`swap_bucket` is a pure function of these, and `swap_buckets` is it on each bucket. Content assigns a stratum to one
bucket, and each bucket has words of its own: no word serves two strata, and a bucket that is drawn twice comes out the
same. Nothing else takes part: neither files nor partitions, workers, retries or restarts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.permutation_swapping import Codes, Moves, dense_limit, draw_from_words
from stirred.mechanisms.fast.random_words import keyed_words
from stirred.spec.arguments import Exact, InputError, integer, probability, shown

_MOST_BUCKETS = 2**20

_RECORDS_OF_A_BUCKET = 2**20
"""So many or fewer on average: one bucket costs nothing at all, 16 of them 0.04 s for each million records."""

Hashes = NDArray[np.uint64]


def canonical_bytes(value: object) -> bytes:
    r"""A value with its type as bytes, of which none begins with those of another value.

    >>> canonical_bytes(7), canonical_bytes("7"), canonical_bytes(None)
    (b'i\x00\x00\x00\x017', b's\x00\x00\x00\x017', b'-\x00\x00\x00\x00')
    """
    if isinstance(value, np.generic):
        value = value.item()
    kind, text = _typed_text(value)
    return kind + len(text).to_bytes(4, "big") + text


def _typed_text(value: object) -> tuple[bytes, bytes]:
    match value:
        case None:
            return b"-", b""
        case bool():
            return b"b", b"1" if value else b"0"
        case int():
            return b"i", str(value).encode()
        case str():
            return b"s", value.encode()
        case bytes():
            return b"y", value
        case datetime():
            return b"t", value.isoformat().encode()
        case date():
            return b"d", value.isoformat().encode()
        case Decimal() if value.is_finite():
            return b"n", format(value, "f").encode()
        case _:
            raise InputError(
                "a matching value must be an integer, a text, bytes, a truth value, a date, a decimal or null; "
                f"got {shown(value)} of type {type(value).__name__}"
            )


@dataclass(frozen=True)
class MatchingColumn:
    """The values of one matching variable.

    Attributes:
        codes: for each record the place of its value in `values`.
        values: the distinct values, in any order; some may not occur.
    """

    codes: Codes
    values: Sequence[object]

    @classmethod
    def of(cls, values: NDArray[Any]) -> MatchingColumn:
        """From an array of the values themselves.

        >>> MatchingColumn.of(np.array([7, 3, 7])).codes.tolist()
        [1, 0, 1]
        """
        distinct, codes = np.unique(values, return_inverse=True)
        return cls(codes.reshape(-1), distinct.tolist())

    @cached_property
    def encoded(self) -> tuple[bytes, ...]:
        """The canonical bytes of `values`."""
        return tuple(map(canonical_bytes, self.values))


@dataclass(frozen=True)
class Strata:
    """The strata of some records, in the order of their canonical bytes.

    Attributes:
        codes: the stratum of each record, in 0, …, k−1; each occurs.
    """

    codes: Codes
    hashes: Hashes


def strata_of(columns: Sequence[MatchingColumn], records: int) -> Strata:
    """The strata of so many records; without a matching variable there is one."""
    codes: Codes = np.zeros(records, dtype=np.int32)
    hashes = np.zeros(min(records, 1), dtype=np.uint64)
    for place, column in enumerate(columns):
        if len(column.codes) != records:
            raise InputError(
                f"matching columns must have one value for each of {records} records; got {len(column.codes)}"
            )
        ranks = {encoded: rank for rank, encoded in enumerate(sorted(set(column.encoded)))}
        rank = np.array([ranks[encoded] for encoded in column.encoded], dtype=np.int32)
        added = np.zeros(len(ranks), dtype=np.uint64)
        added[rank] = [bucket_hash(encoded, place) for encoded in column.encoded]
        codes, hashes = _refine(codes, hashes, rank.take(column.codes), added)
    return Strata(codes, hashes)


def _refine(codes: Codes, hashes: Hashes, ranks: Codes, added: Hashes) -> tuple[Codes, Hashes]:
    """The strata by one more variable: pairs (stratum, rank) in lexicographic order, those that occur numbered anew."""
    span = len(hashes) * len(added)
    if len(hashes) > 1:
        wide: Codes = codes.astype(np.int32 if span < 2**31 else np.int64)
        ranks = np.add(wide * len(added), ranks)
    if span <= dense_limit(len(ranks)):
        occurs = np.zeros(span, dtype=bool)
        occurs[ranks] = True
        pairs = np.flatnonzero(occurs)
        if len(pairs) < span:
            ranks = (np.cumsum(occurs, dtype=np.int32) - 1).take(ranks)
    else:
        pairs, ranks = np.unique(ranks, return_inverse=True)
        ranks = ranks.reshape(-1)
    return ranks, hashes.take(pairs // max(len(added), 1)) + added.take(pairs % max(len(added), 1))


def bucket_hash(encoded: bytes, place: int) -> int:
    """What a matching value, by its canonical bytes, adds to the hash of its stratum as variable number `place`."""
    return int.from_bytes(hashlib.blake2b(encoded, digest_size=8, key=f"matching {place}".encode()).digest(), "big")


def bucket_hashes(values: Sequence[object], place: int) -> Hashes:
    """What each of these values adds to the hash of its stratum as matching variable number `place`, modulo 2^64."""
    return np.array([bucket_hash(canonical_bytes(value), place) for value in values], dtype=np.uint64)


def bucket_numbers(hashes: Hashes, buckets: int) -> NDArray[np.int64]:
    """The bucket, in 0, …, B−1, of strata with these hashes.

    >>> bucket_numbers(np.array([0, 2**63, 2**64 - 1], dtype=np.uint64), 4).tolist()
    [0, 2, 3]
    """
    if not 1 <= integer("buckets", buckets) <= _MOST_BUCKETS or buckets & (buckets - 1):
        raise InputError(f"buckets must be a power of two from 1 to {_MOST_BUCKETS}; got {buckets}")
    digits = buckets.bit_length() - 1
    return (hashes >> np.uint64(64 - digits)).astype(np.int64) if digits else np.zeros(len(hashes), dtype=np.int64)


def default_buckets(records: int) -> int:
    """The number B of buckets where nothing else is asked for: the least power of two with at most 2^20 records in one.

    >>> default_buckets(10**6), default_buckets(10**7), default_buckets(10**8)
    (1, 16, 128)
    """
    return min(_MOST_BUCKETS, 1 << max(0, -(-records // _RECORDS_OF_A_BUCKET) - 1).bit_length())


def swap_bucket(
    columns: Sequence[MatchingColumn],
    records: int,
    *,
    swap_rate: Exact,
    key: bytes,
    bucket: int,
    buckets: int,
    ids: NDArray[Any] | None = None,
) -> Moves:
    """The permutation of the records of one bucket, in whatever order they come.

    Args:
        columns: the matching variables, in the order in which the run names them.
        swap_rate: p in [0, 1], exact.
        buckets: B, a power of two.
        ids: what the records are ordered by, each another one; without them, they are in order.
    """
    strata = strata_of(columns, records)
    others = np.flatnonzero(bucket_numbers(strata.hashes, buckets) != bucket)
    if len(others):
        raise InputError(f"bucket {bucket} must hold only its own strata; got {len(others)} of other buckets")
    rate = probability("swap_rate", swap_rate)
    return _swap(strata, rate, key, (bucket, buckets), ids)


def swap_buckets(
    columns: Sequence[MatchingColumn],
    records: int,
    *,
    swap_rate: Exact,
    key: bytes,
    buckets: int | None = None,
    ids: NDArray[Any] | None = None,
) -> Moves:
    """The permutation of all records, bucket by bucket; arguments as for `swap_bucket`, by default as many as usual.

    >>> sizes = MatchingColumn.of(np.array([2, 3, 2, 3]))
    >>> swap_buckets([sizes], 4, swap_rate=1, key=bytes(32)).permutation().tolist()
    [2, 3, 0, 1]
    """
    number = default_buckets(records) if buckets is None else buckets
    return swap_strata(strata_of(columns, records), swap_rate=swap_rate, key=key, buckets=number, ids=ids)


def swap_strata(
    strata: Strata, *, swap_rate: Exact, key: bytes, buckets: int, ids: NDArray[Any] | None = None
) -> Moves:
    """The permutation of all records of these strata, bucket by bucket; arguments as for `swap_bucket`."""
    rate = probability("swap_rate", swap_rate)
    homes = bucket_numbers(strata.hashes, buckets)
    some = np.flatnonzero(np.bincount(homes, minlength=buckets)).tolist()
    if not some:
        return _joined(0, [])
    if len(some) == 1:
        return _swap(strata, rate, key, (some[0], buckets), ids)
    narrow = homes.astype(np.uint16 if buckets <= 2**16 else np.int32)  # NumPy sorts 16 bits by their digits
    home = narrow.take(strata.codes)
    order = np.argsort(home, kind="stable")
    starts = np.searchsorted(home.take(order), np.array(some, dtype=narrow.dtype))
    codes = _ranks_inside(narrow).take(strata.codes.take(order))
    parts = []
    for bucket, places, inside in zip(some, np.split(order, starts[1:]), np.split(codes, starts[1:]), strict=True):
        part = Strata(inside, strata.hashes[homes == bucket])
        moves = _swap(part, rate, key, (bucket, buckets), None if ids is None else ids[places])
        parts.append(Moves(moves.records, places.take(moves.moved), moves.starts, moves.lengths))
    return _joined(len(strata.codes), parts)


def _swap(strata: Strata, rate: Fraction, key: bytes, home: tuple[int, int], ids: NDArray[Any] | None) -> Moves:
    words = keyed_words(key, "bucket {} of {}".format(*home).encode())
    if ids is None:
        return draw_from_words(strata.codes, len(strata.hashes), rate, words)
    order = np.argsort(ids, kind="stable")
    ordered = ids[order]
    repeated = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(repeated):
        raise InputError(f"ids must be distinct; got {shown(ordered[repeated[0]].item())} twice")
    moves = draw_from_words(strata.codes.take(order), len(strata.hashes), rate, words)
    return Moves(moves.records, order.take(moves.moved), moves.starts, moves.lengths)


def _ranks_inside(homes: NDArray[Any]) -> NDArray[np.int32]:
    """For each stratum how many of its own bucket stand before it."""
    order = np.argsort(homes, kind="stable")
    ordered = homes.take(order)
    ranks = np.empty(len(homes), dtype=np.int32)
    ranks[order] = np.arange(len(homes)) - np.searchsorted(ordered, ordered)
    return ranks


def _joined(records: int, parts: Sequence[Moves]) -> Moves:
    if not parts:
        none = np.zeros(0, dtype=np.int64)
        return Moves(records, none, none, none)
    ends = np.cumsum([len(part.moved) for part in parts]).tolist()
    return Moves(
        records,
        np.concatenate([part.moved for part in parts]),
        np.concatenate([part.starts + end - len(part.moved) for part, end in zip(parts, ends, strict=True)]),
        np.concatenate([part.lengths for part in parts]),
    )

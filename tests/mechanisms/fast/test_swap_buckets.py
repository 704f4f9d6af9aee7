"""Swapping in buckets: the law of the program, and nothing but the key, the buckets and the data decides what comes."""

import hashlib
from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from conformance.test_array_swapping import Swaps
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.fast.random_words import keyed_words, run_key
from stirred.mechanisms.fast.swap_buckets import (
    MatchingColumn,
    bucket_hashes,
    bucket_numbers,
    canonical_bytes,
    default_buckets,
    strata_of,
    swap_bucket,
    swap_buckets,
)
from stirred.spec import InputError

VALUES = [None, False, True, 0, 1, -1, 10, "0", "1", "", "00", b"0", date(2020, 4, 1), datetime(2020, 4, 1), Decimal(1)]  # noqa: DTZ001 a value
HALF = Fraction(1, 2)
RECORDS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), min_size=1, max_size=40)


class TestOneBucket(Swaps):
    @staticmethod
    def draw(matching, swap_rate, seed):
        key = run_key(seed)
        return swap_buckets([MatchingColumn.of(matching)], len(matching), swap_rate=swap_rate, key=key, buckets=1)


class TestManyBuckets(Swaps):
    @staticmethod
    def draw(matching, swap_rate, seed):
        columns = [MatchingColumn.of(matching // 2), MatchingColumn.of(matching % 2)]
        return swap_buckets(columns, len(matching), swap_rate=swap_rate, key=run_key(seed), buckets=16)


def columns_of(rows):
    return [MatchingColumn.of(np.array(values)) for values in zip(*rows, strict=True)]


def sigma_by_id(rows, ids, buckets, key=bytes(32)):
    """The record whose value each record gets, both by their ids."""
    order = np.array(ids)
    moves = swap_buckets(columns_of(rows), len(rows), swap_rate=HALF, key=key, buckets=buckets, ids=order)
    return dict(zip(order.tolist(), order[moves.permutation()].tolist(), strict=True))


@given(RECORDS, st.sampled_from([1, 2, 8, 64]), st.randoms(use_true_random=False))
def test_the_order_in_which_records_come_does_not_count(rows, buckets, random):
    expected = sigma_by_id(rows, range(len(rows)), buckets)
    mixed = list(enumerate(rows))
    random.shuffle(mixed)
    assert sigma_by_id([row for _, row in mixed], [place for place, _ in mixed], buckets) == expected
    moves = swap_buckets(columns_of(rows), len(rows), swap_rate=HALF, key=bytes(32), buckets=buckets)
    assert dict(enumerate(moves.permutation().tolist())) == expected


@given(RECORDS, st.sampled_from([1, 2, 8, 64]))
def test_a_bucket_alone_is_swapped_as_among_all(rows, buckets):
    expected = sigma_by_id(rows, range(len(rows)), buckets)
    strata = strata_of(columns_of(rows), len(rows))
    homes = bucket_numbers(strata.hashes, buckets)[strata.codes]
    found = {}
    for bucket in set(homes.tolist()):
        places = np.flatnonzero(homes == bucket)[::-1]  # in another order, with dictionaries of its own
        part = columns_of([rows[place] for place in places])
        moves = swap_bucket(
            part, len(places), swap_rate=HALF, key=bytes(32), bucket=bucket, buckets=buckets, ids=places
        )
        found |= dict(zip(places.tolist(), places[moves.permutation()].tolist(), strict=True))
    assert found == expected


@given(RECORDS, st.randoms(use_true_random=False))
def test_neither_the_order_of_a_dictionary_nor_values_that_do_not_occur_count(rows, random):
    expected = sigma_by_id(rows, range(len(rows)), 4)
    columns = []
    for values in zip(*rows, strict=True):
        dictionary = [*set(values), "absent", 99]
        random.shuffle(dictionary)
        columns.append(MatchingColumn(np.array([dictionary.index(value) for value in values]), dictionary))
    moves = swap_buckets(columns, len(rows), swap_rate=HALF, key=bytes(32), buckets=4)
    assert dict(enumerate(moves.permutation().tolist())) == expected


def test_canonical_bytes_are_distinct_and_prefix_free():
    found = [canonical_bytes(value) for value in VALUES]
    assert len(set(found)) == len(VALUES)
    assert not any(b.startswith(a) for a, b in permutations(found, 2))


def test_strata_are_in_the_order_of_their_bytes_laid_end_to_end():
    rows = list(product(["", "0", "10", "9"], [None, 0, 10, -1]))
    columns = [
        MatchingColumn(np.array([sorted_.index(row[place]) for row in rows]), sorted_)
        for place, sorted_ in enumerate([["", "0", "10", "9"], [None, 0, 10, -1]])
    ]
    strata = strata_of(columns, len(rows))
    by_code = sorted(zip(strata.codes.tolist(), rows, strict=True))
    laid = [b"".join(map(canonical_bytes, row)) for _, row in by_code]
    assert laid == sorted(laid)
    hashes = [int(bucket_hashes([a], 0)[0]) + int(bucket_hashes([b], 1)[0]) for _, (a, b) in by_code]
    assert strata.hashes.tolist() == [h % 2**64 for h in hashes]


def test_the_same_value_under_two_variables_has_two_hashes():
    assert bucket_hashes(["a", "b"], 0).tolist() != bucket_hashes(["a", "b"], 1).tolist()


def test_doubling_the_buckets_splits_each():
    hashes = bucket_hashes(list(range(1000)), 0)
    for small, large in pairwise([1, 2, 4, 256]):
        assert (bucket_numbers(hashes, large) * small // large == bucket_numbers(hashes, small)).all()
    sizes = Counter(bucket_numbers(hashes, 4).tolist()).values()
    assert min(sizes) > 190  # 250 expected; fewer in one of four has probability below 1e-4, and nothing here is drawn


def test_keys_parts_and_requests_give_words_of_their_own():
    streams = [keyed_words(key, part) for key in (bytes(32), b"1" * 32) for part in (b"1", b"2")]
    drawn = [tuple(stream(4).tolist()) for stream in streams for _ in range(2)]
    assert len(set(drawn)) == 8
    again = keyed_words(bytes(32), b"1")
    assert [tuple(again(4).tolist()) for _ in range(2)] == drawn[:2]
    assert len(again(0)) == 0
    one, several = (keyed_words(bytes(32), b"3") for _ in range(2))
    long = several(2**21 + 4)  # the longest request and another
    assert long[: 2**21].tolist() == one(2**21).tolist()
    assert long[2**21 :].tolist() == one(4).tolist() != long[:4].tolist()


def test_words_of_known_value():
    """SHAKE-256 of 32 zero bytes, the request's number and the part, as the standard library computes it."""
    expected = hashlib.shake_256(bytes(32) + bytes(8) + b"part").digest(16)
    assert keyed_words(bytes(32), b"part")(2).tolist() == [
        int.from_bytes(expected[:8], "little"),
        int.from_bytes(expected[8:], "little"),
    ]


def test_runs_differ_by_key_and_number_of_buckets():
    rows = [(0, "a")] * 40
    found = {
        tuple(sigma_by_id(rows, range(40), buckets, key).values())
        for buckets in (1, 2)
        for key in (b"1" * 32, b"2" * 32)
    }
    assert len(found) == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: keyed_words(b"short", b""), "key must have 32 bytes; got 5"),
        (lambda: run_key(-1), "seed must be at least 0; got -1"),
        (lambda: canonical_bytes(0.5), "got 0.5 of type float"),
        (lambda: canonical_bytes(Decimal("nan")), "of type Decimal"),
        (
            lambda: bucket_numbers(np.zeros(1, dtype=np.uint64), 3),
            "buckets must be a power of two from 1 to 1048576; got 3",
        ),
        (lambda: sigma_by_id([(0, "a")] * 3, [1, 2, 1], 1), "ids must be distinct; got 1 twice"),
        (
            lambda: strata_of([MatchingColumn.of(np.array([1, 2]))], 3),
            "must have one value for each of 3 records; got 2",
        ),
        (
            lambda: swap_bucket(
                [MatchingColumn.of(np.arange(9))], 9, swap_rate=1, key=bytes(32), bucket=0, buckets=2**20
            ),
            "bucket 0 must hold only its own strata; got 9 of other buckets",
        ),
    ],
)
def test_bad_input_is_one_line(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_default_buckets_hold_at_most_a_million_on_average():
    for records in (0, 1, 2**20, 2**20 + 1, 3 * 10**8):
        buckets = default_buckets(records)
        assert records <= buckets * 2**20
        assert buckets == 1 or records > buckets // 2 * 2**20


def test_no_records():
    assert swap_buckets([], 0, swap_rate=HALF, key=bytes(32)).permutation().tolist() == []
    assert swap_buckets([MatchingColumn.of(np.zeros(0, dtype=int))], 0, swap_rate=HALF, key=bytes(32)).records == 0

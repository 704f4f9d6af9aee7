"""The distances of a witness are those of `spec`, for every premetric that a claim file may name."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.input_premetric import (
    Neighbors,
    Order,
    deletion_distance,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    stratified_hamming,
    symmetric_difference,
)
from stirred.verify.certificates.distances import distance
from stirred.verify.certificates.exact_number import WitnessError
from stirred.verify.certificates.work import Work
from stirred.verify.claim.domain import freeze

METRICS = {
    metric.name: metric
    for metric in (
        *(one("person") for one in (hamming_unordered, hamming_ordered, symmetric_difference, deletion_distance)),
        *(neighbor_premetric(neighbors, order, "person") for neighbors in Neighbors for order in Order),
    )
}

records = st.one_of(st.integers(0, 2), st.sampled_from(["a", "b"]), st.lists(st.integers(0, 1), max_size=2))
data_sets = st.lists(records, max_size=5)
tables = st.lists(st.integers(0, 3), min_size=4, max_size=4).map(lambda n: [[n[:2], n[2:]]])


@given(st.sampled_from(sorted(METRICS)), data_sets, data_sets)
def test_between_data_sets_of_records(name, x, y):
    assert distance({"name": name, "data": "records"}, x, y, Work()) == METRICS[name](freeze(x), freeze(y))


@given(tables, tables)
def test_between_tables(x, y):
    expected = stratified_hamming("person")(freeze(x), freeze(y))
    assert distance({"name": "hamming_unordered", "data": "strata"}, x, y, Work()) == expected


@given(st.integers(), st.integers())
def test_between_integers(x, y):
    assert distance({"name": "absolute_difference", "data": "integers"}, x, y, Work()) == abs(x - y)


def test_of_a_listed_pair():
    premetric = {"name": "explicit", "data": "records", "distances": [[[0], [1], "1/2"], [[1], [0], 3]]}
    assert distance(premetric, [0], [1], Work()) == Fraction(1, 2)
    assert distance(premetric, [1], [0], Work()) == 3
    assert distance(premetric, [0], [2], Work()) is None
    assert distance(premetric, [2], [2], Work()) == 0


@pytest.mark.parametrize(
    ("premetric", "x", "y"),
    [
        ({"name": "nearness", "data": "records"}, [0], [1]),
        ({"name": "hamming_ordered", "data": "strata"}, [[[1]]], [[[2]]]),
        ({"name": "absolute_difference", "data": "records"}, 1, 2),
        ({"name": "absolute_difference", "data": "integers"}, "1", "2"),
        ({"name": "hamming_ordered", "data": "records"}, 1, [1]),
        ({"name": "hamming_ordered", "data": "records"}, [1.5], [1]),
        ({"name": "hamming_ordered", "data": "records"}, [{}], [1]),
        ({"name": "hamming_unordered", "data": "strata"}, [[[1, 2]]], [[[1], [2]]]),
        ({"name": "explicit", "data": "records", "distances": [[[0], [1], -1]]}, [0], [1]),
        ({"name": "explicit", "data": "records", "distances": [[[0], [1], 1], [[0], [1], 2]]}, [0], [1]),
    ],
)
def test_what_has_no_distance_is_refused(premetric, x, y):
    with pytest.raises(WitnessError):
        distance(premetric, x, y, Work())

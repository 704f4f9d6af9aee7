"""Steps of the four neighbour relations, against the printed metrics on small domains."""

from itertools import combinations, product

import pytest

from stirred.spec.domain import multisets, ordered_data_sets
from stirred.spec.input_premetric import sharpening_of
from stirred.spec.neighbor_steps import Neighbors, Order, Relation

RELATIONS = [Relation(*parts) for parts in product(Neighbors, Order)]
LISTINGS = {Order.ORDERED: ordered_data_sets, Order.UNORDERED: multisets}
SIZES = [(0,), (1,), (2,), (3,), (0, 1, 2), (1, 2), (0, 2), (2, 3)]


def domain(relation, records, sizes):
    return LISTINGS[relation.order](tuple(records), sizes).points


def metric(relation):
    return sharpening_of(relation.neighbors, relation.order, "record")


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_steps_lead_to_the_data_sets_at_distance_1(relation, sizes):
    points = domain(relation, "abc", sizes)
    known = {relation.key(point): point for point in points}
    for point in points:
        found = {known.get(relation.key(other)) for other in relation.steps(point, "abc")} - {None, point}
        assert found == {other for other in points if metric(relation)(point, other) == 1}


def is_path_metric(relation, points):
    """Whether some data set among them lies one step on the way between every two that are further apart."""
    d = metric(relation)
    return all(
        d(x, y) in (None, 0, 1) or any(d(x, z) == 1 and d(z, y) == d(x, y) - 1 for z in points)
        for x, y in product(points, repeat=2)
    )


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_the_metric_is_a_path_metric_on_every_part_of_a_domain_that_is_counted_complete(relation):
    points = domain(relation, "ab", (0, 1, 2))
    counted = 0
    for size in range(1, len(points) + 1):
        for part in combinations(points, size):
            if relation.is_complete(part):
                counted += 1
                assert is_path_metric(relation, part)
    assert counted > 5


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_full_domains_are_complete_unless_records_come_and_go_at_one_size(relation):
    for sizes in SIZES:
        expected = relation.neighbors is Neighbors.REPLACE_ONE or sizes in ((0,), (0, 1, 2), (1, 2), (2, 3))
        assert relation.is_complete(domain(relation, "abc", sizes)) is expected
        assert is_path_metric(relation, domain(relation, "abc", sizes)) is expected


def test_different_records_at_different_places_make_a_complete_universe():
    points = [(a, b) for a in "ab" for b in "xyz"]
    assert Relation(Neighbors.REPLACE_ONE, Order.ORDERED).is_complete(points)
    assert not Relation(Neighbors.REPLACE_ONE, Order.ORDERED).is_complete(points[1:])

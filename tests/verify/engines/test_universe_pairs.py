"""The pairs of a universe, against every distance."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.domain import multisets, ordered_data_sets
from stirred.spec.input_premetric import (
    Neighbors,
    Order,
    deletion_distance,
    explicit,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    symmetric_difference,
)
from stirred.verify.engines.universe_pairs import universe_pairs
from stirred.verify.engines.workload import UNLIMITED

ORDERED, UNORDERED = ordered_data_sets((0, 1, 2), (1, 2)).points, multisets("abcd", (1, 2, 3)).points
LOCAL = [neighbor_premetric(*parts, "record") for parts in product(Neighbors, Order)]
KNOWN = [
    (hamming_ordered("record"), ORDERED),
    (deletion_distance("record"), ORDERED),
    (hamming_unordered("record"), UNORDERED),
    (symmetric_difference("record"), UNORDERED),
    *((one, ORDERED if one.relation.order is Order.ORDERED else UNORDERED) for one in LOCAL),
]


def distances(points, premetric):
    return {
        (i, j): premetric(points[i], points[j])
        for i, j in permutations(range(len(points)), 2)
        if premetric(points[i], points[j]) is not None
    }


def rows(row, points):
    return {(place, other): d for place in range(len(points)) for other, d in row(place)}


def check(points, premetric):
    pairs = universe_pairs(points, premetric, UNLIMITED)
    every, few = distances(points, premetric), rows(pairs.bounding_row, points)
    assert rows(pairs.row, points) == every
    assert few.items() <= every.items()
    left_out = {pair: d for pair, d in every.items() if pair not in few}
    for (x, y), d in left_out.items():
        assert any(
            every.get((x, z), 0) > 0 and every.get((z, y), 0) > 0 and every[x, z] + every[z, y] <= d
            for z in range(len(points))
        )
    assert pairs.is_bounded_by_fewer == bool(left_out)
    if left_out:
        assert pairs.least_between <= min(left_out.values())
    assert sorted(map(sorted, pairs.unordered())) == sorted(map(list, {tuple(sorted(pair)) for pair in every}))
    assert pairs.count == len({frozenset(pair) for pair in every})
    assert pairs.bounding_count == len({frozenset(pair) for pair in few})
    return pairs


@pytest.mark.parametrize(("premetric", "points"), KNOWN, ids=lambda one: getattr(one, "name", ""))
def test_pairs_listed_by_steps_are_those_that_are_measured(premetric, points):
    stepped = check(points, premetric)
    measured = check(points, replace(premetric, relation=None))
    for row in ("row", "bounding_row"):
        assert rows(getattr(stepped, row), points) == rows(getattr(measured, row), points)
    assert stepped.is_bounded_by_fewer == (not premetric.is_local)


@pytest.mark.parametrize(("premetric", "points"), KNOWN, ids=lambda one: getattr(one, "name", ""))
def test_parts_of_a_domain_are_never_taken_for_complete(premetric, points):
    for step in (2, 3, 5):
        check(points[::step], premetric)


def test_data_sets_that_a_relation_sees_as_one_are_measured():
    check([("a", "b"), ("b", "a"), ("a", "a")], hamming_unordered("record"))


@given(
    st.integers(0, 6),
    st.dictionaries(
        st.tuples(st.integers(0, 5), st.integers(0, 5)), st.fractions(0, 4, max_denominator=3), max_size=30
    ),
)
def test_any_premetric_whatever_its_asymmetry_and_shortcuts(size, table):
    listed = {(x, y): d for (x, y), d in table.items() if x != y}
    check(tuple(range(size)), explicit(listed, "record"))


def test_distances_beyond_machine_integers_leave_nothing_out():
    huge = {(0, 1): 10**30, (1, 2): 10**30, (0, 2): 2 * 10**30}
    assert not check((0, 1, 2), explicit(huge, "record")).is_bounded_by_fewer
    assert check((0, 1, 2), explicit({pair: d // 10**30 for pair, d in huge.items()}, "record")).is_bounded_by_fewer


def test_only_paths_inside_the_universe_count():
    far = explicit({(0, 1): 1, (1, 2): 1, (0, 2): Fraction(2)}, "record")
    assert check((0, 1, 2), far).is_bounded_by_fewer
    assert not check((0, 2), far).is_bounded_by_fewer

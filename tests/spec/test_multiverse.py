from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import multiverses

from stirred.spec import FiniteDomain, InputError, Multiverse, at_most, induced, vacuous
from stirred.spec.multiverse import components

DOMAIN = FiniteDomain(tuple(range(4)))


@given(multiverses())
def test_compared_pairs_are_counted_once_however_universes_overlap(multiverse):
    pairs = [pair for pair in combinations(range(4), 2) if multiverse.compares(*pair)]
    assert multiverse.compared_pairs() == len(pairs)
    assert all(multiverse.containing(*pair) for pair in pairs)


@given(multiverses(), multiverses(), multiverses())
def test_refinement_is_a_preorder(first, second, third):
    assert first.refines(first)
    if first.refines(second) and second.refines(third):
        assert first.refines(third)
    if first.refines(second):
        assert first.covered() <= second.covered()
        assert first.compared_pairs() <= second.compared_pairs()


@given(multiverses())
def test_every_multiverse_on_the_domain_refines_the_vacuous_one(multiverse):
    multiverse.check_inside(DOMAIN)
    assert multiverse.refines(vacuous(DOMAIN))
    assert Multiverse(()).refines(multiverse)


@given(multiverses())
def test_a_partition_has_no_overlaps(multiverse):
    overlaps = any(a & b for a, b in combinations(multiverse.universes, 2))
    assert multiverse.is_partition() == (not overlaps)


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_invariants_induce_a_partition_and_more_invariants_refine_it(c, more):
    coarse, fine = induced(DOMAIN, c.__getitem__), induced(DOMAIN, c.__getitem__, more.__getitem__)
    assert coarse.is_partition()
    assert coarse.covered() == frozenset(DOMAIN)
    assert fine.refines(coarse)
    for x in DOMAIN:
        (universe,) = coarse.containing(x)
        assert universe == {y for y in DOMAIN if c[y] == c[x]}


def test_no_invariant_induces_the_vacuous_multiverse():
    assert induced(DOMAIN) == vacuous(DOMAIN)
    assert induced(DOMAIN, lambda x: x).singletons() == 4


def test_an_inequality_invariant_splits_into_two():
    assert induced(DOMAIN, at_most(lambda x: x - 1)).universes == (frozenset({0, 1}), frozenset({2, 3}))


def test_repeated_and_stray_universes_are_refused():
    with pytest.raises(InputError, match="distinct"):
        Multiverse([(1, 2), (2, 1)])
    with pytest.raises(InputError, match="9 does not"):
        Multiverse([(0, 9)]).check_inside(DOMAIN)


@given(multiverses(), st.sets(st.integers(0, 3)))
def test_restriction_keeps_the_comparisons_inside(multiverse, kept):
    restricted = multiverse.restricted_to(kept)
    for x, y in combinations(range(4), 2):
        assert restricted.compares(x, y) == (multiverse.compares(x, y) and {x, y} <= kept)


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_components_are_the_classes_of_the_symmetric_transitive_closure(links):
    found = components(range(6), lambda x, y: (x, y) in links)
    parent = list(range(6))
    for _ in range(6):
        for x, y in links:
            parent[x] = parent[y] = min(parent[x], parent[y])
    for _ in range(6):
        parent = [parent[q] for q in parent]
    expected = {frozenset(x for x in range(6) if parent[x] == root) for root in set(parent)}
    assert set(found) == expected
    assert sum(map(len, found)) == 6


def test_an_invariant_must_be_hashable():
    with pytest.raises(InputError, match=r"an invariant must be hashable; got \(\[0\],\) at 0"):
        induced(FiniteDomain((0, 1)), lambda x: [x])

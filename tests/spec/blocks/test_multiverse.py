"""Domains, tables, universes, and steps of the four neighbour relations against the printed metrics."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from strategies import margins, multiverses, tables

from stirred.spec import (
    FiniteDomain,
    InputError,
    Multiverse,
    Schema,
    at_most,
    contingency_tables,
    count_tables,
    induced,
    multisets,
    ordered_data_sets,
    tables_with_margins,
    vacuous,
)
from stirred.spec.blocks.domain import MAX_DOMAIN_SIZE
from stirred.spec.blocks.input_premetric import Neighbors, Order, Relation, sharpening_of
from stirred.spec.blocks.multiverse import components
from stirred.spec.blocks.tables import check_table, column_margins, margins_of_size, row_margins, table_distance


def test_order_and_membership_are_fixed():
    domain = FiniteDomain(("b", "a"))
    assert list(domain) == ["b", "a"]
    assert (domain.index("a"), "a" in domain, "c" in domain) == (1, True, False)
    with pytest.raises(InputError, match="not in the domain"):
        domain.index("c")


def test_equal_domains_hash_alike():
    assert hash(FiniteDomain((1, 2))) == hash(FiniteDomain((1, 2)))
    assert FiniteDomain((1, 2)) != FiniteDomain((2, 1))


def test_records_are_counted_in_tuples_and_in_tables():
    assert FiniteDomain((("a", "b"),)).count_records(("a", "b")) == 2
    assert FiniteDomain(((("a", 1), ("b", 2)),)).count_records((("a", 1), ("b", 2))) == 2
    domain = tables_with_margins([((2, 1), (2, 1)), ((1,), (1,))])
    assert {domain.count_records(point) for point in domain} == {4}
    assert FiniteDomain((3, 4)).count_records(3) == 0


def test_schema_lists_every_record():
    schema = Schema({"own": ("yes", "no"), "county": (1, 2, 3)})
    assert schema.records == tuple(product(("yes", "no"), (1, 2, 3)))
    assert schema.size == len(schema.records)
    for values in ((), ("yes", "yes")):
        with pytest.raises(InputError, match="'own' must have distinct values"):
            Schema({"own": values})


def test_multisets_and_tuples_have_their_known_numbers():
    assert len(multisets("abc", range(4))) == sum(comb(n + 2, 2) for n in range(4))
    assert len(ordered_data_sets("abc", range(4))) == 1 + 3 + 9 + 27
    assert multisets("ab", [2]).points == (("a", "a"), ("a", "b"), ("b", "b"))


def test_tables_are_the_product_over_strata():
    strata = [((1, 1), (1, 1)), ((2,), (1, 1)), ((1, 1), (2, 0))]
    assert len(tables_with_margins(strata)) == 2


def test_multisets_of_no_records_are_empty():
    assert multisets((), (0, 3)).points == ((),)


DOMAIN = FiniteDomain(tuple(range(4)))


@given(multiverses())
def test_a_multiverse_refines_the_vacuous_one_and_counts_pairs_once_however_universes_overlap(multiverse):
    multiverse.check_inside(DOMAIN)
    assert multiverse.refines(vacuous(DOMAIN))
    assert Multiverse(()).refines(multiverse)
    assert multiverse.is_partition() == (not any(a & b for a, b in combinations(multiverse.universes, 2)))
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


@given(margins())
def test_enumeration_is_complete_distinct_and_ordered(rows_and_columns):
    rows, columns = rows_and_columns
    found = contingency_tables(rows, columns)
    assert list(found) == sorted(set(found))
    assert len(found) == count_tables(rows, columns)
    assert all((row_margins(t), column_margins(t)) == (rows, columns) for t in found)
    records = [s for s, n in enumerate(columns) for _ in range(n)]
    holding = [h for h, n in enumerate(rows) for _ in range(n)]
    reached = set()
    for order in set(permutations(records)):
        cells = Counter(zip(holding, order, strict=True))
        reached.add(tuple(tuple(cells[h, s] for s in range(len(columns))) for h in range(len(rows))))
    assert set(found) == reached


def test_zero_margins_are_kept_as_empty_rows_and_columns():
    assert contingency_tables((0, 2), (2, 0, 0)) == (((0, 0, 0), (2, 0, 0)),)
    assert contingency_tables((0,), (0, 0)) == (((0, 0),),)


@pytest.mark.parametrize(
    ("rows", "columns", "count"), [((3, 3), (3, 3), 4), ((1, 1, 1), (1, 1, 1), 6), ((2, 2, 2), (2, 2, 2), 21)]
)
def test_counts_of_known_tables(rows, columns, count):
    # 2 x 2: min + 1; permutation matrices: 3!; 3 x 3 with margins 2: 21 (magic squares, MacMahon)
    assert count_tables(rows, columns) == count


def test_margins_with_hopelessly_many_tables_are_refused_at_once():
    # the first row alone: C(10^5 + 2, 2) fills, none of which meets another bound
    with pytest.raises(InputError, match=f"at least {comb(100_002, 2)}"):
        count_tables((10**5,) * 3, (10**5,) * 3)
    assert count_tables((1,) * 12, (1,) * 12) == factorial(12)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [((1,), (2,)), ((), ()), ((1, -1), (0,)), ((1.0,), (1,)), ((True,), (1,)), ("1", "1"), ((Fraction(1),), (1,))],
)
def test_margins_that_no_table_has_are_refused(rows, columns):
    for function in (contingency_tables, count_tables):
        with pytest.raises(InputError):
            function(rows, columns)


@given(tables(), tables())
def test_distance_counts_the_records_that_differ(x, z):
    records = [Counter({(i, j): n for i, row in enumerate(t) for j, n in enumerate(row)}) for t in (x, z)]
    expected = (records[0] - records[1]).total() if sum(map(sum, x)) == sum(map(sum, z)) else None
    assert table_distance(x, z) == expected == table_distance(z, x)


@given(margins(4))
def test_inside_a_universe_the_distance_is_never_1(rows_and_columns):
    # one changed record would change a margin
    universe = contingency_tables(*rows_and_columns)
    assert 1 not in {table_distance(x, z) for x, z in product(universe, universe)}


def test_margins_of_a_size_are_the_partitions():
    assert margins_of_size(4, 4) == ((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1))
    assert [len(margins_of_size(n, n)) for n in range(1, 8)] == [1, 2, 3, 5, 7, 11, 15]
    with pytest.raises(InputError, match="total must be at least 1"):
        margins_of_size(0, 1)


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FiniteDomain(()), "at least one"),
        (lambda: FiniteDomain(("b", "a", "a")), "'a' is listed twice"),
        (lambda: FiniteDomain(([1], [2])), "hashable"),
        *each(lambda build: build("ab", [-1]), [multisets, ordered_data_sets], "a length"),
        *each(lambda build: build("aa", [1]), [multisets, ordered_data_sets], "twice"),
        (lambda: ordered_data_sets((0, 1), (10**6,)), r"this one has about 10\^301030"),
        (lambda: multisets(tuple(range(100)), (10**6,)), r"this one has about 10\^"),
        (lambda: multisets(tuple(range(700)), (2,)), "this one has 245350"),
        (lambda: ordered_data_sets("ab", [18]), rf"{MAX_DOMAIN_SIZE}.*{2**18}"),
        (lambda: multisets(range(1000), [3]), str(MAX_DOMAIN_SIZE)),
        (lambda: tables_with_margins([((10**4, 10**4), (10**4, 10**4))] * 2), f"{10_001**2}"),
        (lambda: Multiverse([(1, 2), (2, 1)]), "distinct"),
        (lambda: Multiverse([(0, 9)]).check_inside(DOMAIN), "9 does not"),
        (lambda: induced(FiniteDomain((0, 1)), lambda x: [x]), r"an invariant must be hashable; got \(\[0\],\) at 0"),
        *each(
            lambda bad: check_table("table", bad),
            [[], [[]], [[1], [1, 2]], [[-1]], [[0.5]], "12", [1, 2], None, [["1"]]],
            r"^table",
        ),
        *each(
            lambda other: table_distance(((1, 0), (0, 1)), other),
            [((1, 0, 0), (0, 1, 0)), ((1, 1),), ((1,), (1,))],
            "tables must have the same rows and columns",
        ),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)

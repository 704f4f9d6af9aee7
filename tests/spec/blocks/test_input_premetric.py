from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import given
from refusals import check_refused, each
from strategies import premetrics

from stirred.spec import (
    FiniteDomain,
    InputError,
    InputPremetric,
    Neighbors,
    Order,
    hamming_ordered,
    hamming_unordered,
    multisets,
    neighbor_premetric,
    ordered_data_sets,
    pull_back,
    sharpen,
    symmetric_difference,
    tables_with_margins,
)
from stirred.spec.blocks.input_premetric import explicit, hamming_of_tables, sharpening_of, stratified_hamming


def removals(x):
    return {x[:j] + x[j + 1 :] for j in range(len(x))}


def printed_neighbors(kind, order, x, y):
    """The four relations of (A.2) as printed."""
    if (kind, order) == (Neighbors.REPLACE_ONE, Order.UNORDERED):
        a, b = Counter(x), Counter(y)
        return len(x) == len(y) and Fraction(((a - b) + (b - a)).total(), 2) == 1
    if (kind, order) == (Neighbors.REPLACE_ONE, Order.ORDERED):
        return len(x) == len(y) and len([j for j in range(len(x)) if x[j] != y[j]]) == 1
    if order is Order.UNORDERED:
        a, b = Counter(x), Counter(y)
        return ((a - b) + (b - a)).total() == 1
    return y in removals(x) or x in removals(y)


def domain_of(order, records, longest):
    build = multisets if order is Order.UNORDERED else ordered_data_sets
    return build(records, range(longest + 1))


KINDS = [(kind, order) for kind in Neighbors for order in Order]


@pytest.mark.parametrize(("kind", "order"), KINDS)
@pytest.mark.parametrize(("records", "longest"), [("ab", 3), ("abc", 2)])
def test_neighbor_premetrics_are_the_printed_relations(kind, order, records, longest):
    domain = domain_of(order, records, longest)
    d = neighbor_premetric(kind, order, "person")
    for x, y in product(domain, domain):
        expected = 0 if x == y else 1 if printed_neighbors(kind, order, x, y) else None
        assert d(x, y) == expected


@pytest.mark.parametrize(("kind", "order"), KINDS)
@pytest.mark.parametrize(("records", "longest"), [("ab", 3), ("abc", 3)])
def test_sharpening_is_the_printed_metric_on_full_domains(kind, order, records, longest):
    domain = domain_of(order, records, longest)
    sharpened = sharpen(neighbor_premetric(kind, order, "person"), domain)
    printed = sharpening_of(kind, order, "person")
    assert all(sharpened(x, y) == printed(x, y) for x, y in product(domain, domain))


@pytest.mark.parametrize("kind", list(Neighbors))
def test_sharpening_exceeds_the_printed_metric_where_intermediate_data_sets_are_missing(kind):
    # A1 and B1 hold on full domains only: the path inside this domain does not exist
    domain = FiniteDomain((("a", "a"), ("b", "b")))
    sharpened = sharpen(neighbor_premetric(kind, Order.UNORDERED, "person"), domain)
    assert sharpened(("a", "a"), ("b", "b")) is None
    assert sharpening_of(kind, Order.UNORDERED, "person")(("a", "a"), ("b", "b")) is not None


def test_deletion_distance_is_the_printed_minimum():
    domain = ordered_data_sets("ab", range(4))
    printed = sharpening_of(Neighbors.ADD_REMOVE, Order.ORDERED, "message")

    def kept(x):
        return {
            (k, tuple(x[i] for i in chosen)) for k in range(len(x) + 1) for chosen in combinations(range(len(x)), k)
        }

    for x, y in product(domain, domain):
        shared = max(k for k, part in kept(x) if (k, part) in kept(y))
        assert printed(x, y) == len(x) + len(y) - 2 * shared


@given(premetrics())
def test_sharpening_is_the_shortest_path_and_the_largest_triangular_minorant(drawn):
    domain, d = drawn
    sharpened = sharpen(d, domain)
    for x, y in product(domain, domain):
        lengths = []
        for size in range(len(domain) + 1):
            for middle in permutations([z for z in domain if z not in (x, y)], size):
                steps = [d(a, b) for a, b in pairwise((x, *middle, y))]
                if None not in steps:
                    lengths.append(sum(steps))
        assert sharpened(x, y) == (min(lengths) if lengths else None)
    again = sharpen(sharpened, domain)
    assert all(again(x, y) == sharpened(x, y) for x, y in product(domain, domain))


@pytest.mark.parametrize(("kind", "order"), KINDS)
def test_printed_sharpenings_are_metrics(kind, order):
    assert sharpening_of(kind, order, "person").is_metric_on(domain_of(order, "ab", 3))


def test_metric_checks_find_each_fault():
    domain = FiniteDomain((0, 1, 2))

    def symmetric(table):
        return explicit({**table, **{(y, x): d for (x, y), d in table.items()}}, "record")

    good = symmetric({(0, 1): 1, (1, 2): 1, (0, 2): 2})
    assert good.is_metric_on(domain)
    assert not symmetric({(0, 1): 1, (1, 2): 1, (0, 2): 3}).is_metric_on(domain)
    assert not symmetric({(0, 1): 1, (1, 2): 1}).is_metric_on(domain)
    assert not symmetric({(0, 1): 0, (1, 2): 1, (0, 2): 1}).is_metric_on(domain)
    asymmetric = explicit({(0, 1): 1}, "record")
    assert not asymmetric.is_metric_on(domain)
    assert not asymmetric.is_symmetric_on(domain)
    assert good.is_symmetric_on(domain)


def test_equal_points_are_at_distance_zero_whatever_the_function_says():
    assert InputPremetric("odd", "record", lambda x, y: 5)(1, 1) == 0


def test_sharpening_refuses_points_outside_its_domain():
    domain = multisets("ab", [1])
    with pytest.raises(InputError, match="not in the domain"):
        sharpen(hamming_unordered("person"), domain)(("a",), ("c",))


def test_pull_back_sees_data_through_the_recording_map():
    clipped = pull_back(
        hamming_ordered("person"), lambda x: tuple(min(v, 1) for v in x), name="clipped", resolution="person"
    )
    assert clipped((0, 1), (0, 5)) == 0
    assert clipped((0, 1), (1, 5)) == 1
    # a pulled-back metric need not separate points
    assert not clipped.is_metric_on(ordered_data_sets((0, 1, 2), [1]))


def test_tables_and_records_have_one_distance():
    domain = tables_with_margins([((2, 1), (1, 2)), ((1, 1), (1, 1))])

    def records(point):
        return tuple(
            (m, h, s)
            for m, table in enumerate(point)
            for h, row in enumerate(table)
            for s, n in enumerate(row)
            for _ in range(n)
        )

    for x, y in product(domain, domain):
        expected = hamming_unordered("household")(records(x), records(y))
        assert stratified_hamming("household")(x, y) == expected
        assert hamming_of_tables("household")(x[0], y[0]) is not None
    assert stratified_hamming("household")((((1,),),), (((2,),),)) is None


def test_unbounded_and_bounded_unit_changes_differ_by_two():
    x, y = ("a", "b"), ("a", "c")
    assert hamming_unordered("person")(x, y) == 1
    assert symmetric_difference("person")(x, y) == 2
    assert hamming_unordered("person")(("a",), ("a", "b")) is None
    assert hamming_ordered("person")(("a",), ("a", "b")) is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *each(
            lambda bad: InputPremetric("odd", "record", lambda x, y: bad)(1, 2), [-1, 0.5, "1"], "a distance must be"
        ),
        *each(hamming_unordered, ["", None, 3], "resolution must name"),
        (lambda: stratified_hamming("record")((((1, 0),),), (((1,),),)), "strata must have the same rows and columns"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)

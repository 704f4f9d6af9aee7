from itertools import product
from math import comb

import pytest

from stirred.spec import FiniteDomain, InputError, Schema, multisets, ordered_data_sets, tables_with_margins
from stirred.spec.domain import MAX_DOMAIN_SIZE


def test_order_and_membership_are_fixed():
    domain = FiniteDomain(("b", "a"))
    assert list(domain) == ["b", "a"]
    assert (domain.index("a"), "a" in domain, "c" in domain) == (1, True, False)
    with pytest.raises(InputError, match="not in the domain"):
        domain.index("c")


def test_empty_repeated_and_unhashable_points_are_refused():
    with pytest.raises(InputError, match="at least one"):
        FiniteDomain(())
    with pytest.raises(InputError, match="'a' is listed twice"):
        FiniteDomain(("b", "a", "a"))
    with pytest.raises(InputError, match="hashable"):
        FiniteDomain(([1], [2]))


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


@pytest.mark.parametrize("build", [multisets, ordered_data_sets])
def test_bad_lengths_and_repeated_records_are_refused(build):
    with pytest.raises(InputError, match="a length"):
        build("ab", [-1])
    with pytest.raises(InputError, match="twice"):
        build("aa", [1])


def test_a_domain_too_large_to_list_says_its_size_and_the_bound():
    with pytest.raises(InputError, match=rf"{MAX_DOMAIN_SIZE}.*{2**18}"):
        ordered_data_sets("ab", [18])
    with pytest.raises(InputError, match=str(MAX_DOMAIN_SIZE)):
        multisets(range(1000), [3])
    with pytest.raises(InputError, match=f"{10_001**2}"):
        tables_with_margins([((10**4, 10**4), (10**4, 10**4))] * 2)


def test_tables_are_the_product_over_strata():
    strata = [((1, 1), (1, 1)), ((2,), (1, 1)), ((1, 1), (2, 0))]
    assert len(tables_with_margins(strata)) == 2


@pytest.mark.parametrize(
    ("build", "size"),
    [
        (lambda: ordered_data_sets((0, 1), (10**6,)), r"about 10\^301030"),
        (lambda: multisets(tuple(range(100)), (10**6,)), r"about 10\^"),
        (lambda: multisets(tuple(range(700)), (2,)), "245350"),
    ],
)
def test_a_large_domain_is_refused_before_it_is_listed(build, size):
    with pytest.raises(InputError, match=f"this one has {size}"):
        build()


def test_multisets_of_no_records_are_empty():
    assert multisets((), (0, 3)).points == ((),)

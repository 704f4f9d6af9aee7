from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import open_probabilities, tables

from stirred.mechanisms import exact_law, permutation_swapping, psa_law_by_choices, saturated_table
from stirred.mechanisms.permutation_swapping import table_records
from stirred.spec import SYMBOL, InputError, contingency_tables
from stirred.spec.law import point_mass
from stirred.spec.law import product as joint
from stirred.spec.tables import column_margins, row_margins

HALF = Fraction(1, 2)


def printed_law(records, p):
    """Algorithm 1 read literally: P(S) p^|S| (1-p)^(n-|S|), |S| != 1 renormalised, then a uniform derangement of S."""
    n = len(records)
    if n < 2:
        return {saturated_table(records): 1}
    mass = Counter()
    kept = Fraction(0)
    for chosen in product((False, True), repeat=n):
        selected = [i for i in range(n) if chosen[i]]
        if len(selected) == 1:
            continue
        weight = p ** len(selected) * (1 - p) ** (n - len(selected))
        kept += weight
        deranged = [o for o in permutations(selected) if all(a != b for a, b in zip(o, selected, strict=True))]
        for order in deranged:
            swapped = list(records)
            for i, j in zip(selected, order, strict=True):
                swapped[i] = (*records[i][:2], records[j][2])
            mass[saturated_table(swapped)] += weight / len(deranged)
    return {z: q / kept for z, q in mass.items() if q}


@given(tables(records=4), st.sampled_from([Fraction(0), Fraction(1, 20), HALF, Fraction(3, 4), Fraction(1)]))
def test_the_law_is_that_of_the_printed_algorithm(table, p):
    records = table_records(table)
    assert dict(exact_law(permutation_swapping, records, swap_rate=p)) == printed_law(records, p)


@pytest.mark.parametrize("p", [0, HALF, 1])
@pytest.mark.parametrize("table", [((0, 0), (0, 0)), ((0, 1), (0, 0)), ((1,),), ((3, 0),)])
def test_strata_with_nothing_to_swap_stay_as_they_are(table, p):
    assert psa_law_by_choices(table, p) == point_mass(table)


def test_two_records_swap_with_probability_p_squared_given_that_not_one_is_selected():
    x, z = ((1, 0), (0, 1)), ((0, 1), (1, 0))
    for p in (Fraction(0), Fraction(1, 3), Fraction(1)):
        swapped = p**2 / (p**2 + (1 - p) ** 2)
        law = psa_law_by_choices(x, p)
        assert (law[z], law[x]) == (swapped, 1 - swapped)


def test_the_probability_of_being_moved_is_p_times_the_printed_sum_over_the_acceptance():
    p, n = Fraction(1, 3), 4
    printed = p * sum(comb(n - 1, j) * p**j * (1 - p) ** (n - 1 - j) for j in range(1, n))
    records = tuple((0, i, i) for i in range(n))
    law = exact_law(permutation_swapping, records, swap_rate=p)
    moved = law.event(lambda z: ((0, 0, 0), 1) not in z)
    assert moved == printed / (1 - n * p * (1 - p) ** (n - 1))
    assert moved != printed


def test_at_rate_1_every_record_of_a_stratum_is_deranged():
    law = psa_law_by_choices(((1, 0, 0), (0, 1, 0), (0, 0, 1)), 1)
    cycles = ((0, 1, 0), (0, 0, 1), (1, 0, 0)), ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    assert dict(law) == dict.fromkeys(cycles, HALF)


@given(tables(records=4), open_probabilities)
def test_margins_are_invariant_and_every_table_of_the_universe_is_possible(table, p):
    rows, columns = row_margins(table), column_margins(table)
    assert set(psa_law_by_choices(table, p)) == set(contingency_tables(rows, columns))


@given(tables(records=3), open_probabilities)
def test_the_open_rate_gives_the_law_at_every_rate(table, p):
    assert psa_law_by_choices(table, SYMBOL).at(p) == psa_law_by_choices(table, p)


@pytest.mark.parametrize("p", [0, 1])
@pytest.mark.parametrize("table", [((1, 0), (0, 1)), ((1, 1), (0, 1)), ((2, 0), (0, 2))])
def test_the_open_law_continues_to_the_ends(table, p):
    assert psa_law_by_choices(table, SYMBOL).at(Fraction(p)) == psa_law_by_choices(table, p)


@given(tables(records=3), tables(records=2), open_probabilities)
def test_strata_are_independent(first, second, p):
    records = table_records(first) + tuple((1, h, s) for _, h, s in table_records(second))
    law = exact_law(permutation_swapping, records, swap_rate=p)
    parts = [exact_law(permutation_swapping, [r for r in records if r[0] == m], swap_rate=p) for m in (0, 1)]
    assert law == joint(*parts).push(lambda pair: tuple(sorted((*pair[0], *pair[1]), key=repr)))


@given(st.permutations(table_records(((1, 1), (1, 0)))))
def test_the_law_does_not_depend_on_the_order_of_records(records):
    expected = exact_law(permutation_swapping, table_records(((1, 1), (1, 0))), swap_rate=HALF)
    assert exact_law(permutation_swapping, records, swap_rate=HALF) == expected


def test_categories_may_be_any_labels():
    records = (("MA", "own", "Suffolk"), ("MA", "rent", "Essex"))
    law = exact_law(permutation_swapping, records, swap_rate=1)
    assert law == point_mass(saturated_table((("MA", "own", "Essex"), ("MA", "rent", "Suffolk"))))


@pytest.mark.parametrize("p", [0.5, 2, -1, "1/2", None, True])
def test_a_rate_must_be_exact_and_in_range(p):
    with pytest.raises(InputError, match="swap_rate must be"):
        psa_law_by_choices([[1, 0], [0, 1]], p)


@pytest.mark.parametrize("table", [[], [[1], [1, 2]], [[-1]], [[0.5]], "ab"])
def test_a_table_must_be_rectangular_counts(table):
    with pytest.raises(InputError, match="table"):
        psa_law_by_choices(table, HALF)

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import open_probabilities, tables

from stirred.mechanisms import psa_law, psa_law_by_choices
from stirred.mechanisms.permutation_counts import derangements, likelihood, move_weights, moved_counts
from stirred.mechanisms.permutation_swapping import table_records
from stirred.spec import InputError, contingency_tables
from stirred.spec.tables import column_margins, row_margins

rates = st.one_of(open_probabilities, st.sampled_from([Fraction(0), Fraction(1)]))


@given(tables(rows=2, columns=3, records=4), rates)
def test_counting_gives_the_law_of_the_program(table, p):
    assert psa_law(table, p) == psa_law_by_choices(table, p)


@given(tables(rows=3, columns=2, records=5))
def test_moved_counts_are_those_of_all_permutations(x):
    records = table_records(x)
    listed = Counter()
    for order in permutations(range(len(records))):
        cells = Counter((records[i][1], records[j][2]) for i, j in enumerate(order))
        z = tuple(tuple(cells[h, s] for s in range(2)) for h in range(3))
        listed[z, sum(i != j for i, j in enumerate(order))] += 1
    for z in contingency_tables(row_margins(x), column_margins(x)):
        assert moved_counts(x, z) == tuple(listed[z, k] for k in range(len(records) + 1))


def test_derangements_are_counted_by_listing():
    for k in range(7):
        listed = sum(all(i != j for i, j in enumerate(order)) for order in permutations(range(k)))
        assert derangements(k) == listed


@given(st.integers(0, 8), rates)
def test_move_weights_are_a_law_on_permutations(size, p):
    weights = move_weights(size, p)
    assert sum(comb(size, k) * derangements(k) * w for k, w in enumerate(weights)) == 1
    assert all(w >= 0 for w in weights)


def test_tables_of_different_universes_are_refused():
    with pytest.raises(InputError, match="same margins"):
        likelihood(((1, 0), (0, 1)), ((1, 1), (0, 0)), Fraction(1, 2))

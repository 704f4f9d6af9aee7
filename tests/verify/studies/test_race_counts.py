"""The study's statistics of counts: each against its definition, and V̂ against the exact variance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError
from stirred.verify.studies.swapping.race_counts import (
    count_ratios,
    errors,
    mean_absolute_error,
    race_counts,
    relative_errors,
    variance_estimate,
)

TABLES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=3)


def test_counts_are_those_of_each_region_and_race():
    assert race_counts([2, 0, 2], [[1, 0], [0, 3], [1, 2]], 4).tolist() == [[0, 3], [0, 0], [2, 2], [0, 0]]


def test_columns_of_an_arrow_table_are_taken():
    table = pyarrow.table({"region": [1, 0, 1], "first": [2, 0, 1], "second": [0, 1, 1]})
    persons = np.column_stack([table["first"], table["second"]])
    assert race_counts(table["region"], persons, 2).tolist() == [[0, 1], [3, 1]]


@pytest.mark.parametrize(
    ("region", "message"),
    [([0], "persons must be as many as regions of households; got 2 for 1"), ([0, 2], "region must be in 0 to 1")],
)
def test_households_and_regions_must_fit(region, message):
    with pytest.raises(InputError, match=message):
        race_counts(region, [[1], [1]], 2)


@given(TABLES, TABLES)
def test_errors_and_relative_errors_are_their_formulas(before, after):
    relative = relative_errors(before, after)
    for i, j in product(range(3), range(2)):
        a, b = before[i][j], after[i][j]
        assert errors(before, after)[i, j] == a - b
        if a and b:
            assert relative[i, j] == pytest.approx(2 / (1 + a / b))
        else:
            assert relative[i, j] == (1 if a == b else 2 if b else 0)
    assert mean_absolute_error(before, after) == pytest.approx(np.abs(np.subtract(before, after)).sum() / 6)


def test_tables_of_two_shapes_are_refused():
    with pytest.raises(InputError, match="both tables of counts must have one shape"):
        errors([[1]], [[1, 2]])


@given(TABLES, TABLES)
def test_with_two_runs_it_is_half_the_squared_difference(first, second):
    expected = Fraction(int(np.square(np.subtract(first, second)).sum()), 2 * 6)
    assert variance_estimate([first, second]) == expected


LAWS = ({0: 1, 3: 2}, {1: 1, 2: 1, 5: 1}, {4: 1})
"""Laws of a count, by weights."""


def expectation(estimate, law, runs):
    """The exact expectation over all independent runs."""
    total = sum(law.values())
    return sum(
        np.prod([Fraction(law[count], total) for count in drawn]) * estimate([[[count]] for count in drawn])
        for drawn in product(law, repeat=runs)
    )


def variance(law):
    total = sum(law.values())
    mean = Fraction(sum(count * weight for count, weight in law.items()), total)
    return sum(weight * (count - mean) ** 2 for count, weight in law.items()) / total


@pytest.mark.parametrize("runs", [2, 3])
@pytest.mark.parametrize("law", LAWS)
def test_the_estimate_is_unbiased(law, runs):
    assert expectation(variance_estimate, law, runs) == variance(law)


@pytest.mark.parametrize("runs", [2, 3])
def test_dividing_by_n_for_n_minus_1_is_found(runs):
    def biased(tables):
        return variance_estimate(tables) * (len(tables) - 1) / len(tables)

    assert [expectation(biased, law, runs) == variance(law) for law in LAWS] == [False, False, True]


def test_too_few_runs_and_floats_are_refused():
    with pytest.raises(InputError, match="runs must be at least two; got 1"):
        variance_estimate([[[1]]])
    with pytest.raises(InputError, match="runs must be counts as integers; got float64"):
        variance_estimate([[[1.0]], [[2.0]]])


def test_ratios_are_by_class_without_infinite_ones():
    found = count_ratios([[2, 0], [4, 0], [1, 5]], [[1, 3], [8, 0], [1, 0]], [9, 1, 1])
    assert {one: [ratios.tolist() for ratios in by_race] for one, by_race in found.items()} == {
        1: [[2.0, 1.0], [0.0]],
        9: [[0.5], []],
    }
    with pytest.raises(InputError, match="region_class must have one class for each of 1 regions; got 2"):
        count_ratios([[1]], [[1]], [1, 2])

"""Weighted totals: sensitivities against every change of a record, arrays against the program they stand for."""

from fractions import Fraction
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.fast.raking import raked_table
from stirred.mechanisms.fast.weighted_totals import SequentialDonors, steps_of, totals_by_cell
from stirred.mechanisms.surveys.calibration import post_stratified, raked
from stirred.mechanisms.surveys.sequential_hot_deck import sequential_hot_deck
from stirred.mechanisms.surveys.weighted_totals import WeightedTotal
from stirred.spec.arguments import InputError
from stirred.spec.surveys.unit_data import unit_data

HALF = Fraction(1, 2)


def released(records, total, cells, donations):
    """The totals of all cells, in units, of records (unit, (cell, weight, value)); a missing value is None."""
    data = unit_data(dict(records))
    if donations:
        data = sequential_hot_deck(
            data, None, variable=2, donor_class=lambda record: record[0], donations=donations, otherwise=total.low
        )
    cell, weight, value = (np.array([float(record[place]) for _, record in data]) for place in range(3))
    steps = steps_of(total, weight, value)
    return tuple(int(x) for x in totals_by_cell(cell.astype(np.int64), steps, cells))


def largest_change(units, count, records, total, *, cells, donations):
    """The largest L1 change where one unit with its record is replaced by another, over all samples of units."""
    found = {
        frozenset(zip(chosen, given, strict=True)): None
        for chosen in permutations(units, count)
        for given in product(records, repeat=count)
    }
    values = {sample: released(sample, total, cells, donations) for sample in found}
    samples = list(values)
    return max(
        sum(abs(a - b) for a, b in zip(values[x], values[y], strict=True))
        for i, x in enumerate(samples)
        for y in samples[:i]
        if len(x - y) == 1
    )


@pytest.mark.parametrize(
    ("total", "cells", "stated"),
    [
        (WeightedTotal(0, 1, 2, 1), 1, 2),
        (WeightedTotal(-1, 1, 2, 1), 1, 4),
        (WeightedTotal(0, 1, 2, 1), 2, 4),
        (WeightedTotal(-1, 2, 1, HALF), 2, 8),
    ],
)
def test_the_stated_sensitivity_is_attained_where_nothing_is_imputed(total, cells, stated):
    values = (total.low, total.high)
    records = [(c, w, v) for c in range(cells) for w in (0, total.largest) for v in values]
    assert total.moved(cells) == stated
    assert largest_change((1, 2), 2, records, total, cells=cells, donations=0) == stated


@pytest.mark.parametrize(("cells", "units", "count", "stated"), [(1, 5, 4, 3), (2, 3, 3, 4)])
def test_the_stated_sensitivity_is_attained_where_donors_serve_once(cells, units, count, stated):
    total = WeightedTotal(0, 1, 1, 1)
    records = [(cell, 1, value) for cell in range(cells) for value in (0, 1, None)]
    found = largest_change(range(units), count, records, total, cells=cells, donations=1)
    assert total.moved(cells) < found == total.moved(cells, 1) == stated


def test_a_donor_serves_no_more_than_it_may():
    data = unit_data({1: (7,), 2: (None,), 3: (None,), 4: (None,), 5: (8,), 6: (None,)})
    done = sequential_hot_deck(data, None, variable=0, donor_class=lambda record: 0, donations=2, otherwise=0)
    assert [value for _, (value,) in done] == [7, 7, 7, 0, 8, 8]


values = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([None, 1, 2, 3])), max_size=14)


@given(values, st.integers(1, 3), st.lists(st.integers(0, 14), max_size=3))
def test_donors_in_batches_are_those_of_the_program(records, donations, cuts):
    data = unit_data(dict(enumerate(records)))
    slow = sequential_hot_deck(
        data, None, variable=1, donor_class=lambda record: record[0], donations=donations, otherwise=9
    )
    classes = np.array([one for one, _ in records], dtype=np.int64)
    given_values = np.array([np.nan if value is None else value for _, value in records])
    donors = SequentialDonors(3, donations, 9.0)
    ends = sorted({0, len(records), *(min(cut, len(records)) for cut in cuts)})
    parts = [donors.imputed(given_values[a:b], classes[a:b]) for a, b in pairwise(ends)]
    fast = np.concatenate(parts) if parts else np.array([])
    assert [value for _, (_, value) in slow] == fast.tolist()


def test_what_a_record_adds_stays_between_its_bounds():
    total = WeightedTotal(Fraction(-1, 3), 2, 10, Fraction(1, 4))
    weights = np.array([-5.0, 0.0, 3.3, 10.0, 1e300])
    for value in (-1e300, -0.2, 0.0, 1.9, 1e300):
        steps = steps_of(total, weights, np.full(5, value))
        assert total.lowest <= steps.min() <= steps.max() <= total.highest
    assert (total.lowest, total.highest) == (-14, 80)


def test_sums_that_might_be_inexact_are_refused():
    with pytest.raises(InputError, match="unit must be larger"):
        totals_by_cell(np.zeros(2**13, dtype=np.int64), np.full(2**13, 2**40), 1)
    with pytest.raises(InputError, match=r"at most 2\^40"):
        WeightedTotal(0, 1, 2**41, 1)
    with pytest.raises(InputError, match="low must be at most high"):
        WeightedTotal(2, 1, 1, 1)


def test_a_raked_table_is_that_of_the_exact_weights():
    """Cells of weights 1, 2, 3, 4 raked in doubles, and exactly in 40 rounds."""
    data = unit_data({unit: (unit // 2, unit % 2) for unit in range(4)})
    weights = tuple((unit, Fraction(unit + 1)) for unit in range(4))
    first = (lambda record: record[0], {0: 10, 1: 20})
    second = (lambda record: record[1], {0: 12, 1: 18})
    exact = raked(weights, data, margins=[first, second], rounds=12)
    table = np.array([[1.0, 2.0], [3.0, 4.0]])
    found = raked_table(table, {0: np.array([10.0, 20.0]), 1: np.array([12.0, 18.0])})
    assert found.reshape(-1) == pytest.approx([float(weight) for _, weight in exact], rel=1e-8)
    once = post_stratified(weights, data, stratum=first[0], totals=first[1])
    assert raked_table(table, {0: np.array([10.0, 20.0])}).reshape(-1) == pytest.approx(
        [float(weight) for _, weight in once]
    )

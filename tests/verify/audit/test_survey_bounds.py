"""The bound on how far one record moves a release: attained where it is said to be, and never passed."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from stirred.mechanisms.surveys.imputation import sequential_hot_deck
from stirred.spec.budgets.loss import Loss
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.laws.surveys.stated import Contribution, Influence, PipelineStep, changed_by, epsilon_above

HALF, ONE = Fraction(1, 2), Fraction(1)


def sums(low, high, largest, *, unit=ONE, cells=1, filters=(), span=None, is_sum=True):
    ends = Fraction(low), Fraction(high)
    return Contribution(ends, "y", largest and Fraction(largest), span, is_sum, 1, cells, frozenset(filters), unit)


def step(others, variable="y", spends=None):
    influence = Influence(others, **({} if spends is None else {"spends": spends}), variable=variable)
    return PipelineStep(Stage.PROCESSED, "", "", lambda data, source: data, influence)


def totals(sample, donations, cells):
    """The total of y by cell of records (cell, weight, y), y imputed within cells where it is None."""
    data = unit_data(dict(sample))
    if donations:
        data = sequential_hot_deck(
            data, None, variable=2, donor_class=lambda record: record[0], donations=donations, otherwise=0
        )
    return tuple(sum(weight * y for _, (cell, weight, y) in data if cell == one) for one in range(cells))


def largest_change(units, count, records, *, cells=1, donations=0):
    """The largest L1 change where one unit with its record is replaced by another, over all samples of units."""
    samples = {
        frozenset(zip(chosen, given, strict=True))
        for chosen in permutations(units, count)
        for given in product(records, repeat=count)
    }
    values = {one: totals(one, donations, cells) for one in samples}
    found = list(values)
    return max(
        sum(abs(a - b) for a, b in zip(values[x], values[y], strict=True))
        for i, x in enumerate(found)
        for y in found[:i]
        if len(x - y) == 1
    )


@pytest.mark.parametrize(
    ("low", "high", "largest", "cells", "stated"),
    [(0, 1, 2, 1, 2), (-1, 1, 2, 1, 4), (0, 1, 2, 2, 4), (-1, 2, 1, 2, 4)],
)
def test_the_bound_is_attained_where_nothing_is_imputed(low, high, largest, cells, stated):
    records = [(cell, weight, y) for cell in range(cells) for weight in (0, largest) for y in (low, high)]
    changed = changed_by((), "hamming_unordered")
    assert sums(low, high, largest, cells=cells).moved(changed) == stated
    assert sums(low, high, largest, unit=HALF, cells=cells).moved(changed) == 2 * stated
    assert largest_change((1, 2), 2, records, cells=cells) == stated


@pytest.mark.parametrize(("cells", "units", "count", "stated"), [(1, 5, 4, 3), (2, 3, 3, 4)])
def test_the_bound_is_attained_where_donors_serve_once(cells, units, count, stated):
    records = [(cell, 1, y) for cell in range(cells) for y in (0, 1, None)]
    found = largest_change(range(units), count, records, cells=cells, donations=1)
    assert sums(0, 1, 1, cells=cells).moved(changed_by([step(2)], "hamming_unordered")) == found == stated


def test_what_steps_change_multiplies_and_a_table_is_paid_for_each():
    changed = changed_by([step(2), step(4)], "hamming_unordered")
    assert changed.others == 14
    spent = changed_by([step(2), step(0, spends=Loss(2))], "hamming_unordered").spends
    assert spent == Loss(2**6)  # three records, two counts of each
    assert changed_by([step(0, spends=Loss(2))], "symmetric_difference").spends == Loss(2)
    assert changed_by([step(None), step(0, spends=Loss(2))], "hamming_unordered").spends.is_infinite
    assert epsilon_above(changed_by([step(None)], "hamming_unordered").spends) == 0


def test_without_bounded_weights_or_influence_a_range_alone_bounds():
    free, served = changed_by([step(None)], "hamming_unordered"), changed_by([step(2, "c")], "hamming_unordered")
    assert sums(0, 1, None).moved(changed_by((), "hamming_unordered")) is None
    assert sums(0, 1, 5).moved(free) is None
    assert sums(0, 1, 5, cells=9, span=ONE).moved(free) == 9
    # the record's two cells and those of two others, which move from one cell to another
    assert sums(0, 1, None, cells=9, filters="c", span=ONE, is_sum=False).moved(served) == 6
    assert sums(0, 1, 5, cells=9, filters="c").moved(served) == 3 * 10


@pytest.mark.parametrize(("distance", "stated"), [("symmetric_difference", 5), ("changed_units", 10)])
def test_the_bound_is_one_of_the_distance(distance, stated):
    assert sums(0, 1, 5, cells=2).moved(changed_by((), distance)) == stated


def test_a_record_that_may_be_dropped_is_not_kept():
    """Whether it is there may depend on its values, which a list of answers tells by its length."""
    dropping = PipelineStep(Stage.RESPONDING, "", "", lambda data, source: data, Influence(drops=True))
    assert changed_by([step(2)], "changed_units").is_kept
    assert not changed_by([dropping, step(2)], "changed_units").is_kept
    assert not changed_by([step(2)], "hamming_unordered").is_kept


def test_a_budget_is_rounded_up():
    assert epsilon_above(Loss(3)) - Fraction(1, 10**10) < Fraction("1.09861228866810969") < epsilon_above(Loss(3))
    assert epsilon_above(Loss(None)) is None

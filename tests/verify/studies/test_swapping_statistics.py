"""Entropy and its steps, ecological regression, shares of households, de-biasing: identities, and a state by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stirred.spec import InputError
from stirred.verify.studies.swapping.debiasing import displacement
from stirred.verify.studies.swapping.household_shares import household_race, partner_shares, percentages
from stirred.verify.studies.swapping.measures import ecological_regression
from stirred.verify.studies.swapping.race_counts import race_counts
from stirred.verify.studies.swapping.racial_entropy import SwapStep, entropy_after_steps, racial_entropy

FRACTIONS = st.fractions(0, 1, max_denominator=12)
DISTRICTS = st.lists(st.tuples(FRACTIONS, FRACTIONS, st.integers(1, 9)), min_size=2, max_size=6)


def columns(districts):
    return [np.array(column, dtype=object) for column in zip(*districts, strict=True)]


class TestEntropy:
    def test_it_is_the_sum_over_races(self):
        found = racial_entropy([[1, 3], [4, 0], [2, 2], [0, 0]])
        assert found == pytest.approx([-(log(1 / 4) / 4 + 3 * log(3 / 4) / 4), 0, log(2), 0])

    def test_it_is_largest_where_all_races_are_equal(self):
        tables = [[a, b, 6 - a - b] for a in range(7) for b in range(7 - a)]
        assert tables[int(racial_entropy(tables).argmax())] == [2, 2, 2]

    @pytest.mark.parametrize("order", list(permutations(SwapStep)))
    def test_the_steps_end_at_the_entropy_after_swapping(self, order):
        tract, persons = np.array([0, 0, 1, 1, 2]), np.array([[2, 0], [5, 0], [0, 2], [1, 9], [3, 3]])
        steps = entropy_after_steps(tract, persons, [(0, 2), (1, 4)], 3, order)
        swapped = np.array([1, 2, 0, 1, 0])
        assert steps[0] == racial_entropy(race_counts(tract, persons, 3)).mean()
        assert steps[-1] == racial_entropy(race_counts(swapped, persons, 3)).mean()
        assert len(steps) == 5

    def test_each_step_by_hand(self):
        # tract 0: an A target, three of B; tract 1: a B partner, one of A
        tract, persons = [0, 0, 1, 1], [[1, 0], [0, 3], [0, 1], [1, 0]]
        mixed = -(log(1 / 4) / 4 + 3 * log(3 / 4) / 4)
        expected = [(mixed + log(2)) / 2, log(2) / 2, 0, 0, 0]
        assert entropy_after_steps(tract, persons, [(0, 2)], 2) == pytest.approx(expected)


class TestEcologicalRegression:
    @given(DISTRICTS)
    def test_the_line_solves_the_normal_equations(self, districts):
        x, y, w = columns(districts)
        assume(len(set(x)) > 1)
        for weights in (w, np.ones(len(w), dtype=object)):
            line = ecological_regression(x, y, weights)
            rest = y - line.intercept - line.slope * x
            assert (weights * rest).sum() == 0 == (weights * rest * x).sum()
        assert ecological_regression(x, y) == line

    @given(DISTRICTS)
    def test_a_weight_counts_a_district_so_often(self, districts):
        x, y, w = columns(districts)
        assume(len(set(x)) > 1)
        often = [np.repeat(column, w.astype(int)) for column in (x, y)]
        assert ecological_regression(x, y, w) == ecological_regression(*often)

    def test_the_support_is_the_line_at_one(self):
        line = ecological_regression([Fraction(0), Fraction(1, 2)], [Fraction(1, 5), Fraction(2, 5)])
        assert (line.intercept, line.slope, line.support) == (Fraction(1, 5), Fraction(2, 5), Fraction(3, 5))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([1, 2], [1], None), "share, votes and weights must have one length; got 2, 1, 2"),
            (([1, 2], [1, 2], [1, -1]), "weights must be at least 0 and not all 0"),
            (([1, 1], [1, 2], None), "share must differ between districts"),
            (([], [], None), "weights must be at least 0 and not all 0"),
        ],
    )
    def test_no_line_without_districts_that_differ(self, arguments, message):
        with pytest.raises(InputError, match=message):
            ecological_regression(*arguments)


class TestShares:
    def test_a_household_of_several_races_is_a_kind_of_its_own(self):
        assert household_race([[3, 0, 0], [0, 0, 1], [1, 1, 0]]).tolist() == [0, 2, 3]

    def test_percentages_are_of_those_that_count(self):
        assert percentages([1, 2, 2, 5], [0, 1, 2], [1, 2, 5]) == pytest.approx([100 / 3, 200 / 3, 0])
        with pytest.raises(InputError, match="among must have at least one household"):
            percentages([1], [], [1])

    def test_lines_of_partners_sum_to_a_hundred(self):
        found = partner_shares([0, 1, 1, 0], [(0, 1), (3, 2), (3, 0)], 3)
        assert found == pytest.approx(np.array([[100 / 3, 200 / 3, 0], [0, 0, 0], [0, 0, 0]]))


class TestDebiasing:
    def test_bias_and_variance_are_exact_where_the_statistic_is(self):
        found = displacement([Fraction(1), Fraction(2), Fraction(6)], Fraction(1))
        assert (found.runs, found.bias, found.variance) == (3, 2, 7)
        assert found.debiased(Fraction(5)) == 3

    def test_one_run_is_refused(self):
        with pytest.raises(InputError, match="swapped must be the statistic of at least two runs; got 1"):
            displacement([1], 0)

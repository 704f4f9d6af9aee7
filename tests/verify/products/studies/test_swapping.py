"""The study's statistics of counts: each against its definition, and V̂ against the exact variance.

Entropy and its steps, ecological regression, shares of households, de-biasing: identities, and a state by hand. The
synthetic state meets every branch of the algorithm, follows Table 5, and is the same for the same seed.
"""

from collections import Counter
from dataclasses import fields, replace
from fractions import Fraction
from itertools import permutations, product
from math import log

import numpy as np
import pyarrow
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stirred.mechanisms.fast.pairwise_swapping import draw_pairs
from stirred.mechanisms.swapping.pairwise.policy import STANDARD, AboveFeasible, NoPartner
from stirred.spec import InputError
from stirred.verify.products.studies.swapping.race_counts import (
    SwapStep,
    entropy_after_steps,
    errors,
    household_race,
    mean_absolute_error,
    partner_shares,
    percentages,
    race_counts,
    racial_entropy,
    relative_errors,
    variance_estimate,
)
from stirred.verify.products.studies.swapping.study import ecological_regression
from stirred.verify.products.studies.swapping.synthetic_state import SIZE_SHARES, synthetic_state

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


@pytest.fixture(scope="module")
def small():
    return synthetic_state(10_000, 2010)


def test_the_same_seed_gives_the_same_state(small):
    again, other = synthetic_state(10_000, 2010), synthetic_state(10_000, 2011)
    for field in fields(small):
        assert (getattr(small, field.name) == getattr(again, field.name)).all()
    assert (small.persons != other.persons).any()


def test_the_numbers_do_not_depend_on_the_machine(small):
    assert small.persons.sum(axis=0).tolist() == [16697, 8109, 66, 88, 92, 51, 77]
    assert (int(small.x.sum()), int(small.votes.sum())) == (73581200, 10326)


def test_sizes_are_those_of_table_5(small):
    sizes = Counter(small.size.tolist())
    assert sizes.pop(36) == 1
    for size, share in SIZE_SHARES.items():
        assert abs(sizes[size] - share) <= 2
    assert sum(SIZE_SHARES.values()) == 9_999


def test_adults_and_hispanic_persons_are_among_the_persons(small):
    assert small.adults.min() == 1
    assert (small.adults <= small.size).all()
    assert (small.hispanic <= small.size).all()


def test_tracts_are_segregated_and_some_households_mixed(small):
    counts = race_counts(small.tract[small.block], small.persons, len(small.county))
    leading = counts.max(axis=1) / counts.sum(axis=1)
    assert np.median(leading) > 3 / 4
    assert {0, 1} == set(counts.argmax(axis=1).tolist())
    mixed = (household_race(small.persons) == small.persons.shape[1]).mean()
    assert 1 / 100 < mixed < 4 / 100
    assert small.persons.sum(axis=0).min() > 0


def test_every_branch_of_the_algorithm_is_met(small):
    households = Counter(zip(small.key.tolist(), small.tract[small.block].tolist(), strict=True))
    of_key = Counter(small.key.tolist())
    assert min(of_key.values()) == 1  # no partner at all
    assert any(number > 1 for number in households.values())  # one in the same tract, excluded
    places = Counter(zip(small.x.tolist(), small.y.tolist(), strict=True))
    assert max(places.values()) > 1  # equal distances
    assert set(range(len(small.tract))) - set(small.block.tolist())  # an empty block
    assert Counter(small.county.tolist())[int(small.county.max())] == 1  # a county of one tract
    codes = small.codes()
    with pytest.raises(InputError, match="every household must have a possible partner"):
        draw_pairs(
            codes,
            swap_rate=1,
            policy=replace(STANDARD, no_partner=NoPartner.REFUSE, above_feasible=AboveFeasible.SHORTEN),
            seed=1,
        )
    assert len(draw_pairs(codes, swap_rate=Fraction(1, 10), seed=1).pairs) == 500


def test_votes_are_of_adults(small):
    adults = np.bincount(small.tract[small.block], weights=small.adults, minlength=len(small.county))
    assert (small.votes <= adults).all()
    assert small.votes.min() > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((1_999, 1), "households must be at least 2000"), ((5_000, -1), "seed must be at least 0; got -1")],
)
def test_small_states_and_bad_seeds_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        synthetic_state(*arguments)

"""Survey weights and their calibration, by hand-computed cases and by the totals that they must meet."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import fractions

from stirred.mechanisms.fast.raking import raked_table
from stirred.mechanisms.surveys.calibration import greg, post_stratified, raked
from stirred.mechanisms.surveys.weights import class_weights, design_weights, response_weights
from stirred.spec import InputError
from stirred.spec.surveys.unit_data import unit_data

SAMPLE = unit_data({"a": ("x", 1), "b": ("y", 1), "c": ("x", 2), "d": ("y", 2), "e": ("y", 2)})
WEIGHTS = tuple((unit, Fraction(weight)) for unit, weight in zip("abcde", (2, 3, 4, 1, 5), strict=True))


def stratum(record):
    return record[0]


def number(record):
    return record[1]


def total(weights, data, category, group):
    return sum(dict(weights)[unit] for unit, record in data if category(record) == group)


class TestDesignWeights:
    def test_they_are_inverse_inclusion_probabilities(self):
        assert design_weights(SAMPLE[:2], {"a": Fraction(2, 5), "b": 1}) == (("a", Fraction(5, 2)), ("b", 1))

    @pytest.mark.parametrize(
        ("rate", "message"),
        [
            (None, "inclusion must have a probability for every unit of the sample; 'a' has none"),
            (0, "the inclusion probability of 'a' must be above 0 and at most 1; got 0"),
            (Fraction(5, 4), "the inclusion probability of 'a' must be above 0 and at most 1; got 5/4"),
            (0.5, "the inclusion probability of 'a' must be an exact number; got the float 0.5: write Fraction('0.5')"),
        ],
    )
    def test_probabilities_that_no_unit_of_a_sample_has_are_refused(self, rate, message):
        with pytest.raises(InputError) as refused:
            design_weights(SAMPLE[:1], {} if rate is None else {"a": rate})
        assert str(refused.value) == message


class TestResponseWeights:
    def test_they_are_multiplied_by_the_inverse_response_rate_of_the_class(self):
        responding = tuple(pair for pair in SAMPLE if pair[0] in "acd")
        found = response_weights(WEIGHTS, responding, sample=SAMPLE, response_class=stratum)
        # class x: 2 of 2 answered; class y: 1 of 3
        assert found == (("a", 2), ("c", 4), ("d", 3))

    @pytest.mark.parametrize("sizes", [{"x": 2}, {"x": 2, "y": 2}, {"x": 2, "y": 3.0}])
    def test_the_sizes_of_the_classes_are_enough_and_must_be_possible(self, sizes):
        whole = {"x": 2, "y": 3}
        assert class_weights(WEIGHTS, SAMPLE, sizes=whole, response_class=stratum) == WEIGHTS
        doubled = class_weights(WEIGHTS, SAMPLE, sizes={"x": 4, "y": 6}, response_class=stratum)
        assert doubled == tuple((unit, 2 * weight) for unit, weight in WEIGHTS)
        with pytest.raises(InputError, match="size"):
            class_weights(WEIGHTS, SAMPLE, sizes=sizes, response_class=stratum)

    def test_where_everybody_responds_nothing_changes(self):
        assert response_weights(WEIGHTS, SAMPLE, sample=SAMPLE, response_class=stratum) == WEIGHTS

    def test_equal_weights_keep_the_size_of_each_class(self):
        equal = tuple((unit, Fraction(7)) for unit, _ in SAMPLE)
        found = response_weights(equal, SAMPLE[:2], sample=SAMPLE, response_class=stratum)
        assert [total(found, SAMPLE[:2], stratum, h) for h in "xy"] == [14, 21]

    @pytest.mark.parametrize(
        ("weights", "responding", "message"),
        [
            (WEIGHTS, SAMPLE[:1], "every response class must have a responding unit; class 'y' has none"),
            (WEIGHTS, (), "every response class must have a responding unit; class 'x' has none"),
            (
                WEIGHTS,
                (*SAMPLE, ("f", ("x", 1))),
                "responding must be of the sample, class by class; 'f' of class 'x' is not",
            ),
            (
                WEIGHTS,
                (("b", ("x", 1)), *SAMPLE[2:]),
                "responding must be of the sample, class by class; 'b' of class 'x' is not",
            ),
            (
                WEIGHTS[::-1],
                SAMPLE,
                "weights must have its units in increasing order, each once, as unit_data makes it",
            ),
            (WEIGHTS[1:], SAMPLE, "weights must have one for every unit of the data; 'a' has none"),
            (
                (("a", Fraction(0)), *WEIGHTS[1:]),
                SAMPLE,
                "the weight of unit 'a' must be positive to be adjusted; got 0",
            ),
        ],
    )
    def test_what_has_no_weight_is_refused(self, weights, responding, message):
        with pytest.raises(InputError) as refused:
            response_weights(weights, responding, sample=SAMPLE, response_class=stratum)
        assert str(refused.value) == message


class TestPostStratification:
    def test_weights_of_a_stratum_are_scaled_to_its_total(self):
        found = post_stratified(WEIGHTS, SAMPLE, stratum=stratum, totals={"x": 3, "y": 18})
        # x: weights 2 + 4 scaled by 3/6; y: 3 + 1 + 5 by 18/9
        assert found == (("a", 1), ("b", 6), ("c", 2), ("d", 2), ("e", 10))

    @pytest.mark.parametrize(
        ("totals", "message"),
        [
            ({"x": 3}, "totals must have one for every post-stratum of the data; 'y' has none"),
            ({"x": 3, "y": 1, "z": 2}, "every post-stratum with a total must have a unit in the data; 'z' has none"),
            ({"x": 3, "y": 0}, "the total of 'y' must be positive; got 0"),
            ({"x": 3, "y": 1.5}, "the total of 'y' must be an exact number; got the float 1.5: write Fraction('1.5')"),
        ],
    )
    def test_totals_that_cannot_be_met_are_refused(self, totals, message):
        with pytest.raises(InputError) as refused:
            post_stratified(WEIGHTS, SAMPLE, stratum=stratum, totals=totals)
        assert str(refused.value) == message


class TestRaking:
    def test_one_round_is_one_margin_after_the_other(self):
        found = raked(WEIGHTS, SAMPLE, margins=[(stratum, {"x": 12, "y": 9}), (number, {1: 14, 2: 7})], rounds=1)
        # x doubles and y stays: 4 3 8 1 5; then of 1 there are 4 + 3, which doubles, and of 2 8 + 1 + 5, which halves
        assert found == (("a", 8), ("b", 6), ("c", 4), ("d", Fraction(1, 2)), ("e", Fraction(5, 2)))

    def test_the_last_margin_is_met_and_the_others_nearer_with_each_round(self):
        margins = [(stratum, {"x": 10, "y": 11}), (number, {1: 14, 2: 7})]
        weights = (*WEIGHTS[:4], ("e", Fraction(1)))  # cells 2 4 / 3 2: rows and columns are not independent
        found = [raked(weights, SAMPLE, margins=margins, rounds=rounds) for rounds in (1, 2, 3)]
        assert all(total(weights, SAMPLE, number, 1) == 14 for weights in found)
        first, second, third = (abs(total(weights, SAMPLE, stratum, "x") - 10) for weights in found)
        assert first > second > third > 0

    def test_margins_that_agree_with_the_weights_change_nothing(self):
        assert (
            raked(WEIGHTS, SAMPLE, margins=[(stratum, {"x": 6, "y": 9}), (number, {1: 5, 2: 10})], rounds=3) == WEIGHTS
        )

    @pytest.mark.parametrize(
        ("margins", "rounds", "message"),
        [
            ([], 1, "margins must not be empty"),
            ([(stratum, {"x": 1, "y": 1}), (number, {1: 1, 2: 2})], 1, "margins must have totals of one sum; got 2, 3"),
            ([(stratum, {"x": 1, "y": 1})], 0, "rounds must be at least 1; got 0"),
        ],
    )
    def test_margins_that_cannot_be_met_together_are_refused(self, margins, rounds, message):
        with pytest.raises(InputError) as refused:
            raked(WEIGHTS, SAMPLE, margins=margins, rounds=rounds)
        assert str(refused.value) == message


class TestGreg:
    def test_one_auxiliary_is_computed_by_hand(self):
        data, weights = unit_data({1: 1, 2: 3}), ((1, Fraction(2)), (2, Fraction(1)))
        # the weighted total is 5 and T = 2 + 9 = 11; with X = 16 the factors are 1 + (16 - 5) x / 11 = 1 + x
        assert greg(weights, data, auxiliaries=lambda x: (x,), totals=(16,)) == ((1, 4), (2, 4))

    def test_with_indicators_it_is_post_stratification(self):
        found = greg(
            WEIGHTS, SAMPLE, auxiliaries=lambda r: (int(r[0] == "x"), int(r[0] == "y")), totals=(3, Fraction(18))
        )
        assert found == post_stratified(WEIGHTS, SAMPLE, stratum=stratum, totals={"x": 3, "y": 18})

    @given(
        st.lists(st.tuples(fractions(1, 5), fractions(-3, 3)), min_size=2, max_size=5),
        st.tuples(fractions(), fractions()),
    )
    def test_weighted_totals_are_those_that_are_known(self, given_rows, totals):
        data = unit_data({place: x for place, (_, x) in enumerate(given_rows)})
        assume(len({x for _, x in data}) > 1)
        weights = tuple((place, weight) for place, (weight, _) in enumerate(given_rows))
        found = dict(greg(weights, data, auxiliaries=lambda x: (1, x), totals=totals))
        assert (sum(found.values()), sum(found[unit] * x for unit, x in data)) == totals

    def test_weights_may_be_negative(self):
        data, weights = unit_data({1: 0, 2: 1}), ((1, Fraction(1)), (2, Fraction(1)))
        assert greg(weights, data, auxiliaries=lambda x: (1, x), totals=(2, 3)) == ((1, -1), (2, 3))

    @pytest.mark.parametrize(
        ("auxiliaries", "totals", "message"),
        [
            (
                lambda r: (1, int(r[0] == "x"), int(r[0] == "y")),
                (5, 2, 3),
                "auxiliaries must be linearly independent on the data; the matrix of their moments is singular",
            ),
            (lambda _: (1,), (1, 2), "auxiliaries must be as many as totals, 2; got 1 for unit 'a'"),
            (lambda _: (), (), "totals must not be empty"),
            (
                lambda _: (0.1,),
                (1,),
                "an auxiliary of unit 'a' must be an exact number; got the float 0.1: write Fraction('0.1')",
            ),
        ],
    )
    def test_auxiliaries_that_settle_nothing_are_refused(self, auxiliaries, totals, message):
        with pytest.raises(InputError) as refused:
            greg(WEIGHTS, SAMPLE, auxiliaries=auxiliaries, totals=totals)
        assert str(refused.value) == message


def test_a_raked_table_is_that_of_the_exact_weights():
    """Cells of weights 1, 2, 3, 4 raked in doubles, and exactly in 12 rounds."""
    data = unit_data({unit: (unit // 2, unit % 2) for unit in range(4)})
    weights = tuple((unit, Fraction(unit + 1)) for unit in range(4))
    first, second = (stratum, {0: 10, 1: 20}), (number, {0: 12, 1: 18})
    exact = raked(weights, data, margins=[first, second], rounds=12)
    table = np.array([[1.0, 2.0], [3.0, 4.0]])
    found = raked_table(table, {0: np.array([10.0, 20.0]), 1: np.array([12.0, 18.0])})
    assert found.reshape(-1) == pytest.approx([float(weight) for _, weight in exact], rel=1e-8)
    once = post_stratified(weights, data, stratum=stratum, totals=first[1])
    assert raked_table(table, {0: np.array([10.0, 20.0])}).reshape(-1) == pytest.approx(
        [float(weight) for _, weight in once]
    )

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.arguments import InputError
from stirred.spec.law import Law
from stirred.verify.engines.inference.posterior import Belief, posterior_bounds, sharpest_posterior

HALF = Fraction(1, 2)
COIN = {0: Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), 1: Law({0: Fraction(1, 4), 1: Fraction(3, 4)})}


@given(st.fractions(0, 1, max_denominator=30), st.fractions(1, 5, max_denominator=6), st.integers(0, 4))
def test_the_odds_bound_lies_within_the_printed_one(prior, gamma, distance):
    low, high = posterior_bounds(prior, gamma, distance)
    sharp = sharpest_posterior(prior, gamma, distance)
    assert low <= sharp[0] <= prior <= sharp[1] <= high
    if 0 < prior < 1 < gamma and distance:
        assert low < sharp[0] < sharp[1] < high


@given(st.fractions(Fraction(1, 30), Fraction(29, 30), max_denominator=30), st.fractions(1, 5, max_denominator=6))
def test_two_data_sets_and_randomised_response_attain_the_odds_bound(prior, gamma):
    truth = gamma / (1 + gamma)
    belief = Belief({0: 1 - prior, 1: prior}, {0: Law({0: truth, 1: 1 - truth}), 1: Law({0: 1 - truth, 1: truth})})
    assert belief.range_after([1]) == sharpest_posterior(prior, gamma, 1)


def test_a_posterior_by_hand():
    belief = Belief({0: Fraction(2, 3), 1: Fraction(1, 3)}, COIN)
    assert belief.predicted(1) == Fraction(5, 12)
    assert belief.after(1, [1]) == Fraction(3, 5)
    assert belief.probability_of([1]) == Fraction(1, 3)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ({0: HALF, 1: Fraction(1, 3)}, "the prior must sum to exactly 1; got 5/6"),
        ({0: HALF, 2: HALF}, "the prior must be on data sets of the domain; got 2"),
        ({0: 0.5, 1: HALF}, "prior of 0 must be an exact number; got the float 0.5: write Fraction('0.5')"),
    ],
)
def test_a_prior_that_is_none_is_refused(prior, message):
    with pytest.raises(InputError) as refused:
        Belief(prior, COIN)
    assert str(refused.value) == message


def test_what_is_conditional_on_nothing_is_said_to_be_undefined():
    belief = Belief({0: Fraction(1), 1: Fraction(0)}, COIN)
    with pytest.raises(InputError, match="what is conditional on it is undefined"):
        belief.range_after([1])
    with pytest.raises(InputError, match="the posterior given 7 is undefined: its probability is 0"):
        belief.after(7, [0])


def test_at_an_infinite_distance_only_what_was_certain_stays():
    assert posterior_bounds(HALF, 2, None) == sharpest_posterior(HALF, 2, None) == (0, 1)
    assert sharpest_posterior(1, 2, None) == (1, 1)
    with pytest.raises(InputError, match=r"^gamma must be at least 1; got 1/2$"):
        posterior_bounds(HALF, HALF, 1)

from fractions import Fraction
from itertools import pairwise, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.output_premetrics import Multiplicative, Tradeoff
from stirred.verify.engines.inference.belief_limits import largest_posterior
from stirred.verify.engines.inference.posterior import sharpest_posterior
from stirred.verify.engines.inference.power import (
    CountedTest,
    attaining_laws,
    binomial_bounds,
    power_bounds,
    power_curve,
    printed_power_curve,
    roc_region,
    sharpest_power,
    smallest_consistent_loss,
    smallest_power,
)
from stirred.verify.ledger.engines.power_program import PowerProgram

HALF, FIFTH, TWENTIETH = Fraction(1, 2), Fraction(1, 5), Fraction(1, 20)
levels = st.fractions(0, 1, max_denominator=40)
gammas = st.fractions(1, 6, max_denominator=8)
distances = st.integers(0, 6)


def test_the_bounds_by_hand():
    # two steps of factor 2 from 1/5: 2/5, then 1 - (1 - 2/5)/2; the printed bound takes one step of factor 4
    assert sharpest_power(FIFTH, 2, 2) == Fraction(7, 10)
    assert power_bounds(FIFTH, 2, 2) == (TWENTIETH, Fraction(4, 5))
    assert power_bounds(Fraction(9, 10), 2, 1) == (Fraction(4, 5), Fraction(19, 20))
    # nothing is excluded at an infinite distance
    both = smallest_power(TWENTIETH, 2, None), sharpest_power(TWENTIETH, 2, None)
    assert power_bounds(TWENTIETH, 2, None) == both == (0, 1)


@given(levels, gammas, distances)
def test_the_sharpest_is_the_smallest_of_its_lines(alpha, gamma, distance):
    lines = [1 - gamma ** (k - distance) + gamma ** (2 * k - distance) * alpha for k in range(distance + 1)]
    assert sharpest_power(alpha, gamma, distance) == min(lines)


@given(levels, gammas, distances)
def test_the_sharpest_interval_lies_within_the_printed_one_and_is_it_over_one_step(alpha, gamma, distance):
    low, high = power_bounds(alpha, gamma, distance)
    sharp = smallest_power(alpha, gamma, distance), sharpest_power(alpha, gamma, distance)
    assert low <= sharp[0] <= alpha <= sharp[1] <= high
    if distance <= 1:
        assert (low, high) == sharp


@given(levels, gammas, distances)
def test_the_attaining_laws_keep_the_budget_over_every_step(alpha, gamma, distance):
    laws = attaining_laws(alpha, gamma, distance)
    assert len(laws) == distance + 1
    assert laws[0][1] == alpha
    assert laws[-1][1] == sharpest_power(alpha, gamma, distance)
    for p, q in pairwise(laws):
        for outcome in (0, 1):
            assert p[outcome] <= gamma * q[outcome]
            assert q[outcome] <= gamma * p[outcome]


@given(levels, gammas, distances)
def test_the_curves_are_the_bounds_at_every_level(alpha, gamma, distance):
    assert Tradeoff.at(power_curve(gamma, distance), alpha) == sharpest_power(alpha, gamma, distance)
    assert Tradeoff.at(printed_power_curve(gamma, distance), alpha) == power_bounds(alpha, gamma, distance)[1]


@pytest.mark.parametrize("distance", [0, 1, 3])
def test_the_region_is_its_own_image_under_the_other_test(distance):
    region = roc_region(power_curve(3, distance))
    assert {(1 - a, 1 - b) for a, b in region} == set(region)
    assert len(region) == len(set(region)) == (2 * distance + 2 if distance else 2)


SHAPES = {
    "path of 1": ([(0, 1)], (0, 1)),
    "path of 2": ([(0, 1), (1, 2)], (0, 2)),
    "path of 3": ([(0, 1), (1, 2), (2, 3)], (0, 3)),
    "square": ([(0, 1), (1, 2), (2, 3), (3, 0)], (0, 2)),
    "triangle with a tail": ([(0, 1), (1, 2), (2, 0), (2, 3)], (0, 3)),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("alpha", [TWENTIETH, FIFTH, HALF, Fraction(9, 10)])
def test_no_mechanism_on_a_small_domain_has_more_power_and_one_has_as_much(shape, alpha):
    edges, ends = SHAPES[shape]
    distance = {"path of 1": 1, "path of 3": 3}.get(shape, 2)
    program = PowerProgram(edges, ends, 3, alpha, Fraction(5, 2))
    largest = sharpest_power(alpha, Fraction(5, 2), distance)
    assert program.limited_by(largest).point is None
    assert program.limited_by(largest - Fraction(1, 10**6)).multipliers is None


def test_twelve_outcomes_allow_no_more_power_than_two():
    program = PowerProgram([(0, 1), (1, 2)], (0, 2), 12, FIFTH, 2)
    assert program.limited_by(Fraction(7, 10)).point is None


def test_without_a_data_set_between_the_printed_bound_is_attained():
    # one edge whose factor is that of two steps: a metric with no path
    assert power_bounds(FIFTH, 2, 2)[1] == sharpest_power(FIFTH, 4, 1) == Fraction(4, 5)
    laws = attaining_laws(FIFTH, 4, 1)
    assert Multiplicative().distance(*laws).gamma == 4


@pytest.mark.parametrize("function", [power_bounds, sharpest_power, smallest_power])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Fraction(3, 2), 2, 1), "alpha must be between 0 and 1"),  # smallest_power shows its own level
        ((0.05, 2, 1), "alpha must be an exact number"),
        ((HALF, HALF, 1), "gamma must be at least 1; got 1/2"),
        ((HALF, None, 1), "gamma must be an integer or a fraction; got None"),
        ((HALF, 2, -1), "distance must be at least 0; got -1"),
        ((HALF, 2, 10**6), "distance must be at most 10000; got 1000000"),
    ],
)
def test_bad_arguments_are_refused_in_a_line(function, arguments, message):
    with pytest.raises(InputError, match=message):
        function(*arguments)


POINTS = tuple(product((0, 1), repeat=3))


def hamming(x, y):
    return sum(a != b for a, b in zip(x, y, strict=True))


def factors(points, distance, gamma):
    places = range(len(points))
    return {(i, j): gamma ** distance(points[i], points[j]) for i in places for j in places if i != j}


@pytest.mark.parametrize("distance", [1, 2, 3])
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 10)])
def test_of_two_data_sets_it_is_the_odds_bound(distance, share):
    apart = dict.fromkeys([(0, 1), (1, 0)], Fraction(3) ** distance)
    assert largest_posterior([1 - share, share], {1}, apart) == sharpest_posterior(share, 3, distance)[1]


@pytest.mark.parametrize(
    ("event", "largest"),
    [
        # randomised response attains them: the first answer; the majority; all three; an even number of ones
        (lambda x: x[0] == 1, Fraction(3, 4)),
        (lambda x: sum(x) > 1, Fraction(27, 32)),
        (lambda x: sum(x) == 3, Fraction(27, 64)),
    ],
)
def test_of_independent_answers_it_is_what_randomised_response_attains(event, largest):
    chosen = {place for place, x in enumerate(POINTS) if event(x)}
    found = largest_posterior([Fraction(1, 8)] * 8, chosen, factors(POINTS, hamming, Fraction(3)))
    flip = Fraction(1, 4)
    after = {x: flip ** hamming(x, (1, 1, 1)) * (1 - flip) ** (3 - hamming(x, (1, 1, 1))) for x in POINTS}
    assert found == largest == sum(after[x] for x in POINTS if event(x))


def test_pairs_that_others_imply_change_nothing():
    every, chosen, uneven = factors(POINTS, hamming, Fraction(2)), {0, 3, 5}, [Fraction(k + 1, 36) for k in range(8)]
    near = {pair: factor for pair, factor in every.items() if factor == 2}
    assert largest_posterior(uneven, chosen, near) == largest_posterior(uneven, chosen, every)


def test_across_what_is_not_connected_all_can_be_learned():
    assert largest_posterior([HALF] * 2, {1}, {}) == 1


rates = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)
UNIT = Fraction(1, 2**48)


def tail(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


@given(rates, rates)
def test_the_smallest_loss_is_the_inverse_of_the_printed_bounds(a, b):
    gamma = smallest_consistent_loss(a, b).gamma
    low, high = power_bounds(a, gamma, 1)
    assert b in (low, high)


def test_rates_of_zero_and_one_need_an_infinite_loss_or_none():
    assert smallest_consistent_loss(0, HALF) == INFINITE
    assert smallest_consistent_loss(0, 0) == CountedTest(50, 100, 50, 100).smallest_loss(TWENTIETH) == Loss(1)


@pytest.mark.parametrize(("k", "n"), [(0, 7), (1, 7), (3, 10), (10, 10), (40, 60)])
@pytest.mark.parametrize("error", [Fraction(1, 2), Fraction(1, 20), Fraction(1, 1000)])
def test_each_end_is_the_last_one_whose_exact_tail_is_small_enough(k, n, error):
    low, high = binomial_bounds(k, n, error)
    for end, count in ((low, k), (1 - high, n - k)):
        if count:
            assert tail(count, n, end) <= error
            assert tail(count, n, end + 2 * UNIT) > error or end + 2 * UNIT > Fraction(count, n)
        else:
            assert end == 0


def test_the_bounds_fail_no_more_often_than_is_said():
    error, n = Fraction(1, 10), 12
    for p in (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)):
        weights = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        bounds = [binomial_bounds(k, n, error) for k in range(n + 1)]
        assert sum(w for w, (low, _) in zip(weights, bounds, strict=True) if low > p) <= error
        assert sum(w for w, (_, high) in zip(weights, bounds, strict=True) if high < p) <= error


def test_the_loss_of_counts_holds_at_any_distance():
    counted, farther = CountedTest(2, 400, 300, 400), CountedTest(2, 400, 300, 400, distance=3)
    found = counted.smallest_loss(TWENTIETH)
    assert found == smallest_consistent_loss(*counted.rates(TWENTIETH)) == farther.smallest_loss(TWENTIETH).times(3)


SUCCESSES = "successes must be at most trials, and trials at most 1000000; got 3 and 2"
PRIOR = "prior must be positive and sum to exactly 1; got 1/2"


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        (SUCCESSES, lambda: binomial_bounds(3, 2, TWENTIETH)),
        ("trials must be at least 1; got 0", lambda: binomial_bounds(0, 0, TWENTIETH)),
        ("error must be above 0 and at most 1/2; got 3/4", lambda: binomial_bounds(1, 2, Fraction(3, 4))),
        ("error must be an exact number; got the float 0.05", lambda: binomial_bounds(1, 2, 0.05)),
        ("there must be at most 200 unknowns; got 202", lambda: PowerProgram([(0, 1)], (0, 1), 101, 0, 2)),
        (PRIOR, lambda: largest_posterior([HALF], {0}, {})),
    ],
)
def test_bad_counts_and_priors_are_refused_in_a_line(message, ask):
    with pytest.raises(InputError, match=f"^{message}"):
        ask()

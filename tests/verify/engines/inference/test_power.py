from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stirred.verify
from stirred.spec.arguments import InputError
from stirred.spec.output_premetrics import Multiplicative, Tradeoff
from stirred.verify.engines.inference.power import (
    attaining_laws,
    power_bounds,
    power_curve,
    printed_power_curve,
    roc_region,
    sharpest_power,
    smallest_power,
)
from stirred.verify.engines.inference.power_program import PowerProgram

levels = st.fractions(0, 1, max_denominator=40)
gammas = st.fractions(1, 6, max_denominator=8)
distances = st.integers(0, 6)


def test_the_bounds_by_hand():
    # two steps of factor 2 from 1/5: 2/5, then 1 - (1 - 2/5)/2; the printed bound takes one step of factor 4
    assert stirred.verify.sharpest_power(Fraction(1, 5), 2, 2) == Fraction(7, 10)
    assert stirred.verify.power_bounds(Fraction(1, 5), 2, 2) == (Fraction(1, 20), Fraction(4, 5))
    assert power_bounds(Fraction(9, 10), 2, 1) == (Fraction(4, 5), Fraction(19, 20))


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
@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
def test_no_mechanism_on_a_small_domain_has_more_power_and_one_has_as_much(shape, alpha):
    edges, ends = SHAPES[shape]
    distance = {"path of 1": 1, "path of 3": 3}.get(shape, 2)
    program = PowerProgram(edges, ends, 3, alpha, Fraction(5, 2))
    largest = sharpest_power(alpha, Fraction(5, 2), distance)
    assert program.limited_by(largest).point is None
    assert program.limited_by(largest - Fraction(1, 10**6)).multipliers is None


def test_twelve_outcomes_allow_no_more_power_than_two():
    program = PowerProgram([(0, 1), (1, 2)], (0, 2), 12, Fraction(1, 5), 2)
    assert program.limited_by(Fraction(7, 10)).point is None


def test_without_a_data_set_between_the_printed_bound_is_attained():
    # one edge whose factor is that of two steps: a metric with no path
    assert power_bounds(Fraction(1, 5), 2, 2)[1] == sharpest_power(Fraction(1, 5), 4, 1) == Fraction(4, 5)
    laws = attaining_laws(Fraction(1, 5), 4, 1)
    assert Multiplicative().distance(*laws).gamma == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Fraction(3, 2), 2, 1), "alpha must be between 0 and 1; got 3/2"),
        ((0.05, 2, 1), "alpha must be an exact number; got the float 0.05: write Fraction('0.05')"),
        ((Fraction(1, 2), Fraction(1, 2), 1), "gamma must be at least 1; got 1/2"),
        ((Fraction(1, 2), None, 1), "gamma must be an int or a Fraction; got None"),
        ((Fraction(1, 2), 2, -1), "distance must be at least 0; got -1"),
        ((Fraction(1, 2), 2, 10**6), "distance must be at most 10000; got 1000000"),
    ],
)
def test_bad_arguments_are_refused_in_a_line(arguments, message):
    for function in (power_bounds, sharpest_power, smallest_power):
        with pytest.raises(InputError) as refused:
            function(*arguments)
        assert message.split(";")[0] in str(refused.value)


def test_nothing_is_excluded_at_an_infinite_distance():
    assert power_bounds(Fraction(1, 20), 2, None) == (0, 1)
    assert (smallest_power(Fraction(1, 20), 2, None), sharpest_power(Fraction(1, 20), 2, None)) == (0, 1)


def test_a_program_of_too_many_unknowns_is_refused():
    with pytest.raises(InputError, match=r"^there must be at most 200 unknowns; got 202$"):
        PowerProgram([(0, 1)], (0, 1), 101, 0, 2)

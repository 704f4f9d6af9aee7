"""Estimates from weighted samples: unbiased by enumeration, and hand-computed."""

from fractions import Fraction
from functools import partial

import pytest

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.allocation import fixed, neyman, proportional
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    poisson_sample,
    pps_sample,
    random_order,
    randomly_rounded_sample,
    sample_with_replacement,
    select,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.mechanisms.surveys.estimates import horvitz_thompson_mean, horvitz_thompson_total, weighted_mean
from stirred.mechanisms.surveys.inclusion import DESIGNS, inclusion, sampford_sample, two_stage_sample
from stirred.mechanisms.surveys.response import independent_response
from stirred.mechanisms.surveys.weights import design_weights
from stirred.spec import InputError
from stirred.spec.surveys.unit_data import unit_data

# (stratum, measure of size, value)
FRAME = unit_data({1: ("x", 2, 10), 2: ("y", 3, -4), 3: ("x", 1, 7), 4: ("y", 3, 0), 5: ("y", 1, Fraction(5, 2))})
TOTAL = Fraction(31, 2)


def stratum(record):
    return record[0]


def measure(record):
    return record[1]


def value(record):
    return record[2]


CASES = [
    (simple_random_sample, {"size": 2}),
    (sample_with_replacement, {"size": 2, "measure": measure}),
    (bernoulli_sample, {"rate": Fraction(2, 5)}),
    (poisson_sample, {"rates": lambda unit, record: Fraction(record[1], unit + 3)}),
    (stratified_sample, {"stratum": stratum, "sizes": proportional(3)}),
    (stratified_sample, {"stratum": stratum, "sizes": neyman(3, variable=value)}),
    (randomly_rounded_sample, {"stratum": stratum, "rate": Fraction(1, 2)}),
    (cluster_sample, {"cluster": stratum, "number": 1}),
    (systematic_sample, {"step": 2}),
    (systematic_sample, {"step": 2, "order": random_order}),
    (pps_sample, {"measure": measure, "size": 3}),
    (sampford_sample, {"measure": measure, "size": 3}),
    (
        two_stage_sample,
        {
            "cluster": stratum,
            "first": partial(pps_sample, measure=len, size=1),
            "second": partial(simple_random_sample, size=2),
        },
    ),
]


def estimate(frame, source, *, design, parameters):
    sample = select(frame, tuple(dict.fromkeys(design(frame, source, **parameters))))
    weights = design_weights(sample, inclusion(design, frame, **parameters))
    return horvitz_thompson_total(sample, weights, variable=value)


def mean(law):
    return sum(outcome * chance for outcome, chance in law.items())


def variance(law):
    return sum((outcome - mean(law)) ** 2 * chance for outcome, chance in law.items())


@pytest.mark.parametrize(("design", "parameters"), CASES)
def test_the_estimated_total_is_unbiased(design, parameters):
    assert mean(exact_law(estimate, FRAME, design=design, parameters=parameters)) == TOTAL


def test_the_estimate_is_tried_under_every_design():
    assert {design for design, _ in CASES} == set(DESIGNS)


def test_a_stratum_without_a_chance_is_missing_from_the_expectation():
    parameters = {"stratum": stratum, "sizes": fixed({"x": 0, "y": 2})}
    assert mean(exact_law(estimate, FRAME, design=stratified_sample, parameters=parameters)) == TOTAL - 17


def test_the_variance_under_neymans_sizes_is_least_of_all_and_as_the_formula_says():
    laws = {
        sizes: exact_law(
            estimate,
            FRAME,
            design=stratified_sample,
            parameters={"stratum": stratum, "sizes": fixed(dict(zip("xy", sizes, strict=True)))},
        )
        for sizes in [(1, 2), (2, 1)]
    }
    # sum of N_h^2 (1/n_h - 1/N_h) S_h^2; x: 10, 7 with S^2 = 9/2; y: -4, 0, 5/2 with mean -1/2 and S^2 = 43/4
    s_x, s_y = Fraction(9, 2), Fraction(43, 4)
    assert variance(laws[1, 2]) == 4 * Fraction(1, 2) * s_x + 9 * Fraction(1, 6) * s_y
    assert variance(laws[2, 1]) == 9 * Fraction(2, 3) * s_y
    assert neyman(3, variable=value)({"x": (FRAME[0][1], FRAME[2][1]), "y": tuple(FRAME[k][1] for k in (1, 3, 4))}) == {
        "x": 1,
        "y": 2,
    }


def test_the_product_of_inclusion_and_propensity_weighs_both_phases():
    propensity = {1: Fraction(1, 2), 2: Fraction(3, 4), 3: Fraction(1), 4: Fraction(1, 3), 5: Fraction(2, 3)}

    def two_phases(frame, source):
        sample = select(frame, simple_random_sample(frame, source, size=2))
        responding = independent_response(sample, source, propensity=lambda unit, _: propensity[unit])
        weights = design_weights(responding, {unit: Fraction(2, 5) * p for unit, p in propensity.items()})
        return horvitz_thompson_total(responding, weights, variable=value)

    assert mean(exact_law(two_phases, FRAME)) == TOTAL


def test_means_are_totals_over_the_known_or_the_estimated_size():
    sample, weights = FRAME[:2], ((1, Fraction(2)), (2, Fraction(3)))
    assert horvitz_thompson_total(sample, weights, variable=value) == 8
    assert horvitz_thompson_mean(sample, weights, variable=value, population_size=5) == Fraction(8, 5)
    assert horvitz_thompson_mean(sample, weights, variable=value, population_size=4) == 2
    assert weighted_mean(sample, (*weights, (3, Fraction(9))), variable=value) == Fraction(8, 5)


def test_an_empty_sample_estimates_a_total_of_nothing_and_no_mean():
    assert horvitz_thompson_total((), (), variable=value) == 0
    with pytest.raises(InputError, match=r"^weights must not sum to 0$"):
        weighted_mean((), (), variable=value)


@pytest.mark.parametrize(
    ("data", "weights", "message"),
    [
        (FRAME[:2], ((1, Fraction(2)),), "weights must have one for every unit of the data; 2 has none"),
        (
            FRAME[:1],
            ((1, 2.5),),
            "the weight of unit 1 must be an exact number; got the float 2.5: write Fraction('2.5')",
        ),
        (((1, ("x", 1, "?")),), ((1, 2),), "the value of unit 1 must be an int or a Fraction; got '?'"),
        (
            FRAME[:1],
            ((1, 2), (1, 3)),
            "weights must have its units in increasing order, each once, as unit_data makes it",
        ),
    ],
)
def test_what_cannot_be_estimated_is_refused(data, weights, message):
    with pytest.raises(InputError) as refused:
        horvitz_thompson_total(data, weights, variable=value)
    assert str(refused.value) == message


def test_a_population_has_a_size():
    with pytest.raises(InputError, match=r"^population_size must be at least 1; got 0$"):
        horvitz_thompson_mean((), (), variable=value, population_size=0)

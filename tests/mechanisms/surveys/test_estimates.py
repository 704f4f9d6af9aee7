"""Estimates from weighted samples: unbiased by enumeration, and hand-computed.

Allocations: sizes of the samples of strata.
"""

from fractions import Fraction
from functools import partial
from itertools import product
from statistics import variance as sample_variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.allocation import checked_sizes, fixed, neyman, proportional, randomly_rounded, variance
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
from stirred.mechanisms.surveys.inclusion import DESIGNS, inclusion, sampford_sample, two_stage_sample
from stirred.mechanisms.surveys.response import independent_response
from stirred.mechanisms.surveys.weights import (
    design_weights,
    horvitz_thompson_mean,
    horvitz_thompson_total,
    weighted_mean,
)
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


def law_variance(law):
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
    assert law_variance(laws[1, 2]) == 4 * Fraction(1, 2) * s_x + 9 * Fraction(1, 6) * s_y
    assert law_variance(laws[2, 1]) == 9 * Fraction(2, 3) * s_y
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
        (((1, ("x", 1, "?")),), ((1, 2),), "the value of unit 1 must be an integer or a fraction; got '?'"),
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


values = st.lists(st.integers(-4, 4), min_size=1, max_size=5)

stratified = st.dictionaries(st.sampled_from("abc"), values, min_size=1)


def itself(value):
    return value


def allocations(strata, size):
    """All ways to take at least one of each stratum, and this many in all."""
    ranges = [range(1, len(records) + 1) for records in strata.values()]
    return [dict(zip(strata, sizes, strict=True)) for sizes in product(*ranges) if sum(sizes) == size]


def spread(strata, sizes):
    """The part of the variance of the estimated total that the allocation changes: sum of N_h^2 S_h^2 / n_h."""
    return sum(Fraction(len(r) ** 2, sizes[h]) * variance(r) for h, r in strata.items())


@given(stratified, st.data())
def test_no_allocation_has_less_variance_than_neymans(strata, data):
    size = data.draw(st.integers(len(strata), sum(map(len, strata.values()))))
    found = neyman(size, variable=itself)(strata)
    assert found in allocations(strata, size)
    assert spread(strata, found) == min(spread(strata, sizes) for sizes in allocations(strata, size))


STRATA = [
    {"a": (0, 0, 1, 1), "b": (0, 0, 1, 2)},  # N^2 S^2 as 1 : 2.75 and 1 : 3.75, on both sides of 1 : 3, where the
    {"a": (0, 0, 1, 1), "b": (0, 0, 0, 1, 2)},  # fourth unit goes to b: 1/(1 2) against 3/(2 3)
    {"a": (0, 4), "b": (0, 1, 3), "c": (1, 1, 1, 2, 2, 3)},
    {"a": (0, 9), "b": (0, 0, 5, 5), "c": (0, 1, 2, 3, 4, 5)},
    {"a": (2,), "b": (0, 3, 3, 3, 3), "c": (0, 1, 0, 1, 0, 1)},
]


@pytest.mark.parametrize("strata", STRATA)
def test_neymans_sizes_are_best_at_every_size(strata):
    for size in range(len(strata), sum(map(len, strata.values())) + 1):
        found = neyman(size, variable=itself)(strata)
        every = {tuple(sizes.values()): spread(strata, sizes) for sizes in allocations(strata, size)}
        assert every[tuple(found.values())] == min(every.values())


def test_neyman_is_proportional_to_size_times_deviation_where_that_is_whole():
    # a: nine values with S^2 = 8/8 = 1; b: nine with S^2 = 8 (3/2)^2 / 8 = 9/4; so N S is 9 and 27/2, that is 2 : 3
    strata = {"a": (-1, 1) * 4 + (0,), "b": (0, 3) * 4 + (Fraction(3, 2),)}
    assert neyman(5, variable=itself)(strata) == {"a": 2, "b": 3}
    assert neyman(10, variable=itself)(strata) == {"a": 4, "b": 6}


def test_neyman_takes_no_more_than_a_stratum_has_and_one_where_nothing_varies():
    assert neyman(5, variable=itself)({"a": (0, 100), "b": (1, 1, 1, 1), "c": (5,)}) == {"a": 2, "b": 2, "c": 1}
    assert neyman(4, variable=itself)({"a": (0, 100, 50), "b": (1, 1, 1, 1)}) == {"a": 3, "b": 1}


def test_equal_gains_go_to_the_stratum_that_comes_first():
    assert neyman(3, variable=itself)({"a": (0, 1), "b": (0, 1)}) == {"a": 2, "b": 1}


@given(st.lists(st.integers(-9, 9), min_size=2))
def test_variance_is_that_of_the_standard_library(numbers):
    assert variance(numbers) == sample_variance(map(Fraction, numbers))


def test_one_value_does_not_vary():
    assert variance([7]) == 0


@given(stratified, st.data())
def test_largest_remainders_stay_within_one_of_the_quota(strata, data):
    total = sum(map(len, strata.values()))
    size = data.draw(st.integers(1, total))
    found = proportional(size)(strata)
    assert sum(found.values()) == size
    quotas = {h: Fraction(size * len(records), total) for h, records in strata.items()}
    assert all(abs(found[h] - quotas[h]) < 1 for h in strata)
    raised = [quotas[h] % 1 for h in strata if found[h] > quotas[h]]
    lowered = [quotas[h] % 1 for h in strata if found[h] < quotas[h]]
    assert not raised or not lowered or min(raised) >= max(lowered)


def test_of_equal_remainders_the_first_stratum_is_rounded_up():
    assert proportional(2)({"a": (0,), "b": (0,), "c": (0,)}) == {"a": 1, "b": 1, "c": 0}
    assert proportional(2)({"a": (0,), "b": (0, 0), "c": (0,)}) == {"a": 1, "b": 1, "c": 0}


def test_a_randomly_rounded_size_has_its_quota_as_expectation():
    def size(strata, source):
        return randomly_rounded(strata, source, rate=Fraction(1, 4))["a"]

    laws = [dict(exact_law(size, {"a": (0,) * records, "b": (0,)})) for records in (3, 4, 5)]
    assert laws == [{0: Fraction(1, 4), 1: Fraction(3, 4)}, {1: 1}, {1: Fraction(3, 4), 2: Fraction(1, 4)}]


def test_sizes_that_cannot_be_are_refused():
    strata = {"a": (1, 2), "b": (3,)}
    for rule, message in [
        (proportional(4), "size must be at most the 3 units of the frame; got 4"),
        (neyman(4, variable=itself), "size must be at most the 3 units of the frame; got 4"),
        (neyman(1, variable=itself), "size must be at least 1 for each of the 2 strata; got 1"),
        (neyman(2, variable=str), "a value must be an integer or a fraction; got '1': write Fraction('1')"),
        (lambda s: checked_sizes(s, {"a": -1, "b": 0}), "the size of stratum 'a' must be at least 0; got -1"),
        (
            lambda s: checked_sizes(s, {"a": 1, "b": 1.0}),
            "the size of stratum 'b' must be an integer of at least 0; got 1.0",
        ),
    ]:
        with pytest.raises(InputError) as refused:
            rule(strata)
        assert str(refused.value) == message


def test_a_stratum_without_units_may_have_the_size_zero():
    assert checked_sizes({"a": (1,)}, {"a": 1, "b": 0}) == {"a": 1}

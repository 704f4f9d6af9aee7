"""Allocations: sizes of the samples of strata."""

from fractions import Fraction
from itertools import product
from statistics import variance as sample_variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.allocation import checked_sizes, neyman, proportional, randomly_rounded, variance
from stirred.spec import InputError

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
        (neyman(2, variable=str), "a value must be an int or a Fraction; got '1': write Fraction('1')"),
        (lambda s: checked_sizes(s, {"a": -1, "b": 0}), "the size of stratum 'a' must be at least 0; got -1"),
        (lambda s: checked_sizes(s, {"a": 1, "b": 1.0}), "the size of stratum 'b' must be an int; got 1.0"),
    ]:
        with pytest.raises(InputError) as refused:
            rule(strata)
        assert str(refused.value) == message


def test_a_stratum_without_units_may_have_the_size_zero():
    assert checked_sizes({"a": (1,)}, {"a": 1, "b": 0}) == {"a": 1}

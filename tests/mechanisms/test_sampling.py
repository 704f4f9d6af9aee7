from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from stirred.mechanisms import exact_law, permutation_swapping, replay, sample
from stirred.mechanisms.sampling import ReplaySource, SamplingSource
from stirred.spec import SYMBOL, InputError

RECORDS = ((0, 0, 0), (0, 1, 1), (0, 0, 2), (1, 0, 0), (1, 1, 1))


def mixed(data, source):
    kept = source.attempt(lambda inner: inner.uniform(3) or inner.restart())
    return (
        kept,
        source.bernoulli(Fraction(1, 3)),
        source.permutation(3),
        source.choose((0, Fraction(1, 2), Fraction(1, 2))),
    )


@given(st.integers(0, 10**6))
def test_a_recorded_run_replays_to_its_output(seed):
    source = SamplingSource(seed)
    output = source.attempt(lambda inner: mixed(None, inner))
    assert replay(mixed, None, source.record) == output
    assert output in exact_law(mixed, None)


@given(st.integers(0, 10**6))
def test_the_swapping_program_replays_through_its_rejections(seed):
    source = SamplingSource(seed)
    output = permutation_swapping(RECORDS, source, swap_rate=Fraction(1, 2))
    assert replay(permutation_swapping, RECORDS, source.record, swap_rate=Fraction(1, 2)) == output


def test_a_seed_repeats_and_no_seed_does_not():
    def wide(data, source):
        return source.uniform(10**30)

    assert sample(wide, None, seed=5) == sample(wide, None, seed=5)
    assert sample(wide, None) != sample(wide, None)  # equal with probability 10^-30


@given(laws())
def test_choices_of_probability_zero_are_never_drawn(law):
    weights = [law[t] for t in range(4)]
    assert all(sample(lambda data, source: source.choose(weights), None, seed=s) in law for s in range(20))


def test_frequencies_fit_the_exact_law():
    # chi-square with 2 degrees of freedom, n = 6000, seed 11; P(statistic > 23.03) = e^(-23.03/2) < 10^-5
    weights = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    source = SamplingSource(11)
    counts = Counter(source.choose(weights) for _ in range(6000))
    statistic = sum(Fraction((counts[i] - 6000 * w) ** 2) / (6000 * w) for i, w in enumerate(weights))
    assert statistic < Fraction("23.03")


def test_open_parameters_cannot_be_sampled():
    with pytest.raises(InputError, match="cannot be sampled"):
        SamplingSource(1).choose((SYMBOL, 1 - SYMBOL))
    with pytest.raises(InputError, match="p must be"):
        SamplingSource(1).bernoulli(SYMBOL)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([], "ends after 0 choices"),
        ([1], "ends after 1 choices"),
        ([1, 0, 0], "more choices"),
        ([2, 0], "recorded choice 0 must have positive probability"),
        ([-1, 0], "recorded choice 0 must have positive probability"),
        ([1, 1], "recorded choice 1 must have positive probability"),
    ],
)
def test_records_that_do_not_fit_are_refused(choices, message):
    def mechanism(data, source):
        return source.uniform(2), source.choose((1, 0))

    with pytest.raises(InputError, match=message):
        replay(mechanism, None, choices)


def test_a_restart_without_a_choice_is_refused_instead_of_repeated_for_ever():
    def mechanism(data, source):
        source.restart()

    for run in (lambda: sample(mechanism, None, seed=1), lambda: replay(mechanism, None, [])):
        with pytest.raises(InputError, match="never finishes"):
            run()


def test_a_replay_knows_when_it_is_exhausted():
    source = ReplaySource([0, 1])
    assert not source.is_exhausted
    source.uniform(2)
    source.uniform(2)
    assert source.is_exhausted


def test_sampling_checks_its_arguments():
    source = SamplingSource(1)
    with pytest.raises(InputError, match="sum to exactly 1"):
        source.choose((Fraction(1, 2),))
    with pytest.raises(InputError, match="n must be"):
        source.uniform(0)


@pytest.mark.parametrize("seed", ["x", 1.5, True, Fraction(1)])
def test_a_seed_is_an_int(seed):
    with pytest.raises(InputError, match="seed must be an int"):
        sample(lambda data, source: source.uniform(2), None, seed=seed)


class Named(NamedTuple):
    name: str
    value: object


def test_noise_that_is_released_under_a_name_is_drawn_too():
    def mechanism(data, source):
        return Named("a", data + source.discrete_gaussian(4)), (Named("b", 3),)

    first, second = sample(mechanism, 10**6, seed=1)
    assert (type(first), first.name, second) == (Named, "a", (Named("b", 3),))
    assert abs(first.value - 10**6) < 100

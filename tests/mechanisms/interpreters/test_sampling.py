"""The weights of a choice are checked once for each value that they have, and again where they may have changed.

An n-way choice is n runs of a program: what it chooses by is computed once, and is the same object in every run.
"""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from strategies import laws

from stirred.mechanisms import (
    clamped_geometric,
    constant,
    exact_law,
    identity,
    peeking_constant,
    permutation_swapping,
    release_invariants,
    replay,
    sample,
    truncated_geometric,
)
from stirred.mechanisms.draws.zone_mass import ORIGIN, Geometric, zone_mass, zone_steps
from stirred.mechanisms.interpreters.choice_weights import CHANGING, WeightRows
from stirred.mechanisms.interpreters.sampling import ReplaySource, SamplingSource
from stirred.mechanisms.kernel import kernel
from stirred.mechanisms.source import Source, bernoulli_weights
from stirred.spec import INFINITE, SYMBOL, ZERO, InputError, Multiplicative
from stirred.spec.laws.law import Law

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


class Named(NamedTuple):
    name: str
    value: object


def test_noise_that_is_released_under_a_name_is_drawn_too():
    def mechanism(data, source):
        return Named("a", data + source.discrete_gaussian(4)), (Named("b", 3),)

    first, second = sample(mechanism, 10**6, seed=1)
    assert (type(first), first.name, second) == (Named, "a", (Named("b", 3),))
    assert abs(first.value - 10**6) < 100


class Asked:
    """Counts how often weights are looked at."""

    def __init__(self):
        self.rows = WeightRows()
        self.times = 0

    def row(self, asked):
        def given(weights):
            self.times += 1
            return weights if isinstance(weights, (tuple, list)) else bernoulli_weights(weights)

        return self.rows.row(asked, given)


def thirds():
    return Fraction(1, 3), Fraction(2, 3)


@pytest.mark.parametrize("make", [lambda: Fraction(1, 3), thirds, lambda: (1, 0), lambda: 1])
def test_equal_numbers_are_looked_at_once_however_many_objects_they_are(make):
    asked = Asked()
    first = asked.row(make())
    for _ in range(40):  # more than are recognised as objects
        asked.row((Fraction(1, 7), Fraction(6, 7)))
        assert asked.row(make()) is first
    assert asked.times == 2


def test_equal_lists_are_looked_at_once_and_are_no_tuple():
    asked = Asked()
    fixed = asked.row(thirds())
    first = asked.row(list(thirds()))
    assert asked.row(list(thirds())) is first
    assert (fixed.number, first.asked) == (first.number, CHANGING)
    assert asked.row(thirds()) is fixed
    assert asked.times == 2


def test_what_may_change_is_looked_at_each_time():
    asked, weights = Asked(), [Fraction(1, 3), Fraction(2, 3)]
    row = asked.row(weights)
    assert row.asked is CHANGING
    weights[:] = weights[::-1]
    assert asked.row(weights).weights == thirds()[::-1]
    assert asked.row(thirds()).number == row.number
    assert asked.times == 3


def test_rows_with_equal_weights_have_one_number_and_others_another():
    asked = Asked()
    flip = asked.row(Fraction(2, 3))  # weights (1/3, 2/3)
    assert flip.number == asked.row(thirds()).number
    assert flip.number != asked.row(thirds()[::-1]).number
    assert asked.row((0, 1, 0)).possible == (1,)


def test_refused_weights_are_refused_again():
    asked = Asked()
    for _ in range(2):
        with pytest.raises(InputError):
            asked.row((Fraction(1, 3), Fraction(1, 3)))


RATIO = Fraction(2, 3)
LAWS = {0: Law({"a": Fraction(1, 3), "b": Fraction(2, 3)})}


class Recording(Source):
    """Takes the first outcome, and keeps what was asked."""

    def __init__(self):
        self.asked = []

    def choose(self, weights):
        self.asked.append(weights)
        return 0

    def attempt(self, body):
        return body(self)


def clamped_twice(count, source):
    first, second = (count + source.discrete_laplace(RATIO) for _ in range(2))
    return source.clamp(first, 0, 9), source.clamp(first - second, 0, 9), second >= 2


PROGRAMS = {
    "clamped": lambda source: clamped_geometric(3, source, size=9, ratio=RATIO),
    "truncated": lambda source: truncated_geometric(3, source, size=9, ratio=RATIO),
    "kernel": lambda source: kernel(0, source, laws=LAWS),
    "uniform": lambda source: source.uniform(6),
    "clamp": lambda source: clamped_twice(4, source),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_the_weights_are_the_same_object_in_every_run(program):
    runs = []
    for _ in range(3):
        source = Recording()
        program(source)
        runs.append(source.asked)
    assert runs[0]
    for others in zip(*runs, strict=True):
        assert len({id(one) for one in others}) == 1


@pytest.mark.parametrize("geometric", [clamped_geometric, truncated_geometric])
def test_other_parameters_have_other_weights(geometric):
    settings = [(count, size, ratio) for count in (0, 1, 2) for size in (3, 4) for ratio in (RATIO, RATIO / 2)]
    asked = []
    for count, size, ratio in settings:
        source = Recording()
        geometric(count, source, size=size, ratio=ratio)
        asked += map(tuple, source.asked)
    assert len(set(asked)) == len(settings)


@pytest.mark.parametrize("cuts", [range(-2, 3), range(1, 2_500)])
def test_steps_are_the_masses_between_cuts(cuts):
    laws = {0: Geometric(RATIO, is_two_sided=True)}
    places, weights = zone_steps(laws, {}, ORIGIN, 0, cuts)
    assert places == tuple(range(len(cuts) + 1))
    reached = [zone_mass(laws, {(ORIGIN, 0): -cut}) for cut in cuts[:5]]
    assert [1 - sum(weights[: k + 1]) for k in range(5)] == reached
    assert sum(weights) == 1
    known, _ = zone_steps(laws, {(0, ORIGIN): cuts[1]}, ORIGIN, 0, cuts)
    assert known == (0, 1, 2)


@given(st.lists(laws(), min_size=1, max_size=4))
def test_a_kernel_has_the_laws_of_its_table(rows):
    table = dict(enumerate(rows))
    assert {x: exact_law(kernel, x, laws=table) for x in table} == table


def test_a_kernel_may_have_an_open_parameter():
    coin = Law({"heads": SYMBOL, "tails": 1 - SYMBOL})
    assert exact_law(kernel, 0, laws={0: coin}) == coin


def test_a_kernel_is_sampled():
    table = {0: Law({"a": Fraction(1)}), 1: Law({"a": Fraction(1, 2), "b": Fraction(1, 2)})}
    assert sample(kernel, 0, seed=1, laws=table) == "a"
    assert {sample(kernel, 1, seed=seed, laws=table) for seed in range(20)} == {"a", "b"}


DATA = [(0, 1), (1, 1), (2, 0)]


def losses(mechanism, **parameters):
    released = [exact_law(mechanism, x, **parameters) for x in DATA]
    return [Multiplicative().distance(p, q) for i, p in enumerate(released) for q in released[:i]]


def test_a_constant_loses_nothing_and_the_identity_and_the_peeking_constant_everything():
    assert set(losses(constant, value=7)) == {ZERO}
    assert set(losses(identity)) == set(losses(peeking_constant)) == {INFINITE}
    assert len(exact_law(peeking_constant, DATA[0])) == 1  # one law alone looks like a constant's


def test_released_invariants_separate_universes_only():
    released = {x: exact_law(release_invariants, x, invariants=sum) for x in DATA}
    assert Multiplicative().distance(released[1, 1], released[2, 0]) == ZERO
    assert Multiplicative().distance(released[0, 1], released[2, 0]) == INFINITE


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SamplingSource(1).choose((SYMBOL, 1 - SYMBOL)), "cannot be sampled"),
        (lambda: SamplingSource(1).bernoulli(SYMBOL), "p must be"),
        (lambda: SamplingSource(1).choose((Fraction(1, 2),)), "sum to exactly 1"),
        (lambda: SamplingSource(1).uniform(0), "n must be"),
        *each(
            lambda seed: sample(lambda data, source: source.uniform(2), None, seed=seed),
            ["x", 1.5, True, Fraction(1)],
            "seed must be an int",
        ),
        (lambda: exact_law(kernel, 2, laws={0: Law({0: 1})}), "laws must have a law for every data set; 2 has none"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)

"""Two runs of the TopDown Algorithm: what the second reproduces, and that its faulty variants do not."""

from dataclasses import replace
from fractions import Fraction

import pytest

from stirred.mechanisms.broken.topdown import independent_runs, published_from_the_data
from stirred.mechanisms.das.topdown import Design, Geography, KeptTotal, QueryGroup, invariants
from stirred.mechanisms.das.topdown.two_runs import tabulate, two_runs
from stirred.mechanisms.interpreters.sampling import SamplingSource, replay, sample
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.spec import InputError

CELLS = {"child": "person", "adult": "person"}
STATE = Geography({"state": None, "1": "state", "2": "state"})
SECOND = Design(
    geography=STATE,
    cells=CELLS,
    groups=(QueryGroup("kinds", "person", ((1, 0), (0, 1)), Fraction(1)),),
    invariants=(KeptTotal("population", 0, (1, 1)),),
    edits=(),
    level_shares=(Fraction(1, 2),) * 2,
    rho_squared={"person": Fraction(1, 4)},
)
FIRST = replace(SECOND, rho_squared={"person": Fraction(1, 2)})
CHILDREN, ADULTS = KeptTotal("children", 1, (1, 0)), KeptTotal("adults", 0, (0, 1))
DATA = (("1", "child"), ("1", "child"), ("1", "adult"), ("2", "adult"), ("2", "child"))
SEEDS = range(12)


def released(program, seed, **options):
    chosen = {"first": FIRST, "second": SECOND, "aggregates": (CHILDREN, ADULTS), "noise": discrete_gaussian}
    return sample(program, DATA, seed=seed, **(chosen | options))


def totals(estimate):
    return tuple(tabulate(SECOND, estimate, one) for one in (CHILDREN, ADULTS))


class TestTwoRuns:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_second_estimate_has_what_the_first_published_and_the_invariants(self, seed):
        (_, first), published, (_, second) = released(two_runs, seed)
        assert totals(first) == published == totals(second)
        for estimate in (first, second):
            records = [(leaf, cell) for leaf, n in estimate for cell, m in zip(CELLS, n, strict=True) for _ in range(m)]
            assert invariants(SECOND, SECOND.histograms(records)) == ((len(DATA),),)

    def test_the_runs_draw_their_own_noise(self):
        runs = [released(two_runs, seed, second=FIRST) for seed in SEEDS]
        assert any(one[0][0] != one[2][0] for one in runs)

    def test_both_replay_from_their_choices(self):
        source = SamplingSource(7)
        options = {"first": FIRST, "second": SECOND, "aggregates": (CHILDREN,)}
        found = source.attempt(lambda inner: two_runs(DATA, inner, **options))
        assert replay(two_runs, DATA, source.record, **options) == found

    def test_what_was_published_must_fit_the_invariants_of_the_second_run(self):
        twice_the_children = replace(SECOND, invariants=(KeptTotal("children twice", 0, (2, 1)),))
        seed = next(seed for seed in SEEDS if sum(released(two_runs, seed)[1][0]) != 3)
        with pytest.raises(InputError, match="level 0, state"):
            released(two_runs, seed, second=twice_the_children)


class TestFaults:
    def test_independent_runs_publish_two_values_of_one_total(self):
        runs = [released(independent_runs, seed) for seed in SEEDS]
        assert any(published != totals(second) for _, published, (_, second) in runs)

    def test_a_second_run_that_is_held_to_the_data_tells_them(self):
        for seed in SEEDS:
            _, _, (_, second) = released(published_from_the_data, seed)
            assert totals(second) == ((2, 1), (2,))


def test_a_table_counts_what_is_below_a_node():
    estimate = (("1", (2, 1)), ("2", (1, 1)))
    assert tabulate(SECOND, estimate, CHILDREN) == (2, 1)
    assert tabulate(SECOND, estimate, KeptTotal("everyone", 0, (1, 1))) == (5,)

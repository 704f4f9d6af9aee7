"""Noisy measurements in arrays: the noise of a node is its own, whoever draws it and whatever else is drawn.

Two runs of the TopDown Algorithm: what the second reproduces, and that its faulty variants do not.
"""

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from towns import CELLS, GROUPS, SHARES, TOWNS

from stirred.mechanisms.broken.topdown import independent_runs, published_from_the_data
from stirred.mechanisms.das.topdown import Design, Geography, KeptTotal, QueryGroup, answers, invariants
from stirred.mechanisms.das.topdown.two_runs import tabulate, two_runs
from stirred.mechanisms.fast import topdown_noise
from stirred.mechanisms.fast.inversion import inverted
from stirred.mechanisms.fast.random_words import keyed_words
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.mechanisms.interpreters.sampling import SamplingSource, replay, sample
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.spec import InputError
from stirred.spec.laws.discrete_gaussian import cumulative_floors, gaussian_scale

KEY = bytes(range(32))

DESIGN = Design(TOWNS, CELLS, GROUPS, (), (), SHARES, {"person": Fraction(1)})

SIGNED = QueryGroup("signed", "person", ((1, 0, -2, 0), (0, 0, 0, 0), (0, 3, 0, 1)), Fraction(1, 2))

ASKED_BELOW = replace(GROUPS[0], share=(Fraction(0), Fraction(1, 2), Fraction(1, 2)))

FIRST = replace(SIGNED, share=(Fraction(1), Fraction(1, 2), Fraction(1, 2)))

OTHER = replace(DESIGN, groups=(ASKED_BELOW, FIRST))


def lists(measurements):
    return [[list(of_group) for of_group in of_node] for of_node in measurements]


def histograms(*records):
    return DESIGN.histograms(records)


@pytest.mark.parametrize("design", [DESIGN, OTHER], ids=["one", "other"])
def test_it_is_the_exact_answer_and_noise_from_the_words_of_node_and_group(design):
    data = histograms(("a", "young"), ("a", "in school"), ("c", "old"), ("c", "in prison"))
    found = lists(keyed_measurements(design, data, KEY))
    for node, measured, exact in zip(design.geography.nodes, found, answers(design, data), strict=True):
        for group, noisy, true in zip(design.groups, measured, exact, strict=True):
            assert len(noisy) == len(true)
            if not true:
                continue
            scale = gaussian_scale(design.variance(design.geography.level(node), group))
            words = keyed_words(KEY, json.dumps([node, group.name]).encode())
            noise = inverted(partial(cumulative_floors, scale), words(len(true)), words).tolist()
            assert [a - b for a, b in zip(noisy, true, strict=True)] == noise


def test_other_data_have_the_same_noise_and_another_key_has_not():
    one, two = histograms(("a", "young")), histograms(("c", "old"), ("b", "old"))

    def noise(data, key=KEY):
        pairs = zip(lists(keyed_measurements(DESIGN, data, key)), answers(DESIGN, data), strict=True)
        return [[m - e for m, e in zip(p, q, strict=True)] for of, true in pairs for p, q in zip(of, true, strict=True)]

    assert noise(one) == noise(two)
    assert noise(one) != noise(one, bytes(32))


def test_neither_parts_nor_processes_change_anything(monkeypatch):
    data = histograms(("a", "young"), ("b", "in school"))
    whole = keyed_measurements(DESIGN, data, KEY)
    monkeypatch.setattr(topdown_noise, "_MOST_COUNTS", 1)
    assert lists(keyed_measurements(DESIGN, data, KEY)) == lists(whole)
    assert lists(keyed_measurements(DESIGN, data, KEY, workers=2)) == lists(whole)
    assert {of_group.itemsize for of_node in whole for of_group in of_node} == {8}


LEAVES = {"child": "person", "adult": "person"}

STATE = Geography({"state": None, "1": "state", "2": "state"})

SECOND = Design(
    geography=STATE,
    cells=LEAVES,
    groups=(QueryGroup("kinds", "person", ((1, 0), (0, 1)), Fraction(1)),),
    invariants=(KeptTotal("population", 0, (1, 1)),),
    edits=(),
    level_shares=(Fraction(1, 2),) * 2,
    rho_squared={"person": Fraction(1, 4)},
)

FIRST_RUN = replace(SECOND, rho_squared={"person": Fraction(1, 2)})

CHILDREN, ADULTS = KeptTotal("children", 1, (1, 0)), KeptTotal("adults", 0, (0, 1))

DATA = (("1", "child"), ("1", "child"), ("1", "adult"), ("2", "adult"), ("2", "child"))

SEEDS = range(12)


def released(program, seed, **options):
    chosen = {"first": FIRST_RUN, "second": SECOND, "aggregates": (CHILDREN, ADULTS), "noise": discrete_gaussian}
    return sample(program, DATA, seed=seed, **(chosen | options))


def totals(estimate):
    return tuple(tabulate(SECOND, estimate, one) for one in (CHILDREN, ADULTS))


class TestTwoRuns:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_the_second_estimate_has_what_the_first_published_and_the_invariants(self, seed):
        (_, first), published, (_, second) = released(two_runs, seed)
        assert totals(first) == published == totals(second)
        for estimate in (first, second):
            records = [
                (leaf, cell) for leaf, n in estimate for cell, m in zip(LEAVES, n, strict=True) for _ in range(m)
            ]
            assert invariants(SECOND, SECOND.histograms(records)) == ((len(DATA),),)

    def test_the_runs_draw_their_own_noise(self):
        runs = [released(two_runs, seed, second=FIRST_RUN) for seed in SEEDS]
        assert any(one[0][0] != one[2][0] for one in runs)

    def test_both_replay_from_their_choices(self):
        source = SamplingSource(7)
        options = {"first": FIRST_RUN, "second": SECOND, "aggregates": (CHILDREN,)}
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

"""Estimates from Python: any callable, pairs of any type, commands; what is malformed gets one line."""

import functools
import random
import sys
from fractions import Fraction

import numpy as np
import pytest

import stirred
from stirred.spec import InputError
from stirred.spec.budgets.loss import Loss


def noisy(data, rng, *, scale=1):
    return round(float(np.sum(data)) + rng.laplace(scale=scale), 6)


def of_noise(mechanism=noisy, **claim):
    return stirred.estimate(mechanism, **{"pairs": [([0], [1])], "draws": 4_000, "seed": 1, **claim})


def test_the_least_budget_is_below_the_true_one_and_near_it():
    found = of_noise()
    assert Loss(2) < found.smallest < Loss(Fraction(272, 100))
    assert found.verdict is stirred.Verdict.OPEN
    assert not found.holds
    assert found.needed.startswith("epsilon >= 0.")
    assert "not stated: budget" in str(found)


def test_a_claim_is_refuted_with_its_confidence_and_a_least_delta():
    found = of_noise(scale=Fraction(1, 2), epsilon="1", delta="0.01")
    assert found.verdict is stirred.Verdict.REFUTED
    assert found.claimed == "epsilon = 1"
    assert 0 < found.least_delta < 1
    assert found.looks[-1].p > 2 * found.looks[-1].q
    assert found.seed == 1
    assert found.witness["sampled"]["seed"] == 1
    assert of_noise(scale=Fraction(1, 2), epsilon="1", delta="0.01").looks == found.looks


@pytest.mark.parametrize(
    "mechanism",
    [
        lambda data: np.sum(data) + np.random.normal(scale=0.1),
        functools.partial(noisy, scale=0.1),
        np.sum,
        [
            sys.executable,
            "-c",
            "import sys\nfor line in sys.stdin: print('{\"output\":', len(line) % 7, '}', flush=True)",
        ],
    ],
)
def test_closures_partials_natives_and_commands_are_drawn_from(mechanism):
    pairs = [(np.array([0, 0]), np.array([1, 10]), 2)]
    if isinstance(mechanism, list):
        pairs = [([], [10**30])]
    assert of_noise(mechanism, pairs=pairs, epsilon="1").verdict is stirred.Verdict.REFUTED


def test_data_sets_with_a_distance_are_paired_by_it():
    found = stirred.estimate(
        lambda data, rng: sum(data) + int(rng.integers(2)),
        data_sets=stirred.ordered_data_sets((0, 1), [2]),
        distance="hamming_ordered",
        epsilon="1",
        draws=500,
        seed=2,
    )
    assert found.verdict is stirred.Verdict.REFUTED
    assert "x = (" in found.because


def test_data_sets_that_look_alike_are_told_apart():
    first, second = np.zeros(5_000), np.append(np.zeros(4_999), 1)
    found = of_noise(lambda data: data[-1], pairs=[(first, second)], epsilon="1")
    assert found.verdict is stirred.Verdict.REFUTED


def test_what_is_malformed_is_said_in_one_line():
    refused = [
        ({"pairs": None}, "pairs must be given"),
        ({"pairs": [([0],)]}, "pairs must hold"),
        ({"pairs": [([0], [0])]}, "two data sets that differ"),
        ({"pairs": [([0], [1])], "distance": "hamming_ordered"}, "pairs must come without"),
        ({"pairs": [([0], [1], 0.5)]}, "a distance must be an exact number"),
        ({"mechanism": 3}, "mechanism must be callable"),
        ({"mechanism": []}, "words of a command"),
        ({"epsilon": 0.5}, "epsilon must be exact"),
        ({"confidence": "1"}, "confidence must be above 0 and below 1"),
        ({"draws": -1}, "draws must be"),
        ({"rho": "1", "output": "pure"}, "give epsilon"),
    ]
    for change, message in refused:
        with pytest.raises(InputError, match=message):
            of_noise(**{"mechanism": noisy, **change})


@pytest.mark.parametrize("flip", ["1/4", "1/10"])
def test_what_is_found_is_below_the_exact_loss_and_close_to_it(flip):
    def majority(answers, source: stirred.Source, *, flip):
        votes = sum(1 - answer if source.bernoulli(flip) else answer for answer in answers)
        return 2 * votes > len(answers)

    blocks = {"data_sets": stirred.ordered_data_sets((0, 1), [3]), "distance": "hamming_ordered"}
    exact = stirred.smallest_budget(majority, **blocks, flip=flip)
    found = stirred.estimate(majority, **blocks, draws=2_500, seed=4, flip=Fraction(flip))
    assert exact.epsilon().lower / 2 < found.smallest.epsilon().lower
    assert found.smallest < exact


def by_keyword(data, *, rng: "random.Random"):
    return data + (rng.random() < 0.5)


def unannotated(data, rng):
    return data + rng.choice([0, 1])


@pytest.mark.parametrize(("mechanism", "more"), [(by_keyword, {}), (unannotated, {"generator": "random"})])
def test_a_generator_is_given_where_the_function_takes_it(mechanism, more):
    found = stirred.estimate(mechanism, pairs=[(0, 9)], epsilon="1", draws=1_000, seed=1, **more)
    assert found.verdict.name == "REFUTED"


def test_a_generator_that_the_annotation_contradicts_is_refused():
    with pytest.raises(InputError, match="generator must be 'random', as the annotation of the function says"):
        stirred.estimate(by_keyword, pairs=[(0, 9)], epsilon="1", generator="numpy")

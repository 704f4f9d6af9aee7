"""The smallest delta of a mechanism at an epsilon, its curve, and conversions, from Python.

Estimates from Python: any callable, pairs of any type, commands; what is malformed gets one line.
"""

import functools
import random
import sys
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import stirred
from stirred.mechanisms import exact_law
from stirred.spec import Enclosure, InputError, Loss, hockey_stick
from stirred.spec.numbers.enclosure import exponential

COUNTS = {"data_sets": range(4), "distance": "absolute_difference"}


def noisy_count(count, source, *, ratio):
    return source.clamp(count + source.discrete_laplace(ratio), 0, 3)


def leaking(count, source, *, ratio):
    return count if source.bernoulli(ratio) else -1


def expected(mechanism, gammas, **parameters):
    """Over all pairs, E at γ^d by its sum."""
    laws = [exact_law(mechanism, count, **parameters) for count in range(4)]
    return max(hockey_stick(laws[x], laws[y], gammas(abs(x - y))) for x, y in permutations(range(4), 2))


@pytest.mark.parametrize("gamma", [1, Fraction(11, 10), Fraction(3, 2), 2, 3])
@pytest.mark.parametrize("mechanism", [noisy_count, leaking])
def test_it_is_the_largest_over_all_pairs(mechanism, gamma):
    found = stirred.smallest_delta(mechanism, **COUNTS, epsilon=f"ln({gamma})", ratio="1/3")
    assert found == expected(mechanism, lambda d: Fraction(gamma) ** d, ratio=Fraction(1, 3))


def test_an_irrational_gamma_is_enclosed():
    found = stirred.smallest_delta(noisy_count, **COUNTS, epsilon="0.5", ratio="1/3")
    assert isinstance(found, Enclosure)
    low, high = (
        expected(
            noisy_count, lambda d, end=end: getattr(exponential(Fraction(d, 2), digits=60), end), ratio=Fraction(1, 3)
        )
        for end in ("upper", "lower")
    )
    assert found.lower <= low <= high <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**30)


def test_it_is_enough_and_nothing_less_is():
    claim = {**COUNTS, "output": "approximate", "epsilon": "0.5", "ratio": "1/3"}
    delta = stirred.smallest_delta(noisy_count, **COUNTS, epsilon="0.5", ratio="1/3")
    enough = stirred.audit(noisy_count, **claim, delta=delta.upper + Fraction(1, 10**20))
    assert enough.holds
    short = stirred.audit(noisy_count, **claim, delta=delta.lower - Fraction(1, 10**20))
    assert short.verdict is stirred.Verdict.REFUTED
    (answer,) = [a.evidence for a in short.record.answers if a.question == "delta"]
    assert answer.detail.startswith(
        f"the smallest delta at epsilon = 0.5 is {delta.relation()}, needed by x = 0, x' = 3;"
    )
    assert "at distance k" in answer.detail


def test_it_is_0_at_the_loss_and_infinite_losses_leave_their_mass():
    assert stirred.smallest_delta(noisy_count, **COUNTS, epsilon="ln 3", ratio="1/3") == 0
    assert stirred.smallest_delta(noisy_count, **COUNTS, epsilon="infinite", ratio="1/3") == 0
    assert stirred.smallest_delta(leaking, **COUNTS, epsilon="infinite", ratio="1/3") == Fraction(1, 3)
    with pytest.raises(InputError, match="vacuous, so every mechanism satisfies it"):
        stirred.smallest_delta(leaking, data_sets=[1], distance="absolute_difference", epsilon=0, ratio="1/3")


def test_the_curve_has_its_pieces_by_distance():
    curves = stirred.privacy_curve(noisy_count, data_sets=[0, 1, 3], distance="absolute_difference", ratio="1/2")
    assert sorted(curves.by_distance) == [1, 2, 3]
    assert curves.lines()[:2] == (
        "delta = (2 - e^epsilon)/3 for 1 <= e^epsilon <= 2",
        "delta = 0 for e^epsilon >= 2",
    )
    assert curves.by_distance[2].delta(4) == curves.by_distance[3].delta(8) == 0


def test_a_law_that_is_not_exact_is_refused_in_one_line():
    with pytest.raises(stirred.InputError, match="must have finite laws; those of"):
        stirred.smallest_delta(lambda count, source: count + source.discrete_gaussian(4), **COUNTS, epsilon=1)


def test_conversions_take_texts_and_refuse_floats():
    (found,) = stirred.convert(mu="1", at_epsilon="1")[1:]
    assert (found.name, found.value.text(6)) == ("delta", "0.126937")
    assert [one.name for one in stirred.convert(epsilon="ln 3", order=2)] == ["rho", "rho", "epsilon"]
    with pytest.raises(stirred.InputError, match="rho must be exact; got the float"):
        stirred.convert(rho=0.1, delta="1e-6")
    with pytest.raises(stirred.InputError, match="exactly one"):
        stirred.convert(delta="1e-6")
    with pytest.raises(stirred.InputError, match="must be finite"):
        stirred.convert(epsilon="infinite", order=2)


def test_curves_and_conversions_are_shown_in_words():
    curves = stirred.privacy_curve(noisy_count, **COUNTS, ratio="1/2")
    assert str(curves).splitlines() == list(curves.lines())
    assert repr(curves) == f"<DeltaCurves {'; '.join(curves.lines())}>"
    assert repr(stirred.convert(mu=1, order=2)[0]) == "<Converted rho = 0.5 by mu^2/2>"
    loss = stirred.smallest_budget(noisy_count, **COUNTS, ratio=stirred.SYMBOL)
    assert repr(loss) == f"<LossFunction {loss}>"


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
        ({"pairs": None}, "pairs, or data_sets and distance, must be given"),
        ({"pairs": [([0],)]}, "pairs must hold"),
        ({"pairs": [([0], [0])]}, "two data sets that differ"),
        ({"pairs": [([0], [1])], "distance": "hamming_ordered"}, "pairs cannot be combined with"),
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

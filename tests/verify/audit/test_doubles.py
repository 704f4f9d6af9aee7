"""What doubles alone refute is left open, and says at which delta it holds; a violation is refuted as before."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tiers import few

import stirred
from stirred.verify.evidence.verdict import Verdict

DOUBLE = {"distance": "absolute_difference", "numerics": "double"}
BITS = {"data_sets": [0, 1], **DOUBLE}
COUNTS = {"data_sets": range(3), **DOUBLE}


def different(a, b):
    return int(a != b)


@cache
def response(epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))

    def answer(bit, rng: np.random.Generator):
        return bit if rng.random() < keep else 1 - bit

    return answer


def ternary(epsilon):
    keep = math.exp(epsilon) / (2 + math.exp(epsilon))

    def answer(value, rng: np.random.Generator):
        return value if rng.random() < keep else (value + 1 + int(rng.integers(0, 2))) % 3

    return answer


def rounded(count, rng: np.random.Generator, *, scale=1.0):
    return round(count + rng.laplace(scale=scale))


def chosen(value, rng: np.random.Generator):
    weights = np.exp([1.0 if one == value else 0.0 for one in range(3)])
    return int(rng.choice(3, p=weights / weights.sum()))


@pytest.mark.parametrize("epsilon", few(["1.5", "0.1", "0.5", "1", "2", "3"], 2))
def test_randomized_response_of_doubles_is_never_refuted(epsilon):
    two = stirred.audit(response(float(epsilon)), **BITS, epsilon=epsilon)
    three = stirred.audit(ternary(float(epsilon)), **{**COUNTS, "distance": different}, epsilon=epsilon)
    assert Verdict.REFUTED not in (two.verdict, three.verdict)


def test_real_numbers_meet_it_exactly():
    in_real = {**COUNTS, "numerics": None}
    assert stirred.audit(rounded, **in_real, epsilon="1").verdict is Verdict.ENCLOSED
    assert stirred.audit(rounded, **in_real, epsilon="0.9999").verdict is Verdict.REFUTED


def test_it_says_at_which_delta_it_holds_and_by_how_much_it_is_missed():
    found = stirred.audit(response(1.0), **BITS, epsilon="1")
    assert found.verdict is Verdict.OPEN
    assert (
        "claimed epsilon = 1 holds with delta = 2^-40: the rounding of doubles misses it by 6.2e-17; state delta = "
        in found.because
    )
    with pytest.raises(
        stirred.NotSatisfiedError, match=r'is not shown to satisfy epsilon = 1(.|\n)*state delta = "1e-12"; exactly'
    ):
        stirred.assert_satisfies(response(1.0), **BITS, epsilon="1")
    assert stirred.audit(response(1.0), **BITS, epsilon="1", output="approximate", delta="1e-12").holds


@pytest.mark.parametrize(("mechanism", "blocks"), [(rounded, COUNTS), (chosen, {**COUNTS, "distance": different})])
def test_rounded_noise_and_choices_with_weights_are_left_open_too(mechanism, blocks):
    assert stirred.audit(mechanism, **blocks, epsilon="1").verdict is not Verdict.REFUTED


def test_the_end_of_the_tail_is_told_as_an_event():
    found = stirred.audit(rounded, **COUNTS, epsilon="1")
    assert found.verdict is Verdict.OPEN
    assert "an event of probability 1.1e-16, which is possible under one data set alone" in found.because


def test_groups_are_those_of_neighbours():
    found = stirred.audit(rounded, data_sets=range(12), **DOUBLE, epsilon="1")
    assert "for neighbours" in found.because


def test_a_violation_stays_refuted_and_says_what_it_needs_at_delta():
    found = stirred.audit(rounded, **COUNTS, epsilon="1", scale="1/2")
    assert found.verdict is Verdict.REFUTED
    assert "; with delta = 2^-40 the smallest budget is ≈ 2 (exactly ln(" in found.because


@pytest.mark.parametrize(("bits", "verdict"), [(39, Verdict.REFUTED), (41, Verdict.OPEN)])
def test_data_that_are_published_rarely_are_named_or_refuted(bits, verdict):
    def rare(bit, rng: np.random.Generator):
        return bit if rng.random() < 2.0**-bits else 7

    found = stirred.audit(rare, **BITS, epsilon="1")
    assert found.verdict is verdict
    assert f"P[E | x] = 1/{2**bits} > e^1 * 0" in found.because


def test_what_one_pair_without_neighbours_shows_is_not_hidden():
    def exact_far(count, rng: np.random.Generator):
        return count if count == 12 else rounded(count, rng)

    found = stirred.audit(exact_far, data_sets=[0, 12], **{**DOUBLE, "distance": lambda a, b: abs(a - b)}, epsilon="1")
    assert found.verdict is Verdict.REFUTED


def test_exact_sources_are_refuted_by_any_excess():
    def answer(bit, source):
        return bit if source.bernoulli(Fraction(3, 4) + Fraction(1, 2**60)) else 1 - bit

    assert stirred.audit(answer, **BITS, epsilon="ln 3").verdict is Verdict.REFUTED


def test_delta_is_raised_by_as_little():
    found = stirred.audit(rounded, **COUNTS, epsilon="1", output="approximate", delta="1e-17")
    assert found.verdict is Verdict.OPEN
    assert "with delta = 1/100000000000000000 + 2^-40" in found.because


@pytest.mark.parametrize(
    ("mechanism", "claim", "verdict"),
    [
        (rounded, {"output": "zcdp", "rho": "1/2"}, Verdict.OPEN),
        (rounded, {"output": "zcdp", "rho": "1/8"}, Verdict.REFUTED),
        (response(1.0), {"output": "total-variation", "epsilon": "0.4621171572600097"}, Verdict.OPEN),
        (response(1.0), {"output": "total-variation", "epsilon": "0.462117"}, Verdict.REFUTED),
        (response(1.0), {"output": "chi-squared", "epsilon": "1.0861612696304"}, Verdict.OPEN),
        (
            response(1.0),
            {"output": "tradeoff", "curve": [["0", "0"], ["0.26894142136999512", "0.731058578630004879"], ["1", "1"]]},
            Verdict.OPEN,
        ),
        (response(1.0), {"output": "tradeoff", "curve": [["0", "0"], ["0.27", "0.73"], ["1", "1"]]}, Verdict.REFUTED),
    ],
)
def test_other_measures_are_left_open_by_as_little(mechanism, claim, verdict):
    assert stirred.audit(mechanism, **BITS, **claim).verdict is verdict


def test_integers_that_no_double_decides_refute_however_seldom():
    def published(bit, rng: np.random.Generator):
        return bit if all(rng.integers(0, 64) == 0 for _ in range(7)) else 0

    assert stirred.audit(published, **BITS, epsilon="5").verdict is Verdict.REFUTED
    assert stirred.audit(lambda bit, rng: bit, **BITS, epsilon="5", generator="numpy").verdict is Verdict.REFUTED


def test_rates_of_documented_laws_are_doubles():
    def answer(bit, rng: np.random.Generator):
        return bit ^ int(rng.binomial(1, 1 / (1 + math.exp(1.0))))

    assert stirred.audit(answer, **BITS, epsilon="1").verdict is not Verdict.REFUTED

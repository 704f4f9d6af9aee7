"""Counts of a test refute a budget exactly where the exact tails of their laws exclude it."""

from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest

from stirred.verify.engines.inference.observed_rates import CountedTest
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.learn.observed import observed


def found(counts, error, *gammas, distance=1):
    return observed(CountedTest(*counts, distance), error, [(gamma, f"gamma = {gamma}") for gamma in gammas])


def tail(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


def excludes(counts, error, gamma, distance=1):
    """Whether no two rates within the budget have both tails above half of the error, on a grid of rates."""
    false, negatives, true, positives = counts
    factor, half = Fraction(gamma) ** distance, error / 2
    for a in (Fraction(k, 200) for k in range(201)):
        if tail(negatives - false, negatives, 1 - a) > half:
            b = min(factor * a, 1 - (1 - a) / factor)
            if tail(true, positives, b) > half:
                return False
    return True


def is_refuted_rightly(counts, error, gamma, distance=1):
    one = found(counts, error, gamma, distance=distance)
    assert one.verdict in (Verdict.REFUTED, Verdict.OPEN)
    assert one.record()["verdict"] == one.verdict.name
    return one.verdict is Verdict.OPEN or excludes(counts, error, gamma, distance)


@pytest.mark.parametrize("error", [Fraction(1, 20), Fraction(1, 1000)])
def test_what_is_refuted_is_excluded_by_the_exact_tails(error):
    counts = [(false, 20, true, 30) for false, true in product((0, 1, 5, 20), (0, 8, 25, 30))]
    assert all(is_refuted_rightly(one, error, gamma) for one in counts for gamma in (1, 3))
    assert found((0, 20, 30, 30), error, 3).verdict is Verdict.REFUTED


def test_counts_of_which_a_budget_has_many_are_never_refuted_more_often_than_is_said():
    # all counts of randomised response with gamma = 3, which meets its budget: 1/4 against 3/4, 8 times each
    error, n, p = Fraction(1, 5), 8, Fraction(1, 4)
    law = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    wrong = sum(
        law[false] * law[n - true]
        for false, true in product(range(n + 1), repeat=2)
        if found((false, n, true, n), error, 3).verdict is Verdict.REFUTED
    )
    assert wrong <= error


def test_of_several_budgets_all_must_be_excluded():
    counts, error = (3, 1000, 620, 1000), Fraction(1, 20)
    assert found(counts, error, 3, 60).verdict is Verdict.REFUTED
    assert found(counts, error, 3, 70).verdict is Verdict.OPEN
    assert "the largest budget of its settings is not met, gamma = 60" in found(counts, error, 60, 3).sentence


@pytest.mark.nightly
def test_random_counts_are_refuted_rightly(changing_seed):
    random = Random(changing_seed)  # noqa: S311 cases, no secrets
    for _ in range(200):
        trials = random.randint(1, 40), random.randint(1, 40)
        counts = (random.randint(0, trials[0]), trials[0], random.randint(0, trials[1]), trials[1])
        error = Fraction(1, random.choice((5, 20, 100)))
        assert is_refuted_rightly(counts, error, Fraction(random.randint(10, 50), 10), random.randint(1, 3)), counts

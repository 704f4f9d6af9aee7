"""Sparse vector and report noisy max: the right ones meet their textbook budgets, the published wrong ones don't."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stirred.mechanisms import exact_law
from stirred.mechanisms.broken import sparse_vectors as broken
from stirred.mechanisms.report_noisy_max import report_noisy_max, report_noisy_max_budget
from stirred.mechanisms.sparse_vector import answers_specification, sparse_vector, sparse_vector_budget
from stirred.spec import INFINITE, Loss
from stirred.verify.engines.exhaustive import check_specification, mechanism_laws, smallest_budget
from stirred.verify.evidence.verdict import Verdict

HALF = Fraction(1, 2)
NOISE = {"threshold": 1, "threshold_ratio": HALF, "query_ratio": HALF}
ratios = st.sampled_from([HALF, Fraction(1, 3), Fraction(2, 3)])


def bits(length):
    return tuple(product((0, 1), repeat=length))


def smallest(mechanism, data_sets, claimed, **parameters):
    """The smallest budget and the verdict on the claimed one."""
    specification = answers_specification(data_sets, claimed)
    laws = mechanism_laws(mechanism, specification.flavor.domain, **parameters)
    verdict = check_specification(laws, specification, "all pairs").verdict
    return smallest_budget(laws, specification.flavor)[0], verdict


@settings(max_examples=6)
@given(ratios, ratios, st.integers(1, 2), st.integers(-1, 2))
def test_sparse_vector_meets_its_budget(threshold_ratio, query_ratio, positives, threshold):
    _, verdict = smallest(
        sparse_vector,
        bits(3),
        sparse_vector_budget(threshold_ratio, query_ratio, positives),
        threshold=threshold,
        threshold_ratio=threshold_ratio,
        query_ratio=query_ratio,
        positives=positives,
    )
    assert verdict is Verdict.EXHAUSTED


def test_the_loss_of_above_threshold_rises_to_its_budget_with_the_number_of_queries():
    losses = [
        smallest(sparse_vector, ((0,) * n + (1,), (1,) * n + (0,)), sparse_vector_budget(HALF, HALF), **NOISE)[0]
        for n in range(5)
    ]
    assert losses == sorted(losses)
    assert losses[-1] <= sparse_vector_budget(HALF, HALF) == Loss(8)


@settings(max_examples=4)
@given(ratios)
def test_report_noisy_max_meets_its_budget(ratio):
    _, verdict = smallest(report_noisy_max, bits(3), report_noisy_max_budget(ratio), ratio=ratio)
    assert verdict is Verdict.EXHAUSTED


def test_report_noisy_max_of_two_counts_is_a_comparison_of_two_draws():
    # index 0 iff X >= Y for independent draws; P(X = Y) = (1/9)(1 + 2(1/4 + 1/16 + ...)) = 5/27
    law = exact_law(report_noisy_max, (0, 0), ratio=HALF)
    assert law[0] == HALF + Fraction(5, 54)


INFINITE_LOSS = {
    broken.without_query_noise: {"threshold": 1, "threshold_ratio": HALF},
    broken.one_noise_for_all_queries: NOISE,
}


@pytest.mark.parametrize("mechanism", INFINITE_LOSS)
def test_variants_without_fresh_noise_have_no_finite_budget(mechanism):
    loss, verdict = smallest(mechanism, bits(2), sparse_vector_budget(HALF, HALF), **INFINITE_LOSS[mechanism])
    assert (loss, verdict) == (INFINITE, Verdict.REFUTED)


EXCEEDED = {
    broken.without_scaled_noise: {**NOISE, "positives": 2},
    broken.without_a_last_positive: NOISE,
}


@pytest.mark.parametrize("mechanism", EXCEEDED)
def test_variants_whose_noise_does_not_grow_with_the_positives_exceed_their_claim(mechanism):
    loss, verdict = smallest(
        mechanism, ((0, 0, 1, 1), (1, 1, 0, 0)), broken.claimed_budget(HALF, HALF), **EXCEEDED[mechanism]
    )
    assert verdict is Verdict.REFUTED
    assert loss > Loss(4)
    if mechanism is broken.without_scaled_noise:  # it is the sparse vector itself: its own budget holds
        assert loss <= sparse_vector_budget(HALF, HALF, 2)


def test_the_loss_of_releasing_the_noisy_answer_doubles_its_exponential_with_every_query():
    # a noisy answer of -6 tells that the noisy threshold is at most -6, and every answer before it was below
    losses = [
        smallest(
            broken.releases_the_noisy_answer,
            ((0,) * n + (2,), (1,) * n + (1,)),
            sparse_vector_budget(HALF, HALF),
            **{**NOISE, "threshold": 0},
            low=-6,
            high=3,
        )
        for n in (3, 4, 5)
    ]
    assert losses == [(Loss(8), Verdict.EXHAUSTED), (Loss(16), Verdict.REFUTED), (Loss(32), Verdict.REFUTED)]

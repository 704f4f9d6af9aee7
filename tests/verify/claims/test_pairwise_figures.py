"""The swapping study's figures: what is claimed of them, and the states on which their tendencies are sampled."""

from fractions import Fraction

import numpy as np
import pytest

from stirred.verify.claims.pairwise_swapping.sampled_states import sampled
from stirred.verify.evidence.verdict import Verdict

STAGES = "before targets_left all_left targets_arrived after"


@pytest.mark.parametrize(
    "claim_id",
    [
        "pairwise.errors.average",
        "pairwise.errors.superimposed",
        "pairwise.errors.relative",
        "pairwise.variance.error-bars",
        "pairwise.ratios.left-off",
        "pairwise.entropy.uncommon",
        "pairwise.regression.candidates",
        "pairwise.regression.reliable",
        "pairwise.regression.weights",
        "pairwise.debiasing",
        "pairwise.debiasing.released",
    ],
)
def test_what_follows_whatever_the_data_are_is_exhausted(claim_id, checked):
    assert checked(claim_id).verdict is Verdict.EXHAUSTED


@pytest.mark.parametrize(
    "claim_id",
    [
        "pairwise.entropy.rates",
        "pairwise.entropy.steps.sampled",
        "pairwise.regression.weights.sampled",
        "pairwise.errors.regression-to-the-mean",
    ],
)
def test_a_tendency_is_no_more_than_sampled_and_says_how(claim_id, checked):
    record = checked(claim_id)
    assert record.verdict is Verdict.SAMPLED
    assert "6000 households with seeds 1 to 8" in record.scope
    assert "probability 2/2^8" in record.scope


def test_debiasing_with_released_data_doubles_a_bias_where_a_swap_is_sure(checked):
    (instance,) = [
        one.evidence.detail for one in checked("pairwise.debiasing.released").found if "=" in one.evidence.detail
    ]
    assert instance == "c = 1, m = 0, twice = 1"


def test_the_steps_of_a_sampled_state_move_whom_they_say():
    """Targets and partners leave and come back: persons of each race are as many, those of a tract too."""
    for case in sampled(Fraction(1, 10), STAGES):
        before, targets_left, all_left, targets_arrived, after = map(np.array, case)
        assert (before.sum(axis=0) == after.sum(axis=0)).all()
        assert (before.sum(axis=1) == after.sum(axis=1)).all()
        assert (before != after).any()
        targets = before - targets_left
        partners = targets_left - all_left
        assert targets.min() == partners.min() == 0
        assert (targets.sum(axis=0) == (targets_arrived - all_left).sum(axis=0)).all()
        assert (partners.sum(axis=0) == (after - targets_arrived).sum(axis=0)).all()
        assert ((targets_arrived - all_left).sum(axis=1) == partners.sum(axis=1)).all()

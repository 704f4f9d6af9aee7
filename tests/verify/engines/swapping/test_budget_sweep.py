from fractions import Fraction

import pytest

from stirred.spec.loss import INFINITE, ZERO, Loss
from stirred.verify.certificates.replay import replay
from stirred.verify.engines.swapping.budget_sweep import (
    check_budget,
    exceeds,
    one_stratum,
    several_strata,
    stratum_loss,
)
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict

HALF = Fraction(1, 2)


def _single(records):
    return ((margins,) for margins in one_stratum(records, 3))


@pytest.mark.parametrize(
    ("loss", "gamma", "expected"),
    [
        (Loss(9, 2), Fraction(3), False),
        (Loss(10, 2), Fraction(3), True),
        (ZERO, Fraction(1), False),
        (INFINITE, Fraction(10**9), True),
        (INFINITE, None, False),
    ],
)
def test_a_loss_exceeds_a_budget_iff_gamma_does_over_the_distance(loss, gamma, expected):
    assert exceeds(loss, gamma) is expected


def test_margins_are_listed_up_to_relabelling_and_transposition():
    assert list(one_stratum(2, 2)) == [((2,), (2,)), ((2,), (1, 1)), ((1, 1), (1, 1))]


def test_strata_are_combined():
    assert len(list(several_strata((2, 3), 3))) == 3 * 6


def test_the_exact_loss_of_unit_margins_at_three_quarters_is_ln_3():
    assert stratum_loss((1, 1), (1, 1), Fraction(3, 4)) == Loss(3)


def test_a_budget_that_is_met_is_exhausted():
    assert check_budget(lambda *_: Fraction(100), _single, [2, 3], [HALF], "small").verdict is Verdict.EXHAUSTED


def test_the_smallest_violation_comes_first_by_records_then_by_distance():
    evidence = check_budget(lambda *_: Fraction(1), _single, [2, 3, 4], [HALF], "small")
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.detail.startswith("3 records, strata (((1, 1, 1), (1, 1, 1)),)")
    assert evidence.witness["distance"] == "2"
    assert "P_x(E)" in replay(evidence.witness)


def test_a_witness_on_two_strata_has_the_laws_of_both():
    evidence = check_budget(
        lambda *_: Fraction(1), lambda n: several_strata((1, n - 1), 3), [4], [Fraction(1, 4)], "two strata"
    )
    assert evidence.verdict is Verdict.REFUTED
    assert len(evidence.witness["x"]) == 2
    assert "P_x(E)" in replay(evidence.witness)


def test_a_sweep_over_nothing_is_an_engine_failure():
    with pytest.raises(EngineError, match="at least one universe"):
        check_budget(lambda *_: Fraction(1), _single, [], [HALF], "nothing")

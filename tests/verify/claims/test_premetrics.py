"""The refuted statements on premetrics and processing: how each fails, and at which case."""

import pytest

from stirred.verify.ledger.run import run_claim

REFUTED = {
    "multiplicative.metric.random-variables": ("misprint", {"x": [0, 1], "y": [1, 0]}),
    "premetric.household-person": ("incomplete", {"x": [["a"], ["a", "a"]], "y": [["a", "a"], ["a"]]}),
    "pure.likelihood-ratio": ("incomplete", {"there": 1, "back": 2}),
    "recording.donor-factor": ("misprint", {"x": [0, 0], "y": [1, 0], "r": 1}),
    "tradeoff.type-two": ("misprint", {}),
    "tradeoff.premetric": ("incomplete", {}),
    "post-processing.function-of-tradeoff": ("incomplete", {}),
    "post-processing.iff-data-processing": ("incomplete", {}),
    "post-processing.only-premetric": ("incomplete", {"laws": [[6, 6, 0], [0, 0, 12]]}),
    "post-processing.randomised-implied": ("incomplete", {"laws": [[12, 0, 0], [0, 12, 0]]}),
}


@pytest.mark.parametrize("claim_id", REFUTED)
def test_a_refuted_statement_has_its_grade_and_a_case_of_its_own(claim_id):
    record = run_claim(claim_id)
    grade, case = REFUTED[claim_id]
    assert (record.verdict.name, record.claim.grade.word) == ("REFUTED", grade)
    assert case.items() <= record.witness["case"].items()

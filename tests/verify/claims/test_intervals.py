"""The refuted statements on intervals of measures: how each fails, and at which case."""

import pytest

EQUAL = {"map": [[0, 1], [1, 1], [2, 1]]}
REFUTED = {
    "interval.components.induced": ("incomplete", {}),
    "interval.continuity.full-support.step": ("misprint", {}),
    "interval.convexity.credal-ball": ("incomplete", {}),
    "interval.density-ratio.events": ("incomplete", {"mu": EQUAL, "nu": {"map": [[0, 2], [1, 2], [2, 2]]}}),
    "interval.density-ratio.metric.third-law": ("misprint", {}),
    "interval.distortion.only-symmetric": ("incomplete", {"gamma": 2}),
    "interval.equivalent.measures.proof": ("misprint", {}),
    "interval.equivalent.nine-outcomes": ("misprint", {}),
    "interval.indistinguishable.categorical": ("incomplete", {}),
    "interval.indistinguishable.only-multiplicative": ("incomplete", {}),
    "interval.multiplicative.metric.last-line": ("misprint", {}),
    "interval.multiplicative.products.zero-part": ("misprint", {}),
    "interval.support.discrete": ("incomplete", {"atoms": {"map": [[0, 1]]}, "x": 0}),
    "interval.theorem.automatic": ("incomplete", {}),
}


@pytest.mark.parametrize("claim_id", REFUTED)
def test_a_refuted_statement_has_its_grade_and_a_case_of_its_own(claim_id, checked):
    record = checked(claim_id)
    grade, case = REFUTED[claim_id]
    assert (record.verdict.name, record.claim.grade.word) == ("REFUTED", grade)
    assert case.items() <= record.witness["case"].items()

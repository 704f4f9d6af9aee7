import pytest

from stirred.verify.evidence.verdict import Verdict


@pytest.mark.parametrize(
    ("claim_id", "verdict"),
    [
        ("price.fibre.budget", Verdict.EXHAUSTED),
        ("price.table", Verdict.ENCLOSED),
        ("price.floor.lines", Verdict.EXHAUSTED),
        ("price.floor.beyond", Verdict.EXHAUSTED),
        ("price.fibre.line", Verdict.PROVED),
        ("price.floor.changed", Verdict.PROVED),
        ("price.weighting", Verdict.PROVED),
    ],
)
def test_a_claim_on_the_price_holds_and_its_mutants_do_not(claim_id, verdict, checked):
    record = checked(claim_id)
    assert record.verdict is verdict
    assert record.mutants
    assert all(mutant.evidence.verdict is Verdict.REFUTED for mutant in record.mutants)

import pytest

from verify.certificates.replay import replay
from verify.evidence.verdict import Verdict


@pytest.mark.parametrize(
    ("claim_id", "cases"),
    [
        # 5 kinds; households of up to 3 persons, one of them added: (1 + 5 + 15 + 35) * 5, for three thresholds
        ("phsafe.stability.truncate-and-join", 3 * 56 * 5),
        ("phsafe.stability.truncate-and-join.sharp", 3 * 56 * 5),
        *((f"phsafe.privacy.{one}", None) for one in ("join", "units", "join.bounded", "units.bounded")),
    ],
)
def test_what_the_authors_prove_holds_for_units_that_follow(claim_id, cases, checked):
    record = checked(claim_id)
    assert record.verdict is Verdict.EXHAUSTED
    assert cases is None or f"{cases} cases" in record.detail
    for mutant in record.mutants:
        assert mutant.evidence.verdict is Verdict.REFUTED
        assert replay(mutant.evidence.witness)

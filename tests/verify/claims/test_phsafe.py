import pytest

from stirred.verify.certificates.replay import replay
from stirred.verify.claims.phsafe.table_10 import TABLE_10
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claims


@pytest.mark.parametrize(
    ("claim_id", "verdict", "cases"),
    [
        # 5 kinds; households of up to 3 persons, one of them added: (1 + 5 + 15 + 35) * 5, for three thresholds
        ("phsafe.stability.truncate-and-join", Verdict.PROVED, 3 * 56 * 5),
        ("phsafe.stability.truncate-and-join.sharp", Verdict.PROVED, 3 * 56 * 5),
        *((f"phsafe.privacy.{one}", Verdict.PROVED, None) for one in ("join", "units")),
        *((f"phsafe.privacy.{one}.bounded", Verdict.EXHAUSTED, None) for one in ("join", "units")),
    ],
)
def test_what_the_authors_prove_holds_for_units_that_follow(claim_id, verdict, cases, checked):
    record = checked(claim_id)
    assert record.verdict is verdict
    (exhausted,) = (one for one in record.supporting if one.verdict is Verdict.EXHAUSTED)
    assert cases is None or f"{cases} cases" in exhausted.detail
    for mutant in record.mutants:
        assert mutant.evidence.verdict is Verdict.REFUTED
        assert replay(mutant.evidence.witness)


@pytest.mark.parametrize(
    ("claim_id", "grade"),
    [
        # 1.645 is rounded to 1.64, and a floor stands where 90% needs the next integer
        ("phsafe.margin.floor", "false"),
        ("phsafe.margin.calibration", "misprint"),
        ("phsafe.table-10.formula", "misprint"),
        ("phsafe.basis.ages", "misprint"),
        ("phsafe.gaussian.printed", "incomplete"),
        ("phsafe.privacy.join.one-row", "incomplete"),
        ("phsafe.privacy.units.distance", "incomplete"),
    ],
)
def test_what_does_not_hold_as_printed_is_refuted_and_replays(claim_id, grade, checked):
    record = checked(claim_id)
    assert (record.verdict, record.claim.grade.word) == (Verdict.REFUTED, grade)
    assert replay(record.witness)


def test_no_other_printed_statement_of_phsafe_is_refuted(checked):
    ours = [one.id for one in claims() if one.id.startswith("phsafe.") and one.grade is None and one.checks]
    sources = {one: checked(one) for one in ours}
    assert len(sources) > 60
    assert [one for one, record in sources.items() if record.verdict is Verdict.REFUTED] == []
    assert [one for one, record in sources.items() if record.verdict.is_settled_for and not record.mutants] == []


def test_table_10_has_46_rows_and_every_run_its_levels():
    assert len(TABLE_10) == 46
    assert {row.table for row in TABLE_10 if row.tau is None} == {"PH1_denom", "PH5_denom", "PH8_denom"}
    assert [row.target for row in TABLE_10 if row.level == "state_A-G"] == [68, 68, 20, 68, 68, 68, 68]

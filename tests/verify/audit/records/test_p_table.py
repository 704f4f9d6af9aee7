"""The audit of a p-table, as `stirred audit` prints it."""

from pathlib import Path

import pytest

from stirred.verify.audit.records.record_audit import audit_record, read_record
from stirred.verify.cli import main as cli
from stirred.verify.evidence.verdict import Verdict

FIXTURES = Path(__file__).parent / "fixtures"


def findings(record, question):
    return [(a.evidence.verdict, a.evidence.detail) for a in record.answers if a.question == question]


def test_what_one_count_needs_is_decided_and_no_budget_is_stated():
    record = audit_record(read_record(FIXTURES / "town_ptable.csv"))
    assert record.verdict is Verdict.OPEN
    (verdict, zeros), (_, populated) = findings(record, "budget")
    assert verdict is Verdict.DECIDED
    assert zeros == "one count needs delta = 161/256 ≈ 0.628906 at every epsilon, from counts 0 and 1"  # 1 - 95/256
    assert populated.startswith("if which cells are populated is invariant: delta ≈ 0.457031 at epsilon = 0")
    ((_, order),) = findings(record, "order")
    assert "need delta ≈ 0.360360 at epsilon = 1 and = 20107/65536 ≈ 0.306808 however large epsilon is; the" in order


def test_a_table_without_noise_meets_no_budget(tmp_path):
    path = tmp_path / "rule.csv"
    change = lambda count: -count if count < 10 else (0, -1, -2, 2, 1)[count % 5]
    path.write_text("pcv,ckey,pvalue\n" + "".join(f"{n},{k},{change(n)}\n" for n in range(1, 751) for k in (0, 1)))
    record = audit_record(read_record(path))
    ((verdict, detail),) = findings(record, "budget")
    assert verdict is Verdict.OPEN
    assert detail.startswith("no budget with delta below 1 is met: delta = 1 at every epsilon, from counts 9 and 10")


@pytest.mark.parametrize(("content", "status"), [(None, 3), ("i,v,p_int_ub\n1,0,0.5\n", 2)])
def test_the_command_knows_a_p_table_by_its_columns(tmp_path, capsys, content, status):
    path = tmp_path / "p.csv"
    path.write_text(content or (FIXTURES / "town_ptable.csv").read_text())
    assert cli.main(["audit", str(path)]) == status
    out, err = capsys.readouterr()
    assert ("p.budget: DECIDED: one count needs" in out) == (status == 3)
    assert err.count("\n") == (status == 2)


def test_which_row_a_count_has_is_said(tmp_path):
    path = tmp_path / "p.pert"
    path.write_text("0,1,0,1,0,1,0,1,0,1,0,1\n" * 2)
    ((_, detail),) = findings(audit_record(read_record(path)), "read")
    assert detail == "2 keys; rows of the counts 0 to 2, and in turn rows 3 to 12: 6 for the count 3"  # 12 + 1 - 10 + 3
    ((_, detail),) = findings(audit_record(read_record(FIXTURES / "town_ptable.csv")), "read")
    assert detail.endswith("rows of the counts 0 to 2, and that of 2 again for larger counts")

"""An id is printed only where the ledger, or the audit of a claim file, gives this witness under it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from claim_texts import SOUND, replaced
from started import ALONE

from stirred.verify import cli
from stirred.verify.certificates.replay import main

ROOT = Path(__file__).parents[3]
FALSE = {"kind": "formula", "claimed": "1 == 2", "values": {}}
EXCEEDED = replaced(SOUND, ("gamma = 4", 'epsilon = "0.1"'))
STATEMENT = "Swapping three households."


def replayed(tmp_path, capsys, content, *claims):
    file = tmp_path / "w.json"
    file.write_text(json.dumps(content))
    capsys.readouterr()
    status = cli.main(["replay", str(file), *(part for claim in claims for part in ("--claim", str(claim)))])
    out, err = capsys.readouterr()
    return status, out, err.removeprefix(f"{file}: ")


@pytest.fixture
def claim(tmp_path):
    file = tmp_path / "claim.toml"
    file.write_text(EXCEEDED)
    return file


@pytest.fixture
def record(claim, tmp_path, capsys):
    target = tmp_path / "witness.json"
    assert cli.main(["audit", str(claim), "--witness", str(target)]) == 1
    (found,) = json.loads(target.read_text())
    return found


class TestLedger:
    def test_a_foreign_witness_under_a_proved_claim_is_refused(self, tmp_path, capsys):
        status, out, err = replayed(tmp_path, capsys, {"id": "psa.exact.all-rates", "witness": FALSE})
        assert (status, out, err) == (2, "", "psa.exact.all-rates: the ledger does not refute it\n")

    def test_a_foreign_witness_under_a_refuted_claim_is_refused(self, tmp_path, capsys):
        cli.main(["verify", "psa.swap-probability.printed", "--json"])
        (own,) = json.loads(capsys.readouterr().out)
        assert replayed(tmp_path, capsys, own)[1].startswith("psa.swap-probability.printed: REFUTED: ")
        for change, word in (({"witness": FALSE}, "witness"), ({"statement": "Another one."}, "statement")):
            status, out, err = replayed(tmp_path, capsys, {**own, **change})
            assert (status, out) == (2, "")
            assert err == f"psa.swap-probability.printed: its {word} must be that of the ledger\n"
        del own["statement"]
        assert replayed(tmp_path, capsys, own)[0] == 2

    @pytest.mark.parametrize("name", ["own.claim", "psa.exact.all-rates ", 3, None, ["psa.exact.all-rates"]])
    def test_an_id_that_is_not_the_ledgers_is_not_repeated(self, tmp_path, capsys, name):
        status, out, _ = replayed(tmp_path, capsys, {"id": name, "statement": "s", "witness": FALSE})
        assert (status, out) == (1, "witness 0: REFUTED: false: 1 == 2 (left 1, right 2)\n1 replayed\n")

    def test_nothing_is_printed_where_a_later_witness_is_refused(self, tmp_path, capsys):
        status, out, err = replayed(tmp_path, capsys, [FALSE, {"id": "psa.exact.all-rates", "witness": FALSE}])
        assert (status, out, err.count("\n")) == (2, "", 1)

    def test_a_key_that_stands_twice_is_refused(self, tmp_path, capsys):
        file = tmp_path / "w.json"
        file.write_text('{"kind": "formula", "claimed": "1 <= 2", "claimed": "1 == 2", "values": {}}')
        assert main([str(file)]) == 2
        assert "'claimed' stands twice" in capsys.readouterr().err

    def test_it_is_known_to_the_standard_library_alone(self, tmp_path):
        file = tmp_path / "w.json"
        file.write_text(json.dumps({"id": "psa.exact.all-rates", "witness": FALSE}))
        command = [sys.executable, "-S", "-m", "stirred.verify.certificates.replay", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=ALONE)
        assert (done.returncode, done.stderr) == (2, f"{file}: psa.exact.all-rates: the ledger does not refute it\n")


class TestClaim:
    def test_without_the_file_the_inequality_is_named_and_no_claim(self, record, tmp_path, capsys):
        status, out, _ = replayed(tmp_path, capsys, record)
        assert status == 1
        assert out.startswith("witness 0: REFUTED: P_x(E) = ")
        assert "d = 2 by hamming_unordered, epsilon = 1/10" in out
        assert "swap.small" not in out

    def test_with_the_file_the_claim_is_named(self, record, claim, tmp_path, capsys):
        assert replayed(tmp_path, capsys, record, claim)[1].startswith("swap.small.budget: REFUTED: ")
        assert replayed(tmp_path, capsys, record["witness"], claim)[1].startswith("swap.small: REFUTED: ")

    def test_the_audits_json_is_bound_with_its_statement(self, claim, tmp_path, capsys):
        cli.main(["audit", str(claim), "--json"])
        (whole,) = json.loads(capsys.readouterr().out)
        assert replayed(tmp_path, capsys, whole, claim)[1].startswith("swap.small: REFUTED: ")
        status, out, err = replayed(tmp_path, capsys, {**whole, "statement": "Another one."}, claim)
        assert (status, out) == (2, "")
        assert err.startswith("swap.small: its statement must be that of the audit of ")

    @pytest.mark.parametrize(
        "change",
        [
            ('epsilon = "0.1"', 'epsilon = "0.11"', "another claim.budget.epsilon"),
            ('"household"', '"person"', "another claim.input_premetric.resolution"),
            ("three households", "3 households", "its statement must be|another claim.statement"),
            ('swap_rate = "1/2"', 'swap_rate = "1/3"', "another .*law"),
            ("rows = [2, 1]", "rows = [1, 2]", "another event, .*x"),
            ('id = "swap.small"', 'id = "swap.other"', "its id must be one of"),
            ('epsilon = "0.1"', "gamma = 4", "does not refute it"),
        ],
    )
    def test_the_witness_of_another_claim_is_refused(self, record, claim, capsys, change):
        old, new, message = change
        claim.write_text(replaced(EXCEEDED, (old, new)))
        status, out, err = replayed(claim.parent, capsys, record, claim)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert re.search(message, err)

    def test_what_is_recomputed_is_not_stated_beside_it(self, record):
        assert not {"distance", "gamma", "gamma_root", "delta"} & set(record["witness"])
        assert record["witness"]["claim"]["budget"] == {"epsilon": "1/10"}
        assert record["witness"]["claim"]["statement"] == STATEMENT

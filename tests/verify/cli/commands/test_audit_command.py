"""`stirred audit`: the order and form of its lines, exit statuses, the file of witnesses, and the published claims.

`stirred audit` of folders and of several files: all that is in them is audited, and nothing hides another result.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import textwrap
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SOUND, audited, replaced

from stirred.spec import InputError, Loss, psa_budget
from stirred.verify.audit.audit import AuditRecord, audit
from stirred.verify.cli.commands import audit as audit_command
from stirred.verify.cli.commands.audit import PUBLISHED
from stirred.verify.cli.commands.audited_files import expanded
from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.replay import main as replay_main
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims


def command(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    audit_command.add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["audit", *arguments])
    status: int = parsed.run(parsed)
    return status


def published() -> dict[str, AuditRecord]:
    claims = read_claims(sorted(PUBLISHED.glob("*.toml")))
    return {claim.id: audit(build_claim(claim)) for claim in claims}


class TestOrderAndForm:
    def test_the_answers_come_in_the_auditors_order(self, tmp_path: Path) -> None:
        record = audited(tmp_path, SOUND)
        expected = ["complete", "vacuity", "numbers", "mechanism", "budget", "outside", "words"]
        assert list(dict.fromkeys(a.question for a in record.answers)) == expected

    def test_a_line_has_id_verdict_sentence_and_scope(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command(str(CLAIMS / "coin.toml")) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == (
            "survey.coin.complete: EXHAUSTED: all five blocks are stated [the five blocks of the claim]"
        )
        assert lines[-4].startswith("survey.coin: EXHAUSTED: (Warner (1965)) claimed epsilon = ln(3) ≥ required")
        assert lines[-3].startswith(
            "    audited: randomized-response with flip_probability = 1/4 satisfies gamma = 3 in "
        )
        assert lines[-2].startswith("    words: the claimant's words, not checked: ")
        assert lines[-1] == "1 claim: 1 hold, 0 refuted, 0 undecided"

    @pytest.mark.parametrize("path", sorted(CLAIMS.glob("*.toml")), ids=lambda path: path.stem)
    def test_no_part_of_a_line_is_empty(self, capsys: pytest.CaptureFixture[str], path: Path) -> None:
        command(str(path))
        lines = capsys.readouterr().out.splitlines()
        assert [line for line in lines if re.search(r"; ?[\];]|\[\]$|: ;", line)] == []

    def test_a_witness_stands_under_its_refutation(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command(str(CLAIMS / "geometric.toml")) == 1
        lines = capsys.readouterr().out.splitlines()
        place = next(
            i for i, line in enumerate(lines) if line.startswith("geometric.a-tenth.budget: REFUTED: claimed ")
        )
        assert lines[place + 1].startswith("    witness: P_x(E) = ")

    def test_json_has_one_record_for_each_claim_with_its_findings(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command(str(CLAIMS / "swapping.toml"), "--json") == 1
        first, second = json.loads(capsys.readouterr().out)
        assert (first["id"], first["verdict"]) == ("swap.theorem", "EXHAUSTED")
        assert (second["id"], second["verdict"]) == ("swap.exceeded", "REFUTED")
        for record in (first, second):
            assert {"id", "source", "statement", "verdict", "scope", "findings"} <= set(record)
            assert [f["id"].removeprefix(record["id"]) for f in record["findings"]][:2] == [".complete", ".vacuity"]
        assert first["witness"] is None
        replay(second["witness"])

    def test_the_output_promises_nothing_it_has_not_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        command("--full")
        command(*map(str, sorted(CLAIMS.glob("*.toml"))))
        words = set(capsys.readouterr().out.lower().replace(".", " ").split())
        assert not words & {"safe", "private", "secure"}


class TestExitStatus:
    @pytest.mark.parametrize(
        ("text", "status"),
        [
            (SOUND, 0),
            (replaced(SOUND, ("gamma = 4", 'gamma = "101/100"')), 1),
            (replaced(SOUND, ("gamma = 4", 'description = "small"')), 3),
            (replaced(SOUND, ('invariants = ["swapping"]', 'description = "margins"')), 3),
        ],
    )
    def test_the_status_says_what_was_found(self, text: str, status: int, tmp_path: Path) -> None:
        file = tmp_path / "claim.toml"
        file.write_text(text, encoding="utf-8")
        assert command(str(file)) == status

    def test_a_malformed_claim_is_named_and_the_others_are_audited(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        bad = tmp_path / "bad.toml"
        bad.write_text(replaced(SOUND, ("swap.small", "swap.bad"), ('"1/2"', '"2"')), encoding="utf-8")
        assert command(str(CLAIMS / "coin.toml"), str(bad)) == 2
        output = capsys.readouterr()
        assert output.out.endswith("1 claim: 1 hold, 0 refuted, 0 undecided, 1 not audited\n")
        assert output.err == f"stirred: {bad}: mechanism.swap_rate must be between 0 and 1; got 2\n"

    def test_limits_must_be_positive(self) -> None:
        with pytest.raises(InputError, match="--seconds must be at least 1; got 0"):
            command("--seconds", "0")


class TestWitnessFile:
    def test_it_holds_every_counterexample_and_replays(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        target = tmp_path / "w.json"
        assert command(str(CLAIMS / "geometric.toml"), str(CLAIMS / "swapping.toml"), "--witness", str(target)) == 1
        assert [item["id"] for item in json.loads(target.read_text())] == [
            "geometric.a-tenth.budget",
            "swap.exceeded.budget",
        ]
        capsys.readouterr()
        assert replay_main([str(target)]) == 1
        assert capsys.readouterr().out.endswith("2 replayed\n")
        assert list(tmp_path.iterdir()) == [target]

    def test_the_json_output_replays_too(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command(str(CLAIMS / "coin.toml"), str(CLAIMS / "geometric.toml"), "--json")
        target = tmp_path / "audit.json"
        target.write_text(capsys.readouterr().out, encoding="utf-8")
        assert replay_main([str(target)]) == 1
        assert capsys.readouterr().out.startswith("witness 1: REFUTED: P_x(E) = ")

    def test_it_is_not_written_where_nothing_is_refuted(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        target = tmp_path / "w.json"
        assert command(str(CLAIMS / "coin.toml"), "--witness", str(target)) == 0
        assert not target.exists()
        assert capsys.readouterr().err == f"{target}: not written: nothing is refuted\n"

    def test_a_place_that_cannot_be_written_is_refused_before_anything_is_printed(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(InputError, match="cannot be written: No such file or directory"):
            command(str(CLAIMS / "geometric.toml"), "--witness", str(tmp_path / "absent" / "w.json"))
        assert capsys.readouterr().out == ""


PRINTED_WRONG = {
    "psa-2020.largest-strata": "printed 13.47 million, recomputed 13.48 million",
}


class TestPublished:
    def test_what_is_printed_wrong_is_refuted_with_both_values_and_nothing_else_is(self) -> None:
        records = published()
        assert {name for name, record in records.items() if record.verdict is Verdict.REFUTED} == set(PRINTED_WRONG)
        for name, words in PRINTED_WRONG.items():
            refuted = [a.evidence for a in records[name].answers if a.evidence.verdict is Verdict.REFUTED]
            assert len(refuted) == 1
            assert words in refuted[0].detail
            assert refuted[0].witness is not None
            replay(refuted[0].witness)

    def test_the_budgets_of_swapping_are_those_of_the_formula(self) -> None:
        records = published()
        agreeing = [
            a.evidence.detail
            for name in records
            if name.startswith(("massachusetts", "das-2010", "psa-2020"))
            for a in records[name].answers
            if a.question == "numbers" and a.evidence.detail.startswith("epsilon at b")
        ]
        assert len(agreeing) == 4 + 2 + 12

    def test_every_printed_number_fails_when_its_last_digit_changes(self, tmp_path: Path) -> None:
        changed = 0
        for path in sorted(PUBLISHED.glob("*.toml")):
            text = path.read_text(encoding="utf-8")
            for line in text.splitlines():
                if line.startswith(('printed = "', 'printed = ["', "converted = ", 'total = "')):
                    changed += self._mutants_refuted(tmp_path, text, line)
        # Table 5, the other ε of swapping, conversions, listed numbers, totals of accounts, PHSafe's Table 10
        assert changed == 12 + 6 + 2 + 18 + 2 + 46

    @staticmethod
    def _mutants_refuted(tmp_path: Path, text: str, line: str) -> int:
        """How many numbers of a line change what is refuted when five is added to their last digit: all must."""
        file, count = tmp_path / "mutant.toml", 0
        for number in line.split('"')[1::2]:
            digits = number.removesuffix(" million").removesuffix("%")
            if not digits[-1:].isdigit() or digits.startswith("1e-"):
                continue
            last = int(digits[-1])
            mutant = digits[:-1] + str((last + 5) % 10) + number[len(digits) :]
            file.write_text(text.replace(line, line.replace(f'"{number}"', f'"{mutant}"', 1), 1), encoding="utf-8")
            before = TestPublished._refuted_numbers(text, tmp_path)
            after = TestPublished._refuted_numbers(file.read_text(encoding="utf-8"), tmp_path)
            assert after != before, f"{line}: {mutant}"
            count += 1
        return count

    @staticmethod
    @cache
    def _refuted_numbers(text: str, tmp_path: Path) -> list[str]:
        file = tmp_path / "read.toml"
        file.write_text(text, encoding="utf-8")
        records = [audit(build_claim(claim)) for claim in read_claims([file])]
        return [
            a.evidence.detail
            for record in records
            for a in record.answers
            if a.question == "numbers" and a.evidence.verdict is Verdict.REFUTED
        ]

    @pytest.mark.parametrize(("b", "p", "epsilon"), [(10, Fraction("0.354"), 3), (10, Fraction("0.953"), 3)])
    def test_the_formulas_of_section_3_6_are_those_of_the_budget(self, b: int, p: Fraction, epsilon: int) -> None:
        # At the rates that round to three digits the budget is 3 to within 1/100.
        enclosure = psa_budget(b, p).epsilon()
        assert abs(enclosure.lower - epsilon) < Fraction(1, 100)

    def test_the_smallest_budget_is_where_the_two_branches_meet(self) -> None:
        # At p just below and above √(b+1)/(√(b+1)+1) the budget exceeds ln(b+1)/2: for b = 8 the rate is 3/4, exactly.
        at = psa_budget(8, Fraction(3, 4))
        assert at == Loss(9, 2)
        assert psa_budget(8, Fraction(74, 100)) > at
        assert psa_budget(8, Fraction(76, 100)) > at

    def test_they_are_recomputed_in_two_seconds_without_the_slow_engines(self) -> None:
        text = (
            "import argparse, sys\nfrom stirred.verify.cli.commands import audit as audit_command\n"
            "p = argparse.ArgumentParser(); audit_command.add_parser(p.add_subparsers())\n"
            "a = p.parse_args(['audit']); status = a.run(a)\n"
            "sys.exit(status + 10 * bool({'sympy', 'z3', 'numpy'} & set(sys.modules)))"
        )
        before = os.times()
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
        after = os.times()
        spent = after.children_user - before.children_user + after.children_system - before.children_system
        assert spent < 2  # processor time, so that a busy machine does not decide
        assert (done.returncode, done.stderr) == (1, "")
        assert done.stdout.splitlines()[-1].startswith("26 claims: ")


def test_the_claim_file_in_the_help_text_holds(tmp_path: Path) -> None:
    lines = audit_command._EPILOG.splitlines()
    example = "\n".join(line for line in lines[1 : lines.index('  flip_probability = "1/4"') + 1])
    assert audited(tmp_path, textwrap.dedent(example)).verdict is Verdict.EXHAUSTED


CLAIM = """\
id = "{name}"
statement = "A coin satisfies epsilon = ln 3."
domain = {{ schema = {{ answer = [0, 1] }}, records = 1, order = "ordered" }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "hamming_ordered", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ gamma = 3 }}
mechanism = {{ name = "randomized-response", flip_probability = "1/4" }}
"""

RECORD = "url_slug: {name}\ndeployment:\n  basic: {{name: A}}\n"
SHARES = "[budget]\ngeolevel_budget_prop = 1/2, 1/2\n"
SAFETAB = '{"privacy_budget_p_level_1_usa": 1, "privacy_defn": "zcdp"}'


@pytest.fixture
def folder(tmp_path):
    """Two claims, three records, a folder with one more, and files of other kinds."""
    texts = {
        "coin.toml": CLAIM.format(name="coin"),
        "pyproject.toml": "[project]\nname = 'x'\n",
        "record.yaml": RECORD.format(name="record"),
        "schema.yaml": "type: object\n",
        "shares.ini": SHARES,
        "safetab.json": SAFETAB,
        "package.json": "{}",
        "notes.txt": "deployment:\n",
        ".hidden.yaml": "deployment:\n",
        "sub/more.yml": RECORD.format(name="more"),
        ".git/x.yaml": "deployment:\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def audit_of(capsys, *files):
    status = main(["audit", *map(str, files)])
    out, err = capsys.readouterr()
    names = [line.split(": ")[0] for line in out.splitlines() if not line.startswith(" ")]
    return (
        status,
        {name for name in names if "." not in name and "claim" not in name and "witness" not in name},
        out,
        err,
    )


def test_a_folder_is_audited_with_the_folders_in_it(capsys, folder):
    status, names, out, err = audit_of(capsys, folder)
    assert names == {"coin", "record", "shares", "safetab", "more"}
    assert status == 1
    assert out.endswith("5 claims: 1 hold, 1 refuted, 3 undecided\n")
    others = ", ".join(str(folder / name) for name in ("package.json", "pyproject.toml", "schema.yaml"))
    assert err == f"not audited: {folder}: no claim files or records: {others}\n"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("bad.yaml", "url_slug: [", "invalid YAML"),
        ("bad.yaml", "deployment: {}\n", "url_slug: missing key"),
        ("bad.toml", 'id = "x"\nbudget = [', "invalid TOML"),
        ("bad.ini", "[budget]\ngeolevel_budget_prop = half\n", "must be an exact number"),
        ("bad.json", '{"privacy_budget": 1', "invalid JSON"),
        ("bad.yaml", b"deployment: \xff", "must be UTF-8"),
        ("bad.yaml", RECORD.format(name="record"), "the name 'record' is used twice"),
        ("bad.toml", CLAIM.format(name="coin"), "the name 'coin' is used twice"),
    ],
)
def test_one_bad_file_of_a_folder_hides_no_other_result(capsys, folder, name, text, words):
    _, before, good, _ = audit_of(capsys, folder)
    (folder / "z").mkdir()
    (folder / "z" / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    status, names, out, err = audit_of(capsys, folder)
    assert (status, names) == (2, before)
    assert out == good[:-1] + ", 1 not audited\n"
    assert f"stirred: {folder / 'z' / name}: " in err
    assert words in err


def test_a_file_that_is_named_beside_its_folder_is_audited_once(folder):
    assert len(expanded([str(folder / "coin.toml"), str(folder), str(folder / "sub")], [])) == 5


def test_a_folder_without_claims_is_refused(capsys, tmp_path):
    (tmp_path / "a.yaml").write_text("x: 1", encoding="utf-8")
    assert main(["audit", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (f"stirred: {tmp_path}: must have 1 to 1000 claim files and records; it has 0\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_refused(tmp_path):
    tmp_path.chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        expanded([str(tmp_path)], [])
    tmp_path.chmod(0o700)


def test_what_an_audit_of_a_folder_reads_is_not_overwritten(capsys, folder):
    assert main(["audit", str(folder), "--html", str(folder / "coin.toml")]) == 2
    assert "must not be a file that is audited" in capsys.readouterr().err

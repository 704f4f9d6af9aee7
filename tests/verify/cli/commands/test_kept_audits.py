"""--format of audit, verify and compare; and `stirred audit --against`: a record that is not the one that was kept.

`stirred audit --sampled`: verdicts, formats, what is kept, and what is refused. The line that says how far a long run
is: on a terminal only, with records per second and the time that is left.
"""

import io
import json
import time
from xml.etree import ElementTree

import pytest
from claim_texts import SOUND, replaced

from stirred.verify.cli.commands.progress import ProgressLine
from stirred.verify.cli.main import main
from stirred.verify.ledger.book import entry

CHEAP = "psa.swap-probability.printed"


@pytest.fixture
def claims(tmp_path):
    """Two claims in one file, the second one refuted, its budget on line 13."""
    first, second = tmp_path / "held.toml", tmp_path / "refuted.toml"
    first.write_text(SOUND)
    second.write_text(replaced(SOUND, ("swap.small", "swap.exceeded"), ("gamma = 4", 'gamma = "101/100"')))
    return str(first), str(second)


def run(capsys, *arguments):
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


class TestFormats:
    def test_an_annotation_names_the_line_of_the_key(self, capsys, claims):
        status, out, _ = run(capsys, "audit", *claims, "--format", "github")
        assert status == 1
        (line, counts) = out.splitlines()
        assert line.startswith("::error file=refuted.toml,line=13,title=FAIL swap.exceeded.budget::REFUTED: claimed ")
        assert SOUND.splitlines()[13 - 1] == "gamma = 4"
        assert counts == "2 claims: 1 hold, 1 refuted, 0 undecided"

    def test_a_claim_of_several_in_a_file_is_found_at_its_own_key(self, capsys, tmp_path):
        whole = "".join(f"[[claim]]\n{text}" for text in (SOUND, replaced(SOUND, ("swap.small", "b"), ("= 4", "= 1"))))
        file = tmp_path / "both.toml"
        nested = "\n".join(
            f"[claim.{line[1:]}" if line.startswith("[") and "claim" not in line else line
            for line in whole.splitlines()
        )
        file.write_text(nested)
        _, out, _ = run(capsys, "audit", str(file), "--format", "sarif")
        (result,) = json.loads(out)["runs"][0]["results"]
        line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        assert nested.splitlines()[line - 1] == "gamma = 1"

    def test_a_printed_number_is_found_at_its_own_entry(self, capsys, tmp_path):
        entry = '[[numbers]]\nwhat = "{}"\nprinted = "{}"\nformula = "1/2"\n'
        text = 'id = "n"\nstatement = "numbers"\n' + entry.format("first", "0.5") + entry.format("second", "0.6")
        (tmp_path / "n.toml").write_text(text)
        _, out, _ = run(capsys, "audit", str(tmp_path / "n.toml"), "--format", "sarif")
        (result,) = json.loads(out)["runs"][0]["results"]
        line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        assert text.splitlines()[line - 1 : line + 1] == ["[[numbers]]", 'what = "second"']

    def test_a_record_that_cannot_be_read_is_in_every_format_that_would_hide_it(self, capsys, claims, tmp_path):
        bad, page = tmp_path / "bad.yaml", tmp_path / "page.html"
        bad.write_text("a: [")
        files = (claims[0], str(bad))
        status, out, err = run(capsys, "audit", *files, "--html", str(page))
        assert status == 2
        assert out.endswith("1 claim: 1 hold, 0 refuted, 0 undecided, 1 not audited\n")
        assert "Not audited" in page.read_text()
        assert "<p>bad.yaml: " in page.read_text()
        assert err.startswith(f"stirred: {bad}: ")
        suites = ElementTree.fromstring(run(capsys, "audit", *files, "--format", "junit")[1])  # noqa: S314
        assert (suites.get("failures"), suites.get("errors")) == ("0", "1")
        assert "::error title=not audited::bad.yaml: " in run(capsys, "audit", *files, "--format", "github")[1]
        (one,) = json.loads(run(capsys, "audit", *files, "--format", "sarif")[1])["runs"]
        assert one["invocations"][0]["executionSuccessful"] is False

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (("[domain]", "[domain"), "invalid TOML"),
            (('"multiplicative"', '"multiplied"'), "multiplied"),
            (('name = "permutation-swapping"\nswap_rate = "1/2"', 'function = "absent:f"'), "absent"),
            (('name = "permutation-swapping"\nswap_rate = "1/2"', 'function = "leaky:f"'), "random.random is refused"),
        ],
    )
    def test_a_claim_that_cannot_be_audited_hides_no_other_result(self, capsys, claims, tmp_path, change, message):
        (tmp_path / "leaky.py").write_text("import random\ndef f(x, source):\n    return random.random() < 1\n")
        bad = tmp_path / "bad.toml"
        bad.write_text(replaced(SOUND, ("swap.small", "swap.bad"), change))
        status, out, err = run(capsys, "audit", str(bad), claims[0])
        assert status == 2
        assert out.endswith("1 claim: 1 hold, 0 refuted, 0 undecided, 1 not audited\n")
        assert err.startswith(f"stirred: {bad}: ")
        assert message in err
        assert err.count("\n") == 1
        assert run(capsys, "audit", str(bad)) == (2, "", err)

    def test_the_exit_status_is_that_of_the_findings_in_every_format(self, capsys, claims):
        for name in ("text", "json", "github", "junit", "sarif", "html"):
            assert run(capsys, "audit", claims[0], "--format", name)[0] == 0
            assert run(capsys, "audit", *claims, "--format", name)[0] == 1

    def test_an_undecided_claim_is_no_green_suite(self, capsys, tmp_path):
        file = tmp_path / "open.toml"
        file.write_text(replaced(SOUND, ("gamma = 4", 'description = "small"')))
        status, out, _ = run(capsys, "audit", str(file), "--format", "junit")
        assert status == 3
        suites = ElementTree.fromstring(out)  # noqa: S314 what this program wrote
        assert (suites.get("failures"), suites.get("errors")) == ("0", "2")
        assert run(capsys, "audit", str(file), "--format", "github")[1].count("::warning ") == 2

    def test_a_file_outside_the_folder_goes_by_its_name_and_one_inside_by_its_path_from_it(
        self, capsys, claims, tmp_path, monkeypatch
    ):
        for folder, uri in ((tmp_path, "refuted.toml"), (tmp_path.parent, f"{tmp_path.name}/refuted.toml")):
            monkeypatch.chdir(folder)
            _, out, _ = run(capsys, "audit", claims[1], "--format", "sarif")
            (result,) = json.loads(out)["runs"][0]["results"]
            assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
        (tmp_path / "inside").mkdir()
        monkeypatch.chdir(tmp_path / "inside")
        _, out, _ = run(capsys, "audit", claims[1], "--format", "sarif")
        (result,) = json.loads(out)["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "refuted.toml"

    def test_the_ledger_has_them_too(self, capsys):
        status, out, _ = run(capsys, "verify", CHEAP, "--format", "github")
        assert status == 1
        assert out.startswith(
            f"::error file={entry(CHEAP).file},line={entry(CHEAP).line},title=FAIL {CHEAP}::REFUTED: "
        )
        assert ElementTree.fromstring(run(capsys, "verify", CHEAP, "--format", "junit")[1]).get("failures") == "1"  # noqa: S314
        assert run(capsys, "verify", CHEAP, "--json")[1].startswith("[\n {\n")
        assert run(capsys, "verify", CHEAP, "--list", "--format", "html")[0] == 2

    def test_text_of_the_ledger_is_that_of_a_pipe(self, capsys):
        assert run(capsys, "verify", CHEAP, "--format", "text") == run(capsys, "verify", CHEAP)


class TestKeptAudits:
    def kept(self, capsys, tmp_path, *claims):
        file = tmp_path / "kept.json"
        file.write_text(run(capsys, "audit", *claims, "--json")[1])
        return file

    def test_the_same_records_are_no_change_whatever_they_say(self, capsys, tmp_path, claims):
        kept = self.kept(capsys, tmp_path, *claims)
        status, out, err = run(capsys, "audit", *claims[::-1], "--against", str(kept))
        assert (status, err) == (0, "")
        assert out.endswith("2 claims: 1 hold, 1 refuted, 0 undecided\n")

    def test_another_verdict_is_a_change_and_named(self, capsys, tmp_path, claims):
        kept = self.kept(capsys, tmp_path, *claims)
        file = tmp_path / "held.toml"
        file.write_text(replaced(SOUND, ("gamma = 4", 'gamma = "11/10"')))
        status, _, err = run(capsys, "audit", *claims, "--against", str(kept))
        assert status == 1
        assert err.splitlines()[0] == "swap.small: verdict: was EXHAUSTED, is REFUTED"

    def test_a_record_that_is_missing_is_a_change(self, capsys, tmp_path, claims):
        kept = self.kept(capsys, tmp_path, *claims)
        assert run(capsys, "audit", claims[0], "--against", str(kept))[2] == "swap.exceeded: was REFUTED, is absent\n"
        kept = self.kept(capsys, tmp_path, claims[0])
        assert run(capsys, "audit", *claims, "--against", str(kept))[2] == "swap.exceeded: was absent, is REFUTED\n"

    @pytest.mark.parametrize("content", ["{}", "[]", "[1]", '[{"id": "a"}]', "x"])
    def test_what_no_audit_wrote_is_refused_before_anything_runs(self, capsys, tmp_path, claims, content):
        file = tmp_path / "kept.json"
        file.write_text(content)
        status, out, err = run(capsys, "audit", *claims, "--against", str(file))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"stirred: {file}: must be the output of stirred audit --json")

    def test_the_kept_file_is_not_written_over(self, capsys, tmp_path, claims):
        kept = self.kept(capsys, tmp_path, *claims)
        status, _, err = run(capsys, "audit", *claims, "--against", str(kept), "--html", str(kept))
        assert (status, err) == (2, f"stirred: --html must not be a file that is audited; got {kept}\n")


def test_two_outputs_in_one_file_are_refused(capsys, tmp_path, claims):
    both = str(tmp_path / "both")
    status, _, err = run(capsys, "audit", *claims, "--html", both, "--witness", both)
    assert (status, err) == (2, f"stirred: --html must not be the file of --witness; got {both}\n")


CLAIM = """\
id = "coins.answer"
statement = "The answer satisfies epsilon = 1 for each person."
domain = {{ data_sets = [0, 1] }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "absolute_difference", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ epsilon = "1" }}
mechanism = {{ function = "coins:answer", parameters = {{ flip = "{flip}" }} }}
"""

CODE = "def answer(data, rng, *, flip):\n    return data ^ int(rng.random() < flip)\n"


@pytest.fixture
def claim(tmp_path):
    (tmp_path / "coins.py").write_text(CODE)

    def written(flip):
        file = tmp_path / "claim.toml"
        file.write_text(CLAIM.format(flip=flip))
        return str(file)

    return written


def test_the_exit_status_and_the_record_are_those_of_an_audit(claim, capsys):
    assert main(["audit", claim("1/10"), "--sampled", "--seed", "1", "--json"]) == 1
    (record,) = json.loads(capsys.readouterr().out)
    assert record["verdict"] == "REFUTED"
    assert record["witness"]["sampled"]["confidence"] == "0.999999"
    assert main(["audit", claim("1/2"), "--sampled", "--seed", "1", "--draws", "500", "--confidence", "0.99"]) == 3
    shown = capsys.readouterr().out
    assert "not refuted with 500 draws" in shown
    assert "confidence 0.99," in shown


def test_a_witness_is_kept_and_replays(claim, tmp_path, capsys):
    kept = str(tmp_path / "witness.json")
    assert main(["audit", claim("1/10"), "--sampled", "--seed", "1", "--witness", kept]) == 1
    capsys.readouterr()
    assert main(["replay", kept]) == 1
    assert ": REFUTED: P_x(E) = " in capsys.readouterr().out


def test_looks_are_kept_and_gone_on_from(claim, tmp_path, capsys):
    kept = tmp_path / "looks.json"
    line = ["audit", claim("1/2"), "--sampled", "--seed", "1", "--draws", "500", "--resume", str(kept)]
    assert main(line) == 3
    first = capsys.readouterr().out
    assert len(json.loads(kept.read_text())["looks"]["0"]) == 1
    assert main(line) == 3
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--draws", "5"], "--draws must come with --sampled"),
        (["--seed", "5"], "--seed must come with --sampled"),
        (["--sampled", "--coq", "A.v"], "--sampled must come without --coq"),
        (["--sampled", "--resume", "looks.json"], "--resume must come with --seed"),
        (["--sampled", "--confidence", "2"], "--confidence must be between 0 and 1"),
        (["--sampled", "--confidence", "1"], "--confidence must be above 0 and below 1"),
        (["--sampled", "--draws", "0"], "--draws must be"),
        (["--sampled", "--digits", "0"], "--digits must be"),
    ],
)
def test_an_option_out_of_place_is_refused(claim, options, message, capsys):
    assert main(["audit", claim("1/2"), *options]) == 2
    assert message in capsys.readouterr().err


def test_published_claims_are_not_sampled(capsys):
    assert main(["audit", "--sampled"]) == 2
    assert "--sampled must come with claim files" in capsys.readouterr().err


def test_a_command_is_left_open_without_it(claim, tmp_path, capsys):
    file = tmp_path / "command.toml"
    block = 'mechanism = { function = "coins:answer", parameters = { flip = "1/2" } }'
    file.write_text(CLAIM.format(flip="1/2").replace(block, 'mechanism = { command = ["cat"] }'))
    assert main(["audit", str(file)]) == 3
    assert "stirred audit --sampled draws from it" in capsys.readouterr().out
    file.write_text(file.read_text().replace('["cat"]', "[]"))
    assert main(["audit", str(file)]) == 2
    assert "must be an array of texts, a program and its arguments" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_told_the_speed_and_the_time_that_is_left(monkeypatch):
    clock = iter([0, 10**9, 2 * 10**9, 2 * 10**9 + 1, 3 * 10**9])
    monkeypatch.setattr(time, "monotonic_ns", lambda: next(clock))
    stream = Terminal()
    line = ProgressLine(stream)
    for done in (0, 100, 200, 201, 1000):
        line.show("reading", done, 1000)
    shown = stream.getvalue().split("\r\x1b[K")
    assert shown[1:] == [
        "reading: 100 of 1000 records, 100 records/s, 9 s left",
        "reading: 200 of 1000 records, 100 records/s, 8 s left",
        "",
    ]


def test_what_takes_seconds_each_is_told_by_the_time_that_is_left(monkeypatch):
    clock = iter([0, 6 * 10**9])
    monkeypatch.setattr(time, "monotonic_ns", lambda: next(clock))
    stream = Terminal()
    line = ProgressLine(stream, "tables")
    for done in (0, 3):
        line.show("PHSafe", done, 9)
    assert stream.getvalue().endswith("PHSafe: 3 of 9 tables, 12 s left")


def test_a_file_is_told_nothing():
    stream = io.StringIO()
    ProgressLine(stream).show("reading", 1, 2)
    assert stream.getvalue() == ""

"""Records of `stirred verify`, kept and compared; replays alone; pictures and large numbers of `stirred derive`."""

import hashlib
import json
import subprocess
import sys
import time

import pytest
from started import ALONE
from tiers import few

from stirred.verify.cli.commands import plot
from stirred.verify.cli.main import main

CHEAP = "psa.swap-probability.printed"


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


LONG = "phsafe.inconsistency"
"""A cheap claim with a mutant whose witness is long."""


class TestVerify:
    def test_json_records_have_the_promised_keys(self, capsys):
        _, out, _ = run(capsys, "verify", "derangements.nondecreasing", "--json")
        (record,) = json.loads(out)
        assert {"id", "source", "statement", "verdict", "scope"} <= set(record)
        assert record["mutants"][0]["verdict"] == "REFUTED"

    def test_long_witnesses_of_mutants_stand_by_their_digest_unless_the_whole_is_asked_for(self, capsys, tmp_path):
        short, whole = (run(capsys, "verify", LONG, "--json", *more)[1] for more in ((), ("--whole",)))
        (one,), (other,) = json.loads(short), json.loads(whole)
        assert len(short) < len(whole)
        for bounded, mutant in zip(one["mutants"], other["mutants"], strict=True):
            text = json.dumps(mutant["witness"], sort_keys=True)
            digest = {"characters": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}
            assert bounded["witness"] == (mutant["witness"] if len(text) <= 2000 else digest)
        kept = tmp_path / "ledger.json"
        for text, status in ((short, 0), (whole, 0), (whole.replace('"kind"', '"kinds"'), 1)):
            kept.write_text(text)
            assert run(capsys, "verify", LONG, "--against", str(kept))[0] == status

    @pytest.fixture
    def kept(self, capsys):
        """The record of a cheap claim."""
        (record,) = json.loads(run(capsys, "verify", CHEAP, "--json")[1])
        return record

    def against(self, capsys, tmp_path, records, *ids):
        path = tmp_path / "ledger.json"
        path.write_text(json.dumps(records))
        status, _, err = run(capsys, "verify", *(ids or (CHEAP,)), "--against", str(path))
        return status, err

    def test_against_compares_every_field_but_the_seconds(self, capsys, tmp_path, kept):
        assert self.against(capsys, tmp_path, [{**kept, "seconds": 1000}]) == (0, "")
        for field in set(kept) - {"id", "seconds", "verdict"}:
            status, err = self.against(capsys, tmp_path, [{**kept, field: "another"}])
            assert (status, err.count("\n")) == (1, 1), field
            assert err.startswith(f'{CHEAP}: {field}: was "another", is '), field
        status, err = self.against(capsys, tmp_path, [{**kept, "later": [1]}])
        assert (status, err) == (1, f"{CHEAP}: later: was [1], is absent\n")

    def test_against_shows_where_a_long_text_differs(self, capsys, tmp_path, kept):
        changed = kept["statement"][:-1] + "!"
        _, err = self.against(capsys, tmp_path, [{**kept, "statement": changed}])
        assert err.count("…") == 2
        assert '!", is' in err

    def test_against_looks_at_what_was_asked_for_only(self, capsys, tmp_path, kept):
        other = {**kept, "id": "psa.budget.theorem"}
        gone = {**kept, "id": f"{CHEAP}.gone"}
        assert self.against(capsys, tmp_path, [kept, other]) == (0, "")
        assert self.against(capsys, tmp_path, [other]) == (1, f"{CHEAP}: was absent, is REFUTED\n")
        assert self.against(capsys, tmp_path, [kept, gone]) == (1, f"{CHEAP}.gone: was REFUTED, is absent\n")

    def test_against_refuses_what_is_no_kept_ledger(self, capsys, tmp_path, kept):
        short = {key: value for key, value in kept.items() if key != "scope"}
        named = {key: kept[key] for key in ("id", "source", "statement")}
        for records, message in (
            ([], "the list is empty"),
            ([kept, kept], "stands twice"),
            ([short], "record 0 has no scope"),
            ([named], "record 0 has no because, detail, evidence"),
            ([{**kept, "id": 3}], "must be texts"),
            ([{**kept, "verdict": None}], "must be texts"),
            (kept, "a list; got an object"),
        ):
            status, err = self.against(capsys, tmp_path, records)
            assert (status, err.count("\n")) == (2, 1)
            assert message in err


class TestReplay:
    def test_a_refutation_replays_with_the_standard_library_alone(self, capsys, tmp_path):
        _, out, _ = run(capsys, "verify", "psa.swap-probability.printed", "--json")
        path = tmp_path / "ledger.json"
        path.write_text(out)
        replayed = subprocess.run(
            [sys.executable, "-S", "-m", "stirred.verify.evidence.certificates.replay", str(path)],
            capture_output=True,
            text=True,
            check=False,
            env=ALONE,
        )
        assert replayed.returncode == 1, replayed.stderr
        assert replayed.stdout.splitlines()[-1] == "1 replayed"
        assert run(capsys, "replay", str(path))[1] == replayed.stdout


class TestPlot:
    @pytest.mark.parametrize(("name", "magic"), few([("psa.svg", b"<?xml"), ("psa.png", b"\x89PNG")]))
    def test_picture_is_written_in_the_form_of_its_suffix(self, capsys, tmp_path, name, magic, monkeypatch):
        if name == "psa.svg":  # with every change few of its points
            for rates in ("_RATES", "_RATES_BY_ODDS"):
                monkeypatch.setattr(plot, rates, getattr(plot, rates)[::30])
        target = tmp_path / name
        assert run(capsys, "derive", "psa", "--plot", str(target)) == (0, f"{target}: written\n", "")
        assert target.read_bytes().startswith(magic)

    def test_the_right_panel_is_that_of_the_largest_stratum(self, capsys, tmp_path, monkeypatch):
        for rates in ("_RATES", "_RATES_BY_ODDS", "_FEW_RATES"):
            monkeypatch.setattr(plot, rates, getattr(plot, rates)[::30])
        monkeypatch.setattr(plot, "_beside", lambda axes, b, drawn=plot._beside: (shown.append(b), drawn(axes, b)))
        shown: list[int] = []
        target = str(tmp_path / "psa.svg")
        assert run(capsys, "derive", "psa", "--largest-stratum", "905", "--plot", target)[0] == 0
        assert shown == [10, 905]

    def test_without_matplotlib_one_line_says_what_to_install(self, capsys, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        status, _, err = run(capsys, "derive", "psa", "--plot", str(tmp_path / "psa.svg"))
        assert (status, err) == (2, "stirred: --plot needs matplotlib: pip install matplotlib\n")


@pytest.mark.parametrize("mu", ["1e300", "1e50", "1e-300"])
@pytest.mark.parametrize("at", ["--at-epsilon 1", "--at-epsilon 1e300", "--delta 1/100", "--level 1/20"])
def test_budgets_of_any_size_are_converted_within_seconds(capsys, mu, at):
    start = time.process_time()
    status, out, err = run(capsys, "derive", "conversion", "--mu", mu, *at.split())
    assert (status, err) == (0, "")
    assert "rho = 5E" in out
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("mu", "rho"),
    [("1e300", "5E+599"), ("1e999", "5E+1997"), ("9e999", "4.05E+1999"), ("1e-999", "5E-1999"), ("3e-300", "4.5E-600")],
)
def test_a_budget_of_any_size_alone_is_half_its_square_in_one_short_line(capsys, mu, rho):
    start = time.process_time()
    assert run(capsys, "derive", "conversion", "--mu", mu) == (0, f"rho = {rho} by mu^2/2\n", "")
    assert time.process_time() - start < 10


def test_equal_releases_are_derived_by_every_rule(capsys):
    given = ["derive", "composition", "--epsilon", "1/10", "--times", "100"]
    status, out, err = run(capsys, *given, "--delta", "1e-6")
    assert (status, err, [line.split(" at ")[0] for line in out.splitlines()]) == (
        *(0, ""),
        ["epsilon ≈ 4.774567588", "epsilon ≈ 5.756105519", "epsilon ≈ 5.756521770", "epsilon = 10"],
    )
    assert "delta ≈ 0.0000010" in run(capsys, *given, "--at-epsilon", "4.774567588")[1]
    assert run(capsys, *given, "--delta", "2")[2] == "stirred: --delta must be between 0 and 1, exclusive; got 2\n"
    for more in ([], ["--delta", "1e-6", "--at-epsilon", "2"]):
        assert run(capsys, *given, *more)[2] == (
            "stirred: derive composition requires one of --delta and --at-epsilon\n"
        )


def test_a_derived_p_table_is_one_that_audit_reads(tmp_path, capsys):
    file = str(tmp_path / "p.csv")
    given = ["--deviation", "2", "--variance", "0.9", "--shuffle", "--output", file]
    assert main(["derive", "cell-key", *given]) == 0
    derived = capsys.readouterr().out
    assert "lambda ≈ 0.517979" in derived
    assert "the variance is above --variance 9/10 in 1 of 3 rows, most in that of count 1, 29/32" in derived
    assert "one count needs delta = 161/256 ≈ 0.628906 at every epsilon, from counts 0 and 1\n" in derived
    assert "two large counts with their total need delta ≈ 0.360360 at epsilon = 1 and = 20107/65536 " in derived
    assert "the same with the keys shuffled need delta ≈ 0.299610 at epsilon = 1 and = 6487/65536 " in derived
    assert main(["audit", file]) == 3
    assert "need delta ≈ 0.299610 at epsilon = 1 and = 6487/65536 " in capsys.readouterr().out
    assert main(["derive", "cell-key", *given[:4], "--keys", "3"]) == 0
    assert (
        "with 3 keys count 2 never changes by -2, +2, of probability 0.103092 in its law: more"
        in capsys.readouterr().out
    )
    assert main(["derive", "cell-key", *given[:-2], "--keys", "300", "--output", file]) == 2
    assert "--keys must have no other factors than 2 and 5" in capsys.readouterr().err
    assert main(["derive", "cell-key", *given[:-1], f"{tmp_path}/p.pert"]) == 2
    assert "--output must end in .csv, as R's ptable writes it" in capsys.readouterr().err

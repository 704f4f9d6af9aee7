import hashlib
import json
import subprocess
import sys

import pytest
from started import ALONE
from tiers import few

from stirred.verify.audit.coq_file import coqc_command
from stirred.verify.cli.commands import plot
from stirred.verify.cli.main import main

CHEAP = "psa.swap-probability.printed"


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


LONG = "phsafe.inconsistency"
"""A cheap claim with a mutant whose witness is long."""


def test_every_command_explains_itself_with_examples(capsys):
    for command in ("audit", "verify", "show", "derive", "swap"):
        with pytest.raises(SystemExit) as leaving:
            main([command, "--help"])
        assert leaving.value.code == 0
        assert "examples" in capsys.readouterr().out.lower()


def test_no_command_is_a_usage_error(capsys):
    status, out, err = run(capsys)
    assert (status, out) == (2, "")
    assert err == "stirred: the following arguments are required: COMMAND; see stirred --help\n"


class TestVerify:
    def test_holding_claim_exits_0_with_counts_last(self, capsys):
        status, out, _ = run(capsys, "verify", "derangements.nondecreasing")
        assert status == 0
        assert out.startswith("derangements.nondecreasing: ")
        assert out.splitlines()[-1].startswith("1 claim: 1 ")

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

    def test_refuted_claim_exits_1_and_shows_its_witness(self, capsys):
        status, out, _ = run(capsys, "verify", "psa.swap-probability.printed")
        assert status == 1
        assert "    witness: " in out

    def test_unknown_id_names_the_nearest(self, capsys):
        status, out, err = run(capsys, "verify", "derangement.ratio-bound")
        assert (status, out) == (2, "")
        assert (
            err
            == "stirred: no claim id begins with 'derangement.ratio-bound'; did you mean 'derangements.ratio-bound'?\n"
        )

    def test_against_a_file_nested_too_deep_is_refused(self, capsys, tmp_path):
        kept = tmp_path / "deep.json"
        kept.write_text("[" * 200_000)
        status, _, err = run(capsys, "verify", "derangements.nondecreasing", "--against", str(kept))
        assert (status, err) == (2, f"stirred: {kept}: must be the output of stirred verify --json\n")

    def test_list_as_json(self, capsys):
        status, out, _ = run(capsys, "verify", "derangements.nondecreasing", "--list", "--json")
        (listed,) = json.loads(out)
        assert status == 0
        assert (listed["id"], listed["source"]) == ("derangements.nondecreasing", "article, Appendix E (before (15))")

    def test_list_checks_nothing(self, capsys):
        status, out, _ = run(capsys, "verify", "--list")
        assert status == 0
        assert "derangements.ratio-bound: article, Lemma 6\n" in out

    def test_against_a_kept_ledger_reports_changes(self, capsys, tmp_path):
        _, out, _ = run(capsys, "verify", "derangements.nondecreasing", "--json")
        kept = tmp_path / "ledger.json"
        kept.write_text(out)
        assert run(capsys, "verify", "derangements.nondecreasing", "--against", str(kept))[0] == 0
        kept.write_text(out.replace(json.loads(out)[0]["verdict"], "OPEN"))
        status, _, err = run(capsys, "verify", "derangements.nondecreasing", "--against", str(kept))
        assert status == 1
        assert "derangements.nondecreasing: verdict: was OPEN, is " in err

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

    @pytest.mark.parametrize("content", ["", "{}", "[1]"])
    def test_against_refuses_other_files_in_one_line(self, capsys, tmp_path, content):
        kept = tmp_path / "ledger.json"
        kept.write_text(content)
        status, _, err = run(capsys, "verify", "derangements.nondecreasing", "--against", str(kept))
        assert status == 2
        assert err.count("\n") == 1


class TestDerive:
    def test_both_swap_rates_of_a_budget(self, capsys):
        status, out, _ = run(capsys, "derive", "psa", "--largest-stratum", "10", "--epsilon", "3")
        assert status == 0
        assert "11/(11 + exp(3)) ≈ 0.35386" in out
        assert "exp(3)/(1 + exp(3)) ≈ 0.95257" in out

    def test_budget_below_the_minimum_has_no_rate(self, capsys):
        _, out, _ = run(capsys, "derive", "psa", "--largest-stratum", "10", "--epsilon", "1")
        assert out == "no swap rate has this budget: the smallest is log(11)/2\n"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--largest-stratum", "1"], "largest_stratum must be at least 2; got 1"),
            (["--swap-rate", "x"], "--swap-rate must be an exact number such as '1/20' or '0.05'; got 'x'"),
            (
                ["--swap-rate", "1"],
                (
                    "swap_rate must be between 0 and 1, exclusive; got 1: there the loss is infinite, as two records "
                    "show that are swapped never, or always"
                ),
            ),
            (["--swap-rate", "2"], "swap_rate must be between 0 and 1, exclusive; got 2"),
            (["--largest-stratum", "10", "--epsilon=-1"], "epsilon must be non-negative and finite; got -1"),
            (["--epsilon", "3"], "--epsilon must come with --largest-stratum; got none"),
        ],
    )
    def test_bad_input_is_one_line(self, capsys, arguments, message):
        assert run(capsys, "derive", "psa", *arguments) == (2, "", f"stirred: {message}\n")


class TestDerivePsa:
    def test_the_sharp_and_the_certified_budget_stand_beside_the_printed_one(self, capsys):
        # d(10)/d(8) = 1334961/14833 at o = 1; two categories: ½·ln max{1, (10 + ½) + 9}
        _, out, _ = run(capsys, "derive", "psa", "--largest-stratum", "10", "--swap-rate", "1/2")
        printed, sharp, certified = out.splitlines()
        assert printed == "budget: log(11) ≈ 2.397895273"
        assert sharp.startswith("sharp budget: ln(1334961/14833)/2 ≈ 2.24990 (")
        assert certified.startswith("certified budget: ln(39/2)/2 ≈ 1.48521 (where every stratum has at most two")

    def test_the_sharp_budget_starts_at_four_and_needs_a_stratum(self, capsys):
        labels = {
            size: [line.split(":")[0] for line in run(capsys, "derive", "psa", *arguments)[1].splitlines()]
            for size, arguments in {
                "3": ["--largest-stratum", "3", "--swap-rate", "1/3"],
                "4": ["--largest-stratum", "4", "--swap-rate", "1/3"],
                "none": ["--swap-rate", "1/3"],
            }.items()
        }
        three = ["budget", "certified budget"]
        assert labels == {"3": three, "4": ["budget", "sharp budget", "certified budget"], "none": ["budget"]}


class TestDeriveUniverse:
    def test_the_three_numbers_of_a_small_universe(self, capsys):
        status, out, _ = run(capsys, "derive", "universe", "--rows", "3", "3", "--columns", "6", "--swap-rate", "1/2")
        assert status == 3
        *losses, vacuity = out.splitlines()[1:]
        assert losses == ["certified budget: 0 (exact: the universe has one table)", "exact loss: 0"]
        assert vacuity.startswith("vacuous, so every mechanism satisfies it: 1 universe, trivial; 0 ")

    def test_the_dwellings_of_1940_have_a_certified_budget_far_below_the_printed_one(self, capsys):
        counties = (11286, 33153, 97678, 1741, 135236, 13875, 88763, 18057, 251831, 1025, 85170, 48739, 226209, 131661)
        arguments = ["--rows", "435805", "708619", "--columns", *map(str, counties), "--swap-rate", "1/2"]
        status, out, _ = run(capsys, "derive", "universe", *arguments)
        assert status == 0
        assert out.splitlines() == [
            "printed budget: ln(1144425) ≈ 13.9504 (article, Theorem 1, b = 1144424)",
            "certified budget: ln(9487603/500000)/2 ≈ 1.47157 (two large categories)",
            "exact loss: not computed, the universe is too large; at most the certified budget",
        ]

    def test_a_certified_budget_is_written_as_a_theorem(self, capsys, tmp_path):
        arguments = ["--rows", "500000", "500000", "--columns", "1", "999999", "--swap-rate", "3/4"]
        path = tmp_path / "Budget.v"
        status, out, err = run(capsys, "derive", "universe", *arguments, "--coq", str(path))
        assert (status, err) == (0, f"{path}: to check it, after make -C proofs: {coqc_command(str(path))}\n")
        assert "certified budget: ln(1389089/500000)/2" in out
        assert "has_sizes_budget R M H S n 500000 500000 3 1 1389089 500000.\n" in path.read_text()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                "universe --rows 1 9 --columns 5 5 --swap-rate 1/2 --coq A.v",
                "it is by exact: one category holds one rec",
            ),
            ("universe --rows 2 9 --columns 5 6 --swap-rate 1 --coq A.v", "large strata gives; it is infinite"),
            (
                "universe --rows 900 900 --columns 900 900 --swap-rate 3/4 --coq a.txt",
                "--coq must name a file of letters",
            ),
            ("psa --coq A.v", "psa must come without --coq; got A.v"),
            ("conversion --rho 1 --delta 1e-9 --coq A.v", "conversion must come without --coq; got A.v"),
        ],
    )
    def test_no_theorem_is_written_without_a_certificate(self, capsys, tmp_path, monkeypatch, arguments, message):
        monkeypatch.chdir(tmp_path)
        status, out, err = run(capsys, "derive", *arguments.split())
        assert (status, out, list(tmp_path.iterdir())) == (2, "", [])
        assert message in err

    def test_an_infinite_loss_has_its_witness(self, capsys):
        arguments = ["--rows", "1", "1", "--columns", "1", "1", "--swap-rate", "1"]
        status, out, _ = run(capsys, "derive", "universe", *arguments)
        assert status == 0
        assert out.splitlines() == [
            "printed budget: infinite (article, Theorem 1, b = 2)",
            "exact loss: infinite",
            "    witness: x = ((1, 0), (0, 1)), x' = ((0, 1), (1, 0)), z = ((0, 1), (1, 0))",
        ]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["universe"], "universe must come with --rows; got none"),
            (["universe", "--rows", "1"], "universe must come with --columns; got none"),
            (
                ["universe", "--rows", "1", "2", "--columns", "2", "--swap-rate", "1/2"],
                "rows and columns must have the same total; got 3 and 2",
            ),
            (
                ["universe", "--rows", "1", "--columns", "1", "--epsilon", "1"],
                "universe must come without --epsilon; got 1",
            ),
            (["psa", "--rows", "1"], "psa must come without --rows; got [1]"),
            (["variants", "--latex"], "variants must come without --latex; got it"),
            (["psa", "claim.toml"], "psa must come without files; got ['claim.toml']"),
            (["mechanism"], "mechanism must come with claim files; got none"),
            (["mechanism", "a.toml", "--swap-rate", "1/2"], "mechanism must come without --swap-rate; got 1/2"),
        ],
    )
    def test_bad_input_is_one_line(self, capsys, arguments, message):
        assert run(capsys, "derive", *arguments) == (2, "", f"stirred: {message}\n")


class TestDeriveDesigns:
    def test_each_design_is_told_by_its_neighbours(self, capsys):
        status, out, err = run(capsys, "derive", "designs")
        assert (status, err) == (0, "")
        rows = [line for line in out.splitlines() if line.startswith("simple random")]
        assert [line.split("  ")[-1] for line in rows] == ["log(1 + n/N [e^epsilon - 1])"] * 3
        for row, (relation, loss, effect) in zip(
            rows,
            (("replaced", "3/2", " amplified"), ("added", "5/2", "degraded"), ("same units", "2", "not amplified")),
            strict=True,
        ):
            assert relation in row
            assert f"ln({loss})" in row
            assert effect in row
        removed = next(
            line for line in out.splitlines() if line.startswith("systematic, 2 of 4, fixed order") and "added" in line
        )
        assert "degraded" in removed
        assert "replaced: frames: one unit's record changes; samples: one record is replaced" in out

    def test_other_options_are_refused(self, capsys):
        expected = (2, "", "stirred: designs must come without --epsilon; got 3\n")
        assert run(capsys, "derive", "designs", "--epsilon", "3") == expected


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

    def test_a_forged_witness_is_refused(self, capsys, tmp_path):
        path = tmp_path / "witness.json"
        path.write_text('{"kind": "formula", "claimed": "1 <= 2", "values": {}}')
        status, out, err = run(capsys, "replay", str(path))
        assert (status, out) == (2, "")
        assert "the claimed inequality holds" in err


class TestPlot:
    @pytest.mark.parametrize(("name", "magic"), few([("psa.svg", b"<?xml"), ("psa.png", b"\x89PNG")]))
    def test_picture_is_written_in_the_form_of_its_suffix(self, capsys, tmp_path, name, magic, monkeypatch):
        if name == "psa.svg":  # with every change few of its points
            for rates in ("_RATES", "_RATES_BY_ODDS"):
                monkeypatch.setattr(plot, rates, getattr(plot, rates)[::30])
        target = tmp_path / name
        assert run(capsys, "derive", "psa", "--plot", str(target)) == (0, f"{target}: written\n", "")
        assert target.read_bytes().startswith(magic)

    def test_options_that_change_nothing_are_refused(self, capsys, tmp_path):
        arguments = ["derive", "psa", "--plot", str(tmp_path / "psa.svg"), "--largest-stratum", "5"]
        assert run(capsys, *arguments) == (2, "", "stirred: a plot must come without --largest-stratum; got 5\n")

    def test_other_suffixes_are_refused(self, capsys, tmp_path):
        status, _, err = run(capsys, "derive", "psa", "--plot", str(tmp_path / "psa.gif"))
        assert status == 2
        assert "must name a file that ends in .svg or .png" in err

    def test_without_matplotlib_one_line_says_what_to_install(self, capsys, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        status, _, err = run(capsys, "derive", "psa", "--plot", str(tmp_path / "psa.svg"))
        assert (status, err) == (2, "stirred: --plot needs matplotlib: pip install matplotlib\n")

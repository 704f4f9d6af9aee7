"""`stirred run survey` on small files: estimates, what is refused, and nothing half-written."""

import csv

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stirred.verify.cli import main
from stirred.verify.commands.run_survey import EXAMPLE

PLAIN = """
id = "jobs"
resolution = "person"
[weights]
column = "weight"
largest = 10
[cells]
region = ["north", "south"]
[calibration]
epsilon = 2000
totals = { region = [["north", 100], ["south", 300]] }
[[total]]
name = "employed"
column = "employed"
low = 0
high = 1
epsilon = 2000
"""
"""Budgets so large that the noise is 0 but for a probability below e^-90."""

SAMPLE = {
    "region": ["north", "north", "south", "south", "south"],
    "weight": [10, 30, 5, 5, 10],
    "employed": [1, 1, 0, 1, 1],
}


@pytest.fixture
def released(tmp_path, capsys):
    """A function that runs the command on records and settings; its status, rows, output and errors."""

    def run(records=SAMPLE, *changes, text=PLAIN, name="sample.parquet", options=()):
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "s.toml").write_text(text)
        table = pa.table(records)
        if name.endswith(".csv"):
            lines = [",".join(table.schema.names)]
            lines += [",".join("" if v is None else str(v) for v in row.values()) for row in table.to_pylist()]
            (tmp_path / name).write_text("\n".join(lines) + "\n")
        else:
            pq.write_table(table, tmp_path / name)
        words = ["--settings", str(tmp_path / "s.toml"), "--data", str(tmp_path / name), "--output"]
        status = main(["run", "survey", *words, str(tmp_path / "out.csv"), *options])
        captured = capsys.readouterr()
        rows = []
        if status == 0:
            rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
        else:
            assert not list(tmp_path.glob("out*"))
            assert not list(tmp_path.glob(".out*"))
        return status, rows, captured.out, captured.err.replace(f"{tmp_path}/", "")

    run.folder = tmp_path
    return run


def table(rows, column):
    return {(row["total"], row["region"]): float(row[column]) for row in rows if row[column]}


@pytest.mark.parametrize("name", ["sample.parquet", "sample.csv"])
def test_without_noise_the_estimates_are_the_classical_ones(released, name):
    """Weights 10 + 10 (30 counts as the largest, 10) in the north, 5 + 5 + 10 in the south."""
    status, rows, out, err = released(name=name)
    assert (status, err) == (0, "")
    assert table(rows, "horvitz_thompson") == {
        ("weights", "north"): 20,
        ("weights", "south"): 20,
        ("weights", ""): 40,
        ("employed", "north"): 20,
        ("employed", "south"): 15,
        ("employed", ""): 35,
    }
    # post-stratified: 100·20/20 + 300·15/20
    assert table(rows, "calibrated")["employed", ""] == pytest.approx(325)
    assert table(rows, "calibrated")["weights", "south"] == pytest.approx(300)
    assert out.splitlines()[0].endswith("out.csv: written, 6 lines of 5 records")
    assert "epsilon = 4000 (2000 + 2000; calibration costs nothing" in out


def test_missing_values_take_those_of_the_donor_before(released):
    text = PLAIN.replace("[calibration]", "[imputation]\ndonations = 1\n[calibration]").replace(
        "high = 1\n", "high = 1\notherwise = 0\n"
    )
    sample = {**SAMPLE, "employed": [1, None, None, 1, None]}
    status, rows, _, _ = released(sample, text=text)
    assert status == 0
    found = table(rows, "horvitz_thompson")
    assert (found["employed", "north"], found["employed", "south"]) == (20, 15)


def test_two_margins_are_raked(released):
    text = PLAIN.replace(
        'region = ["north", "south"]\n', 'region = ["north", "south"]\nemployed = ["0", "1"]\n'
    ).replace('["south", 300]] }', '["south", 300]], employed = [["0", 50], ["1", 350]] }')
    sample = {**SAMPLE, "employed": [1, 0, 0, 1, 1]}
    status, rows, _, _ = released(sample, text=text)
    assert status == 0
    cells = {(r["region"], r["employed"]): float(r["calibrated"]) for r in rows if r["total"] == "weights"}
    assert cells["north", "0"] + cells["north", "1"] == pytest.approx(100)
    assert cells["north", "1"] + cells["south", "1"] == pytest.approx(350)


def test_the_noise_has_the_stated_scale_and_repeats_with_a_seed_only(released):
    changes = [("epsilon = 2000", 'epsilon = "1/2"')]
    status, first, out, err = released(SAMPLE, *changes, options=["--seed", "1"])
    assert status == 0
    assert err == "stirred: drawn with a seed: whoever knows it can take the noise away\n"
    # a record moves from one cell to the other with weight 10: 20/(1/2)
    assert {row["noise_scale"] for row in first if row["region"]} == {"40"}
    assert "epsilon = 1 (1/2 + 1/2" in out
    (released.folder / "out.csv").unlink()
    _, again, _, _ = released(SAMPLE, *changes, options=["--seed", "1"])
    (released.folder / "out.csv").unlink()
    _, other, _, _ = released(SAMPLE, *changes)
    assert first == again != other


def test_the_claim_file_is_audited(released, capsys):
    claim = released.folder / "claim.toml"
    status, _, _, _ = released(SAMPLE, ("epsilon = 2000", 'epsilon = "1/2"'), options=["--claim", str(claim)])
    assert status == 0
    assert main(["audit", str(claim)]) == 3
    out = capsys.readouterr().out
    assert "met: the claimed 1 covers the total of the account" in out
    assert "undecided: the sum is right; nothing here shows its parts" in out


def test_what_may_be_claimed_for_the_frame_is_said(released):
    design = '[design]\nname = "simple-random-sample"\nsize = 5\nframe = 50\n[[total]]'
    sample = {**SAMPLE, "weight": [10] * 5}
    status, _, out, _ = released(sample, ("[[total]]", design), ("epsilon = 2000", 'epsilon = "1/2"'))
    assert status == 0
    (released.folder / "out.csv").unlink()
    # epsilon' is the logarithm of 1 + (e - 1)/10
    assert "amplification: epsilon <= 0.158565 for records of the frame" in out
    assert "weights are 10 for all samples as for this one" in out
    status, _, _, err = released(SAMPLE, ("[[total]]", design.replace("size = 5", "size = 4")))
    assert (status, err) == (2, "stirred: s.toml: design.size must be the number of records, 5; got 4\n")


@pytest.mark.parametrize(
    ("weights", "largest", "said"),
    [
        ([10, 10, 10, 10, 9], 10, "a simple random sample's weights are 10 for all, and the sample has others"),
        ([9] * 5, 10, "a simple random sample's weights are 10 for all, and the sample has others"),
        ([10] * 5, 9, "a simple random sample's weights are 10, above the largest that counts, 9"),
    ],
)
def test_nothing_is_claimed_for_the_frame_where_the_weights_are_others(released, weights, largest, said):
    design = '[design]\nname = "simple-random-sample"\nsize = 5\nframe = 50\n[[total]]'
    changes = [("[[total]]", design), ("largest = 10", f"largest = {largest}")]
    status, _, out, _ = released({**SAMPLE, "weight": weights}, *changes)
    assert status == 0
    assert f"amplification: none is claimed: {said}" in out
    assert "epsilon <=" not in out


@pytest.mark.parametrize("name", ["sample.parquet", "sample.csv"])
def test_a_file_without_records_is_refused(released, name):
    empty = pa.schema([("region", pa.string()), ("weight", pa.int64()), ("employed", pa.int64())]).empty_table()
    status, _, out, err = released(empty.to_pydict(), name=name)
    assert (status, out, err) == (2, "", f"stirred: {name}: must have at least one record; got none\n")


def test_totals_may_be_called_weights_where_nothing_is_calibrated(released):
    head, _, rest = PLAIN.partition("[calibration]")
    text = head + "[[total]]" + rest.partition("[[total]]")[2].replace('name = "employed"', 'name = "weights"')
    assert released(text=text)[0] == 0


@pytest.mark.parametrize(
    ("option", "value"), [("settings", "x"), ("data", "x"), ("output", "x"), ("claim", "x"), ("seed", "0")]
)
def test_the_example_comes_alone(capsys, option, value):
    assert main(["run", "survey", "--example", f"--{option}", value]) == 2
    assert capsys.readouterr() == ("", f"stirred: --example must come without --{option}; got {value}\n")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"weight": [1, 2, None, 4, 5]}, "sample.parquet: record 3: 'weight' must be a number; it has nothing"),
        ({"weight": [1.0, 2.0, float("nan"), 4, 5]}, "record 3: 'weight' must be a finite number"),
        ({"employed": [1, 1, 1, None, 1]}, "record 4: 'employed' must be a number; it has nothing"),
        ({"employed": list("abcde")}, "the column 'employed' must hold numbers; it holds string"),
        (
            {"weight": [1, 2, -3, 4, 5]},
            "record 3: 'weight' must be a number that is not negative; it has",
        ),
        ({"region": ["north"] * 4 + ["east"]}, "record 5: 'region' must be one of ['north', 'south']; it has another"),
    ],
)
def test_records_that_do_not_fit_are_refused_without_showing_them(released, changed, said):
    status, _, out, err = released({**SAMPLE, **changed})
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert "east" not in err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('column = "weight"', 'column = "wgt"', "has no column 'wgt'; did you mean 'weight'?"),
        ("largest = 10", "largest = 0", "weights.largest must be positive; got 0"),
        ("low = 0", "low = 2", "low must be at most high, 1; got 2"),
        ('["south", 300]', '["east", 300]', "calibration.totals.region must have a total for each of"),
        ("region = [[", "sex = [[", "calibration.totals.sex: must be a column of the cells"),
        (
            "high = 1\nepsilon = 2000",
            'high = 1\nepsilon = "1/100000"',
            "must be larger, about 100: noise of a scale of",
        ),
        ("high = 1\n", "high = 1\notherwise = 0\n", "total[0].otherwise belongs to a file with [imputation]"),
        ("[[total]]", "[imputation]\ndonations = 2\n[[total]]", "total[0].otherwise is missing: [imputation] needs it"),
        ("[[total]]", "[imputation]\ndonations = 0\n[[total]]", "imputation.donations must be at least 1; got 0"),
        (
            'name = "employed"',
            'name = "weights"',
            "totals of different names, and none the calibration's own",
        ),
        (
            'region = ["north", "south"]\n',
            'total = ["north"]\n',
            "cells.total must not be named as a column",
        ),
        ('region = ["north", "south"]\n', 'noise_scale = ["1"]\n', "cells.noise_scale must not be named as a column"),
        ("resolution", "unit", "unit: unknown key"),
        ("high = 1", "high = 0.5", "total[0].high must be an exact number; got the float 0.5"),
    ],
)
def test_settings_that_cannot_be_are_refused_by_key(released, old, new, said):
    status, _, out, err = released(SAMPLE, (old, new))
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_the_example_runs(released, capsys):
    assert main(["run", "survey", "--example"]) == 0
    assert capsys.readouterr().out == EXAMPLE
    sample = {**SAMPLE, "sex": list("fmfmf"), "employed": [1, None, None, 1, 1]}
    status, rows, _, _ = released(sample, text=EXAMPLE)
    assert status == 0
    assert len(rows) == 10


def test_files_are_asked_for(capsys):
    assert main(["run", "survey", "--settings", "x.toml"]) == 2
    assert capsys.readouterr().err == "stirred: --data must be given, or --example alone\n"


def test_nothing_that_is_read_is_written_over(released):
    assert released()[0] == 0
    sample, settings = released.folder / "sample.parquet", released.folder / "s.toml"
    before = sample.read_bytes()
    words = ["run", "survey", "--settings", str(settings), "--data", str(sample)]
    assert main([*words, "--output", str(sample)]) == 2
    assert main([*words, "--output", str(released.folder / "o.csv"), "--claim", str(settings)]) == 2
    assert sample.read_bytes() == before
    assert not (released.folder / "o.csv").exists()

"""`stirred swap --method fibre-noise`: what it writes, states and refuses."""

import json
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stirred.verify.cli import main

LINES = "id,size,tenure,county,income\n" + "".join(
    f"r{n},{n % 3},{'own' if n % 5 else 'rent'},{'ABC'[n % 7 % 3]},{n * n}\n" for n in range(400)
)
NOISE = ["--method", "fibre-noise", "--match", "size", "--swap", "county", "--hold", "tenure", "--epsilon", "1/2"]


@pytest.fixture
def homes(tmp_path):
    path = tmp_path / "homes.csv"
    path.write_text(LINES)
    return path


def run(capsys, *arguments):
    status = main(["swap", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def records(path):
    header, *lines = (line.split(",") for line in path.read_text().splitlines())
    return [dict(zip(header, line, strict=True)) for line in lines]


def margins(rows, *columns):
    found = Counter()
    for row in rows:
        found[tuple(row[name] for name in columns)] += int(row.get("count", 1))
    return found


def test_the_table_keeps_both_margins_and_changes(capsys, homes, tmp_path):
    target = tmp_path / "noisy.csv"
    status, out, _ = run(capsys, homes, *NOISE, "--output", target, "--seed", 1)
    assert status == 0
    assert "epsilon = 1/2 (fibre noise; stirred verify price.fibre.budget)" in out
    before, after = records(homes), records(target)
    for side in (("size", "tenure"), ("size", "county")):
        assert margins(before, *side) == margins(after, *side)
    cells = ("size", "tenure", "county")
    assert margins(before, *cells) != margins(after, *cells)
    manifest = json.loads((tmp_path / "noisy.csv.manifest.json").read_text())
    assert manifest["mechanism"] == "fibre noise"
    assert manifest["budget"]["epsilon"] == manifest["epsilon"] == "1/2"
    assert "swap_rate" not in manifest


def test_records_keep_all_but_the_swapped_values_and_have_the_margins(capsys, homes, tmp_path):
    target = tmp_path / "noisy.csv"
    status, out, _ = run(capsys, homes, *NOISE, "--microdata", target, "--seed", 1)
    before, after = records(homes), records(target)
    assert (status, "every value of each record, line by line, but those of county" in out) == (0, True)
    assert [{**row, "county": ""} for row in before] == [{**row, "county": ""} for row in after]
    assert margins(before, "size", "county") == margins(after, "size", "county")
    assert sum(one["county"] != other["county"] for one, other in zip(before, after, strict=True)) > 100


def test_the_records_have_the_cells_of_the_table_of_the_same_seed(capsys, homes, tmp_path):
    for option in ("--output", "--microdata"):
        assert run(capsys, homes, *NOISE, option, tmp_path / f"{option[2:]}.csv", "--seed", 4)[0] == 0
    cells = ("size", "tenure", "county")
    assert margins(records(tmp_path / "output.csv"), *cells) == margins(records(tmp_path / "microdata.csv"), *cells)


@pytest.mark.parametrize("option", ["--output", "--microdata"])
@pytest.mark.parametrize("ids", [[], ["--id", "id"]], ids=["by place", "by id"])
def test_in_parts_it_writes_the_same_bytes(capsys, homes, tmp_path, option, ids):
    words = [homes, *NOISE, *ids, "--seed", 2, "--buckets", 4, option]
    assert run(capsys, *words, tmp_path / "whole.csv")[0] == 0
    assert run(capsys, *words, tmp_path / "parts.csv", "--memory", "1GB")[0] == 0
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "parts.csv").read_bytes()


def test_with_ids_the_order_of_the_records_does_not_matter(capsys, homes, tmp_path):
    lines = LINES.splitlines()
    (tmp_path / "other.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    for name in ("homes", "other"):
        words = [tmp_path / f"{name}.csv", *NOISE, "--id", "id", "--microdata", tmp_path / f"{name}-out.csv"]
        assert run(capsys, *words, "--seed", 3)[0] == 0
    one, other = (records(tmp_path / f"{name}-out.csv") for name in ("homes", "other"))
    assert one == other[::-1]


def test_counts_are_taken_as_records(capsys, tmp_path):
    table = pa.table(
        {"size": [1, 1, 1, 1], "tenure": list("oorr"), "county": list("ABAB"), "n": [10**9, 10**9, 10**9, 10**9]}
    )
    pq.write_table(table, tmp_path / "cells.parquet")
    words = [
        tmp_path / "cells.parquet",
        *NOISE[:-1],
        "1/20",
        "--count",
        "n",
        "--output",
        tmp_path / "noisy.parquet",
        "--seed",
        1,
    ]
    assert run(capsys, *words)[0] == 0
    counts = pq.read_table(tmp_path / "noisy.parquet").column("count").to_pylist()
    assert (sum(counts), counts[0] + counts[1], counts[0] + counts[2]) == (4 * 10**9, 2 * 10**9, 2 * 10**9)
    assert 0 < abs(counts[0] - 10**9) < 100


def test_the_claim_states_the_budget_and_is_open_on_records_in_words(capsys, homes, tmp_path):
    claim = tmp_path / "claim.toml"
    assert run(capsys, homes, *NOISE, "--output", tmp_path / "noisy.csv", "--claim", claim)[0] == 0
    assert main(["audit", str(claim)]) == 3
    out = capsys.readouterr().out
    assert "fibre-noise: a finite domain" in out
    assert "'epsilon = 1/2' with the budget, epsilon = 1/2" in out


def test_its_claim_on_a_finite_universe_is_decided(capsys, tmp_path):
    text = """id = "noise"
statement = "Noise on the fibre."
[domain]
margins = [{ rows = [2, 1], columns = [1, 2] }, { rows = [1, 1], columns = [1, 1] }]
[multiverse]
invariants = ["swapping"]
[input_premetric]
name = "hamming_unordered"
resolution = "record"
[output_premetric]
name = "multiplicative"
[budget]
gamma = "4"
[mechanism]
name = "fibre-noise"
root = "1/2"
"""
    (tmp_path / "claim.toml").write_text(text)
    assert main(["audit", str(tmp_path / "claim.toml")]) == 0
    (tmp_path / "less.toml").write_text(text.replace('"4"', '"39/10"'))
    assert main(["audit", str(tmp_path / "less.toml")]) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (NOISE[:-2], "--method fibre-noise must have --epsilon; got none"),
        ([*NOISE, "--swap-rate", "1/2"], "--swap-rate must stand without --method fibre-noise"),
        ([*NOISE[2:], "--swap-rate", "1/2"], "--epsilon must stand without --method psa"),
        (NOISE[2:-2], "--method psa must have --swap-rate; got none"),
        ([*NOISE[:-1], "0"], "--epsilon must be from 1/1000 to 1000; got 0"),
        ([*NOISE[:-1], "1001"], "--epsilon must be from 1/1000 to 1000; got 1001"),
        ([*NOISE, "--certify"], "--certify must stand without --method fibre-noise"),
        ([*NOISE, "--engine", "spark"], "--engine spark must stand without --method fibre-noise"),
    ],
)
def test_bad_words_are_one_line_and_write_nothing(capsys, homes, tmp_path, words, message):
    status, out, err = run(capsys, homes, *words, "--output", tmp_path / "out.csv")
    assert (status, out, err) == (2, "", f"stirred: {message}\n")
    assert {path.name for path in tmp_path.iterdir()} == {"homes.csv"}


def test_data_that_the_margins_determine_are_refused(capsys, tmp_path):
    (tmp_path / "one.csv").write_text("size,tenure,county\n1,own,A\n1,own,B\n")
    status, _, err = run(capsys, tmp_path / "one.csv", *NOISE, "--output", tmp_path / "out.csv")
    assert (status, "invariants determine the data" in err) == (2, True)

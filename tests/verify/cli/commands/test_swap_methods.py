"""`stirred swap --method fibre-noise`: what it writes, states and refuses.

`stirred swap --method pairs-2010`: files in and out, its plain statement, and every bad input in one line.
"""

import hashlib
import json
import zlib
from collections import Counter

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pyarrow.parquet as pq
import pytest

from stirred.verify.cli.main import main

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


HOMES = "id,persons,adults,race,block\n" + "".join(
    f"{i},{2 + i % 2},2,{'WB'[i % 5 == 0]},b{i % 6}\n" for i in range(60)
)

BLOCKS = "block,tract,x,y\n" + "".join(f"b{i},t{i // 2},{10 * i},0\n" for i in range(6))


@pytest.fixture
def files(tmp_path):
    (tmp_path / "homes.csv").write_text(HOMES)
    (tmp_path / "blocks.csv").write_text(BLOCKS)
    return tmp_path


def swap(folder, *more, homes="homes.csv", out="out.csv"):
    columns = ("--match", "persons", "adults", "--swap", "block", "--id", "id")
    paths = ("--geography", str(folder / "blocks.csv"), "--microdata", str(folder / out))
    return main(["swap", str(folder / homes), "--method", "pairs-2010", *columns, *paths, "--swap-rate", "1/10", *more])


def rows(path):
    return [line.split(",") for line in path.read_text().splitlines()[1:]]


def test_pairs_exchange_their_blocks_and_nothing_else(files, capsys):
    assert swap(files, "--seed", "3") == 0
    before, after = rows(files / "homes.csv"), rows(files / "out.csv")
    assert [row[:4] for row in before] == [row[:4] for row in after]
    moved = [i for i in range(60) if before[i][4] != after[i][4]]
    assert len(moved) == 6
    tract = {f"b{i}": i // 2 for i in range(6)}
    assert all(tract[before[i][4]] != tract[after[i][4]] for i in moved)
    kept = [Counter((row[1], row[2], row[4]) for row in table) for table in (before, after)]
    assert kept[0] == kept[1]
    out, err = capsys.readouterr()
    assert "out.csv: 60 records, 3 pairs swapped" in out
    assert err == "stirred: swapped with a seed: whoever knows it can undo the swap\n"


def test_the_specification_says_plainly_that_there_is_no_budget(files, capsys):
    swap(files)
    out = " ".join(capsys.readouterr().out.split())
    assert "infinite (swap rate 1/10): no finite epsilon is met on all universes" in out
    for cause in ("tier 4", "another tract", "10 closest", "stops at the swap rate", "swapped once"):
        assert cause in out
    assert "counts of persons x adults x race, and of persons x adults x block" in out


def test_the_manifest_stands_beside_the_file_without_the_seed(files):
    assert swap(files, "--seed", "123456789") == 0
    content = (files / "out.csv").read_bytes()
    text = (files / "out.csv.manifest.json").read_text()
    said = json.loads(text)
    assert "123456789" not in text
    assert said["file"] == {
        "name": "out.csv",
        "bytes": len(content),
        "crc32": f"{zlib.crc32(content):08x}",
        "rows": 60,
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    assert (said["mechanism"], said["records"], said["swap_rate"]) == ("2010-style swapping", 60, "1/10")
    assert said["budget"]["epsilon"] == "infinite"
    assert said["roles"] == {
        "matching": ["persons", "adults"],
        "swapping": ["block"],
        "flags": ["persons", "adults", "race"],
        "id": "id",
    }
    assert said["randomness"] == "seed, not for a release"
    assert swap(files, "--flags", "race", "--setting", "high-variance") == 0
    said = json.loads((files / "out.csv.manifest.json").read_text())
    assert (said["roles"]["flags"], said["randomness"]) == (["race"], "operating system")
    assert (said["policy"]["closest"], said["policy"]["swap_probabilities"]) == (100, ["1/10", "3/10", "3/10", 1])


def test_parquet_is_read_and_written_with_its_types(files):
    table = pyarrow.csv.read_csv(files / "homes.csv")
    pyarrow.parquet.write_table(table, files / "homes.parquet")
    assert swap(files, "--seed", "3", homes="homes.parquet", out="out.parquet") == 0
    assert swap(files, "--seed", "3") == 0
    written = pyarrow.parquet.read_table(files / "out.parquet")
    assert written.schema == table.schema
    assert [str(block) for block in written["block"].to_pylist()] == [row[4] for row in rows(files / "out.csv")]


def test_the_settings_are_those_of_the_study(files, capsys):
    for setting, closest in (("high-variance", 100), ("by-tract", 10)):
        assert swap(files, "--setting", setting) == 0
        assert f"{closest} closest" in " ".join(capsys.readouterr().out.split())


def test_who_cannot_be_swapped_is_stated(files, capsys):
    (files / "homes.csv").write_text(HOMES + "60,9,1,W,b0\n61,8,1,W,b2\n62,8,2,W,b0\n63,8,2,B,b1\n")
    assert swap(files) == 0
    assert (
        "4 of 64 households cannot be swapped, as all households of their key are in one tract; 2 of them are the only "
        "one of their key"
    ) in capsys.readouterr().err


HOME, PLACE = HOMES.splitlines(keepends=True), BLOCKS.splitlines(keepends=True)


@pytest.mark.parametrize(
    "bad",
    [
        ([*HOME, "60,2,2,W,\n"], PLACE, (), "homes.csv: every household must have a block; 1 have none, the first"),
        ([*HOME, "60,2,2,W,b9\n"], PLACE, (), "must have a place for every block of a household; 'b9' has none"),
        (HOME, [*PLACE, "b7,t3,,0\n"], (), "blocks.csv: x must be a whole number for every block; 'b7' has none"),
        (HOME, [*PLACE, "b7,t3,1.5,0\n"], (), "x must be a whole number for every block; 'b7' has '1.5'"),
        (HOME, [*PLACE, "b7,t3,1,east\n"], (), "y must be a whole number for every block; 'b7' has 'east'"),
        (HOME, [*PLACE, "b7,,1,0\n"], (), "blocks.csv: every line must have a tract; 1 of 7 have none"),
        (HOME, [*PLACE, "b0,t1,1,0\n"], (), "blocks.csv: every block must have one place; 'b0' has 2"),
        (HOME, ["block,tract,x\n"], (), "blocks.csv: must have the column 'y'; it has block, tract, x"),
        ([*HOME, "7,2,2,W,b1\n"], PLACE, (), "homes.csv: id must differ between households; '7' stands 2 times"),
        (HOME, PLACE, ("--swap-rate", "2/5"), "swap_rate must be at most 4/15, where tiers 4, 3 and 2 are all"),
        (HOME, PLACE, ("--swap-rate", "3/2"), "--swap-rate must be"),
        (HOME, PLACE, ("--match", "block"), "the column 'block' must have one role; it has two"),
        (HOME, PLACE, ("--flags", "rent"), "homes.csv: must have the column 'rent'; it has id, persons"),
        (HOME, PLACE, ("--output", "table.csv"), "--output must stand without --method pairs-2010"),
        (HOME, PLACE, ("--swap", "block", "race"), "--swap must name one column, the block; got block race"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(files, capsys, bad):
    homes, places, options, message = bad
    (files / "homes.csv").write_text("".join(homes))
    (files / "blocks.csv").write_text("".join(places))
    before = sorted(path.name for path in files.iterdir())
    status = swap(files, *options)
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert sorted(path.name for path in files.iterdir()) == before


def test_what_it_needs_is_said(files, capsys):
    call = ["swap", str(files / "homes.csv"), "--method", "pairs-2010", "--swap", "block", "--swap-rate", "0.1"]
    assert main(call) == 2
    assert capsys.readouterr().err == "stirred: --method pairs-2010 must have --geography\n"
    assert swap(files, out="homes.csv") == 2
    assert "--microdata must not be the file of records or of blocks" in capsys.readouterr().err


def test_rates_above_the_tiers_are_run_on_request(files):
    assert swap(files, "--swap-rate", "2/5", "--shorten-tiers") == 0


def test_a_household_without_a_partner_is_refused_on_request(files, capsys):
    (files / "homes.csv").write_text("id,persons,adults,race,block\n1,1,1,W,b0\n2,2,2,W,b0\n")
    assert swap(files, "--every-partner", "--shorten-tiers", "--swap-rate", "1") == 2
    assert "every household must have a possible partner; household" in capsys.readouterr().err
    assert not (files / "out.csv").exists()


def test_a_column_that_determines_the_block_undoes_the_swap(files, capsys):
    lines = [line.split(",") for line in HOMES.split()]
    nested = [[*lines[0], "plot"], *([*line, f"p{line[4]}{number % 2}"] for number, line in enumerate(lines[1:]))]
    (files / "homes.csv").write_text("".join(",".join(line) + "\n" for line in nested))
    assert swap(files) == 3
    said = capsys.readouterr().err
    assert "plot determines block in all of 60 records: whoever has the release undoes the swap" in said
    assert (files / "out.csv").exists()


def test_a_flag_that_identifies_households_is_named(files, capsys):
    lines = [line.split(",") for line in HOMES.split()]
    numbered = [[*lines[0], "serial"], *([*line, f"s{number}"] for number, line in enumerate(lines[1:]))]
    (files / "homes.csv").write_text("".join(",".join(line) + "\n" for line in numbered))
    assert swap(files) == 0
    said = capsys.readouterr().err
    assert "the column 'serial' has a distinct value in each of 60 records: it identifies them" in said
    assert "'id'" not in said

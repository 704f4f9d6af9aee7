"""`stirred swap` by fibre noise and by pairs: what it writes; `transcripts/swap-methods.txt` shows what it refuses."""

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


def test_the_claim_is_decided_by_the_theorem_of_every_size(capsys, homes, tmp_path):
    claim = tmp_path / "claim.toml"
    assert run(capsys, homes, *NOISE, "--output", tmp_path / "noisy.csv", "--claim", claim)[0] == 0
    assert main(["audit", str(claim)]) == 0
    out = capsys.readouterr().out
    assert "price.fibre.budget: 2*ln(1/root) is a budget of fibre noise" in out
    assert "'epsilon = 1/2' agrees with the budget epsilon = 1/2" in out
    text = claim.read_text()
    for old, new in (
        ('epsilon = "1/2"', 'epsilon = "0.4999999999"'),  # below 2 ln(1/root), which may still be met
        ("hamming_unordered", "symmetric_difference"),
        ('    "swapping",\n', ""),
    ):
        claim.write_text(text.replace(old, new))
        assert main(["audit", str(claim)]) == 3, new
    claim.write_text(text.replace("0.7788", "0.6788"))  # more than the claim: a smaller root has a larger loss
    assert main(["audit", str(claim)]) == 3


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


def test_a_claim_of_pairs_states_the_rule_and_what_is_kept(files, capsys):
    claim = files / "c.toml"
    more = ("--flags", "race", "--setting", "high-variance", "--shorten-tiers", "--report", str(files / "p.html"))
    assert swap(files, "--claim", str(claim), *more) == 0
    kept = "every value of each record, line by line, but those of block, and counts of persons x adults x block"
    assert kept in capsys.readouterr().out
    assert "Do it again" not in (files / "p.html").read_text()  # audit does not compare its files
    assert main(["audit", str(claim)]) == 0
    said = "geography = blocks.csv, flags = race, setting = high-variance, options = shorten-tiers, swap_rate = 1/10 "
    assert f"pairs-2010 with {said}" in capsys.readouterr().out.replace('"', "")
    text = claim.read_text()
    for old, new, message in (
        ("high-variance", "high", "mechanism.setting: unknown name 'high'"),
        ("shorten-tiers", "shorten", "mechanism.options must be among shorten-tiers, every-partner; got shorten"),
    ):
        claim.write_text(text.replace(old, new))
        assert main(["audit", str(claim)]) == 2
        assert message in capsys.readouterr().err
    claim.write_text(text)
    assert swap(files, "--claim", str(files / "d.toml"), out="other.csv") == 0
    assert "options" not in (files / "d.toml").read_text()
    capsys.readouterr()
    assert main(["compare", str(claim), str(files / "d.toml")]) == 0
    assert "setting = standard" in capsys.readouterr().out

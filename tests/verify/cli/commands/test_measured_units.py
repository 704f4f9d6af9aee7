"""A run of units that are measured: records are the units that somebody lives in, and an earlier release is kept."""

import csv
import json
import tomllib
from collections import Counter

import pyarrow.parquet as pq
import pytest
from small_homes import BLOCKS, HOMES, UNITS, earlier_release, homes_release, written_homes

from stirred.verify.cli.main import main

OCCUPIED = ("owned", "paid", "free")


def rows(folder, name):
    with (folder / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    homes = written_homes(tmp_path_factory.mktemp("homes"))
    return homes, earlier_release(homes)


@pytest.mark.parametrize("estimate", ["nearest", "rounded"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_record_is_a_unit_and_the_earlier_release_is_kept(earlier, estimate, seed):
    homes, before = earlier
    options = ["--format", "csv", "--estimate", estimate]
    status, folder = homes_release(homes, before, *options, seed=seed, output=f"{estimate}-{seed}")
    assert status == 0
    found = Counter((row["block"], row["kind"]) for row in rows(folder, "units"))
    records = Counter((row["block"], row["tenure"]) for row in rows(folder, "homes"))
    occupied = Counter(
        row["block"] for row in pq.read_table(before / "units.parquet").to_pylist() if row["h1"] == "occupied"
    )
    for block in BLOCKS:
        assert records[block, "owned"] == found[block, "owned"]
        assert records[block, "rented"] == found[block, "paid"] + found[block, "free"]
        assert sum(found[block, kind] for kind in OCCUPIED) == occupied[block]
        assert found[block, "prison"] == UNITS.count((block, "prison"))
        housing = [kind for where, kind in UNITS if where == block and kind != "prison"]
        assert sum(found[block, kind] for kind in (*OCCUPIED, "empty", "sold")) == len(housing)


def test_the_counts_of_units_are_protected_and_what_is_kept_is_said(capsys, earlier):
    homes, before = earlier
    _, folder = homes_release(homes, before, "--format", "csv", seed=5, output="said")
    output = capsys.readouterr()
    assert "rho^2 = 10" in output.out  # 9 and 1 of the earlier release
    assert "[constraints] theInvariants.Block tot: h1 of the earlier release" in output.err
    claim = tomllib.loads((folder / "specification.toml").read_text())
    assert claim["budget"]["rho_squared"] == "10"
    kept = ["housing (Block)", "prison (Block)", "total (Block)"]
    assert sorted(set(claim["multiverse"]["invariants"])) == kept
    assert "no more records than units that are owned" in claim["domain"]["description"]
    exact = Counter(UNITS), Counter((block, tenure) for block, tenure, _ in HOMES)
    found = (
        Counter((row["block"], row["kind"]) for row in rows(folder, "units")),
        Counter((row["block"], row["tenure"]) for row in rows(folder, "homes")),
    )
    assert found != exact
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["file"]["name"], manifest["units"]["name"]) == ("homes.csv", "units.csv")
    assert manifest["units"]["rows"] == len(UNITS)


def test_measurements_of_units_stand_in_a_column_of_their_own(earlier):
    homes, before = earlier
    _, folder = homes_release(homes, before, output="column")
    table = pq.read_table(folder / "measurements" / "US.parquet" / "DPQuery" / "part-0.parquet", partitioning=None)
    columns = ("query_name", "tenure", "size", "kind", "query_shape")
    assert [tuple(row[name] for name in columns) for row in table.to_pylist()] == [
        ("kind_dpq", "*", "*", "kind", [1, 1, 6]),
        ("tenure_dpq", "tenure", "*", "*", [2, 1, 1]),
        ("detailed_dpq", "detailed", "detailed", "*", [2, 2, 1]),
    ]


REFUSED = (
    ("data/homes.csv", "n1,owned,one\n", "", "no more units than records that are owned of n1"),
    ("data/units.csv", "n2,free\n", "", "no more records than units that are rented of n2"),
    ("data/units.csv", "n1,prison", "n1,jail", "kind must be a value of the schema; got 'jail'"),
    ("schema.toml", ', rented = ["paid", "free"]', "", "same must name each value of tenure; it names owned"),
    ("schema.toml", '["paid", "free"]', '["paid", "owned"]', "units: must name each value of kind at most once"),
    ("schema.toml", 'of = "tenure"', 'of = "tenura"', "units: unknown attribute 'tenura'"),
    ("schema.toml", 'table = "homes"', 'table = "units"', "and records another table"),
    ("settings.ini", "kind: 1/2, tenure", "kind * tenure: 1/2, size", "must count records or units; it counts both"),
    ("settings.ini", ", gqhh_vect\n", "\n", "gq_vect requires the invariant gqhh_vect"),
    ("settings.ini", "gq_vect, owned", "gq_vect, ownd", "unknown constraint 'ownd'; did you mean 'owned'?"),
)


@pytest.mark.parametrize("changed", REFUSED, ids=lambda one: one[3][:40])
def test_what_does_not_fit_is_refused_by_name(capsys, tmp_path, earlier, changed):
    *change, words = changed
    assert homes_release(written_homes(tmp_path, [change]), earlier[1])[0] == 2
    assert words in capsys.readouterr().err


def test_the_earlier_release_must_be_named(capsys, earlier):
    homes, _ = earlier
    given = ["--settings", homes / "settings.ini", "--schema", homes / "schema.toml", "--data", homes / "data"]
    assert main(["run", "topdown", *map(str, given), "--output", str(homes.parent / "alone")]) == 2
    assert "h1 requires --earlier and --reproduce 'Block=h1'" in capsys.readouterr().err

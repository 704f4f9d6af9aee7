"""What `stirred run topdown` releases beside the records: measurements and constraints by level, cells in order.

Of millions of persons no query of the redistricting settings has more than a little noise.
"""

import json
from hashlib import sha256
from itertools import product

import pyarrow.parquet as pq
import pytest
from topdown_town import changed, run

from stirred.mechanisms.das.topdown import Tie, Weights, invariants
from stirred.mechanisms.das.topdown.integers import SparseCounts, nonzero
from stirred.mechanisms.fast.rounded_point import rounded_point
from stirred.mechanisms.fast.topdown import ROOT, Estimation
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.verify.cli.main import main
from stirred.verify.products.topdown.examples import redistricting
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.settings import design_of, read_settings


def rows(folder, level, kind):
    """The rows of a level by query and node."""
    found = pq.read_table(folder / "measurements" / f"{level}.parquet" / kind).to_pylist()
    return {(row["query_name"], row["geocode"]): row for row in found}


class TestReleasedMeasurements:
    def test_without_noise_to_speak_of_answers_are_the_sums_of_the_records(self, capsys, town):
        """A budget of 10^12 has noise that is never seen; the records are then those of the data."""
        changed(town, "settings.ini", "global_scale = 339/542", "global_scale = 1/1000000")
        *_, output = run(capsys, town, "--seed", 1)
        persons = pq.read_table(output / "persons.parquet").to_pylist()
        in_north = [one for one in persons if one["block"].startswith("north")]
        values = (["household", "prison", "nursing home"], ["minor", "adult"], ["no", "yes"])
        state = rows(output, "State", "DPQuery")["detailed_dpq", "north"]
        assert (state["hhgq"], state["query_shape"]) == ("detailed", [3, 2, 2])
        assert state["value"] == [
            sum((one["hhgq"], one["votingage"], one["hispanic"]) == cell for one in in_north)
            for cell in product(*values)
        ]
        block = rows(output, "Block", "DPQuery")["votingage * hispanic_dpq", "north 1.2"]
        assert (block["hhgq"], block["votingage"], block["query_shape"]) == ("*", "votingage", [1, 2, 2])
        here = [one for one in persons if one["block"] == "north 1.2"]
        assert block["value"] == [
            sum((one["votingage"], one["hispanic"]) == cell for one in here) for cell in product(*values[1:])
        ]

    def test_constraints_are_invariants_bounds_and_rules_at_their_levels(self, capsys, town):
        *_, output = run(capsys, town, "--seed", 1)
        assert rows(output, "US", "Constraint") == rows(output, "County", "Constraint") == {}
        states = rows(output, "State", "Constraint")
        assert {key: (row["sign"], row["value"]) for key, row in states.items()} == {
            ("total_con", "north"): ("=", [58]),  # 2 counties of 3 + 5 + 7 + 9 persons, and of 5 in a prison
            ("total_con", "south"): ("=", [29]),
        }
        leaves = rows(output, "Block", "Constraint")
        assert {name for name, _ in leaves} == {"hhgq_total_lb_con", "hhgq_total_ub_con", "nurse_nva_0_con"}
        assert leaves["hhgq_total_lb_con", "north 1.3"]["value"] == [0, 1, 0]  # 5 households, 1 prison
        assert leaves["hhgq_total_ub_con", "north 1.3"]["value"] == [5 * 99_999, 99_999, 0]
        rule = leaves["nurse_nva_0_con", "north 1.3"]
        assert (rule["sign"], rule["value"], rule["hhgq"], rule["hispanic"]) == ("=", [0], "nurse_nva_0", "*")

    def test_a_type_without_a_limit_has_no_bound(self, capsys, town):
        changed(town, "schema.toml", "most = { household = 99999, prison", "most = { prison")
        *_, output = run(capsys, town)
        assert rows(output, "Block", "Constraint")["hhgq_total_ub_con", "north 1.3"]["value"] == [None, 99_999, 0]
        assert main(["check", str(output)]) == 0

    def test_the_manifest_has_every_file_and_its_digest(self, capsys, town):
        *_, output = run(capsys, town)
        stated = json.loads((output / "manifest.json").read_text())["measurements"]
        files = [path for path in (output / "measurements").rglob("*") if path.is_file()]
        assert {path.relative_to(output).as_posix() for path in files} == set(stated)
        assert len(stated) == 2 * 4
        assert all(one["sha256"] == sha256((output / name).read_bytes()).hexdigest() for name, one in stated.items())
        assert (output / "schema.toml").read_text() == (town / "schema.toml").read_text()

    def test_an_attribute_that_is_called_as_a_column_is_refused(self, capsys, town):
        for file in ("schema.toml", "settings.ini"):
            text = (town / file).read_text()
            (town / file).write_text(text.replace("votingage", "value"))
        persons = town / "data" / "persons.csv"
        persons.write_text(persons.read_text().replace("votingage", "value", 1))
        status, out, errors, output = run(capsys, town)
        assert (status, out, output.exists()) == (2, "", False)
        assert "attributes must have other names than the columns of measurements; got 'value'" in errors
        status, *_ = run(capsys, town, "--no-measurements")
        assert status == 0


@pytest.mark.parametrize("times", [1, 5_000, 100_000])
def test_a_nation_of_so_many_times_the_made_persons_is_estimated(tmp_path, times):
    """With 5,000 and 100,000 Clarabel takes the weak squares of cells for a descent without end, at its tolerances."""
    for name, text in redistricting(1, 1, counties=1).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings = read_settings([str(tmp_path / f"pl94_person_{name}.ini") for name in ("US", "default")])
    schema = read_schema(str(tmp_path / "schema.toml"))
    tables = read_tables(str(tmp_path / "data"), schema)
    design = design_of(
        settings, schema.schema, tables.geography, place=tables.place, weights=Weights.PRECISION, tie=Tie.SMALLEST
    )
    leaves = {}
    for leaf, counts in tables.histograms.items():
        cells, numbers = nonzero(counts)
        leaves[leaf] = SparseCounts(len(design.cells), cells, times * numbers)
    histograms = design.summed(leaves)
    measured = keyed_measurements(design, histograms, bytes(32))
    totals = invariants(design, histograms)
    one = Estimation(design, measured, totals, (), rounded_point)
    (found,) = one.children(ROOT, None).values()
    persons = schema.schema.records
    assert sum(found[:persons]) == sum(histograms["US"][:persons]) > 100 * times
    far = max(abs(ours - true) for ours, true in zip(found, histograms["US"], strict=True))
    assert 0 < far < 60

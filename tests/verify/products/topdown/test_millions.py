"""The published redistricting settings with millions of persons, of whom no query has more than a little noise."""

import pytest

from stirred.mechanisms.das.topdown import Tie, Weights, invariants
from stirred.mechanisms.das.topdown.integers import SparseCounts, nonzero
from stirred.mechanisms.fast.rounded_point import rounded_point
from stirred.mechanisms.fast.topdown import ROOT, Estimation
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.verify.products.topdown.examples import redistricting
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.settings import design_of, read_settings


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
        settings,
        schema.schema,
        tables.geography,
        place=tables.place,
        weights=Weights.PRECISION,
        tie=Tie.SMALLEST,
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

"""A root that is estimated on chosen cells has the counts that it has on all of them."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from stirred.mechanisms.fast import chosen_cells
from stirred.mechanisms.fast.rounded_point import rounded_point
from stirred.mechanisms.fast.topdown import Estimation, estimate
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.mechanisms.topdown import (
    Design,
    Geography,
    KeptTotal,
    Published,
    QueryGroup,
    Tie,
    Weights,
    invariants,
)
from stirred.mechanisms.topdown.design import total
from stirred.mechanisms.topdown.integers import SparseCounts
from stirred.mechanisms.topdown.schema import Recode, RecordRule, RecordSchema, Units
from stirred.spec import InputError

SCHEMA = RecordSchema(
    "person",
    {
        "kind": ("home", "jail", "ship"),
        "sex": ("f", "m"),
        "age": tuple(map(str, range(12))),
        "race": tuple("abcdefgh"),
    },
    {"grown": Recode("age", {"young": tuple(map(str, range(4))), "old": tuple(map(str, range(4, 12)))})},
    (RecordRule("no children at sea", {"kind": ("ship",), "age": ("0", "1", "2")}),),
    Units("kind", {"jail": 1, "ship": 1}, {"jail": 99, "ship": 99}),
)
TOWNS = Geography({"US": None, "A": "US", "B": "US"})
QUERIES = ("total", "kind * grown", "sex * race", "age * sex", "kind * age * race", "detailed")


def design_of(schema=SCHEMA):
    groups = tuple(QueryGroup(one, "person", schema.marginal(one), Fraction(1, 6)) for one in QUERIES)
    kept = [KeptTotal(f"persons {level}", level, schema.rows("total")["total"]) for level in (1,)]
    kept += [KeptTotal(f"units {kind}", 2 - 1, schema.unit_row(kind)) for kind in schema.unit_types]
    return Design(
        TOWNS, schema.cell_parts, groups, tuple(kept), schema.edits, (Fraction(1, 2),) * 2, {"person": Fraction(1, 2)}
    )


def estimation_of(seed, persons, design, reproduced=None):
    random = np.random.default_rng(seed)
    chosen = design.open_cells[design.open_cells < SCHEMA.records]
    leaves = {}
    for leaf in TOWNS.leaves:
        counts = np.zeros(len(design.cells), dtype=np.int64)
        np.add.at(counts, random.choice(chosen[::5], persons), 1)
        kinds = counts[: SCHEMA.records].reshape(3, -1).sum(axis=1)
        counts[SCHEMA.records :] = np.maximum(1, kinds // 9)
        counts[np.flatnonzero(counts[: SCHEMA.records] == 0)[:3]] += 1  # so that every kind of unit has a person
        leaves[leaf] = SparseCounts.from_pairs(len(counts), dict(enumerate(counts.tolist())))
    histograms = design.summed(leaves)
    measured = keyed_measurements(design, histograms, bytes([seed] * 32))
    published = tuple(
        Published(KeptTotal(f"released {name}", 1, row), tuple(total(row, leaves[leaf]) for leaf in TOWNS.leaves))
        for name, row in (SCHEMA.rows(reproduced).items() if reproduced else ())
    )
    return Estimation(design, measured, invariants(design, histograms), published, rounded_point)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", Weights)
def test_chosen_cells_have_what_all_cells_have(monkeypatch, seed, weights):
    monkeypatch.setattr(chosen_cells, "_FIRST", 40)
    design = replace(design_of(), weights=weights, tie=list(Tie)[seed % 2])
    one = estimation_of(seed, 60, design)
    on_all = estimate(one)
    on_chosen = estimate(replace(one, most_cells=0))
    assert len(design.open_cells) > 400
    assert on_chosen == on_all


def test_chosen_cells_have_totals_of_an_earlier_release(monkeypatch):
    monkeypatch.setattr(chosen_cells, "_FIRST", 40)
    one = estimation_of(5, 40, design_of(), "kind * grown * sex")
    found = estimate(replace(one, most_cells=0))
    assert found == estimate(one)
    for of in one.published:
        assert of.values == tuple(total(of.aggregate.row, found[leaf]) for leaf in TOWNS.leaves)


def test_more_cells_are_chosen_where_those_of_a_class_are_used_up(monkeypatch):
    """One person for each of 20 units at sea, of whom the measurements tell nothing: in every cell chosen at first."""
    monkeypatch.setattr(chosen_cells, "_FIRST", 40)
    design = design_of()
    sea, units = SCHEMA.marginal("kind").of(design.open_cells) == 2, SCHEMA.records + 2
    counts = {int(design.open_cells[sea][-1]): 20, units: 20, 0: 1, SCHEMA.records: 1}
    leaf = SparseCounts.from_pairs(len(design.cells), counts)
    histograms = design.summed(dict.fromkeys(TOWNS.leaves, leaf))
    measured = tuple(tuple([-5] * len(group.rows) for group in design.groups) for _ in TOWNS.nodes)
    one = Estimation(design, measured, invariants(design, histograms), (), rounded_point)
    assert estimate(replace(one, most_cells=0))["US"] == estimate(one)["US"]


def test_a_conflict_is_told_with_its_constraints():
    one = estimation_of(0, 5, design_of())
    totals = ((0, 0), *one.totals[1:])
    with pytest.raises(InputError, match=r"^level 0, US: .*persons 1 of A = 0"):
        estimate(replace(one, totals=totals, most_cells=0))


def test_the_nearest_integers_are_not_sought_among_many_cells():
    one = replace(estimation_of(0, 5, design_of()), most_cells=10, solver=lambda problem: ())
    with pytest.raises(InputError, match="among at most 10 cells at the root; it has 5"):
        estimate(one)

"""Units that are measured beside the records that live in them: the schema, its budget, and the nearest counts."""

from fractions import Fraction

import pytest

from stirred.mechanisms.das.topdown import (
    Design,
    Geography,
    KeptTotal,
    QueryGroup,
    estimate,
    invariants,
    replacement_cost,
)
from stirred.mechanisms.das.topdown.schema import MeasuredUnits, Recode, RecordSchema
from stirred.mechanisms.fast.topdown import Estimation
from stirred.mechanisms.fast.topdown import estimate as fast_estimate
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.spec.arguments import InputError

UNITS = MeasuredUnits("kind", ("own", "pay", "free", "empty"), "tenure", {"owned": ("own",), "rented": ("pay", "free")})
SCHEMA = RecordSchema(
    "housing unit",
    {"tenure": ("owned", "rented")},
    {"lived in": Recode("kind", {"yes": ("own", "pay", "free"), "no": ("empty",)})},
    measured_units=UNITS,
)
TOWNS = Geography({"US": None, "a": "US", "b": "US"})
THIRD = Fraction(1, 3)
GROUPS = tuple(
    QueryGroup(query, "housing unit", SCHEMA.marginal(query), THIRD) for query in ("kind", "lived in", "tenure")
)
KEPT = KeptTotal("units", 1, (0, 0, 1, 1, 1, 1))
DESIGN = Design(
    TOWNS, SCHEMA.cell_parts, GROUPS, (KEPT,), SCHEMA.edits, (THIRD, 1 - THIRD), {"housing unit": Fraction(2)}
)
DATA = {"a": {"own": 2, "empty": 1}, "b": {"free": 1, "pay": 1}}


def histograms(data):
    records = []
    for block, kinds in data.items():
        for kind, count in kinds.items():
            records += [(block, f"units: {kind}")] * count
            homes = [value for value, of in UNITS.same.items() if kind in of]
            records += [(block, value) for value in homes for _ in range(count)]
    return DESIGN.histograms(records)


def test_a_query_counts_records_or_units():
    assert list(map(tuple, SCHEMA.marginal("lived in"))) == [(0, 0, 1, 1, 1, 0), (0, 0, 0, 0, 0, 1)]
    assert {label: tuple(row) for label, row in SCHEMA.rows("kind").items()}["free"] == (0, 0, 0, 0, 1, 0)
    with pytest.raises(InputError, match="must count records or units; it counts both"):
        SCHEMA.marginal("kind * tenure")
    assert {SCHEMA.cell_parts[name] for name in SCHEMA.cell_parts} == {"housing unit"}


def test_a_unit_that_is_replaced_costs_the_whole_budget_at_most():
    """One that is lived in leaves for an empty one elsewhere: the largest change of both tables at once."""
    assert DESIGN.spent("housing unit") == 2
    before = histograms(DATA)
    moved = histograms({"a": {"own": 1, "empty": 1}, "b": {"free": 2, "pay": 1}})
    assert replacement_cost(DESIGN, before, moved) <= 2
    # from a to b: each of three queries changes by 1 and 1 at the blocks, kind and tenure by 2 above
    assert replacement_cost(DESIGN, before, moved) == 2 * Fraction(2, 3) + 2 * THIRD * 2 * THIRD


@pytest.mark.parametrize("seed", range(12))
def test_the_nearest_counts_are_those_of_the_exhaustive_search(seed):
    true = histograms(DATA)
    measured = keyed_measurements(DESIGN, true, bytes([seed] * 32))
    totals = invariants(DESIGN, true)
    slow = dict(estimate(DESIGN, [[list(one) for one in of] for of in measured], totals))
    fast = fast_estimate(Estimation(DESIGN, measured, totals))
    assert {leaf: tuple(fast[leaf]) for leaf in slow} == {leaf: tuple(of) for leaf, of in slow.items()}
    for owned, rented, own, pay, free, _ in slow.values():
        assert (owned, rented) == (own, pay + free)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"attribute": "tenure"}, "attribute must be no attribute of a record"),
        ({"of": "size"}, "units: unknown attribute 'size'"),
        ({"same": {"owned": ("own",)}}, "same must name each value of tenure; it names owned"),
        ({"same": {"owned": ("own",), "rented": ("own",)}}, "must name each value of kind at most once"),
        ({"same": {"owned": ("own",), "rented": ("rent",)}}, "kind has no value 'rent'"),
    ],
)
def test_units_that_do_not_fit_the_records_are_refused(changed, words):
    given = {"attribute": "kind", "values": UNITS.values, "of": "tenure", "same": UNITS.same} | changed
    with pytest.raises(InputError, match=words):
        RecordSchema("housing unit", {"tenure": ("owned", "rented")}, {}, measured_units=MeasuredUnits(**given))

"""Units that are measured beside the records that live in them: the schema, its budget, and the nearest counts.

Noisy measurements in files: read where they are needed, the same as they were drawn, a few nodes at a time.
"""

import pickle
from array import array
from fractions import Fraction

import pyarrow.parquet as pq
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
from stirred.mechanisms.tables import noisy_measurements
from stirred.mechanisms.tables.noisy_measurements import KeptMeasurements, ReleasedQuery
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
    with pytest.raises(InputError, match="must count records or units, not both"):
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


LEVELS = (("US",), ("A", "B", "C"))
ASKED = ((True, False), (True, True))

ANSWERS = {
    "US": (array("q", [5, -1]), array("q")),
    "A": (array("q", [1, 2]), array("q", [3])),
    "B": (array("q", [-4, 5]), array("q", [6])),
    "C": (array("q", [7, 2**40]), array("q", [-9])),
}


def queries(level, node, answers):
    names = ("first", "second")
    asked = [place for place, is_asked in enumerate(ASKED[level]) if is_asked]
    return [
        ReleasedQuery(node, names[place], ("size",), [len(answers[place])], answers[place], Fraction(1, 3))
        for place in asked
    ]


def kept(folder, drawn=None):
    found = KeptMeasurements(folder, ("size",), LEVELS, ASKED)
    found.write(drawn or ANSWERS.items(), queries)
    return found


def groups(one, level):
    return pq.ParquetFile(one.path(level)).metadata.num_row_groups


def test_each_node_has_what_was_drawn_in_any_order(tmp_path):
    one = kept(tmp_path)
    assert dict(one) == ANSWERS
    assert [one[node] for node in "CAB"] == [ANSWERS[node] for node in "CAB"]
    assert (list(one), len(one), one.rows(0), one.rows(1)) == (["US", "A", "B", "C"], 4, 1, 6)
    assert groups(one, 1) == 1


def test_a_row_group_has_whole_nodes_and_about_as_many_answers(monkeypatch, tmp_path):
    monkeypatch.setattr(noisy_measurements, "_MOST_ANSWERS", 4)
    one = kept(tmp_path)
    assert groups(one, 1) == 3
    assert [one[node] for node in ("B", "US", "C")] == [ANSWERS[node] for node in ("B", "US", "C")]


def test_another_process_reads_the_same_files(tmp_path):
    one = kept(tmp_path)
    assert one["A"] == ANSWERS["A"]
    again = pickle.loads(pickle.dumps(one))  # noqa: S301 its own
    assert dict(again) == ANSWERS


def test_a_node_is_written_before_the_next_but_one_part_is_drawn(monkeypatch, tmp_path):
    """Of each part at most the node that ends it is held beside it."""
    monkeypatch.setattr(noisy_measurements, "_MOST_ANSWERS", 3)
    written = []
    monkeypatch.setattr(
        noisy_measurements, "query_table", lambda schema, rows, make=noisy_measurements.query_table: (
            written.append(rows[0].node), make(schema, rows)
        )[1],
    )  # fmt: skip
    seen = []

    def drawn():
        for node, answers in ANSWERS.items():
            seen.append((node, list(written)))
            yield node, answers

    kept(tmp_path, drawn())
    assert seen == [("US", []), ("A", ["US"]), ("B", ["US"]), ("C", ["US", "A"])]


def test_the_rows_are_those_of_the_queries(tmp_path):
    table = pq.read_table(kept(tmp_path).path(1))
    assert table.num_rows == 6
    row = table.to_pylist()[-1]
    assert (row["geocode"], row["query_name"], row["value"], row["exact_variance"]) == ("C", "second", [-9], "1/3")


HALF = Fraction(1, 2)

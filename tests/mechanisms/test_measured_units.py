"""Units that are measured beside the records that live in them: the schema, its budget, and the nearest counts.

Noisy measurements in files: read where they are needed, the same as they were drawn, a few nodes at a time.

Weighted totals: sensitivities against every change of a record, arrays against the program they stand for.
"""

import pickle
from array import array
from fractions import Fraction
from itertools import pairwise, permutations, product

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from stirred.mechanisms.fast.raking import raked_table
from stirred.mechanisms.fast.topdown import Estimation
from stirred.mechanisms.fast.topdown import estimate as fast_estimate
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.mechanisms.fast.weighted_totals import SequentialDonors, steps_of, totals_by_cell
from stirred.mechanisms.surveys.calibration import post_stratified, raked
from stirred.mechanisms.surveys.sequential_hot_deck import sequential_hot_deck
from stirred.mechanisms.surveys.weighted_totals import WeightedTotal
from stirred.mechanisms.tables import kept_measurements
from stirred.mechanisms.tables.kept_measurements import KeptMeasurements
from stirred.mechanisms.tables.noisy_measurements import ReleasedQuery
from stirred.spec.arguments import InputError
from stirred.spec.surveys.unit_data import unit_data

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
    monkeypatch.setattr(kept_measurements, "_MOST_ANSWERS", 4)
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
    monkeypatch.setattr(kept_measurements, "_MOST_ANSWERS", 3)
    written = []
    monkeypatch.setattr(
        kept_measurements, "query_table", lambda schema, rows, make=kept_measurements.query_table: (
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


def released(records, total, cells, donations):
    """The totals of all cells, in units, of records (unit, (cell, weight, value)); a missing value is None."""
    data = unit_data(dict(records))
    if donations:
        data = sequential_hot_deck(
            data, None, variable=2, donor_class=lambda record: record[0], donations=donations, otherwise=total.low
        )
    cell, weight, value = (np.array([float(record[place]) for _, record in data]) for place in range(3))
    steps = steps_of(total, weight, value)
    return tuple(int(x) for x in totals_by_cell(cell.astype(np.int64), steps, cells))


def largest_change(units, count, records, total, *, cells, donations):
    """The largest L1 change where one unit with its record is replaced by another, over all samples of units."""
    found = {
        frozenset(zip(chosen, given, strict=True)): None
        for chosen in permutations(units, count)
        for given in product(records, repeat=count)
    }
    values = {sample: released(sample, total, cells, donations) for sample in found}
    samples = list(values)
    return max(
        sum(abs(a - b) for a, b in zip(values[x], values[y], strict=True))
        for i, x in enumerate(samples)
        for y in samples[:i]
        if len(x - y) == 1
    )


@pytest.mark.parametrize(
    ("total", "cells", "stated"),
    [
        (WeightedTotal(0, 1, 2, 1), 1, 2),
        (WeightedTotal(-1, 1, 2, 1), 1, 4),
        (WeightedTotal(0, 1, 2, 1), 2, 4),
        (WeightedTotal(-1, 2, 1, HALF), 2, 8),
    ],
)
def test_the_stated_sensitivity_is_attained_where_nothing_is_imputed(total, cells, stated):
    values = (total.low, total.high)
    records = [(c, w, v) for c in range(cells) for w in (0, total.largest) for v in values]
    assert total.moved(cells) == stated
    assert largest_change((1, 2), 2, records, total, cells=cells, donations=0) == stated


@pytest.mark.parametrize(("cells", "units", "count", "stated"), [(1, 5, 4, 3), (2, 3, 3, 4)])
def test_the_stated_sensitivity_is_attained_where_donors_serve_once(cells, units, count, stated):
    total = WeightedTotal(0, 1, 1, 1)
    records = [(cell, 1, value) for cell in range(cells) for value in (0, 1, None)]
    found = largest_change(range(units), count, records, total, cells=cells, donations=1)
    assert total.moved(cells) < found == total.moved(cells, 1) == stated


def test_a_donor_serves_no_more_than_it_may():
    data = unit_data({1: (7,), 2: (None,), 3: (None,), 4: (None,), 5: (8,), 6: (None,)})
    done = sequential_hot_deck(data, None, variable=0, donor_class=lambda record: 0, donations=2, otherwise=0)
    assert [value for _, (value,) in done] == [7, 7, 7, 0, 8, 8]


values = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([None, 1, 2, 3])), max_size=14)


@given(values, st.integers(1, 3), st.lists(st.integers(0, 14), max_size=3))
def test_donors_in_batches_are_those_of_the_program(records, donations, cuts):
    data = unit_data(dict(enumerate(records)))
    slow = sequential_hot_deck(
        data, None, variable=1, donor_class=lambda record: record[0], donations=donations, otherwise=9
    )
    classes = np.array([one for one, _ in records], dtype=np.int64)
    given_values = np.array([np.nan if value is None else value for _, value in records])
    donors = SequentialDonors(3, donations, 9.0)
    ends = sorted({0, len(records), *(min(cut, len(records)) for cut in cuts)})
    parts = [donors.imputed(given_values[a:b], classes[a:b]) for a, b in pairwise(ends)]
    fast = np.concatenate(parts) if parts else np.array([])
    assert [value for _, (_, value) in slow] == fast.tolist()


def test_what_a_record_adds_stays_between_its_bounds():
    total = WeightedTotal(Fraction(-1, 3), 2, 10, Fraction(1, 4))
    weights = np.array([-5.0, 0.0, 3.3, 10.0, 1e300])
    for value in (-1e300, -0.2, 0.0, 1.9, 1e300):
        steps = steps_of(total, weights, np.full(5, value))
        assert total.lowest <= steps.min() <= steps.max() <= total.highest
    assert (total.lowest, total.highest) == (-14, 80)


def test_sums_that_might_be_inexact_are_refused():
    with pytest.raises(InputError, match="unit must be larger"):
        totals_by_cell(np.zeros(2**13, dtype=np.int64), np.full(2**13, 2**40), 1)
    with pytest.raises(InputError, match=r"at most 2\^40"):
        WeightedTotal(0, 1, 2**41, 1)
    with pytest.raises(InputError, match="low must be at most high"):
        WeightedTotal(2, 1, 1, 1)


def test_a_raked_table_is_that_of_the_exact_weights():
    """Cells of weights 1, 2, 3, 4 raked in doubles, and exactly in 40 rounds."""
    data = unit_data({unit: (unit // 2, unit % 2) for unit in range(4)})
    weights = tuple((unit, Fraction(unit + 1)) for unit in range(4))
    first = (lambda record: record[0], {0: 10, 1: 20})
    second = (lambda record: record[1], {0: 12, 1: 18})
    exact = raked(weights, data, margins=[first, second], rounds=12)
    table = np.array([[1.0, 2.0], [3.0, 4.0]])
    found = raked_table(table, {0: np.array([10.0, 20.0]), 1: np.array([12.0, 18.0])})
    assert found.reshape(-1) == pytest.approx([float(weight) for _, weight in exact], rel=1e-8)
    once = post_stratified(weights, data, stratum=first[0], totals=first[1])
    assert raked_table(table, {0: np.array([10.0, 20.0])}).reshape(-1) == pytest.approx(
        [float(weight) for _, weight in once]
    )

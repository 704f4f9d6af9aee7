"""Noisy measurements in files: read where they are needed, the same as they were drawn, a few nodes at a time."""

import pickle
from array import array
from fractions import Fraction

import pyarrow.parquet as pq

from stirred.mechanisms.tables import kept_measurements
from stirred.mechanisms.tables.kept_measurements import KeptMeasurements
from stirred.mechanisms.tables.noisy_measurements import ReleasedQuery

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

"""`stirred check` of a release whose units were measured: each record is a unit, at every leaf."""

import pyarrow.parquet as pq
import pytest
from released_town import rewritten
from small_homes import UNITS, earlier_release, homes_release, written_homes

from stirred.spec.arguments import InputError
from stirred.verify.cli import main
from stirred.verify.products.topdown.schema import read_schema
from stirred.verify.released.records import record_kinds


def checked(capsys, folder):
    capsys.readouterr()
    status = main(["check", str(folder)])
    return status, capsys.readouterr().out


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    folder = written_homes(tmp_path_factory.mktemp("homes"))
    return folder, earlier_release(folder)


@pytest.fixture
def rounded(tmp_path, homes):
    folder = written_homes(tmp_path)
    return homes_release(folder, homes[1], "--estimate", "rounded")[1]


def test_a_release_is_confirmed_from_its_folder_alone(capsys, rounded):
    status, out = checked(capsys, rounded)
    records = pq.read_metadata(rounded / "homes.parquet").num_rows
    assert status == 0
    # 3 leaves: housing and group quarters, the total of those, the earlier occupied and vacant ones, 2 tenures
    assert f"CONFIRMED: {records} records and {len(UNITS)} units of the schema, at leaves of the tree" in out
    assert "meet all of 21 constraints" in out
    assert "the noise spends at most rho^2 = 10, with 1 of the earlier release; specification.toml promises 10" in out


def test_of_the_nearest_it_is_open_whether_others_are_nearer(capsys, tmp_path, homes):
    _, folder = homes_release(written_homes(tmp_path), homes[1])
    status, out = checked(capsys, folder)
    assert status == 3
    assert "OPEN: whether other counts of records and units are nearer is not looked at" in out


CHANGES = (
    ("homes", "tenure", "owned", "rented", "must have as many records that are owned as units owned"),
    ("units", "kind", "owned", "free", "must have as many records that are owned as units owned"),
    ("units", "kind", "empty", "prison", "tot_hu_con of"),
    ("units", "kind", "empty", "owned", "earlier h1_con of"),
    ("units", "kind", "empty", "jail", "kind must be of the schema and the tree; got 'jail'"),
)


@pytest.mark.parametrize("changed", CHANGES, ids=lambda one: one[3])
def test_one_unit_that_is_another_is_noticed(capsys, rounded, changed):
    name, column, old, new, words = changed

    def change(rows):
        next(row for row in rows if row[column] == old)[column] = new
        return rows

    rewritten(rounded / f"{name}.parquet", change)
    status, out = checked(capsys, rounded)
    assert status == 1
    assert words in out


def test_a_unit_that_is_missing_is_noticed(capsys, rounded):
    rewritten(rounded / "units.parquet", lambda rows: rows[1:])
    status, out = checked(capsys, rounded)
    assert (status, "units.parquet must have 11 records; it has 10" in out) == (1, True)


@pytest.mark.parametrize("query", ["kind", "h1", "tot_hu", "tenure", "size * tenure", "detailed", "total"])
def test_answers_are_the_rows_of_the_schema_in_order(homes, query):
    path = homes[0] / "schema.toml"
    schema, kinds = read_schema(str(path)).schema, record_kinds("schema.toml", path.read_text())
    answers, shape = kinds.answers("query", kinds.factors(query))
    rows = schema.rows(query)
    assert len(shape) == 3
    for number, (label, row) in enumerate(rows.items()):
        inside = [cell for cell, answer in enumerate(answers.tolist()) if answer == number]
        assert inside == [cell for cell, entry in enumerate(row) if entry]
        assert kinds.labels(query, inside[:1]) == [label]
    assert len(rows) == answers.max() + 1


def test_units_that_do_not_fit_the_records_are_no_schema(homes):
    text = (homes[0] / "schema.toml").read_text()
    for old, new in (('of = "tenure"', 'of = "size"'), ('["paid", "free"]', '["cash"]')):
        with pytest.raises(InputError, match="units must have a column of their own, and as many as records"):
            record_kinds("schema.toml", text.replace(old, new))
    with pytest.raises(InputError, match="must count records or units; it counts both"):
        record_kinds("schema.toml", text).answers("query", ["tenure", "*", "kind"])

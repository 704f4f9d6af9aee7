"""`stirred run cell-key`: what is written of records, key by key, and what is refused."""

import csv
from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
import pytest

from stirred.mechanisms.fast.cell_key import changes, uniform_below
from stirred.mechanisms.fast.random_words import random_words
from stirred.mechanisms.tables import keyed_counts
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.verify.cli import main as cli
from stirred.verify.laws.p_table_file import read_p_table

P_TABLE = "i;v;p_int_ub\n1;-1;0.25\n1;0;0.5\n1;1;1\n2;1;0.125\n2;-2;0.25\n2;0;1\n"
TABLES = """\
[[table]]
name = "both"
by = ["age", "area"]
[[table]]
name = "area"
by = ["area"]
[[table]]
name = "all"
by = []
"""
AREAS, AGES, KEYS = ("north", "south", "west"), (1, 2, 10), 8


def records(size=500, seed=1):
    draw = np.random.default_rng(seed)
    area = [AREAS[one] for one in draw.integers(0, 3, size)]
    age = [AGES[one] for one in draw.integers(0, 3, size) // 2]
    return pa.table({"area": area, "age": age, "key": draw.integers(0, KEYS, size)})


@pytest.fixture
def folder(tmp_path):
    pq.write_table(records(), tmp_path / "r.parquet", row_group_size=70)
    arrow_csv.write_csv(records(), tmp_path / "r.csv")
    (tmp_path / "p.csv").write_text(P_TABLE)
    (tmp_path / "t.toml").write_text(TABLES)
    return tmp_path


def run(folder, *options, file="r.parquet", output="out.csv"):
    named = ["--tables", str(folder / "t.toml"), "--ptable", str(folder / "p.csv"), "--output", str(folder / output)]
    return cli.main(["run", "cell-key", str(folder / file), *named, *options])


def written(folder):
    with (folder / "out.csv").open() as file:
        return {(one["table"], one["age"], one["area"]): int(one["count"]) for one in csv.DictReader(file)}


def expected(rows, table):
    """Each cell by its own records, in plain Python."""
    cells = Counter()
    keys = Counter()
    for one in rows:
        for cell in (("both", str(one["age"]), one["area"]), ("area", "", one["area"]), ("all", "", "")):
            cells[cell] += 1
            keys[cell] += one["key"]
    return {cell: count + table.row(count).change(keys[cell] % table.keys) for cell, count in cells.items()}


@pytest.mark.parametrize("file", ["r.parquet", "r.csv"])
@pytest.mark.parametrize("dense", [1, 2**20])
def test_each_cell_is_changed_at_the_sum_of_its_records_keys(folder, capsys, monkeypatch, file, dense):
    monkeypatch.setattr(keyed_counts, "_DENSE", dense)
    assert run(folder, "--keys", "key", file=file) == 0
    out = capsys.readouterr().out
    assert "written, 10 cells of 500 records" in out
    assert "together no budget is stated" in out
    assert written(folder) == expected(records().to_pylist(), read_p_table(folder / "p.csv"))


def test_listed_values_are_cells_whether_they_occur_or_not(folder, capsys):
    (folder / "t.toml").write_text(
        TABLES + '[values]\narea = ["north", "south", "west", "east"]\nage = ["1", "2", "10"]\n'
    )
    assert run(folder, "--keys", "key") == 0
    assert "invariant, so not protected: nothing" in capsys.readouterr().out
    found = written(folder)
    assert (found["both", "10", "east"], found["area", "", "east"]) == (0, 0)
    assert len(found) == 3 * 4 + 4 + 1


def test_drawn_keys_are_those_of_a_seed_or_of_nobody(folder, capsys):
    found = []
    for options in (("--seed", "1"), ("--seed", "1"), ("--seed", "2"), ("--fresh", "--seed", "1")):
        assert run(folder, *options) == 0
        found.append(written(folder))
    assert "drawn with a seed" in capsys.readouterr().err
    assert found[0] == found[1] != found[2]
    true = expected([{**one, "key": 0} for one in records().to_pylist()], PTable((PTableRow((1,), (0,)),), 1))
    assert all(abs(one[cell] - true[cell]) <= 2 for one in found for cell in true)


def test_arrays_have_the_changes_of_the_rows():
    rows = ([(5, 0)], [(1, -1), (4, 2)], [(2, 1), (2, 0), (1, 3)], [(5, -2)])
    table = PTable(tuple(map(PTableRow.of, rows)), 5, reused=2, phase=1)
    counts, keys = (one.reshape(-1) for one in np.indices((12, 5)))
    assert changes(table, counts, keys).tolist() == [
        table.row(n).change(k) for n, k in zip(counts.tolist(), keys.tolist(), strict=True)
    ]


def test_words_beyond_the_last_multiple_are_drawn_again():
    last = 2**64 - 1  # the only word beyond the last multiple of 3
    given = iter([np.array(one, np.uint64) for one in ([last, 7, last - 1], [last], [9])])
    assert uniform_below(3, 3, lambda _: next(given)).tolist() == [0, 1, 2]
    drawn = uniform_below(8, 4_000, random_words(1))
    assert np.bincount(drawn, minlength=8).min() > 400


@pytest.mark.parametrize(
    ("changed", "options", "said"),
    [
        (
            {"r.csv": "area,age,key\na,1,3\nb,1,8\n"},
            ("--keys", "key"),
            "r.csv: line 3: key must be 0 to 7, a key of the p-table; got 8",
        ),
        (
            {"r.csv": "area,age,key\na,1,3\nb,1,-1\n"},
            ("--keys", "key"),
            "r.csv: line 3: key must be 0 to 7, a key of the p-table; got '-1'",
        ),
        (
            {"r.csv": "area,age,key\na,1,\n"},
            ("--keys", "key"),
            "r.csv: line 2: key must be 0 to 7, a key of the p-table; got none",
        ),
        ({"r.csv": "area,age\na,1\n"}, ("--keys", "key"), "r.csv: must have a column 'key'; known: area, age"),
        ({"r.csv": "area,age,key\na,,1\n"}, ("--keys", "key"), "r.csv: must have a value in each column"),
        ({"t.toml": '[[table]]\nname = "a"\nby = ["arae"]\n'}, (), "r.csv: must have a column 'arae'; did you mean"),
        (
            {"t.toml": TABLES + '[values]\narea = ["north", "south"]\n'},
            (),
            "r.csv: area must be a value that is listed",
        ),
        (
            {"t.toml": TABLES + '[values]\nsex = ["f"]\n'},
            (),
            "t.toml: values.sex: must be a variable of a table; known:",
        ),
        ({"t.toml": TABLES * 2}, (), "t.toml: table[3].name must be another than that of an earlier table; got 'both'"),
        ({"t.toml": '[[table]]\nname = "a"\nby = ["count"]\n'}, (), "t.toml: table[0].by must not name 'count'"),
        ({"p.csv": P_TABLE.replace("0.5", "0.25")}, (), None),
        ({"p.csv": P_TABLE.replace("2;0;1", "2;0;0.9")}, (), "p.csv: the intervals of i = 2 must end at exactly 1"),
        ({"p.csv": "i;v;p_int_ub\n0;1;1\n"}, (), "p.csv: must leave 0 as it is, since an empty cell has no keys"),
        ({}, ("--keys", "key", "--fresh"), "--fresh cannot be combined with --keys"),
        ({}, ("--keys", "key", "--seed", "1"), "--seed cannot be combined with --keys: nothing is drawn"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(folder, capsys, changed, options, said):
    for name, content in changed.items():
        (folder / name).write_text(content)
    status = run(folder, *options, file="r.csv")
    err = capsys.readouterr().err
    assert status == (0 if said is None else 2)
    assert (folder / "out.csv").exists() == (said is None)
    if said is not None:
        assert err.count("\n") == 1
        assert said in err


def test_values_of_another_type_are_refused(folder, capsys):
    (folder / "t.toml").write_text(TABLES + '[values]\nage = ["1", "two"]\n')
    pq.write_table(records(), folder / "r.parquet")
    assert run(folder) == 2
    said = "the [values] of 'age' must be of its type there, int64; got 1, two\n"
    assert capsys.readouterr().err == f"stirred: {folder / 'r.parquet'}: {said}"


def test_what_is_read_is_never_written_over(folder, capsys):
    assert run(folder, output="t.toml") == 2
    assert "--output and --tables must be different files" in capsys.readouterr().err
    assert (folder / "t.toml").read_text() == TABLES

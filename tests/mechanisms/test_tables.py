"""Swapping tables in files: what is read and written, and that parts, formats and restarts change nothing."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stirred.mechanisms.fast.swap_buckets import MatchingColumn, swap_buckets
from stirred.mechanisms.tables import streaming
from stirred.mechanisms.tables.reading import open_table
from stirred.mechanisms.tables.redistribution import SwapRun
from stirred.mechanisms.tables.roles import assign_roles
from stirred.mechanisms.tables.run_folder import RunFolder
from stirred.mechanisms.tables.streaming import PartsRun
from stirred.mechanisms.tables.swapping import swap_file, swap_table
from stirred.mechanisms.tables.writing import WholeFiles
from stirred.spec import InputError

KEY = bytes(range(32))
HALF = Fraction(1, 2)
NAMES = ["id", "size", "tenure", "county", "age"]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "10"]), st.sampled_from(["own", "rent, free", 'a"b']), *[st.sampled_from("xyz")] * 2
    ),
    min_size=1,
    max_size=30,
)


def roles(**options):
    return assign_roles("t", NAMES, matching=["size"], swapping=["county", "age"], **{"holding": ["tenure"], **options})


def as_table(rows):
    columns = [list(column) for column in zip(*rows, strict=True)]
    return pa.table([[f"r{place:02}" for place in range(len(rows))], *columns], names=NAMES)


def write(path, table):
    if path.suffix == ".csv":
        arrow_csv.write_csv(table, path)
    else:
        pq.write_table(table, path, row_group_size=7)
    return str(path)


def read(path):
    return (
        pq.read_table(path)
        if path.suffix == ".parquet"
        else arrow_csv.read_csv(
            path,
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(NAMES, pa.string()),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
            ),
        )
    )


def release(swapped, target):
    with WholeFiles() as files:
        files.table(str(target / "table.parquet"), *swapped.saturated())
        files.table(str(target / "records.csv"), *swapped.microdata())
    return read(target / "table.parquet").to_pylist(), read(target / "records.csv").to_pylist()


def in_parts(path, folder, used=None, **options):
    run = SwapRun(HALF, KEY, 4, options.pop("nulls", False))
    file = open_table(path)
    used = used or RunFolder(str(folder), {"files": file.fingerprint}, KEY)
    return PartsRun(file, roles(**options), run, used, True, lambda *_: None).swapped(10**9)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(ROWS)
def test_csv_parquet_and_parts_give_the_moves_of_the_arrays(tmp_path_factory, rows):
    tmp_path = tmp_path_factory.mktemp("tables")
    table = as_table(rows)
    matching = MatchingColumn.of(np.array([row[0] for row in rows]))
    sigma = swap_buckets([matching], len(rows), swap_rate=HALF, key=KEY, buckets=4).permutation().tolist()
    expected = [
        {**row, "county": rows[to][2], "age": rows[to][3]} for row, to in zip(table.to_pylist(), sigma, strict=True)
    ]
    cells = Counter((row["size"], row["tenure"], row["county"], row["age"]) for row in expected)
    found = []
    for place, name in enumerate(["in.csv", "in.parquet"]):
        path = write(tmp_path / name, table)
        found.append(release(swap_file(open_table(path), roles(), SwapRun(HALF, KEY, 4), microdata=True), tmp_path))
        found.append(release(in_parts(path, tmp_path / f"parts{place}"), tmp_path))
    for saturated, records in found:
        assert records == expected
        assert saturated == found[0][0]
        assert {tuple(cell.values())[:4]: cell["count"] for cell in saturated} == cells


def test_a_directory_of_partitions_is_one_data_set(tmp_path):
    table = as_table(
        [(size, tenure, county, "x") for size in ("1", "2") for tenure in ("own", "rent") for county in "xyyz"]
    )
    for size in ("1", "2"):
        (tmp_path / "data" / f"size={size}").mkdir(parents=True)
        part = table.filter(pa.compute.equal(table["size"], size)).drop_columns("size")
        pq.write_table(part, tmp_path / "data" / f"size={size}" / "part.parquet")
    file = open_table(str(tmp_path / "data"))
    assert (file.lines, file.schema.field("size").type) == (16, pa.int64())
    whole = table.drop_columns("size").append_column("size", table["size"].cast(pa.int64()))
    expected = release(swap_table(whole, roles(), SwapRun(HALF, KEY, 4)), tmp_path)
    assert release(swap_file(file, roles(), SwapRun(HALF, KEY, 4), microdata=True), tmp_path) == expected
    assert release(in_parts(str(tmp_path / "data"), tmp_path / "parts"), tmp_path) == expected


def test_parquet_out_has_the_types_of_parquet_in_and_texts_by_their_distinct_values(tmp_path):
    count = 5000
    numbers = np.arange(count)
    table = pa.table(
        {
            "id": pa.array([f"r{number:05}" for number in numbers]),
            "size": pa.array((numbers % 7).astype(np.int16)),
            "tenure": pa.array(["own", "rent"] * (count // 2), pa.large_string()),
            "county": pa.array([f"c{number % 50}" for number in numbers]),
            "age": pa.array([None if number % 11 == 0 else str(number % 90) for number in numbers]),
            "many": pa.array([str(number) for number in numbers]),
            "when": pa.array(numbers, pa.timestamp("s")),
        }
    )
    source = write(tmp_path / "in.parquet", table)
    options = {"matching": ["size"], "holding": ["tenure"], "swapping": ["county", "age", "many"], "identifier": "id"}
    columns = assign_roles("in", table.schema.names, **options)
    file, run = open_table(source), SwapRun(HALF, KEY, 4, nulls=True)
    used = RunFolder(str(tmp_path / "run"), {}, KEY)
    found = []
    for swapped in (
        swap_file(file, columns, run, microdata=True),
        PartsRun(file, columns, run, used, True, lambda *_: None).swapped(10**9),
    ):
        with WholeFiles() as files:
            files.table(str(tmp_path / "out.parquet"), *swapped.microdata())
        assert pq.read_schema(tmp_path / "out.parquet").equals(pq.read_schema(source))
        found.append(pq.read_table(tmp_path / "out.parquet"))
    assert found[0].equals(found[1])
    for name in table.schema.names:
        moved, were = found[0].column(name).to_pylist(), table.column(name).to_pylist()
        assert Counter(moved) == Counter(were)
        assert (moved == were) == (name not in options["swapping"])


def test_partitions_whose_schemas_differ_are_named(tmp_path):
    pq.write_table(pa.table({"a": [1], "b": ["x"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": ["1"], "b": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(InputError, match=r"must have one schema; the column 'a' is int64 in .*1.parquet and string in"):
        open_table(str(tmp_path))


ORDERED = as_table(
    [(size, tenure, county, "x") for size in ("1", "2") for tenure in ("own", "rent") for county in "xyyz"]
)


def test_ids_decide_the_order_wherever_the_records_stand(tmp_path):
    mixed = ORDERED.take(pa.array(np.random.default_rng(1).permutation(16)))
    found = []
    for name, table in (("a.csv", ORDERED), ("b.csv", mixed)):
        path = write(tmp_path / name, table)
        for parts, swapped in enumerate(
            (
                swap_file(open_table(path), roles(identifier="id"), SwapRun(HALF, KEY, 4), microdata=True),
                in_parts(path, tmp_path / f"p{name}", identifier="id"),
            )
        ):
            cells, records = release(swapped, tmp_path)
            found.append((cells, sorted(records, key=lambda row: row["id"])))
            assert [row["id"] for row in records] == table["id"].to_pylist(), parts
    assert all(one == found[0] for one in found)
    plain = swap_file(open_table(write(tmp_path / "b.csv", mixed)), roles(), SwapRun(HALF, KEY, 4), microdata=True)
    assert sorted(release(plain, tmp_path)[1], key=lambda row: row["id"]) != found[0][1]


@pytest.mark.parametrize(("ids", "message"), [(["a", "a", "b"], "got 'a' twice"), (["a", None, "b"], "1 have none")])
def test_ids_identify(ids, message):
    table = pa.table({"id": ids, "a": [1, 2, 3], "b": [1, 1, 1]})
    own = assign_roles("t", table.column_names, matching=[], swapping=["a"], identifier="id")
    with pytest.raises(InputError, match=message):
        swap_table(table, own, SwapRun(HALF, KEY))


def test_nulls_are_counted_or_a_category(tmp_path):
    rows = [["1", None, "x", "x"], ["1", "own", None, "x"], ["1", "rent", "y", "x"], [None, "own", "x", "x"]] * 2
    path = write(tmp_path / "in.csv", as_table(rows))
    for attempt in (
        lambda: swap_file(open_table(path), roles(), SwapRun(HALF, KEY)),
        lambda: in_parts(path, tmp_path / "refused"),
    ):
        with pytest.raises(InputError, match=r"nulls .*: size 2, tenure 2, county 2; --nulls category"):
            attempt()
    one = release(swap_file(open_table(path), roles(), SwapRun(HALF, KEY, 4, nulls=True), microdata=True), tmp_path)
    assert one == release(in_parts(path, tmp_path / "parts", nulls=True), tmp_path)
    for side in ("size", "county"):
        assert sum(row[side] is None for row in one[1]) == 2
    assert sum(cell["count"] for cell in one[0] if cell["size"] is None) == 2


class TestAnInterruptedRun:
    def test_goes_on_where_it_stopped_and_publishes_one_draw(self, tmp_path, monkeypatch):
        path = write(tmp_path / "in.csv", ORDERED)
        expected = release(in_parts(path, tmp_path / "whole"), tmp_path)
        folder = RunFolder(str(tmp_path / "parts"), {"run": 1}, KEY)
        real, calls = streaming.new_codes, []

        def failing(*arguments, **options):
            calls.append(1)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return real(*arguments, **options)

        monkeypatch.setattr(streaming, "new_codes", failing)
        with pytest.raises(KeyboardInterrupt):
            in_parts(path, None, used=folder)
        kept = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "parts").glob("bucket-*")}
        assert len(kept) == 1
        again = RunFolder(str(tmp_path / "parts"), {"run": 1}, bytes(32))  # another key is offered; the first one stays
        assert release(in_parts(path, None, used=again), tmp_path) == expected
        assert len(calls) == 2 + len(list((tmp_path / "parts").glob("bucket-*"))) - 1
        assert all((tmp_path / "parts" / name).stat().st_mtime_ns == when for name, when in kept.items())

    def test_reads_again_what_was_not_read_to_the_end(self, tmp_path, monkeypatch):
        path = write(tmp_path / "in.parquet", ORDERED)
        folder = RunFolder(str(tmp_path / "parts"), {"run": 1}, KEY)
        real = RunFolder.end_scan
        monkeypatch.setattr(RunFolder, "end_scan", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
        with pytest.raises(InputError, match="cannot be written: No space left; what is finished is kept"):
            in_parts(path, None, used=folder)
        monkeypatch.setattr(RunFolder, "end_scan", real)
        assert release(in_parts(path, None, used=folder), tmp_path) == release(
            in_parts(path, tmp_path / "whole"), tmp_path
        )

    def test_keeps_its_key_for_its_owner_and_destroys_it(self, tmp_path):
        folder = RunFolder(str(tmp_path / "parts"), {"run": 1}, KEY)
        assert (tmp_path / "parts" / "key").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "parts").stat().st_mode & 0o777 == 0o700
        assert KEY not in (tmp_path / "parts" / "run.json").read_bytes()
        folder.destroy()
        assert not (tmp_path / "parts").exists()

    def test_one_that_was_interrupted_before_it_began_begins_again(self, tmp_path):
        (tmp_path / "parts").mkdir()
        (tmp_path / "parts" / "key").write_bytes(b"half")
        (tmp_path / "parts" / "run.new").write_text('{"ru')
        assert RunFolder(str(tmp_path / "parts"), {"run": 1}, KEY).key == KEY
        assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == ["key", "lock", "run.json"]

    def test_is_not_mixed_with_another(self, tmp_path):
        RunFolder(str(tmp_path / "parts"), {"run": 1}, KEY)
        with pytest.raises(InputError, match="it is that of another one"):
            RunFolder(str(tmp_path / "parts"), {"run": 2}, KEY)
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "letter").write_text("x")
        with pytest.raises(InputError, match="it holds other files"):
            RunFolder(str(tmp_path / "full"), {"run": 1}, KEY)


def test_too_little_memory_is_said_with_what_would_do(tmp_path):
    path = write(tmp_path / "in.csv", ORDERED)
    file = open_table(path)
    folder = RunFolder(str(tmp_path / "parts"), {}, KEY)
    with pytest.raises(InputError, match=r"--memory must be at least \d+ bytes here, whatever --buckets: \d+ for the"):
        PartsRun(file, roles(), SwapRun(HALF, KEY, 4), folder, False, lambda *_: None).swapped(100)


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "in.csv"
    write(path, ORDERED)
    file = open_table(str(path))
    write(path, ORDERED.slice(1))
    with pytest.raises(InputError, match="must not change while it is read"):
        swap_file(file, roles(), SwapRun(HALF, KEY))
    with pytest.raises(InputError, match="must not change while it is read"):
        list(file.batches(NAMES, ()))


def test_weighted_lines_in_any_order_are_their_cells(tmp_path):
    own = assign_roles("t", ["size", "tenure", "county", "n"], matching=["size"], swapping=["county"], count="n")
    cells = [
        (size, tenure, county, n)
        for size in "12"
        for tenure, county, n in [("a", "x", 400_000), ("b", "y", 3), ("a", "y", 0)]
    ]
    found = []
    for rows in (cells, cells[::-1], [*cells[:-1], ("2", "b", "y", 1), ("2", "a", "y", 0), ("2", "b", "y", 0)]):
        table = pa.table([list(column) for column in zip(*rows, strict=True)], names=["size", "tenure", "county", "n"])
        swapped = swap_table(table, own, SwapRun(HALF, KEY))
        found.append(next(swapped.saturated()[1]).to_pylist())
        assert swapped.records == sum(row[3] for row in rows)
    assert found[0] == found[1]
    margins = Counter()
    for cell in found[0]:
        margins[cell["size"], cell["tenure"]] += cell["count"]
        margins[cell["size"], cell["county"]] += cell["count"]
    assert margins == {(s, k): n for s in "12" for k, n in {"a": 400_000, "b": 3, "x": 400_000, "y": 3}.items()}
    assert any(cell["tenure"] == "b" and cell["county"] == "x" for cell in found[0])


class TestWriting:
    def test_several_files_appear_together_or_not_at_all(self, tmp_path):
        (tmp_path / "a.csv").write_text("before")
        schema = pa.schema([("x", pa.int64())])
        parts = lambda: iter([pa.table({"x": [1]}, schema=schema)])

        def fail():
            yield pa.table({"x": [1]}, schema=schema)
            raise KeyboardInterrupt

        def write_both():
            with WholeFiles() as files:
                files.table(str(tmp_path / "a.csv"), schema, parts())
                files.table(str(tmp_path / "b.parquet"), schema, fail())

        with pytest.raises(KeyboardInterrupt):
            write_both()
        assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
        assert (tmp_path / "a.csv").read_text() == "before"
        with WholeFiles() as files:
            written = files.table(str(tmp_path / "a.csv"), schema, parts())
        assert (tmp_path / "a.csv").read_text() == "x\n1\n"
        assert (written.rows, written.bytes) == (1, 4)

    def test_values_that_need_quotation_marks_come_back(self, tmp_path):
        table = pa.table({"a,b": ['x"y', None, "", "5", "1\n2"], "c": ["1", "2", "3", "4", "5"]})
        with WholeFiles() as files:
            files.table(str(tmp_path / "a.csv"), table.schema, [table])
        file = open_table(str(tmp_path / "a.csv"))
        assert file.table(["a,b", "c"], ["c"]).to_pylist() == table.to_pylist()

    def test_plain_values_are_written_as_they_were(self, tmp_path):
        (tmp_path / "in.csv").write_text("a,b\n007,x\n1.50,é\n")
        file = open_table(str(tmp_path / "in.csv"))
        with WholeFiles() as files:
            files.table(str(tmp_path / "out.csv"), file.schema, [file.table(["a", "b"], ["a"])])
        assert (tmp_path / "out.csv").read_text() == (tmp_path / "in.csv").read_text()


@pytest.mark.parametrize(
    ("kind", "fits"),
    [(pa.float64(), False), (pa.list_(pa.int64()), False), (pa.decimal128(5, 2), True), (pa.date32(), True)],
)
def test_matching_columns_have_types_whose_values_have_one_text(kind, fits):
    table = pa.table({"m": pa.array([None, None], kind), "h": [1, 2], "s": [1, 2]})
    own = assign_roles("t", table.column_names, matching=["m"], swapping=["s"])
    if fits:
        assert swap_table(table, own, SwapRun(HALF, KEY, nulls=True)).records == 2
    else:
        with pytest.raises(InputError, match=r"the (matching )?column 'm' must"):
            swap_table(table, own, SwapRun(HALF, KEY, nulls=True))


def test_the_manifest_names_no_key(tmp_path):
    from stirred.mechanisms.tables.manifest import manifest_text, swapped_facts  # noqa: PLC0415

    file = open_table(write(tmp_path / "in.csv", ORDERED))
    swapped = swap_file(file, roles(), SwapRun(HALF, KEY))
    with WholeFiles() as files:
        written = files.table(str(tmp_path / "o.csv"), *swapped.saturated())
    facts = {**swapped_facts(swapped), "budget": {"epsilon": "1"}, "swap_rate": "1/2"}
    found = json.loads(manifest_text(written, file, "permutation swapping", facts))
    assert (found["records"], found["strata"], found["swap_rate"], found["buckets"]) == (16, 2, "1/2", 1)
    assert KEY.hex() not in json.dumps(found)

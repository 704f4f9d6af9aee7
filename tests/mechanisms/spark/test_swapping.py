"""Swapping on Spark: the one-machine run record by record, whatever the files, the partitions, the failed attempts."""

import gc
import json
import os
import signal
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from pyspark import TaskContext
from pyspark.serializers import CloudPickleSerializer

from stirred.mechanisms.fast.random_words import run_key
from stirred.mechanisms.fast.swap_buckets import MatchingColumn, swap_buckets
from stirred.mechanisms.spark.permutation_swapping import (
    _bucket_swapper,
    check_invariants,
    check_types,
    swapped_records,
)
from stirred.mechanisms.spark.record_files import read_records
from stirred.mechanisms.spark.release import Survey, release, survey
from stirred.mechanisms.spark.session import ClusterError, end_session, spark_session
from stirred.mechanisms.tables.roles import assign_roles
from stirred.spec import InputError
from stirred.verify.cli.main import main

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # pyspark leaves its sockets to the garbage collector
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
KEY = run_key(2026)
BUCKETS = 16
RATE = Fraction(1, 3)
MATCHING, SWAPPING = ("size", "since", "rent", "owner"), ("county", "tract")


def people(number=3000):
    """Records with a matching variable of each kind; strata from one record to many."""
    random = Random(5)  # noqa: S311 repeatable
    return pa.table(
        {
            "county": [f"c{random.randrange(9)}" for _ in range(number)],
            "size": pa.array([min(9, int(random.expovariate(0.7))) for _ in range(number)], pa.int16()),
            "person": pa.array(random.sample(range(10**9), number), pa.int64()),
            "since": pa.array([date(2000 + random.randrange(3), 1, 1) for _ in range(number)], pa.date32()),
            "age": pa.array([random.choice([None, *range(90)]) for _ in range(number)], pa.int32()),
            "rent": pa.array([random.choice([None, Decimal("0.50"), Decimal("12.00")]) for _ in range(number)]),
            "tract": [random.choice(["", " x", 'a "b", c', "ß"]) for _ in range(number)],
            "owner": [random.random() < 0.9 for _ in range(number)],
        }
    )


def matching_column(column):
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    return MatchingColumn(encoded.indices.to_numpy(), encoded.dictionary.to_pylist())


def on_one_machine(table, matching=MATCHING, swapping=SWAPPING, rate=RATE):
    """The swapped records by id, from arrays; in the order of the table."""
    columns = [matching_column(table.column(name)) for name in matching]
    ids = np.array(table.column("person").to_pylist())
    moves = swap_buckets(columns, len(table), swap_rate=rate, key=KEY, buckets=BUCKETS, ids=ids)
    for name in swapping:
        place = table.schema.get_field_index(name)
        taken = table.column(name).take(pa.array(moves.permutation()))
        table = table.set_column(place, name, taken)
    return table


def by_id(table):
    return {row["person"]: row for row in table.to_pylist()}


def collected(frame):
    return by_id(frame.toArrow())


@pytest.fixture(scope="module")
def session():
    settings = {
        "spark.driver.extraJavaOptions": "-source:TieredStopAtLevel=1 -source:+UseSerialGC",
        "spark.driver.memory": "1g",
        "spark.sql.adaptive.enabled": "false",  # what pays on large data alone
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "700",
    }
    started = spark_session("local[2, 3]", settings)  # three attempts
    yield started
    end_session(started)
    gc.collect()


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    """The records in five files of Parquet, in another order in each folder."""
    folder = tmp_path_factory.mktemp("records") / "people"
    folder.mkdir()
    table = people()
    for part in range(5):
        pa.parquet.write_table(table.slice(600 * part, 600), folder / f"{part}.parquet")
    return str(folder)


def swapped(records, columns, rate=RATE):
    return swapped_records(records, columns, swap_rate=rate, key=KEY, buckets=BUCKETS)


def write(records, columns, source, **targets):
    release(records, columns, source=source, swap_rate=RATE, key=KEY, buckets=BUCKETS, **targets)


def roles(records, matching=MATCHING, swapping=SWAPPING, identifier="person"):
    found = assign_roles("people", records.columns, matching=matching, swapping=swapping, identifier=identifier)
    check_types(records, found)
    return found


@pytest.mark.nightly
def test_partitions_and_the_order_of_records_do_not_count(session, parquet):
    records = read_records(session, parquet)
    expected = by_id(on_one_machine(people()))
    assert sum(expected[one]["county"] != row["county"] for one, row in by_id(people()).items()) > 500
    assert collected(swapped(records, roles(records))) == expected
    session.conf.set("spark.sql.shuffle.partitions", "7")
    mixed = records.repartition(5).sortWithinPartitions("tract")
    assert collected(swapped(mixed, roles(records))) == expected
    session.conf.set("spark.sql.shuffle.partitions", "3")
    assert swapped(mixed, roles(records)).schema == records.schema


@pytest.mark.nightly
def test_a_task_whose_worker_is_killed_gives_the_same_buckets_when_it_is_tried_again(session, parquet):
    records = read_records(session, parquet)

    def ends_first(batches):
        yield from batches
        if TaskContext.get().attemptNumber() == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    once = swapped(records, roles(records)).mapInArrow(ends_first, records.schema)
    assert collected(once) == by_id(on_one_machine(people()))


@pytest.mark.nightly
def test_a_failure_that_stays_leaves_nothing_and_is_one_line(session, parquet, tmp_path):
    def always(batches):
        raise OSError("the disk of this worker is gone")
        yield from batches

    records = read_records(session, parquet)
    failing = records.mapInArrow(always, records.schema)
    with pytest.raises(ClusterError, match=r"^Spark cannot swap: [^\n]*the disk of this worker is gone$"):
        write(failing, roles(records), parquet, microdata=str(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "read"),
    [pytest.param("csv", pa.csv.read_csv, marks=pytest.mark.nightly), ("parquet", pa.parquet.read_table)],
)
def test_a_release_is_the_one_machine_run_in_both_formats(session, tmp_path, kind, read):
    table = people().drop_columns(["rent", "age", "since"])
    to_file = {"csv": pa.csv.write_csv, "parquet": pa.parquet.write_table}[kind]
    source, microdata, counts = (str(tmp_path / f"{name}.{kind}") for name in ("people", "swapped", "table"))
    to_file(table, source)
    if kind == "csv":  # a text is what stands in the file
        table = pa.table(
            {name: [_text(value) for value in table.column(name).to_pylist()] for name in table.schema.names}
        )
    records = read_records(session, source)
    columns = roles(records, ["size", "owner"], ["county"], "person")
    found = survey(records, columns)
    found.check(columns, buckets=BUCKETS)
    assert found.records.sum() == 3000
    write(records, columns, source, microdata=microdata, table=counts)
    expected = on_one_machine(table, ["size", "owner"], ["county"])
    texts = pa.csv.ConvertOptions(
        column_types=dict.fromkeys(table.schema.names, pa.string()), strings_can_be_null=False
    )
    more = {"convert_options": texts} if kind == "csv" else {}
    parts = [read(part, **more) for part in sorted(Path(microdata).glob(f"part-*.{kind}"))]
    assert by_id(pa.concat_tables(parts)) == by_id(expected)
    variables = ["size", "owner", "tract", "county"]
    cells = expected.group_by(variables).aggregate([([], "count_all")]).rename_columns({"count_all": "count"})
    written = pa.concat_tables(read(part, **more) for part in Path(counts).glob(f"part-*.{kind}"))
    assert sorted(map(_cell, written.to_pylist())) == sorted(map(_cell, cells.to_pylist()))
    assert {path.name for path in tmp_path.iterdir()} == {Path(name).name for name in (source, microdata, counts)}
    manifest = (Path(counts) / "_manifest.json").read_text()
    said = json.loads(manifest)
    assert (said["buckets"], said["swap_rate"], said["roles"]["swapping"]) == (BUCKETS, "1/3", ["county"])
    assert said["schema"]["count"] == "bigint"
    assert KEY.hex() not in manifest
    for target in (microdata, source, f"{source}/inside"):
        with pytest.raises(InputError, match=r"already exists|must lie apart"):
            write(records, columns, source, table=target)


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(row):
    return tuple(f"{row[name]}" for name in ("size", "owner", "tract", "county", "count"))


@pytest.mark.nightly
def test_the_command_states_on_spark_what_it_states_of_one_machine(session, tmp_path, capsys):
    source = tmp_path / "people.parquet"
    pa.parquet.write_table(people(), source)
    options = ["--match", "size", "--swap", "county", "--id", "person", "--nulls", "category", "--swap-rate", "1/3"]
    said = []
    for engine in ("arrow", "spark"):
        targets = [str(tmp_path / engine), str(tmp_path / f"{engine}.toml")]
        more = ["--seed", "7", "--buckets", "8", "--microdata", f"{targets[0]}.parquet", "--claim", targets[1]]
        assert main(["swap", str(source), *options, *more, "--engine", engine]) == 0
        said.append(capsys.readouterr().out.replace(engine, "").splitlines()[1:])
        said.append(Path(targets[1]).read_text())
    assert said[:2] == said[2:]
    assert any("epsilon = " in line for line in said[0])
    parts = Path(tmp_path / "spark.parquet").glob("part-*.parquet")
    swapped_there = by_id(pa.concat_tables(map(pa.parquet.read_table, parts)))
    assert swapped_there == by_id(pa.parquet.read_table(tmp_path / "arrow.parquet"))
    for more, message in (
        ([*options[:4], *options[6:]], "stirred: --engine spark needs --id"),
        ([*options, "--certify"], "stirred: --certify cannot be combined with --engine spark"),
        ([*options, "--bucket-records", "100"], "stirred: a bucket must hold at most 100 records; got 3000"),
    ):
        assert main(["swap", str(source), *more, "--engine", "spark"]) == 2
        assert capsys.readouterr().err.startswith(message)


@pytest.mark.nightly
def test_invariants_that_are_broken_are_found(session, parquet):
    records = read_records(session, parquet)
    after = swapped(records, roles(records))
    check_invariants(records, after, roles(records))
    broken = after.replace({"c1": "c2"}, subset=["county"])
    with pytest.raises(
        InputError, match=r"the counts of size x .* x county x tract must be those of the input; \d+ diff"
    ):
        check_invariants(records, broken, roles(records))
    with pytest.raises(InputError, match=r"the counts of size x since x rent x owner x age must be"):
        check_invariants(records, after.na.fill(-1, subset=["age"]), roles(records))


@pytest.mark.nightly
def test_the_survey_says_what_the_specification_needs_and_refuses_large_buckets(session, tmp_path):
    source = tmp_path / "few.csv"
    rows = ["1,a,x,A", "2,a,y,B", "3,a,y,A", "4,b,x,A", "5,b,x,B", "6,c,x,A"]
    source.write_text("\n".join(["person,m,h,s", *rows]) + "\n")
    records = read_records(session, str(source))
    columns = roles(records, ["m"], ["s"], "person")
    found = survey(records, columns)
    sizes = zip(found.records.tolist(), found.holding.tolist(), found.swapping.tolist(), strict=True)
    assert sorted(sizes) == [(1, 1, 1), (2, 1, 2), (3, 2, 2)]
    found.check(columns, buckets=1)
    for most, message in (
        (5, "got 6, 3 of them in one stratum: take more buckets"),
        (2, "match more columns, or allow"),
    ):
        with pytest.raises(InputError, match=message):
            found.check(columns, buckets=1, most=most)
    alone = survey(records, roles(records, [], ["s"], "person"))
    assert [one.tolist() for one in (alone.records, alone.holding, alone.swapping)] == [[6], [2], [2]]


@pytest.mark.nightly
def test_nulls_are_counted_by_column_and_refused_unless_they_are_a_category(session, parquet):
    records = read_records(session, parquet)
    columns = roles(records)
    found = survey(records, columns)
    table = people()
    assert found.nulls == {name: table.column(name).null_count for name in ("rent", "age")}
    with pytest.raises(InputError, match=rf"rent {found.nulls['rent']}, age {found.nulls['age']}; --nulls"):
        found.check(columns, buckets=BUCKETS)
    found.check(columns, buckets=BUCKETS, nulls=True)
    without_id = Survey(**{**vars(found), "nulls": {"person": 1}})
    with pytest.raises(InputError, match="the id column 'person' must have a value in each record; 1 have none"):
        without_id.check(columns, buckets=BUCKETS, nulls=True)


@pytest.mark.nightly
def test_the_key_stands_neither_in_the_plan_nor_in_a_task(session, parquet):
    records = read_records(session, parquet)
    plan = swapped(records, roles(records))._jdf.queryExecution().toString()
    assert KEY.hex() not in plan.lower()
    assert repr(KEY)[2:-1] not in plan
    broadcast = session.sparkContext.broadcast(KEY)
    dumped = CloudPickleSerializer().dumps(_bucket_swapper(roles(records), RATE, BUCKETS, broadcast))
    assert KEY not in dumped
    assert roles(records).identifier.encode() in dumped


@pytest.mark.parametrize(
    ("matching", "swapping", "record_id", "message"),
    [
        (["weight"], ["county"], "person", "the matching column 'weight' must hold integers, .*; it is double"),
        (["size"], ["county"], "weight", "the id column 'weight' must hold integers or texts; it is double"),
        (["size"], ["county"], None, "--engine spark needs --id"),
    ],
)
@pytest.mark.nightly
def test_roles_that_columns_cannot_have(session, matching, swapping, record_id, message):
    records = session.createDataFrame([], "county string, size int, person long, weight double")
    with pytest.raises(InputError, match=message):
        roles(records, matching, swapping, record_id)


def csv_survey(session, path, text):
    path.write_text(text)
    records = read_records(session, str(path))
    columns = roles(records, ["m"], ["s"], "id")
    survey(records, columns).check(columns, buckets=2)
    return records, columns


@pytest.mark.nightly
def test_files_that_cannot_be_swapped(session, tmp_path):
    with pytest.raises(InputError, match="there is none"):
        read_records(session, str(tmp_path / "missing.csv"))
    (tmp_path / "none.parquet").write_text("no parquet")
    with pytest.raises(ClusterError, match=r"none.parquet: cannot be read: .*not a Parquet file"):
        read_records(session, str(tmp_path / "none.parquet"))
    with pytest.raises(ClusterError, match=r'cannot be read: No FileSystem for scheme "nowhere"'):
        read_records(session, "nowhere://bucket/people")
    with pytest.raises(InputError, match="at least one record; got none"):
        csv_survey(session, tmp_path / "empty.csv", "id,m,h,s\n")
    with pytest.raises(ClusterError, match=r"the records cannot be read: .*[Mm]alformed"):
        csv_survey(session, tmp_path / "ragged.csv", "id,m,h,s\n1,2,3,4\n1,2,3\n")
    twice = csv_survey(session, tmp_path / "twice.csv", "id,m,h,s\n7,2,3,4\n8,2,3,4\n7,2,4,4\n")
    with pytest.raises(InputError, match=r"^the id column 'id' must differ between records; got '7' twice$"):
        write(*twice, str(tmp_path / "twice.csv"), table=str(tmp_path / "table"))
    assert not list(tmp_path.glob("table*"))


@pytest.mark.nightly
def test_a_column_that_a_file_lacks_is_null_there(session, tmp_path):
    whole = pa.table({"id": [1, 2], "m": [1, 1], "h": [1, 2], "s": [1, 2]})
    pa.parquet.write_table(whole.drop_columns(["h"]), tmp_path / "1.parquet")
    pa.parquet.write_table(whole, tmp_path / "2.parquet")
    records = read_records(session, str(tmp_path))
    assert survey(records, roles(records, ["m"], ["s"], "id")).nulls == {"h": 2}
    pa.parquet.write_table(whole.set_column(1, "m", pa.array(["1", "1"])), tmp_path / "3.parquet")
    with pytest.raises(ClusterError, match=r"cannot be read: .*[Mm]erg"):
        read_records(session, str(tmp_path))

"""PHSafe on Spark: the same counts as on one machine, cell by cell, and the same release of one key."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from synthetic_households import any_rows, households, write_rows, write_tables

from stirred.mechanisms.das.phsafe import Settings, measurements
from stirred.mechanisms.das.phsafe.non_private import NON_PRIVATE_TABLES, NonPrivateCounts, exact_text
from stirred.mechanisms.das.phsafe.published import published_tables
from stirred.mechanisms.fast.phsafe import PublishedFiles
from stirred.mechanisms.fast.phsafe_settings import LEVELS, RunSettings
from stirred.mechanisms.fast.phsafe_tables import measured
from stirred.mechanisms.spark.phsafe import PublishedRecords
from stirred.mechanisms.spark.session import end_session, spark_session
from stirred.spec import InputError
from stirred.verify.cli.main import main

pytestmark = [
    pytest.mark.nightly,  # with every change one release is compared: tests/mechanisms/spark/test_swapping.py
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # pyspark leaves its sockets to the garbage collector
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
TAUS = ("PH1_num", "PH2", "PH3", "PH4", "PH6", "PH7")
STATES = ("01", "02", "06")


@pytest.fixture(scope="module")
def spark():
    session = spark_session("local[2]", {"spark.sql.shuffle.partitions": "4", "spark.driver.memory": "1g"})
    yield session
    end_session(session)


def settings(tau):
    budgets = {table: dict.fromkeys(levels, Fraction(1, 7)) for table, levels in LEVELS.items()}
    return RunSettings(budgets, dict.fromkeys(TAUS, tau), STATES)


def all_measured(files, chosen):
    with files:
        return tuple(one for table in chosen.tables for one in measured(table, files.counted(table), chosen))


def test_counts_are_those_of_the_program_whatever_the_rows(spark, tmp_path):
    rows = any_rows(8)
    write_rows(*rows, tmp_path)
    chosen = settings(2)
    with PublishedRecords(spark, str(tmp_path), chosen) as files:
        found = tuple(one for table in chosen.tables for one in measured(table, files.counted(table), chosen))
    program = Settings(chosen.budgets, chosen.thresholds, STATES, filters="published")
    assert found == measurements(published_tables(*rows), program)
    assert sum(one.rows for one in found) > 500


def test_each_place_counts_as_on_one_machine(spark, tmp_path):
    write_rows(*any_rows(8), tmp_path)
    chosen = replace(settings(2), each_place=True)
    with PublishedRecords(spark, str(tmp_path), chosen) as files:
        found = files.places(STATES), [sorted(files.counted(table)) for table in chosen.tables]
    with PublishedFiles(str(tmp_path), chosen, work=tmp_path) as files:
        assert found == (files.places(STATES), [sorted(files.counted(table)) for table in chosen.tables])


def test_exact_tables_are_those_of_one_machine(spark, tmp_path):
    write_rows(*any_rows(9), tmp_path)
    counting = NonPrivateCounts(STATES)
    with PublishedRecords(spark, str(tmp_path), counting) as files:
        found = {table: exact_text(table, files.counted(table)) for table in NON_PRIVATE_TABLES}
    with PublishedFiles(str(tmp_path), counting, work=tmp_path) as files:
        assert found == {table: exact_text(table, files.counted(table)) for table in NON_PRIVATE_TABLES}


def test_one_key_gives_one_release(spark, tmp_path, capsys):
    data = tmp_path / "data"
    data.mkdir()
    write_tables(households(4000, 10_000), data, "parquet")
    file = tmp_path / "settings.json"
    chosen = {
        "privacy_budget": {table: dict.fromkeys(levels, 0.01) for table, levels in LEVELS.items()},
        "tau": dict.fromkeys(TAUS, 2),
        "state_filter": STATES,
        "privacy_defn": "zcdp",
    }
    file.write_text(json.dumps(chosen))
    words = ["run", "phsafe", "--settings", str(file), "--data", str(data), "--seed", "3"]
    for engine in ("duckdb", "spark"):
        assert main([*words, "--output", str(tmp_path / engine), "--engine", engine]) == 0
    texts = [
        {path.name: path.read_text() for path in (tmp_path / engine).glob("*/*.csv")} for engine in ("duckdb", "spark")
    ]
    assert len(texts[0]) == 11
    assert texts[0] == texts[1]
    assert capsys.readouterr().out.count("rho^2 = 0.46") == 2


def test_bad_records_are_refused_and_not_shown(spark, tmp_path):
    write_rows(*any_rows(8), tmp_path)
    text = (tmp_path / "persons.csv").read_text()
    (tmp_path / "persons.csv").write_text(f"{text}3,7,-7,1,01,20\n")
    row = text.count("\n")
    with pytest.raises(InputError, match=rf"/persons.csv: row {row}: QAGE must be one of 0 to 115; got an") as refused:
        PublishedRecords(spark, str(tmp_path), settings(2))
    assert "-7" not in str(refused.value).replace(str(tmp_path), "")  # whose number may hold it
    with pytest.raises(InputError, match="got '-7'"):
        PublishedRecords(spark, str(tmp_path), settings(2), confidential=True)
    (tmp_path / "persons.csv").write_text(f"{text}3,777,-7\n")
    with pytest.raises(
        InputError, match=r"the fields of the header: .*/persons.csv: cannot be read; --debug-conf"
    ) as cut:
        PublishedRecords(spark, str(tmp_path), settings(2))
    assert "777" not in str(cut.value).replace(str(tmp_path), "")
    with pytest.raises(InputError, match="777"):
        PublishedRecords(spark, str(tmp_path), settings(2), confidential=True)
    (tmp_path / "persons.csv").write_text(text.replace("QAGE", "AGE"))
    with pytest.raises(InputError, match=r"persons.csv: the header must have the columns RTYPE, MAFID, QAGE"):
        PublishedRecords(spark, str(tmp_path), settings(2))


def test_a_file_that_is_missing_is_named(spark, tmp_path):
    with pytest.raises(InputError, match=r"must have one of geo.csv and geo.parquet; it has none of them"):
        PublishedRecords(spark, str(tmp_path), settings(2))


def test_the_row_is_that_of_its_part_and_block(spark, tmp_path):
    data = tmp_path / "a folder"
    data.mkdir()
    write_rows(*any_rows(8), data)
    text = (data / "persons.csv").read_text()
    (data / "persons.csv").unlink()
    (data / "persons.csv").mkdir()
    (data / "persons.csv" / "part-0.csv").write_text(text)
    rows = [f"3,{one},20,1,01,20" for one in (*range(1, 2000), "x", *range(2000, 2100), "y")]
    (data / "persons.csv" / "part-1.csv").write_text("\n".join([text.splitlines()[0], *rows]))
    spark.conf.set("spark.sql.files.maxPartitionBytes", "9000")
    try:
        with pytest.raises(InputError, match=r"persons.csv/part-1.csv: row 2000: MAFID must be a positive integer"):
            PublishedRecords(spark, str(data), settings(2))
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")


def test_files_that_do_not_agree_are_refused_where_that_is_asked_for(spark, tmp_path):
    write_tables(households(40, 100), tmp_path)
    with PublishedRecords(spark, str(tmp_path), settings(2), validate=True):
        pass
    for name, line, words in (
        ("persons", "3,7,20,1,01,20", "of a row of units"),
        ("units", "2,100000001,1,0,1,04,4,6,05,5", "of this row alone"),
    ):
        file = tmp_path / f"{name}.csv"
        text = file.read_text()
        file.write_text(f"{text}{line}\n")
        row = 1 if "alone" in words else text.count("\n")
        with pytest.raises(InputError, match=rf"/{name}.csv: row {row}: MAFID must be that {words}; got another"):
            PublishedRecords(spark, str(tmp_path), settings(2), validate=True)
        file.write_text(text)

"""PHSafe on Spark: the same counts as on one machine, cell by cell, and the same release of one key."""

import json
from fractions import Fraction

import pytest
from synthetic_households import any_rows, households, write_rows, write_tables

from mechanisms.phsafe import Settings, measurements
from mechanisms.phsafe.noisy_tables import measured
from mechanisms.phsafe.published import published_tables
from mechanisms.phsafe.run_settings import LEVELS, RunSettings
from mechanisms.spark.phsafe import PublishedRecords
from mechanisms.spark.session import end_session, spark_session
from spec import InputError
from verify.cli import main

pytestmark = [
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
        assert main([*words, "--out", str(tmp_path / engine), "--engine", engine]) == 0
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
    with pytest.raises(
        InputError, match=r"persons.csv: QAGE must be one of 0 to 115 in each row; got another"
    ) as refused:
        PublishedRecords(spark, str(tmp_path), settings(2))
    assert "-7" not in str(refused.value)
    with pytest.raises(InputError, match="got '-7'"):
        PublishedRecords(spark, str(tmp_path), settings(2), confidential=True)
    (tmp_path / "persons.csv").write_text(text.replace("QAGE", "AGE"))
    with pytest.raises(InputError, match=r"persons.csv: the header must have the columns RTYPE, MAFID, QAGE"):
        PublishedRecords(spark, str(tmp_path), settings(2))


def test_a_file_that_is_missing_is_named(spark, tmp_path):
    with pytest.raises(InputError, match=r"must have one of geo.csv and geo.parquet; it has none of them"):
        PublishedRecords(spark, str(tmp_path), settings(2))

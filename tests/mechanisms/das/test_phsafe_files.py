"""PHSafe on published files: the program's counts and noise cell by cell, on DuckDB.

The queries of a schema, by the names that settings give them. Noisy measurements as tables: the columns of the
published files, and one of ours.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import chain

import pyarrow as pa
import pytest
from synthetic_households import any_rows, households, write_rows, write_tables

from stirred.mechanisms.das.phsafe import Settings, derived_counts, measurements, phsafe
from stirred.mechanisms.das.phsafe.published import CELL_NUMBERS, published_tables
from stirred.mechanisms.das.topdown.schema import Recode, RecordSchema, Units
from stirred.mechanisms.fast.phsafe import PublishedFiles
from stirred.mechanisms.fast.phsafe_settings import LEVELS, NoiseLaw, RunSettings
from stirred.mechanisms.fast.phsafe_tables import measured, noisy, with_derived
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.mechanisms.tables.noisy_measurements import FIXED_COLUMNS, ReleasedQuery, query_tables
from stirred.spec import InputError

TAUS = ("PH1_num", "PH2", "PH3", "PH4", "PH6", "PH7")

KEY = bytes(range(32))


def settings(tau=3, states=("01", "02"), budget=Fraction(1, 7)):
    budgets = {table: dict.fromkeys(levels, budget) for table, levels in LEVELS.items()}
    return RunSettings(budgets, dict.fromkeys(TAUS, tau), states)


def reference(chosen):
    return Settings(chosen.budgets, chosen.thresholds, chosen.states, filters="published")


def all_measured(folder, chosen, work):
    with PublishedFiles(str(folder), chosen, work=work) as files:
        return tuple(one for table in chosen.tables for one in measured(table, files.counted(table), chosen))


@pytest.fixture(scope="module", params=[1, 2])
def rows(request):
    return any_rows(request.param)


@pytest.mark.parametrize("tau", [1, 2, 3, 10])
def test_counts_are_those_of_the_program_whatever_the_rows(rows, tau, tmp_path):
    write_rows(*rows, tmp_path)
    chosen = settings(tau)
    found = all_measured(tmp_path, chosen, tmp_path)
    assert found == measurements(published_tables(*rows), reference(chosen))
    assert sum(one.rows for one in found) > 500
    uncut = measurements(published_tables(*rows), replace(reference(chosen), thresholds=dict.fromkeys(TAUS, 100)))
    assert found != uncut


def test_a_unit_may_count_for_each_pair_of_its_rows_in_geo(rows, tmp_path):
    write_rows(*rows, tmp_path)
    geo, units, persons = rows
    chosen = replace(settings(), each_place=True)
    read = [one for one in geo if one.tabblkst in chosen.states]
    pairs = [place for place in read if place.rtype == "2" for other in read if other.mafid == place.mafid]
    located = [published_tables([place], [one], [])[1] for one in units for place in pairs if place.mafid == one.mafid]
    people, _ = published_tables([], [], persons)
    found = all_measured(tmp_path, chosen, tmp_path)
    assert found == measurements((people, tuple(chain.from_iterable(located))), reference(chosen))
    assert found != all_measured(tmp_path, settings(), tmp_path)
    times = Counter(place.mafid for place in pairs)
    with PublishedFiles(str(tmp_path), chosen, work=tmp_path) as files:
        most = files.places(chosen.states)
    assert most == {state: max(times[one.mafid] for one in pairs if one.tabblkst == state) for state in chosen.states}
    assert max(most.values()) > 1


class GivenNoise(SamplingSource):
    """A source whose every attempt at noise has a given outcome."""

    def __init__(self, noise):
        super().__init__(0)
        self._noise = iter(noise)

    def attempt(self, body):
        return next(self._noise)


def test_released_tables_are_those_of_the_program_with_the_same_noise(rows, tmp_path):
    write_rows(*rows, tmp_path)
    chosen = settings()
    found = all_measured(tmp_path, chosen, tmp_path)
    released = {}
    for table in chosen.tables:
        mine = [one for one in found if one.table == table]
        released |= with_derived(table, noisy(mine, chosen, KEY))
    values = [one.value for table in chosen.tables for one in released[table]]
    noise = [value - one.rows for value, one in zip(values, found, strict=True)]
    program = phsafe(published_tables(*rows), GivenNoise(noise), settings=reference(chosen))
    expected = {}
    cells = {"PH5_num": ("under 18 years", "18 years and over"), "PH8_num": ("owner occupied", "renter occupied")}
    for one in (*program, *(one for one in derived_counts(program) if one.table in cells)):
        basis = cells.get(one.table) or reference(chosen).runs[one.table].cells
        region = ("1", "USA") if one.group[0] == "usa" else (one.group[0], "STATE")
        number = CELL_NUMBERS[one.table][basis.index(one.cell)]
        key = (one.table, *region, one.group[1], number)
        expected[key] = (one.value, one.sigma_squared)
    got = {(table, *one[:4]): one[4:] for table, counts in released.items() for one in counts}
    assert got == expected
    assert min(values) < 0 < max(values)


def test_large_households_are_counted_alike(tmp_path):
    tables = households(400, 1000, seed=3)
    write_tables(tables, tmp_path, "parquet")
    chosen = settings(2, states=("01", "02", "04"))
    other = tmp_path / "csv"
    other.mkdir()
    write_tables(tables, other)
    assert all_measured(tmp_path, chosen, tmp_path) == all_measured(other, chosen, tmp_path)


@pytest.mark.parametrize("noise", list(NoiseLaw))
def test_without_noise_counts_are_exact(noise, rows, tmp_path):
    write_rows(*rows, tmp_path)
    chosen = replace(settings(budget=None), noise=noise)
    found = all_measured(tmp_path, chosen, tmp_path)
    for table in chosen.tables:
        mine = [one for one in found if one.table == table]
        released = noisy(mine, chosen, KEY)
        assert [one.value for one in released] == [one.rows for one in mine]
        assert {one.variance for one in released} == {0}


SCHEMA = RecordSchema(
    "person", {"kind": ("house", "jail"), "age": ("minor", "adult")}, {"jailed": Recode("kind", {"in jail": ("jail",)})}
)


def test_a_query_crosses_attributes_and_coarser_versions():
    assert SCHEMA.rows("total") == {"total": (1, 1, 1, 1)}
    assert SCHEMA.rows("kind * age") == SCHEMA.rows("detailed")
    assert SCHEMA.rows("jailed*age") == {"in jail, minor": (0, 0, 1, 0), "in jail, adult": (0, 0, 0, 1)}
    assert [SCHEMA.factors(query) for query in ("total", "detailed", "jailed * age")] == [
        (), ("kind", "age"), ("jailed", "age"),
    ]  # fmt: skip


def test_combinations_whose_values_have_commas_are_told_apart():
    schema = RecordSchema("person", {"kind": ("a, b", "a"), "age": ("c", "b, c")}, {})
    assert len(schema.cell_parts) == len(schema.rows("detailed")) == 4
    assert schema.rows("kind * age")["'a, b', c"] == (1, 0, 0, 0)


def test_a_value_may_not_have_the_name_of_a_type_of_unit():
    with pytest.raises(InputError, match="must have different names"):
        RecordSchema("person", {"kind": ("x", "units: x")}, {}, (), Units("kind", {}, {}))


TOTAL = ReleasedQuery("1", "total_dpq", ("*", "*"), (1, 1), (-7,), Fraction(4, 3))

BOUND = ReleasedQuery("1", "hhgq_total_ub_con", ("hhgq", "*"), (2, 1), (5, None), sign="<=")


def test_measurements_have_the_published_columns_and_types():
    schema, parts = query_tables(["hhgq", "cenrace"], [TOTAL], signs=False)
    assert schema.names == [
        *("geocode", "query_name", "hhgq", "cenrace", "query_shape", "value", "variance", "exact_variance")
    ]
    assert (schema.field("query_shape").type, schema.field("value").type) == (
        pa.list_(pa.int32()),
        pa.list_(pa.int64()),
    )
    assert schema.field("variance").type == pa.float32()
    (row,) = next(parts).to_pylist()
    assert (row["value"], row["exact_variance"]) == ([-7], "4/3")
    assert abs(Fraction(row["variance"]) - Fraction(4, 3)) < Fraction(1, 10**7)


def test_constraints_have_a_sign_and_may_leave_a_bound_open():
    schema, parts = query_tables(["hhgq", "cenrace"], [BOUND], signs=True)
    assert set(schema.names) - {"hhgq", "cenrace"} == set(FIXED_COLUMNS)
    (row,) = next(parts).to_pylist()
    assert (row["sign"], row["value"], row["variance"]) == ("<=", [5, None], 0)


def test_many_rows_come_in_parts_and_none_in_none():
    _, parts = query_tables(["a", "b"], [TOTAL] * 5_000, signs=False)
    assert [part.num_rows for part in parts] == [4_096, 904]
    assert list(query_tables(["a", "b"], [], signs=False)[1]) == []

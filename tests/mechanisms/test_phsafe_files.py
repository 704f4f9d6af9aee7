"""PHSafe on published files: the program's counts and noise cell by cell, on DuckDB."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import chain

import pytest
from synthetic_households import any_rows, households, write_rows, write_tables

from stirred.mechanisms.fast.phsafe import PublishedFiles
from stirred.mechanisms.phsafe import Settings, derived_counts, measurements, phsafe
from stirred.mechanisms.phsafe.noisy_tables import measured, noisy, with_derived
from stirred.mechanisms.phsafe.published import CELL_NUMBERS, published_tables
from stirred.mechanisms.phsafe.run_settings import LEVELS, NoiseLaw, RunSettings
from stirred.mechanisms.sampling import SamplingSource

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

"""`stirred run phsafe` refuses bad settings and bad files in one line that shows nothing of a record.

`--each-place --states-of-geo`: places as the published program takes them, and what that costs. The expected counts are
made as that program reads its files: rows of geo outside the states left out, persons and units joined with geo, units
joined with the places of housing units again, and units that are not alone dropped from joins.
"""

import csv
import json
import shutil
import tomllib
from collections import Counter
from fractions import Fraction

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from published_files import GEO, PERSONS, TAUS, UNITS, settings
from synthetic_households import HEADERS

from stirred.verify.cli.commands import run_phsafe
from stirred.verify.cli.main import main


def without(key, of=None):
    chosen = settings(0.01)
    del (chosen if of is None else chosen[of])[key]
    return chosen


def changed(table, level, budget):
    chosen = settings(0.01)
    chosen["privacy_budget"].setdefault(table, {})[level] = budget
    return chosen


BAD_SETTINGS = {
    "no JSON": ("{", "line 1: invalid JSON"),
    "no object": ("[]", "must be a JSON object of settings; got an array"),
    "no budgets": (without("privacy_budget"), "privacy_budget: missing key"),
    "no definition": (without("privacy_defn"), "privacy_defn: missing key"),
    "a table is missing": (without("PH3", "privacy_budget"), "privacy_budget: must have each table; PH3 missing"),
    "a table is unknown": (changed("PH9", "usa_*", 1), "privacy_budget.PH9: unknown table; did you mean"),
    "a threshold is missing": (without("PH7", "tau"), "tau: must have each table; PH7 missing"),
    "a threshold is unknown": (settings(1, tau={**TAUS, "PH1_denom": 3}), "tau.PH1_denom: unknown table"),
    "a threshold is 0": (settings(1, tau={**TAUS, "PH7": 0}), "tau.PH7 must be at least 1; got 0"),
    "a threshold is no integer": (settings(1, tau={**TAUS, "PH7": 1.5}), "tau.PH7 must be an integer; got 1.5"),
    "a level is unknown": (
        changed("PH7", "county_*", 1),
        "privacy_budget.PH7.county_*: unknown population group level",
    ),
    "a level that the table has not": (changed("PH2", "usa_A-G", 1), "privacy_budget.PH2.usa_A-G: unknown"),
    "a budget is negative": (changed("PH7", "usa_*", -1), "privacy_budget.PH7.usa_* must be non-negative; got -1"),
    "a budget is a text": (changed("PH7", "usa_*", "1"), "privacy_budget.PH7.usa_* must be a number; got '1'"),
    "a budget is tiny": (changed("PH7", "usa_*", 1e-9), "privacy_budget.PH7.usa_*: sigma_squared must be at most"),
    "all budgets are 0": (settings(0), "privacy_budget must have a budget above 0; it has none"),
    "no states": (settings(1, state_filter=[]), "state_filter must have at least one state"),
    "a state that is none": (settings(1, state_filter=["03"]), "state_filter must have FIPS codes of states"),
    "states that are numbers": (settings(1, state_filter=[44]), "state_filter must be an array of FIPS codes as texts"),
    "Puerto Rico beside a state": (
        settings(1, state_filter=["72", "01"]),
        "state_filter must have Puerto Rico (72) alone",
    ),
    "a nation of Puerto Rico": (settings(1, state_filter=["72"]), "must be 0 where state_filter is Puerto Rico"),
    "a misspelt total": (settings(1, total_budge=45), "total_budge: unknown key; did you mean 'total_budget'?"),
    "a misspelt key": (settings(1, state_filters=["44"]), "state_filters: unknown key; did you mean 'state_filter'?"),
    "an unknown key": (settings(1, colour="red"), "colour: unknown key; known: privacy_budget, tau, state_filter"),
    "another total": (settings(1, total_budget=45), "total_budget must be the sum of all budgets, 46; got 45"),
}


@pytest.mark.parametrize("case", BAD_SETTINGS)
def test_bad_settings_are_refused_in_one_line(case, phsafe):
    chosen, message = BAD_SETTINGS[case]
    (line,) = phsafe(chosen, status=2)
    assert "settings.json: " in line
    assert message in line


def test_help_has_examples(capsys):
    for words in (["run", "--help"], ["run", "phsafe", "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    assert "stirred run phsafe --settings sdhc/phsafe_us.json" in capsys.readouterr().out


def test_a_total_that_is_right_is_taken(phsafe):
    phsafe(settings(1, total_budget=46), "--total", Fraction(46))


def replaced(name, old, new):
    def change(data):
        text = (data / name).read_text()
        assert old in text
        (data / name).write_text(text.replace(old, new, 1))

    return change


def mixed_parts(data):
    (data / "persons").mkdir()
    for number, kind in ((1, pa.string()), (2, pa.int64())):
        values = {name: ["1"] for name in HEADERS["persons"]}
        table = pa.table({name: pa.array(column).cast(kind) for name, column in values.items()})
        pq.write_table(table, data / "persons" / f"{number}.parquet")
    (data / "persons.csv").unlink()


def mixed_kinds(data):
    (data / "persons").mkdir()
    shutil.copy(data / "persons.csv", data / "persons" / "1.csv")
    (data / "persons" / "2.parquet").write_bytes(b"PAR1")
    (data / "persons.csv").unlink()


def emptied(data):
    shutil.rmtree(data)


BAD_DATA = {
    "no folder": (emptied, "data: must be a folder with geo, units and persons"),
    "a file is missing": (lambda data: (data / "units.csv").unlink(), "it has none of them"),
    "a file twice": (
        lambda data: shutil.copy(data / "units.csv", data / "units.parquet"),
        "units.csv and units.parquet",
    ),
    "an empty file": (lambda data: (data / "geo.csv").write_text(""), "geo.csv: must have a header line; it has none"),
    "a column is missing": (replaced("units.csv", "HHRACE", "RACE"), "units.csv: the header must have the columns"),
    "a column twice": (replaced("persons.csv", "CENHISP", "QAGE"), "QAGE is there twice"),
    "the columns of another file": (
        lambda data: shutil.copy(data / "geo.csv", data / "persons.csv"),
        "persons.csv: the header must have the columns RTYPE, MAFID, QAGE, CENHISP, CENRACE, RELSHIP; QAGE is missing",
    ),
    "a negative age": (replaced("persons.csv", ",45,", ",-45,"), "persons.csv: row 2: QAGE must be one of 0 to 115"),
    "an age with a fraction": (replaced("persons.csv", ",45,", ",45.5,"), "row 2: QAGE must be one of 0 to 115"),
    "an age with a zero before it": (replaced("persons.csv", ",45,", ",045,"), "row 2: QAGE must be one of 0 to 115"),
    "no age": (replaced("persons.csv", ",45,", ",,"), "persons.csv: row 2: QAGE must be one of 0 to 115"),
    "a race without its zero": (replaced("persons.csv", ",02,", ",2,"), "row 2: CENRACE must be one of 01 to 63"),
    "a MAFID that is none": (replaced("units.csv", "100000002", "1e8"), "units.csv: row 2: MAFID must be a positive"),
    "an unknown tenure": (
        replaced("units.csv", ",1,1,01,2", ",7,1,01,2"),
        "units.csv: row 1: TEN must be one of 0 to 4",
    ),
    "a state of three digits": (replaced("geo.csv", "1,44,", "1,444,"), "geo.csv: row 1: TABBLKST must be two digits"),
    "a line with a field less": (replaced("persons.csv", ",01,20", ",20"), "persons.csv: line 2 must be CSV"),
    "another encoding": (
        lambda data: (data / "persons.csv").write_bytes(PERSONS.replace("26", "\xff").encode("latin-1")),
        "persons.csv: line 4 must be CSV in UTF-8",
    ),
    "no Parquet": (
        lambda data: (data / "geo.csv").rename(data / "geo.parquet"),
        "geo.parquet: must be Parquet",
    ),
    "parts of two schemas": (
        mixed_parts,
        "persons: its files must have one schema; the column 'RTYPE' is bigint in 2.parquet and varchar in 1.parquet",
    ),
    "parts of two kinds": (mixed_kinds, "persons: must have CSV files or Parquet files; it has both"),
}
SECRET = ("45", "1e8", "444", "100000")


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_are_refused_in_one_line_that_shows_no_value(case, phsafe):
    change, message = BAD_DATA[case]
    change(phsafe.data)
    (line,) = phsafe(settings(0.01), status=2)
    assert message in line
    assert not any(secret in line.partition("data/")[2] for secret in SECRET)


def test_confidential_values_are_shown_where_that_is_asked_for(phsafe):
    BAD_DATA["a negative age"][0](phsafe.data)
    notice, line = phsafe(settings(0.01), "--debug-confidential", status=2)
    assert "messages may show values of confidential records" in notice
    assert line.endswith("persons.csv: row 2: QAGE must be one of 0 to 115; got '-45'")


def test_a_folder_with_the_signs_of_a_pattern_is_read_as_it_is_named(phsafe):
    odd = phsafe.data.with_name("a[1]'*")
    phsafe.data.rename(odd)
    assert main(["run", "phsafe", "--settings", "x", "--data", str(odd), "--output", "y"]) == 2
    phsafe.data.symlink_to(odd)
    phsafe(settings())


def test_targets_in_the_data_are_refused(phsafe, capsys):
    file = phsafe.data.parent / "settings.json"
    file.write_text(json.dumps(settings(1)))
    words = ["run", "phsafe", "--settings", str(file), "--data", str(phsafe.data)]
    assert main([*words, "--output", str(phsafe.data / "out")]) == 2
    assert "must lie apart from the data" in capsys.readouterr().err
    assert main([*words, "--output", str(phsafe.out), "--claim", str(phsafe.out / "a.toml")]) == 2
    assert "must lie apart from the tables" in capsys.readouterr().err


def test_the_group_is_named_where_duckdb_is_missing(phsafe, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    (line,) = phsafe(settings(0.01), status=2)
    assert line.endswith("PHSafe on files needs duckdb: pip install duckdb")


def test_data_that_change_meanwhile_are_refused(phsafe, monkeypatch):
    made = run_phsafe.make_table

    def changing(*arguments):
        (phsafe.data / "persons.csv").write_text(PERSONS + PERSONS.splitlines()[1] + "\n")
        made(*arguments)

    monkeypatch.setattr(run_phsafe, "make_table", changing)
    (line,) = phsafe(settings(0.01), status=2)
    assert line.endswith("must not change while it is read; it has")


def added(name, line):
    def change(data):
        with (data / name).open("a") as file:
            file.write(f"{line}\n")

    return change


def agreeing(data):
    """Files that agree: the MAFID that stands twice once, persons where there is a unit."""
    units, persons = UNITS.splitlines(keepends=True), PERSONS.splitlines(keepends=True)
    (data / "units.csv").write_text("".join([*units[:4], *units[5:]]))
    (data / "persons.csv").write_text("".join(persons[:-1]))
    geo = [line for line in GEO.splitlines(keepends=True) if not line.startswith("2,100000005")]
    (data / "geo.csv").write_text("".join(geo))


CONTRADICTIONS = {
    "a person without unit": (
        added("persons.csv", "3,100000005,20,1,01,20"),
        "persons.csv: row 7: MAFID must be that of a row of units",
    ),
    "two units": (
        added("units.csv", "2,100000002,1,0,1,04,4,6,05,5"),
        "units.csv: row 2: MAFID must be that of this row alone",
    ),
    "a unit without place": (
        added("units.csv", "2,100000007,1,0,1,04,4,6,05,5"),
        "units.csv: row 6: MAFID must be that of a row of geo",
    ),
    "two places": (
        added("geo.csv", "2,100000006,44,055,450200,4069,1,1,1,99999,9999"),
        "geo.csv: row 5: MAFID must be that of this row alone",
    ),
    "a place without unit": (
        added("geo.csv", "2,100000008,44,055,450200,4069,1,1,1,99999,9999"),
        "geo.csv: row 6: MAFID must be that of a row of units",
    ),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_files_that_do_not_agree_are_refused_where_that_is_asked_for(case, phsafe):
    change, message = CONTRADICTIONS[case]
    agreeing(phsafe.data)
    change(phsafe.data)
    (line,) = phsafe(settings(0.01), "--validate", status=2)
    assert line.endswith(f"{message}; got another value, which --debug-confidential shows")
    phsafe(settings(0.01))  # where it is not asked for, the MAFID is dropped


def test_files_that_agree_are_taken(phsafe):
    agreeing(phsafe.data)
    phsafe(settings(0.01), "--validate")


MORE = """\
2,100000001,29,055,450200,4069,1,1,1,99999,9999
2,100000002,06,055,450200,4069,1,1,1,99999,9999
4,100000006,44,055,450200,4069,1,1,1,99999,9999
"""
"""One unit in both states, one with a second place outside them, and one that is group quarters elsewhere."""


@pytest.fixture
def crowded(phsafe):
    (phsafe.data / "geo.csv").write_text(GEO + MORE)
    return phsafe


def counts(out, table):
    """The counts, by region, iteration and cell."""
    with (out / table / f"{table}.csv").open(newline="") as file:
        return {
            f"{region}{code}{cell}": int(n)
            for region, _, code, cell, n, *_ in list(csv.reader(file, delimiter="|"))[1:]
        }


def found(out, table):
    return {key: count for key, count in counts(out, table).items() if count}


def rows(folder, name):
    return list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines()))


def joined(folder, states):
    """Units with a state each, and the persons that are counted with theirs."""
    geo = [row for row in rows(folder, "geo") if row["TABBLKST"] in states]
    read = {
        name: [row for row in rows(folder, name) for place in geo if place["MAFID"] == row["MAFID"]]
        for name in ("units", "persons")
    }
    units = [
        (unit, place["TABBLKST"])
        for unit in read["units"]
        for place in geo
        if place["MAFID"] == unit["MAFID"] and place["RTYPE"] == "2"
    ]
    times = Counter(unit["MAFID"] for unit, _ in units)
    alone = {unit["MAFID"]: (unit, state) for unit, state in units if times[unit["MAFID"]] == 1}
    return units, [(one, *alone[one["MAFID"]]) for one in read["persons"] if one["MAFID"] in alone]


def test_units_count_for_each_pair_and_their_persons_are_dropped(crowded):
    crowded(settings(), "--each-place")
    units, persons = joined(crowded.data, ("44", "29"))
    occupied = Counter(state for unit, state in units if unit["RTYPE"] == "2" and unit["HHT"] != "0")
    families = Counter(state for unit, state in units if unit["HHT"] in "123")
    housed = Counter((state, 2 + (int(one["QAGE"]) > 17)) for one, _, state in persons if one["RTYPE"] == "3")
    assert occupied == {"44": 5, "29": 2}  # twice in either state, the other unit, and the one of two rows
    assert families == {"44": 2, "29": 2}
    assert housed == {("44", 3): 1}
    of_all = {key: count for key, count in found(crowded.out, "PH1_denom").items() if "*" in key}
    assert of_all == {"1*1": sum(occupied.values()), **{f"{state}*1": n for state, n in occupied.items()}}
    assert found(crowded.out, "PH5_denom")["29*1"] == families["29"]
    by_age = {key: count for key, count in found(crowded.out, "PH1_num").items() if "*" in key}
    assert by_age == {"1*3": 1, **{f"{state}*{cell}": count for (state, cell), count in housed.items()}}


def test_without_the_option_no_unit_of_two_places_counts(crowded):
    crowded(settings())
    assert found(crowded.out, "PH1_denom") == {"1*1": 2, "44*1": 2, "1A1": 2, "44A1": 2, "1I1": 2, "44I1": 2}
    assert found(crowded.out, "PH1_num") == {}


@pytest.mark.parametrize(("privacy", "key", "factor"), [("zcdp", "rho_squared", 16), ("puredp", "epsilon", 4)])
def test_the_runs_that_count_units_spend_as_often_as_one_counts(crowded, tmp_path, privacy, key, factor):
    claim = tmp_path / "claim.toml"
    chosen = settings(0.5, privacy_defn=privacy)
    captured = crowded(chosen, "--each-place", "--seed", 1, "--claim", claim)
    account = tomllib.loads(claim.read_text())["account"]
    spent = {one["name"]: float(one[key]) for one in account["releases"]}
    # levels of half each: 6 where there are iterations; a unit in both states makes 2 * 2 pairs
    assert spent["PH1_num"] == 3
    assert [spent[f"PH{number}_denom"] for number in (1, 5, 8)] == [3 * factor] * 3
    total = 14 + 9 * factor  # PH1_num, PH3, PH4 and PH7, PH2 and PH6; three of units
    assert float(account["total"]) == total
    assert f"= {total} (the sum over 46 levels, those of units times {factor}, since geo has up to 4" in captured.out
    assert "once for each pair of rows that geo has" in account["domain"]
    assert "replaced" not in captured.out


def test_where_geo_names_each_once_nothing_more_is_spent(phsafe):
    captured = phsafe(settings(0.5), "--each-place", "--seed", 1)
    assert "rho^2 = 23 (the sum over 46 levels; PHSafe, Theorems 1 and 2; twice that for replaced" in captured.out


def test_states_without_a_place_have_no_groups(crowded):
    crowded(settings(state_filter=["44", "30", "29"]), "--states-of-geo")
    assert {key[:2] for key in counts(crowded.out, "PH3")} - {"1*", *(f"1{one}" for one in "ABCDEFGHI")} == {"44", "29"}


def test_some_state_must_have_a_place(phsafe):
    (line,) = phsafe(settings(state_filter=["30"]), "--states-of-geo", status=2)
    assert "geo must have a housing unit's place in a state of state_filter" in line


@pytest.mark.parametrize("option", ["--each-place", "--states-of-geo"])
def test_exact_counts_have_neither_option(phsafe, option):
    (line,) = phsafe(settings(), "--non-private", option, status=2)
    assert f"--non-private cannot be combined with {option}" in line

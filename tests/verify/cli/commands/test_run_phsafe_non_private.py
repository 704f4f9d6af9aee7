"""`stirred run phsafe --non-private`: the exact tables that the published program's command of that name writes.

The tally below is written from what that command does, pair by pair of rows, and shares nothing with the program: no
SQL, no narrowest cells, no sums of cells.
"""

import csv
import json
from collections import Counter
from contextlib import ExitStack

import pytest
from published_files import settings
from synthetic_households import any_rows, write_rows

from stirred.mechanisms.das.phsafe.non_private import NON_PRIVATE_TABLES, NonPrivateCounts, exact_text
from stirred.mechanisms.fast.phsafe import PublishedFiles
from stirred.verify.cli.main import main
from stirred.verify.products.phsafe.tables import run_non_private

OWN, FAMILY = {"25", "26", "27"}, {"20", "21", "23", *map(str, range(25, 34))}
STATES = ("01", "02")


def iterations(race, hispanic):
    major = {f"0{one}": "ABCDEF"[one - 1] for one in range(1, 7)}.get(race, "G")
    ethnic = ["H"] if hispanic == "2" else []
    return ["*", major, *ethnic, *(["I"] if (race, hispanic) == ("01", "1") else [])]


HOUSEHOLDS = {"01": [1, 2], "02": [1, 2], "03": [1, 5], "04": [1, 5], "05": [1, 11, 12], "06": [1, 11, 13]}
HOUSEHOLDS |= {"07": [1, 11, 13], "08": [1, 11, 13], "09": [1, 8, 9], "10": [1, 8, 10], "11": [1, 8, 10]}
HOUSEHOLDS |= {"12": [1, 8, 10], "00": [1]}
COUPLES = {("01", "1"): [3], ("01", "2"): [4], ("02", "1"): [3], ("02", "2"): [4]}
COUPLES |= {("03", "3"): [6], ("03", "4"): [7], ("04", "3"): [6], ("04", "4"): [7]}


def household_cells(unit):
    """PH2."""
    return HOUSEHOLDS[unit["HHT2"]] + COUPLES.get((unit["HHT2"], unit["CPLT"]), [])


def child_cells(person, unit):
    """PH3."""
    relation = person["RELSHIP"]
    if relation in OWN:
        return [1, 3, *{"01": [4], "03": [5], "10": [6], "06": [7]}.get(unit["HHT2"], [])]
    if relation in ("20", "21", "22", "23", "24", "34", "35", "36"):
        return [1, 2]
    return [1, *({"30": [8, 9]}.get(relation, [8, 10]) if relation in ("28", "29", *map(str, range(30, 34))) else [])]


def own_child_cells(age, unit):
    """PH6."""
    first = {"01": 2, "03": 7, "10": 12, "06": 17}.get(unit["HHT2"])
    return [1] if first is None else [1, first, first + 1 + (age >= 4) + (age >= 6) + (age >= 12)]


def homes_of(units, lies):
    """Units with their states, for each pair of rows of geo that the readers and the join make."""
    return [
        (unit, row["TABBLKST"])
        for unit in units
        for _ in lies.get(unit["MAFID"], [])
        for row in lies[unit["MAFID"]]
        if row["RTYPE"] == "2"
    ]


def of_unit(unit):
    """Tables, cells and how many, of a unit alone."""
    if unit["RTYPE"] == "2" and unit["HHT"] != "0":
        yield "PH1_denom", [1, 2, 3], 1
        if unit["TEN"] != "0":
            cells = [1, 2 if unit["TEN"] in "12" else 3]
            yield "PH8_denom", cells, 1
            yield "PH8_num", cells, int(unit["FINAL_POP"])
    if unit["HHT"] in "123":
        yield "PH5_denom", [1, 2, 3], 1


def of_person(person, unit):
    """Tables, names of iterations and cells of a person in a unit."""
    names, age = iterations(unit["HHRACE"], unit["HHSPAN"]), int(person["QAGE"])
    by_age, at_home = [1, 2 if age < 18 else 3], person["RTYPE"] == "3"
    if unit["RTYPE"] == "2" and unit["HHT"] != "0":
        yield "PH1_num", names, by_age
    if at_home:
        yield "PH2", [""], household_cells(unit)
    if at_home and unit["TEN"] != "0":
        yield "PH7", names, [1, {"1": 2, "2": 3}.get(unit["TEN"], 4)]
    if at_home and age < 18:
        own = [one for one in iterations(person["CENRACE"], person["CENHISP"]) if one != "I"]
        yield "PH3", own, child_cells(person, unit)
    if unit["HHT"] in "123" and person["RELSHIP"] in FAMILY:
        yield "PH4", names, by_age
        yield "PH5_num", names, by_age
    if age < 18 and person["RELSHIP"] in OWN:
        yield "PH6", [""], own_child_cells(age, unit)


def tally(folder):
    """Every row by table, region, iteration and cell."""
    geo, units, persons = (
        list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines())) for name in ("geo", "units", "persons")
    )
    lies = {}
    for row in geo:
        if row["TABBLKST"] in STATES:
            lies.setdefault(row["MAFID"], []).append(row)
    homes = homes_of(units, lies)
    found = Counter()

    def add(table, state, names, cells, number=1):
        for key in ((table, region, name, cell) for region in ("1", state) for name in names for cell in cells):
            found[key] += number

    for unit, state in homes:
        for table, cells, number in of_unit(unit):
            add(table, state, iterations(unit["HHRACE"], unit["HHSPAN"]), cells, number)
    for person in persons:
        for unit, state in [one for one in homes if one[0]["MAFID"] == person["MAFID"]]:
            for table, names, cells in of_person(person, unit):
                add(table, state, names, cells, len(lies[person["MAFID"]]))
    return dict(found)


def written(folder):
    """Every row of the tables, as it was written."""
    found = {}
    for path in folder.glob("*/*.csv"):
        for row in csv.DictReader(path.read_text().splitlines(), delimiter="|"):
            assert row["REGION_TYPE"] == ("USA" if row["REGION_ID"] == "1" else "STATE")
            cell = int(row[f"{path.stem.upper()}_DATA_CELL"])
            key = (path.stem, row["REGION_ID"], row.get("ITERATION_CODE", ""), cell)
            assert key not in found
            found[key] = int(row["COUNT"])
    return found


def of_any_rows(folder, seed):
    geo, units, persons = any_rows(seed)
    write_rows(geo, units, persons, folder)
    lines = (folder / "units.csv").read_text().splitlines()
    place = lines[0].split(",").index("FINAL_POP")
    counted = [line.split(",") for line in lines[1:]]
    for number, fields in enumerate(counted):
        fields[place] = str(number % 7)
    (folder / "units.csv").write_text("\n".join([lines[0], *map(",".join, counted)]) + "\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_every_row_is_that_of_a_tally_pair_by_pair(tmp_path, seed, capsys):
    data = tmp_path / "data"
    data.mkdir()
    of_any_rows(data, seed)
    (tmp_path / "settings.json").write_text(json.dumps({"state_filter": STATES, "reader": "csv"}))
    words = ["--settings", tmp_path / "settings.json", "--data", data, "--output", tmp_path / "out", "--non-private"]
    assert main(["run", "phsafe", *map(str, words)]) == 0
    captured = capsys.readouterr()
    assert "no release" in captured.err
    assert "budget" not in captured.out
    expected = tally(data)
    assert written(tmp_path / "out") == expected
    assert sum(expected.values()) > 10_000
    assert {table for table, *_ in expected} == set(NON_PRIVATE_TABLES)
    # what sets the command apart from counts without noise is there
    assert any(key[0] == "PH3" and key[2] == "H" for key in expected)
    assert not any(key[0] == "PH3" and key[2] == "I" for key in expected)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "out", "settings.json"]


def test_exact_tables_need_no_command_line(phsafe, tmp_path):
    (tmp_path / "settings.json").write_text(json.dumps({"state_filter": ["44", "29"]}))
    with ExitStack() as opened:
        run_non_private(
            str(tmp_path / "settings.json"),
            tmp_path / "tables",
            lambda counting, work: opened.enter_context(PublishedFiles(str(phsafe.data), counting, work=work)).counted,
        )
    phsafe(settings(), "--non-private")
    assert written(tmp_path / "tables") == written(phsafe.out) != {}


def test_a_table_without_rows_has_its_header():
    assert exact_text("PH6", []) == "REGION_ID|REGION_TYPE|PH6_DATA_CELL|COUNT\n"
    assert "final_pop" in NonPrivateCounts(STATES).cube("PH8_num")


def test_settings_of_a_release_are_taken_and_what_needs_noise_is_refused(phsafe):
    phsafe(settings(0.5), "--non-private")
    assert (phsafe.out / "PH8_num" / "PH8_num.csv").read_text().splitlines()[1:4] == [
        "1|USA|*|1|6",  # the unit that stands twice has one person each time
        "1|USA|*|2|3",
        "1|USA|*|3|3",
    ]


@pytest.mark.parametrize("option", [("--claim", "c.toml"), ("--seed", "1"), ("--total", "1"), ("--work", "w")])
def test_options_of_noise_are_refused(phsafe, option):
    (line,) = phsafe(settings(), "--non-private", *option, status=2)
    assert f"--non-private cannot be combined with {option[0]}" in line


def test_a_unit_without_its_final_population_is_refused(phsafe):
    units = phsafe.data / "units.csv"
    units.write_text(units.read_text().replace("FINAL_POP", "POP"))
    (line,) = phsafe(settings(), "--non-private", status=2)
    assert "FINAL_POP is missing" in line
    units.write_text(units.read_text().replace(",POP", ",FINAL_POP").replace("2,100000001,3", "2,100000001,-3"))
    (line,) = phsafe(settings(), "--non-private", status=2)
    assert "row 1: FINAL_POP must be an integer from 0 to 99999" in line


def test_states_are_checked(phsafe):
    (line,) = phsafe({"state_filter": ["44", "44"]}, "--non-private", status=2)
    assert "settings.json: state_filter must have at least one state, each once" in line
    (line,) = phsafe({"reader": "csv"}, "--non-private", status=2)
    assert "state_filter: missing key" in line

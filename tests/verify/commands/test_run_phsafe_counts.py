"""Without noise `stirred run phsafe` counts what a tally by hand does, person by person.

The tally is written from the Census Bureau's definitions of the codes (RELSHIP, HHT, HHT2, CPLT, TEN and race), and
shares nothing with the program: no truncation (every household fits), no SQL, no cube, no maps to cells.
"""

import csv
import json
from collections import Counter

from published_files import TAUS, settings
from synthetic_households import households, write_tables

from stirred.verify.cli import main

OWN_CHILD = {"25", "26", "27"}
NOT_RELATED = {"20", "21", "22", "23", "24", "34", "35", "36"}
FAMILY = {"20", "21", "23", *map(str, range(25, 34))}
HOUSEHOLD_OF_CHILD = {"01": "married", "03": "cohabiting", "10": "man", "06": "woman"}


def iterations(race, hispanic):
    major = {f"0{one}": "ABCDEF"[one - 1] for one in range(1, 7)}.get(race, "G")
    return ["*", major, *(["H"] if hispanic == "2" else ["I"] if race == "01" else [])]


def couple(unit):
    """The cell of PH2."""
    kind, couple = unit["HHT2"], unit["CPLT"]
    if kind in ("01", "02"):
        return 3 if couple == "1" else 4
    if kind in ("03", "04"):
        return 6 if couple == "3" else 7
    return {"09": 9, "05": 12}.get(kind) or (10 if kind in ("10", "11", "12") else 13)


def child(person, unit):
    """The cell of PH3."""
    relation = person["RELSHIP"]
    if relation in NOT_RELATED:
        return 2
    if relation in OWN_CHILD:
        return {"married": 4, "cohabiting": 5, "man": 6, "woman": 7}[HOUSEHOLD_OF_CHILD[unit["HHT2"]]]
    return 9 if relation == "30" else 10


def tally(folder):
    """Every count that is not 0, by table, region, iteration and cell."""
    read = {
        name: list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines()))
        for name in ("geo", "units", "persons")
    }
    state = {row["MAFID"]: row["TABBLKST"] for row in read["geo"]}
    unit = {row["MAFID"]: row for row in read["units"]}
    found = Counter()

    def add(table, mafid, names, cell):
        for region, name in ((region, name) for region in ("1", state[mafid]) for name in names):
            found[table, region, name, cell] += 1

    for one in read["units"]:
        if one["HHT"] != "0":
            names, mafid = iterations(one["HHRACE"], one["HHSPAN"]), one["MAFID"]
            add("PH1_denom", mafid, names, 1)
            add("PH8_denom", mafid, names, 2 if one["TEN"] in "12" else 3)
            if one["HHT"] in "123":
                add("PH5_denom", mafid, names, 1)
    for one in read["persons"]:
        mafid, age, home = one["MAFID"], int(one["QAGE"]), unit[one["MAFID"]]
        names = iterations(home["HHRACE"], home["HHSPAN"])
        by_age = 2 if age < 18 else 3
        add("PH1_num", mafid, names, by_age)
        add("PH2", mafid, ["*"], couple(home))
        add("PH7", mafid, names, {"1": 2, "2": 3}.get(home["TEN"], 4))
        add("PH8_num", mafid, names, 2 if home["TEN"] in "12" else 3)
        if age < 18:
            add("PH3", mafid, iterations(one["CENRACE"], one["CENHISP"]), child(one, home))
        if one["RELSHIP"] in FAMILY and home["HHT"] in "123":
            add("PH4", mafid, names, by_age)
            add("PH5_num", mafid, names, by_age)
        if age < 18 and one["RELSHIP"] in OWN_CHILD:
            first = {"married": 3, "cohabiting": 8, "man": 13, "woman": 18}[HOUSEHOLD_OF_CHILD[home["HHT2"]]]
            add("PH6", mafid, ["*"], first + (age >= 4) + (age >= 6) + (age >= 12))
    return found


def released(out):
    """Every count that is not 0, as it was written."""
    found = Counter()
    for path in out.glob("*/*.csv"):
        for row in csv.DictReader(path.read_text().splitlines(), delimiter="|"):
            cell = int(row[f"{path.stem.upper()}_DATA_CELL"])
            found[path.stem, row["REGION_ID"], row.get("ITERATION_CODE", "*"), cell] += int(row["COUNT"])
    return +found


def test_every_count_is_that_of_a_tally_by_hand(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    tables = households(400, 1000, seed=11)
    write_tables(tables, data)
    states = sorted(set(tables["geo"]["TABBLKST"].to_pylist()))
    chosen = settings(tau=dict.fromkeys(TAUS, 1000), state_filter=states)
    (tmp_path / "settings.json").write_text(json.dumps(chosen))
    words = ["--settings", tmp_path / "settings.json", "--data", data, "--output", tmp_path / "out", "--validate"]
    assert main(["run", "phsafe", *map(str, words)]) == 0
    expected = tally(data)
    assert {table for table, *_ in expected} == {path.name for path in (tmp_path / "out").iterdir()}
    assert released(tmp_path / "out") == expected

"""Synthetic persons and units in the published schema of PHSafe: many households that hang together, or any rows."""

import csv
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from stirred.mechanisms.das.phsafe.published import DOMAINS, RACES, GeoRow, PersonRow, UnitRow
from stirred.mechanisms.fast.phsafe_settings import STATES

HEADERS = {
    "geo": (
        *("RTYPE", "MAFID", "TABBLKST", "TABBLKCOU", "TABTRACTCE", "TABBLK", "TABBLKGRPCE", "REGIONCE", "DIVISIONCE"),
        *("PLACEFP", "AIANNHCE"),
    ),
    "units": ("RTYPE", "MAFID", "FINAL_POP", "NPF", "HHSPAN", "HHRACE", "TEN", "HHT", "HHT2", "CPLT"),
    "persons": ("RTYPE", "MAFID", "QAGE", "CENHISP", "CENRACE", "RELSHIP"),
}
FIRST_MAFID = 100_000_001
SPOUSES = np.array(["", "21", "23", "22", "24"])
KIN = np.array(["25", "25", "25", "25", "26", "27", "30", "30", "28", "29", "31", "32", "33", "34", "35", "36"])
CODES = np.array(list(RACES))
EDGES = (3, 4, 5, 6, 11, 12, 17, 18)
"""Ages on both sides of every limit between cells."""


def households(units, persons, seed=1):
    """Arrow tables of geo, units and persons: one unit in twelve is vacant, and one household in twenty is large."""
    random = np.random.default_rng(seed)
    occupied = units - units // 12
    home = np.concatenate([np.arange(occupied), _more_members(random, occupied, persons - occupied)])
    home.sort()
    head = np.concatenate([[True], home[1:] != home[:-1]])
    second = np.concatenate([[False], head[:-1]]) & ~head
    size = np.bincount(home, minlength=occupied)
    couple = np.where(size > 1, random.choice(5, occupied, p=[0.4, 0.5, 0.01, 0.08, 0.01]), 0)
    race, hispanic = _races(random, persons), random.choice(np.array(["1", "2"]), persons, p=[0.8, 0.2])
    relship = random.choice(KIN, persons)
    relship[second & (couple[home] > 0)] = SPOUSES[couple[home]][second & (couple[home] > 0)]
    relship[head] = "20"
    child = np.isin(relship, ["25", "26", "27", "30", "35"])
    age = np.where(child, random.integers(0, 30, persons), random.integers(15, 100, persons))
    own_children = np.bincount(home[np.isin(relship, ["25", "26", "27"]) & (age < 18)], minlength=occupied) > 0
    relatives = np.bincount(home[(relship > "24") & (relship < "34")], minlength=occupied) > 0
    household = _household_types(random, size, couple, own_children, relatives)
    vacant = units - occupied
    filled = {
        "HHSPAN": (hispanic[head], "0"),
        "HHRACE": (race[head], "00"),
        "TEN": (random.choice(np.array(list("1234")), occupied), "0"),
        **household,
    }
    mafid = np.arange(FIRST_MAFID, FIRST_MAFID + units)
    zeros = np.full(units, "0")
    unit = {
        "RTYPE": np.full(units, "2"),
        "MAFID": mafid,
        "FINAL_POP": np.concatenate([size, np.zeros(vacant, size.dtype)]),
        "NPF": zeros,
        **{name: np.concatenate([values, np.full(vacant, empty)]) for name, (values, empty) in filled.items()},
    }
    where = {name: np.full(units, "1") for name in HEADERS["geo"][3:]}
    state = random.choice(np.array(STATES[:-1]), units)
    person = (np.full(persons, "3"), mafid[home], age, hispanic, race, relship)
    return {
        "geo": pa.table({"RTYPE": np.full(units, "2"), "MAFID": mafid, "TABBLKST": state, **where}),
        "units": pa.table(unit),
        "persons": pa.table(dict(zip(HEADERS["persons"], person, strict=True))),
    }


def _more_members(random, homes, more):
    weights = random.gamma(1.2, size=homes)
    return random.choice(homes, more, p=weights / weights.sum())


def _races(random, number):
    return np.where(random.random(number) < 0.9, CODES[random.integers(0, 6, number)], random.choice(CODES, number))


def _household_types(random, size, couple, own_children, relatives):
    """HHT, HHT2 and CPLT, each with what stands at a vacant unit."""
    married, cohabiting = (couple == 1) | (couple == 2), couple > 2
    male = random.random(len(size)) < 0.5
    cases = [married & own_children, married, cohabiting & own_children, cohabiting, size == 1, own_children, relatives]
    hht2 = np.select(
        cases,
        ["01", "02", "03", "04", np.where(male, "09", "05"), np.where(male, "10", "06"), np.where(male, "11", "07")],
        np.where(male, "12", "08"),
    )
    family = np.where(male, "2", "3")
    hht = np.select(
        [married, own_children | relatives, size == 1],
        ["1", family, np.where(male, "4", "6")],
        np.where(male, "5", "7"),
    )
    return {"HHT": (hht, "0"), "HHT2": (hht2, "00"), "CPLT": (np.array(list("51234"))[couple], "0")}


def write_tables(tables, folder, kind="csv"):
    """Write Arrow tables as NAME.csv or NAME.parquet."""
    for name, table in tables.items():
        if kind == "csv":
            pc.write_csv(table, folder / f"{name}.csv", pc.WriteOptions(quoting_style="none"))
        else:
            pq.write_table(table, folder / f"{name}.parquet")


def any_rows(seed, homes=250, persons=1500):
    """Rows with any values of the columns' domains, whether or not they hang together; MAFIDs that repeat and miss."""
    random = Random(seed)  # noqa: S311 repeatable

    def some(file, column, *often):
        return random.choice([random.choice(DOMAINS[file][column]), *often])

    def mafids():
        return [*range(homes), *random.choices(range(2 * homes), k=homes // 10)]

    geo = [GeoRow(random.choice("2224"), 1 + one, random.choice(["01", "02", "06"])) for one in mafids()]
    units = [
        UnitRow(
            random.choice("2224"),
            1 + one,
            some("units", "HHSPAN"),
            some("units", "HHRACE", "01", "02", "06", "07"),
            some("units", "TEN"),
            some("units", "HHT"),
            some("units", "HHT2"),
            some("units", "CPLT", "1", "2", "3", "4"),
        )
        for one in mafids()
    ]
    people = [
        PersonRow(
            random.choice("3335"),
            random.randrange(1, homes + homes // 10),
            random.choice([*EDGES, int(some("persons", "QAGE"))]),
            some("persons", "CENHISP"),
            some("persons", "CENRACE", "01", "02", "06", "07"),
            some("persons", "RELSHIP", "25"),
        )
        for _ in range(persons)
    ]
    return geo, units, people + random.choices(people, k=persons // 10)


def write_rows(geo, units, persons, folder):
    """Write rows as the three CSV files, with a value in each published column."""
    for name, rows in (("geo", geo), ("units", units), ("persons", persons)):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, HEADERS[name], restval="0", lineterminator="\n")
            writer.writeheader()
            writer.writerows({field.upper(): value for field, value in row._asdict().items()} for row in rows)

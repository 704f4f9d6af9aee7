"""Rows of the published input files (geo, units, persons) as rows of PHSafe's data frames, and their nine runs.

The columns are those of the Census Bureau's public release of the program. What the paper calls a person's Relationship
is there RTYPE and RELSHIP, and a unit's HouseholdType is RTYPE, HHT, HHT2 and CPLT: they stand in these attributes side
by side. A unit is where geo puts its MAFID, in one place alone and no group quarters; a person has no state of its own.

The filters are those of the released program. It stops at a combination that has no cell, such as an own child in a
household type without own children; here such a row is counted nowhere, so that no failure depends on the data.

Source: DAS_2020_SDHC_Production_Code, for the columns, codes and filters.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from stirred.mechanisms.das.phsafe.records import Person, RaceEth, Unit
from stirred.mechanisms.das.phsafe.tabulations import Joined, Tabulation, runs

RACES: Mapping[str, tuple[str, ...]] = {
    f"{place:02}": races
    for place, races in enumerate((one for size in range(1, 7) for one in combinations("ABCDEF", size)), start=1)
}
"""The major races of each race code: those of one race, then of two, and so on, in order."""

_HISPANIC = "2"
_AGES = tuple(str(age) for age in range(116))
_MAJORITY = 18

DOMAINS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "geo": {"RTYPE": ("2", "4")},
    "units": {
        "RTYPE": ("2", "4"),
        "HHSPAN": ("0", "1", "2"),
        "HHRACE": ("00", *RACES),
        "TEN": tuple("01234"),
        "HHT": tuple("01234567"),
        "HHT2": tuple(f"{code:02}" for code in range(13)),
        "CPLT": tuple("012345"),
    },
    "persons": {
        "RTYPE": ("3", "5"),
        "QAGE": _AGES,
        "CENHISP": ("1", "2"),
        "CENRACE": tuple(RACES),
        "RELSHIP": tuple(str(code) for code in range(20, 39)),
    },
}
"""The texts that stand in each column. MAFID is a positive integer, TABBLKST two digits; no other column is read."""

FAMILY_RELSHIPS = ("20", "21", "23", "25", "26", "27", "28", "29", "30", "31", "32", "33")
"""The householder and those related to the householder."""


class GeoRow(NamedTuple):
    """A row of geo, of the columns that are read."""

    rtype: str
    mafid: int
    tabblkst: str


class UnitRow(NamedTuple):
    """A row of units, of the columns that are read."""

    rtype: str
    mafid: int
    hhspan: str
    hhrace: str
    ten: str
    hht: str
    hht2: str
    cplt: str


class PersonRow(NamedTuple):
    """A row of persons."""

    rtype: str
    mafid: int
    qage: int
    cenhisp: str
    cenrace: str
    relship: str


def published_tables(
    geo: Iterable[GeoRow], units: Iterable[UnitRow], persons: Iterable[PersonRow]
) -> tuple[tuple[Person, ...], tuple[Unit, ...]]:
    """The pair (person_df, unit_df) of three published files, whatever stands in them.

    >>> geo, unit = GeoRow("2", 7, "06"), UnitRow("2", 7, "1", "01", "3", "4", "09", "5")
    >>> published_tables([geo], [unit, unit._replace(mafid=8)], [])[1][0][:2]
    ('06', 7)
    """
    places = [one for one in geo if one.rtype == "2"]
    times = Counter(one.mafid for one in places)
    state = {one.mafid: one.tabblkst for one in places if times[one.mafid] == 1}
    return (
        tuple(
            Person("", one.mafid, one.qage, _race_eth(one.cenrace, one.cenhisp), f"{one.rtype} {one.relship}")
            for one in persons
        ),
        tuple(
            Unit(
                state[one.mafid],
                one.mafid,
                _race_eth(one.hhrace, one.hhspan),
                one.ten,
                f"{one.rtype} {one.hht} {one.hht2} {one.cplt}",
                one.hht in ("1", "2", "3"),
            )
            for one in units
            if one.mafid in state
        ),
    )


def _race_eth(race: str, hispanic: str) -> RaceEth:
    return RaceEth(RACES.get(race, ()), hispanic == _HISPANIC)


def _codes(unit: Unit) -> tuple[str, str, str, str]:
    """RTYPE, HHT, HHT2 and CPLT."""
    rtype, hht, hht2, cplt = unit.status.split()
    return rtype, hht, hht2, cplt


def _relship(person: Person) -> str:
    return person.relationship.split()[1]


def _in_household(person: Person) -> bool:
    return person.relationship.startswith("3 ")


def _in_family(person: Person) -> bool:
    return _relship(person) in FAMILY_RELSHIPS


def _is_own_child(person: Person) -> bool:
    return person.age < _MAJORITY and _relship(person) in ("25", "26", "27")


def _is_occupied(unit: Unit) -> bool:
    rtype, hht, _, _ = _codes(unit)
    return rtype == "2" and hht != "0"


def _is_not_nonfamily(unit: Unit) -> bool:
    """As released: the families, and what has no household type."""
    return _codes(unit)[1] <= "3"


def _age(row: Joined) -> int:
    return row.person.age if row.person else -1


def _by_age(row: Joined) -> int:
    return int(_age(row) >= _MAJORITY)


def _couple_or_householder(row: Joined) -> int | None:
    """The place of the cell in PH2."""
    _, _, hht2, cplt = _codes(row.unit)
    if hht2 in ("01", "02"):
        return {"1": 0, "2": 1}.get(cplt)
    if hht2 in ("03", "04"):
        return {"3": 2, "4": 3}.get(cplt)
    return {"09": 4, "10": 5, "11": 5, "12": 5, "05": 6, "06": 7, "07": 7, "08": 7}.get(hht2)


def _family_with_own_children(row: Joined) -> int | None:
    """Married couple, cohabiting couple, male or female householder alone: 0 to 3."""
    return {"01": 0, "03": 1, "10": 2, "06": 3}.get(_codes(row.unit)[2])


def _of_child(row: Joined) -> int | None:
    """The place of the cell in PH3."""
    relship = _relship(row.person) if row.person else ""
    if relship in ("20", "21", "22", "23", "24", "34", "35", "36"):
        return 0
    if relship in ("25", "26", "27"):
        family = _family_with_own_children(row)
        return None if family is None else 1 + family
    return {"30": 5, "28": 6, "29": 6, "31": 6, "32": 6, "33": 6}.get(relship)


def _of_own_child(row: Joined) -> int | None:
    """The place of the cell in PH6."""
    family = _family_with_own_children(row)
    return None if family is None else 4 * family + sum(_age(row) >= first for first in (4, 6, 12))


def _by_tenure(row: Joined) -> int | None:
    return {"1": 0, "2": 1, "3": 2, "4": 2}.get(row.unit.tenure)


def _owner_or_renter(row: Joined) -> int | None:
    return {"1": 0, "2": 0, "3": 1, "4": 1}.get(row.unit.tenure)


def published_runs() -> Mapping[str, Tabulation]:
    """The nine runs on rows of the published files, with the cells of `runs`.

    >>> published_runs()["PH1_denom"].cells
    ('total',)
    """
    listed = (
        _run("PH1_num", _by_age, _in_household),
        _run("PH1_denom", lambda _row: 0, unit=_is_occupied),
        _run("PH2", _couple_or_householder, _in_household),
        _run("PH3", _of_child, lambda person: _in_household(person) and person.age < _MAJORITY),
        _run("PH4", _by_age, _in_family, _is_not_nonfamily),
        _run("PH5_denom", lambda _row: 0, unit=lambda unit: unit.is_family),
        _run("PH6", _of_own_child, _is_own_child),
        _run("PH7", _by_tenure, _in_household),
        _run("PH8_denom", _owner_or_renter, unit=_is_occupied),
    )
    return {one.name: one for one in listed}


def _run(
    name: str,
    place: Callable[[Joined], int | None],
    person: Callable[[Person], bool] = lambda _person: True,
    unit: Callable[[Unit], bool] = lambda _unit: True,
) -> Tabulation:
    """A run of the paper with these filters, and this place of a row's cell in its basis."""
    paper = runs()[name]

    def cell(row: Joined) -> str | None:
        found = place(row)
        return None if found is None else paper.cells[found]

    return replace(paper, cell=cell, person_condition=person, unit_condition=unit)


CELL_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "PH1_num": (2, 3),
    "PH1_denom": (1,),
    "PH2": (3, 4, 6, 7, 9, 10, 12, 13),
    "PH3": (2, 4, 5, 6, 7, 9, 10),
    "PH4": (2, 3),
    "PH5_num": (2, 3),
    "PH5_denom": (1,),
    "PH6": tuple(number for number in range(3, 22) if number % 5 != 2),
    "PH7": (2, 3, 4),
    "PH8_num": (2, 3),
    "PH8_denom": (2, 3),
}
"""The published number of each cell of a basis, in order."""

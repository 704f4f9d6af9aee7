"""The exact tables of the published program's `non-private` command, which nothing protects: for tests, no release.

They are not the counts of `statements` without noise. No household is cut, and a MAFID that a file names twice is
counted once for each pair of the joins; there are totals, and no cells without rows; PH1_denom and PH5_denom print one
count in three cells; PH8_num sums the units' FINAL_POP in place of counting persons; a unit without a race stands among
those of two or more; and PH3 has no iteration I, since there the program compares ethnicity with the code of a race.

Source: DAS_2020_SDHC_Production_Code, nonprivate_tabulations.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stirred.mechanisms.das.phsafe.published import FAMILY_RELSHIPS, RACES
from stirred.mechanisms.das.phsafe.statements import (
    BY_AGE,
    CODED,
    COLUMNS,
    IN_HOUSEHOLD,
    NOT_RELATED,
    OCCUPIED,
    OWN_CHILD,
    RELATED,
    CubeRow,
    among,
    case,
)

_IN_FAMILY = among("hht", "123")
_IN_HOME = f"person_{IN_HOUSEHOLD}"
_MEMBERS: Mapping[str, str] = {
    "PH1_num": OCCUPIED,
    "PH2": _IN_HOME,
    "PH3": f"{_IN_HOME} AND age < 18",
    "PH4": f"{_IN_FAMILY} AND {among('relship', FAMILY_RELSHIPS)}",
    "PH5_num": f"{_IN_FAMILY} AND {among('relship', FAMILY_RELSHIPS)}",
    "PH6": f"age < 18 AND {OWN_CHILD}",
    "PH7": _IN_HOME,
}
"""The tables of persons, each with those that it counts."""

_HOMES: Mapping[str, str] = {"PH1_denom": OCCUPIED, "PH5_denom": _IN_FAMILY, "PH8_num": OCCUPIED, "PH8_denom": OCCUPIED}
"""The tables of units, each with those that it counts."""

NON_PRIVATE_TABLES = tuple(sorted((*_MEMBERS, *_HOMES)))

_ALONE = {"09": 9, **dict.fromkeys(("10", "11", "12"), 10), "05": 12, **dict.fromkeys(("06", "07", "08"), 13)}
_OF_HOUSEHOLD = (
    f"CASE WHEN {among('hht2', ('01', '02'))} THEN {case('cplt', {'1': 3, '2': 4}, '2')} "
    f"WHEN {among('hht2', ('03', '04'))} THEN {case('cplt', {'3': 6, '4': 7}, '5')} "
    f"ELSE {case('hht2', _ALONE, '1')} END"
)
_OF_OWN_CHILD = case("hht2", {"01": 4, "03": 5, "10": 6, "06": 7}, "3")
_OTHERS = {**dict.fromkeys(NOT_RELATED, 2), **{relship: place + 4 for relship, place in RELATED.items()}}
_OF_CHILD = f"CASE WHEN {OWN_CHILD} THEN {_OF_OWN_CHILD} ELSE {case('relship', _OTHERS, '1')} END"
_OF_AGE = "CASE WHEN age < 4 THEN 1 WHEN age < 6 THEN 2 WHEN age < 12 THEN 3 ELSE 4 END"
_OF_FAMILY = case("hht2", {"01": 2, "03": 7, "10": 12, "06": 17})
_OWNER_OR_RENTER = case("ten", {"1": 2, "2": 2, "3": 3, "4": 3})
_CELLS: Mapping[str, str] = {
    **dict.fromkeys(("PH1_num", "PH4", "PH5_num"), f"2 + {BY_AGE}"),
    **dict.fromkeys(("PH1_denom", "PH5_denom"), "1"),
    "PH2": _OF_HOUSEHOLD,
    "PH3": _OF_CHILD,
    "PH6": f"coalesce({_OF_FAMILY} + {_OF_AGE}, 1)",
    "PH7": case("ten", {"1": 2, "2": 3, "3": 4, "4": 4}),
    **dict.fromkeys(("PH8_num", "PH8_denom"), _OWNER_OR_RENTER),
}
"""The published number of the narrowest cell of a row: where none fits, that of a sum."""

_SUMS: Mapping[str, Mapping[int, int]] = {
    "PH2": {3: 2, 4: 2, 6: 5, 7: 5, 9: 8, 10: 8, 12: 11, 13: 11},
    "PH3": {4: 3, 5: 3, 6: 3, 7: 3, 9: 8, 10: 8},
    "PH6": {cell: first for first in (2, 7, 12, 17) for cell in range(first + 1, first + 5)},
}
"""By cell the sum beside the total that it is part of."""


def _iterations(race: str, hispanic: str) -> str:
    alone = {code: repr(races[0]) for code, races in RACES.items() if len(races) == 1}
    ethnic = f"CASE WHEN {hispanic} = '2' THEN 'H' WHEN {race} = '01' AND {hispanic} = '1' THEN 'I' ELSE '' END"
    return f"{case(race, alone, repr('G'))} AS major, {ethnic} AS ethnic"


@dataclass(frozen=True)
class NonPrivateCounts:
    """What the non-private command counts."""

    states: Sequence[str]

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The columns that are read of each file."""
        return {**COLUMNS, "units": (*COLUMNS["units"], "FINAL_POP")}

    def prepared(self, _digest: str) -> Sequence[tuple[str, str]]:
        """The units and persons of the states, with a row for each pair of rows with one MAFID, as there they join."""
        chosen = (
            "SELECT CAST(MAFID AS BIGINT) AS place_mafid, RTYPE AS place_rtype, TABBLKST AS state FROM geo_text "
            f"WHERE {among('TABBLKST', self.states)}"
        )
        units = (
            f"SELECT CAST(MAFID AS BIGINT) AS unit_mafid, {_iterations('HHRACE', 'HHSPAN')}, "
            "RTYPE AS rtype, TEN AS ten, HHT AS hht, HHT2 AS hht2, CPLT AS cplt, "
            "CAST(FINAL_POP AS BIGINT) AS final_pop FROM units_text JOIN chosen ON CAST(MAFID AS BIGINT) = place_mafid"
        )
        homes = (
            "SELECT unit_mafid, state, major, ethnic, rtype, ten, hht, hht2, cplt, final_pop "
            "FROM units JOIN chosen ON unit_mafid = place_mafid WHERE place_rtype <> '4'"
        )
        members = (
            "SELECT state, homes.major, homes.ethnic, homes.rtype, ten, hht, hht2, cplt, age, relship, "
            "persons.rtype AS person_rtype, persons.major AS own_major, persons.ethnic AS own_ethnic "
            "FROM persons JOIN homes ON mafid = unit_mafid"
        )
        return (
            ("chosen", chosen),
            ("units", units),
            ("homes", homes),
            ("persons", f"SELECT {CODED} FROM persons_text JOIN chosen ON CAST(MAFID AS BIGINT) = place_mafid"),
            ("members", members),
        )

    def cube(self, table: str) -> str:
        """The rows of a table by state, iterations and narrowest cell; of PH8_num the sum of FINAL_POP."""
        rows, condition = ("members", _MEMBERS[table]) if table in _MEMBERS else ("homes", _HOMES[table])
        race = "major, ethnic"
        if table == "PH3":
            race = "own_major AS major, CASE own_ethnic WHEN 'H' THEN 'H' ELSE '' END AS ethnic"
        weight = "final_pop" if table == "PH8_num" else "1"
        placed = f"SELECT state, {race}, {_CELLS[table]} AS cell, {weight} AS many FROM {rows} WHERE {condition}"
        return (
            f"SELECT state, major, ethnic, cell, CAST(sum(many) AS BIGINT) AS n FROM ({placed}) AS placed "
            "WHERE cell IS NOT NULL GROUP BY state, major, ethnic, cell"
        )


def exact_text(table: str, cube: Iterable[CubeRow]) -> str:
    """A table as the command prints it, its rows in order.

    >>> print(exact_text("PH1_denom", [CubeRow("06", "A", "", 1, 5)]).splitlines()[:3])
    ['REGION_ID|REGION_TYPE|ITERATION_CODE|PH1_DENOM_DATA_CELL|COUNT', '06|STATE|*|1|5', '06|STATE|*|2|5']
    """
    counted: Counter[tuple[str, str, str, int]] = Counter()
    has_iterations = table not in ("PH2", "PH6")
    for row in cube:
        names = filter(None, ("*", row.major, row.ethnic)) if has_iterations else ("",)
        for name in names:
            for region in (("1", "USA"), (row.state, "STATE")):
                for cell in _cells(table, row.place):
                    counted[(*region, name, cell)] += row.rows
    header = ["REGION_ID", "REGION_TYPE", "ITERATION_CODE", f"{table.upper()}_DATA_CELL", "COUNT"]
    lines = [header, *([*map(str, key), str(count)] for key, count in sorted(counted.items()))]
    kept = lines if has_iterations else [[*line[:2], *line[3:]] for line in lines]
    return "".join("|".join(line) + "\n" for line in kept)


def _cells(table: str, narrowest: int) -> set[int]:
    """Where a row is counted: its narrowest cell, and the sums that have it."""
    if table in ("PH1_denom", "PH5_denom"):
        return {1, 2, 3}
    return {1, narrowest, _SUMS.get(table, {}).get(narrowest, 1)}

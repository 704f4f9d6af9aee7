"""PHSafe's relational steps on the published files, as SQL that DuckDB and Spark both run.

The input is three tables of texts: geo_text, units_text and persons_text. `prepared` says what is made of them, in
order; `cube` then counts the rows of one run by state, both kinds of iteration, and place of the cell in the basis.
Every count of every population group level is a sum of these.

A person's place is that in their MAFID by the SHA-256 of their record: the order "hash" of the program, since no two
different records with one SHA-256 are known. It is made only where a MAFID has more persons than the least τ.

Source: PHSafe, Algorithms 1 to 4.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from stirred.mechanisms.das.phsafe.published import DOMAINS, FAMILY_RELSHIPS, RACES

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "geo": ("RTYPE", "MAFID", "TABBLKST"),
    "units": ("RTYPE", "MAFID", "HHSPAN", "HHRACE", "TEN", "HHT", "HHT2", "CPLT"),
    "persons": ("RTYPE", "MAFID", "QAGE", "CENHISP", "CENRACE", "RELSHIP"),
}
"""The columns that are read of each file."""


class CubeRow(NamedTuple):
    """How many rows of a run have a state, an iteration of each kind (empty where none), and a cell by its place."""

    state: str
    major: str
    ethnic: str
    place: int
    rows: int


class Counting(Protocol):
    """What is counted of published files, as SQL that DuckDB and Spark both run."""

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The columns that are read of each file."""

    def prepared(self, digest: str) -> Sequence[tuple[str, str]]:
        """The tables that are made of the files, by name, where `digest` is the SHA-256 of {} in this dialect."""

    def cube(self, table: str) -> str:
        """The rows of a table by state, major and ethnic iteration, and cell."""


_FEW = 10
"""Values that are compared one by one; more are the numerals of an interval."""

_PERSON = "mafid, age, rtype, relship, major, ethnic"


def among(column: str, values: Collection[str]) -> str:
    """Whether the text in a column is one of these, as SQL."""
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


def _numeral(column: str, least: int, most: int, width: int = 0) -> str:
    """Whether a text is the decimal numeral of an integer in a range, with leading zeros up to a width."""
    number = f"TRY_CAST({column} AS BIGINT)"
    text = f"CAST({number} AS STRING)"
    written = f"lpad({text}, {width}, '0')" if width else text
    return f"{number} BETWEEN {least} AND {most} AND {written} = {column}"


def conditions(file: str, columns: Sequence[str] = ()) -> Mapping[str, tuple[str, str]]:
    """By column, of those of `COLUMNS` or others, the condition that its values must meet: in words, and as SQL.

    >>> conditions("persons")["CENHISP"]
    ('1 or 2', "CENHISP IN ('1', '2')")
    """
    found = {
        "MAFID": ("a positive integer of at most 18 digits", _numeral("MAFID", 1, 10**18 - 1)),
        "TABBLKST": ("two digits", _numeral("TABBLKST", 0, 99, 2)),
        "FINAL_POP": ("an integer from 0 to 99999", _numeral("FINAL_POP", 0, 99_999)),
    }
    for column, values in DOMAINS[file].items():
        words = f"{values[0]} or {values[1]}" if len(values) == 2 else f"one of {values[0]} to {values[-1]}"
        width = len(values[0]) if len(values[0]) == len(values[-1]) else 0
        many = _numeral(column, int(values[0]), int(values[-1]), width)
        found[column] = (words, among(column, values) if len(values) < _FEW else many)
    return {column: found[column] for column in columns or COLUMNS[file]}


def contradictions(file: str) -> tuple[tuple[str, str], ...]:
    """What the MAFID of each row must be beside the rows of the other files, in words, and as SQL where it is not.

    The run does not need it: a MAFID that has not one unit and one place is dropped. The released program refuses it
    where it is asked to validate its input (PHSafe, section 6.1).

    >>> contradictions("persons")[0][0]
    'that of a row of units'
    """
    alone = ("that of this row alone", f"MAFID IN (SELECT MAFID FROM {file}_text GROUP BY MAFID HAVING count(*) > 1)")
    return {"geo": (alone, _without("units")), "units": (alone, _without("geo")), "persons": (_without("units"),)}[file]


def _without(file: str) -> tuple[str, str]:
    known = f"SELECT MAFID AS known FROM {file}_text"
    return f"that of a row of {file}", f"NOT EXISTS (SELECT 1 FROM ({known}) AS others WHERE known = MAFID)"


def case(column: str, places: Mapping[str, object], other: str = "NULL") -> str:
    """The SQL of a value by the text in a column."""
    whens = " ".join(f"WHEN '{text}' THEN {place}" for text, place in places.items())
    return f"CASE {column} {whens} ELSE {other} END"


def _major(race: str) -> str:
    """The iteration A to G of a race code, or the empty text."""
    alone = {code: repr(races[0]) for code, races in RACES.items() if len(races) == 1}
    return case(race, {**alone, "00": "''"}, "'G'")


def _ethnic(race: str, hispanic: str) -> str:
    """The iteration H or I, or the empty text."""
    return f"CASE WHEN {hispanic} = '2' THEN 'H' WHEN {race} = '01' THEN 'I' ELSE '' END"


_RECORD = (
    f"concat('_', MAFID, '_', QAGE, '_', {case('CENRACE', {code: repr('_'.join(one)) for code, one in RACES.items()})}"
    ", '_', CASE CENHISP WHEN '2' THEN 'True' ELSE 'False' END, '_', RTYPE, ' ', RELSHIP)"
)
"""The text whose SHA-256 orders persons, with _ for the unit separator."""


def places(states: Sequence[str]) -> str:
    """The states that geo has a place of housing units in, each with the most pairs that it makes of one MAFID.

    A pair is a row of geo of either kind and one of a housing unit, both of the MAFID and in these states.

    >>> places(["06"])[:46]
    'SELECT state, max(pairs) AS most FROM (SELECT '
    """
    mafid = "PARTITION BY CAST(MAFID AS BIGINT)"
    units = f"sum(CASE RTYPE WHEN '2' THEN 1 ELSE 0 END) OVER ({mafid})"
    rows = (
        f"SELECT RTYPE AS rtype, TABBLKST AS state, CAST(count(*) OVER ({mafid}) * {units} AS BIGINT) AS pairs "
        f"FROM geo_text WHERE {among('TABBLKST', states)}"
    )
    return f"SELECT state, max(pairs) AS most FROM ({rows}) AS placed WHERE rtype = '2' GROUP BY state"


def _located(states: Sequence[str], *, each_place: bool) -> str:
    """Where housing units are: in one place alone, or, with a row for each pair (see `places`), wherever geo says."""
    if not each_place:
        return (
            "SELECT CAST(MAFID AS BIGINT) AS mafid, min(TABBLKST) AS state FROM geo_text WHERE RTYPE = '2' "
            f"GROUP BY MAFID HAVING count(*) = 1 AND {among('min(TABBLKST)', states)}"
        )
    read = f"SELECT CAST(MAFID AS BIGINT) AS read_mafid FROM geo_text WHERE {among('TABBLKST', states)}"
    return (
        f"SELECT CAST(MAFID AS BIGINT) AS mafid, TABBLKST AS state FROM geo_text JOIN ({read}) AS others "
        f"ON CAST(MAFID AS BIGINT) = read_mafid WHERE RTYPE = '2' AND {among('TABBLKST', states)}"
    )


def prepared(
    states: Sequence[str], least: int, digest: str, *, each_place: bool = False
) -> tuple[tuple[str, str], ...]:
    """The tables that `cube` reads, by name, each made of those before it.

    Args:
        least: the least τ.
        digest: the SHA-256 of {} as hexadecimal digits in this dialect.
        each_place: whether a MAFID that geo names several times has a row for each pair, or none.
    """
    hashed = digest.format(f"replace({_RECORD}, '_', chr(31))")
    units = (
        f"SELECT located.mafid, state, {_iterations('HHRACE', 'HHSPAN')}, "
        "RTYPE AS rtype, TEN AS ten, HHT AS hht, HHT2 AS hht2, CPLT AS cplt "
        "FROM units_text JOIN located ON CAST(units_text.MAFID AS BIGINT) = located.mafid"
    )
    many = (
        f"SELECT {CODED}, row_number() OVER (PARTITION BY CAST(MAFID AS BIGINT) ORDER BY {hashed}) AS place "
        "FROM persons_text JOIN crowded ON CAST(MAFID AS BIGINT) = full_mafid"
    )
    return (
        ("located", _located(states, each_place=each_place)),
        ("units", units),
        ("homes", _unique("TRUE")),
        ("family_homes", _unique(among("hht", "0123"))),
        ("persons", f"SELECT {CODED} FROM persons_text"),
        ("crowded", f"SELECT mafid AS full_mafid FROM persons GROUP BY mafid HAVING count(*) > {least}"),
        ("many", many),
    )


def _iterations(race: str, hispanic: str) -> str:
    return f"{_major(race)} AS major, {_ethnic(race, hispanic)} AS ethnic"


CODED = (
    "CAST(MAFID AS BIGINT) AS mafid, CAST(QAGE AS SMALLINT) AS age, RTYPE AS rtype, RELSHIP AS relship, "
    + _iterations("CENRACE", "CENHISP")
)


def _unique(condition: str) -> str:
    """The units under a condition whose MAFID is no other such one's (Algorithm 3, lines 15 to 20)."""
    kept = ", ".join(f"min({one}) AS {one}" for one in ("state", "major", "ethnic", "ten", "hht2", "cplt"))
    return f"SELECT mafid, {kept} FROM units WHERE {condition} GROUP BY mafid HAVING count(*) = 1"


IN_HOUSEHOLD = "rtype = '3'"
OWN_CHILD = among("relship", ("25", "26", "27"))
_PERSONS = {
    "PH1_num": IN_HOUSEHOLD,
    "PH2": IN_HOUSEHOLD,
    "PH3": f"{IN_HOUSEHOLD} AND age < 18",
    "PH4": among("relship", FAMILY_RELSHIPS),
    "PH6": f"age < 18 AND {OWN_CHILD}",
    "PH7": IN_HOUSEHOLD,
}
OCCUPIED = "rtype = '2' AND hht <> '0'"
_UNITS = {"PH1_denom": OCCUPIED, "PH5_denom": among("hht", "123"), "PH8_denom": OCCUPIED}

BY_AGE = "CASE WHEN age < 18 THEN 0 ELSE 1 END"
_FAMILY = case("hht2", {"01": 0, "03": 1, "10": 2, "06": 3})
_ALONE = {"09": 4, "10": 5, "11": 5, "12": 5, "05": 6, "06": 7, "07": 7, "08": 7}
NOT_RELATED = dict.fromkeys(("20", "21", "22", "23", "24", "34", "35", "36"), 0)
RELATED = {"30": 5, **dict.fromkeys(("28", "29", "31", "32", "33"), 6)}
_PLACES = {
    "PH1_num": BY_AGE,
    "PH1_denom": "0",
    "PH2": (
        f"CASE WHEN {among('hht2', ('01', '02'))} THEN {case('cplt', {'1': 0, '2': 1})} "
        f"WHEN {among('hht2', ('03', '04'))} THEN {case('cplt', {'3': 2, '4': 3})} ELSE {case('hht2', _ALONE)} END"
    ),
    "PH3": f"CASE WHEN {OWN_CHILD} THEN 1 + {_FAMILY} ELSE {case('relship', {**NOT_RELATED, **RELATED})} END",
    "PH4": BY_AGE,
    "PH5_denom": "0",
    "PH6": f"4 * {_FAMILY} + CASE WHEN age < 4 THEN 0 WHEN age < 6 THEN 1 WHEN age < 12 THEN 2 ELSE 3 END",
    "PH7": case("ten", {"1": 0, "2": 1, "3": 2, "4": 2}),
    "PH8_denom": case("ten", {"1": 0, "2": 0, "3": 1, "4": 1}),
}


def cube(table: str, tau: int | None) -> str:
    """The rows of a run by state, major and ethnic iteration, and place of the cell.

    Args:
        tau: its threshold; None in Algorithm 2.

    >>> cube("PH5_denom", None)[:62]
    'SELECT state, major, ethnic, place, count(*) AS n FROM (SELECT'
    """
    if tau is None:
        rows = f"SELECT state, major, ethnic, {_PLACES[table]} AS place FROM units WHERE {_UNITS[table]}"
    else:
        race = "kept" if table == "PH3" else "home"
        homes = "family_homes" if table == "PH4" else "homes"
        ordered = "SELECT *, row_number() OVER (PARTITION BY mafid ORDER BY place) AS n FROM many"
        kept = (
            f"SELECT {_PERSON} FROM persons LEFT JOIN crowded ON mafid = full_mafid "
            f"WHERE full_mafid IS NULL AND {_PERSONS[table]} "
            f"UNION ALL SELECT {_PERSON} FROM ({ordered} WHERE {_PERSONS[table]}) AS ordered WHERE n <= {tau}"
        )
        rows = (
            f"SELECT state, {race}.major, {race}.ethnic, {_PLACES[table]} AS place "
            f"FROM ({kept}) AS kept JOIN {homes} AS home ON kept.mafid = home.mafid"
        )
    return (
        f"SELECT state, major, ethnic, place, count(*) AS n FROM ({rows}) AS placed WHERE place IS NOT NULL "
        "GROUP BY state, major, ethnic, place"
    )

"""The example that `stirred run phsafe --init` writes: the published settings, and made households in their schema."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import cycle, islice

SETTINGS = "phsafe_us.json"
"""The published budgets, thresholds and states."""

NEXT = f"run phsafe --settings {{}}/{SETTINGS} --data {{}}/data --output released"

_HEADERS = {
    "geo": "RTYPE,MAFID,TABBLKST,TABBLKCOU,TABTRACTCE,TABBLK,TABBLKGRPCE,REGIONCE,DIVISIONCE,PLACEFP,AIANNHCE",
    "units": "RTYPE,MAFID,FINAL_POP,NPF,HHSPAN,HHRACE,TEN,HHT,HHT2,CPLT",
    "persons": "RTYPE,MAFID,QAGE,CENHISP,CENRACE,RELSHIP",
}

_STATES = (("01", "3", "6"), ("06", "4", "9"), ("36", "1", "2"))
"""With their regions and divisions."""

_HOMES = 24
"""In each state."""

_RACES = ("01", "02", "01", "04", "06", "01", "08", "03")
_TENURES = ("1", "3", "2", "1", "4")

_Home = tuple[str, str, str, tuple[tuple[int, str], ...]]
"""HHT, HHT2, CPLT, and the age and RELSHIP of each person, the householder first."""

_KINDS: tuple[_Home, ...] = (
    ("1", "01", "1", ((41, "20"), (39, "21"), (9, "25"), (3, "25"))),
    ("6", "05", "5", ((72, "20"),)),
    ("1", "02", "1", ((64, "20"), (66, "21"))),
    ("3", "06", "5", ((33, "20"), (12, "25"), (6, "26"))),
    ("1", "01", "2", ((37, "20"), (35, "23"), (1, "26"))),
    ("4", "09", "5", ((28, "20"),)),
    ("2", "03", "3", ((30, "20"), (29, "22"), (4, "25"))),
    ("1", "01", "1", ((45, "20"), (44, "21"), (17, "25"), (15, "25"), (11, "25"), (7, "27"), (70, "29"))),
    ("5", "12", "5", ((24, "20"), (25, "34"))),
    ("3", "07", "5", ((58, "20"), (31, "25"), (5, "30"))),
    ("7", "04", "4", ((52, "20"), (50, "24"))),
    ("2", "10", "5", ((48, "20"), (16, "25"))),
)
_VACANT: _Home = ("0", "00", "0", ())


def example_files() -> Mapping[str, str]:
    """Texts by file: settings as they are published, and geo, units and persons of three states.

    >>> list(example_files())
    ['phsafe_us.json', 'data/geo.csv', 'data/units.csv', 'data/persons.csv']
    """
    published = files("stirred.verify.ledger.claims.phsafe").joinpath(SETTINGS).read_text(encoding="utf-8")
    rows: dict[str, list[str]] = {name: [header] for name, header in _HEADERS.items()}
    for name, row in _rows():
        rows[name].append(row)
    return {SETTINGS: published, **{f"data/{name}.csv": "\n".join(lines) + "\n" for name, lines in rows.items()}}


def _rows() -> Iterator[tuple[str, str]]:
    """Rows of the three files: in each state homes, of which one in eight is vacant, and a nursing facility."""
    mafid = 100_000_000
    for place, (state, region, division) in enumerate(_STATES):
        for number, kind in enumerate(islice(cycle(_KINDS), place, place + _HOMES)):
            mafid += 1
            home = _VACANT if number % 8 == 7 else kind
            race, hispanic = _RACES[(number + 3 * place) % len(_RACES)], "2" if number % 5 == 2 else "1"
            yield "geo", f"2,{mafid},{state},001,000100,1001,1,{region},{division},99999,9999"
            yield "units", _unit(mafid, home, race, hispanic, _TENURES[(number + place) % len(_TENURES)])
            for age, relship in home[3]:
                yield "persons", f"3,{mafid},{age},{hispanic},{race},{relship}"
        mafid += 1
        yield "geo", f"4,{mafid},{state},001,000100,1002,1,{region},{division},99999,9999"
        yield "units", f"4,{mafid},3,0,0,00,0,0,00,0"
        for age in (81, 86, 90):
            yield "persons", f"5,{mafid},{age},1,{_RACES[place]},37"


def _unit(mafid: int, home: _Home, race: str, hispanic: str, tenure: str) -> str:
    household, detailed, couple, persons = home
    related = sum(relship < "34" and relship not in ("22", "24") for _, relship in persons)
    family = related if household in ("1", "2", "3") else 0
    holder = f"{hispanic},{race},{tenure}" if persons else "0,00,0"
    return f"2,{mafid},{len(persons)},{family},{holder},{household},{detailed},{couple}"

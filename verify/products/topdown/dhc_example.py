"""The examples `dhc` and `dhc-units` of `stirred run topdown --init`: published settings, made persons, made units."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import combinations
from typing import Any, NamedTuple

import tomli_w

from stirred.verify.evidence.files.toml_text import load_toml

_FOLDER = "published"
_SETTINGS, _SCHEMA = "dhc_person_US.ini", "dhc_person_schema.toml"

_RACES = ("white", "black", "aian", "asian", "nhpi", "other")
_OTHER_RACES = tuple(" ".join(some) for size in range(2, 7) for some in combinations(_RACES, size))

_QUARTERS = (
    ("GQ 501 College/university student housing", "student housing", 18, 24),
    ("GQ 301 Nursing facilities", "nursing", 65, 98),
    ("GQ 104 Local jails and other municipal confinements", "correctional", 19, 58),
)
"""Types of group quarters, their major types, and the ages of the persons in them."""

_WIDTHS = (("state", 2), ("county", 2), ("prim", 1), ("group", 1), ("subset", 2), ("blocks", 1), ("block", 4))
"""What is under each node, from the top: as many as stand here."""

_DHC_ONLY = ("prim", "group")
"""Levels that the redistricting data have not."""

_ADULT = 18

_ALONE, _HOLDER, _SPOUSE = (
    "Householder living alone",
    "Householder not living alone",
    "Opposite-sex spouse",
)
_CHILD, _OTHER = "Biological son or daughter", "Other nonrelative (also include if roomer/boarder and age>=21)"


def dhc_persons(tracts: int = 2) -> Mapping[str, str]:
    """The published settings for persons, their schema, and a made population: 8 levels, 1,227,744 cells.

    The same persons and units stand in redistricting/data as the redistricting data count them, on 6 of the levels.

    Args:
        tracts: parts of tracts in each of four counties, each with four blocks.
    """
    tree = made_tree(tracts)
    persons, units = list[str](), list[str]()
    for place, block in enumerate(tree.blocks):
        homes = 6 + 5 * (place % 5)
        units += [f"{block},household"] * homes
        for home in range(homes):
            persons += [f"{block},{person}" for person in _household(place, home)]
        if place % 4 == 1:
            kind, _, youngest, oldest = _QUARTERS[place // 4 % len(_QUARTERS)]
            units.append(f"{block},{kind}")
            for person in range(9 + place % 7):
                age = youngest + 5 * person % (oldest - youngest)
                persons.append(f"{block},{kind},{_sex(person)},{age},{_yes(person % 5 == 0)},{_race(place, person)}")
    own = {"schema.toml": published_text(_SCHEMA), _SETTINGS: published_text(_SETTINGS)}
    own |= tables(
        "data",
        geography=("node,parent", tree.lines),
        persons=("block,relgq,sex,age,hispanic,cenrace", persons),
        units=("block,facility", units),
    )
    return own | tables(
        "redistricting/data",
        geography=("node,parent", tree.trunk),
        persons=("block,hhgq,votingage,hispanic,cenrace", [_redistricted(person) for person in persons]),
        units=("block,hhgq", [_major(unit) for unit in units]),
    )


class MadeTree(NamedTuple):
    """A made geography."""

    lines: Sequence[str]
    trunk: Sequence[str]
    blocks: Sequence[str]


def made_tree(tracts: int) -> MadeTree:
    """The tree of the examples of the DHC."""
    lines, trunk, level = ["US,"], ["US,"], {"US": "US"}
    for name, width in _WIDTHS:
        count = tracts if name == "subset" else width
        under = {f"{node} {name} {n}": node for node in level for n in range(count)}
        lines += [f"{node},{parent}" for node, parent in under.items()]
        if name not in _DHC_ONLY:
            trunk += [f"{node},{level[parent]}" for node, parent in under.items()]
        # by node, the nearest one upwards that the redistricting data have too
        level = {node: level[parent] if name in _DHC_ONLY else node for node, parent in under.items()}
    return MadeTree(lines, trunk, tuple(level))


def tables(folder: str, **of: tuple[str, Sequence[str]]) -> dict[str, str]:
    """The files of a folder, by table: the names of its columns, and its lines."""
    return {f"{folder}/{name}.csv": "\n".join([head, *lines]) + "\n" for name, (head, lines) in of.items()}


def _redistricted(person: str) -> str:
    block, relation, _, age, hispanic, race = person.split(",")
    return f"{_major(f'{block},{relation}')},{'minor' if int(age) < _ADULT else 'adult'},{hispanic},{race}"


def _major(unit: str) -> str:
    """A block, and the major type of what stands there."""
    block, kind = unit.split(",")
    return f"{block},{next((major for quarters, major, *_ in _QUARTERS if quarters == kind), 'household')}"


def _household(place: int, home: int) -> Iterator[str]:
    """The persons of one home, of the same race for the most part."""
    age, hispanic = 22 + (7 * place + 11 * home) % 66, _yes((place + home) % 6 == 0)
    members = [(_ALONE if home % 4 == 0 else _HOLDER, age)]
    if home % 4:
        members.append((_SPOUSE if home % 4 > 1 else _OTHER, max(21, age - 2 + home % 5)))
    if home % 4 == 3 and age < 55:
        members += [(_CHILD, max(0, age - 24 - 3 * child)) for child in range(1 + home % 3)]
    for number, (relation, years) in enumerate(members):
        race = _race(place, home) if number else _race(place, home // 2)
        yield f"{relation},{_sex(place + home + number)},{years},{hispanic},{race}"


def _sex(number: int) -> str:
    return "female" if number % 2 else "male"


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _race(place: int, number: int) -> str:
    return _RACES[place % 6] if number % 7 < 4 else (*_RACES, *_OTHER_RACES)[(5 * place + number**2) % 63]


def published_text(name: str) -> str:
    """A file of settings that comes along."""
    return files("stirred.verify.products.topdown").joinpath(_FOLDER, name).read_text(encoding="utf-8")


_UNIT_SETTINGS, _EARLIER, _CODES = "dhc_unit_US.ini", "h1_unit.ini", "dhc_unit_codes.toml"

_ABOUT = """\
# The units of the Demographic and Housing Characteristics File of the 2020 Census, as dhc_unit_US.ini counts them:
# 2 x 9 x 2 x 7 x 4 x 3 x 522 = 1,578,528 cells of households, which are the units that somebody lives in, and 35 types
# of units, of which households are the first four.
# Source: U.S. Census Bureau, DAS_2020_DHC_Production_Code (a work of the United States government).
"""

_H1_SCHEMA = """\
# housing units by occupancy, as table H1 of the redistricting data has them
record = "housing unit"
table = "units"
geography = "block"

[attributes]
h1 = ["occupied", "vacant"]
"""

_TENURE = "hhtenshort_3lev"
_SAME = ((0,), (1,), (2, 3))
"""By tenure of a household, the types of its unit."""

_FIRST_VACANT, _VACANT, _FIRST_QUARTERS = 4, 7, 11
_ONE_PERSON, _COUPLE, _WITH_CHILDREN = 392, 66, (0, 17, 34, 394)
"""Types of households: alone, two who are married, and with own children."""

_OLD = 5
"""The first group of householders of 60 years or more, who have no own children here."""

_COLUMNS = ("sex", "hhage", "hisp", "race", "elderly", _TENURE, "hhtype_dhch")


def dhc_units(tracts: int = 2) -> Mapping[str, str]:
    """The published settings for units, their schema, and made units: 8 levels, 1,578,528 cells and 35 types.

    The same housing units stand in h1/data by occupancy, on the 6 levels of the redistricting data.
    """
    codes = load_toml(_CODES, published_text(_CODES), parse_float=str)
    kinds, tree = codes["units"]["tenvacgq"], made_tree(tracts)
    homes, units, occupied = list[str](), list[str](), list[str]()
    for place, block in enumerate(tree.blocks):
        for home in range(6 + 5 * (place % 5)):
            is_vacant = home % 6 == 5
            if is_vacant:
                kind = _FIRST_VACANT + (place + home) % _VACANT
            else:
                tenure = (place + home) % len(_SAME)
                kind = _SAME[tenure][home % len(_SAME[tenure])]
                values = zip(_COLUMNS, _unit(place, home, tenure), strict=True)
                homes.append(_line(block, *(codes["attributes"][name][value] for name, value in values)))
            units.append(_line(block, kinds[kind]))
            occupied.append(_line(block, "vacant" if is_vacant else "occupied"))
        if place % 4 == 1:
            units.append(_line(block, kinds[_FIRST_QUARTERS + place // 4 % (len(kinds) - _FIRST_QUARTERS)]))
    found = {"schema.toml": _ABOUT + tomli_w.dumps(_schema(codes)), _UNIT_SETTINGS: published_text(_UNIT_SETTINGS)}
    found |= {f"h1/{_EARLIER}": published_text(_EARLIER), "h1/schema.toml": _H1_SCHEMA}
    found |= tables(
        "data",
        geography=("node,parent", tree.lines),
        households=(",".join(("block", *_COLUMNS)), homes),
        units=("block,tenvacgq", units),
    )
    return found | tables("h1/data", geography=("node,parent", tree.trunk), units=("block,h1", occupied))


def _unit(place: int, home: int, tenure: int) -> tuple[int, ...]:
    """The codes of a household; the householder is its oldest member."""
    age = (3 * place + 2 * home) % 9
    if home % 3 == 0:
        kind = _ONE_PERSON
    elif home % 3 == 1 or age >= _OLD:
        kind = _COUPLE
    else:
        kind = _WITH_CHILDREN[(place + home) % len(_WITH_CHILDREN)]
    elderly = min(max(age - _OLD + 1, 0), 3)
    return (place + home) % 2, age, int((place + home) % 6 == 0), (place + home // 4) % 7, elderly, tenure, kind


def _line(*values: str) -> str:
    """A line of a table; values with commas are in quotes."""
    return ",".join(f'"{value}"' if "," in value else value for value in values)


def _schema(codes: Mapping[str, Any]) -> dict[str, Any]:
    attributes, kinds = codes["attributes"], codes["units"]["tenvacgq"]
    columns = {**attributes, "tenvacgq": kinds}

    def named(of: str, text: str) -> list[str]:
        return [columns[of][code] for code in _codes(text)]

    recodes = {
        name: {"of": one["of"], "groups": {group: named(one["of"], text) for group, text in one["groups"].items()}}
        for name, one in codes["recodes"].items()
    }
    rules = [
        {"name": name, "where": {of: named(of, text) for of, text in where.items()}}
        for name, where in codes["rules"].items()
    ]
    same = {
        value: [kinds[kind] for kind in of_value] for value, of_value in zip(attributes[_TENURE], _SAME, strict=True)
    }
    return {
        "record": "housing unit",
        "table": "households",
        "geography": "block",
        "attributes": attributes,
        "units": {"attribute": "tenvacgq", "values": kinds, "of": _TENURE, "same": same},
        "recodes": recodes,
        "rules": rules,
    }


def _codes(text: str) -> list[int]:
    """Codes such as "0-2 5"."""
    found = list[int]()
    for part in text.split():
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found

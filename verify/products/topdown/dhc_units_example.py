"""The example `dhc-units` of `stirred run topdown --init`: the published settings for units, and made units."""

from collections.abc import Mapping
from typing import Any

import tomli_w

from stirred.verify.files.toml_text import load_toml
from stirred.verify.products.topdown.dhc_example import made_tree, published_text, tables

_SETTINGS, _EARLIER, _CODES = "dhc_unit_US.ini", "h1_unit.ini", "dhc_unit_codes.toml"

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
_ALONE, _COUPLE, _WITH_CHILDREN = 392, 66, (0, 17, 34, 394)
"""Types of households: alone, two who are married, and with own children."""

_OLD = 5
"""The first group of householders of 60 years or more, who have no own children here."""

_COLUMNS = ("sex", "hhage", "hisp", "race", "elderly", _TENURE, "hhtype_dhch")


def dhc_units(tracts: int = 2) -> Mapping[str, str]:
    """The published settings for units, their schema, and made units: 8 levels, 1,578,528 cells and 35 types.

    The same housing units stand in h1/data by occupancy, on the 6 levels of the redistricting data.

    Args:
        tracts: parts of tracts in each of four counties, each with four blocks.
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
                values = zip(_COLUMNS, _household(place, home, tenure), strict=True)
                homes.append(_line(block, *(codes["attributes"][name][value] for name, value in values)))
            units.append(_line(block, kinds[kind]))
            occupied.append(_line(block, "vacant" if is_vacant else "occupied"))
        if place % 4 == 1:
            units.append(_line(block, kinds[_FIRST_QUARTERS + place // 4 % (len(kinds) - _FIRST_QUARTERS)]))
    found = {"schema.toml": _ABOUT + tomli_w.dumps(_schema(codes)), _SETTINGS: published_text(_SETTINGS)}
    found |= {f"h1/{_EARLIER}": published_text(_EARLIER), "h1/schema.toml": _H1_SCHEMA}
    found |= tables(
        "data",
        geography=("node,parent", tree.lines),
        households=(",".join(("block", *_COLUMNS)), homes),
        units=("block,tenvacgq", units),
    )
    return found | tables("h1/data", geography=("node,parent", tree.trunk), units=("block,h1", occupied))


def _household(place: int, home: int, tenure: int) -> tuple[int, ...]:
    """The codes of a household; the householder is its oldest member."""
    age = (3 * place + 2 * home) % 9
    if home % 3 == 0:
        kind = _ALONE
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
    """The schema with the values that codes stand for."""
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

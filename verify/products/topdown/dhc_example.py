"""The example `dhc` of `stirred run topdown --init`: the published settings for persons, and made persons."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import combinations
from typing import NamedTuple

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
    """A made geography.

    Attributes:
        lines: every node with its parent, on the 8 levels of the DHC.
        trunk: the same on the 6 levels of the redistricting data.
        blocks: the leaves.
    """

    lines: Sequence[str]
    trunk: Sequence[str]
    blocks: Sequence[str]


def made_tree(tracts: int) -> MadeTree:
    """The tree of the examples of the DHC.

    Args:
        tracts: parts of tracts in each of four counties, each with four blocks.
    """
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
    """A person as the redistricting data count them."""
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

"""The examples that `stirred run topdown --init` writes: schemas, settings and made populations."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from string import ascii_uppercase

from stirred.verify.products.topdown.dhc_example import dhc_persons, dhc_units, published_text

_GEOGRAPHY = ["nation,", "north,nation", "south,nation"]
_COUNTIES = {"north 1": "north", "north 2": "north", "south 1": "south"}

_TOWN: Mapping[str, str] = {
    "settings.ini": """\
[geodict]
# from the smallest to the largest, as in the published files
geolevel_names = Block,County,State,US

[budget]
dp_mechanism = discrete_gaussian_mechanism
# rho^2 = 1/global_scale^2 for one replaced person
global_scale = 339/542
# from the top down; exactly 1 together
geolevel_budget_prop = 1/10, 3/10, 2/10, 4/10

[queries]
# the share of each query; exactly 1 at each level. A published strategy may stand under [budget] in place of this
US = hhgq: 1/10, hhgq * votingage: 2/10, detailed: 7/10
State = total: 5/10, hhgq * votingage: 2/10, detailed: 3/10
County = total: 5/10, hhgq * votingage: 2/10, detailed: 3/10
Block = hhgq: 1/10, votingage * hispanic: 1/10, detailed: 8/10

[constraints]
theInvariants.State = tot
theInvariants.Block = gqhh_vect
theConstraints.Block = hhgq_total_lb, hhgq_total_ub, nurse_nva_0
""",
    "schema.toml": """\
record = "person"
geography = "block"       # the column that names a block; DIR/geography.csv has every node with its parent

[attributes]              # the values of every column that is counted
hhgq = ["household", "prison", "nursing home"]
votingage = ["minor", "adult"]
hispanic = ["no", "yes"]

[recodes.hhinstlevels]    # a coarser version of an attribute, for queries and invariants
of = "hhgq"
groups = { household = ["household"], institution = ["prison", "nursing home"] }

[[rules]]                 # for every data set: a structural zero, or most = N in a block
name = "nurse_nva_0"
where = { hhgq = ["nursing home"], votingage = ["minor"] }

[units]                   # DIR/units.csv: one line for each housing unit or group quarters, counted exactly by block
attribute = "hhgq"
least = { prison = 1, "nursing home" = 1 }
most = { household = 99999, prison = 99999, "nursing home" = 99999 }
""",
    "data/geography.csv": "node,parent\n"
    + "\n".join([*_GEOGRAPHY, *(f"{county},{state}" for county, state in _COUNTIES.items())])
    + "\n"
    + "".join(f"{county}.{block},{county}\n" for county in _COUNTIES for block in range(4)),
    "data/units.csv": "block,hhgq\n"
    + "".join(
        f"{county}.{block},household\n" * (2 + block) + (f"{county}.{block},prison\n" if block == 3 else "")
        for county in _COUNTIES
        for block in range(4)
    ),
    "data/persons.csv": "block,hhgq,votingage,hispanic\n"
    + "".join(
        f"{county}.{block},household,{'minor' if person % 3 == 0 else 'adult'},{'yes' if person % 4 == 1 else 'no'}\n"
        for county in _COUNTIES
        for block in range(4)
        for person in range(3 + 2 * block)
    )
    + "".join(f"{county}.3,prison,adult,no\n" * 5 for county in _COUNTIES),
}

_QUARTERS = (
    "household",
    "correctional",
    "juvenile",
    "nursing",
    "other institutional",
    "student housing",
    "military",
    "other noninstitutional",
)
"""Households and the major types of group quarters, in the order of the published settings: hhgq = 0-7."""

_RACES = ("white", "black", "aian", "asian", "nhpi", "other")
_RACES_ALONE_OR_COMBINED = tuple(" ".join(some) for size in range(1, 7) for some in combinations(_RACES, size))

_PUBLISHED = ("pl94_person_US.ini", "pl94_person_default.ini")
"""The settings of the 2020 redistricting release."""

_FEWEST = ", ".join(f"{json.dumps(kind)} = 1" for kind in _QUARTERS[1:])
_MOST = ", ".join(f"{json.dumps(kind)} = 99999" for kind in _QUARTERS)

_REDISTRICTING_SCHEMA = f"""\
# what pl94_person_US.ini and pl94_person_default.ini count: Person.histogram = hhgq votingage hispanic cenrace_das
record = "person"
geography = "block"

[attributes]
hhgq = {json.dumps(_QUARTERS)}
votingage = ["minor", "adult"]
hispanic = ["no", "yes"]
cenrace = {json.dumps(_RACES_ALONE_OR_COMBINED)}

[recodes.hhinstlevels]
of = "hhgq"
groups = {{ household = {json.dumps(_QUARTERS[:1])}, institutional = {json.dumps(_QUARTERS[1:5])}, \
noninstitutional = {json.dumps(_QUARTERS[5:])} }}

[[rules]]
name = "nurse_nva_0"
where = {{ hhgq = ["nursing"], votingage = ["minor"] }}

[units]
attribute = "hhgq"
least = {{ {_FEWEST} }}
most = {{ {_MOST} }}
"""


def redistricting(states: int = 2, groups: int = 2, *, counties: int = 2, tracts: int = 1) -> Mapping[str, str]:
    """The published redistricting settings, a schema and a made population: 6 levels, 32 blocks, 2,016 cells.

    A tract has `groups` block groups of four blocks; there are at most 26 states.
    """
    tree, blocks, persons, units = ["US,"], list[str](), list[str](), list[str]()
    for state in ascii_uppercase[:states]:
        tree.append(f"{state},US")
        for county in (f"{state}{number}" for number in range(1, counties + 1)):
            tree.append(f"{county},{state}")
            for tract in (f"{county}.{number}" for number in range(1, tracts + 1)):
                tree.append(f"{tract},{county}")
                for group in (f"{tract}.{number}" for number in range(1, groups + 1)):
                    own = [f"{group}.{number}" for number in range(4)]
                    tree += [f"{group},{tract}", *(f"{block},{group}" for block in own)]
                    blocks += own
    for place, block in enumerate(blocks):
        units += [f"{block},household"] * (4 + 5 * (place % 6))
        persons += _residents(block, place)
        if place % 5 == 3:
            quarters = _QUARTERS[1 + place // 5 % 7]
            units.append(f"{block},{quarters}")
            persons += [f"{block},{quarters},adult,no,{_RACES[person % 6]}" for person in range(8 + place % 32)]
    heads = ("node,parent", "block,hhgq,votingage,hispanic,cenrace", "block,hhgq")
    tables = zip(("geography", "persons", "units"), heads, (tree, persons, units), strict=True)
    texts = {f"data/{name}.csv": "\n".join([head, *lines]) + "\n" for name, head, lines in tables}
    settings = {name: published_text(name) for name in _PUBLISHED}
    return {**settings, "schema.toml": _REDISTRICTING_SCHEMA, **texts}


def _residents(block: str, place: int) -> Iterator[str]:
    """The persons in the households of a block, in which one race prevails."""
    for person in range(3 * (4 + 5 * (place % 6)) - place % 4):
        race = _RACES[place % 6] if person % 5 < 3 else _RACES_ALONE_OR_COMBINED[(7 * place + person**2) % 63]
        age, hispanic = "minor" if person % 4 == 1 else "adult", "yes" if (place + person) % 6 == 0 else "no"
        yield f"{block},household,{age},{hispanic},{race}"


def _dhc() -> Mapping[str, str]:
    """The persons of the DHC, and before them the redistricting data that they keep."""
    earlier = {name: published_text(name) for name in _PUBLISHED} | {"schema.toml": _REDISTRICTING_SCHEMA}
    return {**{f"redistricting/{name}": text for name, text in earlier.items()}, **dhc_persons()}


EXAMPLES: Mapping[str, Callable[[], Mapping[str, str]]] = {
    "town": lambda: _TOWN,
    "redistricting": redistricting,
    "dhc": _dhc,
    "dhc-units": dhc_units,
}
"""By name: what makes the files of an example."""

_RUN = "run topdown --settings {settings} --schema {folder}/schema.toml --data {folder}/data --output {output}"


def _run(folder: str, settings: Sequence[str], output: str) -> str:
    named = " ".join(f"{folder}/{name}" for name in settings)
    return _RUN.format(settings=named, folder=folder, output=output)


_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "town": (_run("{}", ("settings.ini",), "released"),),
    "redistricting": (_run("{}", _PUBLISHED, "released"),),
    "dhc": (
        _run("{}/redistricting", _PUBLISHED, "earlier") + " --estimate rounded",
        _run("{}", ("dhc_person_US.ini",), "released")
        + " --estimate rounded --earlier earlier --reproduce 'Block=hhgq * votingage * hispanic * cenrace'",
    ),
    "dhc-units": (
        _run("{}/h1", ("h1_unit.ini",), "h1"),
        _run("{}", ("dhc_unit_US.ini",), "released") + " --estimate rounded --earlier h1 --reproduce Block=h1",
    ),
}


def next_commands(example: str) -> tuple[str, ...]:
    """The arguments that run an example, one run after the other, with {} for its folder.

    >>> next_commands("town")
    ('run topdown --settings {}/settings.ini --schema {}/schema.toml --data {}/data --output released',)
    """
    return _COMMANDS[example]

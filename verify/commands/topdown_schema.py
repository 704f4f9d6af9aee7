"""The schema file of a TopDown run (TOML), and the example that `stirred run topdown --init` writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mechanisms.topdown.schema import Recode, RecordRule, RecordSchema, Units
from spec.arguments import integer
from verify.audit.claim_file import read_toml
from verify.audit.claim_table import Block

__all__ = ["EXAMPLE", "SchemaFile", "read_schema"]

_GEOGRAPHY = ["nation,", "north,nation", "south,nation"]
_COUNTIES = {"north 1": "north", "north 2": "north", "south 1": "south"}

EXAMPLE: Mapping[str, str] = {
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
"""The files of the example, by name; the population is made."""

_KEYS = ("record", "geography", "attributes", "recodes", "rules", "units")


@dataclass(frozen=True)
class SchemaFile:
    """A schema and the column that names the leaf of a record."""

    schema: RecordSchema
    geography: str


def read_schema(path: str) -> SchemaFile:
    """The schema in a TOML file.

    Raises:
        InputError: a key is unknown, missing or ill-typed, or names something that is not there; with file and key.
    """
    block = Block(f"{path}:", read_toml(Path(path))).only(_KEYS)
    attributes = block.table("attributes")
    recodes = block.table("recodes") if "recodes" in block else Block(block.where("recodes"), {})
    rules = block.tables("rules") if "rules" in block else ()
    column = block.text("geography")
    names = {name: _values(attributes, name) for name in attributes.values}
    if column in names or not names:
        raise block.refuse("attributes", f"must be one or more columns other than {column!r}; got {list(names)}")
    found = block.within(
        "attributes",
        lambda: RecordSchema(
            block.text("record"),
            names,
            {name: _recode(recodes.table(name)) for name in recodes.values},
            tuple(map(_rule, rules)),
            _units(block.table("units")) if "units" in block else None,
        ),
    )
    return SchemaFile(found, column)


def _values(block: Block, key: str) -> tuple[str, ...]:
    values = block.names(key)
    if not values:
        raise block.refuse(key, "must have at least one value; got none")
    return values


def _recode(block: Block) -> Recode:
    groups = block.only(("of", "groups")).table("groups")
    return Recode(block.text("of"), {name: _values(groups, name) for name in groups.values})


def _rule(block: Block) -> RecordRule:
    where = block.only(("name", "where", "most")).table("where")
    most = integer(block.where("most"), block.values.get("most", 0), minimum=0)
    return RecordRule(block.text("name"), {name: _values(where, name) for name in where.values}, most)


def _units(block: Block) -> Units:
    block.only(("attribute", "least", "most"))
    return Units(block.text("attribute"), *(_limits(block, key) for key in ("least", "most")))


def _limits(block: Block, key: str) -> Mapping[str, int]:
    if key not in block:
        return {}
    limits = block.table(key)
    return {kind: integer(limits.where(kind), value, minimum=0) for kind, value in limits.values.items()}

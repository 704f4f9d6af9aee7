"""The data of a TopDown run: its schema file (TOML), and a folder with the tree of nodes, records and units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts
from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.das.topdown.integers import SparseCounts
from stirred.mechanisms.das.topdown.schema import MeasuredUnits, Recode, RecordRule, RecordSchema, Units
from stirred.spec.arguments import InputError, integer, shown
from stirred.verify.claim.table import Block
from stirred.verify.claim.text import read_toml
from stirred.verify.files.bounded_file import read_table_file

_MOST = 10**9
"""Records of a kind in a leaf; with 64-bit integers nothing that is computed from them is lost."""

_KEYS = ("record", "table", "geography", "attributes", "recodes", "rules", "units")
_PERSONS, _TREE, UNITS = "persons", "geography", "units"
"""Names of tables; records have another one where the schema says so."""


@dataclass(frozen=True)
class SchemaFile:
    """A schema of records.

    Attributes:
        schema: what they are counted by.
        geography: the column that names the leaf of a record.
        table: the name of their table.
    """

    schema: RecordSchema
    geography: str
    table: str


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
    table = _table(block)
    if column in names or not names:
        raise block.refuse("attributes", f"must be one or more columns other than {column!r}; got {list(names)}")
    found = block.within(
        "attributes",
        lambda: RecordSchema(
            block.text("record"),
            names,
            {name: _recode(recodes.table(name)) for name in recodes.values},
            tuple(map(_rule, rules)),
            *_units(block),
        ),
    )
    if column in found.columns or (table == UNITS and "units" in block):
        raise block.refuse("units", f"must have a column other than {column!r}, and records another table")
    return SchemaFile(found, column, table)


def _table(block: Block) -> str:
    table = block.text("table") if "table" in block else _PERSONS
    if not re.fullmatch(r"[a-z][a-z_]{0,40}", table) or table == _TREE:
        raise block.refuse("table", f"must be small letters, and not {_TREE!r}; got {table!r}")
    return table


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
    most = _count(block.where("most"), block.values.get("most", 0))
    return RecordRule(block.text("name"), {name: _values(where, name) for name in where.values}, most)


def _units(block: Block) -> tuple[Units | None, MeasuredUnits | None]:
    """The units that are kept exactly, and those that are measured."""
    if "units" not in block:
        return None, None
    units = block.table("units")
    if "values" not in units:
        units.only(("attribute", "least", "most"))
        return Units(units.text("attribute"), *(_limits(units, key) for key in ("least", "most"))), None
    same = units.only(("attribute", "values", "of", "same")).table("same")
    of_records = {value: _values(same, value) for value in same.values}
    return None, MeasuredUnits(units.text("attribute"), _values(units, "values"), units.text("of"), of_records)


def _limits(block: Block, key: str) -> Mapping[str, int]:
    if key not in block:
        return {}
    limits = block.table(key)
    return {kind: _count(limits.where(kind), value) for kind, value in limits.values.items()}


def _count(where: str, value: object) -> int:
    if (found := integer(where, value, minimum=0)) > _MOST:
        raise InputError(f"{where} must be at most {_MOST}; got {shown(found)}")
    return found


if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile


@dataclass(frozen=True)
class Tables:
    """What the folder holds.

    Attributes:
        place: the file of the geography, for messages.
        geography: the tree.
        histograms: the counts of every leaf: records by cell, then units by type.
        fingerprint: of all files.
    """

    place: str
    geography: Geography
    histograms: Mapping[str, Counts]
    fingerprint: tuple[Any, ...]


def read_tables(folder: str, schema: SchemaFile) -> Tables:
    """The tables of a folder.

    Raises:
        InputError: a table is missing, the geography is no tree, or a record is outside the schema; with the file, the
            record and the column, or the node.
    """
    from stirred.mechanisms.tables.counted import counted  # noqa: PLC0415 slow to load, and an optional dependency

    tree = table_of(folder, "geography")
    geography = _geography(tree)
    records = table_of(folder, schema.table)
    counts = counted(records, schema.geography, geography.leaves, schema.schema.attributes)
    files = [tree, records]
    size, shift = len(schema.schema.cell_parts), schema.schema.records
    if (of_units := schema.schema.units or schema.schema.measured_units) is not None:
        files.append(table_of(folder, UNITS))
        kinds_of = {of_units.attribute: schema.schema.unit_types}
        units = counted(files[-1], schema.geography, geography.leaves, kinds_of)
        counts = [
            (np.append(cells, kinds + shift), np.append(numbers, of_kinds))
            for (cells, numbers), (kinds, of_kinds) in zip(counts, units, strict=True)
        ]
    histograms = {leaf: SparseCounts(size, *of) for leaf, of in zip(geography.leaves, counts, strict=True)}
    return Tables(tree.path, geography, histograms, tuple(file.fingerprint for file in files))


def table_of(folder: str, name: str) -> TableFile:
    """A table of a folder, in whatever format it stands there.

    Raises:
        InputError: there is none, or more than one.
    """
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: must be a folder; it is none")
    found = [file for file in (f"{name}.csv", f"{name}.parquet", name) if (Path(folder) / file).exists()]
    if not found:
        raise InputError(f"{folder}: must have {name}.csv or {name}.parquet; it has neither")
    if len(found) > 1:
        raise InputError(f"{folder}: must have one table {name}; it has {' and '.join(found)}")
    return read_table_file(str(Path(folder) / found[0]))


def _geography(file: TableFile) -> Geography:
    if set(file.schema.names) != {"node", "parent"}:
        raise InputError(f"{file.path}: must have the columns node and parent; got {', '.join(file.schema.names)}")
    rows = file.table(["node", "parent"], []).to_pylist()
    parents: dict[str, str | None] = {}
    for number, row in enumerate(rows, start=2 if file.is_csv else 1):
        at = f"{file.path}: {'line' if file.is_csv else 'record'} {number}"
        if row["node"] is None:
            raise InputError(f"{at}: node must have a name")
        node = str(row["node"])
        if node in parents:
            raise InputError(f"{at}: every node must stand once; {node!r} stands twice")
        parents[node] = None if row["parent"] is None else str(row["parent"])
    try:
        return Geography(parents)
    except InputError as error:
        raise InputError(f"{file.path}: {error}") from None

"""The data of a TopDown run: its schema file (TOML), and a folder with the tree of nodes, records and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts
from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.das.topdown.integers import SparseCounts
from stirred.mechanisms.das.topdown.schema import MeasuredUnits, Recode, RecordRule, RecordSchema, Units
from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.products.release_checks.records import TREE, UNITS, record_kinds


@dataclass(frozen=True)
class SchemaFile:
    """A schema of records.

    Attributes:
        geography: the column that names the leaf of a record.
    """

    schema: RecordSchema
    geography: str
    table: str


def read_schema(path: str) -> SchemaFile:
    """The schema in a TOML file."""
    kinds = record_kinds(path)
    units, own = kinds.units, kinds.counted_units
    try:
        schema = RecordSchema(
            kinds.unit,
            kinds.attributes,
            {name: Recode(*recode) for name, recode in kinds.groups.items()},
            tuple(RecordRule(name, *rule) for name, rule in kinds.rules.items()),
            None if units is None else Units(*units),
            None if own is None else MeasuredUnits(own.column, own.types, own.of, own.same),
        )
    except InputError as error:
        raise InputError(f"{path}: attributes: {error}") from None
    return SchemaFile(schema, kinds.leaf, kinds.table)


if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile


@dataclass(frozen=True)
class Tables:
    """What the folder holds.

    Attributes:
        place: the file of the geography, for messages.
        histograms: the counts of every leaf: records by cell, then units by type.
        fingerprint: of all files.
    """

    place: str
    geography: Geography
    histograms: Mapping[str, Counts]
    fingerprint: tuple[Any, ...]


def read_tables(folder: str, schema: SchemaFile) -> Tables:
    """The tables of a folder."""
    from stirred.mechanisms.tables.counted import counted  # noqa: PLC0415 slow to load, and an optional dependency

    tree = table_of(folder, TREE)
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
    """A table of a folder, in whatever format it stands there."""
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: not a folder")
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
    for number, row in enumerate(rows):
        if row["node"] is None:
            raise InputError(f"{file.at(number)}: node must have a name")
        node = str(row["node"])
        if node in parents:
            raise InputError(f"{file.at(number)}: duplicate node {node!r}")
        parents[node] = None if row["parent"] is None else str(row["parent"])
    try:
        return Geography(parents)
    except InputError as error:
        raise InputError(f"{file.path}: {error}") from None

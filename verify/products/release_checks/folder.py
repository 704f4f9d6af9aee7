"""The files of a TopDown release, read into numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from stirred.spec.arguments import InputError, parse_exact
from stirred.verify.evidence.files.bounded_file import read_table_file, read_text
from stirred.verify.evidence.files.toml_text import load_toml
from stirred.verify.products.release_checks.records import UNITS, RecordKinds, record_kinds

if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile

_FIXED = ("geocode", "query_name", "query_shape", "value", "variance", "exact_variance")
_SIGNS = ("=", "<=", ">=")
_ROWS = 2**5
"""Queries that are read at a time."""

ROUNDED = "a solution in least squares among real numbers, rounded; not the nearest integers"
"""What a manifest says of counts that are not said to be nearest."""

EARLIER = "earlier "
"""Begins the name of a total that an earlier release has too."""

BOUNDS = ("_total_lb", "_total_ub")
"""End the names of the fewest and the most records that the units of each type hold."""


class UnconfirmedError(Exception):
    """What was read does not show what the release says."""


@dataclass(frozen=True)
class Tree:
    """The nodes of a release."""

    parents: Mapping[str, str | None]
    levels: Sequence[Sequence[str]]
    children: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class ReleasedAnswers:
    """One query at the nodes of a level, measured or kept.

    Attributes:
        level: from 0 at the root.
        sign: of a constraint; empty for what was measured.
        answers: for every cell the answer that it is in.
        values: by node, the answers; None is no bound. Empty where noisy ones are not looked at.
        variance: of the noise; 0 for a constraint.
    """

    level: int
    name: str
    sign: str
    answers: NDArray[np.int64]
    values: Mapping[str, Sequence[int | None]]
    variance: Fraction


@dataclass(frozen=True)
class ReleasedFolder:
    """What a release says.

    Attributes:
        counts: by level and node, the cells that records and units are in, with their numbers.
        others: files of the folder that belong to no release.
    """

    kinds: RecordKinds
    tree: Tree
    names: Sequence[str]
    measured: Sequence[ReleasedAnswers]
    kept: Sequence[ReleasedAnswers]
    counts: Sequence[Mapping[str, Mapping[int, int]]] = field(repr=False)
    manifest: Mapping[str, Any]
    specification: Mapping[str, Any]
    others: Sequence[str] = ()


def read_folder(folder: str) -> ReleasedFolder:
    """The release in a folder, as `stirred run topdown --output` writes it."""
    base = Path(folder)
    if not (base / "manifest.json").exists():
        raise InputError(
            f"{folder}: not a release folder (no manifest.json); to check certificates, pass the files: {folder}/*.json"
        )
    manifest = _manifest(base / "manifest.json")
    specification = load_toml(str(base / "specification.toml"), read_text(base / "specification.toml"), parse_float=str)
    if "measurements" not in manifest:
        raise InputError(f"{folder}: must hold measurements; it was released without them (--no-measurements)")
    kinds = record_kinds(str(base / "schema.toml"))
    tree = _tree(_table(base / "geography.parquet", ("node", "parent")))
    names = manifest["levels"]
    if len(names) != len(tree.levels):
        raise UnconfirmedError(f"geography.parquet must have {len(names)} levels; it has {len(tree.levels)}")
    measured: list[ReleasedAnswers] = []
    kept: list[ReleasedAnswers] = []
    queries = _Queries(kinds, tree, with_answers=manifest["estimate"] != ROUNDED)
    for level, name in enumerate(names):
        level_folder = base / "measurements" / f"{quote(name, safe=' ')}.parquet"
        measured += queries.of(level_folder / "DPQuery", level, is_kept=False)
        kept += queries.of(level_folder / "Constraint", level, is_kept=True)
    if ("units" in manifest) != (kinds.counted_units is not None):
        raise UnconfirmedError("units must be in schema.toml and manifest.json, with values; they are in one of them")
    counts = _counts(base, manifest, kinds, tree)
    _check_digests(base, manifest["measurements"], queries.read)
    tables = {manifest[key]["name"] for key in _TABLES if key in manifest}
    others = sorted(_files(base) - _OWN - tables - manifest["measurements"].keys())
    return ReleasedFolder(kinds, tree, names, measured, kept, counts, manifest, specification, others)


_TABLES = ("file", "units")
_OWN = {"manifest.json", "specification.toml", "schema.toml", "geography.parquet"}
_KEYS = {
    *("program", "mechanism", "rho_squared", "estimate", "weights", "ties", "levels", "nodes", "settings_not_used"),
    *("not_as_published", "randomness", "earlier", "file", "units", "measurements"),
}
"""What a manifest says."""


def _manifest(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_text(path, 2**26), object_pairs_hook=_unique)
    except ValueError as error:
        raise InputError(f"{path}: must be JSON: {error}") from None
    try:
        is_whole = (
            all(isinstance(one, str) for one in found["levels"])
            and all(_is_table(found[key]) for key in _TABLES if key == "file" or key in found)
            and all(isinstance(found[key], str) for key in ("estimate", "weights", "mechanism"))
            and all(isinstance(one["sha256"], str) for one in found.get("measurements", {}).values())
        )
    except (AttributeError, KeyError, TypeError):
        is_whole = False
    if not is_whole or found["mechanism"] != "TopDown Algorithm":
        raise InputError(f"{path}: must be the manifest of a TopDown release")
    if others := sorted(found.keys() - _KEYS):
        raise UnconfirmedError(f"{path.name}: {others[0]} must not be there; no file of a release determines it")
    return found  # type: ignore[no-any-return]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _is_table(one: Mapping[str, Any]) -> bool:
    """Whether a manifest names a file of the folder itself, and how many rows it has."""
    return isinstance(one["rows"], int) and Path(one["name"]).name == one["name"]


def _tree(file: TableFile) -> Tree:
    rows = file.table(["node", "parent"], []).to_pylist()
    parents = {row["node"]: row["parent"] for row in rows}
    if len(parents) != len(rows) or None in parents:
        raise UnconfirmedError(f"{file.path}: must list each node once")
    children: dict[str, list[str]] = {node: [] for node in parents}
    for node, parent in parents.items():
        if parent is not None and parent not in children:
            raise UnconfirmedError(f"{file.path}: the parent of {node!r} must be a node; got {parent!r}")
        if parent is not None:
            children[parent].append(node)
    level = [node for node, parent in parents.items() if parent is None]
    if len(level) != 1:
        raise UnconfirmedError(f"{file.path}: one node must have no parent; {len(level)} have none")
    levels = []
    while level:
        levels.append(level)
        level = [child for node in level for child in children[node]]
    if sum(map(len, levels)) != len(parents) or any(not children[node] for one in levels[:-1] for node in one):
        raise UnconfirmedError(f"{file.path}: must be a tree whose leaves are at one level")
    return Tree(parents, levels, children)


def _table(path: Path, names: Sequence[str]) -> TableFile:
    """The table of a file, which has these columns and no other."""
    file = read_table_file(str(path))
    for name in names:
        if name not in file.schema.names:
            raise InputError(f"{path}: must have a column {name!r}; it has {', '.join(file.schema.names)}")
    for name in Counter(file.schema.names) - Counter(names):
        raise InputError(f"{path}: must have the columns {', '.join(names)}, each once; it has {name!r} besides")
    return file


class _Queries:
    """The queries of files."""

    def __init__(self, kinds: RecordKinds, tree: Tree, *, with_answers: bool) -> None:
        self._kinds, self._tree, self._with_answers = kinds, tree, with_answers
        self.read: list[str] = []
        self._cells: dict[tuple[str | None, str], tuple[NDArray[np.int64], list[int]]] = {}

    def of(self, path: Path, level: int, *, is_kept: bool) -> list[ReleasedAnswers]:
        """Every query of a file, each with a row for every node of the level."""
        columns = [*_FIXED, *self._kinds.columns, *(["sign"] if is_kept else [])]
        file = _table(path, columns)
        self.read += file.files
        for name, kind in (("value", "int64"), ("query_shape", "int32")):
            if str(file.schema.field(name).type).replace("item", "element") != f"list<element: {kind}>":
                raise InputError(f"{path}: {name} must be a list of {kind}; it is {file.schema.field(name).type}")
        by_name: dict[str, dict[str, Any]] = {}
        for batch in file.batches(columns, [], _ROWS):
            for row in self._rows(batch, is_kept=is_kept):
                of_name = by_name.setdefault(row["query_name"], {})
                if row["geocode"] in of_name:
                    raise UnconfirmedError(f"{path}: {row['query_name']} must have one row for {row['geocode']!r}")
                of_name[row["geocode"]] = row
        return [self._query(f"{path}: {name}", level, rows) for name, rows in by_name.items()]

    def _rows(self, batch: Any, *, is_kept: bool) -> Iterator[dict[str, Any]]:
        """Rows with the number of their answers, and whether one is missing; the answers as far as they are needed."""
        answers = batch.column("value")
        for place, row in enumerate(batch.drop_columns(["value"]).to_pylist()):
            own = answers[place].values
            row["answered"] = -1 if own is None else len(own)
            row["has_gaps"] = own is not None and own.null_count > 0
            if is_kept or own is None or row["has_gaps"]:
                row["value"] = [] if own is None else own.to_pylist()
            else:
                row["value"] = own.to_numpy().copy() if self._with_answers else []
            yield row

    def _query(self, place: str, level: int, rows: Mapping[str, Any]) -> ReleasedAnswers:
        kinds, nodes = self._kinds, self._tree.levels[level]
        for node in nodes:
            if node not in rows:
                raise UnconfirmedError(f"{place} has no row for {node!r}")
        if len(rows) != len(nodes):
            other = next(iter(rows.keys() - set(nodes)))
            raise UnconfirmedError(f"{place} has a row for {other!r}, which is not a node of its level")
        first = rows[nodes[0]]
        name, sign, is_kept = first["query_name"], first.get("sign", ""), "sign" in first
        if is_kept and sign not in _SIGNS:
            raise InputError(f"{place}: sign must be one of {', '.join(_SIGNS)}; got {sign!r}")
        rule, expected = _named(kinds, name, is_kept=is_kept)
        if (factors := [first[one] for one in kinds.columns]) != expected:
            raise UnconfirmedError(f"{place}: must be counted by {expected}, as its name says; it is by {factors}")
        query = rule, "\0".join(factors)
        if query not in self._cells:
            self._cells[query] = kinds.answers(place, factors, rule)
        answers, shape = self._cells[query]
        variance = parse_exact(f"{place}: exact_variance", first["exact_variance"])
        if (variance > 0) == is_kept:
            raise UnconfirmedError(
                f"{place}: exact_variance must be positive for what is measured only; got {variance}"
            )
        same = (*kinds.columns, "exact_variance", *(["sign"] if is_kept else []))
        for node in nodes:
            row = rows[node]
            if wrong := next((column for column in same if row[column] != first[column]), None):
                raise UnconfirmedError(f"{place}: {wrong} must be the same at every node; it differs at {node!r}")
            if row["query_shape"] != shape or row["answered"] != prod(shape):
                raise UnconfirmedError(f"{place}: must have {prod(shape)} answers in the shape {shape} at {node!r}")
            if row["has_gaps"] and sign != "<=":
                raise UnconfirmedError(f"{place}: must have an answer in each place at {node!r}")
            if abs(Fraction(row["variance"]) - variance) * 2**23 > variance:
                raise UnconfirmedError(f"{place}: variance must be near to {variance}; got {row['variance']}")
        return ReleasedAnswers(level, name, sign, answers, {node: rows[node]["value"] for node in nodes}, variance)


def _named(kinds: RecordKinds, name: str, *, is_kept: bool) -> tuple[str | None, list[str]]:
    """The rule that a query is of, if it is one, and by what its name says that each attribute is counted."""
    ending = "_con" if is_kept else "_dpq"
    query = name.removesuffix(ending)
    if query == name:
        raise UnconfirmedError(f"{name} must be a name that ends with {ending}")
    if not is_kept:
        return None, kinds.factors(query)
    if query in kinds.rules:
        where = kinds.rules[query][0]
        return query, [query if column in where else "*" for column in kinds.columns]
    for bound in BOUNDS if kinds.units else ():
        query = query.removesuffix(bound)
    return None, kinds.factors(query.removeprefix(EARLIER))


def _counts(base: Path, manifest: Mapping[str, Any], kinds: RecordKinds, tree: Tree) -> list[dict[str, dict[int, int]]]:
    """By level and node, how many records or units are in each cell that has some."""
    from stirred.mechanisms.tables.writing import checksums  # noqa: PLC0415 slow to load, and an optional dependency

    found: list[dict[str, dict[int, int]]] = [{node: {} for node in level} for level in tree.levels]
    tables = [("file", kinds.table, kinds.attributes, 0)]
    if kinds.counted_units is not None:
        tables.append(("units", UNITS, {kinds.counted_units.column: kinds.counted_units.types}, kinds.combinations))
    for key, table, columns, first in tables:
        path = base / manifest[key]["name"]
        if path.stem != table or not path.is_file():
            raise InputError(f"{path}: must be a file {table}.*, as schema.toml says")
        by_column = {kinds.leaf: tree.levels[-1], **columns}
        places, rows = _places(_table(path, list(by_column)), by_column)
        own = {"name": path.name, "rows": rows, "bytes": path.stat().st_size, "crc32": checksums(path)[0]}
        _compare(path.name, manifest[key], own)
        keys, numbers = np.unique(places, return_counts=True)
        size = prod(map(len, columns.values()))
        for place, number in zip(keys.tolist(), numbers.tolist(), strict=True):
            leaf, cell = divmod(place, size)
            node: str | None = tree.levels[-1][leaf]
            for level in reversed(found):
                if node is not None:
                    level[node][first + cell] = level[node].get(first + cell, 0) + number
                    node = tree.parents[node]
    return found


def _places(file: TableFile, columns: Mapping[str, Sequence[str]]) -> tuple[NDArray[np.int64], int]:
    """The combination of values of each record, by its number, and how many records there are."""
    table = file.table(list(columns), list(columns))
    place = np.zeros(table.num_rows, dtype=np.int64)
    for name, values in columns.items():
        numbers = {value: number for number, value in enumerate(values)}
        column = table.column(name).combine_chunks().dictionary_encode()
        coded = [numbers.get(value, UnconfirmedError) for value in column.dictionary.to_pylist()]
        if UnconfirmedError in coded or column.null_count:
            wrong = next((v for v in column.dictionary.to_pylist() if v not in numbers), None)
            raise UnconfirmedError(f"{file.path}: {name} must be of the schema and the tree; got {wrong!r}")
        place = place * len(values) + np.array(coded, dtype=np.int64)[column.indices.to_numpy()]
    return place, table.num_rows


def _check_digests(base: Path, stated: Mapping[str, Any], read: Sequence[str]) -> None:
    """Refuse files that were not read, and those that are others than the manifest names."""
    from stirred.mechanisms.tables.writing import checksums  # noqa: PLC0415 slow to load, and an optional dependency

    own = {Path(path).relative_to(base).as_posix() for path in read}
    here = own | {name for name in _files(base) if name.startswith("measurements/")}
    for name in sorted(stated.keys() | here):
        if name not in own and (base / name).exists():
            raise InputError(
                f"{base / name}: must be *.parquet in DPQuery or Constraint of a level of manifest.json, to be read"
            )
        if (name in here) != (name in stated):
            raise UnconfirmedError(f"{name} must be in the folder and in manifest.json; it is in one of them")
        rows = read_table_file(str(base / name)).lines
        _compare(name, stated[name], {"rows": rows, "sha256": checksums(base / name)[1]})


def _files(base: Path) -> set[str]:
    """What is in a folder and below, but for folders that are none of a link."""
    found = (path for path in base.rglob("*") if path.is_symlink() or not path.is_dir())
    return {path.relative_to(base).as_posix() for path in found}


def _compare(name: str, stated: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    """Refuse a file that is another one than the manifest names."""
    for key in (*own, *sorted(stated.keys() - own.keys())):
        if key not in own:
            raise UnconfirmedError(
                f"manifest.json: {name}: {key} must not be there; no file of a release determines it"
            )
        if stated.get(key) != own[key]:
            raise UnconfirmedError(
                f"{name} must have {key} {stated.get(key)!r}, as in manifest.json; it has {own[key]!r}"
            )

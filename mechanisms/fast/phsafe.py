"""PHSafe's relational steps in DuckDB, on CSV or Parquet in the published schema.

DuckDB, not Polars: it has SHA-256, runs the same SQL as Spark, and goes to disk where memory ends; the steps of PH1_num
by age took it 1.3 processor seconds on a million persons, and Polars 1.6, in 0.35 and 0.30 GB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from stirred.mechanisms.das.phsafe.published_parts import check_columns, csv_header, published_parts
from stirred.mechanisms.das.phsafe.statements import Counting, CubeRow, conditions, contradictions, places
from stirred.spec.arguments import InputError

_NEEDED = "PHSafe on files needs duckdb: pip install duckdb"


@dataclass(frozen=True)
class _Part:
    """A file of geo, units or persons: the types of the columns that are read, and of CSV their places in its lines."""

    path: Path
    kinds: Mapping[str, str]
    places: Mapping[str, int] = field(default_factory=dict)
    width: int = 0

    def texts(self) -> str:
        """The columns that are read, as texts."""
        if not self.width:
            columns = ", ".join(f"CAST({column} AS VARCHAR) AS {column}" for column in self.kinds)
            return f"SELECT {columns} FROM read_parquet({_named(self.path)})"  # noqa: S608
        columns = ", ".join(f"c{place} AS {column}" for column, place in self.places.items())
        fields = ", ".join(f"c{place}: 'VARCHAR'" for place in range(self.width))
        form = f"auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', columns = {{{fields}}}"
        return f"SELECT {columns} FROM read_csv({_named(self.path)}, {form})"  # noqa: S608


def _named(path: Path) -> str:
    """A path in SQL: a name, not a pattern."""
    return "'" + re.sub(r"([*?[])", r"[\1]", str(path)).replace("'", "''") + "'"


class PublishedFiles:
    """Published files that were opened and checked, ready to be counted.

    Args:
        counting: what is counted of them, such as the settings of a release.
        work: a folder of our own, for what does not fit into memory.
        confidential: whether a message may show values of records.
        validate: whether the files must agree on their MAFIDs.
    """

    def __init__(
        self, folder: str, counting: Counting, *, work: Path, confidential: bool = False, validate: bool = False
    ) -> None:
        try:
            import duckdb  # noqa: PLC0415 an optional dependency
        except ImportError:
            raise InputError(_NEEDED) from None
        self._failure = duckdb.Error
        self._counting = counting
        self._confidential = confidential
        spill = {"temp_directory": str(work / "spill"), "autoinstall_known_extensions": "false"}
        self._database = duckdb.connect(config=spill)
        opened = {name: self._open(name, parts) for name, parts in published_parts(folder).items()}
        if validate:
            for name, parts in opened.items():
                self._check_agreement(name, parts)
        for name, statement in counting.prepared("sha256({})"):
            self._run(f"CREATE TEMP TABLE {name} AS {statement}")

    def __enter__(self) -> PublishedFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def counted(self, table: str) -> list[CubeRow]:
        """The rows of a run by state, iterations and cell."""
        return [CubeRow(*row) for row in self._run(self._counting.cube(table))]

    def places(self, states: Sequence[str]) -> dict[str, int]:
        """The states of these that geo has a place in, with the most pairs of a MAFID, see `statements.places`."""
        return dict(self._run(places(states)))

    def _run(self, statement: str, *parameters: object) -> list[Any]:
        try:
            return list(self._database.execute(statement, parameters).fetchall())
        except self._failure as error:
            said = f": {_first_line(error)}" if self._confidential else ""
            raise InputError(f"DuckDB cannot count the records ({type(error).__name__}){said}") from None

    def _open(self, name: str, paths: Sequence[Path]) -> list[_Part]:
        parts = [self._part(name, path) for path in paths]
        first = parts[0]
        for part in parts:
            for column, kind in part.kinds.items():
                if kind != first.kinds[column]:
                    raise InputError(
                        f"{part.path.parent}: its files must have one schema; the column {column!r} is {kind} in "
                        f"{part.path.name} and {first.kinds[column]} in {first.path.name}"
                    )
        for part in parts:
            self._check_values(name, part)
        self._run(f"CREATE TEMP VIEW {name}_text AS {' UNION ALL '.join(part.texts() for part in parts)}")
        return parts

    def _part(self, name: str, path: Path) -> _Part:
        columns = self._counting.columns[name]
        if path.suffix == ".csv":
            header = csv_header(path)
            check_columns(path, header, columns)
            places = {column: header.index(column) for column in columns}
            return _Part(path, dict.fromkeys(columns, "text"), places, len(header))
        with self._readable(path, "Parquet"):
            rows = self._database.execute(f"DESCRIBE SELECT * FROM read_parquet({_named(path)})").fetchall()  # noqa: S608
        check_columns(path, [row[0] for row in rows], columns)
        return _Part(path, {row[0]: str(row[1]).lower() for row in rows if row[0] in columns})

    def _check_values(self, name: str, part: _Part) -> None:
        path, wanted = part.path, conditions(name, self._counting.columns[name])
        bad = {column: f"NOT coalesce({condition}, FALSE)" for column, (_, condition) in wanted.items()}
        counts = ", ".join(f"count(*) FILTER (WHERE {one})" for one in bad.values())
        with self._readable(path, "CSV in UTF-8" if path.suffix == ".csv" else "Parquet"):
            found = self._database.execute(f"SELECT {counts} FROM ({part.texts()})").fetchone() or ()  # noqa: S608
            for column, times in zip(bad, found, strict=True):
                if times:
                    self._refuse(part, column, wanted[column][0], bad[column])

    def _check_agreement(self, name: str, parts: Sequence[_Part]) -> None:
        """Refuse a MAFID that the rows of the files do not agree on."""
        for words, bad in contradictions(name):
            for part in parts:
                if self._run(f"SELECT 1 FROM ({part.texts()}) WHERE {bad} LIMIT 1"):  # noqa: S608
                    self._refuse(part, "MAFID", words, bad)

    def _refuse(self, part: _Part, column: str, words: str, bad: str) -> NoReturn:
        """Name the first row of a part under a condition."""
        numbered = f"SELECT {column}, row_number() OVER () AS n FROM ({part.texts()})"  # noqa: S608
        ((row, value),) = self._run(f"SELECT n, {column} FROM ({numbered}) WHERE {bad} ORDER BY n LIMIT 1")  # noqa: S608
        shown = repr(value) if self._confidential else "another value, which --debug-confidential shows"
        raise InputError(f"{part.path}: row {row}: {column} must be {words}; got {shown}")

    @contextmanager
    def _readable(self, path: Path, kind: str) -> Iterator[None]:
        """Say in one line why a file cannot be read; nothing that it holds unless that may be shown."""
        try:
            yield
        except self._failure as error:
            line = re.search(r"Line: (\d+)", str(error))
            place = f"line {line[1]} " if line else ""
            said = f": {_first_line(error)}" if self._confidential else ""
            fields = " with the fields of the header" if line else ""
            raise InputError(f"{path}: {place}must be {kind}{fields}{said}") from None


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]

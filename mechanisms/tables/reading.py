"""Tables in files: CSV, Parquet, and directories of Parquet files that are partitioned by columns, as one data set."""

import csv
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from stirred.spec.arguments import InputError

_ROWS = 2**18
"""Records that are read at a time."""

_WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")

_SEPARATORS = ",;\t"

_NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class ParquetPart:
    """One file.

    Attributes:
        schema: of the data set.
        values: the columns that its folders give.
    """

    path: str
    schema: Any
    values: Mapping[str, Any]

    def read(self, columns: Sequence[str], coded: Collection[str]) -> Any:
        """These columns as a table; texts that are coded by their distinct values."""
        with self._open(columns, coded) as file:
            table = file.read(columns=self._inside(columns))
        return pa.table([self._column(table, name) for name in columns], names=list(columns))

    def batches(self, columns: Sequence[str], coded: Collection[str], most: int | None = None) -> Iterator[Any]:
        """The same in batches, of at most so many records."""
        with self._open(columns, coded) as file:
            for batch in file.iter_batches(most or _ROWS, columns=self._inside(columns)):
                yield pa.RecordBatch.from_arrays([self._column(batch, name) for name in columns], names=list(columns))

    def _inside(self, columns: Sequence[str]) -> list[str]:
        return [name for name in columns if name not in self.values]

    def _open(self, columns: Sequence[str], coded: Collection[str]) -> Any:
        inside = self._inside(columns)
        texts = [name for name in inside if name in coded and _is_text(self.schema.field(name).type)]
        return pq.ParquetFile(self.path, read_dictionary=texts)

    def _column(self, rows: Any, name: str) -> Any:
        if name not in self.values:
            return rows.column(name)
        dictionary = pa.array([self.values[name]], self.schema.field(name).type)
        return pa.DictionaryArray.from_arrays(np.zeros(rows.num_rows, dtype=np.int32), dictionary)


def folder_columns(base: str, files: Sequence[str], schema: Any) -> tuple[Any, dict[str, dict[str, Any]]]:
    """The schema with the columns that folders give behind those of the files, and by file their values.

    A column of whole numbers in every folder is one of 64-bit integers, any other one of texts.
    """
    texts = {file: _folder_texts(base, file) for file in files}
    names = list(texts[files[0]])
    for file, values in texts.items():
        if list(values) != names:
            raise InputError(f"{file}: must stand below folders of the columns {', '.join(names) or '(none)'}")
    for name in names:
        if name in schema.names:
            raise InputError(f"{base}: the column {name!r} must be in the files or in the names of folders, not both")
        whole = all(_WHOLE.fullmatch(values[name]) for values in texts.values() if values[name] is not None)
        schema = schema.append(pa.field(name, pa.int64() if whole else pa.string()))
        if whole:
            for found in texts.values():
                text = found[name]
                found[name] = None if text is None else int(text)
    return schema, texts


def _folder_texts(base: str, file: str) -> dict[str, Any]:
    folders = Path(file).relative_to(base).parts[:-1]
    pairs = (folder.partition("=") for folder in folders if "=" in folder)
    return {unquote(name): None if value == _NULL else unquote(value) for name, _, value in pairs}


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_binary(kind))


_BLOCK = 2**24
"""Bytes of CSV that are parsed at a time."""

Print = tuple[tuple[str, int, int, int], ...]
"""The files of a table, each with its inode, size and time of change."""


@dataclass(frozen=True)
class TableFile:
    """A table in a file or in a directory of Parquet files.

    Attributes:
        path: as it was named.
        files: its files in order; empty for a pipe.
        schema: the columns and their types; those of CSV are texts.
        lines: how many records it has, of CSV at most: its lines.
        separator: what is between the fields of CSV.
        content: what a pipe held.
        folders: by file the values of the columns that the names of its folders give.
        fingerprint: of the files when they were opened.
    """

    path: str
    files: tuple[str, ...]
    schema: Any
    lines: int
    is_csv: bool
    separator: str = ","
    content: bytes | None = None
    folders: Mapping[str, Mapping[str, Any]] | None = None
    fingerprint: Print = field(default=(), compare=False)

    def require(self, columns: Iterable[str]) -> None:
        """Refuse a column that the file has not."""
        for name in columns:
            if name not in self.schema.names:
                raise InputError(f"{self.path}: must have the column {name!r}; it has {', '.join(self.schema.names)}")

    def at(self, record: int) -> str:
        """Where a record is, of those from 0: a line of CSV, whose first names the columns, else its number from 1."""
        return f"{self.path}: {f'line {record + 2}' if self.is_csv else f'record {record + 1}'}"

    def table(self, columns: Sequence[str], coded: Collection[str]) -> Any:
        """These columns of all records; those that are coded by their distinct values, the others as they are."""
        with self._readable():
            if self.is_csv:
                options = self._csv(columns, coded)
                source = self.path if self.content is None else pa.BufferReader(_copied(self.content))
                table = pc.read_csv(source, **options)
            else:
                table = pa.concat_tables([self._part(file).read(columns, coded) for file in self.files])
        self.check_unchanged()
        return table

    def batches(self, columns: Sequence[str], coded: Collection[str], most: int | None = None) -> Iterator[Any]:
        """The same in batches, in the order of the records; of Parquet, of at most so many records."""
        with self._readable():
            if self.is_csv:
                if self.content is not None:
                    raise InputError(f"{self.path}: must be a file to be read with --memory; it is a pipe")
                yield from pc.open_csv(self.path, **self._csv(columns, coded))
            else:
                for path in self.files:
                    yield from self._part(path).batches(columns, coded, most)
        self.check_unchanged()

    def check_unchanged(self) -> None:
        """Refuse files that are no longer those that were opened."""
        if _fingerprint(self.files) != self.fingerprint:
            raise InputError(f"{self.path}: must not change while it is read; it has")

    def _part(self, path: str) -> ParquetPart:
        return ParquetPart(path, self.schema, {} if self.folders is None else self.folders[path])

    def _csv(self, columns: Sequence[str], coded: Collection[str]) -> dict[str, Any]:
        coded_text = pa.dictionary(pa.int32(), pa.string())
        few = frozenset(coded)
        types = {name: coded_text if name in few else pa.string() for name in columns}
        return {
            "read_options": pc.ReadOptions(block_size=_BLOCK),
            "parse_options": pc.ParseOptions(
                delimiter=self.separator, newlines_in_values=True, ignore_empty_lines=False
            ),
            "convert_options": pc.ConvertOptions(
                column_types=types,
                include_columns=list(columns),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        }

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Say in one line why the files cannot be read."""
        try:
            yield
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror or error}") from None
        except pa.ArrowException as error:
            self.check_unchanged()
            if self.is_csv and self.content is None:
                _check_lines(self.path, len(self.schema), self.separator)
            kind = "CSV in UTF-8" if self.is_csv else "Parquet"
            raise InputError(f"{self.path}: must be {kind}: {_first_line(error)}") from None


def open_table(path: str, content: bytes | None = None) -> TableFile:
    """The table in a CSV or Parquet file, or in a directory of Parquet files.

    Args:
        content: what was read of it where it is a pipe of CSV, which is read once.
    """
    if content is not None:
        lines = content.decode("utf-8", "replace").splitlines(keepends=True)
        return _csv_file(path, lines, content.count(b"\n") + 1, files=(), content=content)
    try:
        if Path(path).is_dir():
            return _directory(path)
        print_ = _fingerprint((path,))
        with Path(path).open("rb") as file:
            is_parquet = file.read(4) == b"PAR1"
        if is_parquet:
            with pq.ParquetFile(path) as parquet:
                return TableFile(
                    path,
                    (path,),
                    _plain(parquet.schema_arrow),
                    parquet.metadata.num_rows,
                    is_csv=False,
                    fingerprint=print_,
                )
        with Path(path).open(encoding="utf-8-sig", newline="") as text:
            return _csv_file(path, text, _lines(path), files=(path,), fingerprint=print_)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from None
    except pa.ArrowException as error:
        raise InputError(f"{path}: must be Parquet: {_first_line(error)}") from None


def _directory(path: str) -> TableFile:
    files = sorted(str(file) for file in Path(path).rglob("*.parquet") if not file.name.startswith((".", "_")))
    if not files:
        raise InputError(f"{path}: is a directory; it must hold Parquet files (*.parquet), and holds none")
    print_ = _fingerprint(tuple(files))
    rows, first = 0, None
    for file in files:
        try:
            with pq.ParquetFile(file) as parquet:
                schema, more = _plain(parquet.schema_arrow), parquet.metadata.num_rows
        except pa.ArrowException as error:
            raise InputError(f"{file}: must be Parquet: {_first_line(error)}") from None
        rows += more
        first = schema if first is None else first
        if not schema.equals(first):
            raise InputError(f"{path}: its files must have one schema; {_difference(files[0], first, file, schema)}")
    schema, folders = folder_columns(path, files, first)
    return TableFile(path, tuple(files), schema, rows, is_csv=False, folders=folders, fingerprint=print_)


def _difference(one: str, first: Any, other: str, second: Any) -> str:
    for name in dict.fromkeys([*first.names, *second.names]):
        kinds = [str(schema.field(name).type) if name in schema.names else "absent" for schema in (first, second)]
        if kinds[0] != kinds[1]:
            return f"the column {name!r} is {kinds[0]} in {one} and {kinds[1]} in {other}"
    return f"the columns of {one} are in another order than those of {other}"


def _csv_file(path: str, lines: Iterable[str], most: int, **named: Any) -> TableFile:
    """A table of CSV by its first line, whose fields are apart by what it has most of: commas, semicolons or tabs."""
    ahead = iter(lines)
    first = next(ahead, "")
    separator = max(_SEPARATORS, key=first.count)
    try:
        header = next(csv.reader(chain([first], ahead), delimiter=separator, strict=True), None)
    except csv.Error as error:
        raise InputError(f"{path}: must be CSV in UTF-8: {error}") from None
    if not header:
        raise InputError(f"{path}: must have a header line; the file is empty")
    schema = _texts([header[0].removeprefix("\ufeff"), *header[1:]])
    return TableFile(path, lines=most, schema=schema, is_csv=True, separator=separator, **named)


def _check_lines(path: str, columns: int, separator: str) -> None:
    """Refuse a line of CSV that has not as many fields as the header, by its number."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as text:
            reader = csv.reader(text, delimiter=separator, strict=True)
            for row in reader:
                if len(row) != columns:
                    raise InputError(f"{path}: line {reader.line_num} must have {columns} fields; got {len(row)}")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from None
    except csv.Error as error:
        raise InputError(f"{path}: must be CSV in UTF-8: {error}") from None


def _not_utf8(path: str, error: UnicodeDecodeError) -> InputError:
    coding = "UTF-16" if error.object.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "in another encoding"
    return InputError(f"{path}: must be CSV in UTF-8; it is {coding}: save it as UTF-8 (in Excel, as CSV UTF-8)")


def _copied(content: bytes) -> Any:
    """A buffer of Arrow's own: a worker thread that lets go of Python's bytes while Python exits aborts the process."""
    buffer = pa.BufferOutputStream()
    buffer.write(content)
    return buffer.getvalue()


def _lines(path: str) -> int:
    with Path(path).open("rb") as file:
        blocks: Callable[[], bytes] = lambda: file.read(_BLOCK)  # noqa: E731 what iter asks for
        return 1 + sum(block.count(b"\n") for block in iter(blocks, b""))


def _texts(names: Sequence[str]) -> Any:
    return pa.schema([pa.field(name, pa.string()) for name in names])


def _plain(schema: Any) -> Any:
    """A schema without what it says of pandas, so that two are compared by their columns."""
    return schema.remove_metadata()


def _fingerprint(files: Sequence[str]) -> Print:
    try:
        stats = [(file, Path(file).stat()) for file in files]
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from None
    return tuple((file, stat.st_ino, stat.st_size, stat.st_mtime_ns) for file, stat in stats)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__

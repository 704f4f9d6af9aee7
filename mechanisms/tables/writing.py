"""Writing tables and texts whole or not at all, several files together."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import shutil
import tempfile
import zlib
from base64 import b64encode
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

from stirred.spec.arguments import InputError

_CHUNK = 2**24

_LINES = 2**18
"""Records that are written at a time."""

_SAMPLE = 2**12
"""Records by which a column's values are judged to repeat."""


@dataclass(frozen=True)
class WrittenFile:
    """A file that was written: its name, its lines without the header, bytes, CRC-32, and SHA-256."""

    name: str
    rows: int
    bytes: int
    crc32: str
    sha256: str


class WholeFiles:
    """Files that appear under their names together at the end of a `with` block, or not at all.

    Each is written under a temporary name beside its own, forced to the disk, and renamed when the block ends well;
    whatever ends it otherwise, an interruption too, removes them and leaves what was there before.
    """

    def __init__(self) -> None:
        self._renames: list[tuple[Path, Path]] = []

    def __enter__(self) -> WholeFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                for temporary, target in self._renames:
                    _force(temporary)
                    temporary.chmod(_mode(target))
                for temporary, target in self._renames:
                    temporary.replace(target)
        except OSError as failed:
            raise _refused(str(failed.filename2 or failed.filename), failed) from None
        finally:
            for temporary, _ in self._renames:
                temporary.unlink(missing_ok=True)

    def new(self, path: str) -> Path:
        """The temporary name under which the file of this path is to be written."""
        target = Path(os.path.realpath(path))
        if target.is_symlink() or (target.exists() and not target.is_file()):
            raise InputError(f"{path}: cannot be written: it must be a regular file")
        try:
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        except OSError as error:
            raise _refused(path, error) from None
        os.close(handle)
        self._renames.append((Path(name), target))
        return Path(name)

    def text(self, path: str, content: str) -> None:
        """Write a text in UTF-8."""
        temporary = self.new(path)
        try:
            temporary.write_text(content, encoding="utf-8")
        except OSError as error:
            raise _refused(path, error) from None

    def table(self, path: str, schema: Any, parts: Iterable[Any]) -> WrittenFile:
        """Write tables of one schema after another, as Parquet if the name ends so and as CSV otherwise.

        Their texts may be dictionary-encoded, in all of them or in none.
        """
        temporary = self.new(path)
        write = _write_parquet if is_parquet_name(path) else _write_csv
        try:
            rows = write(temporary, schema, parts)
            return WrittenFile(Path(path).name, rows, temporary.stat().st_size, *checksums(temporary))
        except OSError as error:  # of Arrow too
            raise _refused(path, error) from None
        except pa.ArrowException as error:
            raise InputError(f"{path}: cannot be written: {str(error).splitlines()[0]}") from None

    def copy(self, path: str, source: Path, rows: int) -> WrittenFile:
        """Write what another file holds."""
        temporary = self.new(path)
        try:
            shutil.copyfile(source, temporary)
            return WrittenFile(Path(path).name, rows, temporary.stat().st_size, *checksums(temporary))
        except OSError as error:
            raise _refused(path, error) from None


def is_parquet_name(path: str) -> bool:
    """Whether a file of this name is to be Parquet.

    >>> is_parquet_name("a/b.parquet"), is_parquet_name("b.csv")
    (True, False)
    """
    return Path(path).suffix in (".parquet", ".pq")


def _write_parquet(path: Path, schema: Any, parts: Iterable[Any]) -> int:
    """Write parts of this schema; a column that is dictionary-encoded in them is read again as the schema says."""
    rows = 0
    with ExitStack() as opened:
        writer = None
        for part in parts:
            if writer is None:
                options = {"use_dictionary": _repeating(part), "store_schema": False}
                writer = opened.enter_context(pq.ParquetWriter(str(path), part.schema, **options))
                writer.add_key_value_metadata({"ARROW:schema": b64encode(schema.serialize()).decode()})
            writer.write_table(part)
            rows += part.num_rows
        if writer is None:
            opened.enter_context(pq.ParquetWriter(str(path), schema))
    return rows


def _repeating(part: Any) -> list[str]:
    """The columns whose values repeat; a dictionary of the others, such as ids, would cost time and space."""
    sample = part.slice(0, _SAMPLE)
    return [field.name for field in part.schema if not _differ(field.type, sample.column(field.name))]


def _differ(kind: Any, column: Any) -> bool:
    """Whether most of the values of a column differ, as far as that is to be told."""
    if pa.types.is_nested(kind) or pa.types.is_dictionary(kind):
        return False
    return 2 * int(pc.count_distinct(column).as_py()) > len(column)


def _write_csv(path: Path, schema: Any, parts: Iterable[Any]) -> int:
    rows = 0
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(schema.names)
    with pa.OSFile(str(path), "wb") as file:
        file.write(header.getvalue().encode())
        for part in parts:
            for batch in part.to_batches(_LINES):
                _write_lines(file, batch)
                rows += batch.num_rows
    return rows


def _write_lines(file: Any, part: Any) -> None:
    """Without quotation marks where no value needs any; with them where one does, or an empty text is no null."""
    plain = arrow_csv.WriteOptions(include_header=False, quoting_style="none")
    if not any(_has_empty_text(column) for column in part.columns):
        content = pa.BufferOutputStream()
        try:
            arrow_csv.write_csv(part, content, plain)
        except pa.ArrowInvalid:
            pass  # a value has a comma, a quotation mark or an end of line
        else:
            file.write(content.getvalue())
            return
    arrow_csv.write_csv(part, file, arrow_csv.WriteOptions(include_header=False))


def _has_empty_text(column: Any) -> bool:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return bool(_has_empty_text(column.dictionary))
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)) or not len(column):
        return False
    width = np.dtype(np.int32 if pa.types.is_string(kind) else np.int64)
    ends = np.frombuffer(column.buffers()[1], width, len(column) + 1, column.offset * width.itemsize)
    return bool(np.count_nonzero(ends[1:] == ends[:-1]) > column.null_count)


def checksums(path: Path) -> tuple[str, str]:
    """The CRC-32 and SHA-256 of a file."""
    crc, sha256 = 0, hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            crc = zlib.crc32(chunk, crc)
            sha256.update(chunk)
    return f"{crc:08x}", sha256.hexdigest()


def _force(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets here."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _refused(path: str, error: OSError) -> InputError:
    reason = os.strerror(error.errno) if error.errno else str(error).splitlines()[0]  # Arrow's own is longer
    return InputError(f"{path}: cannot be written: {reason}")

"""Files that come from elsewhere: read whole, up to a stated size, with one clear line where that fails.

Tables are files and folders for Arrow, and pipes, which are read whole.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.bounded_read import UnreadableError, names_stream, read_whole

MAX_BYTES = 500_000
"""The largest claim file or published record that is read."""


def read_bounded(path: str | Path, most: int = MAX_BYTES) -> bytes:
    """The content of a file of at most `most` bytes; "-" is standard input."""
    is_stream = str(path) == "-" or Path(path).is_fifo()
    content = _read_once(str(path), most) if is_stream else _read(str(path), most)
    if isinstance(content, bytes):
        return content
    raise InputError(f"{path}: {content}")


def _read(path: str, most: int) -> bytes | UnreadableError:
    try:
        return read_whole(path, most)
    except UnreadableError as error:
        return error


@cache
def _read_once(path: str, most: int) -> bytes | UnreadableError:
    """What a pipe holds: it can be read once, and its kind and its content are both asked for."""
    return _read(path, most)


def read_text(path: str | Path, most: int = MAX_BYTES) -> str:
    """The content of a file of at most `most` bytes as text."""
    content = read_bounded(path, most)
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise InputError(f"{path}: must be UTF-8; it is UTF-16, which Excel calls Unicode text: save it as UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        column = error.start - error.object.rfind(b"\n", 0, error.start)
        raise InputError(f"{path}: line {line}, column {column} must be UTF-8; it is not") from None


if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile

_MOST_BYTES_OF_A_PIPE = 2**30


def read_table_file(path: str) -> TableFile:
    """The table in a CSV or Parquet file, a folder of Parquet files or a pipe; "-" is standard input, as CSV."""
    from stirred.mechanisms.tables.reading import open_table  # noqa: PLC0415 slow to load, and an optional dependency

    if path and Path(path).is_dir():
        return open_table(path)
    try:
        is_stream = path == "-" or names_stream(path)
    except UnreadableError as error:
        raise InputError(f"{path}: {error}") from None
    return open_table(path, read_bounded(path, _MOST_BYTES_OF_A_PIPE) if is_stream else None)

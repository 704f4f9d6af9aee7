"""Tables that come from elsewhere: files and folders for Arrow, and pipes, which are read whole up to a stated size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from stirred.spec.arguments import InputError
from stirred.verify.certificates.bounded_read import UnreadableError, names_stream
from stirred.verify.files.bounded_file import read_bounded

if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile

_MOST_BYTES_OF_A_PIPE = 2**30


def read_table_file(path: str) -> TableFile:
    """The table in a CSV or Parquet file, a folder of Parquet files or a pipe; "-" is standard input, as CSV.

    Raises:
        InputError: there is none, it is a device, a pipe holds too much or takes too long, or Arrow is not installed.
    """
    from stirred.mechanisms.tables.reading import open_table  # noqa: PLC0415 slow to load, and an optional dependency

    if path and Path(path).is_dir():
        return open_table(path)
    try:
        is_stream = path == "-" or names_stream(path)
    except UnreadableError as error:
        raise InputError(f"{path}: {error}") from None
    return open_table(path, read_bounded(path, _MOST_BYTES_OF_A_PIPE) if is_stream else None)

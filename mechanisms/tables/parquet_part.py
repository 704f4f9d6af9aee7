"""One Parquet file of a data set, with the columns that the names of its folders give (`size=2/part.parquet`)."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from stirred.spec.arguments import InputError

_ROWS = 2**18
"""Records that are read at a time."""

_WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")

_NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class ParquetPart:
    """One file.

    Attributes:
        path: of the file.
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

    Raises:
        InputError: a file stands below other columns than the first, or one of them is in the files too.
    """
    texts = {file: _texts(base, file) for file in files}
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


def _texts(base: str, file: str) -> dict[str, Any]:
    folders = Path(file).relative_to(base).parts[:-1]
    pairs = (folder.partition("=") for folder in folders if "=" in folder)
    return {unquote(name): None if value == _NULL else unquote(value) for name, _, value in pairs}


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_binary(kind))

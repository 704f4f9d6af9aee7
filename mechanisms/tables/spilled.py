"""What a run on a table larger than memory keeps on disk: coded records by bucket, and tables written whole."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from stirred.mechanisms.fast.permutation_swapping import Codes


class SpilledRows:
    """Rows of codes, read one piece after another."""

    def __init__(self, path: Path) -> None:
        self._columns = numpy_columns(read_table(path, mapped=True))
        self._at = 0

    def next(self, rows: int) -> list[Codes]:
        piece = [column[self._at : self._at + rows] for column in self._columns]
        self._at += rows
        return piece


class SpilledHomes:
    """The buckets of the records in the order of the input."""

    def __init__(self, path: Path) -> None:
        self._all = np.memmap(path, dtype=np.uint16, mode="r")
        self._at = 0

    def next(self, rows: int) -> NDArray[np.uint16]:
        self._at += rows
        return np.array(self._all[self._at - rows : self._at])


class Spill:
    """Files to which the codes of records are appended, one for each bucket; used in a `with` block.

    Args:
        homes: whether the buckets of the records are kept in the order of the input.
    """

    def __init__(self, target: Path, buckets: int, *, homes: bool) -> None:
        self._target = target
        self._sizes = np.zeros(buckets, dtype=np.int64)
        self._writers: dict[int, Any] = {}
        self._open = ExitStack()
        self._homes = self._open.enter_context((target / "homes").open("wb")) if homes else None

    def __enter__(self) -> Spill:
        return self

    def __exit__(self, *ended: object) -> None:
        self._open.close()

    def append(self, numbers: NDArray[np.int64], codes: Sequence[Codes], more: Sequence[Any]) -> None:
        """Append the records of a batch with these buckets, codes and further columns, in their order."""
        home = numbers.astype(np.uint16)
        if self._homes is not None:
            self._homes.write(home.tobytes())
        order = np.argsort(home, kind="stable")
        arrays = [pa.array(code.take(order)) for code in codes] + [column.take(pa.array(order)) for column in more]
        rows = pa.RecordBatch.from_arrays(arrays, names=[str(place) for place in range(len(arrays))])
        counts = np.bincount(home, minlength=len(self._sizes))
        self._sizes += counts
        ends = np.cumsum(counts)
        for bucket in np.flatnonzero(counts).tolist():
            if bucket not in self._writers:
                sink = self._open.enter_context(pa.OSFile(str(self._target / f"{bucket}.arrow"), "wb"))
                self._writers[bucket] = self._open.enter_context(pa.ipc.new_stream(sink, rows.schema))
            piece = rows.slice(int(ends[bucket] - counts[bucket]), int(counts[bucket]))
            self._writers[bucket].write_batch(piece)

    def occupied(self) -> dict[int, int]:
        """The records of each bucket that has some."""
        return {bucket: int(self._sizes[bucket]) for bucket in np.flatnonzero(self._sizes).tolist()}


def numbered_table(columns: Sequence[Any]) -> Any:
    """A table of arrays, whose columns are called by their places."""
    return pa.table([pa.array(column) for column in columns], names=[str(place) for place in range(len(columns))])


def numpy_columns(table: Any) -> list[Any]:
    """The columns of a table as arrays."""
    return [column.to_numpy() for column in table.columns]


def write_table(path: Path, table: Any) -> None:
    """Write a table whole."""
    temporary = path.with_suffix(".new")
    with pa.OSFile(str(temporary), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    temporary.replace(path)


def read_table(path: Path, *, mapped: bool = False) -> Any:
    """A table that `write_table` or a `Spill` wrote."""
    source = pa.memory_map(str(path)) if mapped else pa.OSFile(str(path), "rb")
    with source, pa.ipc.open_stream(source) as reader:
        return reader.read_all()

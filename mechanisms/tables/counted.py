"""Records of a table counted by leaf and cell, and counts as records again."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.tables.reading import TableFile
from stirred.spec.arguments import InputError, suggestion

_RECORDS = 2**20
"""Records that are made at a time."""


Counted = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Combinations of values that some record has, by their numbers in order, and how many records have each."""


def counted(
    file: TableFile, leaf_column: str, leaves: Sequence[str], columns: Mapping[str, Sequence[str]]
) -> list[Counted]:
    """The records of each leaf, by combination of the values of the other columns.

    Args:
        leaf_column: the column that names the leaf of a record.
        columns: for each of the other columns that are looked at, the values that there can be.
    """
    known = {leaf_column: leaves, **columns}
    for name in known:
        if name not in file.schema.names:
            raise InputError(f"{file.path}: must have a column {name!r}; {suggestion(name, file.schema.names)}")
    table = file.table(list(known), list(known))
    place = np.zeros(table.num_rows, dtype=np.int64)
    for name, values in known.items():
        place = place * len(values) + _codes(file, name, table.column(name), values)
    found, counts = np.unique(place, return_counts=True)
    cells = prod(len(values) for values in columns.values())
    starts = np.searchsorted(found, np.arange(len(leaves) + 1) * cells)
    return [
        (found[start:end] - leaf * cells, counts[start:end])
        for leaf, (start, end) in enumerate(pairwise(starts.tolist()))
    ]


def _codes(file: TableFile, name: str, column: Any, values: Sequence[str]) -> NDArray[np.int64]:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not pa.types.is_string(column.type):
        column = column.cast(pa.string())
    codes = pc.index_in(column, pa.array(list(values), pa.string()))
    if codes.null_count:
        record = pc.index(pc.is_null(codes), True).as_py()
        value = column[record].as_py()
        known = f"one of {', '.join(values)}" if len(values) <= 10 else suggestion(str(value), values)
        raise InputError(f"{file.at(record)}: {name} must be a value of the schema; got {value!r}; {known}")
    found: NDArray[np.int64] = codes.to_numpy().astype(np.int64)
    return found


def records(
    leaf_column: str, columns: Mapping[str, Sequence[str]], counts: Mapping[str, Counted]
) -> tuple[Any, Iterator[Any]]:
    """A schema and tables with one record for each count.

    Args:
        counts: for each leaf, in order, the counts of combinations of values, the columns in order.
    """
    text = pa.string()
    schema = pa.schema([pa.field(name, text) for name in (leaf_column, *columns)])
    return schema, _tables(schema, columns, counts)


def _tables(schema: Any, columns: Mapping[str, Sequence[str]], counts: Mapping[str, Counted]) -> Iterator[Any]:
    waiting: list[tuple[str, Counted]] = []
    size = 0
    for leaf, of_leaf in counts.items():
        waiting.append((leaf, of_leaf))
        size += int(of_leaf[1].sum())
        if size >= _RECORDS:
            yield _table(schema, columns, waiting)
            waiting, size = [], 0
    if waiting:
        yield _table(schema, columns, waiting)


def _table(schema: Any, columns: Mapping[str, Sequence[str]], counts: Sequence[tuple[str, Counted]]) -> Any:
    shape = tuple(len(values) for values in columns.values())
    leaves = np.repeat(np.arange(len(counts)), [int(numbers.sum()) for _, (_, numbers) in counts])
    cells = np.concatenate([np.repeat(cells, numbers) for _, (cells, numbers) in counts])
    codes = np.unravel_index(cells, shape)
    names = [[leaf for leaf, _ in counts], *columns.values()]
    arrays = [
        pa.array(list(values), pa.string()).take(pa.array(chosen))
        for values, chosen in zip(names, (leaves, *codes), strict=True)
    ]
    return pa.table(arrays, schema=schema)

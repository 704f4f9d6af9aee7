"""Tables of records with the sums of their keys, counted in one pass, in memory of the tables' size."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.fast.cell_key import MOST_KEYS, Integers
from stirred.mechanisms.tables.coded_column import GrowingColumn, check_nulls
from stirred.mechanisms.tables.reading import TableFile
from stirred.spec.arguments import InputError, suggestion

Query = tuple[str, ...]

_MOST_CELLS = 2**27
_DENSE = 2**20
"""Up to so many cells a batch is counted cell by cell, beyond by the cells that it has."""

_WHOLE = r"^[0-9]{1,18}$"


class KeyedCounts:
    """For each table the number of records in each cell, and the sum of their keys modulo K.

    Only tables whose variables are not among those of another are counted; the others are their margins.

    Args:
        file: the records.
        queries: the variables of each table.
        keys: K.
        key: the column of the keys; or a function that draws as many as it is asked for.
        listed: of some variables all the values that there can be, as texts.
    """

    def __init__(
        self,
        file: TableFile,
        queries: Sequence[Query],
        keys: int,
        key: str | Callable[[int], Integers],
        listed: Mapping[str, Sequence[str]],
    ) -> None:
        if keys > MOST_KEYS:
            raise InputError(f"the p-table of a run must have at most {MOST_KEYS} keys; it has {keys}")
        self._file, self._keys, self._key = file, keys, key
        self._variables = list(dict.fromkeys(name for query in queries for name in query))
        for name in (*self._variables, *([key] if isinstance(key, str) else [])):
            if name not in file.schema.names:
                raise InputError(f"{file.path}: must have a column {name!r}; {suggestion(name, file.schema.names)}")
        if key in self._variables:
            raise InputError(f"the column of the keys must be in no table; got {key!r}")
        self._columns = {name: GrowingColumn(file.schema.field(name).type) for name in self._variables}
        for name in listed:
            self._list(name, listed[name])
        sets = [frozenset(query) for query in queries]
        whole = [query for query, one in zip(queries, sets, strict=True) if not any(one < other for other in sets)]
        self._tables = {query: np.zeros((2, *self._shape(query)), np.int64) for query in dict.fromkeys(whole)}
        self.records = 0
        self._read()
        for name, values in listed.items():
            if len(self._columns[name].values) > len(values):
                value = self._columns[name].values[len(values)].as_py()
                raise InputError(f"{file.path}: {name} must be a value that is listed under [values]; got {value!r}")

    def _list(self, name: str, values: Sequence[str]) -> None:
        kind = self._columns[name].values.type
        try:
            self._columns[name].codes(pa.array(values, pa.string()).cast(kind))
        except pa.ArrowException:
            must = f"the [values] of {name!r} must be of its type there, {kind}"
            raise InputError(f"{self._file.path}: {must}; got {', '.join(values)}") from None

    def table(self, query: Query) -> tuple[list[Any], Integers, Integers]:
        """The values of each variable in order, the counts of all their combinations, and their keys."""
        whole = next(one for one in self._tables if set(query) <= set(one))
        summed = tuple(1 + place for place, name in enumerate(whole) if name not in query)
        left = [name for name in whole if name in query]
        both = self._tables[whole].sum(axis=summed).transpose(0, *(1 + left.index(name) for name in query))
        values = [self._columns[name].values for name in query]
        for axis, one in enumerate(values):
            both = both.take(pc.sort_indices(one).to_numpy(), axis=1 + axis)
        return [one.take(pc.sort_indices(one)) for one in values], both[0], both[1] % self._keys

    def _shape(self, query: Query) -> tuple[int, ...]:
        return tuple(len(self._columns[name].values) for name in query)

    def _read(self) -> None:
        columns = [*self._variables, *([self._key] if isinstance(self._key, str) else [])]
        if not columns:
            columns = self._file.schema.names[:1]
        for batch in self._file.batches(columns, self._variables):
            codes = {name: self._columns[name].codes(batch.column(name)) for name in self._variables}
            nulls = [(name, one.nulls) for name, one in self._columns.items()]
            check_nulls(self._file.path, nulls, "write a text for it to make")
            keys = self._key_of(batch)
            for query in self._tables:
                self._add(query, codes, keys)
            self.records += batch.num_rows

    def _add(self, query: Query, codes: Mapping[str, NDArray[np.int32]], keys: Integers) -> None:
        shape = self._shape(query)
        if (cells := prod(shape)) > _MOST_CELLS:
            raise InputError(f"the table by {', '.join(query)} must have at most {_MOST_CELLS} cells; it has {cells}")
        known = self._tables[query]
        if known.shape[1:] != shape:
            grown = np.zeros((2, *shape), np.int64)
            grown[(slice(None), *map(slice, known.shape[1:]))] = known
            self._tables[query] = known = grown
        place = np.zeros(len(keys), np.int64)
        for name, size in zip(query, shape, strict=True):
            place *= size
            place += codes[name]
        flat, where = known.reshape(2, -1), slice(None)
        if cells > _DENSE:
            where, place = np.unique(place, return_inverse=True)  # type: ignore[assignment]
        size = flat[0, where].size
        flat[0, where] += np.bincount(place, minlength=size)
        flat[1, where] += np.bincount(place, weights=keys, minlength=size).astype(np.int64)
        flat[1, where] %= self._keys

    def _key_of(self, batch: Any) -> Integers:
        if not isinstance(self._key, str):
            return self._key(batch.num_rows)
        column = batch.column(self._key)
        if pa.types.is_string(column.type):
            fits = pc.match_substring_regex(column, _WHOLE).fill_null(False)
            self._check(column, fits.to_numpy(zero_copy_only=False))
            column = column.cast(pa.int64())
        if not pa.types.is_integer(column.type):
            kind = f"must be whole numbers; they are {column.type}"
            raise InputError(f"{self._file.path}: the keys in {self._key!r} {kind}")
        if column.null_count:
            self._check(column, column.is_valid().to_numpy(zero_copy_only=False))
        found: Integers = column.cast(pa.int64()).to_numpy(zero_copy_only=False)
        self._check(column, (found >= 0) & (found < self._keys))
        return found

    def _check(self, column: Any, fits: Any) -> None:
        if not fits.all():
            record = int(np.flatnonzero(~fits)[0])
            got = "none" if (value := column[record].as_py()) is None else repr(value)
            must = f"must be 0 to {self._keys - 1}, a key of the p-table"
            raise InputError(f"{self._file.at(self.records + record)}: {self._key} {must}; got {got}")

"""Columns as whole numbers that stand for their distinct values: as a whole, or in batches as they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.fast.permutation_swapping import Codes
from stirred.mechanisms.fast.swap_buckets import MatchingColumn, bucket_hashes
from stirred.mechanisms.tables.cells import paired
from stirred.spec.arguments import InputError

_FEW = 2**12
"""Up to so many distinct texts, a piece of a column is written with all of them as its dictionary."""


@dataclass(frozen=True)
class CodedColumn:
    """One column of a table.

    Attributes:
        codes: for each record the place of its value in `values`.
        values: the distinct values, in any order; null is one where some record has none.
    """

    name: str
    codes: Codes
    values: Any

    def taken(self, codes: Codes) -> Any:
        """The values that these codes stand for, as an Arrow array."""
        return self.values.take(pa.array(codes))

    def shown(self, codes: Codes, kind: Any) -> Any:
        """The same as an array of this type; texts by their distinct values, unless these are many."""
        few = len(self.values) <= _FEW and not self.values.null_count
        if few and pa.types.is_string(kind) and self.values.type == kind:
            return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), self.values)
        return self.taken(codes).cast(kind)

    def sorted(self) -> CodedColumn:
        """The same column with its values in order: numbers by size, texts by their bytes, null last."""
        places = pc.sort_indices(self.values).to_numpy()
        if (places[1:] > places[:-1]).all():
            return self
        ranks = np.empty(len(places), dtype=np.int32)
        ranks[places] = np.arange(len(places))
        return CodedColumn(self.name, ranks.take(self.codes), self.taken(places))


def coded_column(name: str, column: Any) -> CodedColumn:
    """A chunked Arrow array, or an Arrow array, by its distinct values.

    >>> coded_column("size", pa.array(["2", "3", "2"])).codes.tolist()
    [0, 1, 0]
    """
    if not len(column):  # without chunks, what is encoded cannot be combined
        column = pa.nulls(0, column.type.value_type if pa.types.is_dictionary(column.type) else column.type)
    try:
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.combine_chunks()
        if isinstance(encoded, pa.ChunkedArray):
            encoded = pa.concat_arrays(encoded.chunks)
    except pa.ArrowException as error:
        raise InputError(f"the column {name!r} must have values that can be compared; it is {column.type}") from error
    codes, values = encoded.indices, encoded.dictionary
    if codes.null_count:
        codes = codes.fill_null(pa.scalar(len(values), codes.type))
        values = pa.concat_arrays([values, pa.nulls(1, values.type)])
    return CodedColumn(name, codes.to_numpy(zero_copy_only=False), values)


def combined(table: Any, names: Sequence[str]) -> NDArray[np.int64]:
    """Several columns of a table as one code from 0, in the order of their values."""
    codes = np.zeros(len(table), dtype=np.int64)
    for name in names:
        codes = paired(codes, coded_column(name, table[name]).sorted().codes)
    return codes


def coded_schema(schema: Any, arrays: Sequence[Any]) -> Any:
    """The schema with the types of these arrays, which are its own or dictionaries of its own."""
    return pa.schema([field.with_type(array.type) for field, array in zip(schema, arrays, strict=True)])


def matching_column(column: CodedColumn) -> MatchingColumn:
    """The same column as a matching variable."""
    check_matching(column.name, column.values.type)
    return MatchingColumn(column.codes, column.values.to_pylist())


def check_matching(name: str, kind: Any) -> None:
    """Refuse a type whose values have no one text, such as floats."""
    types = pa.types
    fits = (
        types.is_integer(kind)
        or types.is_boolean(kind)
        or types.is_date(kind)
        or types.is_decimal(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_binary(kind)
        or types.is_null(kind)
        or (types.is_timestamp(kind) and kind.unit != "ns")
    )
    if not fits:
        raise InputError(
            f"the matching column {name!r} must hold integers, texts, truth values, dates or decimals; it is {kind}"
        )


def check_nulls(place: str, counts: Sequence[tuple[str, int]], remedy: str = "--nulls category makes") -> None:
    """Refuse columns with nulls: each name with how many it has; the remedy makes null a value of its own."""
    some = [f"{name} {count}" for name, count in counts if count]
    if some:
        raise InputError(
            f"{place}: must have a value in each column of each record; nulls (in CSV, empty fields): {', '.join(some)}"
            f"; {remedy} null a value of its own"
        )


NULL = -1
"""The code of null, in every batch."""


class GrowingColumn:
    """The distinct values of a column, in the order in which they were first read.

    Args:
        place: which matching variable this is, if it is one, for the hashes of strata.
    """

    def __init__(self, kind: Any, place: int | None = None) -> None:
        self.values = pa.array([], kind)
        self.nulls = 0
        self._place = place
        self._hashes = self._hashes_of([])

    def codes(self, column: Any) -> NDArray[np.int32]:
        """The codes of a batch of this column; `NULL` for null."""
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        mapping = pc.index_in(encoded.dictionary, value_set=self.values)
        if mapping.null_count:
            new = encoded.dictionary.filter(mapping.is_null())
            self.values = pa.concat_arrays([self.values, new])
            mapping = pc.index_in(encoded.dictionary, value_set=self.values)
            added = self._hashes_of(new.to_pylist())
            self._hashes = np.concatenate((self._hashes[:-1], added))
        self.nulls += encoded.indices.null_count
        places = encoded.indices.fill_null(NULL).to_numpy(zero_copy_only=False)
        numbers: NDArray[np.int32] = np.append(mapping.to_numpy(zero_copy_only=False), NULL).astype(np.int32)
        found: NDArray[np.int32] = numbers.take(places)
        return found

    def hashes(self, codes: NDArray[np.int32]) -> NDArray[np.uint64]:
        """What the values of these codes add to the hashes of their strata."""
        return self._hashes.take(codes)

    def _hashes_of(self, values: list[Any]) -> NDArray[np.uint64]:
        """Of values that are new, and behind them that of null, which `NULL` takes as the last one."""
        known = np.zeros(1, dtype=np.uint64)
        return known if self._place is None else bucket_hashes([*values, None], self._place)

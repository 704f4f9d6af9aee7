"""A column that is read in batches: its distinct values so far, and the codes of each batch among them."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.fast.swap_buckets import bucket_hashes

NULL = -1
"""The code of null, in every batch."""


class GrowingColumn:
    """The distinct values of a column, in the order in which they were first read.

    Args:
        kind: the type of the values.
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

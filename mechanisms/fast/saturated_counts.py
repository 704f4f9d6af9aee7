"""The fully saturated contingency table of integer code arrays."""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class SaturatedCounts:
    """The fully saturated contingency table: the positive counts n_mhs.

    Attributes:
        cells: one row (m, h, s) for each cell, in lexicographic order.
    """

    cells: Codes
    counts: Codes

    def as_dict(self) -> dict[tuple[int, int, int], int]:
        """The counts by cell."""
        return {(m, h, s): n for (m, h, s), n in zip(self.cells.tolist(), self.counts.tolist(), strict=True)}


def saturated_counts(*columns: Codes) -> SaturatedCounts:
    """The distinct rows of these columns of one length, and how often each occurs."""
    if not len(columns[0]):
        return SaturatedCounts(np.zeros((0, len(columns)), dtype=np.int64), np.zeros(0, dtype=np.int64))
    lowest = [int(column.min()) for column in columns]
    spans = [int(column.max()) - low + 1 for column, low in zip(columns, lowest, strict=True)]
    if prod(spans) >= 2**63:
        cells, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
        return SaturatedCounts(cells, counts.astype(np.int64))
    code = np.ravel_multi_index(tuple(column - low for column, low in zip(columns, lowest, strict=True)), spans)
    if prod(spans) <= dense_limit(len(code)):
        table = np.bincount(code)
        occupied = np.flatnonzero(table)
        counts = table[occupied]
    else:
        occupied, counts = np.unique(code, return_counts=True)
    cells = np.stack(np.unravel_index(occupied, spans), axis=1) + np.array(lowest)
    return SaturatedCounts(cells.astype(np.int64), counts.astype(np.int64))


def dense_limit(records: int) -> int:
    """Up to so many possible values, counting them all is faster than sorting the records."""
    return 4 * records + 1024

"""New swapping values of records and of counts in strata, by the mechanism that a run asks for, bucket by bucket."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.fast.fibre_noise import dealt, noisy_counts
from stirred.mechanisms.fast.permutation_swapping import Codes
from stirred.mechanisms.fast.random_words import keyed_words
from stirred.mechanisms.fast.swap_buckets import Strata, bucket_numbers, swap_strata
from stirred.mechanisms.fast.swap_counts import swap_counts
from stirred.mechanisms.tables.cells import Cells, Combination, count_cells


@dataclass(frozen=True)
class SwapRun:
    """What decides a swap beside the data.

    Attributes:
        swap_rate: p in [0, 1] of the PSA; None for another mechanism, or where the table is only described.
        key: of the run, 32 bytes.
        buckets: B, a power of two; by default by the number of records.
        nulls: whether null is a category; otherwise it is refused.
        epsilon: ε > 0 of fibre noise; None for another mechanism.
    """

    swap_rate: Fraction | None
    key: bytes
    buckets: int | None = None
    nulls: bool = False
    epsilon: Fraction | None = None

    @property
    def is_description(self) -> bool:
        """Whether nothing is to change."""
        return self.swap_rate is None and self.epsilon is None


def new_codes(
    strata: Strata, held: Combination, given: Combination, *, run: SwapRun, buckets: int, ids: Any = None
) -> Codes:
    """The swapping codes of the records after the run's mechanism; ids order the records, if they have them."""
    if run.swap_rate is not None:
        moves = swap_strata(strata, swap_rate=run.swap_rate, key=run.key, buckets=buckets, ids=ids)
        return moves.apply(given.codes)
    if run.epsilon is None:
        return given.codes
    order = None if ids is None else np.argsort(ids, kind="stable")
    home = bucket_numbers(strata.hashes, buckets).take(strata.codes)
    codes = np.empty(len(home), dtype=np.int64)
    for bucket in np.unique(home).tolist():
        places = np.flatnonzero(home == bucket) if order is None else order[home[order] == bucket]
        words = keyed_words(run.key, f"fibre noise of bucket {bucket} of {buckets}".encode())
        own, rows = strata.codes.take(places), held.codes.take(places)
        cells = count_cells(
            own,
            len(strata.hashes),
            Combination(rows, held.number, held.parts),
            Combination(given.codes.take(places), given.number, given.parts),
        )
        noisy = noisy_counts((cells.strata, cells.holding, cells.swapping, cells.counts), run.epsilon, words)
        codes[places] = dealt(noisy, own, rows, words)
    return codes


def new_counts(cells: Cells, strata: Strata, run: SwapRun, buckets: int) -> Cells:
    """The counts after the run's mechanism, bucket by bucket, each from words of its own."""
    if run.swap_rate is None and run.epsilon is None:
        return cells
    homes = bucket_numbers(strata.hashes, buckets).take(cells.strata)
    columns = np.stack((cells.strata, cells.holding, cells.swapping, cells.counts))
    parts = []
    for bucket in np.unique(homes).tolist():
        inside = columns[:, homes == bucket]
        own = inside[0], inside[1], inside[2], inside[3]
        if run.swap_rate is not None:
            words = keyed_words(run.key, f"counts of bucket {bucket} of {buckets}".encode())
            parts.append(np.stack(swap_counts(own, run.swap_rate, words)))
        elif run.epsilon is not None:
            words = keyed_words(run.key, f"fibre noise of bucket {bucket} of {buckets}".encode())
            parts.append(np.stack(noisy_counts(own, run.epsilon, words)))
    joined = np.concatenate(parts, axis=1)
    return Cells(*joined[:, np.lexsort(joined[2::-1])])

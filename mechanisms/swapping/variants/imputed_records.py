"""Swapping where imputed records stay as they are."""

from collections.abc import Callable, Sequence

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import (
    SaturatedTable,
    SwapRecord,
    permutation_swapping,
    saturated_table,
)
from stirred.spec.laws.law import Probability


def swapping_without_imputed_records(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    imputed: Callable[[SwapRecord], bool],
    swap_rate: Probability | int,
) -> SaturatedTable:
    """The PSA on the records that are not imputed, beside the imputed ones.

    Args:
        imputed: whether a record is imputed; it must be so by its categories, for the table has nothing else.
        swap_rate: p in [0, 1].

    Source: article, Appendix C.2 (prohibiting imputed records from being swapped).
    """
    fixed = [record for record in records if imputed(record)]
    swapped = permutation_swapping([r for r in records if not imputed(r)], source, swap_rate=swap_rate)
    return saturated_table([*fixed, *(record for record, count in swapped for _ in range(count))])

"""Swapping where a move may also cross matching strata, with a small probability."""

from collections.abc import Hashable, Sequence
from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.mechanisms.swapping.variants.nonuniform_derangements import nonuniform_swapping
from stirred.spec.arguments import InputError, exact
from stirred.spec.laws.law import Probability


def probabilistic_matching(
    records: Sequence[SwapRecord], source: Source, *, across: Fraction, swap_rate: Probability | int
) -> SaturatedTable:
    """The PSA over all strata at once, where a move inside a stratum weighs 1 − α and one across strata weighs α.

    The derangement of the selected records is drawn in proportion to the product of the weights of its moves. The
    margins n_mh· and n_··s stay; n_m·s does not.

    Args:
        across: α in (0, 1), exact.
        swap_rate: p in [0, 1].

    Source: article, section 6.2 (probabilistic unit matching).
    """
    if not 0 < exact("across", across) < 1:
        raise InputError(f"across must be between 0 and 1, exclusive; got {across!r}")
    categories: dict[Hashable, tuple[Hashable, Hashable]] = {(m, h): (m, h) for m, h, _ in records}
    pooled: list[SwapRecord] = [(0, (matching, holding), swapping) for matching, holding, swapping in records]

    def weight(record: SwapRecord, other: SwapRecord) -> Fraction:
        return 1 - across if categories[record[1]][0] == categories[other[1]][0] else across

    released = nonuniform_swapping(pooled, source, weight=weight, swap_rate=swap_rate)
    return saturated_table([(*categories[record[1]], record[2]) for record, count in released for _ in range(count)])

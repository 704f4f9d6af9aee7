"""Swapping with a cap on how many records of a stratum may move, as swap rates were controlled in practice."""

from collections.abc import Sequence

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord
from stirred.mechanisms.swapping.variants.strata_permutation import select_independently, swap_strata
from stirred.spec.arguments import integer
from stirred.spec.laws.law import Probability


def capped_swapping(
    records: Sequence[SwapRecord], source: Source, *, cap: int, swap_rate: Probability | int
) -> SaturatedTable:
    """The PSA where selection begins again if more than `cap` records of a stratum are selected.

    A table at a distance above the cap is impossible from x and possible from a nearer x': no finite budget holds in
    a universe with two such tables.

    Args:
        cap: the largest number of records selected in a stratum, ≥ 0.
        swap_rate: p in [0, 1).

    Source: article, section 3.3 (before Theorem 1) and Appendix C.1, (2).
    """
    integer("cap", cap, minimum=0)

    def select(inner: Source, stratum: Sequence[int]) -> tuple[int, ...]:
        selected = select_independently(inner, stratum, [swap_rate] * len(stratum))
        if len(selected) > cap:
            inner.restart()
        return selected

    return swap_strata(records, source, select)

"""Swapping without vacuous permutations: what is selected is always moved so that the table changes."""

from collections.abc import Sequence
from functools import partial

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.mechanisms.swapping.variants.strata_permutation import derange_uniformly, select_independently
from stirred.spec.laws.law import Probability


def nonvacuous_swapping(
    records: Sequence[SwapRecord], source: Source, *, swap_rate: Probability | int
) -> SaturatedTable:
    """The PSA where selection and derangement begin again if some records were selected and the table is as before.

    So P_x(x) is the probability that no record is selected, given that the outcome is allowed.

    Args:
        swap_rate: p in [0, 1).

    Source: article, Appendix C.2 (prohibiting vacuous swaps).
    """
    strata: dict[object, list[SwapRecord]] = {}
    for record in records:
        strata.setdefault(record[0], []).append(record)
    released: list[SwapRecord] = []
    for stratum in strata.values():
        released += source.attempt(partial(_change, stratum, swap_rate)) if len(stratum) > 1 else stratum
    return saturated_table(released)


def _change(stratum: Sequence[SwapRecord], rate: Probability | int, source: Source) -> tuple[SwapRecord, ...]:
    places = range(len(stratum))
    selected = select_independently(source, places, [rate] * len(stratum))
    moves = dict(zip(selected, source.attempt(lambda inner: derange_uniformly(inner, selected)), strict=True))
    changed = tuple((*stratum[i][:2], stratum[moves.get(i, i)][2]) for i in places)
    if selected and saturated_table(changed) == saturated_table(stratum):
        source.restart()
    return changed

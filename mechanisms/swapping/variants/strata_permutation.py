"""The frame of all variants: in each stratum select records, permute their swapping values, tabulate."""

from collections.abc import Callable, Sequence
from functools import partial

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.spec.laws.law import Probability

Select = Callable[[Source, Sequence[int]], tuple[int, ...]]
"""Draws the records to move among the indices of one stratum; it may restart."""

Derange = Callable[[Source, tuple[int, ...]], tuple[int, ...]]
"""Draws, for the selected indices, those whose swapping values they receive; it may restart."""


def select_independently(source: Source, stratum: Sequence[int], rates: Sequence[Probability | int]) -> tuple[int, ...]:
    """Each record with its own probability; begun again if exactly one is selected."""
    selected = tuple(index for index, rate in zip(stratum, rates, strict=True) if source.bernoulli(rate))
    if len(selected) == 1:
        source.restart()
    return selected


def derange_uniformly(source: Source, selected: tuple[int, ...]) -> tuple[int, ...]:
    """A uniform derangement of the selected records."""
    order = source.permutation(len(selected))
    if any(place == image for place, image in enumerate(order)):
        source.restart()
    return tuple(selected[image] for image in order)


def swap_strata(
    records: Sequence[SwapRecord], source: Source, select: Select, derange: Derange = derange_uniformly
) -> SaturatedTable:
    """The fully saturated table after one selection and one derangement in each stratum of two records or more.

    Source: article, Algorithm 1, lines 2 to 20.
    """
    swapped = list(records)
    strata: dict[object, list[int]] = {}
    for index, (matching, _, _) in enumerate(records):
        strata.setdefault(matching, []).append(index)
    for stratum in strata.values():
        if len(stratum) < 2:
            continue
        selected, moves = source.attempt(partial(_draw, stratum, select, derange))
        for record, other in zip(selected, moves, strict=True):
            swapped[record] = (*records[record][:2], records[other][2])
    return saturated_table(swapped)


def _draw(
    stratum: Sequence[int], select: Select, derange: Derange, source: Source
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    selected = select(source, stratum)
    return selected, source.attempt(lambda inner: derange(inner, selected))

"""Swapping with derangements that are not equally likely, such as those that favour nearby records."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord
from stirred.mechanisms.swapping.variants.strata_permutation import select_independently, swap_strata
from stirred.spec.laws.law import Probability


def nonuniform_swapping(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    weight: Callable[[SwapRecord, SwapRecord], Fraction | int],
    swap_rate: Probability | int,
) -> SaturatedTable:
    """The PSA where a derangement is drawn in proportion to the product of the weights of its moves.

    Args:
        weight: how much a move that gives the first record the second one's swapping value is favoured, > 0.
        swap_rate: p in [0, 1].

    Source: article, Appendix C.2 (nonuniform permutations).
    """

    def derange(inner: Source, selected: tuple[int, ...]) -> tuple[int, ...]:
        options = [moves for moves in permutations(selected) if all(map(int.__ne__, selected, moves))]
        weights = [_product(records, weight, selected, moves) for moves in options]
        total = sum(weights, Fraction(0))
        return options[inner.choose([value / total for value in weights])]

    def select(inner: Source, stratum: Sequence[int]) -> tuple[int, ...]:
        return select_independently(inner, stratum, [swap_rate] * len(stratum))

    return swap_strata(records, source, select, derange)


def _product(
    records: Sequence[SwapRecord],
    weight: Callable[[SwapRecord, SwapRecord], Fraction | int],
    selected: tuple[int, ...],
    moves: tuple[int, ...],
) -> Fraction:
    product = Fraction(1)
    for record, other in zip(selected, moves, strict=True):
        product *= weight(records[record], records[other])
    return product

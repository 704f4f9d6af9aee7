"""The PSA, then the cell key method on its table: swapped records are tabulated and the positive counts perturbed."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, permutation_swapping
from stirred.spec.laws.law import Probability

PerturbationTable = Callable[[int], Mapping[int, Fraction]]
"""The law of the released count of a cell, for each positive count."""


def one_more_or_less(count: int) -> Mapping[int, Fraction]:
    """The released count is count − 1, count or count + 1 with probabilities 1/4, 1/2 and 1/4.

    >>> one_more_or_less(1)[0]
    Fraction(1, 4)
    """
    return {count - 1: Fraction(1, 4), count: Fraction(1, 2), count + 1: Fraction(1, 4)}


def cell_key_after_swapping(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    perturbation: PerturbationTable,
    swap_rate: Probability | int,
) -> SaturatedTable:
    """The PSA's fully saturated table where each positive count is perturbed, independently of the others.

    A cell's key is the sum modulo 1 of its records' keys. The record keys are independent and uniform and no record
    is in two cells, so the keys of the positive cells are independent and uniform; an empty cell has the key 0 and
    stays empty.

    Args:
        perturbation: the law of the released count for each positive count.
        swap_rate: p in [0, 1].

    Source: article, section 6.2 (the cell key method after swapping), for one table and keys drawn afresh.
    """
    released = []
    for record, count in permutation_swapping(records, source, swap_rate=swap_rate):
        law = perturbation(count)
        shown = tuple(law)[source.choose(tuple(law.values()))]
        if shown:
            released.append((record, shown))
    return tuple(released)

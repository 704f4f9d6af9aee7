"""Swapping by disjoint pairs, the core of the 2010 procedure: without cycles of three, no finite budget holds."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.spec.blocks.specification import Specification
from stirred.spec.flavors.permutation_swapping import Margins, largest_stratum, psa_budget, swapping_flavor
from stirred.spec.laws.law import Probability


def disjoint_pairs(records: Sequence[SwapRecord], source: Source, *, swap_rate: Probability | int) -> SaturatedTable:
    """Select records with probability p, pair those of a stratum uniformly, and exchange each pair's swapping values.

    If an odd number is selected in a stratum, all are deselected and selection begins again. The pairs are disjoint,
    so a table that differs from x by a cycle of three records is impossible.

    Args:
        swap_rate: p in [0, 1).

    Source: article, Appendix C (the 2010 DAS "used disjoint, pairwise swapping").
    """
    values = [swapping for _, _, swapping in records]
    for matching in dict.fromkeys(matching for matching, _, _ in records):
        stratum = [index for index, record in enumerate(records) if record[0] == matching]
        left = list(source.attempt(partial(_select_evenly, stratum, swap_rate)))
        while left:
            first = left.pop()
            second = left.pop(source.uniform(len(left)))
            values[first], values[second] = values[second], values[first]
    return saturated_table([(m, h, s) for (m, h, _), s in zip(records, values, strict=True)])


def _select_evenly(stratum: Sequence[int], swap_rate: Probability | int, source: Source) -> tuple[int, ...]:
    selected = tuple(index for index in stratum if source.bernoulli(swap_rate))
    if len(selected) % 2:
        source.restart()
    return selected


def claimed_specification(margins: Sequence[Margins], swap_rate: Fraction) -> Specification:
    """The false claim: what article, Theorem 1 grants to permutation swapping at this rate."""
    return Specification.constant(swapping_flavor(margins), psa_budget(largest_stratum(margins), swap_rate))

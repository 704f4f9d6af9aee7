"""Swapping with a fixed number of swaps: outputs that need one swap more are impossible, so no finite budget holds."""

from collections.abc import Sequence
from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.spec.arguments import integer
from stirred.spec.blocks.specification import Specification
from stirred.spec.flavors.permutation_swapping import Margins, largest_stratum, psa_budget, swapping_flavor


def fixed_number_of_swaps(records: Sequence[SwapRecord], source: Source, *, swaps: int) -> SaturatedTable:
    """Exchange the swapping values of two distinct records of each stratum, chosen uniformly, `swaps` times.

    A table z that `swaps` exchanges reach from x but not from x' has P_x(z) > 0 = P_x'(z).

    Args:
        swaps: how many exchanges each stratum of at least two records undergoes.

    Source: article, section 3.3 (the paragraph before Theorem 1).
    """
    integer("swaps", swaps, minimum=0)
    values = [swapping for _, _, swapping in records]
    for matching in dict.fromkeys(matching for matching, _, _ in records):
        stratum = [index for index, record in enumerate(records) if record[0] == matching]
        for _ in range(swaps if len(stratum) > 1 else 0):
            place = source.uniform(len(stratum))
            other = (place + 1 + source.uniform(len(stratum) - 1)) % len(stratum)
            first, second = stratum[place], stratum[other]
            values[first], values[second] = values[second], values[first]
    return saturated_table([(m, h, s) for (m, h, _), s in zip(records, values, strict=True)])


def claimed_specification(margins: Sequence[Margins]) -> Specification:
    """The false claim: the PSA's flavor with its budget at p = 1/2, ln(b + 1)."""
    budget = psa_budget(largest_stratum(margins), Fraction(1, 2))
    return Specification.constant(swapping_flavor(margins), budget)

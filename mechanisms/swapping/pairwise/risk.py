"""Reidentification risk, the four tiers, and the order in which households are visited."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.pairwise.policy import (
    AboveFeasible,
    BlockLocation,
    RiskTies,
    Rounding,
    SwapPolicy,
    UniquenessRegion,
)
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord
from stirred.spec.arguments import Exact, InputError, probability

_ROUNDED = {Rounding.DOWN: floor, Rounding.NEAREST: lambda share: floor(share + Fraction(1, 2)), Rounding.UP: ceil}


def households_alike(
    records: Sequence[SwapRecord],
    flags: Sequence[Hashable],
    geography: Mapping[Hashable, BlockLocation],
    region: UniquenessRegion,
) -> tuple[int, ...]:
    """For each household, how many others of its region have the same flagging variables: the fewer, the riskier.

    Source: swapping study, section 3, Flagging variables.
    """
    places = [block if region is UniquenessRegion.BLOCK else geography[block].tract for _, _, block in records]
    counts = Counter(zip(places, flags, strict=True))
    return tuple(counts[alike] - 1 for alike in zip(places, flags, strict=True))


def tier_sizes(households: int, swap_rate: Exact, policy: SwapPolicy) -> tuple[int, int, int, int]:
    """The numbers of households in tiers 1, 2, 3 and 4: shares 1 − 6t, 3t, 2t and t with t = r/(1 + p3).

    Then all of tier 4 and half of tier 3, of which p3 are swapped, are t + p3·t = r of all households.

    Args:
        swap_rate: r in [0, 1].
        policy: p3, the rounding, and what happens where 6t > 1.

    Source: swapping study, Appendix A (tiers).

    >>> tier_sizes(10_000, Fraction(1, 10), SwapPolicy())
    (6250, 1875, 1250, 625)
    """
    return _tier_sizes(households, probability("swap_rate", swap_rate), policy)


@lru_cache(maxsize=1_000)
def _tier_sizes(households: int, swap_rate: Fraction, policy: SwapPolicy) -> tuple[int, int, int, int]:
    """The same of a checked rate: every run of a program on as many households asks for it."""
    share = swap_rate / (1 + Fraction(policy.assumed))
    if 6 * share > 1 and policy.above_feasible is AboveFeasible.REFUSE:
        highest = (1 + Fraction(policy.assumed)) / 6
        raise InputError(f"swap_rate must be at most {highest}, where tiers 4, 3 and 2 are all; got {swap_rate}")
    left = households
    sizes = []
    for multiple in (1, 2, 3):
        size = min(left, _ROUNDED[policy.rounding](multiple * share * households))
        sizes.append(size)
        left -= size
    fourth, third, second = sizes
    return (left, second, third, fourth)


def assign_tiers(
    alike: Sequence[int], blocks: Sequence[Hashable], sizes: Sequence[int], source: Source, ties: RiskTies
) -> tuple[int, ...]:
    """The tier of each household: sorted by risk, the riskiest fill tier 4, then 3, then 2, and the rest is tier 1.

    Args:
        alike: how many others each household is like.
        sizes: of tiers 1, 2, 3, 4.
        source: asked for a permutation where ties are random.

    Source: swapping study, Appendix A (tiers).
    """
    households = range(len(alike))
    order: Sequence[int] = source.permutation(len(alike)) if ties is RiskTies.RANDOM else households
    if ties is RiskTies.SMALLER_BLOCK:
        block_sizes = Counter(blocks)
        by_risk = sorted(order, key=lambda i: (alike[i], block_sizes[blocks[i]]))
    else:
        by_risk = sorted(order, key=lambda i: alike[i])
    tier_by_rank = [tier for tier in (4, 3, 2, 1) for _ in range(sizes[tier - 1])]
    tiers = dict(zip(by_risk, tier_by_rank, strict=True))
    return tuple(tiers[i] for i in households)


def visiting_order(tiers: Sequence[int], source: Source) -> tuple[int, ...]:
    """The households from tier 4 to tier 1, in a uniform order within each tier.

    Source: swapping study, Appendix A (the decision to swap).
    """
    order: list[int] = []
    for tier in (4, 3, 2, 1):
        members = [i for i, of_tier in enumerate(tiers) if of_tier == tier]
        order += [members[i] for i in source.permutation(len(members))]
    return tuple(order)

"""2010-style swapping from end to end, for the households of one state; a country is its states, each on its own."""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.pairwise.policy import (
    STANDARD,
    BlockLocation,
    Counted,
    DistanceTies,
    Excluded,
    NoPartner,
    Participation,
    SwapPolicy,
)
from stirred.mechanisms.swapping.pairwise.risk import assign_tiers, households_alike, tier_sizes, visiting_order
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.spec.arguments import Exact, InputError, integer

# Pairing: a coin for each visited household, a partner for each that is to be swapped.

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""(target, partner), by their places in the data, in the order in which they were drawn."""


def squared_distance(first: BlockLocation, second: BlockLocation) -> int:
    """The squared Euclidean distance, an exact integer: nearer is smaller, and ties are ties."""
    return (first.x - second.x) ** 2 + (first.y - second.y) ** 2


def possible_partners(
    target: int,
    swapped: set[int],
    records: Sequence[SwapRecord],
    geography: Mapping[Hashable, BlockLocation],
    policy: SwapPolicy,
) -> list[tuple[int, int]]:
    """(squared distance, place) of the households that may be swapped with the target, nearest first.

    They match on the key, are far enough away, and, if each takes part once, were not swapped.

    Source: swapping study, section 3, Ranking of pairs.
    """
    key, _, block = records[target]
    here = geography[block]
    is_tract_out, is_block_out = (policy.excluded is kind for kind in (Excluded.SAME_TRACT, Excluded.SAME_BLOCK))
    taken = swapped if policy.participation is Participation.ONCE else ()
    found = []
    for place, (other_key, _, other_block) in enumerate(records):
        if other_key != key or place == target or place in taken:
            continue
        there = geography[other_block]
        if (is_tract_out and there.tract == here.tract) or (is_block_out and other_block == block):
            continue
        found.append((squared_distance(here, there), place))
    return sorted(found)


def choose_partner(partners: Sequence[tuple[int, int]], source: Source, policy: SwapPolicy) -> int:
    """One of the k closest, uniformly; all are the closest where there are at most k.

    Households at the k-th smallest distance that a uniform choice of them would leave out are as probable as those it
    takes: a draw that falls on this distance is drawn again among all of them.

    Args:
        partners: (squared distance, place), nearest first; at least one.

    Source: swapping study, Appendix A (swap partner).
    """
    k = len(partners) if policy.closest is None else min(policy.closest, len(partners))
    last = partners[k - 1][0]
    nearer = [place for distance, place in partners if distance < last]
    tied = [place for distance, place in partners if distance == last]
    if policy.distance_ties is DistanceTies.INPUT_ORDER:
        return partners[source.uniform(k)][1]
    if policy.distance_ties is DistanceTies.ALL:
        return partners[source.uniform(len(nearer) + len(tied))][1]
    drawn = source.uniform(k)
    return nearer[drawn] if drawn < len(nearer) else tied[source.uniform(len(tied))]


def draw_pairs(
    order: Sequence[int],
    tiers: Sequence[int],
    records: Sequence[SwapRecord],
    source: Source,
    *,
    geography: Mapping[Hashable, BlockLocation],
    swap_rate: Exact,
    policy: SwapPolicy,
) -> Pairs:
    """Visit the households in order until r·n are swapped: a coin of the tier's probability, then a partner.

    Pairs are swapped whole, so that the last one may bring the number above r·n by less than two households.

    Source: swapping study, Appendix A (the decision to swap).
    """
    wanted = ceil(Fraction(swap_rate) * len(records))
    pairs: list[tuple[int, int]] = []
    swapped: set[int] = set()
    for target in order:
        if (len(pairs) if policy.counted is Counted.TARGETS else len(swapped)) >= wanted:
            break
        if policy.participation is Participation.ONCE and target in swapped:
            continue
        if not source.bernoulli(policy.swap_probabilities[tiers[target] - 1]):
            continue
        partners = possible_partners(target, swapped, records, geography, policy)
        if partners:
            partner = choose_partner(partners, source, policy)
            pairs.append((target, partner))
            swapped |= {target, partner}
        elif policy.no_partner is NoPartner.REFUSE:
            raise InputError(f"every household must have a possible partner; household {target} has none")
    return tuple(pairs)


def swap_pairs(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    geography: Mapping[Hashable, BlockLocation],
    swap_rate: Exact,
    policy: SwapPolicy = STANDARD,
    flags: Sequence[Hashable] | None = None,
) -> Pairs:
    """The pairs of households that are swapped.

    Args:
        records: the households of one state, (key, all that moves with the household, block).
        swap_rate: r in [0, 1].
        flags: each household's flagging variables; unless given, its key and all that moves with it.

    Returns:
        (target, partner), in the order in which they were drawn.

    Source: swapping study, section 3 and Appendix A.
    """
    _check_blocks(records, geography)
    flagging = [record[:2] for record in records] if flags is None else flags
    if len(flagging) != len(records):
        raise InputError(f"flags must be as many as records; got {len(flagging)} for {len(records)}")
    blocks = [block for _, _, block in records]
    alike = households_alike(records, flagging, geography, policy.region)
    sizes = tier_sizes(len(records), swap_rate, policy)
    tiers = assign_tiers(alike, blocks, sizes, source, policy.risk_ties)
    order = visiting_order(tiers, source)
    return draw_pairs(order, tiers, records, source, geography=geography, swap_rate=swap_rate, policy=policy)


def _check_blocks(records: Sequence[SwapRecord], geography: Mapping[Hashable, BlockLocation]) -> None:
    for _, _, block in records:
        if block not in geography:
            raise InputError(f"geography must have a place for every block; {block!r} has none")
    for block, location in geography.items():
        integer(f"geography: x of block {block!r}", location.x)
        integer(f"geography: y of block {block!r}", location.y)


def exchange(records: Sequence[SwapRecord], pairs: Pairs) -> tuple[SwapRecord, ...]:
    """The households after each pair, in turn, has exchanged its blocks; all else stays.

    Source: swapping study, section 3; article, Appendix C, Step 3.

    >>> exchange([("k", "a", 0), ("k", "b", 1)], ((0, 1),))
    (('k', 'a', 1), ('k', 'b', 0))
    """
    blocks = [block for _, _, block in records]
    for target, partner in pairs:
        blocks[target], blocks[partner] = blocks[partner], blocks[target]
    return tuple((key, held, block) for (key, held, _), block in zip(records, blocks, strict=True))


def pairwise_swapping(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    geography: Mapping[Hashable, BlockLocation],
    swap_rate: Exact,
    policy: SwapPolicy = STANDARD,
    flags: Sequence[Hashable] | None = None,
) -> SaturatedTable:
    """2010-style swapping: the fully saturated table of the households after the exchange.

    Args:
        records: see `swap_pairs`, as all the others.

    Source: swapping study, section 3 and Appendix A.
    """
    pairs = swap_pairs(records, source, geography=geography, swap_rate=swap_rate, policy=policy, flags=flags)
    return saturated_table(exchange(records, pairs))

"""2010-style swapping from end to end, for the households of one state; a country is its states, each on its own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from stirred.mechanisms.pairwise_swapping.pairing import Pairs, draw_pairs
from stirred.mechanisms.pairwise_swapping.policy import STANDARD, BlockLocation, SwapPolicy
from stirred.mechanisms.pairwise_swapping.risk import assign_tiers, households_alike, tier_sizes, visiting_order
from stirred.mechanisms.permutation_swapping import SaturatedTable, SwapRecord, saturated_table
from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, InputError, integer

__all__ = ["exchange", "pairwise_swapping", "swap_pairs"]


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
        source: the source of randomness.
        geography: where each block is.
        swap_rate: r in [0, 1].
        policy: every decision that the algorithm leaves open.
        flags: each household's flagging variables; unless given, its key and all that moves with it.

    Returns:
        (target, partner), in the order in which they were drawn.

    Raises:
        InputError: a block has no place or no integer coordinates, flags are not as many as records, or the policy
            refuses the rate or the data.

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
        source: the source of randomness.
        geography: where each block is.
        swap_rate: r in [0, 1].
        policy: every decision that the algorithm leaves open.
        flags: each household's flagging variables.

    Raises:
        InputError: as for `swap_pairs`.

    Source: swapping study, section 3 and Appendix A.
    """
    pairs = swap_pairs(records, source, geography=geography, swap_rate=swap_rate, policy=policy, flags=flags)
    return saturated_table(exchange(records, pairs))

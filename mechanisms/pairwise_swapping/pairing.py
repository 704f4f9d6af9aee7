"""Pairing: a coin for each visited household, a partner for each that is to be swapped."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from stirred.mechanisms.pairwise_swapping.policy import (
    BlockLocation,
    Counted,
    DistanceTies,
    Excluded,
    NoPartner,
    Participation,
    SwapPolicy,
)
from stirred.mechanisms.permutation_swapping import SwapRecord
from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, InputError

__all__ = ["Pairs", "choose_partner", "draw_pairs", "possible_partners", "squared_distance"]

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
        there = geography[other_block]
        if other_key != key or place == target or place in taken:
            continue
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
        source: asked for one or two uniform choices.
        policy: k and `DistanceTies`.

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

    Raises:
        InputError: a household has no partner, and the policy refuses that.

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

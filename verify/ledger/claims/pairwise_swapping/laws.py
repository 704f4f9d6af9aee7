"""Exact laws of counts under 2010-style swapping, of small states."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.pairwise.program import exchange, swap_pairs
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord
from stirred.verify.ledger.claims.pairwise_swapping.invariants import GEOGRAPHY, POLICIES, states_of

CountLaw = dict[int, Fraction]


def persons_of_race(homes: Sequence[SwapRecord], block: int) -> int:
    """The persons of the first race in a block."""
    held: list[Any] = [races for _, races, at in homes if at == block]
    return sum(races[0] for races in held)


def laws_of_states() -> Iterator[tuple[CountLaw, int]]:
    """The law of the count of one race in each block, and the count itself, for each state of up to two homes."""
    for records, (policy, rate) in product(states_of(2), POLICIES):
        pairs = exact_law(swap_pairs, records, geography=GEOGRAPHY, swap_rate=rate, policy=policy)
        for block in GEOGRAPHY:
            counts: CountLaw = defaultdict(Fraction)
            for drawn in pairs:
                counts[persons_of_race(exchange(records, drawn), block)] += pairs.numeric(drawn)
            yield dict(counts), persons_of_race(records, block)

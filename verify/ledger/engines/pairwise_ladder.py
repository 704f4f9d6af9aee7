"""From 2010-style swapping to the PSA, rule by rule, with the exact loss of every rung on small states.

Each rung gives up one more rule of the published algorithm. The states are chosen so that each rule is what makes the
loss infinite on one of them: on it all rungs below have an infinite loss, and this one and all above a finite one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.swapping.pairwise.policy import (
    STANDARD,
    AboveFeasible,
    BlockLocation,
    Counted,
    Excluded,
    Participation,
    Rounding,
    SwapPolicy,
)
from stirred.mechanisms.swapping.pairwise.program import pairwise_swapping
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec.blocks.tables import Table
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.verify.engines.swapping.variant_loss import laws_on_universe

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class SmallState:
    """The data sets of a few households of one key with the same margins, and where their blocks are."""

    name: str
    margins: Margins
    geography: Mapping[int, BlockLocation] = field(repr=False)


def _on_a_line(*places: int, tracts: tuple[int, ...] | None = None) -> dict[int, BlockLocation]:
    """Blocks at these places of a line, each its own tract unless tracts are given."""
    numbered = tracts or tuple(range(len(places)))
    return {block: BlockLocation(numbered[block], x, 0) for block, x in enumerate(places)}


NEIGHBORS = SmallState("two households in two tracts", ((1, 1), (1, 1)), _on_a_line(0, 1))
ONE_TRACT = SmallState("two households in two blocks of one tract", ((1, 1), (1, 1)), _on_a_line(0, 1, tracts=(0, 0)))
REMOTE = SmallState("two alike and a third, one of three tracts remote", ((2, 1), (1, 1, 1)), _on_a_line(0, 1, 10))
FOUR = SmallState("two pairs alike, two in each of two tracts", ((2, 2), (2, 2)), _on_a_line(0, 1))
THREE = SmallState("three households in three tracts", ((1, 1, 1), (1, 1, 1)), _on_a_line(0, 1, 10))
FAR = SmallState(
    "two pairs far apart, one household of another kind", ((3, 1), (1, 1, 1, 1)), _on_a_line(0, 1, 100, 101)
)

STATES = (NEIGHBORS, ONE_TRACT, REMOTE, FOUR, THREE)
"""One for each rule, in the order in which the ladder gives them up."""

_SMALL = replace(STANDARD, closest=1, rounding=Rounding.UP, above_feasible=AboveFeasible.SHORTEN)
_UNFORCED = replace(_SMALL, swap_probabilities=(HALF, HALF, HALF, HALF))
_ANYWHERE = replace(_UNFORCED, excluded=Excluded.NONE)
REPAIRED = replace(_ANYWHERE, closest=None)
"""Fair coins, partners anywhere and at any distance; each household takes part once."""

FREE = replace(REPAIRED, participation=Participation.AGAIN, counted=Counted.TARGETS)
"""No rule but pairs: every household is visited, and may take part again. (Were partners counted, r = 1 would stop the
swapping once everybody has taken part.)"""


@dataclass(frozen=True)
class LadderRung:
    """One rung."""

    name: str
    program: Callable[..., Any] = field(repr=False)


def _pairs(policy: SwapPolicy, rate: Fraction) -> Callable[..., Any]:
    return partial(pairwise_swapping, policy=policy, swap_rate=rate)


def _permutations(records: Any, source: Any, *, geography: Mapping[int, BlockLocation]) -> Any:
    """The PSA, which does not ask where blocks are."""
    del geography
    return permutation_swapping(records, source, swap_rate=HALF)


RUNGS = (
    LadderRung("2010-style, k = 1, half of the households", _pairs(_SMALL, HALF)),
    LadderRung("no household is sure to be swapped: all coins 1/2", _pairs(_UNFORCED, HALF)),
    LadderRung("partners in the same tract too", _pairs(_ANYWHERE, HALF)),
    LadderRung("partners at any distance", _pairs(REPAIRED, HALF)),
    LadderRung("no cap on how many are swapped", _pairs(REPAIRED, Fraction(1))),
    LadderRung("a household may be swapped again", _pairs(FREE, Fraction(1))),
    LadderRung("permutations of independently selected households: the PSA", _permutations),
)
"""From the published algorithm to the PSA; each keeps what those before it gave up."""


def rung_laws(rung: LadderRung, state: SmallState) -> Mapping[Table, Any]:
    """The exact law of a rung on each data set of a state."""
    return laws_on_universe(rung.program, state.margins, geography=state.geography)


def swapped_laws(state: SmallState, policy: SwapPolicy, rate: Fraction) -> Mapping[Table, Any]:
    """The exact law of 2010-style swapping under a policy on each data set of a state."""
    return laws_on_universe(_pairs(policy, rate), state.margins, geography=state.geography)

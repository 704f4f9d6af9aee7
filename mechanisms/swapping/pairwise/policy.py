"""What 2010-style swapping leaves to its implementer: every open decision is an option here, with its alternatives.

The swapping study decides some of them in its text; where it is silent the first member of each enumeration is the
default, and the others are what its words allow too.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from stirred.spec.arguments import Exact, InputError, positive_integer, probability


class BlockLocation(NamedTuple):
    """Where a block is; its households are there (swapping study, section 3, footnote 3).

    Attributes:
        x: an integer coordinate, in any unit.
        y: the other one, in the same unit.
    """

    tract: Hashable
    x: int
    y: int


class UniquenessRegion(Enum):
    """Where a household is compared with others (section 3 says "in the same block")."""

    BLOCK = "block"
    TRACT = "tract"


class RiskTies(Enum):
    """The order of households at equal risk, where a tier ends among them (left open)."""

    RANDOM = "a uniform order"
    INPUT_ORDER = "as in the data"
    SMALLER_BLOCK = "fewest households in the block first, then as in the data"


class Rounding(Enum):
    """How a tier's share of the households becomes a number (left open); what is left over is tier 1."""

    DOWN = "down"
    NEAREST = "to the nearest, halves up"
    UP = "up"


class AboveFeasible(Enum):
    """What happens at swap rates whose tiers 4, 3 and 2 need more than all households (left open; Table 4 has 40%)."""

    REFUSE = "the rate is refused"
    SHORTEN = "tiers 4, 3 and 2 are filled in this order as far as there are households"


class DistanceTies(Enum):
    """Which of several households at the k-th smallest distance are among the k closest (left open)."""

    RANDOM = "a uniform choice of them"
    INPUT_ORDER = "the first in the data"
    ALL = "all of them, so that there may be more than k"


class NoPartner(Enum):
    """What happens to a household that no other one can be swapped with (left open)."""

    SKIP = "it stays"
    REFUSE = "the data set is refused"


class Participation(Enum):
    """How often a household takes part (left open)."""

    ONCE = "once: whoever was swapped is neither targeted nor a partner again"
    AGAIN = "any number of times; tracts and distances are those before swapping"


class Counted(Enum):
    """What counts towards the swap rate.

    Section 3: "the fraction of households in the state that are swapped". Appendix A's tier shares are those at which
    tier 4 and half of tier 3 are used up if only targets count.
    """

    HOUSEHOLDS = "targets and partners"
    TARGETS = "targets"


class Excluded(Enum):
    """Which households are too near to be a partner (section 3: a different tract; article, Appendix C: block)."""

    SAME_TRACT = "those of the same tract"
    SAME_BLOCK = "those of the same block"
    NONE = "none but the household itself"


@dataclass(frozen=True)
class SwapPolicy:
    """Every decision of the algorithm.

    Attributes:
        closest: k: the partner is uniform among the k closest; None for all that may be partners.
        swap_probabilities: those of tiers 1, 2, 3 and 4.
        assumed: the probability of tier 3 by which the tiers' sizes are set ("the standard swap probabilities").
        region: where uniqueness is counted.

    Source: swapping study, section 3 and Appendix A.
    """

    closest: int | None = 10
    swap_probabilities: tuple[Exact, Exact, Exact, Exact] = (Fraction(1, 10), Fraction(3, 10), Fraction(3, 5), 1)
    assumed: Exact = Fraction(3, 5)
    region: UniquenessRegion = UniquenessRegion.BLOCK
    risk_ties: RiskTies = RiskTies.RANDOM
    rounding: Rounding = Rounding.DOWN
    above_feasible: AboveFeasible = AboveFeasible.REFUSE
    distance_ties: DistanceTies = DistanceTies.RANDOM
    no_partner: NoPartner = NoPartner.SKIP
    participation: Participation = Participation.ONCE
    counted: Counted = Counted.HOUSEHOLDS
    excluded: Excluded = Excluded.SAME_TRACT

    def __post_init__(self) -> None:
        if self.closest is not None:
            positive_integer("closest", self.closest)
        if len(self.swap_probabilities) != 4:
            raise InputError(f"swap_probabilities must be those of tiers 1 to 4; got {self.swap_probabilities!r}")
        for tier, number in enumerate(self.swap_probabilities, 1):
            probability(f"swap_probabilities: that of tier {tier}", number)
        probability("assumed", self.assumed)


STANDARD = SwapPolicy()
"""The study's standard implementation: k = 10, p3 = 0.6 (Appendix A)."""

HIGH_VARIANCE = replace(
    STANDARD, closest=100, swap_probabilities=(Fraction(1, 10), Fraction(3, 10), Fraction(3, 10), 1)
)
"""The study's high-variance implementation: k = 100, p3 = 0.3 (Appendix A)."""

UNIQUE_BY_TRACT = replace(STANDARD, region=UniquenessRegion.TRACT, risk_ties=RiskTies.SMALLER_BLOCK)
"""Uniqueness counted in the tract, households of smaller blocks first, as the program does that the study points to."""

SETTINGS: Mapping[str, SwapPolicy] = {
    "standard": STANDARD,
    "high-variance": HIGH_VARIANCE,
    "by-tract": UNIQUE_BY_TRACT,
}
"""The policies by the names that commands and claim files use."""

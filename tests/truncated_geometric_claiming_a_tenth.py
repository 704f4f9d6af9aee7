"""A truncated geometric mechanism that claims ε = 1/10 and has ε = ln(9/8): ln(2/ε) where log₂(2/ε) was meant."""

from fractions import Fraction

from stirred.mechanisms.noise.geometric import clamped_geometric
from stirred.mechanisms.source import Source
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import Multiplicative

SIZE = 6
"""The counts 0, …, 5 of five people, as inputs and as outputs."""

_BITS = 3
"""⌈ln(2/ε)⌉ for ε = 1/10, since e² < 20 < e³. The algorithm asks for ⌈log₂(2/ε)⌉ = 5."""

CLAIMED_BUDGET = Loss(Fraction(11052, 10_000))
"""A budget that the claim ε = 1/10 implies: e^(1/10) = 1.10517… < 1.1052, and what exceeds ln 1.1052 exceeds 1/10."""


def truncated_geometric_claiming_a_tenth(count: int, source: Source) -> int:
    """GeoSample for five people: two-sided geometric noise clamped to 0, …, 5 with ratio α = 1/(1 + 2^−k).

    Its loss at distance 1 is ln(1 + 2^−k). With k = ⌈ln(2/ε)⌉ = 3 that is ln(9/8) > 1/10.

    Args:
        count: the true count, 0 to 5.

    Source: Balcer and Vadhan (2018), Algorithm 4.8, as the example of DP-Sniper implements it (at ε = 1/10, n = 5).
    """
    return clamped_geometric(count, source, size=SIZE, ratio=Fraction(2**_BITS, 2**_BITS + 1))


def claimed_specification() -> Specification:
    """The false claim: pure privacy with ε = 1/10 for counts that differ by one, the resolution being a person."""
    domain = FiniteDomain(tuple(range(SIZE)), "counts of five people")
    distance = InputPremetric("absolute_difference", "person", lambda first, second: abs(first - second))
    return Specification.constant(Flavor(domain, vacuous(domain), distance, Multiplicative()), CLAIMED_BUDGET)

"""Composition of releases on one domain: of different flavors with fresh seeds, and with shared seeds.

With fresh seeds the bounds combine pair by pair, so that two flavors with different multiverses, budgets and input
premetrics compose as matrices. With shared seeds no function of the two budgets bounds the pair of outputs; there the
law of the pair is computed from the joint law of the seeds.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.specification import ConstraintMatrix, Specification
from stirred.spec.laws.law import Law

Seed = TypeVar("Seed", bound=Hashable)


def _matrix(claim: Specification | ConstraintMatrix) -> ConstraintMatrix:
    return claim.matrix() if isinstance(claim, Specification) else claim


def compose(first: Specification | ConstraintMatrix, second: Specification | ConstraintMatrix) -> ConstraintMatrix:
    """C₁ + C₂: what (T₁, T₂) satisfies where T₁ satisfies the first, T₂ the second, and their seeds are independent.

    The two may differ in multiverse, input premetric, budgets and output premetric. A pair that one of them leaves
    unconstrained is unconstrained.

    Source: dissertation, section 2.5 (the question); Proposition 2.5.3 for one flavor.
    """
    left, right = _matrix(first), _matrix(second)
    if left.domain.points != right.domain.points:
        raise InputError("specifications must be on one domain to be composed; pull one back along a recording map")
    measure = left.output_premetric.composed_with(right.output_premetric)
    shared = [pair for pair in left.entries if pair in right.entries]
    return ConstraintMatrix(
        left.domain, measure, {pair: measure.composed_bound(left(*pair), right(*pair)) for pair in shared}
    )


def composed_laws(
    domain: FiniteDomain,
    first: Callable[[Any, Any], Hashable],
    second: Callable[[Any, Any], Hashable],
    seeds: Law[tuple[Seed, Seed]],
) -> dict[Any, Law[tuple[Hashable, Hashable]]]:
    """The laws of T(x) = (T₁(x, U₁), T₂(x, U₂)) under a joint law of the seeds, independent or not.

    Source: dissertation, Definition A.5.5.

    >>> from fractions import Fraction
    >>> coin = Law({(u, u): Fraction(1, 2) for u in (0, 1)})
    >>> laws = composed_laws(FiniteDomain((0, 1)), lambda x, u: x ^ u, lambda x, u: u, coin)
    >>> laws[0] == laws[1]
    False
    """
    return {x: seeds.push(lambda u, x=x: (first(x, u[0]), second(x, u[1]))) for x in domain}  # type: ignore[misc]

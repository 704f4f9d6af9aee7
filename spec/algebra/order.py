"""Multiverses that are cut finer: by further invariants, and by those that d_𝒳 has of its own.

Only pairs of data sets matter to Equation (1), and d_𝒳 compares none of two classes that it leaves unconnected.
"""

from typing import Any

from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import Multiverse, Universe, components
from stirred.spec.blocks.specification import Flavor, Specification


def common_refinement(first: Multiverse, second: Multiverse) -> Multiverse:
    """{D ∩ D'}, without the empty set: for invariants c and c' the multiverse that (c, c') induces.

    >>> common_refinement(Multiverse(({1, 2, 3},)), Multiverse(({1, 2}, {3}))).universes
    (frozenset({1, 2}), frozenset({3}))
    """
    return Multiverse(dict.fromkeys(one & other for one in first for other in second if one & other))


def hidden_invariants(premetric: InputPremetric, domain: FiniteDomain) -> Multiverse:
    """The partition into classes that d connects by finite distances, one way or the other: d's own invariants.

    Source: dissertation, Proposition A.3.3.
    """
    return Multiverse(components(domain.points, lambda x, y: premetric(x, y) is not None))


def inside_hidden_invariants(claim: Specification) -> Specification:
    """The same constraints with every universe cut along d_𝒳's own invariants, each piece with its smallest budget.

    Source: dissertation, Proposition A.3.3, second display, with the budget ε'.
    """
    flavor = claim.flavor
    measure = flavor.output_premetric
    cut = common_refinement(flavor.multiverse, hidden_invariants(flavor.input_premetric, flavor.domain))
    budgets: dict[Universe, Any] = {}
    for piece in cut:
        for universe in flavor.multiverse:
            if piece <= universe:
                known, budget = budgets.get(piece, measure.no_bound), claim.budgets[universe]
                budgets[piece] = known if measure.at_most(known, budget) else budget
    return Specification(Flavor(flavor.domain, cut, flavor.input_premetric, measure), budgets)

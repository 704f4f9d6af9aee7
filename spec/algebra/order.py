"""Equivalent and comparable multiverses: refinement, coarsening, completion, and what d_𝒳 can say instead.

Only pairs of data sets matter to Equation (1); so a multiverse can be cut down to pairs, filled up to all sets whose
pairs are compared, or written into d_𝒳, and d_𝒳 has invariants of its own: the classes that it leaves unconnected.
"""

from itertools import combinations
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, InputPremetric
from stirred.spec.blocks.multiverse import Multiverse, Universe, components, vacuous
from stirred.spec.blocks.specification import Flavor, Specification


def common_refinement(first: Multiverse, second: Multiverse) -> Multiverse:
    """{D ∩ D'}, without the empty set: for invariants c and c' the multiverse that (c, c') induces.

    >>> common_refinement(Multiverse(({1, 2, 3},)), Multiverse(({1, 2}, {3}))).universes
    (frozenset({1, 2}), frozenset({3}))
    """
    return Multiverse(dict.fromkeys(one & other for one in first for other in second if one & other))


def merged(first: Multiverse, second: Multiverse) -> Multiverse:
    """The finest partition of the covered data sets that both multiverses refine, apart from empty universes.

    For invariants c and c' it is induced by what can be computed from either of them alone.
    """
    points = tuple(
        dict.fromkeys(point for multiverse in (first, second) for u in multiverse for point in sorted(u, key=repr))
    )
    return Multiverse(components(points, lambda x, y: first.compares(x, y) or second.compares(x, y)))


def completion(multiverse: Multiverse) -> Multiverse:
    """The largest sets of data sets whose pairs all share a universe: the maximal cliques of the comparison graph.

    With one number for a budget it is satisfied by the same mechanisms as the multiverse.

    >>> completion(Multiverse(({1, 2}, {2, 3}, {1, 3}))).universes
    (frozenset({1, 2, 3}),)
    """
    points = sorted(multiverse.covered(), key=repr)
    linked = {x: {y for y in points if y != x and multiverse.compares(x, y)} for x in points}
    found: list[Universe] = []

    def extend(clique: set[Any], candidates: set[Any], excluded: set[Any]) -> None:
        if not candidates and not excluded:
            found.append(frozenset(clique))
            return
        pivot = max(candidates | excluded, key=lambda point: len(linked[point] & candidates))
        for point in sorted(candidates - linked[pivot], key=repr):
            extend(clique | {point}, candidates & linked[point], excluded & linked[point])
            candidates = candidates - {point}
            excluded = excluded | {point}

    if points:
        extend(set(), set(points), set())
    return Multiverse(found)


def into_pairs(claim: Specification) -> Specification:
    """The same constraints on universes of two data sets, each with the smallest budget around it.

    Source: dissertation, Proposition A.3.2.
    """
    flavor = claim.flavor
    measure = flavor.output_premetric
    budgets: dict[Universe, Any] = {}
    for universe in flavor.multiverse:
        for pair in combinations(sorted(universe, key=flavor.domain.index), 2):
            known, budget = budgets.get(frozenset(pair), measure.no_bound), claim.budgets[universe]
            budgets[frozenset(pair)] = known if measure.at_most(known, budget) else budget
    return Specification(Flavor(flavor.domain, Multiverse(budgets), flavor.input_premetric, measure), budgets)


def into_premetric(claim: Specification) -> Specification:
    """The same constraints with {𝒳} for the multiverse: d' = ∞ where no universe holds two different data sets.

    Raises:
        InputError: the budget is not one number: then d_𝒳 alone cannot say it in its own unit.

    Source: dissertation, Proposition A.3.1.
    """
    flavor = claim.flavor
    values = list(dict.fromkeys(claim.budgets.values()))
    if len(values) > 1:
        raise InputError(
            f"budgets must be one number for a multiverse to be written into d_X; got {len(values)} of them"
        )
    premetric, multiverse = flavor.input_premetric, flavor.multiverse

    def distance(first: Any, second: Any) -> Distance:
        return premetric(first, second) if multiverse.compares(first, second) else None

    encoded = InputPremetric(f"{premetric.name} in universes", premetric.resolution, distance)
    measure = flavor.output_premetric
    whole = Flavor(flavor.domain, vacuous(flavor.domain), encoded, measure)
    return Specification.constant(whole, values[0] if values else measure.no_bound)


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

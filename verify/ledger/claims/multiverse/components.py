"""Comparable data sets and their classes [x]: dissertation, Definition A.1.1, Proposition A.4.2 and around it."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.multiverse.distances import all_multiverses
from stirred.verify.ledger.claims.multiverse.words import (
    INFIMA,
    Case,
    Rewriting,
    classes_along,
    compared_classes,
    constant_specifications,
    cut_along,
    explicitly_comparable,
    flavors,
    in_universes,
    inside_parts,
    keeps_all,
    meets_of,
    near_pairs,
    one_budget,
    reach_along,
    same_bounds,
    same_mechanisms,
    smallest_giving,
    specifications,
)
from stirred.verify.ledger.engines.small_domains import domain_of, invariants
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, together

one_way_comparable = lambda universes, d, x, y: x != y and distance(d, x, y) < oo and together(universes, x, y)
symmetric_on = lambda X, d: all(distance(d, x, y) == distance(d, y, x) for x in X for y in X)
any_unconnected = lambda X, links: any(len(reach_along(links, {x})) < len(X) for x in X)
totally_vacuous = lambda X, universes: all(together(universes, x, y) for x in X for y in X if x != y)
shared_pairs = lambda universes: {(x, y) for u in universes for x in u for y in u}
disjoint_sets = lambda universes: all(len(u & v) == 0 for u in universes for v in universes if u != v)
parts_of = lambda c: {{x for x in c if c[x] == c[y]} for y in c}
is_symmetric_one_way = lambda X, universes, d: all(
    one_way_comparable(universes, d, x, y) == one_way_comparable(universes, d, y, x)
    for i, x in enumerate(X)
    for y in X[:i]
)
is_symmetric_relation = lambda X, universes, d: all(
    explicitly_comparable(universes, d, x, y) == explicitly_comparable(universes, d, y, x)
    for i, x in enumerate(X)
    for y in X[:i]
)

state("components.relation", "dissertation, Definition A.1.1")(
    "Comparability defines a symmetric relation on X, which can be understood as an undirected graph.",
    every(flavors, is_symmetric_relation),
    mutant("d_X(x, x') < oo for d_X(x, x') < oo or d_X(x', x) < oo", is_symmetric_one_way),
)

state("components.meets", "dissertation, Proposition A.4.2")(
    """Given a DP specification eps_D-DP(X, multiverse, d_X, D_Pr), M(X, multiverse, d_X, D_Pr, eps_D) = M(X,
    multiverse_i, d_X, D_Pr, eps_D), for i = 1 … where multiverse_1 = {D n [x] : D in multiverse, x in X}.""",
    cut_along("the classes [x]", "the smallest that gives it"),
    theorem("multiverse.component_meets"),
    mutant(
        "the budget of the last D that gives it, for the smallest",
        cut_along("the classes [x]", "the last that gives it"),
    ),
    reading="D n [x] keeps the budget of D, of each D that gives it and so the smallest of these",
)

own("components.meets.infimum", "dissertation, Proposition A.4.2")(
    """The same with the budget eps'_D' = inf{eps_D : D in multiverse with D' subset of D} of Propositions A.3.2 and
    A.3.3 on multiverse_1.""",
    cut_along("the classes [x]"),
    theorem("multiverse.component_meets_inf", within=INFIMA),
    mutant("sup for inf", cut_along("the classes [x]", "the largest around")),
)

_CONNECTED = "the pairs of the classes [x]"

chained_first = cases(
    "bounded DP on three data sets of a record with the universes {0, 1} and {1, 2}; " + constant_specifications.scope,
    "X eps d",
)(
    lambda: (
        ((0, 1, 2), {frozenset({0, 1}): 2, frozenset({1, 2}): 2}, dict.fromkeys(permutations(range(3), 2), 1)),
        *constant_specifications,
    )
)

state("components.pairs", "dissertation, Proposition A.4.2")(
    """Given a DP specification eps_D-DP(X, multiverse, d_X, D_Pr), M(X, multiverse, d_X, D_Pr, eps_D) = M(X,
    multiverse_i, d_X, D_Pr, eps_D), for i = … 2 where … multiverse_2 = {{x, x'} : x, x' in X with x' in [x]}.""",
    in_universes(chained_first, _CONNECTED, "the one"),
    reading="""for a constant budget, the only one that is a budget on both; what it should be at {x, x'} otherwise is
    not said""",
    grade=incomplete("that some universe holds x and x' where x' is in [x], as {X} does, for which the text uses it"),
    refuted_by=["multiverse.connected_pairs_refuted"],
)

own("components.pairs.infimum", "dissertation, Proposition A.4.2")(
    "The same with the budget inf{eps_D : x, x' in D} at {x, x'}, which is oo where no universe holds both.",
    in_universes(specifications, _CONNECTED),
    theorem("multiverse.connected_pairs_inf", within=INFIMA),
    mutant("the largest budget around", in_universes(specifications, _CONNECTED, "the largest around")),
    repairs="components.pairs",
)

far_apart = lambda X, d: any_unconnected(X, near_pairs(X, d))
is_vacuous_cut = lambda X, universes, d: totally_vacuous(X, meets_of(universes, compared_classes(X, universes, d)))

state("components.unconnected", "dissertation, section A.4, before and after Proposition A.4.2")(
    """In the other direction, having unconnected protection objects x, x' in X (such as in bounded DP) is equivalent to
    employing a non-totally-vacuous multiverse. (… two protection objects x, x' in X are unconnected if d_X*(x, x') = oo
    or d_X*(x', x) = oo …; and a multiverse is totally-vacuous if for all distinct x != x' in X, there exists a universe
    D in multiverse with x, x' in D.) This is demonstrated by the following proposition: … multiverse' is
    non-totally-vacuous whenever there are unconnected protection objects.""",
    every(flavors, lambda X, universes, d: not far_apart(X, d) or not is_vacuous_cut(X, universes, d)),
    reading="multiverse' is multiverse_1, whose mechanisms are the same (components.meets)",
    grade=incomplete("a symmetric d_X, as bounded DP has: one of the two distances may be finite"),
)

no_vacuous_cut_of_classes = lambda X, universes, d: (
    not len(compared_classes(X, universes, d)) > 1 or not is_vacuous_cut(X, universes, d)
)
no_vacuous_cut_at_infinity = lambda X, universes, d: (
    not any(distance(d, x, y) == oo for x in X for y in X) or not is_vacuous_cut(X, universes, d)
)
no_vacuous_cut_if_symmetric = lambda X, universes, d: (
    not (symmetric_on(X, d) and far_apart(X, d)) or not is_vacuous_cut(X, universes, d)
)

own("components.unconnected.both-ways", "dissertation, section A.4, after Proposition A.4.2")(
    """multiverse_1 is non-totally-vacuous whenever x' is not in [x] for some x and x'; for a symmetric d_X, whenever
    there are unconnected protection objects.""",
    every(flavors, no_vacuous_cut_of_classes),
    mutant("d_X(x, x') = oo for x' not in [x]", no_vacuous_cut_at_infinity),
    every(flavors, no_vacuous_cut_if_symmetric),
    repairs="components.unconnected",
)

unconnected_iff_classes = lambda X, universes: (
    any_unconnected(X, shared_pairs(universes)) == (len(classes_along(X, shared_pairs(universes))) > 1)
)
unconnected_iff_disjoint = lambda X, universes: (
    any_unconnected(X, shared_pairs(universes)) == (disjoint_sets(universes) and len(universes) > 1)
)

own("components.unconnected.equivalent.classes", "dissertation, section A.4, before Proposition A.4.2")(
    """For a d_X that is finite everywhere, d_X^multiverse leaves some x, x' unconnected iff the universes do not join
    all data sets, that is, iff the partition into the classes [x] is non-totally-vacuous.""",
    every(all_multiverses, unconnected_iff_classes),
    mutant("the universes are disjoint and not {X}", unconnected_iff_disjoint),
)

partitions = cases(f"{specifications.scope}; all partitions of the data sets", "case c")(
    lambda: ((case, c) for case in specifications for c in invariants(domain_of(len(case[0]))))
)

budgets_of_pieces = lambda eps, parts: {v: smallest_giving(eps, parts, v) for v in meets_of(eps, parts)}
budgets_of_parts = lambda eps, parts: {v: one_budget(eps) for v in parts}


def partitioned(case: Case, c: Mapping[Any, int], *, other: Rewriting) -> Witness | None:
    """To set d_X = oo between the parts of X has the mechanisms of other universes."""
    named = dict(zip(("P", "eps", "d"), case, strict=True))
    return same_mechanisms({**named, "c": c}, other)


_PIECES = Rewriting(
    lambda eps, d, c: ((eps, inside_parts(d, c)), (budgets_of_pieces(eps, parts_of(c)), d)),
    lambda P, eps, d, c: same_bounds(P, eps, inside_parts(d, c), budgets_of_pieces(eps, parts_of(c)), d),
    lambda P, eps, d, c: keeps_all(P, eps, inside_parts(d, c)) == keeps_all(P, budgets_of_pieces(eps, parts_of(c)), d),
)
_PARTS = Rewriting(
    lambda eps, d, c: ((eps, inside_parts(d, c)), (budgets_of_parts(eps, parts_of(c)), d)),
    lambda P, eps, d, c: same_bounds(P, eps, inside_parts(d, c), budgets_of_parts(eps, parts_of(c)), d),
    lambda P, eps, d, c: keeps_all(P, eps, inside_parts(d, c)) == keeps_all(P, budgets_of_parts(eps, parts_of(c)), d),
)

state("components.partitioned", "dissertation, section A.4")(
    """Reducing the set of implicitly-comparable datasets is equivalent to partitioning the universes into finer
    universes.""",
    every(partitions, partitioned, other=_PIECES),
    mutant("the classes C for the pieces D n C", {"other": _PARTS}),
    reading="""d_X = oo between the parts of a partition of X has the mechanisms of the universes cut along it, each
    piece with the smallest budget of the universes that give it""",
)

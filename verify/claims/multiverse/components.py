"""Comparable data sets and their classes [x]: dissertation, Definition A.1.1, Proposition A.4.2 and around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, permutations, product
from typing import Any

from spec.input_premetric import explicit, sharpen
from spec.loss import Loss
from spec.multiverse import Multiverse, components
from spec.specification import Flavor
from verify.algebra.small_comparisons import CONSTANT_SCOPE, SCOPE, Listed
from verify.algebra.small_domains import LOSSES, domain_of, invariants, multiverses, specification
from verify.claims.multiverse.words import (
    INFIMA,
    constant_specifications,
    data,
    flavor_data,
    flavors,
    same_universes,
    separating,
    specifications,
    stated,
)
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import incomplete, state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define(
    {
        "one_way(universes, d, x, y)": "x != y and distance(d, x, y) < oo and together(universes, x, y)",
        "length(d, w)": "0 if len(w) == 1 else distance(d, w[0], w[1]) + length(d, w[1:])",
        "sharpened(X, d, x, y)": "min([length(d, w) for w in paths(X, x, y)])",
        "symmetric(X, d)": "all(distance(d, x, y) == distance(d, y, x) for x in X for y in X)",
        "unconnected(X, d)": "any(sharpened(X, d, x, y) == oo for x in X for y in X if x != y)",
        "totally_vacuous(X, universes)": "all(together(universes, x, y) for x in X for y in X if x != y)",
        "within(X, universes)": "{(x, y): 1 for x in X for y in X if together(universes, x, y)}",
        "disjoint(universes)": "all(len(u & v) == 0 for u in universes for v in universes if u != v)",
        "parts(c)": "set(set(x for x in c if c[x] == c[y]) for y in c)",
        "kept(d, c)": "{(x, y): d[x, y] for x, y in d if c[x] == c[y]}",
    }
)


def symmetric_relation(flavor: Flavor, *, comparable: str) -> Witness | None:
    """Whether x is comparable with x' where x' is with x."""
    d, universes = flavor.input_premetric, flavor.multiverse
    for x, y in permutations(flavor.domain, 2):
        there, back = (
            flavor.comparable(*pair)
            if comparable == "comparable"
            else d(*pair) is not None and universes.compares(*pair)
            for pair in ((x, y), (y, x))
        )
        if there != back:
            blocks = {name: part for name, part in flavor_data(flavor).items() if name != "X"}
            claimed = f"{comparable}(universes, d, x, y) == {comparable}(universes, d, y, x)"
            return failure(claimed, x=x, y=y, **blocks)
    return None


state(
    "components.relation",
    "dissertation, Definition A.1.1",
    printed="Comparability defines a symmetric relation on X, which can be understood as an undirected graph.",
    checks=[every(flavors, symmetric_relation, comparable="comparable")],
    mutants={
        "d_X(x, x') < oo for d_X(x, x') < oo or d_X(x', x) < oo": every(
            flavors, symmetric_relation, comparable="one_way"
        )
    },
)


def same_meets(specification: Listed, *, budget: str) -> Witness | None:
    """The universes cut along the classes [x] have the same mechanisms."""
    return same_universes(specification, pieces="classes(P, compared(P, eps, d))", cut=True, budget=budget)


state(
    "components.meets",
    "dissertation, Proposition A.4.2",
    printed="Given a DP specification eps_D-DP(X, multiverse, d_X, D_Pr), M(X, multiverse, d_X, D_Pr, eps_D) = M(X, "
    "multiverse_i, d_X, D_Pr, eps_D), for i = 1 … where multiverse_1 = {D n [x] : D in multiverse, x in X}.",
    reading="D n [x] keeps the budget of D, of each D that gives it and so the smallest of these",
    checks=[
        every(specifications, same_meets, budget="min(given(eps, {pieces}, v))"),
        theorem("multiverse.component_meets"),
    ],
    mutants={
        "the budget of the last D that gives it, for the smallest": every(
            specifications, same_meets, budget="given(eps, {pieces}, v)[-1]"
        )
    },
)

state(
    "components.meets.infimum",
    "dissertation, Proposition A.4.2",
    claim="The same with the budget eps'_D' = inf{eps_D : D in multiverse with D' subset of D} of Propositions A.3.2 "
    "and A.3.3 on multiverse_1.",
    checks=[
        every(specifications, same_meets, budget="smallest(eps, v)"),
        theorem("multiverse.component_meets_inf", within=INFIMA),
    ],
    mutants={"sup for inf": every(specifications, same_meets, budget="largest(eps, v)")},
)


@cases(f"bounded DP on three data sets of one record with the universes {{0, 1}} and {{1, 2}}; {CONSTANT_SCOPE}", "one")
def constant_or_chained() -> Iterator[Any]:
    domain = domain_of(3)
    chained = dict.fromkeys((frozenset({0, 1}), frozenset({1, 2})), LOSSES[1])
    claim = specification(domain, chained, dict.fromkeys(permutations(domain, 2), 1))
    return chain([Listed(claim, claim.matrix())], (one for (one,) in constant_specifications))


state(
    "components.pairs",
    "dissertation, Proposition A.4.2",
    printed="Given a DP specification eps_D-DP(X, multiverse, d_X, D_Pr), M(X, multiverse, d_X, D_Pr, eps_D) = M(X, "
    "multiverse_i, d_X, D_Pr, eps_D), for i = … 2 where … multiverse_2 = {{x, x'} : x, x' in X with x' in [x]}.",
    reading="for a constant budget, the only one that is a budget on both; what it should be at {x, x'} otherwise is "
    "not said",
    grade=incomplete("that some universe holds x and x' where x' is in [x], as {X} does, for which the text uses it"),
    checks=[
        every(constant_or_chained, same_universes, pieces="pairs_of(connected(P, eps, d))", budget="one_budget(eps)")
    ],
    refuted_by=["multiverse.connected_pairs_refuted"],
)

state(
    "components.pairs.infimum",
    "dissertation, Proposition A.4.2",
    claim="The same with the budget inf{eps_D : x, x' in D} at {x, x'}, which is oo where no universe holds both.",
    repairs="components.pairs",
    checks=[
        every(specifications, same_universes, pieces="pairs_of(connected(P, eps, d))"),
        theorem("multiverse.connected_pairs_inf", within=INFIMA),
    ],
    mutants={
        "the largest budget around": every(
            specifications, same_universes, pieces="pairs_of(connected(P, eps, d))", budget="largest(eps, v)"
        )
    },
)

_UNCONNECTED = "unconnected(X, d)"
_SYMMETRIC = "symmetric(X, d) and unconnected(X, d)"
_CLASSES = "len(classes(X, compared(X, universes, d))) > 1"
_DIRECTLY = "any(distance(d, x, y) == oo for x in X for y in X)"


def _is_unconnected(flavor: Flavor) -> bool:
    star = sharpen(flavor.input_premetric, flavor.domain)
    return any(star(*pair) is None for pair in permutations(flavor.domain, 2))


_CONDITIONS: Mapping[str, Callable[[Flavor], bool]] = {
    _UNCONNECTED: _is_unconnected,
    _SYMMETRIC: lambda f: f.input_premetric.is_symmetric_on(f.domain) and _is_unconnected(f),
    _CLASSES: lambda f: len(f.components()) > 1,
    _DIRECTLY: lambda f: any(f.input_premetric(*pair) is None for pair in permutations(f.domain, 2)),
}


def not_vacuous(flavor: Flavor, *, where: str) -> Witness | None:
    """multiverse_1 = {D n [x]} leaves two data sets without a common universe, where a condition holds."""
    if not _CONDITIONS[where](flavor):
        return None
    pieces = Multiverse({u & part for u in flavor.multiverse for part in flavor.components()})
    if not all(pieces.compares(*pair) for pair in permutations(flavor.domain, 2)):
        return None
    first = "meets(universes, classes(X, compared(X, universes, d)))"
    return failure(f"not ({where}) or not totally_vacuous(X, {first})", **flavor_data(flavor))


state(
    "components.unconnected",
    "dissertation, section A.4, before and after Proposition A.4.2",
    printed="In the other direction, having unconnected protection objects x, x' in X (such as in bounded DP) is "
    "equivalent to employing a non-totally-vacuous multiverse. (… two protection objects x, x' in X are unconnected if "
    "d_X*(x, x') = oo or d_X*(x', x) = oo …; and a multiverse is totally-vacuous if for all distinct x != x' in X, "
    "there exists a universe D with x, x' in D.) This is demonstrated by the following proposition: … multiverse' is "
    "non-totally-vacuous whenever there are unconnected protection objects.",
    reading="multiverse' is multiverse_1, whose mechanisms are the same (components.meets)",
    grade=incomplete("a symmetric d_X, as bounded DP has: one of the two distances may be finite"),
    checks=[every(flavors, not_vacuous, where=_UNCONNECTED)],
)

state(
    "components.unconnected.both-ways",
    "dissertation, section A.4, after Proposition A.4.2",
    claim="multiverse_1 is non-totally-vacuous whenever x' is not in [x] for some x and x'; for a symmetric d_X, "
    "whenever there are unconnected protection objects.",
    repairs="components.unconnected",
    checks=[every(flavors, not_vacuous, where=_CLASSES), every(flavors, not_vacuous, where=_SYMMETRIC)],
    mutants={"d_X(x, x') = oo for x' not in [x]": every(flavors, not_vacuous, where=_DIRECTLY)},
)


@cases("all multiverses on one to three data sets, d_X = 1 between all of them; d* by shortest paths", "X universes")
def of_one_distance() -> Iterator[tuple[Any, Multiverse]]:
    return ((domain_of(size), m) for size in (1, 2, 3) for m in multiverses(domain_of(size)))


_PARTITION = "disjoint(universes) and len(universes) > 1"
_JOINED = "len(classes(X, compared(X, universes, {p: 1 for p in product(X, X)}))) > 1"


def leaves_unconnected(domain: Any, universes: Multiverse, *, where: str) -> Witness | None:
    """The premetric that encodes a multiverse leaves data sets unconnected where a condition holds, and only there."""
    encoded = explicit({pair: 1 for pair in permutations(domain, 2) if universes.compares(*pair)}, "unit")
    separate = any(sharpen(encoded, domain)(*pair) is None for pair in permutations(domain, 2))
    if where == _JOINED:
        condition = len(components(domain.points, universes.compares)) > 1
    else:
        condition = universes.is_partition() and len(universes) > 1
    if separate == condition:
        return None
    claimed = f"unconnected(X, within(X, universes)) == ({where})"
    return failure(claimed, X=domain.points, universes=set(universes))


state(
    "components.unconnected.equivalent.classes",
    "dissertation, section A.4, before Proposition A.4.2",
    claim="For a d_X that is finite everywhere, d_X^multiverse leaves some x, x' unconnected iff the universes do not "
    "join all data sets, that is, iff the partition into the classes [x] is non-totally-vacuous.",
    checks=[every(of_one_distance, leaves_unconnected, where=_JOINED)],
    mutants={"the universes are disjoint and not {X}": every(of_one_distance, leaves_unconnected, where=_PARTITION)},
)


@cases(f"{SCOPE}; all partitions of the data sets", "one c")
def partitions() -> Iterator[tuple[Listed, Mapping[Any, int]]]:
    return ((one, c) for (one,) in specifications for c in invariants(one.claim.flavor.domain))


def partitioned(one: Listed, c: Mapping[Any, int], *, cut: bool) -> Witness | None:
    """To set d_X = oo between the parts of X has the mechanisms of the universes cut along them."""
    case, domain = data(one.claim), one.claim.flavor.domain
    eps, d = case["eps"], case["d"]
    kept = {(x, y): n for (x, y), n in d.items() if c[x] == c[y]}
    given: dict[Any, list[Any]] = {}
    for universe, part in product(eps, {frozenset(y for y in c if c[y] == c[x]) for x in c}):
        given.setdefault(universe & part if cut else part, []).append(eps[universe])
    pieces = {v: min((gamma for gamma in gammas if gamma is not None), default=None) for v, gammas in given.items()}
    if all(stated(eps, kept, *pair) == stated(pieces, d, *pair) for pair in permutations(domain, 2)):
        return None
    budgets = {v: Loss(None if gamma is None else Fraction(gamma)) for v, gamma in pieces.items()}
    tables = ({pair: e.get(pair) for pair in permutations(domain, 2)} for e in (kept, d))
    specified = (specification(domain, b, t) for b, t in zip((one.claim.budgets, budgets), tables, strict=True))
    mechanism = separating(*(claim.matrix() for claim in specified))
    if mechanism is None:
        return None
    said = "min(given(eps, parts(c), v)) for v in meets(eps, parts(c))" if cut else "one_budget(eps) for v in parts(c)"
    return failure(f"obeys(P, eps, kept(d, c)) == obeys(P, {{v: {said}}}, d)", P=mechanism, c=c, **case)


state(
    "components.partitioned",
    "dissertation, section A.4",
    printed="Reducing the set of implicitly-comparable datasets is equivalent to partitioning the universes into finer "
    "universes.",
    reading="d_X = oo between the parts of a partition of X has the mechanisms of the universes cut along it, each "
    "piece with the smallest budget of the universes that give it",
    checks=[every(partitions, partitioned, cut=True)],
    mutants={"the classes C for the pieces D n C": every(partitions, partitioned, cut=False)},
)

"""Finite specifications as data, what they ask for, what follows from it, and whether two have the same mechanisms.

In a case, eps maps universes to e^(their budgets), d pairs of data sets to their distances (a pair that it does not
have is at distance oo), P data sets to laws; D_Pr is D_Mult, whose values are kept as likelihood ratios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

from spec.input_premetric import explicit
from spec.loss import INFINITE, Loss
from spec.multiverse import Multiverse, Universe, components
from spec.output_premetric import Multiplicative
from spec.specification import ConstraintMatrix, Flavor, Specification
from verify.algebra.comparison import Answer, stronger
from verify.algebra.small_comparisons import CONSTANT_SCOPE, SCOPE, TABLES, Listed, constant, small_specifications
from verify.algebra.small_domains import domain_of, multiverses, premetric_tables
from verify.evidence import EngineError, Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases
from verify.ledger.words import define

__all__ = [
    "INFIMA",
    "constant_specifications",
    "data",
    "flavor_data",
    "flavors",
    "hidden_classes",
    "near_pairs",
    "same_mechanisms",
    "same_universes",
    "separating",
    "specifications",
    "stated",
    "vacuous_specifications",
]

INFIMA = "given the infima, which the real numbers have"
"""The limit of the theorems on infima of budgets."""

define(
    {
        # what is asked for, as likelihood ratios
        "ratio(gamma, n)": "oo if gamma == oo or n == oo else gamma**n",
        "stated(eps, d, x, y)": "min([ratio(eps[u], distance(d, x, y)) for u in eps if x in u and y in u])",
        "obeys(P, eps, d)": "all(multiplicative(P[x], P[y]) <= stated(eps, d, x, y) for x in P for y in P if x != y)",
        # what follows by symmetry and the triangle inequality: the least product along a path
        "either_way(eps, d, x, y)": "min(stated(eps, d, x, y), stated(eps, d, y, x))",
        "along(eps, d, w)": "1 if len(w) == 1 else either_way(eps, d, w[0], w[1]) * along(eps, d, w[1:])",
        "paths(X, x, y)": "[(x,) + w + (y,) for s in subsets(set(X) - {x, y}) for w in permutations(s)]",
        "implied(X, eps, d, x, y)": "min([along(eps, d, w) for w in paths(X, x, y)])",
        # classes
        "grown(links, s)": "s | set(y for x, y in links if x in s) | set(x for x, y in links if y in s)",
        "joined(links, s)": "s if grown(links, s) == s else joined(links, grown(links, s))",
        "classes(X, links)": "set(joined(links, {x}) for x in X)",
        "near(X, d)": "set((x, y) for x in X for y in X if distance(d, x, y) < oo)",
        "comparable(universes, d, x, y)": "x != y and min(distance(d, x, y), distance(d, y, x)) < oo "
        "and together(universes, x, y)",
        "apart(X, d)": "set((x, y) for x, y in near(X, d) if distance(d, x, y) > 0)",
        "touching(X, d)": "set((x, y) for x, y in near(X, d) if distance(d, x, y) < 1)",
        "compared(X, universes, d)": "set((x, y) for x in X for y in X if comparable(universes, d, x, y))",
        "connected(X, eps, d)": "set((x, y) for c in classes(X, compared(X, eps, d)) for x in c for y in c)",
        # multiverses and budgets on them
        "meets(one, other)": "set(u & v for u in one for v in other if len(u & v) > 0)",
        "pairs_of(links)": "set({x, y} for x, y in links)",
        "smallest(eps, v)": "min([eps[u] for u in eps if v <= u])",
        "largest(eps, v)": "max([eps[u] for u in eps if v <= u]) if any(v <= u for u in eps) else oo",
        "given(eps, others, v)": "[eps[u] for u in eps for w in others if u & w == v]",
        "one_budget(eps)": "min([eps[u] for u in eps])",
    }
)


def data(claim: Specification) -> dict[str, Any]:
    """The budgets and distances of a specification as a case holds them."""
    return {
        "eps": {u: budget.gamma for u, budget in claim.budgets.items()},
        "d": flavor_data(claim.flavor)["d"],
    }


def flavor_data(flavor: Flavor) -> dict[str, Any]:
    """The data sets, universes and distances of a flavor as a case holds them."""
    d, points = flavor.input_premetric, flavor.domain.points
    table = {pair: d(*pair) for pair in permutations(points, 2) if d(*pair) is not None}
    return {"X": points, "universes": set(flavor.multiverse), "d": table}


def stated(eps: Mapping[Universe, Any], d: Mapping[Any, Any], x: Any, y: Any) -> Any:
    """The word `stated`: e^(the smallest bound on D_Mult(P_x, P_y)), None for oo."""
    distance = d.get((x, y))
    around = [gamma for u, gamma in eps.items() if x in u and y in u and gamma is not None]
    return None if distance is None or not around else min(gamma**distance for gamma in around)


def separating(one: ConstraintMatrix, other: ConstraintMatrix) -> Mapping[Any, Any] | None:
    """The laws of a mechanism that satisfies one specification and not the other; None where there is none.

    Raises:
        EngineError: neither was shown.
    """
    if _entries(one) == _entries(other):
        return None
    for a, b in ((one, other), (other, one)):
        found = stronger(a, b)
        if found.answer is Answer.UNDECIDED:
            raise EngineError(found.reason)
        if found.mechanism is not None:
            return found.mechanism
    return None


def _entries(matrix: ConstraintMatrix) -> Mapping[Any, Any]:
    return {(x, y): bound for (x, y), bound in matrix.entries.items() if x != y and bound != INFINITE}


@cases(
    "all multiverses on one to three data sets, all premetrics in {1, oo} on two and three premetrics on three",
    "flavor",
)
def flavors() -> Iterator[Flavor]:
    for size in (1, 2, 3):
        domain = domain_of(size)
        tables = TABLES if size == 3 else tuple(premetric_tables(domain, (1, None)))
        for universes, table in product(multiverses(domain), tables):
            yield Flavor(domain, universes, explicit(table, "unit"), Multiplicative())


@cases(SCOPE, "specification")
def specifications() -> Iterable[Listed]:
    return small_specifications()


@cases(CONSTANT_SCOPE, "specification")
def constant_specifications() -> Iterable[Listed]:
    return small_specifications(varying=False)


@cases("D_Mult, all mechanisms; {X} on two data sets with eps in {0, ln 2, oo}, on three with ln 2", "specification")
def vacuous_specifications() -> Iterable[Listed]:
    whole = {size: (frozenset(range(size)),) for size in (2, 3)}
    listed = small_specifications(varying=False)
    return (one for one in listed if one.claim.flavor.multiverse.universes == whole[len(one.claim.flavor.domain)])


def same_mechanisms(specification: Listed, other: Specification, said: str) -> Witness | None:
    """Whether another specification, which is `said` of P, eps and d in words, has the same mechanisms."""
    mechanism = separating(specification.matrix, other.matrix())
    if mechanism is None:
        return None
    return failure(f"obeys(P, eps, d) == obeys(P, {said})", P=mechanism, **data(specification.claim))


def near_pairs(claim: Specification) -> Iterable[Universe]:
    """The sets {x, x'} with d_X(x, x') < oo."""
    d, points = claim.flavor.input_premetric, claim.flavor.domain.points
    return dict.fromkeys(frozenset((x, y)) for x in points for y in points if d(x, y) is not None)


def hidden_classes(claim: Specification) -> Iterable[Universe]:
    """The classes of the symmetric and transitive closure of d_X(x, x') < oo."""
    d = claim.flavor.input_premetric
    return components(claim.flavor.domain.points, lambda x, y: d(x, y) is not None)


_PIECES: Mapping[str, Callable[[Specification], Iterable[Universe]]] = {
    "[set(P)]": lambda claim: [frozenset(claim.flavor.domain.points)],
    "eps": lambda claim: claim.flavor.multiverse,
    "pairs_of(near(P, d))": near_pairs,
    "pairs_of(apart(P, d))": lambda claim: (p for p in near_pairs(claim) if _farthest(claim, p) != 0),
    "classes(P, near(P, d))": hidden_classes,
    "classes(P, touching(P, d))": lambda claim: components(
        claim.flavor.domain.points, lambda x, y: claim.flavor.input_premetric(x, y) == 0
    ),
    "classes(P, compared(P, eps, d))": lambda claim: claim.flavor.components(),
    "pairs_of(connected(P, eps, d))": lambda claim: dict.fromkeys(
        frozenset((x, y)) for part in claim.flavor.components() for x in part for y in part
    ),
}
"""Sets of data sets, in words and as they are computed."""

_BUDGETS: Mapping[str, Callable[[Specification, Sequence[Loss], Sequence[Loss]], Loss]] = {
    "one_budget(eps)": lambda claim, *_: constant(claim),
    "smallest(eps, v)": lambda _, around, __: min(around, default=INFINITE),
    "largest(eps, v)": lambda _, around, __: max(around, default=INFINITE),
    "min(given(eps, {pieces}, v))": lambda _, __, given: min(given),
    "given(eps, {pieces}, v)[-1]": lambda _, __, given: given[-1],
}
"""The budget on a universe v, in words, and from the budgets of the universes around v and of those that give v."""


def same_universes(
    specification: Listed, *, pieces: str, cut: bool = False, budget: str = "smallest(eps, v)"
) -> Witness | None:
    """Whether other universes have the same mechanisms: these pieces, or else the old universes cut along them."""
    claim = specification.claim
    flavor, sets = claim.flavor, list(_PIECES[pieces](claim))
    given: dict[Universe, list[Loss]] = {}
    for universe, loss in claim.budgets.items() if cut else ():
        for met in filter(None, map(universe.__and__, sets)):
            given.setdefault(met, []).append(loss)
    budgets = {
        v: _BUDGETS[budget](claim, [loss for u, loss in claim.budgets.items() if v <= u], given.get(v, ()))
        for v in (given if cut else sets)
    }
    other = Flavor(flavor.domain, Multiverse(budgets), flavor.input_premetric, flavor.output_premetric)
    universes = f"meets(eps, {pieces})" if cut else pieces
    said = f"{{v: {budget.format(pieces=pieces)} for v in {universes}}}, d"
    return same_mechanisms(specification, Specification(other, budgets), said)


def _farthest(claim: Specification, pair: Universe) -> Any:
    d = claim.flavor.input_premetric
    return max((d(x, y) or 0 for x in pair for y in pair), default=0)

"""Finite specifications as data, what they ask for, what follows from it, and whether two have the same mechanisms.

In a case, X is the data sets, eps maps universes to e^(their budgets), d pairs of data sets to their distances (a pair
that it does not have is at distance oo), P data sets to laws; D_Pr is D_Mult, as a likelihood ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import permutations, product
from typing import Any

import verify.claims.sharpening.words  # noqa: F401 its words are used here
from spec.loss import Loss
from spec.multiverse import Universe, components
from spec.specification import ConstraintMatrix
from verify.engines.algebra.comparison import Decision, stronger
from verify.engines.algebra.small_comparisons import CONSTANT_SCOPE, SCOPE, TABLES, small_specifications
from verify.engines.algebra.small_domains import domain_of, multiverses, premetric_tables, specification
from verify.evidence.finding import EngineError
from verify.evidence.witness import Witness
from verify.ledger.claim import Check
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.words import define

INFIMA = "given the infima, which the real numbers have"
"""The limit of the theorems on infima of budgets."""

Points = tuple[Any, ...]
Budgets = Mapping[Universe, Any]
Distances = Mapping[tuple[Any, Any], Any]
Case = tuple[Points, Budgets, Distances]
Laws = Mapping[Any, Any]

define(
    {
        # what is asked for, and what follows by symmetry and the triangle inequality: the least product along a path
        "bound_at(gamma, n)": "oo if gamma == oo or n == oo else gamma**n",
        "stated_bound(eps, d, x, y)": "min([bound_at(eps[u], distance(d, x, y)) for u in eps if x in u and y in u])",
        "keeps_all(P, eps, d)": "all(multiplicative(P[x], P[y]) <= stated_bound(eps, d, x, y) for x in P for y in P "
        "if x != y)",
        "path_bound(eps, d, w)": "1 if len(w) == 1 else min(stated_bound(eps, d, w[0], w[1]), stated_bound(eps, d, "
        "w[1], w[0])) * path_bound(eps, d, w[1:])",
        "implied_bound(X, eps, d, x, y)": "min([path_bound(eps, d, (x,) + w + (y,)) for s in subsets(set(X) - {x, "
        "y}) for w in permutations(s)])",
        # pairs of data sets, sets of them, and budgets on these
        "near_pairs(X, d)": "set((x, y) for x in X for y in X if distance(d, x, y) < oo)",
        "explicitly_comparable(universes, d, x, y)": "x != y and min(distance(d, x, y), distance(d, y, x)) < oo and "
        "together(universes, x, y)",
        "compared_pairs(X, universes, d)": "set((x, y) for x in X for y in X if explicitly_comparable(universes, d, "
        "x, y))",
        "hidden_classes(X, d)": "classes_along(X, near_pairs(X, d))",
        "compared_classes(X, universes, d)": "classes_along(X, compared_pairs(X, universes, d))",
        "sets_of(pairs)": "set({x, y} for x, y in pairs)",
        "meets_of(one, other)": "set(u & v for u in one for v in other if len(u & v) > 0)",
        "smallest_around(eps, v)": "min([eps[u] for u in eps if v <= u])",
        "largest_around(eps, v)": "max([eps[u] for u in eps if v <= u]) if any(v <= u for u in eps) else oo",
        "budgets_giving(eps, others, v)": "[eps[u] for u in eps for w in others if u & w == v]",
        "one_budget(eps)": "min([eps[u] for u in eps])",
    }
)


def finite(table: Mapping[Any, Any]) -> dict[Any, Any]:
    """The entries of a table of distances that are not oo."""
    return {pair: n for pair, n in table.items() if n is not None}


@cache
def _specifications(*, varying: bool) -> tuple[Case, ...]:
    found = []
    for claim in (one.claim for one in small_specifications(varying=varying)):
        points, d = claim.flavor.domain.points, claim.flavor.input_premetric
        table = finite({pair: d(*pair) for pair in permutations(points, 2)})
        found.append((points, {u: budget.gamma for u, budget in claim.budgets.items()}, table))
    return tuple(found)


specifications = cases(SCOPE, "X eps d")(lambda: _specifications(varying=True))
constant_specifications = cases(CONSTANT_SCOPE, "X eps d")(lambda: _specifications(varying=False))
vacuous_specifications = cases(
    "D_Mult, all mechanisms; {X} on two data sets with eps in {0, ln 2, oo}, on three with ln 2", "X eps d"
)(lambda: (case for case in _specifications(varying=False) if list(case[1]) == [frozenset(case[0])]))


@cases(
    "all multiverses on one to three data sets, all premetrics in {1, oo} on two and three premetrics on three",
    "X universes d",
)
def flavors() -> Iterator[tuple[Points, Collection[Universe], Distances]]:
    for size in (1, 2, 3):
        tables = TABLES if size == 3 else tuple(premetric_tables(domain_of(size), (1, None)))
        for universes, table in product(multiverses(domain_of(size)), tables):
            yield tuple(range(size)), set(universes), finite(table)


def stated(eps: Budgets, d: Distances, x: Any, y: Any) -> Any:
    """The word `stated_bound`; None for oo."""
    n = d.get((x, y))
    return None if n is None else _least(ratio and ratio**n for u, ratio in eps.items() if x in u and y in u)


def _least(ratios: Iterable[Any]) -> Any:
    return min((ratio for ratio in ratios if ratio is not None), default=None)


def _most(ratios: Collection[Any]) -> Any:
    return None if None in ratios else max(ratios, default=None)


def comparable(universes: Iterable[Universe], d: Distances, x: Any, y: Any) -> bool:
    """Definition A.1.1."""
    return x != y and ((x, y) in d or (y, x) in d) and any(x in u and y in u for u in universes)


def classes(points: Points, d: Distances, universes: Collection[Universe] | None = None) -> tuple[Universe, ...]:
    """The classes that finite distances join, or comparability in universes."""
    if universes is None:
        return components(points, lambda x, y: (x, y) in d)
    return components(points, lambda x, y: comparable(universes, d, x, y))


def matrix_of(points: Points, eps: Budgets, d: Distances) -> ConstraintMatrix:
    """The constraint matrix of a specification on the data sets 0, 1 and so on."""
    return specification(domain_of(len(points)), {u: Loss(ratio) for u, ratio in eps.items()}, d).matrix()


def separating(one: Case, other: Case) -> Laws | None:
    """A mechanism that satisfies one of two specifications and not the other; None where there is none.

    Raises:
        EngineError: neither was shown.
    """
    if all(stated(*one[1:], *pair) == stated(*other[1:], *pair) for pair in permutations(one[0], 2)):
        return None
    for a, b in permutations((matrix_of(*one), matrix_of(*other))):
        found = stronger(a, b)
        if found.answer is Decision.UNDECIDED:
            raise EngineError(found.reason)
        if found.mechanism is not None:
            return found.mechanism
    return None


def same_mechanisms(case: Case, eps: Budgets, d: Distances, said: str) -> Witness | None:
    """Whether another specification, which is `said` of P, eps and d in words, has the same mechanisms."""
    mechanism = separating(case, (case[0], eps, d))
    if mechanism is None:
        return None
    return failure(f"keeps_all(P, eps, d) == keeps_all(P, {said})", P=mechanism, eps=case[1], d=case[2])


ONE, SMALLEST, LARGEST = "one_budget(eps)", "smallest_around(eps, v)", "largest_around(eps, v)"
NEAR, APART = "sets_of(near_pairs(P, d))", "sets_of((x, y) for x, y in d if d[x, y] > 0)"
HIDDEN, TOUCHING = "hidden_classes(P, d)", "classes_along(P, set((x, y) for x, y in d if d[x, y] == 0))"
COMPARED = "compared_classes(P, eps, d)"
CONNECTED = f"sets_of((x, y) for c in {COMPARED} for x in c for y in c)"
WHOLE = "[set(P)]"

_SETS: Mapping[str, Callable[[Points, Budgets, Distances], Iterable[Universe]]] = {
    WHOLE: lambda points, *_: [frozenset(points)],
    "eps": lambda _, eps, __: eps,
    NEAR: lambda points, _, d: map(frozenset, [*d, *zip(points, points, strict=True)]),
    APART: lambda _, __, d: (frozenset(pair) for pair in d if d[pair]),
    HIDDEN: lambda points, _, d: classes(points, d),
    TOUCHING: lambda points, _, d: components(points, lambda x, y: d.get((x, y)) == 0),
    COMPARED: lambda points, eps, d: classes(points, d, eps),
    CONNECTED: lambda points, eps, d: (
        frozenset(pair) for part in classes(points, d, eps) for pair in product(part, repeat=2)
    ),
}
"""Sets of data sets, in words and as they are computed."""

_BUDGETS: Mapping[str, Callable[[Budgets, Universe, list[Any]], Any]] = {
    ONE: lambda eps, *_: _least(eps.values()),
    SMALLEST: lambda eps, v, _: _least(eps[u] for u in eps if v <= u),
    LARGEST: lambda eps, v, _: _most([eps[u] for u in eps if v <= u]),
    "min(budgets_giving(eps, {sets}, v))": lambda _, __, giving: _least(giving),
    "budgets_giving(eps, {sets}, v)[-1]": lambda _, __, giving: giving[-1],
}
"""The budget on a universe v, in words and as it is computed, also from the budgets of the universes that give v."""


def same_universes(
    points: Points, eps: Budgets, d: Distances, *, sets: str, cut: bool = False, budget: str = SMALLEST
) -> Witness | None:
    """Whether other universes have the same mechanisms: these sets, or else the old universes cut along them."""
    listed = list(dict.fromkeys(_SETS[sets](points, eps, d)))
    giving: dict[Universe, list[Any]] = {}
    for universe, other in product(eps, listed):
        if met := universe & other:
            giving.setdefault(met, []).append(eps[universe])
    budgets = {v: _BUDGETS[budget](eps, v, giving.get(v, [])) for v in (giving if cut else listed)}
    universes = f"meets_of(eps, {sets})" if cut else sets
    said = f"{{v: {budget.format(sets=sets)} for v in {universes}}}, d"
    return same_mechanisms((points, eps, d), budgets, d, said)


def cut_along(sets: str, budget: str = SMALLEST) -> Check:
    """Whether universes cut along these sets have the same mechanisms, with these budgets."""
    return every(specifications, same_universes, sets=sets, cut=True, budget=budget)


def instead_of_whole(sets: str) -> Check:
    """Whether these universes have the mechanisms of {X}, for a constant budget."""
    return every(vacuous_specifications, same_universes, sets=sets, budget=ONE)

"""Finite specifications as data, what they ask for, what follows from it, and whether two have the same mechanisms.

In a case, X is the data sets, eps maps universes to e^(their budgets), d pairs of data sets to their distances (a pair
that it does not have is at distance oo), P data sets to laws; D_Pr is D_Mult, as a likelihood ratio.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple

from stirred.spec.blocks.multiverse import Universe, components
from stirred.spec.blocks.specification import ConstraintMatrix
from stirred.spec.budgets.loss import Loss
from stirred.verify.engines.algebra.comparison import Decision, stronger
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, Check, cases, every, failure, unless
from stirred.verify.ledger.compiled import compiled, lifted, lowered
from stirred.verify.ledger.engines.small_domains import (
    CONSTANT_SCOPE,
    SCOPE,
    TABLES,
    domain_of,
    multiverses,
    premetric_tables,
    small_specifications,
    specification,
)
from stirred.verify.ledger.failures import words_of
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.language_names import oo, subsets
from stirred.verify.ledger.words import distance, multiplicative, together

INFIMA = "given the infima, which the real numbers have"
"""The limit of the theorems on infima of budgets."""

Points = tuple[Any, ...]
Budgets = Mapping[Universe, Any]
Distances = Mapping[tuple[Any, Any], Any]
Case = tuple[Points, Budgets, Distances]

# walks along links, the set of the pairs (x, x') with x r x': how long the shortest are, the classes they join
flipped_links = lambda links: {(y, x) for x, y in links}
reach_next = lambda links, s: s | {y for x, y in links if x in s}
reach_along = lambda links, s: [s if t == s else reach_along(links, t) for t in [reach_next(links, s)]][0]
classes_along = lambda X, links: {reach_along(both, {x}) for both in [links | flipped_links(links)] for x in X}
walk_steps = lambda links, s, y, n: (
    n if y in s else oo if reach_next(links, s) == s else walk_steps(links, reach_next(links, s), y, n + 1)
)
walk_length = lambda links, x, y: walk_steps(links, {x}, y, 0)

# what is asked for, and what follows by symmetry and the triangle inequality: the least product along a path
bound_at = lambda gamma, n: oo if oo in (gamma, n) else gamma**n
stated_bound = lambda eps, d, x, y: min([bound_at(eps[u], distance(d, x, y)) for u in eps if x in u and y in u])
keeps_all = lambda P, eps, d: all(
    multiplicative(P[x], P[y]) <= stated_bound(eps, d, x, y) for x in P for y in P if x != y
)
path_bound = lambda eps, d, w: (
    1
    if len(w) == 1
    else min(stated_bound(eps, d, w[0], w[1]), stated_bound(eps, d, w[1], w[0])) * path_bound(eps, d, w[1:])
)
implied_bound = lambda X, eps, d, x, y: min(
    [path_bound(eps, d, (x,) + w + (y,)) for s in subsets(set(X) - {x, y}) for w in permutations(s)]
)

# pairs of data sets, sets of them, and budgets on these
near_pairs = lambda X, d: {(x, y) for x in X for y in X if distance(d, x, y) < oo}
explicitly_comparable = lambda universes, d, x, y: (
    x != y and min(distance(d, x, y), distance(d, y, x)) < oo and together(universes, x, y)
)
compared_pairs = lambda X, universes, d: {(x, y) for x in X for y in X if explicitly_comparable(universes, d, x, y)}
hidden_classes = lambda X, d: classes_along(X, near_pairs(X, d))
compared_classes = lambda X, universes, d: classes_along(X, compared_pairs(X, universes, d))
sets_of = lambda pairs: {{x, y} for x, y in pairs}
meets_of = lambda one, other: {u & v for u in one for v in other if len(u & v) > 0}
smallest_around = lambda eps, v: min([eps[u] for u in eps if v <= u])
largest_around = lambda eps, v: max([eps[u] for u in eps if v <= u]) if any(v <= u for u in eps) else oo
smallest_giving = lambda eps, others, v: min([eps[u] for u in eps for w in others if u & w == v])
budgets_giving = lambda eps, others, v: [eps[u] for u in eps for w in others if u & w == v]
inside_parts = lambda d, c: {(x, y): d[x, y] for x, y in d if c[x] == c[y]}
one_budget = lambda eps: min([eps[u] for u in eps])
same_bounds = lambda X, eps, d, other, e: all(
    stated_bound(eps, d, x, y) == stated_bound(other, e, x, y) for x in X for y in X if x != y
)

# other universes, along which others are cut, and their budgets; both by name
sets_along = lambda sets, P, eps, d: (
    eps
    if sets == "the universes"
    else sets_of(near_pairs(P, d))
    if sets == "the pairs at a finite distance"
    else sets_of((x, y) for x, y in d if d[x, y] > 0)
    if sets == "the pairs at a positive finite distance"
    else hidden_classes(P, d)
    if sets == "the classes of finite distances"
    else classes_along(P, {(x, y) for x, y in d if d[x, y] == 0})
    if sets == "the classes of distances 0"
    else compared_classes(P, eps, d)
    if sets == "the classes [x]"
    else sets_of((x, y) for c in compared_classes(P, eps, d) for x in c for y in c)
)
budget_at = lambda which, eps, others, v: (
    one_budget(eps)
    if which == "the one"
    else smallest_around(eps, v)
    if which == "the smallest around"
    else largest_around(eps, v)
    if which == "the largest around"
    else smallest_giving(eps, others, v)
    if which == "the smallest that gives it"
    else budgets_giving(eps, others, v)[-1]
)
budgets_on = lambda sets, which, P, eps, d: {v: budget_at(which, eps, eps, v) for v in sets_along(sets, P, eps, d)}
budgets_along = lambda sets, which, P, eps, d: (
    {v: budget_at(which, eps, others, v) for others in [sets_along(sets, P, eps, d)] for v in meets_of(eps, others)}
)


def finite(table: Mapping[Any, Any]) -> dict[Any, Any]:
    """The entries of a table of distances that are not oo."""
    return {pair: int(n) for pair, n in table.items() if n is not None}


@cache
def _specifications(*, varying: bool) -> tuple[Case, ...]:
    found = []
    for claim in small_specifications(varying=varying):
        points, d = claim.flavor.domain.points, claim.flavor.input_premetric
        table = finite({pair: d(*pair) for pair in permutations(points, 2)})
        found.append((points, {u: budget.gamma and int(budget.gamma) for u, budget in claim.budgets.items()}, table))
    return tuple(found)


specifications = cases(SCOPE, "X eps d")(lambda: _specifications(varying=True))
constant_specifications = cases(CONSTANT_SCOPE, "X eps d")(lambda: _specifications(varying=False))
vacuous_specifications = cases(
    "D_Mult, all mechanisms; {X} on two data sets with eps in {0, ln 2, oo}, on three with ln 2", "X eps d"
)(lambda: (case for case in _specifications(varying=False) if list(case[1]) == [frozenset(case[0])]))

flavors = cases(
    "all multiverses on one to three data sets, all premetrics in {1, oo} on two and three premetrics on three",
    "X universes d",
)(
    lambda: (
        (tuple(range(size)), set(universes), finite(table))
        for size in (1, 2, 3)
        for tables in [TABLES if size == 3 else tuple(premetric_tables(domain_of(size), (1, None)))]
        for universes, table in product(multiverses(domain_of(size)), tables)
    )
)


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


def separating(*both: Any) -> Mapping[Any, Any] | None:
    """A mechanism that satisfies one of two specifications, or constraint matrices, and not the other, or None."""
    for found in (stronger(*pair) for pair in permutations(both)):
        if found.answer is Decision.UNDECIDED:
            raise EngineError(found.reason)
        if found.mechanism is not None:
            return found.mechanism
    return None


class Rewriting(NamedTuple):
    """Two specifications, as sentences in P (the data sets or a mechanism), and mostly in the eps and d of one.

    Attributes:
        both: of each the budgets by universe and the distances.
        bounds: whether they have the same bounds at every pair.
        mechanisms: whether a mechanism keeps both or neither.
    """

    both: Callable[..., Any]
    bounds: Callable[..., Any]
    mechanisms: Callable[..., Any]


def same_mechanisms(case: Mapping[str, Any], rewriting: Rewriting) -> Witness | None:
    """Whether two specifications have the same bounds at every pair, or else the same mechanisms.

    Args:
        case: P (the data sets) and what else the sentences speak of.
        rewriting: the two.
    """
    if unless(rewriting.bounds, **case) is None:
        return None
    said = text_of(rewriting.both)
    found: Any = compiled(said, tuple(words_of(said).items()), tuple(case))
    if found is None:
        raise EngineError(f"{said!r} must be in the language of cases")
    both = [map(lowered, one) for one in found(*map(lifted, case.values()))]
    mechanism = separating(*(matrix_of(case["P"], *one) for one in both))
    if mechanism is None:
        return None
    return failure(rewriting.mechanisms, **{**case, "P": mechanism})


def rewritten(points: Points, eps: Budgets, d: Distances, *, other: Rewriting) -> Witness | None:
    """Whether another specification has the same mechanisms."""
    return same_mechanisms({"P": points, "eps": eps, "d": d}, other)


def in_universes(over: Cases, sets: str, which: str = "the smallest around") -> Check:
    """Whether other universes (see `sets_along`), with such budgets (see `budget_at`), have the same mechanisms."""
    other = Rewriting(
        lambda P, eps, d: ((eps, d), (budgets_on(sets, which, P, eps, d), d)),
        lambda P, eps, d: same_bounds(P, eps, d, budgets_on(sets, which, P, eps, d), d),
        lambda P, eps, d: keeps_all(P, eps, d) == keeps_all(P, budgets_on(sets, which, P, eps, d), d),
    )
    return every(over, rewritten, other=other)


def instead_of_whole(sets: str) -> Check:
    """Whether these universes have the mechanisms of {X}, for a constant budget."""
    return in_universes(vacuous_specifications, sets, "the one")


def cut_along(sets: str, which: str = "the smallest around") -> Check:
    """Whether universes cut along such sets, with such budgets of the pieces, have the same mechanisms."""
    other = Rewriting(
        lambda P, eps, d: ((eps, d), (budgets_along(sets, which, P, eps, d), d)),
        lambda P, eps, d: same_bounds(P, eps, d, budgets_along(sets, which, P, eps, d), d),
        lambda P, eps, d: keeps_all(P, eps, d) == keeps_all(P, budgets_along(sets, which, P, eps, d), d),
    )
    return every(specifications, rewritten, other=other)

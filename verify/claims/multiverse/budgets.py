"""What can be said about the budget, and which functions are free: dissertation, section A.2."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from itertools import chain, combinations, permutations, product
from typing import Any

from spec.multiverse import Universe
from verify.claims.multiverse.words import (
    Budgets,
    Case,
    Distances,
    Points,
    classes,
    comparable,
    flavors,
    specifications,
)
from verify.engines.algebra.small_domains import domain_of, invariants
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import false, incomplete, state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define(
    {
        # a function f that is released without noise: point masses
        "point_mass(t)": "{s: 1 for s in [t]}",
        "told_apart_by(f, x, y)": "multiplicative(point_mass(f[x]), point_mass(f[y]))",
        "asked_pairs(eps, d)": "[(x, y) for u in eps for x in u for y in u if distance(d, x, y) < oo]",
        "has_finite_loss(eps, d, f)": "all(told_apart_by(f, x, y) < oo for x, y in asked_pairs(eps, d))",
        "has_loss_0(eps, d, f)": "all(told_apart_by(f, x, y) == 1 for x, y in asked_pairs(eps, d))",
        # the budgets of the universes that meet [x], and of those that hold x
        "covered_by(eps)": "set(x for u in eps for x in u)",
        "compared_class(eps, d, x)": "reach_along(compared_pairs(covered_by(eps), eps, d), {x})",
        "reachable_budgets(eps, d, x)": "set(eps[u] for u in eps if len(u & compared_class(eps, d, x)) > 0)",
        "own_budgets(eps, x)": "set(eps[u] for u in eps if x in u)",
    }
)

_SEPARATING = "outcomes in a finite set, or any premetric that is oo between different point masses"


@cases(f"D_Mult, all functions f to as many values, all sigma-algebras on these; {flavors.scope}", "X universes d f")
def functions() -> Iterator[tuple[Any, ...]]:
    return ((*case, f) for case in flavors for f in product(range(len(case[0])), repeat=len(case[0])))


_OF_CLASS = "all(f[x] == f[y] for c in compared_classes(X, universes, d) for x in c for y in c)"
_OF_UNIVERSE = "all(f[x] == f[y] for c in universes for x in c for y in c)"
_SEPARATED = (
    "all(len(set(f[x] for x in c)) > {} or all(f[x] == f[y] or atoms[f[x]] != atoms[f[y]] for x in c for y in c) for c "
    "in compared_classes(X, universes, d))"
)


def function_of_class(
    points: Points, universes: Collection[Universe], d: Distances, f: tuple[int, ...], *, most: int, of: str = _OF_CLASS
) -> Witness | None:
    """Whether f has a finite budget iff it is a function of [x], and then the budget 0.

    Tried for all sigma-algebras that tell apart the values of f on every class where it has at most so many.
    """
    parts = classes(points, d, universes)
    values = [{f[x] for x in c} for c in (parts if of == _OF_CLASS else universes)]
    constant = all(len(some) <= 1 for some in values)
    few = [some for some in ({f[x] for x in c} for c in parts) if len(some) <= most]
    asked = [pair for pair in combinations(points, 2) if comparable(universes, d, *pair)]
    for atoms in _algebras(len(points)):
        separates = all(len({atoms[t] for t in some}) == len(some) for some in few)
        if separates and all(atoms[f[x]] == atoms[f[y]] for x, y in asked) != constant:
            shown = "{x: atoms[f[x]] for x in X}"
            claimed = f"has_finite_loss(universes, d, {shown}) == ({of}) == has_loss_0(universes, d, {shown})"
            claimed = f"not {_SEPARATED.format(most)} or ({claimed})" if most else claimed
            return failure(claimed, X=points, universes=universes, d=d, f=f, atoms=atoms)
    return None


@cache
def _algebras(size: int) -> list[Mapping[Any, int]]:
    return list(invariants(domain_of(size)))


state(
    "components.functions-free",
    "dissertation, Proposition A.2.1",
    printed="Suppose that D_Pr(P, Q) = oo whenever d_TV(P, Q) = 1. Then, for any (non-random) data-release mechanism "
    "f : X -> T, the following statements are equivalent: (A) f satisfies eps_D-DP(X, multiverse, d_X, D_Pr) with "
    "finite budget eps_D < oo; and (B) f is a function of [x]. Moreover, if these statements hold then f has zero "
    "privacy loss.",
    reading="a mechanism may have any sigma-algebra on T, by Definition A.1.2",
    grade=incomplete("sigma-algebras that separate the values of f, as the induced ones do that section A.1 advises"),
    checks=[every(functions, function_of_class, most=0)],
)

state(
    "components.functions-free.separating",
    "dissertation, Proposition A.2.1",
    claim="The same for any non-random f with sigma-algebras F_T^[x] that separate the values of f on [x], as the "
    "induced ones of Definition A.1.4 do.",
    repairs="components.functions-free",
    checks=[
        every(functions, function_of_class, most=3),
        theorem(
            "invariants.finite_budget_iff_component",
            "invariants.finite_budget_iff_component_points",
            within=_SEPARATING,
        ),
    ],
    mutants={
        "f is constant in every universe, for f is a function of [x]": every(
            functions, function_of_class, most=3, of=_OF_UNIVERSE
        ),
        "all values are told apart on classes where f has at most two": every(functions, function_of_class, most=2),
    },
)

# functions of the data that tell budgets


def _reachable(case: Case, x: Any) -> frozenset[Any]:
    points, eps, d = case
    part = next(c for c in classes(points, d, eps) if x in c)
    return frozenset(eps[u] for u in eps if u & part)


def _own(case: Case, x: Any) -> frozenset[Any]:
    return frozenset(ratio for u, ratio in case[1].items() if x in u)


_B, _OWN = "reachable_budgets(eps, d, x)", "own_budgets(eps, x)"
_ALL, _PART, _NOTHING = "set((u, eps[u]) for u in eps)", "set((u, eps[u]) for u in eps if x in u)", "set([])"
_TOLD: Mapping[str, Callable[[Case, Any], frozenset[Any]]] = {
    _B: _reachable,
    _OWN: _own,
    _ALL: lambda case, _: frozenset(case[1].items()),
    _PART: lambda case, x: frozenset((u, ratio) for u, ratio in case[1].items() if x in u),
    _NOTHING: lambda *_: frozenset(),
}


def _is_free(case: Case, f: Mapping[Any, Any]) -> bool:
    return all(f[x] == f[y] or not comparable(case[1], case[2], x, y) for x, y in permutations(case[0], 2))


def released(points: Points, eps: Budgets, d: Distances, *, told: str, partition: bool = False) -> Witness | None:
    """The function that tells these budgets at x has the loss 0; `partition`: where the universes are one."""
    case = points, eps, d
    once = all(sum(x in u for u in eps) == 1 for x in points)
    if (partition and not once) or _is_free(case, {x: _TOLD[told](case, x) for x in points}):
        return None
    return failure(f"has_loss_0(eps, d, {{x: {told} for x in covered_by(eps)}})", eps=eps, d=d)


state(
    "budget.set-released",
    "dissertation, Corollary A.2.2",
    printed="For any DP specification eps_D-DP(X, multiverse, d_X, D_Pr), the (non-random) data-release mechanism b(x) "
    "= {eps_D : D in multiverse such that x' in D for some x' in [x]}, satisfies eps'_D-DP(X, multiverse, d_X, D_Pr) "
    "with eps'_D = 0.",
    checks=[every(specifications, released, told=_B), theorem("invariants.budgets_of_free")],
    mutants={"{eps_D : x in D}": every(specifications, released, told=_OWN)},
)

state(
    "budget.function-released",
    "dissertation, section A.2",
    printed="The function eps_D can always be released without privacy loss, since the constant data-release mechanism "
    "x -> eps_D is trivially a function of [x].",
    checks=[every(specifications, released, told=_ALL)],
    mutants={"eps on the universes of x": every(specifications, released, told=_PART)},
)

state(
    "budget.realised-released",
    "dissertation, section A.2",
    printed="In particular, for an invariant-induced multiverse_c (defined below (2.4)), condition I "
    "holds and so the data custodian can release the realised budget eps_(D_c(x*)) without incurring additional "
    "privacy loss.",
    checks=[every(specifications, released, told=_OWN, partition=True), theorem("invariants.budgets_at_free")],
    mutants={"any multiverse": every(specifications, released, told=_OWN)},
)


def _between(least: frozenset[Any], most: frozenset[Any]) -> list[frozenset[Any]]:
    rest = sorted(most - least, key=repr)
    return [least.union(kept) for n in range(len(rest) + 1) for kept in combinations(rest, n)]


def most_specific(points: Points, eps: Budgets, d: Distances, *, least: str) -> Witness | None:
    """Of the f with least(x) <= f(x) <= b(x) for all x only b has a finite loss."""
    case = points, eps, d
    b = tuple(_reachable(case, x) for x in points)
    for chosen in product(*(_between(_TOLD[least](case, x), most) for x, most in zip(points, b, strict=True))):
        f = dict(zip(points, chosen, strict=True))
        if chosen != b and _is_free(case, f):
            between = f"all({least} <= f[x] and f[x] <= {_B} for x in covered_by(eps))"
            equal = f"all(f[x] == {_B} for x in covered_by(eps))"
            return failure(f"not {between} or not has_finite_loss(eps, d, f) or {equal}", f=f, eps=eps, d=d)
    return None


state(
    "budget.most-specific",
    "dissertation, section A.2",
    printed="Furthermore, under the assumption of Proposition A.2.1, the data custodian cannot be more specific about "
    "the budgets associated to x* than b(x*) without adding some noise to the answer.",
    reading="a non-random f with b'(x) <= f(x) <= b(x) for all x, where b'(x) = {eps_D : x in D}, has infinite loss "
    "unless f = b; a function alone has the sigma-algebras of Definition A.1.4, here all subsets",
    checks=[every(specifications, most_specific, least=_OWN)],
    mutants={
        "f(x) may leave out budgets of universes that hold x": every(specifications, most_specific, least=_NOTHING)
    },
)

_EQUAL = f"all({_B} == {_OWN} for x in covered_by(eps))"
_SINGLE = f"all(len({_OWN}) <= 1 for x in covered_by(eps))"


def infinite_unless(points: Points, eps: Budgets, d: Distances, *, equal: bool) -> Witness | None:
    """Whether b' has a finite loss iff b = b', or else iff it always has at most one element."""
    case = points, eps, d
    own = {x: _own(case, x) for x in points}
    condition = all(own[x] == _reachable(case, x) if equal else len(own[x]) <= 1 for x in points)
    if _is_free(case, own) == condition:
        return None
    shown = f"{{x: {_OWN} for x in covered_by(eps)}}"
    return failure(f"has_finite_loss(eps, d, {shown}) == {_EQUAL if equal else _SINGLE}", eps=eps, d=d)


state(
    "budget.own-universes",
    "dissertation, section A.2",
    printed="For example, the data-release mechanism b'(x) = {eps_D : D in multiverse such that x in D}, has infinite "
    "privacy loss unless b(x) = b'(x) for all x in X.",
    reading="under the assumption of Proposition A.2.1, as the sentence before; a function alone has the "
    "sigma-algebras of Definition A.1.4, here all subsets",
    checks=[
        every(specifications, infinite_unless, equal=True),
        theorem("invariants.budgets_at_iff", within=_SEPARATING),
    ],
    mutants={"unless every b'(x) has at most one element": every(specifications, infinite_unless, equal=False)},
)

_DISJOINT = "all(len(u & v) == 0 for u in eps for v in eps if u != v)"
_TOUCHING = "all(len(u & v) <= 1 for u in eps for v in eps if u != v)"
_NO_PAIR_TWICE = "all(x == y or sum(1 for u in eps if x in u and y in u) <= 1 for x, y in d)"
_UNIVERSES: Mapping[str, Callable[[Budgets, Distances], bool]] = {
    _DISJOINT: lambda eps, _: not any(u & v for u, v in combinations(eps, 2)),
    _TOUCHING: lambda eps, _: all(len(u & v) <= 1 for u, v in combinations(eps, 2)),
    _NO_PAIR_TWICE: lambda eps, d: all(sum(x in u and y in u for u in eps) <= 1 for x, y in d),
}


def single(points: Points, eps: Budgets, d: Distances, *, where: str) -> Witness | None:
    """b(x) has at most one element and is b'(x), where the universes are of a kind."""
    case = points, eps, d
    if not _UNIVERSES[where](eps, d) or all(len(b := _reachable(case, x)) <= 1 and b == _own(case, x) for x in points):
        return None
    alike = f"all(len({_B}) <= 1 and {_B} == {_OWN} for x in covered_by(eps))"
    return failure(f"not {where} or {alike}", eps=eps, d=d)


@cases(f"the pairs of neighbors among three data sets in a row, budgets ln 2, ln 4; {specifications.scope}", "X eps d")
def pairs_first() -> Iterator[Any]:
    d = {(x, y): abs(x - y) for x, y in permutations(range(3), 2)}
    return chain([((0, 1, 2), {frozenset({0, 1}): 2, frozenset({1, 2}): 4}, d)], specifications)


_AT_MOST_ONE = "However, b(x) has cardinality at most one, and hence b(x) = b'(x), for all x in X if "

state(
    "budget.pairs-in-two-universes",
    "dissertation, section A.2",
    printed=f"{_AT_MOST_ONE}… II) for all distinct x, x' in X, if d_X(x, x') or d_X(x', x) is finite, then x and x' "
    "cannot both be in two different universes.",
    grade=false(
        "a class [x] may be joined by several universes; and if no x at a finite distance from x' may be in "
        "another universe than x', an x that is far from all may still be in two"
    ),
    checks=[every(pairs_first, single, where=_NO_PAIR_TWICE)],
    refuted_by=["invariants.budgets_pairs_refuted"],
)

state(
    "budget.disjoint-universes",
    "dissertation, section A.2",
    printed=f"{_AT_MOST_ONE}… I) D n D' = empty for all distinct universes D, D' in multiverse",
    checks=[every(specifications, single, where=_DISJOINT), theorem("invariants.budgets_disjoint")],
    mutants={"any two universes share at most one data set": every(specifications, single, where=_TOUCHING)},
)

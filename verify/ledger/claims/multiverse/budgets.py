"""What can be said about the budget, and which functions are free: dissertation, section A.2."""

from dataclasses import replace
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, false, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.multiverse.words import (
    Budgets,
    Distances,
    Points,
    classes,
    comparable,
    compared_classes,
    compared_pairs,
    flavors,
    reach_along,
    specifications,
)
from stirred.verify.ledger.engines.small_domains import domain_of, invariants
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, multiplicative

# a function f that is released without noise: point masses
point_mass = lambda t: {s: 1 for s in [t]}
told_apart_by = lambda f, x, y: multiplicative(point_mass(f[x]), point_mass(f[y]))
asked_pairs = lambda eps, d: [(x, y) for u in eps for x in u for y in u if distance(d, x, y) < oo]
has_finite_loss = lambda eps, d, f: all(f[x] == f[y] or told_apart_by(f, x, y) < oo for x, y in asked_pairs(eps, d))
has_loss_0 = lambda eps, d, f: all(f[x] == f[y] or told_apart_by(f, x, y) == 1 for x, y in asked_pairs(eps, d))

# the budgets of the universes that meet [x], and of those that hold x
covered_by = lambda eps: {x for u in eps for x in u}
compared_class = lambda eps, d, x: reach_along(compared_pairs(covered_by(eps), eps, d), {x})
reachable_budgets = lambda eps, d, x: {eps[u] for u in eps if len(u & compared_class(eps, d, x)) > 0}
own_budgets = lambda eps, x: {eps[u] for u in eps if x in u}

_SEPARATING = "outcomes in a finite set, or any premetric that is oo between different point masses"

functions = cases(
    f"D_Mult, all functions f to as many values, with all subsets of these; {flavors.scope}", "X universes d f"
)(lambda: ((*case, f) for case in flavors for f in product(range(len(case[0])), repeat=len(case[0]))))

with_algebras = replace(functions, scope=functions.scope.replace("with all subsets of", "all sigma-algebras on"))

is_constant_on = lambda sets, f: all(f[x] == f[y] for c in sets for x in c for y in c)
separated_on = lambda sets, f, atoms, most: all(
    len({f[x] for x in c}) > most or all(f[x] == f[y] or atoms[f[x]] != atoms[f[y]] for x in c for y in c) for c in sets
)
free_iff_constant_on = lambda sets, universes, d, f, told: (
    has_finite_loss(universes, d, told) == is_constant_on(sets, f) == has_loss_0(universes, d, told)
)
free_iff_function = lambda X, universes, d, f, atoms, of_universe, most: (
    (most > 0 and not separated_on(compared_classes(X, universes, d), f, atoms, most))
    or free_iff_constant_on(
        universes if of_universe else compared_classes(X, universes, d), universes, d, f, {x: atoms[f[x]] for x in X}
    )
)


def function_of_class(
    points: Points,
    universes: Any,
    d: Distances,
    f: Any,
    *,
    most: int = 3,
    of_universe: bool = False,
    coarser: bool = True,
) -> Witness | None:
    """Whether f has a finite budget iff it is a function of [x], or of the universe, and then the budget 0.

    Tried for all subsets as events, or else for all sigma-algebras that tell apart the values of f on every class where
    it has at most so many.
    """
    parts = classes(points, d, universes)
    values = [{f[x] for x in c} for c in (universes if of_universe else parts)]
    constant = all(len(some) <= 1 for some in values)
    few = [some for some in ({f[x] for x in c} for c in parts) if len(some) <= most]
    asked = [pair for pair in combinations(points, 2) if comparable(universes, d, *pair)]
    algebras = _algebras(len(points))[0 if coarser else -1 :]
    case = {"X": points, "universes": universes, "d": d, "f": f}
    for atoms in algebras:
        separates = all(len({atoms[t] for t in some}) == len(some) for some in few)
        if separates and all(atoms[f[x]] == atoms[f[y]] for x, y in asked) != constant:
            return failure(
                lambda X, universes, d, f, atoms: free_iff_function(X, universes, d, f, atoms, of_universe, most),
                **case,
                atoms=atoms,
            )
    return settled(
        True,
        lambda X, universes, d, f, algebras: all(
            free_iff_function(X, universes, d, f, atoms, of_universe, most) for atoms in algebras
        ),
        lambda: {**case, "algebras": algebras},
    )


_algebras = cache(lambda size: tuple(invariants(domain_of(size))))

_FUNCTIONS_FREE = theorem(
    "invariants.finite_budget_iff_component", "invariants.finite_budget_iff_component_points", within=_SEPARATING
)

state("components.functions-free", "dissertation, Proposition A.2.1")(
    """Suppose that D_Pr(P, Q) = oo whenever d_TV(P, Q) = 1. Then, for any (non-random) data-release mechanism f : X ->
    T, the following statements are equivalent: (A) f satisfies eps_D-DP(X, multiverse, d_X, D_Pr) with finite budget
    eps_D < oo; and (B) f is a function of [x]. Moreover, if these statements hold then f has zero privacy loss.""",
    every(functions, function_of_class, coarser=False),
    mutant("f is constant in every universe, for f is a function of [x]", {"of_universe": True}),
    _FUNCTIONS_FREE,
    reading="""a mechanism named by its function alone has the sigma-algebras that it induces (Definition A.1.4):
    section A.1 takes them 'as implicitly given' and says that they should not be chosen freely""",
)

own("components.functions-free.separating", "dissertation, Proposition A.2.1")(
    """The same for any non-random f with sigma-algebras F_T^[x] that separate the values of f on [x], as the induced
    ones of Definition A.1.4 do.""",
    every(with_algebras, function_of_class),
    mutant("f is constant in every universe, for f is a function of [x]", {"of_universe": True}),
    mutant("all values are told apart on classes where f has at most two", {"most": 2}),
    mutant("any sigma-algebras", {"most": 0}),
    _FUNCTIONS_FREE,
)

own_released = lambda eps, d: has_loss_0(eps, d, {x: own_budgets(eps, x) for x in covered_by(eps)})
reachable_are_free = lambda eps, d: has_loss_0(eps, d, {x: reachable_budgets(eps, d, x) for x in covered_by(eps)})

state("budget.set-released", "dissertation, Corollary A.2.2")(
    """For any DP specification eps_D-DP(X, multiverse, d_X, D_Pr), the (non-random) data-release mechanism b(x) =
    {eps_D : D in multiverse such that x' in D for some x' in [x]}, satisfies eps'_D-DP(X, multiverse, d_X, D_Pr) with
    eps'_D = 0.""",
    every(specifications, reachable_are_free),
    mutant("{eps_D : x in D}", own_released),
    theorem("invariants.budgets_of_free"),
)

state("budget.function-released", "dissertation, section A.2")(
    """The function eps_D can always be released without privacy loss, since the constant data-release mechanism x ->
    eps_D is trivially a function of [x].""",
    every(specifications, lambda eps, d: has_loss_0(eps, d, {x: {(u, eps[u]) for u in eps} for x in covered_by(eps)})),
    mutant(
        "eps on the universes of x",
        lambda eps, d: has_loss_0(eps, d, {x: {(u, eps[u]) for u in eps if x in u} for x in covered_by(eps)}),
    ),
)

state("budget.realised-released", "dissertation, section A.2")(
    """In particular, for an invariant-induced multiverse_c (defined below (2.4)), condition I holds and so the data
    custodian can release the realised budget eps_(D_c(x*)) without incurring additional privacy loss.""",
    every(specifications, lambda X, eps, d: any(sum(1 for u in eps if x in u) != 1 for x in X) or own_released(eps, d)),
    mutant("any multiverse", own_released),
    theorem("invariants.budgets_at_free"),
)

lies_within = lambda f, eps, d, own: all(
    f[x] <= reachable_budgets(eps, d, x) and (not own or own_budgets(eps, x) <= f[x]) for x in covered_by(eps)
)
reachable_or_costly = lambda f, eps, d, own: (
    not lies_within(f, eps, d, own)
    or not has_finite_loss(eps, d, f)
    or all(f[x] == reachable_budgets(eps, d, x) for x in covered_by(eps))
)
choices = lambda tried: (
    product(tried[0])
    if len(tried) == 1
    else product(tried[0], tried[1])
    if len(tried) == 2
    else product(tried[0], tried[1], tried[2])
)


def most_specific(points: Points, eps: Budgets, d: Distances, *, own: bool) -> Witness | None:
    """Of the f with f(x) <= b(x), and b'(x) <= f(x) where `own`, for all x only b has a finite loss."""
    parts = classes(points, d, eps)
    b = [frozenset(eps[u] for u in eps if u & part) for x in points for part in parts if x in part]
    least = [frozenset(eps[u] for u in eps if own and x in u) for x in points]
    tried = [[f for f in _subsets(most) if f >= some] for some, most in zip(least, b, strict=True)]
    for chosen in product(*tried):
        if chosen != tuple(b) and all(len({chosen[points.index(x)] for x in part}) == 1 for part in parts):
            return failure(
                lambda f, eps, d: reachable_or_costly(f, eps, d, own),
                f=dict(zip(points, chosen, strict=True)),
                eps=eps,
                d=d,
            )
    return settled(
        True,
        lambda tried, X, eps, d: all(
            reachable_or_costly({x: k[i] for i, x in enumerate(X)}, eps, d, own) for k in choices(tried)
        ),
        lambda: {"tried": tried, "X": points, "eps": eps, "d": d},
    )


_subsets = lambda values: (
    frozenset(kept) for n in range(len(values) + 1) for kept in combinations(sorted(values, key=repr), n)
)

state("budget.most-specific", "dissertation, section A.2")(
    """Furthermore, under the assumption of Proposition A.2.1, the data custodian cannot be more specific about the
    budgets associated to x* than b(x*) without adding some noise to the answer.""",
    every(specifications, most_specific, own=True),
    mutant("f(x) may leave out budgets of universes that hold x", {"own": False}),
    reading="""a non-random f with b'(x) <= f(x) <= b(x) for all x, where b'(x) = {eps_D : x in D}, has infinite loss
    unless f = b; a function alone has the sigma-algebras of Definition A.1.4, here all subsets""",
)

own_cost_finitely = lambda eps, d: has_finite_loss(eps, d, {x: own_budgets(eps, x) for x in covered_by(eps)})
own_are_reachable = lambda eps, d: all(reachable_budgets(eps, d, x) == own_budgets(eps, x) for x in covered_by(eps))

state("budget.own-universes", "dissertation, section A.2")(
    """For example, the data-release mechanism b'(x) = {eps_D : D in multiverse such that x in D}, has infinite privacy
    loss unless b(x) = b'(x) for all x in X.""",
    every(specifications, lambda eps, d: own_cost_finitely(eps, d) == own_are_reachable(eps, d)),
    mutant(
        "unless every b'(x) has at most one element",
        lambda eps, d: own_cost_finitely(eps, d) == all(len(own_budgets(eps, x)) <= 1 for x in covered_by(eps)),
    ),
    theorem("invariants.budgets_at_iff", within=_SEPARATING),
    reading="""under the assumption of Proposition A.2.1, as the sentence before; a function alone has the
    sigma-algebras of Definition A.1.4, here all subsets""",
)

one_budget_each = lambda eps, d: all(
    len(reachable_budgets(eps, d, x)) <= 1 and reachable_budgets(eps, d, x) == own_budgets(eps, x)
    for x in covered_by(eps)
)

pairs_first = cases(
    "the pairs of neighbors among three data sets in a row; {a, b, aa} and {aa} under bounded DP; budgets ln 2, ln 4; "
    f"{specifications.scope}",
    "X eps d",
)(
    lambda: (
        (
            (0, 1, 2),
            {frozenset({0, 1}): 2, frozenset({1, 2}): 4},
            {(x, y): abs(x - y) for x, y in permutations(range(3), 2)},
        ),
        (("a", "b", "aa"), {frozenset({"a", "b", "aa"}): 2, frozenset({"aa"}): 4}, {("a", "b"): 1, ("b", "a"): 1}),
        *specifications,
    )
)

_AT_MOST_ONE = "However, b(x) has cardinality at most one, and hence b(x) = b'(x), for all x in X if "

pairs_in_one_universe = lambda eps, d: all(x == y or sum(1 for u in eps if x in u and y in u) <= 1 for x, y in d)
pairs_in_same_universe = lambda eps, d: all(
    x == y or u == v for x, y in d for u in eps for v in eps if x in u and y in v
)

state("budget.pairs-in-two-universes", "dissertation, section A.2")(
    f"{_AT_MOST_ONE}… II) for all distinct x, x' in X, if d_X(x, x') or d_X(x', x) is finite, then x and x' "
    "cannot both be in two different universes.",
    every(pairs_first, lambda eps, d: not pairs_in_one_universe(eps, d) or one_budget_each(eps, d)),
    every(pairs_first, lambda eps, d: not pairs_in_same_universe(eps, d) or one_budget_each(eps, d)),
    reading="""no two universes hold both x and x', as it must be to be more general than I; the other reading, that x
    and x' are in the same universes, is checked too""",
    grade=false("a class [x] may be joined by several universes; in the other reading an x far from all may be in two"),
    refuted_by=["invariants.budgets_pairs_refuted"],
)

state("budget.disjoint-universes", "dissertation, section A.2")(
    f"{_AT_MOST_ONE}… I) D n D' = empty for all distinct universes D, D' in multiverse",
    every(
        specifications,
        lambda eps, d: not all(len(u & v) == 0 for u in eps for v in eps if u != v) or one_budget_each(eps, d),
    ),
    mutant(
        "any two universes share at most one data set",
        lambda eps, d: not all(len(u & v) <= 1 for u in eps for v in eps if u != v) or one_budget_each(eps, d),
    ),
    theorem("invariants.budgets_disjoint"),
)

"""What the multiverse and the distances say of each other: dissertation, section A.3."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import chain, permutations, product
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, false, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.multiverse.words import (
    INFIMA,
    Distances,
    Rewriting,
    bound_at,
    budgets_giving,
    classes,
    comparable,
    constant_specifications,
    cut_along,
    explicitly_comparable,
    finite,
    hidden_classes,
    implied_bound,
    instead_of_whole,
    keeps_all,
    meets_of,
    near_pairs,
    one_budget,
    rewritten,
    same_bounds,
    sets_of,
    smallest_around,
    stated_bound,
)
from stirred.verify.ledger.engines.small_domains import LAWS, LOSSES, domain_of, multiverses, premetric_tables
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import distance, multiplicative, together

# what the multiverse and the distances say of each other: dissertation, Propositions A.3.1 to A.3.3

farther_distances = lambda X, universes, d, times: {
    (x, y): distance(d, x, y) * (1 if together(universes, x, y) else times) for x in X for y in X if x != y
}
displayed_distance = lambda universes, d, x, y: distance(d, x, y) if together(universes, x, y) else oo
budget_of_whole = lambda P, eps: {set(P): one_budget(eps)}
_farther = lambda *, doubled=False: every(
    constant_specifications,
    rewritten,
    other=Rewriting(
        lambda P, eps, d: ((eps, d), (budget_of_whole(P, eps), farther_distances(P, eps, d, 2 if doubled else oo))),
        lambda P, eps, d: same_bounds(
            P, eps, d, budget_of_whole(P, eps), farther_distances(P, eps, d, 2 if doubled else oo)
        ),
        lambda P, eps, d: (
            keeps_all(P, eps, d)
            == keeps_all(P, budget_of_whole(P, eps), farther_distances(P, eps, d, 2 if doubled else oo))
        ),
    ),
)

_ENCODES = [_farther(), theorem("multiverse.multiverse_in_premetric")]
_DOUBLED = mutant("2 d_X for oo where no universe holds both", _farther(doubled=True))

state("multiverse.in-premetric", "dissertation, Proposition A.3.1")(
    """Given a DP flavor (X, multiverse, d_X, D_Pr), define d'_X(x, x') = 0 if x = x', d_X(x, x') else if there exists D
    in multiverse such that x, x' in D, oo otherwise. Then, for any constant privacy loss budget eps_D = eps, M(X,
    multiverse, d_X, D_Pr, eps_D) = M(X, {X}, d'_X, D_Pr, eps_D).""",
    *_ENCODES,
    _DOUBLED,
)

state("multiverse.in-premetric.bare", "dissertation, section A.4, before Proposition A.4.2")(
    """For any DP specification … where the budget eps_D = eps is constant in D, M(X, multiverse, d_X, D_Pr, eps_D) =
    M(X, {X}, d_X^multiverse, D_Pr, eps), where d_X^multiverse(x, x') = d_X(x, x') if there exists D in multiverse with
    x, x' in D, oo otherwise.""",
    *_ENCODES,
    _DOUBLED,
    reading="""the mechanisms are compared; that the distance of x from itself is 0 is said in Proposition A.3.1, and
    they do not depend on it""",
)

all_multiverses = cases("all multiverses on one to three data sets", "X universes")(
    lambda: ((tuple(range(size)), set(m)) for size in (1, 2, 3) for m in multiverses(domain_of(size)))
)

is_premetric_displayed = lambda universes, X: all(
    displayed_distance(universes, {p: 0 for p in product(X, X)}, x, x) == 0 for x in X
)
premetric_iff_covered = lambda X, universes: (
    is_premetric_displayed(universes, X) == all(any(x in u for u in universes) for x in X)
)
premetric_iff_any = lambda X, universes: is_premetric_displayed(universes, X) == any(len(u) > 0 for u in universes)

own("multiverse.in-premetric.zero-diagonal", "dissertation, section A.4, before Proposition A.4.2")(
    """d_X^multiverse as displayed, without a case for x = x', need not be a premetric: it is oo from x to itself where
    no universe holds x.""",
    every(all_multiverses, premetric_iff_covered),
    mutant("where some universe is not empty", premetric_iff_any),
    theorem("multiverse.no_universe_premetric_refuted", within="that it need not be a premetric"),
)

state("multiverse.pairs", "dissertation, Proposition A.3.2")(
    """Given a premetric d_X, define multiverse = {{x, x'} : x, x' in X such that d_X(x, x') < oo}. Then, for all
    constant privacy loss budgets eps_D = eps, M(X, {X}, d_X, D_Pr, eps_D) = M(X, multiverse, d_X, D_Pr, eps_D).""",
    instead_of_whole("the pairs at a finite distance"),
    theorem("multiverse.near_pairs_suffice"),
    mutant("0 < d_X(x, x') < oo", instead_of_whole("the pairs at a positive finite distance")),
)

state("multiverse.self-intersections", "dissertation, Proposition A.3.2")(
    """More generally, M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps'_D'), for any
    multiverse_0 and any budget eps_D : multiverse_0 -> [0, oo], where multiverse_1 = {D_0 n D : D_0 in
    multiverse_0, D in multiverse_0 such that D_0 n D is not empty} and eps'_D' = inf{eps_D : D in multiverse_0 with
    D' subset of D}.""",
    cut_along("the universes"),
    theorem("multiverse.meets_self", within=INFIMA),
    mutant("sup for inf", cut_along("the universes", "the largest around")),
)

state("multiverse.pairs-inside", "dissertation, section A.3, after Proposition A.3.2")(
    """The above proposition shows that we can always restrict the DP specification to universes of pairs of protection
    objects.""",
    cut_along("the pairs at a finite distance"),
    theorem("multiverse.meets_near_pairs", within=INFIMA),
    mutant("sup for inf", cut_along("the pairs at a finite distance", "the largest around")),
    reading="""with eps' on the intersections of the universes with the pairs at finite distances: the proof reads the
    second display so, with D in the multiverse of pairs""",
)


def vacuous_alone(points: Any, eps: Any, d: Any, *, beyond: int) -> Witness | None:
    """Where some universe holds all x, x' with beyond < d_X(x, x') < oo, {X} has the same mechanisms."""
    if not all(comparable(eps, d, *pair) for pair in d if d[pair] > beyond):
        return settled(
            True,
            lambda d, beyond, universes: any(
                d[x, y] > beyond and not explicitly_comparable(universes, d, x, y) for x, y in d
            ),
            lambda: {"universes": set(eps), "d": d, "beyond": beyond},
        )
    return rewritten(points, eps, d, other=_ON_WHOLE)


_ON_WHOLE = Rewriting(
    lambda P, eps, d: ((eps, d), (budget_of_whole(P, eps), d)),
    lambda P, eps, d: same_bounds(P, eps, d, budget_of_whole(P, eps), d),
    lambda P, eps, d: keeps_all(P, eps, d) == keeps_all(P, budget_of_whole(P, eps), d),
)

own("multiverse.vacuous", "dissertation, section 2.4.3")(
    """A vacuous multiverse (for all distinct x, x' with d_X(x, x') < oo or d_X(x', x) < oo there exists a universe with
    x, x' in it) has the same mechanisms as {X}, for a budget that is one number.""",
    every(constant_specifications, vacuous_alone, beyond=-1),
    mutant("0 < d_X(x, x') < oo for d_X(x, x') < oo", {"beyond": 0}),
    theorem("multiverse.vacuous_multiverse"),
)

state("multiverse.hidden-invariants", "dissertation, Proposition A.3.3")(
    """Given a premetric d_X, define the relation ~ by x ~ x' if d_X(x, x') < oo. Let ~_cl be the symmetric- and
    transitive-closure of ~. Define the invariant c(x) = [x] which sends x in X to its equivalence class [x] under ~_cl.
    Then, for all constant privacy loss budgets eps_D = eps, M(X, {X}, d_X, D_Pr, eps_D) = M(X, multiverse_c, d_X, D_Pr,
    eps_D).""",
    instead_of_whole("the classes of finite distances"),
    theorem("multiverse.linked_classes"),
    mutant("classes joined by distances below 1 for below oo", instead_of_whole("the classes of distances 0")),
)

state("multiverse.hidden-inside", "dissertation, Proposition A.3.3")(
    """More generally, M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps_D), for any multiverse_0
    and budget eps_D : multiverse_0 -> [0, oo], where multiverse_1 = {D_0 n D : D_0 in multiverse_0, D in multiverse_c
    such that D_0 n D is not empty} and eps'_D' = inf{eps_D : D in multiverse_0 with D' subset of D}.""",
    cut_along("the classes of finite distances"),
    theorem("multiverse.meets_linked", within=INFIMA),
    mutant("sup for inf", cut_along("the classes of finite distances", "the largest around")),
    reading="""the budget on multiverse_1 is eps'_D', which the sentence defines for nothing else and which Proposition
    A.3.2 and the proof have there; eps_D is no budget on multiverse_1""",
)

_SIZES: Mapping[str, Any] = {
    "X": ("a", "b", "aa"),
    "universes": {frozenset({"a", "b", "aa"}), frozenset({"a", "b"}), frozenset({"aa"})},
    "d": {("a", "b"): 1, ("b", "a"): 1},
}
"""Bounded DP on two data sets of one record and one of two: universes are X and the data sets of each size."""

larger_outside = cases(
    "bounded DP on a, b and aa; the universes {a, b} with the budget ln 2 and X with ln 4; one mechanism", "P eps d"
)(
    lambda: (
        ({x: {0: head, 1: 1 - head} for x, head in heads.items()}, eps, _SIZES["d"])
        for heads in [{"a": Fraction(4, 5), "b": Fraction(1, 5), "aa": Fraction(1, 5)}]
        for eps in [{frozenset({"a", "b"}): 2, frozenset(_SIZES["X"]): 4}]
    )
)

largest_giving_inside = lambda P, eps, d: {
    v: max(budgets_giving(eps, hidden_classes(P, d), v)) for v in meets_of(eps, hidden_classes(P, d))
}
smallest_around_inside = lambda P, eps, d: {v: smallest_around(eps, v) for v in meets_of(eps, hidden_classes(P, d))}
only_largest_keep = lambda P, eps, d: keeps_all(P, largest_giving_inside(P, eps, d), d) and not keeps_all(P, eps, d)

own("multiverse.hidden-inside.infimum", "dissertation, Proposition A.3.3")(
    """The budget on D_0 n D must be eps'_D' there: with that of some D_0 that gives D_0 n D, such as the largest one, a
    mechanism may satisfy the second specification and not the first.""",
    every(larger_outside, only_largest_keep),
    mutant("eps'", lambda P, eps, d: keeps_all(P, smallest_around_inside(P, eps, d), d) and not keeps_all(P, eps, d)),
    theorem("multiverse.meets_linked_budget_refuted"),
)

_small = lambda *, with_empty: (
    (tuple(range(size)), universes, d)
    for size in (1, 2, 3)
    for listed in [[set(m) for m in multiverses(domain_of(size)) if with_empty or frozenset() not in m]]
    for d, universes in product(map(finite, premetric_tables(domain_of(size), (0, None))), listed)
)

_ALL = "all multiverses on one to three data sets, all premetrics in {0, oo}"
with_empty = cases(_ALL, "X universes d")(lambda: _small(with_empty=True))
without_empty = cases(f"bounded DP on a, b and aa; {_ALL}; the empty set is no universe", "X universes d")(
    lambda: chain([tuple(_SIZES.values())], _small(with_empty=False))
)

changes_inside = lambda X, universes, d: meets_of(universes, hidden_classes(X, d)) != universes
holds_of_pieces = lambda where, universes, parts: (
    any(len(u & c) > 0 and u & c not in universes for u in universes for c in parts)
    if where == "a piece is no universe"
    else any(c not in universes for c in parts)
    if where == "a class is no universe"
    else any(sum(1 for c in parts if len(u & c) > 0) > 1 for u in universes)
)

_OUTSIDE = "a piece is no universe"
_CLASS_OUTSIDE = "a class is no universe"
_MEETS_TWO = "a universe meets two classes"
_CONDITIONS: Mapping[str, Callable[[Any, Any], bool]] = {
    _OUTSIDE: lambda universes, parts: any(u & c and u & c not in universes for u in universes for c in parts),
    _CLASS_OUTSIDE: lambda universes, parts: any(c not in universes for c in parts),
    _MEETS_TWO: lambda universes, parts: any(sum(bool(u & c) for c in parts) > 1 for u in universes),
}


def changes(points: Any, universes: Any, d: Any, *, where: str, only: bool) -> Witness | None:
    """multiverse_1 != multiverse_0 where a condition holds, and `only` there."""
    parts = classes(points, d)
    condition, changed = _CONDITIONS[where](universes, parts), {u & c for u in universes for c in parts} - {frozenset()}
    is_so = condition == (changed != universes) or (not condition and not only)
    return settled(
        is_so,
        lambda X, universes, d: (
            holds_of_pieces(where, universes, hidden_classes(X, d)) == changes_inside(X, universes, d)
            or (not only and not holds_of_pieces(where, universes, hidden_classes(X, d)))
        ),
        lambda: {"X": points, "universes": universes, "d": d},
    )


state("multiverse.hidden-changes", "dissertation, Proposition A.3.3")(
    """Moreover, suppose that there exists some D_0 in multiverse_0 such that one of the connected components of the
    graph (D_0, ~_cl) is not in multiverse_0. Then multiverse_1 != multiverse_0.""",
    every(with_empty, changes, where=_OUTSIDE, only=False),
    mutant("some class of d_X is no universe", {"where": _CLASS_OUTSIDE}),
    theorem("multiverse.meets_linked_changes"),
)

state("multiverse.hidden-changes-iff", "dissertation, section A.7, proof of Proposition A.3.3")(
    """Therefore, multiverse_1 != multiverse_0 iff there exists D_0 in multiverse_0 such that one of its connected
    components is not in multiverse_0 (assuming that the empty set is not in multiverse_0).""",
    every(without_empty, changes, where=_OUTSIDE, only=True),
    grade=false("only 'if' holds, which is all that the proposition says: a universe may fall apart into universes"),
    refuted_by=["multiverse.meets_linked_changes_iff_refuted"],
)

own("multiverse.hidden-changes-iff.within", "dissertation, section A.7, proof of Proposition A.3.3")(
    """If the empty set is not in multiverse_0, multiverse_1 != multiverse_0 iff some D_0 meets two classes of ~_cl.""",
    every(without_empty, changes, where=_MEETS_TWO, only=True),
    mutant("the empty set may be a universe", with_empty),
    repairs="multiverse.hidden-changes-iff",
)

of_distances = cases(
    "D_Mult, three data sets, all premetrics in {0, 1, oo}, eps in {0, ln 2}, {X}; all mechanisms", "X eps d"
)(
    lambda: (
        ((0, 1, 2), {frozenset({0, 1, 2}): gamma}, finite(table))
        for table, gamma in product(premetric_tables(domain_of(3), (0, 1, None)), (1, 2))
    )
)

unrestricted = lambda X, eps, d, parts: all(
    x == y or any(x in c and y in c for c in parts) or implied_bound(X, eps, d, x, y) == oo for x in X for y in X
)
unrestricted_by_pairs = lambda X, eps, d: unrestricted(X, eps, d, sets_of(near_pairs(X, d)))

state("multiverse.hidden-unrestricted", "dissertation, section A.3, end")(
    """If x, x' are not in the same universe of multiverse_c then the DP specification eps_D-DP(X, {X}, d_X, D_Pr)
    places no restrictions on D_Pr(P_x, P_x'), explicitly or implicitly.""",
    every(of_distances, lambda X, eps, d: unrestricted(X, eps, d, hidden_classes(X, d))),
    mutant("the pairs at a finite distance for the classes", unrestricted_by_pairs),
)

# conditions that overlapping universes imply, and disjoint ones do not: dissertation, section A.3, (A.1)

_LAWS = (*LAWS, *(Law({0: head, 1: 1 - head}) for head in (Fraction(1, 8), Fraction(1, 4))))
_ratio = cache(lambda i, j: Multiplicative().distance(_LAWS[i], _LAWS[j]))

# the triples of laws that obey two universes, with d_X(x_1, x_3) the sum of the other distances, or less
_chains = lambda less: (
    (laws, eps, {(1, 2): near, (2, 3): far, (1, 3): near + far - less})
    for eps, near, far in product(product(LOSSES, repeat=2), (1, 2), (1, 2))
    for laws in product(range(len(_LAWS)), repeat=3)
    if _ratio(*laws[:2]) <= eps[0].times(near) and _ratio(*laws[1:]) <= eps[1].times(far)
)

_SCOPE = "D_Mult, all laws of 8 at three data sets, distances 1 and 2, universes {1, 2} and {2, 3}, eps in 4 values"
chains = cases(_SCOPE, "laws eps d")(lambda: _chains(0))
shorter_chains = cases(f"{_SCOPE}; d_X(x_1, x_3) less by 1", "laws eps d")(lambda: _chains(1))


def chained(laws: Any, eps: Any, d: Distances, *, smallest: bool = False) -> Witness | None:
    """D_Mult(P_1, P_3) <= max(eps_D, eps_D') d_X(x_1, x_3), or with the smaller budget."""
    is_so = _ratio(laws[0], laws[2]) <= (min(eps) if smallest else max(eps)).times(d[1, 3])
    universes = dict(zip((frozenset({1, 2}), frozenset({2, 3})), [one.gamma for one in eps], strict=True))
    return settled(
        is_so,
        lambda P, eps, d: (
            not keeps_all(P, eps, d)
            or multiplicative(P[1], P[3])
            <= bound_at(min(eps[u] for u in eps) if smallest else max(eps[u] for u in eps), d[1, 3])
        ),
        lambda: {"P": {x: _LAWS[i] for x, i in enumerate(laws, 1)}, "eps": universes, "d": d},
    )


state("multiverse.implicit-condition", "dissertation, (A.1)")(
    """For example, suppose there exists x_1, x_2, x_3 in X such that 1) d_X(x_1, x_3) = d_X(x_1, x_2) + d_X(x_2, x_3) <
    oo; 2) x_1 and x_2 are in some universe D in multiverse_1; 3) x_2 and x_3 are in another universe D' in
    multiverse_1; … Then D_Pr(P_x_1, P_x_3) <= max(eps'_D, eps'_D') d_X(x_1, x_3) is an implicit Lipschitz condition …
    (assuming D_Pr satisfies the triangle inequality).""",
    every(chains, chained),
    mutant("min for max", {"smallest": True}),
    mutant("d_X(x1, x3) may be below the sum", shorter_chains),
    theorem("multiverse.implicit_condition"),
)

_is_triangular = lambda d: all(
    (x, z) in d and d[x, z] <= d[x, y] + d[y, z] for (x, y), (v, z) in product(d, repeat=2) if v == y and x != z
)
_triangular_cases = lambda which, *, disjoint, symmetric: cases(
    f"two and three data sets, all multiverses {which} premetrics with the triangle inequality and values in "
    "{0, 1, 2, oo}, eps_D = ln 2 or ln 4",
    "X eps d",
)(
    lambda: (
        (tuple(range(size)), {u: 2 if 0 in u else 4 for u in universes}, d)
        for size in (2, 3)
        for kept in [
            [m for m in multiverses(domain_of(size)) if frozenset() not in m and (m.is_partition() or not disjoint)]
        ]
        for d in filter(_is_triangular, map(finite, premetric_tables(domain_of(size), (0, 1, 2, None))))
        if not symmetric or all(d.get((y, x)) == n for (x, y), n in d.items())
        for universes in kept
    )
)

all_universes = _triangular_cases("and symmetric", disjoint=False, symmetric=True)

no_shorter = lambda eps, d, X: all(
    get(b, (x, z), oo) <= get(b, (x, y), oo) * get(b, (y, z), oo)
    for b in [{(x, y): stated_bound(eps, d, x, y) for x, y in d}]
    for x, y, z in [w for w in permutations(X) if len(w) == 3]
)
is_own_closure = lambda eps, d, X: all(
    x == y or stated_bound(eps, d, x, y) <= implied_bound(X, eps, d, x, y) for x in X for y in X
)

state("multiverse.disjoint-no-implicit", "dissertation, section A.3")(
    """(Assuming d_X satisfies the triangle inequality) if the universes in multiverse do not overlap, then there are no
    implicit Lipschitz conditions (like (A.1)) hidden in a DP specification eps_D-DP(X, multiverse, d_X, D_Pr).""",
    every(_triangular_cases("of disjoint universes, all", disjoint=True, symmetric=False), no_shorter),
    mutant("the universes may overlap", all_universes),
    theorem("multiverse.disjoint_no_implicit", within=INFIMA),
    reading="""conditions like (A.1), which chain bounds by the triangle inequality of D_Pr: none is below a stated
    bound; a symmetric D_Pr with another d_X(x', x) is not like (A.1)""",
)

own("multiverse.disjoint-no-implicit.symmetric", "dissertation, section A.3")(
    """If d_X is symmetric and satisfies the triangle inequality and the universes do not overlap, then under D_Mult the
    constraint matrix is its own closure: every bound of (2.3) is attained.""",
    every(_triangular_cases("of disjoint universes, all symmetric", disjoint=True, symmetric=True), is_own_closure),
    mutant("the universes may overlap", all_universes),
)

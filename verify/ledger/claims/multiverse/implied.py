"""Conditions that overlapping universes imply, and disjoint ones do not: dissertation, section A.3, (A.1)."""

from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.multiverse.words import (
    INFIMA,
    Distances,
    bound_at,
    finite,
    implied_bound,
    keeps_all,
    stated_bound,
)
from stirred.verify.ledger.engines.small_domains import LAWS, LOSSES, domain_of, multiverses, premetric_tables
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import multiplicative

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
chains = cases(_SCOPE, "laws eps d", lambda: _chains(0))
shorter_chains = cases(f"{_SCOPE}; d_X(x_1, x_3) less by 1", "laws eps d", lambda: _chains(1))


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

"""Composition: the specification that two releases satisfy together, with independent seeds and without."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product

from stirred.spec.algebra.closure import closure
from stirred.spec.algebra.composition import composed_laws
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.comparison import extremal_laws
from stirred.verify.ledger import cases, every, mutant, own, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import joint_law
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.engines.small_domains import TABLES, domain_of, multiverses, specification
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import image, mixed, multiplicative

Matrix = Mapping[tuple[int, int], Fraction]
"""The bounds of a specification on the data sets 0, 1, 2 that are finite."""
Mechanism = Mapping[int, Law[int]]

then_law = lambda p, k: {[t, u]: p[t] * k[t][u] for t in p for u in k[t]}
first_marginal = lambda p: {t: sum(p[x] for x in p if x[0] == t) for t in {x[0] for x in p}}
second_marginal = lambda p: {t: sum(p[x] for x in p if x[1] == t) for t in {x[1] for x in p}}
agreement_odds = lambda a: oo if a == 1 else a / (1 - a)

# a matrix of e^bound: c has no entry where a specification has no bound
undirected_bound = lambda c, x, y: 1 if x == y else min(get(c, [x, y], oo), get(c, [y, x], oo))
closed_bound = lambda c, x, y: min(undirected_bound(c, x, u) * undirected_bound(c, u, y) for u in range(3))
directed_bound = lambda c, x, y: 1 if x == y else get(c, [x, y], oo)
sum_of_closures = lambda c, d, x, y: closed_bound(c, x, y) * closed_bound(d, x, y)
sum_as_stated = lambda c, d, x, y: directed_bound(c, x, y) * directed_bound(d, x, y)
larger_closure = lambda c, d, x, y: max(closed_bound(c, x, y), closed_bound(d, x, y))
obeys_bounds = lambda t, c: all(multiplicative(t[x], t[y]) <= directed_bound(c, x, y) for x in t for y in t)

shared_seeds = cases(
    "T_1 = x xor U_1, T_2 = U_2, fair coins that agree with probability a in {1/2, 3/4, 1}; the "
    "laws p, q of (T_1, T_2) for x = 0, 1",
    "p q a",
)(
    lambda: (
        (laws[0], laws[1], a)
        for a in (Fraction(1, 2), Fraction(3, 4), Fraction(1))
        for seeds in [Law({(u, v): (a if u == v else 1 - a) / 2 for u, v in product(range(2), repeat=2)})]
        for laws in [composed_laws(domain_of(2), lambda x, u: x ^ u, lambda _, u: u, seeds)]
    )
)

product_of_marginals = lambda p, q: (
    multiplicative(first_marginal(p), first_marginal(q)) * multiplicative(second_marginal(p), second_marginal(q))
)

state("composition.shared-seeds", "dissertation, section A.5, before Definition A.5.5")(
    """In these situations, the distribution of the composition T = (T_1, T_2) does not factor as the product of T_1
    and T_2's distributions. … It is not sufficient to know only the data-release mechanisms T_1, T_2 and their
    (marginal) probability distributions P_x(T_1 in .), P_x(T_2 in .), we need additional information specifying how
    they interact.""",
    every(shared_seeds, lambda p, q, a: [product_of_marginals(p, q), multiplicative(p, q)] == [1, agreement_odds(a)]),
    mutant(
        "the loss of (T_1, T_2) is the sum of the losses, whatever the joint law",
        lambda p, q, a: agreement_odds(a) < 1 or multiplicative(p, q) <= product_of_marginals(p, q),
    ),
    reading="""two coins of which neither mechanism alone tells anything: the loss of (T_1, T_2) is |ln(a/(1 - a))|,
    which only the joint law of the seeds knows""",
)

_SMALL = (*laws_of(2, 3), *laws_of(3, 2))
processed_laws = cases("all pairs of laws on two outcomes in thirds and on three in halves, all 27 functions", "p q f")(
    lambda: product(dict.fromkeys(_SMALL), dict.fromkeys(_SMALL), product(range(3), repeat=3))
)

state("post-processing.multiplicative", "dissertation, section 2.5, after Theorem 2.5.5")(
    "It is straightforward to verify that D_Pr = D_Mult satisfies (2.11) and (2.10).",
    every(processed_laws, lambda p, q, f: multiplicative(image(p, f), image(q, f)) <= multiplicative(p, q)),
    every(
        cases("products of coins in thirds", "p q r s")(lambda: product(laws_of(2, 3), repeat=4)),
        lambda p, q, r, s: (
            multiplicative(joint_law(p, r), joint_law(q, s)) <= multiplicative(p, q) * multiplicative(r, s)
        ),
    ),
    mutant(
        "the larger loss for the sum",
        lambda p, q, r, s: (
            multiplicative(joint_law(p, r), joint_law(q, s)) <= max(multiplicative(p, q), multiplicative(r, s))
        ),
    ),
    theorem("pure.mult_postprocessing", "pure.mult_product", within="laws on finite sets, (2.11) for kernels too"),
)

_BUDGETS = (1, 2, 4)

_COINS = laws_of(2, 3)

_kernels = lambda first: [{0: one, 1: other} for one, other in product(first, _COINS)]

within_budget = cases(
    "coins in thirds at distance 1 and 2, all kernels to coins in thirds, e^eps = 1, 2, 4", "p q k n budget"
)(lambda: product(_COINS, _COINS, _kernels(_COINS), (1, 2), _BUDGETS))
kept = lambda p, q, budget, n, k, less: (
    multiplicative(p, q) > budget**n or multiplicative(mixed(p, k), mixed(q, k)) <= budget ** (n - less)
)

own("post-processing.pure-flavors", "dissertation, section 2.5, after Theorem 2.5.5")(
    """Every flavor (X, multiverse, d_X, D_Mult) of laws on finite sets is immune to kernels: kappa o P_x satisfies the
    budgets that P_x satisfies.""",
    every(within_budget, kept, less=0),
    mutant("at distance n - 1", {"less": 1}),
    theorem("pure.pure_postprocessing", within="laws on finite sets, d_X in N or oo"),
)

both_within_budget = cases(
    "products of coins in thirds at distance 1 and 2, e^eps and e^eps' in {1, 2, 4}", "p q r s n a b"
)(lambda: product(*[laws_of(2, 3)] * 4, (1, 2), _BUDGETS, _BUDGETS))

joint_within_budget = lambda p, q, a, n, r, s, b, total: (
    multiplicative(p, q) > a**n
    or multiplicative(r, s) > b**n
    or multiplicative(joint_law(p, r), joint_law(q, s)) <= total**n
)

own("composition.pure-flavors", "dissertation, section 2.5, after Theorem 2.5.5")(
    """If T_1 and T_2 satisfy eps_D and eps'_D in one flavor (X, multiverse, d_X, D_Mult) of laws on finite sets, and
    their seeds are independent, (T_1, T_2) satisfies eps_D + eps'_D.""",
    every(both_within_budget, lambda p, q, r, s, n, a, b: joint_within_budget(p, q, a, n, r, s, b, (a * b))),
    mutant(
        "the larger budget for the sum", lambda p, q, r, s, n, a, b: joint_within_budget(p, q, a, n, r, s, b, max(a, b))
    ),
    theorem("pure.pure_composition", within="laws on finite sets, d_X in N or oo"),
)

own("composition.adaptive", "dissertation, section 2.5, after Theorem 2.5.5")(
    """D_Mult of two releases is at most the sum of their losses even if the second is chosen by the output of the
    first: if D_Mult(P, Q) <= a and D_Mult(K(t), K'(t)) <= b for all t, the joint laws are within a + b.""",
    every(
        cases("coins in thirds; kernels to coins in thirds from both outcomes of the first", "p q k m")(
            lambda: product(_COINS, _COINS, *[_kernels(_COINS[1:3])] * 2)
        ),
        lambda p, q, k, m: (
            multiplicative(then_law(p, k), then_law(q, m))
            <= multiplicative(p, q) * max(multiplicative(k[t], m[t]) for t in k)
        ),
    ),
    mutant(
        "the smallest loss of the second",
        lambda p, q, k, m: (
            multiplicative(then_law(p, k), then_law(q, m))
            <= multiplicative(p, q) * min(multiplicative(k[t], m[t]) for t in k)
        ),
    ),
    theorem("pure.mult_adaptive", "pure.pure_adaptive", within="laws on finite sets"),
)


@cache
def _specifications() -> tuple[tuple[Matrix, tuple[Mechanism, ...]], ...]:
    """Every fourth of those listed, with mechanisms that attain the rows of its closure."""
    domain = domain_of(3)
    kept = [m for m in multiverses(domain) if m.universes and all(len(u) > 1 for u in m)]
    found = []
    for m, table in list(product(kept, TABLES))[::4]:
        matrix = specification(domain, {u: Loss(Fraction(len(u))) for u in m}, table).matrix()
        gammas = {pair: matrix(*pair).gamma for pair in permutations(domain, 2)}
        attained = tuple(extremal_laws(closure(matrix), x) for x in domain)
        found.append(({pair: gamma for pair, gamma in gammas.items() if gamma is not None}, attained))
    return tuple(found)


two_releases = cases(
    "D_Mult, three data sets, all pairs of twelve specifications: every fourth of those with the multiverses of "
    "universes of two or three data sets, three premetrics, the budgets ln |D|; for each x mechanisms that attain the "
    "closures' rows",
    "c d t s x",
)(
    lambda: (
        case
        for (c, rows), (d, other_rows) in product(_specifications(), repeat=2)
        for case in ((c, d, t, s, x) for x, (t, s) in enumerate(zip(rows, other_rows, strict=True)))
    )
)

both_obey = lambda t, c, s, d: obeys_bounds(t, c) and obeys_bounds(s, d)
combined_bound = lambda rule, c, d, u, v: (
    sum_of_closures(c, d, u, v)
    if rule == "sum of closures"
    else sum_as_stated(c, d, u, v)
    if rule == "sum as stated"
    else larger_closure(c, d, u, v)
)
joint_loss = lambda t, s, u, v: multiplicative(joint_law(t[u], s[u]), joint_law(t[v], s[v]))
# (T, S) satisfies the combined matrix; and attains the row of x
_satisfied = lambda rule: (
    lambda c, d, t, s: (
        not both_obey(t, c, s, d)
        or all(
            joint_loss(t, s, u, v) <= combined_bound(rule, c, d, u, v) for u, v in product(range(3), range(3)) if u != v
        )
    )
)
_attained = lambda rule: (
    lambda c, d, t, s, x: (
        not both_obey(t, c, s, d)
        or all(
            loss <= bound and (u != x or loss == bound)
            for u, v in product(range(3), range(3))
            if u != v
            for loss in [joint_loss(t, s, u, v)]
            for bound in [combined_bound(rule, c, d, u, v)]
        )
    )
)

own("composition.different-flavors", "dissertation, section 2.5, last paragraph")(
    """If T_1 and T_2 satisfy specifications with different multiverses, input premetrics and budgets on one domain,
    under D_Mult, and their seeds are independent, (T_1, T_2) satisfies the sum of the closures of the two constraint
    matrices under symmetry and the triangle inequality, and no smaller matrix: each entry is attained.""",
    every(two_releases, both_obey),
    every(two_releases, _attained("sum of closures")),
    mutant("the sum of the matrices as they are stated, not of their closures", _attained("sum as stated")),
    mutant("the larger bound for the sum", _attained("larger closure")),
)

own("composition.different-flavors.sum", "dissertation, section 2.5, last paragraph")(
    """If D_Pr satisfies (2.10), T_1 and T_2 satisfy the constraint matrices C and C' of two specifications on one
    domain, and their seeds are independent, (T_1, T_2) satisfies C + C'; under D_Mult, if the two share d_X, it
    satisfies the sum of two budgets on the intersection of their universes.""",
    every(two_releases, _satisfied("sum as stated")),
    mutant("the larger bound for the sum", _satisfied("larger closure")),
    theorem(
        *("processing.composition_different", "pure.pure_below_composition"),
        *("pure.pure_composition_different", "pure.pure_composition_multiverses"),
        within="laws on finite sets",
    ),
)

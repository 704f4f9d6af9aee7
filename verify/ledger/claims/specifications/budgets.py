"""What a specification asks of a mechanism: the Lipschitz condition, 0 x oo, the normal form, larger budgets."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.specifications.words import (
    MEASURES,
    PURE,
    VARIATION,
    Budgets,
    Laws,
    bounds_of,
    keeps,
    made,
    measured,
    named,
    satisfied,
    within,
)
from stirred.verify.ledger.engines.small_domains import (
    DISTANCES,
    LAWS,
    LOSSES,
    Table,
    domain_of,
    kernels,
    multiverses,
    premetric_tables,
)
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import multiplicative, together, total_variation

quotients = cases(
    "laws on two and three outcomes, D_TV; d in {1/2, 1, 2}, eps in {0, 1/6, 1/3, 1/2, 1}",
    "p q d eps",
    lambda: product(LAWS, LAWS, [Fraction(n, 2) for n in (1, 2, 4)], [Fraction(k, 6) for k in (0, 1, 2, 3, 6)]),
)

quotient_within = lambda p, q, d, eps, power: (
    (total_variation(p, q) / d <= eps) == (total_variation(p, q) <= eps * d**power)
)

state("specification.lipschitz", "dissertation, (2.1)")(
    "D_Pr(P_x, P_x')/d_X(x, x') <= eps, or, more correctly, D_Pr(P_x, P_x') <= eps d_X(x, x'), for all x, x'",
    every(quotients, quotient_within, power=1),
    mutant("eps/d_X for eps d_X", {"power": -1}),
    reading="the two say the same where the quotient has a meaning, for 0 < d_X(x, x') < oo",
)

infinite = cases(
    "D_Mult, D_Mult^(1/4) and D_TV of 3 laws; d in {0, 1, 2, oo}; eps = 0, finite ones, oo; d or eps is oo",
    "measure p q eps d",
    lambda: (
        (named(measure), p, q, budget, d)
        for measure in MEASURES
        for budgets in [(Fraction(0), Fraction(1, 3), None) if measure == VARIATION else LOSSES]
        for p, q, budget, d in product(LAWS[:3], LAWS[:3], budgets, DISTANCES)
        if d is None or budget in (None, INFINITE)
    ),
)

zero_times_oo = lambda eps, d: (eps in (0, (1, 1)) and d == oo) or (eps == oo and d == 0)
within_or_product_is = lambda measure, p, q, product_is, eps, d: (
    within(measure, measured(measure, p, q), product_is, 1)
    if zero_times_oo(eps, d)
    else within(measure, measured(measure, p, q), eps, d)
)

state("specification.zero-times-infinity", "dissertation, Remark 2.4.6")(
    """To resolve the edge case where eps_D = 0 but d_X(x, x') = oo, we define 0 x oo = oo. This means DP never controls
    the difference between P_x and P_x' when d_X(x, x') = oo, even in the case of complete privacy (eps_D = 0).""",
    every(infinite, within_or_product_is, product_is=None),
    mutant("0 x oo = 0, as in measure theory", {"product_is": ZERO}),
    theorem("invariant_multiverse.infinite_asks_nothing"),
    reading="for the budget oo at distance 0 too; article, Appendix D (proof of Proposition 2), defines the same",
)

_PAIRS = tuple(permutations(range(3), 2))
_TABLES: tuple[Table, ...] = (
    dict.fromkeys(_PAIRS, 1),
    {(0, 1): 0, (1, 0): 1, (0, 2): None, (2, 0): 2, (1, 2): 1, (2, 1): None},
)

by_size = cases(
    "D_Mult, three data sets, all 256 multiverses, PLBs eps_D = f(|D|) with f = (0, ln 2, ln 4, oo) or reversed, a "
    "symmetric and an asymmetric premetric, all mechanisms with 6 laws up to relabelling",
    "d budgets",
    lambda: (
        (d, {universe: LOSSES[::step][len(universe)] for universe in multiverse})
        for d, multiverse, step in product(_TABLES, multiverses(domain_of(3)), (1, -1))
    ),
)

_KERNELS = tuple(kernels(domain_of(3)))

# the pairs of laws whose D_Mult is at most a bound
_within = cache(
    lambda bound: [(i, j) for i, p in enumerate(LAWS) for j, q in enumerate(LAWS) if PURE.distance(p, q) <= bound]
)
entry_of = lambda picked, d, budgets, x, y, most: (
    most
    if not together(budgets, x, y)
    else min(bounds_of(d, budgets, x, y))
    if picked == "min"
    else max(bounds_of(d, budgets, x, y))
)
kept_as_matrix = lambda picked, laws, d, budgets, most: (
    keeps("D_Mult", laws, d, budgets)
    == all(
        multiplicative(laws[x], laws[y]) <= entry_of(picked, d, budgets, x, y, most)
        for x in laws
        for y in laws
        if x != y
    )
)


def normal_form(
    d: Table, budgets: Budgets, *, pick: Callable[[list[Loss]], Loss] = min, empty: Loss = INFINITE
) -> Witness | None:
    """(1) on all universes is D_Pr <= C everywhere, with C(x, x') the least bound of a pair, oo where there is none."""
    bounds = {(x, y): [budget.times(d[x, y]) for u, budget in budgets.items() if {x, y} <= u] for x, y in _PAIRS}
    asked = [(x, y, _within(bound)) for (x, y), listed in bounds.items() for bound in listed]
    limits = [(x, y, _within(pick(listed) if listed else empty)) for (x, y), listed in bounds.items()]
    picked = pick.__name__
    case: dict[str, Any] = {"d": d, "budgets": budgets, "most": empty.gamma}
    for kernel in _KERNELS:
        kept, below = (all((kernel[x], kernel[y]) in near for x, y, near in some) for some in (asked, limits))
        if kept != below:
            kept_by_one = lambda laws, d, budgets, most: kept_as_matrix(picked, laws, d, budgets, most)
            return failure(kept_by_one, laws=made(kernel), **case)
    kept_by_all = lambda d, budgets, most, kernels, some: all(
        kept_as_matrix(picked, {x: some[i] for x, i in enumerate(k)}, d, budgets, most) for k in kernels
    )
    return settled(True, kept_by_all, lambda: {**case, "kernels": _KERNELS, "some": LAWS})


own("specification.normal-form", "article, Definition 1")(
    """On a finite domain a mechanism satisfies a specification iff D_Pr[P_x, P_x'] <= C(x, x') for all x, x', where
    C(x, x') = min{eps_D d_X(x, x') : D in the multiverse, x, x' in D} and the minimum of nothing is oo.""",
    every(by_size, normal_form),
    mutant("max for min", {"pick": max}),
    mutant("min of nothing is 0", {"empty": ZERO}),
    theorem(
        "specification.normal_form", "specification.normal_form_finite", "specification.constraint_matrix_attained"
    ),
    theorem("pure.pure_normal_form", within="D_Mult of laws on finite sets, d_X in N or oo"),
)

enlarged = cases(
    "D_Mult, two data sets, all multiverses of at most two universes, budgets eps_D <= eps'_D in {0, ln 2, oo}, all "
    "premetrics with values in {0, 1, oo}, all mechanisms with 3 laws",
    "laws d budgets larger",
    lambda: (
        case
        for pairs in [[(a, b) for a, b in product((ZERO, Loss(Fraction(2)), INFINITE), repeat=2) if a <= b]]
        for mechanisms in [[dict(enumerate(laws)) for laws in product(LAWS[:3], repeat=2)]]
        for multiverse in (one for one in multiverses(domain_of(2)) if len(one) <= 2)
        for chosen in product(pairs, repeat=len(multiverse))
        for budgets, larger in [({u: pair[k] for u, pair in zip(multiverse, chosen, strict=True)} for k in (0, 1))]
        for case in product(mechanisms, premetric_tables(domain_of(2), (0, 1, None)), [budgets], [larger])
    ),
)


def allows_more(laws: Laws, d: Table, budgets: Budgets, other: Budgets, *, reversed_: bool = False) -> Witness | None:
    """A mechanism that satisfies a budget satisfies every larger one."""
    budgets, other = (other, budgets) if reversed_ else (budgets, other)
    return settled(
        not satisfied(PURE, laws, d, budgets) or satisfied(PURE, laws, d, other),
        lambda laws, d, budgets, other: not keeps("D_Mult", laws, d, budgets) or keeps("D_Mult", laws, d, other),
        lambda: {"laws": laws, "d": d, "budgets": budgets, "other": other},
    )


state("specification.larger-budget", "dissertation, section 2.4.1")(
    """A larger budget allows for mechanisms with less intense protection; whereas a small budget corresponds to
    requiring a higher intensity of privacy protection.""",
    every(enlarged, allows_more),
    mutant("smaller for larger", {"reversed_": True}),
    theorem("specification.fewer_constraints"),
    reading="""every mechanism that satisfies a budget satisfies a larger one, universe by universe; section 2.2 says
    that smaller budgets correspond to a higher intensity of protection""",
)

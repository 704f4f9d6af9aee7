"""Budgets carried over from a multiverse to a refinement of it (article, Appendix D), and what finer universes lose."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations, permutations, product
from operator import and_, or_
from typing import Any

from stirred.spec.algebra.closure import closure
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.comparison import Decision, stronger
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, found_by, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.multiverse.words import (
    INFIMA,
    Rewriting,
    bound_at,
    implied_bound,
    keeps_all,
    matrix_of,
    rewritten,
    same_bounds,
    specifications,
    stated_bound,
)
from stirred.verify.ledger.claims.specifications.words import (
    Laws,
    everywhere,
    hammings,
    keeps,
    keeps_on,
    no_larger,
    sizes,
)
from stirred.verify.ledger.engines import small_domains as small
from stirred.verify.ledger.engines.small_domains import LOSSES
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance

_SCOPE = (
    "all multiverses on three data sets (the empty one and the empty universe included), budgets in "
    "{0, ln 2, ln 4, oo}; every mechanism, input premetric and output premetric with distances in {0, 1, 2, oo} and "
    "D_Pr in {0, ln 2, ln 4, oo} (a violation at one D' is one for the refinement {D'}); multiverses are finite"
)

doubled = lambda a: oo if a == oo else (a[0] ** 2, a[1])
and_ln_2 = lambda a: oo if a == oo else (2 * a[0], a[1])
log_2 = lambda a: min([n for n in range(9) if 2**n == a])
largest_bound = lambda eps, d, x, y: max([bound_at(eps[u], distance(d, x, y)) for u in eps if x in u and y in u])

# the largest budget that a hypothesis allows, from the budget eps'_D' of D' (`fine`); the hypothesis
limit_of = lambda limit, budget: budget if limit == "eps" else doubled(budget) if limit == "2 eps" else and_ln_2(budget)
all_around_below = lambda limit, budgets, fine, budget: all(
    no_larger(budgets[u], limit_of(limit, budget)) for u in budgets if fine <= u
)
is_assumed = lambda assumed, limit, budgets, fine, budget: (
    any(fine <= u for u in budgets) and all_around_below(limit, budgets, fine, budget)
    if assumed == "all around, and there is one"
    else all_around_below(limit, budgets, fine, budget)
    if assumed == "all around"
    else any(fine <= u and no_larger(budgets[u], limit_of(limit, budget)) for u in budgets)
    if assumed == "one around"
    else any(len(fine & u) > 0 and no_larger(budgets[u], limit_of(limit, budget)) for u in budgets)
)

Limit = tuple[str, Callable[[Loss], Loss]]
"""The largest budget that a hypothesis allows, from eps'_D': as `limit_of` calls it, and as computed."""

_SAME: Limit = ("eps", lambda budget: budget)
_TWICE: Limit = ("2 eps", lambda budget: budget.times(2))
_LN_2_MORE: Limit = ("eps + ln 2", lambda budget: INFINITE if budget.gamma is None else Loss(2 * budget.gamma))
Assumed = tuple[str, str, Callable[[Universe, Loss], int]]
"""A hypothesis about D' and eps'_D': as `is_assumed` calls it, its limit, and the multiverses with budgets allowed."""

_every = cache(lambda: small.BudgetedMultiverses(small.universes(small.domain_of(3)), LOSSES))


def _all_around(limit: Limit = _SAME, *, refined: bool = True) -> Assumed:
    """eps_D <= limit for every D around D', of which there is one where the multiverse is refined."""
    name, most = limit

    def allowed(fine: Universe, budget: Loss) -> int:
        listed, around = _every(), [j for j, u in enumerate(_every().universes) if fine <= u]
        digits = [0, *(j + 1 for j, other in enumerate(LOSSES) if other <= most(budget))]
        found = reduce(and_, (listed.where(j, digits) for j in around), listed.everything)
        return found & reduce(or_, map(listed.present, around), 0) if refined else found

    return "all around, and there is one" if refined else "all around", name, allowed


def _some_around(limit: Limit = _SAME, *, inside: bool = True) -> Assumed:
    """eps_D <= limit for some D around D': the infimum of finitely many is attained, one D serves all delta."""
    name, most = limit

    def allowed(fine: Universe, budget: Loss) -> int:
        around = (j for j, u in enumerate(_every().universes) if (fine <= u if inside else fine & u))
        return reduce(or_, (_every().with_budget(j, lambda other: other <= most(budget)) for j in around), 0)

    return "one around" if inside else "one that meets it", name, allowed


def carries_over(assumed: Assumed) -> Evidence:
    """Whether a hypothesis makes (1) carry over to D' with eps'_D'.

    A mechanism that breaks (1) on D' does so at one pair; it is enough to try those that (1) bounds at one pair alone.
    """
    (hypothesis, limit, allowed), listed = assumed, _every()
    hypotheses = {(fine, j): allowed(fine, budget) for fine in listed.universes for j, budget in enumerate(LOSSES)}
    asked: dict[frozenset[int], tuple[Loss, Distance]] = {}  # the budgets at which (1) holds, with their first cause
    for value, n in product(LOSSES, small.DISTANCES):
        asked.setdefault(frozenset(j for j, budget in enumerate(LOSSES) if value <= budget.times(n)), (value, n))
    for (x, y), (holds, (value, n)) in product(combinations(range(3), 2), asked.items()):
        around = (position for position, universe in enumerate(listed.universes) if {x, y} <= universe)
        satisfied = reduce(and_, (listed.where(position, [0, *(j + 1 for j in holds)]) for position in around))
        for (fine, j), chosen in hypotheses.items():
            if {x, y} <= fine and j not in holds and satisfied & chosen:
                case: dict[str, Any] = {"laws": _laws(y, value), "d": {(x, y): n}, "fine": fine, "budget": LOSSES[j]}
                says = lambda laws, d, fine, budget, budgets: (
                    not is_assumed(hypothesis, limit, budgets, fine, budget)
                    or not keeps("D_Mult", laws, d, budgets)
                    or keeps_on("D_Mult", laws, d, fine, budget)
                )
                witness = failure(says, budgets=listed.first(satisfied & chosen), **case)
                return Evidence(Verdict.REFUTED, _SCOPE, f"D' = {sorted(fine)}, eps' = {LOSSES[j]}", witness)
    return Evidence(Verdict.EXHAUSTED, _SCOPE, f"{listed.count} multiverses with budgets, 8 universes D', 4 budgets")


def _laws(y: int, value: Loss) -> Laws:
    """Laws of three data sets, equal but for P_y, which is at this D_Mult from the others."""
    head = Fraction(1) if value.gamma is None else value.gamma / (value.gamma + 1)
    first, second = (Law({0: part, 1: 1 - part}) for part in (head, 1 - head))
    return {point: second if point == y else first for point in range(3)}


state("refinement.budget-within", "article, Proposition 5")(
    """Suppose that D'-multiverse is refinement of D-multiverse. Then, for all PLBs eps'_D' : D'-multiverse -> [0, oo],
    any mechanism that satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr) also satisfies eps'_D'-DP(X, D'-multiverse, d_X,
    D_Pr), whenever eps_D <= inf{eps'_D' : D' in D'-multiverse with D' subset of D}.""",
    found_by(carries_over, _all_around()),
    theorem("specification.refinement_within", within=INFIMA),
    mutant("D'-multiverse need not be a refinement", found_by(carries_over, _all_around(refined=False))),
    mutant("eps_D <= 2 inf{eps'_D'}", found_by(carries_over, _all_around(_TWICE))),
)

state("refinement.budget-above", "article, Proposition 5")(
    """Furthermore, for all PLBs eps_D : D-multiverse -> [0, oo], any mechanism that satisfies eps_D-DP(X, D-multiverse,
    d_X, D_Pr) also satisfies eps'_D'-DP(X, D'-multiverse, d_X, D_Pr), whenever eps'_D' >= inf{eps_D : D in D-multiverse
    with D' subset of D}.""",
    found_by(carries_over, _some_around()),
    theorem("specification.refinement_above", within=INFIMA),
    mutant("eps'_D' >= inf{eps_D}/2", found_by(carries_over, _some_around(_TWICE))),
)

state("refinement.infimum-within", "dissertation, Proposition 2.4.13", "dissertation, (2.7)")(
    """Suppose that D-multiverse and D'-multiverse are nested in the sense that, for all D' in D'-multiverse, there
    exists some D in D-multiverse such that D' subset of D. … Then, for all privacy loss budgets eps'_D' : D'-multiverse
    -> [0, oo], we have M(X, D-multiverse, d_X, D_Pr, eps_D) subset of M(X, D'-multiverse, d_X, D_Pr, eps'_D'), where
    eps_D = inf{eps'_D' : D' in D'-multiverse with D' subset of D} is the budget under D-multiverse.""",
    found_by(carries_over, _all_around()),
    theorem("specification.refinement_inf_within", within=INFIMA),
    mutant("eps_D <= 2 inf{eps'_D'}", found_by(carries_over, _all_around(_TWICE))),
)

state("refinement.infimum-above", "dissertation, Proposition 2.4.13", "dissertation, Lemma 6.2.7")(
    """Further, (2.7) holds for all privacy loss budgets eps_D : D-multiverse -> [0, oo] when eps'_D' = inf{eps_D : D in
    D-multiverse with D' subset of D} is the budget under D'-multiverse.""",
    found_by(carries_over, _some_around()),
    theorem("specification.refinement_inf_above", within=INFIMA),
    mutant("eps'_D' >= inf{eps_D}/2", found_by(carries_over, _some_around(_TWICE))),
)

state("refinement.fewer-constraints", "article, Lemma 1", "dissertation, Lemma A.7.1")(
    """Given two DP specifications eps_D-DP(X, D-multiverse, d_X, D_Pr) and eps'_D'-DP(X, D'-multiverse, d_X, D_Pr),
    suppose that, for all D' in D'-multiverse and all delta > 0, there exists D in D-multiverse such that D' subset of D
    and eps_D <= eps'_D' + delta. Then M(X, D-multiverse, d_X, D_Pr, eps_D) subset of M(X, D'-multiverse, d_X, D_Pr,
    eps'_D').""",
    found_by(carries_over, _some_around()),
    theorem("specification.fewer_constraints"),
    mutant("for delta = ln 2 instead of for all delta > 0", found_by(carries_over, _some_around(_LN_2_MORE))),
    mutant("D' meets D instead of D' is a subset of D", found_by(carries_over, _some_around(inside=False))),
)

# the bounds of pairs over ln 2, as their distances; beside the budget ln 2 on {X}
distances_of_bounds = lambda P, eps, d, largest: (
    {
        (x, y): log_2(largest_bound(eps, d, x, y) if largest else stated_bound(eps, d, x, y))
        for x in P
        for y in P
        if x != y
    }
)


def _in_premetric(*, largest: bool = False) -> Rewriting:
    return Rewriting(
        lambda P, eps, d: ((eps, d), ({set(P): 2}, distances_of_bounds(P, eps, d, largest))),
        lambda P, eps, d: same_bounds(P, eps, d, {set(P): 2}, distances_of_bounds(P, eps, d, largest)),
        lambda P, eps, d: keeps_all(P, eps, d) == keeps_all(P, {set(P): 2}, distances_of_bounds(P, eps, d, largest)),
    )


state("refinement.in-premetric", "dissertation, section 2.4.3")(
    "The operation of refining the data multiverse is mathematically equivalent to redefining d_X",
    every(specifications, rewritten, other=_in_premetric()),
    mutant("the largest bound of the universes for the smallest", {"other": _in_premetric(largest=True)}),
    theorem(
        "specification.normal_form",
        "specification.normal_form_finite",
        "specification.matrix_specification",
        within=f"the new budget is 1; infinitely many universes {INFIMA}",
    ),
    reading="""what a multiverse with its budgets says, {X} says with another d_X; the proposition that the sentence
    announces (A.3.1) goes this way""",
)

shrunk = cases(
    "D_Mult, all mechanisms; all multiverses on two data sets, all budgets in {0, ln 2, oo}, five premetrics, one "
    "universe replaced by a proper subset",
    "X old new d",
)(
    lambda: (
        (points, old, {subset if u == universe else u: budget for u, budget in old.items()}, d)
        for points, old, d in specifications
        for universe, subset in product(old, small.universes(small.domain_of(2)) if len(points) == 2 else ())
        if subset < universe and subset not in old
    )
)

implied_below = lambda X, new, old, d: all(
    x == y or implied_bound(X, new, d, x, y) <= stated_bound(old, d, x, y) for x in X for y in X
)


def weaker(points: Any, old: Any, new: Any, d: Any, *, enlarged: bool = False) -> Witness | None:
    """The old one's mechanisms keep the new one; one of the new breaks the old iff the new closure exceeds it."""
    if enlarged:
        old, new = new, old
    before, after = matrix_of(points, old, d), matrix_of(points, new, d)
    lost, gained = stronger(before, after), stronger(after, before)
    if lost.answer is not Decision.YES:
        says = lambda P, old, new, d: not keeps_all(P, old, d) or keeps_all(P, new, d)
        return failure(says, P=lost.mechanism, old=old, new=new, d=d)
    closed = closure(after)
    case: dict[str, Any] = {"X": points, "old": old, "new": new, "d": d}
    if (gained.answer is Decision.NO) == any(not closed(*pair) <= before(*pair) for pair in permutations(points, 2)):
        if gained.mechanism is None:
            return settled(True, implied_either_way, lambda: case)
        return settled(True, strictly_implied, lambda: {**case, "laws": gained.mechanism})
    if gained.mechanism is not None:
        return failure(none_gained, **{"X": points, "laws": gained.mechanism, **case})
    return failure(lambda X, old, new, d: implied_below(X, new, old, d), **case)


implied_either_way = lambda X, old, new, d: implied_below(X, old, new, d) and implied_below(X, new, old, d)
strictly_implied = lambda X, old, new, d, laws: (
    implied_below(X, old, new, d)
    and not implied_below(X, new, old, d)
    and keeps_all(laws, new, d)
    and not keeps_all(laws, old, d)
)
none_gained = lambda X, laws, old, new, d: (
    not implied_below(X, new, old, d) or keeps_all(laws, old, d) or not keeps_all(laws, new, d)
)

state("universes.smaller-strictly", "dissertation, section 2.4.3")(
    """Therefore, reducing the size of the universes strictly weakens the privacy protection in two senses: 1) it limits
    the datasets x that are protected to those in some universe D; and 2) it reduces the protection afforded to each of
    these datasets x in D by limiting comparisons to other datasets x' which are also in D.""",
    every(sizes, lambda c: not same_bounds(c, everywhere(c, 2), hammings(c), {set(c): 2}, hammings(c))),
    reading="""at the same budgets: some mechanism satisfies the new specification and not the old one, so that some
    bound of a pair must be larger""",
    grade=incomplete("a comparison must be lost that d_X makes at all, and that no other comparisons imply"),
)

own("universes.smaller-weakly", "dissertation, section 2.4.3")(
    """If one universe is replaced by a subset of it, at the same budget, every mechanism that satisfies the old
    specification satisfies the new one; under D_Mult some mechanism satisfies the new one only iff the closure of the
    new constraint matrix exceeds the old matrix somewhere.""",
    every(shrunk, weaker),
    mutant("replaced by a larger set", {"enlarged": True}),
    repairs="universes.smaller-strictly",
)

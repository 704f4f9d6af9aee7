"""D_NoR as a metric, its square, its value for randomized response, and D_NoR beside D_Mult."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor, isqrt
from typing import Any

from stirred.spec.budgets.loss import Loss
from stirred.spec.budgets.zcdp import smallest_pure_to_zcdp
from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import ball_of, precision
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.verify.engines.zcdp.cumulants import lower_end
from stirred.verify.engines.zcdp.normalized_renyi import one_sided_supremum, renyi_divergence
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, cases, every, misprint, mutant, own, settled, some, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    PATH,
    divergence_of_order,
    divergence_sum,
    dominates,
    false_of,
    middle,
    pairs,
    path,
    power_sum,
    rate_from_above,
    rate_from_below,
    shown,
    squared_from_above,
    squared_from_below,
    triples,
)
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE, coin, enclosed, laws_of, one_sided
from stirred.verify.ledger.language_names import exp, get, ln, oo, sqrt
from stirred.verify.ledger.words import likelihood_ratio, multiplicative

# D_NoR as a metric, its square, its standard parametrization, and its value for randomized response

Squared = Callable[[Law[int], Law[int]], Enclosure | None]
_G = "article, Appendix G"
_STANDARD = "dissertation, section 2.4.5"
_DISCRETE = "discrete laws"

all_finite = lambda p, q, r: dominates(p, q) and dominates(q, p) and dominates(q, r) and dominates(r, q)
root_or_same = lambda rooted, x: sqrt(x) if rooted else x


def symmetric(p: Law[int], q: Law[int], *, squared: Squared = enclosed) -> Witness | None:
    """D_NoR(P, Q) = D_NoR(Q, P), and it is 0 for equal laws alone."""
    forward, backward = squared(p, q), squared(q, p)
    if forward is not None and (p == q) != (forward.lower <= 0):
        return false_of(lambda p, q, orders: (p == q) == (rate_from_below(p, q, orders) <= 0), p=p, q=q)
    if backward is None or (forward is not None and forward.lower <= backward.upper):
        return shown(lambda p, q, orders: (p == q) == (squared_from_below(p, q, orders) <= 0), below=[(p, q)], p=p, q=q)
    return false_of(lambda p, q, orders: rate_from_below(p, q, orders) <= rate_from_above(q, p, orders), p=p, q=q)


def triangle(p: Law[int], q: Law[int], r: Law[int], *, rooted: bool = True) -> Witness | None:
    """D_NoR(P, R) <= D_NoR(P, Q) + D_NoR(Q, R), or the same of the squares."""
    whole, first, second = enclosed(p, r), enclosed(p, q), enclosed(q, r)
    case: dict[str, Any] = {"p": p, "q": q, "r": r}
    if first is None or second is None or q in (p, r):
        return settled(True, lambda p, q, r: q in (p, r) or not all_finite(p, q, r), lambda: case)
    if whole is not None and not _above(whole.upper, first.lower, second.lower, roots=rooted):
        return shown(
            lambda p, q, r, orders: (
                root_or_same(rooted, squared_from_above(p, r, orders))
                <= root_or_same(rooted, squared_from_below(p, q, orders))
                + root_or_same(rooted, squared_from_below(q, r, orders))
            ),
            above=[(p, r, middle(whole.upper, _sum_of(first.lower, second.lower, roots=rooted)))],
            below=[(p, q), (q, r)],
            **case,
        )
    if whole is not None and not _above(whole.lower, first.upper, second.upper, roots=rooted):
        raise EngineError(f"seven digits do not decide P = {p}, Q = {q}, R = {r}")
    return false_of(
        lambda p, q, r, orders: (
            root_or_same(rooted, squared_from_below(p, r, orders))
            <= root_or_same(rooted, squared_from_above(p, q, orders))
            + root_or_same(rooted, squared_from_above(q, r, orders))
        ),
        **case,
    )


def _above(d: Fraction, e: Fraction, f: Fraction, *, roots: bool) -> bool:
    """Whether d > e + f, or √d > √e + √f."""
    excess = d - e - f
    return excess > 0 and (not roots or excess**2 > 4 * e * f)


# at most e + f, or (√e + √f)²
_sum_of = lambda e, f, *, roots: e + f + (2 * Fraction(isqrt(floor(e * f * 10**20)), 10**10) if roots else 0)

state("zcdp.metric", _G, _STANDARD)(
    "Note that we reparameterize rho so that D_NoR is a metric.",
    theorem("nor_metric.nor_zero", "nor_metric.nor_symmetric", "nor_metric.nor_triangle", within=_DISCRETE),
    every(pairs, symmetric, verdict=Verdict.ENCLOSED),
    mutant("D_NoR^2, the standard parameterization, for D_NoR", every(path, triangle, rooted=False)),
    mutant("D_alpha(P||Q) for the maximum", {"squared": one_sided}),
    every(triples, triangle, verdict=Verdict.ENCLOSED),
    reading="with values in [0, oo], as every output premetric has them",
)

_ROOTS = tuple(Fraction(n, 8) for n in range(9))
_ORDERS = tuple(map(Fraction, ("1000001/1000000", "3/2", "2", "3", "4", "6")))


@cache
def _largest_tried(p: Law[int], q: Law[int]) -> Fraction | None:
    """A lower end of max{D_α(P‖Q), D_α(Q‖P)}/α over the orders tried; None for ∞."""
    if set(p) != set(q):
        return None
    with precision(128):
        return max(
            lower_end(renyi_divergence(first, second, order) / ball_of(order))
            for order, (first, second) in product(_ORDERS, ((p, q), (q, p)))
        )


_power_sum = cache(power_sum)


@cache
def _allowed_sum(exponent: Fraction) -> Fraction:
    return exponential(exponent).upper


larger_divergence = lambda p, q, a: max(divergence_of_order(p, q, a), divergence_of_order(q, p, a))


def standard(p: Law[int], q: Law[int], rho: Fraction, d: int, *, power: int = 1, squared: int = 2) -> Witness | None:
    """D_NoR <= rho*d iff D_a <= rho^squared * a * d^power both ways for all a > 1.

    D_NoR² is enclosed for all orders at once. Where it is at most (ρd)², the divergences of integer order are compared
    with their bound exactly; where it is above, some order tried must exceed its bound.
    """
    found, bound, allowed = enclosed(p, q), (rho * d) ** 2, rho**squared * d**power
    case: dict[str, Any] = {"p": p, "q": q, "rho": rho, "d": d, "power": power, "squared": squared}
    if found is not None and found.upper <= bound:
        for a, (first, second) in product((2, 3, 4), ((p, q), (q, p))):
            total = _power_sum(first, second, a)
            if total is not None and total > _allowed_sum((a - 1) * a * allowed):
                return false_of(
                    lambda p, q, a, orders, rho, d, power, squared: (
                        not squared_from_above(p, q, orders) <= (rho * d) ** 2
                        or larger_divergence(p, q, a) <= rho**squared * a * d**power
                    ),
                    a=a,
                    **case,
                )
        return shown(
            lambda p, q, orders, rho, d, power, squared: (
                squared_from_above(p, q, orders) <= (rho * d) ** 2
                and all(larger_divergence(p, q, a) <= rho**squared * a * d**power for a in [2, 3, 4])
            ),
            above=[(p, q, middle(found.upper, bound))],
            **case,
        )
    if found is not None and found.lower <= bound:
        raise EngineError(f"seven digits do not decide P = {p}, Q = {q}, rho = {rho}, d = {d}")
    tried = _largest_tried(p, q)
    if tried is None or tried > allowed:
        return shown(
            lambda p, q, orders, rho, d, power, squared: (
                squared_from_below(p, q, orders) > max((rho * d) ** 2, rho**squared * d**power)
            ),
            below=[(p, q)],
            **case,
        )
    return false_of(
        lambda p, q, orders, rho, d, power, squared: (
            not squared_from_above(p, q, orders) <= rho**squared * d**power
            or squared_from_below(p, q, orders) <= (rho * d) ** 2
        ),
        **case,
    )


def _budgets(scope: str, laws: Sequence[Sequence[Law[int]]], *distances: int) -> Cases:
    listed = ", ".join(map(str, distances))
    tried = "rho = 0, 1/8, ..., 1; a = 1 + 10^-6, 3/2, 2, 3, 4, 6"
    return cases(f"{scope}, {tried}; distances {listed} and oo", "p q rho d")(lambda: product(*laws, _ROOTS, distances))


_ENDS = "coins with chances 1/2 and 3/4", (PATH[:1], PATH[2:])
neighbors, at_distances = (_budgets(GRID_SCOPE, (GRID, GRID), *some) for some in ((0, 1), (0, 1, 2, 3)))
_SCALED = "discrete laws, finite distances: with rho d for rho"

state("zcdp.standard-parametrization", _G, "article, Remark 2", _STANDARD)(
    """The standard formulation of zCDP, as originally given in Bun and Steinke (2016), uses the square of the
    normalized Renyi metric as its output premetric. Consequently, the standard parameterization of zCDP is equal to
    rho^2 under our formulation of zCDP.""",
    theorem("normalized_renyi.nor_le_iff", within=_SCALED),
    every(neighbors, standard, verdict=Verdict.ENCLOSED),
    mutant("data sets at distance 2 among them", _budgets(*_ENDS, 2)),
    mutant("rho for rho^2", every(_budgets(*_ENDS, 0, 1), standard, squared=1)),
    reading="""for neighbors, as that formulation is: at d = d_X(x, x') in {0, 1, oo}, D_NoR <= rho d iff D_NoR^2 <=
    rho^2 d, that is D_a <= rho^2 a d both ways for all a > 1""",
)

own("zcdp.standard-parametrization.distances", _G)(
    """For every distance d, as those of d_HamS, D_NoR <= rho d iff D_a <= rho^2 a d^2 both ways for all a > 1: with the
    square of the metric the budget rho^2 goes with the square of the distance.""",
    theorem("normalized_renyi.nor_le_iff", within=_SCALED),
    every(at_distances, standard, power=2, verdict=Verdict.ENCLOSED),
    mutant("d for d^2", every(_budgets(*_ENDS, 2), standard, power=1)),
)


def group(p: Law[int], q: Law[int], r: Law[int], *, factor: int = 4) -> Witness | None:
    """D_NoR(P, R)^2 <= factor * max{D_NoR(P, Q)^2, D_NoR(Q, R)^2}."""
    first, second, whole = enclosed(p, q), enclosed(q, r), enclosed(p, r)
    if first is None or second is None:
        return settled(True, lambda p, q, r: not all_finite(p, q, r), lambda: {"p": p, "q": q, "r": r})
    largest = factor * max(first.lower, second.lower)
    case: dict[str, Any] = {"p": p, "q": q, "r": r, "factor": factor}
    if p == r or (whole is not None and whole.upper <= largest):
        return shown(
            lambda p, q, r, orders, factor: (
                squared_from_above(p, r, orders)
                <= factor * max(squared_from_below(p, q, orders), squared_from_below(q, r, orders))
            ),
            above=([] if whole is None else [(p, r, middle(whole.upper, largest))]),
            below=[(p, q), (q, r)],
            **case,
        )
    return false_of(
        lambda p, q, r, orders, factor: (
            squared_from_below(p, r, orders)
            <= factor * max(squared_from_above(p, q, orders), squared_from_above(q, r, orders))
        ),
        **case,
    )


own("zcdp.group-privacy", _G)(
    """If consecutive data sets of a chain of k + 1 are at D_NoR <= rho from one another, its ends are at D_NoR <= k
    rho: a budget rho^2 for neighbors is the budget k^2 rho^2 at distance k.""",
    theorem("nor_metric.nor_chain", within=_DISCRETE),
    every(triples, group, verdict=Verdict.ENCLOSED),
    mutant("k for k^2", every(path, group, factor=2)),
)

# D_NoR beside D_Mult: where both are finite, its value for randomized response, and which is the stronger one


def infinite_together(p: Law[int], q: Law[int]) -> Witness | None:
    """D_NoR(P, Q) = oo iff D_Mult(P, Q) = oo, D_NoR by its enclosure."""
    return settled(
        (enclosed(p, q) is None) == Multiplicative().distance(p, q).is_infinite,
        lambda p, q: (oo in (divergence_sum(p, q, 2), divergence_sum(q, p, 2))) == (multiplicative(p, q) == oo),
        lambda: {"p": p, "q": q},
    )


own("zcdp.finite-laws", "article, section 5.4")(
    """For laws with finitely many outcomes D_NoR(P, Q) = oo iff D_Mult(P, Q) = oo, so that P and Q with D_NoR(P, Q)
    small but D_Mult(P, Q) = oo have infinitely many outcomes.""",
    theorem("finite_laws.finite_together"),
    every(pairs, infinite_together),
    mutant(
        "D_Mult > ln 3 for D_Mult = oo",
        lambda p, q: (oo in (divergence_sum(p, q, 2), divergence_sum(q, p, 2))) == (multiplicative(p, q) > 3),
    ),
)

_COINS = tuple(map(Fraction, ("1/100", "1/10", "1/4", "2/5", "49/100", "2/3")))
coins = cases(f"p = {', '.join(map(str, _COINS))}; both sides enclosed to 10^-12, for all a > 1", "p q")(
    lambda: ((coin(p), coin(1 - p)) for p in _COINS)
)

pure_times_tanh = lambda ratio: (ratio - 1) / (ratio + 1) * ln(ratio)


def response(p: Law[int], q: Law[int], *, start: Fraction = Fraction(1)) -> Witness | None:
    """The supremum over a >= start of D_a/a is eps*tanh(eps/2), with e^eps the larger odds."""
    case: dict[str, Any] = {"p": p, "q": q}
    found = one_sided_supremum(p, q, least_order=start)
    closed = smallest_pure_to_zcdp(Loss(max(p.numeric(0) / p.numeric(1), p.numeric(1) / p.numeric(0))))
    if found is not None and found.lower <= closed.upper and closed.lower <= found.upper:
        return shown(
            lambda p, q, orders: (
                999 / 1000 * pure_times_tanh(likelihood_ratio(p, q)) <= squared_from_below(p, q, orders)
                and squared_from_above(p, q, orders) <= 21 / 20 * pure_times_tanh(likelihood_ratio(p, q))
            ),
            above=[(p, q, found.upper * Fraction(21, 20))],
            below=[(p, q)],
            **case,
        )
    if found is not None and found.upper < closed.lower:
        return false_of(
            lambda p, q, orders: rate_from_above(p, q, orders) >= pure_times_tanh(likelihood_ratio(p, q)),
            start=start,
            **case,
        )
    return false_of(
        lambda p, q, orders: rate_from_below(p, q, orders) <= pure_times_tanh(likelihood_ratio(p, q)),
        start=start,
        **case,
    )


own("zcdp.randomized-response", "article, Appendix G")(
    """For P = (p, 1-p) and Q = (1-p, p), eps = |ln(p/(1-p))|, D_NoR(P, Q)^2 = eps tanh(eps/2) = (1-2p) ln((1-p)/p), the
    limit of D_a(P||Q)/a as a falls to 1.""",
    every(coins, response, verdict=Verdict.ENCLOSED),
    mutant("the supremum over alpha >= 3/2", {"start": Fraction(3, 2)}),
    mutant("the supremum over alpha >= 2", {"start": Fraction(2)}),
)


def below_pure(p: Law[int], q: Law[int], *, renyi_below: bool = True) -> Witness | None:
    """D_NoR(P, Q)^2 <= D_Mult(P, Q)^2, or the other way round."""
    loss, found = Multiplicative().distance(p, q), enclosed(p, q)
    if loss.is_infinite or p == q:
        return settled(True, lambda p, q: p == q or multiplicative(p, q) == oo, lambda: {"p": p, "q": q})
    pure = loss.epsilon()
    if found is None or (found.upper > pure.lower**2 if renyi_below else pure.upper**2 > found.lower):
        if renyi_below:
            return false_of(
                lambda p, q, orders: squared_from_below(p, q, orders) <= ln(multiplicative(p, q)) ** 2, p=p, q=q
            )
        return false_of(
            lambda p, q, orders: ln(multiplicative(p, q)) ** 2 <= squared_from_above(p, q, orders), p=p, q=q
        )
    if renyi_below:
        shown(
            lambda p, q, orders: squared_from_above(p, q, orders) <= ln(multiplicative(p, q)) ** 2,
            above=[(p, q, middle(found.upper, pure.lower**2))],
            p=p,
            q=q,
        )
    return None


_FOURTHLY = "article, section 5.4"
ends_of_path = cases("coins with chances 1/2 and 3/4", "p q")(lambda: iter([PATH[::2]]))

renyi_smaller = lambda p, q, orders: squared_from_above(p, q, orders) < ln(multiplicative(p, q)) ** 2

state("premetrics.multiplicative-stronger", _FOURTHLY, "dissertation, section 3.5.2")(
    """The PSA's output premetric is also stronger than the 2020 DAS's. … D_Mult ensures a greater level of SDC
    protection than D_NoR (again, assuming that all else is equal).""",
    every(pairs, below_pure, verdict=Verdict.ENCLOSED),
    mutant("D_Mult <= D_NoR", {"renyi_below": False}),
    some(ends_of_path, renyi_smaller, verdict=Verdict.ENCLOSED, orders=[Fraction(k, 4) for k in range(4, 17)]),
    reading="D_NoR(P, Q) <= D_Mult(P, Q), and somewhere below it: at one budget D_Mult asks for more",
)

_TARGETS = tuple(Fraction(1, 10**k) for k in range(1, 12, 2))
exponents = cases(
    "P = N(0, 1) and Q = N(mu, 1) for all mu > 0, all a > 1: an identity of degree 2 in each of x, mu and a, at three "
    "values of each",
    "x mu a",
)(lambda: product(range(3), range(1, 4), range(2, 5)))
small_shifts = cases(
    "mu = t, for targets t = 1/10, ..., 1/10^11 and bounds B = 1, 10, 10^6; x = -(B + 1)/mu", "x mu target bound"
)(lambda: ((-(bound + 1) / mu, mu, mu, bound) for mu, bound in product(_TARGETS, (1, 10, 10**6))))
infinitely_apart = cases(GRID_SCOPE, "p q")(
    lambda: ((p, q) for p, q in product(GRID, repeat=2) if Multiplicative().distance(p, q).is_infinite)
)

same_powers = lambda x, mu, a: -a * x**2 - (1 - a) * (x - mu) ** 2 == -((x - (1 - a) * mu) ** 2) + a * (a - 1) * mu**2
near_and_unbounded = lambda x, mu, target, bound: mu**2 / 2 <= target and (x - mu) ** 2 / 2 - x**2 / 2 > bound
renyi_near = lambda p, q, target: max(divergence_sum(p, q, 2), divergence_sum(q, p, 2)) <= exp(2 * target)

state("renyi.finite-where-multiplicative-infinite", _FOURTHLY, "dissertation, section 3.5.2")(
    "There exist probabilities P and Q with D_NoR(P, Q) arbitrarily small but D_Mult(P, Q) = oo.",
    every(exponents, same_powers, verdict=Verdict.DECIDED),
    every(small_shifts, near_and_unbounded, verdict=Verdict.DECIDED),
    mutant("P and Q with finitely many outcomes", some(infinitely_apart, renyi_near, target=_TARGETS[0])),
    reading="""P = N(0, 1) and Q = N(mu, 1), where D_a = a mu^2/2 for all a, so D_NoR^2 = mu^2/2, and ln dP/dQ at x is
    mu^2/2 - mu x""",
)

_BOUNDED = tuple(Law({t + k: Fraction(1, 4 if k else 2) for k in (-1, 0, 1)}) for t in (1, 0))
ends_of_orders = cases(
    "a count with noise -1, 0 or 1 of chances 1/4, 1/2, 1/4, at counts 1 and 0; all laws on two outcomes in fourths",
    "p q",
)(lambda: (_BOUNDED, *product(laws_of(2, 4), repeat=2)))
largest_on = lambda p, q, s: max([get(p, t, 0) / q[t] if get(q, t, 0) > 0 else oo for t in s])
supported = lambda p: {t for t in p if p[t] > 0}

# the sums that are e^((a - 1) D_a), so that D_a <= ln m and D_a tends to ln m
is_limit = lambda p, q, m, orders: all(
    divergence_sum(p, q, a) == oo
    if m == oo
    else min([p[t] for t in supported(p)]) * m ** (a - 1) <= divergence_sum(p, q, a) <= m ** (a - 1)
    for a in orders
)

state("renyi.order-infinity", "PHSafe, Definition 3")(
    "When alpha = oo, D_oo(P||Q) = sup over x in supp(Q) of log(P(x)/Q(x))",
    every(ends_of_orders, lambda p, q: is_limit(p, q, largest_on(p, q, supported(q)), [2, 5, 20])),
    reading="the limit of the divergences of order alpha, (1), as alpha grows",
    grade=misprint("supp(P) for supp(Q): in (1) the mean is over x ~ P, and Q(x) = 0 < P(x) makes every order oo"),
)

own("renyi.order-infinity.repaired", "PHSafe, Definition 3")(
    "D_oo(P||Q), the limit of D_alpha(P||Q) as alpha grows, is the sup over x in supp(P) of log(P(x)/Q(x)).",
    every(ends_of_orders, lambda p, q: is_limit(p, q, largest_on(p, q, supported(p)), [2, 5, 20])),
    mutant("over supp(Q)", lambda p, q: is_limit(p, q, largest_on(p, q, supported(q)), [2, 5, 20])),
    repairs="renyi.order-infinity",
    reading="""between M and M less ln(1/min P)/(alpha - 1), M the supremum: at alpha = 2, 5, 20; the two suprema agree
    where Q is nowhere 0 where P is not, as for PHSafe's noise""",
)

"""D_NoR as a metric, its square, its standard parametrization, and its value for randomized response."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor, isqrt
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import ball_of, precision
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.verify.engines.zcdp.cumulants import lower_end
from stirred.verify.engines.zcdp.normalized_renyi import renyi_divergence
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, cases, every, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    PATH,
    divergence_of_order,
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
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE, enclosed, one_sided
from stirred.verify.ledger.language_names import sqrt

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
    return cases(f"{scope}, {tried}; distances {listed} and oo", "p q rho d", lambda: product(*laws, _ROOTS, distances))


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

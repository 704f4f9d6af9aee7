"""D_NoR beside D_Mult: where both are finite, its value for randomized response, and which is the stronger one."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.budgets.loss import Loss
from stirred.spec.budgets.zcdp import smallest_pure_to_zcdp
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.verify.engines.zcdp.normalized_renyi import one_sided_supremum
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, mutant, own, settled, some, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    PATH,
    divergence_sum,
    false_of,
    middle,
    pairs,
    rate_from_above,
    rate_from_below,
    shown,
    squared_from_above,
    squared_from_below,
)
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE, coin, enclosed
from stirred.verify.ledger.language_names import exp, ln, oo
from stirred.verify.ledger.words import likelihood_ratio, multiplicative


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
coins = cases(
    f"p = {', '.join(map(str, _COINS))}; both sides enclosed to 10^-12, for all a > 1",
    "p q",
    lambda: ((coin(p), coin(1 - p)) for p in _COINS),
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
ends_of_path = cases("coins with chances 1/2 and 3/4", "p q", lambda: iter([PATH[::2]]))

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
    lambda: product(range(3), range(1, 4), range(2, 5)),
)
small_shifts = cases(
    "mu = t, for targets t = 1/10, ..., 1/10^11 and bounds B = 1, 10, 10^6; x = -(B + 1)/mu",
    "x mu target bound",
    lambda: ((-(bound + 1) / mu, mu, mu, bound) for mu, bound in product(_TARGETS, (1, 10, 10**6))),
)
infinitely_apart = cases(
    GRID_SCOPE,
    "p q",
    lambda: ((p, q) for p, q in product(GRID, repeat=2) if Multiplicative().distance(p, q).is_infinite),
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

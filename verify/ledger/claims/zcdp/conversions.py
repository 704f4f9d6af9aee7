"""Rényi divergences of one order, and what D_NoR gives and keeps: conversions, post-processing, composition."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.budgets.zcdp import pure_to_zcdp, zcdp_to_approximate
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.spec.output_premetrics.variation import hockey_stick as excess_over
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    approximate_multiplicative,
    divergence_sum,
    false_of,
    joint_law,
    middle,
    rate_from_above,
    shown,
    squared_from_above,
    squared_from_below,
)
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE, coin, enclosed, laws_of
from stirred.verify.ledger.language_names import exp, get, ln, sqrt
from stirred.verify.ledger.words import hockey_stick, image, mixed, multiplicative, outcomes, total_variation

# Renyi divergences of one order: of independent pairs, along chains, and after processing

_G = "article, Appendix G"
_FINITE = "discrete laws, finite divergences"
_ORDERS = (2, 3, 4)
_BY_SUMS = "by exp((a-1) D_a), which is rational for integers a"
pairs = cases(f"{GRID_SCOPE}; a = 2, 3, 4, {_BY_SUMS}", "p q a")(lambda: product(GRID, GRID, _ORDERS))

own("renyi.nonnegative", _G)(
    "D_a(P||Q) >= 0 for all a > 1 and all laws P and Q.",
    every(pairs, lambda p, q, a: divergence_sum(p, q, a) >= 1),
    mutant("D_a(P||Q) > 0", lambda p, q, a: divergence_sum(p, q, a) > 1),
    theorem("normalized_renyi.renyi_ge0", within=_FINITE),
)

two_coins = cases(f"coins in fifths, two against two; a = 2, 3, 4, {_BY_SUMS}", "p q r s a")(
    lambda: product(*[laws_of(2, 5)] * 4, _ORDERS)
)

pairs_add_up = lambda p, q, r, s, a: (
    divergence_sum(joint_law(p, r), joint_law(q, s), a) == divergence_sum(p, q, a) * divergence_sum(r, s, a)
)
pairs_as_larger = lambda p, q, r, s, a: (
    divergence_sum(joint_law(p, r), joint_law(q, s), a) == max(divergence_sum(p, q, a), divergence_sum(r, s, a))
)

own("renyi.independent", _G)(
    "For all a > 1 Renyi divergences of independent pairs add up: D_a(P x P'||Q x Q') = D_a(P||Q) + D_a(P'||Q').",
    every(two_coins, pairs_add_up),
    mutant("the larger one for the sum", pairs_as_larger),
    theorem("normalized_renyi.renyi_joint", within=f"{_FINITE}, outcomes with decidable equality"),
)

_FULL = [law for law in GRID if len(law) == 3]
chains = cases(f"{GRID_SCOPE}, Q and R with full support; a = 2, 3 and k = 2, {_BY_SUMS}", "p q r a")(
    lambda: product(GRID, _FULL, _FULL, (2, 3))
)

triangle_of_orders = lambda p, q, r, a: (
    divergence_sum(p, r, a) ** (2 * a - 1)
    <= divergence_sum(p, q, 2 * a - 1) ** a * divergence_sum(q, r, 2 * a) ** (a - 1)
)

own("renyi.weak-triangle", _G)(
    """For all a > 1 and k > 1, D_a(P||R) <= ka/(ka-1) D_b(P||Q) + D_ka(Q||R) with b = (ka-1)/(k-1): the triangle
    inequality that Renyi divergences have at the price of larger orders.""",
    every(chains, triangle_of_orders),
    mutant(
        "all of order a, without the factor",
        lambda p, q, r, a: divergence_sum(p, r, a) <= divergence_sum(p, q, a) * divergence_sum(q, r, a),
    ),
    theorem("nor_metric.renyi_triangle", within=_FINITE),
    reading="at k = 2 and multiplied by (a-1)(2a-1), both sides are logarithms of products of sums",
)


@cases(f"coins in fourths, all kernels to coins in thirds; a = 2, 3, 4, {_BY_SUMS}", "p q k a")
def processed() -> Iterator[tuple[Any, ...]]:
    kernels = [{0: one, 1: other} for one, other in product(laws_of(2, 3), repeat=2)]
    return product(laws_of(2, 4), laws_of(2, 4), kernels, _ORDERS)


sum_after_kernel = lambda p, k, q, a, more: (
    divergence_sum(mixed(p, k), mixed(q, k), a + more) <= divergence_sum(p, q, a)
)

own("renyi.processing", _G)(
    "For all a > 1 and every kernel kappa from outcomes to outcomes, D_a(kappa o P||kappa o Q) <= D_a(P||Q).",
    every(processed, sum_after_kernel, more=0),
    mutant("order a + 1 after processing", {"more": 1}),
    theorem("nor_processing.renyi_processing", within=_FINITE),
)

# what D_NoR gives and keeps: conversions, post-processing and composition; and what D_Mult^delta does not keep

largest_difference = lambda p, q: max(abs(get(p, t, 0) - get(q, t, 0)) for t in outcomes(p, q))
excess_beyond = lambda p, q, epsilon: hockey_stick(p, q, exp(epsilon))
converted_budget = lambda rho2, factor, delta: rho2 + factor * sqrt(rho2 * -ln(delta))

_DISCRETE = "discrete laws"


@cases(f"{GRID_SCOPE}; coins 1/2 against 1/2 + 1/10^k, k = 1, 2", "p q")
def finitely_apart() -> Iterator[tuple[Law[int], Law[int]]]:
    close = [(coin(Fraction(1, 2)), coin(Fraction(1, 2) + Fraction(1, 10**k))) for k in (1, 2)]
    return ((p, q) for p, q in (*product(GRID, repeat=2), *close) if p != q and set(p) == set(q))


def from_pure(p: Law[int], q: Law[int], *, divisor: int = 2) -> Witness | None:
    """D_NoR(P, Q)^2 <= D_Mult(P, Q)^2/divisor."""
    case: dict[str, Any] = {"p": p, "q": q, "divisor": divisor}
    found, bound = enclosed(p, q), pure_to_zcdp(Multiplicative().distance(p, q)).lower * Fraction(2, divisor)
    if found is not None and found.upper <= bound:
        return shown(
            lambda p, q, orders, divisor: squared_from_above(p, q, orders) <= ln(multiplicative(p, q)) ** 2 / divisor,
            above=[(p, q, middle(found.upper, bound))],
            **case,
        )
    return false_of(
        lambda p, q, orders, divisor: squared_from_below(p, q, orders) <= ln(multiplicative(p, q)) ** 2 / divisor,
        **case,
    )


own("zcdp.from-pure", "Bun and Steinke (2016), Proposition 1.4")(
    "eps-DP implies zCDP with rho^2 = eps^2/2: D_NoR(P, Q)^2 <= D_Mult(P, Q)^2/2.",
    theorem("nor_conversion.pure_nor", within=_DISCRETE),
    every(finitely_apart, from_pure, verdict=Verdict.ENCLOSED),
    mutant("eps^2/4 for eps^2/2", {"divisor": 4}),
)


def _binomial(trials: int, p: Fraction) -> Law[int]:
    law = Law({0: Fraction(1)})
    for _ in range(trials):
        law = law.bind(lambda successes: Law({successes: 1 - p, successes + 1: p}))
    return law


_DELTAS = (*(Fraction(1, 10**k) for k in (4, 6, 2, 1)), Fraction(1, 2), Fraction(9, 10))


@cases(
    "coins (1/10, 9/10), (4/10, 6/10), (5/10, 9/10), binomial laws of 12 and 30 trials with p = 2/5 and 3/5; delta = "
    "9/10, 1/2, 10^-1, 10^-2, 10^-4, 10^-6; rho^2 = D_NoR^2, eps rounded down",
    "p q delta",
)
def pairs_and_deltas() -> Iterator[tuple[Law[int], Law[int], Fraction]]:
    near = [(coin(Fraction(n, 10)), coin(Fraction(m, 10))) for n, m in ((1, 9), (4, 6), (5, 9))]
    far = [(_binomial(trials, Fraction(2, 5)), _binomial(trials, Fraction(3, 5))) for trials in (30, 12)]
    return ((p, q, delta) for (p, q), delta in product((*near, *far), _DELTAS))


converted_from_below = lambda p, q, orders, factor, delta: converted_budget(
    squared_from_below(p, q, orders), factor, delta
)
converted_from_above = lambda p, q, orders, factor, delta: converted_budget(
    rate_from_above(p, q, orders), factor, delta
)


def to_approximate(p: Law[int], q: Law[int], delta: Fraction, *, factor: int = 2) -> Witness | None:
    """(P - e^eps Q)(S) <= delta both ways for all S, at eps = rho^2 + factor*rho*sqrt(-ln delta)."""
    found = enclosed(p, q)
    if found is None:
        return None
    printed = zcdp_to_approximate(found.lower, delta)
    gamma = exponential(found.lower + (printed.lower - found.lower) * Fraction(factor, 2)).lower
    case: dict[str, Any] = {"p": p, "q": q, "delta": delta, "factor": factor}
    if max(excess_over(p, q, gamma), excess_over(q, p, gamma)) <= delta:
        return shown(
            lambda p, q, orders, factor, delta: (
                excess_beyond(p, q, converted_from_below(p, q, orders, factor, delta)) <= delta
                and excess_beyond(q, p, converted_from_below(p, q, orders, factor, delta)) <= delta
            ),
            below=[(p, q)],
            **case,
        )
    return false_of(  # D_NoR^2 is one of the two rates
        lambda p, q, orders, factor, delta: (
            excess_beyond(p, q, converted_from_above(p, q, orders, factor, delta)) <= delta
            or excess_beyond(p, q, converted_from_above(q, p, orders, factor, delta)) <= delta
        ),
        **case,
    )


state("zcdp.to-approximate", "article, Remark 4")(
    """… following the USCB, we use the formula from Bun and Steinke (2016), eps = rho^2 + 2 rho sqrt(-ln delta), to
    convert from a zCDP budget rho^2 to an approximate DP budget (eps, delta).""",
    theorem("nor_conversion.nor_approximate", "nor_conversion.zcdp_approximate", within=_DISCRETE),
    every(pairs_and_deltas, to_approximate, verdict=Verdict.ENCLOSED),
    mutant("rho sqrt(-ln delta) for 2 rho sqrt(-ln delta)", {"factor": 1}),
    reading="D_NoR(P, Q) <= rho implies P(S) <= e^eps Q(S) + delta for all events S and delta in (0, 1)",
)

pairs_and_functions = cases(f"{GRID_SCOPE}, all functions of the outcome with two values", "p q lone")(
    lambda: ((p, q, lone) for p, q, lone in product(GRID, GRID, range(3)) if set(p) == set(q))
)

joins_same_ratios = lambda p, q, f: all(p[s] * q[t] == q[s] * p[t] for s in p for t in p if f[s] == f[t])


def post_processed(p: Law[int], q: Law[int], lone: int, *, factor: int = 1) -> Witness | None:
    """factor*D_NoR(f(P), f(Q))^2 <= D_NoR(P, Q)^2, where f joins all outcomes but one."""
    f = {t: int(t == lone) for t in range(3)}
    images = p.push(f.__getitem__), q.push(f.__getitem__)
    whole, part = enclosed(p, q), enclosed(*images)
    case: dict[str, Any] = {"p": p, "q": q, "f": f, "factor": factor}
    if whole is not None and part is not None:
        if factor == 1 and _same_ratios(p, q, lone):
            return settled(True, joins_same_ratios, lambda: {"p": p, "q": q, "f": f})
        if factor * part.upper <= whole.lower:
            return shown(
                lambda p, q, f, orders, factor: (
                    factor * squared_from_above(image(p, f), image(q, f), orders) <= squared_from_below(p, q, orders)
                ),
                above=[(*images, middle(part.upper, whole.lower / factor))],
                below=[(p, q)],
                **case,
            )
        if factor * part.lower <= whole.upper:
            raise EngineError(f"seven digits do not decide P = {p}, Q = {q}, f = {f}")
    return false_of(
        lambda p, q, f, orders, factor: (
            factor * squared_from_below(image(p, f), image(q, f), orders) <= squared_from_above(p, q, orders)
        ),
        **case,
    )


def _same_ratios(p: Law[int], q: Law[int], lone: int) -> bool:
    """Whether the outcomes that are joined have one likelihood ratio, so that every divergence stays the same."""
    s, t = (one for one in range(3) if one != lone)
    return p.numeric(s) * q.numeric(t) == q.numeric(s) * p.numeric(t)


_SECTION = "dissertation, section 2.5"

state("zcdp.post-processing", _SECTION)(
    "The DP flavor (X, D, d_X, D_NoR) is also immune to post-processing …",
    theorem(
        "nor_processing.nor_processing",
        "nor_processing.zcdp_processing",
        within="discrete laws, d_X in N or oo, kernels too",
    ),
    every(pairs_and_functions, post_processed, verdict=Verdict.ENCLOSED),
    mutant("D_NoR^2 of the image at most halved for at most kept", {"factor": 2}),
    reading="Definition 2.5.2, by (2.11): D_NoR(f(P), f(Q)) <= D_NoR(P, Q) for every function f of the outcome",
)

_FULL_COINS = [law for law in laws_of(2, 5) if len(law) == 2]
_SCOPE = "all laws on two outcomes with denominator 5 and full support; a = 2, 3, 4, where exp((a-1) D_a) is rational"
two_releases = cases(_SCOPE, "a p q r s")(lambda: product((2, 3, 4), *[_FULL_COINS] * 4))
one_seed = cases(f"{_SCOPE}: T_1 = x xor u and T_2 = u with one seed u of the law r", "a r")(
    lambda: product((2, 3, 4), _FULL_COINS)
)

releases_compose = lambda a, p, q, r, s: (
    divergence_sum(joint_law(p, r), joint_law(q, s), a) <= divergence_sum(p, q, a) * divergence_sum(r, s, a)
)
within_larger = lambda a, p, q, r, s: (
    divergence_sum(joint_law(p, r), joint_law(q, s), a) <= max(divergence_sum(p, q, a), divergence_sum(r, s, a))
)
composes_with_one_seed = lambda a, r: (
    divergence_sum({(t, t): r[t] for t in r}, {(1 - t, t): r[t] for t in r}, a)
    <= divergence_sum(r, {1 - t: r[t] for t in r}, a) * divergence_sum(r, r, a)
)

state("zcdp.composition", _SECTION)(
    """The DP flavor (X, D, d_X, D_NoR) is also … closed under fresh self-composition. However, instead of linear
    composition …, the privacy loss of (T_1, T_2) is bounded by sqrt(rho_1^2 + rho_2^2) when T_i satisfies rho_i-DP(X,
    D, d_X, D_NoR) (assuming T_1 and T_2 have independent seeds).""",
    theorem(
        "normalized_renyi.nor_joint",
        "normalized_renyi.zcdp_composition",
        within="discrete laws on outcomes with decidable equality, finite budgets, d_X in N or oo",
    ),
    every(two_releases, releases_compose),
    mutant("max(rho_1, rho_2) for the root of the sum of squares", within_larger),
    mutant("one seed for both", every(one_seed, composes_with_one_seed)),
)

_THIRD = Fraction(1, 3)
small_releases = cases("all laws on two outcomes with denominator 3", "p q r s")(
    lambda: product(laws_of(2, 3), repeat=4)
)


def _merges(outcomes: int) -> tuple[tuple[int, ...], ...]:
    """All functions of so many outcomes, up to the names of their values: f(t) is a value met before, or the next."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(outcomes):
        found = [(*values, value) for values in found for value in range(len(set(values)) + 1)]
    return tuple(found)


merged = cases("all laws on four outcomes with denominator 3 under all functions of the outcome", "p q f")(
    lambda: product(laws_of(4, 3), laws_of(4, 3), _merges(4))
)
_CHOICES = "dissertation, section 2.4.5"

# (2.10), as e^D where that is a product, and (2.11)
approximate_composes = lambda p, q, r, s: (
    approximate_multiplicative(joint_law(p, r), joint_law(q, s), 1 / 3)
    <= approximate_multiplicative(p, q, 1 / 3) * approximate_multiplicative(r, s, 1 / 3)
)

state("premetrics.composition.printed", _CHOICES)(
    """For example, a DP flavor with any of the above choices for D_Pr will always satisfy composition and
    post-processing.""",
    every(small_releases, approximate_composes),
    reading="""(2.10) and (2.11) for D_Mult^delta, a choice above with delta inside D_Pr (section 2.4.6); other rules
    for its eps fail too, for two releases at 0 are together at oo""",
    grade=incomplete("the deltas must add up too: section 2.5 leaves budgets of eps and delta to other work"),
)

pure_composes = lambda p, q, r, s: (
    multiplicative(joint_law(p, r), joint_law(q, s)) <= multiplicative(p, q) * multiplicative(r, s)
)
variation_composes = lambda p, q, r, s: (
    total_variation(joint_law(p, r), joint_law(q, s)) <= total_variation(p, q) + total_variation(r, s)
)
pure_processes = lambda p, q, f: multiplicative(image(p, f), image(q, f)) <= multiplicative(p, q)
variation_processes = lambda p, q, f: total_variation(image(p, f), image(q, f)) <= total_variation(p, q)

own("premetrics.composition", _CHOICES)(
    """For D_Mult and D_TV, D_Pr(P x P', Q x Q') <= D_Pr(P, Q) + D_Pr(P', Q') and, for every function f of the outcome,
    D_Pr(P, Q) >= D_Pr(f(P), f(Q)).""",
    theorem(
        *("pure.mult_product", "pure.mult_postprocessing"),
        *("output_distances.tv_product", "output_distances.tv_postprocessing"),
        within="finitely many outcomes",
    ),
    every(small_releases, lambda p, q, r, s: pure_composes(p, q, r, s) and variation_composes(p, q, r, s)),
    mutant("D_Mult^(1/3) among them", approximate_composes),
    every(merged, lambda p, q, f: pure_processes(p, q, f) and variation_processes(p, q, f)),
    mutant(
        "the largest difference max_t |P(t) - Q(t)| for D_TV",
        lambda p, q, f: largest_difference(image(p, f), image(q, f)) <= largest_difference(p, q),
    ),
    repairs="premetrics.composition.printed",
)

releases_and_deltas = cases(
    "all laws on two outcomes with denominator 3; delta, delta' = 0, 1/3; 1/6, 1/6; 1/3, 1/3", "p q r s first second"
)(
    lambda: (
        (*laws, *deltas)
        for laws in product(laws_of(2, 3), repeat=4)
        for deltas in ((0, _THIRD), (_THIRD / 2, _THIRD / 2), (_THIRD, _THIRD))
    )
)

adds = lambda p, r, q, s, first, second, share: (
    approximate_multiplicative(joint_law(p, r), joint_law(q, s), (first + second) / share)
    <= approximate_multiplicative(p, q, first) * approximate_multiplicative(r, s, second)
)

own("premetrics.composition.approximate", _CHOICES)(
    "D_Mult^(delta + delta')(P x P', Q x Q') <= D_Mult^delta(P, Q) + D_Mult^delta'(P', Q').",
    theorem("output_distances.approximate_product", within="finitely many outcomes"),
    every(releases_and_deltas, adds, share=1),
    mutant("their mean for delta + delta'", {"share": 2}),
    repairs="premetrics.composition.printed",
)

"""Renyi divergences of one order: of independent pairs, along chains, and after processing."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, mutant, own, theorem
from stirred.verify.ledger.claims.zcdp.divergences import divergence_sum, joint_law
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE, laws_of
from stirred.verify.ledger.words import mixed

_G = "article, Appendix G"
_FINITE = "discrete laws, finite divergences"
_ORDERS = (2, 3, 4)
_BY_SUMS = "by exp((a-1) D_a), which is rational for integers a"
pairs = cases(f"{GRID_SCOPE}; a = 2, 3, 4, {_BY_SUMS}", "p q a", lambda: product(GRID, GRID, _ORDERS))

own("renyi.nonnegative", _G)(
    "D_a(P||Q) >= 0 for all a > 1 and all laws P and Q.",
    every(pairs, lambda p, q, a: divergence_sum(p, q, a) >= 1),
    mutant("D_a(P||Q) > 0", lambda p, q, a: divergence_sum(p, q, a) > 1),
    theorem("normalized_renyi.renyi_ge0", within=_FINITE),
)

two_coins = cases(
    f"coins in fifths, two against two; a = 2, 3, 4, {_BY_SUMS}",
    "p q r s a",
    lambda: product(*[laws_of(2, 5)] * 4, _ORDERS),
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
chains = cases(
    f"{GRID_SCOPE}, Q and R with full support; a = 2, 3 and k = 2, {_BY_SUMS}",
    "p q r a",
    lambda: product(GRID, _FULL, _FULL, (2, 3)),
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

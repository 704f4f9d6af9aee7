"""Bounded differential privacy on household-records beside their Hamming distance: article, Appendix H."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, permutations, product
from typing import Any

from stirred.spec.blocks.domain import FiniteDomain, multisets
from stirred.spec.blocks.input_premetric import Neighbors, Order, hamming_unordered, neighbor_premetric
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    dominates,
    middle,
    orders,
    squared_from_above,
    squared_from_below,
)
from stirred.verify.ledger.engines.renyi_grid import enclosed, laws_of
from stirred.verify.ledger.language_names import ln, oo
from stirred.verify.ledger.words import hamming, multiplicative, outcomes

# ends of D_NoR^2: the divergence at the order 1, and what a likelihood ratio of at most g allows
at_least = lambda p, q: sum(p[t] * ln(p[t] / q[t]) for t in p if p[t] > 0) if outcomes(p, q) == set(q) else oo
by_ratio = lambda g: oo if g == oo else ln(g) * (g - 1) / (g + 1)
of_neighbors = lambda P: by_ratio(max([1] + [multiplicative(P[u], P[v]) for u in P for v in P if hamming(u, v) == 1]))

# what a chain of neighbors shows of its ends, with P the laws along it
ends_of_chain = lambda P, power, orders: (
    squared_from_above(P[0], P[len(P) - 1], orders)
    <= (len(P) - 1) ** power * max(squared_from_below(P[i], P[i + 1], orders) for i in range(len(P) - 1))
)

_COINS = laws_of(2, 4)
_D_R = neighbor_premetric(Neighbors.REPLACE_ONE, Order.UNORDERED, "household")
_D_HH = hamming_unordered("household")

# D_NoR^2 between two coins; None for oo
_squared = cache(lambda i, j: enclosed(_COINS[i], _COINS[j]))


@cache
def _distances(domain: FiniteDomain) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
    """The places of neighbors, and of other data sets with their finite distance."""
    pairs = [(i, j, d) for (i, x), (j, y) in permutations(enumerate(domain), 2) if (d := _D_HH(x, y)) is not None]
    near = [(i, j) for (i, x), (j, y) in permutations(enumerate(domain), 2) if _D_R(x, y) == 1]
    return near, [(i, j, int(d)) for i, j, d in pairs if d > 1]


@cache
def _chains(domain: FiniteDomain) -> tuple[tuple[int, ...], ...]:
    """For the places of data sets at a distance above 1 a chain of so many steps between neighbors, where there is one.

    Each pair is named in one order.
    """
    neighbors, others = _distances(domain)
    found = []
    for i, j, distance in others:
        chains: list[tuple[int, ...]] = [(i,)]
        for _ in range(distance):
            chains = [(*chain, after) for chain in chains for before, after in neighbors if before == chain[-1]]
        found += [chain for chain in chains if chain[-1] == j][:1] if i < j else []
    return tuple(found)


@cache
def _along(coins: tuple[int, ...], power: int) -> Mapping[str, Any]:
    """The case of `ends_of_chain` for coins along a chain."""
    laws = [_COINS[coin] for coin in coins]
    steps = [_squared(*step) for step in pairwise(coins)]
    whole, most = _squared(coins[0], coins[-1]), max((one.lower for one in steps if one), default=Fraction(0))
    bound = None if whole is None else middle(whole.upper, len(steps) ** power * most)
    above = [] if bound is None or not bound else [(laws[0], laws[-1], bound)]
    return {"P": laws, "power": power, "orders": orders(above, list(pairwise(laws)))}


def _say_so(domain: FiniteDomain, coins: Sequence[int], power: int) -> None:
    """Say to a certificate what the chains show, or that neighbors are infinitely far apart, or that no pair is far."""
    neighbors, others = _distances(domain)
    if 2 * len(_chains(domain)) < len(others):
        return  # a pair without a chain
    apart = [(i, j) for i, j in neighbors if _squared(coins[i], coins[j]) is None]
    if apart:
        laws = [_COINS[coins[place]] for place in apart[0]]
        settled(True, lambda P: not (dominates(P[0], P[1]) and dominates(P[1], P[0])), lambda: {"P": laws})
    elif not others:
        settled(True, lambda X: all(hamming(x, y) <= 1 for x in X for y in X), lambda: {"X": domain.points})
    for chain in {tuple(coins[place] for place in one) for one in _chains(domain)} if not apart else ():
        settled(True, ends_of_chain, partial(dict, _along(chain, power)))


_mechanisms = lambda domains, scope: cases(f"{scope}; all mechanisms of coins in quarters", "domain coins")(
    lambda: ((domain, coins) for domain in domains for coins in product(range(len(_COINS)), repeat=len(domain)))
)


def same_budget(domain: FiniteDomain, coins: Sequence[int], *, power: int = 2) -> Witness | None:
    """D_NoR^2 at distance d is at most d^power times its maximum over neighbors: both distances need one budget."""
    neighbors, others = _distances(domain)
    near = [_squared(coins[i], coins[j]) for i, j in neighbors]
    if None in near:
        _say_so(domain, coins, power)
        return None
    low, high = (max((getattr(one, end) for one in near), default=Fraction(0)) for end in ("lower", "upper"))
    for i, j, distance in others:
        whole = _squared(coins[i], coins[j])
        if coins[i] != coins[j] and (whole is None or whole.lower > distance**power * high):
            x, y = domain.points[i], domain.points[j]
            laws = {one: _COINS[coin] for one, coin in zip(domain.points, coins, strict=True)}
            return failure(
                lambda P, x, y, power: at_least(P[x], P[y]) <= hamming(x, y) ** power * of_neighbors(P),
                P=laws,
                x=x,
                y=y,
                power=power,
            )
        if coins[i] != coins[j] and whole is not None and whole.upper > distance**power * low:
            raise EngineError(f"undecided to 7 digits: coins {coins}")
    _say_so(domain, coins, power)
    return None


_ALL_DATA_SETS = _mechanisms(
    [*(multisets(("a", "b"), (n,)) for n in (1, 2, 3)), multisets(("a", "b", "c"), (2,))],
    "all data sets of 1, 2 or 3 household-records of two kinds, or of 2 of three kinds",
)
_OF_ONE_BLOCK = _mechanisms(
    [FiniteDomain((("rural", "rural"), ("urban", "urban")))],
    "two household-records of one block, which agree on the block's kind",
)

state("topdown.bounded-flavors", "article, Appendix H", "dissertation, section B.5")(
    "But (X_CEF, {X_CEF}, d_r_bs^hh, D_NoR) and (X_CEF, {X_CEF}, d_HamS^hh, D_NoR) are equivalent DP flavors …",
    every(_OF_ONE_BLOCK, same_budget, verdict=Verdict.ENCLOSED),
    reading="""d_r_bs is 1 between neighbors and oo beyond (dissertation, (A.2)); a mechanism satisfies both with
    the same budgets; X_CEF is cut by edit constraints and structural zeroes, which Remark 3 says every data set
    satisfies""",
    grade=incomplete(
        "that in X_CEF data sets at distance k are the ends of k changes of one record each, as in all of R^n"
    ),
)

own("topdown.bounded-flavors.chains", "article, Appendix H")(
    """Where data sets of X_CEF at d_HamS^hh = k are the ends of a chain of k + 1 data sets of X_CEF, each a neighbor of
    the next, as where X_CEF is all data sets of possible household-records, a mechanism satisfies (X_CEF, {X_CEF},
    d_r_bs^hh, D_NoR) with budget rho iff it satisfies (X_CEF, {X_CEF}, d_HamS^hh, D_NoR) with it.""",
    theorem(
        *("unit_mechanisms.chains_zcdp", "unit_mechanisms.unordered_chains"),
        within="discrete outcomes; for all data sets of household-records, finitely many of these",
    ),
    every(_ALL_DATA_SETS, same_budget, verdict=Verdict.ENCLOSED),
    mutant("D_NoR^2, the standard parameterization, for D_NoR", {"power": 1}),
    mutant("X lacks the data sets between", _OF_ONE_BLOCK),
    repairs="topdown.bounded-flavors",
)

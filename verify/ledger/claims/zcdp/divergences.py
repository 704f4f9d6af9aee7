"""The words for Rényi divergences, and the laws that statements about D_NoR are tried on.

D_NoR^2 is a supremum over all orders, of which a witness needs a bound that replay computes. From below, each order
gives one. From above: D_alpha does not decrease in alpha, so between two orders D_alpha/alpha is at most the larger
order's divergence over the smaller order, and beyond the last one the max-divergence over it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from stirred.spec.laws.law import Law
from stirred.verify.engines.zcdp.normalized_renyi import renyi_supremum
from stirred.verify.engines.zcdp.order_cover import Bounded, order_cover
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, settled, unless
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE, coin, laws_of
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.language_names import exp, get, ln, oo, subsets
from stirred.verify.ledger.words import likelihood_ratio, outcomes, probability

Pair = tuple[Law[Any], Law[Any]]

dominates = lambda q, p: all(get(q, t, 0) > 0 for t in p if p[t] > 0)
divergence_sum = lambda p, q, a: sum(p[t] ** a / q[t] ** (a - 1) for t in p if p[t] > 0) if dominates(q, p) else oo
renyi_term = lambda p, q, a: q * exp(a * ln(p / q))
divergence_of_order = lambda p, q, a: (
    ln(sum(renyi_term(p[t], q[t], a) for t in p if p[t] > 0)) / (a - 1) if dominates(q, p) else oo
)
max_divergence = lambda p, q: ln(likelihood_ratio(p, q)) if dominates(q, p) else oo
rate_from_below = lambda p, q, orders: max(divergence_of_order(p, q, a) * (1 / a) for a in orders[1:])
rate_from_above = lambda p, q, orders: max(
    [divergence_of_order(p, q, b) * (1 / a) for a, b in zip(orders, orders[1:])]
    + [max_divergence(p, q) * (1 / orders[-1])]
)
squared_from_below = lambda p, q, orders: max(rate_from_below(p, q, orders), rate_from_below(q, p, orders))
squared_from_above = lambda p, q, orders: max(rate_from_above(p, q, orders), rate_from_above(q, p, orders))
joint_law = lambda p, q: {(s, t): p[s] * q[t] for s in p for t in q}

# e^D_Mult^delta as it is printed; of the max-divergence the events S with P(S) > delta
ratio_of_events = lambda p, q, e, d: (probability(p, e) - d) / probability(q, e) if probability(q, e) > 0 else oo
one_sided_sup = lambda p, q, delta: max(
    ratio_of_events(p, q, e, delta) for e in subsets(outcomes(p, q)) if probability(p, e) > delta
)
approximate_multiplicative = lambda p, q, delta: max(1, one_sided_sup(p, q, delta), one_sided_sup(q, p, delta))

_GRIDS = (("0", "1/2", "1", "2", "3", "5"), ("0", "1/4", "1/2", "3/4", "1", "3/2", "2", "3", "5"))
"""Steps beyond the first order, ever finer."""

_NEAR = 1 + Fraction(1, 2**24)
"""The order that stands for the limit at 1."""


def false_of(claimed: Callable[..., Any], *, start: Fraction = Fraction(1), **case: Any) -> Witness:
    """The failure of a sentence on D_NoR, with as many orders as its bounds need.

    Args:
        claimed: a sentence that takes `orders`.
        start: where the orders begin; the supremum over all of them begins at 1.
        **case: what it takes besides.

    Raises:
        EngineError: no grid of orders shows it.
    """
    for steps in _GRIDS:
        if (found := unless(claimed, orders=[start + Fraction(step) for step in steps], **case)) is not None:
            return found
    raise EngineError(f"{text_of(claimed)!r} must fail where the engines say so")


def shown(
    claimed: Callable[..., Any], *, above: Sequence[Bounded] = (), below: Sequence[Pair] = (), **case: Any
) -> Witness | None:
    """Say to a certificate that a sentence on D_NoR holds of a case, with the orders that its bounds need.

    Args:
        claimed: a sentence that takes `orders`.
        above: laws P and Q with what `squared_from_above` has to be at most.
        below: laws P and Q whose `squared_from_below` has to be near D_NoR².
        **case: what it takes besides.
    """
    return settled(True, claimed, lambda: {**case, "orders": orders(above, below)})


def orders(above: Sequence[Bounded], below: Sequence[Pair]) -> list[Fraction]:
    """Orders from 1 that show bounds from above, and from below to seven digits.

    Raises:
        EngineError: none are found.
    """
    cover = order_cover([(*laws, bound) for p, q, bound in above for laws in ((p, q), (q, p))])
    if cover is None:
        raise EngineError(f"no orders show the bounds of {above}")
    attained = {one.order or _NEAR for one in [renyi_supremum(p, q, digits=7) for p, q in below] if one is not None}
    return sorted({Fraction(1), Fraction(2), *cover, *attained})


def middle(low: Fraction, high: Fraction) -> Fraction:
    """A number between two that has few digits, for bounds that others are held against."""
    return ((low + high) / 2).limit_denominator(max(10**6, ceil(4 / (high - low)))) if low < high else low


pairs = cases(GRID_SCOPE, "p q", lambda: product(GRID, repeat=2))
PATH = tuple(coin(Fraction(chance)) for chance in ("1/2", "5/8", "3/4"))
"""Three coins, each more biased than the one before."""

path = cases("coins with chances 1/2, 5/8 and 3/4", "p q r", lambda: iter([PATH]))
triples = cases(f"{GRID_SCOPE}, three at a time", "p q r", lambda: product(GRID, repeat=3))


def but_for_names(outcomes: int, denominator: int, laws: int = 2) -> tuple[tuple[Law[int], ...], ...]:
    """Laws with this denominator, so many at once, one choice of those that differ by the outcomes' names alone."""

    def columns(some: tuple[Law[int], ...]) -> list[tuple[Fraction, ...]]:
        return [tuple(law.numeric(t) for law in some) for t in range(outcomes)]

    chosen = product(laws_of(outcomes, denominator), repeat=laws)
    return tuple(some for some in chosen if columns(some) == sorted(columns(some), reverse=True))


def power_sum(p: Law[Any], q: Law[Any], order: int) -> Fraction | None:
    """Σ P^α·Q^(1−α) = e^((α−1)·D_α(P‖Q)) for an integer α, exact; None for ∞."""
    if not set(p) <= set(q):
        return None
    return sum((p.numeric(t) ** order / q.numeric(t) ** (order - 1) for t in p), Fraction(0))

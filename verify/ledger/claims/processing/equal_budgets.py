"""k releases of one (ε, δ): what they satisfy together, and that no better can be said of them."""

from fractions import Fraction
from functools import reduce
from itertools import product
from math import comb

from stirred.verify.ledger import cases, every, mutant, own
from stirred.verify.ledger.claims.zcdp.divergences import joint_law
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.words import hockey_stick

_THEOREM = "Kairouz, Oh and Viswanath (2017), Theorem 3.3"

# e^(k - 2i)eps and the delta of k releases of (ln gamma, delta) at it
delta_at_step = lambda k, i, gamma: sum(
    comb(k, j) * (gamma ** (k - j) - gamma ** (k - 2 * i + j)) / (1 + gamma) ** k for j in range(i)
)
composed_delta = lambda k, i, gamma, delta: 1 - (1 - delta) ** k * (1 - delta_at_step(k, i, gamma))

_coin = lambda odds, delta, told: {1: (1 - delta) * odds / (1 + odds), 0: (1 - delta) / (1 + odds), told: delta}
_power = lambda law, k: reduce(joint_law, [law] * k)

dominating = cases(
    "the product of k <= 4 pairs of four outcomes; e^eps = 3/2, 2, 5, delta = 0, 1/10, 1/2", "p q k i gamma delta"
)(
    lambda: (
        (_power(p, k), _power(q, k), k, i, gamma, delta)
        for gamma in (Fraction(3, 2), Fraction(2), Fraction(5))
        for delta in (Fraction(0), Fraction(1, 10), Fraction(1, 2))
        for p, q in [(_coin(gamma, delta, "p"), _coin(1 / gamma, delta, "q"))]
        for k in range(1, 5)
        for i in range(k // 2 + 1)
    )
)

_FINE = tuple(dict.fromkeys(laws_of(3, 3)))
others = cases("two pairs of laws on three outcomes in thirds, e^eps = 2, 3, delta = 1/3", "p q r s i gamma delta")(
    lambda: (
        (*one, *other, i, gamma, Fraction(1, 3))
        for gamma in (Fraction(2), Fraction(3))
        for within in [[(p, q) for p, q in product(_FINE, repeat=2) if _private(p, q, gamma) and _private(q, p, gamma)]]
        for one, other, i in product(within[::7], within[::5], range(2))
    )
)
_private = lambda p, q, gamma: sum(max(0, p[t] - gamma * q.get(t, 0)) for t in p) <= Fraction(1, 3)

own("composition.optimal", _THEOREM)(
    """k releases of (eps, delta) satisfy, at (k - 2i)eps for i = 0, …, floor(k/2), the delta 1 - (1 - delta)^k (1 -
    delta_i), delta_i = sum_{j < i} C(k, j)(e^{(k - j)eps} - e^{(k - 2i + j)eps})/(1 + e^eps)^k; and k releases of the
    pair of which every (eps, delta)-DP pair is a function need no less.""",
    every(
        dominating,
        lambda p, q, k, i, gamma, delta: hockey_stick(p, q, gamma ** (k - 2 * i)) == composed_delta(k, i, gamma, delta),
    ),
    mutant(
        "delta_{i + 1} for delta_i",
        lambda p, q, k, i, gamma, delta: (
            hockey_stick(p, q, gamma ** (k - 2 * i)) == composed_delta(k, i + 1, gamma, delta)
        ),
    ),
    mutant(
        "the deltas added up",
        lambda p, q, k, i, gamma, delta: (
            hockey_stick(p, q, gamma ** (k - 2 * i)) == k * delta + delta_at_step(k, i, gamma)
        ),
    ),
    every(
        others,
        lambda p, q, r, s, i, gamma, delta: (
            hockey_stick(joint_law(p, r), joint_law(q, s), gamma ** (2 - 2 * i)) <= composed_delta(2, i, gamma, delta)
        ),
    ),
    mutant(
        "the larger delta for what both come to",
        lambda p, q, r, s, i, gamma, delta: (
            hockey_stick(joint_law(p, r), joint_law(q, s), gamma ** (2 - 2 * i)) <= delta + delta_at_step(2, i, gamma)
        ),
    ),
)

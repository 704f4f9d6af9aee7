"""Trade-off functions: their shape, which functions they are, and in which sense they are output premetrics."""

from fractions import Fraction
from itertools import chain, combinations_with_replacement, pairwise, permutations, product

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Tradeoff, tradeoff_curve
from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, some, state
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, subsets
from stirred.verify.ledger.words import hockey_stick, outcomes, probability, same_law

# by the tests that reject a set of outcomes, and one more outcome as often as the level allows
rejected_share = lambda p, s, t, a: min(1, (a - probability(p, s)) / p[t]) if get(p, t, 0) > 0 else 1
best_power = lambda p, q, a, share: max(
    probability(q, s) + share * get(q, t, 0) * rejected_share(p, s, t, a)
    for s in subsets(outcomes(p, q))
    for t in outcomes(p, q) - s
    if probability(p, s) <= a
)

# by duality: the smallest of the lines gamma a + E_gamma(Q || P)
tradeoff_slopes = lambda p, q: {0} | {get(q, t, 0) / p[t] for t in p if p[t] > 0}
tradeoff = lambda p, q, a: min(gamma * a + hockey_stick(q, p, gamma) for gamma in tradeoff_slopes(p, q))


def power_at(p: Law[int], q: Law[int], alpha: Fraction) -> Fraction:
    """Tr(P, Q)(alpha); a curve may start above the origin."""
    curve = tradeoff_curve(p, q)
    return curve[0][1] if alpha == 0 else Tradeoff.at(curve, alpha)


_COINS, _TRIPLES = laws_of(2, 4), laws_of(3, 2)
pairs = cases(
    "all pairs of laws on two outcomes in quarters and on three in halves; all alpha in eighths",
    "p q",
    lambda: chain(product(_COINS, repeat=2), product(_TRIPLES, repeat=2)),
)
is_best_power = lambda p, q, share: all(best_power(p, q, k / 8, share) == tradeoff(p, q, k / 8) for k in range(9))

state("tradeoff.properties", "dissertation, Definition A.6.1 and the text after it")(
    """the tradeoff function Tr(P, Q) : [0, 1] -> [0, 1] is defined as Tr(P, Q)(alpha) = sup_phi {E_{X ~ Q}[phi(X)] :
    E_{X ~ P}[phi(X)] <= alpha} … Let F_Tr be the set of functions f : [0, 1] -> [0, 1] which are continuous, concave,
    non-decreasing and which satisfy f(alpha) >= alpha for all alpha in [0, 1]. Proposition 1 of Dong et al. (2022)
    proves that F_Tr is the set of all tradeoff functions""",
    every(pairs, is_best_power, share=1),
    mutant("deterministic tests only", {"share": 0}),
    every(
        pairs,
        lambda p, q: all(tradeoff(p, q, k / 8) >= max(k / 8, tradeoff(p, q, max(0, k - 1) / 8)) for k in range(9)),
    ),
    reading="here: Tr(P, Q) is in F_Tr; on finite sets it is the smallest of finitely many lines in alpha",
)

shapes = cases(
    "all such f that are linear between 0, 1/3, 2/3 and 1, with values there in sixths; P uniform on three outcomes, Q "
    "with the rises of f there and f(0) on an outcome of its own",
    "f",
    lambda: (
        chosen
        for chosen in combinations_with_replacement([Fraction(k, 6) for k in range(7)], 4)
        for rises in [[g - f for f, g in pairwise(chosen)]]
        if all(a >= b for a, b in pairwise(rises)) and all(f >= Fraction(k, 3) for k, f in enumerate(chosen))
    ),
)

has_values = lambda f, where: all(
    tradeoff({t: 1 / 3 for t in range(3)}, q, k / 3) == f[k]
    for q in [{t: (f[t + 1] - f[t] if t < 3 else 0) + (f[0] if t == where else 0) for t in range(4)}]
    for k in range(4)
)

state("tradeoff.all-functions", "dissertation, section A.6")(
    """Proposition 1 of Dong et al. (2022) proves that F_Tr is the set of all tradeoff functions: F_Tr = {Tr(P, Q) : P,
    Q in P_(Omega, F) for any (Omega, F)}.""",
    every(shapes, has_values, where=3),
    mutant("laws of equal supports only", {"where": 0}),
    reading="here: each function of F_Tr, if it is piecewise linear, is that of two finite laws",
)

_MIDDLE = [pair for pair in permutations(_COINS, 2) if len(pair[0]) == len(pair[1]) == 2]
with_budgets = cases(
    "all pairs of laws on two outcomes in quarters; f = the type II errors of all such R, S; alpha in eighths",
    "p q r s",
    lambda: chain((a + b for a, b in product(_MIDDLE, repeat=2)), product(_COINS, repeat=4)),
)

# f-DP at the trade-off function of r and s: every type II error is at least theirs
errors_at_least = lambda p, q, r, s: all(
    1 - best_power(p, q, k / 8, 1) >= 1 - best_power(r, s, k / 8, 1) for k in range(9)
)

state("tradeoff.type-two", "dissertation, section 2.4.6")(
    """This is the approach taken in f-DP (Dong et al., 2022), where D_Pr(P, Q) is the tradeoff function Tr(P, Q) in [0,
    1]^[0, 1]. (Recall that the tradeoff function Tr(P, Q) maps alpha in [0, 1] to the infimum type II error over all
    level-alpha tests of P (the null) versus Q (the alternative).)""",
    every(
        with_budgets,
        lambda p, q, r, s: (
            all(1 - tradeoff(p, q, k / 8) <= 1 - tradeoff(r, s, k / 8) for k in range(9)) == errors_at_least(p, q, r, s)
        ),
    ),
    reading="the DP condition D_Pr <= f in the pointwise order is f-DP: every type II error is at least f",
    grade=misprint("type II error for power, as Tr is in section 2.5 and Definition A.6.1; the budget is then 1 - f"),
)

own("tradeoff.power", "dissertation, section 2.4.6")(
    """With D_Pr(P, Q)(alpha) the supremum of the power (Definition A.6.1) and the budget 1 - f, at distance 1, the DP
    condition is f-DP: the infimum type II error is at least f(alpha) at every alpha.""",
    every(
        with_budgets,
        lambda p, q, r, s: (
            all(tradeoff(p, q, k / 8) <= tradeoff(r, s, k / 8) for k in range(9)) == errors_at_least(p, q, r, s)
        ),
    ),
    mutant(
        "the budget f for 1 - f",
        lambda p, q, r, s: (
            all(tradeoff(p, q, k / 8) <= 1 - tradeoff(r, s, k / 8) for k in range(9)) == errors_at_least(p, q, r, s)
        ),
    ),
    repairs="tradeoff.type-two",
)

laws = cases(
    "all laws on two outcomes in quarters and on three in halves; alpha in eighths",
    "p",
    lambda: iter((*_COINS[1:], _COINS[0], *_TRIPLES)),
)
triples = cases(
    "all triples of laws on two outcomes in quarters; alpha in eighths", "p q r", lambda: product(_COINS, repeat=3)
)

excess_at = lambda k, p, q: tradeoff(p, q, k / 8) - k / 8

state("tradeoff.premetric", "dissertation, section 2.4.6")(
    """The second option is to generalize the definition of a probability premetric to have a multidimensional codomain
    [0, oo]^d … This is the approach taken in f-DP (Dong et al., 2022), where D_Pr(P, Q) is the tradeoff function Tr(P,
    Q) in [0, 1]^[0, 1].""",
    every(laws, lambda p: all(tradeoff(p, p, k / 8) == 0 for k in range(9))),
    every(laws, lambda p: all(1 - tradeoff(p, p, k / 8) == 0 for k in range(9))),
    reading="each component of the premetric is 0 for equal laws; Tr as in Definition A.6.1, or as type II error",
    grade=incomplete("that 0 is read as the least trade-off function, alpha, which Proposition A.6.3 takes off"),
)

excess_is_symmetric = lambda p, q: all(excess_at(k, p, q) == excess_at(k, q, p) for k in range(9))

own("tradeoff.premetric.excess", "dissertation, section 2.4.6")(
    """Tr(P, Q)(alpha) - alpha, with Tr as in Definition A.6.1, is at least 0 for all alpha, and 0 for all alpha iff P =
    Q: a positive premetric. It is not symmetric, nor triangular at each alpha.""",
    every(pairs, lambda p, q: all(excess_at(k, p, q) >= 0 for k in range(9))),
    mutant("Tr for Tr - alpha", lambda p, q: all(tradeoff(p, q, k / 8) == 0 for k in range(9)) == same_law(p, q)),
    mutant("a symmetric one", excess_is_symmetric),
    every(pairs, lambda p, q: all(excess_at(k, p, q) == 0 for k in range(9)) == same_law(p, q)),
    some(pairs, lambda p, q: not excess_is_symmetric(p, q)),
    mutant(
        "a triangular one",
        every(
            triples,
            lambda p, q, r: all(excess_at(k, p, r) <= excess_at(k, p, q) + excess_at(k, q, r) for k in range(9)),
        ),
    ),
    repairs="tradeoff.premetric",
)

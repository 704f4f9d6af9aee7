"""Indistinguishability: what pure DP guarantees at every outcome, and which other distorting functions do."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.between import is_between
from stirred.verify.ledger.claims.intervals.density_ratio import constant_odds, on_space, same_support
from stirred.verify.ledger.claims.intervals.lipschitz import is_lipschitz, on_graphs, on_metrics
from stirred.verify.ledger.claims.intervals.measures import by_events, finite_pairs, mutual, scaled
from stirred.verify.ledger.claims.zcdp.divergences import but_for_names, divergence_sum, dominates
from stirred.verify.ledger.language_names import ln, oo
from stirred.verify.ledger.words import distance, multiplicative, total_variation

halving = lambda t: (1 / 2) ** (t + 1)
by_thirds = lambda t: 2 / 3 * (1 / 3) ** t
ratio_within = lambda mu, nu, a, b: mutual(mu, nu) and all(a * mu[t] <= nu[t] and nu[t] <= b * mu[t] for t in mu)
all_possible_alike = lambda laws, d: all(
    (laws[x][t] > 0) == (laws[y][t] > 0) for x in laws for y in laws if distance(d, x, y) < oo for t in laws[x]
)
all_mutual = lambda laws, d: all(mutual(laws[x], laws[y]) for x in laws for y in laws if distance(d, x, y) < oo)
alike_everywhere = lambda laws, d: all_mutual(laws, d) and all_possible_alike(laws, d)
alike_without_connection = lambda laws, d, root: (
    not is_lipschitz(laws, d, root)
    or all((laws[x][t] > 0) == (laws[y][t] > 0) for x in laws for y in laws for t in laws[x])
)

state("interval.indistinguishable.alike", "dissertation, Remark 5.3.7")(
    """It implies that, for an eps-DP mechanism, all connected P_x are mutually absolutely continuous. Further, for all
    connected x, x' in X and all t in T, either p_x(t) and p_x'(t) are both zero or both non-zero. In intuitive terms,
    this means that if any x is plausible after observing T = t (i.e. p_x(t) > 0) then all its connections x' in [x] are
    also plausible.""",
    every(on_graphs, lambda laws, d, root: not is_lipschitz(laws, d, root) or alike_everywhere(laws, d)),
    mutant("unconnected data sets too", alike_without_connection),
    mutant("without eps-DP", lambda laws, d: all_mutual(laws, d)),
    every(on_metrics, lambda laws, d, root: not is_lipschitz(laws, d, root) or alike_everywhere(laws, d)),
    reading="discrete T; eps < oo",
)

_ENDS = tuple(product(map(Fraction, ("1/3", "1/2", "1")), map(Fraction, ("1", "3/2", "3"))))
bounded = cases(f"{finite_pairs.scope}; a = 1/3, 1/2, 1 and b = 1, 3/2, 3", "mu nu a b")(
    lambda: ((*pair, *ends) for pair, ends in product(finite_pairs, _ENDS))
)

state("interval.indistinguishable.bounded", "dissertation, Remark 5.3.7")(
    """p_x(t)/p_x'(t) is bounded away from zero and infinity, which is equivalent to P_x' in I(a P_x, b P_x) for some 0
    < a <= 1 <= b < oo. Yet Lemma 5.3.4 states that P_x' in I(a P_x, b P_x) only if D_Mult(P_x, P_x') <= max(-ln a, ln
    b).""",
    every(bounded, lambda mu, nu, a, b: is_between(nu, scaled(mu, a), scaled(mu, b)) == ratio_within(mu, nu, a, b)),
    mutant(
        "bounded from above alone",
        lambda mu, nu, a, b: is_between(nu, scaled(mu, a), scaled(mu, b)) == all(nu[t] <= b * mu[t] for t in mu),
    ),
    mutant(
        "min(-ln a, ln b)", lambda mu, nu, a, b: not ratio_within(mu, nu, a, b) or by_events(mu, nu) <= min(1 / a, b)
    ),
    every(bounded, lambda mu, nu, a, b: not ratio_within(mu, nu, a, b) or by_events(mu, nu) <= max(1 / a, b)),
    reading="the ratio is in [1/b, 1/a] where p_x or p_x' is positive; of measures, laws among them",
)

bounds = cases(
    "P(t) = 2^-(t+1), Q(t) = 2/3 3^-t on T = {0, 1, ...}, both positive everywhere; bounds 10, ..., 10^6; outcomes up "
    "to 40",
    "b",
)(lambda: (10**k for k in range(1, 7)))

state("interval.indistinguishable.categorical", "dissertation, Remark 5.3.7")(
    """Indeed, this categorical notion of indistinguishability requires that p_x(t)/p_x'(t) is bounded away from zero
    and infinity, which is equivalent to P_x' in I(a P_x, b P_x) for some 0 < a <= 1 <= b < oo.""",
    some(bounds, lambda b: all(halving(t) <= b * by_thirds(t) for t in range(41))),
    reading="""the categorical notion is that of the sentences before it: at each t both densities are zero or both are
    not""",
    grade=incomplete(
        "that T is finite, or that the notion is the quantified one of (5.5) at some level, as the remark begins: two "
        "geometric laws are positive on the same outcomes, and their ratio is unbounded"
    ),
)

laws_of_three = cases(
    "all pairs of laws on three outcomes in quarters, but for the outcomes' names", "p q", lambda: but_for_names(3, 4)
)

own("interval.indistinguishable.categorical.repaired", "dissertation, Remark 5.3.7")(
    """On a finite T two laws are positive on the same outcomes iff their ratio is bounded away from zero and infinity,
    that is iff D_Mult < oo.""",
    every(laws_of_three, lambda p, q: same_support(p, q) == (multiplicative(p, q) < oo)),
    mutant("P << Q alone", lambda p, q: dominates(q, p) == (multiplicative(p, q) < oo)),
    repairs="interval.indistinguishable.categorical",
)

_COINS = tuple({0: Fraction(1, 2**k), 1: 1 - Fraction(1, 2**k)} for k in range(1, 9))
_PAIRS = tuple((p, q) for p in (_COINS[0],) for q in _COINS)
_NEAR = tuple({0: Fraction(1, 2) + Fraction(1, 2**k), 1: Fraction(1, 2) - Fraction(1, 2**k)} for k in range(2, 10))
_SQUARES = cases(
    "coins 2^-1, ..., 2^-8 and 1/2 + 2^-2, ..., 1/2 + 2^-9 beside a fair one; alpha = 1, ..., 4", "alpha pairs"
)(lambda: ((alpha, (*_PAIRS, *((_COINS[0], q) for q in _NEAR))) for alpha in range(1, 5)))

squares_bound_or_dominate = lambda alpha, pairs: (
    not all(ln(by_events(p, q)) ** 2 > 1 or by_events(p, q) <= 3 for p, q in pairs)
    or all(ln(by_events(p, q)) <= alpha * ln(by_events(p, q)) ** 2 for p, q in pairs)
)

state("interval.indistinguishable.only-multiplicative", "dissertation, Remark 5.3.7")(
    """This argument demonstrates that the Lipschitz condition (5.2) with another distorting function d_DIST in place of
    D_Mult will not ensure indistinguishability (except in the trivial case where alpha d_DIST >= D_Mult for some
    constant alpha).""",
    some(_SQUARES, squares_bound_or_dominate),
    reading="with d_DIST = D_Mult^2, which bounds the ratio at every eps and distance; here by 3 where it is at most 1",
    grade=incomplete(
        "the exception is wider, and holds for none of the variants that the text names: that D_Mult is bounded on "
        "each ball, as it is for its powers, and for d_COR and radii below 1"
    ),
)

in_eighths = cases(
    "all pairs of laws on three outcomes in eighths, but for their names", "p q", lambda: but_for_names(3, 8)
)
bounded_by_odds = lambda p, q, power: (
    multiplicative(p, q) == oo
    or multiplicative(p, q) ** power * (1 - constant_odds(on_space(p, 3), on_space(q, 3))) <= 1
)

own("interval.indistinguishable.only-multiplicative.repaired", "dissertation, Remark 5.3.7")(
    """For a distorting function d_DIST the condition d_DIST(P_x, P_x') <= r ensures a bound on D_Mult(P_x, P_x') iff
    D_Mult is bounded on {(P, Q) : d_DIST(P, Q) <= r}; for d_COR and r < 1 the bound -ln(1 - r) holds, although no alpha
    has alpha d_COR >= D_Mult.""",
    every(in_eighths, lambda p, q: bounded_by_odds(p, q, 1)),
    mutant("-1/2 ln(1 - r)", lambda p, q: bounded_by_odds(p, q, 2)),
    argued(
        "all laws",
        proof="""The first sentence is the definition of a bound. d_COR = 1 - e^-d_DR and D_Mult <= d_DR (Proposition
        13) give D_Mult <= -ln(1 - d_COR). d_COR <= 1, while D_Mult takes arbitrarily large finite values.""",
    ),
    repairs="interval.indistinguishable.only-multiplicative",
)

exponents = cases(
    "the coins 4^-k and 8^-k, k = 2, ..., 20, and the pairs (1 - delta, delta, 0), (1 - delta, 0, delta), delta = 4^-k",
    "k",
)(lambda: iter(range(2, 21)))

coin_at = lambda share: {0: share, 1: 1 - share}
one_way = lambda k: {0: 1 - (1 / 4) ** k, 1: (1 / 4) ** k}
other_way = lambda k: {0: 1 - (1 / 4) ** k, 2: (1 / 4) ** k}
renyi_bounded = lambda p, q: divergence_sum(p, q, 2) <= 3 and divergence_sum(q, p, 2) <= 3
have_small_budgets = lambda k, ratio: (
    renyi_bounded(coin_at((1 / 4) ** k), coin_at((1 / 8) ** k))
    and multiplicative(coin_at((1 / 4) ** k), coin_at((1 / 8) ** k)) == 2**k
    and total_variation(one_way(k), other_way(k)) == (1 / 4) ** k
    and multiplicative(one_way(k), other_way(k)) == ratio
)

state("interval.indistinguishable.variants", "dissertation, Remark 5.3.7")(
    """This is why common variants of pure eps-DP - such as (eps, delta)-DP (Dwork et al., 2006a), zero-concentrated DP
    (Dwork and Rothblum, 2016; Bun and Steinke, 2016) and Renyi DP (Mironov, 2017) (which, as described in Remark 5.3.6,
    all replace D_Mult with another distorting function d_DIST) - do not guarantee this strong notion of privacy""",
    every(exponents, lambda k: have_small_budgets(k, oo)),
    mutant("a finite ratio under (0, delta)-DP", lambda k: have_small_budgets(k, 4**k)),
    argued(
        "zCDP",
        proof="""Adding N(0, 1/(2 rho)) to a query with two values at distance 1 satisfies rho-zCDP (Bun and Steinke),
        and the ratio of the two densities takes every positive value. A finite D_alpha(P || Q) with alpha > 1 needs P
        << Q.""",
    ),
    reading="""the notion as the remark has come to put it, a bounded ratio of densities (for the categorical one see
    interval.indistinguishable.categorical), here by a function of the budget; of Renyi DP order 2, e^D_2 <= 3; for zCDP
    see the proof. Mutual absolute continuity alone is guaranteed by zCDP and, both ways, by Renyi DP of an order above
    1""",
)

"""The lower probabilities of balls of D_Mult and d_DR: 2-monotone, or belief functions."""

from fractions import Fraction

from stirred.verify.ledger import argued, cases, every, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.between import total_mass
from stirred.verify.ledger.claims.intervals.measures import tuples_of_measures
from stirred.verify.ledger.claims.intervals.polytopes import low_at, low_odds_at, models
from stirred.verify.ledger.language_names import subsets
from stirred.verify.ledger.words import probability

is_two_monotone = lambda v, X: all(v[a | b] + v[a & b] >= v[a] + v[b] for a in subsets(X) for b in subsets(X))
is_two_alternating = lambda v, X: all(v[a | b] + v[a & b] <= v[a] + v[b] for a in subsets(X) for b in subsets(X))
moebius = lambda v, a: sum((0 - 1) ** len(a - b) * v[b] for b in subsets(a))
is_belief = lambda v, X: all(moebius(v, a) >= 0 for a in subsets(X))
is_three_monotone = lambda v, X: all(
    v[a | b | c] >= v[a] + v[b] + v[c] - v[a & b] - v[a & c] - v[b & c] + v[a & b & c]
    for a in subsets(X)
    for b in subsets(X)
    for c in subsets(X)
)
low_of = lambda p, gamma: {a: low_at(p, a, gamma) for a in subsets(set(p))}
low_odds_of = lambda p, gamma: {a: low_odds_at(p, a, gamma) for a in subsets(set(p))}
interval_low = lambda low, high, a: max(probability(low, a), 1 - total_mass(high) + probability(high, a))
interval_low_of = lambda low, high: {a: interval_low(low, high, a) for a in subsets(set(low))}

state("interval.polytope.two-monotone", "dissertation, section C.4, after Definition C.4.2")(
    """de Campos et al. (1994) showed that, under certain restrictions, I_1(e^-eps P_0, e^eps P_0) is 2-monotone.""",
    every(models, lambda p, gamma: is_two_monotone(low_of(p, gamma), set(p))),
    mutant("2-alternating", lambda p, gamma: is_two_alternating(low_of(p, gamma), set(p))),
    mutant("3-monotone", lambda p, gamma: is_three_monotone(low_of(p, gamma), set(p))),
    reading="its lower envelope max(e^-eps P_0(A), 1 - e^eps P_0(A')) is; on a finite set no restriction is needed",
)

probability_intervals = cases(
    "all L <= U in {0, 1/4, 3/4} on three outcomes with L(T) <= 1 <= U(T), but for their names",
    "low high",
    lambda: (
        (low, high)
        for quarters in [tuple(Fraction(k, 4) for k in (0, 1, 3))]
        for low, high in tuples_of_measures(3, quarters, 2)
        for least, most in [(sum(low.values()), sum(high.values()))]
        if all(low[t] <= high[t] for t in low) and least <= 1 <= most
    ),
)

own("interval.polytope.two-monotone.every", "dissertation, section C.4, after Definition C.4.2")(
    """Every probability interval that is not empty has a 2-monotone lower envelope, max(L(A), 1 - U(A')); it is not
    3-monotone in general, not even that of a ball of D_Mult.""",
    every(probability_intervals, lambda low, high: is_two_monotone(interval_low_of(low, high), set(low))),
    mutant("3-monotone", lambda low, high: is_three_monotone(interval_low_of(low, high), set(low))),
    some(probability_intervals, lambda low, high: not is_three_monotone(interval_low_of(low, high), set(low))),
    some(models, lambda p, gamma: not is_three_monotone(low_of(p, gamma), set(p))),
    argued(
        "all finite sets",
        proof="""A convex function f of a measure m has f(m(A + B)) + f(m(AB)) >= f(m(A)) + f(m(B)), as the sums of the
        arguments agree and the outer two lie farther apart. The envelope of I_1(L, U) is L(A) + max(0, c + (U - L)(A))
        with c = 1 - U(T): an additive function and a convex one of the measure U - L. It is attained: start with L
        everywhere, and raise the outcomes outside A first.""",
    ),
)

own("interval.polytope.density-ratio.belief", "dissertation, section C.4, after Definition C.4.2")(
    """The lower probability of a density ratio neighbourhood, P(A)/(P(A) + e^r P(A')), is a belief function: it is
    monotone of every order.""",
    every(models, lambda p, gamma: is_belief(low_odds_of(p, gamma), set(p))),
    mutant("the ball of D_Mult", lambda p, gamma: is_belief(low_of(p, gamma), set(p))),
    mutant(
        "the upper probability",
        lambda p, gamma: is_belief({a: 1 - low_odds_at(p, set(p) - a, gamma) for a in subsets(set(p))}, set(p)),
    ),
    argued(
        "all finite sets",
        proof="""With K = e^r and x = P(A) it is x/(K - (K - 1) x), the sum over k >= 1 of (K - 1)^(k-1)/K^k x^k. P(A)^k
        is the probability that k independent draws from P all lie in A, a belief function; the weights are not negative
        and sum to 1, and a mixture of belief functions is one. It is the least Q(A), attained at the extreme point of
        A'.""",
    ),
)

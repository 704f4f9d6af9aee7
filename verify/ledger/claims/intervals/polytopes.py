"""The geometry of the balls of D_Mult and d_DR among finite laws: polytopes, extreme points, lower probabilities."""

from fractions import Fraction
from itertools import permutations, product
from math import comb

from stirred.spec.budgets.loss import Loss
from stirred.spec.intervals import Contamination, DensityRatioNeighborhood, FiniteMeasure, IntervalOfMeasures
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.linear_program import Infeasible, nonnegative_solution
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, failure, mutant, own, settled, some, state
from stirred.verify.ledger.claims.intervals.measure_intervals import total_mass
from stirred.verify.ledger.claims.intervals.measures import tuples_of_measures
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, subsets
from stirred.verify.ledger.words import probability

# the geometry of the balls of D_Mult and d_DR among the laws on a finite set: polytopes, and their extreme points

low_at = lambda p, a, gamma: max(probability(p, a) / gamma, 1 - gamma * (1 - probability(p, a)))
high_at = lambda p, a, gamma: min(probability(p, a) * gamma, 1 - (1 - probability(p, a)) / gamma)
low_odds_at = lambda p, a, gamma: probability(p, a) / (probability(p, a) + gamma * (1 - probability(p, a)))

# in the order o: what the upper probability of the first k + 1 outcomes adds to that of the first k
greedy = lambda p, o, gamma: {t: high_at(p, o[: k + 1], gamma) - high_at(p, o[:k], gamma) for k, t in enumerate(o)}
greedy_points = lambda p, gamma: {values_of(greedy(p, o, gamma)) for o in permutations(sorted(p))}
values_of = lambda q: [q[t] for t in sorted(q)]
pivots = lambda p, quota: (
    sum(1 for a in subsets(set(p)) for t in p if t not in a and probability(p, a) < quota < probability(p, a) + p[t])
    + sum(1 for a in subsets(set(p)) if probability(p, a) == quota)
)
tilted = lambda p, a, gamma: {t: p[t] * (gamma if t in a else 1) / (1 + (gamma - 1) * probability(p, a)) for t in p}
tilted_points = lambda p, gamma: {
    values_of(tilted(p, a, gamma)) for a in subsets(set(p)) if len(a) > 0 and len(a) < len(p)
}
expectation_of = lambda c, v: sum(a * b for a, b in zip(c, v))
in_odds_ball = lambda q, p, gamma: all(q[s] * p[t] <= gamma * q[t] * p[s] for s in p for t in p)

_GAMMAS = tuple(map(Fraction, ("5/4", "3/2", "2", "3")))
_FULL = [law for n, k in ((2, 6), (3, 6), (4, 6)) for law in laws_of(n, k) if len(law) == n]

_points = lambda p, ball: [[q.numeric(t) for t in p] for q in ball.extreme_points()]
_interval = lambda p, gamma: IntervalOfMeasures.around(FiniteMeasure.of(p), gamma).probabilities()
_neighborhood = lambda p, gamma: DensityRatioNeighborhood(p, Loss(gamma))

_SCOPE = "all laws in sixths with full support on two, three and four outcomes, e^eps = 5/4, 3/2, 2, 3"
models = cases(_SCOPE, "p gamma")(lambda: product(_FULL, _GAMMAS))

_with_points = lambda ball: cases(f"{_SCOPE}; the extreme points that spec lists", "p gamma points")(
    lambda: ((p, g, _points(p, ball(p, g))) for p, g in product(_FULL, _GAMMAS))
)
interval_models, ratio_models = _with_points(_interval), _with_points(_neighborhood)

own("interval.polytope.multiplicative", "dissertation, section C.4, after Definition C.4.2")(
    """The ball of D_Mult around a law P among the laws on n outcomes of positive probability is a polytope, and its
    extreme points are one for each set A with P(A) = 1/(1 + e^eps) and one for each A and t not in A with P(A) < 1/(1 +
    e^eps) < P(A + {t}): e^eps P on A, e^-eps P elsewhere, the rest at t.""",
    every(interval_models, lambda p, gamma, points: len(points) == pivots(p, 1 / (1 + gamma))),
    mutant("1/2 for 1/(1 + e^eps)", lambda p, points: len(points) == pivots(p, 1 / 2)),
    mutant("2^n - 2 of them", lambda p, points: len(points) == 2 ** len(p) - 2),
    every(interval_models, lambda p, gamma, points: set(points) == greedy_points(p, gamma)),
    argued(
        "all finite sets, eps > 0",
        proof="""The ball is a box cut by the hyperplane where the sum is 1. A point of it is extreme iff at most one
        outcome is strictly between its bounds: two such could be moved against each other, and where there is at most
        one, the bounds that are met and the sum fix the point. Let A be the outcomes at the upper bound e^eps P. If all
        outcomes are at a bound, the sum is e^eps m + e^-eps (1 - m) = 1 with m = P(A), that is m = 1/(1 + e^eps). If t
        is strictly between, the sum is below 1 with t at its lower bound and above 1 with t at its upper bound, that is
        P(A) < 1/(1 + e^eps) < P(A + {t}); and each such pair gives a point. Different pairs give different points,
        since A and t can be read off.""",
    ),
    reading='answers "are they polytopes and, if so, how many extremal points do they have?" for eps > 0',
)

most_points = lambda n: n * comb(n - 1, (n - 1) // 2)

own("interval.polytope.multiplicative.most", "dissertation, section C.4, after Definition C.4.2")(
    """The ball of D_Mult has at most n C(n-1, floor((n-1)/2)) extreme points, and attains this number for the uniform
    law on an odd n and small eps > 0.""",
    every(interval_models, lambda p, points: len(points) <= most_points(len(p))),
    mutant("half as many", lambda p, points: len(points) <= most_points(len(p)) // 2),
    some(interval_models, lambda p, points: len(points) == most_points(len(p)) and len(p) == 3),
    argued(
        "all n",
        proof="""Along each of the n! maximal chains of sets, P grows and passes 1/(1 + e^eps) once: at a set, or
        between two consecutive ones. A pair (A, t) with |A| = s lies on s! (n-s-1)! chains, a set A on s! (n-s)!, and
        both are at least n!/(n C(n-1, floor((n-1)/2))). For the uniform law, odd n and 1/(1 + e^eps) between (n-1)/(2n)
        and 1/2, the pairs are those with |A| = (n-1)/2.""",
    ),
)

are_tilted = lambda p, gamma, points: len(set(points)) == 2 ** len(p) - 2 and set(points) == tilted_points(p, gamma)

own("interval.polytope.density-ratio", "dissertation, section C.4, after Definition C.4.2")(
    """The ball of d_DR with radius r > 0 around a law P on n >= 2 outcomes of positive probability is a polytope with
    exactly 2^n - 2 extreme points, whatever P and r: for each set A that is neither empty nor all, P with e^r times the
    odds of A.""",
    every(ratio_models, are_tilted),
    mutant("n (n - 1) of them", lambda p, points: len(set(points)) == len(p) * (len(p) - 1)),
    mutant("e^-r for e^r, less P", lambda p, gamma, points: set(points) == tilted_points(p, gamma**2)),
    argued(
        "all finite sets, r > 0",
        proof="""Q is in the ball iff h = Q/P > 0 has max h <= e^r min h: finitely many linear inequalities, a pointed
        cone of h that meets the simplex in a polytope. An extreme ray has no value strictly between min h and max h =
        e^r min h, else that part of h could be scaled alone, either way; nor is it constant, as h = 1 is in the
        interior. So h is e^r on a set A and 1 elsewhere, up to a factor. Each of these is extreme: the equalities h(s)
        = e^r h(t) for s in A, t not in A leave h one factor. The sets A give different h.""",
    ),
    reading="""answers "are they polytopes and, if so, how many extremal points do they have?" for density ratio
    neighbourhoods, and so for constant odds ratio models""",
)

members = cases(
    "nuclei in fifths on three outcomes, e^r = 3/2, 3; every law in tenths of the ball; the points that spec lists",
    "p gamma q points",
)(
    lambda: (
        case
        for grid in [[law for law in laws_of(3, 10) if len(law) == 3]]
        for p, gamma in product([law for law in laws_of(3, 5) if len(law) == 3], (Fraction(3, 2), Fraction(3)))
        for ball in [_neighborhood(p, gamma)]
        for case in ((p, gamma, q, _points(p, ball)) for q in grid if ball.contains(q))
    )
)


def spanned(
    p: Law[int], gamma: Fraction, q: Law[int], points: list[list[Fraction]], *, left_out: int = 0
) -> Witness | None:
    """Every law of the ball is a mixture of the listed points; else a function has a larger mean under it."""
    kept = points[left_out:]
    answer = nonnegative_solution(
        [[*point, Fraction(1)] for point in kept], [q.numeric(t) for t in range(3)] + [Fraction(1)]
    )
    if not isinstance(answer, Infeasible):
        return settled(
            True,
            lambda shares, points, q: (
                all(share >= 0 for share in shares)
                and sum(shares) == 1
                and all(sum(share * v[t] for share, v in zip(shares, points)) == q[t] for t in q)
            ),
            lambda: {"shares": answer.values, "points": kept, "q": q},
        )
    *function, _ = answer.separator
    return failure(
        lambda p, gamma, q, points, c: (
            not in_odds_ball(q, p, gamma)
            or expectation_of(c, values_of(q)) <= max(expectation_of(c, v) for v in points)
        ),
        p=p,
        gamma=gamma,
        q=q,
        points=kept,
        c=function,
    )


own("interval.polytope.density-ratio.spanned", "dissertation, section C.4, after Definition C.4.2")(
    """Every law of a density ratio neighbourhood is a mixture of the 2^n - 2 laws P with e^r times the odds of an
    event.""",
    every(members, spanned),
    mutant("without the first of them", {"left_out": 1}),
)

_TWELFTHS = [law for law in laws_of(3, 12) if len(law) == 3]
contaminated = cases(
    "nuclei in quarters on three outcomes, shares 1/4, 1/2, 1; laws in twelfths; the extreme points that spec lists",
    "p share q points",
)(
    lambda: (
        (p, share, q, [[v.numeric(t) for t in range(3)] for v in Contamination(p, share, (0, 1, 2)).extreme_points()])
        for p, share, q in product(laws_of(3, 4), map(Fraction, ("1/4", "1/2", "1")), _TWELFTHS[::2])
    )
)

contaminated_by_events = lambda p, share, q: (
    (all(probability(q, s) >= (1 - share) * probability(p, s) for s in subsets(set(p))))
    == (all(q[t] >= (1 - share) * get(p, t, 0) for t in q))
)
are_corners = lambda points, p, share: (
    set(points) == {[(1 - share) * get(p, t, 0) + (share if t == u else 0) for t in range(3)] for u in range(3)}
    and len(set(points)) == 3
)

own("interval.polytope.contamination", "dissertation, Remark C.4.3")(
    """The ball of d_LV with radius r in (0, 1] around P is the contamination class {(1 - r) P + r Q : Q a law}: a
    simplex with n extreme points on a space of n outcomes, one for all of Q on each outcome.""",
    every(contaminated, contaminated_by_events),
    mutant("2^n - 2 of them", lambda points: len(set(points)) == 6),
    every(contaminated, are_corners),
    argued(
        "all finite spaces",
        proof="d_LV(Q', P) <= r iff Q'(S) >= (1 - r) P(S) for all S, iff Q' - (1 - r) P is r times a law.",
    ),
)

with_laws = cases("P uniform on three outcomes, e^r = 2, 3; all laws in twelfths with full support", "p gamma q")(
    lambda: product(
        [Law(dict.fromkeys(range(3), Fraction(1, 3)))], (2, 3), [law for law in laws_of(3, 12) if len(law) == 3]
    )
)

has_odds_above = lambda p, gamma, q: all(low_odds_at(p, a, gamma) <= probability(q, a) for a in subsets(set(p)))

own("interval.polytope.density-ratio.not-by-events", "dissertation, Remark C.4.3")(
    """For n >= 3 a density ratio neighbourhood is smaller than the set of laws above its lower probability: it is the
    credal set of its least expectations, but not of those of events alone.""",
    every(with_laws, lambda p, gamma, q: not in_odds_ball(q, p, gamma) or has_odds_above(p, gamma, q)),
    mutant("they are the same", lambda p, gamma, q: in_odds_ball(q, p, gamma) == has_odds_above(p, gamma, q)),
    some(with_laws, lambda p, gamma, q: not in_odds_ball(q, p, gamma) and has_odds_above(p, gamma, q)),
)

# the lower probabilities of balls of D_Mult and d_DR: 2-monotone, or belief functions

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
    "all L <= U in {0, 1/4, 3/4} on three outcomes with L(T) <= 1 <= U(T), but for their names", "low high"
)(
    lambda: (
        (low, high)
        for quarters in [tuple(Fraction(k, 4) for k in (0, 1, 3))]
        for low, high in tuples_of_measures(3, quarters, 2)
        for least, most in [(sum(low.values()), sum(high.values()))]
        if all(low[t] <= high[t] for t in low) and least <= 1 <= most
    )
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

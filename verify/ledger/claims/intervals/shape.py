"""The shape of distorting functions: continuity of D_Mult in the supremum norm, and quasi-convexity."""

from fractions import Fraction
from itertools import product
from math import isqrt

from stirred.verify.ledger import argued, cases, every, incomplete, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.measures import (
    by_events,
    dominated,
    finite_triples,
    mixture,
    mutual,
    positive_events,
    tuples_of_measures,
)
from stirred.verify.ledger.claims.premetrics.metrics import d_positive, d_symmetric, d_triangular
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, is_law, multiplicative, probability

# continuity of D_Mult with respect to the supremum norm: where it holds, where it fails, and what follows

sup_norm = lambda mu, nu: max(abs(mu[t] - nu[t]) for t in mu)
moved_by = lambda mu, shifts, d: {t: mu[t] + d * shifts[t] for t in mu}
raised = lambda mu, d: {t: mu[t] + d for t in mu}
least_mass = lambda mu: min(mu[t] for t in mu)
is_full = lambda mu: all(mu[t] > 0 for t in mu)
is_broken_near = lambda mu, nu, d: any(
    (by_events(mu, nu) == oo) != (by_events(one, other) == oo)
    for one in [mu, raised(mu, d)]
    for other in [nu, raised(nu, d)]
)
violation = lambda mu, low, high: max(max(low[t] - mu[t], mu[t] - high[t]) for t in mu)
metric_gap = lambda d, x, y, z: (
    0
    if distance(d, x, y) == distance(d, x, z)
    else oo
    if oo in [distance(d, x, y), distance(d, x, z)]
    else abs(distance(d, x, y) - distance(d, x, z))
)
is_extended_metric = lambda d: d_symmetric(d) and d_positive(d) and d_triangular(d)

_GAMMAS = tuple(map(Fraction, ("5/4", "2", "3")))

moves = cases(
    "all measures with masses 1, 2, 3 on three outcomes, but for their names; e^eps = 5/4, 2, 3; each mass moved by "
    "-9/10, 0 or 9/10 of delta",
    "mu gamma shifts",
)(
    lambda: (
        (mu, gamma, dict(enumerate(shifts)))
        for (mu,) in tuples_of_measures(3, (1, 2, 3), 1)
        for gamma, shifts in product(_GAMMAS, product(tuple(map(Fraction, ("-9/10", "0", "9/10"))), repeat=3))
    )
)

stays_near = lambda mu, shifts, gamma, by: by_events(mu, moved_by(mu, shifts, by)) < gamma
delta_of_proof = lambda mu, gamma: least_mass(mu) * (1 - 1 / gamma)
stays_near_by_expansion = lambda mu, gamma, shifts: stays_near(mu, shifts, gamma, least_mass(mu) * (gamma - 1))
stays_near_by_largest = lambda mu, gamma, shifts: stays_near(
    mu, shifts, gamma, max(mu[t] for t in mu) * (1 - 1 / gamma)
)

state("interval.continuity.full-support", "dissertation, Proposition 9")(
    """Suppose that T has finite cardinality. Let F = 2^T and Omega^* = {nu in Omega | nu({t}) > 0 for all t in T}. Then
    D_Mult is continuous when restricted to the domain Omega^* x Omega^*.""",
    every(moves, lambda mu, gamma, shifts: stays_near(mu, shifts, gamma, delta_of_proof(mu, gamma))),
    mutant("e^eps - 1 for 1 - e^-eps", stays_near_by_expansion),
    mutant("the largest mass for the least", stays_near_by_largest),
    argued(
        "any finite T",
        proof="""If |nu_1(t) - nu_2(t)| < delta <= min f (1 - e^-eps) for all t, then nu_2(t)/nu_1(t) > 1 - delta/f(t)
        >= e^-eps, and nu_2(t)/nu_1(t) < 1 + delta/f(t) <= 2 - e^-eps <= e^eps. D_Mult is the largest |ln| of these
        ratios, and by the triangle inequality D_Mult(nu_0, .) changes by no more.""",
    ),
    reading="""with its proof's delta = min f (1 - e^-eps): a move of less than delta changes D_Mult by less than eps
    (Lemma C.4.4)""",
)

events_move_little = lambda mu, gamma, shifts: all(
    probability(moved_by(mu, shifts, delta_of_proof(mu, gamma)), s) <= probability(mu, s) + delta_of_proof(mu, gamma)
    for s in positive_events(mu)
)

state("interval.continuity.full-support.step", "dissertation, Proposition 9, its proof")(
    """Fix some nu_2 in Omega^* with ||nu_1 - nu_2|| < delta. Then, for any S != empty, nu_2(S)/nu_1(S) <= (nu_1(S) +
    delta)/nu_1(S)""",
    every(moves, events_move_little),
    reading="the supremum norm with respect to the counting measure, as the proof takes it",
    grade=misprint(
        "delta for |S| delta: the norm bounds each outcome's move. The next member of the chain, the maximum over t of "
        "(f(t) + delta)/f(t), bounds the ratio for every S"
    ),
)

ratios_move_little = lambda mu, gamma, shifts, k: all(
    probability(moved_by(mu, shifts, delta_of_proof(mu, gamma)), s) / probability(mu, s)
    <= max((mu[t] + k * delta_of_proof(mu, gamma)) / mu[t] for t in s)
    for s in positive_events(mu)
)

own("interval.continuity.full-support.step.repaired", "dissertation, Proposition 9, its proof")(
    """For S of k outcomes and ||nu_1 - nu_2|| < delta: nu_2(S) <= nu_1(S) + k delta, and so nu_2(S)/nu_1(S) <= max over
    t in S of (f(t) + delta)/f(t).""",
    every(moves, ratios_move_little, k=1),
    mutant("half of delta", {"k": Fraction(1, 2)}),
    repairs="interval.continuity.full-support.step",
)

small_moves = cases(
    "all pairs of measures with masses 0, 1, 2 on two outcomes, but for their names; masses raised by delta = 1/n, n = "
    "2, 8, 64",
    "mu nu d",
)(lambda: ((*pair, Fraction(1, n)) for pair in tuples_of_measures(2, (0, 1, 2), 2) for n in (2, 8, 64)))

state("interval.continuity.iff", "dissertation, section 5.2, after the desiderata")(
    """D_Mult(mu, nu) is continuous with respect to the supremum norm if and only if T has finite cardinality and mu and
    nu have support T.""",
    every(small_moves, lambda mu, nu, d: is_broken_near(mu, nu, d) != (is_full(mu) and is_full(nu))),
    mutant("mu alone has support T", lambda mu, nu, d: is_broken_near(mu, nu, d) != is_full(mu)),
    mutant("mu and nu have one support", lambda mu, nu, d: is_broken_near(mu, nu, d) != mutual(mu, nu)),
    argued(
        "any T of infinite cardinality with infinitely many disjoint events, and any finite T",
        proof="""Finite T and full support: Proposition 9, in both arguments by the triangle inequality. Else: if
        D_Mult(mu, nu) = oo, raise both by delta tau with tau >= mu + nu positive on each event: the ratios are at most
        (1 + delta)/delta, so that D_Mult becomes finite. If D_Mult(mu, nu) < oo and an event that is not empty is null
        for nu, give it a little mass under nu alone: D_Mult = oo. There remain infinitely many disjoint events E_n with
        0 < nu(E_n) < oo: let the dominating measure tau be n nu on E_n, and raise nu by delta tau on one E_n; this
        multiplies nu there by 1 + n delta, and D_Mult(mu, nu) grows beyond all bounds with n.""",
    ),
    reading="""at (mu, nu), in both arguments, among all finite measures on a finite T: without full support, moves by
    any delta take D_Mult from a number to oo or back; for infinite T, with infinitely many disjoint events, see
    interval.continuity.infinite""",
)

one_support = cases(
    "all pairs of measures with masses 0, 1, 2 on two outcomes that have one support, but for their names; masses of "
    "this support raised by 1/8",
    "mu nu d",
)(
    lambda: (
        (mu, nu, Fraction(1, 8))
        for mu, nu in tuples_of_measures(2, (0, 1, 2), 2)
        if any(mu.values()) and all((mu[t] > 0) == (nu[t] > 0) for t in mu)
    )
)

finite_on_support = lambda mu, nu, d: (
    by_events({t: mu[t] + d for t in mu if mu[t] > 0}, {t: nu[t] for t in nu if mu[t] > 0}) < oo
)
stays_infinite = lambda mu, nu, d: (
    mutual(mu, nu) or dominated(nu, mu) or all(by_events(mu, one) == oo for one in [nu, raised(nu, d)])
)

own("interval.continuity.one-support", "dissertation, section C.4, after Proposition 9")(
    """On the finite measures of any one finite support A, whether A = T or not, D_Mult is continuous; in the second
    argument alone, D_Mult(mu, .) is oo around each nu that has an outcome which mu has not.""",
    every(one_support, finite_on_support),
    every(small_moves, stays_infinite),
    mutant("raised on all of T", lambda mu, nu, d: by_events(mu, nu) == oo or by_events(mu, raised(nu, d)) < oo),
    argued(
        "finite A",
        proof="""Outcomes outside A have mass 0 under all of these measures and change no ratio: Proposition 9 with A
        for T. If nu(t) > 0 = mu(t), every measure within nu(t) of nu has mass at t, and is at distance oo from mu.""",
    ),
)

infinite = cases("delta = 1/n, n = 1, ..., 200; t_0 = ceil(sqrt(4/delta) + 1)", "n t")(
    lambda: ((n, 1 + isqrt(4 * n - 1) + 1) for n in range(1, 201))
)

# t_0 is ceil(sqrt(4 n) + 1), and the ratio there exceeds a number
exceeds_at = lambda t, n, ratio: (
    (t - 1) ** 2 >= 4 * n and (t - 2) ** 2 < 4 * n and (1 / t**2 + 1 / (4 * n)) / (1 / t**2) > ratio
)

state("interval.continuity.infinite", "dissertation, section C.4, after Proposition 9")(
    """suppose T = {1, 2, ...} with F = 2^T and let mu be the counting measure. Define nu_1({t}) = t^-2. Let eps = ln 2
    and fix 0 < delta < 1. Define nu_2({t}) = 1 - delta/4 if t = 1, t^-2 + delta/4 if t = t_0, t^-2 otherwise, where t_0
    = ceil(sqrt(4 delta^-1) + 1). Then ||nu_1 - nu_2|| < delta but D_Mult(nu_1, nu_2) >= ln((t_0^-2 + delta/4)/t_0^-2) >
    ln 2.""",
    every(infinite, lambda n, t: exceeds_at(t, n, 2)),
    mutant("ln 3 for ln 2", lambda n, t: exceeds_at(t, n, 3)),
    argued("all delta in (0, 1)", proof="t_0 > sqrt(4/delta), so that t_0^2 delta/4 > 1 and the ratio exceeds 2."),
    reading="the ratio at t_0 for these delta; both measures have the total pi^2/6, and divided by it are laws",
)

lost_outcome = cases(
    "T = {0, 1}, delta = 1/n, n = 1, ..., 100: nu_1 = (delta/2, m), nu_2 = (0, m'), m = m' or laws", "mu nu d"
)(
    lambda: (
        ({0: d / 2, 1: 1 - share * d / 2}, {0: Fraction(0), 1: Fraction(1)}, d)
        for d, share in product((Fraction(1, n) for n in range(1, 101)), (0, 1))
    )
)

state("interval.continuity.lost-outcome", "dissertation, section C.4, after Proposition 9")(
    """In the second case, let T be finite, F = 2^T and mu be the counting measure. For some t_0 in T, define
    nu_1({t_0}) = delta/2 and nu_2({t_0}) = 0, and suppose that nu_1({t}) = nu_2({t}) for all t != t_0. Then ||nu_1 -
    nu_2|| < delta but D_Mult(nu_1, nu_2) = oo. These two counterexamples can easily be modified so that nu_1 and nu_2
    are probability measures.""",
    every(lost_outcome, lambda mu, nu, d: sup_norm(mu, nu) < d and by_events(mu, nu) == oo),
    mutant("D_Mult < oo", lambda mu, nu, d: sup_norm(mu, nu) < d and by_events(mu, nu) < oo),
    reading="T has two outcomes",
)

_NAMES = ((0, 1), (0, 2), (1, 2))

metrics = cases("all symmetric premetrics on three points with values 0, 1, 2, 3, oo that are metrics", "d")(
    lambda: (
        d
        for values in product((1, 2, 3, None), repeat=3)
        for d in [{pair: value for (x, y), value in zip(_NAMES, values, strict=True) for pair in ((x, y), (y, x))}]
        for ordered in [[(a if a is not None else 99) for a in values]]
        if 2 * max(ordered) <= sum(ordered) or ordered.count(99) > 1
    )
)

gaps_within = lambda d, share: all(
    metric_gap(d, x, y, z) <= distance(d, y, z) * share for x, y in d for z in [0 + 1 + 2 - x - y, y]
)

state("interval.continuity.sufficient", "dissertation, Lemma C.4.4")(
    """Let d : S x S -> [0, oo] be a metric (where S is a subset of Omega). The following is a sufficient condition for
    d to be continuous: For all mu in Omega, all nu_1 in S & Omega_mu and all eps > 0, there exists delta > 0 such that,
    for all nu_2 in S & Omega_mu, ||nu_1 - nu_2|| < delta => d(nu_1, nu_2) < eps. Proof. This result follows by the
    triangle inequality and symmetry: |d(nu_1, nu_2) - d(nu_1, nu_3)| <= d(nu_2, nu_3).""",
    every(metrics, lambda d: is_extended_metric(d) and gaps_within(d, 1)),
    mutant("half of d(nu_2, nu_3)", lambda d: gaps_within(d, 1 / 2)),
    reading="""the inequality of the proof, for metrics that may be oo, with oo - oo = 0: both are oo or neither is
    where d(nu_2, nu_3) < oo""",
)

outside = cases(
    "all intervals with bounds 0, 1, 2 and all measures outside with masses 0, ..., 3 on two outcomes, but for their "
    "names; each mass moved by -1/2, 0 or 1/2 of the largest violation",
    "mu low high shifts",
)(
    lambda: (
        (mu, low, high, dict(enumerate(shifts)))
        for low, high, mu in tuples_of_measures(2, (0, 1, 2, 3), 3)
        if all(low[t] <= high[t] < 3 for t in low) and any(not low[t] <= mu[t] <= high[t] for t in low)
        for shifts in product((Fraction(-1, 2), Fraction(0), Fraction(1, 2)), repeat=2)
    )
)

stays_outside = lambda mu, shifts, low, high, times: (
    violation(moved_by(mu, shifts, times * violation(mu, low, high)), low, high) > 0
)

state("interval.continuity.closed", "dissertation, Remark 5.3.6", "dissertation, section C.4, after Proposition 9")(
    """That is, I_1(L, U) & Omega_1^* is a closed subset of Omega_1^* = {P in Omega_1 | P({t}) > 0 for all t in T}
    (where closure is respect to the supremum norm), provided that the space T has finite cardinality.""",
    every(outside, lambda mu, low, high, shifts: stays_outside(mu, shifts, low, high, 1)),
    mutant("twice as far", lambda mu, low, high, shifts: stays_outside(mu, shifts, low, high, 2)),
    reading="what lies outside I(L, U) has a neighbourhood outside, of measures and so of laws",
)

pairs_at_delta = cases("T = {0, 1}, delta = 1/n, n = 1, ..., 100: (delta/4, 1) and (3/4 delta, 1)", "mu nu d")(
    lambda: (({0: d / 4, 1: 1}, {0: 3 * d / 4, 1: 1}, d) for d in (Fraction(1, n) for n in range(1, 101)))
)

own("interval.continuity.not-uniform", "dissertation, section C.4, the definition of continuity")(
    """On Omega^* the continuity of D_Mult is not uniform: for each delta there are two measures with full support,
    closer than delta, at distance ln 3.""",
    every(pairs_at_delta, lambda mu, nu, d: sup_norm(mu, nu) < d and by_events(mu, nu) == 3),
    mutant("D_Mult <= ln 2", lambda mu, nu: by_events(mu, nu) <= 2),
)

# Quasi-convexity of distorting functions, in which argument, and what is weaker than convexity

linear_vacuous = lambda mu, nu: max(
    (probability(nu, s) - probability(mu, s)) / probability(nu, s) for s in positive_events(nu)
)
weighted_gap = lambda p, q: abs(p[0] - q[0]) * p[1] ** 2
halfway = lambda p, q: mixture(p, q, 1 / 2)
gap_is_quasi_convex = lambda laws: all(
    weighted_gap(p, halfway(q, r)) <= max(weighted_gap(p, q), weighted_gap(p, r))
    for p in laws
    for q in laws
    for r in laws
)
gap_is_continuous = lambda laws: all(
    abs(weighted_gap(p, q) - weighted_gap(p, r)) <= abs(q[0] - r[0]) for p in laws for q in laws for r in laws
)
gap_ball = lambda laws, q, r: [p for p in laws if weighted_gap(p, q) <= r]

with_shares = cases(f"{finite_triples.scope}; alpha = 0, 1/3, 1/2", "mu nu tau a")(
    lambda: ((*triple, a) for triple, a in product(finite_triples, map(Fraction, ("0", "1/3", "1/2"))))
)

below_larger = lambda mu, nu, tau, a: by_events(mu, mixture(nu, tau, a)) <= max(by_events(mu, nu), by_events(mu, tau))
below_smaller = lambda mu, nu, tau, a: by_events(mu, mixture(nu, tau, a)) <= min(by_events(mu, nu), by_events(mu, tau))

state(
    "interval.convexity.multiplicative",
    "dissertation, section C.4, (C.8), the proof that D_Mult satisfies quasi-convexity",
    "dissertation, (C.8)",
    "dissertation, section 5.2, the desiderata",
)(
    """D_Mult satisfies quasi-convexity: d(v_1, alpha v_2 + [1 - alpha] v_3) <= max{d(v_1, v_2), d(v_1, v_3)}, (C.8) for
    all alpha in [0, 1].""",
    every(with_shares, below_larger),
    mutant("the smaller for the larger of the two", below_smaller),
    reading="of finite measures, the zero measure among them; by symmetry in either argument",
)

values = cases("all values 0, 1, 2, 3, oo of d at v_2, v_3 and their mixture; alpha = 1/4, 1/2, 2/3", "a b m share")(
    lambda: product((0, 1, 2, 3, None), (0, 1, 2, 3, None), (0, 1, 2, 3, None), map(Fraction, ("1/4", "1/2", "2/3")))
)

state("interval.convexity.stronger", "dissertation, Remark C.4.3", "dissertation, (C.9)")(
    """A more standard definition of convexity (in the second argument) would be the requirement: d(v_1, alpha v_2 + [1
    - alpha] v_3) <= alpha d(v_1, v_2) + (1 - alpha) d(v_1, v_3), (C.9) [...]. This requirement is strictly stronger
    than quasi-convexity (equation (C.8)).""",
    every(values, lambda a, b, m, share: not (m <= share * a + (1 - share) * b) or m <= max(a, b)),
    mutant("equally strong", lambda a, b, m, share: (m <= share * a + (1 - share) * b) == (m <= max(a, b))),
    some(values, lambda a, b, m, share: m <= max(a, b) and not (m <= share * a + (1 - share) * b)),
    reading="the two right-hand sides are compared; that it is strict is shown by d_LV and D_Mult",
)

coin_triples = cases("all triples of coins in eighths that may fall either way", "p q r")(
    lambda: product([dict(coin) for coin in laws_of(2, 8) if len(coin) > 1], repeat=3)
)
law_triples = cases("all triples of laws on three outcomes in sixths with full support", "p q r")(
    lambda: product([dict(law) for law in laws_of(3, 6) if len(law) > 2], repeat=3)
)

mean_vacuous = lambda p, q, r: (linear_vacuous(p, q) + linear_vacuous(p, r)) / 2
vacuous_below_larger = lambda p, q, r: (
    linear_vacuous(p, halfway(q, r)) <= max(linear_vacuous(p, q), linear_vacuous(p, r))
)
vacuous_below_smaller = lambda p, q, r: (
    linear_vacuous(p, halfway(q, r)) <= min(linear_vacuous(p, q), linear_vacuous(p, r))
)

state("interval.convexity.linear-vacuous", "dissertation, Remark C.4.3")(
    """some of the common distorting functions found in the IP literature do not satisfy (C.9) but do satisfy (C.8). One
    example is the linear vacuous distorting function: d_LV : Omega_1^* x Omega_1^* -> [0, oo), (P, Q) -> max over S of
    (Q(S) - P(S))/Q(S).""",
    every(law_triples, vacuous_below_larger),
    some(coin_triples, lambda p, q, r: linear_vacuous(p, halfway(q, r)) > mean_vacuous(p, q, r)),
    mutant("the smaller for the larger of the two", every(coin_triples, vacuous_below_smaller)),
    mutant(
        "it satisfies (C.9)",
        every(coin_triples, lambda p, q, r: linear_vacuous(p, halfway(q, r)) <= mean_vacuous(p, q, r)),
    ),
    reading="(C.8) and (C.9) in the second argument, as they are printed",
)

_HALF = {0: Fraction(1, 2), 1: Fraction(1, 2)}
as_printed = cases("the P_1, P_2, P_3 of the text, alpha = 1/2", "p q r")(
    lambda: iter([(_HALF, _HALF, {0: Fraction(7, 10), 1: Fraction(3, 10)})])
)

state("interval.convexity.linear-vacuous.numbers", "dissertation, Remark C.4.3")(
    """Let alpha = 0.5 and T = {1, 2}. Let P_1 and P_2 be the uniform probability on (T, 2^T) and define P_3 in
    Omega_1^* by P_3({1}) = 0.7. Then d_LV(P_1, alpha P_2 + (1 - alpha) P_3) = 1/6 > 1/7 = alpha d_LV(P_1, P_2) + (1 -
    alpha) d_LV(P_1, P_3).""",
    every(as_printed, lambda p, q, r: linear_vacuous(p, halfway(q, r)) == 1 / 6 and mean_vacuous(p, q, r) == 1 / 7),
    mutant("1/5 for 1/6", lambda p, q, r: linear_vacuous(p, halfway(q, r)) == 1 / 5 and mean_vacuous(p, q, r) == 1 / 7),
)

_ten = lambda first, others: {1: Fraction(first), **dict.fromkeys(range(2, 11), Fraction(others))}

on_ten = cases("the P_1, P_2, P_3 of the text on {1, ..., 10}, alpha = 1/2", "p q r")(
    lambda: iter([(_ten("1/10", "1/10"), _ten("1/5", "8/90"), _ten("3/10", "7/90"))])
)

is_printed_example = lambda p, q, r, mixture_at: (
    is_law(p)
    and is_law(q)
    and is_law(r)
    and multiplicative(p, halfway(q, r)) == mixture_at
    and multiplicative(p, q) == 2
    and multiplicative(p, r) == 3
    and multiplicative(p, halfway(q, r)) ** 2 > 2 * 3
)

state("interval.convexity.multiplicative.numbers", "dissertation, Remark C.4.3")(
    """let alpha = 0.5 and let P_1 be uniform on T = {1, ..., 10}; define P_2 by P_2({1}) = 1/5 and P_2({t}) = 8/90 for
    all t != 1; and define P_3 by P_3({1}) = 3/10 and P_3({t}) = 7/90 for all t != 1. Then D_Mult(P_1, alpha P_2 + (1 -
    alpha) P_3) = ln 2.5 > 1/2 (ln 2 + ln 3) = alpha D_Mult(P_1, P_2) + (1 - alpha) D_Mult(P_1, P_3).""",
    every(on_ten, lambda p, q, r: is_printed_example(p, q, r, 5 / 2)),
    mutant("ln 3 for ln 2.5", lambda p, q, r: is_printed_example(p, q, r, 3)),
)

weighted = cases(
    "d(P, Q) = |P(0) - Q(0)| P(1)^2 on coins in eighths that may fall either way, the nucleus (1/8, 7/8), radius 1/12",
    "laws q r",
)(
    lambda: (
        (laws, {0: Fraction(1, 8), 1: Fraction(7, 8)}, Fraction(1, 12))
        for laws in [tuple(dict(coin) for coin in laws_of(2, 8) if len(coin) > 1)]
    )
)

credal_ball = lambda laws, q, r: (
    not (gap_is_quasi_convex(laws) and gap_is_continuous(laws))
    or all(
        p in gap_ball(laws, q, r)
        for p in laws
        for s in gap_ball(laws, q, r)
        for t in gap_ball(laws, q, r)
        if s[0] <= p[0] and p[0] <= t[0]
    )
)

state("interval.convexity.credal-ball", "dissertation, Remark C.4.3")(
    """if a distorting function d_DIST on Omega_1^* satisfies (C.8) and continuity, then the ball {P in Omega_1^* |
    d_DIST(P, P_0) <= r} centred at P_0 in Omega_1^* is equal to the credal set induced by the lower envelope of this
    ball""",
    every(weighted, credal_ball),
    reading="""(C.8) and continuity are of the second argument, as they are defined; a credal set that a lower envelope
    induces is convex, and so it contains each mean of two of its coins""",
    grade=incomplete(
        "that d_DIST is symmetric, as D_Mult and d_DR are, or that (C.8) and continuity hold in the first argument: it "
        "is the one that a ball varies (Definition C.4.2)"
    ),
)

own("interval.convexity.credal-ball.repaired", "dissertation, Remark C.4.3")(
    """If d_DIST on Omega_1^* satisfies (C.8) and continuity in its first argument, and T is finite, the ball around P_0
    is that part of the credal set of its lower envelope (the least expectation of each function) which lies in
    Omega_1^*.""",
    argued(
        "finite T",
        proof="""By (C.8) the ball B is convex; by continuity it is closed in Omega_1^*. The laws whose expectations are
        all at least the least ones of B form the closure of B in the simplex: a law outside of this compact convex set
        is separated from it by some function. A law in Omega_1^* and in the closure of B is in B, as B is closed
        there.""",
    ),
    repairs="interval.convexity.credal-ball",
)

convex_in_first = lambda p, q, r: linear_vacuous(halfway(p, q), r) <= (linear_vacuous(p, r) + linear_vacuous(q, r)) / 2
below_smaller_in_first = lambda p, q, r: (
    linear_vacuous(halfway(p, q), r) <= min(linear_vacuous(p, r), linear_vacuous(q, r))
)

own("interval.convexity.linear-vacuous.first-argument", "dissertation, Remark C.4.3")(
    "In its first argument, which its balls vary, d_LV is convex: it satisfies (C.9) there.",
    every(law_triples, convex_in_first),
    mutant("the smaller of the two for their mean", below_smaller_in_first),
    argued(
        "all laws on a finite set",
        proof="For each S the quotient (Q(S) - P(S))/Q(S) is an affine function of P; d_LV is their maximum.",
    ),
)

# a metric of laws on two outcomes, continuous, and steep near the fair coin
steepness = lambda p: p[0] / 10 + min(1, max(0, 10 * (p[0] - 9 / 20)))
steep_gap = lambda p, q: abs(steepness(p) - steepness(q))
by_halves = lambda mu, nu: mixture(mu, nu, 1 / 2)

four_coins = cases("all laws on two outcomes in tenths, four at once, mixed half and half", "p q r s")(
    lambda: product([{0: Fraction(k, 10), 1: Fraction(10 - k, 10)} for k in range(11)][::2], repeat=4)
)

own("interval.convexity.joint", "dissertation, Remark C.4.3")(
    """That a DP flavor is convex in the sense of Kifer et al., whatever its mechanisms, requires of d_DIST that d(a P +
    (1-a) R, a Q + (1-a) S) <= max{d(P, Q), d(R, S)}. This implies (C.8), by R = P, and holds of D_Mult; it does not
    follow from (C.8) in each argument, even for a continuous metric.""",
    every(
        four_coins,
        lambda p, q, r, s: by_events(by_halves(p, r), by_halves(q, s)) <= max(by_events(p, q), by_events(r, s)),
    ),
    mutant(
        "it follows from (C.8) in each argument",
        lambda p, q, r, s: steep_gap(by_halves(p, r), by_halves(q, s)) <= max(steep_gap(p, q), steep_gap(r, s)),
    ),
    every(four_coins, lambda p, q, r: steep_gap(p, by_halves(q, r)) <= max(steep_gap(p, q), steep_gap(p, r))),
    some(
        four_coins,
        lambda p, q, r, s: not steep_gap(by_halves(p, r), by_halves(q, s)) <= max(steep_gap(p, q), steep_gap(r, s)),
    ),
)

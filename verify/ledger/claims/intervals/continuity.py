"""Continuity of D_Mult with respect to the supremum norm: where it holds, where it fails, and what follows."""

from fractions import Fraction
from itertools import product
from math import isqrt

from stirred.verify.ledger import argued, cases, every, misprint, mutant, own, state
from stirred.verify.ledger.claims.intervals.measures import (
    by_events,
    dominated,
    mutual,
    positive_events,
    tuples_of_measures,
)
from stirred.verify.ledger.claims.premetrics.metrics import d_positive, d_symmetric, d_triangular
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, probability

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
    lambda: (
        (mu, gamma, dict(enumerate(shifts)))
        for (mu,) in tuples_of_measures(3, (1, 2, 3), 1)
        for gamma, shifts in product(_GAMMAS, product(tuple(map(Fraction, ("-9/10", "0", "9/10"))), repeat=3))
    ),
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
    lambda: (
        (mu, nu, Fraction(1, 8))
        for mu, nu in tuples_of_measures(2, (0, 1, 2), 2)
        if any(mu.values()) and all((mu[t] > 0) == (nu[t] > 0) for t in mu)
    ),
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
    "T = {0, 1}, delta = 1/n, n = 1, ..., 100: nu_1 = (delta/2, m), nu_2 = (0, m'), m = m' or laws",
    "mu nu d",
    lambda: (
        ({0: d / 2, 1: 1 - share * d / 2}, {0: Fraction(0), 1: Fraction(1)}, d)
        for d, share in product((Fraction(1, n) for n in range(1, 101)), (0, 1))
    ),
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
    lambda: (
        (mu, low, high, dict(enumerate(shifts)))
        for low, high, mu in tuples_of_measures(2, (0, 1, 2, 3), 3)
        if all(low[t] <= high[t] < 3 for t in low) and any(not low[t] <= mu[t] <= high[t] for t in low)
        for shifts in product((Fraction(-1, 2), Fraction(0), Fraction(1, 2)), repeat=2)
    ),
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

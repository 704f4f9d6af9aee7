"""Intervals of measures: convex, bounds on odds, balls of D_Mult, density-bounded classes, distortion models."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.intervals.measures import (
    FINITE,
    by_events,
    counting,
    density_in,
    events_of,
    finite_pairs,
    mixture,
    random_triples,
    scaled,
    tuples_of_measures,
)
from stirred.verify.ledger.claims.intervals.measures import dominated as dominated_word
from stirred.verify.ledger.claims.intervals.multiplicative import integral_of
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.words import probability

# intervals of measures: convex, bounds on odds, balls of D_Mult

is_below = lambda mu, nu: all(probability(mu, s) <= probability(nu, s) for s in events_of(mu))
is_between = lambda mu, low, high: is_below(low, mu) and is_below(mu, high)
is_within = lambda f, low, high: all(low[t] <= f[t] and f[t] <= high[t] for t in f)
total_mass = lambda mu: sum(mu[t] for t in mu)
raised_on = lambda low, high, a: {t: high[t] if t in a else low[t] for t in low}
least_odds_bound = lambda mu, low, high, a, b: (
    probability(mu, b) == 0
    or probability(high, b) == 0
    or probability(low, a) * probability(mu, b) <= probability(mu, a) * probability(high, b)
)
largest_odds_bound = lambda mu, low, high, a, b: (
    probability(mu, b) == 0
    or probability(low, b) == 0
    or probability(mu, a) * probability(low, b) <= probability(high, a) * probability(mu, b)
)


def intervals_with(*masses: int) -> list[tuple[dict[int, Any], dict[int, Any]]]:
    pairs = tuples_of_measures(2, masses, 2)
    return [(low, high) for low, high in pairs if all(low[t] <= high[t] for t in low)]


_MEASURES = [dict(enumerate(masses)) for masses in product((0, 1, 2, 3), repeat=2)]
_INTERVALS = "all intervals with masses 0, 1, 2, 3 on two outcomes, but for their names"
with_member = cases(f"{_INTERVALS}; every measure with these masses", "low high mu")(
    lambda: ((low, high, mu) for (low, high), mu in product(intervals_with(0, 1, 2, 3), _MEASURES))
)
with_two = cases(f"{_INTERVALS}; every two measures with these masses; alpha = 1/3, 1/2", "low high mu nu a")(
    lambda: (
        (*ends, *pair, a)
        for ends, pair, a in product(
            intervals_with(0, 1, 2, 3), product(_MEASURES, repeat=2), map(Fraction, ("1/3", "1/2"))
        )
    )
)

is_convex_at = lambda low, high, mu, nu, a: (
    not (is_within(mu, low, high) and is_within(nu, low, high))
    or (
        is_between(mixture(mu, nu, a), low, high)
        and (total_mass(mu) != 1 or total_mass(nu) != 1 or total_mass(mixture(mu, nu, a)) == 1)
    )
)

state(
    "interval.convex",
    "dissertation, Definition 5.3.1",
    "dissertation, Remark 5.3.6",
    "dissertation, section 5.3, after Definition 5.3.1",
)(
    """the convex set of measures I(L, U) = {mu a measure on (T, F) | L <= mu <= U} is called an interval of measures.
    [...] It is straightforward to verify that the credal set I_1(L, U) is convex.""",
    every(with_two, is_convex_at),
    mutant(
        "one of the two is in the interval",
        lambda low, high, mu, nu, a: not is_within(mu, low, high) or is_between(mixture(mu, nu, a), low, high),
    ),
)

# of all events A and B, by L(A)/U(B) from below and by U(A)/L(B) from above
odds_bounded_below = lambda mu, low, high: all(
    least_odds_bound(mu, low, high, a, b) for a in events_of(mu) for b in events_of(mu)
)
odds_bounded_above = lambda mu, low, high: all(
    largest_odds_bound(mu, low, high, a, b) for a in events_of(mu) for b in events_of(mu)
)
odds_bounded_by_lower = lambda low, high, mu: not is_within(mu, low, high) or odds_bounded_below(mu, low, low)
odds_bounded_by_upper = lambda low, high, mu: not is_within(mu, low, high) or odds_bounded_above(mu, high, high)

state("interval.odds", "dissertation, section 5.3, after Definition 5.3.1")(
    """As a direct consequence of Definition 5.3.1, the odds P(A)/P(B) - for any P in I(L, U) and any A, B in F - are
    bounded between L(A)/U(B) and U(A)/L(B), whenever these ratios are well-defined.""",
    every(with_member, lambda low, high, mu: not is_within(mu, low, high) or odds_bounded_below(mu, low, high)),
    mutant("L(A)/L(B) for L(A)/U(B)", odds_bounded_by_lower),
    mutant("U(A)/U(B) for U(A)/L(B)", odds_bounded_by_upper),
    every(with_member, lambda low, high, mu: not is_within(mu, low, high) or odds_bounded_above(mu, low, high)),
    reading="a ratio is well-defined where its denominator is positive",
)

intervals = cases(_INTERVALS, "low high")(lambda: intervals_with(0, 1, 2, 3))

attains_odds_bounds = lambda low, high, a, b: (
    is_within(raised_on(low, high, a), low, high)
    and probability(raised_on(low, high, a), a) == probability(high, a)
    and probability(raised_on(low, high, a), b) == probability(low, b)
)
disjoint_attain = lambda low, high: all(
    attains_odds_bounds(low, high, a, b) for a in events_of(low) for b in events_of(low) if len(a & b) == 0
)
all_attain = lambda low, high: all(attains_odds_bounds(low, high, a, b) for a in events_of(low) for b in events_of(low))

own("interval.odds.tight", "dissertation, section 5.3, after Definition 5.3.1")(
    """For disjoint A and B the bounds on the odds are attained in I(L, U), the upper one by the measure that is U on A
    and L elsewhere; for A and B that meet they need not be.""",
    every(intervals, disjoint_attain),
    mutant("any A and B", all_attain),
)

# e^D_Mult of two measures that are positive everywhere
_loss = lambda mu, nu: max(Fraction(max(mu[t], nu[t]), min(mu[t], nu[t])) for t in mu)

balls = cases(f"{finite_pairs.scope}; e^eps = 1, 3/2, 2, 3", "mu nu gamma")(
    lambda: ((*pair, g) for pair, g in product(finite_pairs, map(Fraction, ("1", "3/2", "2", "3"))))
)
random_balls = cases(f"{random_triples.scope}; eps = D_Mult(mu, tau) < oo", "mu nu tau gamma")(
    lambda: (
        (*triple, _loss(triple[0], triple[2]))
        for triple in random_triples
        if all(triple[0].values()) and all(triple[2].values())
    )
)

in_symmetric_interval = lambda nu, mu, gamma: is_between(nu, scaled(mu, 1 / gamma), scaled(mu, gamma))
ball_of_twice = lambda mu, nu, gamma: in_symmetric_interval(nu, mu, gamma) == (by_events(mu, nu) <= gamma**2)
ball_of_loss = lambda mu, nu, tau, gamma: (
    in_symmetric_interval(nu, mu, gamma) == (by_events(mu, nu) <= by_events(mu, tau))
)

state("interval.ball", "dissertation, Lemma 5.3.4", "dissertation, Remark 5.3.6")(
    """For any mu, nu in Omega and eps > 0, we have nu in I(e^-eps mu, e^eps mu) if and only if D_Mult(mu, nu) <=
    eps.""",
    every(balls, lambda mu, nu, gamma: in_symmetric_interval(nu, mu, gamma) == (by_events(mu, nu) <= gamma)),
    mutant("2 eps for eps", ball_of_twice),
    mutant("D = 0", lambda mu, nu, gamma: in_symmetric_interval(nu, mu, gamma) == (by_events(mu, nu) <= 1)),
    every(random_balls, ball_of_loss),
    theorem("measure_intervals.interval_iff_near", within=FINITE),
    reading="finite spaces; eps = 0 too, and the zero measure",
)

_ENDS = tuple(product(map(Fraction, ("1/3", "1")), map(Fraction, ("1", "3/2"))))
skewed = cases(f"{finite_pairs.scope}; a = 1/3, 1 and b = 1, 3/2", "mu nu a b")(
    lambda: ((*pair, *ends) for pair, ends in product(finite_pairs, _ENDS))
)

skewed_is_near = lambda mu, nu, a, b: (
    not is_between(nu, scaled(mu, a), scaled(mu, b)) or by_events(mu, nu) <= max(1 / a, b)
)
skewed_is_nearer = lambda mu, nu, a, b: (
    not is_between(nu, scaled(mu, a), scaled(mu, b)) or by_events(mu, nu) <= min(1 / a, b)
)
far_is_skewed = lambda mu, nu, a, b: by_events(mu, nu) > max(1 / a, b) or is_between(nu, scaled(mu, a), scaled(mu, b))
near_is_skewed = lambda mu, nu, a, b: by_events(mu, nu) > min(1 / a, b) or is_between(nu, scaled(mu, a), scaled(mu, b))

state("interval.ball.skewed", "dissertation, Lemma 5.3.4")(
    """for any mu, nu in Omega and 0 < a <= 1 <= b < oo, 1. nu in I(a mu, b mu) implies D_Mult(mu, nu) <= max(-ln a, ln
    b); and 2. D_Mult(mu, nu) <= min(-ln a, ln b) implies nu in I(a mu, b mu).""",
    every(skewed, skewed_is_near),
    mutant("min for max", skewed_is_nearer),
    mutant("max for min", far_is_skewed),
    every(skewed, near_is_skewed),
    theorem("measure_intervals.interval_near", "measure_intervals.near_interval", within=FINITE),
)

ends = cases("mu = (1, 2); a = 1/3, 1 and b = 1, 3/2; c = 1001/1000", "mu a b c")(
    lambda: (({0: 1, 1: 2}, *both, Fraction(1001, 1000)) for both in _ENDS)
)

distance_to_ends = lambda mu, a, b: max(by_events(mu, scaled(mu, a)), by_events(mu, scaled(mu, b)))
some_are_outside = lambda mu, a, b, c: any(
    by_events(mu, nu) == c * min(1 / a, b) and not is_between(nu, scaled(mu, a), scaled(mu, b))
    for nu in [scaled(mu, a / c), scaled(mu, b * c)]
)
least_is_attained = lambda mu, a, b, c: distance_to_ends(mu, a, b) == min(1 / a, b) and some_are_outside(mu, a, b, c)

own("interval.ball.skewed.tight", "dissertation, Lemma 5.3.4")(
    """Neither constant of the second half of Lemma 5.3.4 can be improved: a mu or b mu is at distance max(-ln a, ln b),
    and beyond min(-ln a, ln b) there are measures at any distance from mu that are not in I(a mu, b mu).""",
    every(ends, lambda mu, a, b, c: distance_to_ends(mu, a, b) == max(1 / a, b) and some_are_outside(mu, a, b, c)),
    mutant("min is attained", least_is_attained),
    argued("all c > 1", proof="One of a/c mu and b c mu is at the distance min(-ln a, ln b) + ln c, outside."),
)

# intervals of measures as density-bounded classes: dissertation, Proposition 14

has_density_within = lambda mu, nu, low, high, off: (
    is_within(density_in(mu, nu, off), low, high) and integral_of(density_in(mu, nu, off), nu) == mu
)

dominated = cases(
    "all intervals with masses 0, 1, 2, nu and mu with such masses on two outcomes, U << nu, but for the outcomes' "
    "names; values 0 and 3 of l and u where nu is 0, and 2 of f",
    "low high nu mu",
)(
    lambda: (
        (low, high, nu, mu)
        for low, high, nu, mu in tuples_of_measures(2, (0, 1, 2), 4)
        if all(low[t] <= high[t] and (nu[t] or not high[t]) for t in low)
    )
)

# with the value `off` of the density of mu where nu is 0
by_density = lambda mu, low, high, nu, off: (
    is_between(mu, low, high)
    == (dominated_word(mu, nu) and has_density_within(mu, nu, density_in(low, nu, 0), density_in(high, nu, 3), off))
)
has_densities_in_order = lambda low, high, nu, mu: (
    is_within(density_in(low, nu, 0), density_in(low, nu, 0), density_in(high, nu, 3))
    and by_density(mu, low, high, nu, 2)
)

state("interval.density-bounded", "dissertation, Proposition 14", "dissertation, section 5.3, after Definition 5.3.1")(
    """Given L, U, nu in Omega with L <= U and U << nu, there exists some nu-densities l <= u such that (a) Every mu in
    I(L, U) has a nu-density f which is in the density bounded class I(l, u); and (b) The measure mu(S) = integral over
    S of f dnu given by any density f in I(l, u) is in the interval of measure I(L, U).""",
    every(dominated, has_densities_in_order),
    mutant(
        "any version of f, such as one with the value 4 where nu is 0",
        lambda low, high, nu, mu: by_density(mu, low, high, nu, 4),
    ),
    theorem("measure_intervals.density_bounded", within="finite spaces"),
    reading="f has the value 2 of I(l, u) = [0, 3] where nu is 0; (a) and (b) are the two directions of the comparison",
)

by_upper = cases("all intervals with masses 0, 1, 2, 3 on two outcomes, but for their names; c = 1/2, 2", "low high c")(
    lambda: ((low, high, c) for (low, high), c in product(intervals_with(0, 1, 2, 3), (Fraction(1, 2), 2)))
)

# with L as the U-density l, and the constant 1 as the nu-density of U
by_upper_density = lambda low, high, nu: (
    is_within(density_in(low, high, 0), scaled(low, 0), counting(low))
    and integral_of(density_in(low, high, 0), high) == low
    and integral_of(counting(high), nu) == high
)

state("interval.density-bounded.by-upper", "dissertation, Proposition 14")(
    """Moreover, if nu = U then u is the constant function: u(t) = 1 for all t in T; and l is a nu-density of L, which
    exists because L is absolutely continuous with respect to U.""",
    every(
        by_upper,
        lambda low, high: by_upper_density(low, high, high),
        identity="1 is the density of U with respect to U, for all U",
    ),
    mutant("nu = L", lambda low, high: by_upper_density(low, high, low)),
)

multiples = cases(
    "all mu << nu of the measures with masses 0, 1, 2, 3 on three outcomes; a = 1/3, 1/2, 1, 3/2, 3", "mu nu a"
)(
    lambda: (
        (mu, nu, a)
        for mu, nu in finite_pairs
        if all(nu[t] or not mu[t] for t in mu)
        for a in map(Fraction, ("1/3", "1/2", "1", "3/2", "3"))
    )
)

state("interval.density-bounded.multiples", "dissertation, Proposition 14")(
    """Additionally, if L = a tau and U = b tau for some tau in Omega with tau << nu and constants 0 < a <= 1 <= b < oo,
    then l = ag and u = bg, where g is a nu-density of tau.""",
    every(
        multiples,
        lambda mu, nu, a: integral_of(scaled(density_in(mu, nu, 5), a), nu) == scaled(mu, a),
        identity="a dtau/dnu is the density of a tau, for all tau << nu",
    ),
    mutant("1/a for a", lambda mu, nu, a: integral_of(scaled(density_in(mu, nu, 5), a), nu) == scaled(mu, 1 / a)),
)

densities = cases(
    "all nu and mu with masses 0, 1, 2 and all l <= u with values 0, 1, 2 on two outcomes, but for the outcomes' names",
    "low high nu mu",
)(
    lambda: (
        (low, high, nu, mu)
        for low, high, nu, mu in tuples_of_measures(2, (0, 1, 2), 4)
        if all(low[t] <= high[t] for t in low)
    )
)

density_between = lambda mu, nu, low, high: (
    dominated_word(mu, nu) and all(low[t] <= density_in(mu, nu, 0)[t] <= high[t] for t in nu if nu[t] > 0)
)
between_integrals = lambda mu, nu, low, high: is_between(mu, integral_of(low, nu), integral_of(high, nu))
integrals_agree = lambda low, high, nu, mu: (
    is_below(integral_of(low, nu), integral_of(high, nu))
    and between_integrals(mu, nu, low, high) == density_between(mu, nu, low, high)
)
integrals_agree_from_0 = lambda low, high, nu, mu: (
    is_below(integral_of(low, nu), integral_of(high, nu))
    and between_integrals(mu, nu, low, high) == density_between(mu, nu, scaled(nu, 0), high)
)

state(
    "interval.density-bounded.converse", "dissertation, Proposition 14", "dissertation, (C.17)", "dissertation, (C.18)"
)(
    """In the other direction, given some nu in Omega and nu-densities l <= u (which are finite nu-almost everywhere),
    define L, U in Omega by L(S) = integral over S of l dnu, (C.17) U(S) = integral over S of u dnu, (C.18) for all S in
    F. Then L <= U and the properties (a) and (b) above hold.""",
    every(densities, integrals_agree),
    mutant("0 for l", integrals_agree_from_0),
    reading="f is compared where nu is positive; elsewhere l is a value of it that lies between l and u",
)

# distortion models: which intervals of measures, or of laws, are balls around a nucleus

_GRID = tuple({0: Fraction(k, 24), 1: Fraction(24 - k, 24)} for k in range(25))
_HALF = {0: Fraction(1, 2), 1: Fraction(1, 2)}
same_ball = cases(
    "L = (1/4, 1/4), U = (3/4, 3/4), P = (1/2, 1/2), the one nucleus, eps = ln 2; all coins in 1/24",
    "low high p gamma laws",
)(lambda: iter([(*[dict.fromkeys((0, 1), Fraction(1, 4)), dict.fromkeys((0, 1), Fraction(3, 4))], _HALF, 2, _GRID)]))

equidistant_where_ball = lambda low, high, p, gamma, laws: (
    any(is_within(q, low, high) != (by_events(q, p) <= gamma) for q in laws) or by_events(low, p) == by_events(high, p)
)

state("interval.distortion.only-symmetric", "dissertation, Remark 5.3.6")(
    """In general, a PI I_1(L, U) does not satisfy the definition of a distortion model. In fact, I_1(L, U) is a
    distortion model only when I(L, U) is symmetric in the sense that the lower and upper measures are equidistant from
    a central ('nucleus') probability P.""",
    every(same_ball, equidistant_where_ball),
    reading="""a distortion model of D_Mult, equidistance from its nucleus; by Definition C.4.1 a distorting function
    may be any, and then every set of laws with P_0 in it is a ball: see interval.distortion.any-set""",
    grade=incomplete(
        "that the interval of measures I(L, U) itself is the ball of D_Mult, as I(e^-eps P, e^eps P) is: different "
        "intervals have the same laws, so that I_1(L, U) does not say where L and U lie"
    ),
)

_THOSE = tuple(
    dict(enumerate(m)) for m in product(map(Fraction, ("0", "1/2", "2/3", "1", "2", "3", "4", "6")), repeat=2)
)
centred = cases(
    "all intervals with masses 0, 1, 2, 3, 4, 6 on two outcomes, P = (1/2, 1/2) scaled to (2, 2), e^eps = 2, 3; all "
    "measures with masses 0, 1/2, 2/3, 1, 2, 3, 4, 6",
    "low high p gamma those",
)(
    lambda: (
        (low, high, {0: 2, 1: 2}, gamma, _THOSE)
        for (low, high), gamma in product(intervals_with(0, 1, 2, 3, 4, 6), (2, 3))
    )
)

is_ball = lambda low, high, p, gamma, those: all(is_within(q, low, high) == (by_events(q, p) <= gamma) for q in those)
is_ball_iff_scaled = lambda low, high, p, gamma, those: (
    is_ball(low, high, p, gamma, those) == (low == scaled(p, 1 / gamma) and high == scaled(p, gamma))
)
is_ball_iff_scaled_below = lambda low, high, p, gamma, those: (
    is_ball(low, high, p, gamma, those) == (low == scaled(p, 1 / gamma) and high == scaled(p, 1))
)

own("interval.distortion.only-symmetric.repaired", "dissertation, Remark 5.3.6")(
    """The interval of measures I(L, U) is the ball of D_Mult around mu with radius eps iff L = e^-eps mu and U = e^eps
    mu.""",
    every(centred, is_ball_iff_scaled),
    mutant("U = mu", is_ball_iff_scaled_below),
    argued(
        "all measures",
        proof="By Lemma 5.3.4 the ball is I(e^-eps mu, e^eps mu), whose least and largest elements are its ends.",
    ),
    repairs="interval.distortion.only-symmetric",
)

own("interval.distortion.any-set", "dissertation, Definition C.4.2")(
    """Every set of laws that contains P_0 is a distortion model on P_0, even of a metric; every closed convex set of
    laws on a finite T with P_0 in its relative interior in the simplex is one of a function that is quasi-convex and
    continuous in its first argument.""",
    argued(
        "Definitions C.4.1 and C.4.2",
        proof="""For a set A let d(P, Q) = 0 if P = Q, 1 if both or neither are in A, and 2 else: a metric, for 2 <= 1 +
        1, whose ball of radius 1 around P_0 in A is A. If A is closed and convex with P_0 inside, let d(P, P_0) be the
        least r with P in P_0 + r (A - P_0): it is convex and continuous in P, and its ball of radius 1 is A.""",
    ),
)

model_laws = cases("nuclei in sixths and laws in twelfths on three outcomes, e^eps = 3/2, 2", "p q gamma")(
    lambda: (
        ({t: p[t] for t in range(3)}, {t: q[t] for t in range(3)}, g)
        for p, q, g in product(laws_of(3, 6)[::3], laws_of(3, 12)[::2], (Fraction(3, 2), 2))
    )
)

state("interval.distortion.model", "dissertation, Remark 5.3.6")(
    """Given a probability P, the symmetric probability interval I_1(e^-eps P, e^eps P) is a distortion model because,
    by Lemma 5.3.4, I(e^-eps P, e^eps P) is the closed eps-multiplicative-distance-ball: I(e^-eps P, e^eps P) = {mu in
    Omega | D_Mult(mu, P) <= eps}.""",
    every(model_laws, lambda p, q, gamma: in_symmetric_interval(q, p, gamma) == (by_events(q, p) <= gamma)),
    mutant("2 eps for eps", lambda p, q, gamma: in_symmetric_interval(q, p, gamma) == (by_events(q, p) <= gamma**2)),
    reading="its laws; the measures are those of interval.ball",
)

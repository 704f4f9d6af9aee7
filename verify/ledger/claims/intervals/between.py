"""Intervals of measures: convex, bounds on odds, balls of D_Mult."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import argued, cases, every, mutant, own, state, theorem
from stirred.verify.ledger.claims.intervals.measures import (
    FINITE,
    by_events,
    events_of,
    finite_pairs,
    mixture,
    random_triples,
    scaled,
    tuples_of_measures,
)
from stirred.verify.ledger.words import probability

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

intervals = cases(_INTERVALS, "low high", lambda: intervals_with(0, 1, 2, 3))

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

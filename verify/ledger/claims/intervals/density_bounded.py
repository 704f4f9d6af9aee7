"""Intervals of measures as density-bounded classes: dissertation, Proposition 14."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, state, theorem
from stirred.verify.ledger.claims.intervals.between import intervals_with, is_below, is_between, is_within
from stirred.verify.ledger.claims.intervals.measures import (
    counting,
    density_in,
    finite_pairs,
    scaled,
    tuples_of_measures,
)
from stirred.verify.ledger.claims.intervals.measures import dominated as dominated_word
from stirred.verify.ledger.claims.intervals.multiplicative import integral_of

has_density_within = lambda mu, nu, low, high, off: (
    is_within(density_in(mu, nu, off), low, high) and integral_of(density_in(mu, nu, off), nu) == mu
)

dominated = cases(
    "all intervals with masses 0, 1, 2, nu and mu with such masses on two outcomes, U << nu, but for the outcomes' "
    "names; values 0 and 3 of l and u where nu is 0, and 2 of f",
    "low high nu mu",
    lambda: (
        (low, high, nu, mu)
        for low, high, nu, mu in tuples_of_measures(2, (0, 1, 2), 4)
        if all(low[t] <= high[t] and (nu[t] or not high[t]) for t in low)
    ),
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
    "all mu << nu of the measures with masses 0, 1, 2, 3 on three outcomes; a = 1/3, 1/2, 1, 3/2, 3",
    "mu nu a",
    lambda: (
        (mu, nu, a)
        for mu, nu in finite_pairs
        if all(nu[t] or not mu[t] for t in mu)
        for a in map(Fraction, ("1/3", "1/2", "1", "3/2", "3"))
    ),
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
    lambda: (
        (low, high, nu, mu)
        for low, high, nu, mu in tuples_of_measures(2, (0, 1, 2), 4)
        if all(low[t] <= high[t] for t in low)
    ),
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

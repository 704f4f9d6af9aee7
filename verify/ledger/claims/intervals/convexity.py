"""Quasi-convexity of distorting functions, in which argument, and what is weaker than convexity."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.measures import by_events, finite_triples, mixture, positive_events
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.words import is_law, multiplicative, probability

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
    lambda: (
        (laws, {0: Fraction(1, 8), 1: Fraction(7, 8)}, Fraction(1, 12))
        for laws in [tuple(dict(coin) for coin in laws_of(2, 8) if len(coin) > 1)]
    ),
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
    """That a DP flavor is convex in the sense of Kifer et al., whatever its mechanisms, says of d_DIST that d(a P +
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

"""Distortion models: which intervals of measures, or of laws, are balls around a nucleus."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, state
from stirred.verify.ledger.claims.intervals.between import in_symmetric_interval, intervals_with, is_within
from stirred.verify.ledger.claims.intervals.measures import by_events, scaled
from stirred.verify.ledger.engines.renyi_grid import laws_of

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
    lambda: (
        (low, high, {0: 2, 1: 2}, gamma, _THOSE)
        for (low, high), gamma in product(intervals_with(0, 1, 2, 3, 4, 6), (2, 3))
    ),
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

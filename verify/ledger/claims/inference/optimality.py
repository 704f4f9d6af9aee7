"""That the bounds and their constants cannot be improved: the dissertation's section 5.9, with the Laplace mechanism.

A rational gamma stands for e^epsilon. At integers the density is (epsilon/2) gamma^-|t - q|, and the factor epsilon/2
drops out of every ratio; P_x(T > t) for an integer t at or above the true count is gamma^(q - t)/2.
"""

from fractions import Fraction
from itertools import pairwise, product

from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.inference.models import (
    FINITE,
    all_outcomes,
    d_connected,
    lower_density,
    modelled,
    plausible,
    released_share,
    rising,
    second_posterior,
    smallest_gamma,
    upper_density,
)
from stirred.verify.ledger.language_names import subsets
from stirred.verify.ledger.words import probability

# that the bounds cannot be improved: the dissertation's section 5.9, with the Laplace mechanism for a count

GAMMAS = (Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(3))

# up to the factor epsilon/2
laplace = lambda q, t, g: 1 / g ** abs(t - q)

# a data set of n bits as the set of its ones; all are at most n apart, and some n: d_* = n
bits = lambda n: subsets(range(n))
differing = lambda x, y: len(x - y) + len(y - x)
farthest_bits = lambda n, x: max(differing(x, y) for y in bits(n))
laplace_lower = lambda n, t, g: max(laplace(len(x), t, g) / g ** farthest_bits(n, x) for x in bits(n))
laplace_upper = lambda n, t, g: min(laplace(len(x), t, g) * g ** farthest_bits(n, x) for x in bits(n))

below = cases("n = 1 to 4; gamma = 11/10, 3/2, 2, 3; t = 0, -1, -5", "n g t")(
    lambda: product(range(1, 5), GAMMAS, (0, -1, -5))
)

above = cases("n = 1 to 4; gamma = 11/10, 3/2, 2, 3; t - n = 0, 1, 5", "n g t")(
    lambda: ((n, g, n + more) for n, g, more in product(range(1, 5), GAMMAS, (0, 1, 5)))
)

state("optimal.lower-density", "dissertation, section 5.9")(
    """the essential-supremum in l(t) is achieved by x_* = (1, ..., 1) when t <= 0. Hence l(t) = p_x0(t) where x_0 = (0,
    ..., 0). Therefore, p(t | theta) can be arbitrarily close to l(t) for t <= 0 as P_theta concentrates on x_0.""",
    every(below, lambda n, g, t: laplace_lower(n, t, g) == laplace(0, t, g)),
    grade=misprint(
        "x_* and x_0 are exchanged: for t <= 0 the densities are largest at (0, ..., 0), and the upper bound names "
        "them right"
    ),
)

own("optimal.density", "dissertation, section 5.9")(
    """For the Laplace mechanism of a count of n bits, l(t) = p_x0(t) with x_* = (0, ..., 0) and x_0 = (1, ..., 1)
    for t <= 0, and u(t) = p_x0(t) with the same x_* and x_0 for t >= n: both bounds of Theorem 5.4.1 are attained
    at these t.""",
    every(below, lambda n, g, t: laplace_lower(n, t, g) == laplace(n, t, g)),
    mutant("l at t >= n too", above),
    mutant("u at t <= 0 too", lambda n, g, t: laplace_upper(n, t, g) == laplace(n, t, g)),
    every(below, lambda n, g, t: laplace_lower(n, t, g) == laplace(0, t, g) / g**n),
    every(above, lambda n, g, t: laplace_upper(n, t, g) == laplace(n, t, g)),
    every(above, lambda n, g, t: laplace_upper(n, t, g) == laplace(0, t, g) * g**n),
    repairs="optimal.lower-density",
)

probability_measures = lambda p, d, w, t0: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        sum(lower_density(p, d, plausible(p, w, t0), g, t) for t in all_outcomes(p)) == 1
        for g in [smallest_gamma(p, d)]
    )
)
pointwise = lambda p, d, w, t0: (
    not d_connected(d, plausible(p, w, t0))
    or all(
        sum(lower_density(p, d, plausible(p, w, t0), g, t) for t in all_outcomes(p))
        <= 1
        <= sum(upper_density(p, d, plausible(p, w, t0), g, t) for t in all_outcomes(p))
        for g in [smallest_gamma(p, d)]
    )
)
lower_mass_below_1 = lambda p, d, w, t0: (
    sum(lower_density(p, d, plausible(p, w, t0), smallest_gamma(p, d), t) for t in all_outcomes(p)) < 1
)

state("optimal.pointwise", "dissertation, section 5.9")(
    """these bounds are only tight pointwise. Indeed it would be impossible for it to be otherwise, since the bounds are
    on probability measures, yet the bounds themselves are not probability measures.""",
    every(modelled, pointwise),
    mutant("probability measures", probability_measures),
    some(modelled, lower_mass_below_1),
    reading="the total masses of l and of u on T: at most 1 and at least 1, and not always 1",
)

tails = cases(
    "n = 1 to 6; gamma = 11/10, 3/2, 2, 3; the tests that reject T > t with t an integer, t - n = 0 to 4", "n g t"
)(lambda: ((n, g, n + more) for n, g, more in product(range(1, 7), GAMMAS, range(5))))

early_tails = cases("the same n and gamma; T > t with 0 <= t < n", "n g t")(
    lambda: ((n, g, t) for n, g in product(range(1, 7), GAMMAS) for t in range(n))
)

laplace_tail = lambda q, t, g: g ** (q - t) / 2 if t >= q else 1 - g ** (t - q) / 2

halved_tails = cases("n = 1 to 6; gamma = 2; t - n = 0 to 4", "n g t")(
    lambda: ((n, Fraction(2), n + more) for n, more in product(range(1, 7), range(5)))
)

laplace_unit_mass = lambda q, t, g: laplace_tail(q, t, g) - laplace_tail(q, t + 1, g)
tail_is_halved_and_less = lambda n, g, t: (
    laplace_tail(0, t, g) - laplace_tail(0, t + 1, g) == laplace_tail(0, t + 1, g)
    and laplace_tail(n, t, g) - laplace_tail(n, t + 1, g) < laplace_tail(n, t + 1, g)
)

state("optimal.region", "dissertation, section 5.9")(
    """By examining the density p_x(t) of the Laplace mechanism for x = (0, ..., 0) and for x = (1, ..., 1), one can
    conclude that the Neyman-Pearson (NP) test must have a rejection region of the form R = {t > t_1} for some t_1.""",
    every(halved_tails, tail_is_halved_and_less),
    reading="""must: no other region of this size has its power. R' = (t, t + 1] with t >= n and exp(epsilon) = 2 has
    the size of {T > t + 1}""",
    grade=incomplete(
        "that the level is between exp(-epsilon n)/2 and 1/2; the likelihood ratio is constant from n on, and up to 0"
    ),
)

# p and q: the probabilities of (-oo, -1], (-1, 0], ..., (n, n + 1], (n + 1, oo) by their left ends, where none of n
# records is 1 and where all are; a set of left ends is a test that is a union of these intervals
_masses = lambda q, n, g: {
    j: a - b
    for tail in [(1, *(laplace_tail(q, t, g) for t in range(-1, n + 2)), 0)]
    for j, (a, b) in enumerate(pairwise(tail), -2)
}
_unions = lambda scope, gammas, tests: cases(
    f"n = 1, 2, 3; unions of unit intervals from -1 to n + 1 and of the rest; {scope}", "n t p q"
)(
    lambda: (
        (n, t, p, q)
        for n, g in product((1, 2, 3), map(Fraction, gammas))
        for p, q in [(_masses(0, n, g), _masses(n, n, g))]
        for t in tests(n)
    )
)

outer_tails = _unions("gamma = 2; T > -1 and T > n + 1", (2,), lambda n: (-1, n + 1))

beyond = lambda p, t: {j for j in p if j >= t}
only_region = lambda p, q, t: all(
    r == beyond(p, t) or probability(q, r) < probability(q, beyond(p, t))
    for r in subsets(p)
    if probability(p, r) <= probability(p, beyond(p, t))
)
region_may = lambda p, q, t: any(
    r != beyond(p, t) and all(probability(m, r) == probability(m, beyond(p, t)) for m in [p, q]) for r in subsets(p)
)

own("optimal.region.may", "dissertation, section 5.9")(
    """At levels from exp(-epsilon n)/2 to 1/2 the Neyman-Pearson test has the rejection region {T > t_1} and, up to
    sets of probability 0, no other. At lower levels every part of [n, oo) of that size is one, {T > t_1} among them,
    and all have the power alpha exp(epsilon n). At levels between 1/2 and 1, (0, oo) with any part of (-oo, 0] that
    completes the size is one, and all have the power 1 - (1 - alpha) exp(-epsilon n).""",
    every(_unions("gamma = 2, 3; T > t with t = 0 to n", (2, 3), lambda n: range(n + 1)), only_region),
    mutant("no other at any level", outer_tails),
    mutant("another one at levels in between", region_may),
    every(outer_tails, region_may),
    every(halved_tails, lambda n, g, t: laplace_unit_mass(n, t, g) == g**n * laplace_unit_mass(0, t, g)),
    every(halved_tails, lambda n, g, t: laplace_unit_mass(0, -t, g) == g**n * laplace_unit_mass(n, -t, g)),
    repairs="optimal.region",
    reading="""by tests that are unions of intervals; and by the likelihood ratio, which is constant from n on and up to
    0. With exp(epsilon) = 2, (n, n + 1] and (n + 1, oo) are equal in size, and so are (-oo, -1] and (-1, 0]""",
)

state("optimal.power", "dissertation, section 5.9")(
    """p(t | theta_1) = exp(epsilon n) p(t | theta_0) for all t in R, which means the NP test has power exactly alpha
    exp(epsilon n).""",
    every(tails, lambda n, g, t: laplace_tail(n, t, g) == laplace_tail(0, t, g) * g**n),
    mutant("t_1 below n", early_tails),
    mutant("n - 1 for n", lambda n, g, t: laplace_tail(n, t, g) == laplace_tail(0, t, g) * g ** (n - 1)),
    every(tails, lambda n, g, t: laplace_tail(0, t, g) <= 1 / (2 * g**n)),
    every(tails, lambda n, g, t: laplace(n, t, g) == laplace(0, t, g) * g**n),
    reading="""Theorem 5.5.1 is attained at some levels: those of the tests R = {t > t_1} with t_1 >= n, where alpha <=
    exp(-epsilon n)/2""",
)

events = cases(f"{above.scope}; the events theta < u, u = 1/10, 1/2, 9/10, 1", "n g t u")(
    lambda: ((n, g, t, u) for n, g, t in above for u in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), 1))
)

atoms = cases(f"{above.scope}; the prior probability w = 1/2, 1/10, 10^-4 of theta = 1", "n g t w")(
    lambda: ((n, g, t, w) for n, g, t in above for w in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**4)))
)

posterior = lambda t, g, prior, first: (
    prior * laplace(first, t, g) / (prior * laplace(first, t, g) + (1 - prior) * laplace(0, t, g))
)

state("optimal.posterior", "dissertation, section 5.9")(
    """take Theta = [0, 1] with the prior pi = Unif[0, 1]. Let P_theta(x) be the point mass on (1, ..., 1) if theta = 1
    and the point mass on (0, ..., 0) otherwise. For t > n, we have pi(theta = 1 | t) = pi(theta = 1) exp(epsilon n).
    Thus, the bound in Theorem 5.6.3 is achieved since d_** = n.""",
    every(events, lambda n, g, t, u: posterior(t, g, u, 0) == u * g**n),
    reading="""achieved: some event's posterior probability is its prior one times exp(epsilon n), or D_Mult of
    posterior and prior is epsilon n, as the text below (5.12) has it. {theta = 1} has prior probability 0, so that the
    display is 0 = 0, or of densities on a null set; every event keeps its prior probability. u is the prior probability
    of the event {theta < u}""",
    grade=incomplete("that theta = 1 has a positive prior probability w, and w -> 0: none achieves the bound"),
)

own("optimal.posterior.approached", "dissertation, section 5.9")(
    """With the prior probability w of theta = 1, and t >= n, its posterior probability is w times exp(epsilon n)/(1
    - w + w exp(epsilon n)): as near to w exp(epsilon n) as one likes for small w, and never equal to it for
    epsilon, w > 0.""",
    every(atoms, lambda n, g, t, w: posterior(t, g, w, n) == w * g**n / (1 - w + w * g**n)),
    mutant("the bound is achieved", lambda n, g, t, w: posterior(t, g, w, n) == w * g**n),
    mutant("nothing is learned", lambda n, g, t, w: posterior(t, g, w, n) == w),
    every(atoms, lambda n, g, t, w: w * g**n - w**2 * g ** (2 * n) < posterior(t, g, w, n) < w * g**n),
    repairs="optimal.posterior",
)

concentrated = cases(
    "gamma = 11/10, 3/2, 2, 3; d = 1 to 4; at step j of a path the mechanism releases 1 with probability "
    "gamma^(j - d)/2; models on both of its ends, with probability 1/10, …, 10^-8 on one",
    "g d p e",
)(lambda: ((g, d, rising(g, d), Fraction(1, 10**k)) for g, d, k in product(GAMMAS, range(1, 5), range(1, 9))))

higher = lambda p, e, d, g, slack: released_share(p, {0: e, d: 1 - e}, 1) > g**d * p[0][1] - slack * e
lower = lambda p, e, d, g, slack: released_share(p, {0: 1 - e, d: e}, 1) < p[d][1] / g**d + slack * e

own("optimal.density.path", "dissertation, section 5.9")(
    """In every path metric and for every two data sets at distance d some mechanism is, under models of both of them,
    as near to both bounds of Theorem 5.4.1 as one likes; for epsilon > 0 it never reaches them.""",
    every(concentrated, lambda g, d, p, e: higher(p, e, d, g, 1)),
    mutant("reached from above", lambda g, d, p, e: higher(p, e, d, g, 0)),
    mutant("reached from below", lambda g, d, p, e: lower(p, e, d, g, 0)),
    every(concentrated, lambda g, d, p, e: lower(p, e, d, g, 1)),
    every(concentrated, lambda g, d, p, e: not higher(p, e, d, g, 0) and not lower(p, e, d, g, 0)),
)

own("optimal.density.path.approached", "dissertation, section 5.9")(
    """In every path metric and for every two data sets at distance d some mechanism is, under models of both of them,
    as near to both bounds of Theorem 5.4.1 as one likes.""",
    every(concentrated, lambda g, d, p, e: higher(p, e, d, g, 1)),
    mutant("reached from above", lambda g, d, p, e: higher(p, e, d, g, 0)),
    every(concentrated, lambda g, d, p, e: lower(p, e, d, g, 1)),
    mutant("reached from below", lambda g, d, p, e: lower(p, e, d, g, 0)),
    theorem("posterior_attained.privatised_bounds_approached", within=FINITE),
)

# that the constants of the bounds cannot be improved: the dissertation's section 5.9

shrinking = cases(
    "two outcomes, of which the probability of one grows by gamma at each of d = 1 to 4 steps; gamma = 11/10, 3/2, 2, "
    "3; point masses at both ends, prior probabilities 1/10, 1/100, …, 10^-8",
    "g d q p",
)(lambda: ((g, d, Fraction(1, 10**k), rising(g, d)) for g, d, k in product(GAMMAS, range(1, 5), range(1, 9))))

halves = cases("gamma = 2, d = 1; the two laws that grow by gamma; a prior probability of 1/2", "g d q p")(
    lambda: [(Fraction(2), 1, Fraction(1, 2), rising(Fraction(2), 1))]
)

state("optimal.constants", "dissertation, section 5.6, after Theorem 5.6.3", "dissertation, section 5.9")(
    """Despite their width, these bounds are optimal whenever epsilon is the smallest constant satisfying the Lipschitz
    condition (5.2). Without adding further assumptions on M, P_theta, or pi, these bounds cannot be shrunk. (This also
    applies to the bounds from Sections 5.4 and 5.5. We prove this in Section 5.9.) Yet they are not necessarily tight
    at a given theta. … But the analysis cannot be tightened without making assumptions about the nature of this
    variation - i.e. by making further assumptions on M, P_theta, or pi.""",
    every(halves, lambda g, d, q, p: second_posterior(p, {0: 1}, {d: 1}, q, 1) >= min(1, q * g**d)),
    reading="""the bounds of (5.12), for a given prior probability of the event, which the analyst knows: some mechanism
    and models with this epsilon and d_** come as near to them as one likes. The mechanism that is tried reaches the
    sharpest bound there is, for all M and P_theta (posterior.odds). Section 5.9 begins with the same claim: 'cannot be
    improved without additional assumptions'. What does hold is that no smaller constant serves all priors""",
    grade=incomplete(
        "that one factor is to serve all prior probabilities; for each of them in (0, 1) both ends can be shrunk, with "
        "no assumption: at 1/2, with exp(epsilon d_**) = 2, from [1/4, 1] to [1/3, 2/3]"
    ),
    refuted_by=["posterior_attained.posterior_connected_strict"],
)

own("optimal.constants.all-priors", "dissertation, section 5.6, after Theorem 5.6.3", "dissertation, section 5.9")(
    """The constant exp(epsilon d_**) of (5.12) cannot be smaller for all M, P_theta and pi, epsilon being the smallest
    constant of (5.2): with prior probabilities that go to 0 the factor comes as near to it as one likes. As a function
    of the prior probability the bounds can be shrunk (posterior.odds), and those of section 5.5 at some levels
    (testing.sharpest).""",
    every(shrinking, lambda g, d, p: smallest_gamma(p, {(i, i + 1): 1 for i in range(d)}) == g),
    mutant("attained", lambda g, d, q, p: second_posterior(p, {0: 1}, {d: 1}, q, 1) / q >= g**d),
    every(shrinking, lambda g, d, q, p: second_posterior(p, {0: 1}, {d: 1}, q, 1) / q >= g**d - q * g ** (2 * d)),
    every(shrinking, lambda g, d, q, p: second_posterior(p, {0: 1}, {d: 1}, q, 1) / q < g**d),
    theorem(
        "posterior_attained.posterior_sharp_attained",
        "posterior_attained.posterior_printed_approached",
        within=f"{FINITE}; the sharp bound is attained, and tends to the printed one",
    ),
    repairs="optimal.constants",
)

left_of_zero = cases("gamma = 11/10, 3/2, 2, 3; t = 0, -1, …, -5", "g t")(lambda: product(GAMMAS, range(0, -6, -1)))

first_ratio = lambda ones, t, g: (
    max(
        law[a] / (1 / 2) / (law[b] / (1 / 2))
        for law in [{a: laplace(a * ones, t, g) / (laplace(0, t, g) + laplace(ones, t, g)) for a in (0, 1)}]
        for a in (0, 1)
        for b in (0, 1)
    )
    == g
)

state("optimal.pufferfish", "dissertation, section 5.9")(
    """Let theta* be such that P_theta*(X = x_0) = P_theta*(X = x_1) = 0.5, where x_0 = (0, ..., 0) and x_1 = (1, 0,
    ..., 0). Then [P_theta*(X_1 = 0 | T = t)/P_theta*(X_1 = 1 | T = t)]/[P_theta*(X_1 = 0)/P_theta*(X_1 = 1)] =
    p_x0(t)/p_x1(t), by Bayes rule, where p_x(t) is the density of the Laplace mechanism. Yet p_x0(t)/p_x1(t) =
    exp(epsilon) for t <= 0. Hence, d_DR(P_theta*(X_1 in . | T = t), P_theta*(X_1 in .)) = epsilon, and thus the bound
    (5.19) of Theorem 5.8.4 is tight.""",
    every(left_of_zero, first_ratio, ones=1),
    mutant("x_1 = (1, 1, 0, ..., 0)", {"ones": 2}),
    reading="for t <= 0; d_DR of laws on two values is the logarithm of their largest odds ratio",
)

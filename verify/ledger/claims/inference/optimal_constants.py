"""That the constants of the bounds cannot be improved: the dissertation's section 5.9."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.inference.models import FINITE, rising, second_posterior, smallest_gamma
from stirred.verify.ledger.claims.inference.optimality import GAMMAS, laplace

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

left_of_zero = cases("gamma = 11/10, 3/2, 2, 3; t = 0, -1, …, -5", "g t", lambda: product(GAMMAS, range(0, -6, -1)))

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

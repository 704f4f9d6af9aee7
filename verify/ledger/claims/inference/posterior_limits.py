"""What bounds on posteriors ask for: necessary conditions, and when the posterior is unique."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.inference.models import FINITE, all_outcomes, plausible, second_posterior
from stirred.verify.ledger.claims.inference.posteriors import believed
from stirred.verify.ledger.claims.inference.testing import pairs_of_laws
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, ln, oo
from stirred.verify.ledger.words import multiplicative

points = cases(
    "all mechanisms of three laws on two outcomes in thirds or on three in halves; every data set a parameter with its "
    "point mass, prior uniform",
    "p w",
    lambda: (
        (p, dict.fromkeys(p, Fraction(1, 3)))
        for chosen in product((*laws_of(2, 3), *laws_of(3, 2)), repeat=3)
        for p in [dict(enumerate(chosen))]
    ),
)

refusing = cases(
    "a mechanism that refuses with probability 1/2 (outcome 2) and else releases its data set, one of two; t_0 = 2 or "
    "the data set 0",
    "p w t0",
    lambda: (
        (p, dict.fromkeys(p, Fraction(1, 2)), t0)
        for p in [{x: {2: Fraction(1, 2), x: Fraction(1, 2)} for x in range(2)}]
        for t0 in (2, 0)
    ),
)

bounded_where_possible = lambda p, w, t0: (
    all(multiplicative(p[x], p[y]) < oo for x in plausible(p, w, t0) for y in plausible(p, w, t0))
    or not all(get(p[x], t0, 0) > 0 for x in w)
)

state("posterior.necessary", "dissertation, Remark 5.6.4")(
    """one can observe that D_MULT(P_x, P_x') being bounded away from infinity, for all x, x' in supp(x | t_0), is a
    necessary condition for D_MULT[pi(theta | t_0), pi(theta)] < oo.""",
    every(refusing, bounded_where_possible),
    reading="""every data set a parameter with its point mass, prior uniform: D_Mult of posterior and prior is finite
    where t_0 is possible under each""",
    grade=incomplete(
        "that the change is bounded at every release and for every model, as (5.12) would be: a given release, such "
        "as a refusal, bounds it without"
    ),
)

for_the_first_release_only = lambda p, w: (
    all(multiplicative(p[x], p[y]) < oo for x in w for y in w)
    == all(
        0 < p_x / total < oo
        for t in sorted(all_outcomes(p))[:1]
        for x in w
        for p_x in [get(p[x], t, 0)]
        for total in [sum(w[y] * get(p[y], t, 0) for y in w)]
    )
)
necessary_repaired = lambda p, w: (
    all(multiplicative(p[x], p[y]) < oo for x in w for y in w)
    == all(
        0 < p_x / total < oo
        for t in all_outcomes(p)
        for x in w
        for p_x in [get(p[x], t, 0)]
        for total in [sum(w[y] * get(p[y], t, 0) for y in w)]
    )
)

own("posterior.necessary.repaired", "dissertation, Remark 5.6.4")(
    """On a finite T: D_Mult(P_x, P_x') < oo for all x, x' if and only if D_Mult of posterior and prior is finite at
    every release, under a uniform prior on point masses.""",
    every(points, necessary_repaired),
    mutant("for the first release only", for_the_first_release_only),
    theorem("finite_change.finite_change_iff"),
    repairs="posterior.necessary",
)

posteriors_within_iff_near = lambda p, q, g, priors: (
    (multiplicative(p, q) <= g)
    == all(
        1 / g <= second_posterior({0: p, 1: q}, {0: 1}, {1: 1}, w, t) / w <= g
        for w in priors
        for t in all_outcomes({0: p, 1: q})
        if get(p, t, 0) + get(q, t, 0) > 0
    )
)

_FAIR = {0: Fraction(1, 2), 1: Fraction(1, 2)}
_UNFAIR = (*(Fraction(1, 2**k) for k in range(1, 9)), *(Fraction(1, 2) + Fraction(1, 2**k) for k in range(2, 10)))

squares = cases(
    "a fair coin beside those of 2^-1, ..., 2^-8 and 1/2 + 2^-2, ..., 1/2 + 2^-9; alpha = 1, ..., 4", "alpha pairs"
)(lambda: ((alpha, tuple((_FAIR, {0: q, 1: 1 - q}) for q in _UNFAIR)) for alpha in range(1, 5)))

unique = lambda alpha, pairs: (
    not all(
        ln(multiplicative(p, q)) ** 2 > 1
        or all(
            1 / 3 <= second_posterior({0: p, 1: q}, {0: 1}, {1: 1}, w, t) / w <= 3
            for w in (1 / 100, 1 / 2, 99 / 100)
            for t in p
        )
        for p, q in pairs
    )
    or all(ln(multiplicative(p, q)) <= alpha * ln(multiplicative(p, q)) ** 2 for p, q in pairs)
)

state("posterior.unique", "dissertation, Remark 5.6.4")(
    """Hence the use of D_MULT in the Lipschitz condition (5.2) is the unique choice (modulo distorting functions d_DIST
    satisfying alpha d_DIST >= D_MULT for some constant alpha) that ensures a bound on the prior-to-posterior of the
    form (5.12). This is analogous to the fact that D_MULT is the unique choice of distorting function that encodes
    privacy as indistinguishability (see Remark 5.3.7). Furthermore, by similar logic D_MULT is also the unique choice
    of distorting function which enables bounds on hypothesis testing like those in Theorem 5.5.1.""",
    some(squares, unique),
    reading="""of the form: in an interval I_1(a pi, b pi) with 0 < a <= 1 <= b < oo, as the sentence before has it;
    d_DIST = D_Mult^2 bounds the posterior by exp(+- sqrt(epsilon d_**)) times the prior, here by a factor of 3 where it
    is at most 1. The same words, and the same gap, as in interval.indistinguishable.only-multiplicative""",
    grade=incomplete(
        "the exception is wider: that D_Mult is bounded on each ball of d_DIST, as it is for the powers of D_Mult"
    ),
)

own("posterior.unique.constant", "dissertation, Remark 5.6.4")(
    """For every prior on two data sets the posterior is within e^(alpha epsilon) of it at every release, or every
    test's power within (5.10) for alpha epsilon, only if D_Mult(P_x, P_x') <= alpha epsilon: with bounds whose exponent
    is proportional to epsilon, d_DIST must have alpha d_DIST >= D_Mult.""",
    every(pairs_of_laws, lambda p, q, g: posteriors_within_iff_near(p, q, g, (1 / 100, 99 / 100))),
    mutant("a uniform prior only", lambda p, q, g: posteriors_within_iff_near(p, q, g, (1 / 2,))),
    theorem("posterior_attained.posterior_within_iff", "power.mult_le_iff_power", within=FINITE),
    repairs="posterior.unique",
    reading="priors of 1/100 tell the pairs that are tried from the rest",
)

a_prior_of_1_for_the_other = lambda p, w, v, q, t0: all(
    second_posterior(p, w, v, q, t0) * sum(joint[k, x] for k in range(2) for x in p) == sum(joint[1, x] for x in p)
    for joint in [{(k, x): (q if k == 1 else 1) * get([w, v][k], x, 0) * get(p[x], t0, 0) for k in range(2) for x in p}]
)
bayes = lambda p, w, v, q, t0: all(
    second_posterior(p, w, v, q, t0) * sum(joint[k, x] for k in range(2) for x in p) == sum(joint[1, x] for x in p)
    for joint in [
        {(k, x): (q if k == 1 else 1 - q) * get([w, v][k], x, 0) * get(p[x], t0, 0) for k in range(2) for x in p}
    ]
)

state("posterior.bayes", "dissertation, (5.6)", "dissertation, (5.13)")(
    """pi(theta | t) proportional to pi(theta) p(t | theta), where p(t | theta) can in turn be derived from the
    convolution of the data model P_theta and the privacy mechanism P_x according to (5.6).""",
    every(believed, bayes),
    mutant("a prior of 1 for the other model", a_prior_of_1_for_the_other),
    theorem("posterior.posterior_joint", within=f"{FINITE}; of theta and T"),
    reading="of the joint law of theta, X and T",
)

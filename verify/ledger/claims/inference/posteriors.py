"""What a Bayesian learns from a release: prior predictive and posterior probabilities, and when bounds on them hold."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.inference.models import (
    FINITE,
    all_outcomes,
    d_connected,
    d_diameter,
    lower_density,
    mechanisms,
    mixed_models,
    no_other_gives,
    plausible,
    released_share,
    rising,
    second_posterior,
    smallest_gamma,
    tested,
    upper_density,
)
from stirred.verify.ledger.claims.inference.testing import pairs_of_laws
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, ln, oo
from stirred.verify.ledger.words import multiplicative, probability

# what a Bayesian learns from a release: prior predictive and posterior probabilities

# supp(x | t): of two models, both with a positive prior probability
plausible_under = lambda p, w, v, t: plausible(p, w, t) | plausible(p, v, t)

# the prior probability given that the data are among some data sets
prior_given = lambda w, v, q, s: q * probability(v, s) / ((1 - q) * probability(w, s) + q * probability(v, s))

believed = cases(
    "as for Theorem 5.4.1; all pairs of two models, with prior probabilities 1/2 and 1/5 of the second; all t_0",
    "p d w v q t0",
)(
    lambda: (
        case
        for p, d, w, v in tested
        for t0 in dict.fromkeys(t for law in p.values() for t in law)
        if any(model[x] and p[x][t0] for model in (w, v) for x in model)
        for case in ((p, d, w, v, q, t0) for q in (Fraction(1, 2), Fraction(1, 5)))
    )
)

predictive_density_within = lambda p, d, w, v, q, t0: (
    not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        lower_density(p, d, plausible_under(p, w, v, t0), gamma, t)
        <= released_share(p, u, t)
        <= upper_density(p, d, plausible_under(p, w, v, t0), gamma, t)
        for u in [mixed_models(w, v, q)]
        for gamma in [smallest_gamma(p, d)]
        for t in no_other_gives(p, plausible_under(p, w, v, t0), u)
    )
)

state("predicted.density", "dissertation, Theorem 5.6.2", "dissertation, (5.11)")(
    """Let M be an epsilon-DP mechanism. Define T_0 = {t in T | supp(x | t) subset supp(x | t_0)}. Then, there exist
    measures L and U on (T, F) with densities l and u satisfying l(t) = ess sup over x_* in supp(x | t_0) of
    exp(-epsilon d_*) p_x*(t) and u(t) = ess inf over x_* in supp(x | t_0) of exp(epsilon d_*) p_x*(t), for all t in
    T_0, where d_* = sup over x in supp(x | t_0) of d(x, x_*). Furthermore, the Bayesian analyst's prior predictive
    probability P(T in .) is bounded by L and U on T_0""",
    every(believed, predictive_density_within),
    reading="under Assumption 5.6.1; on finite sets, with two models",
    grade=incomplete("as for Theorem 5.4.1: that the data are in supp(x | t_0) with prior probability 1"),
    refuted_by=["prior_predictive.prior_predictive_lower_refuted"],
)

e_0_for_e_epsilon = lambda p, d, w, v, q, t0: (
    not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        probability(u, plausible_under(p, w, v, t0)) * lower_density(p, d, plausible_under(p, w, v, t0), gamma, t)
        <= released_share(p, u, t)
        <= upper_density(p, d, plausible_under(p, w, v, t0), gamma, t)
        for u in [mixed_models(w, v, q)]
        for gamma in [smallest_gamma(p, d) ** 0]
        for t in no_other_gives(p, plausible_under(p, w, v, t0), u)
    )
)
density_repaired = lambda p, d, w, v, q, t0: (
    not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        probability(u, plausible_under(p, w, v, t0)) * lower_density(p, d, plausible_under(p, w, v, t0), gamma, t)
        <= released_share(p, u, t)
        <= upper_density(p, d, plausible_under(p, w, v, t0), gamma, t)
        for u in [mixed_models(w, v, q)]
        for gamma in [smallest_gamma(p, d)]
        for t in no_other_gives(p, plausible_under(p, w, v, t0), u)
    )
)

own("predicted.density.repaired", "dissertation, Theorem 5.6.2", "dissertation, (5.11)")(
    "Under the premises of Theorem 5.6.2, P(X in supp(x | t_0)) l(t) <= p(t) <= u(t) on T_0.",
    every(believed, density_repaired),
    mutant("e^0 for e^epsilon", e_0_for_e_epsilon),
    theorem(
        "prior_predictive.prior_predictive_support",
        "prior_predictive.prior_predictive_interval",
        "prior_predictive.prior_predictive_upper",
        "prior_predictive.prior_predictive_lower",
        within=FINITE,
    ),
    repairs="predicted.density",
)

one_model = lambda p, w, v, share: all(
    released_share(p, mixed_models(w, v, share), t) == released_share(p, w, t) for t in all_outcomes(p)
)

state("predicted.density.one-model", "dissertation, section 5.9")(
    """If one sets the prior pi to be a point mass on a single theta_0, then the prior predictive probability P(T in S)
    = (the integral over Theta of) P(T in S | theta) dpi(theta) reduces to the privatised data probability P(T in S |
    theta_0).""",
    every(tested, one_model, share=0, identity="a mixture with one part is that part, for all models"),
    mutant("half of another model", {"share": Fraction(1, 2)}),
)

interval = lambda p, d, w, v, q, t0: (
    not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        prior / g <= second_posterior(p, w, v, q, t0) <= prior * g
        for g in [smallest_gamma(p, d) ** d_diameter(d, plausible_under(p, w, v, t0))]
        for prior in [q]
    )
)

state("posterior.interval", "dissertation, Theorem 5.6.3", "dissertation, (5.12)", "dissertation, (C.28)")(
    """Suppose that an epsilon-DP mechanism M outputs the realisation t_0. The analyst's posterior probability given t_0
    satisfies pi(theta in S | t_0) in pi(theta in S) exp(+- epsilon d_**), for all S in F, where d_** = sup over x, x'
    in supp(x | t_0) of d(x, x').""",
    every(believed, interval),
    reading="under Assumption 5.6.1; with two models, of which S has the second",
    grade=incomplete(
        "that the data are in supp(x | t_0) with probability 1 under every model: else what the release determines, "
        "such as the number of records, changes the posterior without any bound"
    ),
    refuted_by=["posterior.posterior_interval_refuted"],
)

interval_repaired = lambda p, d, w, v, q, t0: (
    not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        prior / g <= second_posterior(p, w, v, q, t0) <= prior * g
        for g in [smallest_gamma(p, d) ** d_diameter(d, plausible_under(p, w, v, t0))]
        for prior in [prior_given(w, v, q, plausible_under(p, w, v, t0))]
    )
)
d_1_for_d = lambda p, d, w, v, q, t0: (
    not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        prior / g <= second_posterior(p, w, v, q, t0) <= prior * g
        for g in [smallest_gamma(p, d) ** max(0, d_diameter(d, plausible_under(p, w, v, t0)) - 1)]
        for prior in [prior_given(w, v, q, plausible_under(p, w, v, t0))]
    )
)
printed_interval_where_certain = lambda p, d, w, v, q, t0: (
    probability(w, plausible_under(p, w, v, t0)) < 1
    or probability(v, plausible_under(p, w, v, t0)) < 1
    or not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        prior / g <= second_posterior(p, w, v, q, t0) <= prior * g
        for g in [smallest_gamma(p, d) ** d_diameter(d, plausible_under(p, w, v, t0))]
        for prior in [q]
    )
)

own("posterior.interval.repaired", "dissertation, Theorem 5.6.3", "dissertation, (5.12)")(
    """Under Assumption 5.6.1, pi(theta in S | t_0) in pi(theta in S | X in supp(x | t_0)) exp(+- epsilon d_**):
    relative to what the release determines of the data. Where they are in supp(x | t_0) with probability 1 under every
    model, this is (5.12).""",
    every(believed, interval_repaired),
    mutant("d_** - 1 for d_**", d_1_for_d),
    every(believed, printed_interval_where_certain),
    theorem(
        "posterior.posterior_interval", "posterior.prior_given_prior", "posterior.posterior_connected", within=FINITE
    ),
    repairs="posterior.interval",
)

specific = lambda p, d, w, v, q, t0: (
    d_connected(d, plausible_under(p, w, v, t0))
    and all(
        prior / g < second_posterior(p, w, v, q, t0) < prior * g
        for g in [smallest_gamma(p, d) ** d_diameter(d, plausible_under(p, w, v, t0))]
        for prior in [prior_given(w, v, q, plausible_under(p, w, v, t0))]
    )
)
attained_by_every_mechanism_and_models = lambda p, d, w, v, q, t0: (
    not (
        d_connected(d, plausible_under(p, w, v, t0))
        and all(
            prior / g < second_posterior(p, w, v, q, t0) < prior * g
            for g in [smallest_gamma(p, d) ** d_diameter(d, plausible_under(p, w, v, t0))]
            for prior in [prior_given(w, v, q, plausible_under(p, w, v, t0))]
        )
    )
)

state("posterior.specific", "dissertation, Introduction")(
    """Under very mild conditions, the results in this work are valid for arbitrary parameters, priors and data
    generating models. These bounds are weaker than those attainable when analysing specific data generating models or
    data-release mechanisms.""",
    every(believed, interval_repaired),
    mutant("attained by every mechanism and models", attained_by_every_mechanism_and_models),
    mutant("for a bound with d_** - 1", d_1_for_d),
    some(believed, specific),
    reading="""the bounds are (5.12) under the conditions that hold there (posterior.interval.repaired): of every
    mechanism and models what they give is within, and of some it is strictly within""",
)

posterior_odds_within = lambda p, d, w, v, q, t0, steps_left_out: (
    not d_connected(d, plausible_under(p, w, v, t0))
    or all(
        prior / (prior + g * (1 - prior)) <= second_posterior(p, w, v, q, t0) <= prior * g / (prior * g + 1 - prior)
        for g in [smallest_gamma(p, d) ** max(0, d_diameter(d, plausible_under(p, w, v, t0)) - steps_left_out)]
        for prior in [prior_given(w, v, q, plausible_under(p, w, v, t0))]
    )
)

attaining = cases(
    "two outcomes, of which the probability of one grows by gamma at each of d = 1 to 4 steps, to 1/2; gamma = 1, "
    "3/2, 2, 3, 5; prior probabilities 1/100, 1/5, 1/2, 9/10",
    "g q d p",
)(
    lambda: (
        case
        for g in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(5))
        for d in range(1, 5)
        for case in ((g, Fraction(k, 100), d, rising(g, d)) for k in (1, 20, 50, 90))
    )
)

own("posterior.odds", "dissertation, Theorem 5.6.3")(
    """Under Assumption 5.6.1 the posterior odds of S are the odds given X in supp(x | t_0), times a factor in exp(+-
    epsilon d_**). For every prior probability pi, epsilon and d_** a mechanism on a path, two point masses and a
    release attain this: the sharpest interval is pi/(pi + e^(epsilon d_**) (1 - pi)) to pi e^(epsilon d_**)/(pi
    e^(epsilon d_**) + 1 - pi). For 0 < pi < 1 and epsilon d_** > 0 both ends are inside (5.12).""",
    every(believed, posterior_odds_within, steps_left_out=0),
    mutant("d_** - 1 for d_**", {"steps_left_out": 1}),
    every(attaining, lambda g, d, p: all(multiplicative(p[i], p[i + 1]) <= g for i in range(d))),
    mutant("(5.12) is attained", lambda g, q, d, p: second_posterior(p, {0: 1}, {d: 1}, q, 1) == q * g**d),
    every(attaining, lambda g, q, d, p: second_posterior(p, {0: 1}, {d: 1}, q, 1) == q * g**d / (q * g**d + 1 - q)),
    every(attaining, lambda g, q, d, p: g == 1 or second_posterior(p, {0: 1}, {d: 1}, q, 1) < q * g**d),
    theorem(
        "posterior.posterior_odds",
        "posterior.posterior_sharp",
        "posterior.posterior_connected_sharp",
        "posterior_attained.odds_attained",
        "posterior_attained.posterior_sharp_attained",
        "posterior_attained.posterior_connected_strict",
        within=FINITE,
    ),
)

one_record = lambda p, d, power: all(
    q / g <= second_posterior(p, {x: 1}, {y: 1}, q, t) <= q * g
    for g in [smallest_gamma(p, d) ** power]
    for x, y in d
    if d[x, y] == 1
    for t in p[x]
    for q in [1 / 5, 1 / 2, 9 / 10]
)

state("posterior.record", "dissertation, section 5.6, footnote 8", "dissertation, section 5.6, after Theorem 5.6.3")(
    """By fixing some x in X and setting pi(X_-i = x_-i) = 1, we get d_** = 1 and thereby rederive the result from Gong
    and Meng (2020).""",
    every(mechanisms, one_record, power=1),
    mutant("e^0 for e^epsilon", {"power": 0}),
    theorem("posterior.data_set_posterior", within=FINITE),
    reading="the prior-to-posterior change of one record, the others known, is within exp(+- epsilon)",
)

# what bounds on posteriors ask for: necessary conditions, and when the posterior is unique

points = cases(
    "all mechanisms of three laws on two outcomes in thirds or on three in halves; every data set a parameter with its "
    "point mass, prior uniform",
    "p w",
)(
    lambda: (
        (p, dict.fromkeys(p, Fraction(1, 3)))
        for chosen in product((*laws_of(2, 3), *laws_of(3, 2)), repeat=3)
        for p in [dict(enumerate(chosen))]
    )
)

refusing = cases(
    "a mechanism that refuses with probability 1/2 (outcome 2) and else releases its data set, one of two; t_0 = 2 or "
    "the data set 0",
    "p w t0",
)(
    lambda: (
        (p, dict.fromkeys(p, Fraction(1, 2)), t0)
        for p in [{x: {2: Fraction(1, 2), x: Fraction(1, 2)} for x in range(2)}]
        for t0 in (2, 0)
    )
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

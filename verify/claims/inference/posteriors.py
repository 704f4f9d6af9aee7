"""What a Bayesian learns from a release: prior predictive and posterior probabilities."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.claims.inference.models import FINITE, mechanisms, rising, tested
from stirred.verify.claims.inference.testing import pairs_of_laws
from stirred.verify.engines.zcdp.renyi_grid import laws_of
from stirred.verify.ledger import cases, define, every, incomplete, some, state, theorem

_SHARES = (Fraction(1, 2), Fraction(1, 5))

define(
    {
        # supp(x | t): of two models, both with a positive prior probability
        "plausible_under(p, w, v, t)": "plausible(p, w, t) | plausible(p, v, t)",
        # the prior probability given that the data are among some data sets
        "prior_given(w, v, q, s)": "q * probability(v, s) / ((1 - q) * probability(w, s) + q * probability(v, s))",
    }
)


@cases(
    "as for Theorem 5.4.1; all pairs of two models, with prior probabilities 1/2 and 1/5 of the second; all t_0",
    "p d w v q t0",
)
def believed() -> Iterator[tuple[Any, ...]]:
    for p, d, w, v in tested:
        for t0 in dict.fromkeys(t for law in p.values() for t in law):
            if any(model[x] and p[x][t0] for model in (w, v) for x in model):
                yield from ((p, d, w, v, q, t0) for q in _SHARES)


_S = "plausible_under(p, w, v, t0)"
_MIXED = "u in [mixed_models(w, v, q)]"
_PREDICTED = (
    f"not d_connected(d, {_S}) or all({{factor}} * lower_density(p, d, {_S}, gamma, t) <= released_share(p, u, t) <= "
    f"upper_density(p, d, {_S}, gamma, t) for {_MIXED} for gamma in [smallest_gamma(p, d) ** {{power}}] for t in "
    f"no_other_gives(p, {_S}, u))"
)

state(
    "predicted.density",
    *("dissertation, Theorem 5.6.2", "dissertation, (5.11)"),
    printed="Let M be an epsilon-DP mechanism. Define T_0 = {t in T | supp(x | t) subset supp(x | t_0)}. Then, there "
    "exist measures L and U on (T, F) with densities l and u satisfying l(t) = ess sup over x_* in supp(x | t_0) of "
    "exp(-epsilon d_*) p_x*(t) and u(t) = ess inf over x_* in supp(x | t_0) of exp(epsilon d_*) p_x*(t), for all t in "
    "T_0, where d_* = sup over x in supp(x | t_0) of d(x, x_*). Furthermore, the Bayesian analyst's prior predictive "
    "probability P(T in .) is bounded by L and U on T_0",
    reading="under Assumption 5.6.1; on finite sets, with two models",
    grade=incomplete("as for Theorem 5.4.1: that the data are in supp(x | t_0) with prior probability 1"),
    refuted_by=["prior_predictive.prior_predictive_lower_refuted"],
    checks=[every(believed, _PREDICTED.format(factor="1", power=1))],
)

state(
    "predicted.density.repaired",
    *("dissertation, Theorem 5.6.2", "dissertation, (5.11)"),
    claim="Under the premises of Theorem 5.6.2, P(X in supp(x | t_0)) l(t) <= p(t) <= u(t) on T_0.",
    repairs="predicted.density",
    checks=[
        every(believed, _PREDICTED.format(factor=f"probability(u, {_S})", power=1)),
        theorem(
            "prior_predictive.prior_predictive_support",
            "prior_predictive.prior_predictive_interval",
            "prior_predictive.prior_predictive_upper",
            "prior_predictive.prior_predictive_lower",
            within=FINITE,
        ),
    ],
    mutants={"e^0 for e^epsilon": every(believed, _PREDICTED.format(factor=f"probability(u, {_S})", power=0))},
)

state(
    "predicted.density.one-model",
    "dissertation, section 5.9",
    printed="If one sets the prior pi to be a point mass on a single theta_0, then the prior predictive probability "
    "P(T in S) = (the integral over Theta of) P(T in S | theta) dpi(theta) reduces to the privatised data probability "
    "P(T in S | theta_0).",
    checks=[
        every(
            tested,
            "all(released_share(p, mixed_models(w, v, share), t) == released_share(p, w, t) for t in all_outcomes(p))",
            share=0,
            identity="a mixture with one part is that part, for all models",
        )
    ],
    mutants={
        "half of another model": every(
            tested,
            "all(released_share(p, mixed_models(w, v, share), t) == released_share(p, w, t) for t in all_outcomes(p))",
            share=Fraction(1, 2),
        )
    },
)

_WITHIN = (
    f"not d_connected(d, {_S}) or all(prior / g <= second_posterior(p, w, v, q, t0) <= prior * g for g in "
    f"[smallest_gamma(p, d) ** max(0, d_diameter(d, {_S}) - {{less}})] for prior in [{{prior}}])"
)

state(
    "posterior.interval",
    *("dissertation, Theorem 5.6.3", "dissertation, (5.12)", "dissertation, (C.28)"),
    printed="Suppose that an epsilon-DP mechanism M outputs the realisation t_0. The analyst's posterior probability "
    "given t_0 satisfies pi(theta in S | t_0) in pi(theta in S) exp(+- epsilon d_**), for all S in F, where d_** = "
    "sup over x, x' in supp(x | t_0) of d(x, x').",
    reading="under Assumption 5.6.1; with two models, of which S has the second",
    grade=incomplete(
        "that the data are in supp(x | t_0) with probability 1 under every model: else what the release determines, "
        "such as the number of records, changes the posterior without any bound"
    ),
    refuted_by=["posterior.posterior_interval_refuted"],
    checks=[every(believed, _WITHIN.format(prior="q", less=0))],
)

_GIVEN = f"prior_given(w, v, q, {_S})"

state(
    "posterior.interval.repaired",
    *("dissertation, Theorem 5.6.3", "dissertation, (5.12)"),
    claim="Under Assumption 5.6.1, pi(theta in S | t_0) in pi(theta in S | X in supp(x | t_0)) exp(+- epsilon d_**): "
    "relative to what the release determines of the data. Where they are in supp(x | t_0) with probability 1 under "
    "every model, this is (5.12).",
    repairs="posterior.interval",
    checks=[
        every(believed, _WITHIN.format(prior=_GIVEN, less=0)),
        every(
            believed,
            f"probability(w, {_S}) < 1 or probability(v, {_S}) < 1 or ({_WITHIN.format(prior='q', less=0)})",
        ),
        theorem(
            "posterior.posterior_interval",
            "posterior.prior_given_prior",
            "posterior.posterior_connected",
            within=FINITE,
        ),
    ],
    mutants={"d_** - 1 for d_**": every(believed, _WITHIN.format(prior=_GIVEN, less=1))},
)

_STRICTLY = _WITHIN.replace("<=", "<").replace("not d_connected", "d_connected").replace(") or all(", ") and all(")

state(
    "posterior.specific",
    "dissertation, Introduction",
    printed="Under very mild conditions, the results in this work are valid for arbitrary parameters, priors and data "
    "generating models. These bounds are weaker than those attainable when analysing specific data generating models "
    "or data-release mechanisms.",
    reading="the bounds are (5.12) under the conditions that hold there (posterior.interval.repaired): of every "
    "mechanism and models what they give is within, and of some it is strictly within",
    checks=[
        every(believed, _WITHIN.format(prior=_GIVEN, less=0)),
        some(believed, _STRICTLY.format(prior=_GIVEN, less=0)),
    ],
    mutants={
        "attained by every mechanism and models": every(believed, f"not ({_STRICTLY.format(prior=_GIVEN, less=0)})"),
        "for a bound with d_** - 1": every(believed, _WITHIN.format(prior=_GIVEN, less=1)),
    },
)

_ODDS = (
    f"not d_connected(d, {_S}) or all(prior / (prior + g * (1 - prior)) <= second_posterior(p, w, v, q, t0) <= prior "
    f"* g / (prior * g + 1 - prior) for g in [smallest_gamma(p, d) ** max(0, d_diameter(d, {_S}) - {{less}})] for "
    f"prior in [{_GIVEN}])"
)


@cases(
    "two outcomes, of which the probability of one grows by gamma at each of d = 1 to 4 steps, to 1/2; gamma = 1, "
    "3/2, 2, 3, 5; prior probabilities 1/100, 1/5, 1/2, 9/10",
    "g q d p",
)
def attaining() -> Iterator[tuple[Any, ...]]:
    for g in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(5)):
        for d in range(1, 5):
            yield from ((g, Fraction(k, 100), d, rising(g, d)) for k in (1, 20, 50, 90))


_ENDS = "second_posterior(p, {{0: 1}}, {{d: 1}}, q, 1) {sign} {end}"
_PATH_BUDGET = "all(multiplicative(p[i], p[i + 1]) <= g for i in range(d))"

state(
    "posterior.odds",
    "dissertation, Theorem 5.6.3",
    claim="Under Assumption 5.6.1 the posterior odds of S are the odds given X in supp(x | t_0), times a factor in "
    "exp(+- epsilon d_**). For every prior probability pi, epsilon and d_** a mechanism on a path, two point masses "
    "and a release attain this: the sharpest interval is pi/(pi + e^(epsilon d_**) (1 - pi)) to pi e^(epsilon "
    "d_**)/(pi e^(epsilon d_**) + 1 - pi). For 0 < pi < 1 and epsilon d_** > 0 both ends are inside (5.12).",
    checks=[
        every(believed, _ODDS.format(less=0)),
        every(attaining, _PATH_BUDGET),
        every(attaining, _ENDS.format(sign="==", end="q * g ** d / (q * g ** d + 1 - q)")),
        every(attaining, f"g == 1 or {_ENDS.format(sign='<', end='q * g ** d')}"),
        theorem(
            "posterior.posterior_odds",
            "posterior.posterior_sharp",
            "posterior.posterior_connected_sharp",
            "posterior_attained.odds_attained",
            "posterior_attained.posterior_sharp_attained",
            "posterior_attained.posterior_connected_strict",
            within=FINITE,
        ),
    ],
    mutants={
        "d_** - 1 for d_**": every(believed, _ODDS.format(less=1)),
        "(5.12) is attained": every(attaining, _ENDS.format(sign="==", end="q * g ** d")),
    },
)

_ALL_OUTPUTS = (
    "all(multiplicative(p[x], p[y]) < oo for x in w for y in w) {sign} all(0 < p_x / total < oo for t in "
    "all_outcomes(p) for x in w for p_x in [get(p[x], t, 0)] for total in [sum(w[y] * get(p[y], t, 0) for y in w)])"
)


_ONE_RECORD = (
    "all(q / g <= second_posterior(p, {x: 1}, {y: 1}, q, t) <= q * g for g in [smallest_gamma(p, d) ** power] for x, "
    "y in d if d[x, y] == 1 for t in p[x] for q in [1/5, 1/2, 9/10])"
)

state(
    "posterior.record",
    *("dissertation, section 5.6, footnote 8", "dissertation, section 5.6, after Theorem 5.6.3"),
    printed="By fixing some x in X and setting pi(X_-i = x_-i) = 1, we get d_** = 1 and thereby rederive the result "
    "from Gong and Meng (2020).",
    reading="the prior-to-posterior change of one record, the others known, is within exp(+- epsilon)",
    checks=[
        every(mechanisms, _ONE_RECORD, power=1),
        theorem("posterior.data_set_posterior", within=FINITE),
    ],
    mutants={"e^0 for e^epsilon": every(mechanisms, _ONE_RECORD, power=0)},
)


@cases(
    "all mechanisms of three laws on two outcomes in thirds or on three in halves; every data set a parameter with its "
    "point mass, prior uniform",
    "p w",
)
def points() -> Iterator[tuple[Any, ...]]:
    for chosen in product((*laws_of(2, 3), *laws_of(3, 2)), repeat=3):
        p = dict(enumerate(chosen))
        yield p, dict.fromkeys(p, Fraction(1, 3))


@cases(
    "a mechanism that refuses with probability 1/2 (outcome 2) and else releases its data set, one of two; t_0 = 2 or "
    "the data set 0",
    "p w t0",
)
def refusing() -> Iterator[tuple[Any, ...]]:
    p = {x: {2: Fraction(1, 2), x: Fraction(1, 2)} for x in range(2)}
    for t0 in (2, 0):
        yield p, dict.fromkeys(p, Fraction(1, 2)), t0


_AT_RELEASE = (
    "all(multiplicative(p[x], p[y]) < oo for x in plausible(p, w, t0) for y in plausible(p, w, t0)) or not "
    "all(0 < get(p[x], t0, 0) for x in w)"
)

state(
    "posterior.necessary",
    "dissertation, Remark 5.6.4",
    printed="one can observe that D_MULT(P_x, P_x') being bounded away from infinity, for all x, x' in supp(x | t_0), "
    "is a necessary condition for D_MULT[pi(theta | t_0), pi(theta)] < oo.",
    reading="every data set a parameter with its point mass, prior uniform: D_Mult of posterior and prior is finite "
    "where t_0 is possible under each",
    grade=incomplete(
        "that the change is bounded at every release and for every model, as (5.12) would be: a given release, such "
        "as a refusal, bounds it without"
    ),
    checks=[every(refusing, _AT_RELEASE)],
)

state(
    "posterior.necessary.repaired",
    "dissertation, Remark 5.6.4",
    claim="On a finite T: D_Mult(P_x, P_x') < oo for all x, x' if and only if D_Mult of posterior and prior is finite "
    "at every release, under a uniform prior on point masses.",
    repairs="posterior.necessary",
    checks=[
        every(points, _ALL_OUTPUTS.format(sign="==")),
        theorem("finite_change.finite_change_iff"),
    ],
    mutants={
        "for the first release only": every(
            points,
            _ALL_OUTPUTS.format(sign="==").replace(
                "for t in all_outcomes(p) for x", "for t in sorted(all_outcomes(p))[:1] for x"
            ),
        )
    },
)

_UNIQUE = (
    "(multiplicative(p, q) <= g) == all(1 / g <= second_posterior({{0: p, 1: q}}, {{0: 1}}, {{1: 1}}, w, t) / w <= g "
    "for w in {priors} for t in all_outcomes({{0: p, 1: q}}) if get(p, t, 0) + get(q, t, 0) > 0)"
)

_FAIR = {0: Fraction(1, 2), 1: Fraction(1, 2)}
_UNFAIR = (*(Fraction(1, 2**k) for k in range(1, 9)), *(Fraction(1, 2) + Fraction(1, 2**k) for k in range(2, 10)))

squares = cases(
    "a fair coin beside those of 2^-1, ..., 2^-8 and 1/2 + 2^-2, ..., 1/2 + 2^-9; alpha = 1, ..., 4", "alpha pairs"
)(lambda: ((alpha, tuple((_FAIR, {0: q, 1: 1 - q}) for q in _UNFAIR)) for alpha in range(1, 5)))
_SQUARE_ENSURES = (
    "all(ln(multiplicative(p, q))**2 > 1 or all(1/3 <= second_posterior({0: p, 1: q}, {0: 1}, {1: 1}, w, t)/w <= 3 for "
    "w in (1/100, 1/2, 99/100) for t in p) for p, q in pairs)"
)
_TRIVIAL = "all(ln(multiplicative(p, q)) <= alpha * ln(multiplicative(p, q))**2 for p, q in pairs)"

state(
    "posterior.unique",
    "dissertation, Remark 5.6.4",
    printed="Hence the use of D_MULT in the Lipschitz condition (5.2) is the unique choice (modulo distorting "
    "functions d_DIST satisfying alpha d_DIST >= D_MULT for some constant alpha) that ensures a bound on the "
    "prior-to-posterior of the form (5.12). This is analogous to the fact that D_MULT is the unique choice of "
    "distorting function that encodes privacy as indistinguishability (see Remark 5.3.7). Furthermore, by similar "
    "logic "
    "D_MULT is also the unique choice of distorting function which enables bounds on hypothesis testing like those in "
    "Theorem 5.5.1.",
    reading="of the form: in an interval I_1(a pi, b pi) with 0 < a <= 1 <= b < oo, as the sentence before has it; "
    "d_DIST = D_Mult^2 bounds the posterior by exp(+- sqrt(epsilon d_**)) times the prior, here by a factor of 3 where "
    "it is at most 1. The same words, and the same gap, as in interval.indistinguishable.only-multiplicative",
    grade=incomplete(
        "the exception is wider: that D_Mult is bounded on each ball of d_DIST, as it is for the powers of D_Mult"
    ),
    checks=[some(squares, f"not {_SQUARE_ENSURES} or {_TRIVIAL}")],
)

state(
    "posterior.unique.constant",
    "dissertation, Remark 5.6.4",
    repairs="posterior.unique",
    claim="For every prior on two data sets the posterior is within e^(alpha epsilon) of it at every release, or every "
    "test's power within (5.10) for alpha epsilon, only if D_Mult(P_x, P_x') <= alpha epsilon: with bounds whose "
    "exponent is proportional to epsilon, d_DIST must have alpha d_DIST >= D_Mult.",
    reading="priors of 1/100 tell the pairs that are tried from the rest",
    checks=[
        every(pairs_of_laws, _UNIQUE.format(priors="(1/100, 99/100)")),
        theorem("posterior_attained.posterior_within_iff", "power.mult_le_iff_power", within=FINITE),
    ],
    mutants={"a uniform prior only": every(pairs_of_laws, _UNIQUE.format(priors="(1/2,)"))},
)

_CHAIN = (
    "all(second_posterior(p, w, v, q, t0) * sum(joint[k, x] for k in range(2) for x in p) == sum(joint[1, x] for x in "
    "p) for joint in [{(k, x): (q if k == 1 else {other}) * get([w, v][k], x, 0) * get(p[x], t0, 0) for k in range(2) "
    "for x in p}])"
)

state(
    "posterior.bayes",
    *("dissertation, (5.6)", "dissertation, (5.13)"),
    printed="pi(theta | t) proportional to pi(theta) p(t | theta), where p(t | theta) can in turn be derived from the "
    "convolution of the data model P_theta and the privacy mechanism P_x according to (5.6).",
    reading="of the joint law of theta, X and T",
    checks=[
        every(believed, _CHAIN.replace("{other}", "1 - q")),
        theorem("posterior.posterior_joint", within=f"{FINITE}; of theta and T"),
    ],
    mutants={"a prior of 1 for the other model": every(believed, _CHAIN.replace("{other}", "1"))},
)

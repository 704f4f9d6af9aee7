"""The density-ratio metric: what it depends on, by events, by the constant odds ratio, and when it is a metric."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.claims.intervals.measures import (
    by_densities,
    by_events,
    counting,
    density_in,
    dominated,
    essential_odds,
    events_of,
    finite_pairs,
    finite_triples,
    half_by_events,
    half_by_positive,
    is_zero,
    mixture,
    mutual,
    odds_distance,
    positive_events,
    random_triples,
    scaled,
    tuples_of_measures,
)
from stirred.verify.claims.zcdp.divergences import but_for_names, dominates
from stirred.verify.engines.zcdp.renyi_grid import laws_of
from stirred.verify.ledger import argued, cases, every, incomplete, misprint, some, state
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import probability, same_law


def on_space(p, n):
    return {t: get(p, t, 0) for t in range(n)}


def laws_odds(p, q):
    return odds_distance(on_space(p, 3), on_space(q, 3))


def where_positive(mu):
    return {t: mu[t] for t in mu if mu[t] > 0}


def fraction_of(a, b):
    return 0 if a == 0 and b == 0 else a / b


def odds_by_events(mu, nu):
    return max(
        probability(mu, s) * probability(nu, u) / (probability(mu, u) * probability(nu, s))
        for s in positive_events(mu)
        for u in positive_events(mu)
    )


def least_odds(mu, nu):
    return min(
        probability(mu, s) * probability(nu, u) / (probability(mu, u) * probability(nu, s))
        for s in positive_events(mu)
        for u in positive_events(mu)
    )


def constant_odds(mu, nu):
    return 0 if is_zero(mu) and is_zero(nu) else 1 - least_odds(mu, nu) if mutual(mu, nu) else 1


@cases(
    "all pairs of measures with masses 0, 1, 2 on two outcomes; every two tau_1, tau_2 of these that dominate both; "
    "values (0, 0), (5, 7), (oo, 7) of the densities where tau_2 is 0",
    "mu nu sigma tau a b",
)
def two_dominating() -> Iterator[tuple[Any, ...]]:
    for mu, nu, sigma, tau in tuples_of_measures(2, (0, 1, 2), 4):
        if all((sigma[t] and tau[t]) or not (mu[t] or nu[t]) for t in tau):
            yield from ((mu, nu, sigma, tau, a, b) for a, b in ((0, 0), (5, 7), (None, 7)))


def first_of_density_ratio(mu, nu, sigma):
    return by_densities(mu, nu, density_in(mu, sigma, 0), density_in(nu, sigma, 0), sigma)


def second_of_density_ratio(mu, nu, tau, a, b, part):
    return by_densities(mu, nu, density_in(mu, tau, a), density_in(nu, tau, b), part)


def the_supremum_for_the_essential_one(mu, nu, sigma, tau, a, b):
    return first_of_density_ratio(mu, nu, sigma) == second_of_density_ratio(mu, nu, tau, a, b, counting(tau))


state(
    "interval.density-ratio.well-defined",
    "dissertation, Proposition 7",
    printed="The density ratio metric d_DR is well-defined. That is, d_DR(mu, nu) does not depend on the choice of f, "
    "g and tau in (5.18).",
    checks=[
        every(
            two_dominating,
            lambda mu, nu, sigma, tau, a, b: (
                first_of_density_ratio(mu, nu, sigma) == second_of_density_ratio(mu, nu, tau, a, b, tau)
            ),
        )
    ],
    mutants={"the supremum for the essential one": every(two_dominating, the_supremum_for_the_essential_one)},
)

chains = cases(
    "all mu << nu << tau of the measures with masses 0, 1, 2 on three outcomes, but for the outcomes' names",
    "mu nu tau",
)(
    lambda: (
        (mu, nu, tau)
        for mu, nu, tau in tuples_of_measures(3, (0, 1, 2), 3)
        if all((nu[t] or not mu[t]) and (tau[t] or not nu[t]) for t in mu)
    )
)


def chain_rule(mu, nu, tau):
    return dominated(mu, tau) and all(
        density_in(mu, nu, 7)[t] == fraction_of(density_in(mu, tau, 5)[t], density_in(nu, tau, 5)[t])
        for t in mu
        if mu[t] > 0
    )


def tau_a_e_for_mu_a_e(mu, nu, tau):
    return all(
        density_in(mu, nu, 7)[t] == fraction_of(density_in(mu, tau, 5)[t], density_in(nu, tau, 5)[t])
        for t in mu
        if tau[t] > 0
    )


state(
    "interval.density-ratio.chain-rule",
    "dissertation, Lemma C.2.1",
    "dissertation, (C.3)",
    printed="Let mu, nu, tau in Omega such that mu << nu and nu << tau. Then mu << tau and the Radon-Nikodym "
    "derivative dmu/dnu satisfies dmu/dnu = f/g, mu-a.e., (C.3) where f, g are the tau-densities of mu and nu "
    "respectively and, on the RHS of (C.3), 0/0 = 0.",
    reading="any version of each density, here 5 and 7 on null sets",
    checks=[every(chains, chain_rule)],
    mutants={"tau-a.e. for mu-a.e.": every(chains, tau_a_e_for_mu_a_e)},
)


@cases(
    "all measures tau_1, tau_2, mu with masses 0, 1, 2 on three outcomes, mu << tau_1, but for the outcomes' names",
    "mu sigma tau",
)
def below_two() -> Iterator[tuple[Any, ...]]:
    for mu, sigma, tau in tuples_of_measures(3, (0, 1, 2), 3):
        if all(sigma[t] or not mu[t] for t in mu) and any(tau.values()):
            yield mu, sigma, tau


def null(sigma, tau, mu, part):
    return all(
        probability(total, {t for t in e if density_in(part, total, 0)[t] > 0}) == 0
        for total in [{t: sigma[t] + tau[t] for t in mu}]
        for e in events_of(mu)
        if probability(sigma, e) == 0
    )


state(
    "interval.density-ratio.null-sets",
    "dissertation, Proposition 7, its proof",
    "dissertation, (C.5)",
    printed="For any E in F with tau_1(E) = 0, we have that tau({dmu/dtau > 0} & E) = 0. (C.5)",
    reading="tau = tau_1 + tau_2 and mu << tau_1, as in the proof",
    checks=[every(below_two, lambda mu, sigma, tau: null(sigma, tau, mu, mu))],
    mutants={"tau_2 for mu": every(below_two, lambda mu, sigma, tau: null(sigma, tau, mu, tau))},
)

mutual_with_two = cases(
    "all pairs of non-zero, mutually absolutely continuous measures with masses 0, 1, 2 on two outcomes; every tau_1, "
    "tau_2 of these, tau_1 dominating both; tau = tau_1 + tau_2",
    "mu nu sigma tau",
)(
    lambda: (
        (mu, nu, sigma, {t: sigma[t] + other[t] for t in sigma})
        for mu, nu, sigma, other in tuples_of_measures(2, (0, 1, 2), 4)
        if any(mu.values()) and all((mu[t] > 0) == (nu[t] > 0) and (sigma[t] or not mu[t]) for t in mu)
    )
)


def through(mu, nu, part, other):
    return essential_odds(density_in(mu, part, 0), density_in(nu, part, 0), other)


def densities_with_respect_to_different_measures(mu, nu, sigma, tau):
    return through(mu, nu, tau, tau) == essential_odds(density_in(mu, sigma, 0), density_in(nu, tau, 0), sigma)


state(
    "interval.density-ratio.suprema",
    "dissertation, (C.4)",
    "dissertation, (C.6)",
    printed="tau_1-ess sup f_1(t)/g_1(t) g_1(t')/f_1(t') = tau_1-ess sup (dmu/dtau (t) / dnu/dtau (t)) (dnu/dtau (t') "
    "/ dmu/dtau (t')) <= tau-ess sup (dmu/dtau (t) / dnu/dtau (t)) (dnu/dtau (t') / dmu/dtau (t')) (C.4) [...] By "
    "combining (C.5) and (C.6), we get an equality between these two essential suprema.",
    reading="(C.6) with tau-ess sup on its right side, the reverse inequality of (C.4) that it is introduced as; as "
    "printed, with tau_1-ess sup, it repeats a part of (C.4)",
    checks=[
        every(mutual_with_two, lambda mu, nu, sigma, tau: through(mu, nu, sigma, sigma) == through(mu, nu, tau, sigma)),
        every(mutual_with_two, lambda mu, nu, sigma, tau: through(mu, nu, tau, sigma) == through(mu, nu, tau, tau)),
    ],
    mutants={
        "densities with respect to different measures": every(
            mutual_with_two,
            densities_with_respect_to_different_measures,
        )
    },
)

law_pairs = cases("all pairs of laws on three outcomes in quarters, but for the outcomes' names", "p q")(
    lambda: but_for_names(3, 4)
)
law_triples = cases("all triples of laws on three outcomes in quarters, but for the outcomes' names", "p q r")(
    lambda: but_for_names(3, 4, 3)
)


state(
    "interval.density-ratio.metric",
    "dissertation, Lemma C.3.4",
    printed="The density ratio metric d_DR is a metric on the space Omega_1 of probability measures on (T, F).",
    reading="a metric that may be oo (Definition C.3.1)",
    checks=[
        every(law_pairs, lambda p, q: (laws_odds(p, q) == 1) == same_law(p, q) and laws_odds(p, q) == laws_odds(q, p)),
        every(law_triples, lambda p, q, r: laws_odds(p, r) <= laws_odds(p, q) * laws_odds(q, r)),
    ],
    mutants={
        "the larger of two steps for their sum": every(
            law_triples, lambda p, q, r: laws_odds(p, r) <= max(laws_odds(p, q), laws_odds(q, r))
        ),
        "all non-zero measures": every(finite_pairs, lambda mu, nu: (odds_distance(mu, nu) == 1) == (mu == nu)),
    },
)


def same_support(p, q):
    return dominates(p, q) and dominates(q, p)


state(
    "interval.density-ratio.metric.third-law",
    "dissertation, Lemma C.3.4, its proof",
    printed="Suppose that P and R are not mutually absolutely continuous. Then Q is either mutually absolutely "
    "continuous with P, or with R, but not both.",
    grade=misprint("not with both of them: Q may be so with neither, and only 'not both' is used"),
    checks=[every(law_triples, lambda p, q, r: same_support(p, r) or same_support(q, p) != same_support(q, r))],
)

state(
    "interval.density-ratio.metric.third-law.repaired",
    "dissertation, Lemma C.3.4, its proof",
    claim="Where P and R are not mutually absolutely continuous, no Q is mutually absolutely continuous with both.",
    repairs="interval.density-ratio.metric.third-law",
    checks=[every(law_triples, lambda p, q, r: same_support(p, r) or not (same_support(q, p) and same_support(q, r)))],
    mutants={"with either": every(law_triples, lambda p, q, r: same_support(p, r) or not same_support(q, p))},
)

scalings = cases("all non-zero measures with masses 0, 1, 2 on three outcomes, c = 2, 3, 1/2", "mu c")(
    lambda: ((dict(enumerate(m)), c) for m in product((0, 1, 2), repeat=3) if any(m) for c in (2, 3, Fraction(1, 2)))
)

state(
    "interval.density-ratio.no-metric",
    "dissertation, section C.3, after Lemma C.3.4",
    "dissertation, (C.7)",
    printed="The density ratio metric d_DR is not a metric on Omega. [...] There exists mu != nu in Omega such that "
    "d_DR(mu, nu) = 0. For example, suppose that nu(S) = 2 mu(S), (C.7) for all S in F.",
    reading="of any non-zero mu; c mu for every c > 0 too",
    checks=[every(scalings, lambda mu, c: mu != scaled(mu, c) and odds_distance(mu, scaled(mu, c)) == 1)],
    mutants={"D_Mult for d_DR": every(scalings, lambda mu, c: by_events(mu, scaled(mu, c)) == 1)},
)


def pseudo_metric(mu, nu):
    return odds_distance(mu, mu) == 1 and odds_distance(mu, nu) >= 1 and odds_distance(mu, nu) == odds_distance(nu, mu)


state(
    "interval.density-ratio.pseudo-metric",
    "dissertation, Proposition 8",
    printed="The density ratio metric d_DR is a pseudo-metric on Omega. That is, d_DR is a function from Omega x Omega "
    "to the extended real line which satisfies the following properties for all mu, nu, tau in Omega: 1. d_DR(mu, mu) "
    "= 0; 2. d_DR(mu, nu) >= 0; 3. d_DR(mu, nu) = d_DR(nu, mu); and 4. d_DR(mu, tau) <= d_DR(mu, nu) + d_DR(nu, tau).",
    reading="the zero measure is in Omega",
    checks=[
        every(finite_pairs, pseudo_metric),
        every(
            finite_triples, lambda mu, nu, tau: odds_distance(mu, tau) <= odds_distance(mu, nu) * odds_distance(nu, tau)
        ),
        every(
            random_triples, lambda mu, nu, tau: odds_distance(mu, tau) <= odds_distance(mu, nu) * odds_distance(nu, tau)
        ),
    ],
    mutants={
        "the larger of two steps for their sum": every(
            finite_triples,
            lambda mu, nu, tau: odds_distance(mu, tau) <= max(odds_distance(mu, nu), odds_distance(nu, tau)),
        ),
        "d_DR > 0 for different measures": every(finite_pairs, lambda mu, nu: mu == nu or odds_distance(mu, nu) > 1),
    },
)

_doubled_first = cases(
    "the measures nu = 2 mu of (C.7), then all pairs of non-zero measures with masses 0, 1, 2, 3 on three outcomes, "
    "but for the outcomes' names",
    "mu nu",
)(
    lambda: (
        (dict.fromkeys(range(3), 1), dict.fromkeys(range(3), 2)),
        *((mu, nu) for mu, nu in finite_pairs if any(mu.values()) and any(nu.values())),
    )
)


state(
    "interval.density-ratio.events",
    "dissertation, Proposition 12",
    "dissertation, (C.12)",
    printed="For any non-zero mu, nu in Omega, d_DR(mu, nu) = sup over S of ln mu(S)/nu(S) + sup over S of ln "
    "nu(S)/mu(S), (C.12) where 0/0 = oo/oo = 1.",
    reading="the suprema are over all S in F, the empty set among them, whose ratio is 0/0 = 1",
    grade=incomplete(
        "that S has positive mass, as in Corollary C.5.4: by 0/0 = 1 the empty set makes both suprema at least 0, so "
        "that nu = 2 mu gives ln 2; for laws, where Proposition 13 uses it, S = T does so anyway"
    ),
    checks=[
        every(_doubled_first, lambda mu, nu: odds_distance(mu, nu) == half_by_events(mu, nu) * half_by_events(nu, mu))
    ],
)


def events_repaired(p, q):
    return laws_odds(p, q) == half_by_events(on_space(p, 3), on_space(q, 3)) * half_by_events(
        on_space(q, 3), on_space(p, 3)
    )


state(
    "interval.density-ratio.events.repaired",
    "dissertation, Proposition 12",
    claim="(C.12) holds for all non-zero measures with suprema over the events S at which mu(S)/nu(S) is neither 0/0 "
    "nor oo/oo, and for laws with suprema over all events and 0/0 = 1; d_DR = oo if one measure is zero and 0 if "
    "both are.",
    repairs="interval.density-ratio.events",
    checks=[
        every(
            _doubled_first, lambda mu, nu: odds_distance(mu, nu) == half_by_positive(mu, nu) * half_by_positive(nu, mu)
        ),
        every(
            random_triples, lambda mu, nu: odds_distance(mu, nu) == half_by_positive(mu, nu) * half_by_positive(nu, mu)
        ),
        every(law_pairs, events_repaired),
        every(finite_pairs, lambda mu, nu: is_zero(mu) == is_zero(nu) or odds_distance(mu, nu) == oo),
    ],
    mutants={
        "the larger half twice": every(_doubled_first, lambda mu, nu: odds_distance(mu, nu) == by_events(mu, nu) ** 2),
        "one half alone": every(
            law_pairs, lambda p, q: laws_odds(p, q) == half_by_events(on_space(p, 3), on_space(q, 3))
        ),
    },
)


def cases_of_density_ratio(mu, nu, part):
    return odds_distance(mu, nu) == (1 if is_zero(mu) and is_zero(nu) else part if mutual(mu, nu) else oo)


def s_t(mu, nu):
    return cases_of_density_ratio(
        mu,
        nu,
        max(
            probability(mu, s) * probability(nu, set(nu)) / (probability(mu, set(mu)) * probability(nu, s))
            for s in positive_events(mu)
        ),
    )


state(
    "interval.density-ratio.odds",
    "dissertation, Corollary C.5.4",
    printed="For finite mu, nu in Omega, d_DR(mu, nu) = 0 if mu = nu = 0; sup over S, S' in F* of ln "
    "mu(S)nu(S')/(mu(S')nu(S)) else if mu, nu are mutually absolutely continuous; oo otherwise, where F* = {S in F : "
    "mu(S) > 0}.",
    checks=[
        every(finite_pairs, lambda mu, nu: cases_of_density_ratio(mu, nu, odds_by_events(mu, nu))),
        every(random_triples, lambda mu, nu: cases_of_density_ratio(mu, nu, odds_by_events(mu, nu))),
    ],
    mutants={
        "S' = T": every(
            finite_pairs,
            s_t,
        )
    },
)


def constant(mu, nu, part):
    return constant_odds(mu, nu) == 1 if odds_distance(mu, nu) == oo else 1 - constant_odds(mu, nu) == part


state(
    "interval.density-ratio.constant-odds",
    "dissertation, Corollary C.5.5",
    printed="For finite mu, nu in Omega, d_DR(mu, nu) = -ln[1 - d_COR(mu, nu)], where d_COR is the constant odds "
    "metric (defined in Remark 5.8.7).",
    reading="d_COR = 1 where exactly one measure is zero or they are not mutually absolutely continuous, the case that "
    "the display of Remark 5.8.7 leaves out; -ln 0 = oo",
    checks=[every(finite_pairs, lambda mu, nu: constant(mu, nu, 1 / odds_distance(mu, nu)))],
    mutants={
        "D_Mult for d_DR": every(finite_pairs, lambda mu, nu: constant(mu, nu, 1 / by_events(mu, nu))),
        "-2 ln for -ln": every(finite_pairs, lambda mu, nu: constant(mu, nu, 1 / odds_distance(mu, nu) ** 2)),
    },
)

coins = cases("coins in eighths that may fall either way, three at a time", "mu nu tau")(
    lambda: product([dict(coin) for coin in laws_of(2, 8) if len(coin) > 1], repeat=3)
)


def quasi_convex(mu, nu, tau):
    return all(
        odds_distance(mu, mixture(nu, tau, a)) <= max(odds_distance(mu, nu), odds_distance(mu, tau))
        for a in [1 / 4, 1 / 2, 2 / 3]
    )


state(
    "interval.density-ratio.quasi-convex",
    "dissertation, section C.4, (C.8)",
    claim="The density-ratio metric is quasi-convex on finite measures, as D_Mult is, and not convex on laws.",
    checks=[
        every(
            finite_triples,
            quasi_convex,
        ),
        some(
            coins,
            lambda mu, nu, tau: (
                odds_distance(mu, mixture(nu, tau, 1 / 2)) ** 2 > odds_distance(mu, nu) * odds_distance(mu, tau)
            ),
        ),
        argued(
            "all sigma-finite measures",
            proof="""
            {nu : d_DR(mu, nu) <= r} with r < oo is {0} for mu = 0. For another mu with density f it is the set of those
            nu that are mutually absolutely continuous with mu and whose densities have f(s) g(t) <= e^r f(t) g(s) for
            almost all s, t. These conditions are linear in g, and a mixture of two measures that are mutually
            absolutely continuous with mu is so too.
            """,
        ),
    ],
    mutants={
        "convex": every(
            coins,
            lambda mu, nu, tau: (
                odds_distance(mu, mixture(nu, tau, 1 / 2)) ** 2 <= odds_distance(mu, nu) * odds_distance(mu, tau)
            ),
        )
    },
)

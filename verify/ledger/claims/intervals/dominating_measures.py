"""The density-ratio metric does not depend on the dominating measure: dissertation, Proposition 7 and section C.2."""

from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.intervals.measures import (
    by_densities,
    counting,
    density_in,
    dominated,
    essential_odds,
    events_of,
    tuples_of_measures,
)
from stirred.verify.ledger.words import probability

fraction_of = lambda a, b: 0 if a == 0 and b == 0 else a / b

two_dominating = cases(
    "all pairs of measures with masses 0, 1, 2 on two outcomes; every two tau_1, tau_2 of these that dominate both; "
    "values (0, 0), (5, 7), (oo, 7) of the densities where tau_2 is 0",
    "mu nu sigma tau a b",
    lambda: (
        case
        for mu, nu, sigma, tau in tuples_of_measures(2, (0, 1, 2), 4)
        if all((sigma[t] and tau[t]) or not (mu[t] or nu[t]) for t in tau)
        for case in ((mu, nu, sigma, tau, a, b) for a, b in ((0, 0), (5, 7), (None, 7)))
    ),
)

# with the values a, b of the densities where tau is 0, and the supremum with respect to another measure
by_densities_in = lambda mu, nu, tau, a, b, essential: by_densities(
    mu, nu, density_in(mu, tau, a), density_in(nu, tau, b), essential
)
same_in_both = lambda mu, nu, sigma, tau, a, b: (
    by_densities_in(mu, nu, sigma, 0, 0, sigma) == by_densities_in(mu, nu, tau, a, b, tau)
)
same_everywhere = lambda mu, nu, sigma, tau, a, b: (
    by_densities_in(mu, nu, sigma, 0, 0, sigma) == by_densities_in(mu, nu, tau, a, b, counting(tau))
)

state("interval.density-ratio.well-defined", "dissertation, Proposition 7")(
    """The density ratio metric d_DR is well-defined. That is, d_DR(mu, nu) does not depend on the choice of f, g and
    tau in (5.18).""",
    every(two_dominating, same_in_both),
    mutant("the supremum for the essential one", same_everywhere),
)

chains = cases(
    "all mu << nu << tau of the measures with masses 0, 1, 2 on three outcomes, but for the outcomes' names",
    "mu nu tau",
    lambda: (
        (mu, nu, tau)
        for mu, nu, tau in tuples_of_measures(3, (0, 1, 2), 3)
        if all((nu[t] or not mu[t]) and (tau[t] or not nu[t]) for t in mu)
    ),
)

chain_rule = lambda mu, nu, tau, almost: all(
    density_in(mu, nu, 7)[t] == fraction_of(density_in(mu, tau, 5)[t], density_in(nu, tau, 5)[t])
    for t in mu
    if almost[t] > 0
)

state("interval.density-ratio.chain-rule", "dissertation, Lemma C.2.1", "dissertation, (C.3)")(
    """Let mu, nu, tau in Omega such that mu << nu and nu << tau. Then mu << tau and the Radon-Nikodym derivative
    dmu/dnu satisfies dmu/dnu = f/g, mu-a.e., (C.3) where f, g are the tau-densities of mu and nu respectively and, on
    the RHS of (C.3), 0/0 = 0.""",
    every(chains, lambda mu, nu, tau: dominated(mu, tau) and chain_rule(mu, nu, tau, mu)),
    mutant("tau-a.e. for mu-a.e.", lambda mu, nu, tau: chain_rule(mu, nu, tau, tau)),
    reading="any version of each density, here 5 and 7 on null sets",
)

below_two = cases(
    "all measures tau_1, tau_2, mu with masses 0, 1, 2 on three outcomes, mu << tau_1, but for the outcomes' names",
    "mu sigma tau",
    lambda: (
        (mu, sigma, tau)
        for mu, sigma, tau in tuples_of_measures(3, (0, 1, 2), 3)
        if all(sigma[t] or not mu[t] for t in mu) and any(tau.values())
    ),
)

sum_of_measures = lambda sigma, tau: {t: sigma[t] + tau[t] for t in sigma}

# what sigma + tau has where a density of nu is positive, on events of mu that are null for sigma
null_where_positive = lambda nu, mu, sigma, tau: all(
    probability(sum_of_measures(sigma, tau), {t for t in e if density_in(nu, sum_of_measures(sigma, tau), 0)[t] > 0})
    == 0
    for e in events_of(mu)
    if probability(sigma, e) == 0
)

state("interval.density-ratio.null-sets", "dissertation, Proposition 7, its proof", "dissertation, (C.5)")(
    "For any E in F with tau_1(E) = 0, we have that tau({dmu/dtau > 0} & E) = 0. (C.5)",
    every(below_two, lambda mu, sigma, tau: null_where_positive(mu, mu, sigma, tau)),
    mutant("tau_2 for mu", lambda mu, sigma, tau: null_where_positive(tau, mu, sigma, tau)),
    reading="tau = tau_1 + tau_2 and mu << tau_1, as in the proof",
)

mutual_with_two = cases(
    "all pairs of non-zero, mutually absolutely continuous measures with masses 0, 1, 2 on two outcomes; every tau_1, "
    "tau_2 of these, tau_1 dominating both; tau = tau_1 + tau_2",
    "mu nu sigma tau",
    lambda: (
        (mu, nu, sigma, {t: sigma[t] + other[t] for t in sigma})
        for mu, nu, sigma, other in tuples_of_measures(2, (0, 1, 2), 4)
        if any(mu.values()) and all((mu[t] > 0) == (nu[t] > 0) and (sigma[t] or not mu[t]) for t in mu)
    ),
)

odds_through = lambda mu, nu, tau, essential: essential_odds(density_in(mu, tau, 0), density_in(nu, tau, 0), essential)
same_through_sum = lambda mu, nu, sigma, tau: odds_through(mu, nu, sigma, sigma) == odds_through(mu, nu, tau, sigma)
same_through_mixed = lambda mu, nu, sigma, tau: (
    odds_through(mu, nu, tau, tau) == essential_odds(density_in(mu, sigma, 0), density_in(nu, tau, 0), sigma)
)
same_suprema = lambda mu, nu, sigma, tau: odds_through(mu, nu, tau, sigma) == odds_through(mu, nu, tau, tau)

state("interval.density-ratio.suprema", "dissertation, (C.4)", "dissertation, (C.6)")(
    """tau_1-ess sup f_1(t)/g_1(t) g_1(t')/f_1(t') = tau_1-ess sup (dmu/dtau (t) / dnu/dtau (t)) (dnu/dtau (t') /
    dmu/dtau (t')) <= tau-ess sup (dmu/dtau (t) / dnu/dtau (t)) (dnu/dtau (t') / dmu/dtau (t')) (C.4) [...] By combining
    (C.5) and (C.6), we get an equality between these two essential suprema.""",
    every(mutual_with_two, same_through_sum),
    mutant("densities with respect to different measures", same_through_mixed),
    every(mutual_with_two, same_suprema),
    reading="""(C.6) with tau-ess sup on its right side, the reverse inequality of (C.4) that it is introduced as; as
    printed, with tau_1-ess sup, it repeats a part of (C.4)""",
)

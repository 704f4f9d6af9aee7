"""The density-ratio metric: when it is a metric, which measures dominate, and products of measures."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import argued, cases, every, incomplete, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.measures import (
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
    product_of,
    random_triples,
    scaled,
    tuples_of_measures,
)
from stirred.verify.ledger.claims.zcdp.divergences import but_for_names, dominates
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import probability, same_law

# the density-ratio metric: when it is a metric, by events, by the constant odds ratio, quasi-convex

on_space = lambda p, n: {t: get(p, t, 0) for t in range(n)}
laws_odds = lambda p, q: odds_distance(on_space(p, 3), on_space(q, 3))
odds_by_events = lambda mu, nu: max(
    probability(mu, s) * probability(nu, u) / (probability(mu, u) * probability(nu, s))
    for s in positive_events(mu)
    for u in positive_events(mu)
)
least_odds = lambda mu, nu: min(
    probability(mu, s) * probability(nu, u) / (probability(mu, u) * probability(nu, s))
    for s in positive_events(mu)
    for u in positive_events(mu)
)
constant_odds = lambda mu, nu: 0 if is_zero(mu) and is_zero(nu) else 1 - least_odds(mu, nu) if mutual(mu, nu) else 1

law_pairs = cases("all pairs of laws on three outcomes in quarters, but for the outcomes' names", "p q")(
    lambda: but_for_names(3, 4)
)
law_triples = cases("all triples of laws on three outcomes in quarters, but for the outcomes' names", "p q r")(
    lambda: but_for_names(3, 4, 3)
)

below_larger_step = lambda p, q, r: laws_odds(p, r) <= max(laws_odds(p, q), laws_odds(q, r))

state("interval.density-ratio.metric", "dissertation, Lemma C.3.4")(
    "The density ratio metric d_DR is a metric on the space Omega_1 of probability measures on (T, F).",
    every(law_pairs, lambda p, q: (laws_odds(p, q) == 1) == same_law(p, q) and laws_odds(p, q) == laws_odds(q, p)),
    every(law_triples, lambda p, q, r: laws_odds(p, r) <= laws_odds(p, q) * laws_odds(q, r)),
    mutant("the larger of two steps for their sum", below_larger_step),
    mutant("all non-zero measures", every(finite_pairs, lambda mu, nu: (odds_distance(mu, nu) == 1) == (mu == nu))),
    reading="a metric that may be oo (Definition C.3.1)",
)

same_support = lambda p, q: dominates(p, q) and dominates(q, p)

state("interval.density-ratio.metric.third-law", "dissertation, Lemma C.3.4, its proof")(
    """Suppose that P and R are not mutually absolutely continuous. Then Q is either mutually absolutely continuous with
    P, or with R, but not both.""",
    every(law_triples, lambda p, q, r: same_support(p, r) or same_support(q, p) != same_support(q, r)),
    grade=misprint("not with both of them: Q may be so with neither, and only 'not both' is used"),
)

own("interval.density-ratio.metric.third-law.repaired", "dissertation, Lemma C.3.4, its proof")(
    "Where P and R are not mutually absolutely continuous, no Q is mutually absolutely continuous with both.",
    every(law_triples, lambda p, q, r: same_support(p, r) or not (same_support(q, p) and same_support(q, r))),
    mutant("with either", lambda p, q, r: same_support(p, r) or not same_support(q, p)),
    repairs="interval.density-ratio.metric.third-law",
)

scalings = cases("all non-zero measures with masses 0, 1, 2 on three outcomes, c = 2, 3, 1/2", "mu c")(
    lambda: ((dict(enumerate(m)), c) for m in product((0, 1, 2), repeat=3) if any(m) for c in (2, 3, Fraction(1, 2)))
)

state("interval.density-ratio.no-metric", "dissertation, section C.3, after Lemma C.3.4", "dissertation, (C.7)")(
    """The density ratio metric d_DR is not a metric on Omega. [...] There exists mu != nu in Omega such that d_DR(mu,
    nu) = 0. For example, suppose that nu(S) = 2 mu(S), (C.7) for all S in F.""",
    every(scalings, lambda mu, c: mu != scaled(mu, c) and odds_distance(mu, scaled(mu, c)) == 1),
    mutant("D_Mult for d_DR", lambda mu, c: by_events(mu, scaled(mu, c)) == 1),
    reading="of any non-zero mu; c mu for every c > 0 too",
)

is_symmetric_and_zero = lambda mu, nu: (
    odds_distance(mu, mu) == 1 and odds_distance(mu, nu) >= 1 and odds_distance(mu, nu) == odds_distance(nu, mu)
)
below_larger_step_of_measures = lambda mu, nu, tau: (
    odds_distance(mu, tau) <= max(odds_distance(mu, nu), odds_distance(nu, tau))
)

state("interval.density-ratio.pseudo-metric", "dissertation, Proposition 8")(
    """The density ratio metric d_DR is a pseudo-metric on Omega. That is, d_DR is a function from Omega x Omega to the
    extended real line which satisfies the following properties for all mu, nu, tau in Omega: 1. d_DR(mu, mu) = 0; 2.
    d_DR(mu, nu) >= 0; 3. d_DR(mu, nu) = d_DR(nu, mu); and 4. d_DR(mu, tau) <= d_DR(mu, nu) + d_DR(nu, tau).""",
    every(finite_pairs, is_symmetric_and_zero),
    every(finite_triples, lambda mu, nu, tau: odds_distance(mu, tau) <= odds_distance(mu, nu) * odds_distance(nu, tau)),
    mutant("the larger of two steps for their sum", below_larger_step_of_measures),
    every(random_triples, lambda mu, nu, tau: odds_distance(mu, tau) <= odds_distance(mu, nu) * odds_distance(nu, tau)),
    mutant(
        "d_DR > 0 for different measures", every(finite_pairs, lambda mu, nu: mu == nu or odds_distance(mu, nu) > 1)
    ),
    reading="the zero measure is in Omega",
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

state("interval.density-ratio.events", "dissertation, Proposition 12", "dissertation, (C.12)")(
    """For any non-zero mu, nu in Omega, d_DR(mu, nu) = sup over S of ln mu(S)/nu(S) + sup over S of ln nu(S)/mu(S),
    (C.12) where 0/0 = oo/oo = 1.""",
    every(_doubled_first, lambda mu, nu: odds_distance(mu, nu) == half_by_events(mu, nu) * half_by_events(nu, mu)),
    reading="the suprema are over all S in F, the empty set among them, whose ratio is 0/0 = 1",
    grade=incomplete(
        "that S has positive mass, as in Corollary C.5.4: by 0/0 = 1 the empty set makes both suprema at least 0, so "
        "that nu = 2 mu gives ln 2; for laws, where Proposition 13 uses it, S = T does so anyway"
    ),
)

half_of_laws = lambda p, q: half_by_events(on_space(p, 3), on_space(q, 3))

own("interval.density-ratio.events.repaired", "dissertation, Proposition 12")(
    """(C.12) holds for all non-zero measures with suprema over the events S at which mu(S)/nu(S) is neither 0/0 nor
    oo/oo, and for laws with suprema over all events and 0/0 = 1; d_DR = oo if one measure is zero and 0 if both
    are.""",
    every(_doubled_first, lambda mu, nu: odds_distance(mu, nu) == half_by_positive(mu, nu) * half_by_positive(nu, mu)),
    mutant("the larger half twice", lambda mu, nu: odds_distance(mu, nu) == by_events(mu, nu) ** 2),
    every(random_triples, lambda mu, nu: odds_distance(mu, nu) == half_by_positive(mu, nu) * half_by_positive(nu, mu)),
    every(law_pairs, lambda p, q: laws_odds(p, q) == half_of_laws(p, q) * half_of_laws(q, p)),
    mutant("one half alone", lambda p, q: laws_odds(p, q) == half_of_laws(p, q)),
    every(finite_pairs, lambda mu, nu: is_zero(mu) == is_zero(nu) or odds_distance(mu, nu) == oo),
    repairs="interval.density-ratio.events",
)

odds_by_cases = lambda mu, nu: 1 if is_zero(mu) and is_zero(nu) else odds_by_events(mu, nu) if mutual(mu, nu) else oo
odds_against_all = lambda mu, nu: max(
    probability(mu, s) * probability(nu, set(nu)) / (probability(mu, set(mu)) * probability(nu, s))
    for s in positive_events(mu)
)
odds_against_all_by_cases = lambda mu, nu: (
    odds_distance(mu, nu) == (1 if is_zero(mu) and is_zero(nu) else odds_against_all(mu, nu) if mutual(mu, nu) else oo)
)

state("interval.density-ratio.odds", "dissertation, Corollary C.5.4")(
    """For finite mu, nu in Omega, d_DR(mu, nu) = 0 if mu = nu = 0; sup over S, S' in F* of ln mu(S)nu(S')/(mu(S')nu(S))
    else if mu, nu are mutually absolutely continuous; oo otherwise, where F* = {S in F : mu(S) > 0}.""",
    every(finite_pairs, lambda mu, nu: odds_distance(mu, nu) == odds_by_cases(mu, nu)),
    mutant("S' = T", odds_against_all_by_cases),
    every(random_triples, lambda mu, nu: odds_distance(mu, nu) == odds_by_cases(mu, nu)),
)

odds_are_constant_odds = lambda mu, nu: (
    constant_odds(mu, nu) == 1
    if odds_distance(mu, nu) == oo
    else 1 - constant_odds(mu, nu) == 1 / odds_distance(mu, nu)
)
losses_are_constant_odds = lambda mu, nu: (
    constant_odds(mu, nu) == 1 if odds_distance(mu, nu) == oo else 1 - constant_odds(mu, nu) == 1 / by_events(mu, nu)
)
squares_are_constant_odds = lambda mu, nu: (
    constant_odds(mu, nu) == 1
    if odds_distance(mu, nu) == oo
    else 1 - constant_odds(mu, nu) == 1 / odds_distance(mu, nu) ** 2
)

state("interval.density-ratio.constant-odds", "dissertation, Corollary C.5.5")(
    """For finite mu, nu in Omega, d_DR(mu, nu) = -ln[1 - d_COR(mu, nu)], where d_COR is the constant odds metric
    (defined in Remark 5.8.7).""",
    every(finite_pairs, odds_are_constant_odds),
    mutant("D_Mult for d_DR", losses_are_constant_odds),
    mutant("-2 ln for -ln", squares_are_constant_odds),
    reading="""d_COR = 1 where exactly one measure is zero or they are not mutually absolutely continuous, the case that
    the display of Remark 5.8.7 leaves out; -ln 0 = oo""",
)

coins = cases("coins in eighths that may fall either way, three at a time", "mu nu tau")(
    lambda: product([dict(coin) for coin in laws_of(2, 8) if len(coin) > 1], repeat=3)
)

quasi_convex = lambda mu, nu, tau: all(
    odds_distance(mu, mixture(nu, tau, a)) <= max(odds_distance(mu, nu), odds_distance(mu, tau))
    for a in [1 / 4, 1 / 2, 2 / 3]
)
mixture_above_mean = lambda mu, nu, tau: (
    odds_distance(mu, mixture(nu, tau, 1 / 2)) ** 2 > odds_distance(mu, nu) * odds_distance(mu, tau)
)
mixture_below_mean = lambda mu, nu, tau: (
    odds_distance(mu, mixture(nu, tau, 1 / 2)) ** 2 <= odds_distance(mu, nu) * odds_distance(mu, tau)
)

own("interval.density-ratio.quasi-convex", "dissertation, section C.4, (C.8)")(
    "The density-ratio metric is quasi-convex on finite measures, as D_Mult is, and not convex on laws.",
    every(finite_triples, quasi_convex),
    some(coins, mixture_above_mean),
    argued(
        "all sigma-finite measures",
        proof="""{nu : d_DR(mu, nu) <= r} with r < oo is {0} for mu = 0. For another mu with density f it is the set of
        those nu that are mutually absolutely continuous with mu and whose densities have f(s) g(t) <= e^r f(t) g(s) for
        almost all s, t. These conditions are linear in g, and a mixture of two measures that are mutually absolutely
        continuous with mu is so too.""",
    ),
    mutant("convex", every(coins, mixture_below_mean)),
)

# the density-ratio metric does not depend on the dominating measure: dissertation, Proposition 7 and section C.2

fraction_of = lambda a, b: 0 if a == 0 and b == 0 else a / b

two_dominating = cases(
    "all pairs of measures with masses 0, 1, 2 on two outcomes; every two tau_1, tau_2 of these that dominate both; "
    "values (0, 0), (5, 7), (oo, 7) of the densities where tau_2 is 0",
    "mu nu sigma tau a b",
)(
    lambda: (
        case
        for mu, nu, sigma, tau in tuples_of_measures(2, (0, 1, 2), 4)
        if all((sigma[t] and tau[t]) or not (mu[t] or nu[t]) for t in tau)
        for case in ((mu, nu, sigma, tau, a, b) for a, b in ((0, 0), (5, 7), (None, 7)))
    )
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
)(
    lambda: (
        (mu, nu, tau)
        for mu, nu, tau in tuples_of_measures(3, (0, 1, 2), 3)
        if all((nu[t] or not mu[t]) and (tau[t] or not nu[t]) for t in mu)
    )
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
)(
    lambda: (
        (mu, sigma, tau)
        for mu, sigma, tau in tuples_of_measures(3, (0, 1, 2), 3)
        if all(sigma[t] or not mu[t] for t in mu) and any(tau.values())
    )
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
)(
    lambda: (
        (mu, nu, sigma, {t: sigma[t] + other[t] for t in sigma})
        for mu, nu, sigma, other in tuples_of_measures(2, (0, 1, 2), 4)
        if any(mu.values()) and all((mu[t] > 0) == (nu[t] > 0) and (sigma[t] or not mu[t]) for t in mu)
    )
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

# product measures: their D_Mult is at most the sum, their density-ratio distance is the sum

two_pairs = cases(
    "all pairs of measures with masses 0, 1, 2 on two outcomes, and such pairs on two others", "mu nu sigma tau"
)(lambda: ((*one, *other) for one, other in product(list(tuples_of_measures(2, (0, 1, 2), 2)), repeat=2)))

loss_of_products = lambda mu, sigma, nu, tau: by_events(product_of(mu, sigma), product_of(nu, tau))
sum_of_losses = lambda mu, nu, sigma, tau: by_events(mu, nu) * by_events(sigma, tau)
attain_the_sum = lambda mu, nu, sigma, tau: loss_of_products(mu, sigma, nu, tau) == sum_of_losses(mu, nu, sigma, tau)
at_most_sum = lambda mu, nu, sigma, tau: loss_of_products(mu, sigma, nu, tau) <= sum_of_losses(mu, nu, sigma, tau)
at_most_larger = lambda mu, nu, sigma, tau: (
    loss_of_products(mu, sigma, nu, tau) <= max(by_events(mu, nu), by_events(sigma, tau))
)
equal_sum = lambda mu, nu, sigma, tau: loss_of_products(mu, sigma, nu, tau) == sum_of_losses(mu, nu, sigma, tau)
attained_above_0 = lambda mu, nu, sigma, tau: (
    sum_of_losses(mu, nu, sigma, tau) > 1 and attain_the_sum(mu, nu, sigma, tau)
)

state("interval.multiplicative.products", "dissertation, Proposition 11", "dissertation, (C.10)")(
    """for all mu_1, nu_1 in Omega^(1) and all mu_2, nu_2 in Omega^(2), D_Mult(mu_1 x mu_2, nu_1 x nu_2) <= D_Mult(mu_1,
    nu_1) + D_Mult(mu_2, nu_2), (C.10) where mu_1 x mu_2 and nu_1 x nu_2 are product measures.""",
    every(two_pairs, at_most_sum),
    mutant("the larger of the two for their sum", at_most_larger),
    mutant("= for <=", equal_sum),
    some(two_pairs, attained_above_0),
    reading="finite spaces, the zero measure among the measures",
)

infinite_unless_mutual = lambda mu, nu, sigma, tau: (
    is_zero(mu) or is_zero(tau) or mutual(mu, tau) or sum_of_losses(mu, nu, sigma, tau) == oo
)

state("interval.multiplicative.products.zero-part", "dissertation, Proposition 11, its proof")(
    "Suppose that mu_1 and nu_2 are non-zero but not absolutely continuous. Then the RHS of (C.10) is infinite",
    every(two_pairs, infinite_unless_mutual),
    reading="nu_2 on the space of mu_1, else the words have no meaning",
    grade=misprint("nu_1 for nu_2, and not mutually: the proof goes through the cases of mu_1 and nu_1"),
)

any_is_zero = lambda mu, nu, sigma, tau: any(is_zero(m) for m in [mu, nu, sigma, tau])
odds_of_products_add = lambda mu, nu, sigma, tau: (
    odds_distance(product_of(mu, sigma), product_of(nu, tau)) == odds_distance(mu, nu) * odds_distance(sigma, tau)
)
odds_add_or_zero = lambda mu, nu, sigma, tau: (
    any_is_zero(mu, nu, sigma, tau) or odds_of_products_add(mu, nu, sigma, tau)
)
losses_add_or_zero = lambda mu, nu, sigma, tau: any_is_zero(mu, nu, sigma, tau) or attain_the_sum(mu, nu, sigma, tau)
strictly_below = lambda mu, nu, sigma, tau: (
    loss_of_products(mu, sigma, nu, tau) < sum_of_losses(mu, nu, sigma, tau) < oo
)

own("interval.density-ratio.products", "dissertation, Proposition 11")(
    """The density-ratio metric is exactly additive: d_DR(mu_1 x mu_2, nu_1 x nu_2) = d_DR(mu_1, nu_1) + d_DR(mu_2,
    nu_2) for all non-zero measures; the bound (C.10) for D_Mult is not an equality in general.""",
    every(two_pairs, odds_add_or_zero),
    mutant("D_Mult for d_DR", losses_add_or_zero),
    some(two_pairs, strictly_below),
    argued(
        "all non-zero sigma-finite measures",
        proof="""If either pair is not mutually absolutely continuous, neither are the products, and both sides are oo.
        Otherwise the densities of the products are f_1 f_2 and g_1 g_2, the logarithm of their ratio is the sum of a
        function of t_1 and one of t_2, and its essential range has the length of the two ranges together, since each is
        taken on a set of positive measure for each choice of the other. d_DR is that length.""",
    ),
)

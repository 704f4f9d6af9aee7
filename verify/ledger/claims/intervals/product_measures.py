"""Product measures: their D_Mult is at most the sum, their density-ratio distance is the sum."""

from itertools import product

from stirred.verify.ledger import argued, cases, every, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.measures import (
    by_events,
    is_zero,
    mutual,
    odds_distance,
    product_of,
    tuples_of_measures,
)
from stirred.verify.ledger.language_names import oo

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

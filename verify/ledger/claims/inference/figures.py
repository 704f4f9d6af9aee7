"""Figures 5.2 to 5.4 of the dissertation, recomputed in closed form, and the numbers that the text reads off them."""

from fractions import Fraction
from itertools import product
from math import comb, factorial

from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, printed, state
from stirred.verify.ledger.language_names import exp

# Figure 5.2: with d_* = 10 and all sums from 0 to 10 possible
_LOWER = "epsilon/2*exp(-10*epsilon)*exp(-epsilon*near)"
_UPPER = "epsilon/2*exp(10*epsilon)*exp(-epsilon*far)"

_upper = lambda shown, epsilon: PrintedRow.of_texts("u(5)", shown, _UPPER, {"epsilon": epsilon, "far": "5"})

_NEARER = PrintedRow.of_texts("u(5)", "0.08", "epsilon/2*exp(9*epsilon)*exp(-epsilon*5)", {"epsilon": "1/10"})
_lower = lambda t, near: PrintedRow.of_texts(f"l({t})", "0.02", _LOWER, {"epsilon": "1/10", "near": near})

_SUMS = "(5.7) for the density of the Laplace mechanism, d_* = 10, all sums from 0 to 10, the nearest at most 1/2 away"
_FIGURE = ("dissertation, Figure 5.2", "dissertation, Example 5.4.3", "dissertation, section 5.6, after Theorem 5.6.2")

state("figures.binary-sum", *_FIGURE)(
    """when epsilon = 0.1, the prior predictive probability of the privatised query is lower-bounded at ~ 0.02 whenever
    0 <= t <= 10, and can never exceed ~ 0.08 even when t = 5.""",
    printed([_lower("0", "0"), _lower("7/2", "1/2"), _lower("5", "0"), _upper("0.08", "1/10")], _SUMS),
    mutant("d_* = 9 above", printed([_NEARER], _SUMS)),
    mutant("epsilon = 1/4", printed([_upper("0.08", "1/4")], _SUMS)),
    reading="""the density is epsilon/2 exp(-epsilon |t - q(x)|), as in section 5.9. The numbers are those of the
    figure, which is drawn for all data sets of ten records; of the predictive probability itself both hold for every
    model with |x| <= 10, as it is a mixture of densities between epsilon/2 exp(-10 epsilon) = 0.018 and epsilon/2 =
    0.05. That the bounds are the same for all such models is another sentence: figures.binary-sum.only-through""",
)

upper_density_at_5 = lambda g, support: min(g ** (far - abs(5 - q)) for q, far in support)

supports = cases(
    "sums and largest distances of all data sets of ten records, and of one with five ones and its complement; "
    "e^epsilon = 11/10 and 5/4",
    "g every two",
)(lambda: ((g, tuple((q, 10) for q in range(11)), ((5, 10),)) for g in (Fraction(11, 10), Fraction(5, 4))))

state("figures.binary-sum.only-through", "dissertation, Figure 5.2")(
    """These bounds depend on the assumed data model P_theta only through the analyst's belief that the number of
    records |x| is bounded by ten, which means that supp(P_theta) subset {x in X | |x| <= 10}.""",
    every(supports, lambda g, every, two: upper_density_at_5(g, every) == upper_density_at_5(g, two)),
    reading="u(5), up to epsilon/2, from (5.7) for two supports within |x| <= 10 and with d_* = 10",
    grade=incomplete("that P_theta gives all data sets of ten records, for which they are drawn"),
)

own("figures.binary-sum.by-support", "dissertation, Figure 5.2")(
    """The bounds of Figure 5.2 are those of a support that has a data set of every sum from 0 to 10, all as far as 10
    from another one; with five ones in ten records and the complement alone, u(5) is epsilon/2 exp(10 epsilon), 0.136
    at epsilon = 1/10 in place of 0.082.""",
    every(supports, lambda g, every, two: upper_density_at_5(g, every) == g**5 and upper_density_at_5(g, two) == g**10),
    mutant("the same for both", lambda g, every, two: upper_density_at_5(g, every) == upper_density_at_5(g, two)),
    printed(
        [
            PrintedRow.of_texts("u(5), all sums", "0.082", _UPPER, {"epsilon": "1/10", "far": "5"}),
            PrintedRow.of_texts("u(5), sums of 5", "0.136", _UPPER, {"epsilon": "1/10", "far": "0"}),
        ],
        "at the printed precision",
    ),
    repairs="figures.binary-sum.only-through",
)

_GROWING = "on each unit of [0, n] a density that {grows} has at least its value at the {end} as mass"

units_beside = cases("epsilon = 1/10, 1 and 3, n = 1 to 40 units beside q(x), sensitivity 1", "epsilon n")(
    lambda: product((Fraction(1, 10), Fraction(1), Fraction(3)), range(1, 41))
)

state("figures.binary-sum.laplace", "dissertation, Example 5.4.3")(
    """For every privacy loss epsilon > 0 and every database x, p_x(t) = epsilon/(2 Delta(q)) exp(epsilon |t - q(x)| /
    Delta(q))""",
    every(units_beside, lambda epsilon, n: sum(epsilon / 2 * exp(epsilon * abs(t)) for t in range(n)) <= 1),
    reading=f"p_x is a density, t counted from q(x): {_GROWING.format(grows='grows', end='beginning')}",
    grade=misprint("exp(-epsilon |t - q(x)| / Delta(q)), as in Example 5.2.2, whose mechanism it is"),
)

between = lambda epsilon, n, share: (
    sum(epsilon / 2 * exp(-epsilon * (t + 1)) for t in range(n))
    <= share * (1 - exp(-epsilon * n))
    <= sum(epsilon / 2 * exp(-epsilon * t) for t in range(n))
)

own("figures.binary-sum.laplace.repaired", "dissertation, Example 5.4.3")(
    """p_x(t) = epsilon/(2 Delta(q)) exp(-epsilon |t - q(x)| / Delta(q)): between q(x) and q(x) + n Delta(q) its mass is
    (1 - e^(-n epsilon))/2, between its lower and its upper sums.""",
    every(units_beside, lambda epsilon, n: between(epsilon, n, 1 / 2)),
    mutant("1 - e^(-n epsilon)", lambda epsilon, n: between(epsilon, n, 1)),
    repairs="figures.binary-sum.laplace",
)

panels = cases("the panels of Figure 5.2 and the epsilon that the text reads off it", "shown said")(
    lambda: iter([((Fraction(1, 10), Fraction(1, 4)), Fraction(1, 2))])
)

state("figures.binary-sum.loose", "dissertation, section 5.6, after Theorem 5.6.2")(
    """as an illustration, we can see from Figure 5.2 of Example 5.4.3 that … when privacy protection is less stringent
    (epsilon = 0.5), the upper bound on the prior predictive probability increases to more than 0.4.""",
    every(panels, lambda shown, said: said in shown),
    reading="what is seen in Figure 5.2 is in one of its two panels",
    grade=misprint("epsilon = 0.25: the figure has no panel at 0.5, and at 0.25 its upper bound rises to 0.436"),
)

own("figures.binary-sum.loose.repaired", *_FIGURE)(
    "In Figure 5.2 at epsilon = 0.25 the upper bound rises to 0.436, more than 0.4.",
    printed([_upper("0.4", "1/4"), _upper("0.436", "1/4")], _SUMS),
    mutant("epsilon = 0.26", printed([_upper("0.436", "13/50")], _SUMS)),
    repairs="figures.binary-sum.loose",
)

abscissas = cases("epsilon = 1/10 and 1/4; t = -10 to 20", "small large t")(
    lambda: ((Fraction(1, 10), Fraction(1, 4), t) for t in range(-10, 21))
)

nearest_sum = lambda t: max(0, -t, t - 10)
farthest_sum = lambda t: max(abs(t), abs(t - 10))

# ln(u/l) at t
log_ratio = lambda e, t: 20 * e - e * farthest_sum(t) + e * nearest_sum(t)
difference_is_smaller = lambda small, large, t: (
    small * (exp(10 * small - small * farthest_sum(t)) - exp(-10 * small - small * nearest_sum(t)))
    < large * (exp(10 * large - large * farthest_sum(t)) - exp(-10 * large - large * nearest_sum(t)))
)

state("figures.binary-sum.tighter", "dissertation, Figure 5.2", "dissertation, Example 5.4.3")(
    """They are tighter and more informative when the privacy protection is more stringent (i.e. when epsilon is
    smaller).""",
    every(abscissas, lambda small, large, t: log_ratio(small, t) < log_ratio(large, t)),
    mutant("the difference", difference_is_smaller),
    reading="""the ratio u/l is smaller at every t, the multiplicative distance of the chapter; the difference u - l is
    not, far from the sums, where both bounds fall off faster for the larger epsilon""",
)

sizes = cases("gamma = 1, 3/2, 2, 3, 10; |t| = 1 to 30", "g n")(
    lambda: product((Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10)), range(1, 31))
)

sizes_at_e = cases("gamma = e, as in the figure; |t| = 2 to 30", "n")(lambda: iter(range(2, 31)))

response_gap = lambda g, n: (g**n - 1) / (g + 1) ** n

state("figures.responses", "dissertation, Figure 5.3", "dissertation, Example 5.4.4")(
    "As more records are released (larger |t|), both bounds tend to zero with a narrowing gap.",
    every(sizes, lambda g, n: response_gap(g, n + 1) <= response_gap(g, n)),
    mutant("it narrows at once", lambda g, n: response_gap(g, n + 1) < response_gap(g, n)),
    every(sizes, lambda g, n: (g / (g + 1)) ** (n + 1) < (g / (g + 1)) ** n),
    every(sizes_at_e, lambda n: response_gap(exp(1), n + 1) < response_gap(exp(1), n), verdict=Verdict.ENCLOSED),
    reading="the gap never widens; from |t| = 1 to 2 it is the same, (e^epsilon - 1)/(e^epsilon + 1)",
)

# Figure 5.4: theta ~ Gamma(3, 1), x ~ Pois(theta), so that P(x) = comb(x + 2, 2)/2^(x + 3); Laplace noise of scale 6
count_share = lambda x: comb(x + 2, 2) / 2 ** (x + 3)
clamped_share = lambda x: count_share(x) if x < 6 else 1 - sum(count_share(y) for y in range(6))
noise_at = lambda t, x: exp(-abs(t - x) / 6)
predictive_noise = lambda t: sum(clamped_share(x) * noise_at(t, x) for x in range(7))
poisson = lambda x, theta: exp(-theta) * theta**x / factorial(x)
clamped_poisson = lambda x, theta: poisson(x, theta) if x < 6 else 1 - sum(poisson(y, theta) for y in range(6))
likelihood_at = lambda t, theta: sum(clamped_poisson(x, theta) * noise_at(t, x) for x in range(7))

# of the posterior density to the prior one
updated = lambda t, theta: likelihood_at(t, theta) / predictive_noise(t)

posteriors = cases(
    "t = -6, -5, …, 12, where t <= 0 and t >= 6 have all the same posterior; theta = 1/8, 1, 2, 3, 6, 12", "t theta"
)(lambda: product(range(-6, 13), (Fraction(1, 8), 1, 2, 3, 6, 12)))

posterior_near_prior = lambda t, theta, scale: exp(-scale) < updated(t, theta) < exp(scale)
near_where_prior_is_large = lambda t, theta: theta > 6 or theta < 1 or exp(-1 / 2) < updated(t, theta) < exp(1 / 2)

state("figures.count", "dissertation, Figure 5.4", "dissertation, Example 5.6.5")(
    """With epsilon = 1 and d_** = 1, they are equal to the Gamma(3, 1) prior density (blue dashed line), scaled by
    exp(+-1). … while these precise posterior densities display moderate variations among each other, they do not depart
    much from the prior density""",
    every(posteriors, lambda t, theta: posterior_near_prior(t, theta, 1), verdict=Verdict.ENCLOSED),
    mutant("within exp(+-1/10)", lambda t, theta: exp(-1 / 10) < updated(t, theta) < exp(1 / 10)),
    every(posteriors, near_where_prior_is_large, verdict=Verdict.ENCLOSED),
    reading="""the precise posterior density, in closed form instead of by Monte Carlo, is within the bounds, and nearer
    than a factor of exp(1/2) where the prior has most of its mass""",
)

clamped = cases(
    "t = -6 to 12 in halves, where t <= 0 and t >= 6 have all the same posterior; each clamped count", "t x"
)(lambda: ((Fraction(k, 2), x) for k, x in product(range(-12, 25), range(7))))

ratio = lambda t, x, low, high: low < noise_at(t, x) / predictive_noise(t) < high

own("figures.count.extremes", "dissertation, Figure 5.4", "dissertation, Example 5.6.5")(
    """In Example 5.6.5 the ratio of the posterior to the prior density at theta is a mean over x of p_x(t)/p(t), so
    that it is between 0.555 and 1.623 for all theta at these t; the smallest and the largest belong to t <= 0 and to t
    >= 6. The printed bounds are exp(-1) = 0.368 and exp(1) = 2.718.""",
    every(clamped, lambda t, x: ratio(t, x, 555 / 1000, 1623 / 1000), verdict=Verdict.ENCLOSED),
    mutant("0.56 for 0.555", lambda t, x: ratio(t, x, 56 / 100, 1623 / 1000)),
    mutant("1.62 for 1.623", lambda t, x: ratio(t, x, 555 / 1000, 162 / 100)),
)

_deviation = lambda shown, says: printed([PrintedRow.of_texts("sd", shown, says)], "epsilon = 1, Delta(q) = 6")

state("figures.count.noise", "dissertation, section 5.6, after Example 5.6.5")(
    """the mechanism injects Laplace noise with standard deviation of sqrt(2) epsilon^-1 Delta(q) = 8.48 into a
    statistic clamped between a_0 = 0 and a_1 = 6.""",
    _deviation("8.48", "sqrt(2)*6"),
    grade=misprint("sqrt(2) 6 = 8.485… is cut off: it is 8.49 to two decimals"),
)

own("figures.count.noise.repaired", "dissertation, section 5.6, after Example 5.6.5")(
    "The standard deviation of the noise is sqrt(2) 6 = 8.49.",
    _deviation("8.49", "sqrt(2)*6"),
    mutant("Delta(q) = 5", _deviation("8.49", "sqrt(2)*5")),
    repairs="figures.count.noise",
)

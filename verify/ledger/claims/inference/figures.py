"""Figures 5.2 to 5.4 of the dissertation, recomputed in closed form, and the numbers that the text reads off them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, factorial
from typing import Any

from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, incomplete, misprint, printed, state
from stirred.verify.ledger.language_names import exp

# Figure 5.2: with d_* = 10 and all sums from 0 to 10 possible
_LOWER = "epsilon/2*exp(-10*epsilon)*exp(-epsilon*near)"
_UPPER = "epsilon/2*exp(10*epsilon)*exp(-epsilon*far)"


def _upper(shown: str, epsilon: str) -> PrintedRow:
    return PrintedRow.of_texts("u(5)", shown, _UPPER, {"epsilon": epsilon, "far": "5"})


def _lower(t: str, near: str) -> PrintedRow:
    return PrintedRow.of_texts(f"l({t})", "0.02", _LOWER, {"epsilon": "1/10", "near": near})


_SUMS = "(5.7) for the density of the Laplace mechanism, d_* = 10, all sums from 0 to 10, the nearest at most 1/2 away"

state(
    "figures.binary-sum",
    *("dissertation, Figure 5.2", "dissertation, Example 5.4.3", "dissertation, section 5.6, after Theorem 5.6.2"),
    printed="when epsilon = 0.1, the prior predictive probability of the privatised query is lower-bounded at ~ 0.02 "
    "whenever 0 <= t <= 10, and can never exceed ~ 0.08 even when t = 5.",
    reading="the density is epsilon/2 exp(-epsilon |t - q(x)|), as in section 5.9. The numbers are those of the "
    "figure, which is drawn for all data sets of ten records; of the predictive probability itself both hold for every "
    "model with |x| <= 10, as it is a mixture of densities between epsilon/2 exp(-10 epsilon) = 0.018 and epsilon/2 = "
    "0.05. That the bounds are the same for all such models is another sentence: figures.binary-sum.only-through",
    checks=[
        printed([_lower("0", "0"), _lower("7/2", "1/2"), _lower("5", "0"), _upper("0.08", "1/10")], _SUMS),
    ],
    mutants={
        "d_* = 9 above": printed(
            [PrintedRow.of_texts("u(5)", "0.08", "epsilon/2*exp(9*epsilon)*exp(-epsilon*5)", {"epsilon": "1/10"})],
            _SUMS,
        ),
        "epsilon = 1/4": printed([_upper("0.08", "1/4")], _SUMS),
    },
)


def upper_density_at_5(g, support):
    return min(g ** (far - abs(5 - q)) for q, far in support)


@cases(
    "sums and largest distances of all data sets of ten records, and of one with five ones and its complement; "
    "e^epsilon = 11/10 and 5/4",
    "g every two",
)
def supports() -> Iterator[tuple[Any, ...]]:
    for g in (Fraction(11, 10), Fraction(5, 4)):
        yield g, tuple((q, 10) for q in range(11)), ((5, 10),)


state(
    "figures.binary-sum.only-through",
    "dissertation, Figure 5.2",
    printed="These bounds depend on the assumed data model P_theta only through the analyst's belief that the number "
    "of records |x| is bounded by ten, which means that supp(P_theta) subset {x in X | |x| <= 10}.",
    reading="u(5), up to epsilon/2, from (5.7) for two supports within |x| <= 10 and with d_* = 10",
    grade=incomplete("that P_theta gives all data sets of ten records, for which they are drawn"),
    checks=[every(supports, lambda g, every, two: upper_density_at_5(g, every) == upper_density_at_5(g, two))],
)

state(
    "figures.binary-sum.by-support",
    "dissertation, Figure 5.2",
    repairs="figures.binary-sum.only-through",
    claim="The bounds of Figure 5.2 are those of a support that has a data set of every sum from 0 to 10, all as far "
    "as 10 from another one; with five ones in ten records and the complement alone, u(5) is epsilon/2 exp(10 "
    "epsilon), 0.136 at epsilon = 1/10 in place of 0.082.",
    checks=[
        every(
            supports, lambda g, every, two: upper_density_at_5(g, every) == g**5 and upper_density_at_5(g, two) == g**10
        ),
        printed(
            [
                PrintedRow.of_texts("u(5), all sums", "0.082", _UPPER, {"epsilon": "1/10", "far": "5"}),
                PrintedRow.of_texts("u(5), sums of 5", "0.136", _UPPER, {"epsilon": "1/10", "far": "0"}),
            ],
            "at the printed precision",
        ),
    ],
    mutants={
        "the same for both": every(
            supports, lambda g, every, two: upper_density_at_5(g, every) == upper_density_at_5(g, two)
        )
    },
)


_GROWING = "on each unit of [0, n] a density that {grows} has at least its value at the {end} as mass"


@cases("epsilon = 1/10, 1 and 3, n = 1 to 40 units beside q(x), sensitivity 1", "epsilon n")
def units_beside() -> Iterator[tuple[Any, ...]]:
    return product((Fraction(1, 10), Fraction(1), Fraction(3)), range(1, 41))


state(
    "figures.binary-sum.laplace",
    "dissertation, Example 5.4.3",
    printed="For every privacy loss epsilon > 0 and every database x, p_x(t) = epsilon/(2 Delta(q)) "
    "exp(epsilon |t - q(x)| / Delta(q))",
    reading=f"p_x is a density, t counted from q(x): {_GROWING.format(grows='grows', end='beginning')}",
    grade=misprint("exp(-epsilon |t - q(x)| / Delta(q)), as in Example 5.2.2, whose mechanism it is"),
    checks=[every(units_beside, lambda epsilon, n: sum(epsilon / 2 * exp(epsilon * abs(t)) for t in range(n)) <= 1)],
)


def between(epsilon, n, share):
    return (
        sum(epsilon / 2 * exp(-epsilon * (t + 1)) for t in range(n))
        <= share * (1 - exp(-epsilon * n))
        <= sum(epsilon / 2 * exp(-epsilon * t) for t in range(n))
    )


state(
    "figures.binary-sum.laplace.repaired",
    "dissertation, Example 5.4.3",
    claim="p_x(t) = epsilon/(2 Delta(q)) exp(-epsilon |t - q(x)| / Delta(q)): between q(x) and q(x) + n Delta(q) its "
    "mass is (1 - e^(-n epsilon))/2, between its lower and its upper sums.",
    repairs="figures.binary-sum.laplace",
    checks=[every(units_beside, lambda epsilon, n: between(epsilon, n, 1 / 2))],
    mutants={"1 - e^(-n epsilon)": every(units_beside, lambda epsilon, n: between(epsilon, n, 1))},
)

panels = cases("the panels of Figure 5.2 and the epsilon that the text reads off it", "shown said")(
    lambda: iter([((Fraction(1, 10), Fraction(1, 4)), Fraction(1, 2))])
)

state(
    "figures.binary-sum.loose",
    "dissertation, section 5.6, after Theorem 5.6.2",
    printed="as an illustration, we can see from Figure 5.2 of Example 5.4.3 that … when privacy protection is less "
    "stringent (epsilon = 0.5), the upper bound on the prior predictive probability increases to more than 0.4.",
    reading="what is seen in Figure 5.2 is in one of its two panels",
    grade=misprint("epsilon = 0.25: the figure has no panel at 0.5, and at 0.25 its upper bound rises to 0.436"),
    checks=[every(panels, lambda shown, said: said in shown)],
)

state(
    "figures.binary-sum.loose.repaired",
    *("dissertation, Figure 5.2", "dissertation, Example 5.4.3", "dissertation, section 5.6, after Theorem 5.6.2"),
    claim="In Figure 5.2 at epsilon = 0.25 the upper bound rises to 0.436, more than 0.4.",
    repairs="figures.binary-sum.loose",
    checks=[printed([_upper("0.4", "1/4"), _upper("0.436", "1/4")], _SUMS)],
    mutants={"epsilon = 0.26": printed([_upper("0.436", "13/50")], _SUMS)},
)


@cases("epsilon = 1/10 and 1/4; t = -10 to 20", "small large t")
def abscissas() -> Iterator[tuple[Any, ...]]:
    return ((Fraction(1, 10), Fraction(1, 4), t) for t in range(-10, 21))


def nearest_sum(t):
    return max(0, -t, t - 10)


def farthest_sum(t):
    return max(abs(t), abs(t - 10))


# ln(u/l) at t


def log_ratio(e, t):
    return 20 * e - e * farthest_sum(t) + e * nearest_sum(t)


def the_difference(small, large, t):
    return small * (exp(10 * small - small * farthest_sum(t)) - exp(-10 * small - small * nearest_sum(t))) < large * (
        exp(10 * large - large * farthest_sum(t)) - exp(-10 * large - large * nearest_sum(t))
    )


state(
    "figures.binary-sum.tighter",
    *("dissertation, Figure 5.2", "dissertation, Example 5.4.3"),
    printed="They are tighter and more informative when the privacy protection is more stringent (i.e. when epsilon "
    "is smaller).",
    reading="the ratio u/l is smaller at every t, the multiplicative distance of the chapter; the difference u - l is "
    "not, far from the sums, where both bounds fall off faster for the larger epsilon",
    checks=[every(abscissas, lambda small, large, t: log_ratio(small, t) < log_ratio(large, t))],
    mutants={
        "the difference": every(
            abscissas,
            the_difference,
            verdict=Verdict.ENCLOSED,
        )
    },
)


@cases("gamma = 1, 3/2, 2, 3, 10; |t| = 1 to 30", "g n")
def sizes() -> Iterator[tuple[Any, ...]]:
    return product((Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10)), range(1, 31))


@cases("gamma = e, as in the figure; |t| = 2 to 30", "n")
def sizes_at_e() -> Iterator[int]:
    return iter(range(2, 31))


def response_gap(g, n):
    return (g**n - 1) / (g + 1) ** n


state(
    "figures.responses",
    *("dissertation, Figure 5.3", "dissertation, Example 5.4.4"),
    printed="As more records are released (larger |t|), both bounds tend to zero with a narrowing gap.",
    reading="the gap never widens; from |t| = 1 to 2 it is the same, (e^epsilon - 1)/(e^epsilon + 1)",
    checks=[
        every(sizes, lambda g, n: response_gap(g, n + 1) <= response_gap(g, n)),
        every(sizes, lambda g, n: (g / (g + 1)) ** (n + 1) < (g / (g + 1)) ** n),
        every(sizes_at_e, lambda n: response_gap(exp(1), n + 1) < response_gap(exp(1), n), verdict=Verdict.ENCLOSED),
    ],
    mutants={"it narrows at once": every(sizes, lambda g, n: response_gap(g, n + 1) < response_gap(g, n))},
)


# Figure 5.4: theta ~ Gamma(3, 1), x ~ Pois(theta), so that P(x) = comb(x + 2, 2)/2^(x + 3); Laplace noise of scale 6
def count_share(x):
    return comb(x + 2, 2) / 2 ** (x + 3)


def clamped_share(x):
    return count_share(x) if x < 6 else 1 - sum(count_share(y) for y in range(6))


def noise_at(t, x):
    return exp(-abs(t - x) / 6)


def predictive_noise(t):
    return sum(clamped_share(x) * noise_at(t, x) for x in range(7))


def poisson(x, theta):
    return exp(-theta) * theta**x / factorial(x)


def clamped_poisson(x, theta):
    return poisson(x, theta) if x < 6 else 1 - sum(poisson(y, theta) for y in range(6))


def likelihood_at(t, theta):
    return sum(clamped_poisson(x, theta) * noise_at(t, x) for x in range(7))


# of the posterior density to the prior one


def updated(t, theta):
    return likelihood_at(t, theta) / predictive_noise(t)


@cases("t = -6, -5, …, 12, where t <= 0 and t >= 6 have all the same posterior; theta = 1/8, 1, 2, 3, 6, 12", "t theta")
def posteriors() -> Iterator[tuple[Any, ...]]:
    return product(range(-6, 13), (Fraction(1, 8), 1, 2, 3, 6, 12))


def posterior_near_prior(t, theta, scale):
    return exp(-scale) < updated(t, theta) < exp(scale)


state(
    "figures.count",
    *("dissertation, Figure 5.4", "dissertation, Example 5.6.5"),
    printed="With epsilon = 1 and d_** = 1, they are equal to the Gamma(3, 1) prior density (blue dashed line), "
    "scaled by exp(+-1). … while these precise posterior densities display moderate variations among each other, they "
    "do not depart much from the prior density",
    reading="the precise posterior density, in closed form instead of by Monte Carlo, is within the bounds, and "
    "nearer than a factor of exp(1/2) where the prior has most of its mass",
    checks=[
        every(posteriors, lambda t, theta: posterior_near_prior(t, theta, 1), verdict=Verdict.ENCLOSED),
        every(
            posteriors,
            lambda t, theta: theta > 6 or theta < 1 or exp(-1 / 2) < updated(t, theta) < exp(1 / 2),
            verdict=Verdict.ENCLOSED,
        ),
    ],
    mutants={
        "within exp(+-1/10)": every(
            posteriors, lambda t, theta: exp(-1 / 10) < updated(t, theta) < exp(1 / 10), verdict=Verdict.ENCLOSED
        )
    },
)


@cases("t = -6 to 12 in halves, where t <= 0 and t >= 6 have all the same posterior; each clamped count", "t x")
def clamped() -> Iterator[tuple[Any, ...]]:
    return ((Fraction(k, 2), x) for k, x in product(range(-12, 25), range(7)))


def ratio(t, x, low, high):
    return low < noise_at(t, x) / predictive_noise(t) < high


state(
    "figures.count.extremes",
    *("dissertation, Figure 5.4", "dissertation, Example 5.6.5"),
    claim="In Example 5.6.5 the ratio of the posterior to the prior density at theta is a mean over x of p_x(t)/p(t), "
    "so that it is between 0.555 and 1.623 for all theta at these t; the smallest and the largest belong to t <= 0 "
    "and to t >= 6. The printed bounds are exp(-1) = 0.368 and exp(1) = 2.718.",
    checks=[every(clamped, lambda t, x: ratio(t, x, 555 / 1000, 1623 / 1000), verdict=Verdict.ENCLOSED)],
    mutants={
        "0.56 for 0.555": every(clamped, lambda t, x: ratio(t, x, 56 / 100, 1623 / 1000), verdict=Verdict.ENCLOSED),
        "1.62 for 1.623": every(clamped, lambda t, x: ratio(t, x, 555 / 1000, 162 / 100), verdict=Verdict.ENCLOSED),
    },
)

state(
    "figures.count.noise",
    "dissertation, section 5.6, after Example 5.6.5",
    printed="the mechanism injects Laplace noise with standard deviation of sqrt(2) epsilon^-1 Delta(q) = 8.48 into a "
    "statistic clamped between a_0 = 0 and a_1 = 6.",
    grade=misprint("sqrt(2) 6 = 8.485… is cut off: it is 8.49 to two decimals"),
    checks=[printed([PrintedRow.of_texts("sd", "8.48", "sqrt(2)*6")], "epsilon = 1, Delta(q) = 6")],
)

state(
    "figures.count.noise.repaired",
    "dissertation, section 5.6, after Example 5.6.5",
    claim="The standard deviation of the noise is sqrt(2) 6 = 8.49.",
    repairs="figures.count.noise",
    checks=[printed([PrintedRow.of_texts("sd", "8.49", "sqrt(2)*6")], "epsilon = 1, Delta(q) = 6")],
    mutants={"Delta(q) = 5": printed([PrintedRow.of_texts("sd", "8.49", "sqrt(2)*5")], "epsilon = 1, Delta(q) = 6")},
)

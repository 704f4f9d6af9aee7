"""Ecological regression in Figures 6, 20 and 21 of the swapping study: mirrored lines, extrapolation, weights."""

from fractions import Fraction
from itertools import combinations, product

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, mutant, own, state
from stirred.verify.ledger.claims.pairwise_swapping.sampled_states import sampled_cases
from stirred.verify.ledger.claims.pairwise_swapping.words import average

weighted_cross = lambda w, x, y: (
    sum(w) * sum(k * a * b for k, a, b in zip(w, x, y))
    - sum(k * a for k, a in zip(w, x)) * sum(k * b for k, b in zip(w, y))
)
weighted_slope = lambda w, x, y: weighted_cross(w, x, y) / weighted_cross(w, x, x)
weighted_mean = lambda w, v: sum(k * a for k, a in zip(w, v)) / sum(w)

# the line at x = 1
support = lambda w, x, y: weighted_mean(w, y) + weighted_slope(w, x, y) * (1 - weighted_mean(w, x))
others = lambda v: [1 - a for a in v]
three_signs = lambda: product([-1, 1], [-1, 1], [-1, 1])
four_signs = lambda: product([-1, 1], [-1, 1], [-1, 1], [-1, 1])

# the expected square of what independent errors of plus or minus d in the votes do to the support
support_spread = lambda x, y, d: average(
    [
        (support(one_each(x), x, [b + d * e for b, e in zip(y, s)]) - support(one_each(x), x, y)) ** 2
        for s in three_signs()
    ]
)
one_each = lambda v: [1 for a in v]

# what noise of plus or minus d in each count adds to the expected spread of the shares, relative to it
attenuation = lambda w, sizes, x, d: (
    average([weighted_cross(w, z, z) for z in [[a + d * e / n for a, e, n in zip(x, s, sizes)] for s in four_signs()]])
    / weighted_cross(w, x, x)
    - 1
)
sizes_of = lambda counts: [sum(row) for row in counts]
share_of = lambda counts, k: [row[k] / sum(row) for row in counts]
rise = lambda w, before, after, votes: (
    weighted_slope(w, share_of(after, 1), votes) / weighted_slope(w, share_of(before, 1), votes) - 1
)

_GRID = tuple(Fraction(k, 4) for k in range(5))
_SHARES = tuple(x for x in product(_GRID[:4], repeat=3) if len(set(x)) > 1)

districts = cases(
    "three districts of weights 1, 1, 1 or 1, 2, 5, shares in {0, 1/4, 1/2, 3/4} not all equal, votes in {0, 1/4, 1}",
    "w x y",
    lambda: (
        (w, x, y)
        for w, x in product(((1, 1, 1), (1, 2, 5)), _SHARES)
        for y in product((Fraction(0), Fraction(1, 4), Fraction(1)), repeat=3)
    ),
)

supports_sum_to_1 = lambda w, x, y, shares: support(w, x, y) + support(w, shares, others(y)) == 1

own("pairwise.regression.candidates", *(f"swapping study, Figure {number}" for number in (6, 20, 21)))(
    """Where every vote is for one of two candidates, the supports of one group for both sum to 1 and their two lines
    have opposite slopes, weighted or not, whatever the shares are: the panels for the two candidates show one effect
    twice, mirrored.""",
    every(districts, lambda w, x, y: supports_sum_to_1(w, x, y, x)),
    mutant("the support of all others for the other one", lambda w, x, y: supports_sum_to_1(w, x, y, others(x))),
    every(districts, lambda w, x, y: weighted_slope(w, x, others(y)) == -weighted_slope(w, x, y)),
)

equal_districts = cases(
    "three districts of equal weight as in pairwise.regression.candidates",
    "x y",
    lambda: ((x, (Fraction(0), Fraction(1, 4), Fraction(1))) for x in _SHARES),
)

spread_grows_if_rarer = lambda x, y, scale, times, d: (
    support_spread([a * scale for a in x], y, d) > times * support_spread(x, y, d)
)

state("pairwise.regression.reliable", "swapping study, section 5.1", "swapping study, Figure 6")(
    """Since ER requires extrapolating to a hypothetical voting district with 100% of race r, it is only reliable for
    racial groups r that have reasonably high percentages in many of the real voting districts.""",
    *[every(equal_districts, spread_grows_if_rarer, scale=Fraction(1, n), times=1, d=Fraction(1, 8)) for n in (2, 10)],
    mutant("nine times as large", {"scale": Fraction(1, 2), "times": 9}),
    reading="""independent errors of one variance in the votes of districts: the estimated support of a group has a
    larger variance if its percentages are half or a tenth of what they are in every district""",
)

small_and_large = cases(
    "four districts, two shares out of {0, 1/4, 1/2, 3/4, 1} each in one of 100 persons and in one m = 2, 10 or 100 "
    "times as large",
    "x sizes m",
    lambda: (
        ((first, second, first, second), (100, 100, 100 * m, 100 * m), m)
        for (first, second), m in product(combinations(_GRID, 2), (2, 10, 100))
    ),
)

flattens_less_if_weighted = lambda sizes, x, d, m, times: (
    attenuation(sizes, sizes, x, d) * m < times * attenuation(one_each(x), sizes, x, d)
)

state("pairwise.regression.weights", "swapping study, section 5.1", "swapping study, Figure 21")(
    """Like Cohen et al. (2021), we observe that weighting ER by the population of the voting districts reduces the
    effect of ToyDown to almost nothing.""",
    every(small_and_large, flattens_less_if_weighted, times=3, d=10),
    mutant("less than 1/m", {"times": 1}),
    reading="""independent noise of one variance on the count of each district, totals as they are, half of the
    districts m times as large as the others with the same shares: what it adds to the expected variance of the shares,
    by which it flattens the line, is with weights less than 3/m of what it is without; of the expectations, without
    ToyDown's consistency""",
)

as_much = lambda before, after, votes, times: (
    rise(sizes_of(before), before, after, votes) > times * rise(one_each(votes), before, after, votes) > 0
)

state("pairwise.regression.weights.sampled", "swapping study, section 5.1", "swapping study, Figure 21")(
    "In contrast, weighting does not appear to reduce the effect of swapping in the same way.",
    every(sampled_cases(Fraction(1, 10), "before after votes"), as_much, verdict=Verdict.SAMPLED, times=Fraction(1, 2)),
    mutant("half as much again", {"times": Fraction(3, 2)}),
    reading="""on synthetic segregated states, districts being tracts, for race B and one candidate, swapped at 10%: the
    slope rises in every one, and weighted by population more than half as much as unweighted""",
)

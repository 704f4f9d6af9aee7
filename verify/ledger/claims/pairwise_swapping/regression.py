"""Ecological regression in Figures 6, 20 and 21 of the swapping study: mirrored lines, extrapolation, weights."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claims.pairwise_swapping.sampled_states import sampled
from stirred.verify.ledger.claims.pairwise_swapping.words import average
from stirred.verify.ledger.quantifiers import cases, every
from stirred.verify.ledger.statement import state


def weighted_cross(w, x, y):
    return sum(w) * sum(k * a * b for k, a, b in zip(w, x, y)) - sum(k * a for k, a in zip(w, x)) * sum(
        k * b for k, b in zip(w, y)
    )


def weighted_slope(w, x, y):
    return weighted_cross(w, x, y) / weighted_cross(w, x, x)


def weighted_mean(w, v):
    return sum(k * a for k, a in zip(w, v)) / sum(w)


# the line at x = 1


def support(w, x, y):
    return weighted_mean(w, y) + weighted_slope(w, x, y) * (1 - weighted_mean(w, x))


def others(v):
    return [1 - a for a in v]


def three_signs():
    return product([-1, 1], [-1, 1], [-1, 1])


def four_signs():
    return product([-1, 1], [-1, 1], [-1, 1], [-1, 1])


# the expected square of what independent errors of plus or minus d in the votes do to the support


def support_spread(x, y, d):
    return average(
        [
            (support(one_each(x), x, [b + d * e for b, e in zip(y, s)]) - support(one_each(x), x, y)) ** 2
            for s in three_signs()
        ]
    )


def one_each(v):
    return [1 for a in v]


# what noise of plus or minus d in each count adds to the expected spread of the shares, relative to it


def attenuation(w, sizes, x, d):
    return (
        average(
            [weighted_cross(w, z, z) for z in [[a + d * e / n for a, e, n in zip(x, s, sizes)] for s in four_signs()]]
        )
        / weighted_cross(w, x, x)
        - 1
    )


def sizes_of(counts):
    return [sum(row) for row in counts]


def share_of(counts, k):
    return [row[k] / sum(row) for row in counts]


def rise(w, before, after, votes):
    return weighted_slope(w, share_of(after, 1), votes) / weighted_slope(w, share_of(before, 1), votes) - 1


_GRID = tuple(Fraction(k, 4) for k in range(5))
_SHARES = tuple(x for x in product(_GRID[:4], repeat=3) if len(set(x)) > 1)


@cases(
    "three districts of weights 1, 1, 1 or 1, 2, 5, shares in {0, 1/4, 1/2, 3/4} not all equal, votes in {0, 1/4, 1}",
    "w x y",
)
def districts() -> Iterator[tuple[tuple[int, ...], tuple[Fraction, ...], tuple[Fraction, ...]]]:
    for w, x in product(((1, 1, 1), (1, 2, 5)), _SHARES):
        for y in product((Fraction(0), Fraction(1, 4), Fraction(1)), repeat=3):
            yield w, x, y


def supports_sum_to_1(w, x, y, shares):
    return support(w, x, y) + support(w, shares, others(y)) == 1


state(
    "pairwise.regression.candidates",
    *("swapping study, Figure 6", "swapping study, Figure 20", "swapping study, Figure 21"),
    claim="Where every vote is for one of two candidates, the supports of one group for both sum to 1 and their two "
    "lines have opposite slopes, weighted or not, whatever the shares are: the panels for the two candidates show one "
    "effect twice, mirrored.",
    checks=[
        every(districts, lambda w, x, y: supports_sum_to_1(w, x, y, x)),
        every(districts, lambda w, x, y: weighted_slope(w, x, others(y)) == -weighted_slope(w, x, y)),
    ],
    mutants={
        "the support of all others for the other one": every(
            districts, lambda w, x, y: supports_sum_to_1(w, x, y, others(x))
        )
    },
)


@cases("three districts of equal weight as in pairwise.regression.candidates", "x y")
def equal_districts() -> Iterator[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]:
    for x in _SHARES:
        yield x, (Fraction(0), Fraction(1, 4), Fraction(1))


_SCALES = (Fraction(1, 2), Fraction(1, 10))


def spread_grows_if_rarer(x, y, scale, times, d):
    return support_spread([a * scale for a in x], y, d) > times * support_spread(x, y, d)


state(
    "pairwise.regression.reliable",
    *("swapping study, section 5.1", "swapping study, Figure 6"),
    printed="Since ER requires extrapolating to a hypothetical voting district with 100% of race r, it is only "
    "reliable for racial groups r that have reasonably high percentages in many of the real voting districts.",
    reading="independent errors of one variance in the votes of districts: the estimated support of a group has a "
    "larger variance if its percentages are half or a tenth of what they are in every district",
    checks=[
        every(
            equal_districts,
            spread_grows_if_rarer,
            scale=scale,
            times=1,
            d=Fraction(1, 8),
        )
        for scale in _SCALES
    ],
    mutants={
        "nine times as large": every(
            equal_districts, spread_grows_if_rarer, scale=Fraction(1, 2), times=9, d=Fraction(1, 8)
        )
    },
)


@cases(
    "four districts, two shares out of {0, 1/4, 1/2, 3/4, 1} each in one of 100 persons and in one m = 2, 10 or 100 "
    "times as large",
    "x sizes m",
)
def small_and_large() -> Iterator[tuple[tuple[Fraction, ...], tuple[int, ...], int]]:
    for (first, second), m in product(combinations(_GRID, 2), (2, 10, 100)):
        yield (first, second, first, second), (100, 100, 100 * m, 100 * m), m


def flattens_less_if_weighted(sizes, x, d, m, times):
    return attenuation(sizes, sizes, x, d) * m < times * attenuation(one_each(x), sizes, x, d)


state(
    "pairwise.regression.weights",
    *("swapping study, section 5.1", "swapping study, Figure 21"),
    printed="Like Cohen et al. (2021), we observe that weighting ER by the population of the voting districts reduces "
    "the effect of ToyDown to almost nothing.",
    reading="independent noise of one variance on the count of each district, totals as they are, half of the "
    "districts m times as large as the others with the same shares: what it adds to the expected variance of the "
    "shares, by which it flattens the line, is with weights less than 3/m of what it is without; of the expectations, "
    "without ToyDown's consistency",
    checks=[every(small_and_large, flattens_less_if_weighted, times=3, d=10)],
    mutants={"less than 1/m": every(small_and_large, flattens_less_if_weighted, times=1, d=10)},
)

_TENTH = sampled(Fraction(1, 10), "before after votes")


def as_much(before, after, votes, times):
    return rise(sizes_of(before), before, after, votes) > times * rise(one_each(votes), before, after, votes) > 0


state(
    "pairwise.regression.weights.sampled",
    *("swapping study, section 5.1", "swapping study, Figure 21"),
    printed="In contrast, weighting does not appear to reduce the effect of swapping in the same way.",
    reading="on synthetic segregated states, districts being tracts, for race B and one candidate, swapped at 10%: the "
    "slope rises in every one, and weighted by population more than half as much as unweighted",
    checks=[every(_TENTH, as_much, verdict=Verdict.SAMPLED, times=Fraction(1, 2))],
    mutants={"half as much again": every(_TENTH, as_much, verdict=Verdict.SAMPLED, times=Fraction(3, 2))},
)

"""In which direction swapping and noise move statistics: figures, entropy, errors by race, ecological regression.

What depends on data is sampled on synthetic states with exact counts; what does not is an identity.
"""

from fractions import Fraction
from itertools import combinations, product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.pairwise.policy import AboveFeasible, BlockLocation, SwapPolicy
from stirred.mechanisms.swapping.pairwise.program import exchange, swap_pairs
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, some, state
from stirred.verify.ledger.claims.pairwise_swapping.sampled_states import (
    average,
    cross,
    exp_entropy,
    joint_entropy,
    mean_entropy,
    moved_of,
    sampled_at_two_rates,
    sampled_cases,
    shares_of,
    slope,
)
from stirred.verify.ledger.language_names import ln

# in which direction swapping and noise move statistics: regression, entropy and its steps, errors by race

_GRID = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1))
_POINTS = tuple(x for x in product(_GRID, repeat=3) if len(set(x)) > 1)

drawn_together = cases(
    "three districts, shares in {0, 1/4, 1/2, 1} not all equal, votes in {0, 1/2, 1}, all shares moved towards 1/2 or "
    "their mean by a factor of 3/4 or 1/4",
    "x y middle factor",
)(
    lambda: (
        (x, y, middle, factor)
        for x, y in product(_POINTS, product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=3))
        for middle, factor in product((Fraction(1, 2), sum(x, Fraction()) / 3), (Fraction(3, 4), Fraction(1, 4)))
    )
)

drawn_apart = cases(
    "three districts, shares in {0, 1/4, 1/2, 1}, votes that grow with them from 0 to 1; each share but 1/2 moved "
    "towards 1/2 by a factor of its own, 3/4 or 1/4",
    "x y after",
)(
    lambda: (
        (x, (Fraction(0), Fraction(1, 2), Fraction(1)), after)
        for x, factors in product(_POINTS, product((Fraction(3, 4), Fraction(1, 4)), repeat=3))
        for after in [
            tuple(Fraction(1, 2) + factor * (a - Fraction(1, 2)) for a, factor in zip(x, factors, strict=True))
        ]
        if sorted(x) == list(x) and len(set(after)) > 1
    )
)

steeper = lambda middle, factor, x, y, power: (
    slope([middle + factor * (a - middle) for a in x], y) * factor**power == slope(x, y)
)

state("pairwise.regression.steeper", "swapping study, section 5.1")(
    """If we compare ecological regression before and after swapping, swapping will tend to move the values for percent
    of race r away from 0 and 1 and towards the middle. This increases the magnitude of the slope of the regression
    line, resulting in greater apparent polarization ….""",
    every(drawn_apart, lambda x, y, after: abs(slope(after, y)) > abs(slope(x, y))),
    reading="""this: every share moves towards the middle, here 1/2, and the votes stay. That swapping does both is a
    tendency, see pairwise.regression.sampled""",
    grade=incomplete(
        "that the shares move by one factor, or by nearly one: it is a tendency, as the words before say of the move; "
        "unequal moves scatter the shares, which flattens"
    ),
)

own("pairwise.regression.steeper.one-factor", "swapping study, section 5.1")(
    """If all shares move towards one middle by one factor in (0, 1), and the votes stay, the slope is divided by that
    factor.""",
    every(drawn_together, steeper, power=1, identity="the slope of an affine change, for all districts"),
    mutant("the slope stays", {"power": 0}),
    mutant("each by its own factor", every(drawn_apart, lambda x, y, after: abs(slope(after, y)) > abs(slope(x, y)))),
    repairs="pairwise.regression.steeper",
)

observed = cases(
    "three districts as in pairwise.regression.steeper, independent noise of plus or minus 1/8 on each share", "x y"
)(lambda: product(_POINTS, product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=3)))

signs = lambda: [[a, b, c] for a in [-1, 1] for b in [-1, 1] for c in [-1, 1]]
noisy = lambda x, s, d: [a + d * e for a, e in zip(x, s)]
expected_cross = lambda x, y, d: average([cross(noisy(x, s, d), y) for s in signs()])
expected_spread = lambda x, d: average([cross(noisy(x, s, d), noisy(x, s, d)) for s in signs()])

state("pairwise.regression.flatter", "swapping study, section 5.1")(
    """This replicates the effect found by Cohen et al. (2021), and occurs because the addition of noise to the
    covariates reduces the correlation between the covariates and the outcome variable, resulting in a regression line
    with a slope of smaller magnitude.""",
    every(
        observed,
        lambda x, y, d, n: (
            expected_cross(x, y, d) == cross(x, y) and expected_spread(x, d) == cross(x, x) + n * (n - 1) * d**2
        ),
        d=Fraction(1, 8),
        n=3,
    ),
    mutant(
        "n for n - 1",
        lambda x, y, d, n: (
            expected_cross(x, y, d) == cross(x, y) and expected_spread(x, d) == cross(x, x) + n * n * d**2
        ),
    ),
    reading="""noise that is independent of all else and has mean 0: it leaves the expected covariance of share and
    votes as it is and raises the expected variance of the shares, by n(n - 1) times its variance in these units, so the
    quotient of the two falls; of the expectations, not of every outcome""",
)

_REGIONS = {block: BlockLocation(block, block, 0) for block in range(3)}
_ALL_PAIRS = SwapPolicy(closest=None, above_feasible=AboveFeasible.SHORTEN)

block_errors = cases(
    "four homes of one size, two in one block with race A, one of race B in each of two others; every outcome", "errors"
)(
    lambda: (
        [
            sum((race, at) == ("A", b) for _, race, at in homes) - sum((race, at) == ("A", b) for _, race, at in after)
            for b in _REGIONS
        ]
        for homes in [((0, "A", 0), (0, "A", 0), (0, "B", 1), (0, "B", 2))]
        for pairs in exact_law(swap_pairs, homes, geography=_REGIONS, swap_rate=Fraction(1), policy=_ALL_PAIRS)
        for after in [exchange(homes, pairs)]
    )
)

median = lambda v: sorted(v)[len(v) // 2]

state("pairwise.errors.median", "swapping study, section 4.2")(
    """As noted earlier, the errors for swapping (at both 2% and 10%) are both mean zero. The swap errors do not
    necessarily have median zero; the blue lines in the boxplots are the medians.""",
    every(block_errors, lambda errors: sum(errors) == 0),
    mutant("the median is zero too", lambda errors: median(errors) == 0),
    some(block_errors, lambda errors: median(errors) != 0),
    reading="""over the regions of a state: the mean of the errors of a race is zero in every outcome, their median in
    some outcome is not""",
)

two_tracts = cases(
    "two tracts of n = 2 to 6 persons each, t = 2 to n of them of one of two races, a or, less equally, b of these in "
    "the first tract",
    "n t a b",
)(
    lambda: (
        (n, t, a, b)
        for n in range(2, 7)
        for t in range(2, n + 1)
        for a in range((t + 1) // 2, t)
        for b in range(a + 1, t + 1)
    )
)

both_tracts = lambda n, t, a: exp_entropy([a, n - a]) * exp_entropy([t - a, n - t + a])

"""e to the n times the sum of the two racial entropies."""

state("pairwise.entropy.segregation.printed", "swapping study, section 4.4")(
    "Higher racial entropy would indicate that populations are more geographically segregated.",
    every(two_tracts, lambda n, t, a, b: both_tracts(n, t, b) >= both_tracts(n, t, a)),
    reading="""with the races of the state as they are, the mean entropy of its tracts is no lower where their shares
    differ more""",
    grade=misprint("lower for higher; section 5.1: with entropy, shares move away from 0 and 1 and towards the middle"),
)

own("pairwise.entropy.segregation", "swapping study, section 4.4")(
    """Of two tracts of one size and two races, the mean racial entropy is the lower, the more unequally a race is
    divided between them.""",
    every(two_tracts, lambda n, t, a, b: both_tracts(n, t, b) < both_tracts(n, t, a)),
    mutant("the higher", lambda n, t, a, b: both_tracts(n, t, b) > both_tracts(n, t, a)),
    repairs="pairwise.entropy.segregation.printed",
)

_LISTED = ("targets leave", "targets arrive", "partners leave", "partners arrive")
_DESCRIBED = ("targets leave", "partners leave", "targets arrive", "partners arrive")
steps = cases("the four steps as the text lists them, and as the next sentences number them", "listed described")(
    lambda: [(_LISTED, _DESCRIBED)]
)

same_steps = lambda listed, described, same: all((listed[k] == described[k]) == (k + 1 in same) for k in range(4))

state("pairwise.entropy.steps.printed", "swapping study, section 4.4")(
    """Conceptually, we can break each swap down into four steps: (1) the targeted household leaving its original
    location, (2) the targeted household arriving at its new location, (3) the partnered household leaving its original
    location, and (4) the partnered household arriving at its new location. … The effect of step (1) (removing all the
    targeted households) indeed decreases racial entropy. Step (2) (removing all the partner households) also slightly
    decreases racial entropy. However, steps (3) and (4) (adding all the targeted households to their partners' tracts
    and adding all the partner households to the tracts of the targets) both have the effect of increasing racial
    entropy.""",
    every(steps, lambda listed, described: all(listed[k] == described[k] for k in range(4))),
    reading="a number stands for one step",
    grade=misprint("steps (2) and (3) have changed places; what is meant stands in the brackets"),
)

own("pairwise.entropy.steps", "swapping study, section 4.4")(
    """The sentences on the effects number the steps in the order in which all households are first removed and then
    added: 1, 3, 2, 4 of the list.""",
    every(steps, same_steps, same=(1, 4)),
    mutant("in the order of the list", {"same": (1, 2, 3, 4)}),
    repairs="pairwise.entropy.steps.printed",
)

# n times the mean change of a tract's entropy by one swap, where the race that is rare in its tract is drawn
# w times as often, of c out of n persons there
risen = lambda n, c: ln(exp_entropy([c + 1, n - c - 1])) - ln(exp_entropy([c, n - c]))
change_of_entropy = lambda n, c, w: (
    ((n - c) / (n - c + w * c)) ** 2 * risen(n, c) - (w * c / (n - c + w * c)) ** 2 * risen(n, c - 1)
)

targeting = cases(
    "two mirrored tracts of n = 4 to 8 persons, c of them of the race that is rare there; w = 1, 2, 4, 40", "n c v w"
)(lambda: ((n, c, v, w) for n in range(4, 9) for c in range(1, (n - 2) // 2 + 1) for v, w in ((1, 2), (2, 4), (4, 40))))

state("pairwise.entropy.independent", "swapping study, section 4.4")(
    """The more independently of race that swapping happens, the more it increases racial entropy instead of decreasing
    it.""",
    every(targeting, lambda n, c, v, w: change_of_entropy(n, c, v) > change_of_entropy(n, c, w)),
    mutant("the less", lambda n, c, v, w: change_of_entropy(n, c, v) < change_of_entropy(n, c, w)),
    some(targeting, lambda n, c: change_of_entropy(n, c, 1) > 0 and change_of_entropy(n, c, 40) < 0),
    reading="""one swap between two tracts, each with a race of its own that is rare there: target and partner are w
    times as likely of it, independently of race at w = 1""",
)

_TENTH = sampled_cases(Fraction(1, 10), "before after votes counties swapped")

state("pairwise.entropy.sampled", "swapping study, section 4.4")(
    "Surprisingly, we find that, on average, swapping increases the racial entropy of each tract.",
    every(_TENTH, lambda before, after: joint_entropy(after) > joint_entropy(before), verdict=Verdict.SAMPLED),
    mutant("they have a smaller one", lambda before, after: joint_entropy(after) < joint_entropy(before)),
    reading="""on synthetic segregated states: the entropies of tracts, each weighted by its persons, have a larger mean
    after swapping at 10%""",
)

slope_steepens = lambda before, after, votes, factor: (
    slope(shares_of(after, 1), votes) > factor * slope(shares_of(before, 1), votes) > 0
)

state("pairwise.regression.sampled", "swapping study, section 5.1")(
    """The regression lines based on swapped data (magenta) have slopes of greater magnitude than the regression lines
    based on unswapped data (blue).""",
    every(_TENTH, slope_steepens, verdict=Verdict.SAMPLED, factor=1),
    mutant("twice as great", {"factor": 2}),
    reading="""on synthetic segregated states, districts being tracts, for race B and one candidate; swapped at 10%,
    unweighted""",
)

large = lambda counties, swapped, small: all(
    min(moved_of(counties, swapped, j) for j in [0, 1]) > moved_of(counties, swapped, k) for k in small
)

# the mean change of a count c by two-sided geometric noise of ratio a, where no count is below 0
change_by_noise = lambda c, a: a * (2 - a**c) / (1 - a**2)
evenly = lambda counties, a, most: all(
    max(errors) <= most * min(errors)
    for errors in [[sum(change_by_noise(row[k], a) for row in counties) for k in range(7)]]
)

state("pairwise.errors.large-groups", "swapping study, section 4.2")(
    """Also, swapping results in higher errors on large racial groups, while ToyDown distributes errors evenly across
    racial groups.""",
    every(_TENTH, large, verdict=Verdict.SAMPLED, small=(2, 3, 4, 5, 6)),
    mutant("than for any race", {"small": (0, 1)}),
    every(_TENTH, evenly, verdict=Verdict.SAMPLED, a=Fraction(1, 2), most=2),
    mutant("to the last digit", {"most": 1}),
    reading="""on synthetic states at 10%: the absolute errors of counties add up to more for each of the two races that
    most persons have than for each of the five others. Of ToyDown: noise of one law on each race's count, here of ratio
    1/2, no count below 0; the expected errors of two races differ by a factor of 2 at most, as small counts cannot fall
    far. Its consistency between levels treats races alike""",
)

# tendencies that figures of the swapping study show on its data, sampled on synthetic states

_LOW, _HIGH = Fraction(1, 50), Fraction(1, 10)

_TWO_RATES = sampled_at_two_rates(_LOW, _HIGH)

entropy_grows = lambda before, then, last: joint_entropy(last) > joint_entropy(then) > joint_entropy(before)

state("pairwise.entropy.rates", "swapping study, section 4.4", "swapping study, Figure 15")(
    """The average entropy increases from unswapped data to swapped data at a 2% rate and again from swapped data at a
    2% rate to swapped data at a 10% rate.""",
    every(_TWO_RATES, lambda before, low, high: entropy_grows(before, low, high), verdict=Verdict.SAMPLED),
    mutant("10% before 2%", lambda before, low, high: entropy_grows(before, high, low)),
    reading="on synthetic segregated states, the entropies of tracts each weighted by its persons",
)

state("pairwise.entropy.steps.sampled", "swapping study, section 4.4", "swapping study, Figure 5")(
    """The effect of step (1) (removing all the targeted households) indeed decreases racial entropy. … However, steps
    (3) and (4) (adding all the targeted households to their partners' tracts and adding all the partner households to
    the tracts of the targets) both have the effect of increasing racial entropy.""",
    every(
        sampled_cases(_HIGH, "before targets_left all_left targets_arrived after"),
        lambda before, targets_left, all_left, targets_arrived, after: (
            mean_entropy(targets_left) < mean_entropy(before)
            and mean_entropy(all_left) < mean_entropy(targets_arrived) < mean_entropy(after)
        ),
        verdict=Verdict.SAMPLED,
    ),
    mutant(
        "step (4) decreases it",
        lambda before, targets_left, all_left, targets_arrived, after: (
            mean_entropy(targets_left) < mean_entropy(before)
            and mean_entropy(all_left) < mean_entropy(targets_arrived) > mean_entropy(after)
        ),
    ),
    reading="""on synthetic segregated states, swapped at 10%; the mean over tracts, the steps in the order of these
    sentences; the slight decrease of step (2) is not encoded, of these states it has either sign""",
)

covary = lambda x, y: cross(x, [b - a for a, b in zip(x, y)])

state("pairwise.errors.regression-to-the-mean", "swapping study, Appendix B", "swapping study, Figure 8")(
    """We observe that counties that gain significant numbers of a racial group are usually counties that have a
    relatively small number of residents in that group before swapping, and counties that lose significant numbers of a
    racial group are usually counties that have a relatively large number of residents in that group before swapping.
    This is consistent with a view in which swapping effectively mixes nearby geographic regions, causing regression to
    the mean.""",
    every(
        sampled_cases(_HIGH, "before after"),
        lambda before, after: all(
            covary(x, y) < 0 for x, y in [(shares_of(before, k), shares_of(after, k)) for k in [0, 1]]
        ),
        verdict=Verdict.SAMPLED,
    ),
    mutant(
        "a positive one",
        lambda before, after: all(
            covary(x, y) > 0 for x, y in [(shares_of(before, k), shares_of(after, k)) for k in [0, 1]]
        ),
    ),
    reading="""on synthetic segregated states, which have three counties, so of tracts; swapped at 10%: for each of the
    two races that most persons have, share before and gain in share have a negative covariance""",
)

# ecological regression in Figures 6, 20 and 21 of the swapping study: mirrored lines, extrapolation, weights

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

_QUARTERS = tuple(Fraction(k, 4) for k in range(5))
_SHARES = tuple(x for x in product(_QUARTERS[:4], repeat=3) if len(set(x)) > 1)

districts = cases(
    "three districts of weights 1, 1, 1 or 1, 2, 5, shares in {0, 1/4, 1/2, 3/4} not all equal, votes in {0, 1/4, 1}",
    "w x y",
)(
    lambda: (
        (w, x, y)
        for w, x in product(((1, 1, 1), (1, 2, 5)), _SHARES)
        for y in product((Fraction(0), Fraction(1, 4), Fraction(1)), repeat=3)
    )
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

equal_districts = cases("three districts of equal weight as in pairwise.regression.candidates", "x y")(
    lambda: ((x, (Fraction(0), Fraction(1, 4), Fraction(1))) for x in _SHARES)
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
)(
    lambda: (
        ((first, second, first, second), (100, 100, 100 * m, 100 * m), m)
        for (first, second), m in product(combinations(_QUARTERS, 2), (2, 10, 100))
    )
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

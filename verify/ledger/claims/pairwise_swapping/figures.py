"""What figures of the swapping study show whatever its data are: averages, error bars, what is left off."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

from stirred.verify.ledger import cases, every, mutant, own, some, state
from stirred.verify.ledger.claims.pairwise_swapping.invariants import laws_of_states, outcomes, race_in, race_of_state
from stirred.verify.ledger.claims.pairwise_swapping.words import exp_entropy, mean, relative_error, variance

race_error = lambda x, z, k, b: race_in(x, k, b) - race_in(z, k, b)

# the mean over outcomes of two independent draws
panel_d = lambda law, noise, c: sum(law[a] * noise[e] * (a - (c + e)) ** 2 for a in law for e in noise)
own_error = lambda noise: sum(noise[e] * e**2 for e in noise)
share_below = lambda law, m: sum(law[a] for a in law if a < m)
share_above = lambda law, m: sum(law[a] for a in law if a > m)
in_bar = lambda law, m, runs: 1 - share_below(law, m) ** runs - share_above(law, m) ** runs
off_by = lambda a, b: abs(relative_error(a, b) - 1)
entropy_lower = lambda c, d: exp_entropy(c) ** sum(d) < exp_entropy(d) ** sum(c)

own("pairwise.errors.average", "swapping study, Figure 2")(
    """The plots of Figure 2 called Average (for each county, the errors for each race were averaged) show 0 for every
    county in Panels A and B, at every swap rate and in every outcome, however large the errors are: with their signs,
    the errors of all races of a county sum to that of its total population.""",
    every(outcomes, lambda x, z: all(race_error(x, z, 0, b) + race_error(x, z, 1, b) == 0 for b in [0, 1, 2])),
    mutant(
        "the absolute errors",
        lambda x, z: all(abs(race_error(x, z, 0, b)) + abs(race_error(x, z, 1, b)) == 0 for b in [0, 1, 2]),
    ),
    some(outcomes, lambda x, z: any(race_error(x, z, 0, b) != 0 for b in [0, 1, 2])),
    reading="races are those that each person has one of; of blocks, and so of counties",
)

_NOISES = ({-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)}, {0: Fraction(3, 4), 2: Fraction(1, 4)})

two_processes = cases(
    "the count of one race in each block, for each state of up to two homes; noise of -1, 0, 1 with mean 0, and of 0, "
    "2, "
    "independent of the swapping",
    "law c noise",
    lambda: ((law, count, noise) for (law, count), noise in product(laws_of_states(), _NOISES)),
)

state(
    "pairwise.errors.superimposed", *(f"swapping study, {where}" for where in ("section 4.2", "Figure 1", "Figure 2"))
)(
    """The picture for TopDown (Panel D) may superimpose the errors due to swapping and TopDown, which is consistent
    with the fact that both swapping and TopDown stand between X_TopDown and X_Released.""",
    every(
        two_processes,
        lambda law, c, noise: (
            panel_d(law, noise, c) == variance(law) + variance(noise) + (mean(law) - c - mean(noise)) ** 2
        ),
    ),
    mutant("it is that of TopDown alone", lambda law, c, noise: panel_d(law, noise, c) == own_error(noise)),
    reading="""both start from the CEF, independently of each other, as in Figure 1; then the expected square of an
    error in Panel D is the variance of both, and the square of the difference of their biases""",
)

sizes_of_groups = cases(
    "counts 0 <= c < d <= 24 of two groups, both with the error e != 0 from -6 to 6, e <= c",
    "c d e",
    lambda: ((c, d, e) for c in range(24) for d in range(c + 1, 25) for e in range(-6, 7) if e and e <= c),
)

state("pairwise.errors.relative", "swapping study, section 4.2", "swapping study, Figure 3")(
    """In the case of ToyDown, this is consistent with the fact that ToyDown distributes absolute errors relatively
    evenly across racial groups, so groups with smaller sizes have larger relative errors.""",
    every(sizes_of_groups, lambda c, d, e, factor: off_by(c, c - e) > factor * off_by(d, d - e), factor=1),
    mutant("twice as far", {"factor": 2}),
    reading="of two groups with one error e = c(X_1) - c(X_2), RelativeError is farther from 1 for the smaller one",
)

medians = cases(
    "laws on 0, 1 and 10 with probabilities in tenths; a median that is 0, 1, 10 or halfway between two",
    "law m",
    lambda: (
        (law, m)
        for law in _laws()
        for m in (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(11, 2), Fraction(10))
        for less, more in [(sum(p for a, p in law.items() if (a - m) * sign > 0) for sign in (-1, 1))]
        if max(less, more) <= Fraction(1, 2)
    ),
)

_laws = lambda: (
    {a: Fraction(weight, 10) for a, weight in weights if weight}
    for first, second in combinations_with_replacement(range(11), 2)
    for weights in [zip((0, 1, 10), (first, second - first, 10 - second), strict=True)]
)

expectations = cases("laws on 0, 1 and 10 with probabilities in tenths", "law", _laws)

own("pairwise.variance.error-bars", "swapping study, Figure 4")(
    """Error bars from the minimum to the maximum of 5 independent runs contain a median of the estimator with
    probability 15/16 or more, whatever its law. For its expectation, the variance that is estimated, there are laws
    with which they contain it with a probability below 1/2.""",
    every(medians, lambda law, m, runs, bound: in_bar(law, m, runs) >= 1 - bound, runs=5, bound=Fraction(1, 16)),
    mutant("of 4 runs", {"runs": 4}),
    some(expectations, lambda law, runs: in_bar(law, mean(law), runs) < 1 / 2, runs=5),
)

own("pairwise.ratios.left-off", "swapping study, Figure 7")(
    """The only changes that are left off the bottom panel of Figure 7 are increases, since a count that is 0 before
    swapping cannot fall: the mean of the ratios that are shown, each weighted by its count before swapping, is at most
    1 in every outcome and below 1 in some, though statewide counts do not change.""",
    every(
        outcomes, lambda x, z: sum(race_in(z, 0, b) for b in [0, 1, 2] if race_in(x, 0, b) > 0) <= race_of_state(x, 0)
    ),
    mutant(
        "the mean is 1",
        lambda x, z: sum(race_in(z, 0, b) for b in [0, 1, 2] if race_in(x, 0, b) > 0) == race_of_state(x, 0),
    ),
    some(outcomes, lambda x, z: sum(race_in(z, 0, b) for b in [0, 1, 2] if race_in(x, 0, b) > 0) < race_of_state(x, 0)),
    reading="""the ratio is the swapped count divided by the unswapped one; infinite ones and 0/0 are left off; of
    blocks, as if each were a county""",
)

rarest = cases(
    "three races with 1 <= a <= b <= c <= 6 persons in a tract; 1 to a persons of the first leave",
    "a b c gone",
    lambda: (
        (*counts, gone) for counts in combinations_with_replacement(range(1, 7), 3) for gone in range(1, counts[0] + 1)
    ),
)

state("pairwise.entropy.uncommon", "swapping study, section 4.4", "swapping study, Figure 5")(
    """The intuition that swapping decreases entropy by removing uncommon households only holds for the first step.""",
    every(rarest, lambda a, b, c, gone: entropy_lower([a - gone, b, c], [a, b, c])),
    mutant("of the commonest", lambda a, b, c, gone: entropy_lower([a, b, c - gone], [a, b, c])),
    some(rarest, lambda a, b, c, gone: entropy_lower([a, b, c], [a, b, c - gone])),
    reading="""the intuition: of the tract that they leave, and of persons of the race that is the rarest there; those
    of the commonest can raise it""",
)

"""What statistics and figures of the swapping study show whatever its data are, and how a bias is taken off.

Delta = s(X_Swapped, Z) - s(X_Synthetic, Z); s(X_Released, Z) - E[Delta] is the de-biased statistic.
"""

from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product

from stirred.mechanisms.swapping.pairwise.program import exchange
from stirred.verify.ledger import cases, every, mutant, own, some, state
from stirred.verify.ledger.claims.pairwise_swapping.invariants import (
    GEOGRAPHY,
    POLICIES,
    laws_of_states,
    outcomes,
    pairs_drawn,
    persons_of_race,
    race_in,
    race_of_state,
    states_of,
)
from stirred.verify.ledger.claims.pairwise_swapping.sampled_states import (
    exp_entropy,
    half_square_difference,
    mean,
    relative_error,
    variance,
)

# what the swapping study says of its statistics that does not depend on its data: identities and directions

race_counts = cases("the count of one race in each block, for each state of up to two homes", "law")(
    lambda: (law for law, _ in laws_of_states())
)

state("pairwise.variance.unbiased", "swapping study, section 4.3")(
    """Note that E[V-hat_Swapped] = V_Swapped since E[(c(X) - c(X'))^2] = E[(e(X) - e(X'))^2] = 2 E[e(X)^2] - 2
    E[e(X)]^2 (X, X' are i.i.d.) = 2 Var(e(X)).""",
    every(race_counts, lambda law, scale: half_square_difference(law) == scale * variance(law), scale=1),
    mutant("without the 1/2", {"scale": 2}),
    reading="""X and X' are independent runs of swapping on one data set, c a race's count in a block, e = c - E[c];
    V-hat halves the squared difference, and both sides are averages over blocks and races""",
)

counts = cases("counts up to 40 before and after", "a b")(lambda: product(range(41), repeat=2))

close_after_large_changes = lambda a, b, near: (
    a == b
    or ((b < 20 * a or 2 - relative_error(a, b) <= near) and (a < 20 * b or b == 0 or relative_error(a, b) <= near))
)

state("pairwise.relative-error", "swapping study, section 4.2")(
    """If the count increases by a relatively large amount from X_1 to X_2, RelativeError will be close to 2. If the
    count decreases by a relatively large amount, RelativeError will be close to 0. If the count is unchanged,
    RelativeError = 1. If both counts are 0, we treat the relative error as 1.""",
    every(
        counts,
        lambda a, b: (
            relative_error(a, b) == 1 if a == b else (relative_error(a, b) > 1 if a < b else relative_error(a, b) < 1)
        ),
    ),
    mutant(
        "close to 0 where the count increases",
        lambda a, b: (
            relative_error(a, b) == 1 if a == b else (relative_error(a, b) < 1 if a < b else relative_error(a, b) > 1)
        ),
    ),
    every(counts, close_after_large_changes, near=Fraction(1, 10)),
    mutant("within 1/20", {"near": Fraction(1, 20)}),
    reading="""2/(1 + c(X_1)/c(X_2)); where c(X_2) = 0 < c(X_1) its limit 0; a change by a factor of 20 is large, and
    close is within 1/10""",
)

# what figures of the swapping study show whatever its data are: averages, error bars, what is left off

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
)(lambda: ((law, count, noise) for (law, count), noise in product(laws_of_states(), _NOISES)))

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
    "counts 0 <= c < d <= 24 of two groups, both with the error e != 0 from -6 to 6, e <= c", "c d e"
)(lambda: ((c, d, e) for c in range(24) for d in range(c + 1, 25) for e in range(-6, 7) if e and e <= c))

state("pairwise.errors.relative", "swapping study, section 4.2", "swapping study, Figure 3")(
    """In the case of ToyDown, this is consistent with the fact that ToyDown distributes absolute errors relatively
    evenly across racial groups, so groups with smaller sizes have larger relative errors.""",
    every(sizes_of_groups, lambda c, d, e, factor: off_by(c, c - e) > factor * off_by(d, d - e), factor=1),
    mutant("twice as far", {"factor": 2}),
    reading="of two groups with one error e = c(X_1) - c(X_2), RelativeError is farther from 1 for the smaller one",
)

medians = cases(
    "laws on 0, 1 and 10 with probabilities in tenths; a median that is 0, 1, 10 or halfway between two", "law m"
)(
    lambda: (
        (law, m)
        for law in _laws()
        for m in (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(11, 2), Fraction(10))
        for less, more in [(sum(p for a, p in law.items() if (a - m) * sign > 0) for sign in (-1, 1))]
        if max(less, more) <= Fraction(1, 2)
    )
)

_laws = lambda: (
    {a: Fraction(weight, 10) for a, weight in weights if weight}
    for first, second in combinations_with_replacement(range(11), 2)
    for weights in [zip((0, 1, 10), (first, second - first, 10 - second), strict=True)]
)

expectations = cases("laws on 0, 1 and 10 with probabilities in tenths", "law")(_laws)

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
    "three races with 1 <= a <= b <= c <= 6 persons in a tract; 1 to a persons of the first leave", "a b c gone"
)(
    lambda: (
        (*counts, gone) for counts in combinations_with_replacement(range(1, 7), 3) for gone in range(1, counts[0] + 1)
    )
)

state("pairwise.entropy.uncommon", "swapping study, section 4.4", "swapping study, Figure 5")(
    """The intuition that swapping decreases entropy by removing uncommon households only holds for the first step.""",
    every(rarest, lambda a, b, c, gone: entropy_lower([a - gone, b, c], [a, b, c])),
    mutant("of the commonest", lambda a, b, c, gone: entropy_lower([a, b, c - gone], [a, b, c])),
    some(rarest, lambda a, b, c, gone: entropy_lower([a, b, c], [a, b, c - gone])),
    reading="""the intuition: of the tract that they leave, and of persons of the race that is the rarest there; those
    of the commonest can raise it""",
)

# the swapping study's recipe for a statistic of swapped data: when it takes a bias off, and when it adds one

# s of the released data, less the mean over two runs of s of the swapped data less s of the original
mean_debiased = lambda law, s, original: sum(
    law[c] * law[a] * law[b] * (s[c] - (s[a] + s[b]) / 2 + s[original]) for c in law for a in law for b in law
)
spread_debiased = lambda law, s: sum(
    law[c] * law[a] * law[b] * (s[c] - (s[a] + s[b]) / 2) ** 2 for c in law for a in law for b in law
)
expected = lambda law, s: sum(law[c] * s[c] for c in law)
expected_spread_of = lambda law, s: sum(law[c] * (s[c] - expected(law, s)) ** 2 for c in law)

_STATISTICS = tuple({c: f(c) for c in range(6)} for f in (lambda c: c, lambda c: c * c, lambda c: int(c > 0)))

statistics = cases(
    "a count c of one race in a block, for each state of up to two homes; s is c, its square, or whether it is not 0",
    "law original s",
)(lambda: ((law, count, s) for (law, count), s in product(laws_of_states(), _STATISTICS)))

spread = lambda law, s, share: spread_debiased(law, s) == (1 + share) * expected_spread_of(law, s)

state("pairwise.debiasing", "swapping study, section 5.3")(
    """Under the assumption that our implementation of swapping behaves similarly to the Census Bureau's true
    swapping procedure, s(X_Released, Z) - s(X_CEF, Z) behaves like a draw from the distribution of Delta. … If, on
    the other hand, Delta has nonzero mean and low variance, we might “de-bias” s as s(X_CEF, Z) ≈ s(X_Released, Z)
    - E[Delta].""",
    every(statistics, lambda law, original, s: mean_debiased(law, s, original) == s[original]),
    every(statistics, spread, share=Fraction(1, 2)),
    mutant("with the variance of Delta", {"share": 0}),
    reading="""similarly: by the same law, on the same data, X_Synthetic = X_CEF; with E[Delta] estimated by the
    mean of two independent runs the de-biased statistic has the expectation s(X_CEF, Z) and 1 + 1/2 times the
    variance of Delta""",
)

missed = lambda law, s, times: all(
    sum(law[c] * (s[c] - taken) ** 2 for c in law) >= times * expected_spread_of(law, s) for taken in (-1, 0, 1 / 2, 2)
)

state("pairwise.debiasing.high-variance", "swapping study, section 5.3")(
    """If Delta has high variance, we cannot reliably measure our statistic of interest s using a single Census
    release.""",
    every(statistics, missed, times=1),
    mutant("at least twice the variance", {"times": 2}),
    reading="whatever is taken off, E[Delta] too, the mean square error is at least the variance of Delta",
)

_swapped = lambda homes, policy, rate: pairs_drawn(homes, policy, rate).push(partial(exchange, homes))

swapped_again = cases(
    "the count c of one race in each block, for each state of up to two homes; its expectation m in the released data, "
    "and twice after these have been swapped once more in the same way",
    "c m twice",
)(
    lambda: (
        (persons_of_race(records, block), *means)
        for records, (policy, rate) in product(states_of(2), POLICIES)
        for released in [_swapped(records, policy, rate)]
        for laws in [(released, released.bind(partial(_swapped, policy=policy, rate=rate)))]
        for block in GEOGRAPHY
        for means in [[sum(law.numeric(homes) * persons_of_race(homes, block) for homes in law) for law in laws]]
    )
)

own("pairwise.debiasing.released", "swapping study, section 5.3", "swapping study, section 4.1")(
    """For a statistic of block-level counts s(X_Synthetic, Z) is s(X_Released, Z), as synthetic data match the released
    ones at the block level; then s(X_Released, Z) - E[Delta] measures from data that were swapped already, and can have
    twice the bias of s(X_Released, Z), but no more in these cases.""",
    every(swapped_again, lambda c, m, twice, times: abs(2 * m - twice - c) <= times * abs(m - c), times=2),
    mutant("no bias is left", {"times": 0}),
    mutant("it is never raised", {"times": 1}),
    some(swapped_again, lambda c, m, twice, times: m != c and abs(2 * m - twice - c) >= times * abs(m - c), times=2),
    reading="""X_Synthetic are the released data, household for household; both swap in the same way; in some case the
    bias is not 0 and doubled: a household that is sure to be swapped comes back""",
)

"""Tendencies that figures of the swapping study show on its data, sampled on synthetic states."""

from fractions import Fraction

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import every, mutant, state
from stirred.verify.ledger.claims.pairwise_swapping.sampled_states import sampled_at_two_rates, sampled_cases
from stirred.verify.ledger.claims.pairwise_swapping.words import cross, joint_entropy, mean_entropy, shares_of

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

"""What the swapping study says of its statistics that does not depend on its data: identities and directions."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.pairwise_swapping.invariants import laws_of_states
from stirred.verify.ledger.claims.pairwise_swapping.words import half_square_difference, relative_error, variance

race_counts = cases(
    "the count of one race in each block, for each state of up to two homes",
    "law",
    lambda: (law for law, _ in laws_of_states()),
)

state("pairwise.variance.unbiased", "swapping study, section 4.3")(
    """Note that E[V-hat_Swapped] = V_Swapped since E[(c(X) - c(X'))^2] = E[(e(X) - e(X'))^2] = 2 E[e(X)^2] - 2
    E[e(X)]^2 (X, X' are i.i.d.) = 2 Var(e(X)).""",
    every(race_counts, lambda law, scale: half_square_difference(law) == scale * variance(law), scale=1),
    mutant("without the 1/2", {"scale": 2}),
    reading="""X and X' are independent runs of swapping on one data set, c a race's count in a block, e = c - E[c];
    V-hat halves the squared difference, and both sides are averages over blocks and races""",
)

counts = cases("counts up to 40 before and after", "a b", lambda: product(range(41), repeat=2))

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

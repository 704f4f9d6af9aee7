"""The swapping study's recipe for a statistic of swapped data: when it takes a bias off, and when it adds one.

Delta = s(X_Swapped, Z) - s(X_Synthetic, Z); s(X_Released, Z) - E[Delta] is the de-biased statistic.
"""

from fractions import Fraction
from functools import partial
from itertools import product

from stirred.mechanisms.swapping.pairwise.program import exchange
from stirred.verify.ledger import cases, every, mutant, own, some, state
from stirred.verify.ledger.claims.pairwise_swapping.invariants import (
    GEOGRAPHY,
    POLICIES,
    laws_of_states,
    pairs_drawn,
    persons_of_race,
    states_of,
)

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
    lambda: ((law, count, s) for (law, count), s in product(laws_of_states(), _STATISTICS)),
)

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
    lambda: (
        (persons_of_race(records, block), *means)
        for records, (policy, rate) in product(states_of(2), POLICIES)
        for released in [_swapped(records, policy, rate)]
        for laws in [(released, released.bind(partial(_swapped, policy=policy, rate=rate)))]
        for block in GEOGRAPHY
        for means in [[sum(law.numeric(homes) * persons_of_race(homes, block) for homes in law) for law in laws]]
    ),
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

"""The swapping study's recipe for a statistic of swapped data: when it takes a bias off, and when it adds one.

Delta = s(X_Swapped, Z) - s(X_Synthetic, Z); s(X_Released, Z) - E[Delta] is the de-biased statistic.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.pairwise.policy import SwapPolicy
from stirred.mechanisms.swapping.pairwise.program import exchange, swap_pairs
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord
from stirred.verify.ledger.claims.pairwise_swapping.invariants import GEOGRAPHY, POLICIES, states_of
from stirred.verify.ledger.claims.pairwise_swapping.laws import CountLaw, laws_of_states, persons_of_race
from stirred.verify.ledger.quantifiers import cases, every, some
from stirred.verify.ledger.statement import state

# s of the released data, less the mean over two runs of s of the swapped data less s of the original


def mean_debiased(law, s, original):
    return sum(
        law[c] * law[a] * law[b] * (s[c] - (s[a] + s[b]) / 2 + s[original]) for c in law for a in law for b in law
    )


def spread_debiased(law, s):
    return sum(law[c] * law[a] * law[b] * (s[c] - (s[a] + s[b]) / 2) ** 2 for c in law for a in law for b in law)


def expected(law, s):
    return sum(law[c] * s[c] for c in law)


def expected_spread_of(law, s):
    return sum(law[c] * (s[c] - expected(law, s)) ** 2 for c in law)


_STATISTICS = tuple({c: f(c) for c in range(6)} for f in (lambda c: c, lambda c: c * c, lambda c: int(c > 0)))


@cases(
    "a count c of one race in a block, for each state of up to two homes; s is c, its square, or whether it is not 0",
    "law original s",
)
def statistics() -> Iterator[tuple[CountLaw, int, dict[int, int]]]:
    for (law, count), s in product(laws_of_states(), _STATISTICS):
        yield law, count, s


def spread(law, s, share):
    return spread_debiased(law, s) == (1 + share) * expected_spread_of(law, s)


state(
    "pairwise.debiasing",
    "swapping study, section 5.3",
    printed="Under the assumption that our implementation of swapping behaves similarly to the Census Bureau's true "
    "swapping procedure, s(X_Released, Z) - s(X_CEF, Z) behaves like a draw from the distribution of Delta. … If, on "
    "the other hand, Delta has nonzero mean and low variance, we might “de-bias” s as s(X_CEF, Z) ≈ s(X_Released, Z) - "
    "E[Delta].",
    reading="similarly: by the same law, on the same data, X_Synthetic = X_CEF; with E[Delta] estimated by the mean of "
    "two independent runs the de-biased statistic has the expectation s(X_CEF, Z) and 1 + 1/2 times the variance of "
    "Delta",
    checks=[
        every(statistics, lambda law, original, s: mean_debiased(law, s, original) == s[original]),
        every(statistics, spread, share=Fraction(1, 2)),
    ],
    mutants={"with the variance of Delta": every(statistics, spread, share=0)},
)


def missed(law, s, times):
    return all(
        sum(law[c] * (s[c] - taken) ** 2 for c in law) >= times * expected_spread_of(law, s)
        for taken in (-1, 0, 1 / 2, 2)
    )


state(
    "pairwise.debiasing.high-variance",
    "swapping study, section 5.3",
    printed="If Delta has high variance, we cannot reliably measure our statistic of interest s using a single Census "
    "release.",
    reading="whatever is taken off, E[Delta] too, the mean square error is at least the variance of Delta",
    checks=[every(statistics, missed, times=1)],
    mutants={"at least twice the variance": every(statistics, missed, times=2)},
)

Homes = tuple[SwapRecord, ...]


def _law_of(homes: Homes, policy: SwapPolicy, rate: Fraction) -> list[tuple[Homes, Fraction]]:
    drawn = exact_law(swap_pairs, homes, geography=GEOGRAPHY, swap_rate=rate, policy=policy)
    return [(exchange(homes, pairs), drawn.numeric(pairs)) for pairs in drawn]


@cases(
    "the count c of one race in each block, for each state of up to two homes; its expectation m in the released data, "
    "and twice after these have been swapped once more in the same way",
    "c m twice",
)
def swapped_again() -> Iterator[tuple[int, Fraction, Fraction]]:
    for records, (policy, rate) in product(states_of(2), POLICIES):
        released = _law_of(records, policy, rate)
        again = [(homes, p * q) for one, p in released for homes, q in _law_of(one, policy, rate)]
        for block in GEOGRAPHY:
            once, twice = (
                sum((p * persons_of_race(homes, block) for homes, p in law), Fraction()) for law in (released, again)
            )
            yield persons_of_race(records, block), once, twice


state(
    "pairwise.debiasing.released",
    *("swapping study, section 5.3", "swapping study, section 4.1"),
    claim="For a statistic of block-level counts s(X_Synthetic, Z) is s(X_Released, Z), as synthetic data match the "
    "released ones at the block level; then s(X_Released, Z) - E[Delta] measures from data that were swapped already, "
    "and can have twice the bias of s(X_Released, Z), but no more in these cases.",
    reading="X_Synthetic are the released data, household for household; both swap in the same way; in some case the "
    "bias is not 0 and doubled: a household that is sure to be swapped comes back",
    checks=[
        every(swapped_again, lambda c, m, twice, times: abs(2 * m - twice - c) <= times * abs(m - c), times=2),
        some(
            swapped_again, lambda c, m, twice, times: m != c and abs(2 * m - twice - c) >= times * abs(m - c), times=2
        ),
    ],
    mutants={
        "no bias is left": every(
            swapped_again, lambda c, m, twice, times: abs(2 * m - twice - c) <= times * abs(m - c), times=0
        ),
        "it is never raised": every(
            swapped_again, lambda c, m, twice, times: abs(2 * m - twice - c) <= times * abs(m - c), times=1
        ),
    },
)

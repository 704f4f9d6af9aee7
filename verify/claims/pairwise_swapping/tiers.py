"""The tiers of 2010-style swapping: their sizes, and what they presuppose about what counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from stirred.mechanisms.exact_law import exact_law
from stirred.mechanisms.pairwise_swapping.policy import HIGH_VARIANCE, STANDARD, AboveFeasible
from stirred.mechanisms.pairwise_swapping.program import swap_pairs
from stirred.mechanisms.pairwise_swapping.risk import tier_sizes
from stirred.verify.claims.pairwise_swapping.invariants import GEOGRAPHY, POLICIES, states_of
from stirred.verify.ledger.quantifiers import Cases, cases, every
from stirred.verify.ledger.statement import state
from stirred.verify.ledger.words import define

_APPENDIX_A = "swapping study, Appendix A"


def _percent(text: str) -> Fraction:
    return Fraction(text) / 100


_PRINTED = (_percent("10"), Fraction("0.6"), _percent("6.25"), _percent("12.5"), _percent("18.75"), _percent("62.5"))
printed_shares = cases("the printed shares for a 10% swap rate", "r p3 t4 t3 t2 t1")(lambda: [_PRINTED])

_SHARES = "t3 == 2*t4 and t2 == 3*t4 and t4 + p3*t3/2 == r*counted and t1 + t2 + t3 + t4 == 1"
state(
    "pairwise.tiers.shares",
    _APPENDIX_A,
    printed="We set the distribution of tier assignments such that (1) there are twice as many tier 3 households as "
    "tier 4 households, and three times as many tier 2 households as tier 4 households and (2) in expectation, we will "
    "swap all of the tier 4 households and half of the tier 3 households by the time we make the desired number of "
    "swaps (assuming the standard swap probabilities described below). For reference, using a 10% swap rate, this "
    "means that 6.25% of the households are in tier 4, 12.5% are in tier 3, 18.75% are in tier 2, and 62.5% are in "
    "tier 1.",
    reading="half of tier 3 is visited, of which p3 = 0.6 are swapped; the desired number of swaps is that of the "
    "households that are targeted, for the printed shares meet (2) only then",
    checks=[every(printed_shares, _SHARES, counted=1)],
    mutants={"targets and partners both count": every(printed_shares, _SHARES, counted=Fraction(1, 2))},
)


@cases("n = 10 to 2000 households in steps of 10; r = 1/100 to 26/100 in hundredths; standard preset", "n r t4 t3")
def standard_tiers() -> Iterator[tuple[int, Fraction, int, int]]:
    for n in range(10, 2001, 10):
        for hundredths in range(1, 27):
            r = Fraction(hundredths, 100)
            _, _, third, fourth = tier_sizes(n, r, STANDARD)
            yield n, r, fourth, third


_ENOUGH = "r*n < 16 or t4 >= r*n*targets"
state(
    "pairwise.tiers.partners-count",
    *(_APPENDIX_A, "swapping study, section 3"),
    claim="If targets and partners both count towards the swap rate, as section 3 defines it (the fraction of "
    "households that are swapped), tier 4 has all r n/2 targets that are needed, once r n >= 16: no household of tier "
    "3 is visited if none of tier 4 is the partner of another one of tier 4 and none is without a partner.",
    checks=[every(standard_tiers, _ENOUGH, targets=Fraction(1, 2))],
    mutants={"targets alone count": every(standard_tiers, _ENOUGH, targets=1)},
)


def _rates(last: int) -> Cases:
    """Whether tiers exist, as the program answers: of 4800 households all shares are whole."""
    shorten = replace(STANDARD, above_feasible=AboveFeasible.SHORTEN)
    return cases(f"r = k/300 for k = 0 to {last}, n = 4800", "r n t4 t3 t2")(
        lambda: (
            (r, 4800, fourth, third, second)
            for r in (Fraction(k, 300) for k in range(last + 1))
            for _, second, third, fourth in [tier_sizes(4800, r, shorten)]
        )
    )


_RATIOS = "(t3 == 2*t4 and t2 == 3*t4) == (6*r <= 16*highest)"
state(
    "pairwise.tiers.highest-rate",
    _APPENDIX_A,
    claim="Tiers in these proportions exist up to the swap rate 1.6/6 = 4/15 and not above it: for the 40% of Table 4 "
    "the study's text gives none.",
    checks=[every(_rates(300), _RATIOS, highest=Fraction(1, 10))],
    mutants={"up to 3/10": every(_rates(300), _RATIOS, highest=Fraction(9, 80))},
)


@cases(
    "up to two homes of one or two persons in three blocks of two tracts; three policies, every outcome", "n r pairs"
)
def drawn_pairs() -> Iterator[tuple[int, Fraction, int]]:
    for records, (policy, rate) in product(states_of(2), POLICIES):
        for drawn in exact_law(swap_pairs, records, geography=GEOGRAPHY, swap_rate=rate, policy=policy):
            yield len(records), rate, len(drawn)


state(
    "pairwise.tiers.stop",
    _APPENDIX_A,
    printed="We continue swapping until we have swapped a total number of households equal to the swap rate multiplied "
    "by the number of households in the state.",
    reading="a pair swaps two households, so where r n is no even number the last pair goes beyond it by less than "
    "two; where households have no partner there are fewer",
    checks=[every(drawn_pairs, "2*pairs < r*n + beyond", beyond=2)],
    mutants={"never beyond r n": every(drawn_pairs, "2*pairs < r*n + beyond", beyond=Fraction(1, 10))},
)


define(
    {
        "too_few(trials, p, wanted)": "sum(comb(trials, k)*p**k*(1 - p)**(trials - k) for k in range(wanted))",
        # the expected number of trials until so many successes, or until there are no more trials
        "visits(trials, p, wanted)": "sum(too_few(done, p, wanted) for done in range(trials))",
    }
)


def _after_tier_4(p3: Fraction) -> Cases:
    """The sizes of the lower tiers at a 10% swap rate, and how many targets tier 4 leaves to them."""

    def listed() -> Iterator[tuple[int, int, int, Fraction]]:
        for n in (96, 160, 240, 320, 480, 640):
            first, second, third, fourth = tier_sizes(n, Fraction(1, 10), STANDARD)
            yield first + second, third, -(-n // 10) - fourth, p3

    scope = f"n = 96, 160, 240, 320, 480, 640 households at r = 10%, p3 = {p3}; targets count and have partners"
    return cases(scope, "lower third wanted p3")(listed)


_STANDARD_P3, _HIGH_P3 = (Fraction(policy.swap_probabilities[2]) for policy in (STANDARD, HIGH_VARIANCE))
_STANDARD_TIERS, _HIGH_TIERS = _after_tier_4(_STANDARD_P3), _after_tier_4(_HIGH_P3)
_UNLIKELY = "too_few(third, p3, wanted) < bound"

state(
    "pairwise.tiers.lower-tiers",
    _APPENDIX_A,
    printed="Since we iterate through households in order of their tier, households in tier 1 or 2 are very unlikely "
    "to be targeted to be swapped, but still have a chance of being involved in a swap as the swap partner.",
    reading="the standard setting, targets counting towards the rate, every household with a partner: a household of "
    "tier 2 or 1 is visited only if tier 4 and all of tier 3 are not enough; very unlikely: below 1/50 from 96 "
    "households on",
    checks=[every(_STANDARD_TIERS, _UNLIKELY, bound=Fraction(1, 50))],
    mutants={"the high-variance setting": every(_HIGH_TIERS, _UNLIKELY, bound=Fraction(1, 50))},
)

_HALF = "low < too_few(third, p3, wanted) < high"

state(
    "pairwise.tiers.high-variance",
    _APPENDIX_A,
    claim="In the high-variance setting, with tiers of the printed shares and targets counting towards the rate, tier "
    "2 "
    "is visited with a probability between 2/5 and 1/2: all of tier 3 is in expectation just what is needed.",
    checks=[every(_HIGH_TIERS, _HALF, low=Fraction(2, 5), high=Fraction(1, 2))],
    mutants={"the standard setting": every(_STANDARD_TIERS, _HALF, low=Fraction(2, 5), high=Fraction(1, 2))},
)

_MORE = "visits(third, lower_p3, wanted) > visits(third, p3, wanted) + lower*too_few(third, p3, wanted) + more"

state(
    "pairwise.tiers.considered",
    _APPENDIX_A,
    printed="This change increases the expected number of households considered as swap targets before the swap rate "
    "is exhausted.",
    reading="the change of p3 from 0.6 to 0.3; considered: visited, with a coin; targets alone count, as in "
    "pairwise.tiers.shares (if partners count too, neither setting goes beyond tier 4); compared are the visits in "
    "tier "
    "3 alone with 0.3, and with 0.6 those in tier 3 and at most all in tiers 2 and 1 where tier 3 is not enough",
    checks=[every(_STANDARD_TIERS, _MORE, lower_p3=_HIGH_P3, more=0)],
    mutants={"by 20 and more": every(_STANDARD_TIERS, _MORE, lower_p3=_HIGH_P3, more=20)},
)

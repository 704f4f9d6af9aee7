"""The tiers of 2010-style swapping: their sizes, and what they presuppose about what counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from mechanisms.pairwise_swapping.policy import STANDARD, AboveFeasible
from mechanisms.pairwise_swapping.risk import tier_sizes
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import state

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

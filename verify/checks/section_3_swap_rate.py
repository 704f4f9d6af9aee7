"""Evidence for article, section 3.3: the probability that a record is swapped, and the swap rate."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_swapping import permutation_swapping
from spec.rational_function import SYMBOL, RationalFunction
from verify.engines.sign_decision import decide_nonnegative
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Formula = Callable[[int, Any], Any]


def _moved_probability(n: int) -> Any:
    """The program's probability that the first of n records is deranged, as a function of p."""
    law = exact_law(permutation_swapping, tuple((0, i, i) for i in range(n)), swap_rate=SYMBOL)
    return law.event(lambda output: ((0, 0, 0), 1) not in output)


def _swap_probability(formula: Formula, text: str) -> Evidence:
    """A formula in n and p against the program, for all p at once."""
    scope = "strata of 2 to 4 records, all p in (0, 1) at once, the program followed choice by choice"
    for n in range(2, 5):
        actual = _moved_probability(n)
        if actual == formula(n, SYMBOL):
            continue
        at = next(p for p in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)) if actual(p) != formula(n, p))
        note = f"n = {n}, p = {at}: the program moves a record with probability {actual(at)}"
        witness = formula_witness(f"probability == {text}", note=note, probability=actual(at), n=n, p=at)
        return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.swap-probability.printed")
def swap_probability_printed() -> Evidence:
    """The displayed sum; its closed form is p(1 − (1−p)^(n−1))."""
    return _swap_probability(lambda n, p: p * (1 - (1 - p) ** (n - 1)), "p*(1 - (1 - p)**(n - 1))")


def _exact_swap_probability(n: int, p: Any) -> Any:
    return p * (1 - (1 - p) ** (n - 1)) / (1 - n * p * (1 - p) ** (n - 1))


@checks("psa.swap-probability.exact")
def swap_probability_exact() -> Evidence:
    """The repaired formula."""
    return _swap_probability(_exact_swap_probability, "p*(1 - (1 - p)**(n - 1))/(1 - n*p*(1 - p)**(n - 1))")


@refutes("psa.swap-probability.exact", "p for the conditional probability")
def swap_probability_p() -> Evidence:
    """The mutant where a record moves with probability p."""
    return _swap_probability(lambda n, p: p + 0 * n, "p")


def _negative_point(polynomial: RationalFunction) -> Fraction | None:
    """A point of [0, 1] where a polynomial is negative, or None with a certificate that there is none."""
    integers = tuple(int(c) for c in polynomial.numerator.numer().coeffs())
    found = decide_nonnegative(integers, Fraction(0), Fraction(1))
    if isinstance(found, Fraction):
        return found
    found.check()
    return None


def _approximately(power: int) -> Evidence:
    """|E − p| ≤ 1/n^power for all p in [0, 1], where E is the expected fraction of moved records."""
    bound = "1/n" if power == 1 else f"1/n^{power}"
    scope = f"read as |E - p| <= {bound}: 2 <= n <= 12, n = 20, 30, all p in [0, 1] at once"
    p = SYMBOL
    for n in (*range(2, 13), 20, 30):
        kept = 1 - n * p * (1 - p) ** (n - 1)
        moved = p * (1 - (1 - p) ** (n - 1))
        if _negative_point(4 * kept - 1) is not None:
            return Evidence(Verdict.OPEN, scope, "the probability of acceptance has no certified positive bound")
        for sign in (1, -1):
            point = _negative_point(kept * Fraction(1, n**power) - sign * (moved - p * kept))
            if point is not None:
                claimed = f"{sign}*(p*(1 - (1 - p)**(n - 1))/(1 - n*p*(1 - p)**(n - 1)) - p) <= 1/n**{power}"
                return Evidence(Verdict.REFUTED, scope, f"n = {n}, p = {point}", formula_witness(claimed, n=n, p=point))
    return Evidence(Verdict.EXHAUSTED, scope, "no bound is printed; at n = 1000 and p = 10^-6, E is near p/1000")


@checks("psa.swap-rate.approximate")
def swap_rate() -> Evidence:
    """E = p(1 − q^(n−1))/(1 − npq^(n−1)) is within 1/n of p."""
    return _approximately(1)


@refutes("psa.swap-rate.approximate", "within 1/n^3")
def swap_rate_closer() -> Evidence:
    """The mutant with a closer approximation."""
    return _approximately(3)

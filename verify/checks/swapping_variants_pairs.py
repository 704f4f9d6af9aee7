"""Evidence for article, Appendix C.1: the swap rate of the PSA, and the pairwise swaps that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb

from mechanisms.permutation_counts import derangements, move_weights
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_RATES = tuple(map(Fraction, ("1/100", "1/20", "1/10", "1/2")))


def _moments(size: int, rate: Fraction) -> tuple[Fraction, Fraction]:
    """The mean and the variance of the fraction of n records that are swapped.

    Their number is binomial, drawn again where it is 1.
    """
    single = size * rate * (1 - rate) ** (size - 1)
    mean = (size * rate - single) / (1 - single)
    square = (size * rate * (1 - rate) + (size * rate) ** 2 - single) / (1 - single)
    return mean / size, (square - mean**2) / size**2


def _counted_mean(size: int, rate: Fraction) -> Fraction:
    """The same mean from the probabilities of all permutations."""
    weights = move_weights(size, rate)
    return sum((k * comb(size, k) * derangements(k) * weights[k] for k in range(size + 1)), Fraction(0)) / size


def _near(sizes: Iterable[int]) -> Evidence:
    """Whether the mean swap rate is near p and its variance near p(1−p)/n."""
    for size, rate in product(range(2, 7), _RATES):
        if _moments(size, rate)[0] != _counted_mean(size, rate):
            raise EngineError("the mean swap rate and that of all permutations must agree")
    listed = tuple(sizes)
    scope = (
        f"one stratum of n = {', '.join(map(str, listed))} records; p = {', '.join(map(str, _RATES))}; exact moments"
    )
    for size, rate in product(listed, _RATES):
        mean, variance = _moments(size, rate)
        note = f"n = {size}, p = {rate}: mean and variance of the swap rate"
        if abs(mean - rate) > rate / 100:
            claimed = "mean >= 0.99*p" if mean < rate else "mean <= 1.01*p"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness(claimed, note=note, mean=mean, p=rate))
        usual = rate * (1 - rate) / size
        if abs(variance - usual) > usual / 50:
            claimed = "variance >= 0.98*usual" if variance < usual else "variance <= 1.02*usual"
            witness = formula_witness(claimed, note=note, variance=variance, usual=usual)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.swap-rate.controlled")
def swap_rate() -> Evidence:
    """Large strata."""
    return _near((1_000, 1_500))


@refutes("psa.swap-rate.controlled", "n = 2 among them")
def swap_rate_of_two_records() -> Evidence:
    """The mutant with the smallest stratum: two records are swapped together or not at all."""
    return _near((2, 1_000))


Record = tuple[int, int]
"""The holding and the swapping category of a record of one stratum."""


_KINDS: tuple[Record, ...] = tuple(product(range(3), range(3)))


def _vacuous(changes: Callable[[Record, Record], bool]) -> Evidence:
    """Whether exchanging two records' swapping values changes the multiset of records exactly where stated."""
    scope = "all data sets of 2 to 4 records of one stratum, three holding and three swapping categories, all pairs"
    pairs = 0
    for size in range(2, 5):
        for records in combinations_with_replacement(_KINDS, size):
            for i, j in combinations(range(size), 2):
                pairs += 1
                (h, s), (k, t) = records[i], records[j]
                rest = [record for place, record in enumerate(records) if place not in (i, j)]
                changed = sorted([*rest, (h, t), (k, s)]) != sorted(records)
                if changed != changes(records[i], records[j]):
                    note = f"{records}, records {i + 1} and {j + 1}: whether their swap changes anything"
                    values = {"changed": int(changed), "stated": int(not changed)}
                    return Evidence(
                        Verdict.REFUTED, scope, note, formula_witness("changed == stated", note=note, **values)
                    )
    return Evidence(Verdict.EXHAUSTED, scope, f"{pairs} pairs")


@checks("swapping.vacuous-pairs")
def vacuous_pairs() -> Evidence:
    """Both differ."""
    return _vacuous(lambda first, second: first[0] != second[0] and first[1] != second[1])


@refutes("swapping.vacuous-pairs", "either for both")
def vacuous_pairs_either() -> Evidence:
    """The mutant with an `or`."""
    return _vacuous(lambda first, second: first != second)

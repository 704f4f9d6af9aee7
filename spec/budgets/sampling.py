"""Amplification by sampling: what a release of a sample loses in the units of those it was drawn from."""

from fractions import Fraction

from stirred.spec.arguments import Exact, sampling_rate
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose

_DIGITS = 40


def amplified_gamma(gamma: Fraction, rate: Fraction) -> Fraction:
    """γ' = 1 + f·(γ − 1): a release counts with probability f, else it does not.

    >>> amplified_gamma(Fraction(3), Fraction(1, 10))
    Fraction(6, 5)
    """
    return 1 + rate * (gamma - 1)


def amplified(epsilon: Enclosure, rate: Exact) -> Enclosure:
    """ε' = ln(1 + f·(e^ε − 1)): bounded pure DP of a simple random sample without replacement, f = n/N of the frame.

    It counts the chance of not being in the sample: of who is known to be in it nothing but ε holds. And ε must cover a
    sampled record's exchange for another unit's: releases that may tell which units were drawn keep ε alone. Other
    designs and neighbours are in `spec.surveys.amplification`.

    Args:
        epsilon: ε of the release as a function of the sample.
        rate: f, above 0 and at most 1.

    Source: dissertation, Theorem 6.4.1 (Balle, Barthe and Gaboardi, 2018) and section 6.5.1.

    >>> amplified(Enclosure(Fraction(1), Fraction(1)), Fraction(1, 10)).text(4)
    '0.1586'
    """
    share = sampling_rate("rate", rate)
    if share == 1:
        return epsilon
    return Enclosure(_end(epsilon.lower, share).lower, _end(epsilon.upper, share).upper)


def _end(epsilon: Fraction, share: Fraction) -> Enclosure:
    """Ln of γ' by e^ε − 1 and ln(1 + x), which keep their digits at small ε."""
    if epsilon == 0:
        return Enclosure(Fraction(0), Fraction(0))

    def value() -> Ball:
        return (ball_of(share) * ball_of(epsilon).expm1()).log1p()

    return enclose(value, digits=_DIGITS)

"""What a budget lets someone learn, as numbers: what was asked, and the bounds of each answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from stirred.spec.output_premetrics import Curve
from stirred.verify.engines.inference.posterior import posterior_bounds, sharpest_posterior

__all__ = ["Asked", "Inference", "Interval", "Limit", "hull", "posterior_limit"]

Interval = tuple[Fraction, Fraction]
"""The lower and the upper bound of a number."""


@dataclass(frozen=True)
class Asked:
    """What is asked of a budget.

    Attributes:
        alpha: the level of a test.
        share: the prior probability of one of two data sets.
        distances: those that are asked about; where there are none, those of the claim's data sets, or 1, 2 and 3.
    """

    alpha: Fraction = Fraction(1, 20)
    share: Fraction = Fraction(1, 2)
    distances: tuple[int, ...] = ()


@dataclass(frozen=True)
class Limit:
    """Bounds on one number.

    Attributes:
        name: for a reader and for grep.
        what: the number in words.
        printed: the dissertation's bounds, with the factor that the lower one of a release lacks.
        sharpest: the sharpest that follow from the budget and are attained; for a release, from the mechanism.
        exact: the range that this mechanism has; None where its laws are not listed.
    """

    name: str
    what: str
    printed: Interval
    sharpest: Interval
    exact: Interval | None = None


@dataclass(frozen=True)
class Inference:
    """What a budget lets someone learn.

    Attributes:
        name: the claim's id.
        budget: in words.
        gamma: e^ε, rounded up where it is irrational.
        asked: what was asked.
        limits: the bounds, in order.
        notes: what they hold for.
        curves: the printed and the sharpest power as functions of the level, for some distances.
    """

    name: str
    budget: str
    gamma: Fraction
    asked: Asked
    limits: tuple[Limit, ...]
    notes: tuple[str, ...]
    curves: Mapping[int, tuple[Curve, Curve]] = field(default_factory=dict)


def posterior_limit(
    asked: Asked, gamma: Fraction, d: int, exact: Interval | None = None, ratio: Fraction | None = None
) -> Limit:
    """The posterior probability of one of two data sets at a distance; the largest likelihood ratio is γ^d or given."""
    printed = posterior_bounds(asked.share, gamma, d)
    sharp = sharpest_posterior(asked.share, gamma, d) if ratio is None else sharpest_posterior(asked.share, ratio, 1)
    return Limit(f"posterior.{d}", f"posterior for a prior of {asked.share}, distance {d}", printed, sharp, exact)


def hull(intervals: Sequence[Interval]) -> Interval:
    """The smallest interval that holds some intervals."""
    return min(low for low, _ in intervals), max(high for _, high in intervals)

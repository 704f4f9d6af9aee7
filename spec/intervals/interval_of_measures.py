"""Intervals of measures, and their laws (probability intervals)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Generic, TypeVar

from stirred.spec.arguments import Exact, InputError, likelihood_ratio, shown
from stirred.spec.intervals.measure import FiniteMeasure
from stirred.spec.laws.law import Law

T = TypeVar("T", bound=Hashable)


class CredalSet(ABC, Generic[T]):
    """A convex, closed set of laws on a finite space; `P in it` asks whether it contains P."""

    @abstractmethod
    def contains(self, law: Law[T]) -> bool:
        """Whether a law is one of them."""

    def __contains__(self, law: Law[T]) -> bool:
        return self.contains(law)

    @abstractmethod
    def extreme_points(self) -> tuple[Law[T], ...]:
        """Its extreme points."""

    def lower_probability(self, event: Iterable[T]) -> Fraction:
        """The smallest P(A), at an extreme point."""
        chosen = set(event)
        return min(mass(law, chosen) for law in self.extreme_points())

    def upper_probability(self, event: Iterable[T]) -> Fraction:
        """The largest P(A), at an extreme point."""
        chosen = set(event)
        return max(mass(law, chosen) for law in self.extreme_points())


def mass(law: Law[T], event: Iterable[T]) -> Fraction:
    """P(A)."""
    return sum((law.numeric(t) for t in event), Fraction(0))


@dataclass(frozen=True)
class ProbabilityInterval(CredalSet[T]):
    """I_1(L, U) = {P a law : L ≤ P ≤ U}, a credal set that is convex and closed.

    Attributes:
        upper: U, on the same space.

    Source: dissertation, section 5.3 after Definition 5.3.1; de Campos et al. (1994).

    >>> half = FiniteMeasure({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> ProbabilityInterval(half.times(Fraction(1, 2)), half.times(2)).extreme_points()
    (Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)}))
    """

    lower: FiniteMeasure[T]
    upper: FiniteMeasure[T]

    def __post_init__(self) -> None:
        if not self.lower.is_below(self.upper):
            raise InputError(f"lower must be at most upper on every outcome; got {self.lower} and {self.upper}")
        least, most = self.lower.total, self.upper.total
        if not least <= 1 <= most:
            raise InputError(
                f"lower and upper must have total mass at most and at least 1; got {shown(least)} and {shown(most)}"
            )

    def contains(self, law: Law[T]) -> bool:
        """Whether L ≤ P ≤ U."""
        measure = FiniteMeasure.of(law, self.lower)
        return set(measure) == set(self.lower) and self.lower.is_below(measure) and measure.is_below(self.upper)

    def lower_probability(self, event: Iterable[T]) -> Fraction:
        """The smallest P(A), max(L(A), 1 − U(Aᶜ))."""
        chosen = set(event)
        return max(self.lower(chosen), 1 - self.upper(set(self.upper) - chosen))

    def upper_probability(self, event: Iterable[T]) -> Fraction:
        """The largest P(A), min(U(A), 1 − L(Aᶜ))."""
        return 1 - self.lower_probability(set(self.lower) - set(event))

    def extreme_points(self) -> tuple[Law[T], ...]:
        """The extreme points: laws at a bound on all outcomes but at most one; 2^n events are looked at."""
        outcomes = tuple(self.lower)
        found: dict[Law[T], None] = {}
        for free in outcomes:
            rest = [t for t in outcomes if t != free]
            for size in range(len(outcomes)):
                for high in combinations(rest, size):
                    mass = {t: self.upper[t] if t in high else self.lower[t] for t in rest}
                    left = 1 - sum(mass.values())
                    if self.lower[free] <= left <= self.upper[free]:
                        found.setdefault(Law({t: left if t == free else mass[t] for t in outcomes}))
        return tuple(found)


@dataclass(frozen=True)
class IntervalOfMeasures(Generic[T]):
    """I(L, U) = {μ : L ≤ μ ≤ U}.

    Attributes:
        upper: U, on the same space.

    Source: dissertation, Definition 5.3.1 (DeRobertis and Hartigan 1981).

    >>> IntervalOfMeasures.around(FiniteMeasure({0: 1, 1: 2}), 2).contains(FiniteMeasure({0: 2, 1: 1}))
    True
    """

    lower: FiniteMeasure[T]
    upper: FiniteMeasure[T]

    def __post_init__(self) -> None:
        if not self.lower.is_below(self.upper):
            raise InputError(f"lower must be at most upper on every outcome; got {self.lower} and {self.upper}")

    @classmethod
    def around(cls, center: FiniteMeasure[T], gamma: Exact) -> IntervalOfMeasures[T]:
        """I(e^-ε μ, e^ε μ), the ball {ν : D_Mult(μ, ν) ≤ ε}, for gamma = e^ε ≥ 1."""
        factor = likelihood_ratio("gamma", gamma)
        return cls(center.times(1 / factor), center.times(factor))

    def contains(self, measure: FiniteMeasure[T]) -> bool:
        """Whether L ≤ μ ≤ U."""
        return self.lower.is_below(measure) and measure.is_below(self.upper)

    def __contains__(self, measure: FiniteMeasure[T]) -> bool:
        return self.contains(measure)

    def odds(self, first: Iterable[T], second: Iterable[T]) -> tuple[Fraction | None, Fraction | None]:
        """L(A)/U(B) and U(A)/L(B), between which μ(A)/μ(B) lies; None where a ratio divides by 0."""
        a, b = tuple(first), tuple(second)
        least = self.lower(a) / self.upper(b) if self.upper(b) else None
        return least, self.upper(a) / self.lower(b) if self.lower(b) else None

    def probabilities(self) -> ProbabilityInterval[T]:
        """I_1(L, U), its laws."""
        return ProbabilityInterval(self.lower, self.upper)

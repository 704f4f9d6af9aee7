"""Probability intervals: the laws between two measures, as a polytope."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Generic, TypeVar

from stirred.spec.arguments import InputError, shown
from stirred.spec.intervals.measure import FiniteMeasure
from stirred.spec.laws.law import Law

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class ProbabilityInterval(Generic[T]):
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

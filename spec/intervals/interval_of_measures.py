"""Intervals of measures: all measures between a lower and an upper one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from stirred.spec.arguments import Exact, InputError, exact, shown
from stirred.spec.intervals.measure import FiniteMeasure
from stirred.spec.intervals.probability_interval import ProbabilityInterval

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class IntervalOfMeasures(Generic[T]):
    """I(L, U) = {μ : L ≤ μ ≤ U}.

    Attributes:
        lower: L.
        upper: U, on the same space.

    Raises:
        InputError: L ≤ U does not hold, or the spaces differ.

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
        """I(e^-ε μ, e^ε μ), the ball {ν : D_Mult(μ, ν) ≤ ε}, for gamma = e^ε ≥ 1.

        Raises:
            InputError: gamma is inexact or below 1.
        """
        factor = exact("gamma", gamma)
        if factor < 1:
            raise InputError(f"gamma must be at least 1; got {shown(gamma)}")
        return cls(center.times(1 / factor), center.times(factor))

    def contains(self, measure: FiniteMeasure[T]) -> bool:
        """Whether L ≤ μ ≤ U."""
        return self.lower.is_below(measure) and measure.is_below(self.upper)

    def odds(self, first: Iterable[T], second: Iterable[T]) -> tuple[Fraction | None, Fraction | None]:
        """L(A)/U(B) and U(A)/L(B), between which μ(A)/μ(B) lies; None where a ratio divides by 0."""
        a, b = tuple(first), tuple(second)
        least = self.lower(a) / self.upper(b) if self.upper(b) else None
        return least, self.upper(a) / self.lower(b) if self.lower(b) else None

    def probabilities(self) -> ProbabilityInterval[T]:
        """I_1(L, U), its laws."""
        return ProbabilityInterval(self.lower, self.upper)

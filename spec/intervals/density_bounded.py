"""Density-bounded classes: the densities between two densities."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from stirred.spec.arguments import Exact, InputError, nonnegative
from stirred.spec.intervals.interval_of_measures import IntervalOfMeasures
from stirred.spec.intervals.measure import FiniteMeasure

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class DensityBoundedClass(Generic[T]):
    """I(l, u): the densities f with l ≤ f ≤ u on every outcome, with respect to ν.

    Attributes:
        dominating: ν.
        lower: l, a value for every outcome.
        upper: u.

    Raises:
        InputError: a value is inexact or negative, l ≤ u does not hold, or an outcome of ν has no value.

    Source: dissertation, section 5.3 and Proposition 14.

    >>> counting = FiniteMeasure({0: 1, 1: 1})
    >>> DensityBoundedClass(counting, {0: 1, 1: 0}, {0: 2, 1: 1}).interval().upper
    FiniteMeasure({0: 2, 1: 1})
    """

    dominating: FiniteMeasure[T]
    lower: Mapping[T, Exact]
    upper: Mapping[T, Exact]

    def __post_init__(self) -> None:
        for name, values in (("lower", self.lower), ("upper", self.upper)):
            if set(values) != set(self.dominating):
                raise InputError(f"{name} must have a value for each of the {len(self.dominating)} outcomes")
        for t in self.dominating:
            if nonnegative(f"lower at {t!r}", self.lower[t]) > nonnegative(f"upper at {t!r}", self.upper[t]):
                raise InputError(f"lower must be at most upper; got {self.lower[t]} and {self.upper[t]} at {t!r}")

    def contains(self, values: Mapping[T, Exact]) -> bool:
        """Whether l ≤ f ≤ u everywhere."""
        return set(values) == set(self.dominating) and all(
            self.lower[t] <= values[t] <= self.upper[t] for t in self.dominating
        )

    def interval(self) -> IntervalOfMeasures[T]:
        """I(L, U) with L(S) = ∫_S l dν and U(S) = ∫_S u dν."""
        return IntervalOfMeasures(_integrated(self.lower, self.dominating), _integrated(self.upper, self.dominating))

    @classmethod
    def of(cls, interval: IntervalOfMeasures[T], dominating: FiniteMeasure[T]) -> DensityBoundedClass[T]:
        """The class of an interval I(L, U) with U ≪ ν.

        Raises:
            InputError: U is not absolutely continuous with respect to ν.
        """
        return cls(dominating, density(interval.lower, dominating), density(interval.upper, dominating))


def density(measure: FiniteMeasure[T], dominating: FiniteMeasure[T]) -> Mapping[T, Exact]:
    """The density dμ/dν that is 0 where ν is.

    Raises:
        InputError: the spaces differ, or μ ≪ ν does not hold.
    """
    if not set(measure.support) <= set(dominating.support):
        raise InputError(f"a dominating measure must be positive on {list(measure.support)}; got {dominating}")
    return {t: measure[t] / dominating[t] if dominating[t] else 0 for t in dominating}


def _integrated(values: Mapping[T, Exact], dominating: FiniteMeasure[T]) -> FiniteMeasure[T]:
    return FiniteMeasure({t: values[t] * dominating[t] for t in dominating})

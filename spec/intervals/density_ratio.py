"""The density-ratio metric and its neighbourhoods."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Generic, TypeVar

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.intervals.measure import FiniteMeasure, shared_masses
from stirred.spec.laws.law import Law

T = TypeVar("T", bound=Hashable)


def density_ratio_distance(first: FiniteMeasure[T], second: FiniteMeasure[T]) -> Loss:
    """d_DR(μ, ν) = max over s, t of ln (f(s)/f(t))/(g(s)/g(t)), for densities f of μ and g of ν.

    It is 0 for proportional measures and infinite where the supports differ; the zero measure is at 0 from itself.

    Source: dissertation, Definition 5.8.3, (5.18) (Wasserman 1992).

    >>> density_ratio_distance(FiniteMeasure({0: 1, 1: 2}), FiniteMeasure({0: 2, 1: 1}))
    Loss(gamma=Fraction(4, 1), distance=1)
    """
    pairs = [pair for pair in shared_masses(first, second) if pair != (0, 0)]
    if any(0 in pair for pair in pairs):
        return INFINITE
    ratios = [Fraction(f, g) for f, g in pairs]
    return Loss(max(ratios) / min(ratios)) if ratios else ZERO


@dataclass(frozen=True)
class DensityRatioNeighborhood(Generic[T]):
    """N_r(P) among the laws: {Q : d_DR(P, Q) ≤ r}, a polytope with 2^n − 2 extreme points for r > 0.

    n ≥ 2 is the number of outcomes that P gives a positive probability.

    Attributes:
        nucleus: P.
        radius: r = ln γ, finite.

    Source: dissertation, Definition 5.8.3.

    >>> fair = Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> DensityRatioNeighborhood(fair, Loss(3)).extreme_points()
    (Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)}))
    """

    nucleus: Law[T]
    radius: Loss

    def __post_init__(self) -> None:
        if not isinstance(self.radius, Loss):
            raise InputError(f"radius must be a Loss; got {self.radius!r}: write Loss(gamma) for r = ln(gamma)")
        if self.radius.gamma is None or self.radius.distance != 1:
            raise InputError(f"radius must be ln(gamma) of one rational gamma; got {self.radius}")

    @property
    def gamma(self) -> Fraction:
        """e^r."""
        return self.radius.gamma or Fraction(1)

    def contains(self, law: Law[T]) -> bool:
        """Whether d_DR(P, Q) ≤ r."""
        first = FiniteMeasure.of(self.nucleus, law)
        return density_ratio_distance(first, FiniteMeasure.of(law, self.nucleus)) <= self.radius

    def lower_probability(self, event: Iterable[T]) -> Fraction:
        """The smallest Q(A), P(A)/(P(A) + e^r·P(Aᶜ))."""
        chosen = set(event)
        share = sum((self.nucleus.numeric(t) for t in chosen), Fraction(0))
        return share / (share + self.gamma * (1 - share))

    def extreme_points(self) -> tuple[Law[T], ...]:
        """The extreme points: P with e^r times the odds of an event, for each event that is neither ∅ nor all."""
        outcomes = self.nucleus.support
        if self.gamma == 1 or len(outcomes) == 1:
            return (self.nucleus,)
        events = (event for size in range(1, len(outcomes)) for event in combinations(outcomes, size))
        return tuple(map(self._raised, events))

    def _raised(self, event: tuple[T, ...]) -> Law[T]:
        mass = {t: self.nucleus.numeric(t) * (self.gamma if t in event else 1) for t in self.nucleus}
        total = sum(mass.values(), Fraction(0))
        return Law({t: one / total for t, one in mass.items()})

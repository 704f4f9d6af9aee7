"""Distortion models: balls of laws around a nucleus, each with its distorting function, such as the density ratio."""

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from stirred.spec.arguments import Exact, InputError, likelihood_ratio, probability
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.intervals.interval_of_measures import CredalSet, IntervalOfMeasures, ProbabilityInterval, mass
from stirred.spec.intervals.measure import FiniteMeasure, multiplicative_distance, same_space, shared_masses
from stirred.spec.laws.law import Law
from stirred.spec.numbers.exact_order import rational_of

T = TypeVar("T", bound=Hashable)


def density_ratio_distance(first: FiniteMeasure[T], second: FiniteMeasure[T]) -> Loss:
    """d_DR(μ, ν) = max over s, t of ln (f(s)/f(t))/(g(s)/g(t)), for densities f of μ and g of ν.

    It is 0 for proportional measures and infinite where the supports differ; the zero measure is at 0 from itself.

    Source: dissertation, Definition 5.8.3, (5.18) (Wasserman 1992).

    >>> density_ratio_distance(FiniteMeasure({0: 1, 1: 2}), FiniteMeasure({0: 2, 1: 1}))
    <Loss ln(4) ≈ 1.38629>
    """
    pairs = [pair for pair in shared_masses(first, second) if pair != (0, 0)]
    if any(0 in pair for pair in pairs):
        return INFINITE
    ratios = [Fraction(f, g) for f, g in pairs]
    return Loss(max(ratios) / min(ratios)) if ratios else ZERO


def _radius(name: str, value: object) -> Loss:
    """The loss ln γ that a `Loss`, a text such as "ln 2" or a number γ stands for, with γ rational."""
    loss = Loss.from_text(value) if isinstance(value, str) and "l" in value else value
    if not isinstance(loss, Loss):
        return Loss(likelihood_ratio(name, rational_of(value)))
    if loss.gamma is None or loss.distance != 1:
        raise InputError(f"{name} must be ln(gamma) of one rational gamma; got {loss}")
    return loss


@dataclass(frozen=True)
class DensityRatioNeighborhood(CredalSet[T]):
    """N_r(P) among the laws: {Q : d_DR(P, Q) ≤ r}, a polytope with 2^n − 2 extreme points for r > 0.

    n ≥ 2 is the number of outcomes that P gives a positive probability.

    Attributes:
        nucleus: P.
        radius: r = ln γ, finite: a `Loss`, a text such as "ln 3", or the number γ = e^r.

    Source: dissertation, Definition 5.8.3.

    >>> fair = Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> DensityRatioNeighborhood(fair, "ln 3").extreme_points()
    (Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)}))
    >>> fair in DensityRatioNeighborhood(fair, 3), DensityRatioNeighborhood(fair, 3).upper_probability({0})
    (True, Fraction(3, 4))
    """

    nucleus: Law[T]
    radius: Loss | Exact | str

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _radius("radius", self.radius))

    @property
    def gamma(self) -> Fraction:
        """e^r."""
        return _radius("radius", self.radius).gamma or Fraction(1)

    def contains(self, law: Law[T]) -> bool:
        """Whether d_DR(P, Q) ≤ r."""
        first = FiniteMeasure.of(self.nucleus, law)
        return density_ratio_distance(first, FiniteMeasure.of(law, self.nucleus)) <= Loss(self.gamma)

    def lower_probability(self, event: Iterable[T]) -> Fraction:
        """The smallest Q(A), P(A)/(P(A) + e^r·P(Aᶜ))."""
        share = mass(self.nucleus, set(event))
        return share / (share + self.gamma * (1 - share))

    def upper_probability(self, event: Iterable[T]) -> Fraction:
        """The largest Q(A), e^r·P(A)/(e^r·P(A) + P(Aᶜ))."""
        share = self.gamma * mass(self.nucleus, set(event))
        return share / (share + 1 - share / self.gamma)

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


def linear_vacuous_distance(first: FiniteMeasure[T], second: FiniteMeasure[T]) -> Fraction:
    """d_LV(P, Q) = max over S with Q(S) > 0 of (Q(S) − P(S))/Q(S), in [0, 1] for laws; not symmetric.

    Source: dissertation, Remark C.4.3 (Montes et al. 2020).

    >>> linear_vacuous_distance(FiniteMeasure({0: 1, 1: 1}), FiniteMeasure({0: 2, 1: 1}))
    Fraction(1, 2)
    """
    same_space(first, second)
    if not second.support:
        raise InputError("the second measure must not be zero")
    return max(1 - first[t] / second[t] for t in second.support)


@dataclass(frozen=True)
class DistortionModel(CredalSet[T]):
    """The ball {P a law : d(P, P_0) ≤ r} of a distorting function d.

    Source: dissertation, Definition C.4.2 (Montes et al. 2020).
    """

    nucleus: Law[T]

    def contains(self, law: Law[T]) -> bool:
        """Whether d(P, P_0) ≤ r."""
        center = FiniteMeasure.of(self.nucleus, law)
        return self._is_near(FiniteMeasure.of(law, center), center)

    @abstractmethod
    def _is_near(self, measure: FiniteMeasure[T], center: FiniteMeasure[T]) -> bool:
        """Whether d(P, P_0) ≤ r, for two laws on one space."""


@dataclass(frozen=True)
class MultiplicativeBall(DistortionModel[T]):
    """{P : D_Mult(P, P_0) ≤ ε} = I_1(e^-ε P_0, e^ε P_0), gamma = e^ε ≥ 1; ε may be given as a `Loss` or as "ln 2".

    Source: dissertation, Remark 5.3.6.

    >>> len(MultiplicativeBall(Law({t: Fraction(1, 3) for t in range(3)}), 2).extreme_points())
    3
    """

    gamma: Exact | Loss | str

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", _radius("gamma", self.gamma).gamma)

    @property
    def _loss(self) -> Loss:
        return _radius("gamma", self.gamma)

    def probabilities(self) -> ProbabilityInterval[T]:
        """I_1(e^-ε P_0, e^ε P_0)."""
        return IntervalOfMeasures.around(FiniteMeasure.of(self.nucleus), self._loss.gamma or 1).probabilities()

    def extreme_points(self) -> tuple[Law[T], ...]:
        return self.probabilities().extreme_points()

    def lower_probability(self, event: Iterable[T]) -> Fraction:
        return self.probabilities().lower_probability(event)

    def upper_probability(self, event: Iterable[T]) -> Fraction:
        return self.probabilities().upper_probability(event)

    def _is_near(self, measure: FiniteMeasure[T], center: FiniteMeasure[T]) -> bool:
        return multiplicative_distance(measure, center) <= self._loss


@dataclass(frozen=True)
class Contamination(DistortionModel[T]):
    """{P : d_LV(P, P_0) ≤ share} = {(1 − share)·P_0 + share·Q : Q a law on the space}, the linear-vacuous model.

    Attributes:
        share: how much is contaminated, in [0, 1].
        outcomes: the space, on which the contamination may lie.

    Source: dissertation, Remark C.4.3; section 5.3 names contamination classes.

    >>> Contamination(Law({0: 1}), Fraction(1, 4), (0, 1)).extreme_points()
    (Law({0: Fraction(1, 1)}), Law({0: Fraction(3, 4), 1: Fraction(1, 4)}))
    """

    share: Exact
    outcomes: tuple[T, ...]

    def __post_init__(self) -> None:
        probability("share", self.share)
        if not set(self.nucleus) <= set(self.outcomes):
            raise InputError(f"outcomes must include those of the nucleus; got {self.outcomes!r}")

    def extreme_points(self) -> tuple[Law[T], ...]:
        """One for each outcome: all that is contaminated lies there."""
        kept = 1 - Fraction(self.share)
        moved = (
            Law({t: kept * self.nucleus.numeric(t) + (self.share if t == there else 0) for t in self.outcomes})
            for there in self.outcomes
        )
        return tuple(dict.fromkeys(moved))

    def _is_near(self, measure: FiniteMeasure[T], center: FiniteMeasure[T]) -> bool:
        return set(measure) <= set(self.outcomes) and linear_vacuous_distance(measure, center) <= self.share

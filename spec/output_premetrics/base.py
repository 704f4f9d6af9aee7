"""What every output premetric answers: how it compares laws, how its bounds are computed with, and how it is stated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar

from stirred.spec.arguments import InputError, nonnegative
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.laws.law import Law

Masses = Sequence[tuple[int, int]]
"""P(t) and Q(t) for each outcome, in proportion to two integers; all first ones and all second ones have one sum."""


class Composition(Enum):
    """How budgets of independent releases combine."""

    ADDITIVE = "ε₁ + ε₂"
    ROOT_SUM_OF_SQUARES = "√(ρ₁² + ρ₂²)"
    PRODUCT_OF_ONE_PLUS = "(1 + ε₁)(1 + ε₂) − 1"
    ADDITIVE_IN_EACH_PARAMETER = "(ε₁ + ε₂, δ₁ + δ₂)"
    JOINT_CURVE_ONLY = "the trade-off function of the product laws; not a function of the budgets"


@dataclass(frozen=True)
class Exceeding:
    """An event E that shows D(P, Q) > bound: P(E) > e^bound·Q(E) + δ, or that with P and Q exchanged.

    Attributes:
        event: E, its outcomes.
        is_swapped: whether P and Q are exchanged.
        delta: δ, as an event's test sees the bound.
    """

    event: tuple[Hashable, ...]
    is_swapped: bool
    delta: Fraction = Fraction(0)


def integer_masses(p: Law[Any], q: Law[Any]) -> Masses:
    """The probabilities of two laws over one denominator."""
    pairs = [(p.numeric(t), q.numeric(t)) for t in dict.fromkeys((*p, *q))]
    scale = lcm(*{value.denominator for pair in pairs for value in pair})
    return [(a.numerator * (scale // a.denominator), b.numerator * (scale // b.denominator)) for a, b in pairs]


def mass(law: Law[Any], event: tuple[Hashable, ...]) -> Fraction:
    """P(E), exact."""
    return sum((law.numeric(t) for t in event), Fraction(0))


@dataclass(frozen=True)
class OutputPremetric(ABC):
    """A probability premetric: D(P, Q) in [0, ∞] with D(P, P) = 0.

    Attributes:
        name: as a claim file has it.
        aliases: other names that Python takes.
        symbol: as it stands in a sentence; empty for the name.
        caveat: what a bound in it allows that one in D_Mult rules out, for an auditor.
        is_symmetric: D(P, Q) = D(Q, P).
        has_triangle_inequality: D(P, R) ≤ D(P, Q) + D(Q, R).
        is_immune_to_post_processing: D(κP, κQ) ≤ D(P, Q) for every kernel κ.
        is_infinite_at_total_variation_one: D(P, Q) = ∞ where P and Q have no common outcome.
        has_losses: whether its budgets and distances are `Loss`es.
        is_exact: whether D of finite laws is a number that `distance` computes; else it is enclosed.
        has_largest_budget: whether of two budgets one is the larger.
        budgets: the keys under which a claim file may state a budget.
        distances: the distances that a budget may be multiplied by; None for all.
        composition: how budgets of independent releases combine.

    Source: dissertation, Definition 2.4.16.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    symbol: ClassVar[str] = ""
    caveat: ClassVar[str] = "this premetric does not bound likelihood ratios"
    is_symmetric: ClassVar[bool]
    has_triangle_inequality: ClassVar[bool]
    is_immune_to_post_processing: ClassVar[bool]
    is_infinite_at_total_variation_one: ClassVar[bool]
    has_losses: ClassVar[bool] = False
    is_exact: ClassVar[bool] = True
    has_largest_budget: ClassVar[bool] = True
    budgets: ClassVar[tuple[str, ...]]
    distances: ClassVar[tuple[Distance, ...] | None] = None
    composition: ClassVar[Composition]

    @property
    @abstractmethod
    def zero(self) -> Any:
        """The bound that equal laws alone satisfy (where D separates laws), and the smallest budget."""

    @property
    @abstractmethod
    def no_bound(self) -> Any:
        """The bound ∞, which every pair of laws satisfies."""

    @property
    def largest(self) -> Any:
        """The largest distance of two laws."""
        return self.no_bound

    @abstractmethod
    def distance(self, p: Law[Any], q: Law[Any]) -> Any:
        """D(P, Q), exact, in the type that this premetric's bounds have."""

    def distance_of(self, masses: Masses) -> Any:
        """D(P, Q) of the laws that integers are in proportion to: P(t) and Q(t) for each outcome, with equal sums."""
        total = sum(first for first, _ in masses)
        p, q = (Law({t: Fraction(pair[side], total) for t, pair in enumerate(masses)}) for side in (0, 1))
        return self.distance(p, q)

    @abstractmethod
    def bound(self, budget: Any, distance: Distance) -> Any:
        """The right-hand side ε·d of Equation (1), with 0·∞ = ∞."""

    @abstractmethod
    def smallest_budget(self, value: Any, distance: Distance) -> Any:
        """The smallest budget ε with value ≤ ε·d."""

    @abstractmethod
    def at_most(self, value: Any, bound: Any) -> bool:
        """Whether value ≤ bound, decided exactly."""

    @abstractmethod
    def add(self, first: Any, second: Any) -> Any:
        """The sum of two bounds, which the triangle inequality gives along a path; ∞ absorbs.

        Raises:
            InputError: the bounds of the premetric do not add as exact numbers (ρ² of D_NoR, trade-off curves).
        """

    def composed_bound(self, first: Any, second: Any) -> Any:
        """The bound of two independent releases from the bound of each.

        Raises:
            InputError: it is no function of the two.
        """
        return self.add(first, second)

    def composed_with(self, other: OutputPremetric) -> OutputPremetric:
        """The output premetric of two independent releases, one bounded in this one and one in another.

        Raises:
            InputError: bounds of these two premetrics do not combine, or the δ's add up to 1 or more.
        """
        raise InputError(f"output premetrics must have bounds that combine; got {self.name!r} and {other.name!r}")

    @abstractmethod
    def attaining_event(self, p: Law[Any], q: Law[Any]) -> tuple[Hashable, ...]:
        """An event at which D(P, Q) is attained; empty where the laws are equal, or no one event shows it."""

    @abstractmethod
    def exceeding_event(self, p: Law[Any], q: Law[Any], bound: Any) -> Exceeding | None:
        """An event that shows D(P, Q) > bound; None where there is none."""

    @abstractmethod
    def event_form(self, bound: Any) -> tuple[Loss, Fraction] | None:
        """(ln γ, δ) such that D(P, Q) ≤ bound iff E_γ(P‖Q) ≤ δ and E_γ(Q‖P) ≤ δ, for a bound other than ∞.

        None where the premetric is not decided by one γ.
        """

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """The parameters that belong to the premetric, by their keys in a claim file."""
        return {}

    def described(self) -> str:
        """The name with its parameters.

        >>> from stirred.spec.output_premetrics import ApproximateMultiplicative
        >>> ApproximateMultiplicative(Fraction(1, 10)).described()
        'approximate_multiplicative, delta = 1/10'
        """
        return ", ".join((self.name, *(f"{key} = {value}" for key, value in self.parameters.items())))

    def _repr_latex_(self) -> str:
        return rf"$D_{{\mathrm{{{self.name.replace('_', ' ')}}}}}$"


class LossValued(OutputPremetric):
    """What premetrics have in common whose budgets are `Loss`es."""

    has_losses = True
    budgets = ("epsilon", "gamma", "by")

    @property
    def zero(self) -> Loss:
        return ZERO

    @property
    def no_bound(self) -> Loss:
        return INFINITE

    def bound(self, budget: Loss, distance: Distance) -> Loss:
        if not isinstance(budget, Loss):
            raise InputError(f"budget must be a Loss for {self.name}; got {budget!r}")
        return budget.times(distance)

    def smallest_budget(self, value: Loss, distance: Distance) -> Loss:
        return value.over(distance)

    def at_most(self, value: Loss, bound: Loss) -> bool:
        return value <= bound

    def add(self, first: Loss, second: Loss) -> Loss:
        """The sum of two losses, as `Loss.plus`.

        >>> from stirred.spec.output_premetrics import Multiplicative
        >>> Multiplicative().add(Loss(2), Loss(9, 2)) == Loss(6)
        True
        """
        return first.plus(second)


class RationalValued(OutputPremetric):
    """What premetrics have in common whose budgets are rationals, with None for ∞."""

    power: ClassVar[int] = 1

    @property
    def zero(self) -> Fraction:
        return Fraction(0)

    @property
    def no_bound(self) -> None:
        return None

    def bound(self, budget: Fraction | None, distance: Distance) -> Fraction | None:
        checked = None if budget is None else nonnegative("budget", budget)
        return None if checked is None or distance is None else checked * Fraction(distance) ** self.power

    def smallest_budget(self, value: Fraction | None, distance: Distance) -> Fraction | None:
        if distance is None or value == 0:
            return Fraction(0)
        return None if value is None or distance == 0 else value / Fraction(distance) ** self.power

    def at_most(self, value: Fraction | None, bound: Fraction | None) -> bool:
        return bound is None or (value is not None and value <= bound)

    def composed_bound(self, first: Fraction | None, second: Fraction | None) -> Fraction | None:
        return None if first is None or second is None else first + second

    def composed_with(self, other: OutputPremetric) -> OutputPremetric:
        return self if other == self else super().composed_with(other)

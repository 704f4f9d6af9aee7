"""Block 4, the output premetric D_Pr: how is the change of the output's law measured?

Each premetric decides "D_Pr[P, Q] ≤ ε·d" exactly, knows the smallest ε where that is a closed form, and says of
itself whether it is symmetric, satisfies the triangle inequality, is immune to post-processing, and how it composes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

from spec.arguments import Exact, InputError, exact, nonnegative
from spec.input_premetric import Distance
from spec.law import Law
from spec.loss import INFINITE, ZERO, Loss

__all__ = [
    "ApproximateMultiplicative",
    "Composition",
    "Curve",
    "Multiplicative",
    "NormalizedRenyi",
    "OutputPremetric",
    "TotalVariation",
    "Tradeoff",
    "check_curve",
    "hockey_stick",
    "shown_curve",
    "total_variation",
    "tradeoff_curve",
]


class Composition(Enum):
    """How budgets of independent releases combine."""

    ADDITIVE = "ε₁ + ε₂"
    ROOT_SUM_OF_SQUARES = "√(ρ₁² + ρ₂²)"
    ADDITIVE_IN_EACH_PARAMETER = "(ε₁ + ε₂, δ₁ + δ₂)"
    JOINT_CURVE_ONLY = "the trade-off function of the product laws; not a function of the budgets"


def hockey_stick(p: Law[Any], q: Law[Any], gamma: Exact) -> Fraction:
    """E_γ(P‖Q) = max_S P(S) − γ·Q(S) = Σ_t (P(t) − γ·Q(t))⁺, exact, in [0, 1].

    Raises:
        InputError: gamma is inexact or negative.

    >>> from spec.law import point_mass
    >>> hockey_stick(point_mass(0), point_mass(1), 2)
    Fraction(1, 1)
    """
    factor = nonnegative("gamma", gamma)
    return sum((max(Fraction(0), p.numeric(t) - factor * q.numeric(t)) for t in p), Fraction(0))


def total_variation(p: Law[Any], q: Law[Any]) -> Fraction:
    """sup_S |P(S) − Q(S)|, exact."""
    return hockey_stick(p, q, 1)


@dataclass(frozen=True)
class OutputPremetric(ABC):
    """A probability premetric: D(P, Q) in [0, ∞] with D(P, P) = 0.

    Source: dissertation, Definition 2.4.16.
    """

    name: ClassVar[str]
    is_symmetric: ClassVar[bool]
    has_triangle_inequality: ClassVar[bool]
    is_immune_to_post_processing: ClassVar[bool]
    is_infinite_at_total_variation_one: ClassVar[bool]
    composition: ClassVar[Composition]

    @abstractmethod
    def distance(self, p: Law[Any], q: Law[Any]) -> Any:
        """D(P, Q), exact, in the type that this premetric's bounds have."""

    @abstractmethod
    def bound(self, budget: Any, distance: Distance) -> Any:
        """The right-hand side ε·d of Equation (1), with 0·∞ = ∞."""

    @abstractmethod
    def smallest_budget(self, value: Any, distance: Distance) -> Any:
        """The smallest budget ε with value ≤ ε·d."""

    @abstractmethod
    def at_most(self, value: Any, bound: Any) -> bool:
        """Whether value ≤ bound, decided exactly."""

    @property
    @abstractmethod
    def no_bound(self) -> Any:
        """The bound ∞, which every pair of laws satisfies."""

    def _repr_latex_(self) -> str:
        return rf"$D_{{\mathrm{{{self.name.replace('_', ' ')}}}}}$"


class _LossValued(OutputPremetric):
    """What premetrics have in common whose budgets are `Loss`es."""

    def bound(self, budget: Loss, distance: Distance) -> Loss:
        if not isinstance(budget, Loss):
            raise InputError(f"budget must be a Loss for {self.name}; got {budget!r}")
        return budget.times(distance)

    def smallest_budget(self, value: Loss, distance: Distance) -> Loss:
        return value.over(distance)

    def at_most(self, value: Loss, bound: Loss) -> bool:
        return value <= bound

    @property
    def no_bound(self) -> Loss:
        return INFINITE


@dataclass(frozen=True)
class Multiplicative(_LossValued):
    """D_Mult(P, Q) = sup_E |ln P(E)/Q(E)|: pure differential privacy.

    On finite laws the supremum over events is the maximum over atoms (claim `pure.events-by-atoms`). Budgets and
    distances are `Loss`es.

    Source: article, (6).

    >>> biased, fair = Law({0: Fraction(1, 3), 1: Fraction(2, 3)}), Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> Multiplicative().distance(biased, fair)
    Loss(gamma=Fraction(3, 2), distance=1)
    """

    name = "multiplicative"
    is_symmetric = True
    has_triangle_inequality = True
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = True
    composition = Composition.ADDITIVE

    def distance(self, p: Law[Any], q: Law[Any]) -> Loss:
        """The loss max_t |ln P(t)/Q(t)|; `INFINITE` where the supports differ."""
        worst = self.worst_event(p, q)
        return ZERO if worst is None else worst[1]

    def worst_event(self, p: Law[Any], q: Law[Any]) -> tuple[Hashable, Loss] | None:
        """An atom where the ratio is largest, with the loss there; None where the laws are equal."""
        worst: tuple[Hashable, Loss] | None = None
        for outcome in dict.fromkeys((*p, *q)):
            first, second = p.numeric(outcome), q.numeric(outcome)
            if first == second:
                continue
            if first == 0 or second == 0:
                return outcome, INFINITE
            loss = Loss(max(first / second, second / first))
            if worst is None or loss.gamma > worst[1].gamma:  # type: ignore[operator]  # both finite here
                worst = outcome, loss
        return worst


@dataclass(frozen=True)
class ApproximateMultiplicative(_LossValued):
    """D_Mult^δ(P, Q) = sup_S max{ln (P(S)−δ)⁺/Q(S), ln (Q(S)−δ)⁺/P(S), 0}: approximate (ε, δ) privacy.

    D_Mult^δ(P, Q) ≤ ln γ iff E_γ(P‖Q) ≤ δ and E_γ(Q‖P) ≤ δ. Budgets are `Loss`es, δ belongs to the premetric.

    Source: dissertation, section 2.4.5.
    """

    delta: Fraction

    name = "approximate_multiplicative"
    is_symmetric = True
    has_triangle_inequality = False
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = True
    composition = Composition.ADDITIVE_IN_EACH_PARAMETER

    def __post_init__(self) -> None:
        delta = exact("delta", self.delta)
        if not 0 <= delta < 1:
            raise InputError(f"delta must be at least 0 and below 1; got {self.delta!r}")
        object.__setattr__(self, "delta", delta)

    def distance(self, p: Law[Any], q: Law[Any]) -> Loss:
        """The smallest loss ln γ with E_γ ≤ δ in both directions; `INFINITE` where there is none."""
        return max(self._one_sided(p, q), self._one_sided(q, p))

    def _one_sided(self, p: Law[Any], q: Law[Any]) -> Loss:
        """γ solves Σ (P − γQ)⁺ = δ: linear between consecutive ratios P/Q, so one exact division finds it."""
        beyond = sum((p.numeric(t) for t in p if q.numeric(t) == 0), Fraction(0))
        if beyond > self.delta:
            return INFINITE
        atoms = sorted(
            ((p.numeric(t), q.numeric(t)) for t in p if q.numeric(t) > 0), key=lambda pq: pq[0] / pq[1], reverse=True
        )
        mass_p, mass_q = beyond, Fraction(0)
        for index, (first, second) in enumerate(atoms):
            mass_p, mass_q = mass_p + first, mass_q + second
            gamma = (mass_p - self.delta) / mass_q
            following = atoms[index + 1][0] / atoms[index + 1][1] if index + 1 < len(atoms) else Fraction(0)
            if gamma >= following:
                return Loss(max(gamma, Fraction(1)))
        return ZERO


class _RationalValued(OutputPremetric):
    """What premetrics have in common whose budgets are rationals, with None for ∞."""

    power: ClassVar[int] = 1

    def bound(self, budget: Fraction | None, distance: Distance) -> Fraction | None:
        checked = None if budget is None else nonnegative("budget", budget)
        return None if checked is None or distance is None else checked * Fraction(distance) ** self.power

    def smallest_budget(self, value: Fraction | None, distance: Distance) -> Fraction | None:
        if distance is None or value == 0:
            return Fraction(0)
        return None if value is None or distance == 0 else value / Fraction(distance) ** self.power

    def at_most(self, value: Fraction | None, bound: Fraction | None) -> bool:
        return bound is None or (value is not None and value <= bound)

    @property
    def no_bound(self) -> None:
        return None


@dataclass(frozen=True)
class TotalVariation(_RationalValued):
    """D_TV(P, Q) = sup_S |P(S) − Q(S)|; budgets are rationals."""

    name = "total_variation"
    is_symmetric = True
    has_triangle_inequality = True
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = False
    composition = Composition.ADDITIVE

    def distance(self, p: Law[Any], q: Law[Any]) -> Fraction:
        """The total variation distance, in [0, 1]."""
        return total_variation(p, q)


Curve = tuple[tuple[Fraction, Fraction], ...]
"""The vertices (α, power) of a concave piecewise-linear function on [0, 1], by increasing α."""


DIAGONAL: Curve = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)))
"""The trade-off function of two equal laws: no test beats guessing."""


def tradeoff_curve(p: Law[Any], q: Law[Any]) -> Curve:
    """Tr(P, Q): the largest power of a level-α test of P against Q, by its vertices (Neyman and Pearson).

    Outcomes are rejected in the order of falling likelihood ratio Q/P, so the curve is exact.

    Source: dissertation, Definition A.6.1 (there Tr is the power; in section 2.4.6 it is the type II error).

    >>> from spec.law import point_mass
    >>> tradeoff_curve(point_mass(0), point_mass(1))
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(1, 1)))
    """
    free = sum((q.numeric(t) for t in q if p.numeric(t) == 0), Fraction(0))
    vertices = [(Fraction(0), free)]
    slopes: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for t in p:
        ratio = q.numeric(t) / p.numeric(t)
        size, power = slopes.get(ratio, (Fraction(0), Fraction(0)))
        slopes[ratio] = size + p.numeric(t), power + q.numeric(t)
    for ratio in sorted(slopes, reverse=True):
        size, power = slopes[ratio]
        vertices.append((vertices[-1][0] + size, vertices[-1][1] + power))
    return tuple(vertices)


def check_curve(name: str, vertices: object) -> Curve:
    """The vertices (level α, power f(α)) of a trade-off function: concave, from level 0 to (1, 1), with f(α) ≥ α.

    Raises:
        InputError: they are no such sequence of exact numbers.

    Source: dissertation, Definition A.6.1 (Tr as the power) and the text after it.

    >>> check_curve("curve", [(0, 0), (Fraction(1, 3), Fraction(2, 3)), (1, 1)])[1]
    (Fraction(1, 3), Fraction(2, 3))
    """
    if not isinstance(vertices, Sequence) or not all(isinstance(v, Sequence) and len(v) == 2 for v in vertices):
        raise InputError(f"{name} must be a list of [level, power]; got {vertices!r}")
    curve = tuple((exact(f"{name}: a level", level), exact(f"{name}: a power", power)) for level, power in vertices)
    if len(curve) < 2 or curve[0][0] != 0 or curve[-1] != DIAGONAL[-1]:
        raise InputError(f"{name} must begin at level 0 and end at level 1 with power 1; got {shown_curve(curve)}")
    steps = [(b - a, g - f) for (a, f), (b, g) in pairwise(curve)]
    if any(level <= 0 or power < 0 for level, power in steps) or curve[0][1] < 0:
        raise InputError(f"{name} must have rising levels and powers from 0 to 1; got {shown_curve(curve)}")
    if any(g * a > f * b for (a, f), (b, g) in pairwise(steps)):
        raise InputError(f"{name} must be concave; got {shown_curve(curve)}")
    return curve


def shown_curve(curve: Curve) -> str:
    """A curve by its vertices.

    >>> shown_curve(DIAGONAL)
    '(0, 0) (1, 1)'
    """
    return " ".join(f"({level}, {power})" for level, power in curve)


@dataclass(frozen=True)
class Tradeoff(OutputPremetric):
    """Tr(P, Q) as a multidimensional premetric: f-DP. Its "distances" are exact piecewise-linear curves."""

    name = "tradeoff"
    is_symmetric = False
    has_triangle_inequality = False
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = False
    composition = Composition.JOINT_CURVE_ONLY

    def distance(self, p: Law[Any], q: Law[Any]) -> Curve:
        """The trade-off curve by its vertices."""
        return tradeoff_curve(p, q)

    def bound(self, budget: Curve | None, distance: Distance) -> Curve | None:
        """The budget's curve at distance 1, the diagonal at 0; at distance ∞, or for the budget ∞, no bound.

        Raises:
            InputError: the distance is neither 0, 1 nor ∞: a curve has no other multiples.
        """
        if budget is None or distance is None:
            return None
        if distance not in (0, 1):
            raise InputError(f"a trade-off budget applies at distance 0, 1 or infinity only; got distance {distance}")
        return budget if distance else DIAGONAL

    def smallest_budget(self, value: Curve, distance: Distance) -> Curve | None:
        """The curve itself at distance 1; the diagonal at distance ∞, or for equal laws; else ∞ at distance 0."""
        if distance is None or value == DIAGONAL:
            return DIAGONAL
        return value if self.bound(value, distance) == value else None

    def at_most(self, value: Curve | None, bound: Curve | None) -> bool:
        """Whether one curve is nowhere above the other, compared exactly at the vertices of both."""
        if bound is None or value is None:
            return bound is None
        levels = sorted({a for a, _ in (*value, *bound)})
        return all(self.at(value, level) <= self.at(bound, level) for level in levels)

    @property
    def no_bound(self) -> None:
        """No curve bounds every pair."""
        return None

    @staticmethod
    def at(curve: Curve, alpha: Exact) -> Fraction:
        """The power at a level, exact."""
        level = exact("alpha", alpha)
        for (a, f), (b, g) in pairwise(curve):
            if a <= level <= b:
                return f if a == b else f + (g - f) * (level - a) / (b - a)
        raise InputError(f"alpha must be between 0 and 1; got {alpha!r}")


@dataclass(frozen=True)
class NormalizedRenyi(_RationalValued):
    """D_NoR(P, Q) = sup_{α>1} max{√D_α(P‖Q), √D_α(Q‖P)}/√α: zero-concentrated privacy; budgets are ρ² (rational).

    Its square has no closed form in general; `verify` encloses it (a later engine), so `distance` refuses here.

    Source: article, Appendix G.
    """

    name = "normalized_renyi"
    is_symmetric = True
    has_triangle_inequality = True
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = True
    composition = Composition.ROOT_SUM_OF_SQUARES
    power = 2  # D_NoR ≤ ρ·d reads D_NoR² ≤ ρ²·d²

    def distance(self, p: Law[Any], q: Law[Any]) -> Fraction:
        """0 for equal laws; anything else needs a certified enclosure.

        Raises:
            InputError: the laws differ.
        """
        if p == q:
            return Fraction(0)
        raise InputError("D_NoR of different laws is not a closed form; ask for an enclosure instead")

"""Approximate differential privacy: the multiplicative distance up to δ."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, exact, shown
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics.base import (
    Composition,
    Exceeding,
    LossValued,
    Masses,
    OutputPremetric,
    integer_masses,
    mass,
)
from stirred.spec.output_premetrics.multiplicative import Multiplicative


@dataclass(frozen=True)
class ApproximateMultiplicative(LossValued):
    """D_Mult^δ(P, Q) = sup_S max{ln (P(S)−δ)⁺/Q(S), ln (Q(S)−δ)⁺/P(S), 0}: approximate (ε, δ) privacy.

    D_Mult^δ(P, Q) ≤ ln γ iff E_γ(P‖Q) ≤ δ and E_γ(Q‖P) ≤ δ. Budgets are `Loss`es, δ belongs to the premetric.

    Source: dissertation, section 2.4.5.
    """

    delta: Fraction

    name = "approximate_multiplicative"
    aliases = ("approximate",)
    symbol = "D_Mult^delta"
    caveat = "of every event, probability up to delta escapes the bound, whatever its ratio"
    is_symmetric = True
    has_triangle_inequality = False
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = True
    composition = Composition.ADDITIVE_IN_EACH_PARAMETER

    def __post_init__(self) -> None:
        delta = exact("delta", self.delta)
        if not 0 <= delta < 1:
            raise InputError(f"delta must be at least 0 and below 1; got {shown(delta)}")
        object.__setattr__(self, "delta", delta)

    def distance(self, p: Law[Any], q: Law[Any]) -> Loss:
        """The smallest loss ln γ with E_γ ≤ δ in both directions; `INFINITE` where there is none."""
        return self.distance_of(integer_masses(p, q))

    def distance_of(self, masses: Masses) -> Loss:
        total = sum(first for first, _ in masses)
        exchanged = [(second, first) for first, second in masses]
        return max(self._one_sided(masses, total), self._one_sided(exchanged, total))

    def _one_sided(self, masses: Masses, total: int) -> Loss:
        """The largest (P(E) − δ)/Q(E), at least 1: for some k that of the k outcomes E of the largest ratios P/Q.

        Where γ is the largest, E = {P > γQ} has P(E) − γQ(E) = δ.
        """
        a, b = self.delta.numerator * total, self.delta.denominator
        mass_p, mass_q = sum(first for first, second in masses if not second), 0
        if b * mass_p > a:
            return INFINITE
        # two ratios differ by 1/total² or more, or not at all: floors of them at this scale have their order
        scale = 2 * total.bit_length()
        atoms = sorted((-(first << scale) // second, first, second) for first, second in masses if second)
        most, least = 1, 1
        for _, first, second in atoms:
            mass_p, mass_q = mass_p + first, mass_q + second
            if (b * mass_p - a) * least > most * b * mass_q:
                most, least = b * mass_p - a, b * mass_q
        return Loss(Fraction(most, least))

    def attaining_event(self, p: Law[Any], q: Law[Any]) -> tuple[Hashable, ...]:
        """An event E of one law with P(E) − δ = γ·Q(E) for the loss ln γ, or P(E) > δ and Q(E) = 0 where it is ∞."""
        loss = self.distance(p, q)
        if loss.is_zero:
            return ()
        for high, low in ((p, q), (q, p)):
            if loss.gamma is None:
                event = tuple(t for t in high if low.numeric(t) == 0)
            else:
                event = tuple(t for t in high if high.numeric(t) >= loss.gamma * low.numeric(t))
            beyond, reference = mass(high, event) - self.delta, mass(low, event)
            if beyond > 0 and (loss.gamma is None or beyond == loss.gamma * reference):
                return event
        raise ArithmeticError("no event attains the exact loss")

    def exceeding_event(self, p: Law[Any], q: Law[Any], bound: Loss) -> Exceeding | None:
        """The event {P > e^bound·Q} if P(E) > δ + e^bound·Q(E), else that with P and Q exchanged."""
        if bound.is_infinite:
            return None
        for is_swapped, (high, low) in enumerate(((p, q), (q, p))):
            event = tuple(t for t in high if _is_more(high.numeric(t), low.numeric(t), bound))
            if _is_more(mass(high, event) - self.delta, mass(low, event), bound):
                return Exceeding(event, bool(is_swapped), self.delta)
        return None

    def event_form(self, bound: Loss) -> tuple[Loss, Fraction]:
        return bound, self.delta

    def composed_with(self, other: OutputPremetric) -> OutputPremetric:
        """The δ's add."""
        if not other.has_losses:
            return super().composed_with(other)
        delta = self.delta + other.parameters.get("delta", Fraction(0))
        return ApproximateMultiplicative(delta) if delta else Multiplicative()

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        return {"delta": self.delta}


def _is_more(first: Fraction, second: Fraction, bound: Loss) -> bool:
    """Whether first > e^bound·second ≥ 0, for a finite bound."""
    return first > second and (not second or Loss(first / second) > bound)

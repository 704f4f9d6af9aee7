"""Pure differential privacy: the multiplicative distance."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics.base import (
    Composition,
    Exceeding,
    LossValued,
    Masses,
    OutputPremetric,
    integer_masses,
)


@dataclass(frozen=True)
class Multiplicative(LossValued):
    """D_Mult(P, Q) = sup_E |ln P(E)/Q(E)|: pure differential privacy.

    On finite laws the supremum over events is the maximum over atoms (claim `pure.events-by-atoms`). Budgets and
    distances are `Loss`es.

    Source: article, (6).

    >>> biased, fair = Law({0: Fraction(1, 3), 1: Fraction(2, 3)}), Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> Multiplicative().distance(biased, fair)
    <Loss ln(3/2) ≈ 0.405465>
    """

    name = "multiplicative"
    aliases = ("pure",)
    symbol = "D_Mult"
    is_symmetric = True
    has_triangle_inequality = True
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = True
    composition = Composition.ADDITIVE

    def distance(self, p: Law[Any], q: Law[Any]) -> Loss:
        """The loss max_t |ln P(t)/Q(t)|; `INFINITE` where the supports differ."""
        return self.distance_of(integer_masses(p, q))

    def distance_of(self, masses: Masses) -> Loss:
        """As for laws; of measures too, whose masses need not have equal sums."""
        most, least = 1, 1
        for first, second in masses:
            high, low = (first, second) if first > second else (second, first)
            if high and not low:
                return INFINITE
            if high * least > most * low:
                most, least = high, low
        return Loss(Fraction(most, least))

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

    def attaining_event(self, p: Law[Any], q: Law[Any]) -> tuple[Hashable, ...]:
        worst = self.worst_event(p, q)
        return () if worst is None else (worst[0],)

    def exceeding_event(self, p: Law[Any], q: Law[Any], bound: Loss) -> Exceeding | None:
        """The first outcome, in the order of their texts, whose ratio exceeds the bound."""
        for t in sorted({*p, *q}, key=repr):
            first, second = p.numeric(t), q.numeric(t)
            if first != second:
                loss = INFINITE if 0 in (first, second) else Loss(max(first / second, second / first))
                if not loss <= bound:
                    return Exceeding((t,), first < second)
        return None

    def event_form(self, bound: Loss) -> tuple[Loss, Fraction]:
        return bound, Fraction(0)

    def composed_with(self, other: OutputPremetric) -> OutputPremetric:
        """Itself with itself; another one knows whether it combines with D_Mult, which is D_Mult^0."""
        return self if other == self else other.composed_with(self)

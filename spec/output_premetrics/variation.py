"""The hockey-stick divergence E_γ, by which events decide what a loss is, and the total variation distance E_1."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, nonnegative
from stirred.spec.budgets.loss import ZERO, Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics.base import Composition, Exceeding, RationalValued


def hockey_stick(p: Law[Any], q: Law[Any], gamma: Exact) -> Fraction:
    """E_γ(P‖Q) = max_S P(S) − γ·Q(S) = Σ_t (P(t) − γ·Q(t))⁺, exact, in [0, 1].

    Raises:
        InputError: gamma is inexact or negative.

    >>> from stirred.spec.laws.law import point_mass
    >>> hockey_stick(point_mass(0), point_mass(1), 2)
    Fraction(1, 1)
    """
    factor = nonnegative("gamma", gamma)
    return sum((max(Fraction(0), p.numeric(t) - factor * q.numeric(t)) for t in p), Fraction(0))


def total_variation(p: Law[Any], q: Law[Any]) -> Fraction:
    """sup_S |P(S) − Q(S)|, exact."""
    return hockey_stick(p, q, 1)


@dataclass(frozen=True)
class TotalVariation(RationalValued):
    """D_TV(P, Q) = sup_S |P(S) − Q(S)|; budgets are rationals.

    Source: dissertation, section 2.4.5.
    """

    name = "total_variation"
    symbol = "D_TV"
    caveat = "the bound is on differences of probabilities: what happens on one data set may be impossible on the other"
    is_symmetric = True
    has_triangle_inequality = True
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = False
    budgets = ("epsilon",)
    composition = Composition.ADDITIVE

    def distance(self, p: Law[Any], q: Law[Any]) -> Fraction:
        """The total variation distance, in [0, 1]."""
        return total_variation(p, q)

    @property
    def largest(self) -> Fraction:
        return Fraction(1)

    def add(self, first: Fraction | None, second: Fraction | None) -> Fraction | None:
        return None if first is None or second is None else first + second

    def exceeding_event(self, p: Law[Any], q: Law[Any], bound: Fraction | None) -> Exceeding | None:
        """{P > Q}, where P(E) − Q(E) is largest."""
        if bound is None or self.distance(p, q) <= bound:
            return None
        return Exceeding(self.attaining_event(p, q), is_swapped=False, delta=bound)

    def event_form(self, bound: Fraction) -> tuple[Loss, Fraction]:
        return ZERO, bound

    def attaining_event(self, p: Law[Any], q: Law[Any]) -> tuple[Hashable, ...]:
        """{P > Q}."""
        return tuple(t for t in p if p.numeric(t) > q.numeric(t))

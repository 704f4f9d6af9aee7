"""The hockey-stick divergence E_γ, by which events decide what a loss is."""

from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, nonnegative
from stirred.spec.laws.law import Law


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

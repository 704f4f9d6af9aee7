"""Distances of many laws in integers: what `spec.output_premetrics` computes pair by pair, fast enough for many pairs.

Each law is a list of integer weights over all outcomes with its sum. D_Mult is the largest ratio, found by
cross-multiplication. D_Mult^δ is the root of the convex function γ ↦ E_γ − δ, found by Newton's method from γ = 1: on a
piecewise-linear function it is exact and ends after finitely many steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.law import Law
from stirred.spec.loss import INFINITE, ZERO, Loss
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation

__all__ = ["IntegerDistances", "by_size"]


class IntegerDistances:
    """The distances between the laws of a mechanism, by the positions of the data sets.

    Raises:
        InputError: the output premetric is not D_Mult, D_Mult^δ or D_TV.
    """

    def __init__(self, laws: Sequence[Law[Any]], measure: OutputPremetric) -> None:
        if type(measure) not in _DISTANCES:
            raise InputError(f"output_premetric must have exact distances to be compared; got {measure.name!r}")
        self._distance = _DISTANCES[type(measure)]
        self.delta = measure.parameters.get("delta", Fraction(0))
        outcomes = tuple(dict.fromkeys(t for law in laws for t in law))
        scale = lcm(*(law.numeric(t).denominator for law in laws for t in law))
        self.weights = [[int(law.numeric(t) * scale) for t in outcomes] for law in laws]
        self.total = scale

    def between(self, i: int, j: int) -> Any:
        """D_Pr(P_i, P_j), in the type of the premetric's bounds."""
        return self._distance(self.weights[i], self.weights[j], self)


def _largest_ratio(first: Sequence[int], second: Sequence[int]) -> Loss:
    high, low = 1, 1
    for a, b in zip(first, second, strict=True):
        top, bottom = (a, b) if a > b else (b, a)
        if top * low > high * bottom:
            if bottom == 0:
                return INFINITE
            high, low = top, bottom
    return Loss(Fraction(high, low)) if high > low else ZERO


def _least_gamma(first: Sequence[int], second: Sequence[int], delta: Fraction) -> Loss:
    """The smallest γ ≥ 1 with Σ (a − γb)⁺ ≤ δ, by Newton's method from the left."""
    top, bottom = 1, 1
    while True:
        mass = reference = 0
        for a, b in zip(first, second, strict=True):
            if a * bottom > top * b:
                mass += a
                reference += b
        # E_γ ≤ δ at γ = top/bottom
        if (mass * bottom - top * reference) * delta.denominator <= delta.numerator * bottom:
            return Loss(Fraction(top, bottom))
        if reference == 0:
            return INFINITE
        gamma = (mass - delta) / reference
        top, bottom = gamma.numerator, gamma.denominator


_DISTANCES: Mapping[type[OutputPremetric], Callable[[Sequence[int], Sequence[int], IntegerDistances], Any]] = {
    Multiplicative: lambda first, second, _: _largest_ratio(first, second),
    ApproximateMultiplicative: lambda first, second, of: max(
        _least_gamma(first, second, of.delta * of.total), _least_gamma(second, first, of.delta * of.total)
    ),
    TotalVariation: lambda first, second, of: Fraction(
        sum(abs(a - b) for a, b in zip(first, second, strict=True)), 2 * of.total
    ),
}
"""How the distance of two laws follows from their weights."""


def by_size(value: Any) -> tuple[bool, Fraction]:
    """A key that sorts exact distances: finite ones by size, then ∞.

    >>> by_size(Loss(Fraction(2))) < by_size(INFINITE)
    True
    """
    number = value.gamma if isinstance(value, Loss) else value
    return (True, Fraction(0)) if number is None else (False, number)

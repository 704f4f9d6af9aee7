"""Sensitivities of weighted totals in closed form, for data of any size; each is attained by some data set.

t̂ = Σ w_i·x_i with weights w_i in [w₁, w₂], 0 < w₁ ≤ w₂, and values x_i in [x₁, x₂]; the change of one record is one of
`RecordChange`. The largest change of a product, max w·x − min w·x, lies at the corners of [w₁, w₂] × [x₁, x₂].
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction

from spec.arguments import Exact, InputError, exact, positive_integer, shown

__all__ = ["RecordChange", "changing_weights_sensitivity", "fixed_weights_sensitivity"]


class RecordChange(Enum):
    """How a data set differs from its neighbour."""

    VALUE = "a unit has another value and keeps its weight"
    EXCHANGE = "a unit is exchanged for another, with its weight"
    ADD_REMOVE = "a unit is added or removed"


def fixed_weights_sensitivity(weights: Iterable[Exact], low: Exact, high: Exact, change: RecordChange) -> Fraction:
    """The sensitivity of t̂ where no other unit's weight changes.

    max w·(x₂ − x₁) for a value, max w·x − min w·x for a unit exchanged, max w·max |x| for one added or removed. It is
    the scale of the Laplace mechanism, times 1/ε, under frame invariance. Divide by N for a mean over N units.

    Args:
        weights: of all units that the data may have: of the sample, the frame or the population.
        low: x₁.
        high: x₂ ≥ x₁.
        change: how neighbours differ.

    Raises:
        InputError: there is no weight, one is inexact or not positive, an end is inexact, or high < low.

    Source: dissertation, sections 6.4.3 (added, removed), 6.4.5 (exchanged) and 7.4 (a value).

    >>> [int(fixed_weights_sensitivity([2, 5], 10, 11, change)) for change in RecordChange]
    [5, 35, 55]
    """
    w, x = _weights(weights), _range(low, high)
    if change is RecordChange.VALUE:
        return w[1] * (x[1] - x[0])
    if change is RecordChange.EXCHANGE:
        return _largest_change(w, x)
    return w[1] * max(map(abs, x))


def changing_weights_sensitivity(weights: Iterable[Exact], low: Exact, high: Exact, *, size: int) -> Fraction:
    """What t̂ changes by at most where one of n records changes and with it the weights of all the others.

    (max w·x − min w·x) + (n − 1)·(w₂ − w₁)·max |x|. Some designs attain it, others have less.

    Args:
        weights: of all units, in all frames that are possible.
        low: x₁.
        high: x₂ ≥ x₁.
        size: n, the fixed size of the sample.

    Raises:
        InputError: as for `fixed_weights_sensitivity`, or n is below 1.

    Source: dissertation, section 6.4.5 (frame-agnostic flavors), for samples that differ in one record.

    >>> changing_weights_sensitivity([1, 4], 0, 1, size=2)
    Fraction(7, 1)
    """
    w, x = _weights(weights), _range(low, high)
    others = positive_integer("size", size) - 1
    return _largest_change(w, x) + others * (w[1] - w[0]) * max(map(abs, x))


def _largest_change(weights: tuple[Fraction, Fraction], values: tuple[Fraction, Fraction]) -> Fraction:
    corners = [w * x for w in weights for x in values]
    return max(corners) - min(corners)


def _weights(weights: Iterable[Exact]) -> tuple[Fraction, Fraction]:
    """The least and the greatest weight."""
    found = [exact("a weight", weight) for weight in weights]
    if not found:
        raise InputError("weights must hold at least one; got none")
    least = min(found)
    if least <= 0:
        raise InputError(f"a weight must be positive; got {shown(least)}")
    return least, max(found)


def _range(low: Exact, high: Exact) -> tuple[Fraction, Fraction]:
    first, last = exact("low", low), exact("high", high)
    if last < first:
        raise InputError(f"high must be at least low; got {shown(first)} and {shown(last)}")
    return first, last

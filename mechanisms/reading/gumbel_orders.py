"""Comparisons of Gumbel draws, exactly: a maximum is a softmax.

E = e^−Z is exponential where Z is a Gumbel draw, and Z − Y ≤ b says that e^−Y ≤ e^b·e^−Z: there is no constant in it.
Where they form a tree, what is left of a draw when the others are integrated out is Σ c·e^(−λ·x).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from stirred.mechanisms.reading.exact import Exact
from stirred.spec.numbers.reals.real import Number

Difference = tuple[int, int, Number]
"""Z_i − Z_j ≤ b as (i, j, b)."""

_Sum = list[tuple[Exact, Exact]]
"""Σ c·e^(−λ·x) as pairs (c, λ)."""


class NoTreeError(ArithmeticError):
    """Comparisons that form no tree."""


def order_probability(conditions: Sequence[Difference]) -> Exact:
    """The probability that Gumbel draws meet conditions.

    Raises:
        NoTreeError: they form no tree.
    """
    near: dict[int, dict[int, tuple[Exact | None, Exact | None]]] = {}
    for i, j, bound in _reduced(conditions):
        factor = Exact(bound).exp()
        _narrow(near, i, j, high=factor)  # e^−Z_j is at most so many times e^−Z_i
        _narrow(near, j, i, low=1 / factor)
    if sum(map(len, near.values())) != 2 * (len(near) - 1):
        raise NoTreeError("comparisons of Gumbel draws form no tree")
    root = min(near, key=lambda one: _terms(near, one, None))
    return sum((c / rate for c, rate in _left(near, root, None)), Exact(0))


def _reduced(conditions: Sequence[Difference]) -> list[Difference]:
    """The conditions without those that two others imply: Z_i − Z_k ≤ b and Z_k − Z_j ≤ c give Z_i − Z_j ≤ b + c."""
    left = list(conditions)
    for one in conditions:
        i, j, bound = one
        after = [(k, b) for first, k, b in left if first == i and k != j]
        if any((k, j) == (m, last) and Exact(b) + Exact(c) <= Exact(bound) for k, b in after for m, last, c in left):
            left.remove(one)
    return left


def _narrow(
    near: dict[int, dict[int, tuple[Exact | None, Exact | None]]],
    one: int,
    other: int,
    low: Exact | None = None,
    high: Exact | None = None,
) -> None:
    least, most = near.setdefault(one, {}).get(other, (None, None))
    lows, highs = ([end for end in ends if end is not None] for ends in ((least, low), (most, high)))
    near[one][other] = max(lows, default=None), min(highs, default=None)


def _terms(near: Mapping[int, Mapping[int, tuple[Exact | None, Exact | None]]], draw: int, parent: int | None) -> int:
    """How many terms what is left of a draw has."""
    found = 1
    for other, (_, high) in near[draw].items():
        if other != parent:
            found *= _terms(near, other, draw) * (1 if high is None else 2)
    return found


def _left(near: Mapping[int, Mapping[int, tuple[Exact | None, Exact | None]]], draw: int, parent: int | None) -> _Sum:
    """What is left of a draw's density when those beyond it are integrated out."""
    found: _Sum = [(Exact(1), Exact(1))]
    for other, (low, high) in near[draw].items():
        if other == parent:
            continue
        if low is not None and high is not None and not low < high:
            return []
        ends = [(Exact(1), low or Exact(0))] + ([(Exact(-1), high)] if high is not None else [])
        message = [(sign * c / rate, rate * end) for c, rate in _left(near, other, draw) for sign, end in ends]
        found = [(c * d, rate + more) for c, rate in found for d, more in message]
    return found


def differences(conditions: Sequence[tuple[tuple[tuple[int, Fraction], ...], Number]]) -> list[Difference] | None:
    """Conditions that are all of the form c·(Z_i − Z_j) ≤ c·b; None where one is not."""
    found = []
    for form, bound in conditions:
        if len(form) != 2 or form[0][1] != -form[1][1]:
            return None
        (i, c), (j, _) = form
        scaled = (Exact(bound) / abs(c)).number
        found.append((i, j, scaled) if c > 0 else (j, i, scaled))
    return found

"""Pairs of laws that surely stay within a bound, found many at once in integer arrays before any is compared exactly.

P and Q are replaced by whole multiples of 2^−36, P rounded up and Q rounded down, and γ by a smaller multiple of a
power of 2. So Σ_t (P(t) − γ·Q(t))⁺ only grows: where the sum of the arrays is below δ, E_γ(P‖Q) is below δ. No sum
exceeds 2^63, and what is not surely within is left to exact arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import FiniteDistance
from stirred.verify.engines.law_pairs import NumberedLaws

_SCALE = 36
_GAMMA_BITS = 25
"""γ is below 2^25 in the arrays, a larger one replaced by it: b·P + … ≤ 2^25·(2^36 + the number of outcomes)."""

_MOST_CELLS = 8_000_000
_FEWEST = 12
"""Laws that are tried at once: fewer are as quickly compared exactly."""

_TRIAL = 500
"""Laws after which an array that leaves out few of them is given up."""

Near = list[tuple[int, Any, FiniteDistance]]
"""Laws by number, each with its data set and that one's distance."""


@dataclass(frozen=True)
class ScreenedBound:
    """What two laws must stay strictly within, in both directions.

    Attributes:
        gamma: γ ≥ 1; None where E is the mass that has no counterpart under the other law.
        delta: E_γ must be below it; None where P < γ·Q must hold at every outcome of P instead.
    """

    gamma: Fraction | None
    delta: Fraction | None

    def __post_init__(self) -> None:
        if self.gamma is not None and self.gamma < 1:
            raise InputError(f"gamma must be at least 1; got {self.gamma!r}")


class LawScreen:
    """The laws of a mechanism as arrays."""

    def __init__(self, laws: NumberedLaws) -> None:
        import numpy as np  # noqa: PLC0415 it takes longer to load than a small audit takes

        self._numpy = np
        low = np.array([floor(value * 2**_SCALE) for value in laws.values], dtype=np.int64)
        high = np.array([ceil(value * 2**_SCALE) for value in laws.values], dtype=np.int64)
        self._low, self._high = low[laws.matrix], high[laws.matrix]
        self._tried = self._within = 0

    @staticmethod
    def fits(laws: NumberedLaws) -> bool:
        return len(laws) * len(laws.places) <= _MOST_CELLS

    def within(self, first: int, others: Sequence[int], bound: ScreenedBound) -> list[bool]:
        """Whether each of some laws is certainly within a bound of the first one; False decides nothing."""
        np = self._numpy
        low, high = self._low[first], self._high[first]
        lows, highs = self._low[others], self._high[others]
        if bound.gamma is None:
            beyond, others_beyond = np.where(highs == 0, high, -1), np.where(high == 0, highs, -1)
            unit = 1
        else:
            unit = 2 ** max(0, _GAMMA_BITS - int(bound.gamma).bit_length())
            factor = min(floor(bound.gamma * unit), 2**_GAMMA_BITS)
            beyond, others_beyond = high * unit - lows * factor, highs * unit - low * factor
        if bound.delta is None:
            is_within = ((beyond < 0) | (high == 0)).all(axis=1) & ((others_beyond < 0) | (highs == 0)).all(axis=1)
        else:
            allowed = ceil(bound.delta * unit * 2**_SCALE)
            sums: list[Any] = [np.maximum(one, 0).sum(axis=1) for one in (beyond, others_beyond)]
            is_within = (sums[0] < allowed) & (sums[1] < allowed)
        return is_within.tolist()  # type: ignore[no-any-return]

    def left(self, first: int, near: Near, bound_at: Callable[[FiniteDistance], ScreenedBound | None]) -> Near:
        """Those of some laws that are not surely within a bound of the first one, in their order."""
        if len(near) < _FEWEST or (self._tried > _TRIAL and 2 * self._within < self._tried):
            return near
        by_distance: dict[Any, list[int]] = {}
        for place, (_, _, d) in enumerate(near):
            by_distance.setdefault(d.as_integer_ratio(), []).append(place)
        is_left = [True] * len(near)
        for places in by_distance.values():
            bound = bound_at(near[places[0]][2]) if len(places) >= _FEWEST else None
            if bound is None:
                continue
            found = self.within(first, [near[place][0] for place in places], bound)
            self._tried, self._within = self._tried + len(found), self._within + sum(found)
            for place, is_within in zip(places, found, strict=True):
                is_left[place] = not is_within
        return [one for one, is_one_left in zip(near, is_left, strict=True) if is_one_left]

"""Budgets of the PSA for all swap rates at once, in universes with very many ratios.

Over a distance Δ, e^(ε(o)·Δ) is a maximum of several functions of the odds o, and so no less than their means M(o),
weighted, geometric or both. A ratio P_x(z)/P_x'(z) is below the budget for all o > 0 if no coefficient of P_x(z) is
above that of M·P_x'(z). A list of means is tried on all ratios together, in integers rounded to the safe side: P_x(z)
upward, P_x'(z) and M downward. What they leave, one ratio in some hundreds, `decide_ratio` decides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, isqrt, lcm
from typing import Any, NamedTuple

import numpy as np

from stirred.mechanisms.swapping.permutation_counts import derangements, moved_counts
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import contingency_tables
from stirred.verify.engines.swapping.circuits import circuit_steps
from stirred.verify.engines.swapping.loss import representatives
from stirred.verify.ledger.engines.polynomials import (
    Branch,
    OddsBudget,
    SwapRatio,
    decide_ratio,
    likelihood_polynomial,
)

_SCALE = 2**26
"""The coefficients N_k/d(k) are rounded to multiples of 1/_SCALE."""

_EIGHTHS = 8
_WHOLE = 2**5 * _EIGHTHS
"""The coefficients of means are rounded to multiples of 1/_WHOLE."""

_POSITION = 2**26 - 1
"""The last position that a code has room for."""

Mean = Mapping[int, int]
"""M(o) = Σ_e c_e·o^e/_WHOLE, by e."""


class MeanBudget(NamedTuple):
    """A budget with functions that are below it.

    Attributes:
        means: for each distance Δ means M(o) ≤ e^(ε(o)·Δ), the likeliest to bound a ratio first.
    """

    branches: OddsBudget
    means: Callable[[int], Sequence[Mean]]


class DecidedRatios(NamedTuple):
    """The different ratios of a universe, a circuit apart.

    Attributes:
        ratios: how many there are; all are below the budget for all o > 0 if none is above.
        one_by_one: how many the means left to `decide_ratio`.
        above: a ratio above the budget, with odds where it is.
    """

    ratios: int
    one_by_one: int
    above: tuple[SwapRatio, Fraction] | None


def root_budget(square: Fraction) -> MeanBudget:
    """e^ε = max{√s/o, o}: Theorem 1's budget for s = (b+1)², and the sharp one for s = d(b)/d(b−2).

    The means are weighted ones of √s^((Δ−e)/2)·o^e, −Δ ≤ e ≤ Δ.

    >>> root_budget(Fraction(90)).branches
    (Branch(numerator=(90,), denominator=(0, 0, 1), root=2), Branch(numerator=(0, 0, 1), denominator=(1,), root=2))
    """
    if square < 1:
        raise InputError(f"square must be at least 1; got {square}")

    def root(share: int, power: int) -> int:
        """⌊share·_WHOLE/_EIGHTHS·s^(power/4)⌋."""
        whole = (share * _WHOLE // _EIGHTHS) ** 4 * square.numerator**power // square.denominator**power
        return isqrt(isqrt(whole))

    @cache
    def means(distance: int) -> tuple[Mean, ...]:
        singles = ({e: root(_EIGHTHS, distance - e)} for e in sorted(range(-distance, distance + 1), key=abs))
        several = sorted({0, 1, -1, distance, -distance}, key=abs)
        mixed = (
            {e: root(share, distance - e) for e, share in zip(several, shares, strict=True) if share}
            for shares in _shares(len(several))
        )
        return *singles, *mixed

    return MeanBudget((Branch((square.numerator,), (0, 0, square.denominator), 2), Branch((0, 0, 1), (1,), 2)), means)


def exchange_budget(*squares: Mapping[int, Fraction]) -> MeanBudget:
    """e^(2ε) = the largest of several Σ_e c_e·o^e with c_e ≥ 0, for universes of two rows or two columns, where Δ = 2.

    >>> exchange_budget({-2: Fraction(7, 2), -1: Fraction(2)}, {2: Fraction(1)}).branches
    (Branch(numerator=(7, 4), denominator=(0, 0, 2), root=2), Branch(numerator=(0, 0, 1), denominator=(1,), root=2))
    """

    @cache
    def means(distance: int) -> tuple[Mean, ...]:
        if distance != 2:
            raise InputError(f"rows or columns must be two, so that the distance is 2; got {distance}")
        powers = sorted({e for square in squares for e in square})
        return tuple(
            {
                e: int(sum(share * square.get(e, 0) for share, square in zip(shares, squares, strict=True)) * _WHOLE)
                // _EIGHTHS
                for e in powers
            }
            for shares in (*_units(len(squares)), *_shares(len(squares)))
        )

    return MeanBudget(tuple(map(_branch, squares)), means)


def _branch(square: Mapping[int, Fraction]) -> Branch:
    low, scale = min(0, *square), lcm(*(c.denominator for c in square.values()))
    high = max(square)
    return Branch(tuple(int(square.get(e, 0) * scale) for e in range(low, high + 1)), (*(0,) * -low, scale), 2)


def _units(parts: int) -> Iterator[tuple[int, ...]]:
    return (tuple(_EIGHTHS * (i == j) for j in range(parts)) for i in range(parts))


def _shares(parts: int) -> list[tuple[int, ...]]:
    """Weights of several parts in eighths, the heaviest first ones first."""
    return sorted((s for s in product(range(_EIGHTHS), repeat=parts) if sum(s) == _EIGHTHS), reverse=True)


def decide_universe(rows: Sequence[int], columns: Sequence[int], budget: MeanBudget) -> DecidedRatios:
    """Whether all P_x(z)/P_x'(z) are at most e^(ε(o)·d(x, x')) for all o > 0.

    Source: the lemma of `verify.engines.swapping.circuits`.

    >>> decide_universe((2, 2), (2, 2), root_budget(Fraction(9)))
    DecidedRatios(ratios=6, one_by_one=0, above=None)
    """
    found = _Ratios(rows, columns)
    largest = comb(sum(rows), sum(rows) // 2) * _SCALE
    left: list[int] = []
    for distance in map(int, np.unique(found.distances)):
        means = budget.means(distance)
        if largest * max(_WHOLE, *(sum(mean.values()) for mean in means)) >= 2**63:
            raise InputError(f"rows, columns and budget must give numbers below 2^63; got {rows} and {columns}")
        several = np.flatnonzero(found.distances == distance)
        left += _undecided(*found.sides(several), several, means)
    for ratio in map(found.ratio, left):
        decided = decide_ratio(ratio, budget.branches)
        if isinstance(decided, Fraction):
            return DecidedRatios(len(found.distances), len(left), (ratio, decided))
    return DecidedRatios(len(found.distances), len(left), None)


class _Ratios:
    """The different ratios of a universe, each as the positions of its two counts N_0, …, N_n in one list."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int]) -> None:
        self._tables = contingency_tables(rows, columns)
        self._steps = np.array(circuit_steps(self._tables), dtype=np.int64).reshape(-1, 3)
        self._outputs = representatives(self._tables, rows, columns)
        self._counts: dict[tuple[int, ...], int] = {}
        first, second, distances = self._steps.T
        kept, places = [], []
        for number, z in enumerate(self._outputs):
            counted = (moved_counts(x, z) for x in self._tables)
            at = np.array([self._counts.setdefault(counts, len(self._counts)) for counts in counted], dtype=np.int64)
            codes, place = np.unique(at[first] << 34 | at[second] << 8 | distances, return_index=True)
            differs = codes >> 34 != codes >> 8 & _POSITION
            kept.append(codes[differs])
            places.append(place[differs] + number * len(self._steps))
        codes, place = np.unique(np.concatenate(kept), return_index=True)
        self._places = np.concatenate(places)[place]
        self._high, self._low, self.distances = codes >> 34, codes >> 8 & _POSITION, codes & 255

    def sides(self, several: Any) -> tuple[Any, Any]:
        """Of such ratios ⌈N_k·scale/d(k)⌉ of x and ⌊N_k·scale/d(k)⌋ of x'."""
        scales = [max(derangements(k), 1) for k in range(sum(map(sum, self._tables[0])) + 1)]
        up, down = (
            np.array(
                [
                    [sign * (sign * c * _SCALE // d) for c, d in zip(counts, scales, strict=True)]
                    for counts in self._counts
                ],
                dtype=np.int64,
            )
            for sign in (-1, 1)
        )
        return up[self._high[several]], down[self._low[several]]

    def ratio(self, position: int) -> SwapRatio:
        output, step = divmod(int(self._places[position]), len(self._steps))
        i, j, distance = map(int, self._steps[step])
        x, y, z = self._tables[i], self._tables[j], self._outputs[output]
        return SwapRatio(likelihood_polynomial(x, z), likelihood_polynomial(y, z), distance, (x, y, z))


def _undecided(above: Any, below: Any, several: Any, means: Iterable[Mean]) -> list[int]:
    """The ratios of which no mean bounds P_x(z), coefficient by coefficient."""
    means = list(means)
    margin = max(abs(e) for mean in means for e in mean)
    room = ((0, 0), (margin, margin))
    above, below = np.pad(above * _WHOLE, room), np.pad(below, room)
    for mean in means:
        if not len(several):
            break
        bound = sum(c * np.roll(below, e, axis=1) for e, c in mean.items())
        left = (above > bound).any(axis=1)
        above, below, several = above[left], below[left], several[left]
    return list(map(int, several))

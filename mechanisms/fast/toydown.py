"""ToyDown on arrays, and the same with discrete Gaussian noise, as TopDown has it.

The noise is exact; the estimation after it, which can cost no privacy, is in doubles.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stirred.mechanisms.fast.inversion import Floors, inverted
from stirred.mechanisms.fast.random_words import random_words
from stirred.spec.arguments import Exact, InputError, positive
from stirred.spec.laws.discrete_gaussian import cumulative_floors
from stirred.spec.laws.discrete_laplace import laplace_floors

Counts = NDArray[np.int64]
Reals = NDArray[np.float64]


def counts_of_levels(counts: ArrayLike, parents: Sequence[ArrayLike]) -> list[Counts]:
    """The counts of every level, from the leaves up: each node has the sum of its children.

    Args:
        counts: by leaf and race.
        parents: for each level but the root's, from the leaves up, the parent of each node in 0, 1, …; of the
            last but one all are 0.
    """
    levels = [np.asarray(counts, dtype=np.int64)]
    for parent in parents:
        of_node = np.asarray(parent)
        if len(of_node) != len(levels[-1]):
            raise InputError(f"parents must be those of all {len(levels[-1])} nodes of a level; got {len(of_node)}")
        above = np.zeros((int(of_node.max()) + 1, levels[0].shape[1]), dtype=np.int64)
        np.add.at(above, of_node, levels[-1])
        levels.append(above)
    if len(levels[-1]) != 1:
        raise InputError(f"parents must end at one root; got {len(levels[-1])} nodes")
    return levels


def toydown(counts: ArrayLike, parents: Sequence[ArrayLike], *, epsilon: Exact, seed: int | None = None) -> Reals:
    """The counts of the leaves after noise of ε/levels at every level and consistency.

    Args:
        counts: by leaf and race.
        parents: as for `counts_of_levels`.
        epsilon: ε > 0, exact, of all measurements together, for data sets that differ by one person more.
        seed: an int ≥ 0 makes the run repeat; without it the randomness is cryptographic.

    Source: swapping study, section 4.1.
    """
    return _released(counts, parents, positive("epsilon", epsilon), seed, lambda e, n: partial(laplace_floors, n / e))


def gaussian_toydown(counts: ArrayLike, parents: Sequence[ArrayLike], *, rho: Exact, seed: int | None = None) -> Reals:
    """The same with discrete Gaussian noise: Σ 1/(2σ²) over the levels is ρ, the zCDP budget for one person more."""
    return _released(
        counts, parents, positive("rho", rho), seed, lambda r, n: partial(cumulative_floors, Fraction(n) / (2 * r))
    )


def _released(
    counts: ArrayLike,
    parents: Sequence[ArrayLike],
    budget: Fraction,
    seed: int | None,
    noise: Callable[[Fraction, int], Floors],
) -> Reals:
    levels, words = counts_of_levels(counts, parents), random_words(seed)
    floors = noise(budget, len(levels))
    noisy = [level + inverted(floors, words(level.size), words).reshape(level.shape) for level in levels]
    return adjusted(noisy, parents)


def adjusted(noisy: Sequence[Counts], parents: Sequence[ArrayLike]) -> Reals:
    """The leaves' counts, non-negative and consistent, nearest in squares to the noisy ones from the top down."""
    above: Reals = np.maximum(noisy[-1], 0).astype(np.float64)
    for level, parent in zip(reversed(noisy[:-1]), reversed(parents), strict=True):
        of_node = np.asarray(parent)
        columns = (nearest_with_sums(column, of_node, sums) for column, sums in zip(level.T, above.T, strict=True))
        above = np.column_stack(list(columns))
    return above


def nearest_with_sums(wanted: ArrayLike, group: ArrayLike, sums: ArrayLike) -> Reals:
    """In each group the non-negative numbers with the given sum that are nearest in squares to those wanted.

    Args:
        group: the group of each, in 0, 1, …; none is empty.
        sums: the sum ≥ 0 of each group.
    """
    numbers, groups, totals = np.asarray(wanted), np.asarray(group), np.asarray(sums)
    order = np.lexsort((-numbers, groups))
    ordered, of_group = numbers[order], groups[order]
    starts = np.searchsorted(of_group, np.arange(len(totals)))
    running = np.cumsum(ordered)
    before = np.concatenate(([0], running))[starts]
    place = np.arange(len(ordered)) - starts[of_group] + 1
    shift = (running - before[of_group] - totals[of_group]) / place
    positive = np.where((ordered > shift) | (place == 1), place, 0)
    last = np.maximum.reduceat(positive, starts)
    shifts = shift[starts + last - 1]
    nearest: Reals = np.maximum(numbers - shifts[groups], 0)
    return nearest

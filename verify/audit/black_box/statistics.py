"""Numbers that an event may be about: an entry of an output, a sum, how fine an entry is, a likelihood ratio."""

import warnings
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stirred.verify.audit.black_box.outputs import SeenOutput

_MOST_ENTRIES = 16
_BINS = 32
_TAILS = (10, 100, 1_000, 10_000)
_FEWEST = 20
"""Draws in the tail beyond the outermost edges of bins."""


class Statistic(ABC):
    """A number that every output has, or None where it has none."""

    @abstractmethod
    def __call__(self, output: SeenOutput) -> Any:
        """The number."""

    @abstractmethod
    def __str__(self) -> str:
        """What it is, in words."""


@dataclass(frozen=True)
class _Entry(Statistic):
    place: int

    def __call__(self, output: SeenOutput) -> Any:
        numbers = output.numbers
        return numbers[self.place] if -len(numbers) <= self.place < len(numbers) else None

    def __str__(self) -> str:
        return "the last number" if self.place < 0 else f"number {self.place}"


class _Sum(Statistic):
    def __call__(self, output: SeenOutput) -> Any:
        return sum(output.numbers)

    def __str__(self) -> str:
        return "the sum"


class _Largest(Statistic):
    def __call__(self, output: SeenOutput) -> Any:
        return max(output.numbers, default=None)

    def __str__(self) -> str:
        return "the largest number"


class _Smallest(Statistic):
    def __call__(self, output: SeenOutput) -> Any:
        return min(output.numbers, default=None)

    def __str__(self) -> str:
        return "the smallest number"


@dataclass(frozen=True)
class _Grain(Statistic):
    """The exponent of the last binary digit of an entry: of 1 + noise it is seldom as low as of noise alone.

    Source: Mironov (2012).
    """

    place: int

    def __call__(self, output: SeenOutput) -> Any:
        number = _Entry(self.place)(output)
        if not isinstance(number, float):
            return None
        above, below = number.as_integer_ratio()
        return (above & -above).bit_length() - 1 if below == 1 else 1 - below.bit_length()

    def __str__(self) -> str:
        return f"the place of the last binary digit of number {self.place}"


@dataclass(frozen=True)
class _Odds(Statistic):
    """The sum of the log likelihood ratios of all entries, as if they were independent given the data set."""

    edges: tuple[tuple[Any, ...], ...]
    tables: tuple[tuple[Any, ...], ...]

    def __call__(self, output: SeenOutput) -> Any:
        numbers = output.numbers
        found = 0
        for place, (edges, table) in enumerate(zip(self.edges, self.tables, strict=True)):
            found += table[bisect_right(edges, numbers[place]) if place < len(numbers) else -1]
        return found

    def __str__(self) -> str:
        return "the log likelihood ratio of all numbers"


@dataclass(frozen=True)
class _Logistic(Statistic):
    weights: tuple[Any, ...]

    def __call__(self, output: SeenOutput) -> Any:
        return sum(weight * number for weight, number in zip(self.weights, output.numbers, strict=False))

    def __str__(self) -> str:
        return "the score of a logistic regression on all numbers"


def bins_of(numbers: Sequence[Any]) -> tuple[Any, ...]:
    """Edges between about 32 bins of equally many numbers, with some in the tails; fewer where numbers repeat.

    >>> bins_of([0, 0, 1, 1])
    (0.5,)
    """
    values = np.unique(np.asarray(numbers, dtype=np.float64))
    if len(values) <= _BINS:
        return tuple(((values[1:] + values[:-1]) / 2).tolist())
    tails = [1 / (_BINS * times) for times in _TAILS if len(numbers) > _FEWEST * _BINS * times]
    levels = sorted([*tails, *(np.arange(1, _BINS) / _BINS).tolist(), *(1 - level for level in tails)])
    return tuple(np.unique(np.quantile(np.asarray(numbers, dtype=np.float64), levels)).tolist())


def statistics(first: Sequence[SeenOutput], second: Sequence[SeenOutput]) -> Iterator[Statistic]:
    """The statistics that may tell two lists of outputs apart, fitted to them."""
    both = [*first, *second]
    most = max((len(output.numbers) for output in both), default=0)
    if not most:
        return
    yield from (_Entry(place) for place in range(min(most, _MOST_ENTRIES)))
    if any(isinstance(output.numbers[0], float) for output in both if output.numbers):
        yield _Grain(0)
    if most == 1:
        return
    yield _Entry(-1)
    yield _Sum()
    yield _Largest()
    yield _Smallest()
    yield _odds(first, second, most)
    if all(len(output.numbers) == most for output in both):
        yield from _logistic(first, second)


def _odds(first: Sequence[SeenOutput], second: Sequence[SeenOutput], most: int) -> _Odds:
    edges, tables = [], []
    for place in range(most):
        columns = [[one.numbers[place] for one in side if place < len(one.numbers)] for side in (first, second)]
        ends = bins_of([*columns[0], *columns[1]])
        counts = [
            np.append(np.bincount(np.searchsorted(ends, column, side="right"), minlength=len(ends) + 1), absent)
            for column, absent in zip(
                columns, (len(first) - len(columns[0]), len(second) - len(columns[1])), strict=True
            )
        ]
        shares = [(2 * count + 1) / (2 * count + 1).sum() for count in counts]
        edges.append(ends)
        tables.append(tuple(np.log(shares[0] / shares[1]).tolist()))
    return _Odds(tuple(edges), tuple(tables))


def _logistic(first: Sequence[SeenOutput], second: Sequence[SeenOutput]) -> Iterator[_Logistic]:
    """The score of scikit-learn's logistic regression, where that is installed."""
    try:
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 slow to load, and optional
    except ImportError:
        return
    table = np.array([output.numbers for output in (*first, *second)], dtype=np.float64)
    scale = table.std(axis=0)
    scale[scale == 0] = 1
    if not np.isfinite(scale).all():
        return
    label = np.repeat([1, 0], [len(first), len(second)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence, and of its own dependencies
        fitted = LogisticRegression(max_iter=1_000).fit((table - table.mean(axis=0)) / scale, label)
    yield _Logistic(tuple((fitted.coef_[0] / scale).tolist()))

"""Learning an event that is likely under one data set and unlikely under another, from draws of both.

Outputs are put into cells: their values where those are few, else the bins of a statistic, which is a number that
every output has, such as its sum or a likelihood ratio. One half of the draws
gives the cells and orders them by their likelihood ratio, the other half chooses how many of them make the event.
Whatever is chosen here is tested on fresh draws: a bad choice loses power, and no more.
"""

import warnings
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from stirred.spec.arguments import shown
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


Objective = Callable[[Any, Any], Any]
"""What an event is worth with at least p under the one data set and at most q under the other, for arrays of both."""

_FEW_VALUES = 64
_SHOWN = 6


class EventCells(ABC):
    """A way to put outputs into cells."""

    @abstractmethod
    def of(self, output: SeenOutput) -> Hashable:
        """The cell of an output."""

    def thresholds(self, cells: Iterable[Any]) -> tuple[Sequence[Hashable], ...]:  # noqa: ARG002
        """Orders of cells besides that of their likelihood ratios, which few draws disturb."""
        return ()

    @abstractmethod
    def shown(self, cells: frozenset[Hashable]) -> str:
        """Some of the cells, in words."""


def _listed(cells: frozenset[Hashable]) -> str:
    """The first few of some cells, and how many there are."""
    texts = sorted(map(repr, cells))
    more = f", … ({len(texts)} in all)" if len(texts) > _SHOWN else ""
    return f"{' or '.join(texts[:_SHOWN])}{more}"


class _Values(EventCells):
    def of(self, output: SeenOutput) -> Hashable:
        value: Hashable = output.value
        return value

    def shown(self, cells: frozenset[Hashable]) -> str:
        return f"the output is {_listed(cells)}"


class _Shapes(EventCells):
    """How outputs are nested, how long they are, and their texts, whatever their numbers."""

    def of(self, output: SeenOutput) -> Hashable:
        shape: Hashable = output.shape
        return shape

    def shown(self, cells: frozenset[Hashable]) -> str:
        return f"the output has the shape {_listed(cells)}"


@dataclass(frozen=True)
class _Bins(EventCells):
    """Bins of a statistic, for each shape that outputs have."""

    statistic: Statistic
    edges: tuple[Any, ...]

    def of(self, output: SeenOutput) -> tuple[Any, int]:
        number = self.statistic(output)
        return output.shape, -1 if number is None else bisect_right(self.edges, number)

    def thresholds(self, cells: Iterable[Any]) -> tuple[Sequence[Hashable], ...]:
        """By the statistic, from below and from above."""
        rising = sorted(cells, key=lambda cell: (cell[1], repr(cell[0])))
        return rising, rising[::-1]

    def shown(self, cells: frozenset[Any]) -> str:
        shapes = list({shape for shape, _ in cells})
        more = "" if shapes == ["#"] else f", in {len(shapes)} shapes" if shapes[1:] else f", shape {shown(shapes[0])}"
        return f"{self.statistic} is in {_intervals(self.edges, sorted({place for _, place in cells}))}{more}"


@dataclass(frozen=True)
class _Pairs(EventCells):
    first: _Bins
    second: _Bins

    def of(self, output: SeenOutput) -> tuple[Any, int, int]:
        return (*self.first.of(output), self.second.of(output)[1])

    def shown(self, cells: frozenset[Any]) -> str:
        sides = [frozenset((shape, places[side]) for shape, *places in cells) for side in (0, 1)]
        return f"{self.first.shown(sides[0])}, and {self.second.shown(sides[1])}, in {len(cells)} combinations"


def _intervals(edges: Sequence[Any], places: Sequence[int]) -> str:
    parts: list[list[int]] = []
    for place in places:
        if parts and parts[-1][1] == place - 1 and place > 0:
            parts[-1][1] = place
        else:
            parts.append([place, place])
    shown = []
    for low, high in parts[:_SHOWN]:
        if high < 0:
            shown.append("nothing")
            continue
        start = "(-oo" if low == 0 else f"[{edges[low - 1]:.6g}"
        shown.append(f"{start}, {'oo' if high == len(edges) else f'{edges[high]:.6g}'})")
    return " or ".join(shown) + (", …" if len(parts) > _SHOWN else "")


@dataclass(frozen=True)
class Event:
    """A set of outputs: some cells.

    Attributes:
        cells: how outputs are put into cells.
        chosen: the cells of the event.
    """

    cells: EventCells
    chosen: frozenset[Hashable]

    def __contains__(self, output: SeenOutput) -> bool:
        return self.cells.of(output) in self.chosen

    def __str__(self) -> str:
        return self.cells.shown(self.chosen)


def learned_event(
    first: Sequence[SeenOutput], second: Sequence[SeenOutput], objective: Objective, *, certainty: Any = 3
) -> tuple[tuple[int, Any], Event] | None:
    """The event that is worth most, with its rank: how certain it is to be worth something, and how much.

    None where there are too few draws for any event.

    Args:
        first: draws under the data set under which the event is to be likely.
        second: draws under the other one.
        objective: what an event is worth, above 0 where it tells the two apart.
        certainty: standard errors of the bounds by which events are compared.
    """
    halves = [(side[: len(side) // 2], side[len(side) // 2 :]) for side in (first, second)]
    (fit, judge), (fit_other, judge_other) = halves
    best: tuple[tuple[int, Any], Event] | None = None
    for cells in _all_cells(fit, fit_other):
        found = _best_prefix(cells, (fit, fit_other), (judge, judge_other), partial(_worth, objective, certainty))
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best


def _all_cells(first: Sequence[SeenOutput], second: Sequence[SeenOutput]) -> Iterator[EventCells]:
    """The ways to put outputs into cells that are tried, fitted to draws."""
    both = [*first, *second]
    values = len({output.value for output in both})
    if values <= max(_FEW_VALUES, len(both) // 20):
        yield _Values()
    if values <= _FEW_VALUES:
        return
    if len({output.shape for output in both}) > 1:
        yield _Shapes()
    bins = []
    for statistic in statistics(first, second):
        numbers = [number for output in both if (number := statistic(output)) is not None]
        if numbers:
            bins.append(_Bins(statistic, bins_of(numbers)))
    yield from bins
    grains = [one for one in bins if "binary digit" in str(one.statistic)]
    yield from (_Pairs(grain, bins[0]) for grain in grains)


def _best_prefix(
    cells: EventCells,
    fit: tuple[Sequence[SeenOutput], Sequence[SeenOutput]],
    judge: tuple[Sequence[SeenOutput], Sequence[SeenOutput]],
    worth_of: Callable[[Any, Any], tuple[int, Any]],
) -> tuple[tuple[int, Any], Event] | None:
    """The first cells in the order of their likelihood ratios, or of a statistic: as many as are worth most."""
    counts = [Counter(map(cells.of, side)) for side in fit]
    judged = [Counter(map(cells.of, side)) for side in judge]
    order = sorted(counts[0], key=lambda cell: (-(2 * counts[0][cell] + 1) / (2 * counts[1][cell] + 1), repr(cell)))
    if not order or not all(judge):
        return None
    best: tuple[tuple[int, Any], Event] | None = None
    for one in (order, *cells.thresholds(counts[0])):
        level, worth = worth_of(
            *(
                (np.cumsum([inside[cell] for cell in one]), len(side))
                for inside, side in zip(judged, judge, strict=True)
            )
        )
        place = int(np.argmax(worth))
        if best is None or (level, worth[place]) > best[0]:
            best = (level, worth[place]), Event(cells, frozenset(one[: place + 1]))
    return best


def _worth(objective: Objective, certainty: Any, first: tuple[Any, int], second: tuple[Any, int]) -> tuple[int, Any]:
    """What events are worth by their counts; where none is worth anything for certain, how significant they are."""
    worth = objective(_bound(*first, -certainty), _bound(*second, certainty))
    if (worth > 0).any():
        return 1, worth
    (inside, size), (inside_other, size_other) = first, second
    share = (inside + inside_other + 1) / (size + size_other + 2)
    return 0, (inside / size - inside_other / size_other) / np.sqrt(share * (1 - share) * (1 / size + 1 / size_other))


def _bound(counts: Any, size: int, errors: Any) -> Any:
    """Wilson's bound of a rate, so many standard errors away."""
    square = errors * errors
    spread = np.sqrt(counts * (size - counts) / size + square / 4)
    return (counts + square / 2 + errors * spread) / (size + square)

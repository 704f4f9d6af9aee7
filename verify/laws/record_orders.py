"""The orders in which two processes meet the data sets, and other orders of the records of one data set.

A program that only moves what records say has images of its law on records that all differ. What it draws does not
depend on the values that it moves, so that it is followed once for each way in which records share strata, on records
of which no two say the same. Each output there is a permutation of the records; on other records the outputs of several
permutations are one, whose probabilities are added up. Outputs come in the order in which following the program on all
records would meet them.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord, saturated_table
from stirred.spec.laws.law import Law, Probability

_ALL_ORDERS = 24
"""Data sets with at most so many distinct orders are tried in all of them, others in so many."""


def rotated(points: Sequence[Any]) -> list[Any]:
    """The data sets in an order in which none stands where it stood: code that counts its calls is told apart."""
    middle = (len(points) + 1) // 2
    return [*points[middle:], *points[:middle]]


def rotated_back(points: Sequence[Any]) -> list[Any]:
    """What is in the order of `rotated`, in the order of the data sets again.

    >>> rotated_back(rotated([0, 1, 2]))
    [0, 1, 2]
    """
    middle = len(points) // 2
    return [*points[middle:], *points[:middle]]


def arrangements(point: Any) -> Iterator[Any]:
    """Other orders of a data set's records: all of them where there are few, else telling ones and a random sample."""
    if not isinstance(point, tuple) or len(set(point)) < 2:
        return
    seen = {point}
    candidates = _all_orders(point) if _count_orders(point) <= _ALL_ORDERS else _some_orders(point)
    for other in candidates:
        if other not in seen:
            seen.add(other)
            yield other


def _count_orders(point: tuple[Any, ...]) -> int:
    return math.factorial(len(point)) // math.prod(map(math.factorial, Counter(point).values()))


def _all_orders(point: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if not point:
        yield ()
    for record in reversed(dict.fromkeys(point)):
        place = point.index(record)
        yield from ((record, *rest) for rest in _all_orders(point[:place] + point[place + 1 :]))


def _some_orders(point: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The reverse, every exchange of neighbours, every rotation, then random orders."""
    yield point[::-1]
    places = range(len(point) - 1)
    yield from ((*point[:i], point[i + 1], point[i], *point[i + 2 :]) for i in places)
    yield from (point[i + 1 :] + point[: i + 1] for i in places)
    generator = random.Random(len(point))  # noqa: S311 a fixed sample, the same in every run
    for _ in range(_ALL_ORDERS):
        yield tuple(generator.sample(point, len(point)))


def other_orders(points: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """The other orders of every data set, with its place: the first of each, then the second of each, and so on."""
    waiting = [(place, islice(arrangements(point), _ALL_ORDERS)) for place, point in enumerate(points)]
    while waiting:
        still = []
        for place, others in waiting:
            if (other := next(others, None)) is not None:
                yield place, other
                still.append((place, others))
        waiting = still


def orders_text(points: Sequence[Any], tried: Counter[int], extras: int) -> str:
    """What was tried and what is assumed, in words for the scope.

    Args:
        points: the data sets.
        tried: in how many other orders, by the place of the data set.
        extras: how many other orders there are to be tried in all.
    """
    assumed = "one call in a fresh process, if all of its randomness comes from its source"
    if not extras:
        return assumed
    possible = [(place, _count_orders(point) - 1) for place, point in enumerate(points) if isinstance(point, tuple)]
    if all(tried[place] == count for place, count in possible):
        return f"each data set in all orders of its records; {assumed}"
    least = min(tried[place] + 1 for place, count in possible if tried[place] < count)
    return f"each data set in all orders of its records, or in {least} or more of them; {assumed}"


@dataclass(frozen=True)
class _Moves:
    """What a program does to records that all differ.

    Attributes:
        orders: for each output, whose swapping value each record gets.
        masses: the distinct probabilities of outputs.
        of: for each output, which of them is its own.
    """

    orders: npt.NDArray[np.int64]
    masses: tuple[Probability, ...]
    of: npt.NDArray[np.int64]


class MovedRecords:
    """The laws of one program that swaps, on sequences of records (m, h, s).

    Args:
        program: of a sequence of records and a source; its output is their `saturated_table` when it has moved the s.
        choices: how many it may make on one sequence.
        texts: of outputs.
    """

    def __init__(
        self,
        program: Callable[[Sequence[SwapRecord], Source], Any],
        choices: int,
        texts: Callable[[Any], str],
    ) -> None:
        self._program, self._choices, self._texts = program, choices, texts
        self._moves: dict[tuple[int, ...], _Moves] = {}
        self._sums: dict[tuple[int, tuple[int, ...]], Probability] = {}

    def law(self, records: Sequence[SwapRecord]) -> Law[str]:
        """The law of the output's text on some records.

        Raises:
            InputError: the program makes too many choices on records that share strata so.
        """
        moves = self._of(_numbered([matching for matching, _, _ in records]))
        held = _numbered([(matching, holding) for matching, holding, _ in records])
        swapped = _numbered([swapping for _, _, swapping in records])
        width = 1 + max(swapped, default=0)
        kinds = np.sort(np.array(held) * width + np.array(swapped)[moves.orders], axis=1)
        _, first, output = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
        counts = np.zeros((len(first), len(moves.masses)), dtype=np.int64)
        np.add.at(counts, (output.ravel(), moves.of), 1)
        return Law(
            {
                self._text(records, moves.orders[first[place]].tolist()): self._sum(moves, counts[place].tolist())
                for place in np.argsort(first).tolist()
            }
        )

    def _of(self, strata: tuple[int, ...]) -> _Moves:
        """What the program does to records in these strata."""
        if strata not in self._moves:
            labelled = tuple((stratum, place, place) for place, stratum in enumerate(strata))
            law = tree_law(follow(partial(self._program, labelled), ChoiceBudget(self._choices), _as_it_is))
            masses = {mass: number for number, mass in enumerate(dict.fromkeys(law.probabilities))}
            orders = [[moved for (_, _, moved), _ in sorted(output, key=_holding)] for output in law]
            of = [masses[law[output]] for output in law]
            self._moves[strata] = _Moves(np.array(orders, dtype=np.int64), tuple(masses), np.array(of, dtype=np.int64))
        return self._moves[strata]

    def _text(self, records: Sequence[SwapRecord], order: Sequence[int]) -> str:
        moved = [
            (matching, holding, records[other][2]) for (matching, holding, _), other in zip(records, order, strict=True)
        ]
        return self._texts(saturated_table(moved))

    def _sum(self, moves: _Moves, counts: Sequence[int]) -> Probability:
        """The probability of so many outputs of each mass; equal ones are one object."""
        key = id(moves), tuple(counts)
        if key not in self._sums:
            self._sums[key] = sum((n * mass for n, mass in zip(counts, moves.masses, strict=True) if n), Fraction(0))
        return self._sums[key]


def _numbered(values: Sequence[Hashable]) -> tuple[int, ...]:
    """The values by number, in the order in which they are met."""
    numbers: dict[Hashable, int] = {}
    return tuple([numbers.setdefault(value, len(numbers)) for value in values])


def _holding(cell: tuple[SwapRecord, int]) -> Any:
    (_, holding, _), _ = cell
    return holding


def _as_it_is(output: Any) -> Any:
    return output

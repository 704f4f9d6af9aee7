"""The orders in which two processes meet the data sets, and other orders of the records of one data set."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

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
    assumed = "assumes a fresh process per call and no randomness other than `source`"
    if not extras:
        return assumed
    possible = [(place, _count_orders(point) - 1) for place, point in enumerate(points) if isinstance(point, tuple)]
    if all(tried[place] == count for place, count in possible):
        return f"each data set in all orders of its records; {assumed}"
    least = min(tried[place] + 1 for place, count in possible if tried[place] < count)
    return f"each data set in all orders of its records, or in {least} or more of them; {assumed}"

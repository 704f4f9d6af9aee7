"""A whole number k that is uniform and not drawn: only what has been asked about it is known."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, NoReturn

from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError

# How several uniform draws of one range lie to each other: exact, with ties, as far as comparisons have told it.

Ranks = tuple[int, ...]
"""A weak order: the rank of each draw, equal for equal draws, with no rank left out."""


class DrawOrders:
    """The weak orders of draws that are left, for draws that are uniform on so many whole numbers and independent.

    A weak order with m ranks is that of C(n, m) of the n^d values of d draws.

    Args:
        size: n.
    """

    MOST = 6
    """Draws that may be compared with each other: 4,683 orders."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._places: dict[Hashable, int] = {}
        self._orders: list[Ranks] = [()]

    def place(self, draw: Hashable) -> int | None:
        """The place of a draw among those that are compared; None where they would be too many."""
        if draw not in self._places:
            if len(self._places) == self.MOST:
                return None
            self._places[draw] = len(self._places)
            self._orders = [longer for ranks in self._orders for longer in _with_one_more(ranks)]
        return self._places[draw]

    def split(
        self, one: int, other: int, compare: Callable[[Any, Any], bool]
    ) -> tuple[Fraction, Callable[[bool], None]]:
        """The probability that a comparison of the draws at two places holds, and what to call with the answer."""
        parts: dict[bool, list[Ranks]] = {True: [], False: []}
        for ranks in self._orders:
            parts[compare(ranks[one], ranks[other])].append(ranks)
        masses = {answer: sum(self._count(ranks) for ranks in part) for answer, part in parts.items()}

        def answered(answer: bool) -> None:
            self._orders = parts[answer]

        return Fraction(masses[True], masses[True] + masses[False]), answered

    def _count(self, ranks: Ranks) -> int:
        return comb(self._size, max(ranks) + 1)


def _with_one_more(ranks: Ranks) -> Iterator[Ranks]:
    """The weak orders of one draw more that leave the order of the others as it is.

    >>> list(_with_one_more((0,)))
    [(1, 0), (0, 0), (0, 1)]
    """
    count = max(ranks, default=-1) + 1
    for rank in range(count + 1):
        yield (*(other + (other >= rank) for other in ranks), rank)
        if rank < count:
            yield (*ranks, rank)


class GeneratorRun:
    """One run of a mechanism against a look-alike of its generator.

    Attributes:
        source: that it draws from.
        refused: what could not be followed; code can catch it and go another way.
        documented: methods whose documented laws were drawn from, in place of the algorithms; and "monotone" where a
            function that is not correctly rounded, such as log, was taken as monotone.
        raised: what the code raised at single draws, which are outcomes.
        orders: of draws that were compared with each other, by their least and greatest value.
        is_undrawn: whether a number was given that is not drawn, which an object stands for.
        has_doubles: whether a double decided a draw, which real numbers would decide a little otherwise.
        is_unbounded: whether one of them is unbounded; `isinstance` tells it from an integer.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.refused: list[InputError] = []
        self.documented: set[str] = set()
        self.raised: list[Exception] = []
        self.orders: dict[tuple[int, int], DrawOrders] = {}
        self.is_undrawn = self.is_unbounded = self.has_doubles = False

    def refuse(self, sentence: str) -> NoReturn:
        """Raise what cannot be followed, and remember it.

        Raises:
            InputError: always.
        """
        self.refused.append(InputError(sentence))
        raise self.refused[-1]

    def fail(self, error: Exception) -> NoReturn:
        """Raise what the code raises at the present draw, and remember it.

        Raises:
            Exception: always.
        """
        self.raised.append(error)
        raise error


class GridDraw:
    """k, uniform on low, …, high: narrowed by each question that is answered.

    Attributes:
        low: the least k that is possible.
        high: the greatest one.
        run: that it belongs to.
    """

    __slots__ = ("_is_ordered", "high", "low", "run")

    def __init__(self, run: GeneratorRun, low: int, high: int) -> None:
        self.run = run
        self.run.is_undrawn = True
        self.low = low
        self.high = high
        self._is_ordered = False

    @property
    def is_known(self) -> bool:
        """Whether one k is left."""
        return self.low == self.high

    def reaches(self, cut: int) -> bool:
        """Whether k ≥ cut: one choice, where both answers are possible."""
        if cut <= self.low:
            return True
        if cut > self.high:
            return False
        self._check_unordered()
        reached = self.run.source.bernoulli(_share(self.high - cut + 1, self.high - self.low + 1))
        if reached:
            self.low = cut
        else:
            self.high = cut - 1
        return reached

    def placed(self, firsts: Sequence[int]) -> int:
        """In which of the parts that begin at these k it lies, the first at `low`: one choice."""
        if len(firsts) == 1:
            return 0
        self._check_unordered()
        ends = (*firsts[1:], self.high + 1)
        place = self.run.source.choose(_shares(tuple(firsts), self.high + 1))
        self.low, self.high = firsts[place], ends[place] - 1
        return place

    def _check_unordered(self) -> None:
        if self._is_ordered:
            self.run.refuse("a draw that was compared with another draw is asked for more, which is not followed")

    def compared(self, other: GridDraw, compare: Callable[[Any, Any], bool]) -> bool:
        """The answer to a comparison with another draw of the same range: one choice."""
        orders = self.run.orders.setdefault((self.low, self.high), DrawOrders(self.high - self.low + 1))
        place, second = orders.place(self), orders.place(other)
        if (other.low, other.high) != (self.low, self.high) or place is None or second is None:
            self.run.refuse(f"draws of one range alone, and at most {DrawOrders.MOST}, are compared with each other")
        self._is_ordered = other._is_ordered = True
        share, answered = orders.split(place, second, compare)
        answer = share == 1 or (share > 0 and self.run.source.bernoulli(share))
        answered(answer)
        return answer


@lru_cache(maxsize=65536)
def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole)


@lru_cache(maxsize=1024)
def _shares(firsts: tuple[int, ...], end: int) -> tuple[Fraction, ...]:
    ends = (*firsts[1:], end)
    return tuple(Fraction(after - first, end - firsts[0]) for first, after in zip(firsts, ends, strict=True))

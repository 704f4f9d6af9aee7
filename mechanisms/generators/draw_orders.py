"""How several uniform draws of one range lie to each other: exact, with ties, as far as comparisons have told it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from math import comb
from typing import Any

__all__ = ["DrawOrders"]

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

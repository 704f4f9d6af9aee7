"""Data sets one step of a neighbour relation away, listed rather than searched for.

A universe is complete for a relation where every two of its data sets that steps of the relation join at all are joined
inside it by as few steps as anywhere: then the relation's metric is a path metric on it. The conditions here are
counts, which can be tested in one pass.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import comb, prod
from typing import Any

DataSet = tuple[Any, ...]


class Neighbors(Enum):
    """Which single change makes two data sets neighbours."""

    REPLACE_ONE = "bounded: one record is replaced"
    ADD_REMOVE = "unbounded: one record is added or removed"


class Order(Enum):
    """Whether the order of records matters."""

    UNORDERED = "multisets"
    ORDERED = "tuples"


@dataclass(frozen=True)
class Relation:
    """One of the four neighbour relations: r_bs, r_bv, r_us, r_uv.

    Source: dissertation, (A.2).
    """

    neighbors: Neighbors
    order: Order

    def key(self, data: DataSet) -> Hashable:
        """What of a data set the relation sees: its records in order, or how often each occurs."""
        return data if self.order is Order.ORDERED else frozenset(Counter(data).items())

    def steps(self, data: DataSet, records: Sequence[Hashable]) -> Iterator[DataSet]:
        """The neighbours of a data set that have these records besides its own; one may come several times.

        >>> sorted(set(Relation(Neighbors.REPLACE_ONE, Order.ORDERED).steps((0, 1), (0, 1))))
        [(0, 0), (1, 1)]
        """
        places = range(len(data)) if self.order is Order.ORDERED else _first_places(data)
        if self.neighbors is Neighbors.REPLACE_ONE:
            for place in places:
                before, after = data[:place], data[place + 1 :]
                for record in records:
                    if record != data[place]:
                        yield (*before, record, *after)
            return
        for place in places:
            yield data[:place] + data[place + 1 :]
        for place in range(len(data) + 1) if self.order is Order.ORDERED else (0,):
            before, after = data[:place], data[place:]
            for record in records:
                yield (*before, record, *after)

    def joined(self, points: Sequence[DataSet]) -> list[Sequence[DataSet]]:
        """The data sets by classes: some number of steps, through any data sets, joins those of one and no others."""
        return [points] if self.neighbors is Neighbors.ADD_REMOVE else list(_by_size(points).values())

    def is_complete(self, points: Sequence[DataSet]) -> bool:
        """Whether the data sets, of which no two are seen as one, are counted as all that a complete universe has.

        - replaced in order: for each length all combinations of the records that occur at each place, so that places
          are changed one after another;
        - replaced without order: for each size all multisets of the records that occur in that size, so that records
          are exchanged one after another;
        - added or removed: all data sets of the records that occur, of all sizes from one to a larger one; wherever a
          record is to be added and one to be removed, a size bounds one of the two at most.
        """
        if self.neighbors is Neighbors.REPLACE_ONE:
            return all(self._is_complete_size(size, group) for size, group in _by_size(points).items())
        records = {record for data in points for record in data}
        sizes = _by_size(points)
        least, most = min(sizes), max(sizes)
        full = [self._count(len(records), size) == len(sizes.get(size, ())) for size in range(least, most + 1)]
        return len(points) == 1 or (least < most and all(full))

    def _is_complete_size(self, size: int, group: Sequence[DataSet]) -> bool:
        if self.order is Order.ORDERED:
            return prod(len({data[place] for data in group}) for place in range(size)) == len(group)
        return self._count(len({record for data in group for record in data}), size) == len(group)

    def _count(self, records: int, size: int) -> int:
        if self.order is Order.ORDERED:
            return int(records**size)
        return comb(records + size - 1, size) if records else int(size == 0)


def _first_places(data: DataSet) -> Iterator[int]:
    """Where each distinct record stands first."""
    seen = set[Hashable]()
    for place, record in enumerate(data):
        if record not in seen:
            seen.add(record)
            yield place


def _by_size(points: Sequence[DataSet]) -> Mapping[int, Sequence[DataSet]]:
    groups: dict[int, list[DataSet]] = {}
    for data in points:
        groups.setdefault(len(data), []).append(data)
    return groups

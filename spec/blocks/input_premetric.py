"""Block 3, the input premetric d_𝒳: what is the granularity of protection?

A distance is a `Fraction` (or int) ≥ 0, or None, which stands for ∞. The data sets that one step of a neighbour
relation leads to are listed rather than searched for.

A universe is complete for a relation where every two of its data sets that steps of the relation join at all are joined
inside it by as few steps as anywhere: then the relation's metric is a path metric on it. The conditions here are
counts, which can be tested in one pass.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Any

from stirred.spec.arguments import Distance as Distance  # noqa: PLC0414 this block's own type
from stirred.spec.arguments import Exact, InputError, nonnegative
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.tables import table_distance

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


FiniteDistance = Exact
"""A distance in [0, ∞)."""

_WHOLE = tuple(Fraction(steps) for steps in range(64))
"""Small distances, made once: a domain has a distance for every two of its data sets."""


@dataclass(frozen=True)
class InputPremetric:
    """A function d: 𝒳 × 𝒳 → [0, ∞] with d(x, x) = 0; it need not be symmetric nor satisfy the triangle inequality.

    Attributes:
        name: the field's name, such as `hamming_unordered`.
        resolution: what one record is ("person", "household"): the same formula at another resolution is another
            premetric.
        relation: the neighbour relation whose pairs are those at distance 1, where it is one of the four.
        is_local: whether every other pair of distinct data sets is at distance ∞; else the distance of the relation's
            metric, the fewest steps between two data sets through any others.

    Source: dissertation, Definition 2.4.14 and section 2.4.4.
    """

    name: str
    resolution: str
    distance: Callable[[Any, Any], Distance]
    relation: Relation | None = None
    is_local: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.resolution, str) or not self.resolution:
            raise InputError(f"resolution must name what one record is, such as 'person'; got {self.resolution!r}")

    def __call__(self, first: Any, second: Any) -> Distance:
        """d(first, second); always 0 for equal points."""
        if first == second:
            return 0
        value = self.distance(first, second)
        if type(value) is int and 0 <= value < len(_WHOLE):
            return _WHOLE[value]
        return None if value is None else nonnegative("a distance", value)

    def is_symmetric_on(self, domain: FiniteDomain) -> bool:
        """Whether d(x, y) = d(y, x) all over a finite domain."""
        return all(self(x, y) == self(y, x) for x in domain for y in domain)

    def is_metric_on(self, domain: FiniteDomain) -> bool:
        """Whether d is a metric with values in [0, ∞] on a finite domain."""
        table = {(x, y): self(x, y) for x in domain for y in domain}
        for x in domain:
            for y in domain:
                if table[x, y] != table[y, x] or (x != y and table[x, y] == 0):
                    return False
                for z in domain:
                    direct, first, second = table[x, z], table[x, y], table[y, z]
                    if first is not None and second is not None and (direct is None or direct > first + second):
                        return False
        return True


def hamming_unordered(resolution: str) -> InputPremetric:
    """d_HamS: half the size of the symmetric multiset difference, ∞ between different numbers of records.

    Source: article, (5); dissertation, (A.3).

    >>> hamming_unordered("person")(("a", "a", "b"), ("a", "b", "c"))
    Fraction(1, 1)
    """

    def distance(first: Any, second: Any) -> Distance:
        if len(first) != len(second):
            return None
        return int((Counter(first) - Counter(second)).total())

    return InputPremetric("hamming_unordered", resolution, distance, Relation(Neighbors.REPLACE_ONE, Order.UNORDERED))


def hamming_ordered(resolution: str) -> InputPremetric:
    """d_Ham: the number of positions that differ, ∞ between different numbers of records.

    Source: dissertation, section A.4, A2.
    """

    def distance(first: Any, second: Any) -> Distance:
        if len(first) != len(second):
            return None
        return sum(int(a != b) for a, b in zip(first, second, strict=True))

    return InputPremetric("hamming_ordered", resolution, distance, Relation(Neighbors.REPLACE_ONE, Order.ORDERED))


def symmetric_difference(resolution: str) -> InputPremetric:
    """d_SymDiff: the size of the symmetric multiset difference.

    Source: dissertation, (A.4).
    """

    def distance(first: Any, second: Any) -> Distance:
        left, right = Counter(first), Counter(second)
        return (left - right).total() + (right - left).total()

    return InputPremetric("symmetric_difference", resolution, distance, Relation(Neighbors.ADD_REMOVE, Order.UNORDERED))


def deletion_distance(resolution: str) -> InputPremetric:
    """The fewest deletions that make two ordered data sets equal: |x| + |x'| − 2·(longest common subsequence).

    Source: dissertation, section A.4, B2.

    >>> deletion_distance("message")(("a", "b", "c"), ("b", "c", "d"))
    Fraction(2, 1)
    """

    def distance(first: Any, second: Any) -> Distance:
        row = [0] * (len(second) + 1)
        for a in first:
            previous = 0
            for column, b in enumerate(second, start=1):
                previous, row[column] = row[column], previous + 1 if a == b else max(row[column], row[column - 1])
        return len(first) + len(second) - 2 * row[-1]

    return InputPremetric("deletion_distance", resolution, distance, Relation(Neighbors.ADD_REMOVE, Order.ORDERED))


def stratified_hamming(resolution: str) -> InputPremetric:
    """d_HamS between data sets that are tuples of contingency tables, one for each stratum; ∞ where totals differ.

    Records of different strata are different records, so the total ℓ₁ distance of all tables is halved.

    Source: article, (5), (10) and Lemma 2.
    """

    def distance(first: Any, second: Any) -> Distance:
        if [[len(row) for row in table] for table in first] != [[len(row) for row in table] for table in second]:
            raise InputError(f"strata must have the same rows and columns to be compared; got {first!r} and {second!r}")
        excess = deficit = 0
        for table, other in zip(first, second, strict=True):
            for row, row_other in zip(table, other, strict=True):
                for a, b in zip(row, row_other, strict=True):
                    excess += max(0, a - b)
                    deficit += max(0, b - a)
        return excess if excess == deficit else None

    return InputPremetric("hamming_unordered", resolution, distance)


def neighbor_premetric(neighbors: Neighbors, order: Order, resolution: str) -> InputPremetric:
    """d_r of (A.2): 0 for equal data sets, 1 for neighbours, ∞ otherwise, for one of the four neighbour relations.

    Source: dissertation, (A.2) with the relations r_bs, r_bv, r_us, r_uv.

    >>> d = neighbor_premetric(Neighbors.ADD_REMOVE, Order.UNORDERED, "person")
    >>> d(("a",), ("a", "b")), d(("a",), ("b",)) is None
    (Fraction(1, 1), True)
    """
    sharpened = sharpening_of(neighbors, order, resolution)

    def distance(first: Any, second: Any) -> Distance:
        return 1 if sharpened(first, second) == 1 else None

    name = f"neighbors_{neighbors.name.lower()}_{order.name.lower()}"
    return InputPremetric(name, resolution, distance, Relation(neighbors, order), is_local=True)


def sharpening_of(neighbors: Neighbors, order: Order, resolution: str) -> InputPremetric:
    """The metric that the printed list A1–B2 names as the sharpening of a neighbour relation."""
    metrics = {
        (Neighbors.REPLACE_ONE, Order.UNORDERED): hamming_unordered,
        (Neighbors.REPLACE_ONE, Order.ORDERED): hamming_ordered,
        (Neighbors.ADD_REMOVE, Order.UNORDERED): symmetric_difference,
        (Neighbors.ADD_REMOVE, Order.ORDERED): deletion_distance,
    }
    return metrics[neighbors, order](resolution)


def explicit(
    distances: Mapping[tuple[Any, Any], Distance], resolution: str, *, name: str = "explicit"
) -> InputPremetric:
    """A premetric given as a table of ordered pairs; pairs that are not listed are at distance ∞."""
    table = dict(distances)
    return InputPremetric(name, resolution, lambda first, second: table.get((first, second)))


def sharpen(premetric: InputPremetric, domain: FiniteDomain) -> InputPremetric:
    """d*: the length of a shortest weighted directed path between two data sets *inside the domain*.

    Source: dissertation, Definition A.4.1.
    """
    paths = _Paths(premetric, domain.points)
    return InputPremetric(
        f"{premetric.name}*",
        premetric.resolution,
        lambda first, second: paths.lengths[domain.index(first)].get(domain.index(second)),
    )


@dataclass(frozen=True)
class _Paths:
    premetric: InputPremetric
    points: Sequence[Any]

    @cached_property
    def lengths(self) -> list[dict[int, Fraction]]:
        size = range(len(self.points))
        weights = [[self.premetric(self.points[i], self.points[j]) for j in size] for i in size]
        return [self._from(start, weights) for start in size]

    @staticmethod
    def _from(start: int, weights: list[list[Distance]]) -> dict[int, Fraction]:
        lengths: dict[int, Fraction] = {}
        queue: list[tuple[Fraction, int]] = [(Fraction(0), start)]
        while queue:
            length, here = heapq.heappop(queue)
            if here in lengths:
                continue
            lengths[here] = length
            for there, weight in enumerate(weights[here]):
                if weight is not None and there not in lengths:
                    heapq.heappush(queue, (length + weight, there))
        return lengths


def pull_back(
    premetric: InputPremetric, recording: Callable[[Any], Any], *, name: str, resolution: str
) -> InputPremetric:
    """d(φ(x), φ(x')): the premetric on what was observed, seen through a recording map φ (imputation, clipping, …)."""
    return InputPremetric(name, resolution, lambda first, second: premetric(recording(first), recording(second)))


def hamming_of_tables(resolution: str) -> InputPremetric:
    """d_HamS between two-way tables of counts, ∞ where totals differ."""
    return InputPremetric("hamming_unordered", resolution, table_distance)

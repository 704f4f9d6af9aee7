"""Block 3, the input premetric d_𝒳: what is the granularity of protection?

A distance is a `Fraction` (or int) ≥ 0, or None, which stands for ∞.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from stirred.spec.arguments import Distance, Exact, InputError, nonnegative
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.neighbor_steps import Neighbors, Order, Relation
from stirred.spec.blocks.tables import table_distance

__all__ = [
    "Distance",
    "FiniteDistance",
    "InputPremetric",
    "Neighbors",
    "Order",
    "deletion_distance",
    "explicit",
    "hamming_of_tables",
    "hamming_ordered",
    "hamming_unordered",
    "neighbor_premetric",
    "pull_back",
    "sharpen",
    "sharpening_of",
    "stratified_hamming",
    "symmetric_difference",
]

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

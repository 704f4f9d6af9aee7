"""The pairs of data sets of one universe that Equation (1) compares, and those of them that bound all the others.

A pair (x, x') is *between* where some z of the same universe has d(x, z) + d(z, x') ≤ d(x, x') with both parts above 0;
both are then smaller distances, so that every such pair is joined inside the universe by a path of pairs that are not
between, no longer than its distance. For an output premetric with the triangle inequality the pairs that are not
between bound all (`sharpening.matrix_closure`, with those pairs as the matrix); that d is a path metric on the universe
is never assumed: either every pair is tested, or the universe is counted to be complete for d's neighbour relation.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from math import lcm
from operator import itemgetter
from typing import Any

from stirred.spec.blocks.input_premetric import FiniteDistance, InputPremetric, Neighbors, Order, Relation
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.evidence.process_control.workload import part

CLOSURE = "sharpening.matrix_closure"
"""The theorem by which the pairs that are not between bound the others."""

Row = list[tuple[int, FiniteDistance]]
"""The data sets at a finite distance from one of them, by place, with the distances."""

_LARGEST = 2**62
_FEW = 64
"""Data sets whose distances are not counted in arrays."""

_MOST_CELLS = 8_000_000


class UniversePairs(ABC):
    """The pairs at a finite distance in one universe; data sets are known by their places."""

    def __init__(self, points: Sequence[Any], premetric: InputPremetric) -> None:
        self.points = points
        self.premetric = premetric

    @abstractmethod
    def row(self, place: int) -> Row:
        """All data sets at a finite distance from one."""

    @abstractmethod
    def bounding_row(self, place: int) -> Row:
        """Those that are not between: with the triangle inequality they bound all."""

    @property
    @abstractmethod
    def is_bounded_by_fewer(self) -> bool:
        """Whether some pairs are between."""

    @cached_property
    def bounding_count(self) -> int:
        """How many unordered pairs are not between, one way or the other."""
        rows = ({other for other, _ in self.bounding_row(place)} for place in range(len(self.points)))
        return sum(1 for _ in _unordered(list(rows)))

    @property
    @abstractmethod
    def least_between(self) -> FiniteDistance:
        """No pair that is between has a smaller distance; some pair is between."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many unordered pairs are at a finite distance, one way or the other."""

    @abstractmethod
    def unordered(self) -> Iterator[tuple[int, int]]:
        """Those pairs."""


def universe_pairs(points: Sequence[Any], premetric: InputPremetric) -> UniversePairs:
    """The pairs of a universe: listed by steps of d's neighbour relation where that gives them, else all measured."""
    relation = premetric.relation
    if relation is not None and points and all(isinstance(point, tuple) for point in points):
        places = {relation.key(point): place for place, point in enumerate(points)}
        if len(places) == len(points) and (premetric.is_local or relation.is_complete(points)):
            return _Stepped(points, premetric, relation, places)
    return _Measured(points, premetric)


def _measure(points: Sequence[Any], premetric: InputPremetric) -> Callable[[int], Row]:
    """What gives all data sets at a finite distance from one of them, by its place.

    The fewest steps of a relation are counted in arrays: positions that differ, or numbers of equal records.
    """
    relation, kinds = premetric.relation, dict[Any, int]()
    if relation is not None and not premetric.is_local and len(points) > _FEW and all(type(x) is tuple for x in points):
        kinds = {record: number for number, record in enumerate(dict.fromkeys(chain.from_iterable(points)))}
    is_ordered = relation is not None and relation.order is Order.ORDERED
    replaces = relation is not None and relation.neighbors is Neighbors.REPLACE_ONE
    width = max(map(len, points), default=0) if is_ordered else len(kinds)
    if not kinds or len(points) * width > _MOST_CELLS or (is_ordered and not replaces):

        def row(place: int) -> Row:
            distances = ((other, premetric(points[place], y)) for other, y in enumerate(points) if other != place)
            return [(other, d) for other, d in distances if d is not None]

        return row

    import numpy as np  # noqa: PLC0415 it takes longer to load than a small audit takes

    sizes, cells = np.array([*map(len, points)]), np.zeros((len(points), width), dtype=np.int32)
    for own, point in zip(cells, points, strict=True):
        numbers = [*map(kinds.__getitem__, point)]
        if is_ordered:
            own[: len(point)] = numbers
        else:
            np.add.at(own, numbers, 1)
    steps = [*map(Fraction, range(2 * int(sizes.max()) + 1))]

    def counted(place: int) -> Row:
        differ = cells != cells[place] if is_ordered else np.abs(cells - cells[place])
        distances = differ.sum(axis=1) // (2 if replaces and not is_ordered else 1)
        others = np.flatnonzero(sizes == sizes[place]) if replaces else np.arange(len(points))
        found = zip(others.tolist(), distances[others].tolist(), strict=True)
        return [(other, steps[d]) for other, d in found if other != place]

    return counted


class BlockPairs:
    """The pairs of every universe of some blocks, each universe listed once."""

    def __init__(self, blocks: InputBlocks) -> None:
        self.blocks = blocks
        self._found: dict[Universe, UniversePairs] = {}

    def pairs_in(self, universe: Universe) -> UniversePairs:
        if universe not in self._found:
            points = self.blocks.domain.ordered(universe)
            self._found[universe] = universe_pairs(points, self.blocks.input_premetric)
        return self._found[universe]

    def count(self) -> int:
        """How many pairs share a universe at a finite distance, one way or the other."""
        multiverse = self.blocks.multiverse
        pairs = [self.pairs_in(universe) for universe in multiverse]
        if multiverse.is_partition():
            return sum(one.count for one in pairs)
        return len({frozenset((one.points[x], one.points[y])) for one in pairs for x, y in one.unordered()})


class _Stepped(UniversePairs):
    """Listed by steps: of a local premetric all pairs, of a path metric on a complete universe those not between."""

    def __init__(
        self, points: Sequence[Any], premetric: InputPremetric, relation: Relation, places: dict[Any, int]
    ) -> None:
        super().__init__(points, premetric)
        self._relation = relation
        self._places = places
        self._records = list(dict.fromkeys(record for point in points for record in point))
        self._rows: dict[int, Row] = {}

    @cached_property
    def _measure(self) -> Callable[[int], Row]:
        return _measure(self.points, self.premetric)

    def row(self, place: int) -> Row:
        return self.bounding_row(place) if self.premetric.is_local else self._measure(place)

    def bounding_row(self, place: int) -> Row:
        if place not in self._rows:
            known = map(self._places.get, map(self._relation.key, self._steps(place)))
            others = {other for other in known if other is not None and other != place}
            self._rows[place] = [(other, Fraction(1)) for other in sorted(others)]
        return self._rows[place]

    def _steps(self, place: int) -> Iterator[Any]:
        return self._relation.steps(self.points[place], self._records)

    @cached_property
    def is_bounded_by_fewer(self) -> bool:
        return not self.premetric.is_local and self.count > self.bounding_count

    @property
    def least_between(self) -> FiniteDistance:
        return 2

    @cached_property
    def count(self) -> int:
        if self.premetric.is_local:
            return self.bounding_count
        return sum(len(one) * (len(one) - 1) // 2 for one in self._relation.joined(self.points))

    def unordered(self) -> Iterator[tuple[int, int]]:
        if self.premetric.is_local:
            return _unordered([{other for other, _ in self.bounding_row(at)} for at in range(len(self.points))])
        place = self._places
        key = self._relation.key
        classes = ([place[key(point)] for point in one] for one in self._relation.joined(self.points))
        return (pair for one in classes for pair in combinations(one, 2))


class _Measured(UniversePairs):
    """Every distance is computed."""

    def __init__(self, points: Sequence[Any], premetric: InputPremetric) -> None:
        super().__init__(points, premetric)
        self._rows: list[Row] = []
        measure = _measure(points, premetric)
        with part("distances", len(points)) as done:
            for place in range(len(points)):
                self._rows.append(measure(place))
                done.advance()

    def row(self, place: int) -> Row:
        return self._rows[place]

    def bounding_row(self, place: int) -> Row:
        return self._bounding[place]

    @cached_property
    def _bounding(self) -> list[Row]:
        table = self._table
        if table is None:
            return self._rows
        return [self._not_between(table, place) for place in range(len(self.points))]

    @cached_property
    def _table(self) -> Any:
        """The distances over one denominator; None where they are too large for machine integers."""
        import numpy as np  # noqa: PLC0415 it takes longer to load than a small audit takes

        values = [d for row in self._rows for _, d in row if d]
        scale = lcm(*{Fraction(d).denominator for d in values})
        infinite = int(max(values, default=0) * scale) * 2 + 1
        if 2 * infinite > _LARGEST:
            return None
        table = np.full((len(self.points),) * 2, infinite, dtype=np.int64)
        np.fill_diagonal(table, 0)
        for place, row in enumerate(self._rows):
            for other, d in row:
                table[place, other] = int(d * scale)
        return table

    def _not_between(self, table: Any, place: int) -> Row:
        """Of the nearest ones first, those that none of them before leads to."""
        own, row = table[place], self._rows[place]
        is_between = own < 0
        for other, d in sorted(row, key=itemgetter(1)):
            if d and not is_between[other]:
                onward = table[other]
                is_between |= (onward > 0) & (own[other] + onward <= own)
        return [(other, d) for other, d in row if not d or not is_between[other]]

    @cached_property
    def is_bounded_by_fewer(self) -> bool:
        return any(len(few) < len(row) for few, row in zip(self._bounding, self._rows, strict=True))

    @cached_property
    def least_between(self) -> FiniteDistance:
        kept = ({other for other, _ in row} for row in self._bounding)
        return min(d for few, row in zip(kept, self._rows, strict=True) for other, d in row if other not in few)

    @property
    def count(self) -> int:
        return sum(1 for _ in self.unordered())

    def unordered(self) -> Iterator[tuple[int, int]]:
        return _unordered([{other for other, _ in row} for row in self._rows])


def _unordered(rows: Sequence[set[int]]) -> Iterator[tuple[int, int]]:
    for place, row in enumerate(rows):
        for other in row:
            if place < other or place not in rows[other]:
                yield place, other

"""Pairs of laws, each compared once: equal laws are one, and pairs with the same likelihood ratios are one.

The likelihood ratio P/Q is a sufficient statistic of a pair of laws: merging the outcomes that share it is a
post-processing that another one undoes. A premetric that is immune to post-processing therefore has the same value on
the merged pair, which has few outcomes where a mechanism has many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import OutputPremetric
from stirred.spec.output_premetrics.base import Masses

Laws = Mapping[Any, Law[Any]]

_FEWEST_CELLS = 1_000
_MOST_CELLS = 30_000_000
_MOST_PAIRS = 1_000_000


@dataclass(eq=False)
class MergedPair:
    """Two laws P and Q that stand for all pairs with the same likelihood ratios, by integer masses."""

    masses: Masses
    measure: OutputPremetric

    @cached_property
    def distance(self) -> Any:
        """D(P, Q)."""
        return self.measure.distance_of(self.masses)

    @cached_property
    def laws(self) -> tuple[Law[int], Law[int]]:
        total = sum(first for first, _ in self.masses)
        p, q = (Law({t: Fraction(pair[side], total) for t, pair in enumerate(self.masses)}) for side in (0, 1))
        return p, q


class WholePair(MergedPair):
    """Two laws with all of their outcomes, for a premetric that tells outcomes apart."""

    def __init__(self, laws: tuple[Law[Any], Law[Any]], measure: OutputPremetric) -> None:
        super().__init__((), measure)
        self._given = laws

    @cached_property
    def distance(self) -> Any:
        return self.measure.distance(*self._given)

    @cached_property
    def laws(self) -> tuple[Law[Any], Law[Any]]:
        return self._given


class NumberedLaws:
    """The distinct laws of data sets by number, each with numbers for its probabilities.

    Attributes:
        numbers: of the law of each data set; equal laws have one.
        rows: of each law, the number of each outcome's probability.
        values: what probabilities the numbers stand for; 0 is the first.
    """

    def __init__(self, laws: Laws) -> None:
        by_value: dict[Fraction, int] = {}
        by_identity: dict[int, int] = {}  # no number is freed meanwhile: the laws hold them
        self.rows: list[dict[Any, int]] = []
        self.numbers: dict[Any, int] = {}
        places: dict[Any, int] = {}
        for point, law in laws.items():
            masses = law.values()
            new = set(map(id, masses)) - by_identity.keys()
            if new:
                for outcome, mass in law.items():
                    if id(mass) in new:
                        by_identity[id(mass)] = by_value.setdefault(law.numeric(outcome), len(by_value) + 1)
            row = dict(zip(law, map(by_identity.__getitem__, map(id, masses)), strict=True))
            place = places.setdefault(frozenset(row.items()), len(self.rows))
            if place == len(self.rows):
                self.rows.append(row)
            self.numbers[point] = place
        self.values = [Fraction(0), *by_value]
        self._firsts = {number: point for point, number in reversed(self.numbers.items())}
        self._laws = laws

    @cached_property
    def places(self) -> dict[Any, int]:
        """The outcomes of all laws, numbered from 0 in the order in which they are met."""
        return {outcome: place for place, outcome in enumerate(dict.fromkeys(chain.from_iterable(self.rows)))}

    @cached_property
    def matrix(self) -> Any:
        """The rows as one array: a row for each law, a column for each outcome, 0 where it has no probability."""
        import numpy as np  # noqa: PLC0415 it takes longer to load than a small audit takes

        found = np.zeros((len(self.rows), len(self.places)), dtype=np.min_scalar_type(len(self.values)))
        for row, law in zip(found, self.rows, strict=True):
            places = np.fromiter(map(self.places.__getitem__, law), dtype=np.int64, count=len(law))
            row[places] = np.fromiter(law.values(), dtype=found.dtype, count=len(law))
        return found

    def law(self, number: int) -> Law[Any]:
        return self._laws[self._firsts[number]]

    def row(self, point: Any) -> Mapping[Any, int]:
        """The numbers of the probabilities of a data set's law; equal probabilities have one, above 0."""
        return self.rows[self.numbers[point]]


class LawPairs:
    """The distances of pairs of laws under an output premetric, each computed once."""

    def __init__(self, laws: NumberedLaws, measure: OutputPremetric) -> None:
        self.measure = measure
        self._laws = laws
        self._values = [value.as_integer_ratio() for value in laws.values]
        self._shapes = _shapes(laws)
        self._by_numbers: dict[tuple[int, int], MergedPair] = {}
        self._by_shape: dict[Hashable, MergedPair] = {}
        self._by_masses: dict[Masses, MergedPair] = {}

    def pair(self, first: int, second: int) -> MergedPair:
        """The laws of two numbers with outcomes merged; for a symmetric premetric either one may come first."""
        key = (second, first) if self.measure.is_symmetric and second < first else (first, second)
        found = self._by_numbers.get(key)
        if found is None and not self.measure.is_immune_to_post_processing:
            found = self._by_numbers[key] = WholePair((self._laws.law(key[0]), self._laws.law(key[1])), self.measure)
        if found is None:
            shape = self._shapes.key(*key)
            found = self._by_shape.get(shape)
            if found is None:
                found = self._by_shape[shape] = self._merged(self._shapes.counts(*key))
            if len(self._by_numbers) < _MOST_PAIRS:
                self._by_numbers[key] = found
        return found

    def _merged(self, counts: Counter[tuple[int, int]]) -> MergedPair:
        values = self._values
        scale = lcm(*{values[number][1] for pair in counts for number in pair})
        sizes: dict[tuple[int, int], int] = {}
        for (a, b), times in counts.items():
            (top, bottom), (other_top, other_bottom) = values[a], values[b]
            first, second = top * (scale // bottom), other_top * (scale // other_bottom)
            common = gcd(first, second)
            ratio = first // common, second // common
            sizes[ratio] = sizes.get(ratio, 0) + times * common
        common = gcd(*sizes.values())
        masses = tuple(sorted((p * (size // common), q * (size // common)) for (p, q), size in sizes.items()))
        return self._by_masses.setdefault(masses, MergedPair(masses, self.measure))


def _shapes(laws: NumberedLaws) -> _Dense | _Sparse:
    """How often which two probabilities, by number, are those of one outcome under two laws."""
    cells = len(laws.rows) * len(laws.places)
    return _Dense(laws) if _FEWEST_CELLS < cells <= _MOST_CELLS else _Sparse(laws.rows)


class _Dense:
    """By one matrix, a row for each law and a column for each outcome."""

    def __init__(self, laws: NumberedLaws) -> None:
        import numpy as np  # noqa: PLC0415 it takes longer to load than a small audit takes

        self._numpy = np
        self._matrix = laws.matrix
        self._values = len(laws.values)
        self._kind = np.min_scalar_type(self._values**2)  # small numbers are sorted ten times as quickly

    def _codes(self, first: int, second: int) -> Any:
        return self._numpy.sort(self._matrix[first].astype(self._kind) * self._values + self._matrix[second])

    def key(self, first: int, second: int) -> Hashable:
        """Equal for pairs with the same counts."""
        return self._codes(first, second).tobytes()  # type: ignore[no-any-return]

    def counts(self, first: int, second: int) -> Counter[tuple[int, int]]:
        codes, times = self._numpy.unique(self._codes(first, second), return_counts=True)
        found = zip(codes.tolist(), times.tolist(), strict=True)
        return Counter({divmod(code, self._values): count for code, count in found if code})


class _Sparse:
    """By one dictionary for each law: laws on few of very many outcomes."""

    def __init__(self, rows: list[dict[Any, int]]) -> None:
        self._rows = rows

    def key(self, first: int, second: int) -> Hashable:
        return frozenset(self.counts(first, second).items())

    def counts(self, first: int, second: int) -> Counter[tuple[int, int]]:
        p, q = self._rows[first], self._rows[second]
        counts = Counter((number, q.get(outcome, 0)) for outcome, number in p.items())
        counts.update((0, number) for outcome, number in q.items() if outcome not in p)
        return counts

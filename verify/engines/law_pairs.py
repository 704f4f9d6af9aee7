"""Pairs of laws, each compared once: equal laws are one, and pairs with the same likelihood ratios are one.

The likelihood ratio P/Q is a sufficient statistic of a pair of laws: merging the outcomes that share it is a
post-processing that another one undoes. A premetric that is immune to post-processing therefore has the same value on
the merged pair, which has few outcomes where a mechanism has many.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from math import gcd, lcm
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import OutputPremetric
from stirred.spec.output_premetrics.base import Masses

Laws = Mapping[Any, Law[Any]]

_FEWEST_CELLS = 1_000
_MOST_CELLS = 30_000_000
_MOST_PAIRS = 1_000_000
_FULL = 8
"""Laws are rows of an array that has at most so many times as many cells as they have outcomes."""


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
        places: the outcomes of all laws, numbered from 0 in the order in which they are met.
        values: what probabilities the numbers stand for; 0 is the first.
    """

    def __init__(self, laws: Laws) -> None:
        by_value: dict[Fraction, int] = {}
        by_identity: dict[int, int] = {}  # no number is freed meanwhile: the laws hold them
        self.places: dict[Any, int] = {}
        for law in laws.values():
            new = set(map(id, law.values())) - by_identity.keys()
            if new:
                for outcome, mass in law.items():
                    if id(mass) in new:
                        by_identity[id(mass)] = by_value.setdefault(law.numeric(outcome), len(by_value) + 1)
            if not law.keys() <= self.places.keys():
                for outcome in law:
                    self.places.setdefault(outcome, len(self.places))
        self.values = [Fraction(0), *by_value]
        kind = next(code for code in "BHIQ" if len(self.values) < 256 ** array(code).itemsize)
        is_dense = len(laws) * len(self.places) <= _FULL * sum(map(len, laws.values()))
        rows: dict[bytes | frozenset[tuple[Any, int]], int] = {}
        self.numbers: dict[Any, int] = {}
        for point, law in laws.items():
            row = dict(zip(law, map(by_identity.__getitem__, map(id, law.values())), strict=True))
            key = array(kind, map(row.get, self.places, repeat(0))).tobytes() if is_dense else frozenset(row.items())
            self.numbers[point] = rows.setdefault(key, len(rows))
        self._kind, self._rows = kind, list(rows)
        self._firsts = {number: point for point, number in reversed(self.numbers.items())}
        self._laws = laws

    def __len__(self) -> int:
        """How many laws are distinct."""
        return len(self._rows)

    @cached_property
    def matrix(self) -> Any:
        """The laws as one array: a row for each, a column for each outcome, 0 where it has no probability."""
        import numpy as np  # noqa: PLC0415 it takes longer to load than a small audit takes

        found = np.zeros((len(self), len(self.places)), dtype=self._kind)
        for row, known in zip(found, self._rows, strict=True):
            if isinstance(known, bytes):
                row[:] = np.frombuffer(known, dtype=self._kind)
            else:
                for outcome, number in known:
                    row[self.places[outcome]] = number
        return found

    def law(self, number: int) -> Law[Any]:
        return self._laws[self._firsts[number]]

    def numbered(self, number: int) -> Mapping[Any, int]:
        """The numbers of the probabilities of a law; equal probabilities have one, above 0."""
        known = self._rows[number]
        if not isinstance(known, bytes):
            return dict(known)
        return {outcome: one for outcome, one in zip(self.places, array(self._kind, known), strict=True) if one}

    def row(self, point: Any) -> Mapping[Any, int]:
        """Those of a data set's law."""
        return self.numbered(self.numbers[point])


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
    cells = len(laws) * len(laws.places)
    return _Dense(laws) if _FEWEST_CELLS < cells <= _MOST_CELLS else _Sparse(laws)


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

    def __init__(self, laws: NumberedLaws) -> None:
        self._rows = [laws.numbered(number) for number in range(len(laws))]

    def key(self, first: int, second: int) -> Hashable:
        return frozenset(self.counts(first, second).items())

    def counts(self, first: int, second: int) -> Counter[tuple[int, int]]:
        p, q = self._rows[first], self._rows[second]
        counts = Counter((number, q.get(outcome, 0)) for outcome, number in p.items())
        counts.update((0, number) for outcome, number in q.items() if outcome not in p)
        return counts

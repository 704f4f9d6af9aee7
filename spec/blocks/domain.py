"""Block 1, the domain 𝒳: who is eligible for protection? Finite sets of data sets."""

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import comb
from typing import Any

from stirred.spec.arguments import InputError, integer
from stirred.spec.blocks.tables import Table, contingency_tables, count_tables

RECORD_DOMAINS = ("ordered data sets", "multisets of records")
"""The names of the domains of all data sets with some numbers of records, in order or not."""

MAX_DOMAIN_SIZE = 200_000
"""The largest domain that is listed; a larger one is refused with its size."""


class Form(Enum):
    """What a data set is made of."""

    ORDERED = "records in order, or anything else"
    UNORDERED = "records in no order: a data set stands for all of its orders"
    TABLES = "tables of counts, one for each stratum"


def _length(point: Any) -> int:
    return len(point) if isinstance(point, tuple) else 0


def _table_total(point: Any) -> int:
    return sum(cell for table in point for row in table for cell in row)


@dataclass(frozen=True, slots=True)
class FiniteDomain:
    """The domain 𝒳 as a finite sequence of distinct data sets, in the fixed order that reports follow.

    Attributes:
        points: the data sets (protection objects), hashable and distinct.
        name: what a data set is, in words.
        count_records: how many records a data set has; unless given, the length of a tuple, and 0 for other types.
        form: what a data set is made of.

    Raises:
        InputError: there is no point, a point is listed twice, or a point is not hashable.

    Source: dissertation, Definition 2.4.1, item 1.

    >>> len(FiniteDomain(("a", "b")))
    2
    """

    points: tuple[Any, ...]
    name: str = "data sets"
    count_records: Callable[[Any], int] = field(default=_length, repr=False, compare=False)
    form: Form = field(default=Form.ORDERED, repr=False, compare=False)
    _index: Mapping[Any, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        points = tuple(self.points)
        if not points:
            raise InputError("a domain must have at least one data set; got none")
        try:
            index = {point: position for position, point in enumerate(points)}
        except TypeError:
            raise InputError("the data sets of a domain must be hashable (tuples, not lists)") from None
        if len(index) != len(points):
            twice = next(point for position, point in enumerate(points) if index[point] != position)
            raise InputError(f"the data sets of a domain must be distinct; {twice!r} is listed twice")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "_index", index)

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.points)

    def __contains__(self, point: object) -> bool:
        return point in self._index

    def index(self, point: Any) -> int:
        """The position of a data set in the fixed order."""
        if point not in self._index:
            raise InputError(f"the data set {point!r} is not in the domain")
        return self._index[point]

    def ordered(self, points: Iterable[Any]) -> tuple[Any, ...]:
        """Some data sets in the fixed order."""
        return tuple(sorted(points, key=self.index))


@dataclass(frozen=True, slots=True)
class Schema:
    """The variables of a record with their finitely many values.

    >>> Schema({"own": ("yes", "no"), "county": (1, 2, 3)}).size
    6
    """

    variables: Mapping[str, Sequence[Hashable]]

    def __post_init__(self) -> None:
        for name, values in self.variables.items():
            if not values or len(set(values)) != len(values):
                raise InputError(f"variable {name!r} must have distinct values, at least one; got {values!r}")

    @property
    def size(self) -> int:
        """The number of possible records."""
        size = 1
        for values in self.variables.values():
            size *= len(values)
        return size

    @property
    def records(self) -> tuple[tuple[Hashable, ...], ...]:
        """All possible records, in the order of the variables' values."""
        return tuple(itertools.product(*self.variables.values()))


def _size_text(size: int) -> str:
    """A number, or its order of magnitude where it has many digits."""
    digits = size.bit_length() * 30103 // 100_000
    return str(size) if digits < 15 else f"about 10^{digits}"


def _refuse_large(what: str, size: int) -> None:
    if size > MAX_DOMAIN_SIZE:
        raise InputError(
            f"{what} must have at most {MAX_DOMAIN_SIZE} data sets to be listed; this one has {_size_text(size)}: "
            "use fewer records or values, or fix more margins"
        )


def ordered_data_sets(records: Sequence[Hashable], lengths: Sequence[int]) -> FiniteDomain:
    """All data sets with these numbers of records, as tuples: the order of records matters."""
    for length in lengths:
        integer("a length", length, minimum=0)
    _refuse_large("ordered data sets", sum(len(records) ** length for length in lengths))
    points = itertools.chain.from_iterable(itertools.product(records, repeat=length) for length in lengths)
    return FiniteDomain(tuple(points), RECORD_DOMAINS[0])


def multisets(records: Sequence[Hashable], lengths: Sequence[int]) -> FiniteDomain:
    """All data sets with these numbers of records as multisets: sorted tuples, in the order of `records`."""
    for length in lengths:
        integer("a length", length, minimum=0)
    _refuse_large("multisets", sum(comb(len(records) + n - 1, n) if len(records) else int(n == 0) for n in lengths))
    points = itertools.chain.from_iterable(itertools.combinations_with_replacement(records, n) for n in lengths)
    return FiniteDomain(tuple(points), RECORD_DOMAINS[1], form=Form.UNORDERED)


def tables_with_margins(strata: Sequence[tuple[Sequence[int], Sequence[int]]]) -> FiniteDomain:
    """All data sets whose stratum m has the row margins n_mh· and the column margins n_m·s given at m.

    A data set is the tuple of its strata's tables; this is one universe of the swapping multiverse.

    Raises:
        InputError: the margins of a stratum do not match, or there are too many tables to list.
    """
    size = 1
    for rows, columns in strata:
        size *= count_tables(rows, columns)
    _refuse_large("tables with these margins", size)
    per_stratum: list[tuple[Table, ...]] = [contingency_tables(rows, columns) for rows, columns in strata]
    points = tuple(itertools.product(*per_stratum))
    return FiniteDomain(points, "stratified contingency tables", _table_total, Form.TABLES)

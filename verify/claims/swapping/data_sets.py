"""Data sets of records (m, h, s), the permutations that swap them, and the tables of a stratum: cases and words.

m is the value of the matching variable, h of the other holding variable, s of the swapping variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

from spec.tables import Table, contingency_tables
from verify.ledger.quantifiers import Cases, cases
from verify.ledger.words import define
from verify.swapping.budget_sweep import one_stratum

DataSet = tuple[tuple[Any, ...], ...]
Permutation = tuple[int, ...]
Columns = tuple[int, ...]

CATEGORIES = "finitely many categories"

define(
    {
        "swapped_records(x, g)": "[(x[i][0], x[i][1], x[j][2]) for i, j in enumerate(g)]",
        "columns_of(x, columns)": "[[record[i] for i in columns] for record in x]",
        "table_records(t)": "[(0, h, s) for h, row in enumerate(t) for s, n in enumerate(row) for k in range(n)]",
        "with_exchanged(v, i, j)": "[v[j] if k == i else v[i] if k == j else v[k] for k in range(len(v))]",
        "after_swaps(v, m)": "set(with_exchanged(w, i, j) for w in after_swaps(v, m - 1) for i in range(len(v)) "
        "for j in range(i)) if m > 0 else set([v])",
    }
)


def swapped_records(x: DataSet, g: Sequence[int]) -> DataSet:
    """g(x): every record keeps m and h, and takes the s of the record that g names."""
    return tuple((*record[:2], x[j][2]) for record, j in zip(x, g, strict=True))


def tally(x: DataSet, columns: Columns) -> frozenset[tuple[Any, int]]:
    """How many records have each combination of values of these variables."""
    return frozenset(Counter(tuple(record[i] for i in columns) for record in x).items())


def are_reordered(x: DataSet, y: DataSet) -> bool:
    """Whether two data sets have the same records."""
    return sorted(x) == sorted(y)


@cache
def exchanges(v: tuple[Any, ...], m: int) -> frozenset[tuple[Any, ...]]:
    """What m exchanges of the values at two places lead to."""
    if m == 0:
        return frozenset({v})
    found = set()
    for w in exchanges(v, m - 1):
        for i, j in combinations(range(len(v)), 2):
            moved = list(w)
            moved[i], moved[j] = w[j], w[i]
            found.add(tuple(moved))
    return frozenset(found)


def data_sets(size: int, kinds: Sequence[tuple[Any, ...]] = tuple(product((0, 1), repeat=3))) -> Iterator[DataSet]:
    """All data sets of up to so many records of these kinds, up to the order of the records."""
    return (x for n in range(1, size + 1) for x in combinations_with_replacement(kinds, n))


def inside_strata(x: DataSet) -> Iterator[Permutation]:
    """The permutations that take every record to one with its matching value."""
    return (g for g in permutations(range(len(x))) if all(x[i][0] == x[j][0] for i, j in enumerate(g)))


@cases("two values of each variable, up to 4 records, every permutation inside the strata", "x g")
def inside() -> Iterator[tuple[Any, ...]]:
    return ((x, g) for x in data_sets(4) for g in inside_strata(x))


@cases("two values of each variable, up to 4 records, every permutation", "x g")
def across() -> Iterator[tuple[Any, ...]]:
    return ((x, g) for x in data_sets(4) for g in permutations(range(len(x))))


def universes(records: int, first: int = 1) -> Iterator[tuple[Table, ...]]:
    """The tables of every universe of one stratum with up to so many records and four categories a side."""
    return (contingency_tables(*margins) for n in range(first, records + 1) for margins in one_stratum(n, 4))


def pairs_of_tables(records: int) -> Cases:
    """Two tables of one universe."""
    scope = f"every universe of one stratum with up to {records} records and four categories a side; strata add up"
    return cases(scope, "x y")(lambda: (pair for tables in universes(records) for pair in product(tables, repeat=2)))

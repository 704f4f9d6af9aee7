"""Data sets of records (m, h, s), the permutations that swap them, and the tables of a stratum: cases and words.

m is the value of the matching variable, h of the other holding variable, s of the swapping variable.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from stirred.spec.blocks.tables import Table, contingency_tables
from stirred.verify.ledger import cases
from stirred.verify.ledger.engines.budget_sweep import one_stratum

DataSet = tuple[tuple[Any, ...], ...]
Permutation = tuple[int, ...]
CATEGORIES = "finitely many categories"
LEMMA_5 = ("article, Appendix E (proof of Lemma 5)", "dissertation, section B.3 (proof of Lemma B.3.4)")
swapped_records = lambda x, g: [(x[i][0], x[i][1], x[j][2]) for i, j in enumerate(g)]
with_swap = lambda x, i, j: swapped_records(x, [i + j - k if k in (i, j) else k for k in range(len(x))])
one_swap = lambda x: {sorted(with_swap(x, i, j)) for i in range(len(x)) for j in range(i)}
after_swaps = lambda x, m: {z for y in after_swaps(x, m - 1) for z in one_swap(y)} if m > 0 else {sorted(x)}
in_at_most_swaps = lambda x, m: {z for k in range(m + 1) for z in after_swaps(x, k)}
columns_of = lambda x, columns: [[record[i] for i in columns] for record in x]
same_tallies = lambda x, y, parts: all(sorted(columns_of(x, c)) == sorted(columns_of(y, c)) for c in parts)
table_records = lambda t: [(0, h, s) for h, row in enumerate(t) for s, n in enumerate(row) for k in range(n)]


def data_sets(size: int, kinds: Sequence[tuple[Any, ...]] = tuple(product((0, 1), repeat=3))) -> Iterator[DataSet]:
    """All data sets of up to so many records of these kinds, up to the order of the records."""
    return (x for n in range(1, size + 1) for x in combinations_with_replacement(kinds, n))


def inside_strata(x: DataSet) -> Iterator[Permutation]:
    """The permutations that take every record to one with its matching value."""
    return (g for g in permutations(range(len(x))) if all(x[i][0] == x[j][0] for i, j in enumerate(g)))


inside = cases("two values of each variable, up to 4 records, every permutation inside the strata", "x g")(
    lambda: ((x, g) for x in data_sets(4) for g in inside_strata(x))
)
across = cases("two values of each variable, up to 4 records, every permutation", "x g")(
    lambda: ((x, g) for x in data_sets(4) for g in permutations(range(len(x))))
)


def universes(records: int, first: int = 1) -> Iterator[tuple[Table, ...]]:
    """The tables of every universe of one stratum with up to so many records and four categories a side."""
    return (contingency_tables(*margins) for n in range(first, records + 1) for margins in one_stratum(n, 4))

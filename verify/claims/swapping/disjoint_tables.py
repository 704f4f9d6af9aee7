"""Tables of one universe without a common occupied cell: what Lemma 8 is about.

By Lemma 5 a table z at distance b from x, the number of records, is g(x) for a derangement g of the records of x.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from mechanisms.permutation_counts import moved_counts
from spec.tables import Table, column_margins, margins_of_size, row_margins, table_distance
from verify.claims.swapping.data_sets import CATEGORIES, pairs_of_tables
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import false, state
from verify.ledger.theorems import theorem
from verify.ledger.words import define
from verify.swapping.disjoint_tables import disjoint_pair

define(
    {
        "fillings(total, bounds)": "[[k] for k in [total] if k <= bounds[0]] if len(bounds) == 1 else "
        "[[k] + rest for k in range(min(total, bounds[0]) + 1) for rest in fillings(total - k, bounds[1:])]",
        "tables_with(rows, columns)": "[[columns]] if len(rows) == 1 else [[first] + rest "
        "for first in fillings(rows[0], columns) "
        "for rest in tables_with(rows[1:], [c - k for c, k in zip(columns, first)])]",
        "occupied(t)": "set((h, s) for h, row in enumerate(t) for s, n in enumerate(row) if n > 0)",
        "has_disjoint(rows, columns)": "any(len(x & z) == 0 "
        "for found in [tuple(set(occupied(t) for t in tables_with(rows, columns)))] for x in found for z in found)",
        "deranged(x, z)": "any(moved(g) == len(g) and same_records(swapped_records(r, g), table_records(z)) "
        "for r in [table_records(x)] for g in permutations(range(len(r))))",
    }
)


def _bounded(largest: int, below: int, scope: str) -> Cases:
    """The margins of up to so many records with 2*max(margins) <= b - below."""

    def listed() -> Iterator[tuple[Any, ...]]:
        for b in range(2, largest + 1):
            sides = [side for side in margins_of_size(b, b) if 2 * max(side) <= b - below]
            yield from combinations_with_replacement(sides, 2)

    return cases(scope, "rows columns")(listed)


def disjoint(rows: tuple[int, ...], columns: tuple[int, ...]) -> Witness | None:
    """Some x of the universe and some derangement g of its records have d_HamS(x, g(x)) = b."""
    return None if disjoint_pair(rows, columns) else failure("has_disjoint(rows, columns)", rows=rows, columns=columns)


state(
    "swapping.disjoint-tables.printed",
    "article, Lemma 8",
    "dissertation, Lemma B.4.4",
    printed="Suppose that D_0 in D_cSwap satisfies Equation 18. Then there exists x in D_0 and a derangement g of x_m0 "
    "such that d_HamS(x_m0, g(x_m0)) = b.",
    reading="(18): max_h n_m0h <= b/2 - 1 and max_s n_m0s <= b/2 - 1 for some m0 with n_m0 = b",
    grade=false("twelve records with margins (5, 5, 2) and (4, 4, 4) satisfy (18), and have no such x and g"),
    checks=[every(_bounded(12, 2, "every universe of one stratum with (18) and up to 12 records"), disjoint)],
    refuted_by=["disjoint_swaps.lemma8_if_refuted"],
)

state(
    "swapping.disjoint-tables",
    "article, Lemma 8",
    claim="Suppose that D_0 satisfies (18) and b <= 11. Then there exist x in D_0 and a derangement g of x_m0 such "
    "that d_HamS(x_m0, g(x_m0)) = b.",
    repairs="swapping.disjoint-tables.printed",
    checks=[
        every(
            _bounded(11, 2, "every universe of one stratum with (18) and up to 11 records; b = 0 is trivial"), disjoint
        )
    ],
    mutants={
        "b/2 for b/2 - 1": every(
            _bounded(11, 0, "every universe with largest margin at most b/2 and up to 11 records"), disjoint
        )
    },
)


@cases("one stratum of up to 6 records, each with a swapping value of its own", "rows columns")
def own_values() -> Iterator[tuple[Any, ...]]:
    return ((rows, (1,) * b) for b in range(1, 7) for rows in margins_of_size(b, b))


def disjoint_iff(rows: tuple[int, ...], columns: tuple[int, ...], *, below: int) -> Witness | None:
    """Such x and g exist iff max_h n_m0h <= (b - below)/2."""
    if (disjoint_pair(rows, columns) is not None) == (2 * max(rows) <= sum(rows) - below):
        return None
    claimed = "has_disjoint(rows, columns) == (2*max(rows) <= sum(rows) - below)"
    return failure(claimed, rows=rows, columns=columns, below=below)


state(
    "swapping.disjoint-tables.own-values",
    "article, Lemma 8",
    claim="Suppose that n_m0s <= 1 for every s. Then x in D_0 and a derangement g of x_m0 such that "
    "d_HamS(x_m0, g(x_m0)) = n_m0 exist if and only if max_h n_m0h <= n_m0/2.",
    repairs="swapping.disjoint-tables.printed",
    checks=[
        every(own_values, disjoint_iff, below=0),
        theorem("disjoint_swaps.disjoint_swap_iff", within=CATEGORIES),
    ],
    mutants={"n_m0/2 - 1, as in (18)": every(own_values, disjoint_iff, below=2)},
)

_SIZE = "len(table_records(x))"
_B = f"({_SIZE} if len(set(table_records(x))) > 1 else 0)"


def only_if(x: Table, z: Table, *, below: int, asked: str = _SIZE) -> Witness | None:
    """If z = g(x) for a derangement g, at a distance of all records (or of b), all margins are at most half of it."""
    size, cells = sum(map(sum, x)), sum(n > 0 for row in x for n in row)
    distance = 0 if asked == _B and cells == 1 else size
    largest = max(*row_margins(x), *column_margins(x))
    if table_distance(x, z) != distance or 2 * largest <= distance - below or not moved_counts(x, z)[size]:
        return None
    claimed = (
        f"table_distance(x, z) != {asked} or not deranged(x, z) "
        f"or 2*max(row_margins(x) + column_margins(x)) <= {asked} - below"
    )
    return failure(claimed, x=x, z=z, below=below)


state(
    "swapping.disjoint-tables.only-if.printed",
    "article, Lemma 8",
    "dissertation, Lemma B.4.4",
    printed="(In fact, such an x and g exist if and only if D_0 satisfies Equation 18.)",
    reading="only if; the other direction is the lemma itself",
    grade=false("two records that differ in both variables: b = 2 and every margin is b/2"),
    checks=[every(pairs_of_tables(6), only_if, below=2)],
    refuted_by=["disjoint_swaps.lemma8_only_if_refuted"],
)

state(
    "swapping.disjoint-tables.only-if",
    "article, Lemma 8",
    claim="x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) = n_m0 exist only if "
    "max_h n_m0h <= n_m0/2 and max_s n_m0s <= n_m0/2.",
    repairs="swapping.disjoint-tables.only-if.printed",
    checks=[
        every(pairs_of_tables(6), only_if, below=0),
        theorem("disjoint_swaps.disjoint_swap_necessary", within=CATEGORIES),
    ],
    mutants={
        "b/2 - 1 as printed": every(pairs_of_tables(6), only_if, below=2),
        "b for n_m0, where b = 0 if all records are equal": every(pairs_of_tables(6), only_if, below=0, asked=_B),
    },
)

"""Records, permutations and distances: on how many records data sets of a universe differ, and permutations move.

By Lemma 5 a table z at distance n from x, the number of its records, is g(x) for a derangement g of the records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from mechanisms.permutation_counts import moved_counts
from mechanisms.permutation_swapping import table_records
from spec.input_premetric import hamming_unordered
from spec.tables import Table, column_margins, margins_of_size, row_margins, table_distance
from verify.claims.swapping.data_sets import CATEGORIES, DataSet, Permutation, data_sets, swapped_records, universes
from verify.engines.swapping.disjoint_tables import disjoint_pair
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import false, misprint, state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define(
    {
        "l1_tables(x, y)": "sum(abs(count(x, a) - count(y, a)) for a in set(x) | set(y))",
        "permuted_to(x, y, moving)": "any(moved(g) == moving and same_records(swapped_records(r, g), table_records(y)) "
        "for r in [table_records(x)] for g in permutations(range(len(r))))",
        "fillings(total, bounds)": "[[k] for k in [total] if k <= bounds[0]] if len(bounds) == 1 else "
        "[[k] + rest for k in range(min(total, bounds[0]) + 1) for rest in fillings(total - k, bounds[1:])]",
        "tables_with(rows, columns)": "[[columns]] if len(rows) == 1 else [[first] + rest "
        "for first in fillings(rows[0], columns) "
        "for rest in tables_with(rows[1:], [c - k for c, k in zip(columns, first)])]",
        "occupied(t)": "set((h, s) for h, row in enumerate(t) for s, n in enumerate(row) if n > 0)",
        "has_disjoint(rows, columns)": "any(len(x & z) == 0 "
        "for found in [tuple(set(occupied(t) for t in tables_with(rows, columns)))] for x in found for z in found)",
    }
)

_HAMMING = hamming_unordered("record")
_POINTS = [(x, Counter(x)) for x in ((), *data_sets(3))]


def _pairs(*, one_size: bool) -> Cases:
    def listed() -> Iterator[tuple[Any, ...]]:
        for (x, a), (y, b) in product(_POINTS, repeat=2):
            if not one_size or len(x) == len(y):
                yield x, y, sum(((a - b) + (b - a)).values())

    return cases(f"all data sets of up to 3 records of 8 kinds{', of equal size' if one_size else ''}", "x y l1")(
        listed
    )


def half_l1(x: DataSet, y: DataSet, l1: int, *, factor: int) -> Witness | None:
    """l_1(x, x') = factor*d_HamS(x, x')."""
    distance = _HAMMING(x, y)
    if distance is not None and l1 == factor * distance:
        return None
    return failure("l1_tables(x, y) == factor*hamming(x, y)", x=x, y=y, factor=factor)


state(
    "hamming.half-l1",
    "article, Lemma 2",
    "dissertation, Lemma B.3.1",
    printed="l_1(x, x') = 2 d_HamS(x, x') if |x| = |x'|.",
    reading="l_1 is (10), the sum over m, h, s of |n_mhs^x - n_mhs^x'|",
    checks=[every(_pairs(one_size=True), half_l1, factor=2), theorem("hamming.l1_tables_hamming", within=CATEGORIES)],
    mutants={
        "1 for 2": every(_pairs(one_size=True), half_l1, factor=1),
        "without |x| = |x'|": every(_pairs(one_size=False), half_l1, factor=2),
    },
)


def fewest_places(x: DataSet, y: DataSet, l1: int, *, divisor: int) -> Witness | None:
    """|x (-) x'|/divisor, of the symmetric multiset difference, is the fewest places at which reorderings differ."""
    if l1 == divisor * min(sum(r != s for r, s in zip(x, z, strict=True)) for z in permutations(y)):
        return None
    claimed = "symmetric_difference(x, y) == divisor*min([hamming_ordered(x, z) for z in permutations(y)])"
    return failure(claimed, x=x, y=y, divisor=divisor)


state(
    "hamming.alignment",
    "article, (5)",
    printed="That is, d_HamS^r(x, x') denotes the number of records that differ between data sets x and x' (ignoring "
    "the ordering of the records in x and x'): d_HamS^r(x, x') = 1/2 |x (-) x'| if |x| = |x'|, oo otherwise, where (-) "
    "is the symmetric multiset difference …",
    reading="the number that differ: at the fewest places at which x and a reordering of x' differ",
    checks=[
        every(_pairs(one_size=True), fewest_places, divisor=2),
        theorem("hamming.hamming_alignment", "hamming.l1_tables_hamming", within=CATEGORIES),
    ],
    mutants={"without the factor 1/2": every(_pairs(one_size=True), fewest_places, divisor=1)},
)


def _in_universes(records: int) -> Cases:
    """Two tables of one universe."""
    scope = f"every universe of one stratum with up to {records} records and four categories a side; strata add up"
    return cases(scope, "x y")(lambda: (pair for tables in universes(records) for pair in product(tables, repeat=2)))


def apart(x: Table, y: Table, *, excluded: int) -> Witness | None:
    """No two data sets of a universe are at this distance."""
    if table_distance(x, y) != excluded:
        return None
    return failure("table_distance(x, y) != excluded", x=x, y=y, excluded=excluded)


state(
    "swapping.no-distance-one",
    "article, Appendix E (proof of Lemma 5)",
    "dissertation, section B.3 (proof of Lemma B.3.4)",
    printed="d_HamS(x, x') = 1 implies that x, x' are not in the same data universe.",
    checks=[every(_in_universes(6), apart, excluded=1), theorem("swap_path.no_neighbors", within=CATEGORIES)],
    mutants={"distance 2": every(_in_universes(6), apart, excluded=2)},
)


def permutation_exists(x: Table, y: Table, *, fewer: int) -> Witness | None:
    """Some permutation that moves Delta - fewer records (0 where that is negative) leads from x to x'."""
    if moved_counts(x, y)[max(0, (table_distance(x, y) or 0) - fewer)]:
        return None
    return failure("permuted_to(x, y, max(0, table_distance(x, y) - fewer))", x=x, y=y, fewer=fewer)


state(
    "swapping.permutation-exists",
    "article, Lemma 5",
    "dissertation, Lemma B.3.4",
    printed="Fix some data universe D in D_cSwap and some x, x' in D with d_HamS(x, x') = Delta. Then there exists a "
    "permutation rho that fixes exactly n - Delta records such that C(rho(x)) = C(x').",
    checks=[every(_in_universes(5), permutation_exists, fewer=0), theorem("swap_path.swap_path", within=CATEGORIES)],
    mutants={"n - Delta + 1 fixed records": every(_in_universes(5), permutation_exists, fewer=1)},
)


@cases("every data set of one stratum with up to 5 records and four categories a side, every permutation", "x g")
def permuted() -> Iterator[tuple[Any, ...]]:
    for x in (table_records(t) for tables in universes(5) for t in tables):
        yield from ((x, g) for g in permutations(range(len(x))))


def moved_records(x: DataSet, g: Permutation, *, slack: int) -> Witness | None:
    """d_HamS(x, g(x)) <= k_g - slack, or 0 where that is negative."""
    moved = sum(i != j for i, j in enumerate(g))
    if (Counter(x) - Counter(swapped_records(x, g))).total() <= max(0, moved - slack):
        return None
    return failure("hamming(x, swapped_records(x, g)) <= max(0, moved(g) - slack)", x=x, g=g, slack=slack)


state(
    "swapping.moved-records",
    "article, Lemma 7",
    "dissertation, Lemma B.4.3",
    printed="For any x and any permutation g, d_HamS(x, g(x)) <= k_g, where k_g is the number of records that are "
    "deranged by g.",
    checks=[every(permuted, moved_records, slack=0), theorem("hamming.hamming_apply_perm", within=CATEGORIES)],
    mutants={"k_g - 1 for k_g": every(permuted, moved_records, slack=1)},
)


def _bounded(last: int, scope: str, *, below: int = 2) -> Cases:
    """The margins of up to so many records with 2*max(margins) <= b - below."""

    def listed() -> Iterator[tuple[Any, ...]]:
        for b in range(2, last + 1):
            sides = [side for side in margins_of_size(b, b) if 2 * max(side) <= b - below]
            yield from combinations_with_replacement(sides, 2)

    return cases(scope, "rows columns")(listed)


_HALF = _bounded(11, "every universe with largest margin at most b/2 and up to 11 records", below=0)


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
    checks=[every(_bounded(12, "every universe of one stratum with (18) and up to 12 records"), disjoint)],
    refuted_by=["disjoint_swaps.disjoint_swap_sufficient_refuted"],
)

state(
    "swapping.disjoint-tables",
    "article, Lemma 8",
    claim="Suppose that D_0 satisfies (18) and b <= 11. Then there exist x in D_0 and a derangement g of x_m0 such "
    "that d_HamS(x_m0, g(x_m0)) = b.",
    repairs="swapping.disjoint-tables.printed",
    checks=[
        every(_bounded(11, "every universe of one stratum with (18), up to 11 records; b = 0 is trivial"), disjoint)
    ],
    mutants={"b/2 for b/2 - 1": every(_HALF, disjoint)},
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
        theorem("disjoint_swaps.disjoint_swap_sufficient", within=f"that they exist if so; {CATEGORIES}"),
    ],
    mutants={"n_m0/2 - 1, as in (18)": every(own_values, disjoint_iff, below=2)},
)

_SIZE = "len(table_records(x))"
_B = f"({_SIZE} if len(set(table_records(x))) > 1 else 0)"


def only_if(x: Table, y: Table, *, below: int, asked: str = _SIZE) -> Witness | None:
    """If y = g(x) for a derangement g, at a distance of all records (or of b), all margins are at most half of it."""
    size, occupied = sum(map(sum, x)), sum(n > 0 for row in x for n in row)
    distance = 0 if asked == _B and occupied == 1 else size
    largest = max(*row_margins(x), *column_margins(x))
    if table_distance(x, y) != distance or 2 * largest <= distance - below or not moved_counts(x, y)[size]:
        return None
    claimed = (
        f"table_distance(x, y) != {asked} or not permuted_to(x, y, {_SIZE}) "
        f"or 2*max(row_margins(x) + column_margins(x)) <= {asked} - below"
    )
    return failure(claimed, x=x, y=y, below=below)


state(
    "swapping.disjoint-tables.only-if.printed",
    "article, Lemma 8",
    "dissertation, Lemma B.4.4",
    printed="(In fact, such an x and g exist if and only if D_0 satisfies Equation 18.)",
    reading="only if; the other direction is the lemma itself",
    grade=misprint("its use in the proof of Proposition 9 takes half of the records themselves"),
    checks=[every(_in_universes(6), only_if, below=2)],
    refuted_by=["disjoint_swaps.disjoint_swap_necessary_refuted"],
)

state(
    "swapping.disjoint-tables.only-if",
    "article, Lemma 8",
    claim="x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) = n_m0 exist only if "
    "max_h n_m0h <= n_m0/2 and max_s n_m0s <= n_m0/2.",
    repairs="swapping.disjoint-tables.only-if.printed",
    checks=[
        every(_in_universes(6), only_if, below=0),
        theorem("disjoint_swaps.disjoint_swap_necessary", within=CATEGORIES),
    ],
    mutants={
        "b/2 - 1 as printed": every(_in_universes(6), only_if, below=2),
        "b for n_m0, where b = 0 if all records are equal": every(_in_universes(6), only_if, below=0, asked=_B),
    },
)

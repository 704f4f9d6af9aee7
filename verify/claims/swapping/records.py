"""Records and distances: how many records two data sets of a universe differ on, and a permutation moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from mechanisms.permutation_counts import moved_counts
from mechanisms.permutation_swapping import table_records
from spec.input_premetric import hamming_unordered
from spec.tables import Table, table_distance
from verify.claims.swapping.data_sets import (
    CATEGORIES,
    DataSet,
    Permutation,
    pairs_of_tables,
    swapped_records,
    universes,
)
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define({"l1_tables(x, y)": "sum(abs(count(x, a) - count(y, a)) for a in set(x) | set(y))"})

_HAMMING = hamming_unordered("record")


@cache
def _count(x: DataSet) -> Counter[tuple[Any, ...]]:
    return Counter(x)


def _pairs() -> Iterator[tuple[DataSet, DataSet]]:
    kinds = tuple(product((0, 1), repeat=3))
    points = [x for n in range(4) for x in combinations_with_replacement(kinds, n)]
    return ((x, y) for x, y in product(points, repeat=2))


@cases("all data sets of up to 3 records of 8 kinds", "x y")
def of_any_size() -> Iterator[tuple[Any, ...]]:
    return _pairs()


@cases("all data sets of up to 3 records of 8 kinds, of equal size", "x y")
def of_one_size() -> Iterator[tuple[Any, ...]]:
    return ((x, y) for x, y in _pairs() if len(x) == len(y))


def half_l1(x: DataSet, y: DataSet, *, factor: int) -> Witness | None:
    """l_1(x, x') = factor*d_HamS(x, x')."""
    distance = _HAMMING(x, y)
    a, b = _count(x), _count(y)
    if distance is not None and sum(abs(a[kind] - b[kind]) for kind in {*a, *b}) == factor * distance:
        return None
    return failure("l1_tables(x, y) == factor*hamming(x, y)", x=x, y=y, factor=factor)


state(
    "hamming.half-l1",
    "article, Lemma 2",
    "dissertation, Lemma B.3.1",
    printed="l_1(x, x') = 2 d_HamS(x, x') if |x| = |x'|.",
    reading="l_1 is (10), the sum over m, h, s of |n_mhs^x - n_mhs^x'|",
    checks=[every(of_one_size, half_l1, factor=2), theorem("hamming.l1_tables_hamming", within=CATEGORIES)],
    mutants={
        "1 for 2": every(of_one_size, half_l1, factor=1),
        "without |x| = |x'|": every(of_any_size, half_l1, factor=2),
    },
)


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
    checks=[every(pairs_of_tables(6), apart, excluded=1), theorem("swap_path.no_neighbors", within=CATEGORIES)],
    mutants={"distance 2": every(pairs_of_tables(6), apart, excluded=2)},
)


def permutation_exists(x: Table, y: Table, *, fewer: int) -> Witness | None:
    """Some permutation that moves Delta - fewer records (0 where that is negative) leads from x to x'."""
    if moved_counts(x, y)[max(0, _apart(x, y) - fewer)]:
        return None
    return failure(
        "any(moved(g) == max(0, table_distance(x, y) - fewer) and "
        "same_records(swapped_records(r, g), table_records(y)) for r in [table_records(x)] "
        "for g in permutations(range(len(r))))",
        x=x,
        y=y,
        fewer=fewer,
    )


def _apart(x: Table, y: Table) -> int:
    return table_distance(x, y) or 0


state(
    "swapping.permutation-exists",
    "article, Lemma 5",
    "dissertation, Lemma B.3.4",
    printed="Fix some data universe D in D_cSwap and some x, x' in D with d_HamS(x, x') = Delta. Then there exists a "
    "permutation rho that fixes exactly n - Delta records such that C(rho(x)) = C(x').",
    checks=[
        every(pairs_of_tables(5), permutation_exists, fewer=0),
        theorem("swap_path.swap_path", within=CATEGORIES),
    ],
    mutants={"n - Delta + 1 fixed records": every(pairs_of_tables(5), permutation_exists, fewer=1)},
)


@cases("every data set of one stratum with up to 5 records and four categories a side, every permutation", "x g")
def permuted() -> Iterator[tuple[Any, ...]]:
    for x in (table_records(t) for tables in universes(5) for t in tables):
        yield from ((x, g) for g in permutations(range(len(x))))


def moved_records(x: DataSet, g: Permutation, *, slack: int) -> Witness | None:
    """d_HamS(x, g(x)) <= k_g - slack, or 0 where that is negative."""
    moved = sum(i != j for i, j in enumerate(g))
    if (_count(x) - Counter(swapped_records(x, g))).total() <= max(0, moved - slack):
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

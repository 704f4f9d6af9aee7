"""Records, permutations and distances: on how many records data sets of a universe differ, and permutations move.

By Lemma 5 a table z at distance n from x, the number of its records, is g(x) for a derangement g of the records.
"""

from itertools import combinations_with_replacement, permutations, product

from stirred.mechanisms.swapping.permutation_counts import moved_counts
from stirred.mechanisms.swapping.permutation_swapping import table_records as records_listed
from stirred.spec.blocks.tables import Table, margins_of_size
from stirred.spec.blocks.tables import table_distance as tables_apart
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, false, misprint, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.swapping.data_sets import (
    CATEGORIES,
    LEMMA_5,
    data_sets,
    swapped_records,
    table_records,
    universes,
)
from stirred.verify.ledger.engines.disjoint_tables import disjoint_pair
from stirred.verify.ledger.words import (
    column_margins,
    count,
    hamming,
    hamming_ordered,
    moved,
    row_margins,
    same_records,
    symmetric_difference,
    table_distance,
)

l1_tables = lambda x, y: sum(abs(count(x, a) - count(y, a)) for a in set(x) | set(y))
permuted_to = lambda x, y, moving: any(
    moved(g) == moving and same_records(swapped_records(r, g), table_records(y))
    for r in [table_records(x)]
    for g in permutations(range(len(r)))
)
fillings = lambda total, bounds: (
    [[k] for k in [total] if k <= bounds[0]]
    if len(bounds) == 1
    else [[k] + rest for k in range(min(total, bounds[0]) + 1) for rest in fillings(total - k, bounds[1:])]
)
tables_with = lambda rows, columns: (
    [[columns]]
    if len(rows) == 1
    else [
        [first] + rest
        for first in fillings(rows[0], columns)
        for rest in tables_with(rows[1:], [c - k for c, k in zip(columns, first)])
    ]
)
occupied = lambda t: {(h, s) for h, row in enumerate(t) for s, n in enumerate(row) if n > 0}
has_disjoint = lambda rows, columns: any(
    len(x & z) == 0
    for found in [tuple({occupied(t) for t in tables_with(rows, columns)})]
    for x in found
    for z in found
)

_POINTS = [(), *data_sets(3)]
_SMALL = "all data sets of up to 3 records of 8 kinds"
every_pair = cases(_SMALL, "x y", lambda: product(_POINTS, repeat=2))
of_equal_size = cases(
    f"{_SMALL}, of equal size", "points", lambda: ([x for x in _POINTS if len(x) == n] for n in range(4))
)

half_l1 = lambda x, y, factor: l1_tables(x, y) == factor * hamming(x, y)
half_l1_of_all = lambda points, factor: all(half_l1(x, y, factor) for x in points for y in points)

state("hamming.half-l1", "article, Lemma 2", "dissertation, Lemma B.3.1")(
    "l_1(x, x') = 2 d_HamS(x, x') if |x| = |x'|.",
    every(of_equal_size, half_l1_of_all, factor=2),
    mutant("1 for 2", {"factor": 1}),
    theorem("hamming.l1_tables_hamming", within=CATEGORIES),
    mutant("without |x| = |x'|", every(every_pair, half_l1, factor=2)),
    reading="l_1 is (10), the sum over m, h, s of |n_mhs^x - n_mhs^x'|",
)

alignment = lambda points, divisor: all(
    symmetric_difference(x, y) == divisor * min([hamming_ordered(x, z) for z in permutations(y)])
    for x in points
    for y in points
)

state("hamming.alignment", "article, (5)", "dissertation, Lemma B.3.4")(
    """That is, d_HamS^r(x, x') denotes the number of records that differ between data sets x and x' (ignoring the
    ordering of the records in x and x'): d_HamS^r(x, x') = 1/2 |x (-) x'| if |x| = |x'|, oo otherwise, where (-) is the
    symmetric multiset difference …""",
    every(of_equal_size, alignment, divisor=2),
    mutant("without the factor 1/2", {"divisor": 1}),
    theorem("hamming.hamming_alignment", "hamming.l1_tables_hamming", within=CATEGORIES),
    reading="the number that differ: at the fewest places at which x and a reordering of x' differ",
)

_UNIVERSES = cases(
    "every universe of one stratum with up to 6 records and four categories a side; strata add up",
    "tables",
    lambda: universes(6),
)
pairs_of_tables = cases(
    "every universe of one stratum with up to 5 records and four categories a side; strata add up",
    "x y",
    lambda: (pair for tables in universes(5) for pair in product(tables, repeat=2)),
)

never_apart_by = lambda excluded, tables: all(table_distance(x, y) != excluded for x in tables for y in tables)

state("swapping.no-distance-one", *LEMMA_5)(
    "d_HamS(x, x') = 1 implies that x, x' are not in the same data universe.",
    every(_UNIVERSES, never_apart_by, excluded=1),
    mutant("distance 2", {"excluded": 2}),
    theorem("hamming.no_neighbors", within=CATEGORIES),
)


def permutation_exists(x: Table, y: Table, *, fewer: int) -> Witness | None:
    """Some permutation that moves Delta - fewer records (0 where that is negative) leads from x to x'."""
    return settled(
        moved_counts(x, y)[max(0, (tables_apart(x, y) or 0) - fewer)] > 0,
        lambda x, y, fewer: permuted_to(x, y, max(0, table_distance(x, y) - fewer)),
        lambda: {"x": x, "y": y, "fewer": fewer},
    )


_INTUITION = "slides, Intuition of the proof that Permutation Swapping is DP"

state("swapping.permutation-exists", "article, Lemma 5", "dissertation, Lemma B.3.4", _INTUITION)(
    """Fix some data universe D in D_cSwap and some x, x' in D with d_HamS(x, x') = Delta. Then there exists a
    permutation rho that fixes exactly n - Delta records such that C(rho(x)) = C(x').""",
    every(pairs_of_tables, permutation_exists, fewer=0),
    mutant("n - Delta + 1 fixed records", {"fewer": 1}),
    theorem("hamming.swap_path", within=CATEGORIES),
)

permuted = cases(
    "every data set of one stratum with up to 5 records and four categories a side, every permutation",
    "x",
    lambda: (records_listed(t) for tables in universes(5) for t in tables),
)

moves_no_further = lambda x, slack: all(
    hamming(x, swapped_records(x, g)) <= max(0, moved(g) - slack) for g in permutations(range(len(x)))
)

state("swapping.moved-records", "article, Lemma 7", "dissertation, Lemma B.4.3")(
    """For any x and any permutation g, d_HamS(x, g(x)) <= k_g, where k_g is the number of records that are deranged by
    g.""",
    every(permuted, moves_no_further, slack=0),
    mutant("k_g - 1 for k_g", {"slack": 1}),
    theorem("hamming.hamming_apply_perm", within=CATEGORIES),
)

# the margins of up to so many records with 2*max(margins) <= b - below
_bounded = lambda last, below, scope: cases(
    scope,
    "rows columns",
    lambda: (
        pair
        for b in range(2, last + 1)
        for sides in [[side for side in margins_of_size(b, b) if 2 * max(side) <= b - below]]
        for pair in combinations_with_replacement(sides, 2)
    ),
)
_HALF = _bounded(11, 0, "every universe with largest margin at most b/2 and up to 11 records")
_UP_TO_11 = _bounded(11, 2, "every universe of one stratum with (18), up to 11 records; b = 0 is trivial")
are_disjoint = lambda x, z, rows, columns: (
    len(occupied(x) & occupied(z)) == 0
    and row_margins(x) == row_margins(z) == rows
    and column_margins(x) == column_margins(z) == columns
)
is_bounded_by_half = lambda rows, columns, below: 2 * max(rows + columns) <= sum(rows) - below
disjoint_and_bounded = lambda x, z, rows, columns, below: (
    are_disjoint(x, z, rows, columns) and is_bounded_by_half(rows, columns, below)
)
disjoint_if_bounded = lambda rows, columns, below: (
    has_disjoint(rows, columns) == is_bounded_by_half(rows, columns, below)
)


def disjoint(rows: tuple[int, ...], columns: tuple[int, ...], *, below: int) -> Witness | None:
    """Some x of the universe and derangement g of its records have d_HamS(x, g(x)) = b iff (18) with this below."""
    pair, is_bounded = disjoint_pair(rows, columns), 2 * max(rows + columns) <= sum(rows) - below
    case = {"rows": rows, "columns": columns, "below": below}
    if pair is not None and is_bounded:
        return settled(True, disjoint_and_bounded, lambda: {**case, "x": pair[0], "z": pair[1]})
    return settled((pair is not None) == is_bounded, disjoint_if_bounded, lambda: case)


state("swapping.disjoint-tables.printed", "article, Lemma 8", "dissertation, Lemma B.4.4")(
    """Suppose that D_0 in D_cSwap satisfies Equation 18. Then there exists x in D_0 and a derangement g of x_m0 such
    that d_HamS(x_m0, g(x_m0)) = b.""",
    every(_bounded(12, 2, "every universe of one stratum with (18) and up to 12 records"), disjoint, below=2),
    reading="(18): max_h n_m0h <= b/2 - 1 and max_s n_m0s <= b/2 - 1 for some m0 with n_m0 = b",
    grade=false("twelve records with margins (5, 5, 2) and (4, 4, 4) satisfy (18), and have no such x and g"),
    refuted_by=["disjoint_swaps.disjoint_swap_sufficient_refuted"],
)

own("swapping.disjoint-tables", "article, Lemma 8")(
    """Suppose that D_0 satisfies (18) and b <= 11. Then there exist x in D_0 and a derangement g of x_m0 such that
    d_HamS(x_m0, g(x_m0)) = b.""",
    every(_UP_TO_11, disjoint, below=2),
    mutant("b/2 for b/2 - 1", every(_HALF, disjoint, below=0)),
    repairs="swapping.disjoint-tables.printed",
)

own_values = cases(
    "one stratum of up to 6 records, each with a swapping value of its own",
    "rows columns",
    lambda: ((rows, (1,) * b) for b in range(1, 7) for rows in margins_of_size(b, b)),
)

own("swapping.disjoint-tables.own-values", "article, Lemma 8")(
    """Suppose that n_m0s <= 1 for every s. Then x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) =
    n_m0 exist if and only if max_h n_m0h <= n_m0/2.""",
    every(own_values, disjoint, below=0),
    mutant("n_m0/2 - 1, as in (18)", {"below": 2}),
    theorem("disjoint_swaps.disjoint_swap_iff", within=CATEGORIES),
    theorem("disjoint_swaps.disjoint_swap_sufficient", within=f"that they exist if so; {CATEGORIES}"),
    repairs="swapping.disjoint-tables.printed",
)

# d_HamS(x, g(x)) = size for some x and derangement g of its records only if 2 max(margins) <= size - below
records_in = lambda x: len(table_records(x))
mixed_size_of = lambda x: records_in(x) if len(set(table_records(x))) > 1 else 0
only_if_bounded = lambda x, y, size, below: (
    2 * max(row_margins(x) + column_margins(x)) <= size - below
    or table_distance(x, y) != size
    or not permuted_to(x, y, records_in(x))
)
only_if = lambda tables, below: all(only_if_bounded(x, y, records_in(x), below) for x in tables for y in tables)

state("swapping.disjoint-tables.only-if.printed", "article, Lemma 8", "dissertation, Lemma B.4.4")(
    "(In fact, such an x and g exist if and only if D_0 satisfies Equation 18.)",
    every(_UNIVERSES, only_if, below=2),
    reading="only if; the other direction is the lemma itself",
    grade=misprint("its use in the proof of Proposition 9 takes half of the records themselves"),
    refuted_by=["disjoint_swaps.disjoint_swap_necessary_refuted"],
)

own("swapping.disjoint-tables.only-if", "article, Lemma 8")(
    """x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) = n_m0 exist only if max_h n_m0h <= n_m0/2
    and max_s n_m0s <= n_m0/2.""",
    every(_UNIVERSES, only_if, below=0),
    mutant("b/2 - 1 as printed", {"below": 2}),
    mutant(
        "b for n_m0, where b = 0 if all records are equal",
        lambda tables, below: all(only_if_bounded(x, y, mixed_size_of(x), below) for x in tables for y in tables),
    ),
    theorem("disjoint_swaps.disjoint_swap_necessary", within=CATEGORIES),
    repairs="swapping.disjoint-tables.only-if.printed",
)

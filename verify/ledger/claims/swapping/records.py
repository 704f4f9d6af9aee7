"""Records, permutations and distances: on how many records data sets of a universe differ, and Lemma 5.

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

# the steps of the proof that a permutation of Delta records leads from one data set of a universe to another one

# A = C(x) - C(x'), and the records of x that are left where common ones are taken off
difference = lambda x, y: [[a - c for a, c in zip(r, s)] for r, s in zip(x, y)]
left_over = lambda x, y: [[max(0, a - c) for a, c in zip(r, s)] for r, s in zip(x, y)]
cells = lambda a: [(h, s) for h in range(len(a)) for s in range(len(a[0]))]
l1_of = lambda a: sum(abs(n) for row in a for n in row)
has_unbalanced = lambda a: any(n != 0 for n in row_margins(a) + column_margins(a))
is_one_swap = lambda a: any(
    a[h][s] == a[i][j] == 1 and a[h][j] == a[i][s] == -1 and l1_of(a) == 4
    for h, s in cells(a)
    for i, j in cells(a)
    if h != i and s != j
)

# row and column indices, each twice, of A_11, A_22 > 0 and A_21 < 0
corners = lambda a: (
    [
        (h, s, i, j)
        for h, s in cells(a)
        for i, j in cells(a)
        if h != i and s != j and a[h][s] > 0 and a[i][j] > 0 and a[i][s] < 0
    ]
)
swapped_corner = lambda a, h, s, i, j: (
    [
        [
            a[k][m]
            - (1 if (k, m) == (h, s) or (k, m) == (i, j) else 0)
            + (1 if (k, m) == (h, j) or (k, m) == (i, s) else 0)
            for m in range(len(a[0]))
        ]
        for k in range(len(a))
    ]
)

_SCOPE = "every universe of one stratum with up to 4 records and four categories a side; strata add up"
_PAIRS = cases(f"{_SCOPE}: all pairs", "x y")(
    lambda: (pair for tables in universes(4) for pair in product(tables, repeat=2))
)
has_no_common_cell = lambda u, v: all(u[h][s] == 0 or v[h][s] == 0 for h, s in cells(u))
has_difference_left = lambda x, y: all(
    row_margins(u) == row_margins(v)
    and column_margins(u) == column_margins(v)
    and difference(u, v) == difference(x, y)
    and l1_of(u) == l1_of(v) == table_distance(x, y)
    for u, v in [(left_over(x, y), left_over(y, x))]
)

state("swapping.permutation-exists.reduction", *LEMMA_5)(
    """Moreover, x'' in D_cSwap(x''') implies x_0'' in D_cSwap(x_0''') and C(x'') - C(x''') = C(x_0'') - C(x_0'''). By
    the above result (*), the marginal counts of x_0 and x_0' agree: n_h^x_0 = n_h^x_0' and n_s^x_0 = n_s^x_0' for all h
    and s. But the interior cells disagree: if n_hs^x_0 > 0 then n_hs^x_0' = 0 (and visa versa, swapping x_0 and x_0').
    Further C(x_0) - C(x_0') has positive entries that sum to Delta and negative entries that sum to -Delta, and zero
    row- and column-sums.""",
    every(_PAIRS, lambda x, y: has_difference_left(x, y) and has_no_common_cell(left_over(x, y), left_over(y, x))),
    mutant("for x and x' themselves", lambda x, y: has_difference_left(x, y) and has_no_common_cell(x, y)),
    reading="the first half of (*), that a difference of tables has zero sums iff their margins agree, is arithmetic",
)

_TABLES: list[Table] = [(a[:2], a[2:]) for a in product(range(3), repeat=4)]
all_pairs = cases("all pairs of tables with two rows, two columns and entries 0, 1, 2", "x y")(
    lambda: product(_TABLES, repeat=2)
)

unbalanced = lambda x, y, apart: (
    l1_of(difference(x, y)) != apart
    or (1 <= sum(1 for row in difference(x, y) for n in row if n != 0) <= 2 and has_unbalanced(difference(x, y)))
)
swap = lambda x, y, D: table_distance(x, y) != D or is_one_swap(difference(x, y))

state("swapping.permutation-exists.base-cases", *LEMMA_5)(
    """If l_1(x, x') = 2 then C(x) - C(x') only has one or two nonzero cells. But this implies C(x) - C(x') has a row or
    column with nonzero sum. For Delta = 2, the result (*) implies that the 2 x 2 top-left submatrix of A = C(x_0) -
    C(x_0') looks like A_1:2,1:2 = [1 -1; -1 1], (up to reordering of rows and columns). Therefore (up to reordering of
    records), x_0 and x_0' differ by a single swap: if h, h', s, s' are indices such that A_hs = A_h's' = 1 then define
    rho to be the swap of the records (k, l) and (k', l') in x_0. We have C(rho(x_0)) = C(x_0') as desired.""",
    every(all_pairs, unbalanced, apart=2),
    mutant("l_1(x, x') = 4", {"apart": 4}),
    every(_PAIRS, swap, D=2),
    mutant("Delta = 3", {"D": 3}),
    reading="the records (k, l) and (k', l') are (h, s) and (h', s'): taking them for (h, s') and (h', s) takes A off",
)

falls_at_corners = lambda x, y, least: all(
    len(corners(a)) > 0
    and all(
        l1_of(swapped_corner(a, h, s, i, j)) == l1_of(a) - (4 if a[h][j] < 0 else least) for h, s, i, j in corners(a)
    )
    for a in [difference(x, y)]
    if l1_of(a) > 0
)

state("swapping.permutation-exists.induction", *LEMMA_5)(
    """By (*), we can always reorder the rows and columns of A = C(x_0) - C(x_0') such that the 2 x 2 top-left submatrix
    looks like A_1:2,1:2 = [A_11 A_12; A_21 A_22], with A_11, A_22 > 0 and A_21 < 0. Define x_1 by swapping the records
    (1, 1) and (2, 2) in x_0. Then the top-left submatrix of A' = C(x_1) - C(x_0') looks like A'_1:2,1:2 = [A_11 - 1
    A_12 + 1; A_21 + 1 A_22 - 1], and the rest of A' is the same as A. If A_12 < 0, then l_1(x_1, x_0') = l_1(A') =
    l_1(A) - 4. If A_12 >= 0 then l_1(A') = l_1(A) - 2.""",
    every(_PAIRS, falls_at_corners, least=2),
    mutant("l_1(A) - 4 in both cases", {"least": 4}),
    reading="for every choice of such rows and columns, of which there is one wherever A is not 0",
)

# records, permutations and distances: on how many records data sets of a universe differ, and permutations move

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
every_pair = cases(_SMALL, "x y")(lambda: product(_POINTS, repeat=2))
of_equal_size = cases(f"{_SMALL}, of equal size", "points")(
    lambda: ([x for x in _POINTS if len(x) == n] for n in range(4))
)

half_l1 = lambda x, y, factor: l1_tables(x, y) == factor * hamming(x, y)

state("hamming.half-l1", "article, Lemma 2", "dissertation, Lemma B.3.1")(
    "l_1(x, x') = 2 d_HamS(x, x') if |x| = |x'|.",
    every(of_equal_size, lambda points, factor: all(half_l1(x, y, factor) for x in points for y in points), factor=2),
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
    "every universe of one stratum with up to 6 records and four categories a side; strata add up", "tables"
)(lambda: universes(6))
pairs_of_tables = cases(
    "every universe of one stratum with up to 5 records and four categories a side; strata add up", "x y"
)(lambda: (pair for tables in universes(5) for pair in product(tables, repeat=2)))

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
    "every data set of one stratum with up to 5 records and four categories a side, every permutation", "x"
)(lambda: (records_listed(t) for tables in universes(5) for t in tables))

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
_bounded = lambda last, below, scope: cases(scope, "rows columns")(
    lambda: (
        pair
        for b in range(2, last + 1)
        for sides in [[side for side in margins_of_size(b, b) if 2 * max(side) <= b - below]]
        for pair in combinations_with_replacement(sides, 2)
    )
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

own_values = cases("one stratum of up to 6 records, each with a swapping value of its own", "rows columns")(
    lambda: ((rows, (1,) * b) for b in range(1, 7) for rows in margins_of_size(b, b))
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

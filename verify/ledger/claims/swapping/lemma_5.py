"""The steps of the proof that a permutation of Delta records leads from one data set of a universe to another one."""

from itertools import product

from stirred.spec.blocks.tables import Table
from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.swapping.data_sets import LEMMA_5, universes
from stirred.verify.ledger.words import column_margins, row_margins, table_distance

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
_PAIRS = cases(
    f"{_SCOPE}: all pairs", "x y", lambda: (pair for tables in universes(4) for pair in product(tables, repeat=2))
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
all_pairs = cases(
    "all pairs of tables with two rows, two columns and entries 0, 1, 2", "x y", lambda: product(_TABLES, repeat=2)
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

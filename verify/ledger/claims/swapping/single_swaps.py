"""Swaps of two records: what one changes, when it is vacuous, and the permutations that are made of them."""

from fractions import Fraction
from itertools import combinations, permutations, product

from stirred.mechanisms.swapping.permutation_counts import move_weights
from stirred.verify.ledger import cases, every, misprint, mutant, own, query, state
from stirred.verify.ledger.claims.swapping.data_sets import (
    across,
    data_sets,
    in_at_most_swaps,
    inside,
    same_tallies,
    swapped_records,
    with_swap,
)
from stirred.verify.ledger.words import count, moved, same_records

_VALUES = tuple((0, h, s) for h, s in product((0, 1), repeat=2))
two_records = cases(
    "two values of h and s, any two records of one stratum beside up to 2 others, their swap",
    "x",
    lambda: ((*pair, *rest) for pair in product(_VALUES, repeat=2) for rest in [(), *data_sets(2, _VALUES)]),
)

changes_four_counts = lambda x, excepted: all(
    count(z, a) - count(x, a)
    == (0 if any(x[0][i] == x[1][i] for i in excepted) else -1 if a in x[:2] else 1 if a in z[:2] else 0)
    for z in [with_swap(x, 0, 1)]
    for a in set(x) | set(z)
)

_PROOF = ("article, Proposition 4 (proof)", "dissertation, section 3.2.2 (proof of Proposition 1)")

state("swapping.swap-of-two.printed", *_PROOF)(
    """Unless m = m' or s = s', after the swap n_mhs and n_mh's' decrease by one, and n_mh's and n_mhs' increase by
    one.""",
    every(two_records, changes_four_counts, excepted=(0, 2)),
    reading="the swap pairs a record mhs with a record mh's', so m' = m; where the exception holds the counts stay",
    grade=misprint("m = m' stands for h = h', as the next sentence has it: whenever h != h' and s != s'"),
)

own("swapping.swap-of-two", "article, Proposition 4 (proof)")(
    """After the swap of a record mhs with a record mh's', n_mhs and n_mh's' decrease by one, and n_mh's and n_mhs'
    increase by one, unless h = h' or s = s', where the counts do not change.""",
    every(two_records, changes_four_counts, excepted=(1, 2)),
    mutant("m = m' for h = h', as printed", {"excepted": (0, 2)}),
    mutant("without the exception h = h'", {"excepted": (2,)}),
    repairs="swapping.swap-of-two.printed",
)

third_margin = lambda x, differing: (
    any(x[0][i] == x[1][i] for i in differing) or not same_tallies(x, with_swap(x, 0, 1), [[1, 2]])
)
_cells_change = lambda *changes: query(
    "swapping.invariants.not-preserved",
    "any sets of categories, any counts, a swap inside a stratum with h != h' and s != s'",
    claimed="margin_change**2 > 0",
    note="the changes of n_mhs and of n_.hs",
    changes=changes,
)

state("swapping.swap-of-two.third-margin", *_PROOF)(
    "… but n_.hs changes whenever h != h' and s != s'.",
    _cells_change(),
    every(two_records, third_margin, differing=(1, 2)),
    mutant("s = s' allowed", {"differing": (1,)}),
    mutant("s = s' allowed, asked of the solver", _cells_change(("(assert (not (= s s2)))", "(assert true)"))),
)

swaps_compose = lambda n, most: all(
    [(0, i, j) for i, j in enumerate(g)] in composed
    for composed in [in_at_most_swaps([(0, i, i) for i in range(n)], n - most)]
    for g in permutations(range(n))
)

state("swapping.compositions-of-swaps", *_PROOF)(
    "… every permutation sigma can be written as the composition of swaps (i.e., two-cycles) …",
    every(cases("permutations of 2 to 5 things", "n", lambda: range(2, 6)), swaps_compose, most=1),
    mutant("of at most n - 2 swaps", {"most": 2}),
)

matching_too = lambda x, g: same_records([(x[j][0], x[i][1], x[j][2]) for i, j in enumerate(g)], swapped_records(x, g))
_SIMILARITY_4 = ("article, Appendix C.1, similarity (4)", "dissertation, section B.6.1, similarity 4")
_DIFFERENCE_4 = ("article, Appendix C.1, difference (4)", "dissertation, section B.6.1, difference 4")

state("swapping.matching-variables-swapped", *_SIMILARITY_4)(
    "… matching variables can always be swapped since swapping them does not change the data.",
    every(inside, matching_too),
    mutant("records that do not match", across),
)

_KINDS = tuple((0, h, s) for h, s in product(range(3), repeat=2))
pairs_of_records = cases(
    "all data sets of 2 to 4 records of one stratum, three holding and three swapping categories, all pairs",
    "x i j",
    lambda: ((x, *pair) for x in data_sets(4, _KINDS) for pair in combinations(range(len(x)), 2)),
)

vacuous = lambda x, i, j, differing: (
    same_records(with_swap(x, i, j), x) == (sum(1 for a, b in zip(x[i], x[j]) if a != b) < differing)
)

state("swapping.vacuous-pairs", *_DIFFERENCE_4)(
    """A swap is vacuous if it does not change the data set, except (possibly) by reordering the records. A pairwise
    swap is not vacuous if and only if the paired records have different values for both their swapping variables V_Swap
    and their holding variables V_Hold.""",
    every(pairs_of_records, vacuous, differing=2),
    mutant("either for both", {"differing": 1}),
    reading="a pair has the same matching values, as Step 2 of the 2010 procedure asks",
)

_WEIGHTS = move_weights(2, Fraction(1, 3))
vacuous_is_drawn = lambda law, x: any(
    law[g] > 0 and moved(g) > 0 and same_records(swapped_records(x, g), x) for g in law
)

drawn = cases(
    "two records of one stratum, with the law of the permutation that the PSA draws at p = 1/3",
    "x law",
    lambda: ((x, {(0, 1): _WEIGHTS[0], (1, 0): _WEIGHTS[2]}) for x in data_sets(2, _KINDS) if len(x) == 2),
)

state("swapping.vacuous-pairs.allowed", *_DIFFERENCE_4)(
    "On the other hand, vacuous swaps are allowed by the PSA.",
    every(drawn, lambda x, law: (x[0][1] != x[1][1] and x[0][2] != x[1][2]) or vacuous_is_drawn(law, x)),
    mutant("whatever their values", vacuous_is_drawn),
    reading="with nonzero probability, where two records of a stratum share a holding or a swapping value",
)

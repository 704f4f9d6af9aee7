"""The law of the permutation that the PSA draws, and how many records it moves."""

from fractions import Fraction
from itertools import permutations, product
from math import comb

from stirred.mechanisms.swapping.permutation_counts import derangements, move_weights, moved_counts
from stirred.spec.blocks.tables import Table, contingency_tables, table_distance
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, SECTION_3_6, appendix, of_one_stratum
from stirred.verify.ledger.claims.psa.swap_rate import (
    ONE_STRATUM,
    STRATA,
    laws_of_strata,
    multiplied,
    of_stratum,
    swapped_by,
)
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import hamming, moved, same_records

_COUNTED = cases(
    "2 to 12 records, p = 1/3: the probability of each permutation that moves k, by counting",
    "n p weights",
    lambda: ((n, Fraction(1, 3), move_weights(n, Fraction(1, 3))) for n in range(2, 13)),
)

permutation_law = lambda n, p, weights: (
    all(
        weights[k] == p**k * (1 - p) ** (n - k) / ((1 - n * p * (1 - p) ** (n - 1)) * derangements(k))
        for k in range(n + 1)
        if k != 1
    )
    and sum(comb(n, k) * derangements(k) * weights[k] for k in range(n + 1)) == 1
)
is_unconditioned_law = lambda n, p, law: all(
    get(law, g, 0) == p**k * (1 - p) ** (n - k) / derangements(k)
    for g in permutations(range(n))
    for k in [moved(g)]
    if k != 1
)
is_drawn_law = lambda law, p, n: all(
    get(law, g, 0) == of_stratum(p, k, n) for g in permutations(range(n)) for k in [moved(g)] if k != 1
)

state("psa.permutation-law", *appendix("E", "the display before (14)", "the display before (B.5)"))(
    """Hence, we sample g with probability [d(k_g)]^-1 and therefore, P_x(sigma = g) = p^k_g (1-p)^(n-k_g) / ([1 -
    P_x(exactly 1 record selected)] d(k_g)).""",
    every(laws_of_strata((1,), (2,), (3,), (4,)), is_drawn_law),
    mutant("without conditioning on re-selection", is_unconditioned_law),
    every(_COUNTED, permutation_law),
    theorem("psa_law.stratum_perm_mass", "psa_law.psa_perm_mass", within=CATEGORIES),
    theorem("moved_counts.psa_moved_counts", within=f"one stratum, as a program counts it; {CATEGORIES}"),
    reading="for 0 < p < 1 and a permutation g that moves k_g of the n records of the one stratum",
)

has_permutation_ratios = lambda law, shift, p, moves: all(
    law[g] / law[h] == o ** (k - l + shift) * derangements(l) / derangements(k)
    for o in [p / (1 - p)]
    for g in law
    for k in moves[g]
    for h in law
    for l in moves[h]
)

state("psa.permutation-ratio", "article, (14)", "dissertation, (B.5)")(
    """P_x(sigma = g) / P_x'(sigma = g') = o^delta d(k_g - delta) / d(k_g), where o = p/(1-p) and delta = k_g -
    k_g'.""",
    every(ONE_STRATUM, has_permutation_ratios, shift=0),
    mutant("o^(delta + 1)", {"shift": 1}),
    theorem("psa_remarks.permutation_ratio", within=CATEGORIES),
)

swapped_tables = cases(
    "every x and z of every universe of one stratum with 2 to 5 records and four categories a side",
    "x z",
    lambda: (
        pair
        for tables in sorted((contingency_tables(*u) for (u,) in of_one_stratum(2, 5, 4)), key=lambda t: len(t) == 1)
        for pair in product(tables, repeat=2)
    ),
)
swapped_units = cases(
    "an x and every z of one stratum of 2 to 5 records with all margins 1; in other names x is any other",
    "x z",
    lambda: ((t[0], z) for t in (contingency_tables((1,) * n, (1,) * n) for n in range(2, 6)) for z in t),
)


def moved_records(x: Table, z: Table, *, exactly: bool) -> Witness | None:
    """Every permutation that leads from x to z moves at least d_HamS(x, z) records, or exactly so many."""
    distance, counts = table_distance(x, z) or 0, moved_counts(x, z)
    is_so = all(k == distance or (k > distance and not exactly) for k, ways in enumerate(counts) if ways)
    says = all_move_exactly if exactly else all_move_at_least
    return settled(is_so, says, lambda: {"x": _records(x), "z": _records(z)})


all_move_exactly = lambda x, z: all(
    moved(g) == hamming(x, z) for g in permutations(range(len(x))) if same_records(swapped_by(x, g), z)
)
all_move_at_least = lambda x, z: all(
    moved(g) >= hamming(x, z) for g in permutations(range(len(x))) if same_records(swapped_by(x, g), z)
)
_records = lambda table: tuple((h, s) for h, row in enumerate(table) for s, n in enumerate(row) for _ in range(n))

state("psa.selected-records.printed", *SECTION_3_6)(
    """… the PSA selects d_HamS(x, z) records and then samples derangements of size d_HamS(x, z) uniformly at
    random.""",
    every(swapped_tables, moved_records, exactly=True),
    reading="every permutation that gives the swapped data set z from x moves d_HamS(x, z) records",
    grade=incomplete("that no two records of a stratum share a category, as in Proposition 8"),
    refuted_by=["psa_remarks.selected_records_refuted"],
)

own("psa.selected-records.distinct", "article, section 3.6")(
    """Where no two records of a stratum share a category, the permutations that give z from x move exactly d_HamS(x, z)
    records.""",
    every(swapped_units, moved_records, exactly=True),
    mutant("any records", swapped_tables),
    repairs="psa.selected-records.printed",
)

depends_on_total_moved = lambda sizes, p, law, moves: all(
    law[g]
    == multiplied(
        [
            p**k * (1 - p) ** (n - k) / ((1 - n * p * (1 - p) ** (n - 1)) * derangements(k))
            for n, k in [(sum(sizes), sum(moves[g]))]
        ]
    )
    for g in law
)
multiplies_over_strata = lambda law, p, sizes, moves: all(
    law[g] == multiplied([of_stratum(p, k, n) for n, k in zip(sizes, moves[g])]) for g in law
)

own("psa.selected-records.at-least", "article, section 3.6")(
    """Given x, for the output z the PSA deranges at least d_HamS(x, z) records, and a permutation that gives z has a
    probability that depends only on how many records it moves in each stratum: with k_m of the n_m records of stratum
    m, the product over the strata of p^k_m (1-p)^(n_m-k_m) / ((1 - n_m p (1-p)^(n_m-1)) d(k_m)).""",
    every(swapped_tables, moved_records, exactly=False),
    every(laws_of_strata(*STRATA, (2, 4)), multiplies_over_strata),
    mutant("a probability that depends on the total number of moved records alone", depends_on_total_moved),
    theorem("psa_remarks.selected_at_least", "psa_law.psa_perm_mass", within=CATEGORIES),
    mutant("exactly for at least", every(swapped_tables, moved_records, exactly=True)),
    repairs="psa.selected-records.printed",
)

"""With which probability the PSA swaps a record, and the law of the permutation that it draws."""

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, pairwise, permutations, product
from math import comb
from typing import Any

from stirred.mechanisms.swapping.permutation_counts import derangements, move_weights, moved_counts
from stirred.spec.blocks.tables import Table, contingency_tables, table_distance
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
from stirred.verify.engines.sign_certificate import evaluate_polynomial
from stirred.verify.engines.sign_decision import decide_nonnegative
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, incomplete, misprint, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.psa.cases import (
    CATEGORIES,
    SECTION_3_3,
    SECTION_3_6,
    appendix,
    both_swapped,
    enough_rates,
    is_nonnegative_to_1,
    of_one_stratum,
    swapped,
)
from stirred.verify.ledger.language_names import get, subsets
from stirred.verify.ledger.words import hamming, moved, same_records

# the swap rate: with which probability the PSA swaps a record, and the law of the permutation that it draws

# the probability that the selection is kept: not exactly one of n records.
chance_selection_is_kept = lambda n, p: 1 - n * p * (1 - p) ** (n - 1)

# the probability of one permutation that moves k of the n records of a stratum.
of_stratum = lambda p, k, n: p**k * (1 - p) ** (n - k) / (chance_selection_is_kept(n, p) * derangements(k))


def laws_of_strata(*strata: tuple[int, ...]) -> Any:
    """The program's laws of the permutation on such strata, with how many records of each stratum it moves."""
    moves = lambda g, ends: tuple(sum(i != g[i] for i in range(*stratum)) for stratum in ends)
    return cases(
        f"the program on strata of {', '.join(map(str, strata))} records; all p in (0, 1) at once: both sides are "
        "quotients of polynomials of degree n in p, compared at 2n + 1 rates",
        "sizes n p law moves",
    )(
        lambda: (
            (sizes, sum(sizes), p, law, {g: moves(g, ends) for g in law})
            for sizes in strata
            for ends in [list(pairwise(accumulate(sizes, initial=0)))]
            for p, law in enough_rates(sizes)
        )
    )


ONE_STRATUM = laws_of_strata((2,), (3,), (4,))
STRATA = ((2, 3), (2, 2), (1, 3), (2,), (3,), (4,))
_SEVERAL_STRATA = laws_of_strata(*STRATA)
printed_chance = lambda n, p, law: (
    swapped(law, 0) == p * sum(comb(n - 1, j) * p**j * (1 - p) ** (n - 1 - j) for j in range(1, n))
)

state("psa.swap-probability.printed", *SECTION_3_3)(
    """Hence, the probability that a record with matching category m is swapped is p sum_{j=1}^{n_m.. - 1} C(n_m.. - 1,
    j) p^j (1-p)^(n_m.. - 1 - j).""",
    every(ONE_STRATUM, printed_chance),
    grade=misprint("the law of Appendix E divides by 1 - n p (1-p)^(n-1), as a single record is selected again"),
    refuted_by=["psa_law.printed_swap_probability_refuted", "psa_law.Pr_swapped_gt_printed"],
)

own("psa.swap-probability.exact", "article, section 3.3")(
    """For n >= 2 the probability that a record of a stratum of n records is selected and deranged is p * (1 -
    (1-p)^(n-1)) / (1 - n p (1-p)^(n-1)): the selection is conditioned on not being a single record.""",
    every(
        ONE_STRATUM, lambda n, p, law: swapped(law, 0) == p * (1 - (1 - p) ** (n - 1)) / chance_selection_is_kept(n, p)
    ),
    mutant("p for the conditional probability", lambda p, law: swapped(law, 0) == p),
    theorem("psa_law.Pr_swapped", "psa_law.Pr_swapped_repaired", within=CATEGORIES),
    repairs="psa.swap-probability.printed",
)

error = lambda law, p, n, less: (
    swapped(law, 0) - p == p * (1 - p) ** (n - 1) * (n * p - less) / (1 - n * p * (1 - p) ** (n - 1))
)

own("psa.swap-probability.error", "article, section 3.3")(
    """For n >= 2 the probability that a record of a stratum of n records is swapped exceeds p by p (1-p)^(n-1) (np -
    1)/(1 - n p (1-p)^(n-1)): it is above p iff np > 1, for 0 < p < 1.""",
    every(ONE_STRATUM, error, less=1),
    mutant("np for np - 1", {"less": 0}),
    theorem("psa_law.Pr_swapped_error"),
)

selected = lambda law, n, s: sum(law[g] for g in law if {i for i in range(n) if g[i] != i} == s)
is_law_of_reselection = lambda law, n, p, again: all(
    selected(law, n, s) == p**k * (1 - p) ** (n - k) + again * n * p * (1 - p) ** (n - 1) * selected(law, n, s)
    for s in subsets(range(n))
    for k in [len(s)]
    if k != 1
)

own("psa.selection.repeated", "article, section 3.3")(
    """The records that Algorithm 1 selects from a stratum of n >= 2 records, again as long as it selects exactly one,
    have the law of one selection conditioned on not being one record; no other law Q is the law of a selection that is
    replaced by a draw from Q where it is one record.""",
    every(ONE_STRATUM, is_law_of_reselection, again=1),
    mutant("selected once", {"again": 0}),
    theorem("psa_law.reselect_loop"),
    reading="""Q(s) = p^|s| (1-p)^(n-|s|) + n p (1-p)^(n-1) Q(s) where |s| is not 1: Q(s) is unique, as n p (1-p)^(n-1)
    < 1; the selected records are those that the permutation moves""",
)

_SIZES = cases("2 <= n <= 12, n = 20, 30; all p in [0, 1] at once", "n")(lambda: (*range(2, 13), 20, 30))

# polynomials in p by their coefficients: 1 - n*p*(1 - p)**(n - 1), p*(1 - (1 - p)**(n - 1)), and with s = 1
# or -1 the first one over n**power, less s times the second one without p times the first
selected_of = lambda n: [1 if i == 0 else n * comb(n - 1, i - 1) * (-1) ** i for i in range(n + 1)]
swapped_of = lambda n: [0 if i == 0 else (1 if i == 1 else 0) + comb(n - 1, i - 1) * (-1) ** i for i in range(n + 1)]
beside_rate = lambda n, power, s: (
    [
        k / n**power - s * (m - before)
        for k, m, before in zip(selected_of(n) + [0], swapped_of(n) + [0], [0] + selected_of(n))
    ]
)
beside_quarter = lambda n: [4 * a - (1 if i == 0 else 0) for i, a in enumerate(selected_of(n))]
kept_above_quarter = lambda n, c, square, rest, cells: is_nonnegative_to_1(beside_quarter(n), c, square, rest, cells)
rate_beside_nonnegative = lambda n, power, s, c, square, rest, cells: is_nonnegative_to_1(
    beside_rate(n, power, s), c, square, rest, cells
)
is_near_the_rate = lambda n, p, power: (
    abs(p * (1 - (1 - p) ** (n - 1)) / chance_selection_is_kept(n, p) - p) <= 1 / n**power
)


def near_the_rate(n: int, *, power: int) -> Witness | None:
    """|E - p| <= 1/n^power for all p in [0, 1], where E is the expected fraction of swapped records."""
    p = SYMBOL
    kept, moved = 1 - n * p * (1 - p) ** (n - 1), p * (1 - (1 - p) ** (n - 1))
    if _negative_point(kept_above_quarter, 4 * kept - 1, n=n) is not None:
        raise EngineError(f"the probability of acceptance has no certified positive bound for {n} records")
    for s in (1, -1):
        beside = kept * Fraction(1, n**power) - s * (moved - p * kept)
        rate = _negative_point(rate_beside_nonnegative, beside, n=n, power=power, s=s)
        if rate is not None:
            return failure(is_near_the_rate, n=n, p=rate, power=power)
    return None


def _negative_point(claimed: Callable[..., Any], polynomial: RationalFunction, **case: int) -> Fraction | None:
    """A point of [0, 1] where a polynomial, not 0 at 1/2, is negative; None with a certificate that there is none."""
    found = decide_nonnegative(tuple(map(int, polynomial.numerator.numer().coeffs())), Fraction(0), Fraction(1))
    if isinstance(found, Fraction):
        return found
    found.check()
    half = Fraction(1, 2)
    scale = found.scale * Fraction(polynomial(half)) / evaluate_polynomial(found.polynomial, half)
    shown = {"c": scale, "square": found.square, "rest": found.rest, "cells": found.cells}
    settled(True, claimed, lambda: {**case, **shown})
    return None


state("psa.swap-rate.approximate", *SECTION_3_3)(
    """When n_m.. >> 1, the expected fraction of records that will have their swapping variables interchanged is
    approximately p.""",
    every(_SIZES, near_the_rate, power=1),
    mutant("within 1/n^3", {"power": 3}),
    reading="""within 1/n of p, for n = n_m..: no bound is printed; where np is small the fraction is far below p in
    proportion (at n = 1000 and p = 10^-6 near p/1000)""",
)

stratum_of = lambda sizes, i: sum(1 for m in range(len(sizes)) if sum(sizes[: m + 1]) <= i)
multiplied = lambda factors: 1 if len(factors) == 0 else factors[0] * multiplied(factors[1:])
swapped_by = lambda x, g: [(x[i][0], x[j][1]) for i, j in enumerate(g)]
all_swapped_alike = lambda law, sizes: all(
    swapped(law, i) == swapped(law, j) for i in range(sum(sizes)) for j in range(i)
)
independent = lambda law, sizes: all(
    both_swapped(law, i, j) == swapped(law, i) * swapped(law, j) for i in range(sum(sizes)) for j in range(i)
)
swapped_alike_by_size = lambda law, sizes: all(
    swapped(law, i) == swapped(law, j)
    for i in range(sum(sizes))
    for j in range(i)
    if sizes[stratum_of(sizes, i)] == sizes[stratum_of(sizes, j)]
)
strata_independent = lambda law, sizes: all(
    both_swapped(law, i, j) == swapped(law, i) * swapped(law, j)
    for i in range(sum(sizes))
    for j in range(i)
    if stratum_of(sizes, i) != stratum_of(sizes, j)
)

_DIFFERENCE_2 = ("article, Appendix C.1, difference (2)", "dissertation, section B.6.1, difference 2")

state("psa.swap-probability.constant.printed", *_DIFFERENCE_2)(
    """… in the PSA, the probability of a household being swapped is constant and independent of other households.""",
    every(_SEVERAL_STRATA, lambda sizes, law: all_swapped_alike(law, sizes) and independent(law, sizes)),
    reading="two households have one probability of being swapped, and whether one is tells nothing of the other",
    grade=incomplete("n_m.. >> 1, as in section 3.3: selections alone, before they are repeated, are so"),
)

own("psa.swap-probability.constant", "article, Appendix C.1, difference (2)")(
    """In the PSA the probability of a household being swapped is a function of p and of the number of households in its
    stratum alone, and swaps in different strata are independent.""",
    every(_SEVERAL_STRATA, lambda sizes, law: swapped_alike_by_size(law, sizes) and strata_independent(law, sizes)),
    mutant("p alone", lambda sizes, law: all_swapped_alike(law, sizes) and strata_independent(law, sizes)),
    mutant(
        "independent inside a stratum", lambda sizes, law: swapped_alike_by_size(law, sizes) and independent(law, sizes)
    ),
    theorem("psa_law.Pr_swapped", "psa_law.psa_perm_independent", within=CATEGORIES),
    repairs="psa.swap-probability.constant.printed",
)

# the law of the permutation that the PSA draws, and how many records it moves

_COUNTED = cases(
    "2 to 12 records, p = 1/3: the probability of each permutation that moves k, by counting", "n p weights"
)(lambda: ((n, Fraction(1, 3), move_weights(n, Fraction(1, 3))) for n in range(2, 13)))

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
    "every x and z of every universe of one stratum with 2 to 5 records and four categories a side", "x z"
)(
    lambda: (
        pair
        for tables in sorted((contingency_tables(*u) for (u,) in of_one_stratum(2, 5, 4)), key=lambda t: len(t) == 1)
        for pair in product(tables, repeat=2)
    )
)
swapped_units = cases(
    "an x and every z of one stratum of 2 to 5 records with all margins 1; in other names x is any other", "x z"
)(lambda: ((t[0], z) for t in (contingency_tables((1,) * n, (1,) * n) for n in range(2, 6)) for z in t))


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

"""Permutations that swap: derangements, and swaps of two records of which all others are made."""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, factorial, floor
from typing import Any

from stirred.mechanisms.swapping.permutation_counts import derangements, move_weights
from stirred.spec.blocks.domain import tables_with_margins
from stirred.spec.blocks.tables import table_distance
from stirred.spec.flavors.permutation_swapping import largest_stratum
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, query, settled, state, theorem
from stirred.verify.ledger.claims.swapping.data_sets import (
    across,
    data_sets,
    in_at_most_swaps,
    inside,
    same_tallies,
    swapped_records,
    with_swap,
)
from stirred.verify.ledger.engines.budget_sweep import one_stratum
from stirred.verify.ledger.language_names import exp
from stirred.verify.ledger.words import count, moved, same_records
from stirred.verify.ledger.words import table_distance as table_distance_word

# Derangements: permutations without a fixed point, which every swapped stratum is

# data sets as one table of counts, of holding by swapping category, for each stratum
apart = lambda x, y: sum(table_distance_word(t, u) for t, u in zip(x, y))
_sizes = lambda first: cases(f"{first} <= k <= 200", "k")(lambda: range(first, 201))
sizes_and_differences = cases("k <= 200, 0 <= a <= k, a != k - 1", "k a")(
    lambda: ((k, a) for k in range(201) for a in range(k + 1) if a != k - 1)
)
pairs_of_sizes = cases("0 <= j <= k <= 100", "j k")(lambda: ((j, k) for k in range(101) for j in range(k + 1)))
permutations_listed = cases("all k <= 7, with every permutation of k things listed", "k listed")(
    lambda: ((k, tuple(permutations(range(k)))) for k in range(8))
)

alternating_sum = lambda k, more: sum((-1) ** j * (factorial(k) // factorial(j)) for j in range(k + 1 + more))
counts_listed = lambda k, listed, more: alternating_sum(k, more) == sum(1 for g in listed if moved(g) == k)

state("derangements.definition", "article, (13)", "dissertation, (B.4)")(
    "d(k) = k! * sum_{j=0}^{k} (-1)^j / j! is the number of derangements of size k, for k >= 0.",
    every(permutations_listed, counts_listed, more=0),
    every(_sizes(0), lambda k, more: alternating_sum(k, more) == derangements(k), more=0),
    mutant("the sum up to k - 1", {"more": -1}),
    theorem("derangement.card_deranges", "derangement.der_formula"),
)

recurrence = lambda k, sign: derangements(k) == (0 if k == 0 else k * derangements(k - 1)) + sign * (-1) ** k

state("derangements.recurrence", "article, (13)", "dissertation, (B.4)")(
    "d(k) = k d(k-1) + (-1)^k for k >= 0.",
    every(_sizes(0), recurrence, sign=1),
    mutant("- (-1)^k", {"sign": -1}),
    theorem("derangement.der_rS"),
    reading="k d(k-1) is 0 at k = 0, whatever d(-1) is",
)

own("derangements.recurrence.two-terms", "article, (13)")(
    "d(k) = (k - 1)(d(k - 1) + d(k - 2)) for k >= 2.",
    every(_sizes(2), lambda k: derangements(k) == (k - 1) * (derangements(k - 1) + derangements(k - 2))),
    mutant("k for k - 1", lambda k: derangements(k) == k * (derangements(k - 1) + derangements(k - 2))),
    theorem("derangement.derSS"),
)

by_moved = lambda k, first: sum(comb(k, j) * derangements(j) for j in range(first, k + 1)) == factorial(k)

own("derangements.all-permutations", "article, (13)")(
    "The k! permutations of k things are counted by which j of them move: sum_{j=0}^{k} C(k, j) d(j) = k!.",
    every(_sizes(0), by_moved, first=0),
    mutant("without the identity", {"first": 1}),
    theorem("derangement.sum_bin_der"),
)

state("derangements.ratio-bound", "article, Lemma 6")(
    """For any k in N and any a in N satisfying 0 <= a <= k and a != k-1, d(k)/d(k-a) <= (k+1)^a, where d(k) is the
    number of derangements of k elements.""",
    every(sizes_and_differences, lambda k, more, a: derangements(k) <= (k + more) ** a * derangements(k - a), more=1),
    mutant("k^a for (k+1)^a", {"more": 0}),
    theorem("derangement.der_ratio"),
)


def nearest_integer(k: int) -> Witness | None:
    """d(k) = floor(k!/e + 1/2), with 1/e between two partial sums of its alternating series."""
    ends = (sum(Fraction((-1) ** j, factorial(j)) for j in range(n)) for n in (k + 5, k + 6))
    is_so = {floor(factorial(k) * end + Fraction(1, 2)) for end in ends} == {derangements(k)}
    return settled(is_so, lambda k: derangements(k) == floor(factorial(k) / exp(1) + 1 / 2), lambda: {"k": k})


state("derangements.nearest-integer.printed", "article, Appendix F (proof of Theorem 4)")(
    """… where the first line follows by Proposition 9 and the second line by the identity d(k) = floor(k!/e + 1/2).""",
    every(_sizes(0), nearest_integer),
    reading="for the k at which the proof uses it: k = b and k = b - 2 for every b > 1, k = 0 included",
    grade=incomplete("k >= 1; a step that fails at the edge b = 2 of a proof whose conclusion holds there"),
    refuted_by=["optimality_universes.nearest_integer_refuted"],
)

own("derangements.nearest-integer", "article, Appendix F")(
    "d(k) = floor(k!/e + 1/2) for every k >= 1.",
    theorem("nearest_derangements.der_nearest"),
    every(_sizes(1), nearest_integer),
    mutant("k >= 0", _sizes(0)),
    repairs="derangements.nearest-integer.printed",
)

_triples = lambda *more: (
    (*triple, largest_stratum(universe))
    for universe in (*([margins] for n in range(1, 6) for margins in one_stratum(n, 4)), *more)
    for triple in product(tables_with_margins(universe).points, repeat=3)
)
_ONE_STRATUM = "every universe of one stratum with up to 5 records and four categories a side"
_PAIR = ((1, 1), (1, 1))
in_one_stratum = cases(_ONE_STRATUM, "x y z b")(_triples)
in_strata = cases(f"{_ONE_STRATUM}; two and three strata of two records", "x y z b")(
    lambda: _triples([_PAIR] * 2, [_PAIR] * 3)
)


def distance_ratio(x: Any, y: Any, z: Any, b: int, *, sized: int) -> Witness | None:
    """d(d_HamS(x, z)) <= (sized*b + 1)^d_HamS(x, x') d(d_HamS(x', z)), with x' written y."""
    is_so = derangements(_apart(x, z)) <= (sized * b + 1) ** _apart(x, y) * derangements(_apart(y, z))
    return settled(is_so, ratio_bounded, lambda: {"x": x, "y": y, "z": z, "b": b, "sized": sized})


_apart = cache(lambda x, y: sum(table_distance(t, u) or 0 for t, u in zip(x, y, strict=True)))
ratio_bounded = lambda x, y, z, b, sized: (
    derangements(apart(x, z)) <= (sized * b + 1) ** apart(x, y) * derangements(apart(y, z))
)

state("derangements.nondecreasing", "article, Appendix E (before (15))")(
    "d(k) is nondecreasing (except at k = 1).",
    every(pairs_of_sizes, lambda j, k: 1 in (j, k) or derangements(j) <= derangements(k)),
    mutant("k = 1 included", lambda j, k: derangements(j) <= derangements(k)),
    theorem("derangement.leq_der"),
)

beyond_exceptions = lambda k: (
    derangements(k) > (k + 1) ** (k - 1) * derangements(1) and derangements(0) > derangements(1)
)

own("derangements.exceptions", "article, Lemma 6", "article, Appendix E (before (15))")(
    "The exceptions are needed: d(k) <= (k+1)^a d(k-a) fails at a = k - 1 for every k >= 2, and d(0) > d(1).",
    every(_sizes(2), beyond_exceptions),
    mutant("k >= 1", _sizes(1)),
    theorem("derangement.der_ratio_refuted", "derangement.leq_der_refuted"),
)

state("derangements.distance-ratio.printed", "article, section 3.6")(
    """The ratio r of the number of derangements of size d_HamS(x, z) to the number of derangements of size d_HamS(x',
    z) is upper bounded by (b+1)^d_HamS(x, x'), for x, x' and z in one universe.""",
    every(in_strata, distance_ratio, sized=1),
    grade=incomplete("that all records are in one stratum: over several, distances add and b does not"),
    refuted_by=["psa_remarks.distance_ratio_refuted"],
)

own("derangements.distance-ratio", "article, section 3.6")(
    """If all records are in one stratum, the ratio of the number of derangements of size d_HamS(x, z) to that of size
    d_HamS(x', z) is at most (b+1)^d_HamS(x, x'), for x, x' and z in one universe.""",
    every(in_one_stratum, distance_ratio, sized=1),
    mutant("1 for b + 1", {"sized": 0}),
    theorem("psa_remarks.distance_ratio", within="finitely many categories"),
    repairs="derangements.distance-ratio.printed",
)

induction = lambda k, more, least: (
    derangements(0) == derangements(2) == 1
    and derangements(1) == 0
    and derangements(k - 1) >= 1
    and derangements(k) / derangements(k - 1) == (k * derangements(k - 1) + (-1) ** k) / derangements(k - 1) <= k + more
    and all(
        derangements(k) / derangements(k - a) <= derangements(k) / derangements(k - 1) * k ** (a - 1)
        for a in range(least, k + 1)
        if a != k - 1
    )
)

_PROOF = ("article, Appendix E (proof of Lemma 6)", "dissertation, section B.3 (proof of Lemma B.3.5)")

state("derangements.ratio-bound.steps", *_PROOF)(
    """The base cases k = 0, 1, 2 are straightforward to verify since d(0) = d(2) = 1 and d(1) = 0. For the induction
    step, we can assume k >= 3 so that d(k-1) >= 1 and hence d(k)/d(k-a) = d(k)/d(k-1) d(k-1)/d(k-a) <= d(k)/d(k-1)
    k^(a-1) by the induction hypothesis. The result then follows by the identity given in Equation 13: d(k)/d(k-1) = (k
    d(k-1) + (-1)^k)/d(k-1) <= k + 1.""",
    every(_sizes(3), induction, more=1, least=1),
    mutant("k for k + 1", {"more": 0}),
    mutant("the induction hypothesis for a = 0 too", {"least": 0}),
    reading="for a >= 1, as at a = 0 the lemma says 1 <= 1",
)

# swaps of two records: what one changes, when it is vacuous, and the permutations that are made of them

_VALUES = tuple((0, h, s) for h, s in product((0, 1), repeat=2))
two_records = cases("two values of h and s, any two records of one stratum beside up to 2 others, their swap", "x")(
    lambda: ((*pair, *rest) for pair in product(_VALUES, repeat=2) for rest in [(), *data_sets(2, _VALUES)])
)

changes_four_counts = lambda x, excepted: all(
    count(z, a) - count(x, a)
    == (0 if any(x[0][i] == x[1][i] for i in excepted) else -1 if a in x[:2] else 1 if a in z[:2] else 0)
    for z in [with_swap(x, 0, 1)]
    for a in set(x) | set(z)
)

_PROPOSITION_4 = ("article, Proposition 4 (proof)", "dissertation, section 3.2.2 (proof of Proposition 1)")

state("swapping.swap-of-two.printed", *_PROPOSITION_4)(
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

state("swapping.swap-of-two.third-margin", *_PROPOSITION_4)(
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

state("swapping.compositions-of-swaps", *_PROPOSITION_4)(
    "… every permutation sigma can be written as the composition of swaps (i.e., two-cycles) …",
    every(cases("permutations of 2 to 5 things", "n")(lambda: range(2, 6)), swaps_compose, most=1),
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
    "all data sets of 2 to 4 records of one stratum, three holding and three swapping categories, all pairs", "x i j"
)(lambda: ((x, *pair) for x in data_sets(4, _KINDS) for pair in combinations(range(len(x)), 2)))

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

drawn = cases("two records of one stratum, with the law of the permutation that the PSA draws at p = 1/3", "x law")(
    lambda: ((x, {(0, 1): _WEIGHTS[0], (1, 0): _WEIGHTS[2]}) for x in data_sets(2, _KINDS) if len(x) == 2)
)

state("swapping.vacuous-pairs.allowed", *_DIFFERENCE_4)(
    "On the other hand, vacuous swaps are allowed by the PSA.",
    every(drawn, lambda x, law: (x[0][1] != x[1][1] and x[0][2] != x[1][2]) or vacuous_is_drawn(law, x)),
    mutant("whatever their values", vacuous_is_drawn),
    reading="with nonzero probability, where two records of a stratum share a holding or a swapping value",
)

"""The steps of the proofs of the lower bounds in the article's Appendix F: Proposition 9 and the end of Theorem 4."""

from fractions import Fraction
from itertools import accumulate, permutations
from math import factorial

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.verify.ledger import cases, every, mutant, own, state
from stirred.verify.ledger.claims.psa.cases import appendix
from stirred.verify.ledger.claims.psa.swap_rate import swapped_by
from stirred.verify.ledger.engines.disjoint_tables import disjoint_pair
from stirred.verify.ledger.words import hamming, moved, same_records

_records = lambda table, shift: (
    (h + shift, s + shift) for h, row in enumerate(table) for s, n in enumerate(row) for _ in range(n)
)
# two records, and the rest with categories from this one on; what they are swapped to in x, and in x'
_stratum = lambda shift: cases(
    f"2 to 4 records besides the first two, categories from {shift} on",
    "x y z",
    lambda: (
        (((0, 0), (1, 1), *x), ((0, 1), (1, 0), *x), ((0, 0), (1, 1), *z))
        for side in ((1, 1), (1, 1, 1), (2, 2), (2, 1, 1))
        for pair in [disjoint_pair(side, side)]
        if pair is not None
        for x, z in [[tuple(_records(table, shift)) for table in pair]]
    ),
)
sizes_moved_to = lambda x, z: [moved(g) for g in permutations(range(len(x))) if same_records(swapped_by(x, g), z)]
moves_of_triple = lambda x, z, fixed, y: (
    set(sizes_moved_to(x, z)) == {len(x) - fixed}
    and set(sizes_moved_to(y, z)) == {len(x)}
    and len(sizes_moved_to(x, z)) == len(sizes_moved_to(y, z))
    and hamming(x, y) == 2
    and hamming(x, z) == len(x) - 2
    and hamming(y, z) == len(x)
)

state("psa.unit-pair.steps", *appendix("F", "proof of Proposition 9", "proof of Proposition 5"))(
    """We know that d_HamS(z, z') = 0 and d_HamS(x', z) = b. Then using the triangle inequality (twice, once for <= and
    once for >=), d_HamS(x', z') = b. Lemma 7 implies that k_g = b for all g in G_x'->z'. By the same reasoning,
    d_HamS(x, z') = b - 2. This implies k_g >= b - 2 for all g in G_x->z' by Lemma 7. We now show that, in fact, k_g = b
    - 2. By construction, n_m0h1s1^x = n_m0h2s2^x = 1 and n_m0h1s^x = n_m0h2s^x = n_m0hs1^x = n_m0hs2^x = 0, for all h
    not in {h1, h2} and s not in {s1, s2}. These equations also hold for z and hence also for z'. Thus, all g in G_x->z'
    must fix the first two records and hence k_g <= b - 2.""",
    every(_stratum(2), moves_of_triple, fixed=2),
    mutant("k_g = b - 1", {"fixed": 1}),
    mutant("without (19): the first two records share categories with others", _stratum(0)),
    reading="""over all orders z' of z at once; for x and z that Lemma 8 is to give, which exist where the rest of the
    stratum has two tables without a common cell (swapping.disjoint-tables)""",
)

first_factor = lambda b: (b + 1) ** 2 / (b * (b - 1))
second_factor = lambda b, e: (1 + e / (2 * factorial(b - 2))) / (1 - e / (2 * factorial(b)))

_sizes = cases(
    "2 <= b <= 40; e from below and above, by its series to 60 terms",
    "b e f",
    lambda: (
        (b, below, below + Fraction(2, factorial))
        for *_, factorial in [accumulate(range(1, 61), lambda a, k: a * k)]
        for terms in [accumulate(range(60), lambda a, k: a / (k + 1), initial=Fraction(1))]
        for below in [sum(terms, Fraction())]
        for b in range(2, 41)
    ),
)

ratio_squared_within = lambda b, bound: (b + 1) ** 2 * derangements(b - 2) / derangements(b) <= bound
_SOURCES = appendix("F", "proof of Theorem 4", "proof of Theorem B.4.2")

own("optimality.bound-function.second-line", *_SOURCES)(
    "For b >= 2, ln(b+1) - (1/2) ln[d(b)/d(b-2)] <= f(b), although d(0) is not floor(0!/e + 1/2).",
    every(_sizes, lambda b, e: ratio_squared_within(b, first_factor(b) * second_factor(b, e))),
    mutant("without the second term", lambda b: ratio_squared_within(b, first_factor(b))),
)

falling = lambda b, f, e, limit: (
    first_factor(b + 1) < first_factor(b)
    and first_factor(b + 1) > 1
    and second_factor(b + 1, f) < second_factor(b, e)
    and second_factor(b + 1, e) > 1
    and first_factor(b) * second_factor(b, e) > limit
)

state("optimality.bound-function.steps", *_SOURCES)(
    """The second term inside the logarithm (1 + e/(2(b-2)!))/(1 - e/(2b!)) has a numerator that decreases with b and a
    denominator that increases. Hence this term is monotonically decreasing. The first term inside the logarithm
    (b+1)^2/(b(b-1)) has negative first derivative and hence is also decreasing. Therefore, f(b) is monotonically
    decreasing. Moveover, f(b) is positive and converges to zero because both terms inside the logarithm are greater
    than one and converge to one.""",
    every(_sizes, falling, limit=1),
    mutant("(b+1)^2/(b(b-1)) f above 2 for above 1", {"limit": 2}),
    reading="for integers b >= 2; that they converge is optimality.bound-function-limit",
)

"""Other permutations, and permutations across strata: article, Appendix C.2 and section 6.2."""

from fractions import Fraction
from itertools import product
from math import comb
from operator import mul

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_counts import derangements, moved_counts
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping, table_records
from stirred.mechanisms.swapping.variants import nonuniform_swapping, probabilistic_matching
from stirred.spec.blocks.tables import contingency_tables
from stirred.spec.laws.law import Law
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.ledger import cases, every, mutant, own, state
from stirred.verify.ledger.claims.psa.cases import needs
from stirred.verify.ledger.claims.swapping_variants.losses import common_support, laws_of
from stirred.verify.ledger.words import moved

listed_records = lambda z: [r for r, n in z for k in range(n)]
tally_of = lambda x, places: sorted([r[i] for i in places] for r in x)
margin_mh = lambda x: tally_of(x, [0, 1])
margin_s = lambda x: tally_of(x, [2])
margin_ms = lambda x: tally_of(x, [0, 2])
county_populations = lambda x: {s: sum(r[0] + 1 for r in x if r[2] == s) for s in {r[2] for r in x}}
_C2 = "article, Appendix C.2, Nonuniform Permutations"
_B6 = "dissertation, section B.6.2, Non-Uniform Permutations"
_EXTENDS = "article, section 6.2"
_RATE = Fraction(1, 3)
_ACROSS = Fraction(1, 10)
_BY_MOVED = ((16, 0, 4, 2, 1, 1), (1, 0, 5, 1, 3, 2), (1, 0, 1, 30, 1, 1), (7, 0, 7, 7, 7, 7))
"""The probability of one permutation by how many records it moves, up to a common factor."""

laws_by_size = cases(
    "one stratum, n <= 5 records, at most 3 x 3 categories; four laws that give equal sizes equal probability",
    "laws sizes",
    lambda: (
        (laws, {k: weights[k] for k in range(n + 1) if k != 1})
        for margins, weights in product(small_universes(5), _BY_MOVED)
        for n, tables in [(sum(margins[0]), contingency_tables(*margins))]
        for total in [sum(weights[k] * comb(n, k) * derangements(k) for k in range(n + 1))]
        for weighed in [{(x, z): sum(map(mul, moved_counts(x, z), weights)) for x, z in product(tables, repeat=2)}]
        for laws in [{x: Law({z: Fraction(weighed[x, z], total) for z in tables}) for x in tables}]
    ),
)

# The smallest c with P(g)/P(g') <= e^(c*|k_g - k_g'|) for all derangements is a budget, or its share is.
needed_by_sizes = lambda share, sizes, laws: all(
    any(ratio ** (share * abs(a - b)) <= (sizes[a] / sizes[b]) ** d for a in sizes for b in sizes if a != b)
    for ratio, d in needs(laws)
)

state("psa.variants.nonuniform.printed", _C2, _B6)(
    """… this extension will also retain the PSA's DP flavor, provided that P_x(sigma = g)/P_x'(sigma = g') is uniformly
    bounded by exp[O(|k_g - k_g'|)], for all derangements g and g' (of k_g and k_g' records, respectively).""",
    every(laws_by_size, needed_by_sizes, share=1),
    mutant("half of the proviso's constant as the budget", {"share": 2}),
    reading="""by exp(c |k_g - k_g'|) with one constant c, which is then a finite budget; that derangements of as many
    records are equally probable then, though the paragraph wants them unequal, is another claim""",
)

# 2 for a move to the next place on a line, else 1
_near = lambda record, other: 2 if abs(int(str(record[1])) - int(str(other[2]))) == 1 else 1
undersampled = cases(
    "four households in four places on a line, moves to the next place favoured 2 to 1; exp(c) = 10^6",
    "law",
    lambda: (
        {tuple(int(str(record[2])) for record, _ in sorted(z, key=repr)): law.numeric(z) for z in law}
        for records in [table_records(tuple(tuple(int(i == j) for j in range(4)) for i in range(4)))]
        for law in [exact_law(nonuniform_swapping, records, weight=_near, swap_rate=_RATE)]
    ),
)

proviso = lambda law, c, more: any(
    law[g] > law[h] * c ** (more + abs(moved(g) - moved(h))) for g in law for h in law if moved(g) == moved(h)
)

own("psa.variants.nonuniform.proviso", _C2)(
    """No constant bounds P_x(sigma = g)/P_x(sigma = g') by exp(c |k_g - k_g'|) where one derangement of some records is
    more probable than another one of as many; exp(c (1 + |k_g - k_g'|)) can.""",
    every(undersampled, proviso, c=10**6, more=0),
    mutant("with the bound exp(c (1 + |k_g - k_g'|))", {"more": 1}),
)

# 2 for a move that gives row i column i + 1 modulo 3, else 1
_favour_the_next = lambda record, other: 2 if int(str(other[2])) == (int(str(record[1])) + 1) % 3 else 1
_BY_CATEGORY = "weights 2 and 1 by category, p ="
_weighted = lambda rate: laws_of(
    nonuniform_swapping, 4, setting=f"{_BY_CATEGORY} {rate}", weight=_favour_the_next, swap_rate=rate
)

own("psa.variants.nonuniform.by-value", _C2)(
    """If 0 < p < 1 and a derangement of the selected records is drawn in proportion to the product over its moves of a
    positive weight, a function of the categories of the two records, then the same DP flavor is satisfied with a finite
    budget.""",
    every(_weighted(_RATE), lambda laws: common_support(laws)),
    mutant("p = 1 allowed", _weighted(Fraction(1))),
)

_STRATA = "two strata, n <= 4 records in all, at most 3 rows (m, h) and 3 swapping categories; alpha = 1/10, p = 1/3"

# on the universes whose rows (m, h) lie in two matching strata, the first row in stratum 0
_laws = lambda program, **parameters: (
    {x: exact_law(program, x, swap_rate=_RATE, **parameters) for x in listed}
    for margins in small_universes(4)
    for strata in ((0, *rest) for rest in product((0, 1), repeat=len(margins[0]) - 1) if any(rest))
    for records in [map(table_records, contingency_tables(*margins))]
    for listed in [[tuple((strata[int(str(row))], row, column) for _, row, column in x) for x in records]]
)
matched = cases(
    _STRATA, "x law", lambda: (pair for laws in _laws(probabilistic_matching, across=_ACROSS) for pair in laws.items())
)

keeps_mh = lambda x, law: all(margin_mh(listed_records(z)) == margin_mh(x) for z in law)
keeps_s = lambda x, law: all(margin_s(listed_records(z)) == margin_s(x) for z in law)
keeps_ms = lambda x, law: all(margin_ms(listed_records(z)) == margin_ms(x) for z in law)
keeps_both = lambda x, law: keeps_s(x, law) and keeps_populations(x, law)
keeps_populations = lambda x, law: all(county_populations(listed_records(z)) == county_populations(x) for z in law)

state("psa.variants.cross-strata.printed", _EXTENDS)(
    """For example, consider using county as the swapping variable, with state and household size as the matching
    variables. Suppose that, for some alpha > 0, a household chosen for swapping would have a (1 - alpha)% chance of
    being swapped with another household of the same size, but an alpha% chance of being swapped with a differently
    sized household. Doing so retains the countywide household counts as invariant, but the countywide total populations
    would no longer be invariant.""",
    every(matched, lambda x, law: keeps_s(x, law) and not keeps_populations(x, law)),
    mutant("the countywide total populations are invariant too", keeps_both),
    reading="""the sizes are one and two persons, and alpha a fraction (the printed chances sum to 1%): a permutation of
    the chosen households is drawn in proportion to 1 - alpha for each move inside a size, alpha across; wherever
    households differ in size and in county, some output has other populations""",
)

own("psa.variants.cross-strata.invariants", _EXTENDS, "dissertation, section 4.6.2")(
    """If each move of a chosen household stays in its matching stratum in proportion to 1 - alpha and leaves it in
    proportion to alpha, 0 < alpha < 1, then n_mh. and n_..s (the countywide household counts) are invariant, and n_m.s
    is not where two households differ in stratum and in swapping category.""",
    every(matched, lambda x, law: keeps_mh(x, law) and keeps_s(x, law) and not keeps_ms(x, law)),
    mutant("n_m.s is kept too", lambda x, law: keeps_mh(x, law) and keeps_s(x, law) and keeps_ms(x, law)),
)

own("psa.variants.cross-strata.budget", _EXTENDS)(
    """Swapping with such probabilistic matching and 0 < p < 1 satisfies, on each universe given by n_mh. and n_..s,
    d_HamS and D_Mult with a finite budget.""",
    every(
        cases(_STRATA, "laws", lambda: _laws(probabilistic_matching, across=_ACROSS)), lambda laws: common_support(laws)
    ),
    mutant("alpha = 0, which is the PSA with hard strata", cases(_STRATA, "laws", lambda: _laws(permutation_swapping))),
)

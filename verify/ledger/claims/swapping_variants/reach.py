"""Which data sets a variant of the PSA can reach, by other permutations or across strata: article, Appendix C.2.

On a finite universe D_Mult allows a finite budget iff all laws have common support, for any two tables of a universe
are at a finite distance and only equal ones at 0.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from math import comb
from operator import mul
from typing import Any

from stirred.mechanisms.broken.disjoint_pairs import disjoint_pairs
from stirred.mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_counts import derangements, moved_counts
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping, table_records
from stirred.mechanisms.swapping.variants import (
    capped_swapping,
    nonuniform_swapping,
    nonvacuous_swapping,
    probabilistic_matching,
)
from stirred.spec.blocks.tables import Table, contingency_tables
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.spec.laws.law import Law
from stirred.verify.engines.swapping.variant_loss import laws_on_universe, small_universes
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, argued, cases, every, mutant, own, query, settled, state
from stirred.verify.ledger.claims.psa.cases import needs
from stirred.verify.ledger.engines.renyi_grid import coin
from stirred.verify.ledger.words import count, hockey_stick, moved, permuted, table_distance

# what claims about variants compare: the laws of all tables of one universe

RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
common_support = lambda laws: len({{z for z in laws[x] if laws[x][z] > 0} for x in laws}) == 1


def laws_of(program: Callable[..., Any], records: int, parts: int = 3, *, setting: str, **parameters: Any) -> Cases:
    """The laws of a program on every universe of one stratum with up to so many records and categories."""
    scope = f"one stratum, n <= {records} records, at most {parts} x {parts} categories; {setting}"
    return cases(scope, "laws")(
        lambda: (laws_on_universe(program, margins, **parameters) for margins in small_universes(records, parts))
    )


# which data sets a variant of the PSA can reach: common support is what a finite budget needs

swapped_pairs = lambda h, s, g: sorted(zip(h, permuted(s, g)))
made_by = lambda h, s, drawn: {swapped_pairs(h, s, g) for g in drawn}
all_alike = lambda sets: all(a == sets[0] for a in sets)
in_steps = lambda held, drawn, n: (
    held if n == 0 else in_steps(held | {permuted(t, g) for t in held for g in drawn}, drawn, n - 1)
)
within_swaps = lambda held, tables, n: (
    held if n <= 0 else within_swaps({y for y in tables for x in held if table_distance(x, y) in (0, 2)}, tables, n - 1)
)
counted_as = lambda x, t: [[count(x, (h, s)) for s in range(len(t[0]))] for h in range(len(t))]
_C2, _B6 = "article, Appendix C.2", "dissertation, section B.6.2"
_RATE = Fraction(1, 3)
_COINS = tuple(coin(Fraction(k, 100)) for k in (0, 1, 2, 50, 99, 100))
coins = cases("coins with chances 0, 1/100, 1/50, 1/2, 99/100 and 1; e^(eps*d) = 1, 2, 10^6", "p q gamma")(
    lambda: product(_COINS, _COINS, (1, 2, 10**6))
)

same_support_if_close = lambda p, q, gamma, delta: (
    max(hockey_stick(p, q, gamma), hockey_stick(q, p, gamma)) > delta or set(p) == set(q)
)

state("psa.variants.common-support", _C2, _B6)(
    """… a necessary condition for a mechanism T to be pure DP is that P(T(x, U) in .) and P(T(x', U) in .) have common
    support for all x and x' in the same data universe with d_X(x, x') < oo.""",
    query(
        "psa.variants.common-support",
        "all probabilities p = P_x(E) and q = P_x'(E) of one event and all finite g = e^(eps*d), pure DP",
    ),
    every(coins, same_support_if_close, delta=0),
    mutant("approximate DP with delta = 1/100", {"delta": Fraction(1, 100)}),
    reading="with a finite budget",
)

# the holding and the swapping categories of the records of a table
_listed = lambda table: tuple(
    zip(*((h, s) for h, row in enumerate(table) for s, n in enumerate(row) for _ in range(n)), strict=True)
)


@cases(
    "one stratum, at most 3 x 3 categories: n <= 3 records in all orders and every nonempty set of permutations; n = 4 "
    "and every union of cycle types, whose laws do not depend on the order",
    "lists drawn",
)
def draws() -> Iterator[tuple[Any, ...]]:
    for margins in small_universes(4):
        h, s = _listed(contingency_tables(*margins)[0])
        every_one, few = tuple(permutations(range(len(h)))), len(h) < 4
        # the cycle type of four: how many are moved, and whether it is its own inverse
        kinds: dict[Any, Any] = {
            g: g if few else (sum(i != j for i, j in enumerate(g)), all(g[j] == i for i, j in enumerate(g)))
            for g in every_one
        }
        listed = sorted(set(kinds.values()), reverse=True)
        lists = tuple(product(set(permutations(h)) if few else [h], set(permutations(s))))
        for some in chain.from_iterable(combinations(listed, k) for k in range(1, len(listed) + 1)):
            yield lists, tuple(g for g in every_one if kinds[g] in some)


alike_iff_group_transitive = lambda lists, drawn: (
    all_alike([made_by(h, s, drawn) for h, s in lists])
    == all(
        {sorted(zip(h, t)) for t in in_steps({s}, drawn, 4)} == {sorted(zip(u, t)) for u, t in lists} for h, s in lists
    )
)
alike_iff_transitive = lambda lists, drawn: (
    all_alike([made_by(h, s, drawn) for h, s in lists])
    == all(made_by(h, s, drawn) == {sorted(zip(u, t)) for u, t in lists} for h, s in lists)
)

state("psa.variants.transitive.printed", _C2, _B6)(
    """When the statistical disclosure control method is a random group action on x, as is the case for permutation
    swapping, this condition is equivalent to the group action being transitive.""",
    every(draws, alike_iff_transitive),
    mutant("the group that they generate in place of the permutations", alike_iff_group_transitive),
    argued(
        "every set of permutations with one law for all data sets",
        proof="A permutation maps the orders of the swapping values one to one onto themselves, so each data set "
        "is reached from some data set; if all data sets reach the same ones, these are all of them.",
    ),
    reading="""transitive: the permutations that the method draws take each data set of the universe to every one, as in
    the sentence before, where disjoint pairs, of which all permutations are products, are not transitive; their law is
    one for all data sets""",
)

# the laws of disjoint, pairwise swapping
_paired = lambda scope, margins, *rates: cases(f"{scope}; p = {', '.join(map(str, rates))}", "laws")(
    lambda: (laws_on_universe(disjoint_pairs, one, swap_rate=rate) for one, rate in product(margins, rates))
)
_DISTINCT = "three records that differ in their holding and in their swapping categories"
_TWO_HOLDING = "one stratum, n <= 5 records, two holding and at most 4 swapping categories"
_OF_TWO = tuple(margins for margins in small_universes(5, 4) if len(margins[0]) == 2)
_UNITS: Margins = ((1, 1, 1), (1, 1, 1))

state("psa.variants.pairs.printed", _C2, _B6)(
    """The 2010 DAS used disjoint, pairwise swapping …. This is not a transitive action—its orbit space does not equal
    the universe induced by the swapping invariants—and hence it cannot satisfy differential privacy.""",
    every(_paired(_DISTINCT, [_UNITS], *RATES), lambda laws: not common_support(laws)),
    mutant("two holding categories suffice", _paired(_TWO_HOLDING, _OF_TWO, *RATES)),
    reading="""This is the swapping of the 2010 DAS, whose domain has strata of three households of three kinds in three
    blocks: Definition 1 asks for all universes, and in theirs some data set is possible from another one alone""",
)

_PAIRS = laws_of(disjoint_pairs, 5, 4, setting="p = 1/3", swap_rate=_RATE)
_SIX = _paired("margins (4, 1, 1) and (2, 2, 2)", [((4, 1, 1), (2, 2, 2))], _RATE)

own("psa.variants.pairs.three-values", _C2)(
    """On the universe of one stratum, disjoint, pairwise swapping with 0 < p < 1 satisfies the PSA's flavor with a
    finite budget if there are at most two holding or at most two swapping categories, and with no finite budget if
    there are at least three of each and at most five records.""",
    every(_PAIRS, lambda laws: common_support(laws) == all(len(x) < 3 or len(x[0]) < 3 for x in laws)),
    mutant(
        "three categories of either kind suffice",
        lambda laws: common_support(laws) == all(len(x) < 3 and len(x[0]) < 3 for x in laws),
    ),
    mutant("six records: other records of a large row help with the cycle", _SIX),
)

caps = cases("one stratum, n <= 4 records, at most 3 x 3 categories; every cap c <= n; p = 1/3", "laws cap")(
    lambda: (
        (laws_on_universe(capped_swapping, u, cap=c, swap_rate=_RATE), c)
        for u in small_universes(4)
        for c in range(sum(u[0]) + 1)
    )
)

capped = lambda laws, cap, more: (
    common_support(laws) == all(table_distance(x, y) <= cap + more for x in laws for y in laws)
)

own("psa.variants.capped", "article, section 3.3", "article, Appendix C.1, (2)")(
    """The PSA with 0 < p < 1 that never selects more than c records of a stratum satisfies the PSA's flavor with a
    finite budget on the universe of one stratum iff no two of its tables differ on more than c records.""",
    every(caps, capped, more=0),
    mutant("tables that differ on c + 1 records are near enough", {"more": 1}),
)

fixed_swaps = cases("one stratum, n <= 4 records, at most 3 x 3 categories; m = 0 to 2 swaps", "laws m")(
    lambda: ((laws_on_universe(fixed_number_of_swaps, u, swaps=m), m) for u, m in product(small_universes(4), range(3)))
)

far = lambda laws, m, fewer: (
    not common_support(laws) or all(within_swaps({x}, laws, m - fewer) == set(laws) for x in laws)
)

own("psa.variants.fixed", "article, section 3.3")(
    """A method that makes exactly m swaps of two distinct records, chosen uniformly, satisfies the PSA's flavor for no
    finite budget on a universe where two tables are more than m swaps apart.""",
    every(fixed_swaps, far, fewer=0),
    mutant("tables that are exactly m swaps apart", {"fewer": 1}),
)

changes = cases("one stratum, n <= 6 records, at most 3 x 3 categories", "x z")(
    lambda: (pair for margins in small_universes(6) for pair in permutations(contingency_tables(*margins), 2))
)


def deranged(x: Table, z: Table, *, largest: int = 6) -> Witness | None:
    """Some derangement of at most so many records makes z of x."""
    ways, (h, s) = sum(moved_counts(x, z)[2 : largest + 1]), _listed(x)
    return settled(ways > 0, can_be_deranged, lambda: {"h": h, "s": s, "z": z, "largest": largest})


can_be_deranged = lambda h, s, z, largest: any(
    counted_as(swapped_pairs(h, s, g), z) == z for g in permutations(range(len(h))) if 2 <= moved(g) <= largest
)

state("psa.variants.nonvacuous.orbit", f"{_C2}, Prohibiting Vacuous Swaps", f"{_B6}, Prohibiting Vacuous Swaps")(
    "Under the action of nonvacuous derangements, the orbit space is still the entire data universe.",
    every(changes, deranged),
    mutant("derangements of two records only", {"largest": 2}),
    reading="a data set itself is reached by selecting no record; a derangement that leads elsewhere is nonvacuous",
)

_ALWAYS = cases("margins (1, 1, 1) on both sides, p = 1", "laws")(
    lambda: [laws_on_universe(nonvacuous_swapping, _UNITS, swap_rate=1)]
)

state("psa.variants.nonvacuous", f"{_C2}, Prohibiting Vacuous Swaps", f"{_B6}, Prohibiting Vacuous Swaps")(
    """Instead of sampling derangements uniformly at random, we would put zero probability on vacuous derangements. …
    Hence, this modification will still satisfy the same DP flavor as the PSA …""",
    every(laws_of(nonvacuous_swapping, 4, setting="p = 1/3", swap_rate=_RATE), lambda laws: common_support(laws)),
    mutant("p = 1 allowed", _ALWAYS),
    reading="""with a finite budget, for 0 < p < 1, where the PSA has one; what is selected is moved so that the table
    changes, and both are begun again otherwise""",
)

# other permutations, and permutations across strata: article, Appendix C.2 and section 6.2

listed_records = lambda z: [r for r, n in z for k in range(n)]
tally_of = lambda x, places: sorted([r[i] for i in places] for r in x)
margin_mh = lambda x: tally_of(x, [0, 1])
margin_s = lambda x: tally_of(x, [2])
margin_ms = lambda x: tally_of(x, [0, 2])
county_populations = lambda x: {s: sum(r[0] + 1 for r in x if r[2] == s) for s in {r[2] for r in x}}
_C2_NONUNIFORM = "article, Appendix C.2, Nonuniform Permutations"
_B6_NONUNIFORM = "dissertation, section B.6.2, Non-Uniform Permutations"
_EXTENDS = "article, section 6.2"
_ACROSS = Fraction(1, 10)
_BY_MOVED = ((16, 0, 4, 2, 1, 1), (1, 0, 5, 1, 3, 2), (1, 0, 1, 30, 1, 1), (7, 0, 7, 7, 7, 7))
"""The probability of one permutation by how many records it moves, up to a common factor."""

laws_by_size = cases(
    "one stratum, n <= 5 records, at most 3 x 3 categories; four laws that give equal sizes equal probability",
    "laws sizes",
)(
    lambda: (
        (laws, {k: weights[k] for k in range(n + 1) if k != 1})
        for margins, weights in product(small_universes(5), _BY_MOVED)
        for n, tables in [(sum(margins[0]), contingency_tables(*margins))]
        for total in [sum(weights[k] * comb(n, k) * derangements(k) for k in range(n + 1))]
        for weighed in [{(x, z): sum(map(mul, moved_counts(x, z), weights)) for x, z in product(tables, repeat=2)}]
        for laws in [{x: Law({z: Fraction(weighed[x, z], total) for z in tables}) for x in tables}]
    )
)

# the smallest c with P(g)/P(g') <= e^(c*|k_g - k_g'|) for all derangements is a budget, or its share is.
needed_by_sizes = lambda share, sizes, laws: all(
    any(ratio ** (share * abs(a - b)) <= (sizes[a] / sizes[b]) ** d for a in sizes for b in sizes if a != b)
    for ratio, d in needs(laws)
)

state("psa.variants.nonuniform.printed", _C2_NONUNIFORM, _B6_NONUNIFORM)(
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
    "four households in four places on a line, moves to the next place favoured 2 to 1; exp(c) = 10^6", "law"
)(
    lambda: (
        {tuple(int(str(record[2])) for record, _ in sorted(z, key=repr)): law.numeric(z) for z in law}
        for records in [table_records(tuple(tuple(int(i == j) for j in range(4)) for i in range(4)))]
        for law in [exact_law(nonuniform_swapping, records, weight=_near, swap_rate=_RATE)]
    )
)

proviso = lambda law, c, more: any(
    law[g] > law[h] * c ** (more + abs(moved(g) - moved(h))) for g in law for h in law if moved(g) == moved(h)
)

own("psa.variants.nonuniform.proviso", _C2_NONUNIFORM)(
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

own("psa.variants.nonuniform.by-value", _C2_NONUNIFORM)(
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
matched = cases(_STRATA, "x law")(
    lambda: (pair for laws in _laws(probabilistic_matching, across=_ACROSS) for pair in laws.items())
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
        cases(_STRATA, "laws")(lambda: _laws(probabilistic_matching, across=_ACROSS)), lambda laws: common_support(laws)
    ),
    mutant("alpha = 0, which is the PSA with hard strata", cases(_STRATA, "laws")(lambda: _laws(permutation_swapping))),
)

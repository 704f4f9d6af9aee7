"""Which data sets a variant of the PSA can reach: common support is what a finite budget needs."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from typing import Any

from stirred.mechanisms.broken.disjoint_pairs import disjoint_pairs
from stirred.mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps
from stirred.mechanisms.swapping.permutation_counts import moved_counts
from stirred.mechanisms.swapping.variants import capped_swapping, nonvacuous_swapping
from stirred.spec.blocks.tables import Table, contingency_tables
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.verify.engines.swapping.variant_loss import laws_on_universe, small_universes
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, mutant, own, query, settled, state
from stirred.verify.ledger.claims.swapping_variants.losses import RATES, common_support, laws_of
from stirred.verify.ledger.engines.renyi_grid import coin
from stirred.verify.ledger.words import count, hockey_stick, moved, permuted, table_distance

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
coins = cases(
    "coins with chances 0, 1/100, 1/50, 1/2, 99/100 and 1; e^(eps*d) = 1, 2, 10^6",
    "p q gamma",
    lambda: product(_COINS, _COINS, (1, 2, 10**6)),
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
_paired = lambda scope, margins, *rates: cases(
    f"{scope}; p = {', '.join(map(str, rates))}",
    "laws",
    lambda: (laws_on_universe(disjoint_pairs, one, swap_rate=rate) for one, rate in product(margins, rates)),
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

caps = cases(
    "one stratum, n <= 4 records, at most 3 x 3 categories; every cap c <= n; p = 1/3",
    "laws cap",
    lambda: (
        (laws_on_universe(capped_swapping, u, cap=c, swap_rate=_RATE), c)
        for u in small_universes(4)
        for c in range(sum(u[0]) + 1)
    ),
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

fixed_swaps = cases(
    "one stratum, n <= 4 records, at most 3 x 3 categories; m = 0 to 2 swaps",
    "laws m",
    lambda: (
        (laws_on_universe(fixed_number_of_swaps, u, swaps=m), m) for u, m in product(small_universes(4), range(3))
    ),
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

changes = cases(
    "one stratum, n <= 6 records, at most 3 x 3 categories",
    "x z",
    lambda: (pair for margins in small_universes(6) for pair in permutations(contingency_tables(*margins), 2)),
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

_ALWAYS = cases(
    "margins (1, 1, 1) on both sides, p = 1",
    "laws",
    lambda: [laws_on_universe(nonvacuous_swapping, _UNITS, swap_rate=1)],
)

state("psa.variants.nonvacuous", f"{_C2}, Prohibiting Vacuous Swaps", f"{_B6}, Prohibiting Vacuous Swaps")(
    """Instead of sampling derangements uniformly at random, we would put zero probability on vacuous derangements. …
    Hence, this modification will still satisfy the same DP flavor as the PSA …""",
    every(laws_of(nonvacuous_swapping, 4, setting="p = 1/3", swap_rate=_RATE), lambda laws: common_support(laws)),
    mutant("p = 1 allowed", _ALWAYS),
    reading="""with a finite budget, for 0 < p < 1, where the PSA has one; what is selected is moved so that the table
    changes, and both are begun again otherwise""",
)

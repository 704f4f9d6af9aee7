"""The swap key: what the budget (7) becomes with more or fewer matching variables (article, section 3.5 and C.1)."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec.blocks.tables import contingency_tables
from stirred.spec.flavors.permutation_swapping import largest_stratum, swapping_invariants
from stirred.verify.ledger import cases, every, misprint, mutant, own, state, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, largest_mixed, psa_budget
from stirred.verify.ledger.engines.budget_sweep import one_stratum
from stirred.verify.ledger.words import same_records

# each stratum of a coarser key as two strata of a finer one; the variable that the coarser key lacks stays in V_Hold:
# the rows of the two are the rows of the one, and either may have no records
finer = lambda x: [t for pair in x for t in pair]
coarser = lambda x: [pair[0] + pair[1] for pair in x]
parts = lambda x, i, j: [(r[i], r[j]) for r in x]
_RATES = tuple(map(Fraction, ("1/25", "1/20", "1/2", "19/20")))
_LOW_RATES = _RATES[:3]
_padded = lambda table, width: tuple((*row, *(0,) * (width - len(row))) for row in table)
_TABLES = [_padded(t, 3) for n in (1, 2, 3) for m in one_stratum(n, 3) for t in contingency_tables(*m)]
merged_strata = cases(
    "two strata of up to 3 records each, or one alone, with three categories a side, merged",
    "x",
    lambda: (((t, u),) for t, u in (*product(_TABLES, repeat=2), *product(_TABLES, [()]))),
)

_PARTS = [(), *(_padded(contingency_tables(*m)[0], 2) for n in (1, 2) for m in one_stratum(n, 2))]
_SPLITS = [(t, u) for t, u in product(_PARTS, repeat=2) if t or u]
_split = lambda scope, every_stratum: cases(
    f"one or two strata, each of up to 2 + 2 records, two categories a side; where b > 0{scope}",
    "x",
    lambda: (
        chosen
        for n in (1, 2)
        for chosen in combinations_with_replacement(_SPLITS, n)
        for counted in [[pair for pair in chosen if largest_stratum(swapping_invariants([pair[0] + pair[1]]))]]
        if counted and not (every_stratum and any(() in pair for pair in counted))
    ),
)
finer_keys = _split("", False)
splitting_keys = _split(" and each stratum with two distinct records is split", True)

# how b and the budget with the finer key stand to those with the coarser one
finer_key_at_most = lambda x, rates: (
    largest_mixed(finer(x)) <= largest_mixed(coarser(x))
    and all(psa_budget(largest_mixed(finer(x)), p) <= psa_budget(largest_mixed(coarser(x)), p) for p in rates)
)

_AT_MOST = [
    every(merged_strata, finer_key_at_most, rates=_RATES),
    theorem("psa_remarks.coarser_matching", "psa_remarks.coarser_budget", within=CATEGORIES),
]

finer_key_at_least = lambda x, rates: (
    largest_mixed(finer(x)) >= largest_mixed(coarser(x))
    and all(psa_budget(largest_mixed(finer(x)), p) >= psa_budget(largest_mixed(coarser(x)), p) for p in rates)
)

state("psa.coarser-matching", "article, section 3.5")(
    "… which - as we use a coarser swap key - is an upper bound for the actual b of the 2010 Census.",
    *_AT_MOST,
    mutant("a lower bound for an upper bound", every(merged_strata, finer_key_at_least, rates=_RATES)),
    reading="""for any data set and any two keys of which one has fewer variables, the others staying in V_Hold: the b
    of the coarser is at least that of the finer, and so is the budget (7)""",
)

strictly_with_any_finer_key = lambda x, rates: (
    largest_mixed(finer(x)) < largest_mixed(coarser(x))
    and all(psa_budget(largest_mixed(finer(x)), p) < psa_budget(largest_mixed(coarser(x)), p) for p in rates)
)

state("psa.coarser-matching.smaller.printed", "article, section 3.5")(
    """… using the actual 2010 swap key would decrease the value of b and hence result in a smaller value of eps.""",
    every(finer_keys, finer_key_at_most, rates=_RATES),
    *_AT_MOST,
    mutant("strictly, with any finer key", every(finer_keys, strictly_with_any_finer_key, rates=_LOW_RATES)),
    reading="""not increase, for any data set: the 2010 data are not part of the sources; where it decreases is a claim
    of its own""",
)

own("psa.coarser-matching.smaller", "article, section 3.5")(
    """If a finer swap key splits every stratum that has b > 0 records and at least two distinct ones, then it decreases
    b, and for 0 < p <= 1/2 the budget (7).""",
    every(splitting_keys, strictly_with_any_finer_key, rates=_LOW_RATES),
    mutant("any finer key", finer_keys),
)

_RECORDS = [x for n in (1, 2, 3) for x in combinations_with_replacement(list(product((0, 1), repeat=3)), n)]
_key = lambda x, is_finer: (sorted((k, h) for k, h, _ in x), sorted((k if is_finer else 0, s) for k, _, s in x))
_in_one_universe = lambda universe: cases(
    f"data sets of up to 3 records with two values of each variable: the first of a {universe} universe, another",
    "x y",
    lambda: (
        (first, x)
        for known in [dict[str, Any]()]
        for x in _RECORDS
        for first in [known.setdefault(str(_key(x, universe == "finer")), x)]
        if first != x
    ),
)
holding = lambda x, y: same_records(parts(x, 0, 1), parts(y, 0, 1)) and same_records(parts(x, 2, 2), parts(y, 2, 2))
matching = lambda x, y: same_records(parts(x, 0, 1), parts(y, 0, 1)) and same_records(parts(x, 0, 2), parts(y, 0, 2))
_SIMILARITY_3 = ("article, Appendix C.1, similarity (3)", "dissertation, section B.6.1, similarity 3")

state("psa.swap-key.conservative", *_SIMILARITY_3)(
    """By excluding a matching variable, the PSA from Section 3.5 has fewer invariants and its … budget … eps is a
    conservative estimate, compared to a PSA implementation that mirrored … the 2010 DAS matching variables.""",
    every(_in_one_universe("finer"), holding),
    every(merged_strata, finer_key_at_most, rates=_RATES),
    mutant("the same invariants", every(_in_one_universe("coarser"), matching)),
    mutant("not less than the estimate", finer_key_at_least),
    theorem(
        *("psa_remarks.coarser_invariants", "psa_remarks.coarser_matching", "psa_remarks.coarser_budget"),
        within=CATEGORIES,
    ),
    reading="""the variable stays in V_Hold: its invariants follow from those of the finer key, and b and (7) are at
    least those of the finer key""",
)

same_size = lambda x, y: (x[0], x[1] + x[2]) == (y[0], y[1] + y[2])
_HOUSEHOLDS = [(s, a, c) for s, a, c in product((0, 1), range(4), range(4)) if 1 <= a + c <= 3]
households = cases(
    "two households, each a state, a number of adults and one of children, up to 3 persons, two states",
    "x y",
    lambda: product(_HOUSEHOLDS, repeat=2),
)

state("psa.swap-key.printed", *_SIMILARITY_3)(
    """… the matching variables of the PSA implementation in Section 3.5 are the household's state and counts of adults
    and children …""",
    every(households, lambda x, y: same_size(x, y) == (x == y)),
    reading="they divide households as those of section 3.5 do, which are the household's size and state",
    grade=misprint("section 3.5 leaves the count of voting age persons out: its key is size and state"),
)

own("psa.swap-key", "article, Appendix C.1, similarity (3)")(
    """The swap key of section 3.5, the household's state and size, is coarser than its state and counts of adults and
    children.""",
    every(households, lambda x, y: same_size(x, y) or x != y),
    mutant("finer", lambda x, y: not same_size(x, y) or x == y),
    repairs="psa.swap-key.printed",
)

# what the PSA can make of each data set where it swaps a variable along: s is the pair of it and s
_swapped_along = lambda what, place: cases(
    f"every output on up to 3 records with two values of m, h and s, {what} swapped along; p = 1/2",
    "z",
    lambda: (
        [r for r, _ in z]
        for x in _RECORDS
        for paired in [tuple((m, h, ((m, h)[place], s)) for m, h, s in x)]
        for z in exact_law(permutation_swapping, paired, swap_rate=Fraction(1, 2))
    ),
)
_SIMILARITY_4 = ("article, Appendix C.1, similarity (4)", "dissertation, section B.6.1, similarity 4")

state("psa.swap-key.matching-swapped", *_SIMILARITY_4)(
    "matching variables can always be swapped since swapping them does not change the data.",
    every(_swapped_along("the matching variable", 0), lambda z: all(m == s[0] for m, h, s in z)),
    mutant(
        "a variable that is held",
        every(_swapped_along("the variable that is held", 1), lambda z: all(h == s[0] for m, h, s in z)),
    ),
    reading="where the PSA swaps the matching variable along with s, every record has its own value of it afterwards",
)

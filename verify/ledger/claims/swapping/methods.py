"""What holds of every method of swapping: finite budgets, plausible originals, tables of swapped microdata."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain, combinations, combinations_with_replacement, permutations, product

from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.mechanisms.swapping.permutation_swapping import table_records
from stirred.spec.blocks.tables import contingency_tables
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, settled, some, state, theorem
from stirred.verify.ledger.claims.psa.cases import is_enough, kernels, of_one_stratum
from stirred.verify.ledger.claims.swapping.data_sets import (
    CATEGORIES,
    DataSet,
    across,
    after_swaps,
    columns_of,
    data_sets,
    in_at_most_swaps,
    inside,
    swapped_records,
    universes,
)
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import column_margins, likelihood_ratio, same_law

# methods of swapping: what a finite budget under D_Mult asks of any of them (article, section 3.3)

possible_outputs = lambda x, drawn: {sorted(swapped_records(x, g)) for g in drawn}
_one_universe = lambda margins: cases(
    f"{sum(margins)} records with margins {margins} and {margins}, 0 to 8 swaps", "universe m"
)(lambda: product([tuple(map(table_records, contingency_tables(margins, margins)))], range(9)))
state("swapping.fixed-swaps.printed", "article, section 3.3", "dissertation, section 3.2.3")(
    """… a swapping method cannot satisfy (X, D_cSwap, d_HamS^r, D_Mult) if the number of swaps it makes is fixed.""",
    every(_one_universe((1, 1)), lambda m, universe: len({after_swaps(x, m) for x in universe}) > 1),
    mutant("X has three records of margins (2, 1) alone", _one_universe((2, 1))),
    reading="""with finite budgets; X has data sets of every content, of which some universe shows it: two records that
    differ in both variables, as the argument that follows presupposes ('suppose that a possible output data set z
    differs from x by m swaps and from x' by m+1'); a swap is of two distinct records. An X that is cut down to other
    universes, as 'any set of data sets' could be, is not what the section is about""",
)

own("swapping.fixed-swaps.other-universes", "article, section 3.3")(
    """Some universes alone do not show it: on three records with margins (2, 1) and (2, 1) one or more fixed swaps lead
    from every data set to the same ones.""",
    every(_one_universe((2, 1)), lambda universe, m: m < 1 or not len({after_swaps(x, m) for x in universe}) > 1),
    mutant("with none", lambda universe, m: not len({after_swaps(x, m) for x in universe}) > 1),
)


def _swapped(x: DataSet, g: Sequence[int]) -> DataSet:
    """g(x) with the records sorted: each keeps m and h, and takes the s of the record that g names."""
    return tuple(sorted((*record[:2], x[j][2]) for record, j in zip(x, g, strict=True)))


# how many swaps lead from x to each data set: n less the cycles of the permutation that has the most, which is kept
_cycles = lambda g: len({frozenset(accumulate(g, lambda i, _: g[i], initial=start)) for start in g})
_fewest = cache(
    lambda x: {_swapped(x, g): len(x) - _cycles(g) for g in sorted(permutations(range(len(x))), key=_cycles)}
)
one_swap_further = cases(
    "one stratum, up to 4 records; what any method of at most m swaps can give, m = 0, 1, 2", "x y z m"
)(
    lambda: (
        case
        for tables in universes(4, first=2)
        for x, y in product(map(table_records, tables), repeat=2)
        for case in ((x, y, z, m) for z, m in _fewest(x).items() if _fewest(y)[z] == m + 1)
    )
)


@cache
def _in_at_most_swaps(x: DataSet, m: int) -> frozenset[DataSet]:
    if m == 0:
        return frozenset({tuple(sorted(x))})
    swaps = [[i + j - k if k in (i, j) else k for k in range(len(x))] for i, j in combinations(range(len(x)), 2)]
    return frozenset(_swapped(y, g) for y in _in_at_most_swaps(x, m - 1) for g in (range(len(x)), *swaps))


def within_reach(x: DataSet, y: DataSet, z: DataSet, m: int, *, more: int) -> Witness | None:
    """At most m swaps can lead from x to z, and at most m + more cannot lead from x' to z."""
    return settled(
        z in _in_at_most_swaps(x, m) and z not in _in_at_most_swaps(y, m + more),
        lambda x, y, z, m, more: z in in_at_most_swaps(x, m) and z not in in_at_most_swaps(y, m + more),
        lambda: {"x": x, "y": y, "z": z, "m": m, "more": more},
    )


state("swapping.fixed-swaps.argument.printed", "article, section 3.3", "dissertation, section 3.2.3")(
    """To see this, suppose that a possible output data set z differs from x in D_0 by m swaps and from x' in D_0 by m+1
    swaps. If the swapping methods allows a maximum of m swaps, then z has nonzero probability given x as input but zero
    probability given x', thereby violating eps_D-DP(X, D_cSwap, d_HamS^r, D_Mult) for any finite eps_D0.""",
    every(one_swap_further, within_reach, more=0),
    mutant("at most m + 1 swaps", {"more": 1}),
    reading="""possible: given x, as the conclusion has it; data sets differ by the fewest swaps that lead from one to
    the other. P_x(z) > 0 = P_x'(z) makes D_Mult infinite at a finite distance""",
)

# what a method gives from each table of a universe: any law, as a permutation leads to every table (Lemma 5)
_methods = lambda which, may_stay: cases(
    f"universes of two and three tables, all methods whose probabilities are multiples of 1/3{which}", "method"
)(
    lambda: (
        method
        for tables in (contingency_tables(margins, margins) for margins in ((1, 1), (2, 2)))
        for weights in [[w for w in product(range(4), repeat=len(tables)) if sum(w) == 3]]
        for laws in [[{z: Fraction(n, 3) for z, n in zip(tables, w, strict=True) if n} for w in weights]]
        for method in (dict(zip(tables, chosen, strict=True)) for chosen in product(laws, repeat=len(tables)))
        if not may_stay or all(x in law for x, law in method.items())
    )
)
all_methods = _methods("", False)
full = lambda method: (
    any(likelihood_ratio(method[x], method[y]) == oo for x in method for y in method)
    or all(get(method[x], z, 0) > 0 for x in method for z in method)
)

state("swapping.full-support.printed", "article, section 3.3", "dissertation, section 3.2.3")(
    """More generally, a necessary condition for a swapping method to satisfy eps_D-DP(X, D_cSwap, d_HamS^r, D_Mult) for
    finite eps_D0 is that, given input x in D_0, any data set x' in D_0 has a nonzero probability of being outputted (up
    to reordering of the rows of x').""",
    every(all_methods, full),
    reading="a method may select and interchange by what the data are, as the 2010 one does by risk scores",
    grade=incomplete("that x may stay as it is, or that what is drawn does not depend on the data; the PSA has both"),
)

own("swapping.full-support.unchanged", "article, section 3.3")(
    """If a method leaves every x in D_0 unchanged with nonzero probability, then a finite budget on D_0 requires that,
    given any x in D_0, every x' in D_0 has a nonzero probability of being outputted.""",
    every(_methods(" and that leave every data set unchanged with nonzero probability", True), full),
    mutant("without the hypothesis", all_methods),
    repairs="swapping.full-support.printed",
)

drawn_sets = cases("one stratum of 2 or 3 records, every set of permutations that may be drawn", "ordered drawn")(
    lambda: (
        case
        for n in (2, 3)
        for moves in [list(permutations(range(n)))]
        for h, s in product(combinations_with_replacement(range(n), n), repeat=2)
        for ordered in [tuple(tuple(zip((0,) * n, h, v, strict=True)) for v in dict.fromkeys(permutations(s)))]
        for drawn in [chain.from_iterable(combinations(moves, size) for size in range(1, len(moves) + 1))]
        for case in ((ordered, chosen) for chosen in drawn)
    )
)

sets_of_outputs = lambda ordered, drawn: {possible_outputs(x, drawn) for x in ordered}
all_are_possible = lambda ordered, drawn: sets_of_outputs(ordered, drawn) == {{sorted(x) for x in ordered}}

own("swapping.full-support.data-independent", "article, section 3.3")(
    """If a method draws its permutation from one law for all data sets of D_0, then a finite budget on D_0 requires
    that, given any x in D_0, every x' in D_0 has a nonzero probability of being outputted.""",
    every(
        drawn_sets, lambda ordered, drawn: len(sets_of_outputs(ordered, drawn)) > 1 or all_are_possible(ordered, drawn)
    ),
    mutant("whatever the budget", all_are_possible),
    argued(
        "all sizes",
        proof="Write the data sets of D_0 with their holding values in one order, and let g have nonzero "
        "probability. Every such z is g(x) for x = g^-1(z), which is in D_0; so z is possible given some x. A "
        "finite budget makes the supports of all x equal, so z is possible given each.",
    ),
    repairs="swapping.full-support.printed",
)

# plausible originals: the data sets that may have led to the swapped one (article, Appendix B)

transposed = lambda t: [[row[j] for row in t] for j in range(len(t[0]))]
_SCOPE = "every universe of one stratum with up to 5 records and four categories a side, p ="
_POSSIBLE = "where an output is possible iff it is at every p in (0, 1)"
_universes = kernels(f"{_SCOPE} 1/3, {_POSSIBLE}", lambda: of_one_stratum(1, 5, 4), "1/3")
_not_swapped = kernels(f"{_SCOPE} 0", lambda: of_one_stratum(1, 5, 4), "0")

several_originals = lambda laws: (
    len(laws) == 1 or all(len({x for x in laws if get(laws[x], z, 0) > 0}) > 1 for z in laws)
)

# the law from each table, and that from the transposed table, whose rows are the swapping categories
_exchanged_roles = lambda rates, p, q: cases(
    f"the PSA on one stratum with up to 4 records and four categories a side, p = {rates}", "law turned"
)(lambda: ((psa_law(x, p), psa_law(tuple(zip(*x, strict=True)), q)) for tables in universes(4) for x in tables))
same_transposed = lambda turned, law: same_law(turned, {transposed(z): law[z] for z in law})

state("swapping.either-way", "article, Appendix B", "dissertation, section B.1")(
    """The idea behind data swapping is to hinder such joint inference by randomly permuting the records'
    quasi-identifiers while keeping the sensitive variables fixed (or visa versa).""",
    every(_exchanged_roles("1/3", Fraction(1, 3), Fraction(1, 3)), same_transposed),
    mutant("at another swap rate", _exchanged_roles("1/3 and 1/2", Fraction(1, 3), Fraction(1, 2))),
    reading="what is released, up to the order of records, has one law, whichever of the two the PSA permutes",
)

state("swapping.plausible-originals.printed", "article, Appendix B", "dissertation, section B.1")(
    """In this way, there are multiple plausible values for the original data set that are compatible with the swapped
    data set …""",
    every(_universes, several_originals),
    mutant("p = 0", _not_swapped),
    reading="""for the PSA with 0 < p < 1, compatible: of nonzero probability; where swapping is not completely vacuous,
    as Theorem 3 says: the universe has several data sets""",
)

own("swapping.plausible-originals", "article, Appendix B")(
    """For 0 < p < 1 every data set of a universe of the swapping multiverse gives every other one, and itself, with
    nonzero probability under the PSA: the data sets compatible with the swapped one are the universe's.""",
    every(_universes, lambda laws: all(get(laws[x], z, 0) > 0 for x in laws for z in laws)),
    mutant("p = 0", _not_swapped),
    theorem("psa_privacy.psa_support", within=CATEGORIES),
)

_BUDGETS = kernels(
    "every universe of one stratum with up to 4 records and four categories a side, b > 0, p = 1/3",
    lambda: (u for u in of_one_stratum(2, 4, 4) if len(u[0][0]) + len(u[0][1]) > 2),
    "1/3",
)

state("swapping.plausible-originals.bound", "article, Appendix B", "dissertation, section B.1")(
    """In fact, Theorem 1 can be interpreted as a formalization of the above intuitive argument because it provides a
    bound on how plausible the true confidential data set is compared to other compatible data sets.""",
    every(_BUDGETS, lambda laws, sized, b, p: is_enough(laws, (sized * b + 1) * (1 - p) / p), sized=1),
    mutant("1 for b + 1", {"sized": 0}),
    theorem("psa_privacy.psa_pure_dp", within=CATEGORIES),
    reading="how plausible x is beside x', after z was seen, is P_x(z)/P_x'(z) times what it was before",
)

state("swapping.uncertain-relation", "article, Appendix B", "dissertation, section B.1")(
    "This bound ensures a degree of uncertainty in the relationship between V_Swap and V_Hold \\ V_Swap.",
    every(_universes, several_originals),
    mutant(
        "V_Match for V_Hold \\ V_Swap",
        lambda laws: (
            len(laws) == 1 or all(len({column_margins(x) for x in laws if get(laws[x], z, 0) > 0}) > 1 for z in laws)
        ),
    ),
    reading="V_Hold \\ V_Swap is V_Hold, as the two have no variable in common: for 0 < p < 1, where the universe has "
    "several data sets, several cross-classifications of V_Hold by V_Swap are compatible with each output. That of "
    "V_Match by V_Swap is an invariant, so the uncertainty is in V_Hold \\ V_Match, as section 3.2 writes",
)

# what tables of swapped microdata have in common: they add up, keep edit constraints, show the uniques of a key

# two published tables of one swapped data set, the second with so much added to each of its counts
_tables = lambda noise: cases(
    f"{inside.scope}: the table n_mhs and the table n_m.s of the swapped data", "cells margins"
)(
    lambda: (
        (dict(Counter(f"{m}{h}{s}" for m, h, s in z)), {name: n + noise for name, n in margins.items()})
        for x, g in inside
        for z in [[(m, h, x[j][2]) for (m, h, _), j in zip(x, g, strict=True)]]
        for margins in [Counter(f"{m}{s}" for m, _, s in z)]
    )
)
add_up = lambda margins, cells: all(
    margins[ms] == sum(cells[mhs] for mhs in cells if mhs[0] == ms[0] and mhs[2] == ms[1]) for ms in margins
)

state("swapping.released-tables.add-up", "article, section 5.3", "dissertation, section 3.4.3")(
    """This characteristic of swapping leads to an additional desirable property that is not necessarily enjoyed by
    mechanisms based on output noise infusion (such as those used in the 2020 DAS): the logical consistency between, and
    within, multiple data products is automatically preserved under swapping without the need for any additional
    processing, because all these data products are produced from the same post-swapped microdata.""",
    every(_tables(0), add_up),
    mutant("noise of 1 on each count of the second table", _tables(1)),
    reading="a table's cells sum to the margins that another table of the same data prints",
)

edits = lambda x, g, parts: (
    all(set(columns_of(swapped_records(x, g), c)) <= set(columns_of(x, c)) for c in parts)
    and len(swapped_records(x, g)) == len(x)
)

_IN = (2, "householder of 70", "retirement community")
_OUT = (2, "householder of 30", "next tract")
retirement = cases("a household of a retirement community, swapped", "x g")(lambda: [((_IN, _OUT), (1, 0))])

state("swapping.released-tables.edits", "dissertation, section 4.5.2")(
    """Logical consistency is another advantageous property of data swapping, as it ensures all statistics produced from
    the 2010 Census align with one another. For example, in any contingency table released in 2010, the sum of cells in
    a singe row or column always matches the marginal total. Likewise, reported values for the same count remain
    consistent across different publications. Additionally, the 2010 Census outputs respect the structural zeroes and
    edit constraints present in the underlying confidential microdata.""",
    every(retirement, edits, parts=((0, 1), (0, 2), (1, 2))),
    reading="""what swapping inside a key's strata gives has no combination of key, holding variables and place that the
    data have not. A householder's age is no key of 2010, and so is held. That the cells add up is
    swapping.released-tables.add-up""",
    grade=incomplete(
        "that no constraint is between what a household holds and its place, such as an age that a tract cannot have, "
        "or a kind of tenure where that is not in the key: the swap brings the household there"
    ),
)

own("swapping.released-tables.edits.repaired", "dissertation, section 4.5.2")(
    """Data swapped inside a key's strata have no combination of key and holding variables, nor of key and place, that
    was not there: constraints between characteristics of one household, and between key and place, hold. What is held
    and a place can come together anew.""",
    every(inside, edits, parts=((0, 1), (0, 2))),
    mutant("constraints between what a household holds and its place", {"parts": ((1, 2),)}),
    mutant("swaps between strata", across),
    some(inside, lambda x, g: not edits(x, g, ((1, 2),))),
    repairs="swapping.released-tables.edits",
)

same_invariants = cases(
    "two values of each variable, up to 3 records: all pairs of data sets with the same invariants", "x y"
)(
    lambda: (
        (x, y)
        for x, y in product(data_sets(3), repeat=2)
        if all(sorted((r[0], r[k]) for r in x) == sorted((r[0], r[k]) for r in y) for k in (1, 2))
    )
)

revealed = lambda y, x, unique_in: all(
    r in y for r in x if sum(1 for q in x if all(q[k] == r[k] for k in unique_in)) == 1
)

state("swapping.uniques-revealed", "dissertation, section 4.6.1")(
    """The most damning source of identification risk pertains to the population uniques which, if exist, can be
    directly revealed as logical consequences of the invariants.""",
    every(same_invariants, revealed, unique_in=(0,)),
    mutant("unique by all variables together", {"unique_in": (0, 1, 2)}),
    reading="""they can be: a household that is the only one with its value of the key is in every data set with these
    invariants; one that is unique by all its variables together need not be""",
)

"""Methods of swapping: what a finite budget under D_Mult asks of any of them (article, section 3.3)."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain, combinations, combinations_with_replacement, permutations, product

from stirred.mechanisms.swapping.permutation_swapping import table_records
from stirred.spec.blocks.tables import contingency_tables
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, settled, state
from stirred.verify.ledger.claims.swapping.data_sets import (
    DataSet,
    after_swaps,
    in_at_most_swaps,
    swapped_records,
    universes,
)
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import likelihood_ratio

possible_outputs = lambda x, drawn: {sorted(swapped_records(x, g)) for g in drawn}
supports_differ = lambda m, universe: len({after_swaps(x, m) for x in universe}) > 1
_one_universe = lambda margins: cases(
    f"{sum(margins)} records with margins {margins} and {margins}, 0 to 8 swaps",
    "universe m",
    lambda: product([tuple(map(table_records, contingency_tables(margins, margins)))], range(9)),
)
state("swapping.fixed-swaps.printed", "article, section 3.3", "dissertation, section 3.2.3")(
    """… a swapping method cannot satisfy (X, D_cSwap, d_HamS^r, D_Mult) if the number of swaps it makes is fixed.""",
    every(_one_universe((1, 1)), supports_differ),
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
    "one stratum, up to 4 records; what any method of at most m swaps can give, m = 0, 1, 2",
    "x y z m",
    lambda: (
        case
        for tables in universes(4, first=2)
        for x, y in product(map(table_records, tables), repeat=2)
        for case in ((x, y, z, m) for z, m in _fewest(x).items() if _fewest(y)[z] == m + 1)
    ),
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
    f"universes of two and three tables, all methods whose probabilities are multiples of 1/3{which}",
    "method",
    lambda: (
        method
        for tables in (contingency_tables(margins, margins) for margins in ((1, 1), (2, 2)))
        for weights in [[w for w in product(range(4), repeat=len(tables)) if sum(w) == 3]]
        for laws in [[{z: Fraction(n, 3) for z, n in zip(tables, w, strict=True) if n} for w in weights]]
        for method in (dict(zip(tables, chosen, strict=True)) for chosen in product(laws, repeat=len(tables)))
        if not may_stay or all(x in law for x, law in method.items())
    ),
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

drawn_sets = cases(
    "one stratum of 2 or 3 records, every set of permutations that may be drawn",
    "ordered drawn",
    lambda: (
        case
        for n in (2, 3)
        for moves in [list(permutations(range(n)))]
        for h, s in product(combinations_with_replacement(range(n), n), repeat=2)
        for ordered in [tuple(tuple(zip((0,) * n, h, v, strict=True)) for v in dict.fromkeys(permutations(s)))]
        for drawn in [chain.from_iterable(combinations(moves, size) for size in range(1, len(moves) + 1))]
        for case in ((ordered, chosen) for chosen in drawn)
    ),
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

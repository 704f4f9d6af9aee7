"""The universes that invariants induce, and the invariants in the multiverse or in the input premetric."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

from stirred.spec.blocks import input_premetric as unit
from stirred.spec.blocks.domain import FiniteDomain, multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import InputPremetric, Neighbors, Order
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.budgets.loss import INFINITE, ZERO
from stirred.spec.laws.law import Law, point_mass
from stirred.spec.output_premetrics import ApproximateMultiplicative, OutputPremetric
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, cases, every, incomplete, mutant, own, settled, some, state, theorem
from stirred.verify.ledger.claims.multiverse.words import (
    Rewriting,
    finite,
    inside_parts,
    keeps_all,
    same_bounds,
    same_mechanisms,
)
from stirred.verify.ledger.claims.specifications.words import (
    PURE,
    VARIATION,
    Labels,
    Laws,
    everywhere,
    hammings,
    keeps,
    keeps_on,
    made,
    named,
    refines,
    sharing,
    sizes,
)
from stirred.verify.ledger.engines.small_domains import (
    LAWS,
    LOSSES,
    SmallestBudgets,
    Table,
    domain_of,
    invariant_shapes,
    invariants,
    premetric_tables,
    universes,
)
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import column_margins, distance, row_margins, symmetric_difference, together
from stirred.verify.ledger.words import hamming as hamming_word

# the universes that invariants induce, and what is plausible inside them

_all_invariants = lambda most: cases(
    f"all invariants on at most {most} data sets, up to the names of their values", "c"
)(lambda: (dict(c) for size in range(1, most + 1) for c in invariants(FiniteDomain(tuple(range(size))))))
no_larger_is_equivalence = lambda c: all(
    c[x] <= c[x]
    and (not c[x] <= c[y] or c[y] <= c[x])
    and all(not (c[x] <= c[y] and c[y] <= c[z]) or c[x] <= c[z] for z in c)
    for x in c
    for y in c
)
equal_is_equivalence = lambda c: all(
    c[x] == c[x]
    and (c[x] != c[y] or c[y] == c[x])
    and all(not (c[x] == c[y] and c[y] == c[z]) or c[x] == c[z] for z in c)
    for x in c
    for y in c
)

state("invariants.equivalence", "article, section 2.3", "dissertation, section 2.4.3")(
    """invariants give rise to an equivalence relation ~ over the domain X, which is defined by x ~ x' if c(x) =
    c(x')""",
    every(_all_invariants(4), equal_is_equivalence),
    mutant("c(x) <= c(x') for c(x) = c(x')", no_larger_is_equivalence),
)

# sets of data sets: each is in one of them, there are as many as values of c, and c is constant in each
is_partition_by = lambda parts, c: (
    all(sum(1 for u in parts if x in u) == 1 for x in c)
    and len(parts) == len({c[x] for x in c})
    and all(c[x] == c[y] for u in parts for x in u for y in u)
)

state("invariants.partition", "article, section 2.3", "dissertation, section 2.4.3")(
    """The data universe function therefore induces a partition of X indexed by the image of the invariant function c,
    splitting X into universes of mutually plausible data sets that share the same values for the invariants.""",
    every(_all_invariants(5), lambda c: is_partition_by({{y for y in c if c[y] == c[x]} for x in c}, c)),
    mutant("c(x') <= c(x) for c(x') = c(x)", lambda c: is_partition_by({{y for y in c if c[y] <= c[x]} for x in c}, c)),
    theorem("invariant_multiverse.universes_partition"),
    reading="""the universes are D_c(x) = {x' in X : c(x') = c(x)}, article (2), dissertation (2.4); that they are
    mutually plausible is invariants.plausibility""",
)

two_invariants = cases("all pairs of invariants on at most four data sets", "c added")(
    lambda: (pair for size in range(1, 5) for pair in product(invariants(domain_of(size)), repeat=2))
)

sharing_both = lambda c, added: sharing({x: (c[x], added[x]) for x in c})

state("invariants.adding-refines", "article, section 2.4")(
    """Adding invariants reduces the quality of a DP flavor, because it refines the multiverse from D'-multiverse to
    D-multiverse""",
    every(two_invariants, lambda c, added: refines(sharing_both(c, added), sharing(c))),
    mutant("the other way round", lambda c, added: refines(sharing(c), sharing_both(c, added))),
    theorem("invariant_multiverse.adding_refines"),
    reading="that it refines the multiverse; what a refinement weakens is refinement.loss-monotone",
)

functions = cases("all functions f from three data sets to {-1, 0, 1}", "f x y")(
    lambda: ((dict(enumerate(f)), x, y) for f in product((-1, 0, 1), repeat=3) for x in range(3) for y in range(3))
)

inequality = lambda f, most, x, y: (
    together(sharing({z: 1 if f[z] <= most else 0 for z in f}), x, y) == ((f[x] <= 0) == (f[y] <= 0))
)

state("invariants.inequality", "article, (4)", "dissertation, (2.6)")(
    """an inequality invariant is of the form f(x) <= 0 for some function f : X -> R. Such an invariant can be
    incorporated in the above framework by defining c(x) = 1 if f(x) <= 0, 0 if f(x) > 0.""",
    every(functions, inequality, most=0),
    mutant("f(x) < 0 for f(x) <= 0", {"most": -1}),
    theorem("invariant_multiverse.inequality_invariant"),
    reading="two data sets share a universe iff both satisfy the inequality or neither does",
)

IntTable = tuple[tuple[int, ...], ...]

# all pairs of tables of so many rows and columns, with entries from a range and at most so many records
_pairs = lambda shapes, total: (
    pair
    for rows, columns, least, most in shapes
    for lines in [tuple(product(range(least, most + 1), repeat=columns))]
    for pair in product([t for t in product(lines, repeat=rows) if sum(map(sum, t)) <= total], repeat=2)
)

with_zero = cases("m, n <= 3, all pairs of tables of at most 3 records", "x y")(
    lambda: _pairs([(m, n, 0, 3) for m, n in product(range(1, 4), repeat=2)], 3)
)
positive = cases(
    "all pairs of 2 x 2 and 1 x 3 tables of integers from 0 to 2 and from 1 to 3, of 2 x 3 tables of 0, 1 and of 1, 2",
    "x y",
)(lambda: _pairs([(m, n, k, k + most) for m, n, most in ((2, 2, 2), (1, 3, 2), (2, 3, 1)) for k in (0, 1)], 18))

column_sums = lambda x: [sum(x[i][j] for i in range(len(x))) for j in range(len(x[0]))]
row_sums = lambda x: [sum(x[i][j] for j in range(len(x[0]))) for i in range(len(x))]
margins_released = lambda x, columns: (column_sums(x) if columns else []) + row_sums(x)

_margins = cache(lambda x, columns=True: (list(map(sum, zip(*x, strict=True))) if columns else [], list(map(sum, x))))


def same_margins(x: IntTable, y: IntTable, *, columns: bool = True) -> Witness | None:
    """C(x) = (column sums, row sums) has m + n parts, and c(x) = c(x') iff x and x' have the same margins."""
    told, other = ([total for part in _margins(t, columns) for total in part] for t in (x, y))
    is_so = (told == other) == (_margins(x) == _margins(y)) and len(told) == len(x) + len(x[0])
    return settled(
        is_so,
        lambda x, y: (
            len(margins_released(x, columns)) == len(x) + len(x[0])
            and (margins_released(x, columns) == margins_released(y, columns))
            == (row_margins(x) == row_margins(y) and column_margins(x) == column_margins(y))
        ),
        lambda: {"x": x, "y": y},
    )


state("invariants.margins", "article, Example 1")(
    """Suppose the function c : N^(m x n) -> N^(m+n) tabulates the row- and column-margins: (3) c(x) = (sum_{i=1}^m
    x_i1, …, sum_{i=1}^m x_in, sum_{j=1}^n x_1j, …, sum_{j=1}^n x_mj). … D_c(.) ensures that only pairs of data sets x,
    x' with the same row and column margins are subject to the DP condition (Equation 1).""",
    every(with_zero, same_margins),
    mutant("the row margins alone", {"columns": False}),
)

state("invariants.margins.positive", "dissertation, Example 2.4.10")(
    """Let the dataset be an contingency table of m x n records taking non-negative integer values: X = (N^+)^(m x n).
    Suppose the function c : (N^+)^(m x n) -> (N^+)^(m+n) tabulates the column- and row-margins: (2.5) … D_c(.) ensures
    that only pairs of datasets x, x' with the same column- and row-margins are subject to the Lipschitz condition (2.3)
    of the DP specification.""",
    every(positive, same_margins),
    mutant("the row margins alone", {"columns": False}),
    reading="for both readings of N^+, with and without 0",
)

# mechanisms with a universe function whose universes they satisfy at a budget
_plausibles = lambda measure, budget, own=True: cases(
    f"two and three data sets, all universe functions{' with x in D(x)' if own else ''}, all mechanisms with 6 "
    f"laws, {named(measure)} with PLB {budget}, d = 1",
    "measure laws d budget universes",
)(
    lambda: (
        (measure, laws, d, budget, dict(enumerate(chosen)))
        for needed, size in product([SmallestBudgets(measure)], (2, 3))
        for d in [dict.fromkeys(permutations(range(size), 2), 1)]
        for around in [[[u for u in universes(domain_of(size)) if x in u or not own] for x in range(size)]]
        for kernel in product(range(len(LAWS)), repeat=size)
        for laws in [made(kernel)]
        for ranks in [{u: needed.of(u, kernel, d) for u in universes(domain_of(size))}]
        for enough in [{u for u in ranks if measure.at_most(needed.values[ranks[u]], budget)}]
        for chosen in product(*([u for u in some if u in enough] for some in around))
    )
)

published_sometimes = cases(
    "D_Mult^(1/10) with PLB 0: one of two data sets is published with probability 1/10", "measure laws d budget D"
)(
    lambda: (
        (ApproximateMultiplicative(delta), laws, d, ZERO, dict.fromkeys(laws, both))
        for delta, both in [(Fraction(1, 10), frozenset({"x", "x'"}))]
        for laws in [{x: Law({x: delta, "nothing": 1 - delta}) for x in ("x", "x'")}]
        for d in [dict.fromkeys(permutations(laws, 2), 1)]
    )
)

no_output_excludes = lambda measure, laws, d, D, budget: (
    not all(keeps_on(measure, laws, d, D[x], budget) for x in D)
    or all(t in laws[x] for x in D for y in D[x] for t in laws[y])
)


def plausible(
    measure: OutputPremetric, laws: Laws, d: Table, budget: Any, function: Mapping[Any, Universe]
) -> Witness | None:
    """No output is possible under x' and impossible under x, for x' in D(x)."""
    is_so = all(laws[y].keys() <= laws[x].keys() for x, universe in function.items() for y in universe)
    case = {"measure": named(measure), "laws": laws, "d": d, "budget": budget, "D": function}
    return settled(is_so, no_output_excludes, lambda: case)


state("invariants.plausibility", "article, section 2.3")(
    """The resulting DP specification would then ensure that every x' in D(x) is plausible if x is also plausible — that
    is, an attacker would not be able to distinguish with certainty the true confidential data set to be x' and not x,
    for any x' in D(x).""",
    every(published_sometimes, plausible),
    reading="""no output is possible under x' and impossible under x; the distances are finite, as the section assumes,
    x is in D(x), of which it is said to be plausible, and the PLB is finite""",
    grade=incomplete(
        "D_Pr must be oo between laws with different possible outputs, as D_Mult of the PSA and D_NoR are"
    ),
    refuted_by=["invariant_multiverse.plausible_refuted"],
)

own("invariants.plausibility.own-universe", "article, section 2.3")(
    """If x is in D(x) for every x, then under D_Mult, a finite PLB and finite distances no output of a mechanism that
    satisfies the specification is possible under x' and impossible under x, for any x' in D(x).""",
    every(_plausibles(PURE, LOSSES[2]), plausible),
    mutant("total variation for D_Mult", _plausibles(VARIATION, Fraction(1, 2))),
    mutant("an infinite PLB", _plausibles(PURE, INFINITE)),
    mutant("x need not be in D(x)", _plausibles(PURE, LOSSES[2], own=False)),
    theorem("invariant_multiverse.plausible", within="laws on finite sets, distances in N"),
    repairs="invariants.plausibility",
)

# invariants in the multiverse or in the input premetric, and where they exclude nothing: bounded DP and its size

constant_budgets = cases(
    "D_Mult, three data sets, all invariants up to relabelling, all premetrics with values in {0, 1, oo}, eps in {0, "
    "ln 2, oo} the same for all universes",
    "c d gamma",
)(
    lambda: product(
        invariant_shapes(domain_of(3)), map(finite, premetric_tables(domain_of(3), (0, 1, None))), (1, 2, None)
    )
)

with_far = lambda d, c, doubled: (
    {(x, y): (distance(d, x, y) if c[x] == c[y] else 2 * distance(d, x, y) if doubled else oo) for x in c for y in c}
)


def same_result(c: Labels, d: Any, gamma: Any, *, doubled: bool = False) -> Witness | None:
    """D_c with d has the mechanisms of {X} with the distance oo, or twice d, where the invariants disagree."""
    two_ways = Rewriting(
        lambda c, d, gamma: ((everywhere(c, gamma), d), ({set(c): gamma}, with_far(d, c, doubled))),
        lambda P, c, d, gamma: same_bounds(P, everywhere(c, gamma), d, {set(c): gamma}, with_far(d, c, doubled)),
        lambda P, c, d, gamma: (
            keeps_all(P, everywhere(c, gamma), d) == keeps_all(P, {set(c): gamma}, with_far(d, c, doubled))
        ),
    )
    return same_mechanisms({"P": tuple(c), "c": c, "d": d, "gamma": gamma}, two_ways)


state("invariants.two-encodings", "article, section 2.2", "dissertation, section 3.1.2")(
    """these two approaches — incorporating invariants via d_X or via D-multiverse — have the same result: Both ensure
    that the DP condition (Equation 1) only bounds the 'distance' between the distributions P(T(x, U) in .) and P(T(x',
    U) in .) when the two counterfactual data sets x and x' agree on the invariants""",
    every(constant_budgets, same_result),
    mutant("2 d_X(x, x') for oo where the invariants disagree", {"doubled": True}),
    theorem("multiverse.invariants_in_premetric"),
    reading="""the result is what stands after the colon; where the PLB is one number, as it must be on {X}, the same
    mechanisms satisfy both""",
)

_THREE = (LAWS[2], LAWS[3], LAWS[4])
_TWICE = combinations_with_replacement(_THREE, 2)
_OF_FOUR: dict[str, Any] = {
    "mechanisms": [dict(enumerate((*left, *right))) for left, right in product(_TWICE, repeat=2)],
    "d": dict.fromkeys(permutations(range(4), 2), 1),
    "c": {x: x // 2 for x in range(4)},
}

budgets_of_one_universe = cases(
    "X = {0, 1, 2, 3}, c = (0, 0, 1, 1), d = 1, D_Mult; every eps_X in [0, oo]: what mechanisms of 3 laws need", "eps"
)(lambda: [*sorted({PURE.distance(p, q) for p, q in product(_THREE, repeat=2)}), INFINITE])

# some mechanism satisfies the PLB and not eps on {X} with d set to oo across the invariants, or the reverse.
separated = lambda d, first, second, c, eps, mechanisms: any(
    keeps("D_Mult", laws, d, {u: first if 0 in u else second for u in sharing(c)})
    != keeps("D_Mult", laws, inside_parts(d, c), {set(c): eps})
    for laws in mechanisms
)

own("invariants.two-encodings.varying-budget", "article, section 2.2")(
    """The two ways differ where the PLB differs between universes: there are invariants c, d_X and a PLB on the
    invariant-induced multiverse such that no PLB on {X}, with d_X set to oo whenever x and x' disagree on c, is
    satisfied by the same mechanisms.""",
    every(budgets_of_one_universe, separated, first=(Fraction(4, 3), 1), second=(2, 1), **_OF_FOUR),
    mutant("the same PLB for both universes", {"first": (2, 1)}),
    theorem("invariant_multiverse.two_encodings_differ"),
)

state("invariants.nonvacuous", "article, section 2.2")(
    """a nonvacuous multiverse D-multiverse — as happens whenever there are invariants … (By 'nonvacuous multiverse,' we
    mean one that is not equivalent to the multiverse D-multiverse = {X}.)""",
    every(
        sizes,
        lambda c: any(not same_bounds(c, everywhere(c, b), hammings(c), {set(c): b}, hammings(c)) for b in [1, 2, oo]),
    ),
    reading="""invariants that are not constant; equivalent: satisfied by the same mechanisms at every PLB that is one
    number, for which equal bounds at 0, ln 2 and oo are enough""",
    grade=incomplete("two data sets at a finite distance must disagree on the invariants, as of the census they do"),
    refuted_by=["invariant_multiverse.nonvacuous_refuted"],
)

comparable = cases(
    "two and three data sets, all invariants up to relabelling, all premetrics with values in {1, oo}, D_Mult", "c d"
)(
    lambda: (
        case
        for domain in (domain_of(2), domain_of(3))
        for case in product(invariant_shapes(domain), map(finite, premetric_tables(domain, (1, None))))
    )
)

# D_c and {X} have the same bounds at every eps.
is_vacuous_by = lambda c, d: all(same_bounds(c, everywhere(c, gamma), d, {set(c): gamma}, d) for gamma in [1, 2, oo])

# of the pairs of data sets that disagree, which are at distance oo.
far_where_apart = lambda c, d: [distance(d, x, y) == oo for x in c for y in c if c[x] != c[y]]
is_vacuous_where_some = lambda c, d: is_vacuous_by(c, d) == (any(far_where_apart(c, d)) or all(far_where_apart(c, d)))

own("invariants.nonvacuous.comparable", "article, section 2.2")(
    """For invariants c and the same PLB eps everywhere, the invariant-induced multiverse and {X} are satisfied by the
    same mechanisms at every eps iff d_X(x, x') = oo whenever c(x) and c(x') differ, provided that D_Pr is not 0 between
    all laws.""",
    every(comparable, lambda c, d: is_vacuous_by(c, d) == all(far_where_apart(c, d))),
    mutant("d_X(x, x') = oo for some such pair instead of all", is_vacuous_where_some),
    theorem("invariant_multiverse.equivalent_iff"),
    repairs="invariants.nonvacuous",
)


def _sized(scope: str, ordered: InputPremetric, unordered: InputPremetric) -> Cases:
    shown = f"{scope}; all data sets of at most 3 records of two kinds, as tuples and as multisets; D_Mult"
    domains = ((ordered, ordered_data_sets("ab", range(4))), (unordered, multisets("ab", range(4))))
    listed = [(x.points, finite({pair: d(*pair) for pair in permutations(x, 2)})) for d, x in domains]
    return cases(f"{shown}, eps in {{0, ln 2, oo}}", "X d gamma")(
        lambda: ((points, d, gamma) for points, d in listed for gamma in (1, 2, None))
    )


# {X} and the multiverse of the size have the same bounds, which are oo between different sizes.
size_invariant = lambda X, gamma, d: (
    same_bounds(X, everywhere({x: len(x) for x in X}, gamma), d, {set(X): gamma}, d)
    and all(distance(d, x, y) == oo for x in X for y in X if len(x) != len(y))
)

hamming = _sized("the Hamming distances", unit.hamming_ordered("record"), unit.hamming_unordered("record"))
_DIFFERENCE = _sized("the symmetric difference", *[unit.symmetric_difference("record")] * 2)

state("invariants.bounded", "article, section 2.4")(
    """Because the Hamming distance between two data sets is infinite whenever they have a different number of records,
    these formulations only require the DP condition to hold for data sets of the same size. Thus, having the data set
    size as an invariant has been a part of DP from its conception.""",
    every(hamming, size_invariant),
    mutant("the symmetric difference for the Hamming distance", _DIFFERENCE),
    theorem("invariant_multiverse.size_invariant"),
    reading="""(1) bounds data sets of equal size only, as with the size as invariant; dissertation, section 3.1.2, says
    so of d_Ham""",
)

_neighboring = lambda kind: _sized(
    f"1 between {kind.value} neighbors, else oo",
    *(unit.neighbor_premetric(kind, order, "record") for order in (Order.ORDERED, Order.UNORDERED)),
)

state("invariants.bounded-size", "dissertation, section A.4")(
    "bounded DP is equivalent to using the number of records as an invariant",
    every(_neighboring(Neighbors.REPLACE_ONE), size_invariant),
    mutant("unbounded DP", _neighboring(Neighbors.ADD_REMOVE)),
    every(hamming, size_invariant),
    theorem("invariant_multiverse.size_invariant"),
    reading="""with the multiverse {X}, for neighbors and for the Hamming distances: the same mechanisms satisfy the
    multiverse that the number of records induces""",
)

small_surveys = cases(
    "all pairs of data sets of at most 3 records with two matching, two holding and two swapping categories", "x y"
)(lambda: combinations(multisets(tuple(product(range(2), repeat=3)), range(4)), 2))

# data sets of records (m, h, s) at this distance disagree on the margins n_mh. and n_m.s.
no_neighbors = lambda x, y, parts, apart: (
    any(sorted((r[0], r[i]) for r in x) != sorted((r[0], r[i]) for r in y) for i in parts)
    or (hamming_word(x, y) != apart and symmetric_difference(x, y) != apart)
)

state("invariants.neighbors-left", "article, section 2.2")(
    """after excluding neighboring data sets that have different values for the invariants, there may be no neighbors
    left, resulting in a completely vacuous formulation of DP. Indeed, we will see that this is what happens with data
    swapping.""",
    every(small_surveys, no_neighbors, parts=(1, 2), apart=1),
    mutant("the n_mh. alone", {"parts": (1,)}),
    mutant("no data sets at distance 2 are left either", {"apart": 2}),
    reading="neighbors are at distance 1, bounded or unbounded; the invariants are the n_mh. and n_m.s of section 3.2",
)

noisy_for_one_size = cases(
    "data sets of one or two records of two kinds; noise for one size, the data themselves for the other", "laws"
)(
    lambda: (
        {x: noise if len(x) == noisy else point_mass(x) for x in domain}
        for domain in [multisets("ab", range(1, 3))]
        for noisy in (1, 2)
        for noise in [Law(dict.fromkeys(domain, Fraction(1, len(domain))))]
    )
)

one_only = lambda laws, told: any(
    keeps_on("D_Mult", laws, d, u, (2, 1)) and not keeps("D_Mult", laws, d, everywhere(c, (2, 1)))
    for c in ({x: len(x) * told for x in laws},)
    for d in (hammings(laws),)
    for u in sharing(c)
)

state("invariants.one-universe", "dissertation, section 3.1.2")(
    """requiring the Lipschitz condition (3.1) to hold for any particular universe would be insufficient, since each
    universe corresponds to a specific total population count""",
    some(noisy_for_one_size, one_only, told=1),
    mutant("the count is not an invariant", {"told": 0}),
)

# of 2 x 2 tables their cells, then the totals of rows and of columns
_published = tuple((a, b, c, d, a + b, c + d, a + c, b + d) for a, b, c, d in product(range(3), repeat=4))
published = cases("2 x 2 tables of cells up to 2; up to three of cells and totals published, and one more", "x s r y")(
    lambda: (
        (_published[40], s, (*s, one), _published)
        for size in range(4)
        for s in combinations(range(8), size)
        for one in range(8)
        if one not in s
    )
)
left_possible = lambda x, s, y: sum(1 for t in y if all(t[i] == x[i] for i in s))

state("invariants.reconstruction", "article, section 6.1", "dissertation, section 4.6.1")(
    """In any case, the larger the number of published statistics and the more accurate they are, the more heavily they
    constrain the possible configurations of the reconstructed data set, and hence the more likely it is that this
    reconstruction agrees with the true confidential microdata.""",
    every(published, lambda x, s, r, y: 1 / left_possible(x, r, y) >= 1 / left_possible(x, s, y)),
    mutant("strictly", lambda x, s, r, y: 1 / left_possible(x, r, y) > 1 / left_possible(x, s, y)),
    reading="""a configuration drawn from all that agree with what is published is the true one with one over their
    number; to publish more, as a more accurate number is, of which the less accurate one is a function""",
)

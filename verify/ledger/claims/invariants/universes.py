"""The universes that invariants induce, and what is plausible inside them."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.budgets.loss import INFINITE, ZERO
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import ApproximateMultiplicative, OutputPremetric
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.specifications.words import (
    PURE,
    VARIATION,
    Laws,
    keeps_on,
    made,
    named,
    refines,
    sharing,
)
from stirred.verify.ledger.engines.small_domains import (
    LAWS,
    LOSSES,
    SmallestBudgets,
    Table,
    domain_of,
    invariants,
    universes,
)
from stirred.verify.ledger.words import column_margins, row_margins, together

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
    "D_Mult^(1/10) with PLB 0: one of two data sets is published with probability 1/10",
    "measure laws d budget D",
    lambda: (
        (ApproximateMultiplicative(delta), laws, d, ZERO, dict.fromkeys(laws, both))
        for delta, both in [(Fraction(1, 10), frozenset({"x", "x'"}))]
        for laws in [{x: Law({x: delta, "nothing": 1 - delta}) for x in ("x", "x'")}]
        for d in [dict.fromkeys(permutations(laws, 2), 1)]
    ),
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

"""The loss of a mechanism, the smallest budget that it satisfies, and the order of specifications."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.spec.algebra.closure import closure
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import Multiverse, Universe
from stirred.spec.blocks.specification import ConstraintMatrix, Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.engines.algebra.comparison import Decision, stronger
from stirred.verify.engines.exhaustive import universe_losses
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, misprint, mutant, own, settled, some, state, theorem
from stirred.verify.ledger.claims.multiverse.words import INFIMA
from stirred.verify.ledger.claims.specifications.words import (
    APPROXIMATE,
    METRICS,
    VARIATION,
    Laws,
    blocks,
    keeps_on,
    made,
    measured,
    named,
    no_larger,
    sharing,
    unless_kept,
    value_of,
)
from stirred.verify.ledger.engines import small_domains as small
from stirred.verify.ledger.engines.small_domains import LAWS, LOSSES, SmallestBudgets, Table, domain_of
from stirred.verify.ledger.language_names import get, oo

# the loss of a mechanism: the smallest budget that it satisfies, and how it changes with the multiverse

on_two = cases(
    "two data sets, all universes, all mechanisms with 6 laws, all premetrics with values in {0, 1, 2, oo}; D_Mult, "
    "D_TV; every smaller real budget",
    "measure laws d",
)(
    lambda: (
        (measure, dict(enumerate(laws)), d)
        for measure, *laws, d in product(METRICS, small.LAWS, small.LAWS, small.premetric_tables(small.domain_of(2)))
    )
)

not_kept_below = lambda measure, laws, d, universe, budget, smaller: (
    (budget <= smaller if measure == "D_TV" else no_larger(budget, smaller))
    or not keeps_on(measure, laws, d, universe, smaller)
)
none_is_smaller = lambda measure, laws, d, tried, budgets: all(
    not_kept_below(measure, laws, d, universe, budgets[universe], smaller) for universe in budgets for smaller in tried
)


def smallest(measure: OutputPremetric, laws: Laws, d: Table, *, times: int = 1, at_zero: bool = True) -> Witness | None:
    """The losses of all universes are kept together, and no universe has a smaller one."""
    asked = InputPremetric("d", "unit", lambda x, y: d[x, y] if at_zero else d[x, y] or None)
    two = small.domain_of(2)
    found = universe_losses(laws, Flavor(two, Multiverse(small.universes(two)), asked, measure))
    budgets = {one.universe: one.budget.times(times) if isinstance(one.budget, Loss) else one.budget for one in found}
    if (broken := unless_kept(measure, laws, d, budgets)) is not None:
        return broken
    shown: dict[str, Any] = {"measure": named(measure), "laws": laws, "d": d}
    for universe, budget in budgets.items():
        if not _is_least(measure, laws, d, universe, budget):
            needed = SmallestBudgets(measure, tuple(laws.values()))
            case = {"budget": budget, "smaller": needed.values[needed.of(universe, range(2), d)]}
            return failure(not_kept_below, universe=universe, **shown, **case)
    tried = {"tried": SmallestBudgets(measure, tuple(laws.values())).values, "budgets": budgets}
    return settled(True, none_is_smaller, lambda: {**shown, **tried})


def _is_least(measure: OutputPremetric, laws: Laws, d: Table, universe: Universe, budget: Any) -> bool:
    """Whether the budget is 0, or a pair breaks (1) at every smaller one: D_Pr = eps*d > 0, or (1) needs eps = oo."""
    if budget == measure.smallest_budget(measure.distance(laws[0], laws[0]), 1):
        return True
    for x, y in permutations(universe, 2):
        value, distance = value_of(measure, laws[x], laws[y]), d[x, y]
        if distance is not None and laws[x] != laws[y]:
            tight = distance != 0 and value != measure.no_bound and value == measure.bound(budget, distance)
            if tight or (budget == measure.no_bound and (distance == 0 or value == measure.no_bound)):
                return True
    return False


state("loss.smallest", "dissertation, Definition 2.4.5")(
    """Given a DP flavor (X, D-multiverse, d_X, D_Pr), the privacy loss of a data-release mechanism T is the smallest
    eps_D such that T satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr).""",
    every(on_two, smallest),
    mutant("pairs at distance 0 are left out", {"at_zero": False}),
    mutant("twice the loss", {"times": 2}),
    theorem("specification.loss_smallest", within=INFIMA),
    reading="that there is a smallest one, at all universes at once; article, Proposition 3, says infimum",
)

on_three = cases(
    "three data sets, all mechanisms with 6 laws up to relabelling, all premetrics with values in {0, 1, oo}, all "
    "universes D and D' (of any two multiverses that hold them); D_Mult, D_TV",
    "needed kernel d",
)(
    lambda: product(
        map(SmallestBudgets, METRICS),
        small.kernels(small.domain_of(3)),
        small.premetric_tables(small.domain_of(3), (0, 1, None)),
    )
)

_SUBSETS = small.universes(small.domain_of(3))
_INSIDE = [(fine, coarse) for fine, coarse in product(_SUBSETS, repeat=2) if fine <= coarse]
_MEETING = [(fine, coarse) for fine, coarse in product(_SUBSETS, repeat=2) if fine & coarse]
_AROUND = [(fine, coarse) for fine, coarse in product(_SUBSETS, repeat=2) if coarse <= fine]
kept_inside = lambda fine, coarse, budget, measure, laws, d: (
    not keeps_on(measure, laws, d, coarse, budget) or keeps_on(measure, laws, d, fine, budget)
)
kept_inside_all = lambda measure, laws, d, nested: all(
    kept_inside(fine, coarse, budget, measure, laws, d) for fine, coarse, budget in nested
)


def no_smaller(needed: SmallestBudgets, kernel: tuple[int, ...], d: Table, *, pairs: Any = _INSIDE) -> Witness | None:
    """L'_D' >= L_D: what T satisfies on D' it satisfies on D.

    The loss is taken on D alone: the other universes of a multiverse may have the budget oo.
    """
    a, b, c = (max(needed.pair(kernel, x, y, d), needed.pair(kernel, y, x, d)) for x, y in ((0, 1), (0, 2), (1, 2)))
    loss = dict(zip(_SUBSETS, (0, 0, 0, 0, a, b, c, max(a, b, c)), strict=True))

    case: dict[str, Any] = {"measure": named(needed.measure), "laws": made(kernel), "d": d}
    for fine, coarse in pairs:
        if loss[fine] > loss[coarse]:
            return failure(kept_inside, fine=fine, coarse=coarse, budget=needed.values[loss[coarse]], **case)
    nested = ((fine, coarse, needed.values[loss[coarse]]) for fine, coarse in pairs)
    return settled(True, kept_inside_all, lambda: {**case, "nested": tuple(nested)})


_MONOTONE = replace(every(on_three, no_smaller), run=cache(every(on_three, no_smaller).run))
"""Two claims rest on it; it is run once."""

_GUIDE = "slides, A Perverse Guide to Reducing the Privacy Loss (without adding more noise)"

state("refinement.loss-monotone", "article, Proposition 3", _GUIDE)(
    """Suppose that D-multiverse is refinement of D'-multiverse — that is, for all D in D-multiverse, there exists some
    D' in D'-multiverse such that D subset of D'. Define the protection loss of a data release mechanism T under the
    flavor (X, D-multiverse, d_X, D_Pr) as L_D = inf{eps_D : T satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr)}.
    Similarly define L'_D' = inf{eps'_D' : T satisfies eps'_D'-DP(X, D'-multiverse, d_X, D_Pr)}. Then, the protection
    loss L'_D' under (X, D'-multiverse, d_X, D_Pr) is no smaller than the loss L_D under (X, D-multiverse, d_X, D_Pr):
    L'_D' >= L_D, for any D in D-multiverse and D' in D'-multiverse with D subset of D'.""",
    _MONOTONE,
    theorem("specification.loss_refinement", within=INFIMA),
    mutant("D meets D' instead of D is a subset of D'", every(on_three, no_smaller, pairs=_MEETING)),
    mutant("D' subset of D", every(on_three, no_smaller, pairs=_AROUND)),
)

at_distance_one = cases(
    "two data sets at distance 1, D_Mult, all mechanisms with 3 laws, budgets in {0, ln 2, ln 4, oo}", "laws budget"
)(lambda: product((dict(enumerate(pair)) for pair in product(small.LAWS[:3], repeat=2)), small.LOSSES))

# the budget is enough at D, and not at D' around it: the loss is strictly larger there.
larger = lambda laws, d, budget, c, coarse: any(
    keeps_on("D_Mult", laws, d, u, budget) and not keeps_on("D_Mult", laws, d, v, budget)
    for u in sharing(c)
    for v in sharing(coarse)
    if u <= v
)

_C, _CONSTANT, _ONE = {0: 0, 1: 1}, {0: 0, 1: 0}, {(0, 1): 1, (1, 0): 1}

state("refinement.loss-may-increase", "article, section 2.4")(
    """Suppose the second set of invariants are nested within the first; that is, c is strictly more constraining than
    c'. … Then Proposition 3 below proves that T's protection loss under D_c' cannot be smaller and may be strictly
    larger than its loss under D_c.""",
    some(at_distance_one, larger, d=_ONE, c=_C, coarse=_CONSTANT),
    mutant("c' is not strictly less constraining than c", {"coarse": _C}),
    theorem("invariant_multiverse.loss_may_increase"),
    reading="that it cannot be smaller is refinement.loss-monotone; here that it may be strictly larger",
)

state("refinement.loss-direction", "dissertation, section 2.4.3")(
    """Suppose the second set of invariants are nested within the first; that is, c is strictly more constraining than
    c'. … Then T's privacy loss eps'_D' under D_c' cannot be smaller and may be strictly larger than T's loss eps_D
    under D_c, for any D' subset of D.""",
    every(blocks, lambda c, coarse: any(v <= u and v != u for u in sharing(c) for v in sharing(coarse))),
    reading="D' is a universe of D_c', and D one of D_c; another loss needs another universe",
    grade=misprint("the primes are exchanged: D is the smaller one, as in Proposition 2.4.13, which formalizes it"),
)

own("refinement.loss-direction.reversed", "dissertation, section 2.4.3")(
    """T's loss eps'_D' under D_c' cannot be smaller and may be strictly larger than T's loss eps_D under D_c, for any D
    subset of D' (D' a universe of D_c', D one of D_c).""",
    some(at_distance_one, larger, d=_ONE, c=_C, coarse=_CONSTANT),
    _MONOTONE,
    theorem("specification.loss_refinement", "invariant_multiverse.loss_may_increase", within=INFIMA),
    mutant("D' subset of D", every(on_three, no_smaller, pairs=_AROUND)),
    repairs="refinement.loss-direction",
)

# the order of specifications: which constraint matrices leave more mechanisms, and which leave the same ones

# a matrix is a map from pairs to numbers, e^C for D_Mult; a pair that it does not have is not bounded
either_way = lambda C, x, y: min(get(C, (x, y), oo), get(C, (y, x), oo))
along = lambda measure, a, b: a + b if measure == "D_TV" else a * b
closed = lambda measure, C, x, y, points: min(
    [either_way(C, x, y)]
    + [along(measure, either_way(C, x, z), either_way(C, z, y)) for z in points if z not in (x, y)]
)
below = lambda measure, laws, C: all(measured(measure, laws[x], laws[y]) <= C[x, y] for x, y in C)
_PAIRS = ((0, 1), (1, 2), (2, 0))

# symmetric and one-sided matrices on three data sets with entries from a small grid; pairs of such, with what is said
# to decide between them
_THIRDS = (Fraction(0), Fraction(1, 3), Fraction(2, 3), None)
_grid = lambda measure: [
    ConstraintMatrix(domain_of(3), measure, dict(zip(_PAIRS, entries, strict=True)))
    for entries in product(_THIRDS if measure == VARIATION else LOSSES, repeat=3)
]
_against = lambda reach: cases(
    "D_Mult with entries in {0, ln 2, ln 4, oo}, D_TV with entries in {0, 1/3, 2/3, oo}: every third matrix on "
    "three data sets with one bound for each pair against all of them; all mechanisms",
    "first reached second",
)(
    lambda: (
        (first, reached, second)
        for grid in map(_grid, METRICS)
        for first, reached in [(first, reach(first)) for first in grid[::3]]
        for second in grid
    )
)
closed_below = lambda most, measure, C, C2: all(
    min(closed(measure, C, x, y, (0, 1, 2)), most) <= C2[x, y] for x, y in C2
)


def decides(first: ConstraintMatrix, reached: ConstraintMatrix, second: ConstraintMatrix) -> Witness | None:
    """No mechanism of C breaks C' iff what is reached from C is at most C', bounds of D_TV being cut at 1."""
    measure, most = first.output_premetric, Fraction(1) if first.output_premetric == VARIATION else None
    bounds = {pair: most if (bound := reached(*pair)) is None else bound for pair in second.entries}
    found = stronger(first, second)
    if found.answer is Decision.UNDECIDED:
        raise EngineError(found.reason)
    case: dict[str, Any] = {"measure": named(measure), "C": _numbers(first), "C2": _numbers(second)}
    if (found.answer is Decision.YES) == all(measure.at_most(bounds[pair], n) for pair, n in second.entries.items()):
        if found.mechanism is None:
            return settled(True, closed_below, lambda: {**case, "most": most})
        return settled(True, broken_and_not_below, lambda: {**case, "most": most, "laws": found.mechanism})
    if found.mechanism is not None:
        return failure(not_broken, laws=found.mechanism, **case)
    return failure(closed_below_if_smaller, most=most, **case)


broken_and_not_below = lambda most, measure, C, C2, laws: (
    below(measure, laws, C) and not below(measure, laws, C2) and not closed_below(most, measure, C, C2)
)
not_broken = lambda laws, measure, C, C2: not below(measure, laws, C) or below(measure, laws, C2)
closed_below_if_smaller = lambda most, measure, C, C2: (
    closed_below(most, measure, C, C2) == all(get(C, (x, y), oo) <= C2[x, y] for x, y in C2)
)
_numbers = lambda matrix: {pair: b.gamma if isinstance(b, Loss) else b for pair, b in matrix.entries.items()}

own("order.closure-decides", "dissertation, Definition 2.4.9")(
    """For D_Mult and for D_TV one specification is stronger than another one on the same finite domain (every mechanism
    of it is one of the other) iff the closure of its constraint matrix under symmetry and the triangle inequality is at
    most the other's matrix; for D_TV all bounds are cut at 1.""",
    every(_against(closure), decides),
    mutant("the matrix itself for its closure", _against(lambda matrix: matrix)),
    theorem(
        "closure_decides.mult_closure_decides", "closure_decides.tv_closure_decides", within="finitely many outcomes"
    ),
)

# mechanisms of three laws with every seventh matrix
_kept = lambda *measures: cases(
    "three data sets, all mechanisms with 3 laws, every seventh matrix with entries in {0, ln 2, ln 4, oo} or {0, "
    f"1/3, 2/3, oo}}; {', '.join(str(named(one)) for one in measures)}",
    "measure laws C points",
)(
    lambda: (
        (named(measure), dict(enumerate(laws)), _numbers(matrix), (0, 1, 2))
        for measure in measures
        for matrix, laws in product(_grid(measure)[3::7], product(LAWS[2:5], repeat=3))
    )
)
same_under_closure = lambda measure, laws, C, points: (
    below(measure, laws, C)
    == all(
        measured(measure, laws[x], laws[y]) <= closed(measure, C, x, y, points)
        for x in points
        for y in points
        if x != y
    )
)

own("order.closure-same", "dissertation, Definition 2.4.9")(
    """Where D_Pr has the triangle inequality, the same mechanisms satisfy a constraint matrix and its closure under it;
    where D_Pr is symmetric too, its closure under both.""",
    every(_kept(*METRICS), same_under_closure),
    mutant("D_Mult^(1/4), which has no triangle inequality", _kept(APPROXIMATE)),
    theorem("sharpening.matrix_closure", "neighbors.symmetric_matrix_closure"),
)

_MATRICES = [{(0, 1): a, (1, 0): b} for a, b in product((0, 1, 2, None), repeat=2)]
pairs_of_matrices = cases("all pairs of matrices on two data sets with entries in {0, 1, 2, oo}", "C C2")(
    lambda: ((C, C2) for C in _MATRICES for C2 in _MATRICES)
)

# T tells the data set; D_Pr[P_x, P_x'] = D(x, x').
stronger_iff_smaller = lambda C, C2, premetrics: (
    all(any(D[p] > C[p] for p in C) or all(D[p] <= C2[p] for p in C2) for D in premetrics)
    == all(C[p] <= C2[p] for p in C)
)

own("order.matrix-decides", "dissertation, Definition 2.4.9")(
    """Over all output premetrics one constraint matrix is stronger than another one iff it is at most the other one at
    all pairs of different data sets; for one D_Pr so if each entry is attained by a mechanism.""",
    every(pairs_of_matrices, stronger_iff_smaller, premetrics=_MATRICES),
    mutant("over symmetric premetrics", {"premetrics": [one for one in _MATRICES if one[0, 1] == one[1, 0]]}),
    theorem("specification.smaller_matrix_iff_stronger", "specification.tight_matrix_iff_stronger"),
)

not_smaller = lambda C, C2, premetrics: (
    all(any(D[p] > C[p] for p in C) or all(D[p] <= C2[p] for p in C2) for D in premetrics)
    and any(C[p] > C2[p] for p in C)
)

own("order.matrix-decides.attained", "dissertation, Definition 2.4.9")(
    """For one D_Pr a stronger constraint matrix need not be the smaller one where its entries are not attained: if D_Pr
    is 1 between different laws, all mechanisms satisfy a bound of 2 and a bound of 1.""",
    some(pairs_of_matrices, not_smaller, premetrics=[dict.fromkeys(((0, 1), (1, 0)), n) for n in (0, 1)]),
    mutant("over all premetrics", {"premetrics": _MATRICES}),
    theorem("specification.stronger_smaller_matrix_refuted"),
    reading="two data sets, whose laws are equal or different",
)

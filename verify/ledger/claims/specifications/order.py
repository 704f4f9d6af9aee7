"""The order of specifications: which constraint matrices leave more mechanisms, and which leave the same ones."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.algebra.closure import closure
from stirred.spec.blocks.specification import ConstraintMatrix
from stirred.spec.budgets.loss import Loss
from stirred.verify.engines.algebra.comparison import Decision, stronger
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, mutant, own, settled, some, theorem
from stirred.verify.ledger.claims.specifications.words import APPROXIMATE, METRICS, VARIATION, measured, named
from stirred.verify.ledger.engines.small_domains import LAWS, LOSSES, domain_of
from stirred.verify.ledger.language_names import get, oo

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
    lambda: (
        (first, reached, second)
        for grid in map(_grid, METRICS)
        for first, reached in [(first, reach(first)) for first in grid[::3]]
        for second in grid
    ),
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
    lambda: (
        (named(measure), dict(enumerate(laws)), _numbers(matrix), (0, 1, 2))
        for measure in measures
        for matrix, laws in product(_grid(measure)[3::7], product(LAWS[2:5], repeat=3))
    ),
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
pairs_of_matrices = cases(
    "all pairs of matrices on two data sets with entries in {0, 1, 2, oo}",
    "C C2",
    lambda: ((C, C2) for C in _MATRICES for C2 in _MATRICES),
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

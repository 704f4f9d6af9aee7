"""Words for specifications: mechanisms as laws by data set, budgets by universe, distances by pairs of data sets.

An output premetric is named 'D_Mult', 'D_TV', or by the delta of D_Mult^delta; a budget is oo, a pair (gamma, root) for
ln(gamma)/root, or for D_TV a number; invariants are a map from data sets to values.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from stirred.spec.blocks.domain import multisets
from stirred.spec.laws.law import Law, point_mass
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, settled
from stirred.verify.ledger.engines.small_domains import LAWS, Table, zero_budget
from stirred.verify.ledger.language_names import oo, subsets
from stirred.verify.ledger.words import distance, hamming, multiplicative, outcomes, probability, total_variation

Laws = Mapping[Any, Law[Any]]
Budgets = Mapping[frozenset[Any], Any]
Labels = Mapping[Any, Any]
PURE, VARIATION = Multiplicative(), TotalVariation()
APPROXIMATE = ApproximateMultiplicative(Fraction(1, 4))
METRICS: tuple[OutputPremetric, ...] = (PURE, VARIATION)
MEASURES: tuple[OutputPremetric, ...] = (PURE, APPROXIMATE, VARIATION)

# D_Pr, e^D_Pr for the multiplicative ones
event_ratio = lambda p, q, s, delta: (
    1
    if probability(p, s) <= delta
    else oo
    if probability(q, s) == 0
    else (probability(p, s) - delta) / probability(q, s)
)
approximate_ratio = lambda p, q, delta: max(
    [1] + [max(event_ratio(p, q, s, delta), event_ratio(q, p, s, delta)) for s in subsets(outcomes(p, q))]
)
measured = lambda measure, p, q: (
    multiplicative(p, q)
    if measure == "D_Mult"
    else total_variation(p, q)
    if measure == "D_TV"
    else approximate_ratio(p, q, measure)
)

# (1): D_Pr <= eps*d, where 0*oo = oo
within = lambda measure, value, budget, d: (
    True
    if oo in (budget, d)
    else value <= budget * d
    if measure == "D_TV"
    else value < oo and value ** budget[1] <= budget[0] ** d
)
keeps_on = lambda measure, laws, d, universe, budget: all(
    within(measure, measured(measure, laws[x], laws[y]), budget, distance(d, x, y)) for x in universe for y in universe
)
keeps = lambda measure, laws, d, budgets: all(keeps_on(measure, laws, d, u, budgets[u]) for u in budgets)
no_larger = lambda a, b: True if b == oo else a != oo and a[0] ** b[1] <= b[0] ** a[1]

# e^C(x, x') = min over the universes, for budgets ln(gamma)
bounds_of = lambda d, budgets, x, y: (
    [
        (oo if oo in (budgets[u], distance(d, x, y)) else budgets[u][0] ** distance(d, x, y))
        for u in budgets
        if x in u and y in u
    ]
)

# multiverses
sharing = lambda c: {{x for x in c if c[x] == c[y]} for y in c}
everywhere = lambda c, budget: {u: budget for u in sharing(c)}
hammings = lambda points: {(x, y): hamming(x, y) for x in points for y in points}
refines = lambda fine, coarse: all(any(u <= v for v in coarse) for u in fine)


def named(measure: OutputPremetric) -> str | Fraction:
    """An output premetric as witnesses name it."""
    if isinstance(measure, ApproximateMultiplicative):
        return measure.delta
    return "D_TV" if measure == VARIATION else "D_Mult"


@cache
def value_of(measure: OutputPremetric, p: Law[Any], q: Law[Any]) -> Any:
    """D_Pr[P, Q]."""
    return measure.distance(p, q)


def satisfied(measure: OutputPremetric, laws: Laws, d: Table, budgets: Budgets) -> bool:
    """Whether D_Pr[P_x, P_x'] <= eps_D d(x, x') for all universes D and all x, x' in D."""
    return all(
        measure.at_most(value_of(measure, laws[x], laws[y]), measure.bound(budget, d[x, y]))
        for universe, budget in budgets.items()
        for x, y in permutations(universe, 2)
    )


def unless_kept(measure: OutputPremetric, laws: Laws, d: Table, budgets: Budgets) -> Witness | None:
    """(1): `satisfied`."""
    case = {"measure": named(measure), "laws": laws, "d": d, "budgets": budgets}
    says = lambda measure, laws, d, budgets: keeps(measure, laws, d, budgets)
    return settled(satisfied(measure, laws, d, budgets), says, lambda: case)


def free(measure: OutputPremetric, universes: Iterable[frozenset[Any]]) -> Budgets:
    """The budget 0 for every universe."""
    return dict.fromkeys(universes, zero_budget(measure))


def made(kernel: Sequence[int], laws: Sequence[Law[int]] = LAWS) -> Laws:
    """The mechanism with these laws, by their positions."""
    return {x: laws[i] for x, i in enumerate(kernel)}


def releases(c: Labels) -> Laws:
    """T(x) = c(x)."""
    return {x: point_mass(value) for x, value in c.items()}


sizes = cases("bounded DP on the data sets of at most two records of two kinds, with their size as invariant", "c")(
    lambda: [{x: len(x) for x in multisets("ab", range(3))}]
)
# invariants that are nested: the article's own example
_PERSONS = multisets((1, 2), range(3))
blocks = cases(
    "one county with the blocks 1 and 2 and up to two persons: c counts by block, c' for the county", "c coarse"
)(lambda: [({x: (x.count(1), x.count(2)) for x in _PERSONS}, {x: len(x) for x in _PERSONS})])

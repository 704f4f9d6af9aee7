"""Pure DP as a Lipschitz condition: its four forms, and group privacy."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.intervals.between import is_between
from stirred.verify.ledger.claims.intervals.measures import FINITE, by_events, dominated, events_of, quotient, scaled
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, probability

# d counts halves: of the root e^(eps/2) the power d is e^(eps d/2); data sets at d = 2 are one unit apart
e_bound = lambda root, d: oo if d == oo else root**d
is_lipschitz = lambda laws, d, root: all(
    by_events(laws[x], laws[y]) <= e_bound(root, distance(d, x, y)) for x in laws for y in laws
)
at_unit_steps = lambda laws, d, root: all(
    probability(laws[y], s) <= root**2 * probability(laws[x], s)
    for x in laws
    for y in laws
    if distance(d, x, y) == 2
    for s in events_of(laws[x])
)
in_intervals = lambda laws, d, root, lengths: all(
    is_between(laws[y], scaled(laws[x], 1 / e_bound(root, n)), scaled(laws[x], e_bound(root, n)))
    for n in lengths
    for x in laws
    for y in laws
    if distance(d, x, y) == n
)
has_close_density = lambda p, q, nu, ratio: (
    dominated(q, nu) and all(q[t] <= ratio * p[t] and p[t] <= ratio * q[t] for t in nu if nu[t] > 0)
)
close_in_densities = lambda laws, d, root, those: all(
    has_close_density(laws[x], laws[y], nu, e_bound(root, distance(d, x, y)))
    for x in laws
    for nu in those
    if dominated(laws[x], nu)
    for y in laws
    if distance(d, x, y) < oo
)

_LINKS = ((0, 1), (0, 2), (1, 2))


def distances(*values: Any) -> dict[tuple[int, int], Any]:
    """The symmetric distance of three points with these values at (0, 1), (0, 2), (1, 2); None is oo."""
    return {pair: value for (x, y), value in zip(_LINKS, values, strict=True) for pair in ((x, y), (y, x))}


_GRAPHS = [
    distances(*values)
    for values in ((2, 2, 2), (2, 2, 4), (2, 4, 2), (4, 2, 2), (2, None, None), (None, None, 2), (None, None, None))
]
_OTHERS = [
    distances(*values) for values in ((4, None, None), (1, 2, 1), (1, None, None), (3, 4, 2), (4, 4, 4), (2, 4, 4))
]
_COINS = [{0: Fraction(k, 8), 1: Fraction(8 - k, 8)} for k in (0, 1, 2, 4)]
_DOMINATING = (*({0: a, 1: b} for a, b in ((1, 1), (1, 2), (1, 0), (0, 1))), {0: Fraction(1, 2), 1: Fraction(1, 2)})

_mechanisms = lambda metrics, coins=_COINS, roots=(1, Fraction(5, 4), 2): (
    (dict(enumerate(chosen)), d, root, _DOMINATING)
    for d, chosen, root in product(metrics, product(coins, repeat=3), roots)
)

_SCOPE = (
    "all mechanisms with coins (0, 1/8, 1/4, 1/2) on three data sets; e^(eps/2) = 1, 5/4, 2; distances in halves; "
    "five dominating measures"
)
on_graphs = cases(f"{_SCOPE}; the distances of all graphs on them", "laws d root those", lambda: _mechanisms(_GRAPHS))
on_metrics = cases(f"{_SCOPE}; metrics that are no graph's distances, some with halves", "laws d root those")(
    lambda: _mechanisms(_OTHERS)
)
few_on_graphs = cases(
    "all mechanisms with coins 1/8, 1/2 on three data sets; e^(eps/2) = 5/4; the distances of all graphs on them",
    "laws d root those",
)(lambda: _mechanisms(_GRAPHS, (_COINS[1], _COINS[3]), [Fraction(5, 4)]))

four_forms_agree = lambda laws, d, root, those: (
    [at_unit_steps(laws, d, root), in_intervals(laws, d, root, [0, 2, 4, 6]), close_in_densities(laws, d, root, those)]
    == [is_lipschitz(laws, d, root) for form in range(3)]
)
at_unit_steps_up = lambda laws, d, root: all(
    probability(laws[y], s) <= root**2 * probability(laws[x], s)
    for x in laws
    for y in laws
    if x < y and distance(d, x, y) == 2
    for s in events_of(laws[x])
)
close_where_positive = lambda laws, d, root: all(
    quotient(laws[x][t], laws[y][t]) <= e_bound(root, distance(d, x, y))
    for x in laws
    for y in laws
    for t in laws[x]
    if laws[x][t] * laws[y][t] > 0
)
one_direction_suffices = lambda laws, d, root: is_lipschitz(laws, d, root) == at_unit_steps_up(laws, d, root)
positive_densities_suffice = lambda laws, d, root: is_lipschitz(laws, d, root) == close_where_positive(laws, d, root)

state("interval.theorem", "dissertation, Theorem 5.3.5", "dissertation, (5.5)")(
    """For 0 <= eps < oo, the following statements are equivalent given Assumption 5.3.3: I M is eps-differentially
    private. II P_x'(S) <= e^eps P_x(S) for all S in F and all x, x' in X with d(x, x') = 1. III For all delta in N and
    all x, x' in X with d(x, x') = delta, P_x' in I_1(L_(x, delta eps), U_(x, delta eps)), where L_(x, delta eps) =
    e^-(delta eps) P_x and U_(x, delta eps) = e^(delta eps) P_x. IV For all x in X and all measures nu in Omega, if P_x
    has a density p_x with respect to nu, then every d-connected x' in [x] also has a density p_x' (with respect to nu)
    satisfying p_x'(t) in p_x(t) exp[+-eps d(x, x')], (5.5) for all t in T.""",
    every(on_graphs, four_forms_agree),
    mutant("without Assumption 5.3.3", on_metrics),
    mutant("II in one direction of each pair", one_direction_suffices),
    mutant("IV where both densities are positive", positive_densities_suffice),
    theorem(
        "measure_intervals.pure_dp_iff_neighbors",
        "measure_intervals.pure_dp_iff_intervals",
        "measure_intervals.pure_dp_iff_densities",
        within=FINITE,
    ),
    reading="finite spaces; where nu is 0 the density p_x' is p_x",
)

unit_steps_suffice = lambda laws, d, root: (
    is_lipschitz(laws, d, root)
    == all(by_events(laws[x], laws[y]) <= root**2 for x in laws for y in laws if distance(d, x, y) == 2)
)

state("interval.theorem.unit-steps", "dissertation, section 5.2, after Definition 5.2.1")(
    """Under the mild assumption that d is a graph distance with unit edges (Assumption 5.3.3, given below in Section
    5.3), the converse implication also holds. That is, eps-DP is equivalent to the Lipschitz condition (5.2) holding
    when d(x, x') = 1.""",
    every(on_graphs, unit_steps_suffice),
    mutant("without the assumption", on_metrics),
)

state("interval.theorem.group-privacy", "dissertation, Theorem 5.3.5, the text after it")(
    """Without Assumption 5.3.3, group privacy is not implied by II. [...] Without Assumption 5.3.3 (which almost always
    holds in practice, such as for d = d_Ham or d_Delta), our definition of eps-DP would be more stringent than the
    standard formulation.""",
    some(on_metrics, lambda laws, d, root: at_unit_steps(laws, d, root) and not is_lipschitz(laws, d, root)),
    mutant("given Assumption 5.3.3", few_on_graphs),
    every(on_metrics, lambda laws, d, root: not is_lipschitz(laws, d, root) or at_unit_steps(laws, d, root)),
    theorem(
        *("measure_intervals.neighbors_group_privacy_refuted", "measure_intervals.pure_dp_neighbors"),
        within="a symmetric d that separates, finite spaces",
    ),
)

agree_at_lengths = lambda laws, d, root, those, lengths: (
    [in_intervals(laws, d, root, lengths), close_in_densities(laws, d, root, those)]
    == [is_lipschitz(laws, d, root) for form in range(2)]
)

state("interval.theorem.automatic", "dissertation, Theorem 5.3.5, the text after it")(
    """Hence Assumption 5.3.3 is needed only to extend II to provide group privacy; the equivalences between I, III and
    IV are automatic.""",
    every(on_metrics, lambda laws, d, root, those: agree_at_lengths(laws, d, root, those, [0, 2, 4, 6])),
    reading="I, III and IV are equivalent for every metric d",
    grade=incomplete(
        "that d has integer values, as Assumption 5.3.3 implies: III has delta in N and is silent on data sets at "
        "another distance, such as 1/2"
    ),
)

finite_distances_of = lambda laws, d: {distance(d, x, y) for x in laws for y in laws if distance(d, x, y) < oo}
agree_at_all_lengths = lambda laws, d, root, those: agree_at_lengths(laws, d, root, those, finite_distances_of(laws, d))

own("interval.theorem.automatic.repaired", "dissertation, Theorem 5.3.5, the text after it")(
    "With delta in [0, oo) for delta in N, statements I, III and IV are equivalent for every metric d.",
    every(on_metrics, agree_at_all_lengths),
    mutant("delta <= 1", lambda laws, d, root, those: agree_at_lengths(laws, d, root, those, [0, 1, 2])),
    repairs="interval.theorem.automatic",
)

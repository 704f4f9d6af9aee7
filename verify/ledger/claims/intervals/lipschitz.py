"""Pure DP as a Lipschitz condition: its four forms, group privacy, and connected data sets."""

from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.blocks.domain import multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import hamming_ordered, symmetric_difference
from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.intervals.measure_intervals import is_between
from stirred.verify.ledger.claims.intervals.measures import FINITE, by_events, dominated, events_of, quotient, scaled
from stirred.verify.ledger.claims.premetrics.metrics import d_triangular
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, probability

# pure DP as a Lipschitz condition: its four forms, and group privacy

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
on_graphs = cases(f"{_SCOPE}; the distances of all graphs on them", "laws d root those")(lambda: _mechanisms(_GRAPHS))
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

# connected data sets: graph distances with unit edges, and components that mechanisms restrict apart

steps_down = lambda d, X: all(
    distance(d, x, y) in [0, 1, oo]
    or any(distance(d, x, z) == 1 and distance(d, z, y) == distance(d, x, y) - 1 for z in X)
    for x in X
    for y in X
)
component_of = lambda d, X, x: {y for y in X if distance(d, x, y) < oo}
laws_kept = lambda d, coins, root: (
    {
        (p, q, r)
        for p in range(len(coins))
        for q in range(len(coins))
        for r in range(len(coins))
        if is_lipschitz({0: coins[p], 1: coins[q], 2: coins[r]}, d, root)
    }
)
_ordered = lambda points: (points, {(x, y): hamming_ordered("person")(x, y) for x in points for y in points})
_counted = lambda points: (points, {(x, y): symmetric_difference("person")(x, y) for x in points for y in points})
universes = cases(
    "ordered data sets of up to 3 records with 2 values and of up to 2 with 3 values under d_Ham; multisets of up to 4 "
    "records with 2 values and of up to 3 with 3 values under d_Delta",
    "X d",
)(
    lambda: (
        *(_ordered(ordered_data_sets(*one).points) for one in (((0, 1), range(4)), ((0, 1, 2), range(3)))),
        *(_counted(multisets(*one).points) for one in (((0, 1), range(5)), ((0, 1, 2), range(4)))),
    )
)
sub_universes = cases("those of two records with two values and one sum, and multisets of two such records", "X d")(
    lambda: (_ordered(((0, 1), (1, 0))), _counted(multisets((0, 1), (2,)).points))
)

state("interval.unit-steps", "dissertation, section 5.2, before Example 5.2.2", "dissertation, Assumption 5.3.3")(
    "From herein, we restrict our attention to the set of such metrics, which includes d_Ham and d_Delta.",
    every(universes, lambda X, d: steps_down(d, X)),
    mutant("on every subset of data sets", sub_universes),
    reading="on the universe of all data sets of the sizes allowed, without gaps for d_Delta",
)

own("interval.unit-steps.subsets", "dissertation, section 5.2, before Example 5.2.2")(
    """On a subset of the data sets, such as the data sets with given invariants or multisets of one size, d_Ham and
    d_Delta need not satisfy Assumption 5.3.3: all data sets may be at distance 2, and then statement II of Theorem
    5.3.5 is vacuous.""",
    every(sub_universes, lambda X, d: not steps_down(d, X)),
    mutant("on the universes of all data sets", universes),
)

all_tables = cases("all symmetric premetrics on three points with values 1, 2, oo", "d")(
    lambda: (distances(*values) for values in product((1, 2, None), repeat=3))
)
metrics = cases("all metrics on three points with values 1, 2, oo", "d")(
    lambda: (d for (d,) in all_tables if list(d.values()).count(None) != 2)
)

are_components_classes = lambda d: all(
    (component_of(d, range(3), x) == component_of(d, range(3), y)) == (distance(d, x, y) < oo)
    for x in range(3)
    for y in range(3)
)

state("interval.components", "dissertation, Definition 5.3.2")(
    "The data universe X is partitioned into connected components [x] = {x' in X | d(x, x') < oo}.",
    every(metrics, lambda d: d_triangular(d) and are_components_classes(d)),
    mutant("d a symmetric premetric", every(all_tables, are_components_classes)),
    reading="d is a metric, as Section 5.2 has it: [x] = [x'] iff d(x, x') < oo, and x in [x]",
)

_RANGES = [{0: Fraction(k, 8), 1: Fraction(8 - k, 8)} for k in (1, 4)]

leaves_unconnected_free = lambda d, coins, root: all(
    any(one[x] == p and one[y] == q for one in kept)
    for kept in [laws_kept(d, coins, root)]
    for x in range(3)
    for y in range(3)
    if distance(d, x, y) == oo
    for p in range(2)
    for q in range(2)
)
_restricted = lambda tables: ((d, _RANGES, Fraction(3, 2)) for (d,) in tables)

with_coins = cases(
    "all metrics on three points with values 1, oo; coins with chances 1/8 and 1/2; eps = ln 3/2", "d coins root"
)(lambda: _restricted((d,) for (d,) in metrics if 2 not in d.values()))
with_tables = cases(f"{all_tables.scope}; coins with chances 1/8 and 1/2; eps = ln 3/2", "d coins root")(
    lambda: _restricted(all_tables)
)

state("interval.components.induced", "dissertation, Definition 5.3.2, the text after it")(
    """(although restrictions between outputs for connected x, x' may induce restrictions between outputs for
    unconnected x, x')""",
    some(with_coins, lambda d, coins, root: not leaves_unconnected_free(d, coins, root)),
    reading="""for some metric, two coins at unconnected data sets that no eps-DP mechanism has together, though each is
    some mechanism's""",
    grade=incomplete(
        "that d is only a premetric, as Appendix C.3 allows: with the triangle inequality eps-DP is a condition on "
        "each component alone"
    ),
)

own("interval.components.induced.repaired", "dissertation, Definition 5.3.2, the text after it")(
    """For a metric d, eps-DP leaves the laws of unconnected data sets free of each other; for a premetric it may not,
    where d(x, y) and d(y, z) are finite and d(x, z) = oo.""",
    every(with_coins, leaves_unconnected_free),
    mutant("for premetrics", with_tables),
    some(with_tables, lambda d, coins, root: not leaves_unconnected_free(d, coins, root)),
    argued(
        "all metrics",
        proof="By the triangle inequality d(x, x') < oo is an equivalence relation; (5.2) compares data sets of "
        "one class only, so that mechanisms on the classes, chosen apart, are one that satisfies it.",
    ),
    repairs="interval.components.induced",
)

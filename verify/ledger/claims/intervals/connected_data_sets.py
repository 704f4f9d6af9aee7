"""Connected data sets: graph distances with unit edges, and components that mechanisms restrict apart."""

from fractions import Fraction
from itertools import product

from stirred.spec.blocks.domain import multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import hamming_ordered, symmetric_difference
from stirred.verify.ledger import argued, cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.intervals.lipschitz import distances, is_lipschitz
from stirred.verify.ledger.claims.premetrics.metrics import d_triangular
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance

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
    5.3.5 says nothing.""",
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
with_tables = cases(
    f"{all_tables.scope}; coins with chances 1/8 and 1/2; eps = ln 3/2", "d coins root", lambda: _restricted(all_tables)
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

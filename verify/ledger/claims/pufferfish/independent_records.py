"""Pufferfish with independent records is DP, and its premetrics by paths."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, state, theorem
from stirred.verify.ledger.claims.multiverse.words import bound_at, flipped_links, walk_length
from stirred.verify.ledger.claims.pufferfish.equivalences import power_within, rejection, tests_on
from stirred.verify.ledger.claims.pufferfish.words import (
    belief_given,
    keeps_conjectures,
    kernel_laws,
    level_set,
    mult_of,
    near_on,
    output_of,
    record_of,
    weight_of,
)
from stirred.verify.ledger.language_names import oo, subsets

level_pairs_of = lambda n: [(level_set(r, i), level_set(s, i)) for i in range(n) for r in range(2) for s in range(2)]
keeps_dp = lambda M, gamma: all(
    mult_of(M[x], M[y]) <= gamma
    for x in range(4)
    for y in range(4)
    if sum(1 for i in range(2) if record_of(x, i) != record_of(y, i)) == 1
)
with_record = lambda x, i, r: [2 * r + x % 2, 2 * (x // 2) + r][i]
graph_distance = lambda edges, x, y: walk_length(edges | flipped_links(edges), x, y)
lipschitz_on = lambda P, edges, gamma: all(
    mult_of(P[x], P[y]) <= bound_at(gamma, graph_distance(edges, x, y)) for x in range(len(P)) for y in range(len(P))
)
near_on_edges = lambda P, edges, gamma: all(
    near_on(P[x], P[y], s, gamma) for x, y in edges for s in subsets(range(len(P[0])))
)
tests_on_graph = lambda P, edges, gamma: all(
    power_within(rejection(P[x], w), rejection(P[y], w), gamma**n)
    for x in range(len(P))
    for y in range(len(P))
    for n in [graph_distance(edges, x, y)]
    if n < oo
    for w in tests_on(len(P[0]))
)

_LAWS = [(share, 1 - share) for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))]
_records = lambda priors: product([priors], product(_LAWS, repeat=4), (Fraction(3, 2), Fraction(2)))
_INDEPENDENT = tuple(
    (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))
    for p, q in product((Fraction(0), Fraction(1, 3), Fraction(1)), repeat=2)
)
_SAME = ((Fraction(1, 2), Fraction(0), Fraction(0), Fraction(1, 2)),)
_RECORDS = "X = {0, 1}^2, all mechanisms whose P_x has its first of two outputs with probability 1/4, 1/2 or 3/4, "
independent_records = cases(
    f"{_RECORDS}e^epsilon in {{3/2, 2}}, attackers with two independent records of probabilities 0, 1/3 or 1",
    "D M gamma",
    lambda: _records(_INDEPENDENT),
)
equal_records = cases(
    f"{_RECORDS}e^epsilon in {{3/2, 2}}; one attacker too who is sure that both are equal",
    "D M gamma",
    lambda: _records((*_INDEPENDENT, *_SAME)),
)

as_dp = lambda D, M, gamma: keeps_conjectures(D, level_pairs_of(2), M, gamma) == keeps_dp(M, gamma)

state("pufferfish.independent-records", "dissertation, Remark 5.8.5", "dissertation, (5.21)")(
    """Indeed, suppose that X = R^n for a fixed n and let S = union over i of {E(r, i) : r in R}^2. If D is the
    collection of distributions on X which take the records X_1, ..., X_n as mutually independent, then a mechanism M
    satisfying epsilon-PufferFish(D, S) is equivalent to M satisfying epsilon-DP with d = d_Ham.""",
    every(independent_records, as_dp),
    mutant("records that may be equal", equal_records),
    mutant(
        "only the first record",
        lambda D, M, gamma: keeps_conjectures(D, level_pairs_of(1), M, gamma) == keeps_dp(M, gamma),
    ),
    theorem(
        "pufferfish_records.pufferfish_independent_records",
        "pufferfish_records.changed_records_walk",
        within="finitely many records, values and outputs",
    ),
    reading="""D is tried on products of point masses and coins, which are all that the equivalence uses; both sides by
    their Statements II, as the source says""",
)

given = lambda M, D: all(
    weight_of(output_of(belief_given(a, e), M), {0}) == sum(a[x] * M[with_record(x, i, r)][0] for x in range(4))
    for a in D
    for i in range(2)
    for r in range(2)
    for e in [level_set(r, i)]
    if weight_of(a, e) > 0
)

state("pufferfish.independent-records.given", "dissertation, Remark 5.8.5")(
    """This result follows from observing P(T in S | theta, X_i = x_i) = integral over R^(n-1) of P_x(S) dP_theta(X_-i =
    x_-i), for theta in D.""",
    every(independent_records, lambda D, M: given(M, D)),
    mutant("records that may be equal", equal_records),
    reading="the integral is over the other records, the i-th being x_i",
)

_EDGES = tuple(frozenset(((0, 1), (1, 2), (0, 2))[:size]) for size in range(4))
graphs = cases(
    "none to three edges between three beliefs, all laws of two outputs in thirds given each, e^epsilon in {3/2, 2}",
    "P edges gamma",
    lambda: product(product(kernel_laws(2, 3), repeat=3), _EDGES, (Fraction(3, 2), Fraction(2))),
)

state("pufferfish.any-path-metric", "dissertation, section 5.7")(
    """In fact, all of the results below generalise immediately from d_D,S to any metric d on Theta which satisfies
    Assumption 5.3.3.""",
    every(graphs, lambda P, edges, gamma: lipschitz_on(P, edges, gamma) == near_on_edges(P, edges, gamma)),
    mutant(
        "e^(2 epsilon) on edges",
        lambda P, edges, gamma: lipschitz_on(P, edges, gamma) == near_on_edges(P, edges, gamma**2),
    ),
    every(graphs, lambda P, edges, gamma: lipschitz_on(P, edges, gamma) == tests_on_graph(P, edges, gamma)),
    reading="""the results that name the distance, Theorems 5.8.1 and 5.8.6, with beliefs at distance 1 in place of
    theta*|_E and theta*|_E'; from d_D,S nothing else can generalise: (5.17) and Theorem 5.8.4 speak of attackers and
    competing conjectures, an interpretation 'beyond' which, the sentence before has it, another metric goes""",
)

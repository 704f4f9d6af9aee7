"""Pufferfish as a Lipschitz condition, as bounds for competing conjectures, as DP for independent records."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, own, state, theorem
from stirred.verify.ledger.claims.multiverse.words import bound_at, flipped_links, walk_length
from stirred.verify.ledger.claims.pufferfish.words import (
    FINITE,
    STATED,
    belief_given,
    belief_steps,
    both_defined,
    instantiations,
    joined_laws,
    keeps_conjectures,
    keeps_densities,
    keeps_intervals,
    keeps_pufferfish,
    kernel_laws,
    level_set,
    mult_of,
    near_on,
    output_of,
    record_of,
    weight_of,
)
from stirred.verify.ledger.language_names import oo, subsets

# Pufferfish as a Lipschitz condition, as bounds for competing conjectures, as intervals, densities and tests

one_sided = lambda D, S, M, gamma: all(
    weight_of(p, s) <= gamma * weight_of(q, s)
    for a in D
    for e, f in S
    if both_defined(a, e, f)
    for p in [output_of(belief_given(a, e), M)]
    for q in [output_of(belief_given(a, f), M)]
    for s in subsets(range(len(p)))
)
same_attacker_or_not = lambda D, S, M, gamma: all(
    near_on(output_of(belief_given(a, e), M), output_of(belief_given(b, f), M), s, gamma)
    for a in D
    for b in D
    for e, f in S
    if weight_of(a, e) * weight_of(b, f) > 0
    for s in subsets(range(len(M[0])))
)
step_loss = lambda D, S, M: max([1] + [mult_of(output_of(b, M), output_of(c, M)) for b, c in belief_steps(D, S)])
still_plausible = lambda D, S, M: all(
    (p[t] > 0) == (q[t] > 0) for p, q, n in joined_laws(D, S, M) for t in range(len(p))
)

# randomised tests: certain on some outputs, with one probability on the others
tests_on = lambda n: [[(1 if t in s else h) for t in range(n)] for s in subsets(range(n)) for h in [0, 1 / 2]]
rejection = lambda p, w: sum(p[t] * w[t] for t in range(len(p)))
power_within = lambda a, b, k: max(a / k, 1 - (1 - a) * k) <= b <= min(a * k, 1 - (1 - a) / k)
keeps_tests = lambda D, S, M, gamma: all(
    power_within(rejection(p, w), rejection(q, w), gamma**n)
    for p, q, n in joined_laws(D, S, M)
    for w in tests_on(len(p))
)

state("pufferfish.adjacent", "dissertation, (5.16)")(
    """Therefore, for all theta* in D and all (E, E') in S (with P_theta*(X in . | X in E) and P_theta*(X in . | X in
    E') both well-defined), the data-generating probabilities theta*|_E and theta*|_E' are adjacent in the graph G_D,S
    and hence D_Mult(P(T in . | theta*, X in E), P(T in . | theta*, X in E')) <= epsilon.""",
    every(instantiations, lambda D, S, M, gamma: not keeps_pufferfish(D, S, M, gamma) or step_loss(D, S, M) <= gamma),
    mutant(
        "epsilon/2", lambda D, S, M, gamma: not keeps_pufferfish(D, S, M, gamma) or step_loss(D, S, M) ** 2 <= gamma
    ),
    theorem("conjectures.pufferfish_competing", within=FINITE),
    reading=f"of a mechanism that satisfies epsilon-PufferFish(D, S); {STATED}",
)

state("pufferfish.conjectures", "dissertation, Theorem 5.8.1")(
    """For any Pufferfish instantiation epsilon-PufferFish(D, S) with privacy loss budget epsilon < oo, the following
    statements are equivalent: I M satisfies epsilon-PufferFish(D, S). II For all S in F, all competing conjectures (E,
    E') in S and all attackers theta* in D (such that P_theta*(X in . | X in E) and P_theta*(X in . | X in E') are both
    well-defined) the following inequalities are satisfied: P(T in S | theta*, X in E) <= e^epsilon P(T in S | theta*, X
    in E'), P(T in S | theta*, X in E') <= e^epsilon P(T in S | theta*, X in E).""",
    every(instantiations, lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_conjectures(D, S, M, gamma)),
    mutant("one inequality", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == one_sided(D, S, M, gamma)),
    mutant(
        "two attackers", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == same_attacker_or_not(D, S, M, gamma)
    ),
    mutant(
        "e^(2 epsilon)", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_conjectures(D, S, M, gamma**2)
    ),
    theorem("conjectures.pufferfish_competing", within=FINITE),
    reading=STATED,
)

state("pufferfish.intervals", "dissertation, Theorem 5.8.1")(
    """I M satisfies epsilon-PufferFish(D, S). III For all delta in N and all theta, theta' in Theta with d_D,S(theta,
    theta') = delta, P(T in . | theta') in I_1(L_theta,delta.epsilon, U_theta,delta.epsilon), where
    L_theta,delta.epsilon = e^(-delta.epsilon) P(T in . | theta) and U_theta,delta.epsilon = e^(delta.epsilon) P(T in .
    | theta).""",
    every(instantiations, lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_intervals(D, S, M, gamma)),
    mutant("2 epsilon", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_intervals(D, S, M, gamma**2)),
    theorem("conjectures.pufferfish_interval", within=FINITE),
    reading=STATED,
)

state("pufferfish.densities", "dissertation, Theorem 5.8.1")(
    """I M satisfies epsilon-PufferFish(D, S). IV For all theta in Theta and all measures nu in Omega, if P(T in . |
    theta) has a density p(t | theta) with respect to nu, then for every d_D,S-connected theta' in [theta], P(T in . |
    theta') also has a density p(t | theta') (with respect to nu) satisfying p(t | theta') in p(t | theta) exp[+-epsilon
    d_D,S(theta, theta')], for all t in T.""",
    every(instantiations, lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_densities(D, S, M, gamma)),
    mutant("2 epsilon", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_densities(D, S, M, gamma**2)),
    theorem("conjectures.pufferfish_density", within=FINITE),
    reading=f"some density does, where nu is 0 the given one itself; {STATED}",
)

state("pufferfish.plausible", "dissertation, Remark 5.8.2")(
    """More generally, whenever theta is plausible (i.e. when p(t | theta) > 0) then all d_D,S-connected theta' in
    [theta] are also plausible (regardless of the choice of dominating measure nu).""",
    every(instantiations, lambda D, S, M, gamma: not keeps_pufferfish(D, S, M, gamma) or still_plausible(D, S, M)),
    mutant("any mechanism", lambda D, S, M: still_plausible(D, S, M)),
    theorem("conjectures.pufferfish_plausible", within=FINITE),
    reading="with the densities of Statement IV",
)

state("pufferfish.tests", "dissertation, Theorem 5.8.6", "dissertation, (5.22)")(
    """A data-release mechanism M satisfies epsilon-PufferFish(D, S) if and only if, for all theta_0 != theta_1 in
    Theta, the power 1 - beta of all size-alpha tests of H_0: theta = theta_0 versus H_1: theta = theta_1, is bounded by
    the inequalities: max(alpha/phi, 1 - [1 - alpha] phi) <= 1 - beta <= min(alpha phi, 1 - [1 - alpha]/phi), where phi
    = exp[epsilon d_D,S(theta_0, theta_1)].""",
    every(instantiations, lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_tests(D, S, M, gamma)),
    mutant("phi^2", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_tests(D, S, M, gamma**2)),
    theorem("conjectures.pufferfish_tests", within=FINITE),
    reading="""a test may be randomised, its size is its probability of rejecting under H_0; at an infinite distance the
    bounds ask for nothing, 0 x oo being oo""",
)

tests_of_two_laws = cases(
    "all pairs of laws on three outputs in tenths with one support, tests that reject on some outputs and with "
    "probability 0, 1/20, 1/4 or 1/2 on the others, e^epsilon the ratio of the two laws",
    "p q w",
)(
    lambda: (
        (p, q, tuple(Fraction(1) if t in sure else h if t < 2 else Fraction(0) for t in range(3)))
        for rates in [(Fraction(0), Fraction(1, 20), Fraction(1, 4), Fraction(1, 2))]
        for found in [[law for law in kernel_laws(3, 10) if min(law) > 0]]
        for (p, q), sure, h in product(product(found, repeat=2), ((), (0,)), rates)
    )
)

level_power_at_most = lambda p, q, w, power: rejection(p, w) > 1 / 20 or rejection(q, w) <= power * mult_of(p, q)

state("pufferfish.level", "dissertation, section 5.8")(
    """Hence, any such test with level 0.05 will have power at most 0.05 exp(epsilon) under epsilon-PufferFish(D,
    S).""",
    every(tests_of_two_laws, lambda p, q, w: level_power_at_most(p, q, w, 1 / 20)),
    mutant("0.04 exp(epsilon)", lambda p, q, w: level_power_at_most(p, q, w, 1 / 25)),
    theorem("conjectures.pufferfish_tests", within=FINITE),
    reading="a test of level 0.05 has size at most 0.05",
)

_BELIEFS = [law for law in kernel_laws(3, 4) if sum(1 for m in law if m) > 1]
overlapping = cases(
    "two beliefs of three data sets in quarters, neither sure of one; all mechanisms of two outputs in thirds", "u v M"
)(lambda: product(_BELIEFS, _BELIEFS, product(kernel_laws(2, 3), repeat=3)))

own("pufferfish.tests.overlapping", "dissertation, Theorem 5.8.6")(
    """What is released under two beliefs differs by no more than the beliefs do, whatever the mechanism and its budget:
    where their D_Mult is below the budget times their distance, no test of size in (0, 1) attains (5.22). The largest
    power of all mechanisms is then that of a linear program over one probability for each data set.""",
    every(overlapping, lambda u, v, M: mult_of(output_of(u, M), output_of(v, M)) <= mult_of(u, v)),
    mutant("always less", lambda u, v, M: u == v or mult_of(output_of(u, M), output_of(v, M)) < mult_of(u, v)),
    theorem("pure.mult_postprocessing", within=FINITE),
)

# Pufferfish with independent records is DP, and its premetrics by paths

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
)(lambda: _records(_INDEPENDENT))
equal_records = cases(
    f"{_RECORDS}e^epsilon in {{3/2, 2}}; one attacker too who is sure that both are equal", "D M gamma"
)(lambda: _records((*_INDEPENDENT, *_SAME)))

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
)(lambda: product(product(kernel_laws(2, 3), repeat=3), _EDGES, (Fraction(3, 2), Fraction(2))))

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

"""Which axioms of a metric the premetrics satisfy, and what the multiplicative distance says of likelihoods."""

from fractions import Fraction
from itertools import permutations, product

from stirred.spec.blocks.domain import ordered_data_sets
from stirred.spec.laws.law import Law
from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    approximate_multiplicative,
    but_for_names,
    divergence_sum,
    dominates,
)
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE, laws_of
from stirred.verify.ledger.engines.small_domains import LAWS
from stirred.verify.ledger.language_names import get, ln, oo, sqrt, subsets
from stirred.verify.ledger.words import (
    distance,
    hamming_ordered,
    multiplicative,
    outcomes,
    probability,
    same_law,
    total_variation,
)

# which axioms of a metric the premetrics satisfy: abstract ones, the multiplicative distance, common divergences

d_symmetric = lambda d: all(distance(d, x, y) == distance(d, y, x) for x, y in d)
d_positive = lambda d: all(distance(d, x, y) != 0 for x, y in d)
d_triangular = lambda d: all(distance(d, x, z) <= distance(d, x, y) + distance(d, y, z) for x, y in d for v, z in d)
uniform_image = lambda x: {v: sum(1 for u in x if u == v) / len(x) for v in set(x)}
with_an_eighth = lambda p, q: approximate_multiplicative(p, q, 1 / 8)
mass_at = lambda p, t: get(p, t, 0)
kullback_leibler = lambda p, q: sum(p[t] * ln(p[t] / q[t]) for t in p if p[t] > 0) if dominates(q, p) else oo
cross_entropy = lambda p, q: sum(p[t] * ln(1 / q[t]) for t in p) if dominates(q, p) else oo
renyi_of_order_2 = lambda p, q: ln(divergence_sum(p, q, 2)) if dominates(q, p) else oo
renyi_of_order_5 = lambda p, q: ln(divergence_sum(p, q, 5)) / 4 if dominates(q, p) else oo
chi_squared = lambda p, q: sum((mass_at(p, t) - q[t]) ** 2 / q[t] for t in q) if dominates(q, p) else oo
hellinger = lambda p, q: sqrt(sum((sqrt(mass_at(p, t)) - sqrt(mass_at(q, t))) ** 2 for t in outcomes(p, q)) / 2)
mean_of = lambda p, f: sum(p[t] * f[t] for t in p)
integral_metric = lambda p, q: max(abs(mean_of(p, f) - mean_of(q, f)) for f in [[0, 0, 1], [0, 0, 3]])
difference_of_means = lambda p, q: max(mean_of(p, f) - mean_of(q, f) for f in [[0, 0, 1], [0, 0, 3]])
mass_up_to = lambda p, s: sum(p[t] for t in p if t <= s)
wasserstein = lambda p, q: sum(abs(mass_up_to(p, s) - mass_up_to(q, s)) for s in range(1 + max(outcomes(p, q))))

_KINDS = {
    (True, True, True): (1, 1, 1, 1, 1, 1),
    (True, True, False): (1, 3, 1, 1, 3, 1),
    (True, False, True): (0, 1, 0, 1, 1, 1),
    (True, False, False): (0, 1, 0, 0, 1, 0),
    (False, True, True): (1, 2, 2, 2, 2, 2),
    (False, True, False): (1, None, 2, 1, 3, 1),
    (False, False, True): (0, 1, 1, 1, 1, 1),
    (False, False, False): (0, 1, 1, 0, 1, 0),
}
one_of_each_kind = cases(
    "a premetric on three points for each combination of symmetric, positive and triangular", "d kind"
)(lambda: ((dict(zip(permutations(range(3), 2), values, strict=True)), kind) for kind, values in _KINDS.items()))

state("premetric.definition", "dissertation, Definition 2.4.14 and the text after it")(
    """A premetric d on a set S is a function S x S -> [0, oo] satisfying d(x, y) = 0 if x = y. A premetric generalizes
    the mathematical concept of a metric, because it is not required to be symmetric, positive for distinct points, nor
    does it need to satisfy the triangle inequality.""",
    every(one_of_each_kind, lambda d, kind: [d_symmetric(d), d_positive(d), d_triangular(d)] == kind),
    mutant(
        "a premetric is symmetric",
        lambda d, kind: [d_symmetric(d), d_positive(d), d_triangular(d)] == [True, kind[1], kind[2]],
    ),
    reading="the three are independent of the definition and of each other: each of the eight combinations occurs",
)

_LAWS = "laws on three outcomes in quarters, but for the outcomes' names"
pairs = cases(f"all pairs of {_LAWS}", "p q")(lambda: but_for_names(3, 4))
triples = cases(f"all triples of {_LAWS}", "p q r")(lambda: but_for_names(3, 4, 3))

state("premetric.multiplicative-metric", "dissertation, section 2.4.4, after Definition 2.4.14")(
    """many of the premetrics used in DP are metrics - such as the multiplicative distance adopted in the original
    formulation of DP""",
    every(
        pairs,
        lambda p, q: multiplicative(p, q) == multiplicative(q, p) and (multiplicative(p, q) == 1) == same_law(p, q),
    ),
    every(triples, lambda p, q, r: multiplicative(p, r) <= multiplicative(p, q) * multiplicative(q, r)),
    mutant(
        "D_Mult^(1/8) for D_Mult", lambda p, q, r: with_an_eighth(p, r) <= with_an_eighth(p, q) * with_an_eighth(q, r)
    ),
    mutant(
        "2 D(P, R) for D(P, R)",
        lambda p, q, r: multiplicative(p, r) * multiplicative(p, r) <= multiplicative(p, q) * multiplicative(q, r),
    ),
    theorem("pure.mult_metric", within="laws on finite sets"),
    reading="a metric on laws that may be oo, as the definition of a premetric allows; the words D(P, Q) are e^D_Mult",
    repairs="multiplicative.metric.random-variables",
)

random_variables = cases("random variables with values 0 and 1 on uniform spaces of up to 3 points", "x y")(
    lambda: (pair for n in (1, 2, 3) for pair in product(product((0, 1), repeat=n), repeat=2))
)

state("multiplicative.metric.random-variables", "article, Lemma 3", "dissertation, Lemma B.3.2")(
    "D_Mult is a metric on the space of a.e. equal random variables (over the same probability space T).",
    every(random_variables, lambda x, y: (multiplicative(uniform_image(x), uniform_image(y)) == 1) == (x == y)),
    reading="random variables are one if they are equal a.e., as the proof says: D_Mult(X, Y) = 0 iff X = Y a.e.",
    grade=misprint("equal in law for equal a.e.: (6) measures laws, and nothing else of X and Y is used"),
    refuted_by=["pure.mult_metric_variables_refuted"],
)

_ROOTS = ((1, 0, 0), (0, 1, 0), (3, 4, 0), (4, 3, 0), (0, 3, 4), (2, 2, 1), (1, 2, 2))
_SQUARES = tuple(Law({t: Fraction(a * a, sum(b * b for b in one)) for t, a in enumerate(one)}) for one in _ROOTS)
_GRID = f"{len(_SQUARES)} laws on the points 0, 1, 2 of the line, whose probabilities have rational roots"
pairs_of_squares = cases(f"all pairs of {_GRID}", "p q")(lambda: product(_SQUARES, repeat=2))
different_squares = cases(f"all pairs of different ones of {_GRID}", "p q")(lambda: permutations(_SQUARES, 2))
triples_of_squares = cases(f"all triples of different ones of {_GRID}", "p q r")(lambda: permutations(_SQUARES, 3))
pairs_and_orders = cases(f"{GRID_SCOPE}; a = 2, 3, 4, by exp((a-1) D_a), which is rational", "p q a")(
    lambda: product(GRID, GRID, (2, 3, 4))
)
on_different_spaces = cases(f"{GRID_SCOPE} against the first of them on three other outcomes", "p q")(
    lambda: product(GRID, [Law({t + 3: mass for t, mass in GRID[0].items()})])
)

renyi_is_premetric = lambda p, q, a: divergence_sum(p, q, a) >= 1 and (p != q or divergence_sum(p, q, a) == 1)

state("premetric.examples", "dissertation, section 2.4.5, after Definition 2.4.16")(
    """Most distances and divergences encountered in statistics and probability theory (including the total variation
    distance, the KL-divergence, the Renyi divergences, the Hellinger distance, the chi^2-divergence, the integral
    probability metrics and the Wasserstein distances) are probability premetrics.""",
    every(pairs_of_squares, lambda p, q: total_variation(p, p) == 0 and total_variation(p, q) >= 0),
    every(pairs_of_squares, lambda p, q: hellinger(p, p) == 0 and hellinger(p, q) >= 0),
    every(pairs_of_squares, lambda p, q: wasserstein(p, p) == 0 and wasserstein(p, q) >= 0),
    every(pairs_of_squares, lambda p, q: kullback_leibler(p, p) == 0 and kullback_leibler(p, q) >= 0),
    every(pairs_of_squares, lambda p, q: renyi_of_order_2(p, p) == 0 and renyi_of_order_2(p, q) >= 0),
    every(pairs_of_squares, lambda p, q: chi_squared(p, p) == 0 and chi_squared(p, q) >= 0),
    every(pairs_of_squares, lambda p, q: renyi_of_order_5(p, p) == 0 and renyi_of_order_5(p, q) >= 0),
    every(pairs_of_squares, lambda p, q: integral_metric(p, p) == 0 and integral_metric(p, q) >= 0),
    every(pairs_and_orders, renyi_is_premetric),
    mutant(
        "the Renyi divergences are symmetric",
        lambda p, q, a: renyi_is_premetric(p, q, a) and divergence_sum(p, q, a) == divergence_sum(q, p, a),
    ),
    every(on_different_spaces, lambda p, q: not dominates(q, p)),
    mutant(
        "the cross entropy for the KL-divergence",
        every(pairs_of_squares, lambda p, q: cross_entropy(p, p) == 0 and cross_entropy(p, q) >= 0),
    ),
    mutant(
        "the difference of means for its absolute value",
        every(different_squares, lambda p, q: difference_of_means(p, q) >= 0),
    ),
    mutant(
        "the difference of entropies for the KL-divergence",
        every(pairs_of_squares, lambda p, q: sum(q[t] * ln(q[t]) for t in q) - sum(p[t] * ln(p[t]) for t in p) >= 0),
    ),
    reading="""D(P, Q) >= 0 and D(P, P) = 0 for laws on one space (Wasserstein: a line); Definition 2.4.16 has oo for
    different spaces""",
)

own("premetric.examples.axioms", "dissertation, section 2.4.5, after Definition 2.4.16")(
    """Of the examples of probability premetrics, the total variation, Hellinger and Wasserstein distances are metrics;
    the KL- and chi^2-divergences and the Renyi divergence of order 2 are positive for different laws, but neither
    symmetric nor triangular; an integral probability metric is symmetric and triangular, and may be 0 for different
    laws.""",
    every(different_squares, lambda p, q: total_variation(p, q) > 0),
    mutant("the chi^2-divergence is symmetric", lambda p, q: chi_squared(p, q) == chi_squared(q, p)),
    every(different_squares, lambda p, q: hellinger(p, q) > 0),
    every(different_squares, lambda p, q: wasserstein(p, q) > 0),
    every(different_squares, lambda p, q: kullback_leibler(p, q) > 0),
    every(different_squares, lambda p, q: renyi_of_order_2(p, q) > 0),
    every(different_squares, lambda p, q: chi_squared(p, q) > 0),
    every(different_squares, lambda p, q: total_variation(p, q) == total_variation(q, p)),
    every(different_squares, lambda p, q: wasserstein(p, q) == wasserstein(q, p)),
    every(different_squares, lambda p, q: integral_metric(p, q) == integral_metric(q, p)),
    every(triples_of_squares, lambda p, q, r: total_variation(p, r) <= total_variation(p, q) + total_variation(q, r)),
    mutant(
        "the KL-divergence is triangular",
        lambda p, q, r: kullback_leibler(p, r) <= kullback_leibler(p, q) + kullback_leibler(q, r),
    ),
    every(triples_of_squares, lambda p, q, r: hellinger(p, r) <= hellinger(p, q) + hellinger(q, r)),
    every(triples_of_squares, lambda p, q, r: wasserstein(p, r) <= wasserstein(p, q) + wasserstein(q, r)),
    every(triples_of_squares, lambda p, q, r: integral_metric(p, r) <= integral_metric(p, q) + integral_metric(q, r)),
    some(different_squares, lambda p, q: renyi_of_order_2(p, q) != renyi_of_order_2(q, p)),
    some(different_squares, lambda p, q: chi_squared(p, q) != chi_squared(q, p)),
    some(different_squares, lambda p, q: kullback_leibler(p, q) < kullback_leibler(q, p)),
    some(triples_of_squares, lambda p, q, r: kullback_leibler(p, r) > kullback_leibler(p, q) + kullback_leibler(q, r)),
    some(triples_of_squares, lambda p, q, r: renyi_of_order_2(p, r) > renyi_of_order_2(p, q) + renyi_of_order_2(q, r)),
    some(triples_of_squares, lambda p, q, r: chi_squared(p, r) > chi_squared(p, q) + chi_squared(q, r)),
    some(different_squares, lambda p, q: not (integral_metric(p, q) > 0)),
    mutant(
        "an integral probability metric is positive", every(different_squares, lambda p, q: integral_metric(p, q) > 0)
    ),
)

# likelihood ratios: what a bound on the multiplicative distance says of densities, likelihoods and neighbors

density_ratio = lambda p, q: max(p[s] * q[t] / (p[t] * q[s]) for s in p for t in p)
close_on_events = lambda p, q, gamma: all(
    probability(p, s) <= gamma * probability(q, s) and probability(q, s) <= gamma * probability(p, s)
    for s in subsets(outcomes(p, q))
)
density_of = lambda p, mu, t: get(p, t, 0) / mu[t]
below_ratio = lambda p, q, gamma, mu: all(density_of(p, mu, t) <= gamma * density_of(q, mu, t) for t in mu)
close_densities = lambda p, q, gamma, mu: below_ratio(p, q, gamma, mu) and below_ratio(q, p, gamma, mu)
where_both = lambda p, q, mu: {t: mu[t] for t in mu if get(p, t, 0) * get(q, t, 0) > 0}
pure_at = lambda p, q, gamma, d: d == oo or multiplicative(p, q) <= gamma**d
ratio_at = lambda p, q, gamma, d, events: d == oo or all(get(p, t, 0) <= gamma**d * get(q, t, 0) for t in events)
one_record_apart = lambda x, y: hamming_ordered(x, y) == 1
indistinguishable = lambda laws, gamma: all(
    get(laws[x], t, 0) <= gamma * get(laws[y], t, 0)
    for x in laws
    for y in laws
    if one_record_apart(x, y)
    for t in outcomes(laws[x], laws[y])
)
neighbors_at = lambda x, y: 0 if x == y else 1 if one_record_apart(x, y) else oo
obeys_pure = lambda laws, gamma, scale: all(
    pure_at(laws[x], laws[y], gamma, scale * neighbors_at(x, y)) for x in laws for y in laws
)

of_one_support = cases(
    "all pairs of laws on three outcomes in eighths with one support; both are oo where the supports differ", "p q"
)(lambda: ((p, q) for p, q in product(laws_of(3, 8), repeat=2) if {*p} == {*q}))

equivalent = lambda p, q, factor: (
    multiplicative(p, q) <= density_ratio(p, q) and density_ratio(p, q) <= multiplicative(p, q) ** factor
)

state("multiplicative.density-ratio", "dissertation, section 2.4.5")(
    """The multiplicative distance is strongly equivalent (in the sense of metrics) to the density-ratio metric
    (Wasserman, 1992).""",
    every(of_one_support, equivalent, factor=2),
    mutant("delta <= D_Mult", {"factor": 1}),
    reading="D_Mult <= delta <= 2 D_Mult for delta(P, Q) = sup over s, t of ln P(s)Q(t)/(P(t)Q(s))",
)

with_densities = cases(
    "all pairs of laws on three outcomes in quarters, all events, e^b in {1, 3/2, 2, 3}; mu counts, or is P + Q",
    "p q gamma mu",
)(
    lambda: (
        (p, q, gamma, mu)
        for p, q in product(laws_of(3, 4), repeat=2)
        for total in [{t: p.numeric(t) + q.numeric(t) for t in (*p, *q)}]
        for gamma in map(Fraction, ("1", "3/2", "2", "3"))
        for mu in (dict.fromkeys(total, Fraction(1)), total)
    )
)

state("multiplicative.densities", "dissertation, section 2.4.5")(
    """For b < oo, the condition D_Mult(P, Q) <= b is equivalent to P and Q being mutually absolutely continuous and
    having densities (with respect to a common dominating measure mu) whose ratio is mu-a.e. bounded by exp(b)""",
    every(
        with_densities,
        lambda p, q, gamma, mu: close_on_events(p, q, gamma) == (set(p) == set(q) and close_densities(p, q, gamma, mu)),
    ),
    mutant(
        "p/q <= exp(b) alone, where both are positive",
        lambda p, q, gamma, mu: close_on_events(p, q, gamma) == (set(p) == set(q) and below_ratio(p, q, gamma, mu)),
    ),
    mutant(
        "without mutual absolute continuity: ratios only where both are positive",
        lambda p, q, gamma, mu: close_on_events(p, q, gamma) == close_densities(p, q, gamma, where_both(p, q, mu)),
    ),
    reading="both p/q and q/p are bounded where one of p, q is positive, as P and Q have one part in the sentence",
)

_two_data_sets = lambda *distances: cases(
    "two data sets, all pairs of coins in 1/16, (d(x, x'), d(x', x)) in "
    f"{{{', '.join(map(str, distances)).replace('None', 'oo')}}}, eps = ln 2",
    "p q there back",
)(lambda: ((p, q, *pair) for pair in distances for p, q in product(laws_of(2, 16), repeat=2)))
likelihood = lambda p, q, there, back, events: (
    (pure_at(p, q, 2, there) and pure_at(p, q, 2, back))
    == (ratio_at(p, q, 2, there, events) and ratio_at(q, p, 2, back, events))
)

state("pure.likelihood-ratio", "dissertation, section 2.4.5")(
    """pure eps-DP is equivalent to the condition: ln[L(x | t)/L(x' | t)] <= eps d_X(x, x'), uniformly for almost all t
    in T and all x, x' in X, where L(x | t) = p_x(T = t) is the likelihood function.""",
    every(_two_data_sets((0, 0), (1, 1), (1, 2), (0, 1), (None, None)), likelihood, events=(0, 1)),
    reading="pure eps-DP is eps-DP(X, {X}, d_X, D_Mult), for any premetric d_X",
    grade=incomplete(
        "that d_X is symmetric, as all of the section's are: D_Mult is below both distances, a ratio below one"
    ),
)

own("pure.likelihood-ratio.symmetric", "dissertation, section 2.4.5")(
    """For a symmetric d_X and the multiverse {X}, pure eps-DP is equivalent to ln[L(x | t)/L(x' | t)] <= eps d_X(x, x')
    for all t that are possible under some data set and all x, x' in X.""",
    every(_two_data_sets((0, 0), (1, 1), (2, 2), (None, None)), likelihood, events=(0, 1)),
    mutant("one outcome t for all t", {"events": (0,)}),
    repairs="pure.likelihood-ratio",
)

_POINTS = ordered_data_sets((0, 1), (2,)).points
_TURNED = [tuple(_POINTS.index((x[i] ^ a, x[1 - i] ^ b)) for x in _POINTS) for i, a, b in product((0, 1), repeat=3)]

# mechanisms, one of those that differ by the names of records and values alone
_kernels = lambda: (
    dict(zip(_POINTS, (LAWS[i] for i in laws), strict=True))
    for laws in product(range(len(LAWS)), repeat=4)
    if all(laws <= tuple(laws[i] for i in turned) for turned in _TURNED)
)

mechanisms = cases(
    "R = {0, 1}, n = 2, all mechanisms of 6 laws but for the names of records and values, eps = 0, ln 3/2, ln 2",
    "laws gamma",
)(lambda: product(_kernels(), (Fraction(1), Fraction(3, 2), Fraction(2))))

same_as_pure = lambda laws, gamma, scale: indistinguishable(laws, gamma) == obeys_pure(laws, gamma, scale)

state("pure.indistinguishability", "dissertation, Definition 2.3.1 and section A.4")(
    """A direct encoding of many common DP formulations in the literature - including the original Definition 2.3.1 of
    Dwork et al. (2006b) - into the equivalent DP specifications would use the following premetric for d_X: d_r(x, x') =
    0 if x = x', 1 else if x ~ x', oo otherwise, (A.2)""",
    every(mechanisms, same_as_pure, scale=1),
    mutant("2 d_r for d_r", {"scale": 2}),
    theorem(
        "pure.pure_dp_satisfies", within="laws on finite sets, (2.2) for all events; any E for exp with E(n a) = E(a)^n"
    ),
    theorem(
        "exponential.pure_dp_exponential",
        within="laws on finite sets with probabilities in a field inside the reals, all events; exp and ln",
    ),
    reading="""for Definition 2.3.1 with bounded, ordered neighbors and discrete T, 0/0 = 1: T is eps-indistinguishable,
    (2.2), iff it satisfies eps-DP(R^n, {R^n}, d_r, D_Mult)""",
)

"""Likelihood ratios: what a bound on the multiplicative distance says of densities, likelihoods and neighbors."""

from fractions import Fraction
from itertools import product

from stirred.spec.blocks.domain import ordered_data_sets
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.engines.small_domains import LAWS
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import hamming_ordered, multiplicative, outcomes, probability

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
    "all pairs of laws on three outcomes in eighths with one support; both are oo where the supports differ",
    "p q",
    lambda: ((p, q) for p, q in product(laws_of(3, 8), repeat=2) if {*p} == {*q}),
)

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
    lambda: (
        (p, q, gamma, mu)
        for p, q in product(laws_of(3, 4), repeat=2)
        for total in [{t: p.numeric(t) + q.numeric(t) for t in (*p, *q)}]
        for gamma in map(Fraction, ("1", "3/2", "2", "3"))
        for mu in (dict.fromkeys(total, Fraction(1)), total)
    ),
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
    lambda: ((p, q, *pair) for pair in distances for p, q in product(laws_of(2, 16), repeat=2)),
)
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
    lambda: product(_kernels(), (Fraction(1), Fraction(3, 2), Fraction(2))),
)

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

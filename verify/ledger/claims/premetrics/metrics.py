"""Which axioms of a metric the premetrics satisfy: abstract ones, the multiplicative distance, common divergences."""

from fractions import Fraction
from itertools import permutations, product

from stirred.spec.laws.law import Law
from stirred.verify.ledger import cases, every, misprint, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    approximate_multiplicative,
    but_for_names,
    divergence_sum,
    dominates,
)
from stirred.verify.ledger.engines.renyi_grid import GRID, GRID_SCOPE
from stirred.verify.ledger.language_names import get, ln, oo, sqrt
from stirred.verify.ledger.words import distance, multiplicative, outcomes, same_law, total_variation

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
    "a premetric on three points for each combination of symmetric, positive and triangular",
    "d kind",
    lambda: ((dict(zip(permutations(range(3), 2), values, strict=True)), kind) for kind, values in _KINDS.items()),
)

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
pairs = cases(f"all pairs of {_LAWS}", "p q", lambda: but_for_names(3, 4))
triples = cases(f"all triples of {_LAWS}", "p q r", lambda: but_for_names(3, 4, 3))

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

random_variables = cases(
    "random variables with values 0 and 1 on uniform spaces of up to 3 points",
    "x y",
    lambda: (pair for n in (1, 2, 3) for pair in product(product((0, 1), repeat=n), repeat=2)),
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
pairs_of_squares = cases(f"all pairs of {_GRID}", "p q", lambda: product(_SQUARES, repeat=2))
different_squares = cases(f"all pairs of different ones of {_GRID}", "p q", lambda: permutations(_SQUARES, 2))
triples_of_squares = cases(f"all triples of different ones of {_GRID}", "p q r", lambda: permutations(_SQUARES, 3))
pairs_and_orders = cases(
    f"{GRID_SCOPE}; a = 2, 3, 4, by exp((a-1) D_a), which is rational", "p q a", lambda: product(GRID, GRID, (2, 3, 4))
)
on_different_spaces = cases(
    f"{GRID_SCOPE} against the first of them on three other outcomes",
    "p q",
    lambda: product(GRID, [Law({t + 3: mass for t, mass in GRID[0].items()})]),
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

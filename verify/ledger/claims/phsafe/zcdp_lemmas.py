"""The lemmas of PHSafe's paper on zCDP: the vector mechanism, composition, postprocessing."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.phsafe.transformations import RHOS
from stirred.verify.ledger.claims.zcdp.conversions import one_seed, two_releases
from stirred.verify.ledger.claims.zcdp.divergences import divergence_sum, joint_law
from stirred.verify.ledger.claims.zcdp.renyi import processed
from stirred.verify.ledger.words import mixed

_VECTOR = "PHSafe, Lemma 3"
real_queries = cases("n = 1, q(x) = 0 and q(x') = 1/2: what is released, up to 20 away", "t", lambda: [Fraction(1, 2)])

state("phsafe.gaussian.printed", _VECTOR)(
    """Let q : X -> R^n. Let s be such that ||q(x) - q(x')||_2 <= s for all neighboring x, x'. Let Delta > 0. Then
    VectorDiscreteGaussian(q(x), rho, Delta) from Algorithm 5 satisfies s^2 rho/Delta^2-zCDP as a function of x.""",
    every(real_queries, lambda t: {x + t for x in range(-20, 21)} <= set(range(-21, 22))),
    reading="finite divergences need common outcomes; noise on the integers moves q(x) by integers",
    grade=incomplete("q has integer values, as V in Algorithm 5 and q in Definition 7"),
    refuted_by=["discrete_gaussian.shifted_gaussian_infinite"],
)

vectors = cases(
    "differences q(x) - q(x') in {-2, ..., 2}^3; rho = 1/50, 1, 3 and Delta = 1, 2, 3",
    "d rho delta",
    lambda: product(list(product(range(-2, 3), repeat=3)), RHOS, (1, 2, 3)),
)

is_loss_at = lambda d, rho, delta, variance: (
    sum(c**2 for c in d) / (2 * variance) == sum(c**2 for c in d) * rho / delta**2
)

own("phsafe.gaussian.vector", _VECTOR)(
    """Lemma 3 holds for q : X -> Z^n: sigma^2 = Delta^2/(2 rho) makes the loss of a pair exactly ||q(x) - q(x')||^2
    rho/Delta^2.""",
    every(vectors, lambda d, rho, delta: is_loss_at(d, rho, delta, delta**2 / (2 * rho))),
    mutant("sigma for sigma^2", lambda d, rho, delta: is_loss_at(d, rho, delta, delta / (2 * rho))),
    theorem("discrete_gaussian.diagonal_gaussian_nor"),
    repairs="phsafe.gaussian.printed",
)

divergence_of_both = lambda p, r, q, s, a: divergence_sum(joint_law(p, r), joint_law(q, s), a)

state("phsafe.composition", "PHSafe, Lemma 4")(
    """(Sequential composition of zCDP [4]) Let M_1 : X -> Y and M_2 : X -> Z be mechanisms satisfying rho_1-zCDP and
    rho_2-zCDP respectively. Let M_3(x) = (M_1(x), M_2(x)). Then M_3 satisfies (rho_1 + rho_2)-zCDP.""",
    every(
        two_releases,
        lambda a, p, q, r, s: divergence_of_both(p, r, q, s, a) <= divergence_sum(p, q, a) * divergence_sum(r, s, a),
    ),
    mutant(
        "max(rho_1, rho_2)",
        lambda a, p, q, r, s: (
            divergence_of_both(p, r, q, s, a) <= max(divergence_sum(p, q, a), divergence_sum(r, s, a))
        ),
    ),
    theorem("normalized_renyi.zcdp_composition", within="discrete laws on outcomes with decidable equality"),
    mutant(
        "one seed for both",
        every(
            one_seed,
            lambda a, r: (
                divergence_sum({(t, t): r[t] for t in r}, {(1 - t, t): r[t] for t in r}, a)
                <= divergence_sum(r, {1 - t: r[t] for t in r}, a) * divergence_sum(r, r, a)
            ),
        ),
    ),
    reading="M_1 and M_2 have random numbers of their own, as two algorithms have",
)

divergence_after = lambda p, q, k, a: divergence_sum(mixed(p, k), mixed(q, k), a)

state("phsafe.postprocessing", "PHSafe, Lemma 5")(
    """(Postprocessing for zCDP [4]) Let M : X -> Y and f : Y -> Z be randomized algorithms. Suppose M satisfies
    rho-zCDP. Then f o M : X -> Z satisfies rho-zCDP.""",
    every(processed, lambda p, q, k, a, more: divergence_after(p, q, k, a + more) <= divergence_sum(p, q, a), more=0),
    mutant("order a + 1 after processing", {"more": 1}),
    theorem("nor_processing.zcdp_processing", within="discrete laws"),
)

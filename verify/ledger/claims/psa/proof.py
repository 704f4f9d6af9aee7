"""The steps of the proof of Theorem 1 (article, Appendix E)."""

from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_counts import move_weights
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.verify.ledger import cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, INTUITION
from stirred.verify.ledger.words import multiplicative, permuted

_law = cache(lambda x: exact_law(permutation_swapping, x, swap_rate=Fraction(1, 3)))
_invariants = lambda x: (tuple(sorted((m, h) for m, h, _ in x)), tuple(sorted((m, s) for m, _, s in x)))
# each data set with the first one that has the same records, or the same invariants; their laws
_first_alike = lambda scope, kept: cases(
    "all data sets of up to 3 records with two values of m, h and s, every order, p = 1/3, "
    f"with the first of the same {scope}",
    "x y laws",
    lambda: (
        (first, x, {first: _law(first), x: _law(x)})
        for known in [dict[Any, Any]()]
        for n in (1, 2, 3)
        for x in product(product((0, 1), (0, 1), (0, 1)), repeat=n)
        for first in [known.setdefault(kept(x), x)]
    ),
)

state("psa.reordering", "article, Lemma 4", "dissertation, Lemma B.3.3")(
    """If x and x' differ only by reordering of rows (i.e., d_HamS^r(x, x') = 0), then D_Mult[P_x(C(Z) in .), P_x'(C(Z)
    in .)] = 0.""",
    every(
        _first_alike("records", lambda x: tuple(sorted(x))), lambda laws, x, y: multiplicative(laws[x], laws[y]) == 1
    ),
    mutant("in one universe, for reordered", _first_alike("universe", _invariants)),
    theorem("psa_privacy.psa_eq_table", within=CATEGORIES),
)

two_permutations = cases(
    "up to 4 records with different values, all g and rho",
    "x rho g",
    lambda: (
        (tuple(range(1, n + 1)), *pair) for n in range(1, 5) for pair in product(permutations(range(n)), repeat=2)
    ),
)

after = lambda g, rho: [rho[i] for i in g]

strata_permuted = cases(
    "up to 4 records in up to three strata, a permutation of each stratum, in every order of the strata",
    "each g",
    lambda: (
        ([each[m] for m in order], [each[strata[i]][i] for i in range(n)])
        for strata in (strata for size in range(1, 5) for strata in product(range(3), repeat=size))
        for n in [len(strata)]
        for rows in [{m: [i for i in range(n) if strata[i] == m] for m in range(3)}]
        for images in product(*(permutations(rows[m]) for m in range(3)))
        for moved in [[dict(zip(rows[m], images[m], strict=True)) for m in range(3)]]
        for each in [[[one.get(i, i) for i in range(n)] for one in moved]]
        for order in permutations(range(3))
    ),
)

state("psa.proof.strata", "article, Appendix E", "dissertation, section B.3")(
    """Let sigma be the permutation defined by sigma(i) = sigma_{M_i}(i). Since sigma_m fixes i whenever M_i != m, it is
    the case that sigma = sigma_M o ... o sigma_1.""",
    every(strata_permuted, lambda each, g: after(after(each[0], each[1]), each[2]) == g),
    mutant("the last stratum left out", lambda each, g: after(each[0], each[1]) == g),
    reading="each sigma_m moves records of its stratum among themselves, whence the order of the strata is all one",
)

# g(rho(x')), the data sets that g and rho make, is made by one permutation: i |-> rho(g(i)).
of_data_sets = lambda x, rho, g: permuted(permuted(x, rho), g) == permuted(x, after(g, rho))
of_positions = lambda x, rho, g: permuted(permuted(x, rho), g) == permuted(x, after(rho, g))

state("psa.proof.bijection.printed", "article, Appendix E", "dissertation, section B.3", INTUITION)(
    "There is a bijection between G_x->z and G_x'->z given by g |-> g o rho.",
    every(two_permutations, of_data_sets),
    mutant("as maps of positions, i |-> g(rho(i))", of_positions),
    theorem("psa_remarks.bijection", within=CATEGORIES),
    reading="""g o rho is rho followed by g as maps of data sets, as g(x) is written: g(rho(x')) = g(x) = z; section 3.3
    says so of sigma' = sigma o rho. It is injective, and both sets are equally large""",
)

own("psa.proof.bijection", "article, Appendix E")(
    """As maps of positions the bijection between G_x->z and G_x'->z is g |-> rho o g, i |-> rho(g(i)); i |-> g(rho(i))
    is none.""",
    every(two_permutations, of_data_sets),
    mutant("g o rho as printed", of_positions),
    some(two_permutations, lambda x, rho, g: not of_positions(x, rho, g)),
    theorem("psa_remarks.bijection", "psa_remarks.bijection_refuted", within=CATEGORIES),
)

_drawn = lambda n, rate: {
    g: move_weights(n, rate)[sum(i != j for i, j in enumerate(g))] for g in permutations(range(n))
}
_small_strata = lambda rate: cases(
    "up to 4 records of one stratum, three swapping values, all x' and rho",
    "y rho law",
    lambda: (
        (y, rho, law)
        for n in range(2, 5)
        for law in [_drawn(n, rate)]
        for y, rho in product(product(range(3), repeat=n), law)
    ),
)
reached_from = lambda y, law: {permuted(y, g) for g in law if law[g] > 0}
common = lambda y, rho, law: reached_from(permuted(y, rho), law) == reached_from(y, law)

state("psa.proof.common-support", "article, Appendix E (before (12))", "dissertation, section B.3")(
    "… either P_x(sigma(x) = z) and P_x'(sigma(x') = z) are both zero, or they are both nonzero.",
    every(_small_strata(Fraction(1, 3)), common),
    mutant("p = 0", _small_strata(Fraction(0))),
    reading="for 0 < p < 1 and rho(x') = x; what is possible at one such p is possible at every other",
)

_OF_FOUR = ((0, 1, 2, 0), (0, 0, 1, 1), (0, 1, 1, 1))
ordered = cases(
    "two and three records with three swapping values, and four with 0120, 0011 or 0111, of one stratum and with "
    "holding values of their own; every x' and rho that moves Delta records; p = 1/3, 3/4",
    "y rho law b D o",
    lambda: (
        (y, rho, law, len(y), sum(i != j for i, j in enumerate(rho)), rate / (1 - rate))
        for chosen in [(*product(range(3), repeat=2), *product(range(3), repeat=3), *_OF_FOUR)]
        for y, rate in product(chosen, (Fraction(1, 3), Fraction(3, 4)))
        for law in [_drawn(len(y), rate)]
        for rho in law
        if all(y[i] != y[j] for i, j in enumerate(rho) if i != j)
    ),
)

chance_of_order = lambda law, y, z: sum(law[g] for g in law if permuted(y, g) == z)
order_bound = lambda law, y, rho, o, sized, b, D: all(
    chance_of_order(law, permuted(y, rho), z) <= max(o, (sized * b + 1) / o) ** D * chance_of_order(law, y, z)
    for z in {permuted(y, g) for g in law}
)

state("psa.proof.ordered", "article, (11)", "article, (12)", "dissertation, (B.2)", "dissertation, (B.3)")(
    """Since P_x[C(sigma(x)) = C(z)] = sum over z' of P_x[sigma(x) = z'], where the sum is over data sets z' with
    d_HamS(z, z') = 0, it suffices to show (11) P_x[sigma(x) = z] <= exp(Delta eps_D) P_x'[sigma(x') = z], for all
    possible swapped data sets z. … Thus, to prove Equation 11 it suffices to show (12) P_x(sigma_m(x_m) =
    z_m)/P_x'(sigma_m(x_m') = z_m) <= exp(Delta_m eps_D), for all m where Delta_m = d_HamS(x_m, x_m').""",
    every(ordered, order_bound, sized=1),
    mutant("1 for b + 1", {"sized": 0}),
    reading="""the records in the order that Lemma 5 gives them, rho(x') = x; (12) holds, and so does (11) by
    independence of the strata (psa.swap-probability.constant)""",
)

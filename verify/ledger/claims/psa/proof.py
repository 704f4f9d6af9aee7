"""The steps of the proof of Theorem 1, and its ratios by the numbers of moved records (article, Appendix E)."""

from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_counts import derangements, move_weights
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.verify.ledger import cases, every, incomplete, mutant, own, query, some, state, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, INTUITION, changed_query
from stirred.verify.ledger.claims.psa.swap_rate import multiplied
from stirred.verify.ledger.words import multiplicative, permuted

# the steps of the proof of Theorem 1 (article, Appendix E)

_law = cache(lambda x: exact_law(permutation_swapping, x, swap_rate=Fraction(1, 3)))
_invariants = lambda x: (tuple(sorted((m, h) for m, h, _ in x)), tuple(sorted((m, s) for m, _, s in x)))
# each data set with the first one that has the same records, or the same invariants; their laws
_first_alike = lambda scope, kept: cases(
    "all data sets of up to 3 records with two values of m, h and s, every order, p = 1/3, "
    f"with the first of the same {scope}",
    "x y laws",
)(
    lambda: (
        (first, x, {first: _law(first), x: _law(x)})
        for known in [dict[Any, Any]()]
        for n in (1, 2, 3)
        for x in product(product((0, 1), (0, 1), (0, 1)), repeat=n)
        for first in [known.setdefault(kept(x), x)]
    )
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

two_permutations = cases("up to 4 records with different values, all g and rho", "x rho g")(
    lambda: ((tuple(range(1, n + 1)), *pair) for n in range(1, 5) for pair in product(permutations(range(n)), repeat=2))
)

after = lambda g, rho: [rho[i] for i in g]

strata_permuted = cases(
    "up to 4 records in up to three strata, a permutation of each stratum, in every order of the strata", "each g"
)(
    lambda: (
        ([each[m] for m in order], [each[strata[i]][i] for i in range(n)])
        for strata in (strata for size in range(1, 5) for strata in product(range(3), repeat=size))
        for n in [len(strata)]
        for rows in [{m: [i for i in range(n) if strata[i] == m] for m in range(3)}]
        for images in product(*(permutations(rows[m]) for m in range(3)))
        for moved in [[dict(zip(rows[m], images[m], strict=True)) for m in range(3)]]
        for each in [[[one.get(i, i) for i in range(n)] for one in moved]]
        for order in permutations(range(3))
    )
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
    theorem("psa_remarks.permutations_moved", within=CATEGORIES),
    reading="""g o rho is rho followed by g as maps of data sets, as g(x) is written: g(rho(x')) = g(x) = z; section 3.3
    says so of sigma' = sigma o rho. It is injective, and both sets are equally large""",
)

own("psa.proof.bijection", "article, Appendix E")(
    """As maps of positions the bijection between G_x->z and G_x'->z is g |-> rho o g, i |-> rho(g(i)); i |-> g(rho(i))
    is none.""",
    every(two_permutations, of_data_sets),
    mutant("g o rho as printed", of_positions),
    some(two_permutations, lambda x, rho, g: not of_positions(x, rho, g)),
    theorem("psa_remarks.permutations_moved", "psa_remarks.moved_positions_refuted", within=CATEGORIES),
)

_drawn = lambda n, rate: {
    g: move_weights(n, rate)[sum(i != j for i, j in enumerate(g))] for g in permutations(range(n))
}
_small_strata = lambda rate: cases(
    "up to 4 records of one stratum, three swapping values, all x' and rho", "y rho law"
)(
    lambda: (
        (y, rho, law)
        for n in range(2, 5)
        for law in [_drawn(n, rate)]
        for y, rho in product(product(range(3), repeat=n), law)
    )
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
)(
    lambda: (
        (y, rho, law, len(y), sum(i != j for i, j in enumerate(rho)), rate / (1 - rate))
        for chosen in [(*product(range(3), repeat=2), *product(range(3), repeat=3), *_OF_FOUR)]
        for y, rate in product(chosen, (Fraction(1, 3), Fraction(3, 4)))
        for law in [_drawn(len(y), rate)]
        for rho in law
        if all(y[i] != y[j] for i, j in enumerate(rho) if i != j)
    )
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

# the ratios of the proof of Theorem 1: how they depend on the numbers of moved records (article, Appendix E)

_RECORDS = 30
realizable = lambda n: [k for k in range(n + 1) if k != 1]
_distances = lambda excluded: cases(f"2 <= n <= {_RECORDS}, 0 <= Delta <= n, Delta != 1{excluded}", "n D")(
    lambda: ((n, d) for n in range(2, _RECORDS + 1) for d in realizable(n) if not excluded or d != n - 1)
)

# O^delta is largest at delta = -Delta for 0 < p <= 1/2.
maximum = lambda n, D, slack: (
    n - D in realizable(n)
    and all(
        derangements(j) * derangements(n - D) <= derangements(n - slack) * derangements(k)
        for k in realizable(n)
        for j in realizable(n)
        if abs(k - j) <= D
    )
)

state("psa.proof.maximum.printed", "article, Appendix E (before (15))", "dissertation, section B.3")(
    """Since d(k) is nondecreasing (except at k = 1, which is not realizable by g or g') and (1-p)/p >= 1, the right
    hand side of (14) is maximized when k_g'm = n_m and k_gm = n_m - Delta_m (i.e., delta = -Delta_m) …""",
    every(_distances(""), maximum, slack=0),
    reading="for 0 < p <= 0.5, over all realizable k_g and k_g' with |k_g - k_g'| <= Delta_m",
    grade=incomplete("Delta_m != n_m - 1, as in Lemma 6; a step that fails at an edge where the conclusion holds"),
    refuted_by=["psa_remarks.mass_ratio_maximum_refuted"],
)

own("psa.proof.maximum", "article, Appendix E (before (15))")(
    """For 0 < p <= 0.5 and Delta_m != n_m - 1, the right hand side of (14) is at most o^-Delta_m d(n_m)/d(n_m -
    Delta_m) over all realizable k_g and k_g' with |k_g - k_g'| <= Delta_m.""",
    every(_distances(", Delta != n - 1"), maximum, slack=0),
    mutant("d(n - 1) for d(n)", {"slack": 1}),
    theorem("psa_remarks.mass_ratio_maximum"),
    repairs="psa.proof.maximum.printed",
)

full_changes = cases(
    f"2 <= Delta <= k <= {_RECORDS}, k - Delta != 1: all realizable k_g and k_g', all p in (1/2, 1) at once", "k D"
)(lambda: ((k, d) for k in range(2, _RECORDS + 1) for d in range(2, k + 1) if k - d != 1))
derangement_quotient = lambda k, D: derangements(k - D) / derangements(k)
at_most_1 = lambda k, D: derangement_quotient(k, D) <= 1 and (derangement_quotient(k, D) == 1) == (k == D and D == 2)

state("psa.proof.maximum-above.printed", "article, Appendix E (before (16))", "dissertation, section B.3")(
    """Now suppose 0.5 < p < 1. In the case of delta_m = Delta_m, the ratio (14) is maximized at o^Delta_m when k_gm =
    Delta_m = 2.""",
    every(full_changes, at_most_1),
    mutant("the maximum is o^Delta_m for every Delta_m", lambda k, D: k != D or derangement_quotient(k, D) == 1),
    mutant("k_gm = Delta_m = 3 too", lambda k, D: (derangement_quotient(k, D) == 1) == (k == D and D in (2, 3))),
    reading="(14) is at most o^Delta_m for Delta_m >= 2 and realizable k_gm, and is it at k_gm = Delta_m = 2 alone",
)

changes = cases(f"0 <= delta <= Delta <= {_RECORDS}, all realizable k_g and k_g'; o = p/(1-p)", "k a D")(
    lambda: ((k, k - j, d) for k in realizable(30) for j in realizable(k) for d in range(k - j, _RECORDS + 1))
)

# at these odds, and then at all odds above them.
dominated_by_largest = lambda k, a, o, D: (
    derangements(k - a) <= derangements(k) and o**a * derangements(k - a) / derangements(k) <= o**D
)

state("psa.proof.dominated", "article, Appendix E (before (16))", "dissertation, section B.3")(
    """Moreover, o^Delta_m also dominates o^delta_m d(k_gm - delta_m)/d(k_gm) for all 0 <= delta_m <= Delta_m and all
    possible k_gm.""",
    every(changes, dominated_by_largest, o=Fraction(1)),
    mutant("0 < p < 1 for 0.5 < p < 1", {"o": Fraction(1, 3)}),
    reading="for 0.5 < p < 1: it does for all o > 1, since it does at o = 1 and o^Delta_m grows as fast or faster",
)

_FORMS = ("psa.proof.budget-forms", "all real b >= 2 and all p in (0, 1); b = 1 cannot occur")

state("psa.proof.budget-forms", "article, (17)", "dissertation, (B.8)")(
    """… (17) simplifies to eps_D = ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0; ln o if
    sqrt(b+1)/(sqrt(b+1)+1) < p < 1 and b > 0.""",
    query(*_FORMS),
    theorem("psa_remarks.budget_forms", "psa_privacy.psa_budget_printed"),
    mutant(
        "o <= 2 for o^2 <= b + 1",
        changed_query(
            *(_FORMS, "(b + 1)/o == o", "e^epsilon is (b+1)/o or o, and the two forms choose differently"),
            *("(<= (* o o) (+ b 1))", "(<= o 2)"),
        ),
    ),
    reading="(17) is ln(b+1) - ln o if 0 < p <= 0.5 and b > 0; max{ln o, ln(b+1) - ln o} if 0.5 < p < 1 and b > 0",
)

sizes_moved = cases("2 <= n <= 12, all realizable k_g, 0 <= Delta <= n", "n k D")(
    lambda: ((n, k, d) for n in range(2, 13) for k in realizable(n) for d in range(n + 1))
)

differences_of_sizes = lambda n, k, D: [a for a in range(-D, D + 1) if k - a == 0 or 2 <= k - a <= n]
differences_but = lambda n, k, D, left_out: [a for a in range(max(-D, k - n), min(D, k) + 1) if a != left_out]
listed_but = lambda n, k, D, left_out: (
    differences_of_sizes(n, k, D) == differences_but(n, k, D, left_out)
    and len(differences_of_sizes(n, k, D)) <= 2 * D + 1
)

state("psa.proof.differences-of-sizes", "article, Appendix E (after (14))", "dissertation, section B.3 (after (B.5))")(
    """Therefore, there are at most 2 Delta + 1 possible cases: delta in S = {delta in Z | -Delta <= delta <= Delta and
    (k_g - delta = 0 or 2 <= k_g - delta <= n)} = {delta in Z | max(-Delta, k_g - n) <= delta <= min(Delta, k_g) and
    delta != k_g - 1}.""",
    every(sizes_moved, lambda n, k, D: listed_but(n, k, D, k - 1)),
    mutant("delta != k_g - 1 left out", lambda n, k, D: listed_but(n, k, D, n + 1)),
)

# the lines of the proof for 0.5 < p < 1, for one stratum
mass_ratio_line = lambda n, D, o: max(
    o**a * derangements(k - a) / derangements(k)
    for k in realizable(n)
    for a in range(-D, D + 1)
    if k - a in realizable(n)
)
more_moved_line = lambda n, D, o: max(
    [o**D]
    + [
        o**a * derangements(k - a) / derangements(k)
        for k in realizable(n)
        for a in range(-D, 0)
        if k - a in realizable(n)
    ]
)
lemma_line = lambda n, D, o: max(
    [o**D] + [o**a * (k - a + 1) ** -a for k in realizable(n) for a in range(-D, 0) if k - a in realizable(n)]
)
size_line = lambda n, D, o: max([o**D] + [o**-a * (n + 1) ** a for a in range(1, D + 1)])
total_line = lambda b, D, o: max([o**D] + [o**-a * (b + 1) ** a for a in range(1, D + 1)])
lines = lambda o, strata, b, D, more: (
    all(
        mass_ratio_line(n, d, o) <= more_moved_line(n, d, o) <= lemma_line(n, d, o) <= size_line(n, d, o)
        for n, d in strata
    )
    and multiplied([size_line(n, d, o) for n, d in strata]) <= total_line(b, D, o)
    and (
        all(((b + 1) / o) ** a <= ((b + 1) / o) ** D for a in range(1, D + 1))
        if (b + 1) / o >= 1
        else all(((b + 1) / o) ** a < 1 < o**D for a in range(1, D + 1))
    )
    and multiplied([mass_ratio_line(n, d, o) for n, d in strata]) <= max(o, (b + more) / o) ** D
)

_ONE_STRATUM = [(n, d) for n in range(2, 7) for d in realizable(n)]
_in_strata = lambda odds: cases(
    f"one and two strata of 2 to 6 records, Delta_m = 0 or 2 to n_m; o = {odds}", "strata b D o"
)(
    lambda: (
        (strata, max(n for n, _ in strata), distance, o)
        for strata in (*zip(_ONE_STRATUM), *product(_ONE_STRATUM, repeat=2))
        for distance in [sum(d for _, d in strata)]
        if distance
        for o in map(Fraction, odds.split(", "))
    )
)
any_masses = lambda o, strata, b, more, D: (
    multiplied([mass_ratio_line(n, d, o) for n, d in strata]) <= ((b + more) / o) ** D
)

_AFTER_9 = ("article, section 3.3 (after (9))", "dissertation, section 3.2.3 (after (3.6))", INTUITION)

state("psa.proof.ratio-bound", *_AFTER_9)(
    """For such pairs of possible sigma and sigma', the ratio P(sigma)/P(sigma') can be bounded in terms of o^(k_sigma -
    k_sigma') and the ratio between the number of derangements of size k_sigma' and of size k_sigma. For o <= 1, this
    can in turn be bounded by (b+1)^k o^-k using the inequality in Equation 9.""",
    every(_in_strata("1, 1/2, 1/100"), any_masses, more=1),
    mutant("b - 1 for b + 1", {"more": -1}),
    reading="over several strata by a product of such ratios, one for each; Delta_m is 0 or at least 2",
)

state("psa.proof.above-half", "article, (16)", "dissertation, (B.7)")(
    """Thus, P_x(sigma = g)/P_x'(sigma = g') <= prod_m max{o^Delta_m, o^delta_m d(k_gm - delta_m)/d(k_gm) : delta_m in
    S_m and delta_m < 0} <= prod_m max{o^Delta_m, o^delta_m (k_gm - delta_m + 1)^-delta_m : delta_m in S_m and delta_m <
    0} <= prod_m max{o^Delta_m, o^-delta_m (n_m + 1)^delta_m : 0 < delta_m <= Delta_m} <= max{o^Delta, o^-delta
    (b+1)^delta : 0 < delta <= Delta}. If o^-1 (b+1) >= 1 then o^-delta (b+1)^delta is maximised at delta = Delta.
    Otherwise o^-delta (b+1)^delta < 1 < o^Delta. Hence (16) P_x(sigma = g)/P_x'(sigma = g') <= exp(Delta eps_D), for
    eps_D = max{ln o, ln(b+1) - ln o}.""",
    every(_in_strata("11/10, 2, 5/2, 6, 20"), lines, more=1),
    mutant("ln(b-1) for ln(b+1) in (16)", {"more": -1}),
    reading="0.5 < p < 1; each line holds for the largest values over all realizable k_gm and k_gm - delta_m",
)

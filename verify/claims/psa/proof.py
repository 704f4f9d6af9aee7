"""The steps of the proof of Theorem 1 (article, Appendix E)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import stirred.verify.claims.psa.swap_rate  # noqa: F401 its words are used here
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_counts import derangements, move_weights
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec.laws.law import Law
from stirred.verify.claims.psa.cases import CATEGORIES
from stirred.verify.claims.psa.swap_rate import multiplied
from stirred.verify.ledger import Cases, cases, every, incomplete, query, some, state, theorem
from stirred.verify.ledger.words import multiplicative, permuted

Record = tuple[int, int, int]
DataSet = tuple[Record, ...]
Order = tuple[int, ...]
"""A permutation as the tuple of its images."""


@cache
def _law(x: DataSet) -> Law[Any]:
    return exact_law(permutation_swapping, x, swap_rate=Fraction(1, 3))


def _first_alike(scope: str, *, in_order: bool) -> Cases:
    """Each data set with the first one that has the same records, or the same invariants; their laws."""

    def listed() -> Iterator[tuple[Any, ...]]:
        known: dict[object, DataSet] = {}
        for x in (x for n in (1, 2, 3) for x in product(product((0, 1), (0, 1), (0, 1)), repeat=n)):
            invariants = tuple(sorted((m, h) for m, h, _ in x)), tuple(sorted((m, s) for m, _, s in x))
            first = known.setdefault(tuple(sorted(x)) if in_order else invariants, x)
            yield first, x, {first: _law(first), x: _law(x)}

    every_one = "all data sets of up to 3 records with two values of m, h and s, every order, p = 1/3"
    return cases(f"{every_one}, with the first of the same {scope}", "x y laws")(listed)


def one_law_of_proof(laws, x, y):
    return multiplicative(laws[x], laws[y]) == 1


state(
    "psa.reordering",
    *("article, Lemma 4", "dissertation, Lemma B.3.3"),
    printed="If x and x' differ only by reordering of rows (i.e., d_HamS^r(x, x') = 0), then "
    "D_Mult[P_x(C(Z) in .), P_x'(C(Z) in .)] = 0.",
    checks=[
        every(_first_alike("records", in_order=True), one_law_of_proof),
        theorem("psa_privacy.psa_eq_table", within=CATEGORIES),
    ],
    mutants={"in one universe, for reordered": every(_first_alike("universe", in_order=False), one_law_of_proof)},
)


two_permutations = cases("up to 4 records with different values, all g and rho", "x rho g")(
    lambda: ((tuple(range(1, n + 1)), *pair) for n in range(1, 5) for pair in product(permutations(range(n)), repeat=2))
)


def after(g, rho):
    return [rho[i] for i in g]


@cases("up to 4 records in up to three strata, a permutation of each stratum, in every order of the strata", "each g")
def strata_permuted() -> Iterator[tuple[Any, ...]]:
    for strata in (strata for size in range(1, 5) for strata in product(range(3), repeat=size)):
        n = len(strata)
        rows = {m: [i for i in range(n) if strata[i] == m] for m in range(3)}
        for images in product(*(permutations(rows[m]) for m in range(3))):
            moved = [dict(zip(rows[m], images[m], strict=True)) for m in range(3)]
            each = [[one.get(i, i) for i in range(n)] for one in moved]
            for order in permutations(range(3)):
                yield [each[m] for m in order], [each[strata[i]][i] for i in range(n)]


state(
    "psa.proof.strata",
    *("article, Appendix E", "dissertation, section B.3"),
    printed="Let sigma be the permutation defined by sigma(i) = sigma_{M_i}(i). Since sigma_m fixes i whenever M_i "
    "!= m, it is the case that sigma = sigma_M o ... o sigma_1.",
    reading="each sigma_m moves records of its stratum among themselves, whence the order of the strata is all one",
    checks=[every(strata_permuted, lambda each, g: after(after(each[0], each[1]), each[2]) == g)],
    mutants={
        "the last stratum left out": every(strata_permuted, lambda each, g: after(each[0], each[1]) == g),
    },
)


def of_data_sets(x, rho, g):
    """g(rho(x')), the data sets that g and rho make, is made by one permutation: i |-> rho(g(i))."""
    return permuted(permuted(x, rho), g) == permuted(x, after(g, rho))


def of_positions(x, rho, g):
    return permuted(permuted(x, rho), g) == permuted(x, after(rho, g))


state(
    "psa.proof.bijection.printed",
    *("article, Appendix E", "dissertation, section B.3"),
    "slides, Intuition of the proof that Permutation Swapping is DP",
    printed="There is a bijection between G_x->z and G_x'->z given by g |-> g o rho.",
    reading="g o rho is rho followed by g as maps of data sets, as g(x) is written: g(rho(x')) = g(x) = z; section 3.3 "
    "says so of sigma' = sigma o rho. It is injective, and both sets are equally large",
    checks=[every(two_permutations, of_data_sets), theorem("psa_remarks.bijection", within=CATEGORIES)],
    mutants={"as maps of positions, i |-> g(rho(i))": every(two_permutations, of_positions)},
)

state(
    "psa.proof.bijection",
    "article, Appendix E",
    claim="As maps of positions the bijection between G_x->z and G_x'->z is g |-> rho o g, i |-> rho(g(i)); "
    "i |-> g(rho(i)) is none.",
    checks=[
        every(two_permutations, of_data_sets),
        some(two_permutations, lambda x, rho, g: not of_positions(x, rho, g)),
        theorem("psa_remarks.bijection", "psa_remarks.bijection_refuted", within=CATEGORIES),
    ],
    mutants={"g o rho as printed": every(two_permutations, of_positions)},
)


def _small_strata(rate: Fraction) -> Cases:
    """With the law of the permutation."""

    def listed() -> Iterator[tuple[Any, ...]]:
        for n in range(2, 5):
            orders, weights = list(permutations(range(n))), move_weights(n, rate)
            law = {g: weights[sum(i != j for i, j in enumerate(g))] for g in orders}
            yield from ((y, rho, law) for y, rho in product(product(range(3), repeat=n), orders))

    return cases("up to 4 records of one stratum, three swapping values, all x' and rho", "y rho law")(listed)


def reached_from(y, law):
    return {permuted(y, g) for g in law if law[g] > 0}


def common(y, rho, law):
    return reached_from(permuted(y, rho), law) == reached_from(y, law)


state(
    "psa.proof.common-support",
    *("article, Appendix E (before (12))", "dissertation, section B.3"),
    printed="… either P_x(sigma(x) = z) and P_x'(sigma(x') = z) are both zero, or they are both nonzero.",
    reading="for 0 < p < 1 and rho(x') = x; what is possible at one such p is possible at every other",
    checks=[every(_small_strata(Fraction(1, 3)), common)],
    mutants={"p = 0": every(_small_strata(Fraction(0)), common)},
)

_RECORDS = 30


def _realizable(n: int) -> list[int]:
    return [k for k in range(n + 1) if k != 1]


def _distances(excluded: str = "") -> Cases:
    chosen = [(n, d) for n in range(2, _RECORDS + 1) for d in _realizable(n) if not excluded or d != n - 1]
    return cases(f"2 <= n <= {_RECORDS}, 0 <= Delta <= n, Delta != 1{excluded}", "n D")(lambda: chosen)


def realizable(n):
    return [k for k in range(n + 1) if k != 1]


def maximum(n, D, slack):
    """O^delta is largest at delta = -Delta for 0 < p <= 1/2."""
    return n - D in realizable(n) and all(
        derangements(j) * derangements(n - D) <= derangements(n - slack) * derangements(k)
        for k in realizable(n)
        for j in realizable(n)
        if abs(k - j) <= D
    )


state(
    "psa.proof.maximum.printed",
    *("article, Appendix E (before (15))", "dissertation, section B.3"),
    printed="Since d(k) is nondecreasing (except at k = 1, which is not realizable by g or g') and (1-p)/p >= 1, the "
    "right hand side of (14) is maximized when k_g'm = n_m and k_gm = n_m - Delta_m (i.e., delta = -Delta_m) …",
    reading="for 0 < p <= 0.5, over all realizable k_g and k_g' with |k_g - k_g'| <= Delta_m",
    grade=incomplete("Delta_m != n_m - 1, as in Lemma 6; a step that fails at an edge where the conclusion holds"),
    checks=[every(_distances(), maximum, slack=0)],
    refuted_by=["psa_remarks.mass_ratio_maximum_refuted"],
)

state(
    "psa.proof.maximum",
    "article, Appendix E (before (15))",
    claim="For 0 < p <= 0.5 and Delta_m != n_m - 1, the right hand side of (14) is at most "
    "o^-Delta_m d(n_m)/d(n_m - Delta_m) over all realizable k_g and k_g' with |k_g - k_g'| <= Delta_m.",
    repairs="psa.proof.maximum.printed",
    checks=[every(_distances(", Delta != n - 1"), maximum, slack=0), theorem("psa_remarks.mass_ratio_maximum")],
    mutants={"d(n - 1) for d(n)": every(_distances(", Delta != n - 1"), maximum, slack=1)},
)


full_changes = cases(
    f"2 <= Delta <= k <= {_RECORDS}, k - Delta != 1: all realizable k_g and k_g', all p in (1/2, 1) at once", "k D"
)(lambda: ((k, d) for k in range(2, _RECORDS + 1) for d in range(2, k + 1) if k - d != 1))


def ratio_of_proof(k, D):
    return derangements(k - D) / derangements(k)


state(
    "psa.proof.maximum-above.printed",
    *("article, Appendix E (before (16))", "dissertation, section B.3"),
    printed="Now suppose 0.5 < p < 1. In the case of delta_m = Delta_m, the ratio (14) is maximized at o^Delta_m when "
    "k_gm = Delta_m = 2.",
    reading="(14) is at most o^Delta_m for Delta_m >= 2 and realizable k_gm, and is it at k_gm = Delta_m = 2 alone",
    checks=[
        every(
            full_changes, lambda k, D: ratio_of_proof(k, D) <= 1 and (ratio_of_proof(k, D) == 1) == (k == D and D == 2)
        )
    ],
    mutants={
        "the maximum is o^Delta_m for every Delta_m": every(
            full_changes, lambda k, D: k != D or ratio_of_proof(k, D) == 1
        ),
        "k_gm = Delta_m = 3 too": every(
            full_changes, lambda k, D: (ratio_of_proof(k, D) == 1) == (k == D and D in (2, 3))
        ),
    },
)


changes = cases(f"0 <= delta <= Delta <= {_RECORDS}, all realizable k_g and k_g'; o = p/(1-p)", "k a D")(
    lambda: ((k, k - j, d) for k in _realizable(30) for j in _realizable(k) for d in range(k - j, _RECORDS + 1))
)


def dominated_of_proof(k, a, o, D):
    """At these odds, and then at all odds above them."""
    return derangements(k - a) <= derangements(k) and o**a * derangements(k - a) / derangements(k) <= o**D


state(
    "psa.proof.dominated",
    *("article, Appendix E (before (16))", "dissertation, section B.3"),
    printed="Moreover, o^Delta_m also dominates o^delta_m d(k_gm - delta_m)/d(k_gm) for all 0 <= delta_m <= Delta_m "
    "and all possible k_gm.",
    reading="for 0.5 < p < 1: it does for all o > 1, since it does at o = 1 and o^Delta_m grows as fast or faster",
    checks=[every(changes, dominated_of_proof, o=Fraction(1))],
    mutants={"0 < p < 1 for 0.5 < p < 1": every(changes, dominated_of_proof, o=Fraction(1, 3))},
)

_FORMS = ("psa.proof.budget-forms", "all real b >= 2 and all p in (0, 1); b = 1 cannot occur")
state(
    "psa.proof.budget-forms",
    *("article, (17)", "dissertation, (B.8)"),
    printed="… (17) simplifies to eps_D = ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0; ln o if "
    "sqrt(b+1)/(sqrt(b+1)+1) < p < 1 and b > 0.",
    reading="(17) is ln(b+1) - ln o if 0 < p <= 0.5 and b > 0; max{ln o, ln(b+1) - ln o} if 0.5 < p < 1 and b > 0",
    checks=[query(*_FORMS), theorem("psa_remarks.budget_forms", "psa_privacy.psa_budget_printed")],
    mutants={
        "o <= 2 for o^2 <= b + 1": query(
            *_FORMS,
            claimed="(b + 1)/o == o",
            note="e^epsilon is (b+1)/o or o, and the two forms choose differently",
            changes=[("(<= (* o o) (+ b 1))", "(<= o 2)")],
        )
    },
)


sizes_moved = cases("2 <= n <= 12, all realizable k_g, 0 <= Delta <= n", "n k D")(
    lambda: ((n, k, d) for n in range(2, 13) for k in _realizable(n) for d in range(n + 1))
)


def differences_of_sizes(n, k, D):
    return [a for a in range(-D, D + 1) if k - a == 0 or 2 <= k - a <= n]


def differences_but(n, k, D, left_out):
    return [a for a in range(max(-D, k - n), min(D, k) + 1) if a != left_out]


def listed_but(n, k, D, left_out):
    return (
        differences_of_sizes(n, k, D) == differences_but(n, k, D, left_out)
        and len(differences_of_sizes(n, k, D)) <= 2 * D + 1
    )


state(
    "psa.proof.differences-of-sizes",
    *("article, Appendix E (after (14))", "dissertation, section B.3 (after (B.5))"),
    printed="Therefore, there are at most 2 Delta + 1 possible cases: delta in S = {delta in Z | -Delta <= delta <= "
    "Delta and (k_g - delta = 0 or 2 <= k_g - delta <= n)} = {delta in Z | max(-Delta, k_g - n) <= delta <= min(Delta, "
    "k_g) and delta != k_g - 1}.",
    checks=[every(sizes_moved, lambda n, k, D: listed_but(n, k, D, k - 1))],
    mutants={"delta != k_g - 1 left out": every(sizes_moved, lambda n, k, D: listed_but(n, k, D, n + 1))},
)

# the lines of the proof for 0.5 < p < 1, for one stratum


def mass_ratio_line(n, D, o):
    return max(
        o**a * derangements(k - a) / derangements(k)
        for k in realizable(n)
        for a in range(-D, D + 1)
        if k - a in realizable(n)
    )


def more_moved_line(n, D, o):
    return max(
        [o**D]
        + [
            o**a * derangements(k - a) / derangements(k)
            for k in realizable(n)
            for a in range(-D, 0)
            if k - a in realizable(n)
        ]
    )


def lemma_line(n, D, o):
    return max(
        [o**D] + [o**a * (k - a + 1) ** -a for k in realizable(n) for a in range(-D, 0) if k - a in realizable(n)]
    )


def size_line(n, D, o):
    return max([o**D] + [o**-a * (n + 1) ** a for a in range(1, D + 1)])


def total_line(b, D, o):
    return max([o**D] + [o**-a * (b + 1) ** a for a in range(1, D + 1)])


def lines(o, strata, b, D, more):
    return (
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


def _in_strata(odds: str) -> Cases:
    def listed() -> Iterator[tuple[Any, ...]]:
        one = [(n, d) for n in range(2, 7) for d in range(n + 1) if d != 1]
        for strata in [(s,) for s in one] + list(product(one, one)):
            distance = sum(d for _, d in strata)
            if distance:
                for o in map(Fraction, odds.split(", ")):
                    yield strata, max(n for n, _ in strata), distance, o

    return cases(f"one and two strata of 2 to 6 records, Delta_m = 0 or 2 to n_m; o = {odds}", "strata b D o")(listed)


def any_masses(o, strata, b, more, D):
    return multiplied([mass_ratio_line(n, d, o) for n, d in strata]) <= ((b + more) / o) ** D


up_to_half, above_half = _in_strata("1, 1/2, 1/100"), _in_strata("11/10, 2, 5/2, 6, 20")
state(
    "psa.proof.ratio-bound",
    *("article, section 3.3 (after (9))", "dissertation, section 3.2.3 (after (3.6))"),
    "slides, Intuition of the proof that Permutation Swapping is DP",
    printed="For such pairs of possible sigma and sigma', the ratio P(sigma)/P(sigma') can be bounded in terms of "
    "o^(k_sigma - k_sigma') and the ratio between the number of derangements of size k_sigma' and of size k_sigma. For "
    "o <= 1, this can in turn be bounded by (b+1)^k o^-k using the inequality in Equation 9.",
    reading="over several strata by a product of such ratios, one for each; Delta_m is 0 or at least 2",
    checks=[every(up_to_half, any_masses, more=1)],
    mutants={"b - 1 for b + 1": every(up_to_half, any_masses, more=-1)},
)


state(
    "psa.proof.above-half",
    *("article, (16)", "dissertation, (B.7)"),
    printed="Thus, P_x(sigma = g)/P_x'(sigma = g') <= prod_m max{o^Delta_m, o^delta_m d(k_gm - delta_m)/d(k_gm) : "
    "delta_m in S_m and delta_m < 0} <= prod_m max{o^Delta_m, o^delta_m (k_gm - delta_m + 1)^-delta_m : delta_m in S_m "
    "and delta_m < 0} <= prod_m max{o^Delta_m, o^-delta_m (n_m + 1)^delta_m : 0 < delta_m <= Delta_m} <= max{o^Delta, "
    "o^-delta (b+1)^delta : 0 < delta <= Delta}. If o^-1 (b+1) >= 1 then o^-delta (b+1)^delta is maximised at delta = "
    "Delta. Otherwise o^-delta (b+1)^delta < 1 < o^Delta. Hence (16) P_x(sigma = g)/P_x'(sigma = g') <= exp(Delta "
    "eps_D), for eps_D = max{ln o, ln(b+1) - ln o}.",
    reading="0.5 < p < 1; each line holds for the largest values over all realizable k_gm and k_gm - delta_m",
    checks=[every(above_half, lines, more=1)],
    mutants={"ln(b-1) for ln(b+1) in (16)": every(above_half, lines, more=-1)},
)


@cases(
    "two and three records with three swapping values, and four with 0120, 0011 or 0111, of one stratum and with "
    "holding values of their own; every x' and rho that moves Delta records; p = 1/3, 3/4",
    "y rho law b D o",
)
def ordered() -> Iterator[tuple[Any, ...]]:
    chosen = [y for n in (2, 3) for y in product(range(3), repeat=n)] + [(0, 1, 2, 0), (0, 0, 1, 1), (0, 1, 1, 1)]
    for y, rate in product(chosen, (Fraction(1, 3), Fraction(3, 4))):
        orders, weights = list(permutations(range(len(y)))), move_weights(len(y), rate)
        law = {g: weights[sum(i != j for i, j in enumerate(g))] for g in orders}
        for rho in orders:
            if all(y[i] != y[j] for i, j in enumerate(rho) if i != j):
                yield y, rho, law, len(y), sum(i != j for i, j in enumerate(rho)), rate / (1 - rate)


def chance_of_order(law, y, z):
    return sum(law[g] for g in law if permuted(y, g) == z)


def order_bound(law, y, rho, o, sized, b, D):
    return all(
        chance_of_order(law, permuted(y, rho), z) <= max(o, (sized * b + 1) / o) ** D * chance_of_order(law, y, z)
        for z in {permuted(y, g) for g in law}
    )


state(
    "psa.proof.ordered",
    *("article, (11)", "article, (12)", "dissertation, (B.2)", "dissertation, (B.3)"),
    printed="Since P_x[C(sigma(x)) = C(z)] = sum over z' of P_x[sigma(x) = z'], where the sum is over data sets z' "
    "with d_HamS(z, z') = 0, it suffices to show (11) P_x[sigma(x) = z] <= exp(Delta eps_D) P_x'[sigma(x') = z], for "
    "all possible swapped data sets z. … Thus, to prove Equation 11 it suffices to show (12) P_x(sigma_m(x_m) = "
    "z_m)/P_x'(sigma_m(x_m') = z_m) <= exp(Delta_m eps_D), for all m where Delta_m = d_HamS(x_m, x_m').",
    reading="the records in the order that Lemma 5 gives them, rho(x') = x; (12) holds, and so does (11) by "
    "independence of the strata (psa.swap-probability.constant)",
    checks=[every(ordered, order_bound, sized=1)],
    mutants={"1 for b + 1": every(ordered, order_bound, sized=0)},
)

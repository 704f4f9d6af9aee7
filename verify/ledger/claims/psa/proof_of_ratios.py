"""The ratios of the proof of Theorem 1: how they depend on the numbers of moved records (article, Appendix E)."""

from fractions import Fraction
from itertools import product

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.verify.ledger import cases, every, incomplete, mutant, own, query, state, theorem
from stirred.verify.ledger.claims.psa.cases import INTUITION, changed_query
from stirred.verify.ledger.claims.psa.swap_rate import multiplied

_RECORDS = 30
realizable = lambda n: [k for k in range(n + 1) if k != 1]
_distances = lambda excluded: cases(
    f"2 <= n <= {_RECORDS}, 0 <= Delta <= n, Delta != 1{excluded}",
    "n D",
    lambda: ((n, d) for n in range(2, _RECORDS + 1) for d in realizable(n) if not excluded or d != n - 1),
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
    f"2 <= Delta <= k <= {_RECORDS}, k - Delta != 1: all realizable k_g and k_g', all p in (1/2, 1) at once",
    "k D",
    lambda: ((k, d) for k in range(2, _RECORDS + 1) for d in range(2, k + 1) if k - d != 1),
)
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

changes = cases(
    f"0 <= delta <= Delta <= {_RECORDS}, all realizable k_g and k_g'; o = p/(1-p)",
    "k a D",
    lambda: ((k, k - j, d) for k in realizable(30) for j in realizable(k) for d in range(k - j, _RECORDS + 1)),
)

# At these odds, and then at all odds above them.
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

sizes_moved = cases(
    "2 <= n <= 12, all realizable k_g, 0 <= Delta <= n",
    "n k D",
    lambda: ((n, k, d) for n in range(2, 13) for k in realizable(n) for d in range(n + 1)),
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
    f"one and two strata of 2 to 6 records, Delta_m = 0 or 2 to n_m; o = {odds}",
    "strata b D o",
    lambda: (
        (strata, max(n for n, _ in strata), distance, o)
        for strata in (*zip(_ONE_STRATUM), *product(_ONE_STRATUM, repeat=2))
        for distance in [sum(d for _, d in strata)]
        if distance
        for o in map(Fraction, odds.split(", "))
    ),
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

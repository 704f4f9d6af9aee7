"""Claims of article, Appendix E: the proof of Theorem 1."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "hamming.half-l1",
        "article, Lemma 2",
        "l_1(x, x') = 2 d_HamS(x, x') if |x| = |x'|, where l_1 is the sum over m, h, s of |n_mhs^x - n_mhs^x'|.",
    ),
    Claim(
        "multiplicative.metric.random-variables",
        "article, Lemma 3",
        "D_Mult is a metric on the space of a.e. equal random variables (over the same probability space); in "
        "particular D_Mult(X, Y) = 0 if and only if X = Y a.e.",
    ),
    Claim(
        "multiplicative.metric.laws",
        "stirred, repairing article, Lemma 3",
        "D_Mult is an extended metric on the laws on a finite set: D_Mult(P, Q) = 0 iff P = Q, it is symmetric, "
        "and D_Mult(P, R) <= D_Mult(P, Q) + D_Mult(Q, R), where the values may be infinite.",
        repairs="multiplicative.metric.random-variables",
    ),
    Claim(
        "psa.reordering",
        "article, Lemma 4",
        "If x and x' differ only by reordering of rows (d_HamS(x, x') = 0), then "
        "D_Mult[P_x(C(Z) in .), P_x'(C(Z) in .)] = 0.",
    ),
    Claim(
        "swapping.permutation-exists",
        "article, Lemma 5",
        "For x, x' in one universe of the swapping multiverse with d_HamS(x, x') = Delta, there exists a permutation "
        "rho that fixes exactly n - Delta records such that C(rho(x)) = C(x').",
    ),
    Claim(
        "psa.proof.bijection.printed",
        "article, Appendix E (and section 3.3: sigma' = sigma o rho)",
        "With g(x) the data set [(M_i, H_i, S_g(i))], G_x->z the permutations g with g(x) = z, and rho(x') = x, there "
        "is a bijection between G_x->z and G_x'->z given by g |-> g o rho. (Encoded as maps of positions, i |-> "
        "g(rho(i)); as maps of data sets, g(rho(x')) = g(x) = z is right.)",
    ),
    Claim(
        "psa.proof.bijection",
        "stirred, repairing article, Appendix E",
        "With g(x) the data set [(M_i, H_i, S_g(i))] and rho(x') = x, there is a bijection between G_x->z and G_x'->z "
        "given by g |-> rho o g as maps of positions, i |-> rho(g(i)).",
        repairs="psa.proof.bijection.printed",
    ),
    Claim(
        "derangements.definition",
        "article, (13)",
        "d(k) = k! * sum_{j=0}^{k} (-1)^j / j! is the number of derangements of size k, for k >= 0.",
    ),
    Claim(
        "derangements.recurrence.printed",
        "article, (13)",
        "d(k) = k d(k-1) + (-1)^k for k >= 0.",
    ),
    Claim(
        "derangements.recurrence",
        "stirred, repairing article, (13)",
        "d(k) = k d(k-1) + (-1)^k for k >= 1.",
        repairs="derangements.recurrence.printed",
    ),
    Claim(
        "psa.permutation-law",
        "article, Appendix E (the display before (14))",
        "For 0 < p < 1, P_x(sigma = g) = p^k_g (1-p)^(n-k_g) / ([1 - P_x(exactly 1 record selected)] d(k_g)), where g "
        "deranges k_g of the n records of the matching category. (Encoded for n >= 2.)",
    ),
    Claim(
        "psa.permutation-ratio",
        "article, (14)",
        "P_x(sigma = g) / P_x'(sigma = g') = o^delta d(k_g - delta) / d(k_g), where o = p/(1-p) and "
        "delta = k_g - k_g'.",
    ),
    Claim(
        "psa.proof.maximum.printed",
        "article, Appendix E (before (15))",
        "For 0 < p <= 0.5 and g, g' realizable, the right hand side of (14) is maximized when k_g' = n_m and "
        "k_g = n_m - Delta_m, where it is o^-Delta_m d(n_m)/d(n_m - Delta_m).",
    ),
    Claim(
        "psa.proof.maximum",
        "stirred, repairing article, Appendix E (before (15))",
        "For 0 < p <= 0.5 and Delta_m != n_m - 1, the right hand side of (14) is at most "
        "o^-Delta_m d(n_m)/d(n_m - Delta_m) over all realizable k_g and k_g' with |k_g - k_g'| <= Delta_m.",
        repairs="psa.proof.maximum.printed",
    ),
    Claim(
        "psa.proof.budget-forms",
        "article, (17)",
        "ln(b+1) - ln o if 0 < p <= 0.5 and b > 0, max{ln o, ln(b+1) - ln o} if 0.5 < p < 1 and b > 0, simplifies to "
        "ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1), ln o above.",
    ),
    Claim(
        "derangements.ratio-bound",
        "article, Lemma 6",
        "For any k in N and any a in N satisfying 0 <= a <= k and a != k-1, d(k)/d(k-a) <= (k+1)^a, where d(k) is the "
        "number of derangements of k elements.",
    ),
    Claim(
        "derangements.nondecreasing",
        "article, Appendix E (before (15))",
        "d(k) is nondecreasing (except at k = 1).",
    ),
    Claim(
        "swapping.no-distance-one",
        "article, Appendix E (proof of Lemma 5)",
        "d_HamS(x, x') = 1 implies that x and x' are not in the same universe of the swapping multiverse.",
    ),
    Claim(
        "psa.proof.common-support",
        "article, Appendix E (before (12))",
        "For 0 < p < 1 and rho(x') = x, either P_x(sigma(x) = z) and P_x'(sigma(x') = z) are both zero, or they are "
        "both nonzero.",
    ),
    Claim(
        "psa.proof.maximum-above.printed",
        "article, Appendix E (before (16))",
        "For 0.5 < p < 1, in the case of delta_m = Delta_m the ratio (14) is maximized at o^Delta_m when "
        "k_gm = Delta_m = 2. (Encoded for every Delta_m from 2: the maximum over the realizable k_g is o^Delta_m.)",
    ),
    Claim(
        "psa.proof.maximum-above",
        "stirred, repairing article, Appendix E (before (16))",
        "For 0.5 < p < 1 and delta_m = Delta_m >= 2 the ratio (14) is at most o^Delta_m over the realizable k_g, and "
        "is o^Delta_m iff k_gm = Delta_m = 2.",
        repairs="psa.proof.maximum-above.printed",
    ),
    Claim(
        "psa.proof.dominated",
        "article, Appendix E (before (16))",
        "For 0.5 < p < 1, o^Delta_m also dominates o^delta_m d(k_gm - delta_m)/d(k_gm) for all "
        "0 <= delta_m <= Delta_m and all possible k_gm.",
    ),
)

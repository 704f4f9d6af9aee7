"""Claims of article, Appendix F: in which sense the budget of Theorem 1 cannot be improved."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "psa.optimality.lower-bounds",
        "article, Theorem 3",
        "Assume |H|, |S| >= 2 and that the PSA satisfies eps_D-DP(X_x, D_cSwap, d_HamS, D_Mult). Then (A) if p is 0 or "
        "1 there exists a universe with eps = infinity; (B) if 0 < p < 1 there exists a universe with eps >= ln o; "
        "(C) if 0 < p < 1 there exists a universe with eps >= 0.5 ln[d(b)/d(b-2)] - ln o.",
    ),
    Claim(
        "psa.optimality.infimum",
        "article, Theorem 4",
        "Assume |H|, |S| >= 4. The pointwise infimum eps^(inf) over all budgets that the PSA satisfies is the smallest "
        "budget under which it satisfies the flavor (X_x, D_cSwap, d_HamS, D_Mult).",
    ),
    Claim(
        "psa.optimality.theorem",
        "article, Theorem 4",
        "Assume |H|, |S| >= 4. With eps^(1) the budget of Theorem 1, there exists a universe such that "
        "eps^(1) - eps^(inf) <= f(b) if 0 < p < sqrt(b+1)/(sqrt(b+1)+1) and b > 0, and <= 0 otherwise.",
    ),
    Claim(
        "psa.optimality.every-size",
        "stirred, sharpening article, Theorem 4",
        "With |H|, |S| >= 4 for even b and >= 5 for odd b, for every b from 4 to 24 and "
        "0 < p < sqrt(b+1)/(sqrt(b+1)+1) there exists a universe whose largest stratum has b records such that "
        "eps^(1) - eps^(inf) <= f(b): the existence is not owed to universes with b = 0.",
    ),
    Claim(
        "optimality.bound-function",
        "article, Theorem 4",
        "f(b) = (1/2) ln[ (b+1)^2/(b(b-1)) * (1 + e/(2(b-2)!))/(1 - e/(2 b!)) ] is a positive, monotonically "
        "decreasing function for b >= 2.",
    ),
    Claim("optimality.bound-function-limit", "article, Theorem 4", "f(b) converges to zero as b grows."),
    Claim("optimality.bound-value.printed", "article, Theorem 4", "f(b) <= 0.148 for all b >= 10."),
    Claim(
        "optimality.bound-value",
        "stirred, repairing article, Theorem 4",
        "f(b) <= 0.149 for all b >= 10, and f(b) <= 0.148 for all b >= 11.",
        repairs="optimality.bound-value.printed",
    ),
    Claim(
        "derangements.nearest-integer.printed",
        "article, Appendix F (proof of Theorem 4)",
        "d(k) = floor(k!/e + 1/2); it is used at k = b and k = b - 2 for every b > 0, b = 2 included.",
    ),
    Claim(
        "derangements.nearest-integer",
        "stirred, repairing article, Appendix F",
        "d(k) = floor(k!/e + 1/2) for every k >= 1.",
        repairs="derangements.nearest-integer.printed",
    ),
    Claim(
        "psa.optimality.weak-form",
        "article, Appendix F (after Theorem 4)",
        "For all delta > 0 there exist some D_0 and some x, x' in D_0 such that "
        "eps^(1)_D_0 - D_Mult(P_x, P_x') < delta.",
    ),
    Claim(
        "psa.optimality.not-tight",
        "article, Appendix F (after Theorem 4)",
        "eps^(1) is suboptimal in part because it is a function of p and b only: a tighter budget could depend on "
        "other properties of the universe.",
    ),
    Claim(
        "psa.no-swapping",
        "article, Proposition 6",
        "Suppose p = 0 and |H|, |S| >= 2. Then there exists a universe D_0 with C(x) != C(x') for some x, x' in D_0, "
        "and the PSA satisfies the flavor for no finite eps_D_0 and any such D_0.",
    ),
    Claim(
        "psa.full-swapping",
        "article, Proposition 7",
        "Suppose p = 1 and |H|, |S| >= 2. Then there exists a universe D_0 with n_m0h0 = n_m0h0' = n_m0s0 = n_m0s0' = "
        "1 for some m0, h0 != h0' and s0 != s0', and the PSA satisfies the flavor for no finite eps_D_0 and any such "
        "D_0.",
    ),
    Claim(
        "psa.full-swapping.proof-step",
        "article, Appendix F (proof of Proposition 7)",
        "For p = 1, any D_0 as in Proposition 7, and x, x' in D_0 that differ by the swap of (m0, h0, s0) and "
        "(m0, h0', s0'): P_x(C(sigma(x)) = C(x)) = 0 but P_x'(C(sigma(x')) = C(x)) > 0.",
    ),
    Claim(
        "psa.full-swapping.some-input",
        "stirred, repairing article, Appendix F (proof of Proposition 7)",
        "For p = 1, any D_0 as in Proposition 7, and x in D_0 with the records (m0, h0, s0) and (m0, h0', s0'): "
        "P_x(C(sigma(x)) = C(x)) = 0 but P_x'(C(sigma(x')) = C(x)) > 0 for some x' in D_0.",
        repairs="psa.full-swapping.proof-step",
    ),
    Claim(
        "psa.unit-margins",
        "article, Proposition 8",
        "Suppose 0 < p < 1 and |H|, |S| >= 2. Then there exists a universe D_0 and m0 with n_m0 >= 2 and n_m0h, n_m0s "
        "in {0, 1} for all h and s; a necessary condition for the PSA to satisfy the flavor is eps_D_0 >= ln o for any "
        "such D_0.",
    ),
    Claim(
        "psa.unit-pair.printed",
        "article, Proposition 9",
        "Suppose 0 < p < 1 and |H|, |S| >= 4. A necessary condition for the PSA to satisfy the flavor is "
        "eps_D_0 >= 0.5 ln[d(b)/d(b-2)] - ln o for any D_0 with (18) max_h n_m0h <= b/2 - 1 and max_s n_m0s <= b/2 - 1 "
        "for some m0 with n_m0 = b, and (19) n_m0h1 = n_m0h2 = n_m0s1 = n_m0s2 = 1 for some h1 != h2 and s1 != s2.",
    ),
    Claim(
        "psa.unit-pair.exists",
        "article, Proposition 9",
        "With |H|, |S| >= 4 there exists a universe with the properties (18) and (19).",
    ),
    Claim(
        "psa.unit-pair",
        "stirred, repairing article, Proposition 9",
        "eps_D_0 >= 0.5 ln[d(n_m0)/d(n_m0 - 2)] - ln o for 0 < p < 1 and any D_0 with (19) such that the margins of "
        "stratum m0 without h1, h2, s1 and s2 have two tables with no occupied cell in common.",
        repairs="psa.unit-pair.printed",
    ),
    Claim(
        "swapping.moved-records",
        "article, Lemma 7",
        "For any x and any permutation g, d_HamS(x, g(x)) <= k_g, the number of records that are deranged by g.",
    ),
    Claim(
        "swapping.disjoint-tables.printed",
        "article, Lemma 8",
        "Suppose that D_0 satisfies (18), max_h n_m0h <= b/2 - 1 and max_s n_m0s <= b/2 - 1 for some m0 with n_m0 = b. "
        "Then there exist x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) = b.",
    ),
    Claim(
        "swapping.disjoint-tables",
        "stirred, repairing article, Lemma 8",
        "Suppose that D_0 satisfies (18) and b <= 11. Then there exist x in D_0 and a derangement g of x_m0 such that "
        "d_HamS(x_m0, g(x_m0)) = b.",
        repairs="swapping.disjoint-tables.printed",
    ),
    Claim(
        "swapping.disjoint-tables.only-if.printed",
        "article, Lemma 8",
        "Such an x and g exist only if D_0 satisfies (18), max_h n_m0h <= b/2 - 1 and max_s n_m0s <= b/2 - 1 for some "
        "m0 with n_m0 = b.",
    ),
    Claim(
        "swapping.disjoint-tables.only-if",
        "stirred, repairing article, Lemma 8",
        "x in D_0 and a derangement g of x_m0 such that d_HamS(x_m0, g(x_m0)) = n_m0 exist only if "
        "max_h n_m0h <= n_m0/2 and max_s n_m0s <= n_m0/2.",
        repairs="swapping.disjoint-tables.only-if.printed",
    ),
    Claim(
        "psa.two-records",
        "article, Proposition 10",
        "Suppose 0 < p <= 0.5 and |H|, |S| >= 2. Then there exists D_0 with b = 2 and "
        "n_m0h1 = n_m0h2 = n_m0s1 = n_m0s2 = 1 for some m0 with n_m0 = b; a necessary condition for the PSA to satisfy "
        "the flavor is eps_D_0 >= 0.5 ln[d(b)/d(b-2)] - ln o for any such D_0.",
    ),
    Claim(
        "psa.optimality.arbitrarily-close",
        "article, Appendix F (after Theorem 3)",
        "eps^(1) is optimal in the weak sense that there exist universes D_0 for which eps^(1) is arbitrarily close to "
        "the best possible budget eps^(inf).",
    ),
)

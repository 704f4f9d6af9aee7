"""Article, Appendix G, Remarks 2 and 4; dissertation, 2.4.5 to 2.5: D_NoR, D_alpha and D_Mult^delta."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "zcdp.metric",
        "article, Appendix G; dissertation, section 2.4.5",
        "We reparameterize rho so that D_NoR(P, Q) = sup over alpha > 1 of max{sqrt D_alpha(P||Q), sqrt D_alpha(Q||P)} "
        "/ sqrt alpha is a metric (with values in [0, oo]).",
    ),
    Claim(
        "renyi.premetric",
        "dissertation, section 2.4.5",
        "The Renyi divergences are probability premetrics: D_alpha(P||Q) in [0, oo] is 0 if P = Q, and oo if P and Q "
        "are on different measurable spaces.",
    ),
    Claim(
        "zcdp.standard-parametrization",
        "article, Appendix G and Remark 2; dissertation, section 2.4.5",
        "The standard formulation of zCDP, as originally given by Bun and Steinke (2016), uses the square of the "
        "normalized Renyi metric as its output premetric; consequently, the standard parameterization of zCDP is equal "
        "to rho^2 under our formulation. (Encoded for neighbors, as that formulation is, at d = d_X(x, x') in {0, 1, "
        "oo}: D_NoR <= rho d iff D_NoR^2 <= rho^2 d, that is D_alpha <= rho^2 alpha d both ways for all alpha > 1.)",
    ),
    Claim(
        "zcdp.standard-parametrization.distances",
        "stirred, on article, Appendix G and Remark 2",
        "For every distance d, as those of d_HamS, D_NoR <= rho d iff D_alpha <= rho^2 alpha d^2 both ways for all "
        "alpha > 1: with the square of the metric the budget rho^2 goes with the square of the distance.",
    ),
    Claim(
        "zcdp.group-privacy",
        "stirred, from article, Appendix G",
        "If consecutive data sets of a chain of k + 1 are at D_NoR <= rho from one another, its ends are at D_NoR <= k "
        "rho: a budget rho^2 for neighbors is the budget k^2 rho^2 at distance k.",
    ),
    Claim(
        "zcdp.finite-laws",
        "stirred, on article, section 5.4",
        "For laws with finitely many outcomes D_NoR(P, Q) = oo iff D_Mult(P, Q) = oo, so that P and Q with D_NoR(P, Q) "
        "small but D_Mult(P, Q) = oo have infinitely many outcomes.",
    ),
    Claim(
        "zcdp.randomized-response",
        "stirred, from article, Appendix G",
        "For P = (p, 1-p) and Q = (1-p, p), eps = |ln(p/(1-p))|, D_NoR(P, Q)^2 = eps tanh(eps/2) = (1-2p) ln((1-p)/p), "
        "the limit of D_alpha(P||Q)/alpha as alpha falls to 1.",
    ),
    Claim(
        "zcdp.from-pure",
        "stirred, on Bun and Steinke (2016), Proposition 1.4",
        "eps-DP implies zCDP with rho^2 = eps^2/2: D_NoR(P, Q)^2 <= D_Mult(P, Q)^2/2.",
    ),
    Claim(
        "zcdp.to-approximate",
        "article, Table 3 (note) and Remark 4",
        "The formula eps = rho^2 + 2 rho sqrt(-ln delta) converts from a zCDP budget rho^2 to an approximate DP budget "
        "(eps, delta). (Encoded: D_NoR(P, Q) <= rho implies P(S) <= e^eps Q(S) + delta for all events S and delta in "
        "(0, 1).)",
    ),
    Claim(
        "zcdp.post-processing",
        "dissertation, section 2.5",
        "The DP flavor (X, D-multiverse, d_X, D_NoR) is immune to post-processing: D_NoR(f(P), f(Q)) <= D_NoR(P, Q).",
    ),
    Claim(
        "zcdp.composition",
        "dissertation, section 2.5",
        "The DP flavor (X, D-multiverse, d_X, D_NoR) is closed under fresh self-composition: the privacy loss of (T_1, "
        "T_2) is bounded by sqrt(rho_1^2 + rho_2^2) when T_i satisfies rho_i-DP(X, D-multiverse, d_X, D_NoR), assuming "
        "T_1 and T_2 have independent seeds.",
    ),
    Claim(
        "premetrics.composition.printed",
        "dissertation, section 2.4.5",
        "For example, a DP flavor with any of the above choices for D_Pr (D_Mult^delta with delta > 0 among them) will "
        "always satisfy composition and post-processing. (Encoded for D_Mult^(1/3) by Equations (2.10) and (2.11). Two "
        "releases at 0 that are together at oo break every other rule of composition too.)",
    ),
    Claim(
        "premetrics.composition",
        "stirred, repairing dissertation, section 2.4.5",
        "For D_Mult and D_TV, D_Pr(P x P', Q x Q') <= D_Pr(P, Q) + D_Pr(P', Q') and, for every function f of the "
        "outcome, D_Pr(P, Q) >= D_Pr(f(P), f(Q)).",
        repairs="premetrics.composition.printed",
    ),
    Claim(
        "approximate.definition",
        "dissertation, sections 2.4.5 and 2.4.6",
        "(eps, delta)-DP uses D_Mult^delta(P, Q) = sup over S of {ln [P(S)-delta]^+/Q(S), ln [Q(S)-delta]^+/P(S), 0} "
        "for D_Pr: it is at most eps iff P(S) <= e^eps Q(S) + delta and Q(S) <= e^eps P(S) + delta for all S. (Events "
        "with 0/0 are passed over.)",
    ),
    Claim(
        "approximate.multi-parameter",
        "dissertation, section 2.4.6",
        "(eps_0, delta_0)-DP would correspond to the probability premetric which maps a pair (P, Q) to the function "
        "delta -> D_Mult^delta(P, Q), along with the privacy loss budget eps(delta) = eps_0 if delta = delta_0, oo "
        "otherwise, and the pointwise partial order.",
    ),
    Claim(
        "approximate.symmetrization",
        "dissertation, section 2.4.5",
        "D_Mult^delta is the symmetrization of the delta-approximate max-divergence (Dwork et al., 2010b). (Encoded: "
        "the larger of D^delta(P||Q), D^delta(Q||P) and 0, where D^delta(P||Q) is the maximum of ln (P(S)-delta)/Q(S) "
        "over the events S with P(S) > delta, and is below 0 for P = Q and delta > 0.)",
    ),
    Claim(
        "approximate.reduces",
        "dissertation, section 2.4.5",
        "Clearly D_Mult^delta(P, Q) reduces to D_Mult(P, Q) when delta = 0.",
    ),
    Claim(
        "approximate.no-metric",
        "dissertation, section 2.4.5",
        "For delta > 0, D_Mult^delta is generally not a metric. (Encoded: for delta = 1/4 and 1/2 there are P != Q at "
        "distance 0, and P, Q, R that break the triangle inequality.)",
    ),
)

"""Article, Appendix D: transferring budgets between nested multiverses, and the conventions of its proofs."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "refinement.budget-within",
        "article, Proposition 5, first half",
        "Suppose that D'-multiverse is a refinement of D-multiverse. Then, for all PLBs eps' : D'-multiverse -> [0, "
        "oo], any mechanism that satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr) also satisfies eps'_D'-DP(X, "
        "D'-multiverse, d_X, D_Pr), whenever eps_D <= inf{eps'_D' : D' in D'-multiverse with D' subset of D}.",
    ),
    Claim(
        "refinement.budget-above",
        "article, Proposition 5, second half",
        "Suppose that D'-multiverse is a refinement of D-multiverse. Then, for all PLBs eps : D-multiverse -> [0, "
        "oo], any mechanism that satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr) also satisfies eps'_D'-DP(X, "
        "D'-multiverse, d_X, D_Pr), whenever eps'_D' >= inf{eps_D : D in D-multiverse with D' subset of D}.",
    ),
    Claim(
        "refinement.fewer-constraints",
        "article, Lemma 1",
        "Given two DP specifications eps_D-DP(X, D-multiverse, d_X, D_Pr) and eps'_D'-DP(X, D'-multiverse, d_X, "
        "D_Pr), suppose that, for all D' in D'-multiverse and all delta > 0, there exists D in D-multiverse such "
        "that D' is a subset of D and eps_D <= eps'_D' + delta. Then every mechanism that satisfies the first "
        "specification satisfies the second.",
    ),
    Claim(
        "specification.zero-times-infinity",
        "article, Appendix D, proof of Proposition 2",
        "Note that on the right hand side of Equation 1, we define 0 x oo to be oo: at distance oo nothing is "
        "bounded, even by the budget 0, and the budget oo bounds nothing, even at distance 0.",
    ),
)

"""Dissertation, sections A.5 and A.6: post-processing, composition with shared seeds, and Blackwell's theorem."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "post-processing.largest-algebra",
        "dissertation, section A.5, after Definition A.5.1",
        "The sigma-algebra {S : f^-1(S) in F_T^[x]} of the post-processed mechanism is the largest sigma-algebra such "
        "that f is measurable with respect to F_T^[x].",
    ),
    Claim(
        "noise.invariance",
        "dissertation, Definition A.5.2",
        "D_Pr is invariant to extraneous noise if D_Pr(P_1 x Q, P_2 x Q) = D_Pr(P_1, P_2); D_Mult, D_Mult^delta and "
        "D_TV are.",
    ),
    Claim(
        "noise.one-inequality",
        "dissertation, Corollary A.5.4",
        "The flavor is immune to randomised post-processing for all X, multiverses and d_X iff D_Pr(P_1, P_2) >= "
        "D_Pr(f_*(P_1 x Q), f_*(P_2 x Q)) for all P_1, P_2, Q and measurable f (A.5). (Encoded for laws on finite "
        "sets all of whose subsets are measurable.)",
    ),
    Claim(
        "noise.from-randomised",
        "dissertation, Lemma A.7.2",
        "If all flavors with D_Pr are immune to randomised post-processing, D_Pr is invariant to extraneous noise. "
        "(Encoded for laws on finite sets.)",
    ),
    Claim(
        "composition.shared-seeds",
        "dissertation, section A.5 with Definition A.5.5",
        "When U_1 and U_2 are not independent it is not sufficient to know the mechanisms T_1, T_2 and their marginal "
        "laws: the loss of (T_1, T_2) depends on the joint law of the seeds, and may exceed the sum of the losses. "
        "(Encoded for T_1 = x xor U_1 and T_2 = U_2 with fair coins that agree with probability a: both losses are 0, "
        "that of the pair is |ln(a/(1 - a))|.)",
    ),
    Claim(
        "tradeoff.properties",
        "dissertation, Definition A.6.1 and the text after it",
        "Tr(P, Q)(alpha) = sup{E_Q[phi] : E_P[phi] <= alpha} is continuous, concave, non-decreasing and at least "
        "alpha.",
    ),
    Claim(
        "tradeoff.all-functions",
        "dissertation, section A.6",
        "The set of continuous, concave, non-decreasing f : [0, 1] -> [0, 1] with f(alpha) >= alpha is the set of all "
        "trade-off functions. (Encoded: each piecewise linear one is that of two finite laws.)",
    ),
    Claim(
        "tradeoff.blackwell",
        "dissertation, Theorem A.6.2",
        "For P, Q and P', Q' on any two measurable spaces, Tr(P, Q) >= Tr(P', Q') everywhere iff there exists a "
        "Markov kernel kappa with P' = kappa o P and Q' = kappa o Q.",
    ),
    Claim(
        "tradeoff.blackwell.finite",
        "stirred, repairing dissertation, Theorem A.6.2",
        "The same for laws on finite sets.",
        repairs="tradeoff.blackwell",
    ),
    Claim(
        "tradeoff.premetrics",
        "dissertation, Proposition A.6.3",
        "Let lambda_2(g) = lambda(g) - lambda(f) where f(alpha) = alpha. Then lambda_2 o Tr is a probability "
        "premetric satisfying invariant to extraneous noise and '5.2' iff lambda is non-decreasing. (Encoded: '5.2', "
        "which names nothing in print, is read as immune to post-processing by kernels; for laws on finite sets, with "
        "lambda on their trade-off functions alone.)",
    ),
)

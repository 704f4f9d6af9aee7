"""Dissertation, chapter 2: the system of specifications, its order, granularity, and section 2.5 on composition.

Items that the article prints too stand in `section_2` and `appendix_d` as the article has them; here they have the
dissertation's words and numbers, and share their evidence.
"""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "pure.indistinguishability",
        "dissertation, Definition 2.3.1 and section A.4",
        "T is eps-indistinguishable if |ln P(T(x) = t)/P(T(x') = t)| <= eps for all t and all x, x' in R^n that "
        "differ in exactly one record (2.2). A direct encoding would use d_r (A.2) for bounded, ordered neighbors. "
        "(Encoded for discrete T, 0/0 = 1: T is eps-indistinguishable iff it satisfies eps-DP(R^n, {R^n}, d_r, "
        "D_Mult).)",
    ),
    Claim(
        "specification.five-blocks",
        "dissertation, Definitions 2.4.1 and 2.4.2",
        "A flavor is a four-tuple (X, multiverse, d_X, D_Pr): a set X, a collection of universes D subset of X, a "
        "premetric on X, and a probability premetric; a specification is a flavor with a budget eps : multiverse -> "
        "[0, oo]. (Encoded for a finite X that is not empty: exactly the collections of subsets of X with a budget "
        "for each universe, and for nothing else, are accepted.)",
    ),
    Claim(
        "mechanism.pushforward",
        "dissertation, Definitions 2.4.3 and A.1.3",
        "A mechanism is a function T : X x U -> T with a probability on the seed; P_x(T(x, U) in S) = P(U in {u : "
        "T(x, u) in S}) for all S.",
    ),
    Claim(
        "specification.satisfied",
        "dissertation, Definition 2.4.4",
        "T satisfies the specification if, for all universes D and all x, x' in D, D_Pr[P_x, P_x'] <= eps_D d_X(x, "
        "x'), with 0 x oo = oo (Remark 2.4.6).",
    ),
    Claim(
        "loss.smallest",
        "dissertation, Definition 2.4.5",
        "Given a flavor, the privacy loss of T is the smallest eps_D such that T satisfies the specification. "
        "(Encoded: there is a smallest one, at all universes at once.)",
    ),
    Claim(
        "premetric.infinite-distance",
        "dissertation, Remark 2.4.6",
        "0 x oo = oo. This means DP never controls the difference between P_x and P_x' when d_X(x, x') = oo, even in "
        "the case eps_D = 0. (Encoded for D_Mult: any two laws are P_x and P_x' for some mechanism that satisfies the "
        "specification.)",
    ),
    Claim(
        "premetric.infinite-distance.unconnected",
        "stirred, repairing dissertation, Remark 2.4.6",
        "Under D_Mult, any two laws are P_x and P_x' for some mechanism that satisfies the specification with eps_D = "
        "0 (x and x' different) iff x' is not in [x], the class joined to x by pairs of a common universe at a finite "
        "distance in one direction; where x' is in [x], P_x = P_x'.",
        repairs="premetric.infinite-distance",
    ),
    Claim(
        "mechanism.same-domain",
        "dissertation, Remark 2.4.7",
        "The domain of the mechanism and the domain of the specification are exactly the same set: this is a "
        "necessary precondition for a mechanism to satisfy a specification. (Encoded: a mechanism without a law for "
        "some data set of X, or with a law for something else, is refused.)",
    ),
    Claim(
        "order.closure-decides",
        "stirred, on dissertation, Definition 2.4.9",
        "For D_Mult and for D_TV one specification is stronger than another one on the same finite domain (every "
        "mechanism of it is one of the other) iff the closure of its constraint matrix under symmetry and the triangle "
        "inequality is at most the other's matrix; for D_TV all bounds are cut at 1.",
    ),
    Claim(
        "universes.smaller-strictly",
        "dissertation, section 2.4.3",
        "Reducing the size of the universes strictly weakens the privacy protection. (Encoded: if one universe D is "
        "replaced by a proper subset of it, at the same budget, some mechanism satisfies the new specification and not "
        "the old one.)",
    ),
    Claim(
        "universes.smaller-weakly",
        "stirred, repairing dissertation, section 2.4.3",
        "If one universe is replaced by a subset of it, at the same budget, every mechanism that satisfies the old "
        "specification satisfies the new one; under D_Mult some mechanism satisfies the new one only iff the closure "
        "of the new constraint matrix exceeds the old matrix somewhere.",
        repairs="universes.smaller-strictly",
    ),
    Claim(
        "invariants.margins.positive",
        "dissertation, Example 2.4.10",
        "Let X be the m x n tables of 'non-negative integer values: X = (N^+)^(m x n)' and c tabulate the column- and "
        "row-margins (2.5). D_c(.) ensures that only pairs of data sets with the same column- and row-margins are "
        "subject to (2.3). (Encoded for both readings of X: with and without 0.)",
    ),
    Claim(
        "multiverse.vacuous",
        "dissertation, section 2.4.3",
        "A multiverse is vacuous if, for all distinct x, x' with d_X(x, x') < oo or d_X(x', x) < oo, there exists a "
        "universe with x, x' in it. (Encoded: then, for a budget that is one number, the same mechanisms satisfy it "
        "and {X}.)",
    ),
    Claim(
        "invariants.free",
        "dissertation, Proposition 2.4.11, first half",
        "For any d_X and D_Pr, T(x) = c(x) satisfies eps_D-DP(X, D_c-multiverse, d_X, D_Pr) with eps_D = 0 for all D.",
    ),
    Claim(
        "invariants.costly",
        "dissertation, Proposition 2.4.11, second half",
        "Suppose D_Pr(P, Q) = oo if d_TV(P, Q) = 1. Let there be a universe D_0 and x, x' in D_0 with d_X(x, x') < oo "
        "and c(x) != c(x'). Then T, the mechanism T(x) = c(x), does not satisfy the specification whenever eps_D_0 < "
        "oo. (Encoded with a sigma-algebra that separates the values of c, as the Borel sets of R^l do.)",
    ),
    Claim(
        "invariants.positive-loss",
        "dissertation, Proposition 2.4.12",
        "Suppose T varies within some D_0: there exist x, x' in D_0 with d_X(x, x') < oo but P_x != P_x'. When D_Pr "
        "is a metric, T satisfies the specification only if eps_D_0 > 0.",
    ),
    Claim(
        "invariants.singletons-unprotected",
        "dissertation, section 2.4.3",
        "In the extreme example where c is injective so that the universes are singletons, there is no privacy "
        "protection, regardless of d_X, D_Pr and eps_D. (Encoded: every mechanism satisfies the specification.)",
    ),
    Claim(
        "refinement.loss-direction",
        "dissertation, section 2.4.3, before Proposition 2.4.13",
        "Suppose c is strictly more constraining than c'. Then T's loss eps'_D' under D_c' cannot be smaller and may "
        "be strictly larger than T's loss eps_D under D_c, for any D' subset of D (D' a universe of D_c', D one of "
        "D_c).",
    ),
    Claim(
        "refinement.loss-direction.reversed",
        "stirred, repairing dissertation, section 2.4.3",
        "T's loss eps'_D' under D_c' cannot be smaller and may be strictly larger than T's loss eps_D under D_c, for D "
        "subset of D' (D' a universe of D_c', D one of D_c).",
        repairs="refinement.loss-direction",
    ),
    Claim(
        "refinement.infimum-within",
        "dissertation, Proposition 2.4.13, first half",
        "Suppose D'-multiverse is a refinement of D-multiverse. Then for all budgets eps' every mechanism that "
        "satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr) with eps_D = inf{eps'_D' : D' subset of D} satisfies "
        "eps'_D'-DP(X, D'-multiverse, d_X, D_Pr).",
    ),
    Claim(
        "refinement.infimum-above",
        "dissertation, Proposition 2.4.13, second half",
        "Further, (2.7) holds for all budgets eps on D-multiverse when eps'_D' = inf{eps_D : D' subset of D}.",
    ),
    Claim(
        "refinement.in-premetric",
        "dissertation, section 2.4.3, end",
        "The operation of refining the data multiverse is mathematically equivalent to redefining d_X. (Encoded for a "
        "finite X: for every multiverse and every budget on it some d'_X gives M(X, multiverse, d_X, D_Pr, eps_D) = "
        "M(X, {X}, d'_X, D_Pr, eps), eps a positive constant.)",
    ),
    Claim(
        "premetric.definition",
        "dissertation, Definition 2.4.14 and the text after it",
        "A premetric d on a set S is a function to [0, oo] with d(x, y) = 0 if x = y. It is not required to be "
        "symmetric, positive for distinct points, nor does it need to satisfy the triangle inequality. (Encoded: all "
        "eight combinations of the three properties occur.)",
    ),
    Claim(
        "premetric.multiplicative-metric",
        "dissertation, section 2.4.4, after Definition 2.4.14",
        "The multiplicative distance is a metric (on laws).",
    ),
    Claim(
        "premetric.household-person",
        "dissertation, section 2.4.4",
        "The household-level premetric is smaller than the person-level one: d^h <= d^p <= b d^h, where b is an upper "
        "bound on the number of people in a household. (Encoded for the Hamming distances of section A.4, data sets of "
        "at most b persons in each of a list of households.)",
    ),
    Claim(
        "premetric.household-person.fixed-sizes",
        "stirred, repairing dissertation, section 2.4.4",
        "d^h <= d^p <= b d^h for the Hamming distances between lists of households in which each household has the "
        "same number of persons, at most b, in both.",
        repairs="premetric.household-person",
    ),
    Claim(
        "premetric.rescaling",
        "dissertation, Proposition 2.4.15",
        "Let l d_X <= d'_X <= u d_X for constants 0 < l <= u <= oo. Then M(X, multiverse, d_X, D_Pr, eps_D) is inside "
        "M(X, multiverse, d'_X, D_Pr, eps_D/l), and M(X, multiverse, d'_X, D_Pr, eps_D) is inside M(X, multiverse, "
        "d_X, D_Pr, u eps_D).",
    ),
    Claim(
        "premetric.finer-stronger",
        "dissertation, section 2.4.4, after Proposition 2.4.15",
        "A specification with lower granularity is stronger: if d_X <= d'_X, then eps_D-DP(X, multiverse, d_X, D_Pr) "
        "is a stricter condition than eps_D-DP(X, multiverse, d'_X, D_Pr).",
    ),
    Claim(
        "recording.donor-factor",
        "dissertation, section 2.4.4",
        "A donor's privacy loss is increased by a factor equal to the number of their recipients, as demonstrated by "
        "Proposition 2.4.15. (Encoded: the largest d_Ham between what is recorded, over changes of one donor's "
        "record.)",
    ),
    Claim(
        "recording.donor-factor.with-own-record",
        "stirred, repairing dissertation, section 2.4.4",
        "If a donor's record is copied to r recipients, a change of it changes 1 + r recorded records: the factor is "
        "1 + r, and randomized response of the recorded answers attains it.",
        repairs="recording.donor-factor",
    ),
    Claim(
        "group-privacy.chain",
        "dissertation, section 2.4.4, (2.8)",
        "If x, x' differ by k entries and the data sets between them are in the universe, then a bound eps for "
        "neighbors, under D_Mult, gives the bound k eps for x and x': with the Hamming distance (2.2) holds for all "
        "pairs, with d_X(x, x') eps for eps.",
    ),
    Claim(
        "multiplicative.density-ratio",
        "dissertation, section 2.4.5",
        "The multiplicative distance is strongly equivalent (in the sense of metrics) to the density-ratio metric "
        "(Wasserman, 1992). (Encoded for laws on finite sets, with delta(P, Q) = sup over s, t of ln "
        "P(s)Q(t)/(P(t)Q(s)): D_Mult <= delta <= 2 D_Mult.)",
    ),
    Claim(
        "pure.likelihood-ratio",
        "dissertation, section 2.4.5",
        "Pure eps-DP is equivalent to ln[L(x | t)/L(x' | t)] <= eps d_X(x, x') for almost all t and all x, x' in X. "
        "(Encoded for any premetric d_X and the multiverse {X}.)",
    ),
    Claim(
        "pure.likelihood-ratio.symmetric",
        "stirred, repairing dissertation, section 2.4.5",
        "For a symmetric d_X and the multiverse {X}, pure eps-DP is equivalent to ln[L(x | t)/L(x' | t)] <= eps d_X(x, "
        "x') for all t that are possible under some data set and all x, x' in X.",
        repairs="pure.likelihood-ratio",
    ),
    Claim(
        "output-premetrics.zero-on-equal",
        "dissertation, Definition 2.4.16",
        "A probability premetric satisfies D_Pr(P, Q) = 0 if P = Q, and D_Pr(P, Q) = oo if P and Q are on different "
        "measurable spaces; D_Mult, D_Mult^delta and the total variation distance are probability premetrics. "
        "(Encoded: all laws that are compared are on one measurable space, so that the first part is checked and the "
        "second one never applies.)",
    ),
    Claim(
        "multiplicative.densities",
        "dissertation, section 2.4.5",
        "For b < oo, D_Mult(P, Q) <= b is equivalent to P and Q being mutually absolutely continuous and having "
        "densities (with respect to a common dominating measure mu) whose ratio is mu-a.e. bounded by exp(b). "
        "(Encoded for laws on finite sets, the counting measure and P + Q for mu, and both p/q and q/p for the ratio "
        "where one of them is positive.)",
    ),
    Claim(
        "tradeoff.type-two",
        "dissertation, section 2.4.6",
        "With D_Pr(P, Q) the trade-off function that maps alpha to the infimum type II error over level-alpha tests "
        "of P versus Q, and <= the pointwise order, the DP condition with budget f is f-DP (Dong et al., 2022).",
    ),
    Claim(
        "tradeoff.power",
        "stirred, repairing dissertation, section 2.4.6",
        "With D_Pr(P, Q)(alpha) the supremum of the power (Definition A.6.1) and the budget 1 - f, at distance 1, the "
        "DP condition is f-DP: the infimum type II error is at least f(alpha) at every alpha.",
        repairs="tradeoff.type-two",
    ),
    Claim(
        "post-processing.only-premetric",
        "dissertation, section 2.5, before Proposition 2.5.3",
        "Except for trivial edge cases, whether or not a flavor is immune to post-processing or closed under fresh "
        "composition depends only on D_Pr. (Encoded for X = {x, x'} and {X}, the edge cases being those where neither "
        "distance is finite or one of them is 0: with one D_Pr all of the other flavors are immune or none is, and "
        "all are closed under linear, fresh self-composition or none is.)",
    ),
    Claim(
        "post-processing.only-premetric.symmetric",
        "stirred, repairing dissertation, section 2.5, before Proposition 2.5.3",
        "The same for a symmetric D_Pr.",
        repairs="post-processing.only-premetric",
    ),
    Claim(
        "composition.iff-subadditive",
        "dissertation, Definition 2.5.1 and Proposition 2.5.3",
        "For a probability premetric D_Pr, the flavor is closed under linear, fresh self-composition for all X, "
        "multiverses and d_X iff D_Pr(P x P', Q x Q') <= D_Pr(P, Q) + D_Pr(P', Q') for all P, Q, P', Q' (2.10). "
        "(Encoded for laws on finite sets.)",
    ),
    Claim(
        "post-processing.iff-data-processing",
        "dissertation, Definition 2.5.2 and Proposition 2.5.4",
        "For a probability premetric D_Pr, the flavor is immune to post-processing for all X, multiverses and d_X iff "
        "D_Pr[P, Q] >= D_Pr[f_*(P), f_*(Q)] for all P, Q on (Omega, F) and all measurable f : (Omega, F) -> (Omega', "
        "F') (2.11). (Encoded with Definition A.5.1: the post-processing mechanism has the sigma-algebra {S : f^-1(S) "
        "in F}, while F' in (2.11) may be a smaller one.)",
    ),
    Claim(
        "post-processing.iff-data-processing.finite",
        "stirred, repairing dissertation, Proposition 2.5.4",
        "For a probability premetric D_Pr on laws on finite sets all of whose subsets are measurable, the flavor is "
        "immune to post-processing for all X, multiverses and d_X iff D_Pr[P, Q] >= D_Pr[f_*(P), f_*(Q)] for all P, Q "
        "and all functions f.",
        repairs="post-processing.iff-data-processing",
    ),
    Claim(
        "post-processing.iff-data-processing.largest",
        "stirred, repairing dissertation, Proposition 2.5.4",
        "For a probability premetric D_Pr, the flavor is immune to post-processing for all X, multiverses and d_X iff "
        "(2.11) holds for all P, Q on (Omega, F), all functions f on Omega, and F' = {S : f^-1(S) in F}.",
        repairs="post-processing.iff-data-processing",
    ),
    Claim(
        "post-processing.randomised-implied",
        "dissertation, section 2.5, after Proposition 2.5.4",
        "Immunity to post-processing by a random f is implied by non-random post-processing, by first composing T with "
        "the random seed of f, which has zero privacy loss.",
    ),
    Claim(
        "post-processing.randomised-noise",
        "dissertation, Proposition A.5.3, repairing the text after Proposition 2.5.4",
        "Suppose D_Pr is invariant to extraneous noise. Then a flavor is immune to randomised post-processing iff it "
        "is immune to non-randomised post-processing. (Encoded for laws on finite sets.)",
        repairs="post-processing.randomised-implied",
    ),
    Claim(
        "post-processing.multiplicative",
        "dissertation, section 2.5, after Theorem 2.5.5",
        "D_Mult satisfies (2.11) and (2.10).",
    ),
    Claim(
        "composition.zero-concentrated",
        "dissertation, section 2.5, after Theorem 2.5.5",
        "D_NoR is closed under fresh self-composition with sqrt(rho_1^2 + rho_2^2) for rho_1 + rho_2.",
    ),
    Claim(
        "composition.different-flavors",
        "stirred, on dissertation, section 2.5, last paragraph",
        "If T_1 and T_2 satisfy specifications with different multiverses, input premetrics and budgets on one "
        "domain, under D_Mult, and their seeds are independent, (T_1, T_2) satisfies the sum of the closures of the "
        "two constraint matrices under symmetry and the triangle inequality, and no smaller matrix: each entry is "
        "attained.",
    ),
    Claim(
        "post-processing.function-of-tradeoff",
        "dissertation, section 2.5, before Theorem 2.5.5",
        "Su (2024) shows that (2.11) implies D_Pr is a function of Tr. (Encoded: (2.11) is about functions f.)",
    ),
    Claim(
        "post-processing.function-of-tradeoff.randomised",
        "stirred, repairing dissertation, section 2.5, before Theorem 2.5.5",
        "For laws on finite sets, (2.11) for randomised f, which is (A.5), implies that D_Pr is a function of Tr.",
        repairs="post-processing.function-of-tradeoff",
    ),
    Claim(
        "post-processing.iff-tradeoff.functions",
        "dissertation, Theorem 2.5.5, without its parenthesis",
        "The flavor is immune to (randomised) post-processing for all X, multiverses and d_X iff D_Pr = lambda o Tr "
        "for some non-decreasing function lambda. (Encoded: by functions, as in Definition 2.5.2.)",
    ),
    Claim(
        "post-processing.iff-tradeoff",
        "dissertation, Theorem 2.5.5, with its parenthesis",
        "The flavor is immune to (randomised) post-processing for all X, multiverses and d_X iff D_Pr = lambda o Tr "
        "for some non-decreasing function lambda. (Encoded: by randomised functions, on all measurable spaces.)",
    ),
    Claim(
        "post-processing.iff-tradeoff.randomised",
        "stirred, repairing dissertation, Theorem 2.5.5",
        "For laws on finite sets, the flavor is immune to randomised post-processing for all X, multiverses and d_X "
        "iff D_Pr = lambda o Tr for some non-decreasing function lambda.",
        repairs="post-processing.iff-tradeoff.functions",
    ),
)

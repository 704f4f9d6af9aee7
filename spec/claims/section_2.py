"""Article, section 2: Definition 1, what invariants do to a specification, and Propositions 1 to 3."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "specification.definition",
        "article, Definition 1",
        "A mechanism T satisfies the DP specification eps_D-DP(X, D-multiverse, d_X, D_Pr) if, for all universes D "
        "in the multiverse and all pairs of data sets x, x' in D, D_Pr[P(T(x,U) in .), P(T(x',U) in .)] <= eps_D "
        "d_X(x, x'), where P is the probability distribution induced by the random seed U, taking the input data set "
        "(x or x') as fixed.",
    ),
    Claim(
        "specification.normal-form",
        "stirred, on article, Definition 1",
        "On a finite domain a mechanism satisfies a specification iff D_Pr[P_x, P_x'] <= C(x, x') for all x, x', "
        "where C(x, x') = min{eps_D d_X(x, x') : D in the multiverse, x, x' in D} and the minimum of nothing is oo.",
    ),
    Claim(
        "invariants.two-encodings",
        "article, section 2.2",
        "Incorporating invariants via d_X (set d_X(x, x') = oo whenever x and x' disagree on the invariants) or via "
        "the multiverse has the same result: both ensure that the DP condition (Equation 1) only bounds the distance "
        "between P(T(x,U) in .) and P(T(x',U) in .) when the two data sets x and x' agree on the invariants. (Here: "
        "the same mechanisms satisfy both, for every PLB that is one number.)",
    ),
    Claim(
        "invariants.two-encodings.varying-budget",
        "stirred, on article, section 2.2",
        "The two ways differ where the PLB differs between universes: there are invariants c, d_X and a PLB on the "
        "invariant-induced multiverse such that no PLB on {X}, with d_X set to oo whenever x and x' disagree on c, "
        "is satisfied by the same mechanisms.",
    ),
    Claim(
        "invariants.nonvacuous",
        "article, section 2.2",
        "A nonvacuous multiverse (one that is not equivalent to the multiverse {X}) happens whenever there are "
        "invariants. (Encoded for invariants that are not constant; equivalent: satisfied by the same mechanisms at "
        "every PLB that is one number.)",
    ),
    Claim(
        "invariants.nonvacuous.comparable",
        "stirred, repairing article, section 2.2",
        "For invariants c and the same PLB eps everywhere, the invariant-induced multiverse and {X} are satisfied by "
        "the same mechanisms at every eps iff d_X(x, x') = oo whenever c(x) and c(x') differ, provided that D_Pr is "
        "not 0 between all laws.",
        repairs="invariants.nonvacuous",
    ),
    Claim(
        "invariants.neighbors-left",
        "article, section 2.2",
        "After excluding neighboring data sets that have different values for the invariants, there may be no "
        "neighbors left, resulting in a completely vacuous formulation of DP; this is what happens with data "
        "swapping. (x and x' are called neighbors if d_X(x, x') = 1; the invariants are the n_mh. and the n_m.s of "
        "article, section 3.)",
    ),
    Claim(
        "invariants.plausibility",
        "article, section 2.3",
        "If the multiverse is the image of a universe function D(.) : X -> 2^X (and d_X(x, x') is finite for all x, "
        "x'), the resulting DP specification ensures that an attacker would not be able to distinguish with "
        "certainty the true confidential data set to be x' and not x, for any x' in D(x). (Encoded for finite PLBs "
        "and D_Mult: no output is possible under x' and impossible under x.)",
    ),
    Claim(
        "invariants.plausibility.own-universe",
        "stirred, repairing article, section 2.3",
        "If moreover x is in D(x) for every x, then under D_Mult, a finite PLB and finite distances no output of a "
        "mechanism that satisfies the specification is possible under x' and impossible under x, for any x' in D(x).",
        repairs="invariants.plausibility",
    ),
    Claim(
        "invariants.partition",
        "article, section 2.3, (2)",
        "The universe function D_c(x) = {x' in X : c(x') = c(x)} induces a partition of X indexed by the image of "
        "the invariant function c, splitting X into universes of data sets that share the same values for the "
        "invariants.",
    ),
    Claim(
        "invariants.adding-refines",
        "article, section 2.4",
        "Adding invariants reduces the quality of a DP flavor, because it refines the multiverse: if c' is a "
        "function of c, then every universe of the multiverse induced by c lies inside a universe of the one induced "
        "by c'.",
    ),
    Claim(
        "invariants.margins",
        "article, Example 1, (3)",
        "For m x n contingency tables of non-negative integers, c : N^(m x n) -> N^(m+n) tabulates the column- and "
        "row-margins; D_c(.) ensures that only pairs of data sets with the same row and column margins are subject "
        "to the DP condition.",
    ),
    Claim(
        "invariants.inequality",
        "article, section 2.3, (4)",
        "An inequality invariant is of the form f(x) <= 0. It can be incorporated in the framework by defining c(x) "
        "= 1 if f(x) <= 0 and c(x) = 0 if f(x) > 0: two data sets share a universe iff both satisfy the inequality "
        "or neither does.",
    ),
    Claim(
        "invariants.bounded",
        "article, section 2.4",
        "Because the Hamming distance between two data sets is infinite whenever they have a different number of "
        "records, formulations of bounded DP only require the DP condition to hold for data sets of the same size: "
        "having the data set size as an invariant has been a part of DP from its conception.",
    ),
    Claim(
        "invariants.release-free",
        "article, Proposition 1, first half",
        "For any d_X and D_Pr, the mechanism T(x) = c(x) that releases the invariants exactly satisfies eps_D-DP(X, "
        "D_c-multiverse, d_X, D_Pr) with PLB eps_D = 0 for all D in the multiverse.",
    ),
    Claim(
        "invariants.release-free.any-multiverse",
        "article, section 2.4, after Proposition 1",
        "This result also holds for any multiverse with c constant within every universe D, i.e. if c(x) = c(x') for "
        "all x, x' in D and all D.",
    ),
    Claim(
        "invariants.release-infinite",
        "article, Proposition 1, second half",
        "Suppose D_Pr(P, Q) = oo whenever the total variation distance between P and Q is one. Let the multiverse be "
        "such that there exists some universe D_0 and some x, x' in D_0 with d_X(x, x') < oo and c(x) != c(x'). "
        "Then T(x) = c(x) does not satisfy eps_D-DP(X, D-multiverse, d_X, D_Pr) whenever eps_D_0 < oo.",
    ),
    Claim(
        "output-premetrics.infinite-when-disjoint",
        "stirred, on article, Proposition 1",
        "For laws on a finite set, D_Mult and D_Mult^delta (0 <= delta < 1) are infinite whenever the total variation "
        "distance is one.",
    ),
    Claim(
        "invariants.necessity",
        "article, section 2.4",
        "The second part of Proposition 1 demonstrates the necessity of the invariant-induced multiverse to "
        "releasing the invariants without modification. (Encoded: under D_Mult and finite distances, if T(x) = c(x) "
        "satisfies a finite PLB on a multiverse of non-empty universes that covers X, it is the one induced by c.)",
    ),
    Claim(
        "invariants.necessity.refinement",
        "stirred, repairing article, section 2.4",
        "Under D_Mult and finite distances, T(x) = c(x) satisfies some finite PLB on a multiverse iff the multiverse "
        "is a refinement of the one induced by c.",
        repairs="invariants.necessity",
    ),
    Claim(
        "invariants.zero-budget",
        "article, Proposition 2",
        "Suppose that a mechanism T varies within some universe D_0 in the sense that there exist x, x' in D_0 with "
        "d_X(x, x') < oo but P(T(x,U) in .) != P(T(x',U) in .). When D_Pr is a metric, T satisfies eps_D-DP(X, "
        "D-multiverse, d_X, D_Pr) only if eps_D_0 > 0.",
    ),
    Claim(
        "invariants.additional-information",
        "article, section 2.4",
        "The invariant-induced multiverse does not allow for the release of additional information, above and beyond "
        "the information contained in the invariants, without incurring some loss of protection. (Encoded for D_Mult, "
        "with distances that may be infinite: a mechanism whose law is not a function of c does not satisfy the PLB "
        "0.)",
    ),
    Claim(
        "invariants.additional-information.components",
        "stirred, repairing article, section 2.4",
        "Under D_Mult (and under D_TV) a mechanism satisfies the PLB 0 on a multiverse iff its law is constant on "
        "every class of implicitly comparable data sets, those joined by pairs of a common universe at finite "
        "distance.",
        repairs="invariants.additional-information",
    ),
    Claim(
        "invariants.varies-within",
        "article, section 2.4, after Proposition 2",
        "A mechanism T varies within a universe of the invariant-induced multiverse whenever it includes information "
        "that is not logically equivalent to the invariants c. (Encoded with finite distances; T includes "
        "information if its law is not constant, equivalent to c if P_x = P_x' iff c(x) = c(x').)",
    ),
    Claim(
        "invariants.varies-within.function",
        "stirred, repairing article, section 2.4",
        "With finite distances, a mechanism varies within a universe of the invariant-induced multiverse iff its law "
        "is not a function of c.",
        repairs="invariants.varies-within",
    ),
    Claim(
        "invariants.injective",
        "article, section 2.4",
        "In the extreme example where c is an injective function so that the universes are singletons, the entire "
        "data set can be published, and eps_D can be set to zero.",
    ),
    Claim(
        "refinement.loss-monotone",
        "article, Proposition 3",
        "Suppose that D-multiverse is a refinement of D'-multiverse. Define the protection loss of T as L_D = "
        "inf{eps_D : T satisfies eps_D-DP(X, D-multiverse, d_X, D_Pr)}, and similarly L'_D'. Then L'_D' >= L_D for "
        "any D in D-multiverse and D' in D'-multiverse with D subset of D'.",
    ),
    Claim(
        "refinement.loss-may-increase",
        "article, section 2.4",
        "If c is strictly more constraining than c', then T's protection loss under the multiverse induced by c' may "
        "be strictly larger than its loss under the one induced by c.",
    ),
    Claim(
        "specification.loss-attained",
        "stirred, on article, Proposition 3",
        "The infimum L_D is attained, by all universes at once: T satisfies the specification whose PLB is L_D, and "
        "no smaller value is possible at any universe.",
    ),
    Claim(
        "invariants.budget-reported",
        "stirred, on article, Remark 1",
        "Where the multiverse is a partition, the budget eps_D(x) of the universe of the realised data x can be "
        "reported without additional protection loss: T(x) = eps_D(x) satisfies the PLB 0.",
    ),
    Claim(
        "invariants.equivalence",
        "article, section 2.3",
        "Invariants give rise to an equivalence relation over the domain X, which is defined by x ~ x' if "
        "c(x) = c(x').",
    ),
)

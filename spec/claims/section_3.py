"""Claims of article, sections 3.1 to 3.3: data swapping, its invariants, and the Permutation Swapping Algorithm."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "swapping.invariants.margins",
        "article, Proposition 4",
        "Suppose that V_Hold without V_Match and V_Swap are nonempty, and let n_mhs be the counts by values m, h, s of "
        "the matching, the other holding, and the swapping variable. Swapping keeps n_m.s = sum_h n_mhs and "
        "n_mh. = sum_s n_mhs invariant.",
    ),
    Claim(
        "swapping.invariants.univariate",
        "article, Proposition 4",
        "Without loss of generality each of V_Match, V_Swap and V_Hold without V_Match is univariate: replacing an "
        "empty V_Match by a constant and cross-classifying several variables into one does not change a swapping "
        "method.",
    ),
    Claim(
        "swapping.invariants.not-preserved",
        "article, Proposition 4",
        "In general, interior cell counts n_mhs are not preserved under swapping and neither are the margins n_.hs; "
        "n_.hs changes under a swap of a record mhs with a record mh's' whenever h != h' and s != s'.",
    ),
    Claim(
        "swapping.invariants.decennial-2010",
        "article, Example 2 (continued)",
        "With V_Match the numbers of adults and of persons of a household and a geography V_g, V_Swap the geographies "
        "under V_g, and all other variables holding: the number of adults, children, and households in each block are "
        "invariant (the n_m.s margin), and so are the counts of all person and household characteristics inside each "
        "V_g (the n_mh. margin).",
    ),
    Claim(
        "swapping.invariants.definition",
        "article, Definition 2",
        "For values 1..M, 1..H and 1..S of the three variables, the vector of all margins n_mh. and n_m.s is "
        "[n_11. n_12. ... n_MH. n_1.1 n_1.2 ... n_M.S].",
    ),
    Claim(
        "swapping.invariants.topdown",
        "article, Example 3",
        "The 2020 U.S. Census invariants do not correspond to any swapping invariants c_Swap, regardless of the choice "
        "of V_Match, V_Swap and V_Hold: swapping always preserves the one-dimensional marginals n_m.., n_.h. and "
        "n_..s, the 2020 DAS does not.",
    ),
    Claim(
        "swapping.fixed-swaps.printed",
        "article, section 3.3",
        "A swapping method cannot satisfy (X, D_cSwap, d_HamS, D_Mult) if the number of swaps it makes is fixed, where "
        "X is any set of data sets with a common set of variables.",
    ),
    Claim(
        "swapping.fixed-swaps.unit-universe",
        "stirred, repairing article, section 3.3",
        "If the universe of two records with row margins (1, 1) and column margins (1, 1) is in the multiverse, then a "
        "method that makes a fixed number of swaps, each of two distinct records, satisfies the flavor for no finite "
        "budget on that universe.",
        repairs="swapping.fixed-swaps.printed",
    ),
    Claim(
        "swapping.fixed-swaps.argument.printed",
        "article, section 3.3",
        "If a possible output z differs from x by m swaps and from x' by m+1 swaps, for x and x' in D_0, and the "
        "method makes at most m swaps, then z has nonzero probability given x and zero probability given x', which "
        "violates the specification for any finite budget on D_0. (Possible: given some data set of D_0.)",
    ),
    Claim(
        "swapping.fixed-swaps.argument",
        "stirred, repairing article, section 3.3",
        "If an output z that is possible given some x in D_0 differs from x' in D_0 by m+1 swaps and the method makes "
        "at most m swaps, then z has zero probability given x', which violates the specification for any finite "
        "budget on D_0.",
        repairs="swapping.fixed-swaps.argument.printed",
    ),
    Claim(
        "swapping.full-support.printed",
        "article, section 3.3",
        "A necessary condition for a swapping method to satisfy the flavor with a finite budget on D_0 is that, given "
        "input x in D_0, any data set x' in D_0 has a nonzero probability of being outputted (up to reordering).",
    ),
    Claim(
        "swapping.full-support.unchanged",
        "stirred, repairing article, section 3.3",
        "If a method leaves every x in D_0 unchanged with nonzero probability, then a finite budget on D_0 requires "
        "that, given any x in D_0, every x' in D_0 has a nonzero probability of being outputted.",
        repairs="swapping.full-support.printed",
    ),
    Claim(
        "psa.swap-probability.printed",
        "article, section 3.3",
        "The probability that a record with matching category m is swapped is "
        "p * sum_{j=1}^{n-1} C(n-1, j) p^j (1-p)^(n-1-j), where n = n_m.. .",
    ),
    Claim(
        "psa.swap-probability.exact",
        "stirred, repairing article, section 3.3",
        "For n >= 2 the probability that a record of a stratum of n records is selected and deranged is "
        "p * (1 - (1-p)^(n-1)) / (1 - n p (1-p)^(n-1)): the selection is conditioned on not being a single record.",
        repairs="psa.swap-probability.printed",
    ),
    Claim(
        "psa.swap-rate.approximate",
        "article, section 3.3",
        "When n_m.. >> 1, the expected fraction of records that will have their swapping variables interchanged is "
        "approximately p. (Encoded: it is within 1/n of p, for n = n_m.. >= 2.)",
    ),
    Claim(
        "psa.budget.theorem",
        "article, Theorem 1",
        "With b the size of the largest stratum that has at least two distinct records (0 if there is none), the PSA "
        "satisfies eps_D-DP(X, D_cSwap, d_HamS, D_Mult) with eps_D = 0 if b = 0; ln(b+1) - ln o if b > 0 and "
        "0 < p <= sqrt(b+1)/(sqrt(b+1)+1); ln o if b > 0 and sqrt(b+1)/(sqrt(b+1)+1) <= p < 1; infinity if b > 0 and "
        "p in {0, 1}; where o = p/(1-p).",
    ),
    Claim(
        "psa.budget.monotone",
        "article, section 3.3",
        "eps_D of Theorem 1 increases monotonically with b.",
    ),
    Claim(
        "psa.budget.sketch",
        "article, (8)",
        "For 0 < p <= 0.5, b > 0, and x, x', z in one universe, P[C([x_Hold, x_Swap^sigma]) = C(z)] <= "
        "exp(k eps_D) P[C([x'_Hold, x'_Swap^sigma']) = C(z)] with eps_D = ln(b+1) - ln o and k = d_HamS(x, x').",
    ),
    Claim(
        "psa.sketch.moved-records",
        "article, (9)",
        "If sigma' is the composition of sigma with a derangement rho of k records, then "
        "k_sigma - k <= k_sigma' <= k_sigma + k, where k_sigma is the number of records that sigma deranges.",
    ),
    Claim(
        "psa.budget.universe-function",
        "article, Remark 1",
        "Since n_m.. is an invariant, b is a function of the universe D and hence so is the budget eps_D of (7).",
    ),
    Claim(
        "psa.budget.reportable",
        "article, Remark 1",
        "Even though eps is a function of the realized data, its value can be publicly reported under the PSA's DP "
        "specification without additional protection loss.",
    ),
    Claim(
        "swapping.swap-of-two.printed",
        "article, Proposition 4 (proof)",
        "Unless m = m' or s = s', after the swap of a record mhs with a record mh's', n_mhs and n_mh's' decrease by "
        "one, and n_mh's and n_mhs' increase by one. (Encoded with m' the second record's matching category, which is "
        "m, and with the counts unchanged in the excepted cases.)",
    ),
    Claim(
        "swapping.swap-of-two",
        "stirred, repairing article, Proposition 4 (proof)",
        "After the swap of a record mhs with a record mh's', n_mhs and n_mh's' decrease by one, and n_mh's and n_mhs' "
        "increase by one, unless h = h' or s = s', where the counts do not change.",
        repairs="swapping.swap-of-two.printed",
    ),
    Claim(
        "swapping.statistics",
        "article, section 3.2",
        "After swapping, any statistic generated by only x_Hold is invariant, and any statistic generated by only "
        "x_Match and x_Swap is also preserved; only statistics that depend nontrivially on both V_Swap and V_Hold "
        "without V_Match can be altered. (Encoded for statistics that do not depend on the order of the records.)",
    ),
    Claim(
        "swapping.table-determines",
        "article, section 3.3",
        "The contingency table C(Z) fully determines Z up to reordering of the rows of Z.",
    ),
    Claim(
        "swapping.plausible-originals.printed",
        "article, Appendix B",
        "There are multiple plausible values for the original data set that are compatible with the swapped data set. "
        "(Encoded for the PSA with 0 < p < 1: at least two data sets of the universe give it with nonzero "
        "probability.)",
    ),
    Claim(
        "swapping.plausible-originals",
        "stirred, repairing article, Appendix B",
        "For 0 < p < 1 every data set of a universe of the swapping multiverse gives every other one, and itself, with "
        "nonzero probability under the PSA: the data sets compatible with the swapped one are the universe's, multiple "
        "unless it has only one.",
        repairs="swapping.plausible-originals.printed",
    ),
)

"""Claims of article, Appendices C.1, C.2 and section 6.2: the 2010 DAS beside the PSA, and changes of the PSA."""

from spec.claims.claim import Claim

_C1 = "article, Appendix C.1"
_C2 = "article, Appendix C.2"
_EXTENDS = "article, section 6.2"

CLAIMS = (
    Claim(
        "psa.swap-rate.controlled",
        f"{_C1}, similarity (2)",
        "An implementer of the PSA cannot precisely fix the swap rate, the fraction of records that were swapped, but "
        "only the expected swap rate (via the parameter p). However, when the number of records n is large, the swap "
        "rate is typically very close to p, since its variance is approximately p(1-p)/n. (Encoded for one stratum of "
        "n >= 1000 records and 1% <= p <= 50%: the mean is within 1% of p, and the variance within 2% of p(1-p)/n.)",
    ),
    Claim(
        "swapping.vacuous-pairs",
        f"{_C1}, difference (4)",
        "A swap is vacuous if it does not change the data set, except (possibly) by reordering the records. A pairwise "
        "swap (of two records of one stratum) is not vacuous if and only if the paired records have different values "
        "for both their swapping variables and their holding variables.",
    ),
    Claim(
        "psa.variants.rates.printed",
        f"{_C2}, Variable Swapping Probabilities",
        "We can modify the PSA to use a different swapping probability p_i for each record i. As long as these "
        "probabilities are uniformly bounded away from zero and one, this modification will satisfy the same DP flavor "
        "as the original PSA (with a finite budget).",
    ),
    Claim(
        "psa.variants.rates.by-value",
        f"stirred, repairing {_C2}",
        "If the swapping probability of a record is a function of its categories, bounded away from zero and one, then "
        "the modified PSA satisfies the same DP flavor with a finite budget.",
        repairs="psa.variants.rates.printed",
    ),
    Claim(
        "psa.variants.nonvacuous",
        f"{_C2}, Prohibiting Vacuous Swaps",
        "If the PSA puts zero probability on vacuous derangements, those that do not change the data set except by "
        "reordering the records, it still satisfies the same DP flavor (with a finite budget), for 0 < p < 1.",
    ),
    Claim(
        "psa.variants.imputed.printed",
        f"{_C2}, Prohibiting Imputed Records From Being Swapped",
        "Modify the PSA so that p_i = 0 for all records i that are imputed, and let the imputed records be constant. "
        "If the PSA satisfies eps_D-DP(X, D_c, d_HamS, D_Mult), then this modification satisfies eps'_D-DP(X, D_c, d', "
        "D_Mult) with eps'_D <= eps_D, where d' is d_HamS, and infinite between data sets that differ on an imputed "
        "record.",
    ),
    Claim(
        "psa.variants.imputed.budget",
        f"stirred, repairing {_C2}",
        "The PSA that leaves imputed records in place satisfies, for d' and 0 < p < 1, budget (7) with the size of the "
        "largest stratum of records that are not imputed; this is at most (7) with b.",
        repairs="psa.variants.imputed.printed",
    ),
    Claim(
        "psa.variants.common-support",
        f"{_C2}, first paragraphs",
        "A necessary condition for a mechanism T to be pure DP (with a finite budget) is that P(T(x, U) in .) and "
        "P(T(x', U) in .) have common support for all x and x' in the same data universe with d_X(x, x') < infinity.",
    ),
    Claim(
        "psa.variants.transitive.printed",
        f"{_C2}, first paragraphs",
        "When the disclosure control method is a random group action on x, as is the case for permutation swapping, "
        "this condition (common support) is equivalent to the group action being transitive.",
    ),
    Claim(
        "psa.variants.transitive.positive",
        f"stirred, repairing {_C2}",
        "When the method applies a random permutation whose law depends on its cycle type alone, all data sets of a "
        "universe have common support iff from each of them each one is reached by a single permutation of positive "
        "probability.",
        repairs="psa.variants.transitive.printed",
    ),
    Claim(
        "psa.variants.pairs.printed",
        f"{_C2}, first paragraphs",
        "Disjoint, pairwise swapping is not a transitive action (its orbit space does not equal the universe induced "
        "by the swapping invariants) and hence it cannot satisfy differential privacy. (Encoded: on a domain with "
        "three or more holding and three or more swapping categories some universe has tables that do not reach one "
        "another, and no finite budget holds there; Definition 1 asks for all universes.)",
    ),
    Claim(
        "psa.variants.pairs.three-values",
        f"stirred, refining {_C2}",
        "On the universe of one stratum, disjoint, pairwise swapping with 0 < p < 1 satisfies the PSA's flavor with a "
        "finite budget if there are at most two holding or at most two swapping categories, and with no finite budget "
        "if there are at least three of each and at most five records.",
    ),
    Claim(
        "psa.variants.capped",
        "stirred, from article, section 3.3 and Appendix C.1, (2)",
        "The PSA with 0 < p < 1 that never selects more than c records of a stratum satisfies the PSA's flavor with a "
        "finite budget on the universe of one stratum iff no two of its tables differ on more than c records.",
    ),
    Claim(
        "psa.variants.fixed",
        "stirred, from article, section 3.3",
        "A method that makes exactly m swaps of two distinct records, chosen uniformly, satisfies the PSA's flavor for "
        "no finite budget on a universe where two tables are more than m swaps apart.",
    ),
    Claim(
        "psa.variants.nonuniform.printed",
        f"{_C2}, Nonuniform Permutations",
        "The PSA whose derangements are sampled from another distribution retains its DP flavor (with a finite budget) "
        "provided that P_x(sigma = g)/P_x'(sigma = g') is uniformly bounded by exp[O(|k_g - k_g'|)], for all "
        "derangements g and g' (of k_g and k_g' records).",
    ),
    Claim(
        "psa.variants.nonuniform.proviso",
        f"{_C2}, Nonuniform Permutations",
        "This would allow for some derangements to be selected with higher probability than other derangements, such "
        "as to undersample those that swap geographically distant records, and retain the PSA's DP flavor under this "
        "proviso. (Encoded: the derangements of one selection of records, among which one is drawn, all move as many "
        "records.)",
    ),
    Claim(
        "psa.variants.nonuniform.by-value",
        f"stirred, repairing {_C2}",
        "If 0 < p < 1 and a derangement of the selected records is drawn in proportion to the product over its moves "
        "of a positive weight, a function of the categories of the two records, then the same DP flavor is satisfied "
        "with a finite budget.",
        repairs="psa.variants.nonuniform.proviso",
    ),
    Claim(
        "psa.variants.nonvacuous.orbit",
        f"{_C2}, Prohibiting Vacuous Swaps",
        "Under the action of nonvacuous derangements (and the identity), the orbit space is still the entire data "
        "universe.",
    ),
    Claim(
        "psa.variants.cross-strata.printed",
        _EXTENDS,
        "For example, consider using county as the swapping variable, with state and household size as the matching "
        "variables. Suppose that, for some alpha > 0, a household chosen for swapping would have a (1 - alpha)% chance "
        "of being swapped with another household of the same size, but an alpha% chance of being swapped with a "
        "differently sized household. Doing so retains the countywide household counts as invariant, but the "
        "countywide total populations would no longer be invariant. (Encoded: alpha is a fraction, though the printed "
        "chances sum to 1%; each move of a chosen household has these proportions.)",
    ),
    Claim(
        "psa.variants.cross-strata.invariants",
        f"stirred, from {_EXTENDS}",
        "If each move of a chosen household stays in its matching stratum in proportion to 1 - alpha and leaves it in "
        "proportion to alpha, 0 < alpha < 1, then n_mh. and n_..s (the countywide household counts) are invariant and "
        "n_m.s is not.",
    ),
    Claim(
        "psa.variants.cross-strata.budget",
        f"stirred, from {_EXTENDS}",
        "Swapping with such probabilistic matching and 0 < p < 1 satisfies, on each universe given by n_mh. and n_..s, "
        "d_HamS and D_Mult with a finite budget.",
    ),
    Claim(
        "psa.variants.noise-before",
        f"stirred, from {_EXTENDS}",
        "If each swapping value is replaced, with probability r in (0, 1), by a uniform one of k categories before the "
        "PSA, then for each p the mechanism satisfies, on each universe given by n_mh. alone, d_HamS and D_Mult with "
        "budget ln(1 + k(1 - r)/r).",
    ),
    Claim(
        "psa.variants.cell-key.after",
        f"stirred, from {_EXTENDS}",
        "The PSA followed by cell-key perturbation satisfies the PSA's flavor with the PSA's smallest budget on each "
        "universe of the swapping invariants.",
    ),
    Claim(
        "psa.variants.cell-key.invariants",
        f"stirred, from {_EXTENDS}",
        "Cell-key perturbation that keeps empty cells empty and adds -1, 0 or 1 to each other count, each with "
        "positive probability, does not remove the need for the PSA's invariants: for 0 < p < 1 and on the union of "
        "two universes of one stratum with the same number of records and different margins, no finite budget holds "
        "under d_HamS and D_Mult.",
    ),
)

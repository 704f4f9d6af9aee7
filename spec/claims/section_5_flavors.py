"""Claims of article, Table 4, Remarks 3 to 7, sections 5.4 and 6.1: the flavors of the 2020 DAS and of swapping."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "topdown.edit-constraints",
        "article, Remark 3 (slides list structural zeros among the TDA's invariants)",
        "Because every possible x in X_CEF satisfies these rules (edit constraints and structural zeros) by "
        "construction, these requirements need not be included as invariants: with them the universes are the same.",
    ),
    Claim(
        "phsafe.inequality-invariants",
        "article, Remark 5",
        "The PHSafe Algorithm has inequality invariants (see Equation 4). Specifically, its invariant function c(x) is "
        "the vector of indicators for whether each census block has at least one housing unit or not.",
    ),
    Claim(
        "phsafe.inequality-invariants.indicators",
        "stirred, on article, (4) and Remark 5",
        "The indicators for whether each block has at least one housing unit are inequality invariants: those of "
        "f_i(x) <= 0 with f_i(x) = 1 - (the housing units of block i) have the same universes, the data sets with "
        "units in the same blocks. (Whether the PHSafe Algorithm keeps them is another question.)",
    ),
    Claim(
        "das.overall-invariants",
        "article, Table 4",
        "Overall (to date) 2020 DAS, invariants: same as TopDown. (Encoded: those of SafeTab, the total housing units "
        "by block, and of PHSafe, whether each block has at least one housing unit, leave TopDown's universes as they "
        "are.)",
    ),
    Claim(
        "sources.invariants",
        "stirred, from article, Table 4 and Remark 3, and slides, table",
        "For SafeTab slides list no invariants and article lists the total housing units by block; for TopDown slides "
        "list structural zeros besides the article's. The first difference is one of universes; the second is not, if "
        "every possible x in X_CEF satisfies the structural zeros, as Remark 3 says.",
    ),
    Claim(
        "das.other-releases.printed",
        "article, Remark 6",
        "As with any data release, they necessarily increase the total PLB associated with the 2020 Census. (Encoded: "
        "for any further release, the smallest budget rho of all releases together is larger than without it.)",
    ),
    Claim(
        "das.other-releases",
        "stirred, repairing article, Remark 6",
        "A further release does not decrease the total PLB (the smallest budget of all releases together), and leaves "
        "it as it is where it is a constant or a function of what is released already, as the Demographic Profile is, "
        "a subset of the DHC's tabulations.",
        repairs="das.other-releases.printed",
    ),
    Claim(
        "psa.table-5.invariants.printed",
        "article, Remark 7",
        "Depending on V_Match and V_Swap, the invariants induced by the PSA are all (multivariate) household "
        "characteristics at either the state, county, or block group levels, and optionally the household size at the "
        "corresponding geography one level lower. (Encoded: these induce the PSA's universes, with V_Match a geography "
        "alone or crossed with household size, and V_Swap the geography one level lower.)",
    ),
    Claim(
        "psa.table-5.invariants",
        "stirred, repairing article, Remark 7",
        "The PSA's universes are induced by all household characteristics at the level of V_Match and, one level "
        "lower, by the number of households, or where V_Match is crossed with household size by their number by size.",
        repairs="psa.table-5.invariants.printed",
    ),
    Claim(
        "premetrics.multiplicative-stronger",
        "article, section 5.4 (fourthly)",
        "The PSA's output premetric is also stronger than the 2020 DAS's: D_Mult ensures a greater level of SDC "
        "protection than D_NoR (again, assuming that all else is equal). (Encoded: D_NoR(P, Q) <= D_Mult(P, Q), and "
        "not the other way round.)",
    ),
    Claim(
        "das.flavors-not-nested",
        "article, section 5.4",
        "The 2020 DAS DP flavor is not strictly stronger than the PSA's flavor, nor visa versa; the 2020 DAS's "
        "restrictions on the scope of protection are not nested within those induced by the PSA's invariants. "
        "(Encoded for V_Match = block group and V_Swap = block, with kind and size of a household-record held, and an "
        "occupied group quarters as a household-record of another kind: each multiverse has a universe inside no "
        "universe of the other.)",
    ),
    Claim(
        "numbers.vulnerable-share",
        "article, section 6.1",
        "About 3.4 million vulnerable individuals are about 1% of the U.S. population. (Encoded with 308,745,538, the "
        "population that the 2010 Census counted.)",
    ),
)

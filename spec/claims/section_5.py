"""Claims of article, sections 5 and 6.1: the 2020 DAS beside swapping, Tables 4 and 5, and Remarks 2 to 8."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "numbers.table-4.overall",
        "article, Table 4 (dissertation, Table 3.4)",
        "The rho^2 of TopDown 15.29, DDHC-A 19.776, DDHC-B 17.79 and S-DHC 2.515 have the overall rho^2 = 55.371.",
    ),
    Claim(
        "numbers.table-4.overall-epsilon",
        "article, Table 4 with Remark 4, section 5.4",
        "rho^2 = 55.371 converts to eps = 126.78 at delta = 10^-10 by eps = rho^2 + 2 rho sqrt(-ln delta).",
    ),
    Claim(
        "numbers.table-4.psa-range",
        "article, Table 4 with Remark 8 (dissertation, Table 3.4)",
        "The budgets of the PSA in Table 5 lie between 8.42 and 19.36, both attained.",
    ),
    Claim(
        "numbers.one-duplicate",
        "article, section 5.2 (dissertation, section 3.4.4)",
        "If imputation duplicates a contributor's record once, their PLB is rho^2 >= 221.48 (eps >= 364.31 at delta = "
        "10^-10) rather than rho^2 >= 55.37: doubling rho quadruples rho^2.",
    ),
    Claim(
        "post-imputation.factor.printed",
        "article, section 5.2 (dissertation, section 3.4.4)",
        "From post-imputation persons to persons as units the PLB (eps or rho) is inflated by a factor equal to the "
        "maximum number of times a record can be duplicated.",
    ),
    Claim(
        "post-imputation.factor",
        "stirred, repairing article, section 5.2",
        "From post-imputation persons to persons with one record each, which imputation duplicates at most m times, "
        "the PLB (eps or rho) is inflated by 1 + m, where a change of a person's answers changes their record and its "
        "duplicates only: the record itself counts too (one duplicate doubles rho).",
        repairs="post-imputation.factor.printed",
    ),
    Claim(
        "post-imputation.factor.nearest-donor",
        "stirred, on article, section 5.2",
        "Where a missing answer is taken from the nearest respondent, so that a change of a person's answers gives "
        "some records another donor, and each record is duplicated at most m times before and after the change, the "
        "factor is 1 + 2m, and is attained: up to m duplicates are lost and up to m others gained.",
    ),
    Claim(
        "units.household-person.printed",
        "article, section 5.4 (thirdly)",
        "A lower resolution like household-records provides more protection than a higher resolution like "
        "person-records (all else being equal): a household-level distance is a stronger notion than a person-level "
        "distance, d_HamS^hh <= d_HamS^p.",
    ),
    Claim(
        "units.household-person",
        "stirred, repairing article, section 5.4",
        "Where every person-record names its housing unit, and a household-record is its housing unit with its "
        "person-records and nothing else: over data sets with the same number of persons and the same housing units "
        "(vacant ones among them), d_HamS^hh <= 2 d_HamS^p and d_HamS^p <= b d_HamS^hh, where b bounds the persons of "
        "a household, with both factors attained.",
        repairs="units.household-person.printed",
    ),
    Claim(
        "psa.one-invariant-less.printed",
        "article, section 5.4",
        "Removing even one invariant from the PSA's DP specification would result in an infinite PLB. (Encoded: an "
        "invariant is one total n_mh. or n_m.s.)",
    ),
    Claim(
        "psa.one-invariant-less",
        "stirred, repairing article, section 5.4",
        "For 0 < p < 1, removing invariants from the PSA's DP specification results in an infinite PLB iff some two "
        "data sets with the same number of records agree on the invariants that are left and not on those removed, as "
        "where all the n_mh. are removed and a stratum has at least two holding categories, or all the n_m.s are and "
        "it has at least two swapping categories; the PLB stays as it was otherwise.",
        repairs="psa.one-invariant-less.printed",
    ),
    Claim(
        "psa.one-invariant-less.margins",
        "article, section 5.4, in the other reading",
        "Removing even one invariant from the PSA's DP specification would result in an infinite PLB. (Encoded: an "
        "invariant is one of the two tables of totals, all the n_mh. or all the n_m.s; 0 < p < 1, and some stratum has "
        "at least two holding and two swapping categories.)",
    ),
    Claim(
        "numbers.table-5",
        "article, Table 5 (dissertation, Table 3.5)",
        "For b = 13,475,623; 3,948,028; 3,420,628; 939,185; 6,204; 4,549 the total eps is 19.36, 18.13, 17.99, 16.70, "
        "11.68, 11.37 at p = 5% and 16.42, 15.19, 15.05, 13.75, 8.73, 8.42 at p = 50%.",
    ),
    Claim(
        "numbers.table-5.largest-stratum.printed",
        "article, section 5.3 (dissertation, section 3.4.3)",
        "The largest strata range from as large as b = 13.47 million (Table 5: 13,475,623) to as small as 4,549.",
    ),
    Claim(
        "numbers.table-5.largest-stratum",
        "stirred, repairing article, section 5.3",
        "The largest strata range from as large as b = 13.48 million (Table 5: 13,475,623) to as small as 4,549.",
        repairs="numbers.table-5.largest-stratum.printed",
    ),
    Claim(
        "numbers.table-5.nested",
        "article, section 5.3",
        "Within each level of V_Swap in Table 5, the row crossed with household size, which has more invariants, has a "
        "smaller b and at both swap rates a smaller eps.",
    ),
    Claim(
        "psa.budget.more-invariants.printed",
        "article, section 5.3",
        "When the swap rate p is fixed, including more invariants decreases the nominal PLB eps.",
    ),
    Claim(
        "psa.budget.more-invariants",
        "stirred, repairing article, section 5.3",
        "When the swap rate p is fixed, splitting strata by more matching variables does not increase the nominal PLB.",
        repairs="psa.budget.more-invariants.printed",
    ),
    Claim(
        "numbers.table-5.coarse-against-fine",
        "article, section 5.3",
        "Even p = 50% with free swaps across counties in a state renders an eps (16.42) larger than p = 5% among "
        "households of one size within a block group (11.37).",
    ),
    Claim(
        "numbers.table-5.ends",
        "article, Remark 8",
        "In Table 5 the combination of the higher swap rate and the finest strata gives the lowest eps, and the "
        "combination of the lower swap rate and the coarsest strata the highest.",
    ),
    Claim(
        "renyi.finite-where-multiplicative-infinite",
        "article, section 5.4 (fourthly)",
        "There exist probabilities P and Q with D_NoR(P, Q) arbitrarily small but D_Mult(P, Q) = oo.",
    ),
    Claim(
        "numbers.order-of-magnitude",
        "stirred, on article, section 5.4",
        "The 2020 DAS's eps = 126.78 is between 6.5 and 15.1 times as large as the budgets of Table 5.",
    ),
    Claim(
        "numbers.psa-at-half",
        "stirred, on article, sections 5.4 and 6.1",
        "At a swap rate of 50% the budgets of Table 5 are eps = 8.42-16.42, and at 5% they are 11.37-19.36.",
    ),
    Claim(
        "numbers.strata-against-rate",
        "article, section 6.1",
        "The granularity of swapping's invariants has a large numerical impact on eps (through b) while the swap rate "
        "has comparatively little: in Table 5 eps varies more over b at either rate than over the rates at any b.",
    ),
    Claim(
        "numbers.section-6.household-budget",
        "article, section 6.1",
        "eps = 15.19 at the household level with a swap rate of 50% (V_Match = State x household size, b = 3,948,028).",
    ),
    Claim(
        "numbers.slides.table",
        "slides, What if the 2020 Census used swapping?",
        "For b = 13680081; 3653802; 3445076; 853003; 21535; 11691 the total eps is 19.38, 18.06, 18.00, 16.60, 12.92, "
        "12.31 at p = 5% and 16.43, 15.11, 15.05, 13.66, 9.98, 9.37 at p = 50%; eps is between 9.37-19.38.",
    ),
    Claim(
        "sources.psa-budgets",
        "stirred, from article, Table 5, and slides",
        "Article and slides print different budgets for all six swapping schemes at p = 5% (19.36 against 19.38, 18.13 "
        "against 18.06, 17.99 against 18.00, 16.70 against 16.60, 11.68 against 12.92, 11.37 against 12.31) and for "
        "five of them at p = 50% (16.42 against 16.43, 15.19 against 15.11, 13.75 against 13.66, 8.73 against 9.98, "
        "8.42 against 9.37), the same one, 15.05, for County; their b differ in all six rows and explain every "
        "difference, and that of the ranges 8.42-19.36 and 9.37-19.38.",
    ),
    Claim(
        "sources.rho-squared",
        "stirred, from article, Theorem 2 and Tables 3 and 4, and slides, Theorem and table",
        "For the TDA slides print rho_TDA = 2.63 and rho_TDA = 15.29 in their theorem and rho^2 = 15.29, eps = 52.83 "
        "(delta = 10^-10) in their table; article prints rho^2 = 2.63 and rho^2 = 15.29. The numbers are rho^2: read "
        "as rho, 15.29 does not convert to 52.83, which is the conversion of a rho^2 that rounds to 15.29.",
    ),
    Claim(
        "sources.pl-conversions",
        "stirred, from article, Table 3, and the registry's record of the redistricting data",
        "At delta = 10^-10 the article prints eps = 17.90 (PL Person, rho^2 = 2.56) and 2.70 (PL Household, 0.07), the "
        "record 17.14 and 2.47: the article's numbers follow eps = rho^2 + 2 rho sqrt(-ln delta), the record's the "
        "smallest conversion over all Renyi orders, both at rho^2 = (542/339)^2 and 0.0748, which round to 2.56 and "
        "0.07.",
    ),
    Claim(
        "numbers.phsafe.bounded",
        "PHSafe, Table 10 with section 5.3",
        "The bounded privacy loss of each of the 46 rows is twice the unbounded one; the bounded ones sum to the "
        "S-DHC's rho^2 = 2.515 (article, Table 4).",
    ),
)

"""Claims of article, sections 3.4 to 3.6: the 1940 and 2010 numbers, and what the PSA's budget looks like."""

from spec.claims.claim import Claim

CLAIMS = (
    Claim(
        "numbers.massachusetts.largest-stratum",
        "article, section 3.4",
        "In the 1940 full count, the largest stratum delineated by V_Match (persons per household and state) in "
        "Massachusetts is b = 264,331, consisting of all two-person households.",
    ),
    Claim(
        "numbers.table-1",
        "article, Table 1",
        "In both two-way tables of dwellings by county and ownership every row total and every column total is the sum "
        "of its entries, and the totals of the swapped table are those of the original one.",
    ),
    Claim(
        "swapping.invariants.demonstration.printed",
        "article, section 3.4",
        "With V_Swap the county, V_Match the household size and state and V_Hold without V_Match the ownership: the "
        "invariants include 1) owned versus rented dwellings by household size at the state level and 2) dwellings by "
        "household size at the county level; in the notation of Proposition 4 these are the n_m.s's and the n_mh.'s, "
        "respectively; the county totals are invariant due to n_.h. = sum_m n_mh. and the totals by ownership due to "
        "n_..s = sum_m n_m.s.",
    ),
    Claim(
        "swapping.invariants.demonstration",
        "stirred, repairing article, section 3.4",
        "With V_Swap the county and V_Hold without V_Match the ownership, owned versus rented dwellings by household "
        "size are the n_mh.'s and dwellings by household size and county are the n_m.s's; the county totals are "
        "n_..s = sum_m n_m.s and the totals by ownership are n_.h. = sum_m n_mh. .",
        repairs="swapping.invariants.demonstration.printed",
    ),
    Claim(
        "numbers.table-2",
        "article, Table 2",
        "For b = 264,331, the swap rates p = 0.01, 0.05, 0.10, 0.50 correspond to eps = 17.08, 15.43, 14.68, 12.48.",
    ),
    Claim(
        "numbers.decennial-2010.ends",
        "article, section 3.5",
        "b = 3.65 million with a swap rate between 2% and 4% gives budgets whose ends are printed as 18.29 and 19.",
    ),
    Claim(
        "numbers.decennial-2010.printed",
        "article, section 3.5",
        "b = 3.65 million with a swap rate p between 2-4% implies that the nominal budget is between 18.29 and 19.",
    ),
    Claim(
        "numbers.decennial-2010.range",
        "stirred, repairing article, section 3.5",
        "b = 3,650,000 with 1/50 <= p <= 1/25 implies that the nominal budget is between 18.28 and 19.01.",
        repairs="numbers.decennial-2010.printed",
    ),
    Claim(
        "psa.coarser-matching",
        "article, section 3.5",
        "The b of a coarser swap key (fewer matching variables, the others staying in V_Hold) is an upper bound for "
        "the b of a finer one, so the budget (7) at the coarser b is at least the budget at the finer b.",
    ),
    Claim(
        "psa.budget.minimum",
        "article, section 3.6",
        "For each b, the smallest budget over all swap rates is eps^(b) = ln(b+1)/2, achieved by the swap rate "
        "p^(b) = sqrt(b+1)/(sqrt(b+1)+1). (Figure 2: b from 2.)",
    ),
    Claim(
        "numbers.minimum-budget",
        "article, section 3.6",
        "For b = 10, eps^(b) is 1.20, attained at p^(b) = 77%; for b = 10^6, eps^(b) is 6.91, at p^(b) = 99.9%.",
    ),
    Claim(
        "derangements.distance-ratio.printed",
        "article, section 3.6",
        "The ratio r of the number of derangements of size d_HamS(x, z) to the number of derangements of size "
        "d_HamS(x', z) is upper bounded by (b+1)^d_HamS(x, x'), for x, x' and z in one universe.",
    ),
    Claim(
        "derangements.distance-ratio",
        "stirred, repairing article, section 3.6",
        "If all records are in one stratum, the ratio of the number of derangements of size d_HamS(x, z) to that of "
        "size d_HamS(x', z) is at most (b+1)^d_HamS(x, x'), for x, x' and z in one universe.",
        repairs="derangements.distance-ratio.printed",
    ),
    Claim(
        "psa.selected-records.printed",
        "article, section 3.6",
        "Given x, for the output z the PSA selects d_HamS(x, z) records and then samples derangements of size "
        "d_HamS(x, z) uniformly at random.",
    ),
    Claim(
        "psa.selected-records.at-least",
        "stirred, repairing article, section 3.6",
        "Given x, for the output z the PSA deranges at least d_HamS(x, z) records, and a permutation that gives z has "
        "a probability that depends only on how many records it moves in each stratum: with k_m of the n_m records of "
        "stratum m, the product over the strata with n_m >= 2 of "
        "p^k_m (1-p)^(n_m-k_m) / ((1 - n_m p (1-p)^(n_m-1)) d(k_m)).",
        repairs="psa.selected-records.printed",
    ),
    Claim(
        "psa.budget.necessary.printed",
        "article, section 3.6",
        "This ratio r is upper bounded by (b+1)^d_HamS(x, x'), which means eps must be at least "
        "ln(b+1) - ln p + ln(1-p).",
    ),
    Claim(
        "psa.budget.sufficient",
        "stirred, repairing article, section 3.6",
        "An eps of ln(b+1) - ln p + ln(1-p) is enough for 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0.",
        repairs="psa.budget.necessary.printed",
    ),
    Claim(
        "psa.budget.two-rates",
        "article, section 3.6",
        "For every b >= 2 (those of Figure 2) and every budget eps > eps^(b), two different swap rates achieve that "
        "budget.",
    ),
    Claim(
        "numbers.two-rates.printed",
        "article, section 3.6",
        "At b = 10, a swap rate of either 35.4% or 95.2% achieves the nominal budget of eps = 3.",
    ),
    Claim(
        "numbers.two-rates",
        "stirred, repairing article, section 3.6",
        "At b = 10, a swap rate of either 35.4% or 95.3%, to this precision, achieves the nominal budget of eps = 3.",
        repairs="numbers.two-rates.printed",
    ),
    Claim(
        "randomized-response.loss",
        "article, section 3.6",
        "Randomized response with probability p > 0.5 of flipping the binary answer achieves the same budget "
        "eps = |ln o| with o = p/(1-p) as with probability 1 - p.",
    ),
    Claim(
        "psa.budget.larger-stratum.printed",
        "article, section 3.6",
        "For a larger b, a higher p is needed to achieve the same eps. (Encoded for b >= 2: every rate that achieves "
        "eps at the larger b is higher than every rate that achieves it at the smaller b.)",
    ),
    Claim(
        "psa.budget.larger-stratum",
        "stirred, repairing article, section 3.6",
        "For b >= 2, every rate that achieves at most eps at a larger b is above the smallest one that achieves eps at "
        "the smaller b.",
        repairs="psa.budget.larger-stratum.printed",
    ),
    Claim(
        "psa.budget.minimum-increases",
        "article, section 3.6",
        "The larger the b, the larger the minimum possible budget eps^(b).",
    ),
    Claim(
        "psa.coarser-matching.smaller.printed",
        "article, section 3.5",
        "Using the actual 2010 swap key (a finer one) would decrease the value of b and hence result in a smaller "
        "value of eps. (Encoded for any data set and any finer key: the 2010 data are not part of the sources.)",
    ),
    Claim(
        "psa.coarser-matching.smaller",
        "stirred, repairing article, section 3.5",
        "If a finer swap key splits every stratum that has b > 0 records and at least two distinct ones, then it "
        "decreases b, and for 0 < p <= 1/2 the budget (7).",
        repairs="psa.coarser-matching.smaller.printed",
    ),
)

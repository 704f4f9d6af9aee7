"""Claims of this project about the PSA's exact loss: all swap rates at once, budgets that depend on the universe."""

from spec.claims.claim import Claim

_GROWN = "stirred, from article, Theorem 4 and its closing remark"

CLAIMS = (
    Claim(
        "psa.exact.circuits",
        _GROWN,
        "In every universe of one stratum and for every swap rate, the smallest budget of the PSA is the largest "
        "(ln P_x(z) - ln P_x'(z))/d_HamS(x, x') over the x, x' that one circuit separates: x' arises from x by passing "
        "on the swapping categories of l records with different holding and different swapping categories in a "
        "circle, 2 <= l <= min(|H|, |S|) (the largest of none is 0, and no z counts where both probabilities are 0).",
    ),
    Claim(
        "psa.exact.all-rates",
        "stirred, from article, Theorem 1 and (7)",
        "For all p in (0, 1) at once, with o = p/(1-p): in one stratum of b >= 2 records, P_x(z) <= "
        "max{(b+1)/o, o}^d(x, x') * P_x'(z) for all x, x', z of the universe.",
    ),
    Claim(
        "psa.exact.sharpened",
        "stirred, sharpening article, Theorem 1",
        "For b >= 4 and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is a budget of the PSA in every universe "
        "with largest stratum b, where d(k) counts derangements; it is never above the printed max{(b+1)/o, o}.",
    ),
    Claim(
        "psa.exact.sharpened.attained",
        "stirred, from article, Theorem 3 (C)",
        "For every b >= 4 there is a universe with largest stratum b in which the PSA's smallest budget has e^eps >= "
        "sqrt(d(b)/d(b-2))/o for all p in (0, 1), namely that with margins (m, m, 1, 1) or (m, m, 1, 1, 1) on both "
        "sides.",
    ),
    Claim(
        "psa.exact.sharpened.smallest",
        "stirred, from article, Theorem 3",
        "For b = 2 and for b >= 4, and all p in (0, 1), e^eps = max{sqrt(d(b)/d(b-2))/o, o} is the smallest budget of "
        "the PSA, over all universes with largest stratum b of all domains, that depends on b and p alone.",
    ),
    Claim(
        "psa.exact.two-categories",
        _GROWN,
        "If a universe of one stratum of n >= 3 records has two holding categories or two swapping categories, then "
        "for all p in (0, 1) eps = (1/2) ln max{o^2, (n+1/2)/o^2 + (n-1)/o} is a budget of the PSA: (1/2) ln n where "
        "the printed one has ln n.",
    ),
    Claim(
        "psa.exact.half",
        _GROWN,
        "Conjectured: if a universe of one stratum of n >= 2 records has two holding or two swapping categories, then "
        "for all p in (0, 1) eps = (1/2) ln max{(n+1)/o, (1+2/o)^2, o^2} is a budget of the PSA: half of the printed "
        "budget ln(n+1) - ln o, as soon as n + 1 >= (o+2)^2/o and n + 1 >= o^3.",
    ),
    Claim(
        "psa.exact.single-record",
        _GROWN,
        "In a universe of one stratum of n >= 2 records, let one holding category hold one record and one other the "
        "rest, and let at least two swapping categories hold records: c_s > 0 of them in s. Then for all p in (0, 1) "
        "the loss is (1/2) ln of the largest of q_s/r_s and r_s/q_s over these swapping categories s, with q_s = 1 - "
        "mu + mu(c_s-1)/(n-1), r_s = mu*c_s/(n-1) and mu = p(1-(1-p)^(n-1))/(1-n*p*(1-p)^(n-1)).",
    ),
    Claim(
        "psa.exact.three-categories",
        _GROWN,
        "In the universe with row and column margins (n-2, 1, 1), n >= 4, the loss of the PSA is at least "
        "(1/2) ln(n(n-1)) + ln(1-p) - ln 2 for all p in (0, 1): three categories on both sides suffice for the printed "
        "growth ln n.",
    ),
    Claim(
        "psa.exact.balanced",
        _GROWN,
        "In the universe with row and column margins (m, m), m >= 2, n = 2m, the loss of the PSA for 0 < p <= 1/2 is "
        "(1/2) ln of (d(n)/d(n-2)/o^2 + (n-2)*d(n)/d(n-1)/o + (m-1)^2)/m^2; as m grows it tends to ln(1 + 2/o) = "
        "ln((2-p)/p): it stays bounded.",
    ),
    Claim(
        "psa.exact.threshold",
        _GROWN,
        "For fixed 0 < t < 1/2 and p in (0, 1), in the universes with row and column margins (n - floor(tn), "
        "floor(tn)), the loss of the PSA stays bounded as n grows if t > (1-p)(1-t), and it grows like (1/2) ln n if "
        "t < (1-p)(1-t).",
    ),
    Claim(
        "psa.exact.massachusetts.households",
        "stirred, from article, section 3.4 and Table 2",
        "For strata of up to b = 264,331 households in two tenures the certificates of moved_mass give budgets below "
        "8.64, 7.79, 7.38 and 6.26 at p = 1%, 5%, 10% and 50%, where the article prints 17.08, 15.43, 14.68 and 12.48.",
    ),
    Claim(
        "psa.exact.massachusetts.dwellings",
        "stirred, from article, section 3.4 and Table 1",
        "If the table of 1,144,424 dwellings, 435,805 owned and 708,619 rented, is one stratum, the certificates of "
        "moved_mass give a budget below 1.66 at p = 50%, whatever the counties' totals; (7) gives 13.95.",
    ),
)

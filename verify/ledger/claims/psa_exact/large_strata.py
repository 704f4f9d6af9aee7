"""Budgets of the PSA for large strata, certified and proved: Massachusetts, and the limit of two large rows."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import floor

from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.swapping.balanced_rows import balanced_budget, balanced_certificates
from stirred.verify.engines.swapping.moved_mass import concentrated_certificate
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import Check, argued, cases, every, mutant, own, printed, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES
from stirred.verify.ledger.claims.psa_exact.every_rate import GROWN
from stirred.verify.ledger.claims.psa_exact.growth import loss_squared
from stirred.verify.ledger.language_names import ln


def households(stated: Mapping[str, str]) -> Check:
    """Whether the certified budgets for strata of up to 264,331 households in two tenures are below stated ones."""
    found = cases(
        "p = 1%, 5%, 10% and 50%; r is what moved_mass certifies",
        "r stated",
        lambda: ((_household_bound(rate), Fraction(most)) for rate, most in stated.items()),
    )
    return every(found, lambda r, stated: ln(r) / 2 <= stated, verdict=Verdict.ENCLOSED)


def _household_bound(rate: str) -> Fraction:
    found = concentrated_certificate(264_331, Fraction(rate))
    if found is None or not found.is_accepted():
        raise EngineError(f"no certificate closes at p = {rate}")
    return Fraction(found.rn, found.rd)


def _seven(b: str, printed_at: Mapping[str, str], scope: str) -> Check:
    """Whether (7) is as printed, at such swap rates."""
    rows = [
        PrintedRow.of_texts(f"(7) at p = {p}", n, "ln((b + 1)*(1 - p)/p)", {"b": b, "p": p})
        for p, n in printed_at.items()
    ]
    return printed(rows, scope)


_STATED = {"1/100": "8.60", "1/20": "7.75", "1/10": "7.37", "1/2": "6.25"}
_PRINTED = {"1/100": "17.08", "1/20": "15.43", "1/10": "14.68", "1/2": "12.48"}
_PROVED = {"29665960": "8.61", "5358648": "7.75", "2496399": "7.37", "270309": "6.26"}
proved_bounds = cases(
    "the bounds r of e^(2 eps) that Coq proves, at p = 1%, 5%, 10% and 50%",
    "r stated",
    lambda: ((int(r), Fraction(stated)) for r, stated in _PROVED.items()),
)
_IN_NATS = f"exp and ln of the reals, the probabilities in a field inside them, as rational ones are; {CATEGORIES}"
half_log_below = lambda r, stated, less: ln(r) / 2 <= stated - less

own("psa.exact.massachusetts.households", "article, section 3.4 and Table 2")(
    """In every universe with two categories and strata of up to b = 264,331 households, as of two tenures, the PSA
    satisfies budgets below 8.61, 7.75, 7.37 and 6.26 at p = 1%, 5%, 10% and 50%, where (7) gives 17.08, 15.43, 14.68
    and 12.48.""",
    theorem("budget_numbers.households_below", within=_IN_NATS),
    theorem("checked_budget.households_budget", "checked_budget.checked_pure_dp", within=CATEGORIES),
    every(proved_bounds, half_log_below, less=0),
    mutant("certificates of moved_mass lower by 1/2", households({"1/100": "8.10"})),
    mutant("budgets lower by 1/100", {"less": Fraction(1, 100)}),
    households(_STATED),
    _seven("264331", _PRINTED, "b = 264,331"),
    reading="""the certificates of Coq; those that moved_mass finds, which Coq's checker accepts too, come to 8.60,
    7.75, 7.37 and 6.25""",
)

DWELLINGS, HALVES = (435_805, 708_619), (500_000, 500_000)
_balanced = cache(balanced_budget)


def two_large(rows: tuple[int, int], rate: str, stated: str) -> Check:
    """Whether the certified budget of two categories is below a stated one."""
    scope = "the certificate's arithmetic; that it bounds the loss is a theorem of Coq"
    found = cases(scope, "gamma root stated", lambda: [(*_large_bound(rows, rate), Fraction(stated))])
    return every(found, lambda gamma, root, stated: ln(gamma) / root <= stated, verdict=Verdict.ENCLOSED)


def _large_bound(rows: tuple[int, int], rate: str) -> tuple[Fraction, int]:
    found = _balanced(*rows, Fraction(rate))
    if found is None or found.gamma is None:
        raise EngineError("no certificate closes")
    return found.gamma, int(found.distance)


_BY_SIZES = ("checked_budget.checked_sizes_pure_dp", "balanced_budget.balanced_pure_dp")

own("psa.exact.massachusetts.dwellings", "article, section 3.4 and Table 1")(
    """If the table of 1,144,424 dwellings, 435,805 owned and 708,619 rented, is one stratum, the PSA at p = 50%
    satisfies a budget below 1.472, whatever the counties' totals; (7) gives 13.95.""",
    theorem("budget_numbers.dwellings_below", within=_IN_NATS),
    theorem("checked_budget.dwellings_budget", "checked_budget.sizes_are_met", *_BY_SIZES, within=CATEGORIES),
    two_large(DWELLINGS, "1/2", "1.472"),
    _seven("1144424", {"1/2": "13.95"}, "b = 1,144,424 at p = 50%"),
    mutant("1.471 for 1.472", two_large(DWELLINGS, "1/2", "1.471")),
    mutant("the 708,619 rented ones alone for (7)", _seven("708619", {"1/2": "13.95"}, "b = 708,619 at p = 50%")),
)

own("psa.exact.two-large", GROWN)(
    """In every universe of one stratum with two holding categories of 500,000 records each the PSA at p = 75% satisfies
    a budget below 0.511; (7) gives 12.72.""",
    theorem("budget_numbers.halves_below", within=_IN_NATS),
    theorem("checked_budget.halves_budget", *_BY_SIZES, within=CATEGORIES),
    two_large(HALVES, "3/4", "0.511"),
    _seven("1000000", {"3/4": "12.72"}, "b = 1,000,000 at p = 75%"),
    mutant("0.5108 for 0.511", two_large(HALVES, "3/4", "0.5108")),
    mutant("500,000 records for (7)", _seven("500000", {"3/4": "12.72"}, "b = 500,000 at p = 75%")),
)

threshold = lambda n1, n2, o: (n1 + n2) / (2 + o)
limit = lambda n1, n2, c: n1 * n2 / ((n1 - c) * (n2 - c))

large = cases(
    "rows of 10^9 to 2*10^9 records, o = 1, 3/2, 3, and the bound r of e^(2 eps) found",
    "n1 n2 o r",
    lambda: (
        (n1, n2, odds, min(one.quotient for one in balanced_certificates(n1, n2, odds)))
        for n1, n2 in ((10**9, 10**9), (2 * 10**9, 3 * 10**9), (10**9, 2 * 10**9))
        for odds in map(Fraction, ("1", "3/2", "3"))
        if (2 + odds) * n1 > n1 + n2
    ),
)
at_most_limit = lambda r, more, n1, n2, o: r <= (1 + more) * limit(n1, n2, threshold(n1, n2, o))

own("psa.exact.limit", GROWN)(
    """Fix rational p in (0, 1) and n1, n2 above c = n/(2+o), where n = n1 + n2 and o = p/(1-p). Each eps > (1/2)
    ln(n1*n2/((n1-c)*(n2-c))) has an N such that eps is a budget of the PSA in every universe in which each stratum
    has N or more records, in two holding or in two swapping categories whose sizes have a quotient between n1/n2
    and n2/n1.""",
    theorem(
        *("balanced_limit.balanced_limit_pure_dp", "balanced_limit.near_equal_pure_dp"),
        *("balanced_limit.balances_large", "balanced_budget.balanced_pure_dp"),
        within=CATEGORIES,
    ),
    every(large, at_most_limit, more=Fraction(1, 50)),
    mutant("below the limit", {"more": 0}),
    every(
        large,
        lambda n1, n2, o: all(
            limit(n1, n2, c) == 1 + (1 + o) * c**2 / ((n1 - c) * (n2 - c)) for c in {threshold(n1, n2, o)}
        ),
    ),
)

_TWO_HUNDRED = {"1": (100, 80), "3/2": (100, 80), "3": (100, 66)}
reached = cases(
    "two rows and columns of 200 records in all, o = 1, 3/2, 3, and r <= e^(2 eps) of the exact loss",
    "n1 n2 o r",
    lambda: (
        (n, 200 - n, o, Fraction(floor(loss_squared((n, 200 - n), o / (1 + o)) * 10**6), 10**6))
        for o, smaller in ((Fraction(odds), smaller) for odds, smaller in _TWO_HUNDRED.items())
        for n in smaller
    ),
)
at_least_limit = lambda r, less, n1, n2, o: r >= (1 - less) * limit(n1, n2, threshold(n1, n2, o))

own("psa.exact.limit.attained", GROWN)(
    """No smaller eps than in psa.exact.limit will do: fix p in (0, 1), and n1, n2 above c = n/(2+o), where n = n1 + n2
    and o = p/(1-p). Each eps < (1/2) ln(n1*n2/((n1-c)*(n2-c))) has a K such that eps is no budget of the PSA in the
    universe of one stratum with two rows and two columns of k*n1 and k*n2 records, k >= K.""",
    theorem("balanced_attained.limit_attained", within=CATEGORIES),
    every(reached, at_least_limit, less=Fraction(1, 10)),
    mutant("a tenth above the limit", {"less": Fraction(-1, 10)}),
)

own("psa.exact.large-rates", GROWN)(
    """Fix p in (0, 1) and t > 0. In all universes of one stratum in which each holding category that occurs has more
    than (1-p+t)*n of the n records, the loss of the PSA is at most a number that depends on p and t alone, whatever the
    swapping categories; of H equal holding categories this asks for p > 1 - 1/H.""",
    argued(
        "all p in (0, 1), all t > 0",
        proof="""Given the output, permutations that move less than a fixed share of the records of a row have an
            exponentially small share of the likelihood, since to move one more multiplies it by at least a/(a+1) times
            o*(n_h - a)/k > 1. So an exchange of two records costs at most a constant, and two data sets at distance d
            are at most d exchanges apart (8. of verify.engines.swapping.balanced_rows).""",
    ),
)

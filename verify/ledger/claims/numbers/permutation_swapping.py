"""The numbers of article, sections 3.4 to 3.6: Tables 1 and 2, the 2010 Census, the smallest budget."""

from fractions import Fraction
from functools import partial

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim_numbers import rows
from stirred.verify.ledger import cases, every, mutant, printed, state, unsettled
from stirred.verify.ledger.claims.numbers.tables import budget_of_swapping
from stirred.verify.ledger.language_names import ln

_SLIDE = "slides, Numerical demonstration: 1940 Census full count data"
_ENTRIES = rows("massachusetts-1940.table-1")
_CELLS = [
    tuple(int(number.value) for number in (row.inputs["owned"], row.inputs["rented"], row.printed)) for row in _ENTRIES
]
_BOTH = (_CELLS[::2], _CELLS[1::2])
_BOTH_TABLES = cases(
    "all 14 counties and the total line, before and after swapping",
    "original swapped",
    lambda: zip(*_BOTH, strict=True),
)
_COLUMNS = cases(
    "owned, rented and total, before and after swapping",
    "original swapped",
    lambda: zip(*(zip(*table, strict=True) for table in _BOTH), strict=True),
)

totals_agree = lambda original, swapped, total, rented: (
    original[0] + original[1] == original[2] == swapped[total] == swapped[0] + swapped[rented]
)

state("numbers.table-1", "article, Table 1 and section 3.4", "dissertation, Table 3.1 and section 3.2.4", _SLIDE)(
    """The row margin of either table is the county-level total dwellings and is invariant … The column margin is the
    total number of owned versus rented dwellings in Massachusetts and is invariant …""",
    every(_BOTH_TABLES, totals_agree, rented=1, total=2),
    mutant("columns of the swapped table exchanged", {"rented": 2, "total": 1}),
    every(_COLUMNS, lambda original, swapped: sum(original[:-1]) == original[-1] == swapped[-1] == sum(swapped[:-1])),
    reading="every total of Table 1 is the sum of its entries, and the same before and after swapping",
)

_TABLE_2 = "b = 264,331, the four printed swap rates, half a unit of the second place"

state("numbers.table-2", "article, Table 2", "dissertation, Table 3.2", _SLIDE)(
    "p 0.01 0.05 0.10 0.50, eps 17.08 15.43 14.68 12.48 … the largest stratum size is b = 264,331 …",
    printed(rows("massachusetts-1940"), _TABLE_2),
    mutant("b = 264,331 doubled", printed(rows("massachusetts-1940", {"264331": "528662"}), _TABLE_2)),
    mutant("15.34 for 15.43", printed(rows("massachusetts-1940", {"15.43": "15.34"}), _TABLE_2)),
)

state("numbers.massachusetts.largest-stratum", "article, section 3.4", "dissertation, section 3.2.4", _SLIDE)(
    """Under the current swapping scheme, the largest stratum size delineated by V_Match is b = 264,331, consisting of
    all two-person households of Massachusetts.""",
    unsettled("needs the 1940 full count microdata, which the article does not print"),
)

_ENDS_2010 = "b = 3,650,000, p = 4% and 2%, at the printed precision (two places, none)"

_RATES_OF_2010 = cases(
    "b = 3,650,000; p = 2%, 2.1%, ..., 4%", "b p", lambda: ((3_650_000, Fraction(rate, 1000)) for rate in range(20, 41))
)
_within = partial(
    every, _RATES_OF_2010, lambda b, p, low, high: low <= ln(budget_of_swapping(b, p)) <= high, verdict=Verdict.ENCLOSED
)

_SWAP_RATES = ("article, section 3.5", "dissertation, section 3.2.5", "dissertation, section 4.4.1")

state("numbers.decennial-2010.printed", *_SWAP_RATES)(
    """Combining b = 3.65 million with a purported swap rate p between 2-4% implies that the nominal budget eps is
    between 18.29 and 19.""",
    printed(rows("das-2010-as-psa"), _ENDS_2010),
    _within(low=Fraction("18.28"), high=Fraction("19.01")),
    mutant("b = 3.70 million", printed(rows("das-2010-as-psa", {"3.65 million": "3.70 million"}), _ENDS_2010)),
    mutant("18.92 for 18.29", printed(rows("das-2010-as-psa", {"18.29": "18.92"}), _ENDS_2010)),
    mutant("the printed interval, without rounding", _within(low=Fraction("18.29"), high=Fraction(19))),
    reading="""18.29 and 19 are the budgets at 4% and 2% as rounded, like every printed budget; between these rates the
    budget decreases in p, so that without rounding all are between 18.28 and 19.01""",
)

_MINIMUM = "b = 10 and b = 10^6, at the printed precision"
_MILLION = rows("psa.smallest-budget.million")

state("numbers.minimum-budget", "article, section 3.6", "dissertation, section 3.5.1")(
    """For example, when b = 10, eps^(b) is 1.20 (attained at p^(b) = 77%); whereas when b = 10^6, eps^(b) is 6.91 (at
    p^(b) = 99.9%).""",
    printed((*rows("psa.smallest-budget.10"), *_MILLION), _MINIMUM),
    mutant("1.21 for 1.20", printed((*rows("psa.smallest-budget.10", {"1.20": "1.21"}), *_MILLION), _MINIMUM)),
    mutant("78% for 77%", printed((*rows("psa.smallest-budget.10", {"77%": "78%"}), *_MILLION), _MINIMUM)),
)

_RATES_OF_3 = cases(
    "b = 10 and the two printed rates, each with the next tenth of a per cent beyond it",
    "b p beyond",
    lambda: ((10, Fraction(rate, 1000), Fraction(beyond, 1000)) for rate, beyond in ((354, 353), (952, 953))),
)
_FARTHER = cases("the same with 95.3%", "b p beyond", lambda: ((10, Fraction(953, 1000), Fraction(954, 1000)),))

at_most_3 = lambda b, p, beyond: ln(budget_of_swapping(b, p)) <= 3 < ln(budget_of_swapping(b, beyond))

state("numbers.two-rates.printed", "article, section 3.6", "dissertation, section 3.5.1")(
    "For example at b = 10, a swap rate of either 35.4% or 95.2% achieves the nominal budget of eps = 3.",
    every(_RATES_OF_3, at_most_3, verdict=Verdict.ENCLOSED),
    mutant("95.3%", _FARTHER),
    printed(rows("psa.rates-for-budget-3"), "b = 10, at the printed precision"),
    reading="""a rate achieves a budget where (7) is at most it, and is it at the printed precision; in tenths of a per
    cent the two are the ends of the rates that do. So the higher one, 95.26%, is rounded to the side at which 3 is met:
    at 95.3% (7) is above 3. That is not the gap of the decimals that are cut off elsewhere (figures.count.noise,
    optimality.bound-value.printed), where the number printed is not what the sentence says it is""",
)

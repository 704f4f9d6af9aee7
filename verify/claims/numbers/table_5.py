"""Table 5 of the article: the budgets of swapping for the 2020 Census, their order, and the slides' earlier table."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from verify.audit.published import rows
from verify.claims.numbers.tables import RATES, SCHEMES, TABLE_5, entries, table_5
from verify.engines.number_table import PrintedRow
from verify.ledger.answers import printed, unsettled
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import misprint, state
from verify.ledger.words import define

_TWELVE = "the six printed b at two swap rates by (7), half a unit of the second place"
_SIX_PERCENT = {"5%": "6%"}

state(
    "numbers.table-5",
    "article, Table 5",
    "dissertation, Table 3.5",
    printed="State 13,475,623 19.36 16.42; State x household size 3,948,028 18.13 15.19; County 3,420,628 17.99 "
    "15.05; County x household size 939,185 16.70 13.75; Block group 6,204 11.68 8.73; Block group x household size "
    "4,549 11.37 8.42",
    reading="b, and eps by (7) at p = 5% and at p = 50%",
    checks=[printed(table_5(), _TWELVE)],
    mutants={
        "p = 6% for 5%": printed(table_5(_SIX_PERCENT), _TWELVE),
        "13.57 for 13.75": printed(rows("psa-2020.county-size", {"13.75": "13.57"}), _TWELVE),
    },
)

state(
    "numbers.table-5.inputs",
    "article, Table 5",
    "dissertation, Table 3.5",
    printed="The column b is the number of households in the largest stratum, obtained from the Demographic and "
    "Housing Characteristics File. (The California and Florida block groups identified in rows 5 and 6 have 2020 "
    "Census GEOIDs 060730187001 and 121199114024, respectively.)",
    reading="that 13,475,623; 3,948,028; 3,420,628; 939,185; 6,204 and 4,549 are these six numbers",
    checks=[unsettled("needs the counts of households of that file, which no source prints")],
)

_ENDS = "the first and the last b of Table 5, at the printed precision"
_ROUNDED = {"13.47 million": "13.48 million"}

state(
    "numbers.table-5.largest-stratum.printed",
    "article, section 5.3",
    "dissertation, section 3.4.3",
    printed="… b ranging from as large as 13.47 million (the total number of households in California) to as small as "
    "4,549 …",
    grade=misprint("Table 5 prints 13,475,623: cut off, not rounded"),
    checks=[printed(rows("psa-2020.largest-strata"), _ENDS)],
)

state(
    "numbers.table-5.largest-stratum",
    "article, section 5.3",
    claim="The largest strata range from as large as b = 13.48 million (Table 5: 13,475,623) to as small as 4,549.",
    repairs="numbers.table-5.largest-stratum.printed",
    checks=[printed(rows("psa-2020.largest-strata", _ROUNDED), _ENDS)],
    mutants={"13.47 million as printed": printed(rows("psa-2020.largest-strata"), _ENDS)},
)

_NESTED = cases("the three pairs of rows of Table 5 at both rates: exact budgets (7)", "coarse fine p")(
    lambda: ((TABLE_5[i].b, TABLE_5[i + 2].b, TABLE_5[i].p) for i in (0, 1, 4, 5, 8, 9))
)

_SMALLER = "coarse > fine and budget_of_swapping(coarse, p) > budget_of_swapping(fine, p)"

state(
    "numbers.table-5.nested",
    "article, section 5.3",
    claim="Within each level of V_Swap in Table 5, the row crossed with household size has a smaller b and at both "
    "swap rates a smaller eps.",
    checks=[every(_NESTED, _SMALLER)],
    mutants={"larger for smaller": every(_NESTED, _SMALLER.replace("p) >", "p) <"))},
)

define({"largest_of_two(sizes)": "max([0] + [n for n in sizes if n > 1])"})


@cases(
    "a stratum of 2 to 8 different records split in two beside one of 0 to 8, p in {1/20, 1/2, 19/20}",
    "size part other p",
)
def _splits() -> Iterator[Any]:
    for size, other, p in product(range(2, 9), range(9), (*RATES, Fraction(19, 20))):
        for part in range(1, size // 2 + 1):
            yield size, part, other, p


_SPLIT = "budget_of_swapping(largest_of_two([part, size - part, other]), p)"
_WHOLE = "budget_of_swapping(largest_of_two([size, other]), p)"

state(
    "psa.budget.more-invariants.printed",
    "article, section 5.3",
    "dissertation, section 3.4.3",
    printed="When the swap rate p is fixed, including more invariants decreases the nominal PLB eps of the PSA.",
    reading="matching variables that split strata do not increase (7)",
    checks=[every(_splits, f"{_SPLIT} <= {_WHOLE}")],
    mutants={
        "decreases for does not increase": every(_splits, f"{_SPLIT} < {_WHOLE}"),
        "increases": every(_splits, f"{_SPLIT} >= {_WHOLE}"),
    },
)

_COARSE, _FINE = TABLE_5[0].b, TABLE_5[-1].b


def _two_entries(high: Fraction, low: Fraction) -> Cases:
    scope = "State at the high rate, Block group x household size at the low one: exact budgets (7)"
    return cases(scope, "coarse high fine low")(lambda: [(_COARSE, high, _FINE, low)])


_ABOVE = "budget_of_swapping(coarse, high) > budget_of_swapping(fine, low)"

state(
    "numbers.table-5.coarse-against-fine",
    "article, section 5.3",
    "dissertation, section 3.4.3",
    printed="As Table 5 shows, when swaps are performed freely across counties in a state, even a high swap rate of "
    "50% renders a nominal eps that is much larger than that pertaining to swaps among households of the same size "
    "within a block group at a low swap rate of 5% (eps = 16.42 and 11.37, respectively).",
    checks=[
        every(_two_entries(RATES[1], RATES[0]), _ABOVE),
        printed([table_5()[1], table_5()[-2]], "the two entries, at the printed precision"),
    ],
    mutants={"p = 1/10^5 for 5%": every(_two_entries(RATES[1], Fraction(1, 10**5)), _ABOVE)},
)

_ENTRIES = cases("all twelve entries of Table 5: exact budgets (7)", "b p")(lambda: ((one.b, one.p) for one in TABLE_5))

_BETWEEN = "budget_of_swapping(fine, high) <= budget_of_swapping(b, p) <= budget_of_swapping(coarse, low)"
_EXTREMES: dict[str, Any] = {"coarse": _COARSE, "fine": _FINE, "low": RATES[0], "high": RATES[1]}

state(
    "numbers.table-5.ends",
    "article, Remark 8",
    "dissertation, section 3.4.1",
    printed="… the combination of a higher swap rate and finer geography-household strata giving rise to the lower "
    "range and vice versa (Table 5).",
    checks=[every(_ENTRIES, _BETWEEN, **_EXTREMES)],
    mutants={"the rates exchanged": every(_ENTRIES, _BETWEEN, **{**_EXTREMES, "low": RATES[1], "high": RATES[0]})},
)

_RANGE = "the two ends, at the printed precision"

state(
    "numbers.table-4.psa-range",
    "article, Table 4",
    "dissertation, Table 3.4",
    printed="Swapping (PSA) … eps between 8.42-19.36",
    reading="the budgets of Table 5, as Remark 8 says",
    checks=[printed(rows("psa-2020.range"), _RANGE), every(_ENTRIES, _BETWEEN, **_EXTREMES)],
    mutants={
        "8.43 for 8.42": printed(rows("psa-2020.range", {"8.42": "8.43"}), _RANGE),
        "the budgets at 50% alone": every(_ENTRIES, _BETWEEN, **{**_EXTREMES, "low": RATES[1]}),
    },
)


def _column(p: Fraction) -> tuple[Fraction, ...]:
    return tuple(entry.printed for entry in TABLE_5 if entry.p == p)


def _columns(at_half: str) -> Cases:
    ends = ((RATES[1], ("8.42", at_half)), (RATES[0], ("11.37", "19.36")))
    found = [(_column(p), *map(Fraction, pair)) for p, pair in ends]
    return cases("the printed budgets of Table 5 at 50% and at 5%", "column smallest largest")(lambda: found)


_ENDS_OF = "min(column) == smallest and max(column) == largest"

state(
    "numbers.psa-at-half",
    "article, section 5.4",
    "article, section 6.1",
    claim="At a swap rate of 50% the budgets of Table 5 are eps = 8.42-16.42, and at 5% they are 11.37-19.36.",
    checks=[every(_columns("16.42"), _ENDS_OF)],
    mutants={"19.36 for 16.42 at 50%": every(_columns("19.36"), _ENDS_OF)},
)

_STATE_SIZE_AT_HALF = "b = 3,948,028 at p = 50%, by (7)"

state(
    "numbers.section-6.household-budget",
    "article, section 6.1",
    printed="… an increase in PLB from eps = 15.19 at the household level …",
    reading="V_Match = State x household size at the swap rate of 50% that the sentence before names",
    checks=[printed(rows("psa-2020.state-size")[1:], _STATE_SIZE_AT_HALF)],
    mutants={"15.91 for 15.19": printed(rows("psa-2020.state-size", {"15.19": "15.91"})[1:], _STATE_SIZE_AT_HALF)},
)

_COMPARED = cases(
    "the budgets of Table 5 at 50%; the range of section 5.4, the number of section 6.1", "half ends one"
)(lambda: [(_column(RATES[1]), [row.printed.value for row in rows("psa-2020.range")], _column(RATES[1])[1])])

state(
    "sources.swapping-at-half",
    "article, section 5.4",
    "article, section 6.1",
    claim="Both sections compare the TDA's eps = 52.83 with swapping at a rate of 50%: section 5.4 by the range "
    "8.42-19.36, section 6.1 by 15.19. By Table 5, 8.42 and 15.19 are budgets at 50%; 19.36 is none, and no budget at "
    "50% exceeds 16.42.",
    checks=[every(_COMPARED, "ends[0] in half and one in half and max(half) < ends[1]")],
    mutants={"19.36 at 50% too": every(_COMPARED, "ends[0] in half and one in half and ends[1] in half")},
)

_WHOLE_TABLE = cases("exact budgets (7) over the six b at each rate, and over the two rates at each b", "sizes rates")(
    lambda: [(tuple(entry.b for entry in TABLE_5[::2]), RATES)]
)

_BY_STRATA = "min([budget_of_swapping(sizes[0], p) / budget_of_swapping(sizes[-1], p) for p in rates])"
_BY_RATE = "max([budget_of_swapping(b, rates[0]) / budget_of_swapping(b, rates[-1]) for b in sizes])"

state(
    "numbers.strata-against-rate",
    "article, section 6.1",
    printed="Analysis in Section 5.3 also indicates that the granularity of swapping's invariants has a large "
    "numerical impact on the PLB eps (through the largest stratum size b), while the swap rate has comparatively "
    "little influence.",
    reading="in Table 5 eps varies more over b at either rate than over the rates at any b",
    checks=[every(_WHOLE_TABLE, f"{_BY_STRATA} > {_BY_RATE}")],
    mutants={"less for more": every(_WHOLE_TABLE, f"{_BY_STRATA} < {_BY_RATE}")},
)

_AGAINST_DAS = cases("126.78 against the twelve printed budgets of Table 5, exactly", "das budget")(
    lambda: ((rows("das-2020.total")[1].printed.value, entry.printed) for entry in TABLE_5)
)

_TIMES = "low*budget <= das <= high*budget"

state(
    "numbers.order-of-magnitude",
    "article, section 5.4",
    claim="The 2020 DAS's eps = 126.78 is between 6.5 and 15.1 times as large as the budgets of Table 5.",
    checks=[every(_AGAINST_DAS, _TIMES, low=Fraction("6.5"), high=Fraction("15.1"))],
    mutants={"ten times for 6.5": every(_AGAINST_DAS, _TIMES, low=10, high=Fraction("15.1"))},
)

_SLIDES = (
    ("13680081", "19.38", "16.43"),
    ("3653802", "18.06", "15.11"),
    ("3445076", "18.00", "15.05"),
    ("853003", "16.60", "13.66"),
    ("21535", "12.92", "9.98"),
    ("11691", "12.31", "9.37"),
)
"""The slides' b and budgets, in the order of `SCHEMES`."""


def _slides(p: Fraction = RATES[0], sizes: tuple[str, ...] | None = None) -> tuple[PrintedRow, ...]:
    """The slides' budgets, at another low rate or with other b for a mutant."""
    found, formula = [], table_5()[0].formula
    for i, (b, *texts) in enumerate(_SLIDES):
        for rate, text in zip((p, RATES[1]), texts, strict=True):
            inputs = {"b": b if sizes is None else sizes[i], "p": str(rate)}
            found.append(PrintedRow.of_texts(f"{SCHEMES[i]} at p = {rate}", text, formula, inputs))
    return tuple(found)


_BUDGETS = tuple(tuple(entry.printed for entry in entries(table)) for table in (table_5(), _slides()))
_SLIDES_RANGE = cases("the slides' twelve budgets and the range of their overview", "column smallest largest")(
    lambda: [(_BUDGETS[1], Fraction("9.37"), Fraction("19.38"))]
)

state(
    "numbers.slides.table",
    "slides, What if the 2020 Census used swapping?",
    printed="state 13680081 19.38 16.43; state x household size 3653802 18.06 15.11; county 3445076 18.00 15.05; "
    "county x household size 853003 16.60 13.66; block group 21535 12.92 9.98; block group x household size 11691 "
    "12.31 9.37 … eps between 9.37-19.38",
    reading="b, and eps by (7) at p = 5% and at p = 50%",
    checks=[printed(_slides(), _TWELVE), every(_SLIDES_RANGE, _ENDS_OF)],
    mutants={"p = 6% for 5%": printed(_slides(Fraction(3, 50)), _TWELVE)},
)

_SIDE_BY_SIDE = cases("the twelve printed budgets of Table 5 and of the slides' table, in order", "article slides")(
    lambda: [_BUDGETS]
)

_ALIKE = "[i for i, pair in enumerate(zip(article, slides)) if pair[0] == pair[1]] == alike"
_OWN_SIZES = "the six swapping schemes at p = 5% and 50%: each table by (7) at its own b"

state(
    "sources.psa-budgets",
    "article, Table 5",
    "slides, What if the 2020 Census used swapping?",
    claim="Article and slides print different budgets for all six swapping schemes at p = 5% and for five of them at "
    "p = 50%, the same one, 15.05, for County; their b differ in all six rows and explain every difference, and that "
    "of the ranges 8.42-19.36 and 9.37-19.38.",
    checks=[
        printed((*table_5(), *_slides()), _OWN_SIZES),
        every(_SIDE_BY_SIDE, _ALIKE, alike=(5,)),
    ],
    mutants={
        "the article's b for the slides' budgets": printed(
            _slides(sizes=tuple(str(entry.b) for entry in TABLE_5[::2])), _OWN_SIZES
        ),
        "all twelve different": every(_SIDE_BY_SIDE, _ALIKE, alike=()),
    },
)

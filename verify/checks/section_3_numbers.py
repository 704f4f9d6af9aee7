"""Evidence for article, sections 3.4 to 3.6: the printed numbers, recomputed, and the shape of the budget (7)."""

from __future__ import annotations

from fractions import Fraction

from spec.permutation_swapping import odds, psa_budget
from spec.tables import Table, row_margins
from verify.engines.number_table import PrintedRow, agree
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_TABLE_1 = (
    ("Barnstable", 7461, 3825, 11286, 5907, 5379, 11286),
    ("Berkshire", 14736, 18417, 33153, 13770, 19383, 33153),
    ("Bristol", 33747, 63931, 97678, 35537, 62141, 97678),
    ("Dukes", 1207, 534, 1741, 946, 795, 1741),
    ("Essex", 53936, 81300, 135236, 52631, 82605, 135236),
    ("Franklin", 7433, 6442, 13875, 6337, 7538, 13875),
    ("Hampden", 30597, 58166, 88763, 32267, 56496, 88763),
    ("Hampshire", 9427, 8630, 18057, 8145, 9912, 18057),
    ("Middlesex", 104144, 147687, 251831, 100372, 151459, 251831),
    ("Nantucket", 593, 432, 1025, 471, 554, 1025),
    ("Norfolk", 44885, 40285, 85170, 38566, 46604, 85170),
    ("Plymouth", 24857, 23882, 48739, 21549, 27190, 48739),
    ("Suffolk", 49656, 176553, 226209, 67357, 158852, 226209),
    ("Worcester", 53126, 78535, 131661, 51950, 79711, 131661),
)
_TOTALS = ("Total", 435805, 708619, 1144424, 435805, 708619, 1144424)


def _sums(columns: tuple[int, int, int]) -> Evidence:
    """Every printed sum of Table 1; the columns name owned, rented, total of the swapped table."""
    scope = "all 14 counties and the total line of both tables"
    sums: list[tuple[str, int, int]] = []
    for name, *cells in (*_TABLE_1, _TOTALS):
        owned, rented, total = (cells[i] for i in columns)
        sums += [
            (f"{name}, original", cells[0] + cells[1], cells[2]),
            (f"{name}, swapped", owned + rented, total),
            (f"{name}, total kept", cells[2], total),
        ]
    for column in range(6):
        sums.append((f"column {column + 1}", sum(int(row[column + 1]) for row in _TABLE_1), int(_TOTALS[column + 1])))
    sums += [(f"margin {i + 1} kept", int(_TOTALS[i + 1]), int(_TOTALS[columns[i] + 1])) for i in range(3)]
    for name, total, printed in sums:
        if total != printed:
            witness = formula_witness("total == printed", note=name, total=total, printed=printed)
            return Evidence(Verdict.REFUTED, scope, f"{name}: {total} against {printed}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(sums)} sums")


@checks("numbers.table-1")
def table_1() -> Evidence:
    """Table 1's sums."""
    return _sums((3, 4, 5))


@refutes("numbers.table-1", "columns of the swapped table exchanged")
def table_1_exchanged() -> Evidence:
    """The mutant that reads total for rented."""
    return _sums((3, 5, 4))


_SIZES, _OWNERSHIP, _COUNTIES = 2, 2, 3


def _named_margins(*, county_is_swapping: bool) -> Evidence:
    """Which of the two kinds of margins has one entry for each household size and county.

    A table of counts with two sizes, two kinds of ownership and three counties, V_Swap being the county.
    """
    scope = "two household sizes, two kinds of ownership, three counties: what each margin counts"
    strata: tuple[Table, ...] = tuple(
        tuple(tuple(2 ** (6 * m + 3 * h + s) for s in range(_COUNTIES)) for h in range(_OWNERSHIP))
        for m in range(_SIZES)
    )
    by_county = {sum(row[s] for row in table) for table in strata for s in range(_COUNTIES)}
    by_ownership = {sum(row) for table in strata for row in table}
    n_mh = {n for table in strata for n in row_margins(table)}
    n_ms = {n for table in strata for n in map(sum, zip(*table, strict=True))}
    first, second = (n_mh, n_ms) if county_is_swapping else (n_ms, n_mh)
    for name, counts, margins in (("by ownership", by_ownership, first), ("by county", by_county, second)):
        if counts != margins:
            note = f"dwellings by size and {name.removeprefix('by ')}: how many counts, how many of the margin named"
            other = "kinds" if len(margins) == _SIZES * _OWNERSHIP else "counties"
            claimed = f"sizes*{'kinds' if name == 'by ownership' else 'counties'} == sizes*{other}"
            values = {"sizes": _SIZES, "kinds": _OWNERSHIP, "counties": _COUNTIES}
            witness = formula_witness(claimed, note=note, **values)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.invariants.demonstration.printed")
def demonstration_printed() -> Evidence:
    """The names as printed, "respectively"."""
    return _named_margins(county_is_swapping=False)


@checks("swapping.invariants.demonstration")
def demonstration() -> Evidence:
    """The names exchanged."""
    return _named_margins(county_is_swapping=True)


@refutes("swapping.invariants.demonstration", "the names as printed")
def demonstration_exchanged() -> Evidence:
    """The mutant is the printed sentence."""
    return _named_margins(county_is_swapping=False)


_LOWER_BRANCH = "ln(b + 1) - ln(p/(1 - p))"


def _budget_number(b: int, rate: Fraction, printed: str) -> PrintedRow:
    """A printed budget beside the lower branch of (7), which applies at this swap rate."""
    if odds(rate) ** 2 > b + 1:
        raise EngineError(f"the lower branch of (7) does not apply at b = {b} and p = {rate}")
    return PrintedRow(f"eps at p = {rate}", printed, _LOWER_BRANCH, {"b": str(b), "p": str(rate)})


def _table_2(size: int) -> Evidence:
    printed = (("1/100", "17.08"), ("1/20", "15.43"), ("1/10", "14.68"), ("1/2", "12.48"))
    numbers = [_budget_number(size, Fraction(rate), text) for rate, text in printed]
    return agree(numbers, f"b = {size:,}, the four printed swap rates, half a unit of the second place")


@checks("numbers.table-2")
def table_2() -> Evidence:
    """Table 2."""
    return _table_2(264_331)


@refutes("numbers.table-2", "b = 264,331 doubled")
def table_2_doubled() -> Evidence:
    """The mutant with another b."""
    return _table_2(2 * 264_331)


def _ends(size: int) -> Evidence:
    numbers = [_budget_number(size, Fraction(1, 25), "18.29"), _budget_number(size, Fraction(1, 50), "19")]
    return agree(numbers, f"b = {size:,}, p = 4% and 2%, at the printed precision (two places, none)")


@checks("numbers.decennial-2010.ends")
def decennial_ends() -> Evidence:
    """The ends of the range at their printed precision."""
    return _ends(3_650_000)


@refutes("numbers.decennial-2010.ends", "b = 3.70 million")
def decennial_ends_larger() -> Evidence:
    """The mutant with another b."""
    return _ends(3_700_000)


def _between(low: Fraction, high: Fraction) -> Evidence:
    """Whether (7) at b = 3,650,000 lies in [low, high] for 2% ≤ p ≤ 4%; it decreases in p there, so the ends decide."""
    b = 3_650_000
    scope = "b = 3,650,000, 1/50 <= p <= 1/25; the budget decreases in p below the threshold, so its ends decide"
    for rate, relation, end in ((Fraction(1, 50), "<=", high), (Fraction(1, 25), ">=", low)):
        value = psa_budget(b, rate).epsilon(digits=30)
        outside = value.lower > end if relation == "<=" else value.upper < end
        if outside:
            claimed = f"{_LOWER_BRANCH} {relation} {end.numerator}/{end.denominator}"
            witness = formula_witness(claimed, note="e^epsilon of (7) is (b+1)(1-p)/p", b=b, p=rate)
            return Evidence(
                Verdict.REFUTED, scope, f"eps = {value.text(7)} at p = {rate}, not {relation} {end}", witness
            )
        if not (value.upper <= end if relation == "<=" else value.lower >= end):
            return Evidence(Verdict.OPEN, scope, f"the enclosure at p = {rate} is too wide")
    return Evidence(Verdict.ENCLOSED, scope)


@checks("numbers.decennial-2010.printed")
def decennial_printed() -> Evidence:
    """The interval as printed."""
    return _between(Fraction("18.29"), Fraction(19))


@checks("numbers.decennial-2010.range")
def decennial_range() -> Evidence:
    """The repaired interval."""
    return _between(Fraction("18.28"), Fraction("19.01"))


@refutes("numbers.decennial-2010.range", "the printed interval")
def decennial_range_printed() -> Evidence:
    """The mutant is the printed interval."""
    return _between(Fraction("18.29"), Fraction(19))


def _minimum_numbers(small: str) -> Evidence:
    numbers = []
    for b, budget, rate in ((10, small, "77%"), (10**6, "6.91", "99.9%")):
        numbers.append(PrintedRow(f"eps^({b})", budget, "ln(b + 1)/2", {"b": str(b)}))
        numbers.append(PrintedRow(f"p^({b})", rate, "sqrt(b + 1)/(sqrt(b + 1) + 1)", {"b": str(b)}))
    return agree(numbers, "b = 10 and b = 10^6, at the printed precision")


@checks("numbers.minimum-budget")
def minimum_numbers() -> Evidence:
    """1.20 at 77%, 6.91 at 99.9%."""
    return _minimum_numbers("1.20")


@refutes("numbers.minimum-budget", "1.21 for 1.20")
def minimum_numbers_changed() -> Evidence:
    """The mutant with another last digit."""
    return _minimum_numbers("1.21")


def _two_rate_numbers(higher: str) -> Evidence:
    numbers = [
        PrintedRow("the lower rate", "35.4%", "(b + 1)/(b + 1 + exp(epsilon))", {"b": "10", "epsilon": "3"}),
        PrintedRow("the higher rate", higher, "exp(epsilon)/(1 + exp(epsilon))", {"epsilon": "3"}),
    ]
    return agree(numbers, "b = 10, eps = 3: the two solutions of (7) in p, at the printed precision")


@checks("numbers.two-rates.printed")
def two_rate_numbers_printed() -> Evidence:
    """35.4% and 95.2%."""
    return _two_rate_numbers("95.2%")


@checks("numbers.two-rates")
def two_rate_numbers() -> Evidence:
    """35.4% and 95.3%."""
    return _two_rate_numbers("95.3%")


@refutes("numbers.two-rates", "95.2 as printed")
def two_rate_numbers_mutant() -> Evidence:
    """The mutant is the printed number."""
    return _two_rate_numbers("95.2%")


@checks("numbers.massachusetts.largest-stratum")
def massachusetts() -> Evidence:
    """The microdata are not part of the sources."""
    return Evidence(Verdict.OPEN, "needs the 1940 full count microdata, which the article does not print")

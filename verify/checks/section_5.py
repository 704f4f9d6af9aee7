"""Evidence for article, section 5: Tables 4 and 5, the remarks' numbers, and the numbers that other sources print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from spec.arguments import Exact
from spec.permutation_swapping import odds, psa_budget
from verify.engines.number_table import PrintedRow, agree, rounds_to_both
from verify.engines.printed_number import formula_value, parse_printed
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

__all__ = ["RATES", "TABLE_5"]

_FORMULA = "rho2 + 2*sqrt(rho2*ln(1/delta))"
_BRANCH = "ln((b + 1)*(1 - p)/p)"
RATES = ("1/20", "1/2")
"""The swap rates of Table 5."""

Rows = Sequence[tuple[str, int, tuple[str, str]]]

TABLE_5: Rows = (
    ("State", 13_475_623, ("19.36", "16.42")),
    ("State x household size", 3_948_028, ("18.13", "15.19")),
    ("County", 3_420_628, ("17.99", "15.05")),
    ("County x household size", 939_185, ("16.70", "13.75")),
    ("Block group", 6_204, ("11.68", "8.73")),
    ("Block group x household size", 4_549, ("11.37", "8.42")),
)
"""V_Match, b, and the printed ε at both rates, from coarse to fine."""

_SLIDES: Rows = (
    ("State", 13_680_081, ("19.38", "16.43")),
    ("State x household size", 3_653_802, ("18.06", "15.11")),
    ("County", 3_445_076, ("18.00", "15.05")),
    ("County x household size", 853_003, ("16.60", "13.66")),
    ("Block group", 21_535, ("12.92", "9.98")),
    ("Block group x household size", 11_691, ("12.31", "9.37")),
)


def _budget(what: str, b: int, rate: str, printed: str) -> PrintedRow:
    """A printed budget beside the lower branch of (7), which must apply."""
    if odds(Fraction(rate)) ** 2 > b + 1:
        raise EngineError(f"the lower branch of (7) does not apply at b = {b} and p = {rate}")
    return PrintedRow(f"eps of {what} at p = {rate}", printed, _BRANCH, {"b": str(b), "p": rate})


def _table(rows: Rows, rates: tuple[str, str]) -> Evidence:
    numbers = [_budget(what, b, rate, text) for what, b, texts in rows for rate, text in zip(rates, texts, strict=True)]
    return agree(numbers, "the six printed b at two swap rates by (7), half a unit of the second place")


@checks("numbers.table-5")
def table_5() -> Evidence:
    """The twelve budgets."""
    return _table(TABLE_5, RATES)


@refutes("numbers.table-5", "p = 6% for 5%")
def table_5_changed() -> Evidence:
    """The mutant with another rate."""
    return _table(TABLE_5, ("3/50", "1/2"))


def _slides(rates: tuple[str, str]) -> Evidence:
    evidence = _table(_SLIDES, rates)
    if not evidence.verdict.is_settled_for:
        return evidence
    ends = (min(Fraction(fine) for _, _, (_, fine) in _SLIDES), max(Fraction(coarse) for _, _, (coarse, _) in _SLIDES))
    if ends != (Fraction("9.37"), Fraction("19.38")):
        witness = formula_witness("low + 1 == high", note="ends of the table", low=ends[0], high=ends[1])
        return Evidence(Verdict.REFUTED, evidence.scope, f"the ends are {ends}", witness)
    return evidence


@checks("numbers.slides.table")
def slides() -> Evidence:
    """The slides' twelve budgets and their ends."""
    return _slides(RATES)


@refutes("numbers.slides.table", "p = 6% for 5%")
def slides_changed() -> Evidence:
    """The mutant with another rate."""
    return _slides(("3/50", "1/2"))


def _side_by_side(second: Rows) -> Evidence:
    """Article beside slides: each by its own b, where the two print the same number, and the ends of both tables."""
    scope = "the six swapping schemes at p = 5% and 50%: article and slides, each by (7) at its own b"
    numbers, same = [], []
    for (what, b, texts), (_, c, _), (_, _, others) in zip(TABLE_5, second, _SLIDES, strict=True):
        for rate, text, other in zip(RATES, texts, others, strict=True):
            numbers += [_budget(f"{what} (article)", b, rate, text), _budget(f"{what} (slides)", c, rate, other)]
            same.append(text == other)
    evidence = agree(numbers, scope)
    if not evidence.verdict.is_settled_for:
        return evidence
    alike = [i for i, equal in enumerate(same) if equal]
    if alike != [5]:
        witness = formula_witness("equal == 1", note="how many of the twelve are printed alike", equal=len(alike))
        return Evidence(Verdict.REFUTED, scope, f"printed alike: {same}", witness)
    ends = [
        (min(printed, key=Fraction), max(printed, key=Fraction))
        for printed in ([text for _, _, texts in rows for text in texts] for rows in (TABLE_5, _SLIDES))
    ]
    if ends != [("8.42", "19.36"), ("9.37", "19.38")]:
        return Evidence(Verdict.OPEN, scope, f"the ends are {ends}")
    return evidence


@checks("sources.psa-budgets")
def sources() -> Evidence:
    """Both sources, each with its own b."""
    return _side_by_side(_SLIDES)


@refutes("sources.psa-budgets", "the article's b for the slides' budgets")
def sources_changed() -> Evidence:
    """The mutant with one b for both."""
    return _side_by_side(TABLE_5)


def _as_budget(formula: str) -> Evidence:
    """Whether some number that rounds to 15.29 gives an ε that rounds to 52.83."""
    return rounds_to_both(
        PrintedRow("eps of the TDA", "52.83", formula, {"budget": "15.29", "delta": "1e-10"}), "budget", 4
    )


@checks("sources.rho-squared")
def rho_squared() -> Evidence:
    """15.29 as ρ² converts to 52.83, and as ρ it does not."""
    as_square = _as_budget("budget + 2*sqrt(budget*ln(1/delta))")
    as_rho = _as_budget("budget**2 + 2*budget*sqrt(ln(1/delta))")
    if as_rho.verdict is not Verdict.REFUTED:
        return Evidence(Verdict.OPEN, as_square.scope, "15.29 as rho is not told apart from 15.29 as rho^2")
    return Evidence(
        as_square.verdict, as_square.scope, f"{as_square.detail}; as rho {as_rho.detail}", as_square.witness
    )


@refutes("sources.rho-squared", "the numbers are rho")
def rho_not_squared() -> Evidence:
    """The mutant that reads the slides' theorem as it stands."""
    return _as_budget("budget**2 + 2*budget*sqrt(ln(1/delta))")


def _range(low: str, high: str, *columns: int) -> Evidence:
    """The smallest and the largest budget of Table 5 at the rates of these columns: no entry lies beyond them."""
    entries = [
        (f"eps of {what} at p = {RATES[i]}", psa_budget(b, Fraction(RATES[i])), _budget(what, b, RATES[i], text))
        for what, b, texts in TABLE_5
        for i, text in ((i, texts[i]) for i in columns)
    ]
    (_, _, least), (_, _, most) = (choose(entries, key=lambda entry: entry[1]) for choose in (min, max))
    shown = " and ".join(RATES[i] for i in columns)
    rows = [replace(least, printed=low), replace(most, printed=high)]
    return agree(rows, f"all entries of Table 5 for the swap rate {shown}, by (7): the smallest and the largest")


@checks("numbers.table-4.psa-range")
def psa_range() -> Evidence:
    """8.42–19.36."""
    return _range("8.42", "19.36", 0, 1)


@refutes("numbers.table-4.psa-range", "8.43 for 8.42")
def psa_range_changed() -> Evidence:
    """The mutant with another digit."""
    return _range("8.43", "19.36", 0, 1)


@refutes("numbers.table-4.psa-range", "the budgets at 50% alone")
def psa_range_at_half() -> Evidence:
    """The mutant without the lower swap rate."""
    return _range("8.42", "19.36", 1)


@checks("numbers.psa-at-half")
def psa_at_half() -> Evidence:
    """8.42–16.42 at 50%, 11.37–19.36 at 5%."""
    half, low = _range("8.42", "16.42", 1), _range("11.37", "19.36", 0)
    weaker = min((half, low), key=lambda evidence: evidence.verdict)
    detail = f"{half.detail}; {low.detail}"
    return Evidence(weaker.verdict, f"{half.scope}; and for 1/20", detail, weaker.witness)


@refutes("numbers.psa-at-half", "19.36 for 16.42 at 50%")
def psa_at_half_changed() -> Evidence:
    """The mutant with the largest budget of both rates."""
    return _range("8.42", "19.36", 1)


def _household_budget(printed: str) -> Evidence:
    row = TABLE_5[1]
    return agree([_budget(row[0], row[1], "1/2", printed)], "b = 3,948,028 at p = 50%, by (7)")


@checks("numbers.section-6.household-budget")
def household_budget() -> Evidence:
    """15.19."""
    return _household_budget("15.19")


@refutes("numbers.section-6.household-budget", "15.91 for 15.19")
def household_budget_changed() -> Evidence:
    """The mutant with exchanged digits."""
    return _household_budget("15.91")


def _strata(largest: str) -> Evidence:
    rows = [
        PrintedRow("largest b of Table 5", largest, "b", {"b": str(TABLE_5[0][1])}),
        PrintedRow("smallest b of Table 5", "4549", "b", {"b": str(TABLE_5[-1][1])}),
    ]
    return agree(rows, "the first and the last b of Table 5, at the printed precision")


@checks("numbers.table-5.largest-stratum.printed")
def strata_printed() -> Evidence:
    """13.47 million."""
    return _strata("13.47 million")


@checks("numbers.table-5.largest-stratum")
def strata() -> Evidence:
    """13.48 million."""
    return _strata("13.48 million")


@refutes("numbers.table-5.largest-stratum", "13.47 million as printed")
def strata_changed() -> Evidence:
    """The mutant is the printed number."""
    return _strata("13.47 million")


def _overall(parts: str) -> Evidence:
    return agree([PrintedRow("overall rho^2", "55.371", parts)], "the printed sum, exactly")


@checks("numbers.table-4.overall")
def overall() -> Evidence:
    """55.371."""
    return _overall("15.29 + 19.776 + 17.79 + 2.515")


@refutes("numbers.table-4.overall", "2.516 for 2.515")
def overall_changed() -> Evidence:
    """The mutant with another digit."""
    return _overall("15.29 + 19.776 + 17.79 + 2.516")


def _overall_epsilon(printed: str) -> Evidence:
    row = PrintedRow("overall eps", printed, _FORMULA, {"rho2": "55.371", "delta": "1e-10"})
    return agree([row], "rho^2 = 55.371, taken exactly, at delta = 10^-10")


@checks("numbers.table-4.overall-epsilon")
def overall_epsilon() -> Evidence:
    """126.78."""
    return _overall_epsilon("126.78")


@refutes("numbers.table-4.overall-epsilon", "126.79 for 126.78")
def overall_epsilon_changed() -> Evidence:
    """The mutant with another digit."""
    return _overall_epsilon("126.79")


def _duplicate(power: int) -> Evidence:
    """221.48 and 364.31 for twice as large a ρ, as values and as lower bounds."""
    scope = "rho^2 = 55.37 (rounded) and 55.371 at delta = 10^-10, one duplicate"
    formulas = (f"2**{power}*rho2", f"2**{power}*rho2 + 2*sqrt(2**{power}*rho2*ln(1/delta))")
    rows = [
        PrintedRow(what, printed, formula, {"rho2": rho, "delta": "1e-10"})
        for rho in ("55.37", "55.371")
        for what, printed, formula in zip(("rho^2", "eps"), ("221.48", "364.31"), formulas, strict=True)
    ]
    evidence = agree([*rows, PrintedRow("rho^2 of one record", "55.37", "rho2", {"rho2": "55.371"})], scope)
    if not evidence.verdict.is_settled_for:
        return evidence
    values = {"rho2": Fraction("55.371"), "delta": Fraction(1, 10**10)}
    for formula, printed in zip(formulas, ("221.48", "364.31"), strict=True):
        if formula_value("formula", formula, values).lower < parse_printed("bound", printed).value:
            return Evidence(Verdict.OPEN, scope, f"{printed} is not shown to be a lower bound")
    return evidence


@checks("numbers.one-duplicate")
def one_duplicate() -> Evidence:
    """Doubling ρ quadruples ρ²."""
    return _duplicate(2)


@refutes("numbers.one-duplicate", "doubles for quadruples")
def one_duplicate_doubled() -> Evidence:
    """The mutant that doubles ρ²."""
    return _duplicate(1)


_TABLE_10: Mapping[str, tuple[tuple[str, str], ...]] = {
    table: tuple(zip(unbounded, bounded, strict=True))
    for tables, unbounded, bounded in (
        (
            ("PH1_num", "PH4", "PH7"),
            ("0.002619", "0.002619", "0.002619", "0.016371", "0.141622", "0.016371"),
            ("0.005238", "0.005238", "0.005238", "0.032742", "0.283244", "0.032742"),
        ),
        (
            ("PH1_denom", "PH5_denom", "PH8_denom"),
            ("0.000022", "0.000022", "0.000022", "0.000135", "0.00117", "0.000135"),
            ("0.000044", "0.000044", "0.000044", "0.00027", "0.00234", "0.00027"),
        ),
        (("PH2",), ("0.002619", "0.016371"), ("0.005238", "0.032742")),
        (
            ("PH3",),
            ("0.001061", "0.001061", "0.001061", "0.006630", "0.662976", "0.006630"),
            ("0.002122", "0.002122", "0.002122", "0.01326", "1.325952", "0.01326"),
        ),
        (("PH6",), ("0.001061", "0.006630"), ("0.002122", "0.01326")),
    )
    for table in tables
}


def _bounded(factor: Exact) -> Evidence:
    scope = "the 46 rows of Table 10, exactly, and their sum at the printed precision"
    rows = [(table, Fraction(first), Fraction(second)) for table, pairs in _TABLE_10.items() for first, second in pairs]
    for table, unbounded, bounded in rows:
        if bounded != factor * unbounded:
            witness = formula_witness(
                "bounded == k*unbounded", note=table, bounded=bounded, k=factor, unbounded=unbounded
            )
            return Evidence(Verdict.REFUTED, scope, f"{table}: {bounded} is not {factor} times {unbounded}", witness)
    total = sum((bounded for _, _, bounded in rows), Fraction(0))
    evidence = agree([PrintedRow("sum of the bounded losses", "2.515", "total", {"total": str(total)})], scope)
    return Evidence(evidence.verdict, scope, f"{len(rows)} rows; {evidence.detail}", evidence.witness)


@checks("numbers.phsafe.bounded")
def phsafe_bounded() -> Evidence:
    """Twice."""
    return _bounded(2)


@refutes("numbers.phsafe.bounded", "4 for 2")
def phsafe_bounded_four() -> Evidence:
    """The mutant with the factor of group privacy."""
    return _bounded(4)

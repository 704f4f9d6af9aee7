"""The numbers of Table 4 and around it: the 2020 system's total, a duplicated record, PHSafe's Table 10."""

from __future__ import annotations

from fractions import Fraction

from verify.audit.claim_budget import CONVERSION
from verify.audit.published import parts, rows
from verify.engines.number_table import PrintedRow
from verify.evidence.verdict import Verdict
from verify.ledger.answers import printed
from verify.ledger.claim import Check
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import state

_TABLE_4 = ("article, Table 4", "dissertation, Table 3.4")


def _overall(row: int, scope: str, changed: dict[str, str] | None = None) -> Check:
    return printed([rows("das-2020.total", changed)[row]], scope)


_SUM = "the printed sum, exactly"

state(
    "numbers.table-4.overall",
    *_TABLE_4,
    printed="TopDown … rho^2 = 15.29 … DDHC-A: rho^2 = 19.776 … DDHC-B: rho^2 = 17.79 … S-DHC: rho^2 = 2.515 … "
    "Overall (to date) 2020 DAS … rho^2 = 55.371",
    reading="the overall number is the sum; whether it is a budget is das.overall.specification.printed",
    checks=[_overall(0, _SUM)],
    mutants={"2.516 for 2.515": _overall(0, _SUM, {"2.515": "2.516"})},
)

_EXACTLY = "rho^2 = 55.371, taken exactly, at delta = 10^-10"

state(
    "numbers.table-4.overall-epsilon",
    *_TABLE_4,
    "article, Remark 4 and section 5.4",
    printed="… rho^2 = 55.371 (eps = 126.78, delta = 10^-10) …",
    reading="by the formula of Remark 4, eps = rho^2 + 2 rho sqrt(-ln delta)",
    checks=[_overall(1, _EXACTLY)],
    mutants={"126.79 for 126.78": _overall(1, _EXACTLY, {"126.78": "126.79"})},
)

_ONE = "rho^2 = 55.371 and delta = 10^-10, at the printed precision; and rho^2 = 55.37, as the sentence rounds it"


def _one_duplicate(changed: dict[str, str] | None = None) -> Check:
    found = rows("das-2020.one-duplicate", changed)
    rounded = [
        PrintedRow(row.what, row.printed, row.formula, {**row.inputs, "rho2": found[-1].printed}) for row in found
    ]
    return printed([*found, *rounded], _ONE)


_SQUARED, _EPSILON, _ = rows("das-2020.one-duplicate")
_LOWER_BOUNDS = cases(
    "rho^2 = 55.371 and delta = 10^-10: the printed numbers as lower bounds", "rho2 delta squared epsilon"
)(lambda: [tuple(number.value for number in (*_EPSILON.inputs.values(), _SQUARED.printed, _EPSILON.printed))])

_TWICE = f"4*rho2 >= squared and {CONVERSION.replace('rho2', '(4*rho2)')} >= epsilon"

state(
    "numbers.one-duplicate",
    "article, section 5.2",
    "dissertation, section 3.4.4",
    printed="For example, if the 2020 imputation process duplicates a contributor's record once, then their "
    "substantive PLB is rho^2 >= 221.48 (or eps >= 364.31 with delta = 10^-10), rather than rho^2 >= 55.37. (Here the "
    "rho^2 budgets are inflated by a factor of four since doubling rho quadruples rho^2. …)",
    checks=[_one_duplicate(), every(_LOWER_BOUNDS, _TWICE, verdict=Verdict.ENCLOSED)],
    mutants={"doubles for quadruples": _one_duplicate({"2**2*rho2": "2*rho2"})},
)

_NUMERATORS = "0.002619 0.005238|" * 3 + "0.016371 0.032742|0.141622 0.283244|0.016371 0.032742"
_DENOMINATORS = "0.000022 0.000044|" * 3 + "0.000135 0.00027|0.00117 0.00234|0.000135 0.00027"
_TABLE_10 = {
    "PH1_num": _NUMERATORS,
    "PH1_denom": _DENOMINATORS,
    "PH2": "0.002619 0.005238|0.016371 0.032742",
    "PH3": "0.001061 0.002122|" * 3 + "0.006630 0.01326|0.662976 1.325952|0.006630 0.01326",
    "PH4": _NUMERATORS,
    "PH5_denom": _DENOMINATORS,
    "PH6": "0.001061 0.002122|0.006630 0.01326",
    "PH7": _NUMERATORS,
    "PH8_denom": _DENOMINATORS,
}
"""The unbounded and the bounded privacy loss of each population group level, by table."""

_LOSSES = cases("the 46 rows of Table 10, exactly", "unbounded bounded")(
    lambda: (tuple(map(Fraction, level.split())) for levels in _TABLE_10.values() for level in levels.split("|"))
)


def _bounded_sum(changed: str | None = None) -> Check:
    formula = " + ".join(str(bounded) for _, bounded in _LOSSES)
    total = changed or parts("das-2020.total")["PHSafe"]
    return printed(
        [PrintedRow.of_texts("sum of the bounded losses", total, formula)], "the 46 rows, at the printed precision"
    )


_FACTOR = "bounded == factor*unbounded"

state(
    "numbers.phsafe.bounded",
    "PHSafe, section 5.3 and Table 10",
    "article, Table 4",
    claim="The bounded privacy loss of each of the 46 rows of PHSafe's Table 10 is twice the unbounded one, and the "
    "bounded ones sum to the S-DHC's rho^2 = 2.515 in the article's Table 4.",
    checks=[every(_LOSSES, _FACTOR, factor=2), _bounded_sum()],
    mutants={
        "4 for 2": every(_LOSSES, _FACTOR, factor=4),
        "2.551 for 2.515": _bounded_sum("2.551"),
    },
)


def _share(vulnerable: str) -> Check:
    inputs = {"vulnerable": vulnerable, "population": "308745538"}
    row = PrintedRow.of_texts("vulnerable share", "1%", "vulnerable/population", inputs)
    return printed([row], f"{vulnerable} of 308,745,538, to the whole percent")


state(
    "numbers.vulnerable-share",
    "article, section 6.1",
    printed="… about 3.4 million vulnerable individuals (i.e., about 1% of the U.S. population) …",
    reading="of the 308,745,538 persons that the 2010 Census counted",
    checks=[_share("3.4 million")],
    mutants={"34 million for 3.4 million": _share("34 million")},
)

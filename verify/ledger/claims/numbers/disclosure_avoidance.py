"""The numbers of Table 4 and around it: the 2020 system's total, a duplicated record, PHSafe's Table 10."""

from dataclasses import replace

from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim_numbers import parts, rows
from stirred.verify.ledger import Check, cases, every, mutant, own, printed, state
from stirred.verify.ledger.claims.numbers.tables import compared
from stirred.verify.ledger.language_names import ln, sqrt

_TABLE_4 = ("article, Table 4", "dissertation, Table 3.4")
_SCOPES = ("the printed sum, exactly", "rho^2 = 55.371, taken exactly, at delta = 10^-10")

_overall = lambda row, changed=None: printed([rows("das-2020.total", changed)[row]], _SCOPES[row])

state("numbers.table-4.overall", *_TABLE_4)(
    """TopDown … rho^2 = 15.29 … DDHC-A: rho^2 = 19.776 … DDHC-B: rho^2 = 17.79 … S-DHC: rho^2 = 2.515 … Overall (to
    date) 2020 DAS … rho^2 = 55.371""",
    _overall(0),
    mutant("2.516 for 2.515", _overall(0, {"2.515": "2.516"})),
    reading="the overall number is the sum; whether it is a budget is das.overall.specification.printed",
)

state("numbers.table-4.overall-epsilon", *_TABLE_4, "article, Remark 4 and section 5.4", "dissertation, section 4.4.2")(
    "… rho^2 = 55.371 (eps = 126.78, delta = 10^-10) …",
    _overall(1),
    mutant("126.79 for 126.78", _overall(1, {"126.78": "126.79"})),
    reading="by the formula of Remark 4, eps = rho^2 + 2 rho sqrt(-ln delta)",
)

_ONE = "rho^2 = 55.371 and delta = 10^-10, at the printed precision; and rho^2 = 55.37, as the sentence rounds it"


def _one_duplicate(changed: dict[str, str] | None = None) -> Check:
    found = rows("das-2020.one-duplicate", changed)
    rounded = [replace(row, inputs={**row.inputs, "rho2": found[-1].printed}) for row in found]
    return printed([*found, *rounded], _ONE)


_SQUARED, _EPSILON, _ = rows("das-2020.one-duplicate")

state("numbers.one-duplicate", "article, section 5.2", "dissertation, section 3.4.4")(
    """For example, if the 2020 imputation process duplicates a contributor's record once, then their substantive PLB is
    rho^2 >= 221.48 (or eps >= 364.31 with delta = 10^-10), rather than rho^2 >= 55.37. (Here the rho^2 budgets are
    inflated by a factor of four since doubling rho quadruples rho^2. …)""",
    _one_duplicate(),
    compared(
        "rho^2 = 55.371 and delta = 10^-10: the printed numbers as lower bounds",
        lambda rho2, delta, squared, epsilon: (
            4 * rho2 >= squared and 4 * rho2 + 2 * sqrt(4 * rho2 * ln(1 / delta)) >= epsilon
        ),
        verdict=Verdict.ENCLOSED,
        **_EPSILON.inputs,
        squared=_SQUARED.printed,
        epsilon=_EPSILON.printed,
    ),
    mutant("doubles for quadruples", _one_duplicate({"2**2*rho2": "2*rho2"})),
)

_LOSSES = cases(
    "the 46 rows of Table 10, exactly",
    "unbounded bounded",
    lambda: ((row.inputs["unbounded"].value, row.printed.value) for row in rows("phsafe.table-10")),
)

_bounded_sum = lambda total: printed(
    [PrintedRow.of_texts("sum of the bounded losses", total, " + ".join(str(bounded) for _, bounded in _LOSSES))],
    "the 46 rows, at the printed precision",
)

own("numbers.phsafe.bounded", "PHSafe, section 5.3 and Table 10", "article, Table 4")(
    """The bounded privacy loss of each of the 46 rows of PHSafe's Table 10 is twice the unbounded one, and the bounded
    ones sum to the S-DHC's rho^2 = 2.515 in the article's Table 4.""",
    every(_LOSSES, lambda unbounded, bounded, factor: bounded == factor * unbounded, factor=2),
    mutant("4 for 2", {"factor": 4}),
    _bounded_sum(parts("das-2020.total")["PHSafe"]),
    mutant("2.551 for 2.515", _bounded_sum("2.551")),
)

_inputs = lambda vulnerable: {"vulnerable": vulnerable, "population": "308745538"}
_share = lambda vulnerable: printed(
    [PrintedRow.of_texts("vulnerable share", "1%", "vulnerable/population", _inputs(vulnerable))],
    f"{vulnerable} of 308,745,538, to the whole percent",
)

state("numbers.vulnerable-share", "article, section 6.1")(
    "… about 3.4 million vulnerable individuals (i.e., about 1% of the U.S. population) …",
    _share("3.4 million"),
    mutant("34 million for 3.4 million", _share("34 million")),
    reading="of the 308,745,538 persons that the 2010 Census counted",
)

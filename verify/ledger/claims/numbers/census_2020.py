"""The numbers of article, section 4: Tables 3 and 4, the 2020 Disclosure Avoidance System, other documents'."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES
from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import Printed, parse_printed
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.laws.claim.claim_numbers import parts, rows
from stirred.verify.ledger import Check, Mutation, cases, every, failure, mutant, own, printed, state
from stirred.verify.ledger.claims.numbers.tables import compared
from stirred.verify.ledger.language_names import ln, sqrt

# the numbers of Table 4 and around it: the 2020 system's total, a duplicated record, PHSafe's Table 10

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

_LOSSES = cases("the 46 rows of Table 10, exactly", "unbounded bounded")(
    lambda: ((row.inputs["unbounded"].value, row.printed.value) for row in rows("phsafe.table-10"))
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

# the numbers of article, section 4: Table 3 by the printed conversion, Theorem 2's sums, other documents'

_PL, _TOTAL, _PARTS = rows("topdown.pl"), rows("topdown.total"), parts("topdown.total")
_SUMS = "the printed sums, exactly"
_TABLE_3 = ("article, Table 3", "dissertation, Table 3.3")
_NOTE = "The value of eps for each row is computed using the conversion eps = rho^2 + 2 rho sqrt(-ln delta) …"

# the ε of a row of Table 3 beside its conversion
_of = lambda row, changed=None: rows(f"topdown.{row}", changed)[-1]


def _row(name: str, row: str, changed: str, *, rounded: bool = True) -> tuple[str, Check, Mutation]:
    """The words of a row, with the conversion of some ρ² that rounds to the printed one, or of that one itself."""
    found = _of(row)
    rho2, epsilon = found.inputs["rho2"].text, found.printed.text
    scope = f"some rho^2 that rounds to {rho2}" if rounded else "the printed rho^2, taken exactly"
    check = lambda one: printed([one if rounded else replace(one, rounded=())], f"{scope}, at delta = 10^-10")
    words = f"{name} {rho2} {epsilon} … {_NOTE}"
    return words, check(found), mutant(f"{changed} for {epsilon}", check(_of(row, {epsilon: changed})))


_AS_ROUNDED = "some rho^2 that rounds to {}, as eps is computed before both are rounded"

state("numbers.table-3.total-rho", *_TABLE_3)(
    "PL Household 0.07, Person 2.56, DHC Household 7.70, Person 4.96, Total 15.29",
    printed(_TOTAL[:1], _SUMS),
    mutant("7.71 for 7.70", printed(rows("topdown.total", {"7.70": "7.71"})[:1], _SUMS)),
)


def _theorem_2(pl: tuple[PrintedRow, ...]) -> Check:
    run = {"household": _PARTS["dhc-household"], "person": _PARTS["dhc-person"]}
    second = PrintedRow.of_texts("rho^2 of [T_p, T_hh] for the DHC", "12.66", "household + person", run)
    composed = {"second": second.printed, "pl": _PL[0].printed}
    whole = PrintedRow("rho^2 of [T_ph, P, c_TDA]", _TOTAL[0].printed, "second + pl + 0", composed)
    return printed([*pl, second, whole], _SUMS)


state("numbers.theorem-2", "article, Appendix H", "dissertation, section B.5")(
    """Then by composition, the mechanism T_ph = [T_p, T_hh] has protection loss budget (PLB) rho^2 = 0.07 + 2.56 =
    2.63. … The composed mechanism T_ph = [T_p, T_hh] has budget rho^2 = 7.70 + 4.96 = 12.66. … This composed mechanism
    has budget rho^2 = 12.66 + 2.63 + 0 = 15.29.""",
    _theorem_2(_PL),
    mutant("2.65 for 2.56", _theorem_2(rows("topdown.pl", {"2.56": "2.65"}))),
)

state("numbers.table-3.pl-household", *_TABLE_3)(
    *_row("PL Household", "pl-household", "2.80"), reading=_AS_ROUNDED.format("0.07")
)

state("numbers.table-3.pl-person", *_TABLE_3)(
    *_row("PL … Person", "pl-person", "17.09"), reading=_AS_ROUNDED.format("2.56")
)

state("numbers.table-3.dhc-household", *_TABLE_3)(
    *_row("DHC Household", "dhc-household", "34.34", rounded=False), reading="rho^2 is 7.70 as printed"
)

state("numbers.table-3.dhc-person", *_TABLE_3)(
    *_row("DHC … Person", "dhc-person", "26.43"), reading=_AS_ROUNDED.format("4.96")
)

state("numbers.table-3.total", *_TABLE_3, "article, Table 4", "dissertation, Table 3.4")(
    *_row("Total", "total", "52.93"), reading=_AS_ROUNDED.format("15.29")
)

_epsilons = partial(
    compared,
    "the printed eps of Table 3, exactly",
    parts=tuple(_of(row).printed.value for row in _PARTS),
    whole=_of("total").printed,
)

state("numbers.table-3.not-a-sum", *_TABLE_3)(
    "(Hence the aggregate loss of 52.83 is not the sum of the individual eps's.)",
    _epsilons(lambda parts, whole: sum(parts) != whole),
    mutant("is for is not", _epsilons(lambda parts, whole: sum(parts) == whole)),
)

_AS_RHO = replace(
    _of("total"),
    formula="rho**2 + 2*rho*sqrt(ln(1/delta))",
    inputs={"rho": _TOTAL[0].printed, "delta": _of("total").inputs["delta"]},
    rounded=("rho",),
)
_ROUNDED_TOTAL = "rho^2 or rho that rounds to 15.29, at delta = 10^-10"

own(
    "sources.rho-squared",
    "article, Theorem 2 and Tables 3 and 4",
    "slides, Theorem: TDA satisfies DP, subject to its Invariants",
)(
    """For the TDA slides print rho_TDA = 2.63 and rho_TDA = 15.29 in their theorem and rho^2 = 15.29, eps = 52.83
    (delta = 10^-10) in their table; article prints rho^2 = 2.63 and rho^2 = 15.29. The numbers are rho^2: read as rho,
    15.29 does not convert to 52.83, which is the conversion of a rho^2 that rounds to 15.29.""",
    printed([_of("total")], _ROUNDED_TOTAL),
    compared(
        "the smallest rho that rounds to 15.29: eps grows with rho",
        lambda rho, delta, printed, half_unit: rho**2 + 2 * rho * sqrt(ln(1 / delta)) > printed + half_unit,
        verdict=Verdict.ENCLOSED,
        rho="15.285",
        delta="1e-10",
        printed=_AS_RHO.printed,
        half_unit="0.005",
    ),
    mutant("the numbers are rho", printed([_AS_RHO], _ROUNDED_TOTAL)),
)

_SCALE = Fraction(339, 542)
"""The published setting global_scale of the run for PL Person: ρ² = 1/scale²."""
_RHO = {"pl-person": 1 / _SCALE**2, "pl-household": Fraction("0.0748")}
"""ρ² with more digits than the article prints."""
_RECORD = {"pl-person": "17.14", "pl-household": "2.47"}
"""ε at δ = 10^-10 in the registry's record."""
_ORDERS = {"pl-person": Fraction(4), "pl-household": Fraction(37, 2)}
"""Rényi orders that almost attain the smallest conversion."""

_recorded = lambda record: cases(
    "rho^2 = (542/339)^2 and 0.0748 at delta = 10^-10; the smallest conversion over all Renyi orders",
    "rho2 record order",
)(lambda: ((_RHO[row], record[row], _ORDERS[row]) for row in record))


def smallest_conversion(rho2: Fraction, record: str, order: Fraction) -> Witness | None:
    """The smallest conversion at δ = 10^-10 over all Rényi orders rounds to the record's ε."""
    number, delta = parse_printed("record", record), Fraction(1, 10**10)
    if number.agrees_with(smallest_zcdp_to_approximate(rho2, delta)):
        return None
    # every order is an upper end
    case: dict[str, Any] = {"least": number.value - number.half_unit, "order": order, "rho2": rho2, "delta": delta}
    return failure(
        lambda least, order, rho2, delta: least <= order * rho2 - ln(order * delta) / (order - 1) + ln(1 - 1 / order),
        **case,
    )


def _both_converted(**changed: Fraction) -> Check:
    rho = {**_RHO, **{name.replace("_", "-"): rho2 for name, rho2 in changed.items()}}
    exact = {row: Printed(str(rho2), rho2) for row, rho2 in rho.items()}
    found = [replace(_of(row), inputs={**_of(row).inputs, "rho2": exact[row]}, rounded=()) for row in rho]
    rounded = [PrintedRow(f"rho^2 of {row}", _of(row).inputs["rho2"], "rho2", {"rho2": exact[row]}) for row in rho]
    return printed([*rounded, *found], "rho^2 = (542/339)^2 and 0.0748, which round to 2.56 and 0.07; delta = 10^-10")


own("sources.pl-conversions", "article, Table 3", "the registry's record of the redistricting data")(
    """At delta = 10^-10 the article prints eps = 17.90 (PL Person, rho^2 = 2.56) and 2.70 (PL Household, 0.07), the
    record 17.14 and 2.47: the article's numbers follow eps = rho^2 + 2 rho sqrt(-ln delta), the record's the smallest
    conversion over all Renyi orders, both at rho^2 = (542/339)^2, which the published setting global_scale = 339/542
    gives, and 0.0748, which round to 2.56 and 0.07.""",
    _both_converted(),
    every(_recorded(_RECORD), smallest_conversion, verdict=Verdict.ENCLOSED),
    mutant("the printed rho^2 = 2.56, exactly", _both_converted(pl_person=Fraction("2.56"))),
    mutant("the scale 339/543", _both_converted(pl_person=Fraction(543, 339) ** 2)),
    mutant("the article's eps as the smallest", _recorded({row: _of(row).printed.text for row in _RHO})),
)

_DHC = {"person": "dhc-person", "housing unit": "dhc-household"}
"""Rows of Table 3 by what a record of a strategy's run is."""
_DHC_TOTALS = {"person": "4.9622", "housing unit": "7.7005"}

_exact_sums = lambda **changed: [
    compared(
        f"the shares of rho^2 by query and level in four published strategies, added as exact fractions: {name}",
        lambda shares, total: sum(shares) == total,
        shares=tuple(share for queries in strategy.rho_squared.values() for share in queries.values()),
        total={**_DHC_TOTALS, **changed}[strategy.record],
    )
    for name, strategy in DHC_STRATEGIES.items()
]


def _sums_beside_table_3(totals: Mapping[str, Fraction]) -> Check:
    """Each total beside its row, and the whole with more digits than the article prints."""
    exact = {**_RHO, **{_DHC[record]: total for record, total in totals.items()}}
    numbers = {row.replace("-", "_"): Printed(str(rho2), rho2) for row, rho2 in exact.items()}
    found = [PrintedRow(f"rho^2 of {row}", _of(row).inputs["rho2"], row.replace("-", "_"), numbers) for row in exact]
    whole = PrintedRow("rho^2 of all", _TOTAL[0].printed, " + ".join(numbers), numbers)
    return printed([*found, whole], "rho^2 = 4.9622, 7.7005, (542/339)^2 and 0.0748")


_EXACT = {record: Fraction(total) for record, total in _DHC_TOTALS.items()}

own("sources.dhc-settings", *_TABLE_3, "the published strategies of the DHC runs")(
    """The shares of rho^2 by query and level in the published strategies of the DHC runs sum to 4.9622 for persons and
    7.7005 for housing units, for the United States and for Puerto Rico: they round to the printed 4.96 and 7.70. With
    (542/339)^2 and 0.0748 for PL Person and Household the whole rounds to the printed 15.29.""",
    _sums_beside_table_3(_EXACT),
    *_exact_sums(),
    mutant(
        "1/scale^2 for the scale 254/485, which stands in the settings and is not used",
        _sums_beside_table_3({**_EXACT, "person": Fraction(485, 254) ** 2}),
    ),
    mutant("4.9623 for 4.9622", _exact_sums(person="4.9623")[0]),
    mutant("7.7 for 7.7005", _exact_sums(**{"housing unit": "7.7"})[-1]),
)

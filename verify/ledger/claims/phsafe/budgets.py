"""PHSafe's privacy losses: Table 10 by its own formula, the published settings, and the exact budgets of the release.

Of the exact budgets every level's is rho*S/Delta^2, S its largest squared change by the closed forms of
`ledger.engines.phsafe.sensitivity`, which `phsafe.sensitivity.enumerated` compares with all neighbours for tau <= 3.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from stirred.mechanisms.das.phsafe import Person, RaceEth, Unit, measurements
from stirred.mechanisms.das.phsafe.algorithms import ORDERS
from stirred.mechanisms.das.phsafe.records import HouseholdStatus, Relationship, Tenure
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, misprint, mutant, own, printed, state
from stirred.verify.ledger.claims.phsafe.table_10 import (
    LEVELS,
    PUERTO_RICO,
    RELEASE,
    TABLE_10,
    THRESHOLDS,
    UNITED_STATES,
)
from stirred.verify.ledger.engines.phsafe.privacy_check import squared_loss
from stirred.verify.ledger.engines.phsafe.sensitivity import (
    NeighborRelation,
    repeated_units,
    squared_sensitivity,
    sum_of_budgets,
)

_ROWS = "the 46 rows of Table 10, at the printed precision"
_FORMULA = "constant**2*delta**2/(2*target**2)"

_inputs = lambda row, constant: {"constant": constant, "delta": str(row.delta), "target": str(row.target)}
_row = lambda row, constant: PrintedRow.of_texts(
    f"{row.table} {row.level}", row.unbounded.text, _FORMULA, _inputs(row, constant)
)
_recomputed = lambda constant: printed([_row(row, constant) for row in TABLE_10], _ROWS)

state("phsafe.table-10.formula", "PHSafe, Table 10")(
    """MOE targets for the statistics released at different population group levels, along with the corresponding
    privacy loss (unbounded and bounded rho-zCDP for discrete Gaussian).""",
    _recomputed("1.64"),
    reading="the unbounded loss corresponds to the target by Corollary 2, 1.3448 = 1.64^2/2",
    grade=misprint("1.64 of section 7.1 is 1.645 rounded down: with 1.645 every row agrees"),
)

own("phsafe.table-10.losses", "PHSafe, Table 10")(
    """The unbounded loss of each of the 46 rows is 1.645^2 Delta^2/(2 MOE^2), with Delta = 2 tau + 2, or 2 for the
    denominators.""",
    _recomputed("1.645"),
    mutant("the quantile 1.6449 for 1.645", _recomputed("1.6449")),
    repairs="phsafe.table-10.formula",
)

_sum = lambda what, total: PrintedRow.of_texts(
    f"sum, {what}", total, " + ".join(getattr(row, what).text for row in TABLE_10)
)
_totals = lambda unbounded: printed([_sum("unbounded", unbounded), _sum("bounded", "2.514562")], _ROWS)

own("phsafe.table-10.totals", "PHSafe, Table 10")(
    "The losses of the 46 rows sum to 1.257281 (unbounded) and 2.514562 (bounded).",
    _totals("1.257281"),
    mutant("1.257282", _totals("1.257282")),
)

_OF_TABLE_10 = {(row.table, row.level): row.unbounded.value for row in TABLE_10}

_of_setting = lambda setting: {
    (t, level): rho for t, levels in setting["privacy_budget"].items() for level, rho in levels.items()
}

_US, _PR = (_of_setting(one) for one in (UNITED_STATES, PUERTO_RICO))

_settings = lambda scope, x, y, tau, states: cases(scope, "x y tau thresholds states")(
    lambda: [(x, y, tau, THRESHOLDS, states)]
)

_UNITED_STATES = _settings(
    "the setting for the US, all of it", _US, _OF_TABLE_10, UNITED_STATES["tau"], UNITED_STATES["state_filter"]
)
_PUERTO_RICO = _settings(
    "the setting for Puerto Rico beside that for the US", _PR, _US, PUERTO_RICO["tau"], PUERTO_RICO["state_filter"]
)

is_multiple_of = lambda x, y, factor: x == {row: y[row] * factor for row in y}

own("phsafe.settings.united-states", "PHSafe, Table 10")(
    """The published setting for the United States has the unbounded loss of every row of Table 10 and no other budget,
    its thresholds, and 51 states.""",
    every(
        _UNITED_STATES,
        lambda x, y, tau, thresholds, states, factor: (
            is_multiple_of(x, y, factor) and tau == thresholds and len(set(states)) == 51
        ),
        factor=1,
    ),
    mutant("the bounded losses", every(_UNITED_STATES, is_multiple_of, factor=2)),
)

state("phsafe.settings.puerto-rico", "PHSafe, section 6.6")(
    """Hence, the Puerto Rico data records are processed in a separate execution of the PHSafe algorithm. One
    notable difference with PHSafe's processing of Puerto Rico is the lack of a Nation geography level and
    corresponding population group levels. Otherwise, PHSafe follows the same steps for Puerto Rico as it does for
    the United States.""",
    every(
        _PUERTO_RICO,
        lambda x, y, tau, thresholds, states: (
            x == {row: (0 if row[1][:3] == "usa" else y[row]) for row in y} and tau == thresholds and states == ["72"]
        ),
    ),
    mutant("the nation too", every(_PUERTO_RICO, is_multiple_of, factor=1)),
    reading="""its published setting has the budgets of the setting for the US but 0 in the nation, the same thresholds,
    and Puerto Rico alone""",
)

_LEVELS_OF = {table: tuple(levels) for table, levels in UNITED_STATES["privacy_budget"].items()}
_NUMERATORS = {"PH5": "PH4", "PH8": "PH7"}
"""The tables whose numerators are derived from another run (PHSafe, section 3.2)."""

# the eight tables with the levels that all of their runs have budgets for
_published = lambda: (
    (table, tuple(level for level in LEVELS if all(level in _LEVELS_OF[run] for run in needed)))
    for table in (f"PH{number}" for number in range(1, 9))
    for needed in [[run for run in _LEVELS_OF if run.split("_")[0] == table or run == _NUMERATORS.get(table)]]
)

published_levels = cases("the eight tables, by the runs of the setting for the US", "table levels everywhere")(
    lambda: ((table, levels, LEVELS) for table, levels in _published())
)
all_tables = cases("the eight tables, by the runs of the setting for the US", "tables")(lambda: [dict(_published())])
all_runs = cases("the runs of the setting for the US", "runs")(lambda: [tuple(_LEVELS_OF)])

everywhere_but = lambda unattributed, table, levels, everywhere: (
    levels == (("usa_*", "state_*") if table in unattributed else everywhere)
)
repeated_tables = lambda tables: sum(1 for t in tables if len(tables[t]) > 2)
are_nine_runs = lambda runs: (
    set(runs) == {"PH1_num", "PH1_denom", "PH2", "PH3", "PH4", "PH5_denom", "PH6", "PH7", "PH8_denom"}
)

state("phsafe.tables.levels", "PHSafe, section 2.4")(
    """PH1, PH3, PH4, PH5, PH7 and PH8 are released for all population group levels whereas PH2 and PH6 are only
    released for (Nation, Unattributed) and (State, Unattributed).""",
    every(
        published_levels, lambda table, levels, everywhere: everywhere_but(("PH2", "PH6"), table, levels, everywhere)
    ),
    mutant("PH2 only", lambda table, levels, everywhere: everywhere_but(("PH2",), table, levels, everywhere)),
    reading="in the published setting",
)

state("phsafe.tables.repeated", "PHSafe, section 2")(
    "It includes eight published tables–six of which are repeated by major race and ethnicity.",
    every(all_tables, lambda tables: len(tables) == 8 and repeated_tables(tables) == 6),
    mutant("seven", lambda tables: len(tables) == 8 and repeated_tables(tables) == 7),
)

state("phsafe.runs.nine", "PHSafe, section 3.2")(
    """Thus, we assume the PHSafe mechanism requires nine independent runs to generate the S-DHC: PH1_num, PH1_denom,
    PH2, PH3, PH4, PH5_denom, PH6, PH7, and PH8_denom.""",
    every(all_runs, lambda runs: are_nine_runs(runs) and len(runs) == 9),
    mutant("eight", lambda runs: are_nine_runs(runs) and len(runs) == 8),
    reading="these nine have budgets in the published setting, and no other one",
)

# each level's factor of its stated loss, largest squared change, rho and Delta
_level_budgets = lambda scope, change: cases(scope, "relation factor change rho delta")(
    lambda: (
        (relation.name, 1 + relation.is_bounded, change(row, relation), row.unbounded.value, row.delta)
        for relation, row in product(NeighborRelation, TABLE_10)
    )
)
_unique = lambda row, relation: squared_sensitivity(row.table, row.level, relation, row.tau)
_repeated = lambda row, relation: (
    _unique(row, relation)
    if row.tau is None or relation is not NeighborRelation.TABLES_REPLACED
    else repeated_units(row.tau)
)
level_budgets = _level_budgets(
    "the 46 levels of the release under each of the four neighbour relations, the largest change by its closed form",
    _unique,
)

own("phsafe.budget.levels", "PHSafe, Table 10")(
    """No level of the release needs more than Table 10 states, under any of the four neighbour relations: one person
    record added or replaced with its units following, or one row of persons and two of units, added or replaced freely
    (then MAFIDs of units being unique).""",
    every(level_budgets, lambda rho, change, delta, factor: rho * change / delta**2 <= factor * rho),
    mutant("MAFIDs of units may repeat", _level_budgets("MAFIDs of units may repeat", _repeated)),
)

_SUMS = {
    NeighborRelation.PERSON_ADDED: "0.476637",
    NeighborRelation.PERSON_REPLACED: "1.906464",
    NeighborRelation.TABLES_ADDED: "1.116632",
    NeighborRelation.TABLES_REPLACED: "2.478744",
}

_release_sums = lambda changed="": printed(
    [
        PrintedRow.of_texts(relation.name, changed or total, str(sum_of_budgets(RELEASE, relation)))
        for relation, total in _SUMS.items()
    ],
    "the sum over the 46 levels of rho S/Delta^2, S by its closed form",
)

own("phsafe.budget.release", "PHSafe, Table 10")(
    """With the largest squared changes of phsafe.sensitivity the release has, to six decimals, rho^2 = 0.476637 where
    one person record is added or removed and its unit follows, and 1.906464 where one is replaced (1.257281 and
    2.514562 are stated); 1.116632 and 2.478744 where one row of persons and two of units change freely.""",
    _release_sums(),
    mutant("the stated loss", _release_sums("1.257281")),
)

_child = lambda mafid: Person("01", mafid, 13, RaceEth(("A",)), Relationship.OWN_CHILD)
_adult = lambda mafid: Person("01", mafid, 40, RaceEth(("B",), is_hispanic=True), Relationship.HOUSEHOLDER)
_ORDER = ORDERS["hash"]
_MAFIDS = [mafid for mafid in range(100) if _ORDER(_adult(mafid)) > _ORDER(_child(mafid))][:2]
"""MAFIDs in which by the order of truncation an adult comes behind children."""
_ONE = Unit("01", 0, RaceEth(("A",)), Tenure.MORTGAGE, HouseholdStatus.MALE_WITH_OTHERS, is_family=True)
_OTHER = Unit(
    "01", 0, RaceEth(("B",), is_hispanic=True), Tenure.RENTED, HouseholdStatus.FEMALE_WITH_OTHERS, is_family=True
)


def _loss_of_ten_children(mafids: Sequence[int]) -> Fraction:
    """The loss of a pair: a MAFID of ten own children gets an eleventh person, and another one loses such a person."""
    persons = [_child(mafid) for mafid in mafids for _ in range(THRESHOLDS["PH1_num"])]
    x = [*persons, *map(_adult, mafids[1:])], [_ONE._replace(mafid=mafid) for mafid in mafids]
    y = [*persons, _adult(mafids[0])], [_OTHER._replace(mafid=mafid) for mafid in mafids]
    loss = squared_loss(measurements(x, RELEASE), measurements(y, RELEASE))
    if loss is None:
        raise EngineError("neighbours must have the same counts")
    return loss


_FOLLOWING = ((NeighborRelation.PERSON_ADDED, _MAFIDS[:1]), (NeighborRelation.PERSON_REPLACED, _MAFIDS))
enclosed_budgets = cases(
    "one pair of neighbours of ten own children each, from below; the sum over the 46 levels, from above", "low high"
)(lambda: ((_loss_of_ten_children(mafids), sum_of_budgets(RELEASE, relation)) for relation, mafids in _FOLLOWING))

is_nearly_attained = lambda share, high, low: share * high <= low <= high

own("phsafe.budget.release.attained", "PHSafe, Table 10")(
    "Where units follow from persons by any function, some neighbours need more than 99% of these budgets.",
    every(enclosed_budgets, is_nearly_attained, verdict=Verdict.ENCLOSED, share=Fraction(99, 100)),
    mutant("all of it", {"share": 1}),
)

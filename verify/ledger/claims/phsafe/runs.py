"""PHSafe's nine runs: whom their filters keep, which cell a row has, and what is derived from the counts of others."""

from fractions import Fraction
from itertools import product

from stirred.mechanisms.das.phsafe import BasePerson, NoisyCount, RaceEth, derived_counts, derived_tables
from stirred.mechanisms.das.phsafe.algorithms import ORDERS, RESIDENCES, counted_rows, group_of, groups_of
from stirred.mechanisms.das.phsafe.records import Relationship, Tenure
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.phsafe.table_10 import RELEASE

_AGES = (0, 3, 4, 5, 6, 11, 12, 13, 17, 18, 40)
_HEADS = [
    BasePerson("01", 1, 40, RaceEth((race,)), Relationship.HOUSEHOLDER, sex, tenure)
    for race, (sex, tenure) in product("AB", (("male", Tenure.MORTGAGE), ("female", Tenure.RENTED)))
]
_OTHERS = [
    BasePerson("01", 1, age, RaceEth(("A",)), relationship, "female", Tenure.RENTED)
    for age, relationship in product(_AGES, Relationship)
    if relationship != Relationship.HOUSEHOLDER
]

_HOMES = [(head, *others) for head in _HEADS for others in ((), *((other,) for other in _OTHERS))]
"""Householders alone, and with one other person."""

_counted_rows = lambda run, members: counted_rows(
    run, *derived_tables(members), RELEASE.thresholds.get(run.name), ORDERS["hash"]
)
# every row that a run counts, of these households
_rows_of_runs = lambda: (
    (run, row) for run, members in product(runs().values(), _HOMES) for row in _counted_rows(run, members)
)

_HOUSEHOLDS = "households of a householder alone or with one other person of 11 ages and every relationship"
counted = cases(
    f"{_HOUSEHOLDS}: each row in the universe of each of the nine runs",
    "run cell basis",
    lambda: ((run.name, run.cell(row), run.cells) for run, row in _rows_of_runs()),
)

state("phsafe.basis.exactly-one", "PHSafe, section 2.4")(
    """For a given table, every in-universe person can be assigned to exactly one category of the table's basis. For
    example, with PH4, every person in a family is exclusively either under 18 years or 18 years and over.""",
    every(counted, lambda cell, basis: sum(1 for c in basis if c == cell) == 1),
    mutant("without the last cell", lambda cell, basis: sum(1 for c in basis[:-1] if c == cell) == 1),
    reading='"12 and 17 years" of PH6 being 12 to 17 years (phsafe.basis.ages)',
)

filtered = cases(
    f"{_HOUSEHOLDS}, run by run: their ages, and whether the filter keeps them",
    "run kept_of_age",
    lambda: (
        (run.name, [(one.age, run.person_condition(one.person)) for one in members])
        for run, members in product(runs().values(), _HOMES)
    ),
)

state("phsafe.runs.filters", "PHSafe, section 3.2")(
    """Given the inputs described in Section 3.1, no records are removed in the case of PH1_num. However, for tables
    like PH3, the filter would remove people 18 years or over.""",
    every(filtered, lambda run, kept_of_age: run != "PH1_num" or all(kept for age, kept in kept_of_age)),
    mutant("none in PH3", lambda run, kept_of_age: run != "PH3" or all(kept for age, kept in kept_of_age)),
    every(filtered, lambda run, kept_of_age: run != "PH3" or all(kept == (age < 18) for age, kept in kept_of_age)),
)

placed = cases(
    f"{_HOUSEHOLDS}: the rows of the nine runs, in each level of the run",
    "group groups cell cells",
    lambda: (
        (
            group_of(row, level, run, ("01",), RESIDENCES["unit"]) or "",
            groups_of(level, ("01",)),
            run.cell(row),
            run.cells,
        )
        for run, row in _rows_of_runs()
        for level in RELEASE.exact_budgets[run.name]
    ),
)

state("phsafe.runs.transform", "PHSafe, section 3.2")(
    """Records in the joined dataframe are mapped to at most one population group within the current level. … Next,
    the person is mapped to exactly one basis table cell based on the criteria specified within the table
    specifications.""",
    every(
        placed,
        lambda group, groups, cell, cells: (
            (group == "" or group in groups) and len([c for c in cells if c == cell]) == 1
        ),
    ),
    mutant("exactly one group", lambda group, groups: len([g for g in groups if g == group]) == 1),
    reading="of the program's filters and maps, which are made from the tables' words",
)

_counts_of = lambda run, found: {cell: found.count(cell) for cell in run.cells}
_counts = lambda run, members: _counts_of(runs()[run], list(map(runs()[run].cell, _counted_rows(runs()[run], members))))
_noisy = lambda run, members: [
    NoisyCount(run, "usa_*", ("usa", "*"), cell, rows, Fraction(1)) for cell, rows in _counts(run, members).items()
]
_derived = lambda table, run, members: {
    one.cell: one.value for one in derived_counts(_noisy(run, members)) if one.table == table
}

families = cases(
    f"{_HOUSEHOLDS}: counts by the cells of PH4, and of PH5_num as it is derived",
    "x y",
    lambda: ((_counts("PH4", members), _derived("PH5_num", "PH4", members)) for members in _HOMES),
)
tenures = cases(
    f"{_HOUSEHOLDS}: persons by tenure of their unit, and PH8_num as it is derived",
    "x y owned rented",
    lambda: (
        (
            [str(unit.tenure) for unit in derived_tables(members)[1] for _ in members],
            _derived("PH8_num", "PH7", members),
            [str(tenure) for tenure in Tenure if tenure != Tenure.RENTED],
            str(Tenure.RENTED),
        )
        for members in _HOMES
    ),
)

are_counts_by_tenure = lambda y, x, owned, rented: (
    y["owner occupied"] == sum(1 for t in x if t in owned) and y["renter occupied"] == sum(1 for t in x if t == rented)
)

state("phsafe.runs.families", "PHSafe, section 3.2", "PHSafe, section 6.4.1")(
    """We note that PH4 is identical to PH5_num. To avoid redundancy, PHSafe only estimates PH4 and omits PH5_num from
    its processing.""",
    every(families, lambda x, y: x == y),
    mutant("one more", lambda x, y: {c: x[c] + 1 for c in x} == y),
)

state("phsafe.runs.tenure", "PHSafe, section 3.2", "PHSafe, section 6.4.1")(
    """Next, we note that PH8_num is derivable from PH7, since the population in owner occupied units equals the sum of
    the populations in owned with a mortgage or a loan units and owned free and clear units. With this in mind, PHSafe
    opts to not directly estimate PH8_num, but rather to derive its estimates from PH7.""",
    every(tenures, lambda x, y, owned, rented: are_counts_by_tenure(y, x, owned, rented)),
    mutant("owned free and clear alone", lambda x, y, owned, rented: are_counts_by_tenure(y, x, owned[1:], rented)),
    reading="in households within the threshold",
)

state("phsafe.runs.hierarchical", "PHSafe, section 3.2")(
    """Furthermore, we observe that PH8_num and PH8_denom do have hierarchical table structures, despite PH8 behaving
    non-hierarchically. For PH8_num, the population in owner occupied units and the population in renter occupied units
    does sum to the total population in occupied housing units. For PH8_denom, the number of owner occupied units and
    the number of renter occupied units sums to the total count of occupied housing units.""",
    every(tenures, lambda x, y: sum(y[c] for c in y) == len(x)),
    mutant("owners alone", lambda x, y: y["owner occupied"] == len(x)),
    every(
        cases(
            f"{_HOUSEHOLDS}: PH8_denom, and the unit",
            "x units",
            lambda: ((_counts("PH8_denom", members), len(derived_tables(members)[1])) for members in _HOMES),
        ),
        lambda x, units: sum(x[c] for c in x) == units,
    ),
    reading="in households within the threshold",
)

"""What a neighbour changes in PHSafe's program: the largest squared changes, and the steps of its proofs.

In Coq the largest change is proved, over all levels of Algorithm 1 and all data sets. For tau = 1, 2, 3 all neighbours
of a small domain are enumerated, any number of MAFIDs; for every tau a solver bounds what joined rows can do.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

from stirred.mechanisms.das.phsafe import BasePerson, Person, RaceEth, Settings, Unit, derived_tables, measurements
from stirred.mechanisms.das.phsafe.algorithms import ORDERS, counted_rows, group_of, noise_scale, stability_factor
from stirred.mechanisms.das.phsafe.records import HouseholdStatus, Relationship, Tenure
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.verify.laws.claim.claim_numbers import parts
from stirred.verify.ledger import cases, every, incomplete, mutant, own, query, some, state, theorem
from stirred.verify.ledger.claims.phsafe.stability import (
    ADDED,
    KINDS,
    REPLACED,
    UNITS_ADDED,
    UNITS_REPLACED,
    households,
    one_more,
)
from stirred.verify.ledger.claims.phsafe.table_10 import LEVELS, RELEASE, TABLE_10, THRESHOLDS
from stirred.verify.ledger.engines.phsafe.privacy_check import squared_loss
from stirred.verify.ledger.engines.phsafe.sensitivity import (
    NeighborRelation,
    algorithm_sensitivity,
    squared_sensitivity,
)
from stirred.verify.ledger.engines.phsafe.stability import FreeDomain, extreme_changes, household_counts
from stirred.verify.ledger.words import symmetric_difference

# the largest squared change of a level of PHSafe between neighbours, under each neighbour relation and for every tau

_WHITE, _OTHER = RaceEth(("A",)), RaceEth(("B",), is_hispanic=True)
UNITS = (
    Unit("", 0, _WHITE, Tenure.MORTGAGE, HouseholdStatus.OPPOSITE_SEX_MARRIED, is_family=True),
    Unit("", 0, _OTHER, Tenure.RENTED, HouseholdStatus.MALE_WITH_OTHERS, is_family=True),
    Unit("", 0, _WHITE, Tenure.MORTGAGE, HouseholdStatus.OPPOSITE_SEX_MARRIED, is_family=False),
)
"""Units of two races, ethnicities, tenures and types, in a family and not."""

_CHILD, _GRANDCHILD = Relationship.OWN_CHILD, Relationship.GRANDCHILD
_PERSONS = {
    # in the order of truncation, by hash, one of the other cell stands between two of one
    "PH3": [Person("", 0, age, _WHITE, how) for age, how in ((5, _CHILD), (7, _CHILD), (5, _GRANDCHILD))],
    "PH6": [Person("", 0, age, _WHITE, _CHILD) for age in (14, 7, 13)],
}
_OF_TWO_AGES = [Person("", 0, age, _WHITE, Relationship.OTHER_RELATIVE) for age in (4, 18, 16)]
ALL_RUNS = (*THRESHOLDS, "PH1_denom", "PH5_denom", "PH8_denom")
_STATES = ("01", "02")


def free_domain(table: str, tau: int, states: tuple[str, ...] = _STATES, most_units: int = 1) -> FreeDomain:
    """Households of up to tau + 1 persons of three kinds, two where the run has no persons, and three units."""
    return FreeDomain(
        _PERSONS.get(table, _OF_TWO_AGES), UNITS, tau + 1 if table in THRESHOLDS else 2, states, most_units
    )


def level_settings(
    table: str, tau: int, geographies: tuple[str, ...] = ("usa", "state"), order: str = "hash"
) -> Settings:
    """One run with rho = 1 in each of its levels."""
    levels = [one for one in LEVELS if one.startswith(geographies) and (table not in {"PH2", "PH6"} or "*" in one)]
    thresholds = {table: tau} if table in THRESHOLDS else {}
    return Settings({table: dict.fromkeys(levels, 1)}, thresholds, _STATES, order=order)


def enumerated(relation: NeighborRelation, table: str, tau: int) -> dict[str, list[tuple[int, ...]]]:
    """By level, the changes between neighbours by their absolute values, the extreme ones among them."""
    places = ("usa", "state") if relation.units_follow else ("usa",)  # free units show in the nation what they do
    domain = free_domain(table, tau, _STATES if relation.units_follow else _STATES[:1])
    found = extreme_changes(domain, level_settings(table, tau, places), relation)
    return {
        level: sorted({tuple(sorted((abs(c) for c in change if c), reverse=True)) for change in changes})
        for (_, level), changes in found.items()
    }


_changes = lambda relation, tau: sorted(
    {one for table in THRESHOLDS for level in enumerated(relation, table, tau).values() for one in level}
)
_joined = lambda relation: cases(
    "tau = 1, 2, 3: every level of the runs of Algorithm 1, households of up to tau + 1 persons of three kinds and "
    f"three units, any number of them; {relation.value}",
    "tau changes",
)(lambda: ((tau, _changes(relation, tau)) for tau in (1, 2, 3)))
largest_square = lambda changes: max(sum(c**2 for c in change) for change in changes)

_ALL_RUNS = "every mapping of rows to cells, every total order of truncation; data sets are multisets"

_bounded = lambda name, *changes, claimed="": query(
    f"phsafe.sensitivity.{name}",
    "every tau, the counts of three cells",
    claimed=f"(w1 - v1)**2 + (w2 - v2)**2 + (w3 - v3)**2 <= {claimed}" if claimed else "",
    changes=changes,
)

own("phsafe.sensitivity.person-added", "PHSafe, Lemma 6", "PHSafe, Theorem 1")(
    """Where units follow from the persons of their MAFID by any function, the largest squared L2 change of a level of
    Algorithm 1 by one person added or removed is 2 tau^2, for every tau.""",
    _bounded("person-added"),
    theorem("sensitivity.person_added_sensitivity", within=_ALL_RUNS),
    every(_joined(NeighborRelation.PERSON_ADDED), lambda tau, changes: largest_square(changes) == 2 * tau**2),
    mutant("tau^2", _bounded("person-added", ("(* 2 (square tau))", "(square tau)"), claimed="tau**2")),
    mutant("2 tau^2 + 1", lambda tau, changes: largest_square(changes) == 2 * tau**2 + 1),
)

own("phsafe.sensitivity.person-replaced", "PHSafe, Theorem 3")(
    """Where units follow from the persons of their MAFID by any function, the largest squared L2 change of a level of
    Algorithm 1 by one person record replaced is 8 tau^2, for every tau.""",
    _bounded("person-replaced"),
    theorem("sensitivity.person_replaced_sensitivity", within=_ALL_RUNS),
    every(_joined(NeighborRelation.PERSON_REPLACED), lambda tau, changes: largest_square(changes) == 8 * tau**2),
    mutant(
        "4 tau^2, two of those of one person added",
        _bounded("person-replaced", ("(* 8 (square tau))", "(* 4 (square tau))"), claimed="4*tau**2"),
    ),
)

own("phsafe.sensitivity.tables-added", "PHSafe, Lemma 6", "PHSafe, section 6.2")(
    """Where one row of persons and two rows of units with unique MAFIDs are added or removed freely, the largest
    squared L2 change of a level of Algorithm 1 is 4 tau^2 + 4 tau + 2, for every tau >= 1.""",
    _bounded("tables-added"),
    theorem("sensitivity.tables_added_sensitivity", within=_ALL_RUNS),
    every(
        _joined(NeighborRelation.TABLES_ADDED), lambda tau, changes: largest_square(changes) == 4 * tau**2 + 4 * tau + 2
    ),
    mutant(
        "(2 tau + 1)^2",
        _bounded("tables-added", ("(+ (square (- most 1)) 1)", "(square (- most 1))"), claimed="(most - 1)**2"),
    ),
    mutant("(2 tau + 2)^2", lambda tau, changes: largest_square(changes) == (2 * tau + 2) ** 2),
)

own("phsafe.sensitivity.tables-replaced", "PHSafe, Theorem 3")(
    """Where one row of persons and two rows of units with unique MAFIDs are replaced freely, the largest squared L2
    change of a level of Algorithm 1 is 8 (tau + 1)^2, for every tau >= 1.""",
    _bounded("tables-replaced"),
    theorem("sensitivity.tables_replaced_sensitivity", within=_ALL_RUNS),
    every(
        _joined(NeighborRelation.TABLES_REPLACED), lambda tau, changes: largest_square(changes) == 8 * (tau + 1) ** 2
    ),
    mutant("half of it", _bounded("tables-replaced", ("(* 2 (square most))", "(square most)"), claimed="most**2")),
    mutant("8 tau^2", lambda tau, changes: largest_square(changes) == 8 * tau**2),
)

_by_level = lambda largest: cases(
    "tau = 1, 2, 3: each level of the nine runs under each of the four neighbour relations", "level tau changes largest"
)(
    lambda: (
        (f"{table} {level}, {relation.value}", tau, changes, largest(table, level, relation, threshold))
        for relation, table in product(NeighborRelation, ALL_RUNS)
        for tau, threshold in ([(tau, tau) for tau in (1, 2, 3)] if table in THRESHOLDS else [(1, None)])
        for level, changes in enumerated(relation, table, tau).items()
    )
)

own("phsafe.sensitivity.levels", "PHSafe, Theorem 1")(
    """The largest squared L2 change of each level of each run under the four neighbour relations is the closed form of
    verify/ledger/engines/phsafe/sensitivity.py, such as 2 for PH1_num unattributed, one person being added.""",
    every(_by_level(squared_sensitivity), lambda changes, largest: largest_square(changes) == largest),
    mutant("that of the worst run for each", _by_level(lambda _run, _level, *how: algorithm_sensitivity(*how))),
)

_THRESHOLDS = ("phsafe.privacy.thresholds", "all tau >= 1")

own("phsafe.privacy.thresholds", "PHSafe, Theorem 1", "PHSafe, Theorem 3")(
    """For every tau, Delta = 2 tau + 2 covers the largest squared changes of Algorithm 1: 2 tau^2 and 4 tau^2 + 4 tau +
    2 are at most Delta^2, 8 tau^2 and 8 (tau + 1)^2 at most 2 Delta^2.""",
    query(*_THRESHOLDS),
    mutant(
        "Delta = 2 tau + 1",
        query(
            *_THRESHOLDS, claimed="8*(tau + 1)**2 <= 2*(2*tau + 1)**2", changes=[("(+ (* 2 tau) 2)", "(+ (* 2 tau) 1)")]
        ),
    ),
)

# what a neighbour changes on the way to PHSafe's theorems: the steps of their proofs

Rows = list[str]
_UP_TO_4 = "households of up to 4 persons of five kinds, one more added"

_person = lambda row: f"{row.age}, {row.race_eth.races}, {row.relationship}"
_unit = lambda row: f"{row.race_eth.races}, {row.tenure}, {row.status}, {'family' if row.is_family else 'no family'}"

# persons and units before and after a person is added to a household
_derived = lambda: (
    (
        *([_person(one) for one in some] for some in (persons, after[0])),
        *([_unit(one) for one in some] for some in (units, after[1])),
    )
    for (persons, units), after in one_more(dict(households(3).of_one_mafid()))
)

derived = cases(_UP_TO_4, "p q u v")(_derived)

_TYPE = "opposite-sex married couple"

state("phsafe.views.stable", "PHSafe, Figure 1", "PHSafe, section 5")(
    """Stability of the J view. The person dataframe and unit dataframe are derived from the base person dataframe via a
    stability 1 and 2 transformation, respectively.""",
    every(derived, lambda p, q, u, v: symmetric_difference(p, q) <= 1 and symmetric_difference(u, v) <= 2),
    mutant("1 and 1", lambda p, q, u, v: symmetric_difference(p, q) <= 1 and symmetric_difference(u, v) <= 1),
)

couples = cases(f"{_UP_TO_4}: households that have a couple with it, or without", "u v")(
    lambda: (
        (u, v) for _, _, u, v in _derived() if any(_TYPE in one for one in v) and not any(_TYPE in one for one in u)
    )
)

state("phsafe.views.household-type", "PHSafe, section 5.1")(
    """For example, removing a person record from a household can change the household type (e.g., from a married couple
    family to nonfamily) resulting in a symmetric difference of 2 for neighboring datasets. Hence, the post-truncation
    unit dataframe differs by at most 2 records when adding or removing a record from the base person dataframe.""",
    some(couples, lambda u, v: symmetric_difference(u, v) == 2),
    every(derived, lambda u, v: symmetric_difference(u, v) <= 2),
    mutant("1 record", lambda u, v: symmetric_difference(u, v) <= 1),
)

squared_distance = lambda x, y: sum((a - b) ** 2 for a, b in zip(x, y))

state("phsafe.privacy.join.one-row", "PHSafe, Theorem 1 (its proof)")(
    """Let J and J' be the result of transformation T on (P, U) and (P', U'), respectively. Since the mappings, f and
    g_i are 1-stable transformations, the L2 distance in the query defined in Lines 11-16 is 1. It follows that for all
    i in [1, omega], D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/(2 tau + 2)^2 by Lemma 3.""",
    every(ADDED, lambda x, y: squared_distance(x, y) <= 1),
    reading="of neighbours P and P', a person added or removed; is 1: at most, as a person may not be counted",
    grade=incomplete("that J and J' differ in one row, as Lemma 2, which comes after it, needs; T changes up to 2 tau"),
)

one_row = cases(
    "PH1_num, PH3, PH4 and PH7, every level of the nation, tau = 1, 2, 3, rho_i = 1; the joined rows of households of "
    "up to tau + 1 persons of five kinds, with and without one of them; the counts by cell, and sigma^2",
    "tau x y scale",
)(
    lambda: (
        (tau, [counts[one] for one in counts], [less[one] for one in counts], scale)
        for joined in [[table for name, table in runs().items() if name in {"PH1_num", "PH3", "PH4", "PH7"}]]
        for tau, table, level in product((1, 2, 3), joined, ("usa_*", "usa_A-G", "usa_H,I"))
        for scale in [noise_scale(stability_factor(table, tau), Fraction(1))]
        for _, (persons, units) in households(tau).of_one_mafid()
        for rows in [counted_rows(table, persons, units, tau, ORDERS["hash"])]
        for places in [[(group_of(row, level, table, ("01",)), table.cell(row)) for row in rows]]
        for told in [[place for place in places if None not in place]]
        for counts in [Counter(told)]
        for left in sorted(set(told))
        for less in [counts - Counter([left])]
    )
)

own("phsafe.privacy.join.one-row.repaired", "PHSafe, Theorem 1 (its proof)")(
    """For J and J' that differ in one row, the L2 distance in the query is at most 1, and D_alpha(M_i(J)||M_i(J')) <=
    alpha rho_i/(2 tau + 2)^2.""",
    every(one_row, lambda tau, x, y, scale: squared_distance(x, y) / (2 * scale) <= 1 / (2 * tau + 2) ** 2),
    mutant("half of it", lambda tau, x, y, scale: squared_distance(x, y) / (2 * scale) <= 1 / (2 * tau + 2) ** 2 / 2),
    mutant("of neighbours P and P'", every(ADDED, lambda x, y: squared_distance(x, y) <= 1)),
    repairs="phsafe.privacy.join.one-row",
    reading="for rho_i = 1, by sum (x - y)^2/(2 sigma^2), with the noise of the program",
)

state("phsafe.privacy.units.distance", "PHSafe, Theorem 2 (its proof)")(
    """Let J and J' be the result of transformations T on U and U', respectively. Since the mappings, f and g_i are
    1-stable transformations, the L2 distance in the query defined in Lines 6-11 is 1. It follows that for all i in [1,
    omega], D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/2 by Lemma 3.""",
    every(UNITS_ADDED, lambda x, y: squared_distance(x, y) <= 1),
    reading="of neighbours P and P', a person added or removed, and their units U and U'; is 1: at most",
    grade=incomplete(
        "a unit that changes its group is two rows: the distance is sqrt(2), with which Lemma 3 gives rho_i/2"
    ),
)

own("phsafe.privacy.units.distance.repaired", "PHSafe, Theorem 2 (its proof)")(
    """Between the unit dataframes of neighbours the L2 distance is at most sqrt(2), so that by Lemma 3, with sigma^2 =
    2/rho_i, D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/2.""",
    every(UNITS_ADDED, lambda x, y: squared_distance(x, y) <= 2 and squared_distance(x, y) / (2 * 2) <= 1 / 2),
    mutant("at most 1", lambda x, y: squared_distance(x, y) <= 1),
    repairs="phsafe.privacy.units.distance",
)

state("phsafe.privacy.units.half", "PHSafe, Theorem 2 (its proof)")(
    """Let U and U' denote the corresponding unit dataframes. We want to show that for all alpha in (1, infinity),
    D_alpha(M(U)||M(U')) <= alpha rho/2, where M is Algorithm 2.""",
    every(UNITS_ADDED, lambda x, y: squared_distance(x, y) / 4 <= 1 / 2),
    mutant("rho/4", lambda x, y: squared_distance(x, y) / 4 <= 1 / 4),
    reading="of neighbours P and P', for one level and rho_i = 1 (levels add up)",
)

state("phsafe.privacy.join.bounded.distance", "PHSafe, Theorem 3 (its proof)")(
    """Therefore, the maximum difference in the query defined in Lines 11-16 for a single cell due to adding a record is
    an increase by (2 tau + 2). Likewise, for removing a record, the maximum difference in the query defined in Lines
    11-16 is a decrease in a single cell by (2 tau + 2). This results in a maximum L2 distance of sqrt(2 (2 tau + 2)^2)
    = sqrt(2) (2 tau + 2).""",
    every(REPLACED, lambda tau, x, y: squared_distance(x, y) <= 2 * (2 * tau + 2) ** 2),
    mutant("2 tau - 1", lambda tau, x, y: squared_distance(x, y) <= 2 * (2 * tau - 1) ** 2),
    reading="""the maximum that stability leaves possible, with which the sentence begins ('the composition of all the
    transformations is (2 tau + 2)-stable. Therefore'): at most. That a record added can lower a cell too, by less
    (phsafe.privacy.join.lowers), is no larger difference, and the distance holds nevertheless""",
)

state("phsafe.privacy.units.bounded.distance", "PHSafe, Theorem 4 (its proof)")(
    """Therefore, the maximum difference in the query defined in Lines 6-11 for a single population group due to adding
    a record is an increase by 2. Likewise, for removing a record, the maximum difference in the query defined in Lines
    6-11 is a decrease in a single population group by 2. This results in a maximum L2 distance of sqrt(2 (2)^2) =
    sqrt(2) (2).""",
    every(UNITS_REPLACED, lambda x, y: squared_distance(x, y) <= 2 * 2**2),
    mutant("less than that", lambda x, y: squared_distance(x, y) < 2 * 2**2),
    reading="at most, as for Theorem 3; attained, by two households that both leave one group for another one",
)

# all counts of a household in the nation before and after a person is added
_lowering = lambda tau: cases(
    f"tau = {tau}: households of {tau} persons of five kinds, one more added; PH7", "tau x y"
)(
    lambda: (
        (tau, list(before), list(after))
        for counts in [household_counts(households(tau), level_settings("PH7", tau, ("usa",)))["PH7", "usa_*"]]
        for before, after in one_more({name: n for name, n in counts.items() if len(name[1]) >= tau})
    )
)
lowers_and_raises = lambda x, y, by: any(a - b == by for a, b in zip(x, y)) and any(b - a == by for a, b in zip(x, y))

own("phsafe.privacy.join.lowers", "PHSafe, Theorem 3 (its proof)")(
    "Adding one person can lower one cell by tau and raise another one by tau.",
    *[some(_lowering(tau), lambda tau, x, y: lowers_and_raises(x, y, tau)) for tau in (1, 2, 3)],
    mutant("by 2 tau + 2", some(_lowering(2), lambda tau, x, y: lowers_and_raises(x, y, 2 * tau + 2))),
)

# what neighbours change in PHSafe's program: the declared relation, households, variances, a single run

declared = cases(
    "the nine runs in every level of the nation; tau = 1, 2, 3; up to tau + 1 persons of three kinds and three units",
    "table delta changes",
)(
    lambda: (
        (table, 2 * tau + 2 if table in THRESHOLDS else 2, [change for level in found.values() for change in level])
        for table in ALL_RUNS
        for tau in ((1, 2, 3) if table in THRESHOLDS else (1,))
        for found in [enumerated(NeighborRelation.TABLES_ADDED, table, tau)]
    )
)

state("phsafe.neighbors.declared", "PHSafe, section 6.2")(
    """The person dataset defines neighbors with respect to the addition/removal of any single record from the dataset.
    The household dataset defines neighbors with respect to the addition/removal of two records from the dataset. These
    setting reflect the use of unbounded neighbors within the PHSafe code implementation.""",
    every(declared, lambda delta, changes: largest_square(changes) <= delta**2),
    mutant("half of Delta^2", lambda delta, changes: largest_square(changes) <= delta**2 / 2),
    reading="""Theorems 1 and 2 hold where both change at once, MAFIDs of units being unique: no squared change is above
    Delta^2. Of Theorems 3 and 4, whose neighbours 'differ in an arbitrary change in one person's record', it says
    nothing: see phsafe.neighbors.declared.twice""",
)

# any two steps of the declared relation, in MAFIDs of their own, by run, level and tau
_twice = lambda *tables: (
    (tau, [tuple(a + b for a, b in zip(c, d, strict=True)) for c, d in product(changes, repeat=2)])
    for table in tables
    for tau in ((1, 2) if table in THRESHOLDS else (1,))
    for settings in [level_settings(table, tau, ("usa",))]
    for steps in [extreme_changes(free_domain(table, tau, ("01",)), settings, NeighborRelation.TABLES_ADDED)]
    for changes in steps.values()
)

_STEPS = "two steps of one row of persons and up to two rows of units, each added or removed, in the nation"
twice_joined = cases(f"{_STEPS}; PH4 and PH7, tau = 1, 2", "tau changes")(lambda: _twice("PH4", "PH7"))
twice_units = cases(f"{_STEPS}; PH1_denom, PH5_denom and PH8_denom", "tau changes")(
    lambda: _twice("PH1_denom", "PH5_denom", "PH8_denom")
)

own("phsafe.neighbors.declared.twice", "PHSafe, section 6.2", "PHSafe, Theorem 3", "PHSafe, Theorem 4")(
    """Table 10's bounded column is not what two steps of the relation that section 6.2 declares may lose: for one row
    of persons removed and another added, with two rows of units added each time, the squared L2 change of Algorithm 1
    is up to (4 tau + 2)^2 + 4, above the 2 (2 tau + 2)^2 of Theorem 3, and that of Algorithm 2 up to 16, above the 2 *
    2^2 of Theorem 4. The bounded column is of one person's record changed, with its units.""",
    some(twice_joined, lambda tau, changes: largest_square(changes) == (4 * tau + 2) ** 2 + 4 > 2 * (2 * tau + 2) ** 2),
    every(twice_joined, lambda tau, changes: largest_square(changes) <= (4 * tau + 2) ** 2 + 4),
    mutant("within Theorem 3", lambda tau, changes: largest_square(changes) <= 2 * (2 * tau + 2) ** 2),
    some(twice_units, lambda changes: largest_square(changes) == 16),
    every(twice_units, lambda changes: largest_square(changes) <= 16),
    mutant("within Theorem 4", lambda changes: largest_square(changes) <= 2 * 2**2),
)

replaced_households = cases(
    "the nine runs in every level of the nation; tau = 1, 2; a household of up to tau + 1 persons of three kinds and "
    "of three units replaced by any other one",
    "level delta tau x y",
)(
    lambda: (
        (f"{table} {level}", 2 * tau + 2 if table in THRESHOLDS else 2, tau, list(x), list(y))
        for table in ALL_RUNS
        for tau in ((1, 2) if table in THRESHOLDS else (1,))
        for domain in [free_domain(table, tau, ("01",))]
        for (_, level), by_name in household_counts(domain, level_settings(table, tau, ("usa",))).items()
        for x, y in product(sorted(set(by_name.values())), repeat=2)
    )
)

household_loss = lambda x, y, delta, unbounded: squared_distance(x, y) / delta**2 * unbounded

_UNBOUNDED = sum((row.unbounded.value for row in TABLE_10), Fraction(0))

state("phsafe.households.table-4", "article, Table 4", "dissertation, Table 3.4")(
    "PHSafe >= 1 housing unit (block) S-DHC: rho^2 = 2.515",
    every(
        replaced_households,
        lambda delta, x, y, unbounded, stated: household_loss(x, y, delta, unbounded) <= stated,
        unbounded=_UNBOUNDED,
        stated=Fraction(parts("das-2020.total")["PHSafe"]),
    ),
    every(
        replaced_households,
        lambda delta, x, y, unbounded: household_loss(x, y, delta, unbounded) <= unbounded / 2,
        unbounded=_UNBOUNDED,
    ),
    mutant("a quarter", lambda delta, x, y, unbounded: household_loss(x, y, delta, unbounded) <= unbounded / 4),
    reading="""under the row above, SafeTab-H's d_HamS^hh (household): one household-record, its unit and its persons,
    is replaced; each level gives at most its share of the 2.515, and in fact of half the unbounded total 1.257281""",
)

_CHILDREN = [
    BasePerson("01", 1, age, KINDS[0].race_eth, Relationship.OWN_CHILD, "male", KINDS[0].tenure) for age in (3, 13)
]

_told = lambda one, times: (f"{one.table} {one.level} {one.group} {one.cell}", one.sigma_squared * times)

_SMALL = Settings({"PH7": {"usa_*": 1}, "PH8_denom": {"usa_*": 1}}, {"PH7": 1}, ("01",))
_variances = lambda more=0: cases("two runs on no, one and two persons: every count's name and sigma^2", "x y")(
    lambda: (
        (
            [_told(one, 1) for one in measurements(derived_tables(()), _SMALL)],
            [_told(one, 1 + more * len(persons)) for one in measurements(derived_tables(persons), _SMALL)],
        )
        for persons in ((), _CHILDREN[:1], _CHILDREN)
    )
)

state("phsafe.variance", "PHSafe, section 6.5")(
    """In addition to noisy count estimates for population groups, the PHSafe implementation also outputs the variance
    of the noise distributions used to generate each estimate. One benefit of differential privacy as a disclosure
    avoidance technique is the ability to release properties such as variance without compromising the privacy
    guarantees.""",
    every(_variances(), lambda x, y: x == y),
    mutant("noise by the number of records", _variances(more=1)),
    reading="sigma^2 of every count is the same whatever the data",
)

# the loss of a pair in each of the nine runs alone, and in all of them as one release
_losses = lambda: (
    (by_run, squared_loss(*both) or Fraction(0))
    for releases in [[measurements(derived_tables(persons), RELEASE) for persons in ((), _CHILDREN[:1], _CHILDREN)]]
    for tables in [list(dict.fromkeys(one.table for one in releases[0]))]
    for both in product(releases, repeat=2)
    for runs in [{table: [tuple(m for m in some if m.table == table) for some in both] for table in tables}]
    for by_run in [[squared_loss(*some) or Fraction(0) for some in runs.values()]]
)

single_run = cases("the published release on no, one and two children, two data sets at a time", "runs whole")(_losses)

state("phsafe.single-run", "PHSafe, section 6.2")(
    """The PHSafe program encodes the processing of all tables into a single run so that all processes can be contained
    within a single Session. This distinction does not change the privacy analysis of PHSafe.""",
    every(single_run, lambda runs, whole: sum(runs) == whole),
    mutant("the largest run", lambda runs, whole: max(runs) == whole),
    reading="the loss of any two data sets in one release of all tables is the sum of their losses in the nine runs",
)

own("phsafe.single-run.zcdp", "PHSafe, section 6.2")(
    """All tables in one run satisfy zCDP with the sum of the budgets rho of their levels.""",
    every(single_run, lambda runs, whole: sum(runs) == whole),
    mutant("the largest run", lambda runs, whole: max(runs) == whole),
    theorem("release.release_zcdp", within="discrete laws, any number of levels and cells"),
)

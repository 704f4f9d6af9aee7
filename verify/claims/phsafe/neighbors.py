"""What a neighbour changes on the way to PHSafe's theorems: the steps of their proofs, the library, households."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from stirred.mechanisms.das.phsafe import BasePerson, Measurement, Person, Unit, derived_tables, measurements
from stirred.mechanisms.das.phsafe.algorithms import ORDERS, counted_rows, group_of, noise_scale, stability_factor
from stirred.mechanisms.das.phsafe.records import Relationship
from stirred.mechanisms.das.phsafe.release import Settings
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.verify.audit.published import parts
from stirred.verify.claims.phsafe.sensitivity import enumerated, free_domain, level_settings
from stirred.verify.claims.phsafe.stability import ADDED, KINDS, REPLACED, UNITS_ADDED, UNITS_REPLACED, households
from stirred.verify.claims.phsafe.table_10 import RELEASE, TABLE_10, THRESHOLDS
from stirred.verify.engines.phsafe.neighbor_relation import NeighborRelation
from stirred.verify.engines.phsafe.privacy_check import squared_loss
from stirred.verify.engines.phsafe.stability import extreme_changes, household_counts
from stirred.verify.ledger import Cases, cases, every, incomplete, some, state, theorem
from stirred.verify.ledger.words import symmetric_difference

Rows = list[str]
_UP_TO_4 = "households of up to 4 persons of five kinds, one more added"


def _person(row: Person) -> str:
    return f"{row.age}, {row.race_eth.races}, {row.relationship}"


def _unit(row: Unit) -> str:
    return f"{row.race_eth.races}, {row.tenure}, {row.status}, {'family' if row.is_family else 'no family'}"


def _derived() -> Iterator[tuple[Rows, ...]]:
    """Persons and units before and after a person is added to a household."""
    rows = {name[1]: data for name, data in households(3).of_one_mafid()}
    for chosen, (persons, units) in rows.items():
        for kind in range(len(KINDS)):
            if (after := rows.get(tuple(sorted((*chosen, kind))))) is not None:
                yield (
                    *([_person(one) for one in some] for some in (persons, after[0])),
                    *([_unit(one) for one in some] for some in (units, after[1])),
                )


derived = cases(_UP_TO_4, "p q u v")(_derived)


def views(p, q, u, v, part, other):
    return symmetric_difference(p, q) <= part and symmetric_difference(u, v) <= other


_TYPE = "opposite-sex married couple"

state(
    "phsafe.views.stable",
    "PHSafe, Figure 1",
    "PHSafe, section 5",
    printed="Stability of the J view. The person dataframe and unit dataframe are derived from the base person "
    "dataframe via a stability 1 and 2 transformation, respectively.",
    checks=[every(derived, lambda p, q, u, v: views(p, q, u, v, 1, 2))],
    mutants={"1 and 1": every(derived, lambda p, q, u, v: views(p, q, u, v, 1, 1))},
)

couples = cases(f"{_UP_TO_4}: households that have a couple with it, or without", "u v")(
    lambda: (
        (u, v) for _, _, u, v in _derived() if any(_TYPE in one for one in v) and not any(_TYPE in one for one in u)
    )
)

state(
    "phsafe.views.household-type",
    "PHSafe, section 5.1",
    printed="For example, removing a person record from a household can change the household type (e.g., from a "
    "married couple family to nonfamily) resulting in a symmetric difference of 2 for neighboring datasets. Hence, "
    "the post-truncation unit dataframe differs by at most 2 records when adding or removing a record from the base "
    "person dataframe.",
    checks=[
        some(couples, lambda u, v: symmetric_difference(u, v) == 2),
        every(derived, lambda u, v: symmetric_difference(u, v) <= 2),
    ],
    mutants={"1 record": every(derived, lambda u, v: symmetric_difference(u, v) <= 1)},
)


def squared(x, y, part):
    return sum((a - b) ** 2 for a, b in zip(x, y)) <= part


state(
    "phsafe.privacy.join.one-row",
    "PHSafe, Theorem 1 (its proof)",
    printed="Let J and J' be the result of transformation T on (P, U) and (P', U'), respectively. Since the mappings, "
    "f and g_i are 1-stable transformations, the L2 distance in the query defined in Lines 11-16 is 1. It follows that "
    "for all i in [1, omega], D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/(2 tau + 2)^2 by Lemma 3.",
    reading="of neighbours P and P', a person added or removed; is 1: at most, as a person may not be counted",
    grade=incomplete("that J and J' differ in one row, as Lemma 2, which comes after it, needs; T changes up to 2 tau"),
    checks=[every(ADDED, lambda x, y: squared(x, y, 1))],
)


@cases(
    "PH1_num, PH3, PH4 and PH7, every level of the nation, tau = 1, 2, 3, rho_i = 1; the joined rows of households of "
    "up to tau + 1 persons of five kinds, with and without one of them; the counts by cell, and sigma^2",
    "tau x y scale",
)
def one_row() -> Iterator[tuple[int, list[int], list[int], Fraction]]:
    joined = [table for name, table in runs().items() if name in {"PH1_num", "PH3", "PH4", "PH7"}]
    for tau, table, level in product((1, 2, 3), joined, ("usa_*", "usa_A-G", "usa_H,I")):
        scale = noise_scale(stability_factor(table, tau), Fraction(1))
        for _, (persons, units) in households(tau).of_one_mafid():
            rows = counted_rows(table, persons, units, tau, ORDERS["hash"])
            places = [(group_of(row, level, table, ("01",)), table.cell(row)) for row in rows]
            told = [place for place in places if None not in place]
            counts = Counter(told)
            for left in sorted(set(told)):
                less = counts - Counter([left])
                yield tau, [counts[one] for one in counts], [less[one] for one in counts], scale


state(
    "phsafe.privacy.join.one-row.repaired",
    "PHSafe, Theorem 1 (its proof)",
    repairs="phsafe.privacy.join.one-row",
    claim="For J and J' that differ in one row, the L2 distance in the query is at most 1, and "
    "D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/(2 tau + 2)^2.",
    reading="for rho_i = 1, by sum (x - y)^2/(2 sigma^2), with the noise of the program",
    checks=[
        every(
            one_row,
            lambda tau, x, y, scale: sum((a - b) ** 2 for a, b in zip(x, y)) / (2 * scale) <= 1 / (2 * tau + 2) ** 2,
        )
    ],
    mutants={
        "half of it": every(
            one_row,
            lambda tau, x, y, scale: (
                sum((a - b) ** 2 for a, b in zip(x, y)) / (2 * scale) <= 1 / (2 * tau + 2) ** 2 / 2
            ),
        ),
        "of neighbours P and P'": every(ADDED, lambda x, y: squared(x, y, 1)),
    },
)

state(
    "phsafe.privacy.units.distance",
    "PHSafe, Theorem 2 (its proof)",
    printed="Let J and J' be the result of transformations T on U and U', respectively. Since the mappings, f and g_i "
    "are 1-stable transformations, the L2 distance in the query defined in Lines 6-11 is 1. It follows that for all i "
    "in [1, omega], D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/2 by Lemma 3.",
    reading="of neighbours P and P', a person added or removed, and their units U and U'; is 1: at most",
    grade=incomplete(
        "a unit that changes its group is two rows: the distance is sqrt(2), with which Lemma 3 gives rho_i/2"
    ),
    checks=[every(UNITS_ADDED, lambda x, y: squared(x, y, 1))],
)

state(
    "phsafe.privacy.units.distance.repaired",
    "PHSafe, Theorem 2 (its proof)",
    repairs="phsafe.privacy.units.distance",
    claim="Between the unit dataframes of neighbours the L2 distance is at most sqrt(2), so that by Lemma 3, with "
    "sigma^2 = 2/rho_i, D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/2.",
    checks=[
        every(UNITS_ADDED, lambda x, y: squared(x, y, 2) and sum((a - b) ** 2 for a, b in zip(x, y)) / (2 * 2) <= 1 / 2)
    ],
    mutants={"at most 1": every(UNITS_ADDED, lambda x, y: squared(x, y, 1))},
)


def unit_loss(x, y, part):
    return sum((a - b) ** 2 for a, b in zip(x, y)) / 4 <= part


state(
    "phsafe.privacy.units.half",
    "PHSafe, Theorem 2 (its proof)",
    printed="Let U and U' denote the corresponding unit dataframes. We want to show that for all alpha in (1, "
    "infinity), D_alpha(M(U)||M(U')) <= alpha rho/2, where M is Algorithm 2.",
    reading="of neighbours P and P', for one level and rho_i = 1 (levels add up)",
    checks=[every(UNITS_ADDED, lambda x, y: unit_loss(x, y, 1 / 2))],
    mutants={"rho/4": every(UNITS_ADDED, lambda x, y: unit_loss(x, y, 1 / 4))},
)


def distance_of_neighbors(x, y, tau, part):
    return sum((a - b) ** 2 for a, b in zip(x, y)) <= 2 * (2 * tau + part) ** 2


state(
    "phsafe.privacy.join.bounded.distance",
    "PHSafe, Theorem 3 (its proof)",
    printed="Therefore, the maximum difference in the query defined in Lines 11-16 for a single cell due to adding a "
    "record is an increase by (2 tau + 2). Likewise, for removing a record, the maximum difference in the query "
    "defined in Lines 11-16 is a decrease in a single cell by (2 tau + 2). This results in a maximum L2 distance of "
    "sqrt(2 (2 tau + 2)^2) = sqrt(2) (2 tau + 2).",
    reading="the maximum that stability leaves possible, with which the sentence begins ('the composition of all the "
    "transformations is (2 tau + 2)-stable. Therefore'): at most. That a record added can lower a cell too, by less "
    "(phsafe.privacy.join.lowers), is no larger difference, and the distance holds nevertheless",
    checks=[every(REPLACED, lambda tau, x, y: distance_of_neighbors(x, y, tau, 2))],
    mutants={"2 tau - 1": every(REPLACED, lambda tau, x, y: distance_of_neighbors(x, y, tau, -1))},
)

state(
    "phsafe.privacy.units.bounded.distance",
    "PHSafe, Theorem 4 (its proof)",
    printed="Therefore, the maximum difference in the query defined in Lines 6-11 for a single population group due "
    "to adding a record is an increase by 2. Likewise, for removing a record, the maximum difference in the query "
    "defined in Lines 6-11 is a decrease in a single population group by 2. This results in a maximum L2 distance of "
    "sqrt(2 (2)^2) = sqrt(2) (2).",
    reading="at most, as for Theorem 3; attained, by two households that both leave one group for another one",
    checks=[every(UNITS_REPLACED, lambda x, y: sum((a - b) ** 2 for a, b in zip(x, y)) <= 2 * 2**2)],
    mutants={"less than that": every(UNITS_REPLACED, lambda x, y: sum((a - b) ** 2 for a, b in zip(x, y)) < 2 * 2**2)},
)


def _added_counts() -> Iterator[tuple[int, list[int], list[int]]]:
    """PH7 in the nation, all counts of a household before and after a person is added."""
    for tau in (1, 2, 3):
        by_name = household_counts(households(tau), level_settings("PH7", tau, ("usa",)))["PH7", "usa_*"]
        for (place, chosen, units), before in by_name.items():
            for kind in range(len(KINDS)):
                after = by_name.get((place, tuple(sorted((*chosen, kind))), units))
                if after is not None and len(chosen) == tau:
                    yield tau, list(before), list(after)


def _lowering(tau: int) -> Cases:
    return cases(f"tau = {tau}: households of {tau} persons of five kinds, one more added; PH7", "tau x y")(
        lambda: (one for one in _added_counts() if one[0] == tau)
    )


def lowers(x, y, part):
    return any(a - b == part for a, b in zip(x, y)) and any(b - a == part for a, b in zip(x, y))


state(
    "phsafe.privacy.join.lowers",
    "PHSafe, Theorem 3 (its proof)",
    claim="Adding one person can lower one cell by tau and raise another one by tau.",
    checks=[some(_lowering(tau), lambda tau, x, y: lowers(x, y, tau)) for tau in (1, 2, 3)],
    mutants={"by 2 tau + 2": some(_lowering(2), lambda tau, x, y: lowers(x, y, 2 * tau + 2))},
)


def _declared() -> Iterator[tuple[str, int | None, list[tuple[int, ...]]]]:
    for table in THRESHOLDS:
        for tau in (1, 2, 3):
            yield (
                table,
                2 * tau + 2,
                [s for some in enumerated(NeighborRelation.TABLES_ADDED, table, tau).values() for s in some],
            )
    for table in ("PH1_denom", "PH5_denom", "PH8_denom"):
        yield table, 2, [s for some in enumerated(NeighborRelation.TABLES_ADDED, table, 1).values() for s in some]


declared = cases(
    "the nine runs in every level of the nation; tau = 1, 2, 3; up to tau + 1 persons of three kinds and three units",
    "table delta changes",
)(_declared)


def within_of_neighbors(changes, delta, part):
    return max(sum(c**2 for c in change) for change in changes) <= part * delta**2


state(
    "phsafe.neighbors.declared",
    "PHSafe, section 6.2",
    printed="The person dataset defines neighbors with respect to the addition/removal of any single record from the "
    "dataset. The household dataset defines neighbors with respect to the addition/removal of two records from the "
    "dataset. These setting reflect the use of unbounded neighbors within the PHSafe code implementation.",
    reading="Theorems 1 and 2 hold where both change at once, MAFIDs of units being unique: no squared change is above "
    "Delta^2. Of Theorems 3 and 4, whose neighbours 'differ in an arbitrary change in one person's record', it says "
    "nothing: see phsafe.neighbors.declared.twice",
    checks=[every(declared, lambda delta, changes: within_of_neighbors(changes, delta, 1))],
    mutants={"half of Delta^2": every(declared, lambda delta, changes: within_of_neighbors(changes, delta, 1 / 2))},
)


def _twice(*tables: str) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Any two steps of the declared relation, in MAFIDs of their own, by run, level and tau."""
    for table in tables:
        for tau in (1, 2) if table in THRESHOLDS else (1,):
            settings = level_settings(table, tau, ("usa",))
            steps = extreme_changes(free_domain(table, tau, ("01",)), settings, NeighborRelation.TABLES_ADDED)
            for changes in steps.values():
                yield tau, [tuple(a + b for a, b in zip(c, d, strict=True)) for c, d in product(changes, repeat=2)]


_STEPS = "two steps of one row of persons and up to two rows of units, each added or removed, in the nation"
twice_joined = cases(f"{_STEPS}; PH4 and PH7, tau = 1, 2", "tau changes")(lambda: _twice("PH4", "PH7"))
twice_units = cases(f"{_STEPS}; PH1_denom, PH5_denom and PH8_denom", "tau changes")(
    lambda: _twice("PH1_denom", "PH5_denom", "PH8_denom")
)


def farthest(changes):
    return max(sum(c**2 for c in change) for change in changes)


state(
    "phsafe.neighbors.declared.twice",
    *("PHSafe, section 6.2", "PHSafe, Theorem 3", "PHSafe, Theorem 4"),
    claim="Table 10's bounded column is not what two steps of the relation that section 6.2 declares may lose: for one "
    "row of persons removed and another added, with two rows of units added each time, the squared L2 change of "
    "Algorithm 1 is up to (4 tau + 2)^2 + 4, above the 2 (2 tau + 2)^2 of Theorem 3, and that of Algorithm 2 up to 16, "
    "above the 2 * 2^2 of Theorem 4. The bounded column is of one person's record changed, with its units.",
    checks=[
        some(twice_joined, lambda tau, changes: farthest(changes) == (4 * tau + 2) ** 2 + 4 > 2 * (2 * tau + 2) ** 2),
        every(twice_joined, lambda tau, changes: farthest(changes) <= (4 * tau + 2) ** 2 + 4),
        some(twice_units, lambda changes: farthest(changes) == 16),
        every(twice_units, lambda changes: farthest(changes) <= 16),
    ],
    mutants={
        "within Theorem 3": every(twice_joined, lambda tau, changes: farthest(changes) <= 2 * (2 * tau + 2) ** 2),
        "within Theorem 4": every(twice_units, lambda changes: farthest(changes) <= 2 * 2**2),
    },
)


def _households(*, tables: tuple[str, ...]) -> Iterator[tuple[str, int, int, list[int], list[int]]]:
    """All counts of one MAFID in a level, two at a time: the household-record replaced by any other one."""
    for table in tables:
        for tau in (1, 2) if table in THRESHOLDS else (1,):
            domain = free_domain(table, tau, ("01",))
            for (_, level), by_name in household_counts(domain, level_settings(table, tau, ("usa",))).items():
                found = sorted(set(by_name.values()))
                delta = 2 * tau + 2 if table in THRESHOLDS else 2
                for x, y in product(found, repeat=2):
                    yield f"{table} {level}", delta, tau, list(x), list(y)


_ALL_RUNS = (*THRESHOLDS, "PH1_denom", "PH5_denom", "PH8_denom")
replaced_households = cases(
    "the nine runs in every level of the nation; tau = 1, 2; a household of up to tau + 1 persons of three kinds and "
    "of three units replaced by any other one",
    "level delta tau x y",
)(lambda: _households(tables=_ALL_RUNS))
_STATED = Fraction(parts("das-2020.total")["PHSafe"])


def household(x, y, delta, unbounded, part):
    return sum((a - b) ** 2 for a, b in zip(x, y)) / delta**2 * unbounded <= part


_UNBOUNDED = sum((row.unbounded.value for row in TABLE_10), Fraction(0))

state(
    "phsafe.households.table-4",
    "article, Table 4",
    "dissertation, Table 3.4",
    printed="PHSafe >= 1 housing unit (block) S-DHC: rho^2 = 2.515",
    reading="under the row above, SafeTab-H's d_HamS^hh (household): one household-record, its unit and its persons, "
    "is replaced; each level gives at most its share of the 2.515, and in fact of half the unbounded total 1.257281",
    checks=[
        every(
            replaced_households,
            lambda delta, x, y, unbounded, stated: household(x, y, delta, unbounded, stated),
            unbounded=_UNBOUNDED,
            stated=_STATED,
        ),
        every(
            replaced_households,
            lambda delta, x, y, unbounded: household(x, y, delta, unbounded, unbounded / 2),
            unbounded=_UNBOUNDED,
        ),
    ],
    mutants={
        "a quarter": every(
            replaced_households,
            lambda delta, x, y, unbounded: household(x, y, delta, unbounded, unbounded / 4),
            unbounded=_UNBOUNDED,
        ),
    },
)

_CHILDREN = [
    BasePerson("01", 1, age, KINDS[0].race_eth, Relationship.OWN_CHILD, "male", KINDS[0].tenure) for age in (3, 13)
]


def _told(one: Measurement) -> tuple[str, Fraction]:
    return f"{one.table} {one.level} {one.group} {one.cell}", one.sigma_squared


_SMALL = Settings({"PH7": {"usa_*": 1}, "PH8_denom": {"usa_*": 1}}, {"PH7": 1}, ("01",))


def _variances(*, by_records: bool = False) -> Cases:
    def listed() -> Iterator[tuple[list[tuple[str, Fraction]], list[tuple[str, Fraction]]]]:
        for persons in ((), _CHILDREN[:1], _CHILDREN):
            first = measurements(derived_tables(()), _SMALL)
            more = 1 + (len(persons) if by_records else 0)
            other = measurements(derived_tables(persons), _SMALL)
            yield [_told(one) for one in first], [(_told(one)[0], one.sigma_squared * more) for one in other]

    return cases("two runs on no, one and two persons: every count's name and sigma^2", "x y")(listed)


state(
    "phsafe.variance",
    "PHSafe, section 6.5",
    printed="In addition to noisy count estimates for population groups, the PHSafe implementation also outputs the "
    "variance of the noise distributions used to generate each estimate. One benefit of differential privacy as a "
    "disclosure avoidance technique is the ability to release properties such as variance without compromising the "
    "privacy guarantees.",
    reading="sigma^2 of every count is the same whatever the data",
    checks=[every(_variances(), lambda x, y: x == y)],
    mutants={"noise by the number of records": every(_variances(by_records=True), lambda x, y: x == y)},
)


def _losses() -> Iterator[tuple[list[Fraction], Fraction]]:
    """The loss of a pair in each of the nine runs alone, and in all of them as one release."""
    releases = [measurements(derived_tables(persons), RELEASE) for persons in ((), _CHILDREN[:1], _CHILDREN)]
    tables = list(dict.fromkeys(one.table for one in releases[0]))
    for both in product(releases, repeat=2):
        runs = {table: [tuple(m for m in some if m.table == table) for some in both] for table in tables}
        by_run = [squared_loss(*some) or Fraction(0) for some in runs.values()]
        yield by_run, squared_loss(*both) or Fraction(0)


single_run = cases("the published release on no, one and two children, two data sets at a time", "runs whole")(_losses)

state(
    "phsafe.single-run",
    "PHSafe, section 6.2",
    printed="The PHSafe program encodes the processing of all tables into a single run so that all processes can be "
    "contained within a single Session. This distinction does not change the privacy analysis of PHSafe.",
    reading="the loss of any two data sets in one release of all tables is the sum of their losses in the nine runs",
    checks=[
        every(single_run, lambda runs, whole: sum(runs) == whole),
        theorem("release.release_zcdp", within="discrete laws; all runs need the sum over their levels"),
    ],
    mutants={"the largest run": every(single_run, lambda runs, whole: max(runs) == whole)},
)

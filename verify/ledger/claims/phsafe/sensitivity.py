"""The largest squared change of a level of PHSafe between neighbours, under each neighbour relation and for every tau.

In Coq the largest change is proved, over all levels of Algorithm 1 and all data sets. For tau = 1, 2, 3 all neighbours
of a small domain are enumerated, any number of MAFIDs; for every tau a solver bounds what joined rows can do.
"""

from itertools import product

from stirred.mechanisms.das.phsafe import Person, RaceEth, Settings, Unit
from stirred.mechanisms.das.phsafe.records import HouseholdStatus, Relationship, Tenure
from stirred.verify.ledger import cases, every, mutant, own, query, theorem
from stirred.verify.ledger.claims.phsafe.table_10 import LEVELS, THRESHOLDS
from stirred.verify.ledger.engines.phsafe.sensitivity import (
    NeighborRelation,
    algorithm_sensitivity,
    squared_sensitivity,
)
from stirred.verify.ledger.engines.phsafe.stability import FreeDomain, extreme_changes

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
    lambda: ((tau, _changes(relation, tau)) for tau in (1, 2, 3)),
)
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
    "tau = 1, 2, 3: each level of the nine runs under each of the four neighbour relations",
    "level tau changes largest",
    lambda: (
        (f"{table} {level}, {relation.value}", tau, changes, largest(table, level, relation, threshold))
        for relation, table in product(NeighborRelation, ALL_RUNS)
        for tau, threshold in ([(tau, tau) for tau in (1, 2, 3)] if table in THRESHOLDS else [(1, None)])
        for level, changes in enumerated(relation, table, tau).items()
    ),
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

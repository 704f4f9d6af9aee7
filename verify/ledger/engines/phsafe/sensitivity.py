"""The largest squared L2 change of each level of PHSafe between neighbours, for every threshold τ, with its proof.

Written for units that follow from the persons of their MAFID by any function (PHSafe, section 5), or for free units
with unique MAFIDs; a MAFID lies in one state; the order of truncation is any fixed one that puts persons of some two
cells either way. c and c' are two cells of a level. A MAFID gives at most τ joined rows, of one unit.

Algorithm 1, units follow, a person added. One MAFID changes, from counts v to v', non-negative with sums at most τ. So
‖v − v'‖² ≤ ‖v‖² + ‖v'‖² ≤ 2τ², attained by τ persons who fill c until one more makes their unit another and all of
them that count fill c'. This needs that the unit decides on group or cell. Where it does not, the kept persons change
by one in and one out: 2. Where it only decides whether its persons count (families, unattributed), v or v' is 0:
max(τ², 2). A person replaced. One MAFID loses a person and one gains one: the change is (v₁ + v₂) − (v'₁ + v'₂) with
sums at most 2τ, so at most 2(2τ)² = 8τ², attained by two such MAFIDs. Where the unit does not decide, twice one in and
one out: 8. Where it decides whether they count: both stop, 4τ²; or one, beside one in and one out, (τ + 1)² + 1; or
twice one in and one out: max(4τ², 8).

Algorithm 1, free units. Change the persons first: z is one in, one out or both for each row added or removed
(truncation is 2-stable), so z = ±e or e − e'. Then the units: each row added or removed takes the τ rows of its MAFID
in or out, so ‖w‖₁ ≤ 2τ. Hence ‖w + z‖² = ‖w‖² + 2 w·z + ‖z‖² ≤ 4τ² + 4τ + 2, attained by two units that leave with all
of their persons in c, and one in at c', one out at c. If the unit alone decides on the cell, z = ±e or 0 and it is (2τ
+ 1)². Replaced: w = w₊ − w₋ with sums at most 2τ, ‖w‖² ≤ 8τ², ‖z‖² ≤ 8, |w·z| ≤ 4τ·2: 8(τ + 1)², attained; if the unit
alone decides, 2(2τ + 1)². Where MAFIDs of units may repeat, a replaced unit can leave one MAFID and make another one's
drop, so w may be −4τ in c: 16τ² + 16τ + 8, attained (`repeated_units`).

Algorithm 2 has at most one row for a MAFID: 2τ² becomes 2 and 8τ² becomes 8. PH1_denom counts every unit once, so that
unattributed it changes by 1 as a MAFID gets its first person or loses its last; one replaced person makes one come and
one go. A family may stop with a person added, so PH5_denom unattributed has 1 and (2)² = 4.
"""

from enum import Enum
from fractions import Fraction

from stirred.mechanisms.das.phsafe import Settings
from stirred.mechanisms.das.phsafe.algorithms import stability_factor
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.spec.arguments import InputError, positive_integer, suggestion


class NeighborRelation(Enum):
    """Which data sets are neighbours.

    The first two are the paper's own: both data frames are functions of a base person dataframe (PHSafe, section 5), so
    the unit of a MAFID follows from its persons. In the others person_df and unit_df are two free data frames that
    change together, as the library declares that the paper names (PHSafe, section 6.2: one row of persons, two rows of
    units), and as the paper's proofs of stability use them.
    """

    PERSON_ADDED = "one person record is added or removed, and its unit follows"
    PERSON_REPLACED = "one person record is replaced, and the units follow"
    TABLES_ADDED = "one row of persons and up to two rows of units are added or removed, independently"
    TABLES_REPLACED = "one row of persons and up to two rows of units are replaced, independently"

    @property
    def is_bounded(self) -> bool:
        """Whether the number of person records stays: the paper's Theorems 3 and 4, not 1 and 2."""
        return self in (NeighborRelation.PERSON_REPLACED, NeighborRelation.TABLES_REPLACED)

    @property
    def units_follow(self) -> bool:
        """Whether both data frames are functions of one."""
        return self in (NeighborRelation.PERSON_ADDED, NeighborRelation.PERSON_REPLACED)


_RUNS = runs()
_BY_UNIT_ALONE = ("PH2", "PH7")
"""Runs of Algorithm 1 where the unit decides on group and cell, whatever the person."""


def algorithm_sensitivity(relation: NeighborRelation, tau: int | None) -> int:
    """The largest squared change of a level over all mappings f and g_i and all functions from persons to units.

    The threshold τ is None for Algorithm 2.

    >>> [algorithm_sensitivity(relation, 10) for relation in NeighborRelation]
    [200, 800, 442, 968]
    """
    if tau is None:
        return {NeighborRelation.PERSON_ADDED: 2, NeighborRelation.TABLES_ADDED: 4}.get(relation, 8)
    positive_integer("tau", tau)
    if relation is NeighborRelation.PERSON_ADDED:
        return 2 * tau**2
    if relation is NeighborRelation.PERSON_REPLACED:
        return 8 * tau**2
    return 4 * tau**2 + 4 * tau + 2 if relation is NeighborRelation.TABLES_ADDED else 8 * (tau + 1) ** 2


def repeated_units(tau: int) -> int:
    """That of Algorithm 1 under `TABLES_REPLACED` where MAFIDs of units may repeat: 16τ² + 16τ + 8."""
    return 16 * positive_integer("tau", tau) ** 2 + 16 * tau + 8


def squared_sensitivity(table: str, level: str, relation: NeighborRelation, tau: int | None = None) -> int:
    """The exact largest squared L2 change of a level of one of PHSafe's runs.

    A table is a run, such as "PH1_num", a level such as "state_A-G"; τ is needed in Algorithm 1 alone.

    >>> squared_sensitivity("PH1_num", "usa_*", NeighborRelation.PERSON_ADDED, 10)
    2
    """
    if table not in _RUNS:
        raise InputError(f"unknown table; {suggestion(table, tuple(_RUNS))}")
    geography, iterations = level.split("_", 1)
    if not _RUNS[table].joins:
        return _of_units(table, geography, iterations, relation)
    tau = positive_integer("tau", tau)
    if not relation.units_follow:
        if table in _BY_UNIT_ALONE:
            return (2 if relation.is_bounded else 1) * (2 * tau + 1) ** 2
    elif iterations == "*" and table == "PH1_num":
        return 8 if relation.is_bounded else 2
    elif iterations == "*" and table == "PH4":
        return max(4 * tau**2, 8) if relation.is_bounded else max(tau**2, 2)
    return algorithm_sensitivity(relation, tau)


def _of_units(table: str, geography: str, iterations: str, relation: NeighborRelation) -> int:
    """That of a run of Algorithm 2."""
    if iterations == "*" and table != "PH8_denom":
        is_national, every_unit = geography == "usa", table == "PH1_denom"
        if relation is NeighborRelation.PERSON_ADDED:
            return 1
        if relation is NeighborRelation.PERSON_REPLACED:
            return (1 if is_national else 2) if every_unit else 4
        if relation is NeighborRelation.TABLES_REPLACED and is_national:
            return 0 if every_unit else 4
    return algorithm_sensitivity(relation, None)


def exact_budgets(settings: Settings, relation: NeighborRelation) -> dict[tuple[str, str], Fraction]:
    """The smallest ρ² of every level of a release, by run and level: exactly S/(2σ²) = ρ·S/Δ².

    S is the largest squared change, and noise has the scale σ² = Δ²/(2ρ).
    """
    found = {}
    for table, levels in settings.exact_budgets.items():
        tau = settings.thresholds.get(table)
        delta = stability_factor(runs()[table], tau)
        for level, rho in levels.items():
            found[table, level] = rho * squared_sensitivity(table, level, relation, tau) / delta**2
    return found


def run_budgets(settings: Settings, relation: NeighborRelation) -> dict[str, Fraction]:
    """For each run, the sum of the smallest ρ² of its levels: a budget that it satisfies.

    It needs exactly that where one pair of neighbours is worst for all levels at once. Where none need be, a pair that
    was looked at gives the lower end.
    """
    sums: dict[str, Fraction] = {}
    for (table, _), budget in exact_budgets(settings, relation).items():
        sums[table] = sums.get(table, Fraction(0)) + budget
    return sums


def sum_of_budgets(settings: Settings, relation: NeighborRelation) -> Fraction:
    """The sum of the smallest ρ² of all levels: a budget that the whole release satisfies."""
    return sum(run_budgets(settings, relation).values(), Fraction(0))


def stated_total(settings: Settings, relation: NeighborRelation) -> Fraction:
    """What the paper claims of the release: Σ ρ_i, and 2 Σ ρ_i for replaced records (PHSafe, Theorems 1 to 4)."""
    total = sum((rho for levels in settings.exact_budgets.values() for rho in levels.values()), Fraction(0))
    return 2 * total if relation.is_bounded else total


def algorithm_ratio(relation: NeighborRelation, tau: int | None) -> Fraction:
    """The smallest budget over the one that Theorems 1 to 4 claim, for the worst table of Algorithm 1 or 2 (tau None).

    It is the same for every split of the budget over levels, since one pair of neighbours is worst for all levels at
    once. Where units follow, in PH7 or PH8_denom, a householder's race, ethnicity and tenure change; where they are
    free, in PH1_num or PH8_denom, two units leave.

    >>> [str(algorithm_ratio(relation, 10)) for relation in NeighborRelation]
    ['50/121', '100/121', '221/242', '1']
    """
    delta = 2 if tau is None else 2 * tau + 2
    return Fraction(algorithm_sensitivity(relation, tau), delta**2 * (2 if relation.is_bounded else 1))

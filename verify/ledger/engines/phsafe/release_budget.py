"""The exact ρ² of PHSafe's levels, runs and releases under each neighbour relation, against the stated ones.

A level has noise of scale σ² = Δ²/(2ρ), so its smallest budget is exactly S/(2σ²) = ρ·S/Δ², S the largest squared
change (`ledger.engines.phsafe.sensitivity`). A run, and a release, need at most the sum over their levels; exactly
that where one pair of neighbours is worst for all levels at once. Where none need be, a pair that was looked at gives
the lower end.
"""

from fractions import Fraction

from stirred.mechanisms.das.phsafe import Settings
from stirred.mechanisms.das.phsafe.algorithms import stability_factor
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.verify.ledger.engines.phsafe.neighbor_relation import NeighborRelation
from stirred.verify.ledger.engines.phsafe.sensitivity import algorithm_sensitivity, squared_sensitivity


def exact_budgets(settings: Settings, relation: NeighborRelation) -> dict[tuple[str, str], Fraction]:
    """The smallest ρ² of every level of a release, by run and level."""
    found = {}
    for table, levels in settings.exact_budgets.items():
        tau = settings.thresholds.get(table)
        delta = stability_factor(runs()[table], tau)
        for level, rho in levels.items():
            found[table, level] = rho * squared_sensitivity(table, level, relation, tau) / delta**2
    return found


def run_budgets(settings: Settings, relation: NeighborRelation) -> dict[str, Fraction]:
    """For each run, the sum of the smallest ρ² of its levels: a budget that it satisfies."""
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

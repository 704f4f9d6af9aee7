"""The exact budgets of the published releases, against what the paper and the settings state."""

from dataclasses import replace
from fractions import Fraction

import pytest

from stirred.mechanisms.phsafe import BasePerson, RaceEth, derived_tables, measurements
from stirred.mechanisms.phsafe.algorithms import ORDERS
from stirred.mechanisms.phsafe.records import Relationship, Tenure
from stirred.verify.claims.phsafe import table_10
from stirred.verify.engines.phsafe.neighbor_relation import NeighborRelation
from stirred.verify.engines.phsafe.privacy_check import squared_loss
from stirred.verify.engines.phsafe.release_budget import (
    algorithm_ratio,
    exact_budgets,
    run_budgets,
    stated_total,
    sum_of_budgets,
)

RELEASE = replace(table_10.RELEASE, states=("01", "02"))
"""The published release on two states: PHSafe, Table 10 (phsafe.settings.united-states)."""


@pytest.mark.parametrize(
    ("relation", "stated", "smallest"),
    [
        # sums over the 46 levels of rho times the largest squared change over (2 tau + 2)^2, or over 4
        (NeighborRelation.PERSON_ADDED, "1.257281", Fraction(5651961239, 11858000000)),
        (NeighborRelation.PERSON_REPLACED, "2.514562", Fraction(5651712221, 2964500000)),
        (NeighborRelation.TABLES_ADDED, "1.257281", Fraction(26482054923, 23716000000)),
        (NeighborRelation.TABLES_REPLACED, "2.514562", Fraction(599855959, 242000000)),
    ],
)
def test_the_release_needs_less_than_is_stated(relation, stated, smallest):
    assert stated_total(RELEASE, relation) == Fraction(stated)
    assert sum_of_budgets(RELEASE, relation) == smallest < Fraction(stated)
    assert sum(run_budgets(RELEASE, relation).values()) == smallest


def test_no_level_needs_more_than_is_stated():
    for relation in NeighborRelation:
        for (table, level), budget in exact_budgets(RELEASE, relation).items():
            assert budget <= RELEASE.exact_budgets[table][level] * (2 if relation.is_bounded else 1)


@pytest.mark.parametrize("relation", list(NeighborRelation))
def test_theorems_1_to_4_hold_and_2_and_4_are_attained(relation):
    ratios = [algorithm_ratio(relation, tau) for tau in (1, 2, 3, 6, 10, 99_999)]
    assert max(ratios) <= 1
    assert algorithm_ratio(relation, None) == (Fraction(1, 2) if relation is NeighborRelation.PERSON_ADDED else 1)
    if relation is NeighborRelation.PERSON_REPLACED:  # a factor tau^2/(tau + 1)^2 is given away
        assert ratios[4] == Fraction(100, 121)


def child(mafid, **changes):
    person = BasePerson("01", mafid, 13, RaceEth(("A",)), Relationship.OWN_CHILD, "male", Tenure.MORTGAGE)
    return person._replace(**changes)


def comes_last(mafid):
    """Whether a householder that is added is beyond every threshold."""
    order = ORDERS["hash"]
    return order(householder(mafid).person) > order(child(mafid).person)


def householder(mafid):
    race = RaceEth(("B",), is_hispanic=True)
    return child(mafid, race_eth=race, relationship=Relationship.HOUSEHOLDER, sex="female", tenure=Tenure.RENTED)


def test_one_pair_attains_all_but_the_levels_that_exclude_it():
    """Ten own children get a householder of another race, sex and tenure, who is not among the first ten."""
    mafid = next(filter(comes_last, range(100)))
    household = (child(mafid),) * 10
    x, y = derived_tables(household), derived_tables((*household, householder(mafid)))
    loss = squared_loss(measurements(x, RELEASE), measurements(y, RELEASE))
    left_out = {
        (table, f"{place}_*") for table in ("PH1_num", "PH1_denom", "PH4", "PH5_denom") for place in ("usa", "state")
    }
    budgets = exact_budgets(RELEASE, NeighborRelation.PERSON_ADDED)
    assert loss == sum(budget for level, budget in budgets.items() if level not in left_out)
    assert Fraction(99, 100) * sum_of_budgets(RELEASE, NeighborRelation.PERSON_ADDED) < loss

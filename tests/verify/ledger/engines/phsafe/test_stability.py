"""The closed forms are the largest changes of every level, found by enumeration; the program's rules change no more.

The exact budgets of the published releases, against what the paper and the settings state.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.das.phsafe import BasePerson, RaceEth, derived_tables, measurements
from stirred.mechanisms.das.phsafe.algorithms import ORDERS
from stirred.mechanisms.das.phsafe.records import Relationship, Tenure
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.spec import InputError
from stirred.verify.ledger.claims.phsafe import table_10
from stirred.verify.ledger.claims.phsafe.neighbors import UNITS, free_domain, level_settings
from stirred.verify.ledger.claims.phsafe.stability import KINDS
from stirred.verify.ledger.claims.phsafe.table_10 import THRESHOLDS
from stirred.verify.ledger.engines.phsafe.privacy_check import squared_loss
from stirred.verify.ledger.engines.phsafe.sensitivity import (
    NeighborRelation,
    algorithm_ratio,
    algorithm_sensitivity,
    exact_budgets,
    repeated_units,
    run_budgets,
    squared_sensitivity,
    stated_total,
    sum_of_budgets,
)
from stirred.verify.ledger.engines.phsafe.stability import RuleDomain, largest_changes

TABLES = tuple(runs())


def test_some_person_stands_between_two_of_another_cell_in_the_order():
    for state, table in product(("01", "02"), ("PH1_num", "PH6")):
        keys = [ORDERS["hash"](one._replace(state=state, mafid=1)) for one in free_domain(table, 1).persons]
        assert keys == sorted(keys)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("relation", list(NeighborRelation))
def test_every_level_changes_by_the_closed_form(relation, table):
    # every threshold up to 3 is a claim: phsafe.sensitivity.levels
    both = relation.units_follow  # free units show in the nation what they do
    chosen = level_settings(table, 1, ("usa", "state") if both else ("usa",))
    found = largest_changes(free_domain(table, 1, ("01", "02") if both else ("01",)), chosen, relation)
    tau = 1 if table in THRESHOLDS else None
    assert found == {level: squared_sensitivity(*level, relation, tau) for level in found}
    assert len(found) == len(chosen.exact_budgets[table])


@pytest.mark.parametrize("tau", [1, 2])
def test_units_whose_mafids_repeat_change_more(tau):
    table = "PH1_num"
    domain = replace(free_domain(table, tau, ("01",), most_units=3), units=UNITS[:1])
    found = largest_changes(domain, level_settings(table, tau, ("usa",)), NeighborRelation.TABLES_REPLACED)
    assert found[table, "usa_*"] == repeated_units(tau)
    added = largest_changes(domain, level_settings(table, tau, ("usa",)), NeighborRelation.TABLES_ADDED)
    assert added[table, "usa_*"] == algorithm_sensitivity(NeighborRelation.TABLES_ADDED, tau)


@pytest.mark.parametrize("householder", ["designated", "first", "eldest"])
@pytest.mark.parametrize("relation", [NeighborRelation.PERSON_ADDED, NeighborRelation.PERSON_REPLACED])
def test_the_rules_of_the_program_change_no_more(relation, householder):
    attained = set()
    for table in TABLES:
        found = largest_changes(RuleDomain(KINDS, 3, ("01", "02"), householder), level_settings(table, 2), relation)
        for level, changed in found.items():
            assert changed <= squared_sensitivity(*level, relation, 2), level
            attained |= {level} if changed == squared_sensitivity(*level, relation, 2) else set()
    if householder == "designated":
        assert {("PH7", "usa_*"), ("PH7", "state_A-G"), ("PH1_num", "usa_A-G"), ("PH8_denom", "state_*")} <= attained


@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, 4]), st.integers(1, 3), st.sampled_from(["01", "02"])), max_size=9)
)
def test_counts_are_sums_over_mafids(chosen):
    # the state goes with the MAFID
    records = [KINDS[kind]._replace(mafid=mafid, state=f"0{1 + mafid % 2}") for kind, mafid, _ in chosen]
    both = [level_settings(table, 2) for table in TABLES]
    for one in both:
        whole = Counter({row[:4]: row.rows for row in measurements(derived_tables(records), one)})
        parts = Counter()
        for mafid in (1, 2, 3):
            own = derived_tables([record for record in records if record.mafid == mafid])
            parts.update({row[:4]: row.rows for row in measurements(own, one)})
        assert whole == parts


def test_units_that_follow_do_not_change_alone():
    with pytest.raises(InputError, match="relation must be one where the units follow; got TABLES_ADDED"):
        largest_changes(RuleDomain(KINDS, 1, ("01",)), level_settings("PH7", 1), NeighborRelation.TABLES_ADDED)


@pytest.mark.parametrize(
    ("arguments", "message"), [(("PH9", "usa_*", 1), "unknown table"), (("PH7", "usa_*", None), "tau must be")]
)
def test_a_bad_level_is_refused(arguments, message):
    table, level, tau = arguments
    with pytest.raises(InputError, match=message):
        squared_sensitivity(table, level, NeighborRelation.PERSON_ADDED, tau)


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

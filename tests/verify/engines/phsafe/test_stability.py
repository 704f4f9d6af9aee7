"""The closed forms are the largest changes of every level, found by enumeration; the program's rules change no more."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.phsafe import derived_tables, measurements
from stirred.mechanisms.phsafe.algorithms import ORDERS
from stirred.mechanisms.phsafe.tabulations import runs
from stirred.spec import InputError
from stirred.verify.claims.phsafe.sensitivity import UNITS, free_domain, level_settings
from stirred.verify.claims.phsafe.stability import KINDS
from stirred.verify.claims.phsafe.table_10 import THRESHOLDS
from stirred.verify.engines.phsafe.neighbor_relation import NeighborRelation
from stirred.verify.engines.phsafe.sensitivity import algorithm_sensitivity, repeated_units, squared_sensitivity
from stirred.verify.engines.phsafe.stability import RuleDomain, largest_changes

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

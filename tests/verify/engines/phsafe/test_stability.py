"""The closed forms are the largest changes of every run and level, found by enumeration for thresholds 1, 2 and 3."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.phsafe import BasePerson, Person, RaceEth, Settings, Unit, derived_tables, measurements
from mechanisms.phsafe.algorithms import ORDERS
from mechanisms.phsafe.records import HouseholdStatus, Relationship, Tenure
from spec import InputError
from verify.engines.phsafe.neighbor_relation import NeighborRelation
from verify.engines.phsafe.sensitivity import algorithm_sensitivity, repeated_units, squared_sensitivity
from verify.engines.phsafe.stability import FreeDomain, RuleDomain, largest_changes

WHITE, BLACK_HISPANIC = RaceEth(("A",)), RaceEth(("B",), is_hispanic=True)
JOINED, UNITS = ("PH1_num", "PH2", "PH3", "PH4", "PH6", "PH7"), ("PH1_denom", "PH5_denom", "PH8_denom")
PERSONS = {
    # in the order of truncation, by hash, one of the other age stands between two of one
    "all": [Person("", 0, age, WHITE, Relationship.OTHER_RELATIVE) for age in (4, 18, 16)],
    "own children": [Person("", 0, age, WHITE, Relationship.OWN_CHILD) for age in (14, 7, 13)],
    "children": [
        Person("", 0, 5, WHITE, Relationship.OWN_CHILD),
        Person("", 0, 7, WHITE, Relationship.OWN_CHILD),
        Person("", 0, 5, WHITE, Relationship.GRANDCHILD),
    ],
}
OF_UNITS = [
    Unit("", 0, WHITE, Tenure.MORTGAGE, HouseholdStatus.OPPOSITE_SEX_MARRIED, is_family=True),
    Unit("", 0, BLACK_HISPANIC, Tenure.RENTED, HouseholdStatus.MALE_WITH_OTHERS, is_family=True),
    Unit("", 0, WHITE, Tenure.MORTGAGE, HouseholdStatus.OPPOSITE_SEX_MARRIED, is_family=False),
]


def settings(table, tau, geographies=("usa", "state"), order="hash"):
    iterations = ("*",) if table in {"PH2", "PH6"} else ("*", "A-G", "H,I")
    levels = {f"{geography}_{one}": 1 for geography in geographies for one in iterations}
    return Settings({table: levels}, {table: tau} if table in JOINED else {}, ("01", "02"), order=order)


def free(table, tau, states=("01", "02"), most_units=1):
    persons = PERSONS[{"PH3": "children", "PH6": "own children"}.get(table, "all")]
    return FreeDomain(persons, OF_UNITS, tau + 1 if table in JOINED else 2, states, most_units)


def test_some_person_stands_between_two_of_another_age_in_the_order():
    for state in ("01", "02"):
        for persons in (PERSONS["all"], PERSONS["own children"]):
            keys = [ORDERS["hash"](one._replace(state=state, mafid=1)) for one in persons]
            assert keys == sorted(keys)


@pytest.mark.parametrize("tau", [1, 2, 3])
@pytest.mark.parametrize("table", JOINED)
@pytest.mark.parametrize("relation", list(NeighborRelation))
def test_algorithm_1_changes_by_the_closed_form(relation, table, tau):
    free_units = not relation.units_follow  # then the nation shows all that a state does
    chosen = settings(table, tau, ("usa",)) if free_units else settings(table, tau)
    domain = free(table, tau, ("01",) if free_units else ("01", "02"))
    found = largest_changes(domain, chosen, relation)
    assert found == {level: squared_sensitivity(*level, relation, tau) for level in found}
    assert len(found) == len(chosen.exact_budgets[table])


@pytest.mark.parametrize("table", UNITS)
@pytest.mark.parametrize("relation", list(NeighborRelation))
def test_algorithm_2_changes_by_the_closed_form(relation, table):
    found = largest_changes(free(table, 1), settings(table, None), relation)
    assert found == {level: squared_sensitivity(*level, relation) for level in found}


@pytest.mark.parametrize("tau", [1, 2])
def test_units_whose_mafids_repeat_change_more(tau):
    table = "PH1_num"
    domain = FreeDomain(PERSONS["all"], OF_UNITS[:1], tau + 1, ("01",), most_units=3)
    found = largest_changes(domain, settings(table, tau, ("usa",)), NeighborRelation.TABLES_REPLACED)
    assert found[table, "usa_*"] == repeated_units(tau)
    added = largest_changes(domain, settings(table, tau, ("usa",)), NeighborRelation.TABLES_ADDED)
    assert added[table, "usa_*"] == algorithm_sensitivity(NeighborRelation.TABLES_ADDED, tau)


def base(age, race, relationship, sex, tenure):
    return BasePerson("", 0, age, race, relationship, sex, tenure)


KINDS = [
    base(40, WHITE, Relationship.HOUSEHOLDER, "male", Tenure.MORTGAGE),
    base(41, BLACK_HISPANIC, Relationship.HOUSEHOLDER, "female", Tenure.RENTED),
    base(5, WHITE, Relationship.OWN_CHILD, "male", Tenure.MORTGAGE),
    base(40, WHITE, Relationship.OPPOSITE_SEX_SPOUSE, "female", Tenure.MORTGAGE),
    base(40, BLACK_HISPANIC, Relationship.NONRELATIVE, "female", Tenure.RENTED),
]


@pytest.mark.parametrize("householder", ["designated", "first", "eldest"])
@pytest.mark.parametrize("relation", [NeighborRelation.PERSON_ADDED, NeighborRelation.PERSON_REPLACED])
def test_the_rules_of_the_program_change_no_more(relation, householder):
    attained = set()
    for table in (*JOINED, *UNITS):
        found = largest_changes(RuleDomain(KINDS, 3, ("01", "02"), householder), settings(table, 2), relation)
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
    both = [settings(table, 2) for table in (*JOINED, *UNITS)]
    for one in both:
        whole = Counter({row[:4]: row.rows for row in measurements(derived_tables(records), one)})
        parts = Counter()
        for mafid in (1, 2, 3):
            own = derived_tables([record for record in records if record.mafid == mafid])
            parts.update({row[:4]: row.rows for row in measurements(own, one)})
        assert whole == parts


def test_units_that_follow_do_not_change_alone():
    with pytest.raises(InputError, match="relation must be one where the units follow; got TABLES_ADDED"):
        largest_changes(RuleDomain(KINDS, 1, ("01",)), settings("PH7", 1), NeighborRelation.TABLES_ADDED)


@pytest.mark.parametrize(
    ("arguments", "message"), [(("PH9", "usa_*", 1), "unknown table"), (("PH7", "usa_*", None), "tau must be")]
)
def test_a_bad_level_is_refused(arguments, message):
    table, level, tau = arguments
    with pytest.raises(InputError, match=message):
        squared_sensitivity(table, level, NeighborRelation.PERSON_ADDED, tau)

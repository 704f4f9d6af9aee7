"""Each change of PHSafe that breaks its stability is refuted by the privacy check, on pairs that the program passes."""

from fractions import Fraction

import pytest

from stirred.mechanisms.das.phsafe import (
    BasePerson,
    Person,
    RaceEth,
    Settings,
    Unit,
    algorithms,
    derived_tables,
    measurements,
)
from stirred.mechanisms.das.phsafe.records import HouseholdStatus, Relationship, Tenure
from stirred.mechanisms.das.phsafe.tabulations import Joined
from stirred.verify.ledger.engines.phsafe.privacy_check import base_neighbors, first_excess, squared_loss

WHITE = RaceEth(("A",))


def settings(table, level, tau, rho=1):
    return Settings({table: {level: rho}}, {table: tau}, ("01",), order="attributes")


def base(mafid, relationship, tenure, age=40):
    return BasePerson("01", mafid, age, WHITE, relationship, "male", tenure)


def added(lodgers):
    """A householder who rents is added where lodgers were taken for owners."""
    household = (base(1, Relationship.NONRELATIVE, Tenure.MORTGAGE),) * lodgers
    joins = base(1, Relationship.HOUSEHOLDER, Tenure.RENTED)
    return [(derived_tables(household), derived_tables(x)) for x in base_neighbors(household, [joins], bounded=False)]


def replaced(tau):
    """An owner moves to another household and rents there; both have as many lodgers as count."""
    leaves = base(1, Relationship.HOUSEHOLDER, Tenure.MORTGAGE)
    lodgers = (
        base(1, Relationship.NONRELATIVE, Tenure.RENTED),
        base(2, Relationship.NONRELATIVE, Tenure.MORTGAGE),
    ) * tau
    x, joins = (leaves, *lodgers), base(2, Relationship.HOUSEHOLDER, Tenure.RENTED)
    return [(derived_tables(x), derived_tables(y)) for y in base_neighbors(x, [joins], bounded=True)]


def tables(tau, *, units_left):
    """Three units of children, the third with an adult too; two units and one child leave."""
    child, adult = (Person("01", 1, age, WHITE, Relationship.OWN_CHILD) for age in (5, 40))
    persons = [child._replace(mafid=mafid) for mafid in (1, 2, 3) for _ in range(tau)]
    units = [Unit("01", i, WHITE, Tenure.MORTGAGE, HouseholdStatus.MALE_ALONE, is_family=True) for i in (1, 2, 3)]
    more = [adult._replace(mafid=3)] if units_left == "with swap" else []
    return [((persons + more, units), (persons[:-1] + more, units[2:]))]


def nothing_truncated(persons, tau, order):
    return tuple(persons)


def by_number_of_records(persons, tau, order):
    rows = {}
    for person in sorted(persons, key=order, reverse=len(persons) % 2 == 1):
        rows.setdefault(person.mafid, []).append(person)
    return tuple(one for members in rows.values() for one in members[:tau])


def left_outer_join(persons, units, tau, order):
    by_mafid = {unit.mafid: unit for unit in algorithms.unique_units(units)}
    unknown = Unit("01", 0, WHITE, Tenure.RENTED, HouseholdStatus.MALE_ALONE, is_family=True)
    return tuple(Joined(one, by_mafid.get(one.mafid, unknown)) for one in algorithms.truncated(persons, tau, order))


JOIN = algorithms.truncate_and_join


def in_two_groups(persons, units, tau, order):
    rows = JOIN(persons, units, tau, order)
    return rows + tuple(Joined(row.person, row.unit._replace(race_eth=RaceEth(("C",)))) for row in rows)


def crowds(households):
    """Households of a child and an adult, one kept of each; a person comes to live elsewhere."""
    records = [base(i, Relationship.NONRELATIVE, Tenure.RENTED, age) for i in range(households) for age in (5, 40)]
    return [(derived_tables(records), derived_tables([*records, base(99, Relationship.HOUSEHOLDER, Tenure.RENTED)]))]


MUTANTS = {
    "no truncation": ("truncated", nothing_truncated, added(3), settings("PH7", "usa_*", 1), 1),
    "shuffle by the number of records": (
        "truncated",
        by_number_of_records,
        crowds(3),
        settings("PH1_num", "usa_*", 1),
        1,
    ),
    **{
        f"2 tau - 1 for 2 tau + 2, tau = {tau}": (
            *("stability_factor", lambda table, tau: 2 * tau - 1),
            *(replaced(tau), settings("PH7", "usa_*", tau), 2),
        )
        for tau in (1, 2, 3)
    },
    **{
        f"outer join, tau = {tau}": (
            *("truncate_and_join", left_outer_join),
            *(tables(tau, units_left="no swap"), settings("PH7", "usa_*", tau), 1),
        )
        for tau in (2, 3)
    },
    **{
        f"two groups of a level, tau = {tau}": (
            *("truncate_and_join", in_two_groups),
            *(tables(tau, units_left="with swap"), settings("PH1_num", "usa_A-G", tau), 1),
        )
        for tau in (1, 2, 3)
    },
    # rho = 1/2, where sigma is rational too
    "sigma for sigma^2": (
        *("noise_scale", lambda delta, rho: Fraction(delta)),
        *(added(3), settings("PH7", "usa_*", 3, Fraction(1, 2)), Fraction(1, 2)),
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_refuted_where_the_program_passes(name, monkeypatch):
    part, mutant, pairs, chosen, budget = MUTANTS[name]
    assert first_excess(pairs, chosen, Fraction(budget)) is None
    monkeypatch.setattr(algorithms, part, mutant)
    found = first_excess(pairs, chosen, Fraction(budget))
    assert found is not None
    assert found.loss is not None
    assert found.loss > budget


def test_missing_empty_cells_tell_neighbours_apart():
    chosen = settings("PH7", "usa_*", 1)
    found = first_excess(
        added(1), chosen, Fraction(10**9), released=lambda x, s: [m for m in measurements(x, s) if m.rows]
    )
    assert found is not None
    assert found.loss is None
    assert first_excess(added(1), chosen, Fraction(1)) is None


@pytest.mark.parametrize("tau", [1, 2, 3, 10])
def test_the_worst_pairs_attain_the_closed_forms(tau):
    chosen = settings("PH7", "usa_*", tau)
    worst = [max(loss(*pair, chosen) for pair in pairs) for pairs in (added(tau), replaced(tau))]
    assert worst == [Fraction(2 * tau**2, (2 * tau + 2) ** 2), Fraction(8 * tau**2, (2 * tau + 2) ** 2)]
    (pair,) = tables(tau, units_left="with swap")
    expected = Fraction(4 * tau**2 + 4 * tau + 2, (2 * tau + 2) ** 2)
    assert loss(*pair, settings("PH1_num", "usa_*", tau)) == expected


def loss(first, second, chosen):
    return squared_loss(measurements(first, chosen), measurements(second, chosen))


def test_other_noise_is_not_compared():
    chosen = (settings("PH7", "usa_*", 1), settings("PH7", "usa_*", 2))
    assert squared_loss(*(measurements(((), ()), one) for one in chosen)) is None

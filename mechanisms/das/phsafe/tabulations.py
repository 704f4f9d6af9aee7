"""PHSafe's nine runs: the universe, the basis and the iterated race of each, as filters and a map to cells.

The paper prints the tables but not their filters. Where a filter is open it is said beside the table. A map to cells is
total: a row without a cell gives None.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from stirred.mechanisms.das.phsafe.records import HouseholdStatus, Person, Relationship, Tenure, Unit

UNDER_18, ADULT, TOTAL = "under 18 years", "18 years and over", "total"
OWNER, RENTER = "owner occupied", "renter occupied"
_MAJORITY = 18


class Joined(NamedTuple):
    """A person with the unit they live in; in Algorithm 2 a unit alone."""

    person: Person | None
    unit: Unit


@dataclass(frozen=True)
class Tabulation:
    """A run of PHSafe.

    Attributes:
        cell: f, the cell of a row, or None where it has none.
        joins: whether it is a run of Algorithm 1, else of Algorithm 2.
        is_by_person: whether the iterations are by the person's race, else by the householder's.
    """

    name: str
    cells: tuple[str, ...]
    cell: Callable[[Joined], str | None]
    person_condition: Callable[[Person], bool] = lambda _person: True
    unit_condition: Callable[[Unit], bool] = lambda _unit: True
    joins: bool = True
    is_by_person: bool = False


def _by_age(row: Joined) -> str | None:
    if row.person is None or row.person.age < 0:
        return None
    return UNDER_18 if row.person.age < _MAJORITY else ADULT


_MARRIED, _COHABITING = "married couple family", "cohabiting couple family"
_MALE, _FEMALE = "male householder, no spouse or partner present", "female householder, no spouse or partner present"
_FAMILY_TYPE: Mapping[str, str] = {
    HouseholdStatus.OPPOSITE_SEX_MARRIED: _MARRIED,
    HouseholdStatus.SAME_SEX_MARRIED: _MARRIED,
    HouseholdStatus.OPPOSITE_SEX_COHABITING: _COHABITING,
    HouseholdStatus.SAME_SEX_COHABITING: _COHABITING,
    HouseholdStatus.MALE_ALONE: _MALE,
    HouseholdStatus.MALE_WITH_OTHERS: _MALE,
    HouseholdStatus.FEMALE_ALONE: _FEMALE,
    HouseholdStatus.FEMALE_WITH_OTHERS: _FEMALE,
}
_FAMILY_TYPES = (_MARRIED, _COHABITING, _MALE, _FEMALE)
_AGES = ("under 4 years", "4 and 5 years", "6 to 11 years", "12 to 17 years")


def _household_type(row: Joined) -> str | None:
    return row.unit.status if row.unit.status in tuple(HouseholdStatus) else None


def _of_child(row: Joined) -> str | None:
    if row.person is None:
        return None
    family = _FAMILY_TYPE.get(row.unit.status)
    if row.person.relationship == Relationship.OWN_CHILD:
        return family and f"own child, {family}"
    if row.person.relationship in (Relationship.GRANDCHILD, Relationship.OTHER_RELATIVE):
        return str(row.person.relationship)
    return _NOT_RELATED if row.person.relationship in tuple(Relationship) else None


_NOT_RELATED = "householder, spouse, unmarried partner, or nonrelative"
_CHILDREN = (_NOT_RELATED, *(f"own child, {one}" for one in _FAMILY_TYPES), "grandchild", "other relative")


def _of_own_child(row: Joined) -> str | None:
    family = _FAMILY_TYPE.get(row.unit.status)
    if row.person is None or family is None or not 0 <= row.person.age < _MAJORITY:
        return None
    ages = _AGES[sum(row.person.age >= first for first in (4, 6, 12))]
    return f"{family}, {ages}"


def _of_tenure(row: Joined) -> str | None:
    return row.unit.tenure if row.unit.tenure in tuple(Tenure) else None


def _owner_or_renter(row: Joined) -> str | None:
    tenure = _of_tenure(row)
    return tenure and (RENTER if tenure == Tenure.RENTED else OWNER)


def _is_child(person: Person) -> bool:
    return 0 <= person.age < _MAJORITY


def _is_own_child(person: Person) -> bool:
    return _is_child(person) and person.relationship == Relationship.OWN_CHILD


def _is_family(unit: Unit) -> bool:
    return unit.is_family


_UNRELATED = (Relationship.OPPOSITE_SEX_PARTNER, Relationship.SAME_SEX_PARTNER, Relationship.NONRELATIVE)
FAMILY_MEMBERS: Mapping[str, Callable[[Person], bool]] = {
    "related": lambda person: person.relationship not in _UNRELATED,
    "everyone": lambda _person: True,
}
"""Presets of who is "population in families" (PH4): the householder and those related to the householder by birth,
marriage or adoption, as the Census Bureau defines a family; or everyone in a unit with a family."""

_CHILDREN_BY_AGE = tuple(f"{one}, {age}" for one in _FAMILY_TYPES for age in _AGES)
_ALL_AGES = (UNDER_18, ADULT)


def runs(family_members: str = "related") -> Mapping[str, Tabulation]:
    """The nine runs in the paper's order, under a preset of `FAMILY_MEMBERS`.

    PH5_num and PH8_num are no runs: they are derived from PH4 and PH7. "12 and 17 years" of PH6 is read as 12 to 17.

    Source: PHSafe, sections 2.4 and 3.2.
    """
    listed = (
        Tabulation("PH1_num", _ALL_AGES, _by_age),
        Tabulation("PH1_denom", (TOTAL,), lambda _row: TOTAL, joins=False),
        Tabulation("PH2", tuple(HouseholdStatus), _household_type),
        Tabulation("PH3", _CHILDREN, _of_child, _is_child, is_by_person=True),
        Tabulation("PH4", _ALL_AGES, _by_age, FAMILY_MEMBERS[family_members], _is_family),
        Tabulation("PH5_denom", (TOTAL,), lambda _row: TOTAL, unit_condition=_is_family, joins=False),
        Tabulation("PH6", _CHILDREN_BY_AGE, _of_own_child, _is_own_child),
        Tabulation("PH7", tuple(Tenure), _of_tenure),
        Tabulation("PH8_denom", (OWNER, RENTER), _owner_or_renter, joins=False),
    )
    return {one.name: one for one in listed}

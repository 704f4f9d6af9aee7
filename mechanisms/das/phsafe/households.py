"""Units made of persons: what the paper calls a function of the records that share a MAFID, and leaves open.

Who is the householder of a MAFID is a named choice, total on every multiset of records: none fails. The unit takes
race, ethnicity, state and tenure from the householder, its status from how the others are related to the householder (a
spouse goes before a partner, the opposite sex before the same), and is a family where a spouse or relative lives in it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from stirred.mechanisms.das.phsafe.records import BasePerson, HouseholdStatus, Person, Relationship, Unit
from stirred.spec.arguments import check_known

Householder = Callable[[Sequence[BasePerson]], BasePerson]
"""Which of the records of one MAFID, at least one of them and in any order, is the householder's."""

_STATUS = {
    Relationship.OPPOSITE_SEX_SPOUSE: HouseholdStatus.OPPOSITE_SEX_MARRIED,
    Relationship.SAME_SEX_SPOUSE: HouseholdStatus.SAME_SEX_MARRIED,
    Relationship.OPPOSITE_SEX_PARTNER: HouseholdStatus.OPPOSITE_SEX_COHABITING,
    Relationship.SAME_SEX_PARTNER: HouseholdStatus.SAME_SEX_COHABITING,
}
_FAMILY = {
    *(Relationship.OPPOSITE_SEX_SPOUSE, Relationship.SAME_SEX_SPOUSE, Relationship.OWN_CHILD, Relationship.GRANDCHILD),
    Relationship.OTHER_RELATIVE,
}


def _first_of_all(members: Sequence[BasePerson]) -> BasePerson:
    return min(members)


def _designated(members: Sequence[BasePerson]) -> BasePerson:
    named = [one for one in members if one.relationship == Relationship.HOUSEHOLDER]
    return min(named or members)


def _eldest(members: Sequence[BasePerson]) -> BasePerson:
    return min(members, key=lambda one: (-one.age, one))


HOUSEHOLDERS: Mapping[str, Householder] = {"designated": _designated, "first": _first_of_all, "eldest": _eldest}
"""Presets: the first record whose relationship says so, else the first; the first record; the oldest person. First is
least by the attributes in their order, which does not depend on other records."""


def unit_of(members: Sequence[BasePerson], householder: Householder) -> Unit:
    """The unit of the records of one MAFID."""
    head = householder(members)
    relationships = [one.relationship for one in members]
    relationships.remove(head.relationship)
    couple = next((status for related, status in _STATUS.items() if related in relationships), None)
    if couple is not None:
        status = couple
    elif head.sex == "male":
        status = HouseholdStatus.MALE_WITH_OTHERS if relationships else HouseholdStatus.MALE_ALONE
    else:
        status = HouseholdStatus.FEMALE_WITH_OTHERS if relationships else HouseholdStatus.FEMALE_ALONE
    return Unit(head.state, head.mafid, head.race_eth, head.tenure, status, not _FAMILY.isdisjoint(relationships))


def derived_tables(
    base: Iterable[BasePerson], *, householder: str = "designated"
) -> tuple[tuple[Person, ...], tuple[Unit, ...]]:
    """The pair (person_df, unit_df) of a base person dataframe: one unit for each MAFID that has a record.

    Args:
        householder: a name in `HOUSEHOLDERS`.

    Source: PHSafe, section 5.
    """
    check_known("householder: unknown preset", householder, HOUSEHOLDERS)
    by_unit: dict[int, list[BasePerson]] = defaultdict(list)
    persons = []
    for record in base:
        persons.append(record.person)
        by_unit[record.mafid].append(record)
    choose = HOUSEHOLDERS[householder]
    return tuple(persons), tuple(unit_of(by_unit[mafid], choose) for mafid in sorted(by_unit))

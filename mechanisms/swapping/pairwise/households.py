"""Households with what the published swap keys and flagging variables are made of."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

from stirred.mechanisms.swapping.permutation_swapping import SwapRecord

Person = tuple[str, bool, bool]
"""One person: race, whether Hispanic, whether 18 years or older."""


@dataclass(frozen=True)
class CensusHousehold:
    """One household of a Census Edited File.

    Attributes:
        persons: its people.
        block: where it is.
        tenure: how it lives there, such as "owner" or "renter".
        units: the number of units in its building.
        rent: its rent, or the value of the home.
    """

    persons: tuple[Person, ...]
    block: Hashable
    tenure: str = ""
    units: int = 1
    rent: int = 0


def key_2010(household: CensusHousehold) -> Hashable:
    """The key of 2000 and 2010: the number of persons, and of those of 18 years or older.

    Source: swapping study, section 3 (Abowd's declaration).
    """
    return (len(household.persons), sum(adult for _, _, adult in household.persons))


def key_with_tenure(household: CensusHousehold) -> Hashable:
    """The numbers of adults and of minors, and the tenure.

    Source: article, Appendix C, Step 2.
    """
    return (key_2010(household), household.tenure)


def key_1990(household: CensusHousehold) -> Hashable:
    """The key of 1990: persons of each race by Hispanic by age group, units in the building, rent or value, tenure.

    Source: swapping study, section 3 (Zayatz 2002; Griffin et al. 1989).
    """
    people = tuple(sorted(Counter(household.persons).items()))
    return (people, household.units, household.rent, household.tenure)


def flags_2010(household: CensusHousehold) -> Hashable:
    """The flagging variables: persons by race, Hispanic persons, persons, adults.

    Source: swapping study, section 3.
    """
    races = tuple(sorted(Counter(race for race, _, _ in household.persons).items()))
    return (races, sum(hispanic for _, hispanic, _ in household.persons), key_2010(household))


def swap_record(household: CensusHousehold, key: Hashable) -> SwapRecord:
    """The record (m, h, s) of a household: its key, all that moves with it, and its block.

    >>> home = CensusHousehold((("white", False, True),), "block 1", "owner")
    >>> swap_record(home, key_2010(home))
    ((1, 1), ((('white', False, True),), 'owner', 1, 0), 'block 1')
    """
    return (key, (household.persons, household.tenure, household.units, household.rent), household.block)

"""The rows of PHSafe's data frames: persons, units, and the base persons that both are made of.

A data frame is a sequence of rows, read as a multiset: two identical persons are two rows. Every combination of values
is a row that the program accepts; one that no table has a place for is counted nowhere.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple


class Relationship(StrEnum):
    """How a person is related to the householder."""

    HOUSEHOLDER = "householder"
    OPPOSITE_SEX_SPOUSE = "opposite-sex spouse"
    SAME_SEX_SPOUSE = "same-sex spouse"
    OPPOSITE_SEX_PARTNER = "opposite-sex unmarried partner"
    SAME_SEX_PARTNER = "same-sex unmarried partner"
    OWN_CHILD = "own child"
    GRANDCHILD = "grandchild"
    OTHER_RELATIVE = "other relative"
    NONRELATIVE = "nonrelative"


class Tenure(StrEnum):
    """How the occupied unit is held."""

    MORTGAGE = "owned with a mortgage or a loan"
    FREE_AND_CLEAR = "owned free and clear"
    RENTED = "renter occupied"


class HouseholdStatus(StrEnum):
    """With whom the householder lives: the basis of PH2."""

    OPPOSITE_SEX_MARRIED = "opposite-sex married couple"
    SAME_SEX_MARRIED = "same-sex married couple"
    OPPOSITE_SEX_COHABITING = "opposite-sex cohabiting couple"
    SAME_SEX_COHABITING = "same-sex cohabiting couple"
    MALE_ALONE = "male householder, living alone"
    MALE_WITH_OTHERS = "male householder, living with others"
    FEMALE_ALONE = "female householder, living alone"
    FEMALE_WITH_OTHERS = "female householder, living with others"


class RaceEth(NamedTuple):
    """Major races by the letters A to F of their iterations, and whether Hispanic or Latino."""

    races: tuple[str, ...]
    is_hispanic: bool = False


class Person(NamedTuple):
    """A row of person_df (PHSafe, section 3.1.1)."""

    state: str
    mafid: int
    age: int
    race_eth: RaceEth
    relationship: str


class Unit(NamedTuple):
    """A row of unit_df (PHSafe, section 3.1.2); the household type is a status, and whether there is a family."""

    state: str
    mafid: int
    race_eth: RaceEth
    tenure: str
    status: str
    is_family: bool


class BasePerson(NamedTuple):
    """A row of the base person dataframe, which both data frames are functions of (PHSafe, section 5)."""

    state: str
    mafid: int
    age: int
    race_eth: RaceEth
    relationship: str
    sex: str
    tenure: str

    @property
    def person(self) -> Person:
        """Its row of person_df."""
        return Person(*self[:5])


def _by_races(race_eth: RaceEth) -> str | None:
    races = race_eth.races
    known = len(set(races)) == len(races) and set(races) <= set("ABCDEF")
    return None if not known or not races else races[0] if len(races) == 1 else "G"


def _everyone(_race_eth: RaceEth) -> str | None:
    return "*"


def _hispanic_or_white(race_eth: RaceEth) -> str | None:
    return "H" if race_eth.is_hispanic else "I" if race_eth.races == ("A",) else None


ITERATIONS: Mapping[str, tuple[tuple[str, ...], Callable[[RaceEth], str | None]]] = {
    "*": (("*",), _everyone),
    "A-G": (tuple("ABCDEFG"), _by_races),
    "H,I": (("H", "I"), _hispanic_or_white),
}
"""The iteration levels by their names in the published settings: the iterations, and which one a record is of, if any
(PHSafe, section 2.2)."""

"""The population groups that a record is in: an entity of a geography with an iteration, by its races and ethnicity.

A record is in several groups of one population group level. Neither how many these are at most nor what noise that
takes is in the published settings, so both are named choices.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

Areas = tuple[tuple[str, str], ...]
"""Where a record lies: pairs of a geography, such as "state", and its entity. The last pair of a geography counts."""


class PersonRecord(NamedTuple):
    """A person-record."""

    areas: Areas
    races: tuple[str, ...]
    ethnicity: str
    sex: str
    age: int


class HouseholdRecord(NamedTuple):
    """A household-record, with the races and the ethnicity of its householder."""

    areas: Areas
    races: tuple[str, ...]
    ethnicity: str
    household_type: str
    tenure: str


Record = PersonRecord | HouseholdRecord


@dataclass(frozen=True)
class Membership:
    """Which iterations of a level a record is in.

    Attributes:
        has_alone: whether there are iterations of a race alone.
        has_combinations: whether there are iterations of a race alone or in combination.
    """

    has_alone: bool
    has_combinations: bool

    def of_race(self, race: str) -> tuple[str, ...]:
        """The iterations of a race."""
        return (
            *((f"{race} alone",) if self.has_alone else ()),
            *((f"{race} alone or in combination",) if self.has_combinations else ()),
        )

    def among(self, races: frozenset[str]) -> tuple[str, ...]:
        """The iterations of a record of these races of the level."""
        alone = [f"{race} alone" for race in races] if self.has_alone and len(races) == 1 else []
        return (*alone, *(f"{race} alone or in combination" for race in sorted(races) if self.has_combinations))

    def most(self, max_race_codes: int) -> int:
        """How many iterations a record is in at most, one of them by ethnicity."""
        combined = max_race_codes if self.has_combinations else 0
        return max(2 if self.has_alone and self.has_combinations else int(self.has_alone), combined) + 1


MEMBERSHIPS: Mapping[str, Membership] = {
    "both": Membership(has_alone=True, has_combinations=True),
    "alone": Membership(has_alone=True, has_combinations=False),
    "in combination": Membership(has_alone=False, has_combinations=True),
}
"""Presets: iterations of each race alone, and alone or in combination; the former; the latter. Beside them one for each
ethnicity."""

CALIBRATIONS: Mapping[str, Callable[[int], int]] = {"groups": lambda most: most, "rows": lambda most: most**2}
"""Presets: the largest squared change that noise is made for, where a record is in so many groups of a level. Groups:
one row in each; rows: so many rows, be they in one."""


def iterations_of(
    record: Record,
    *,
    membership: Membership,
    race_iterations: Mapping[str, str],
    ethnicity_iterations: Mapping[str, str],
    max_race_codes: int,
) -> tuple[str, ...]:
    """The iterations of a level that a record is in, each once; codes that the level does not know are in none.

    >>> person = PersonRecord((), ("102", "205", "103"), "x", "male", 1)
    >>> races = {"102": "North", "103": "North", "205": "South"}
    >>> known = {"race_iterations": races, "ethnicity_iterations": {}, "max_race_codes": 8}
    >>> iterations_of(person, membership=MEMBERSHIPS["both"], **known)
    ('North alone or in combination', 'South alone or in combination')
    """
    codes = record.races[:max_race_codes]
    races = frozenset(race_iterations[code] for code in codes if code in race_iterations)
    by_ethnicity = ethnicity_iterations.get(record.ethnicity)
    return (*membership.among(races), *(() if by_ethnicity is None else (by_ethnicity,)))

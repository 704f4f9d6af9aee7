"""What is public about a run of SafeTab: the published budgets by their names, a choice for what they leave open."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from stirred.mechanisms.das.safetab.groups import CALIBRATIONS, MEMBERSHIPS
from stirred.mechanisms.das.safetab.statistics import STATISTICS, StatisticsLevel
from stirred.spec.arguments import (
    Exact,
    InputError,
    check_known,
    exact,
    integer,
    nonnegative,
    open_probability,
    positive_integer,
)

_KEY = re.compile(
    r"privacy_budget_(?:(?P<persons>p)|h_(?P<table>t3|t4))_level_(?P<iterations>[12])_(?P<geography>[a-z_]+)"
)
_THRESHOLDS = (500, 1000, 7000)


class PopulationGroupLevel(NamedTuple):
    """A population group level of one table.

    Attributes:
        table: "p" for SafeTab-P; "t3" or "t4" for SafeTab-H.
        iterations: the iteration level, "1" or "2".
        geography: such as "state".
    """

    table: str
    iterations: str
    geography: str


@dataclass(frozen=True)
class SafeTabSettings:
    """The published settings, and what they leave open (`mechanisms.das.safetab` lists it).

    Attributes:
        budgets: ρ² (ε for pure DP) by the published names, such as "privacy_budget_p_level_1_usa"; 0 is not released.
        race_iterations: for each iteration level, the race that a code is of.
        ethnicity_iterations: for each iteration level, the iteration of an ethnicity code.
        is_zcdp: whether privacy_defn is "zcdp", else "puredp".
        stage_1_fraction: the share of stage 1 in each budget, between 0 and 1; stage 2 has the rest.
        membership: a name in `MEMBERSHIPS`.
        calibration: a name in `CALIBRATIONS`.
        statistics: a name in `STATISTICS`.
        thresholds: the noisy counts from which on a group gets the second, third, … statistics level.
    """

    budgets: Mapping[str, Exact]
    entities: Mapping[str, tuple[str, ...]]
    race_iterations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ethnicity_iterations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    max_race_codes: int = 8
    is_zcdp: bool = True
    stage_1_fraction: Exact = Fraction(1, 10)
    membership: str = "both"
    calibration: str = "groups"
    statistics: str = "detailed"
    thresholds: tuple[int, ...] = _THRESHOLDS
    exact_budgets: Mapping[PopulationGroupLevel, Fraction] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, known in (("membership", MEMBERSHIPS), ("calibration", CALIBRATIONS)):
            check_known(f"{name}: unknown preset", getattr(self, name), known)
        positive_integer("max_race_codes", self.max_race_codes)
        object.__setattr__(self, "stage_1_fraction", open_probability("stage_1_fraction", self.stage_1_fraction))
        object.__setattr__(self, "exact_budgets", self._spent())
        for index, threshold in enumerate(self.thresholds):
            integer(f"thresholds[{index}]", threshold)
        if list(self.thresholds) != sorted(set(self.thresholds)):
            raise InputError(f"thresholds must increase; got {self.thresholds!r}")

    def _spent(self) -> dict[PopulationGroupLevel, Fraction]:
        spent = {}
        for name, value in self.budgets.items():
            found = _KEY.fullmatch(name)
            if found is None:
                raise InputError(f"{name}: must be privacy_budget_p_level_N_GEOGRAPHY or privacy_budget_h_TABLE_…")
            level = PopulationGroupLevel(found["persons"] or found["table"], found["iterations"], found["geography"])
            check_known("statistics: unknown preset", self.statistics, STATISTICS[level.table])
            if budget := nonnegative(name, value):
                if level.geography not in self.entities:
                    raise InputError(f"entities must have those of {level.geography!r}, where {name} is spent")
                spent[level] = budget
        return spent

    @property
    def total(self) -> Fraction:
        """The sum of the budgets."""
        return sum(self.exact_budgets.values(), Fraction(0))

    def statistics_levels(self, table: str) -> tuple[StatisticsLevel, ...]:
        """The statistics levels of a table."""
        return STATISTICS[table][self.statistics]

    def stage_budgets(self, level: PopulationGroupLevel) -> tuple[Fraction, Fraction]:
        """The budgets of stage 1 and of stage 2, which is all that stage 1 leaves."""
        budget = self.exact_budgets[level]
        first = budget * exact("stage_1_fraction", self.stage_1_fraction)
        return first, budget - first

"""What is counted of a population group: statistics levels, from its total alone to many cells.

A map to cells is total: a record without a cell gives None, and is counted nowhere in that statistics level. Which
levels there are is not in the published settings.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stirred.mechanisms.das.safetab.groups import HouseholdRecord, PersonRecord, Record

TOTAL = "total"
_SEXES = ("male", "female")


@dataclass(frozen=True)
class StatisticsLevel:
    """A statistics level of one table.

    Attributes:
        cells: all cells, whatever the data.
        cell: the cell of a record, or None.
    """

    name: str
    cells: tuple[str, ...]
    cell: Callable[[Record], str | None]


_TOTAL = StatisticsLevel(TOTAL, (TOTAL,), lambda _record: TOTAL)


def _by_age(starts: Sequence[int]) -> StatisticsLevel:
    """Sex by age groups that begin at 0 and at these ages."""
    firsts = (0, *starts)
    ages = [f"{first} to {last - 1}" for first, last in zip(firsts, starts, strict=False)] + [f"{firsts[-1]} and over"]

    def cell(record: Record) -> str | None:
        if not isinstance(record, PersonRecord) or record.sex not in _SEXES or record.age < 0:
            return None
        return f"{record.sex}, {ages[bisect_right(starts, record.age)]}"

    cells = tuple(f"{sex}, {age}" for sex in _SEXES for age in ages)
    return StatisticsLevel(f"sex by {len(ages)} age groups", cells, cell)


def _by(name: str, value: Callable[[HouseholdRecord], str], cells: Mapping[str, str]) -> StatisticsLevel:
    """Cells of households by a value of theirs."""
    return StatisticsLevel(
        name,
        tuple(dict.fromkeys(cells.values())),
        lambda record: cells.get(value(record)) if isinstance(record, HouseholdRecord) else None,
    )


def _household_type(household: HouseholdRecord) -> str:
    return household.household_type


def _tenure(household: HouseholdRecord) -> str:
    return household.tenure


_FAMILY, _NONFAMILY = "family household", "nonfamily household"
_TYPES = {
    "married couple family": _FAMILY,
    "other family": _FAMILY,
    "householder living alone": _NONFAMILY,
    "householder not living alone": _NONFAMILY,
}
_OWNED = "owner occupied"
_TENURES = {
    "owned with a mortgage or a loan": _OWNED,
    "owned free and clear": _OWNED,
    "renter occupied": "renter occupied",
}

STATISTICS: Mapping[str, Mapping[str, tuple[StatisticsLevel, ...]]] = {
    "p": {
        "detailed": (
            _TOTAL,
            _by_age((18, 45, 65)),
            _by_age((5, 18, 25, 35, 45, 55, 65, 75)),
            _by_age((*(5, 10, 15, 18, 20, 21, 22, 25, 30, 35, 40, 45, 50, 55, 60), *(62, 65, 67, 70, 75, 80, 85))),
        ),
        "sex": (_TOTAL, _by_age(())),
        "total": (_TOTAL,),
    },
    "t3": {
        "detailed": (
            _TOTAL,
            _by("family", _household_type, _TYPES),
            _by("type", _household_type, {t: t for t in _TYPES}),
        ),
        "total": (_TOTAL,),
    },
    "t4": {
        "detailed": (_TOTAL, _by("owned", _tenure, _TENURES), _by("tenure", _tenure, {t: t for t in _TENURES})),
        "total": (_TOTAL,),
    },
}
"""Presets by table: total population with sex by 4, 9 or 23 age groups; households by type (t3) and by tenure (t4)."""

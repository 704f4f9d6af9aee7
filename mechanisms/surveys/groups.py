"""Units that a function of their records groups: strata, clusters, response classes, donor classes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from mechanisms.surveys.frames import checked_units
from spec.arguments import InputError
from spec.surveys.unit_data import UnitData

__all__ = ["grouped", "records_by_group"]


def grouped(name: str, data: UnitData, key: Callable[[Any], Hashable]) -> dict[Any, tuple[Any, ...]]:
    """The units by the key of their records, keys in increasing order, so that nothing depends on who comes first.

    Raises:
        InputError: the keys have no order, or the data set has another form than that of `unit_data`.

    >>> grouped("stratum", (("a", 2), ("b", 1), ("c", 2)), lambda record: record)
    {1: ('b',), 2: ('a', 'c')}
    """
    checked_units("data", data)
    found: dict[Any, list[Any]] = {}
    for unit, record in data:
        found.setdefault(key(record), []).append(unit)
    try:
        return {group: tuple(found[group]) for group in sorted(found)}
    except TypeError:
        raise InputError(f"{name} must give all numbers or all texts; got {list(found)}") from None


def records_by_group(data: UnitData, groups: Mapping[Any, tuple[Any, ...]]) -> dict[Any, tuple[Any, ...]]:
    """The records of the units of each group."""
    records = dict(data)
    return {group: tuple(records[unit] for unit in members) for group, members in groups.items()}

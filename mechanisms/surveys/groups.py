"""Units that a function of their records groups: strata, clusters, response classes, donor classes."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from stirred.mechanisms.surveys.frames import checked_units, is_increasing
from stirred.spec.arguments import InputError
from stirred.spec.surveys.unit_data import UnitData


def grouped(name: str, data: UnitData, key: Callable[[Any], Hashable]) -> dict[Any, tuple[Any, ...]]:
    """The units by the key of their records, keys in increasing order, so that nothing depends on who comes first.

    >>> grouped("stratum", (("a", 2), ("b", 1), ("c", 2)), lambda record: record)
    {1: ('b',), 2: ('a', 'c')}
    """
    checked_units("data", data)
    keys = {unit: key(record) for unit, record in data}
    found: dict[Any, list[Any]] = {group: [] for group in _in_order(name, tuple(keys.values()))}
    for unit, group in keys.items():
        found[group].append(unit)
    return {group: tuple(members) for group, members in found.items()}


def _in_order(name: str, keys: Sequence[Any]) -> list[Any]:
    """The distinct keys in increasing order."""
    try:
        found = sorted(set(keys))
    except TypeError:
        found = None
    if found is None or not is_increasing(found):
        types = ", ".join(sorted({type(key).__name__ for key in keys}))
        raise InputError(f"{name} must give all numbers or all texts, which have an order; got values of type {types}")
    return found


def records_by_group(data: UnitData, groups: Mapping[Any, tuple[Any, ...]]) -> dict[Any, tuple[Any, ...]]:
    """The records of the units of each group."""
    records = dict(data)
    return {group: tuple(records[unit] for unit in members) for group, members in groups.items()}
